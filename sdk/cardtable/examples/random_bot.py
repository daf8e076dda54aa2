"""Plays both games in every variant, each legal action with the same chance: the measure of all others."""

from cardtable import Bot, TrixAction, TrixView, VytrixAction, VytrixView, run


class RandomBot(Bot):
    """Plays by chance."""

    name = "random"
    version = "1"

    def trix(self, view: TrixView) -> TrixAction:
        """Any legal action."""
        return view.legal_actions.sample(self.random)

    def vytrix(self, view: VytrixView) -> VytrixAction:
        """Any legal action."""
        return view.legal_actions.sample(self.random)


if __name__ == "__main__":
    run(RandomBot)

"""Plays both games in every variant, each legal action with the same chance: the measure of all others."""

from cardtable import Bot, TrixAction, TrixView, VytrixAction, VytrixView, run


class RandomBot(Bot):
    name = "random"
    version = "1"

    def trix(self, view: TrixView) -> TrixAction:
        return view.legal_actions.sample(self.random)

    def vytrix(self, view: VytrixView) -> VytrixAction:
        return view.legal_actions.sample(self.random)


if __name__ == "__main__":
    run(RandomBot)

"""The text of small bots for the tests of commands."""

CHANCE = """
from cardtable import Bot, run

class Chance(Bot):
    name = "chance"

    def trix(self, view):
        return view.legal_actions.sample(self.random)

    def vytrix(self, view):
        return next(iter(view.legal_actions))

if __name__ == "__main__":
    run(Chance)
"""
#: Raises at the third trick that it leads or follows to.
RAISES = CHANCE.replace(
    "    def trix(self, view):\n",
    "    def trix(self, view):\n        if len(view.played) > 8:\n            return {}[view.seat]\n",
)
#: Plays a card that it does not hold.
CHEATS = CHANCE.replace(
    "    def trix(self, view):\n",
    "    def trix(self, view):\n        if len(view.played) > 8:\n            return next(iter(view.unseen))\n",
)
TALKS = CHANCE.replace(
    "    def trix(self, view):\n", '    def trix(self, view):\n        self.comment("as luck has it")\n'
)

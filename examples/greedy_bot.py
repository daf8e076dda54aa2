"""The example bot `greedy`: its source is sdk/cardtable/examples/greedy_bot.py, which comes with the library."""

from cardtable import run
from cardtable.examples.greedy_bot import GreedyBot

if __name__ == "__main__":
    run(GreedyBot)

"""The example bot `random`: its source is sdk/cardtable/examples/random_bot.py, which comes with the library."""

from cardtable import run
from cardtable.examples.random_bot import RandomBot

if __name__ == "__main__":
    run(RandomBot)

"""The example bot `counter`: its source is sdk/cardtable/examples/counter_bot.py, which comes with the library."""

from cardtable import run
from cardtable.examples.counter_bot import CounterBot

if __name__ == "__main__":
    run(CounterBot)

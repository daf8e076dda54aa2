"""The example bot `search`: its source is sdk/cardtable/examples/search_bot.py, which comes with the library."""

from cardtable import run
from cardtable.examples.search_bot import SearchBot

if __name__ == "__main__":
    run(SearchBot)

"""The report's pages while a tournament goes on: `tourney serve`.

Reads a store that another process writes, and writes nothing to it. Needs the extra `cardtable-referee[pages]`.
"""

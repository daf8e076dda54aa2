"""`python -m referee` is `tourney`."""

from referee.cli import main

if __name__ == "__main__":
    main()

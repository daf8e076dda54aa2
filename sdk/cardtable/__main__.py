"""`cardtable`, also as ``python -m cardtable``."""

from __future__ import annotations

import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command and leave the process with its status."""
    try:
        from cardtable.commands import main as run

        status = run()
    except KeyboardInterrupt:  # while what a command needs is imported
        status = 130
    sys.exit(status)


if __name__ == "__main__":
    main()

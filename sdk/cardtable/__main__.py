"""`cardtable`, also as ``python -m cardtable``."""

from __future__ import annotations

import sys
from typing import NoReturn

from cardtable import commands

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command and leave the process with its status."""
    sys.exit(commands.main())


if __name__ == "__main__":
    main()

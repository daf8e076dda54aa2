"""Which version of the library this is, without a search among what is installed: every bot says it when it joins."""

from __future__ import annotations

from typing import Final

__all__ = ["VERSION"]

VERSION: Final = "0.1.0"

"""The error of a message that cannot be read; actions have an error of their own, `MalformedAction`."""

from __future__ import annotations

__all__ = ["WireError"]


class WireError(ValueError):
    """The other side sent a message that this version cannot read."""

"""What only an extra brings: imported when a command needs it, and named where it is missing."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from referee.errors import RefereeError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

__all__ = ["cluster_extra", "pages_extra"]


def cluster_extra(need: str) -> AbstractContextManager[None]:
    """Import what plays on a cluster in here; as `pages_extra`."""
    return _extra("cluster", need)


def pages_extra(need: str) -> AbstractContextManager[None]:
    """Import what makes pages in here.

    Args:
        need: What needs it, with its verb, such as ``reports need``.

    Raises:
        RefereeError: A package is not installed; the line says how to install it.
    """
    return _extra("pages", need)


@contextmanager
def _extra(extra: str, need: str) -> Iterator[None]:
    """Import what an extra brings in here.

    Args:
        extra: Its name.
        need: What needs it, with its verb.

    Raises:
        RefereeError: A package is not installed; the line says how to install it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] in {"referee", "cardtable"}:
            raise
        raise RefereeError(
            f"{need} the package {error.name}: pip install 'cardtable-referee[{extra}]'"
        ) from None

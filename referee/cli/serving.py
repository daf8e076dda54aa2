"""`tourney serve`: a store's results and games in a browser, while they come in."""

from __future__ import annotations

import os
import sys
import webbrowser
from typing import TYPE_CHECKING

from referee.cli.extras import pages_extra
from referee.cli.places import path_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.database.address import StoreAddress
    from referee.pages.live.server import LiveServer

__all__ = ["serve_pages"]


def serve_pages(
    cup: StoreAddress, host: str, port: int, *, names: Sequence[str] = (), opens: bool = False
) -> None:
    """Serve until it is interrupted.

    Args:
        cup: The store, or the tournament file that names it.
        host: Where it listens.
        port: Its port; 0: any that is free.
        names: Further names that browsers may know it by.
        opens: Whether a browser is opened, where there is one with a window.

    Raises:
        RefereeError: The store or the port cannot be used, or what makes pages is not installed.
        KeyboardInterrupt: It was interrupted.
    """
    server = _maker()(path_of(cup), host, port, names=names)
    print(f"{server.watch.path} is shown at {server.address}")
    if server.is_public:
        print("Who reaches this machine can read it: there is no password.")
    print("Ctrl-C ends it.", flush=True)
    if opens and (sys.platform == "darwin" or {"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ)):
        webbrowser.open(server.address)
    server.serve()


def _maker() -> type[LiveServer]:
    with pages_extra("serving pages needs"):
        from referee.pages.live.server import LiveServer
    return LiveServer

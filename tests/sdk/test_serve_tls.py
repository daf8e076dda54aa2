"""A bot that finds no referee is told whether it is the network, TLS, or the certificate."""

from __future__ import annotations

import socket
import ssl
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cardtable.bot import Bot
from cardtable.serve import serve

if TYPE_CHECKING:
    from collections.abc import Iterator

TLS = Path(__file__).parents[1] / "e2e" / "tls"


class Idle(Bot):
    def trix(self, view: object) -> object:
        raise NotImplementedError


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        yield server


def shake_hands(listener: socket.socket, name: str, key: str) -> None:
    """Take whoever comes, with TLS and nothing behind it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / f"{name}.pem", TLS / f"{key}.pem")

    def accept() -> None:
        with suppress(OSError):
            while True:
                line, _ = listener.accept()
                line.settimeout(5)
                with suppress(OSError), line, context.wrap_socket(line, server_side=True) as secure:
                    secure.recv(1)

    threading.Thread(target=accept, daemon=True).start()


def said(listener: socket.socket, tls: str | None, capsys: pytest.CaptureFixture[str]) -> str:
    address = f"localhost:{listener.getsockname()[1]}"
    where = None if tls is None else str(TLS / f"{tls}.pem")
    assert serve(Idle, address, "t" * 16, tls=where, connect_seconds=0.3) == 4
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "key", "trusted", "why"),
    [
        ("other", "other-key", "other", "its certificate is refused: Hostname mismatch"),
        ("expired", "expired-key", "expired", "its certificate is refused: certificate has expired"),
        ("certificate", "key", "other", "its certificate is refused: self"),
        ("certificate", "key", None, "a referee with TLS needs CARDTABLE_TLS"),
    ],
)
def test_a_certificate_that_is_wrong_is_named(
    listener: socket.socket,
    capsys: pytest.CaptureFixture[str],
    name: str,
    key: str,
    trusted: str | None,
    why: str,
) -> None:
    shake_hands(listener, name, key)
    assert why in said(listener, trusted, capsys)


def test_who_asks_for_tls_where_there_is_none_is_told_so(
    listener: socket.socket, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer() -> None:
        with suppress(OSError):
            while True:
                line, _ = listener.accept()
                with line:
                    line.sendall(b"no TLS here")

    threading.Thread(target=answer, daemon=True).start()
    assert "without the TLS that CARDTABLE_TLS asks for" in said(listener, "certificate", capsys)


def test_where_nobody_listens_there_is_no_more_to_say(
    listener: socket.socket, capsys: pytest.CaptureFixture[str]
) -> None:
    listener.close()
    with closing(socket.create_server(("127.0.0.1", 0))) as unused:
        port = unused.getsockname()[1]
    assert serve(Idle, f"localhost:{port}", "t" * 16, connect_seconds=0.3) == 4
    assert capsys.readouterr().err.strip().endswith("(tried for 0.3 s)")

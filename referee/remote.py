"""Remote bots: where they dial in, what they join with, and what their owners are told.

Owns the table [remote] and the file of tokens beside the store. Listens to nobody; that is `referee.server`.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import secrets
import socket
import ssl
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from referee.blocks import Door
from referee.database.address import beside
from referee.entrants import is_file
from referee.errors import RefereeError
from referee.toml_reading import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from referee.database.address import StoreAddress
    from referee.entrants import Entrant
    from referee.toml_reading import Table

__all__ = [
    "REMOTE_KEYS",
    "Remote",
    "check_tokens",
    "invitations",
    "is_loopback",
    "read_remote",
    "tokens_in",
    "with_tokens",
]

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{16,}")
#: Where one listens, not what one dials.
_EVERY_HOST: Final = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - nobody listens by this
REMOTE_KEYS: Final = ("listen", "address", "certificate", "key", "join_seconds")


@dataclass(frozen=True, slots=True)
class Remote:
    """Where remote bots dial in, the table [remote].

    Args:
        host, port: `listen`: ``host:port`` of this machine, of IPv6 ``[::1]:port``.
        address: `address`: what owners are told to dial, where that is another one; default: `listen`.
        certificate, key: `certificate` and `key`: files in PEM for TLS; needed unless the host is this machine's own.
    """

    host: str
    port: int
    address: str
    certificate: Path | None = None
    key: Path | None = None

    @property
    def listen(self) -> str:
        """``host:port``, as gRPC writes addresses."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def door(self) -> Door:
        """What a worker needs to listen.

        Raises:
            RefereeError: A file cannot be read, or nobody can listen there.
        """
        _try_to_listen(self.host, self.port)
        if self.certificate is None or self.key is None:
            return Door(self.listen)
        contents = _content(self.certificate), _content(self.key)
        try:
            # An encrypted key would have somebody asked for its password.
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate, self.key, password="")
        except (OSError, ValueError) as error:
            raise RefereeError(
                f"[remote] {self.certificate} and {self.key} are no certificate and its key in PEM: {error}"
            ) from None
        return Door(self.listen, *contents)

    def check_certificate(self) -> None:
        """Look whether a bot that dials `address`, and trusts the certificate, would be content with it.

        Raises:
            RefereeError: It would hang up: the certificate is of another name, or its time is not now.
        """
        if self.certificate is None or self.key is None:
            return
        host = self.address.rpartition(":")[0].strip("[]")
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        bot = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        # Who has signed it is no matter here.
        bot.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        bot.check_hostname = host not in _EVERY_HOST
        try:
            server.load_cert_chain(self.certificate, self.key, password="")
            bot.load_verify_locations(self.certificate)
            _shake_hands(server, bot, host)
        except ssl.SSLCertVerificationError as error:
            hint = "; `address` is what bots dial" if "mismatch" in error.verify_message else ""
            raise RefereeError(
                f"[remote] no bot that dials {self.address} would accept {self.certificate}:"
                f" {error.verify_message.rstrip('.')}{hint}"
            ) from None
        except (OSError, ValueError):
            return  # of what else is wrong with it `door` speaks


def read_remote(table: Table, base: Path) -> Remote:
    """Read and check the table.

    Args:
        table: The table [remote].
        base: The folder from which relative paths count.

    Raises:
        ConfigError: Something of it cannot be.
    """
    table.only(REMOTE_KEYS)
    listen = table.text("listen")
    if listen is None:
        raise table.error("listen", 'is missing; it is "host:port" of this machine, such as "127.0.0.1:7007"')
    host, colon, port = listen.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    if not colon or not host or (":" in host and not bracketed) or not _is_port(port):
        raise table.error("listen", f'is "host:port", such as "127.0.0.1:7007", not {quoted(listen)}')
    host = host[1:-1] if bracketed else host
    files = [_file(table, key, base) for key in ("certificate", "key")]
    if (files[0] is None) != (files[1] is None):
        missing = "key" if files[1] is None else "certificate"
        raise table.error(missing, "is missing; certificate and key go together")
    if files[0] is None and not is_loopback(host):
        raise table.error(
            "listen",
            f"{quoted(host)} can be reached from elsewhere, which needs TLS: add certificate and key,"
            " or listen on 127.0.0.1",
        )
    return Remote(host, int(port), table.text("address") or listen, *files)


def tokens_in(store: StoreAddress) -> Path:
    """The file with the tokens of a store's remote bots."""
    return beside(store, ".tokens")


def check_tokens(store: StoreAddress) -> None:
    """Look whether the tokens of a store can be used, where there are any.

    Raises:
        RefereeError: They cannot.
    """
    _read_tokens(tokens_in(store))


def with_tokens(
    entrants: Sequence[Entrant], seats: Mapping[str, int], store: StoreAddress
) -> tuple[Entrant, ...]:
    """The entrants with the tokens of those that are remote, which are made once and kept beside the store.

    Args:
        entrants: All of them.
        seats: How many seats each may need.
        store: The store.

    Raises:
        RefereeError: The file of tokens cannot be read or written.
    """
    path = tokens_in(store)
    tokens = _read_tokens(path)
    wanted = {one.name: seats[one.name] for one in entrants if one.spec.is_remote}
    missing = {name: number for name, number in wanted.items() if len(tokens.get(name, ())) < number}
    for name, number in missing.items():
        kept = tokens.get(name, [])
        tokens[name] = kept + [secrets.token_urlsafe(24) for _ in range(number - len(kept))]
    if missing:
        _write_tokens(path, tokens)
    return tuple(
        replace(one, spec=replace(one.spec, tokens=tuple(tokens[one.name][: wanted[one.name]])))
        if one.name in wanted
        else one
        for one in entrants
    )


def invitations(remote: Remote, entrants: Sequence[Entrant], join_seconds: float) -> list[str]:
    """What an organiser passes on: for each seat of each remote bot how it joins, a line each."""
    lines = [
        f"Remote bots dial in at {remote.address}, each seat within {join_seconds:g} s of its first game:"
    ]
    tls = "" if remote.certificate is None else " CARDTABLE_TLS=certificate.pem"
    for entrant in entrants:
        for seat, token in enumerate(entrant.spec.tokens):
            environment = f"CARDTABLE_REFEREE={remote.address}{tls} CARDTABLE_TOKEN={token}"
            lines.append(f"  {entrant.name}, seat {seat}: {environment}")
    return lines


def _read_tokens(path: Path) -> dict[str, list[str]]:
    try:
        if path.stat().st_mode & 0o077:
            raise RefereeError(f"{path} can be read by others; remove it, and new tokens are made")
        text = path.read_text()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise RefereeError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        text = ""
    try:
        tokens = json.loads(text)
    except (ValueError, RecursionError):
        tokens = None
    if not isinstance(tokens, dict) or not all(isinstance(of_one, list) for of_one in tokens.values()):
        raise _no_tokens(path)
    all_of_them = [token for of_one in tokens.values() for token in of_one]
    if not all(isinstance(token, str) and _TOKEN.fullmatch(token) for token in all_of_them):
        raise _no_tokens(path)
    if len(set(all_of_them)) < len(all_of_them):
        raise RefereeError(f"{path} has a token twice; remove it, and new ones are made")
    return tokens


def _no_tokens(path: Path) -> RefereeError:
    return RefereeError(f"{path} is no file of tokens; remove it, and new ones are made")


def _write_tokens(path: Path, tokens: Mapping[str, Sequence[str]]) -> None:
    """Write for the owner's eyes alone, whole or not at all."""
    draft = path.with_name(f"{path.name}.new")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(tokens, file, ensure_ascii=False, indent=1)
            file.write("\n")
        draft.replace(path)
    except OSError as error:
        raise RefereeError(f"{path} cannot be written: {error.strerror}") from None


def _file(table: Table, key: str, base: Path) -> Path | None:
    name = table.text(key)
    if name is None:
        return None
    path = base / name
    if not is_file(path):
        raise table.error(key, f"there is no file {quoted(str(path))}")
    return path


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RefereeError(f"{path} cannot be read: {error.strerror}") from None


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches who listens there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and 1 <= int(text) <= 65535


def _shake_hands(server: ssl.SSLContext, client: ssl.SSLContext, host: str) -> None:
    """Have both ends of TLS agree within this process."""
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(down, up, server_hostname=host or None),
        server.wrap_bio(up, down, server_side=True),
    ]
    for end in ends * 3:
        with suppress(ssl.SSLWantReadError):
            end.do_handshake()


def _try_to_listen(host: str, port: int) -> None:
    """Say beforehand that somebody listens there, or that the host is not this machine's."""
    try:
        family, *_, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with closing(socket.socket(family, socket.SOCK_STREAM)) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise RefereeError(f"[remote] cannot listen on {host}:{port}: {why}") from None

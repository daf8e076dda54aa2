"""The table [remote], and the file of tokens beside a store."""

from __future__ import annotations

import json
import shutil
import socket
from pathlib import Path

import pytest

from referee.blocks import BotSpec
from referee.config import ConfigError, load
from referee.entrants import Entrant
from referee.errors import RefereeError
from referee.remote import Remote, check_tokens, invitations, tokens_in, with_tokens

TLS = Path(__file__).parents[1] / "e2e" / "tls"
REST = '[[competition]]\ngame = "vytrix"\nvariant = { players = 3 }\n' + "".join(
    f'[[bot]]\nname = "{name}"\nremote = true\n' for name in "abc"
)
FAR = Entrant("far", (), BotSpec("far", (), ""), (), ("vytrix",))


def refused(folder: Path, text: str) -> str:
    file = folder / "cup.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load(file)
    return str(caught.value).removeprefix(f"{folder}/")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("", 'cup.toml:6: [[bot]] 1, "remote": needs a [remote]'),
        ("[remote]\n", '[remote], "listen": is missing'),
        ('[remote]\nlisten = "7007"\n', '"listen": is "host:port"'),
        ('[remote]\nlisten = "::1:7007"\n', '"listen": is "host:port"'),
        ('[remote]\nlisten = "localhost:0"\n', '"listen": is "host:port"'),
        ('[remote]\nlisten = "localhost:99999"\n', '"listen": is "host:port"'),
        ('[remote]\nlisten = "0.0.0.0:7007"\n', "can be reached from elsewhere, which needs TLS"),
        ('[remote]\nlisten = "localhost:7007"\nkey = "cup.toml"\n', '"certificate": is missing'),
        ('[remote]\nlisten = "localhost:7007"\nkey = "no.pem"\n', '"key": there is no file'),
        ('[remote]\nlisten = "localhost:7007"\nkeys = "no.pem"\n', "keys"),
        ('[remote]\nlisten = "localhost:7007"\n[run]\njobs = 2\n', '"jobs": is 1 where a bot is remote'),
    ],
)
def test_what_cannot_be_is_refused_at_its_place(tmp_path: Path, table: str, said: str) -> None:
    assert said in refused(tmp_path, table + REST)


@pytest.mark.parametrize("listen", ["127.0.0.1:7007", "[::1]:7007", "LOCALHOST:7007"])
def test_this_machines_own_addresses_need_no_tls(tmp_path: Path, listen: str) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f'[remote]\nlisten = "{listen}"\n{REST}')
    config = load(file)
    assert config.remote is not None
    assert config.jobs == 1
    assert config.identity()["bots"] == [
        {"name": name, "command": [], "environment": {}, "files": {}, "remote": True} for name in "abc"
    ]


def test_a_certificate_and_a_key_that_do_not_belong_together_are_one_line(tmp_path: Path) -> None:
    for name in ("certificate.pem", "key.pem"):
        shutil.copy(TLS / name, tmp_path)
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    port = free_port()
    assert Remote("127.0.0.1", port, "x", certificate, key).door().certificate == certificate.read_bytes()
    with pytest.raises(RefereeError, match="are no certificate and its key in PEM"):
        Remote("127.0.0.1", port, "x", key, certificate).door()
    key.write_text("no PEM")
    with pytest.raises(RefereeError, match="are no certificate and its key in PEM"):
        Remote("127.0.0.1", port, "x", certificate, key).door()


@pytest.mark.parametrize("host", ["192.0.2.1", f"{'a' * 80}.example", "bücher..x"])
def test_a_place_where_nobody_can_listen_is_one_line(host: str) -> None:
    with pytest.raises(RefereeError, match="cannot listen on"):
        Remote(host, free_port(), "x").door()


def test_a_port_that_is_taken_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(RefereeError, match="in use"):
        Remote("127.0.0.1", taken.getsockname()[1], "x").door()


def test_tokens_are_made_once_for_the_owners_eyes(tmp_path: Path) -> None:
    store = tmp_path / "cup.db"
    (first,) = with_tokens([FAR], {"far": 3}, store)
    (again,) = with_tokens([FAR], {"far": 3}, store)
    (more,) = with_tokens([FAR], {"far": 4}, store)
    (fewer,) = with_tokens([FAR], {"far": 2}, store)
    assert first == again
    assert len(set(more.spec.tokens)) == 4
    assert more.spec.tokens[:3] == first.spec.tokens
    assert fewer.spec.tokens == first.spec.tokens[:2]
    assert tokens_in(store).stat().st_mode & 0o777 == 0o600
    lines = invitations(Remote("h", 1, "cup.example.org:7007"), [first], 60)
    assert [token in line for token, line in zip(first.spec.tokens, lines[1:], strict=True)] == [True] * 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no file of tokens"),
        ("[" * 100_000, "is no file of tokens"),
        ('{"far": ["short"]}', "is no file of tokens"),
        ('{"far": "0123456789abcdef"}', "is no file of tokens"),
        (json.dumps({"far": ["0123456789abcdef\x1b\n"]}), "is no file of tokens"),
        (json.dumps({"far": ["0123456789abcdef"] * 2}), "has a token twice"),
    ],
)
def test_a_damaged_file_of_tokens_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = tokens_in(tmp_path / "cup.db")
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(RefereeError, match=said):
        check_tokens(tmp_path / "cup.db")


def test_tokens_that_others_can_read_are_refused(tmp_path: Path) -> None:
    path = tokens_in(tmp_path / "cup.db")
    path.write_text("{}")
    path.chmod(0o644)
    with pytest.raises(RefereeError, match="can be read by others"):
        check_tokens(tmp_path / "cup.db")


def test_a_folder_in_the_place_of_the_tokens_is_one_line(tmp_path: Path) -> None:
    tokens_in(tmp_path / "cup.db").mkdir(mode=0o700)
    with pytest.raises(RefereeError, match="cannot be read: Is a directory"):
        check_tokens(tmp_path / "cup.db")

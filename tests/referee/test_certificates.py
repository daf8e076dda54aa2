"""A certificate that no bot would accept is refused before anything starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import RefereeError
from referee.remote import Remote

TLS = Path(__file__).parents[1] / "e2e" / "tls"


def remote(address: str, name: str, key: str) -> Remote:
    return Remote("localhost", 7007, address, TLS / f"{name}.pem", TLS / f"{key}.pem")


@pytest.mark.parametrize(
    ("address", "name", "key", "said"),
    [
        ("cup.example.org:7007", "certificate", "key", "Hostname mismatch"),
        ("[::1]:7007", "certificate", "key", "IP address mismatch"),
        ("localhost:7007", "other", "other-key", "`address` is what bots dial"),
        ("localhost:7007", "expired", "expired-key", "certificate has expired"),
        ("0.0.0.0:7007", "expired", "expired-key", "certificate has expired"),
    ],
)
def test_one_of_another_name_or_time_is_refused(address: str, name: str, key: str, said: str) -> None:
    with pytest.raises(RefereeError, match=said) as refused:
        remote(address, name, key).check_certificate()
    assert f"[remote] no bot that dials {address} would accept" in str(refused.value)


@pytest.mark.parametrize(
    ("address", "name", "key"),
    [
        ("localhost:7007", "certificate", "key"),
        ("127.0.0.1:7007", "certificate", "key"),
        ("other.example.org:1", "other", "other-key"),
        # Where one listens on every address, nobody knows which one is dialled.
        ("0.0.0.0:7007", "other", "other-key"),
    ],
)
def test_one_that_bots_accept_is_good(address: str, name: str, key: str) -> None:
    remote(address, name, key).check_certificate()


def test_a_run_does_not_begin_with_a_bad_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from referee.cli import run

    file = tmp_path / "cup.toml"
    file.write_text(
        f'[remote]\nlisten = "localhost:7007"\ncertificate = "{TLS / "expired.pem"}"\n'
        f'key = "{TLS / "expired-key.pem"}"\n[[competition]]\ngame = "vytrix"\nvariant = {{ players = 3 }}\n'
        + "".join(f'[[bot]]\nname = "{name}"\nremote = true\n' for name in "abc")
    )
    assert run(["run", str(file)]) == 2
    assert "certificate has expired" in capsys.readouterr().err
    assert not (tmp_path / "cup.db").exists()

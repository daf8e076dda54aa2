"""What a bot's process gets of the environment of whoever starts it."""

from __future__ import annotations

from cardtable.environment import bot_environment


def test_a_bot_gets_little_of_our_environment() -> None:
    own = {"HOME": "/bots/ana", "LEVEL": "3"}
    inherited = {"PATH": "/bin", "HOME": "/root", "LC_ALL": "C", "SECRET": "key", "CARDTABLE_TOKEN": "old"}
    assert bot_environment(own, "unix:/socket", "new", inherited) == {
        "PATH": "/bin",
        "HOME": "/bots/ana",
        "LC_ALL": "C",
        "LEVEL": "3",
        "PYTHONUNBUFFERED": "1",
        "CARDTABLE_REFEREE": "unix:/socket",
        "CARDTABLE_TOKEN": "new",
    }

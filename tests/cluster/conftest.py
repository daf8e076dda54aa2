"""A PostgreSQL server of the tests' own, from the system's programs: in a temporary folder, on a free port."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import sql

from referee.database.address import DatabaseUrl

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PASSWORD = "s3cret p@ss/word"
#: Nothing that these tests write needs to survive the machine.
_FAST = ("fsync=off", "full_page_writes=off", "max_connections=60", "shared_buffers=16MB")
#: Who comes by the socket is let in, and who comes by the network needs a password.
_DOORS = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"


@dataclass
class Server:
    """A running server.

    Args:
        programs: Where its programs lie.
        folder: Where its data and its socket lie.
        port: Where it listens, on 127.0.0.1 and as a socket in the folder.
    """

    programs: Path
    folder: Path
    port: int
    process: subprocess.Popen[str] | None = None
    _numbers: Iterator[int] = field(default_factory=count)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = [f"unix_socket_directories={self.folder}", "listen_addresses=127.0.0.1", *_FAST]
        process = subprocess.Popen(
            [
                self.programs / "postgres",
                *("-D", self.folder / "data", "-p", str(self.port)),
                *(word for setting in settings for word in ("-c", setting)),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            **as_owner(),
        )
        assert process.stderr is not None
        said = []
        for line in process.stderr:
            said.append(line)
            if "ready to accept connections" in line:
                break
        else:
            process.wait()
            pytest.fail("the PostgreSQL server did not start:\n" + "".join(said))
        self._drain = threading.Thread(target=_drain, args=(process.stderr,), daemon=True)
        self._drain.start()
        self.process = process

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it, and all connections to it; SIGQUIT: as if it crashed."""
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait()
        self.process = None
        self._drain.join()

    def connect(self, database: str = "postgres") -> psycopg.Connection[Any]:
        """A connection as its master, each statement a transaction of its own."""
        return psycopg.connect(
            host=str(self.folder), port=self.port, user="postgres", dbname=database, autocommit=True
        )

    def url(self, database: str, *, user: str = "postgres", more: str = "") -> str:
        """The address of a database, by the socket, where nobody is asked for a password."""
        return f"postgresql+psycopg://{user}@/{database}?host={self.folder}&port={self.port}{more}"

    def address(self, database: str, folder: Path) -> DatabaseUrl:
        """The same as a value, with a folder for what lies beside it."""
        return DatabaseUrl.read(self.url(database), folder)

    def make_database(self, name: str | None = None, *, encoding: str = "UTF8") -> str:
        """Make an empty database; its name."""
        name = name or f"cup{next(self._numbers)}"
        with self.connect() as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} ENCODING {} TEMPLATE template0 LOCALE 'C'").format(
                    sql.Identifier(name), sql.Literal(encoding)
                )
            )
        return name

    def drop_database(self, name: str) -> None:
        """Remove it with whoever is connected to it."""
        with self.connect() as connection:
            connection.execute(
                sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
            )


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """The server of all tests of this process; a test that ends it starts it again."""
    programs = _programs()
    if programs is None:
        pytest.skip("there are no programs of a PostgreSQL server (Debian: postgresql)")
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp") as name:
        folder = Path(name)
        owner = as_owner()
        if owner:
            os.chown(folder, owner["user"], owner["group"])
        subprocess.run(
            [
                programs / "initdb",
                *("-D", folder / "data", "-U", "postgres", "-A", "trust", "--no-sync"),
                *("--encoding=UTF8", "--locale=C"),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            **owner,
        )
        (folder / "data" / "pg_hba.conf").write_text(_DOORS)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        server = Server(programs, folder, port)
        server.start()
        yield server
        server.stop(signal.SIGQUIT)


@pytest.fixture
def database(postgres: Server) -> Iterator[str]:
    """The name of an empty database."""
    name = postgres.make_database()
    yield name
    postgres.drop_database(name)


@pytest.fixture
def postgres_url(postgres: Server, database: str) -> str:
    """The address of an empty database."""
    return postgres.url(database)


def as_owner() -> Mapping[str, Any]:
    """Who runs the server: it refuses to be run by root."""
    if os.geteuid() != 0:
        return {}
    found = next(one for one in map(_user, ("postgres", "nobody")) if one is not None)
    return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}


def _user(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _programs() -> Path | None:
    """The programs of the newest server that is installed; Debian keeps them out of the way."""
    found = shutil.which("postgres")
    if found is not None:
        return Path(found).parent
    versions = Path("/usr/lib/postgresql").glob("*/bin/postgres")
    return max((one.parent for one in versions), key=lambda one: float(one.parent.name), default=None)


def _drain(pipe: Any) -> None:
    with pipe:
        for _ in pipe:
            pass

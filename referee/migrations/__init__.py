"""The versions of the store's schema and the way from one to the next, run from the program and never by hand.

Owns what Alembic is told. `env.py` runs inside it; each file of `versions` is one step.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

if TYPE_CHECKING:
    from sqlalchemy import Connection

__all__ = ["current", "known", "newest", "upgrade"]


def newest() -> str:
    """The revision that this program writes."""
    return str(_scripts().get_current_head())


def known() -> frozenset[str]:
    """All revisions that this program can read."""
    return frozenset(script.revision for script in _scripts().walk_revisions())


def current(connection: Connection) -> str | None:
    """The revision of a database; None for an empty one."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring a database to a revision, the newest unless another is named, within the connection's transaction."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _config() -> Config:
    config = Config()
    # Alembic reads % in a path as the start of a variable.
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())

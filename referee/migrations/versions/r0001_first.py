"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
#: Whole numbers of 64 bits, which SQLite's are anyway.
Number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make all tables."""
    # SQLite counts the rows of every table as they are written; elsewhere a column does.
    counted = [sa.Column("rowid", sa.BigInteger, sa.Identity(always=True), unique=True)]
    if op.get_bind().dialect.name == "sqlite":
        counted = []
    op.create_table(
        "tournament",
        sa.Column("id", Number, primary_key=True),
        sa.Column("format", Number, nullable=False),
        sa.Column("program", sa.String, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("config", sa.String, nullable=False),
        sa.Column("identity", sa.String, nullable=False),
        sa.Column("commitment", sa.String, nullable=False),
        sa.Column("master_seed", sa.LargeBinary, nullable=False),
        sa.Column("revealed", sa.Boolean, nullable=False),
    )
    op.create_table(
        "competition",
        sa.Column("id", Number, primary_key=True),
        sa.Column("name", sa.String, nullable=False, unique=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("variant", sa.String, nullable=False),
        sa.Column("seatings", Number, nullable=False),
    )
    op.create_table(
        "entrant",
        sa.Column("id", Number, primary_key=True),
        sa.Column("name", sa.String, nullable=False, unique=True),
        sa.Column("files_hash", sa.String, nullable=False),
    )
    op.create_table(
        "game",
        sa.Column("competition", Number, sa.ForeignKey("competition.id"), primary_key=True),
        sa.Column("board", Number, primary_key=True),
        sa.Column("seating", Number, primary_key=True),
        sa.Column("seats", sa.String, nullable=False),
        sa.Column("scores", sa.String, nullable=False),
        sa.Column("forfeits", sa.String, nullable=False),
        sa.Column("faults", Number, nullable=False),
        sa.Column("charged_ms", sa.String, nullable=False),
        sa.Column("decisions", sa.String, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
        *counted,
    )
    op.create_table(
        "fault",
        sa.Column("id", Number, primary_key=True),
        sa.Column("competition", Number, sa.ForeignKey("competition.id"), nullable=False, index=True),
        sa.Column("board", Number, nullable=True),
        sa.Column("seating", Number, nullable=True),
        sa.Column("entrant", Number, sa.ForeignKey("entrant.id"), nullable=False),
        sa.Column("seat", Number, nullable=False),
        sa.Column("cause", sa.String, nullable=False),
        sa.Column("deal", Number, nullable=True),
        sa.Column("action", Number, nullable=True),
        sa.Column("turn", Number, nullable=True),
        sa.Column("message", sa.String, nullable=False),
        sa.Column("view", sa.String, nullable=False),
        sa.Column("stderr_tail", sa.String, nullable=False),
    )
    op.create_table(
        "run",
        sa.Column("id", Number, primary_key=True),
        sa.Column("pid", Number, nullable=False),
        sa.Column("host", sa.String, nullable=False),
        sa.Column("started", sa.Float, nullable=False),
        sa.Column("ended", sa.Float, nullable=True),
    )

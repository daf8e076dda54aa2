"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "tournament",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("format", sa.Integer, nullable=False),
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
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False, unique=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("variant", sa.String, nullable=False),
        sa.Column("seatings", sa.Integer, nullable=False),
    )
    op.create_table(
        "entrant",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String, nullable=False, unique=True),
        sa.Column("files_hash", sa.String, nullable=False),
    )
    op.create_table(
        "game",
        sa.Column("competition", sa.Integer, sa.ForeignKey("competition.id"), primary_key=True),
        sa.Column("board", sa.Integer, primary_key=True),
        sa.Column("seating", sa.Integer, primary_key=True),
        sa.Column("seats", sa.String, nullable=False),
        sa.Column("scores", sa.String, nullable=False),
        sa.Column("forfeits", sa.String, nullable=False),
        sa.Column("faults", sa.Integer, nullable=False),
        sa.Column("charged_ms", sa.String, nullable=False),
        sa.Column("decisions", sa.String, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "fault",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("competition", sa.Integer, sa.ForeignKey("competition.id"), nullable=False, index=True),
        sa.Column("board", sa.Integer, nullable=True),
        sa.Column("seating", sa.Integer, nullable=True),
        sa.Column("entrant", sa.Integer, sa.ForeignKey("entrant.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("cause", sa.String, nullable=False),
        sa.Column("deal", sa.Integer, nullable=True),
        sa.Column("action", sa.Integer, nullable=True),
        sa.Column("turn", sa.Integer, nullable=True),
        sa.Column("message", sa.String, nullable=False),
        sa.Column("view", sa.String, nullable=False),
        sa.Column("stderr_tail", sa.String, nullable=False),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("pid", sa.Integer, nullable=False),
        sa.Column("host", sa.String, nullable=False),
        sa.Column("started", sa.Float, nullable=False),
        sa.Column("ended", sa.Float, nullable=True),
    )

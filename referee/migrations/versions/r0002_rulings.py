"""The organiser's rulings."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table of rulings; nothing that is there is touched."""
    op.create_table(
        "ruling",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("competition", sa.Integer, sa.ForeignKey("competition.id"), nullable=True),
        sa.Column("board", sa.Integer, nullable=True),
        sa.Column("seating", sa.Integer, nullable=True),
        sa.Column("fault", sa.Integer, nullable=True),
        sa.Column("entrant", sa.Integer, sa.ForeignKey("entrant.id"), nullable=True),
        sa.Column("revokes", sa.Integer, sa.ForeignKey("ruling.id"), nullable=True),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("made_at", sa.String, nullable=False),
        sa.Column("marks", sa.String, nullable=False),
    )

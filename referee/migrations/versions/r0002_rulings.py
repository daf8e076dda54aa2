"""The organiser's rulings."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
#: Whole numbers of 64 bits, which SQLite's are anyway.
Number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the table of rulings; nothing that is there is touched."""
    op.create_table(
        "ruling",
        sa.Column("id", Number, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("competition", Number, sa.ForeignKey("competition.id"), nullable=True),
        sa.Column("board", Number, nullable=True),
        sa.Column("seating", Number, nullable=True),
        sa.Column("fault", Number, nullable=True),
        sa.Column("entrant", Number, sa.ForeignKey("entrant.id"), nullable=True),
        sa.Column("revokes", Number, sa.ForeignKey("ruling.id"), nullable=True),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("made_at", sa.String, nullable=False),
        sa.Column("marks", sa.String, nullable=False),
    )

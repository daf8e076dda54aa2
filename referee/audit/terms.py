"""What was promised: the identity that a store keeps, read by someone who trusts neither its maker nor the store.

Owns the way from the identity to the seed, the commitment and the plan of each competition.

    AuditError    the store cannot be audited at all: what cannot be read
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardtable.catalog import GAMES
from cardtable.engine import VariantError
from referee.config import MOST_BOARDS, Seed
from referee.entrants import hash_of
from referee.errors import RefereeError
from referee.schedule import make_plan
from referee.sequential import StopRule
from referee.store_errors import of_type

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardtable.record import GameRecord
    from referee.boards import ScoredBy
    from referee.database.address import StoreAddress
    from referee.schedule import Plan
    from referee.stored import TournamentInfo

__all__ = ["AuditError", "CompetitionTerms", "Terms"]


class AuditError(RefereeError):
    """The store cannot be audited at all; the message is one line and names it."""


@dataclass(frozen=True, slots=True)
class CompetitionTerms:
    """One competition of the identity.

    Args:
        game: Name of the game.
        variant: Its options, defaults too.
        ask_forced: Whether bots were asked where one action is legal.
        stop: The rule that may end it before its plan does, or None.
        text: All that the identity says of it.
    """

    game: str
    variant: Mapping[str, object]
    ask_forced: bool
    stop: StopRule | None
    text: Mapping[str, Any]

    @property
    def hero(self) -> str | None:
        """The entrant whom a gauntlet is about."""
        hero = self.text.get("hero")
        return None if hero is None else str(hero)

    @property
    def scored_by(self) -> ScoredBy:
        """What is ranked."""
        return "places" if self.text["score"] == "places" else "points"

    def plays(self, record: GameRecord) -> bool:
        """Whether a record is of this competition's game and variant."""
        if record.game != self.game:
            return False
        game = GAMES[self.game]
        try:
            return bool(game.variant(record.variant) == game.variant(self.variant))
        except VariantError:
            return False

    def plan(self) -> Plan:
        """The plan that follows.

        Raises:
            ScheduleError: There is none.
        """
        text = self.text
        seats = GAMES[self.game].variant(self.variant).players
        return make_plan(
            text["schedule"],
            tuple(text["bots"]),
            seats,
            text["boards"],
            teams=text["teams"],
            rotations=text["rotations"],
            tables=text.get("tables"),
            hero=self.hero,
            scored_by=text["score"],
        )


@dataclass(frozen=True, slots=True)
class Terms:
    """The identity of a tournament.

    Args:
        identity: As it was read.
        competitions: By name, in order.
        hashes: By name of a bot, in order, what its command and files make of it.
        master: The master seed where the file gave it, else None.
        public: The text that is mixed into it, or None.
        forfeit_after: Faults of a game at which a seat forfeits it.
        disqualify_after: Forfeited games after which an entrant leaves.
    """

    identity: Mapping[str, Any]
    competitions: Mapping[str, CompetitionTerms]
    hashes: Mapping[str, str]
    master: bytes | None
    public: str | None
    forfeit_after: int
    disqualify_after: int

    @classmethod
    def of(cls, info: TournamentInfo, path: StoreAddress) -> Terms:
        """Read the identity of a store.

        Raises:
            AuditError: It is no identity.
        """
        try:
            identity = json.loads(info.config)
            master, public = identity["seed"]["master"], identity["seed"]["public"]
            stop = StopRule(**identity["stop"]) if identity.get("stop") else None
            competitions = {
                one["name"]: CompetitionTerms(
                    one["game"],
                    GAMES[one["game"]].options(GAMES[one["game"]].variant(one["variant"])),
                    bool(one["ask_forced"]),
                    stop,
                    one,
                )
                for one in identity["competitions"]
            }
            for one in identity["competitions"]:
                _check_boards(one["boards"])
            return cls(
                identity,
                competitions,
                {
                    of_type(bot["name"], str): hash_of(bot["command"], sorted(bot["files"].items()))
                    for bot in identity["bots"]
                },
                None if master is None else bytes.fromhex(master),
                public,
                int(identity["faults"]["forfeit_after"]),
                int(identity["faults"]["disqualify_after"]),
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise AuditError(f"{path}: the stored identity cannot be read: {error}") from error

    def known_master(self, info: TournamentInfo) -> bytes | None:
        """The master seed as far as it is public: revealed, or given in the file."""
        return info.revealed_seed if info.revealed_seed is not None else self.master

    def mixed(self, master: bytes) -> bytes:
        """The seed from which the boards' seeds follow."""
        return Seed(self.master, self.public).mixed(master)


def _check_boards(boards: object) -> None:
    if type(boards) is not int or not 1 <= boards <= MOST_BOARDS:
        raise ValueError(f"boards are {boards}")

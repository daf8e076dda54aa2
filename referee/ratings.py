"""Skill ratings from finished boards: one rated match a board, all matches at once, in no order of play.

Owns expectation propagation over matches and the ratings that the product shows. A rating is a fold over boards:
nothing is kept from one call to the next, and neither the order of boards nor that of entrants has any influence.
What one match says is the business of `referee.rating_kernel`.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from referee.leaps import Leaps
from referee.trueskill_env import Environment, Rating, RatingFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from referee.boards import Board, ScoredBy
    from referee.rating_kernel import Known

__all__ = [
    "BoardRatings",
    "Environment",
    "Match",
    "Rater",
    "Rating",
    "RatingFailed",
    "batch",
    "rate_boards",
    "sequence",
    "tie_share",
]

MOST_SWEEPS = 200
_STILL = 1e-6
#: Up to twice so many matches every one speaks for itself; of more, some equal ones together.
_MATCHES_ONE_BY_ONE = 1000
_LEAST_DRAW_PROBABILITY, _MOST_DRAW_PROBABILITY = 0.001, 0.99


@dataclass(frozen=True, slots=True)
class Match:
    """One rated match.

    Args:
        groups: Names of those that play together.
        ranks: One for each group, lower is better, equal is a tie.
    """

    groups: tuple[tuple[str, ...], ...]
    ranks: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class BoardRatings:
    """Ratings of all entrants of some boards.

    Args:
        ratings: By entrant, sorted by name; their mean mu is 25.
        draw_probability: Chance of a tie between equals that was assumed.
        sweeps: How often all matches were gone through.
    """

    ratings: Mapping[str, Rating]
    draw_probability: float
    sweeps: int


def sequence(
    matches: Iterable[Match], environment: Environment, prior: Mapping[str, Rating] | None = None
) -> dict[str, Rating]:
    """Rate matches one after another, each from what the last one left."""
    ratings = dict(prior or {})
    for match in matches:
        before = [[ratings.get(name, environment.prior) for name in group] for group in match.groups]
        for group, rated in zip(match.groups, environment.rate(before, match.ranks), strict=True):
            ratings.update(zip(group, rated, strict=True))
    return ratings


def batch(
    matches: Sequence[Match],
    environment: Environment,
    prior: Mapping[str, Rating] | None = None,
    *,
    centred: bool = False,
) -> tuple[dict[str, Rating], int]:
    """Rate all matches at once by expectation propagation, with the rating of one match as the site update.

    Each match holds, for each of its entrants, what it alone says of them: a precision and a mean times precision.
    A sweep replaces every match's say by what it is beside all that the others say. Of a great many matches equal
    ones say the same, some of them at once: less work, and the same in the end.

    Args:
        matches: In the order of the sweeps.
        environment: Without drift: what plays all at once has no before.
        prior: Ratings before the first match; all others have the environment's.
        centred: Whether the mean is brought back to its start after each sweep, and all means to where the last
            sweeps seem to lead, where more and more sweeps bring them too; only without drift.

    Returns:
        The ratings, and the number of sweeps.

    Raises:
        RatingFailed: A result is too far from the ratings.
    """
    start = dict(prior or {})
    for match in matches:
        start.update(
            (name, environment.prior) for group in match.groups for name in group if name not in start
        )
    if not start:
        return {}, 0
    belief = {name: (sigma**-2, mu * sigma**-2) for name, (mu, sigma) in start.items()}
    known = {name: precision for name, (precision, _) in belief.items()}
    opinions = _opinions(matches)
    before = [weighted / precision for precision, weighted in belief.values()]
    leaps = Leaps()
    sweeps = 0
    while sweeps < MOST_SWEEPS:
        sweeps += 1
        for one in opinions:
            one.update(belief, environment)
        step = dict.fromkeys(belief, _off_centre(start, belief) if centred else 0.0)
        after = [
            (weighted + step[name] * (precision - known[name])) / precision
            for name, (precision, weighted) in belief.items()
        ]
        is_still = all(abs(mean - old) <= _STILL for mean, old in zip(after, before, strict=True))
        if centred and not is_still and sweeps < MOST_SWEEPS:
            ahead = leaps.beyond(before, after)
            for (name, (precision, _)), here, there in zip(belief.items(), after, ahead, strict=True):
                if precision > known[name]:
                    step[name] += (there - here) * precision / (precision - known[name])
        if centred:
            for name, (precision, weighted) in belief.items():
                belief[name] = (precision, weighted + step[name] * (precision - known[name]))
            for one in opinions:
                one.move(step)
        before = [weighted / precision for precision, weighted in belief.values()]
        if is_still:
            break
    return {name: _rating(one) for name, one in belief.items()}, sweeps


def rate_boards(
    boards: Iterable[Board],
    scored_by: ScoredBy | Mapping[str, ScoredBy],
    draw_probability: float | None = None,
) -> BoardRatings:
    """Rate all entrants of some boards, one match a board.

    Args:
        boards: In any order.
        scored_by: What is ranked, everywhere or in each competition.
        draw_probability: Chance of a tie between equals; None estimates it from these boards.
    """
    rated = sorted(
        (board for board in boards if len(board.groups) > 1),
        key=lambda board: (board.competition, board.number),
    )
    matches = [
        _match(board, scored_by if isinstance(scored_by, str) else scored_by[board.competition])
        for board in rated
    ]
    if draw_probability is None:
        draw_probability = min(max(tie_share(matches), _LEAST_DRAW_PROBABILITY), _MOST_DRAW_PROBABILITY)
    environment = Environment(tau=0.0, draw_probability=draw_probability)
    ratings, sweeps = batch(matches, environment, centred=True)
    shift = environment.mu - sum(rating.mu for rating in ratings.values()) / max(len(ratings), 1)
    return BoardRatings(
        ratings={name: Rating(mu + shift, sigma) for name, (mu, sigma) in sorted(ratings.items())},
        draw_probability=draw_probability,
        sweeps=sweeps,
    )


@dataclass(slots=True, eq=False)
class _Held:
    """A board that a `Rater` knows, and what it says of each of its entrants."""

    board: Board
    match: Match
    opinion: _Opinion
    is_gone: bool = False


class Rater:
    """Ratings of boards that become more: it goes on from what it said last, so that a few new ones cost little.

    What it comes to is what `rate_boards` says; until it `is_settled` it is on its way there.

    Args:
        seconds: How long it goes on with what it knows already, each time it is asked.
        clock: Gives the time.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.is_settled = True
        self._seconds = seconds
        self._clock = clock
        self._environment = Environment(tau=0.0)
        self._held: dict[tuple[str, int], _Held] = {}
        self._belief: dict[str, tuple[float, float]] = {}
        #: What is left of the sweep that is under way, and the means at its begin.
        self._left: deque[_Held] = deque()
        self._before: dict[str, float] = {}
        #: Whether something has changed since that sweep began, so that it cannot be the last one.
        self._is_changed = False
        self._sweeps = 0

    def __call__(self, boards: Iterable[Board], scored_by: ScoredBy | Mapping[str, ScoredBy]) -> BoardRatings:
        """Rate all entrants of some boards, as `rate_boards` does.

        Args:
            boards: All of them, those of the last time too; any that is not there any more is forgotten.
            scored_by: What is ranked, everywhere or in each competition.
        """
        fresh = self._take_in(boards, scored_by)
        share = min(
            max(tie_share(one.match for one in self._held.values()), _LEAST_DRAW_PROBABILITY),
            _MOST_DRAW_PROBABILITY,
        )
        if share != self._environment.draw_probability:
            self._environment = Environment(tau=0.0, draw_probability=share)
            self.is_settled, self._is_changed = False, True
        for one in fresh:
            one.opinion.update(self._belief, self._environment)
        end = self._clock() + self._seconds
        while not self.is_settled and self._clock() < end:
            self._step()
        names = sorted({name for one in self._held.values() for name in one.opinion.names})
        ratings = {name: _rating(self._belief[name]) for name in names}
        shift = self._environment.mu - sum(one.mu for one in ratings.values()) / max(len(ratings), 1)
        return BoardRatings(
            {name: Rating(mu + shift, sigma) for name, (mu, sigma) in ratings.items()}, share, self._sweeps
        )

    def _take_in(self, boards: Iterable[Board], scored_by: ScoredBy | Mapping[str, ScoredBy]) -> list[_Held]:
        """Bring what is held up to these boards, and return those that are new."""
        held, fresh = {}, []
        for board in sorted(boards, key=lambda board: (board.competition, board.number)):
            if len(board.groups) < 2:
                continue
            key = board.competition, board.number
            old = self._held.get(key)
            if old is not None and old.board == board:
                held[key] = self._held.pop(key)
                continue
            match = _match(board, scored_by if isinstance(scored_by, str) else scored_by[board.competition])
            held[key] = _Held(board, match, _Opinion.of(match))
            fresh.append(held[key])
        for old in self._held.values():
            old.is_gone = True
            for name, (precision, weighted) in zip(old.opinion.names, old.opinion.said, strict=True):
                whole = self._belief[name]
                self._belief[name] = (whole[0] - precision, whole[1] - weighted)
        if fresh or self._held:
            self.is_settled, self._is_changed = False, True
        self._held = dict(sorted(held.items()))
        prior = Environment().prior
        for name in (name for one in fresh for name in one.opinion.names):
            self._belief.setdefault(name, (prior.sigma**-2, prior.mu * prior.sigma**-2))
        return fresh

    def _step(self) -> None:
        """One match of a sweep, or the end of it."""
        if not self._left:
            self._left.extend(self._held.values())
            self._before = self._means()
            self._is_changed = False
        while self._left:
            one = self._left.popleft()
            if not one.is_gone:
                one.opinion.update(self._belief, self._environment)
                break
        if self._left:
            return
        self._sweeps += 1
        start = dict.fromkeys(self._belief, Environment().prior)
        step = dict.fromkeys(start, _off_centre(start, self._belief))
        for name, (precision, weighted) in self._belief.items():
            self._belief[name] = (precision, weighted + step[name] * (precision - start[name].sigma ** -2))
        for one in self._held.values():
            one.opinion.move(step)
        after = self._means()
        self.is_settled = not self._is_changed and all(
            abs(after[name] - mean) <= _STILL for name, mean in self._before.items()
        )

    def _means(self) -> dict[str, float]:
        return {name: weighted / precision for name, (precision, weighted) in self._belief.items()}


def _rating(belief: tuple[float, float]) -> Rating:
    precision, weighted = belief
    return Rating(weighted / precision, precision**-0.5)


def tie_share(matches: Iterable[Match]) -> float:
    """The share of ties among neighbours in the rankings of matches; 0 without a match."""
    neighbours = [pair for match in matches for pair in pairwise(sorted(match.ranks))]
    return sum(better == worse for better, worse in neighbours) / max(len(neighbours), 1)


@dataclass(slots=True, eq=False)
class _Opinion:
    """What a match says of its entrants, or each of some equal ones.

    Args:
        names: Its entrants: those that play together one after another, better groups first.
        sizes: How many each group has.
        ties: For each group but the last, whether the next one is as good.
        said: Of each entrant a precision, and a mean times precision.
        times: How many matches say so.
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    ties: tuple[bool, ...]
    said: list[Known]
    times: int = 1

    @classmethod
    def of(cls, match: Match) -> _Opinion:
        """Say nothing yet."""
        order = sorted(range(len(match.groups)), key=match.ranks.__getitem__)
        groups = [match.groups[place] for place in order]
        names = tuple(name for group in groups for name in group)
        ties = tuple(match.ranks[one] == match.ranks[other] for one, other in pairwise(order))
        return cls(names, tuple(map(len, groups)), ties, [(0.0, 0.0)] * len(names))

    def update(self, belief: dict[str, Known], environment: Environment) -> None:
        """Say anew what it is beside all that the others say, and have it believed.

        Raises:
            RatingFailed: A result is too far from the ratings.
        """
        others = []
        for name, (said, said_weighted) in zip(self.names, self.said, strict=True):
            precision, weighted = belief[name]
            rest = precision - said
            if rest <= 0:
                raise RatingFailed(f"the matches say more of {name} than there is to know")
            others.append((rest, weighted - said_weighted))
        found = environment.opinions(others, self.sizes, self.ties)
        if self.times == 1:
            for name, (rest, rest_weighted), (said, said_weighted) in zip(
                self.names, others, found, strict=True
            ):
                belief[name] = (rest + said, rest_weighted + said_weighted)
        else:
            more = self.times
            for name, (old, old_weighted), (said, said_weighted) in zip(
                self.names, self.said, found, strict=True
            ):
                precision, weighted = belief[name]
                belief[name] = (
                    precision + more * (said - old),
                    weighted + more * (said_weighted - old_weighted),
                )
        self.said = found

    def move(self, step: Mapping[str, float]) -> None:
        """Say of each entrant that it is better by so much."""
        self.said = [
            (precision, weighted + step[name] * precision)
            for name, (precision, weighted) in zip(self.names, self.said, strict=True)
        ]


def _opinions(matches: Sequence[Match]) -> list[_Opinion]:
    """One for each match; of many thousands one for some equal ones, so few that a sweep stays one by one in effect."""
    most = max(1, len(matches) // _MATCHES_ONE_BY_ONE)
    found: list[_Opinion] = []
    growing: dict[Match, _Opinion] = {}
    for match in matches:
        one = growing.get(match)
        if one is not None and one.times < most:
            one.times += 1
        else:
            growing[match] = one = _Opinion.of(match)
            found.append(one)
    return found


def _off_centre(start: Mapping[str, Rating], belief: Mapping[str, Known]) -> float:
    """By how much all that matches say must move, up or down alike, to bring the mean back to that of the start.

    Matches tell of differences only, so the mean (weighted by the precision of the start) never leaves its place in
    the end; but sweeps bring it back very slowly, and all else a little with it.
    """
    off, per_step = 0.0, 0.0
    for name, (precision, weighted) in belief.items():
        known = start[name].sigma ** -2
        off += known * (start[name].mu - weighted / precision)
        per_step += known * (1 - known / precision)
    return off / per_step if per_step > 0 else 0.0


def _match(board: Board, scored_by: ScoredBy) -> Match:
    """The board as a match; groups stand in an order that favours nobody.

    What a tie gives depends a little on the order in which the package gets its parties.
    """
    merits = {group: sum(board.merit(name, scored_by) for name in group) for group in board.groups}

    def lot(group: tuple[str, ...]) -> bytes:
        text = "\n".join((board.competition, str(board.number), *group))
        return hashlib.sha256(text.encode()).digest()

    groups = sorted(merits, key=lambda group: (-merits[group], lot(group)))
    return Match(
        groups=tuple(groups),
        ranks=tuple(float(sum(other > merits[group] for other in merits.values())) for group in groups),
    )

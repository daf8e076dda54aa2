"""What a seat is told on the real wire is the same in every world that it cannot tell from the true one.

Whole games of every variant are played through the referee's own hall, seats, codec and gRPC server; then other
worlds behind them are (`hidden_worlds`), up to a moment, and each message of the seat must be the same, byte for byte.
A round of each kind of leak shows that the test would see it.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from cardtable.cards import CardSet
from cardtable.catalog import GAMES
from cardtable.dealing import Dealer, bot_seed
from cardtable.engine import Deal
from cardtable.trix import Double, Redeal, TrixState, TrixVariant
from cardtable.v1 import table_pb2
from cardtable.vytrix import PASS, Bid, LegalBids, VytrixState, VytrixVariant
from cardtable.wire import Codec, codec
from referee.blocks import BlockOrder, BotSpec, GameOrder, Limits
from referee.seat import Seat
from referee.table import Table
from tests.e2e.hidden_worlds import (
    ENDED,
    Moment,
    PlayedDeal,
    World,
    alternative,
    answers,
    moments,
    play_alone,
)
from tests.e2e.wire_house import Stream, WireHouse, bot_join, events, run
from tests.sdk.variants import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from referee.bot_process import BotProcess
    from tests.e2e.wire_house import Event

    Leak: TypeAlias = Callable[[pytest.MonkeyPatch], None]

pytestmark = pytest.mark.long

TABLES = 4
#: Other worlds of each game; those of Vytrix are short.
ROUNDS = {"trix": 2, "vytrix": 3}
ENTRANTS = ("ana", "bo", "cy", "di")
#: The first decision of a process has as long as any: which are its first is a matter of time alone.
LIMITS = Limits(forfeit_after=10**6, game_seconds=60.0, move_ms=5000, first_move_seconds=5.0)
#: Hands that give the right to a redeal, and cards to double.
RARE = ("KH AS KS QS JS 9S AD KD QD JD AC KC QC", "2S 2H 2D 3C 4C 5C 6C 7C 8C 9C TC JC QC")
#: Every value of every option is in one of these; see `test_every_option_is_tried`.
VARIANTS: dict[str, list[dict[str, object]]] = {
    "trix": [
        {},
        {"partners": True, "own_double": "double"},
        {"early_end": True, "diamond_lead": "not_first", "diamonds_face_up": True},
        {"redeals": False, "reveal_twos": "at_start", "kingdom_order": "across"},
        {"max_voids": 1, "reveal_twos": "after_first_round"},
        {"max_voids": 0, "doubling": False, "closed_suit": "off"},
    ],
    "vytrix": [
        {},
        {"players": 4, "target": 20, "last_trick": "bonus"},
        {"players": 4, "partial_bidding": True, "breaking_trump": True, "max_hands": 2},
        {"defensive_partnerships": True, "last_trick": "replace", "max_bid": 10, "target": 0, "max_hands": 3},
    ],
}
#: Other worlds are looked for in the first deals, and at the end of a game.
DEALS = 6
_CANDIDATES = 60


def order(game: str, variant: Mapping[str, object]) -> BlockOrder:
    """Some games as seatings of one board, which begin together, with the same entrants in the same seats."""
    seats = ENTRANTS[: GAMES[game].variant(variant).players]
    seeds = [Random(f"{game} {variant} {number}").randbytes(32) for number in range(TABLES)]
    games = tuple(GameOrder(0, number, seats, one) for number, one in enumerate(seeds))
    return BlockOrder(
        "cup",
        game,
        variant,
        games,
        tuple(BotSpec(name, ("fake",), "/") for name in seats),
        LIMITS,
        "/",
        show_names=True,
    )


def dealt(seed: bytes, sizes: Sequence[int], key: str) -> Deal:
    """The cards of a deal; in Trix one hand is often a rare one."""
    rng = Random(f"{seed.hex()} {key}")
    deal = Dealer(seed, sizes).deal(key)
    if "." in key and rng.random() < 0.5:
        hand = CardSet.parse(rng.choice(RARE))
        rest = [card for cards in deal.hands for card in cards if card not in hand]
        hands = [CardSet.of(rest[start : start + 13]) for start in (0, 13, 26)]
        hands.insert(rng.randrange(4), hand)
        deal = Deal(tuple(hands))
    return deal


def at_random(view: Any, rng: Random) -> Any:
    """Any legal action, but low bids, so that auctions are short and games end."""
    legal = view.legal_actions
    if not isinstance(legal, LegalBids):
        return legal.sample(rng)
    if legal.may_pass and (not legal.lowest or rng.random() < 0.6):
        return PASS
    bid = legal.sample(rng)
    low = replace(bid, points=legal.lowest + rng.randrange(3)) if isinstance(bid, Bid) else bid
    return low if low in legal else bid


def true_game(block: BlockOrder, place: int) -> tuple[PlayedDeal, ...]:
    """The game at this place of the block."""
    seed = block.games[place].seed
    rng = Random(seed)
    rules = GAMES[block.game]
    sizes = rules.hand_sizes(rules.variant(block.variant))
    return play_alone(
        block.game, block.variant, lambda key: dealt(seed, sizes, key), lambda view: at_random(view, rng)
    )


class Bots:
    """All bots of a block: they keep what they are told, and answer as it was done in given games.

    Args:
        block: The games.
        games: What is done in each; after that anything legal is.
        watched: For each game a seat and how much it is told until nobody looks any more; all of it where None.
        faulty: Whether all but the watched seats decline by a fault.
    """

    def __init__(
        self,
        block: BlockOrder,
        games: Sequence[Sequence[PlayedDeal]],
        watched: Sequence[tuple[int, int] | None],
        *,
        faulty: bool,
    ) -> None:
        self.told: dict[tuple[int, int], list[Event]] = {}
        self.joined = asyncio.Event()
        self.done = asyncio.Event()
        self._variant = GAMES[block.game].variant(block.variant)
        self._codec = codec(block.game)
        self._to_join = self._variant.players
        self._answers = [{seat: iter(given) for seat, given in answers(deals).items()} for deals in games]
        self._faulty = faulty
        self._watched = watched
        self._waiting = {
            (place, seat)
            for place, one in enumerate(watched)
            for seat in ([one[0]] if one is not None else range(self._variant.players))
        }

    async def play(self, house: WireHouse, seat: Seat, bot: BotProcess) -> None:
        """Be one bot."""
        stream = Stream(house.channel)
        await stream.say(bot_join(bot.token))
        async for response in stream.all_heard():
            request = table_pb2.PlayRequest()
            if response.HasField("welcome"):
                self._to_join -= 1
                if not self._to_join:
                    self.joined.set()
            for kind, said in events(response):
                self._keep(said.table - 1, seat.number, kind, said)
                if kind == "asks":
                    self._answer(request.answers.add(table=said.table, turn=said.turn), said, seat.number)
            if request.answers:
                await stream.say(request)

    def _keep(self, place: int, seat: int, kind: str, said: Any) -> None:
        story = self.told.setdefault((place, seat), [])
        story.append((kind, said))
        watched = self._watched[place]
        if kind == "tables_closed" or (watched is not None and watched == (seat, len(story))):
            self._waiting.discard((place, seat))
            if not self._waiting:
                self.done.set()

    def _answer(self, answer: table_pb2.Answer, ask: table_pb2.Ask, seat: int) -> None:
        place = ask.table - 1
        action = next(self._answers[place].get(seat, iter(())), None)
        if action is None:
            action = self._codec.view(ask, self._variant, seat).legal_actions.sample(Random(0))
        declines = action is Redeal.KEEP or action == Double()
        watched = self._watched[place]
        if self._faulty and declines and watched is not None and watched[0] != seat:
            return  # without an action: the house declines for it
        self._codec.set_action(answer, action)


def play(
    block: BlockOrder,
    games: Sequence[Sequence[PlayedDeal]],
    watched: Sequence[tuple[int, int] | None],
    *,
    faulty: bool,
    leak: Leak | None = None,
) -> Mapping[tuple[int, int], list[Event]]:
    """Play these games on the real wire, with a leak if one is given.

    Returns:
        What each seat was told at each place of the block; see `Bots`.
    """
    bots = Bots(block, games, watched, faulty=faulty)
    cards = {
        (order.seed, one.key): one.deal
        for order, deals in zip(block.games, games, strict=True)
        for one in deals
    }

    class _Dealer:
        def __init__(self, seed: bytes, sizes: Sequence[int]) -> None:
            self._seed, self._sizes = seed, sizes

        def deal(self, key: str) -> Deal:
            return cards.get((self._seed, key)) or dealt(self._seed, self._sizes, key)

    async def games_played() -> None:
        # The path of a socket is short, and that of a test's own folder may not be.
        with tempfile.TemporaryDirectory() as folder:
            async with asyncio.timeout(60), WireHouse(Path(folder)) as house, asyncio.TaskGroup() as tasks:
                playing = []

                def start(seat: Seat, bot: BotProcess) -> None:
                    playing.append(tasks.create_task(bots.play(house, seat, bot)))

                house.on_start = start
                hall = house.open_hall(block)
                house.start_all(block, hall)
                await bots.joined.wait()
                hall.begin(house.server.why_not)
                while not (bots.done.is_set() or hall.error):
                    hall.tick(house.now())
                    with suppress(TimeoutError):
                        async with asyncio.timeout(0.01):
                            await bots.done.wait()
                for one in playing:
                    one.cancel()
                assert (hall.error, house.errors) == ("", [])
                if not any(watched):
                    for game, deals in zip(hall.games(), games, strict=True):
                        assert [one.actions for one in game.record.deals] == [
                            tuple(str(action) for _, action in one.made) for one in deals
                        ]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("referee.table.Dealer", _Dealer)
        if leak is not None:
            leak(patch)
        run(games_played())
    return bots.told


@dataclass(frozen=True, slots=True)
class Comparison:
    """One seat in another world.

    Args:
        moment: Up to where.
        world: What is different there.
        told, told_there: All that the seat was told in the true world and in the other one.
    """

    moment: Moment
    world: World
    told: list[Event]
    told_there: list[Event]

    @property
    def leak(self) -> str:
        """The first message that differs; empty where none does."""
        for place, (true, other) in enumerate(zip(self.told, self.told_there, strict=False)):
            if true[0] != other[0] or _bytes(true) != _bytes(other) or true[1] != other[1]:
                return f"message {place} of {self.moment}, {sorted(self.world.differs)}:\n{true}\n{other}"
        if len(self.told) != len(self.told_there):
            return f"{len(self.told)} messages, and {len(self.told_there)} in the other world"
        return ""


def _bytes(event: Event) -> bytes:
    data: bytes = event[1].SerializeToString(deterministic=True)
    return data


def compare(game: str, variant: Mapping[str, object], *, whole: bool) -> list[Comparison]:
    """Play whole games, and others that some seat cannot tell from them.

    Args:
        game, variant: Of all these games.
        whole: Whether some of the others go to the end of the game.
    """
    block = order(game, variant)
    games = [true_game(block, place) for place in range(TABLES)]
    true = play(block, games, [None] * TABLES, faulty=False)
    seen: Counter[str] = Counter()
    found = []
    for number in range(ROUNDS[game]):
        chosen = []
        for place, deals in enumerate(games):
            seat = (place + number) % len(block.games[0].seats)
            assert len(true[place, seat]) == len(moments(deals, seat)) + 1
            first = "tables_closed" if whole and not number else ""
            one = choose(deals, seat, partial(_rank, first, seen))
            assert one is not None, "this seat is never in doubt"
            seen[one.moment.kind] += 1
            chosen.append(one)
        found += in_other_worlds(block, chosen, true)
    return found


def _rank(first: str, seen: Mapping[str, int], moment: Moment) -> tuple[int, ...]:
    """The kind that comes first, then early ones of the kinds that were looked at least."""
    if moment.kind == first:
        return (0,)
    return (1 + (moment.deal >= DEALS), seen[moment.kind])


@dataclass(frozen=True, slots=True)
class Chosen:
    """A seat of a game, a moment, and a world that the seat cannot tell from the true one until then."""

    seat: int
    moment: Moment
    world: World

    @property
    def watched(self) -> tuple[int, int]:
        """The seat, and how much it is told."""
        return self.seat, self.moment.place + 1


def choose(
    deals: Sequence[PlayedDeal], seat: int, rank: Callable[[Moment], tuple[int, ...]], differs: str = ""
) -> Chosen | None:
    """Choose a moment and a world; None where there are none.

    Args:
        deals: The game.
        seat: Who shall not see a difference.
        rank: Of a moment; the lowest comes first.
        differs: What has to be different.
    """
    rng = Random(f"{deals[0].deal} {seat}")
    candidates = moments(deals, seat)
    rng.shuffle(candidates)
    for moment in sorted(candidates, key=rank)[:_CANDIDATES]:
        world = alternative(deals, seat, moment, rng)
        if world is not None and (not differs or differs in world.differs):
            return Chosen(seat, moment, world)
    return None


def in_other_worlds(
    block: BlockOrder,
    chosen: Sequence[Chosen],
    true: Mapping[tuple[int, int], list[Event]],
    leak: Leak | None = None,
) -> list[Comparison]:
    """Play in the chosen worlds, one for each game of the block."""
    worlds = [one.world.deals for one in chosen]
    there = play(block, worlds, [one.watched for one in chosen], faulty=True, leak=leak)
    return [
        Comparison(
            one.moment, one.world, *(told[place, one.seat][: one.watched[1]] for told in (true, there))
        )
        for place, one in enumerate(chosen)
    ]


#: Each variant, and whether other worlds go to the end of the game: where the end does not show all cards.
CASES = [
    (game, number, "early_end" in variant or game == "vytrix")
    for game, tried in VARIANTS.items()
    for number, variant in enumerate(tried)
]


@cache
def compared(game: str, number: int, whole: bool) -> list[Comparison]:
    """The comparisons of a variant."""
    return compare(game, VARIANTS[game][number], whole=whole)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {VARIANTS[case[0]][case[1]]}")
def test_what_a_seat_cannot_know_changes_no_message_to_it(case: tuple[str, int, bool]) -> None:
    for comparison in compared(*case):
        assert comparison.leak == ""


@pytest.mark.parametrize(
    ("game", "kinds", "secrets"),
    [
        (
            "trix",
            {"contract", "redeal", "double", "play", "layout", *ENDED},
            {"hands", "a redeal declined", "a doubling declined"},
        ),
        (
            "vytrix",
            {"bid", "kitty", "discard", "name", "play", *ENDED},
            {"hands", "kitty", "discards"},
        ),
    ],
)
def test_messages_of_every_kind_were_compared_and_every_secret_differed(
    game: str, kinds: set[str], secrets: set[str]
) -> None:
    all_of_it = [one for case in CASES if case[0] == game for one in compared(*case)]
    assert kinds == {one.moment.kind for one in all_of_it}
    assert {secret for one in all_of_it for secret in one.world.differs} == secrets


@pytest.mark.parametrize(("game", "variant"), [("trix", TrixVariant), ("vytrix", VytrixVariant)])
def test_every_option_is_tried(game: str, variant: type[TrixVariant | VytrixVariant]) -> None:
    """A new option, or a new value in `OPTIONS`, has to be played here too."""
    assert set(OPTIONS[game]) == {field.name for field in fields(variant)}
    tried = {(name, value) for one in VARIANTS[game] for name, value in one.items()}
    missing = {(name, value) for name, values in OPTIONS[game].items() for value in values} - tried
    assert not missing


# That a leak would be seen: one of each kind, put into the referee for a few games.


def leak_in_view(state: type[Any], secret: Callable[[Any, int], int]) -> Leak:
    """A view with a secret of the state in the first of its scores."""
    view = state.view

    def leaking(self: Any, seat: int) -> Any:
        true = view(self, seat)
        return replace(true, scores=(secret(self, seat) % 1009, *true.scores[1:]))

    return lambda patch: patch.setattr(state, "view", leaking)


def leak_declined(action: object) -> Leak:
    """Scores that count how often something was declined."""
    apply = TrixState.apply

    def leaking(self: TrixState, made: Any) -> None:
        apply(self, made)
        if made == action:
            self.scores = (self.scores[0] + 1, *self.scores[1:])

    return lambda patch: patch.setattr(TrixState, "apply", leaking)


def leak_in_summary(patch: pytest.MonkeyPatch) -> None:
    """The kitty in the number of a hand that has ended."""
    summary = VytrixState.summary
    patch.setattr(VytrixState, "summary", lambda self: replace(summary(self), hand_number=self._kitty % 1009))


def leak_in_codec(patch: pytest.MonkeyPatch) -> None:
    """A codec that has seen what the table was dealt last."""
    last = [0]
    deal, set_view = VytrixState.deal, Codec.set_view

    def dealing(self: VytrixState, cards: Deal) -> None:
        last[0] = hash(cards.hands) % 7
        deal(self, cards)

    def leaking(self: Codec, ask: table_pb2.Ask, view: Any) -> None:
        set_view(self, ask, view)
        ask.MergeFromString(b"\xf8\x07\x01" * last[0])  # a field that nobody knows

    patch.setattr(VytrixState, "deal", dealing)
    patch.setattr(Codec, "set_view", leaking)


def leak_in_turns(patch: pytest.MonkeyPatch) -> None:
    """Turns that count the questions to all seats."""

    class Together(list[int]):
        def __setitem__(self, place: Any, value: Any) -> None:
            super().__setitem__(slice(None), [value] * len(self))

    start = Table.start

    def leaking(self: Table) -> None:
        self._turns = Together(self._turns)
        start(self)

    patch.setattr(Table, "start", leaking)


def leak_in_bot_seed(patch: pytest.MonkeyPatch) -> None:
    """Seeds of bots that follow from the first cards."""

    def leaking(seed: bytes, seating: int, seat: int) -> int:
        dealer: Any = sys.modules["referee.table"].Dealer(seed, (13,) * 4)  # the one of the test
        cards: int = dealer.deal("0.0.0").hands[seat - 1].mask
        return bot_seed(seed, seating, seat) ^ cards

    patch.setattr("referee.hall.bot_seed", leaking)


def leak_of_faults(patch: pytest.MonkeyPatch) -> None:
    """Faults of one that all are told."""
    tell = Seat.tell_fault

    def leaking(self: Seat, table: int, fault: Any) -> None:
        host: Any = self._host
        for seat in host._seats.values():
            tell(seat, table, fault)

    patch.setattr(Seat, "tell_fault", leaking)


@pytest.mark.parametrize(
    ("game", "kind", "differs", "leak"),
    [
        ("trix", "play", "hands", leak_in_view(TrixState, lambda state, seat: state._hands[seat - 1])),
        ("trix", "play", "a redeal declined", leak_declined(Redeal.KEEP)),
        ("trix", "play", "a doubling declined", leak_declined(Double())),
        ("trix", "play", "a doubling declined", leak_in_turns),
        ("trix", "play", "a doubling declined", leak_of_faults),
        ("trix", "contract", "hands", leak_in_bot_seed),
        ("vytrix", "bid", "kitty", leak_in_view(VytrixState, lambda state, _: state._kitty)),
        ("vytrix", "play", "discards", leak_in_view(VytrixState, lambda state, _: state._discarded)),
        ("vytrix", "deals_ended", "kitty", leak_in_summary),
        ("vytrix", "bid", "hands", leak_in_codec),
    ],
    ids=[
        "hands",
        "declined redeals",
        "declined doublings",
        "turns",
        "faults",
        "seeds of bots",
        "kitty",
        "discards",
        "kitty at the end",
        "unknown fields",
    ],
)
def test_a_leak_would_be_seen(game: str, kind: str, differs: str, leak: Leak) -> None:
    block, game_deals, chosen = one_chosen(game, kind, differs)
    for found, patched in ((False, None), (True, leak)):
        true = play(block, [game_deals], [chosen.watched], faulty=False, leak=patched)
        (comparison,) = in_other_worlds(block, [chosen], true, patched)
        assert bool(comparison.leak) == found


@cache
def one_chosen(game: str, kind: str, differs: str) -> tuple[BlockOrder, Sequence[PlayedDeal], Chosen]:
    """A game with an early moment of this kind at which this may be different."""
    block = order(game, VARIANTS[game][0])
    for place, one in enumerate(block.games):
        deals = true_game(block, place)[:4]
        for seat in range(len(one.seats)):
            chosen = choose(deals, seat, lambda moment: (moment.kind != kind,), differs)
            if chosen is not None and chosen.moment.kind == kind:
                return replace(block, games=(one,)), deals, chosen
    raise AssertionError(f"nobody is ever in doubt of {differs}")

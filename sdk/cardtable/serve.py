"""`run`: the whole main of a bot that plays for a referee.

Owns the connection: dialling in, the threads, batches of answers, and how the process ends. It looks into no view
and judges no action. The author's code runs on the main thread alone; one thread reads what the referee sends, and
gRPC's own sends the answers, so that a long search never holds back a finished answer.

Exit codes: 0 the referee has closed the stream, 1 the bot raised an error, 2 not started by a referee,
3 refused by the referee, 4 no connection, 5 the referee sent what this version cannot read, 128 + n signal n.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import time
import traceback
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn

# gRPC reads these when it is loaded. A bot's log is for its author's lines, and the fork handlers of gRPC only
# matter to a child process that goes on using the channel.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "false")

import grpc

from cardtable.bot import Bot, FaultNotice, Seating, TableResult, decide, games_of, take_seat
from cardtable.v1 import table_pb2
from cardtable.version import VERSION
from cardtable.wire import PROTOCOL_VERSION, WireError, cause_from_wire, codec, join_request
from cardtable.wire.service import play

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import FrameType

    from cardtable.wire import Codec

__all__ = ["Outbox", "run", "serve"]

_HOLD_SECONDS: Final = 0.005
_CONNECT_SECONDS: Final = 10.0
_LEAVE_SECONDS: Final = 2.0
_RETRY_SECONDS: Final = 60.0
_PAUSE_SECONDS: Final = 0.5
_LOOK_SECONDS: Final = 2.0
#: Refusals that may pass: the games of this token have not begun, or the referee has not noticed that the last stream
#: is dead.
_PASSING: Final = frozenset({table_pb2.REFUSAL_REASON_TOKEN, table_pb2.REFUSAL_REASON_ALREADY_JOINED})
#: How long a search in Python may keep the sending thread waiting for the interpreter, at each of its steps.
_SWITCH_SECONDS: Final = 0.001
_CHANNEL_OPTIONS: Final = (
    ("grpc.enable_http_proxy", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
)
_SCORED_BY: Final[dict[int, Literal["points", "places"]]] = {
    table_pb2.SCORED_BY_POINTS: "points",
    table_pb2.SCORED_BY_PLACES: "places",
}


def run(bot: type[Bot]) -> NoReturn:
    """Play for the referee that started this process, until it is done; then end the process.

    The referee is found in CARDTABLE_REFEREE (``unix:/path`` or ``host:port``), and CARDTABLE_TOKEN says who this
    is. A referee that asks for TLS needs CARDTABLE_TLS, the file with its certificate (PEM), or ``system`` for one that
    the system's authorities have signed. To ``host:port`` it dials again for CARDTABLE_RETRY_SECONDS (60) when nobody
    answers or the connection is lost. Call it as the last line of the program.
    """
    address, token = os.environ.get("CARDTABLE_REFEREE", ""), os.environ.get("CARDTABLE_TOKEN", "")
    if not address or not token:
        _say(
            "CARDTABLE_REFEREE (the referee's address) and CARDTABLE_TOKEN (who this bot is) are not set. "
            "`tourney run FILE` starts this program and sets them; "
            "to play without a referee use cardtable.local.play."
        )
        sys.exit(2)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    sys.setswitchinterval(_SWITCH_SECONDS)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    code = 1
    try:
        tls = os.environ.get("CARDTABLE_TLS") or None
        if address.startswith("unix:"):
            code = serve(bot, address, token, tls=tls, when_closed=lambda: _end_within(_LEAVE_SECONDS, 0))
        else:
            code = serve(bot, address, token, tls=tls, retry_seconds=_retry_seconds())
    except Exception:
        traceback.print_exc()
    finally:
        _end_within(_LEAVE_SECONDS, code)
    sys.exit(code)


def serve(
    bot: type[Bot],
    address: str,
    token: str,
    *,
    tls: str | None = None,
    connect_seconds: float = _CONNECT_SECONDS,
    retry_seconds: float = 0.0,
    when_closed: Callable[[], object] = lambda: None,
) -> int:
    """Play for a referee until it closes the stream.

    Args:
        bot: The author's class.
        address: ``unix:/path`` or ``host:port``.
        token: Who this is.
        tls: File with the referee's certificate, or ``system``; None: no TLS.
        connect_seconds: How long to try to reach the referee.
        retry_seconds: How long to dial in again when there is no referee yet, when it does not know the token yet,
            when the connection is lost, or broken off after a fault.
        when_closed: Called when the stream has ended, while the bot may still be at a decision.

    Returns:
        The exit code.

    Raises:
        TypeError: The class plays no game, or a method returned something that is no action.
    """
    join = join_request(
        token, bot_name=bot.name, bot_version=bot.version, sdk=f"cardtable/{VERSION}", games=games_of(bot)
    )
    try:
        credentials = None if tls is None else _credentials(tls)
    except OSError as error:
        _say(f"CARDTABLE_TLS: {tls} cannot be read: {error.strerror}")
        return 2
    until = time.monotonic() + retry_seconds
    while True:
        stream = _Stream(bot, when_closed, tls)
        code = stream.play(address, credentials, join, connect_seconds)
        if stream.welcomed:
            until = time.monotonic() + retry_seconds
        if not stream.may_return or time.monotonic() >= until:
            return code
        _say("dialling in again")
        time.sleep(_PAUSE_SECONDS)


class _Stream:
    """One connection to the referee.

    Args:
        bot: The author's class.
        when_closed: Called when the stream has ended, while the bot may still be at a decision.
        tls: As in `serve`.
    """

    def __init__(self, bot: type[Bot], when_closed: Callable[[], object], tls: str | None) -> None:
        self._bot = bot
        self._when_closed = when_closed
        self._tls = tls
        #: Whether the referee has let the bot in.
        self.welcomed = False
        #: Whether it may help to dial in again.
        self.may_return = False

    def play(
        self,
        address: str,
        credentials: grpc.ChannelCredentials | None,
        join: table_pb2.PlayRequest,
        connect_seconds: float,
    ) -> int:
        """Dial in, join, and play until the stream ends; returns the exit code."""
        with _channel(address, credentials) as channel:
            try:
                grpc.channel_ready_future(channel).result(timeout=connect_seconds)
            except grpc.FutureTimeoutError:
                _say(
                    f"no referee answers at {address} (tried for {connect_seconds:g} s){_why_not(address, self._tls)}"
                )
                self.may_return = True
                return 4
            outbox, inbox = Outbox(join), _Inbox(self._when_closed)
            call = play(channel)(iter(outbox))
            threading.Thread(target=inbox.read, args=(call,), name="cardtable-reader", daemon=True).start()
            session = _Session(self._bot, inbox, outbox)
            try:
                code = session.play()
            except WireError as error:
                _say(f"the referee sent what this version of cardtable cannot read: {error}")
                return 5
            finally:
                outbox.close()
                call.cancel()
            self.welcomed = session.welcomed
            self.may_return = session.refusal in _PASSING or (session.welcomed and inbox.is_lost)
            return code


def _retry_seconds() -> float:
    given = os.environ.get("CARDTABLE_RETRY_SECONDS", "")
    try:
        return float(given) if given else _RETRY_SECONDS
    except ValueError:
        _say(f"CARDTABLE_RETRY_SECONDS is a number of seconds, not {given!r}")
        sys.exit(2)


def _channel(address: str, credentials: grpc.ChannelCredentials | None) -> grpc.Channel:
    if credentials is None:
        return grpc.insecure_channel(address, options=_CHANNEL_OPTIONS)
    return grpc.secure_channel(address, credentials, options=_CHANNEL_OPTIONS)


def _credentials(tls: str) -> grpc.ChannelCredentials:
    """For a referee with this certificate, a file; or with one that the system's authorities have signed."""
    return grpc.ssl_channel_credentials(None if tls == "system" else Path(tls).read_bytes())


def _why_not(address: str, tls: str | None) -> str:
    """What a second look says of an address where gRPC found no referee; empty where it is the network."""
    import socket
    import ssl

    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    try:
        with socket.create_connection((host, int(port)), timeout=_LOOK_SECONDS) as line:
            if tls is None:
                return "; somebody listens there: a referee with TLS needs CARDTABLE_TLS"
            context = ssl.create_default_context(cafile=None if tls == "system" else tls)
            context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
            with context.wrap_socket(line, server_hostname=host):
                return ""
    except ssl.SSLCertVerificationError as error:
        return f"; its certificate is refused: {error.verify_message.rstrip('.')}"
    except ssl.SSLError:
        return "; somebody listens there, without the TLS that CARDTABLE_TLS asks for"
    except (OSError, ValueError):
        return ""


class Outbox:
    """Answers on their way to the referee: the iterator of requests that gRPC sends.

    Answers gather into one request until the bot has no other question to work on, or until the oldest of them is
    5 ms old, whatever the bot does meanwhile.

    Args:
        first: The request that opens the stream.
        hold_seconds: How long an answer may wait for others.
        clock: In seconds.
    """

    def __init__(
        self,
        first: table_pb2.PlayRequest,
        *,
        hold_seconds: float = _HOLD_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._first = first
        self._hold_seconds = hold_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._batch = table_pb2.PlayRequest()
        self._due: float | None = None
        self._closed = False

    def add(self, ask: table_pb2.Ask, action: Any, comment: str, game: Codec) -> None:
        """Answer a question.

        Args:
            ask: The question.
            action: What the bot does.
            comment: What it says with it.
            game: Codec of the table's game.

        Raises:
            TypeError: The protocol has no room for the action.
        """
        with self._lock:
            answer = self._batch.answers.add()
            answer.table, answer.turn = ask.table, ask.turn
            if comment:
                answer.comment = comment
            try:
                game.set_action(answer, action)
            except (ArithmeticError, TypeError, ValueError) as error:
                del self._batch.answers[-1]
                raise TypeError(f"{action!r} cannot be sent as an action of {game.name}: {error}") from error
            if self._due is None:
                self._due = self._clock() + self._hold_seconds
                self._changed.notify()

    def flush(self) -> None:
        """Send what there is: the bot has no other question to work on."""
        with self._changed:
            if self._due is not None:
                self._due = 0.0
                self._changed.notify()

    def close(self) -> None:
        """End the iteration."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def __iter__(self) -> Iterator[table_pb2.PlayRequest]:
        yield self._first
        while True:
            with self._changed:
                while not self._closed and (wait := self._wait_seconds()) != 0.0:
                    self._changed.wait(wait)
                if self._closed:
                    return
                batch, self._batch, self._due = self._batch, table_pb2.PlayRequest(), None
            yield batch

    def _wait_seconds(self) -> float | None:
        return None if self._due is None else max(0.0, self._due - self._clock())


class _Inbox:
    """What the referee has sent and the bot has not looked at.

    Args:
        when_closed: Called when the stream has ended, on the thread that reads.
    """

    def __init__(self, when_closed: Callable[[], object]) -> None:
        self._when_closed = when_closed
        self._changed = threading.Condition(threading.Lock())
        self._responses: deque[table_pb2.PlayResponse] = deque()
        #: Set when the stream has ended, by whatever cause.
        self.closed = False
        #: Why, as gRPC says it; empty where the referee ended it as it should, or has only gone.
        self.failure = ""
        #: Whether it ended in any other way than by the referee's will.
        self.is_lost = False

    def read(self, call: Iterable[table_pb2.PlayResponse]) -> None:
        """Take in what comes until the stream ends; runs on a thread of its own."""
        failure = ""
        try:
            for response in call:
                with self._changed:
                    self._responses.append(response)
                    self._changed.notify()
        except grpc.RpcError as error:
            failure, self.is_lost = _reason(error), True
        with self._changed:
            self.closed, self.failure = True, failure
            self._changed.notify()
        self._when_closed()

    def take(self) -> list[table_pb2.PlayResponse]:
        """All that is there, waiting for something; an empty list when the stream has ended."""
        with self._changed:
            while not self._responses and not self.closed:
                self._changed.wait()
            taken = list(self._responses)
            self._responses.clear()
            return taken

    def __bool__(self) -> bool:
        return bool(self._responses)


@dataclass(slots=True)
class _Table:
    """A bot at its table; what it does not want to hear of deals is not read."""

    player: Bot
    codec: Codec
    variant: Any
    seat: int
    hears_deals: bool


class _Session:
    """One stream, on the main thread: hands what comes in to the bots and their actions to the outbox."""

    def __init__(self, bot: type[Bot], inbox: _Inbox, outbox: Outbox) -> None:
        self._bot = bot
        self._inbox = inbox
        self._outbox = outbox
        self._tables: dict[int, _Table] = {}
        #: Whether the referee has let the bot in, or why not.
        self.welcomed = False
        self.refusal = table_pb2.REFUSAL_REASON_UNSPECIFIED

    def play(self) -> int:
        """Play until the stream ends; returns the exit code."""
        while responses := self._inbox.take():
            for response in responses:
                if response.HasField("refusal"):
                    _say(f"the referee refuses this bot: {response.refusal.message}")
                    self.refusal = response.refusal.reason
                    return 3
                if response.HasField("welcome"):
                    if response.welcome.protocol != PROTOCOL_VERSION:
                        raise WireError(f"protocol {response.welcome.protocol}, not {PROTOCOL_VERSION}")
                    self.welcomed = True
                if not self.welcomed:
                    raise WireError("the first message is neither a welcome nor a refusal")
                self._tell(response)
                self._answer(response)
            if not self._inbox:
                self._outbox.flush()
        if not self.welcomed or self._inbox.failure:
            _say(f"the connection to the referee is lost: {self._inbox.failure or 'it hung up'}")
            return 4
        return 0

    def _tell(self, response: table_pb2.PlayResponse) -> None:
        for seated in response.seated:
            self._tables[seated.table] = self._take_seat(seated)
        for fault in response.faults:
            self._table(fault.table).player.faulted(
                FaultNotice(fault.turn, cause_from_wire(fault.cause), fault.message)
            )
        for ended in response.deals_ended:
            table = self._table(ended.table)
            if table.hears_deals:
                table.player.deal_ended(table.codec.summary(ended))
        for closed in response.tables_closed:
            player = self._table(closed.table).player
            del self._tables[closed.table]
            player.table_closed(TableResult(tuple(closed.scores), closed.faults))

    def _answer(self, response: table_pb2.PlayResponse) -> None:
        inbox, outbox, tables = self._inbox, self._outbox, self._tables
        for ask in response.asks:
            if inbox.closed:
                return
            table = tables.get(ask.table) or self._table(ask.table)
            view = table.codec.view(ask, table.variant, table.seat)
            action, comment = decide(table.player, view, ask.turn)
            outbox.add(ask, action, comment, table.codec)

    def _take_seat(self, seated: table_pb2.Seated) -> _Table:
        game = codec(seated.game)
        variant = game.variant(seated)
        scored_by = _SCORED_BY.get(seated.scored_by)
        if scored_by is None:
            raise WireError(f"table {seated.table} says nothing of what is scored")
        if seated.seat >= variant.players:
            raise WireError(f"table {seated.table} has no seat {seated.seat}")
        seating = Seating(
            game=seated.game,
            variant=variant,
            seat=seated.seat,
            players=variant.players,
            scored_by=scored_by,
            bot_seed=seated.bot_seed,
            names=tuple(seated.names),
            move_ms=seated.move_ms or None,
            game_ms=seated.game_ms or None,
        )
        player = take_seat(self._bot, seating)
        hears_deals = getattr(player.deal_ended, "__func__", None) is not Bot.deal_ended
        return _Table(player, game, variant, seated.seat, hears_deals)

    def _table(self, number: int) -> _Table:
        table = self._tables.get(number)
        if table is None:
            raise WireError(f"this bot has no seat at table {number}")
        return table


def _reason(error: grpc.RpcError) -> str:
    """Why a stream broke; empty where the referee has only gone."""
    if not isinstance(error, grpc.Call):
        return str(error)
    if error.code() in {grpc.StatusCode.CANCELLED, grpc.StatusCode.UNAVAILABLE}:
        return ""
    return f"{error.code().name} {error.details()}"


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


def _end_within(seconds: float, code: int) -> None:
    """End the process after a while, even if the author's code or threads of its own hold it up."""
    timer = threading.Timer(seconds, os._exit, (code,))
    timer.daemon = True
    timer.start()


def _say(line: str) -> None:
    print(f"cardtable: {line}", file=sys.stderr, flush=True)

from cardtable.v1 import trix_pb2 as _trix_pb2
from cardtable.v1 import vytrix_pb2 as _vytrix_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RefusalReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REFUSAL_REASON_UNSPECIFIED: _ClassVar[RefusalReason]
    REFUSAL_REASON_TOKEN: _ClassVar[RefusalReason]
    REFUSAL_REASON_ALREADY_JOINED: _ClassVar[RefusalReason]
    REFUSAL_REASON_PROTOCOL: _ClassVar[RefusalReason]
    REFUSAL_REASON_GAME: _ClassVar[RefusalReason]
    REFUSAL_REASON_MALFORMED: _ClassVar[RefusalReason]

class ScoredBy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCORED_BY_UNSPECIFIED: _ClassVar[ScoredBy]
    SCORED_BY_POINTS: _ClassVar[ScoredBy]
    SCORED_BY_PLACES: _ClassVar[ScoredBy]

class FaultCause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAULT_CAUSE_UNSPECIFIED: _ClassVar[FaultCause]
    FAULT_CAUSE_START: _ClassVar[FaultCause]
    FAULT_CAUSE_TIMEOUT: _ClassVar[FaultCause]
    FAULT_CAUSE_ILLEGAL: _ClassVar[FaultCause]
    FAULT_CAUSE_MALFORMED: _ClassVar[FaultCause]
    FAULT_CAUSE_CRASH: _ClassVar[FaultCause]
    FAULT_CAUSE_DISCONNECT: _ClassVar[FaultCause]
    FAULT_CAUSE_RESOURCE: _ClassVar[FaultCause]
    FAULT_CAUSE_REFEREE: _ClassVar[FaultCause]
REFUSAL_REASON_UNSPECIFIED: RefusalReason
REFUSAL_REASON_TOKEN: RefusalReason
REFUSAL_REASON_ALREADY_JOINED: RefusalReason
REFUSAL_REASON_PROTOCOL: RefusalReason
REFUSAL_REASON_GAME: RefusalReason
REFUSAL_REASON_MALFORMED: RefusalReason
SCORED_BY_UNSPECIFIED: ScoredBy
SCORED_BY_POINTS: ScoredBy
SCORED_BY_PLACES: ScoredBy
FAULT_CAUSE_UNSPECIFIED: FaultCause
FAULT_CAUSE_START: FaultCause
FAULT_CAUSE_TIMEOUT: FaultCause
FAULT_CAUSE_ILLEGAL: FaultCause
FAULT_CAUSE_MALFORMED: FaultCause
FAULT_CAUSE_CRASH: FaultCause
FAULT_CAUSE_DISCONNECT: FaultCause
FAULT_CAUSE_RESOURCE: FaultCause
FAULT_CAUSE_REFEREE: FaultCause

class PlayRequest(_message.Message):
    __slots__ = ("join", "answers")
    JOIN_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    join: Join
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    def __init__(self, join: _Optional[_Union[Join, _Mapping]] = ..., answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("welcome", "refusal", "seated", "faults", "deals_ended", "tables_closed", "asks")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    SEATED_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    DEALS_ENDED_FIELD_NUMBER: _ClassVar[int]
    TABLES_CLOSED_FIELD_NUMBER: _ClassVar[int]
    ASKS_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    refusal: Refusal
    seated: _containers.RepeatedCompositeFieldContainer[Seated]
    faults: _containers.RepeatedCompositeFieldContainer[FaultNotice]
    deals_ended: _containers.RepeatedCompositeFieldContainer[DealEnded]
    tables_closed: _containers.RepeatedCompositeFieldContainer[TableClosed]
    asks: _containers.RepeatedCompositeFieldContainer[Ask]
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., refusal: _Optional[_Union[Refusal, _Mapping]] = ..., seated: _Optional[_Iterable[_Union[Seated, _Mapping]]] = ..., faults: _Optional[_Iterable[_Union[FaultNotice, _Mapping]]] = ..., deals_ended: _Optional[_Iterable[_Union[DealEnded, _Mapping]]] = ..., tables_closed: _Optional[_Iterable[_Union[TableClosed, _Mapping]]] = ..., asks: _Optional[_Iterable[_Union[Ask, _Mapping]]] = ...) -> None: ...

class Join(_message.Message):
    __slots__ = ("token", "bot_name", "bot_version", "sdk", "protocol_min", "protocol_max", "games")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    BOT_NAME_FIELD_NUMBER: _ClassVar[int]
    BOT_VERSION_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MIN_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_MAX_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    token: str
    bot_name: str
    bot_version: str
    sdk: str
    protocol_min: int
    protocol_max: int
    games: _containers.RepeatedCompositeFieldContainer[GameSupport]
    def __init__(self, token: _Optional[str] = ..., bot_name: _Optional[str] = ..., bot_version: _Optional[str] = ..., sdk: _Optional[str] = ..., protocol_min: _Optional[int] = ..., protocol_max: _Optional[int] = ..., games: _Optional[_Iterable[_Union[GameSupport, _Mapping]]] = ...) -> None: ...

class GameSupport(_message.Message):
    __slots__ = ("game", "options")
    GAME_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    game: str
    options: _containers.RepeatedCompositeFieldContainer[OptionSupport]
    def __init__(self, game: _Optional[str] = ..., options: _Optional[_Iterable[_Union[OptionSupport, _Mapping]]] = ...) -> None: ...

class OptionSupport(_message.Message):
    __slots__ = ("name", "values")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    name: str
    values: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., values: _Optional[_Iterable[str]] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("protocol", "seat", "referee")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REFEREE_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    seat: int
    referee: str
    def __init__(self, protocol: _Optional[int] = ..., seat: _Optional[int] = ..., referee: _Optional[str] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("reason", "message")
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    reason: RefusalReason
    message: str
    def __init__(self, reason: _Optional[_Union[RefusalReason, str]] = ..., message: _Optional[str] = ...) -> None: ...

class Seated(_message.Message):
    __slots__ = ("table", "game", "seat", "scored_by", "bot_seed", "names", "move_ms", "game_ms", "trix", "vytrix")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SCORED_BY_FIELD_NUMBER: _ClassVar[int]
    BOT_SEED_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    MOVE_MS_FIELD_NUMBER: _ClassVar[int]
    GAME_MS_FIELD_NUMBER: _ClassVar[int]
    TRIX_FIELD_NUMBER: _ClassVar[int]
    VYTRIX_FIELD_NUMBER: _ClassVar[int]
    table: int
    game: str
    seat: int
    scored_by: ScoredBy
    bot_seed: int
    names: _containers.RepeatedScalarFieldContainer[str]
    move_ms: int
    game_ms: int
    trix: _trix_pb2.TrixVariant
    vytrix: _vytrix_pb2.VytrixVariant
    def __init__(self, table: _Optional[int] = ..., game: _Optional[str] = ..., seat: _Optional[int] = ..., scored_by: _Optional[_Union[ScoredBy, str]] = ..., bot_seed: _Optional[int] = ..., names: _Optional[_Iterable[str]] = ..., move_ms: _Optional[int] = ..., game_ms: _Optional[int] = ..., trix: _Optional[_Union[_trix_pb2.TrixVariant, _Mapping]] = ..., vytrix: _Optional[_Union[_vytrix_pb2.VytrixVariant, _Mapping]] = ...) -> None: ...

class Ask(_message.Message):
    __slots__ = ("table", "turn", "move_ms", "game_ms", "trix", "vytrix")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    MOVE_MS_FIELD_NUMBER: _ClassVar[int]
    GAME_MS_FIELD_NUMBER: _ClassVar[int]
    TRIX_FIELD_NUMBER: _ClassVar[int]
    VYTRIX_FIELD_NUMBER: _ClassVar[int]
    table: int
    turn: int
    move_ms: int
    game_ms: int
    trix: _trix_pb2.TrixView
    vytrix: _vytrix_pb2.VytrixView
    def __init__(self, table: _Optional[int] = ..., turn: _Optional[int] = ..., move_ms: _Optional[int] = ..., game_ms: _Optional[int] = ..., trix: _Optional[_Union[_trix_pb2.TrixView, _Mapping]] = ..., vytrix: _Optional[_Union[_vytrix_pb2.VytrixView, _Mapping]] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("table", "turn", "comment", "trix", "vytrix")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    TRIX_FIELD_NUMBER: _ClassVar[int]
    VYTRIX_FIELD_NUMBER: _ClassVar[int]
    table: int
    turn: int
    comment: str
    trix: _trix_pb2.TrixAction
    vytrix: _vytrix_pb2.VytrixAction
    def __init__(self, table: _Optional[int] = ..., turn: _Optional[int] = ..., comment: _Optional[str] = ..., trix: _Optional[_Union[_trix_pb2.TrixAction, _Mapping]] = ..., vytrix: _Optional[_Union[_vytrix_pb2.VytrixAction, _Mapping]] = ...) -> None: ...

class DealEnded(_message.Message):
    __slots__ = ("table", "trix", "vytrix")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    TRIX_FIELD_NUMBER: _ClassVar[int]
    VYTRIX_FIELD_NUMBER: _ClassVar[int]
    table: int
    trix: _trix_pb2.TrixDealEnded
    vytrix: _vytrix_pb2.VytrixDealEnded
    def __init__(self, table: _Optional[int] = ..., trix: _Optional[_Union[_trix_pb2.TrixDealEnded, _Mapping]] = ..., vytrix: _Optional[_Union[_vytrix_pb2.VytrixDealEnded, _Mapping]] = ...) -> None: ...

class FaultNotice(_message.Message):
    __slots__ = ("table", "turn", "cause", "message")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    table: int
    turn: int
    cause: FaultCause
    message: str
    def __init__(self, table: _Optional[int] = ..., turn: _Optional[int] = ..., cause: _Optional[_Union[FaultCause, str]] = ..., message: _Optional[str] = ...) -> None: ...

class TableClosed(_message.Message):
    __slots__ = ("table", "scores", "faults")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    table: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    faults: int
    def __init__(self, table: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ..., faults: _Optional[int] = ...) -> None: ...

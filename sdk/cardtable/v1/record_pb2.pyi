from cardtable.v1 import table_pb2 as _table_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameRecord(_message.Message):
    __slots__ = ("game", "variant", "seats", "seed", "deals", "scores", "faults", "comments", "writer", "forfeits")
    GAME_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    DEALS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    COMMENTS_FIELD_NUMBER: _ClassVar[int]
    WRITER_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    game: str
    variant: str
    seats: _containers.RepeatedScalarFieldContainer[str]
    seed: bytes
    deals: _containers.RepeatedCompositeFieldContainer[DealRecord]
    scores: _containers.RepeatedScalarFieldContainer[int]
    faults: _containers.RepeatedCompositeFieldContainer[FaultRecord]
    comments: _containers.RepeatedCompositeFieldContainer[CommentRecord]
    writer: str
    forfeits: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, game: _Optional[str] = ..., variant: _Optional[str] = ..., seats: _Optional[_Iterable[str]] = ..., seed: _Optional[bytes] = ..., deals: _Optional[_Iterable[_Union[DealRecord, _Mapping]]] = ..., scores: _Optional[_Iterable[int]] = ..., faults: _Optional[_Iterable[_Union[FaultRecord, _Mapping]]] = ..., comments: _Optional[_Iterable[_Union[CommentRecord, _Mapping]]] = ..., writer: _Optional[str] = ..., forfeits: _Optional[_Iterable[int]] = ...) -> None: ...

class DealRecord(_message.Message):
    __slots__ = ("actions", "hands", "kitty")
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    KITTY_FIELD_NUMBER: _ClassVar[int]
    actions: str
    hands: _containers.RepeatedScalarFieldContainer[str]
    kitty: str
    def __init__(self, actions: _Optional[str] = ..., hands: _Optional[_Iterable[str]] = ..., kitty: _Optional[str] = ...) -> None: ...

class FaultRecord(_message.Message):
    __slots__ = ("seat", "cause", "deal", "action", "turn", "message")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    DEAL_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cause: _table_pb2.FaultCause
    deal: int
    action: int
    turn: int
    message: str
    def __init__(self, seat: _Optional[int] = ..., cause: _Optional[_Union[_table_pb2.FaultCause, str]] = ..., deal: _Optional[int] = ..., action: _Optional[int] = ..., turn: _Optional[int] = ..., message: _Optional[str] = ...) -> None: ...

class CommentRecord(_message.Message):
    __slots__ = ("deal", "action", "text")
    DEAL_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    deal: int
    action: int
    text: str
    def __init__(self, deal: _Optional[int] = ..., action: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

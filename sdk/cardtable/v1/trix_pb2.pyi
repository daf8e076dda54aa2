from cardtable.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TrixContract(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRIX_CONTRACT_UNSPECIFIED: _ClassVar[TrixContract]
    TRIX_CONTRACT_KING: _ClassVar[TrixContract]
    TRIX_CONTRACT_QUEENS: _ClassVar[TrixContract]
    TRIX_CONTRACT_DIAMONDS: _ClassVar[TrixContract]
    TRIX_CONTRACT_SLAPS: _ClassVar[TrixContract]
    TRIX_CONTRACT_TRIX: _ClassVar[TrixContract]

class TrixStep(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRIX_STEP_UNSPECIFIED: _ClassVar[TrixStep]
    TRIX_STEP_CONTRACT: _ClassVar[TrixStep]
    TRIX_STEP_REDEAL: _ClassVar[TrixStep]
    TRIX_STEP_DOUBLE: _ClassVar[TrixStep]
    TRIX_STEP_PLAY: _ClassVar[TrixStep]
    TRIX_STEP_LAYOUT: _ClassVar[TrixStep]

class TrixVoid(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRIX_VOID_UNSPECIFIED: _ClassVar[TrixVoid]
    TRIX_VOID_NOT: _ClassVar[TrixVoid]
    TRIX_VOID_REDEAL: _ClassVar[TrixVoid]
    TRIX_VOID_CLOSED_SUIT: _ClassVar[TrixVoid]
TRIX_CONTRACT_UNSPECIFIED: TrixContract
TRIX_CONTRACT_KING: TrixContract
TRIX_CONTRACT_QUEENS: TrixContract
TRIX_CONTRACT_DIAMONDS: TrixContract
TRIX_CONTRACT_SLAPS: TrixContract
TRIX_CONTRACT_TRIX: TrixContract
TRIX_STEP_UNSPECIFIED: TrixStep
TRIX_STEP_CONTRACT: TrixStep
TRIX_STEP_REDEAL: TrixStep
TRIX_STEP_DOUBLE: TrixStep
TRIX_STEP_PLAY: TrixStep
TRIX_STEP_LAYOUT: TrixStep
TRIX_VOID_UNSPECIFIED: TrixVoid
TRIX_VOID_NOT: TrixVoid
TRIX_VOID_REDEAL: TrixVoid
TRIX_VOID_CLOSED_SUIT: TrixVoid

class TrixVariant(_message.Message):
    __slots__ = ("partners", "kingdom_order", "redeals", "max_voids", "early_end", "diamond_lead", "doubling", "own_double", "diamonds_face_up", "reveal_twos", "closed_suit")
    PARTNERS_FIELD_NUMBER: _ClassVar[int]
    KINGDOM_ORDER_FIELD_NUMBER: _ClassVar[int]
    REDEALS_FIELD_NUMBER: _ClassVar[int]
    MAX_VOIDS_FIELD_NUMBER: _ClassVar[int]
    EARLY_END_FIELD_NUMBER: _ClassVar[int]
    DIAMOND_LEAD_FIELD_NUMBER: _ClassVar[int]
    DOUBLING_FIELD_NUMBER: _ClassVar[int]
    OWN_DOUBLE_FIELD_NUMBER: _ClassVar[int]
    DIAMONDS_FACE_UP_FIELD_NUMBER: _ClassVar[int]
    REVEAL_TWOS_FIELD_NUMBER: _ClassVar[int]
    CLOSED_SUIT_FIELD_NUMBER: _ClassVar[int]
    partners: bool
    kingdom_order: str
    redeals: bool
    max_voids: int
    early_end: bool
    diamond_lead: str
    doubling: bool
    own_double: str
    diamonds_face_up: bool
    reveal_twos: str
    closed_suit: str
    def __init__(self, partners: _Optional[bool] = ..., kingdom_order: _Optional[str] = ..., redeals: _Optional[bool] = ..., max_voids: _Optional[int] = ..., early_end: _Optional[bool] = ..., diamond_lead: _Optional[str] = ..., doubling: _Optional[bool] = ..., own_double: _Optional[str] = ..., diamonds_face_up: _Optional[bool] = ..., reveal_twos: _Optional[str] = ..., closed_suit: _Optional[str] = ...) -> None: ...

class TrixView(_message.Message):
    __slots__ = ("step", "first_king", "king", "kingdom", "completed", "voids", "scores", "contract", "hand", "legal", "legal_contracts", "doubled", "doubled_by", "played", "played_by", "revealed", "revealed_by")
    STEP_FIELD_NUMBER: _ClassVar[int]
    FIRST_KING_FIELD_NUMBER: _ClassVar[int]
    KING_FIELD_NUMBER: _ClassVar[int]
    KINGDOM_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    VOIDS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    CONTRACT_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    LEGAL_CONTRACTS_FIELD_NUMBER: _ClassVar[int]
    DOUBLED_FIELD_NUMBER: _ClassVar[int]
    DOUBLED_BY_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    PLAYED_BY_FIELD_NUMBER: _ClassVar[int]
    REVEALED_FIELD_NUMBER: _ClassVar[int]
    REVEALED_BY_FIELD_NUMBER: _ClassVar[int]
    step: TrixStep
    first_king: int
    king: int
    kingdom: int
    completed: _containers.RepeatedScalarFieldContainer[TrixContract]
    voids: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    contract: TrixContract
    hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    legal: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    legal_contracts: _containers.RepeatedScalarFieldContainer[TrixContract]
    doubled: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    doubled_by: _containers.RepeatedScalarFieldContainer[int]
    played: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    played_by: _containers.RepeatedScalarFieldContainer[int]
    revealed: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    revealed_by: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, step: _Optional[_Union[TrixStep, str]] = ..., first_king: _Optional[int] = ..., king: _Optional[int] = ..., kingdom: _Optional[int] = ..., completed: _Optional[_Iterable[_Union[TrixContract, str]]] = ..., voids: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ..., contract: _Optional[_Union[TrixContract, str]] = ..., hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., legal: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., legal_contracts: _Optional[_Iterable[_Union[TrixContract, str]]] = ..., doubled: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., doubled_by: _Optional[_Iterable[int]] = ..., played: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., played_by: _Optional[_Iterable[int]] = ..., revealed: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., revealed_by: _Optional[_Iterable[int]] = ...) -> None: ...

class TrixAction(_message.Message):
    __slots__ = ("contract", "redeal", "double", "card")
    CONTRACT_FIELD_NUMBER: _ClassVar[int]
    REDEAL_FIELD_NUMBER: _ClassVar[int]
    DOUBLE_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    PASS_FIELD_NUMBER: _ClassVar[int]
    contract: TrixContract
    redeal: bool
    double: TrixDouble
    card: _cards_pb2.Card
    def __init__(self, contract: _Optional[_Union[TrixContract, str]] = ..., redeal: _Optional[bool] = ..., double: _Optional[_Union[TrixDouble, _Mapping]] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ..., **kwargs) -> None: ...

class TrixDouble(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class TrixDealEnded(_message.Message):
    __slots__ = ("void", "king", "kingdom", "contract", "doubled", "doubled_by", "played", "played_by", "claimed_hand", "claimed_by", "points", "scores")
    VOID_FIELD_NUMBER: _ClassVar[int]
    KING_FIELD_NUMBER: _ClassVar[int]
    KINGDOM_FIELD_NUMBER: _ClassVar[int]
    CONTRACT_FIELD_NUMBER: _ClassVar[int]
    DOUBLED_FIELD_NUMBER: _ClassVar[int]
    DOUBLED_BY_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    PLAYED_BY_FIELD_NUMBER: _ClassVar[int]
    CLAIMED_HAND_FIELD_NUMBER: _ClassVar[int]
    CLAIMED_BY_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    void: TrixVoid
    king: int
    kingdom: int
    contract: TrixContract
    doubled: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    doubled_by: _containers.RepeatedScalarFieldContainer[int]
    played: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    played_by: _containers.RepeatedScalarFieldContainer[int]
    claimed_hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    claimed_by: int
    points: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, void: _Optional[_Union[TrixVoid, str]] = ..., king: _Optional[int] = ..., kingdom: _Optional[int] = ..., contract: _Optional[_Union[TrixContract, str]] = ..., doubled: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., doubled_by: _Optional[_Iterable[int]] = ..., played: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., played_by: _Optional[_Iterable[int]] = ..., claimed_hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., claimed_by: _Optional[int] = ..., points: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ...) -> None: ...

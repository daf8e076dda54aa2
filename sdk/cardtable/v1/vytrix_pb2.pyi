from cardtable.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class VytrixStrain(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VYTRIX_STRAIN_UNSPECIFIED: _ClassVar[VytrixStrain]
    VYTRIX_STRAIN_SPADES: _ClassVar[VytrixStrain]
    VYTRIX_STRAIN_HEARTS: _ClassVar[VytrixStrain]
    VYTRIX_STRAIN_DIAMONDS: _ClassVar[VytrixStrain]
    VYTRIX_STRAIN_CLUBS: _ClassVar[VytrixStrain]
    VYTRIX_STRAIN_NO_TRUMP: _ClassVar[VytrixStrain]

class VytrixDirection(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VYTRIX_DIRECTION_UNSPECIFIED: _ClassVar[VytrixDirection]
    VYTRIX_DIRECTION_HIGH: _ClassVar[VytrixDirection]
    VYTRIX_DIRECTION_LOW: _ClassVar[VytrixDirection]

class VytrixStep(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VYTRIX_STEP_UNSPECIFIED: _ClassVar[VytrixStep]
    VYTRIX_STEP_BID: _ClassVar[VytrixStep]
    VYTRIX_STEP_KITTY: _ClassVar[VytrixStep]
    VYTRIX_STEP_DISCARD: _ClassVar[VytrixStep]
    VYTRIX_STEP_NAME: _ClassVar[VytrixStep]
    VYTRIX_STEP_PLAY: _ClassVar[VytrixStep]

class VytrixKitty(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VYTRIX_KITTY_UNSPECIFIED: _ClassVar[VytrixKitty]
    VYTRIX_KITTY_CLOSED: _ClassVar[VytrixKitty]
    VYTRIX_KITTY_TAKEN: _ClassVar[VytrixKitty]
    VYTRIX_KITTY_LEFT: _ClassVar[VytrixKitty]
VYTRIX_STRAIN_UNSPECIFIED: VytrixStrain
VYTRIX_STRAIN_SPADES: VytrixStrain
VYTRIX_STRAIN_HEARTS: VytrixStrain
VYTRIX_STRAIN_DIAMONDS: VytrixStrain
VYTRIX_STRAIN_CLUBS: VytrixStrain
VYTRIX_STRAIN_NO_TRUMP: VytrixStrain
VYTRIX_DIRECTION_UNSPECIFIED: VytrixDirection
VYTRIX_DIRECTION_HIGH: VytrixDirection
VYTRIX_DIRECTION_LOW: VytrixDirection
VYTRIX_STEP_UNSPECIFIED: VytrixStep
VYTRIX_STEP_BID: VytrixStep
VYTRIX_STEP_KITTY: VytrixStep
VYTRIX_STEP_DISCARD: VytrixStep
VYTRIX_STEP_NAME: VytrixStep
VYTRIX_STEP_PLAY: VytrixStep
VYTRIX_KITTY_UNSPECIFIED: VytrixKitty
VYTRIX_KITTY_CLOSED: VytrixKitty
VYTRIX_KITTY_TAKEN: VytrixKitty
VYTRIX_KITTY_LEFT: VytrixKitty

class VytrixVariant(_message.Message):
    __slots__ = ("players", "max_bid", "target", "max_hands", "breaking_trump", "last_trick", "defensive_partnerships", "partial_bidding")
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    MAX_BID_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    MAX_HANDS_FIELD_NUMBER: _ClassVar[int]
    BREAKING_TRUMP_FIELD_NUMBER: _ClassVar[int]
    LAST_TRICK_FIELD_NUMBER: _ClassVar[int]
    DEFENSIVE_PARTNERSHIPS_FIELD_NUMBER: _ClassVar[int]
    PARTIAL_BIDDING_FIELD_NUMBER: _ClassVar[int]
    players: int
    max_bid: int
    target: int
    max_hands: int
    breaking_trump: bool
    last_trick: str
    defensive_partnerships: bool
    partial_bidding: bool
    def __init__(self, players: _Optional[int] = ..., max_bid: _Optional[int] = ..., target: _Optional[int] = ..., max_hands: _Optional[int] = ..., breaking_trump: _Optional[bool] = ..., last_trick: _Optional[str] = ..., defensive_partnerships: _Optional[bool] = ..., partial_bidding: _Optional[bool] = ...) -> None: ...

class VytrixBid(_message.Message):
    __slots__ = ("points", "strain", "direction")
    POINTS_FIELD_NUMBER: _ClassVar[int]
    STRAIN_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    points: int
    strain: VytrixStrain
    direction: VytrixDirection
    def __init__(self, points: _Optional[int] = ..., strain: _Optional[_Union[VytrixStrain, str]] = ..., direction: _Optional[_Union[VytrixDirection, str]] = ...) -> None: ...

class VytrixCall(_message.Message):
    __slots__ = ("points", "strain", "direction")
    POINTS_FIELD_NUMBER: _ClassVar[int]
    STRAIN_FIELD_NUMBER: _ClassVar[int]
    DIRECTION_FIELD_NUMBER: _ClassVar[int]
    points: int
    strain: VytrixStrain
    direction: VytrixDirection
    def __init__(self, points: _Optional[int] = ..., strain: _Optional[_Union[VytrixStrain, str]] = ..., direction: _Optional[_Union[VytrixDirection, str]] = ...) -> None: ...

class VytrixView(_message.Message):
    __slots__ = ("step", "hand_number", "dealer", "scores", "calls", "declarer", "contract", "kitty", "hand", "legal", "lowest_bid", "highest_bid", "may_pass", "kitty_cards", "discarded", "played", "played_by")
    STEP_FIELD_NUMBER: _ClassVar[int]
    HAND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    DECLARER_FIELD_NUMBER: _ClassVar[int]
    CONTRACT_FIELD_NUMBER: _ClassVar[int]
    KITTY_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    LOWEST_BID_FIELD_NUMBER: _ClassVar[int]
    HIGHEST_BID_FIELD_NUMBER: _ClassVar[int]
    MAY_PASS_FIELD_NUMBER: _ClassVar[int]
    KITTY_CARDS_FIELD_NUMBER: _ClassVar[int]
    DISCARDED_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    PLAYED_BY_FIELD_NUMBER: _ClassVar[int]
    step: VytrixStep
    hand_number: int
    dealer: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    calls: _containers.RepeatedCompositeFieldContainer[VytrixCall]
    declarer: int
    contract: VytrixBid
    kitty: VytrixKitty
    hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    legal: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    lowest_bid: int
    highest_bid: int
    may_pass: bool
    kitty_cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    discarded: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    played: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    played_by: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, step: _Optional[_Union[VytrixStep, str]] = ..., hand_number: _Optional[int] = ..., dealer: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ..., calls: _Optional[_Iterable[_Union[VytrixCall, _Mapping]]] = ..., declarer: _Optional[int] = ..., contract: _Optional[_Union[VytrixBid, _Mapping]] = ..., kitty: _Optional[_Union[VytrixKitty, str]] = ..., hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., legal: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., lowest_bid: _Optional[int] = ..., highest_bid: _Optional[int] = ..., may_pass: _Optional[bool] = ..., kitty_cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., discarded: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., played: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., played_by: _Optional[_Iterable[int]] = ...) -> None: ...

class VytrixAction(_message.Message):
    __slots__ = ("bid", "take_kitty", "discard", "name_strain", "name_direction", "card")
    BID_FIELD_NUMBER: _ClassVar[int]
    PASS_FIELD_NUMBER: _ClassVar[int]
    TAKE_KITTY_FIELD_NUMBER: _ClassVar[int]
    DISCARD_FIELD_NUMBER: _ClassVar[int]
    NAME_STRAIN_FIELD_NUMBER: _ClassVar[int]
    NAME_DIRECTION_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    bid: VytrixBid
    take_kitty: bool
    discard: VytrixDiscard
    name_strain: VytrixStrain
    name_direction: VytrixDirection
    card: _cards_pb2.Card
    def __init__(self, bid: _Optional[_Union[VytrixBid, _Mapping]] = ..., take_kitty: _Optional[bool] = ..., discard: _Optional[_Union[VytrixDiscard, _Mapping]] = ..., name_strain: _Optional[_Union[VytrixStrain, str]] = ..., name_direction: _Optional[_Union[VytrixDirection, str]] = ..., card: _Optional[_Union[_cards_pb2.Card, str]] = ..., **kwargs) -> None: ...

class VytrixDiscard(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class VytrixDealEnded(_message.Message):
    __slots__ = ("hand_number", "dealer", "calls", "declarer", "contract", "kitty", "played", "played_by", "tricks", "points", "scores")
    HAND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    DECLARER_FIELD_NUMBER: _ClassVar[int]
    CONTRACT_FIELD_NUMBER: _ClassVar[int]
    KITTY_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    PLAYED_BY_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    hand_number: int
    dealer: int
    calls: _containers.RepeatedCompositeFieldContainer[VytrixCall]
    declarer: int
    contract: VytrixBid
    kitty: VytrixKitty
    played: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    played_by: _containers.RepeatedScalarFieldContainer[int]
    tricks: _containers.RepeatedScalarFieldContainer[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    scores: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, hand_number: _Optional[int] = ..., dealer: _Optional[int] = ..., calls: _Optional[_Iterable[_Union[VytrixCall, _Mapping]]] = ..., declarer: _Optional[int] = ..., contract: _Optional[_Union[VytrixBid, _Mapping]] = ..., kitty: _Optional[_Union[VytrixKitty, str]] = ..., played: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., played_by: _Optional[_Iterable[int]] = ..., tricks: _Optional[_Iterable[int]] = ..., points: _Optional[_Iterable[int]] = ..., scores: _Optional[_Iterable[int]] = ...) -> None: ...

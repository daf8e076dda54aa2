"""Hypothesis strategies for messages of the protocol: well-formed ones with anything in them, and broken bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.descriptor import FieldDescriptor
from hypothesis import strategies as st

from cardtable.v1 import table_pb2

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from google.protobuf.message import Message

__all__ = ["mutated", "play_requests", "well_formed"]

_UNSIGNED = st.sampled_from([0, 1, 2, 3, 13, 52, 53, 2**31 - 1, 2**31, 2**32 - 1]) | st.integers(0, 60)
_SIGNED = st.sampled_from([-(2**31), -1, 0, 1, 2, 3, 4, 5, 52, 53, 2**31 - 1]) | st.integers(0, 60)
_TEXTS = st.text(max_size=12) | st.sampled_from(
    ["trix", "vytrix", "x" * 5000, "\0", "\n" * 300, "\U0001f0a1"]
)
_BY_TYPE: dict[int, st.SearchStrategy[Any]] = {
    FieldDescriptor.TYPE_BOOL: st.booleans(),
    FieldDescriptor.TYPE_ENUM: _SIGNED,
    FieldDescriptor.TYPE_SINT32: _SIGNED,
    FieldDescriptor.TYPE_STRING: _TEXTS,
    FieldDescriptor.TYPE_UINT32: _UNSIGNED,
    FieldDescriptor.TYPE_UINT64: st.integers(0, 2**64 - 1),
}


def well_formed(kind: Callable[[], Message]) -> st.SearchStrategy[Any]:
    """Any message of a kind, with any of its fields set to anything that they can hold."""
    descriptor: Any = kind().DESCRIPTOR
    return _filled(descriptor).map(lambda fill: _build(kind(), fill))


def _filled(descriptor: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Values of some fields; of a oneof often several, of which the last one set counts."""
    fields = {}
    for field in descriptor.fields:
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            value: st.SearchStrategy[Any] = _filled(field.message_type)
        else:
            value = _BY_TYPE[field.type]
        fields[field.name] = st.lists(value, max_size=6) if field.is_repeated else value
    return st.fixed_dictionaries({}, optional=fields)


def _build(message: Message, fill: dict[str, Any]) -> Message:
    for name, value in fill.items():
        if isinstance(value, dict):
            _build(getattr(message, name), value).SetInParent()
        elif isinstance(value, list):
            for one in value:
                if isinstance(one, dict):
                    _build(getattr(message, name).add(), one)
                else:
                    getattr(message, name).append(one)
        else:
            setattr(message, name, value)
    return message


@st.composite
def play_requests(draw: st.DrawFn, asked: Sequence[tuple[int, int]] = ()) -> table_pb2.PlayRequest:
    """Any request; many of its answers are to questions that were really asked.

    Args:
        draw: Hypothesis's own.
        asked: Tables and turns of open questions.
    """
    request: table_pb2.PlayRequest = draw(well_formed(table_pb2.PlayRequest))
    if draw(st.integers(0, 9)):
        request.ClearField("join")
    for answer in request.answers:
        aimed = draw(st.booleans())
        if asked and aimed:
            answer.table, answer.turn = draw(st.sampled_from(list(asked)))
    if request.answers and draw(st.integers(0, 19)) == 0:
        request.answers.extend([request.answers[0]] * 3000)
    return request


@st.composite
def mutated(draw: st.DrawFn, messages: st.SearchStrategy[Any]) -> bytes:
    """The bytes of a message with some of them changed, lost or doubled."""
    data = bytearray(draw(messages).SerializeToString())
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(["change", "lose", "double", "cut"])):
            case "change" if place < len(data):
                data[place] = draw(st.integers(0, 255))
            case "lose":
                del data[place : place + draw(st.integers(1, 8))]
            case "double":
                data[place:place] = data[place : place + 20]
            case _:
                del data[place:]
    return bytes(data)

"""An offline judge of edges: what the schemas say a call returns is drawn, and a rule says whether the value fits.

    1  a result of the source with the field, drawn by its schema
    2  the value fits the schema of the parameter, is of the same sort, and by its name stands for the same thing

The rules are none of the graph's: no thresholds, no readings of descriptions, no exclusions but that of a source which
needs the value itself. Shared with it are how names are cut into words and told by kinds, a `type` beside a field, and
which thing a tool acts on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from random import Random
from typing import Final, NamedTuple

import msgspec

from callwright.author.personas import bank
from callwright.author.value_scene import Scene
from callwright.catalog.slots import Slot, needed, slots
from callwright.environment.result_drawing import WAYS, drawing
from callwright.environment.tool_target import WRAPPERS, target_of
from callwright.graph.edge_judging import EdgeQuestion, EdgeVerdict
from callwright.graph.graph_fields import GraphField, fixed_value, output_fields
from callwright.lang.kinds import ID_WORDS, Kind
from callwright.lang.schemas import name_words, plain_schema, singular, type_of
from callwright.lang.tokens import stem
from callwright.match.schema import fits_schema
from callwright.records.jsontext import Json, decode, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

DRAWS: Final = 3
"""Results drawn for one field; every value must fit."""
_TODAY: Final = date(2026, 5, 4)
_ALIKE: Final[frozenset[Kind]] = frozenset(("code", "title", "other", "person"))
"""Sorts that a field and a parameter may be told as, though they hold the same value."""
_IDENTIFYING: Final = _ALIKE | frozenset(("url", "email", "phone", "city", "country"))
_FORMS: Final = frozenset(("pattern", "format", "minLength", "maxLength", "contentEncoding"))


class Meaning(NamedTuple):
    """What a name says of a value: the stems of the thing, the head last, and which attribute of it the value is."""

    thing: tuple[str, ...]
    attribute: str

    @property
    def text(self) -> str:
        """In words."""
        return f"the {self.attribute or 'name'} of {' '.join(self.thing)}"


def simulated_verdict(question: EdgeQuestion, *, seed: int = 0) -> EdgeVerdict:
    """Return the verdict on a pair of fields; the source has a schema of its result."""
    field = next((one for one in output_fields(question.source) if one.place == question.output), None)
    slot = slots(question.target).get(question.input)
    if field is None or slot is None:
        return EdgeVerdict(False, "one of the documents has no such field")
    values = [drawn_value(question.source, field, seed + draw) for draw in range(DRAWS)]
    schema = plain_schema(decode(slot.schema))
    if _FORMS.isdisjoint(field.schema):  # a value made up says nothing about the form of real ones
        schema = {key: value for key, value in schema.items() if key not in _FORMS}
    if not all(_is_empty(value) or _fits(value, schema) for value in values):
        return EdgeVerdict(False, f"a value such as {encode(values[0])[:80]} does not fit the parameter")
    if not _is_one_sort(field, slot):
        return EdgeVerdict(
            False, f"returned is a {field.kind}, asked for a {slot.kind}: they do not stand for one thing"
        )
    told, asked = told_meaning(question.source, field), asked_meaning(question.target, question.input)
    said = f"returned is {told.text}, asked for {asked.text}"
    if not is_one(told, asked):
        return EdgeVerdict(False, said)
    if any(is_one(asked_meaning(question.source, own), asked) for own in needed(question.source)):
        return EdgeVerdict(False, f"{said}, which the source asks for too")
    return EdgeVerdict(True, said)


def _is_one_sort(field: GraphField, slot: Slot) -> bool:
    """Whether two values are of one sort and identify something, or are called the same."""
    is_same = field.kind == slot.kind
    if is_same and name_words(field.name) == name_words(slot.name.split(".")[-1]):
        return field.kind != "boolean"
    return {field.kind, slot.kind} <= _IDENTIFYING and (is_same or {field.kind, slot.kind} <= _ALIKE)


def drawn_value(source: Tool, field: GraphField, seed: int) -> Json:
    """Return the value of a field in a result drawn by the schema of the source, narrowed to the way to the field."""
    narrow: dict[str, Json] = field.schema
    for step in reversed(field.place.split("/")[1:]):
        key = step.replace("~1", "/").replace("~0", "~")
        narrow = (
            {"type": "array", "items": narrow, "minItems": 1} if step == "0" else
            {"type": "object", "properties": {key: narrow}, "required": [key]}
        )  # fmt: skip
    tool = msgspec.structs.replace(source, returns=encode(narrow))
    scene = Scene(Random(f"edge {seed}"), bank()[0], _TODAY)
    return resolve(drawing(tool, (), WAYS[0])(scene), field.place)


def _is_empty(value: Json) -> bool:
    """Whether nothing was drawn, since no document says what the field holds."""
    return value is None or value == ""


def _fits(value: Json, schema: dict[str, Json]) -> bool:
    """Whether a caller can give a value: as it is, or a number written as a text and the other way round."""
    if fits_schema(value, encode(schema)):
        return True
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    if type_of(schema) == "string" and not isinstance(value, str):
        return fits_schema(str(value), encode(schema))
    number = as_number(value) if isinstance(value, str) else None
    return number is not None and fits_schema(number, encode(schema))


def as_number(text: str) -> int | float | None:
    """Return the number that a text is; None for any other text."""
    if text.lstrip("-").isdecimal():
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else None


_NUMBER: Final = re.compile(r"-?\d{1,30}\.\d{1,30}", re.ASCII)


def told_meaning(source: Tool, field: GraphField) -> Meaning:
    """Return what an output's name says, with the sort or name of what holds it, else with what its tool is about."""
    holders = [name for name in field.names[:-1] if name.lower() not in WRAPPERS]
    target = target_of(source)
    around = target.named
    if sort := _sort_beside(field):
        around = name_words(sort)
    elif holders and not target.is_about(holders[-1]):
        around = name_words(holders[-1])
    return _meaning(name_words(field.name), around)


def _sort_beside(field: GraphField) -> str:
    """The sort of the object that a field lies in, where a `type` beside it is always the same: `user`."""
    properties = field.holder.get("properties")
    return fixed_value(properties.get("type")) if isinstance(properties, dict) else ""


def asked_meaning(target: Tool, parameter: str) -> Meaning:
    """Return what a parameter's name says, with the segment before it, what it lies in, or what its tool is about."""
    slot = slots(target)[parameter]
    steps = [step for step in parameter.split(".") if not step.isdigit()]
    words = name_words(slot.label or steps[-1])
    return _meaning(words, name_words(steps[-2]) if len(steps) > 1 else target_of(target).named)


def _meaning(words: Sequence[str], around: Sequence[str]) -> Meaning:
    words = [word.lower() for word in words]
    *owner, last = words or ["id"]
    if singular(last) in ID_WORDS or last in ID_WORDS:
        attribute = "id"
    elif last in _ATTRIBUTES:
        attribute = last
    else:
        owner, attribute = words, ""
    return Meaning(tuple(stem(singular(word.lower())) for word in owner or around), attribute)


_ATTRIBUTES: Final = frozenset("key code number name title email url slug phone symbol arn sid".split())


def is_one(told: Meaning, asked: Meaning) -> bool:
    """Return whether two meanings are one: the same attribute of things of one head, one called as much as the other.

    What is called by more words is the same thing: `plan` and `rate plan`; `rate plan` and `data plan` are two.
    """
    attributes = {told.attribute, asked.attribute}
    if len(attributes) > 1 and not attributes <= {"", "id"}:
        return False
    one, other = told.thing, asked.thing
    is_nested = set(one) <= set(other) or set(other) <= set(one)
    return bool(one and other) and ("".join(one) == "".join(other) or (one[-1] == other[-1] and is_nested))

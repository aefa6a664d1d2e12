"""Our criteria for edges: an output supplies an input where both are the same attribute of the same thing.

    same thing      what the fields identify (`identities`), by name, place, schema and description
    same attribute  an identifier is only supplied by an identifier, an email address by an email address
    address         a value that finds things in a path (`/teams/{team}/games`) is supplied by what has its name
    types           equal; or such that a caller converts one without loss, at a lower score
    shapes          fixed beginnings and formats of values that exclude each other are of different values

Values that identify nothing (choices, counts, dates, texts, page marks, secrets) never join tools.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from callwright.environment.tool_target import target_of
from callwright.graph.graph_fields import GraphField, ToolFields
from callwright.graph.identifier_ways import (
    ENTRY,
    beside_data,
    entries,
    is_in_path,
    with_addresses,
    with_other_attributes,
)
from callwright.graph.identities import (
    ATTRIBUTES,
    ID,
    SORTS,
    Identity,
    Reading,
    Senses,
    Thing,
    attribute_of,
    identity,
    named_heads,
    senses,
    thing_of,
    without_contradictions,
)
from callwright.lang.kinds import ID_WORDS, Kind
from callwright.lang.schemas import name_words, plain_schema
from callwright.records.tool import Tool

_JOINING: Final[frozenset[Kind]] = frozenset(("code", "url", "email", "phone", "person", "title", "other"))
"""Kinds of values that can identify something."""
_KNOWN_BY: Final = frozenset(
    "key code number slug name email url handle username login symbol ticker icao iata isbn sku barcode phone hostname "
    "domain subdomain namespace path hash sha arn alias abbreviation".split()
)
"""Attributes other than `id` by which people and services know a thing."""
UNIVERSAL: Final = frozenset(
    "email phone hostname domain subdomain ticker icao iata isbn barcode symbol country currency".split()
)
"""Attributes that mean the same to every service; all others are given by one."""
_CODES: Final = frozenset("vin isin imei isbn upc ean gtin asin doi lei cusip npi duns".split())
"""Names of codes that identify by themselves, wherever a call takes them."""
_SECRETS: Final = frozenset("token secret password passcode passphrase otp nonce signature cursor marker page".split())
_PASSING: Final = _SECRETS | frozenset(
    "offset limit next previous prev client session sequence request trace stream".split()
)
"""Words in names of values that belong to one connection, one request or one page of results."""
_OF_ADDRESSES: Final = frozenset("postal postcode zip zipcode province street city".split())
"""Words in names of parts of addresses, each of which belongs to many."""
_CONVERTED: Final = 0.85
"""The weight of a value that the caller writes as another type."""
_LESS_SURE: Final = 0.9
"""The weight of other attributes beside identifiers."""


class Side(NamedTuple):
    """Fields of one side that the criteria cannot tell apart."""

    identity: Identity
    type: str
    shape: str
    """Pattern and format."""
    fields: tuple[int, ...]
    """Their positions."""


class Fit(NamedTuple):
    """How well an output fits an input, without the likeness of descriptions."""

    score: float
    types: float
    because: str


class ThingsKnown(NamedTuple):
    """What a catalogue tells of its things."""

    acted: Collection[Thing]
    """Things that tools act on."""
    identified: Collection[str]
    """Head nouns of things whose identifiers are returned."""
    addressing: Collection[str]
    """Names of the values in paths that are no identifiers: `team`, `season`, `latitude`."""
    in_paths: Collection[str]
    """Names of all values in paths, in lower case."""


class Sides(NamedTuple):
    """All that can be joined of a catalogue."""

    outputs: tuple[Side, ...]
    inputs: tuple[Side, ...]
    senses: Senses


def sides(fields: ToolFields) -> Sides:
    """Return the fields that can be joined, those that are alike to the criteria together."""
    acted = {thing_of(target_of(tool).named) for tool in fields.tools}
    supplied = [identity(one, fields.tools[one.tool], is_output=True) for one in fields.outputs]
    needed = [identity(one, fields.tools[one.tool], is_output=False) for one in fields.inputs]
    named = named_heads((*supplied, *needed))
    supplied, needed = ([without_contradictions(one, acted, named) for one in those] for those in (supplied, needed))
    supplied, needed = with_addresses(fields, supplied, needed)
    needed = with_other_attributes(fields, needed, supplied, acted)
    known = ThingsKnown(
        acted,
        frozenset(reading.thing[-1] for one in supplied if one.attribute == ID for reading in one.readings),
        frozenset(key for one in fields.inputs if (key := _address(one)) and _finds(one, fields.tools[one.tool])),
        frozenset(one.name.lower() for one in fields.inputs if is_in_path(one, fields.tools[one.tool])),
    )
    given, asked = entries(fields, supplied, needed)
    aside = beside_data(fields)
    supplied = [Identity("", ()) if place in aside else one for place, one in enumerate(supplied)]
    outputs = _grouped(fields.outputs, supplied, known, given, is_input=False)
    inputs = _grouped(fields.inputs, needed, known, asked, is_input=True)
    things = (r.thing for side in (*outputs, *inputs) for r in side.identity.readings)
    return Sides(outputs, inputs, senses(things, acted))


def _grouped(
    those: Sequence[GraphField],
    told: Sequence[Identity],
    known: ThingsKnown,
    listed: Mapping[int, Reading],
    *,
    is_input: bool,
) -> tuple[Side, ...]:
    groups: dict[tuple[Identity, str, str], list[int]] = defaultdict(list)
    for place, (field, plain) in enumerate(zip(those, told, strict=True)):
        meant = _as_reference(field, plain, known.identified) if is_input or _has_shape(field) else plain
        is_plain = _can_join(field, meant, known)
        meant = _as_address(field, meant if is_plain else Identity("", ()), known.addressing)
        if place in listed:
            meant = meant._replace(readings=(*meant.readings, listed[place]))
        if meant.readings:
            schema = plain_schema(field.schema)
            shape = f"{schema.get('pattern', '')} {schema.get('format', '')}"
            groups[meant, field.type, shape].append(place)
    return tuple(Side(*key, tuple(places)) for key, places in groups.items())


_BARE_NAME: Final = "name alone"
"""Where a thing stands that a text refers to without saying how."""
_CHOICE = re.compile(r"\b(?:must be|accepts|one of|either|possible values|valid values)\b", re.IGNORECASE)


def _as_reference(field: GraphField, told: Identity, known: Collection[str]) -> Identity:
    """A text that is called like a thing with identifiers refers to one: `channel`.

    As an output it may hold a name as well as an identifier; only a pattern or a format makes it one.
    """
    thing = thing_of(name_words(field.name))
    is_open = "string" in field.type and field.kind in ("title", "other", "person")
    is_choice = told.attribute in SORTS or _CHOICE.search(field.description)
    if not (thing and is_open and thing[-1] in known) or told.attribute in (ID, *_KNOWN_BY) or is_choice:
        return told
    return Identity(ID, (Reading(thing, _BARE_NAME, _LESS_SURE),))


_CHOSEN: Final[frozenset[Kind]] = frozenset(("date", "datetime", "time", "boolean", "enum", "count", "text", "list"))
"""Kinds of values that a caller chooses, though they stand in a path."""
_OWNED: Final = (ATTRIBUTES - UNIVERSAL) | SORTS | {"value", "version", "index", "size", "width", "height", "text"}
"""Last words of names that say nothing without the thing that has them."""


def _as_address(field: GraphField, told: Identity, addressing: Collection[str]) -> Identity:
    """A field with the name of a value that finds things in a path may be such a value, beside what else it is."""
    key = _address(field)
    if key not in addressing or told.attribute in name_words(field.name)[-1:]:
        return told
    return Identity(told.attribute or ID, (*told.readings, Reading((f"/{key}",), "name", _LESS_SURE, ID)))


def _address(field: GraphField) -> str:
    """The stems of a name that says by itself what a value is; empty where it needs an owner, or finds nothing."""
    words = [word for word in name_words(field.name) if not word.isdigit()]
    if words[-1:] == ["code"]:
        del words[-1]
    if not words or words[-1] in ID_WORDS or words[-1] in _OWNED or field.type not in ("string", "integer", "number"):
        return ""
    return " ".join(thing_of(words)) if (_PASSING | _OF_ADDRESSES).isdisjoint(words) else ""


def _finds(field: GraphField, tool: Tool) -> bool:
    """Whether an input is a path parameter by which a thing is found: no date, number of things, choice or text.

    Or a code that identifies by itself.
    """
    is_code = not _CODES.isdisjoint(name_words(field.name)[-1:])
    return is_code or (is_in_path(field, tool) and field.kind not in _CHOSEN)


def _has_shape(field: GraphField) -> bool:
    return bool({"pattern", "format"} & plain_schema(field.schema).keys())


def _can_join(field: GraphField, told: Identity, known: ThingsKnown) -> bool:
    is_plain = field.type not in ("", "boolean", "array of boolean")
    is_known_by = told.attribute == ID or told.attribute.endswith(f" {ID}") or told.attribute in _KNOWN_BY
    return bool(told.readings) and is_plain and is_known_by and field.kind in _JOINING and _lasts(field, told, known)


def _lasts(field: GraphField, told: Identity, known: ThingsKnown) -> bool:
    """Whether a value means the same in a later call.

    It is of what tools act on, stands in a path, or no word of it says otherwise.
    """
    if _FIXED.search(field.description):
        return False
    if told.attribute == ID and any(one.thing in known.acted for one in told.readings):
        return True
    words = name_words(field.name)
    if field.name.lower() in known.in_paths and len(words) > 1:
        return (_OF_ADDRESSES | _SECRETS).isdisjoint(words)
    return (_PASSING | _OF_ADDRESSES).isdisjoint(words) and words[-2:] != ("user", "agent")


_FIXED = re.compile(r"\b(?:always|must) (?:be )?(?:set to )?[\"'`“]", re.IGNORECASE)
"""What says that a value is always the same."""


def candidates(found: Sides) -> Iterator[tuple[Side, int]]:
    """Yield the outputs and positions of inputs that share an attribute and the head of a thing.

    All other pairs are of different things.
    """
    for output, places in _sharing(found.outputs, found.inputs):
        yield from ((output, place) for place in places)


def tools_needing(fields: ToolFields, found: Sides) -> list[frozenset[int]]:
    """Return for each input the positions of the tools that need the same attribute of the same thing.

    Fields that identify nothing are the same where they have the same name.
    """
    by_name: dict[str, set[int]] = defaultdict(set)
    for field in fields.inputs:
        by_name[field.name.lower()].add(field.tool)
    same_name = {name: frozenset(tools) for name, tools in by_name.items()}
    needing = [same_name[field.name.lower()] for field in fields.inputs]
    for one, places in _sharing(found.inputs, found.inputs):
        equal = (found.inputs[place] for place in places if likeness_of(one, found.inputs[place], found.senses).score)
        tools = frozenset(fields.inputs[field].tool for side in equal for field in side.fields)
        for place in one.fields:
            needing[place] = tools
    return needing


def _sharing(ones: Sequence[Side], others: Sequence[Side]) -> Iterator[tuple[Side, list[int]]]:
    by_head: dict[tuple[str, str], set[int]] = defaultdict(set)
    for place, side in enumerate(others):
        for key in _keys(side):
            by_head[key].add(place)
    for side in ones:
        yield side, sorted({place for key in _keys(side) for place in by_head.get(key, ())})


def shares_key(one: Side, other: Side) -> bool:
    """Return whether two sides share an attribute and the head of a thing (see `candidates`)."""
    return not set(_keys(one)).isdisjoint(_keys(other))


def _keys(side: Side) -> Iterator[tuple[str, str]]:
    for reading in side.identity.readings:
        attribute = attribute_of(side.identity, reading)
        yield attribute, reading.thing[-1]
        yield attribute, "".join(reading.thing)


class SameThing(NamedTuple):
    """How surely two sides are of one thing, from 0 to 1, and by which readings."""

    score: float
    one: Reading
    other: Reading


def likeness_of(one: Side, other: Side, told: Senses) -> SameThing:
    """Return how surely two sides of one attribute are of one thing, by their best readings."""
    is_one_shape = one.shape == other.shape and bool(_BEGINNING.match(one.shape))
    pairs = (
        SameThing(
            told.match(first.thing, second.thing, is_one_shape=is_one_shape) * first.weight * second.weight,
            first,
            second,
        )
        for first in one.identity.readings
        for second in other.identity.readings
        if attribute_of(one.identity, first) == attribute_of(other.identity, second)
    )
    none = SameThing(0.0, one.identity.readings[0], other.identity.readings[0])
    return max(pairs, key=lambda pair: pair.score, default=none)


def fit(output: Side, input_: Side, told: Senses) -> Fit | str:
    """Return how well two sides fit, or why they do not: `another_thing`, `type` or `shape`."""
    same = likeness_of(output, input_, told)
    if not same.score:
        return "another_thing"
    types = type_fit(output.type, input_.type)
    if not types or (types < 1 and _BARE_NAME in (same.one.by, same.other.by)):
        return "type"
    if _shapes_differ(output.shape, input_.shape):
        return "shape"
    attribute = attribute_of(output.identity, same.one)
    share = 1.0 if attribute in (ID, ENTRY) else _LESS_SURE
    return Fit(same.score * types * share, types, _because(attribute, same))


def type_fit(output: str, input_: str) -> float:
    """Return from 0 to 1 how well a value of one type does as another; a whole number is a number.

    >>> type_fit("string", "string"), type_fit("integer", "string"), type_fit("string", "array of string")
    (1.0, 0.85, 0.0)
    """
    if output == input_ or (output, input_) == ("integer", "number"):
        return 1.0
    return _CONVERTED if {output, input_} <= {"string", "integer", "number"} and "" not in (output, input_) else 0.0


_BEGINNING = re.compile(r"\^?\(?([A-Za-z]{1,12}[-_]?)(?=[\[\\(])")


def _shapes_differ(one: str, other: str) -> bool:
    """Whether values of these shapes have different fixed beginnings, or one is a UUID and the other is not."""
    first, second = _BEGINNING.match(one), _BEGINNING.match(other)
    if first and second and one.startswith("^") and other.startswith("^"):
        return first[1] != second[1]
    return False


def _because(attribute: str, same: SameThing) -> str:
    def told(reading: Reading) -> str:
        return f"{' '.join(reading.thing)} (by its {reading.by})"

    return f"both are the {attribute} of one thing: the output of {told(same.one)}, the input of {told(same.other)}"

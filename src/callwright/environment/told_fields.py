"""Which fields of a result are told: those that its schema requires, and of the others the few that a reader needs.

    thing    identifier, name or the thing itself (the `domain` of an allowed domain), state, the days on which it was
             made and changed, one amount, what it belongs to
    item     identifier, name, state, what it belongs to
    reply    what holds the answer, that the call was a success, and counts
    part     its identifier

Where that tells nothing, as of a forecast, the first measures are told; of an act, the first fields of which the
document has an example. What a call gives, and what is known of a thing, is laid over later (`echoes`). No other field
is: it could only be made up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from callwright.author.value_makers import is_good_state, is_of_unknown_meaning
from callwright.author.value_subject import subject_of
from callwright.environment.tool_target import (
    WRAPPERS,
    Role,
    ToolTarget,
    holder_of,
    is_aside,
    own_field,
    role_inside,
    shape_of_schema,
)
from callwright.lang.kinds import ID_WORDS, Kind, kind_of
from callwright.lang.lexicon import word_set
from callwright.lang.schemas import example_values, name_words, options_of, plain_schema, singular, type_of
from callwright.lang.tokens import stem, stem_set
from callwright.records.jsontext import Json

STATES = frozenset(("status", "state"))
SUCCESS = stem_set("ok success successful succeeded")
COUNTS = frozenset("total count".split())
BEGINS = stem_set("created creation added joined registered opened submitted uploaded issued inserted")
CHANGED = stem_set("updated modified changed edited")
_NAMES = ("name", "title", "label")
_AMOUNTS = ("total", "amount", "price", "balance", "cost", "fee", "salary")
_NO_OWNERS = stem_set("external previous next last first parent client custom legacy remote default source created")
"""First words of references that a thing need not have."""
_MEASURES: frozenset[Kind] = frozenset(
    ("money", "percent", "number", "count", "date", "time", "year", "city", "country", "currency", "language", "enum")
)
_PLACES: frozenset[Kind] = frozenset(("city", "country"))
"""Kinds of what cannot be made up of a place: the capital of a country."""
_MOST_MEASURES = 3
_ENOUGH = {"thing": 3, "item": 2}
"""Fields beside identifiers that answer a question about a thing."""
_DEEPEST = 3
_MOST_OWNERS = 3


class Spot(NamedTuple):
    """Where an object stands in a result."""

    role: Role
    holder: str
    target: ToolTarget
    is_within: bool = False
    """Whether it is a part of the thing that tells of it, as `attributes` do: no list in it is the answer."""

    def inside(self, name: str, held: str, schema: Json) -> Spot:
        """Return where a field of the object stands: a plain value where the object does."""
        if type_of(plain_schema(schema)) not in ("object", "array"):
            return self
        role = role_inside(self.role, name, held, shape_of_schema(schema), self.target)
        noun = self.target.noun if role == "thing" or name.lower() in WRAPPERS else singular(name)
        return Spot(role, noun, self.target, is_within=role == self.role != "reply")


def spot_of(spot: Spot, properties: Mapping[str, Json]) -> tuple[Spot, str]:
    """Return where an object stands, and the field of it that holds what the result is about."""
    shapes = {name: shape_of_schema(one) for name, one in properties.items()}
    held = holder_of(shapes, spot.target) if spot.role == "thing" and not spot.is_within else ""
    return spot._replace(role="reply") if held else spot, held


def told_fields(schema: Mapping[str, Json], spot: Spot, held: str) -> tuple[str, ...]:
    """Return the names of the fields that are told of an object, in the order of its schema."""
    found = schema.get("properties")
    properties = {name: plain_schema(one) for name, one in found.items()} if isinstance(found, dict) else {}
    needed = required_of(schema)
    told = {*needed, *_wanted(properties, spot, held)} - {""}
    if spot.role != "reply":
        told |= set(_contents(properties, told, spot))
    if spot.role == "thing" and not told:
        told |= set(_spare(properties, spot))
    if any(is_axis(name) for name in told):  # half a place is none
        told |= {name for name in properties if is_axis(name)}
    return (*(name for name in properties if name in told), *(name for name in needed if name not in properties))


def _spare(properties: Mapping[str, dict[str, Json]], spot: Spot) -> list[str]:
    """Fields of a thing of which nothing else is told; after an act those that its document shows by an example."""
    spare = [name for name in properties if not is_noise(name)]
    if spot.target.act not in ("read", "list"):
        return [name for name in spare if example_values(properties[name])][:_MOST_MEASURES]
    known = [name for name in spare if kind_of(name, properties[name]) != "text"]
    return (known or spare)[:_MOST_MEASURES]


def is_axis(name: str) -> bool:
    """Whether a field is a latitude or a longitude."""
    return name_words(name)[-1:] in (("latitude",), ("longitude",), ("lat",), ("lon",), ("lng",))


def required_of(schema: Mapping[str, Json]) -> list[str]:
    """Return the names that a schema requires."""
    listed = schema.get("required")
    return list(dict.fromkeys(key for key in listed if isinstance(key, str))) if isinstance(listed, list) else []


def _wanted(properties: Mapping[str, dict[str, Json]], spot: Spot, held: str) -> Iterator[str]:
    words = {name: name_words(name) for name, one in properties.items() if name_words(name)}
    scalar = {name: one for name, one in words.items() if type_of(properties[name]) not in ("object", "array")}
    if spot.role == "reply":
        yield held
        yield from (n for n, one in scalar.items() if stem(one[-1]) in SUCCESS and type_of(properties[n]) == "boolean")
        if shape_of_schema(properties.get(held)) == "objects":
            yield from (n for n, one in scalar.items() if one[-1] in COUNTS and type_of(properties[n]) == "integer")
        return
    yield own_field(scalar, spot.holder, spot.target.own if spot.role == "thing" else "")
    if spot.role == "part":
        return
    named = [name for name, one in scalar.items() if is_name(one, spot.target.noun) and not _is_measured(spot)]
    yield from _first(sorted(named, key=lambda name: _place_of_name(words[name])))
    yield from _first(n for n, one in scalar.items() if not named and _is_itself(n, one, properties[n], spot))
    if not any(is_name(one, spot.target.noun) for one in scalar.values()):
        yield from (n for n, one in scalar.items() if one in (("first", "name"), ("last", "name"), ("full", "name")))
    own = {n: one for n, one in scalar.items() if len(one) == 1 or stem(one[-2]) == stem(spot.target.noun)}
    own = {} if is_address(properties) else own
    if spot.target.act != "delete":  # what is gone has no state
        yield from _first(n for n, one in own.items() if one[-1] in STATES and _may_be_well(properties[n]))
    if spot.target.act in ("read", "list"):  # after an act it would have to follow from what was written
        yield from _first(
            n for n, one in scalar.items() if one[-1] in _AMOUNTS and kind_of(n, properties[n]) == "money"
        )
    yield from (n for n, one in scalar.items() if one[0] == "currency")
    yield from _owners(scalar, spot)
    if spot.target.act in ("create", "change", "delete"):
        yield from (n for n, one in scalar.items() if stem(one[-1]) in SUCCESS and type_of(properties[n]) == "boolean")
    done = stem(spot.target.verb)
    yield from (n for n, one in scalar.items() if done in map(stem, one) and type_of(properties[n]) == "boolean")
    if spot.role == "thing":
        for known in (BEGINS, CHANGED):
            yield from _first(n for n, one in scalar.items() if is_moment_of(one, known))
        yield from _parts(properties)


def _is_itself(name: str, words: tuple[str, ...], schema: dict[str, Json], spot: Spot) -> bool:
    """Whether a field is the very thing that the tool is about: the `domain` of an allowed domain."""
    target = spot.target
    heads = {stem(one) for one in (target.noun, *target.said[-1:])}
    known = {stem(one) for one in (*target.named, *target.said)}
    is_asked = "".join(words) == "".join(target.said)  # the `zipCode` of a city
    is_shown = kind_of(name, schema) != "code" or bool(example_values(schema)) or is_asked  # else it is any number
    is_text = type_of(schema) == "string" and is_shown and not is_noise(name)
    is_named = stem(words[-1]) in heads and known.issuperset(map(stem, words))
    return is_text and (is_named or is_asked)


def _may_be_well(schema: dict[str, Json]) -> bool:
    """Whether a state is a text that may say that nothing went wrong and nothing has ended."""
    options = options_of(schema)
    good = (is_good_state(str(one)) for one in options)
    return type_of(schema) == "string" and (not options or any(good))


def _is_measured(spot: Spot) -> bool:
    """Whether an object tells of an aspect of something: an occupancy has no name."""
    return spot.role == "thing" and spot.target.noun in word_set("aspects")


def is_address(names: Iterable[str]) -> bool:
    """Whether an object is an address, whose `state` is a region."""
    return not _OF_ADDRESS.isdisjoint(word for name in names for word in name_words(name))


_OF_ADDRESS = frozenset("street zip postcode postal city".split())


def _first(names: Iterable[str]) -> list[str]:
    return list(names)[:1]


def is_moment_of(words: tuple[str, ...], done: frozenset[str]) -> bool:
    """Whether a field says when something was done: `created_at`, `dateCreated`, `updated`."""
    rest = act_of_moment(words)
    is_act = len(words) > 1 or (bool(words) and words[0].endswith(("ed", "ion")))  # a `change` in percent is none
    return is_act and len(rest) == 1 and rest <= done


def is_moment_within(words: tuple[str, ...], done: frozenset[str]) -> bool:
    """Whether a field says when something of a thing was done: `active_session_created_at` of a runner."""
    is_moment = len(words) > 1 and not _OF_MOMENT.isdisjoint((words[0], words[-1]))
    return is_moment and not done.isdisjoint(act_of_moment(words))


def act_of_moment(words: tuple[str, ...]) -> frozenset[str]:
    """The stems of what a moment is one of: `published_at` and `published_timestamp` are the same."""
    return frozenset(stem(word) for word in words if word not in _OF_MOMENT)


_OF_MOMENT = frozenset("at on date time utc datetime timestamp".split())


def _place_of_name(words: tuple[str, ...]) -> tuple[int, int]:
    return len(words), _NAMES.index(words[-1]) if words[-1] in _NAMES else 0


def is_name(words: tuple[str, ...], noun: str) -> bool:
    if words in _FILE_NAMES and noun in _FILES:
        return True
    if not 0 < len(words) < 3 or words[-1] not in _NAMES:
        return False
    return len(words) == 1 or words[-2] in ("display", "friendly") or stem(words[-2]) == stem(noun)


_FILE_NAMES = (("file", "name"), ("filename",))
_FILES = frozenset("file attachment document image photo picture video recording upload".split())
"""Things that are called as their file is."""


def _owners(scalar: Mapping[str, tuple[str, ...]], spot: Spot) -> list[str]:
    """Identifiers of what the thing belongs to."""
    most = _MOST_OWNERS if spot.role == "thing" else 1
    names = [name for name, one in scalar.items() if len(one) > 1 and one[-1] in ID_WORDS and not is_noise(name)]
    return [n for n in names if not scalar[n][-2].endswith("ed") and stem(scalar[n][0]) not in _NO_OWNERS][:most]


def _parts(properties: Mapping[str, dict[str, Json]]) -> list[str]:
    """Objects with an identifier that a thing belongs to: `project`, not `deleted_by`."""
    found = []
    for name, one in properties.items():
        inner, words = one.get("properties"), name_words(name)
        is_owner = (
            bool(words) and words[-1] != "by" and words[-1] == singular(words[-1]) and stem(words[0]) not in _NO_OWNERS
        )
        known = [n for n, field in inner.items() if not shape_of_schema(field)] if isinstance(inner, dict) else []
        if is_owner and type_of(one) == "object" and own_field(known, name):
            found.append(name)
    return found[:1]


def _contents(properties: Mapping[str, dict[str, Json]], told: set[str], spot: Spot) -> list[str]:
    """Further fields of a thing of which neither name nor amount is told; else the first object in it.

    They could only be made up: where something is known of a thing, nothing is added.
    """
    is_answer = spot.target.act in ("read", "list")
    wanted = _ENOUGH.get(spot.role, int(not told)) if is_answer or spot.role == "part" else 0
    news = [name for name in told & properties.keys() if name_words(name) not in spot.target.given]
    known_of = [name for name in news if _is_content(name, properties[name])]
    is_state = bool(known_of) and all(_ends_in(name, STATES) for name in known_of)
    lacking = (1 if known_of else wanted) - len([name for name in known_of if not _ends_in(name, STATES)])
    spare = [name for name, one in properties.items() if name not in told and _is_content(name, one)]
    spare = [name for name in spare if not (_is_measured(spot) and is_name(name_words(name), spot.target.noun))]
    known = {name: kind_of(name, properties[name]) for name in spare}
    barred = _PLACES if kind_of(spot.target.noun, {"type": "string"}) in _PLACES else frozenset[str]()
    spare = [n for n in spare if known[n] not in barred and (is_answer or not _ends_in(n, STATES))]
    holder = frozenset(name_words(spot.holder)[-1:])
    spare = [n for n in spare if known[n] in _MEASURES or _is_known_text(n, properties[n], known[n], holder)]
    spare.sort(key=lambda name: (known[name] not in _MEASURES, known[name] == "text"))
    if is_state:  # a second outcome may not go with the first
        spare = [name for name in spare if known[name] != "enum"]
    found = spare[: max(lacking, 0)]
    is_told = any(_is_content(name, properties[name]) for name in told & properties.keys())
    is_enough = bool(found) or (is_told and not is_state) or not is_answer
    return found if is_enough else _inner(properties, told)[: max(lacking, 0)]


def _ends_in(name: str, words: frozenset[str]) -> bool:
    return not words.isdisjoint(name_words(name)[-1:])  # a name of signs alone has no words


def _is_known_text(name: str, schema: dict[str, Json], kind: Kind, holder: frozenset[str]) -> bool:
    """Whether something tells what a text says: a description could be about anything, a message is its text."""
    is_said = _ends_in(name, _SAID) and not {singular(word) for word in holder}.isdisjoint(_SAYINGS)
    if kind in ("text", "code") and not (is_said or example_values(schema)):
        return False
    alone = {key: one for key, one in schema.items() if key != "description"}
    return not is_of_unknown_meaning(subject_of(name, alone, about=""))


_SAID = frozenset("body text content message comment note question answer".split())
_SAYINGS = _SAID | frozenset("sms email mail post reply review letter tweet translation string".split())
"""Things that are texts themselves."""


def _inner(properties: Mapping[str, dict[str, Json]], told: set[str]) -> list[str]:
    """The first object or list that has content of its own."""
    held = [name for name, one in properties.items() if name not in told and not is_aside(name) and not is_noise(name)]
    return [name for name in held if _holds(properties[name], 0)][:1]


def _holds(schema: Json, depth: int) -> bool:
    plain = plain_schema(schema)
    if type_of(plain) == "array":
        return type_of(plain_schema(plain.get("items"))) == "string" or _holds(plain.get("items"), depth + 1)
    found = plain.get("properties")
    inner = found if isinstance(found, dict) and depth < _DEEPEST else {}
    return any(_is_content(name, plain_schema(one)) or _holds(one, depth + 1) for name, one in inner.items())


def _is_content(name: str, schema: Mapping[str, Json]) -> bool:
    """Whether a field says something of a thing: no identifier, no yes or no, nothing of what went wrong."""
    is_plain = type_of(dict(schema)) in ("string", "integer", "number")
    return is_plain and not is_reference(name) and not is_noise(name)


def is_reference(name: str) -> bool:
    """Whether a field identifies something."""
    return not ID_WORDS.isdisjoint(name_words(name)[-1:])


_NOISE = stem_set(
    "error errors warning warnings failure reason deleted trashed archived type kind object href rel method page limit "
    "offset cursor token secret password etag version revision position order priority sequence "
    "marker"
)


def is_noise(name: str) -> bool:
    """Whether a field tells a reader nothing, or of something that went wrong."""
    return not _NOISE.isdisjoint(map(stem, name_words(name)))

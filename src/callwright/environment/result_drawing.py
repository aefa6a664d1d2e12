"""Drawing what a tool returns: a value that keeps to its result schema, and is one of people's where that leaves room.

A schema is drawn in several ways, tried in turn: by the first alternative with all fields, by the first with required
fields only, then by the next. Whether a value fits is the validator's word; after the last way the schema counts as one
that nothing can be drawn for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from itertools import takewhile
from random import Random
from typing import NamedTuple

from callwright.author.personas import bank
from callwright.author.value_bank import general, names_of
from callwright.author.value_makers import maker_of
from callwright.author.value_scene import Scene
from callwright.author.value_subject import subject_of
from callwright.environment.feeding import outputs
from callwright.environment.returns import action_of, identity_of
from callwright.environment.tool_target import WRAPPERS
from callwright.lang.gazetteer import countries
from callwright.lang.kinds import kind_of
from callwright.lang.patterns import draw_from, is_match, parse_pattern
from callwright.lang.schemas import example_values, name_words, plain_schema, singular, type_of, type_of_value
from callwright.lang.tokens import stem, stem_set
from callwright.match.schema import fits_returns
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.tool import Tool

Draw = Callable[[Scene], Json]

MAX_DEPTH = 6
"""Depth from which on only required fields are drawn; twice as deep nothing is."""

MAX_ITEMS = 60
"""Most items drawn for a list that demands many."""

ALTERNATIVES = 4
"""Alternatives of a schema that are tried."""

Forms = tuple[tuple[str, JsonText], ...]
"""Names of result fields, each with the schema of a parameter that takes such a value."""


class Way(NamedTuple):
    """One way to draw by a schema."""

    alternative: int
    """Which of `anyOf` and `oneOf`, from the front and round again."""
    is_full: bool
    """Whether fields that are not required are drawn too."""


WAYS = tuple(Way(alternative, is_full) for alternative in range(ALTERNATIVES) for is_full in (True, False))


def ways_of(tool: Tool) -> tuple[Way, ...]:
    """Return the ways to try; one is enough where a result schema was inferred, which has no alternatives."""
    return WAYS[:1] if tool.returns_inferred else WAYS


@lru_cache(maxsize=16384)
def is_drawable(tool: Tool) -> bool:
    """Whether some way gives a result that fits what the tool says it returns, for three drawings out of three."""
    drawn = (_first_fitting(tool, Scene(Random(seed), bank()[0], date(2026, 5, 4))) for seed in range(3))
    return len(list(takewhile(bool, drawn))) == 3


def _first_fitting(tool: Tool, scene: Scene) -> bool:
    return any(fits_returns(drawing(tool, (), way)(scene), tool) for way in ways_of(tool))


@lru_cache(maxsize=65536)
def forms_of(tool: Tool, others: tuple[Tool, ...]) -> Forms:
    """Return what other tools say of the form of the identifiers that a tool returns."""
    asked = {identity_of(one, name): one.properties[name] for one in reversed(others) for name in one.required}
    told = sorted(outputs(tool), key=lambda output: -len(output.path))
    fields = {output.name: output.identity for output in told if output.kind == "code"}
    return tuple((name, encode(asked[identity])) for name, identity in fields.items() if identity in asked)


@lru_cache(maxsize=16384)
def drawing(tool: Tool, forms: Forms, way: Way = WAYS[0]) -> Draw:
    """Return how a tool's results are drawn; makers are built once for each tool."""
    schema = decode(tool.returns) if tool.returns is not None else {"type": "object", "properties": {}}
    about = f"{' '.join(name_words(tool.name))} {tool.description[:300]}".lower()
    noun = action_of(tool)[1].lower()
    return _Drawer(about, {name: decode(form) for name, form in forms}, way, noun).draw("result", schema, 0)


_SHAPING = frozenset(("pattern", "enum", "format", "examples"))


class _Drawer:
    """Builds the drawings of one tool's schema."""

    def __init__(self, about: str, forms: Mapping[str, Json], way: Way, noun: str) -> None:
        self.about = about
        self.forms = forms
        self.way = way
        self.noun = noun

    def draw(self, name: str, document: Json, depth: int) -> Draw:
        """Return how to draw a value of a schema for a field of this name."""
        if not isinstance(document, dict) or depth > 2 * MAX_DEPTH:
            return lambda scene: None
        schema = plain_schema(document, self.way.alternative)
        if "const" in schema:
            return lambda scene: schema["const"]
        if schema.get("type") in ("null", ["null"]):
            return lambda scene: None
        shape = "array" if "prefixItems" in schema and "type" not in schema else type_of(schema)
        if isinstance(schema.get("enum"), list) and shape != "string":
            return _choosing([one for one in schema["enum"] if shape in ("", type_of_value(one))] or schema["enum"])
        if shape == "object":
            return self._object(name, schema, depth)
        if shape == "array":
            return self._array(name, schema, depth)
        return self._scalar(name, schema, shape)

    def _object(self, name: str, schema: dict[str, Json], depth: int) -> Draw:
        """All fields, or the required ones; a map of names that are not given stays empty unless it must not."""
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        listed = schema.get("required")
        required = [key for key in listed if isinstance(key, str)] if isinstance(listed, list) else []
        rest = schema.get("additionalProperties", {})
        wanted = list(properties) if self.way.is_full and depth <= MAX_DEPTH else []
        least = schema.get("minProperties")
        names = list(dict.fromkeys((*wanted, *required)))
        if isinstance(least, int):
            spare = (*properties, *(f"{word.lower()}" for word in general("titles")))
            names = list(dict.fromkeys((*names, *spare)))[: max(len(names), min(least, MAX_ITEMS))]
        fields = {key: self.draw(key, properties.get(key, rest or {"type": "string"}), depth + 1) for key in names}
        for key in fields:
            if name_words(key) in _SORTS and _is_free(properties.get(key), _SHOWN):
                fields[key] = self._sort(name, properties.get(key))
        naming = next((key for key in ("name", "title") if key in fields and _is_free(properties.get(key))), None)
        if naming is not None and depth:
            fields[naming] = self._named(name, fields[naming])
        return lambda scene: {key: draw(scene) for key, draw in fields.items()}

    def _sort(self, holder: str, schema: Json) -> Draw:
        """Return how to draw what sort of thing an object is: its document's example, or the noun of what holds it."""
        shown = [one for one in example_values(plain_schema(schema)) if isinstance(one, str) and one]
        is_own = holder == "result" or holder.lower() in WRAPPERS
        words = self.noun.split() if is_own else list(name_words(holder))
        noun = "_".join((*words[:-1], singular(words[-1]))) if words else "object"
        return lambda scene: shown[0] if shown else noun

    def _named(self, holder: str, otherwise: Draw) -> Draw:
        """Return how to draw the name of one of the things that a field holds: of persons and places by kind."""
        words = name_words(holder)
        if not words or stem(words[-1]) in _UNTELLING:
            return otherwise
        thing = singular(words[-1])
        kind = kind_of("_".join((*words[:-1], thing)), {"type": "string"})
        if kind == "country":
            return lambda scene: scene.rng.choice(countries()).name
        if kind in ("person", "city"):
            return maker_of(subject_of(thing, {"type": "string"}, about=self.about))
        listed = names_of(thing, self.about) or tuple(f"{thing.capitalize()} {letter}" for letter in "ABCDEFGH")
        return _choosing(list(listed))

    def _array(self, name: str, schema: dict[str, Json], depth: int) -> Draw:
        prefix, items = schema.get("prefixItems"), schema.get("items", {})
        first = [self.draw(name, one, depth + 1) for one in prefix] if isinstance(prefix, list) else []
        least, most = _whole(schema.get("minItems")), _whole(schema.get("maxItems"))
        is_bare = items in ({}, True) and not least
        if items is False or (first and is_bare) or (depth >= MAX_DEPTH and not least):
            return lambda scene: [draw(scene) for draw in first[:most]]
        described = schema.get("description", "")
        of_one = {"type": "string", "description": described} | (items if isinstance(items, dict) else {})
        if isinstance(items, dict) and items and "type" not in items:
            of_one = {"description": described, **items}
        draw, unique = self.draw(name, of_one, depth + 1), schema.get("uniqueItems") is True
        usual = (2, 4) if "properties" in plain_schema(of_one, self.way.alternative) else (1, 3)
        high = max(least or 0, min(usual[1], usual[1] if most is None else most))
        low = min(high, usual[0] if least is None else least)
        return _listing(first, draw, min(low, MAX_ITEMS), min(high, MAX_ITEMS), is_unique=unique)

    def _scalar(self, name: str, schema: dict[str, Json], shape: str) -> Draw:
        low, high = schema.get("minimum"), schema.get("maximum")
        is_open = schema.keys().isdisjoint(("enum", "multipleOf"))
        if is_open and isinstance(low, (int, float)) and isinstance(high, (int, float)):
            return _between(low, high, whole=shape == "integer")
        if shape in ("integer", "number") and is_open and _is_moment(name):
            schema = {**schema, "format": "unix-time"}
        form = self.forms.get(name)
        if isinstance(form, dict) and type_of(form) == shape and _SHAPING.isdisjoint(schema):
            schema = {**form, **schema}
        return _shaped(maker_of(subject_of(name, schema, about=self.about)), schema, shape)


_SORTS = frozenset((("type",), ("kind",), ("object",), ("resource", "type"), ("object", "type"), ("entity", "type")))
"""Words of fields that say what sort of thing an object is."""
_MOMENTS = frozenset(("at", "ts", "timestamp"))


def _is_moment(name: str) -> bool:
    words = name_words(name)
    return bool(words) and (words[-1] in _MOMENTS or words[0] == "date")


_UNTELLING = stem_set("item entry result content data information info")
"""Things whose names the rest of the tool's text tells better."""


_SHOWN = frozenset(("example", "examples"))


def _is_free(schema: Json, beside: frozenset[str] = frozenset()) -> bool:
    plain = plain_schema(schema)
    return type_of(plain) == "string" and plain.keys() - beside <= {"type", "description", "title"}


def _whole(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _choosing(options: list[Json]) -> Draw:
    return lambda scene: scene.rng.choice(options)


def _between(low: float, high: float, *, whole: bool) -> Draw:
    def draw(scene: Scene) -> Json:
        drawn = low + (high - low) * scene.rng.random()
        return round(drawn) if whole else min(max(round(drawn, 1), low), high)

    return draw


def _shaped(make: Draw, schema: Mapping[str, Json], shape: str) -> Draw:
    """Hold a value to the type and the pattern of its field: a number that is a code in people's eyes is a number."""
    pattern = parse_pattern(schema["pattern"]) if isinstance(schema.get("pattern"), str) else None
    by_chance = _between(1, 900, whole=shape == "integer")

    def draw(scene: Scene) -> Json:
        value = make(scene)
        if shape in ("integer", "number") and type_of_value(value) not in ("integer", "number"):
            return by_chance(scene)
        if shape == "string" and not isinstance(value, str):
            value = encode(value)
        if pattern is not None and isinstance(value, str) and not is_match(pattern, value):
            return draw_from(pattern, scene.rng)
        return value

    return draw


def _listing(first: list[Draw], draw: Draw, low: int, high: int, *, is_unique: bool) -> Draw:
    """Return how to draw a list, no two of its items of one name or identifier if it can be helped."""

    def items(scene: Scene) -> Json:
        found: list[Json] = [one(scene) for one in first]
        count = max(0, scene.rng.randint(low, high) - len(found))
        spare: list[Json] = []
        for item in _distinct(draw, scene, count, found, spare):
            found.append(item)
        lacking = max(0, low - len(found))
        return [*found, *([one for one in spare if one not in found] if is_unique else spare)[:lacking]]

    return items


def _distinct(draw: Draw, scene: Scene, count: int, found: list[Json], spare: list[Json]) -> Iterator[Json]:
    """Yield `count` new items if so many can be drawn; those too like another go to `spare`."""
    given = 0
    for _ in range(count * 6):
        if given == count:
            return
        item = draw(scene)
        if any(_is_twin(item, other) for other in found):
            spare.append(item)
        else:
            given += 1
            yield item


def _is_twin(one: Json, other: Json) -> bool:
    if one == other or not isinstance(one, dict) or not isinstance(other, dict):
        return bool(one == other)
    telling = [key for key in one if key in ("name", "title", "text") or key.endswith("id")]
    return any(key in other and one[key] == other[key] for key in telling)

"""The tool environment: results that fit each tool's result schema, the same for the same seed, with a memory.

What a call creates is found by later calls of the same world: by those that list such things, and by those that are
given its identifier. What is deleted is gone, and what is changed stays changed. `call` only looks; `keep` makes what a
call did lasting, so that a planner may look ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from datetime import date
from functools import lru_cache

from callwright.author.value_makers import maker_of
from callwright.author.value_scene import Scene
from callwright.author.value_subject import subject_of
from callwright.catalog.feeding import outputs
from callwright.catalog.returns import CHANGES, CREATES, action_of, identity_of
from callwright.engine.randomness import stream
from callwright.lang.schemas import name_words, type_of
from callwright.match.schema import fits_returns
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.persona import Persona
from callwright.records.tool import Tool

Identity = tuple[frozenset[str], str]
Draw = Callable[[Scene], Json]

MAX_DEPTH = 6
"""Deepest result drawn."""


class ToolWorld:
    """What tools return in one session."""

    def __init__(
        self, *, seed: int, item: str, today: date, persona: Persona, tools: tuple[Tool, ...] = ()
    ) -> None:
        """`tools` are those beside it: what one returns has the form in which the others ask for it."""
        self._seed = seed
        self._tools = tools
        self._item = item
        self._today = today
        self._persona = persona
        self._things: dict[tuple[Identity, JsonText], dict[str, Json]] = {}
        """What was created or changed: identifier to its fields."""
        self._gone: set[tuple[Identity, JsonText]] = set()

    def fork(self) -> ToolWorld:
        """Return a world that remembers the same and goes its own way from here."""
        other = copy(self)
        other._things, other._gone = dict(self._things), set(self._gone)
        return other

    def call(self, tool: Tool, arguments: Mapping[str, Json]) -> Result:
        """Return what the tool returns for these arguments; an error for a thing that was deleted."""
        known = _identities(tool, arguments)
        if any(one in self._gone for one in known):
            return Result(error=f"no such {action_of(tool)[1]}")
        rng = stream(self._seed, self._item, f"world/{tool.key}/{encode(dict(arguments))}", 0)
        value = _drawing(tool, _forms(tool, self._tools))(Scene(rng, self._persona, self._today))
        plain = encode(value)
        if not isinstance(value, dict):
            return Result(value=plain)
        _echo(tool, value, arguments)
        self._list_created(tool, value)
        for one in known:
            _remember_into(value, self._things.get(one, {}))
        return Result(value=encode(value) if fits_returns(value, tool) else plain)

    def keep(self, tool: Tool, arguments: Mapping[str, Json], result: Result) -> None:
        """Make lasting what a call did: what it created, changed or deleted."""
        if result.value is None:
            return
        verb, known = action_of(tool)[0], _identities(tool, arguments)
        named = [one for one in known if one[0][1] == "id"]
        if verb in ("delete", "remove", "cancel"):
            self._gone |= set(named)
        elif verb in CREATES:
            value = decode(result.value)
            made = [(identity_of(tool, name), encode(one)) for name, one in value.items()]
            self._things |= {one: {**arguments, **value} for one in made if one[0][1] == "id"}
        elif verb in CHANGES:
            self._things |= {one: {**self._things.get(one, {}), **arguments} for one in named}

    def _list_created(self, tool: Tool, value: dict[str, Json]) -> None:
        """A thing created earlier stands first in a list of such things."""
        for items in value.values():
            if not isinstance(items, list) or not items or not isinstance(items[0], dict):
                continue
            identities = {identity_of(tool, field): field for field in items[0]}
            for (identity, text), thing in self._things.items():
                if identity in identities and (identity, text) not in self._gone:
                    _remember_into(items[0], {**thing, identities[identity]: decode(text)})
                    break


def _identities(tool: Tool, arguments: Mapping[str, Json]) -> list[tuple[Identity, JsonText]]:
    return [(identity_of(tool, name), encode(value)) for name, value in arguments.items()]


def _remember_into(value: dict[str, Json], thing: Mapping[str, Json]) -> None:
    """What is known of a thing takes the place of what was drawn, where the type agrees."""
    by_words = {name_words(name): made for name, made in thing.items()}
    for name, drawn in value.items():
        made = by_words.get(name_words(name))
        if made is not None and type(made) is type(drawn) and name != "status":
            value[name] = made


def _echo(tool: Tool, value: dict[str, Json], arguments: Mapping[str, Json]) -> None:
    """A field that a parameter is named like holds what was asked for."""
    schema = decode(tool.returns) if tool.returns is not None else {}
    fields = schema.get("properties", {}) if isinstance(schema, dict) else {}
    plain = {name: one for name, one in value.items() if not isinstance(one, (list, dict))}
    _remember_into(plain, {name: given for name, given in arguments.items() if not isinstance(given, (list, dict))})
    value.update({name: one for name, one in plain.items() if not _is_bounded(fields.get(name))})


def _is_bounded(field: Json) -> bool:
    return isinstance(field, dict) and not {"enum", "minimum", "maximum", "format", "pattern"}.isdisjoint(field)


# -- drawing by a schema ---------------------------------------------------------------------------------------------


Forms = tuple[tuple[str, JsonText], ...]
"""Names of result fields, each with the schema of a parameter that takes such a value."""


@lru_cache(maxsize=65536)
def _forms(tool: Tool, others: tuple[Tool, ...]) -> Forms:
    """What other tools say of the form of the identifiers that a tool returns."""
    asked = {identity_of(one, name): one.properties[name] for one in reversed(others) for name in one.required}
    fields = {output.name: identity_of(tool, output.name) for output in outputs(tool) if output.kind == "code"}
    return tuple((name, encode(asked[identity])) for name, identity in fields.items() if identity in asked)


@lru_cache(maxsize=16384)
def _drawing(tool: Tool, forms: Forms) -> Draw:
    schema = decode(tool.returns) if tool.returns is not None else {"type": "object", "properties": {}}
    about = f"{' '.join(name_words(tool.name))} {tool.description[:300]}".lower()
    return _draw_by("result", schema, about, 0, {name: decode(form) for name, form in forms})


def _draw_by(name: str, schema: Json, about: str, depth: int, forms: Mapping[str, Json]) -> Draw:
    """Return how to draw a value of a schema; makers are built once for each tool."""
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        return lambda scene: None
    shape, properties, items = type_of(schema), schema.get("properties"), schema.get("items")
    if shape == "object" and isinstance(properties, dict):
        fields = {key: _draw_by(key, field, about, depth + 1, forms) for key, field in properties.items()}
        return lambda scene: {key: draw(scene) for key, draw in fields.items()}
    if shape == "array" and isinstance(items, dict) and "properties" in items:
        return _draw_items(schema, _draw_by(name, items, about, depth + 1, forms))
    low, high = schema.get("minimum"), schema.get("maximum")
    if "enum" not in schema and isinstance(low, (int, float)) and isinstance(high, (int, float)):
        return _draw_between(low, high, whole=shape == "integer")
    form = forms.get(name)
    if isinstance(form, dict) and type_of(form) == shape and _SHAPING.isdisjoint(schema):
        schema = {**form, **schema}
    return maker_of(subject_of(name, schema, about=about))


_SHAPING = frozenset(("pattern", "enum", "format", "examples"))


def _draw_between(low: float, high: float, *, whole: bool) -> Draw:
    def draw(scene: Scene) -> Json:
        drawn = low + (high - low) * scene.rng.random()
        return round(drawn) if whole else min(max(round(drawn, 1), low), high)

    return draw


def _draw_items(schema: Mapping[str, Json], draw: Draw) -> Draw:
    """Return how to draw two to four items, no two of one name or identifier."""
    least, most = schema.get("minItems", 2), schema.get("maxItems", 4)
    bounded = isinstance(least, int) and isinstance(most, int)

    def items(scene: Scene) -> Json:
        wanted = scene.rng.randint(least, max(least, min(most, 4))) if bounded else 3
        found: list[Json] = []
        for _ in range(wanted * 6):
            if len(found) == wanted:
                break
            item = draw(scene)
            if not any(_is_twin(item, other) for other in found):
                found.append(item)
        return found

    return items


def _is_twin(one: Json, other: Json) -> bool:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return bool(one == other)
    telling = [key for key in one if key in ("name", "title", "text") or key.endswith("id")]
    return any(one[key] == other[key] for key in telling)

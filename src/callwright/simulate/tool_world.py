"""The tool environment: results that fit each tool's result schema, the same for the same seed, with a memory.

What a call creates is found by later calls of the same world: by those that list such things, and by those that are
given its identifier. What is deleted is gone, and what is changed stays changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from random import Random

from callwright.author.value_makers import maker_of
from callwright.author.value_scene import Scene
from callwright.author.value_subject import subject_of
from callwright.catalog.returns import CHANGES, CREATES, action_of, identity_of
from callwright.engine.randomness import stream
from callwright.lang.schemas import name_words, type_of
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.persona import Persona
from callwright.records.tool import Tool

Identity = tuple[frozenset[str], str]


class ToolWorld:
    """What tools return in one session."""

    def __init__(self, *, seed: int, item: str, today: date, persona: Persona) -> None:
        self._seed = seed
        self._item = item
        self._today = today
        self._persona = persona
        self._things: dict[tuple[Identity, JsonText], dict[str, Json]] = {}
        """What was created or changed: identifier to its fields."""
        self._gone: set[tuple[Identity, JsonText]] = set()

    def call(self, tool: Tool, arguments: Mapping[str, Json]) -> Result:
        """Return what the tool returns for these arguments; an error for a thing that was deleted."""
        verb, thing = action_of(tool)
        known = [(identity_of(tool, name), encode(value)) for name, value in arguments.items()]
        if any(one in self._gone for one in known):
            return Result(error=f"no such {thing}")
        rng = stream(self._seed, self._item, f"world/{tool.key}/{encode(dict(arguments))}", 0)
        value = self._made(tool, rng, arguments)
        for one in known:
            self._remember_into(value, self._things.get(one, {}))
        if verb in ("delete", "remove", "cancel"):
            self._gone |= {one for one in known if one[0][1] == "id"}
        elif verb in CREATES:
            self._keep(tool, value, arguments)
        elif verb in CHANGES:
            for one in known:
                if one[0][1] == "id":
                    self._things[one] = {**self._things.get(one, {}), **arguments}
        return Result(value=encode(value))

    def _made(self, tool: Tool, rng: Random, arguments: Mapping[str, Json]) -> dict[str, Json]:
        schema = decode(tool.returns) if tool.returns is not None else {"type": "object", "properties": {}}
        scene = Scene(rng, self._persona, self._today)
        about = f"{' '.join(name_words(tool.name))} {tool.description[:300]}".lower()
        value = _draw("result", schema, scene, about, 0)
        value = value if isinstance(value, dict) else {"result": value}
        _echo(value, schema, arguments)
        self._list_created(tool, value)
        return value

    def _keep(self, tool: Tool, value: dict[str, Json], arguments: Mapping[str, Json]) -> None:
        fields = {**arguments, **value}
        for name, made in value.items():
            identity = identity_of(tool, name)
            if identity[1] == "id":
                self._things[identity, encode(made)] = fields

    def _remember_into(self, value: dict[str, Json], thing: Mapping[str, Json]) -> None:
        """What is known of a thing takes the place of what was drawn, where the type agrees."""
        by_words = {name_words(name): made for name, made in thing.items()}
        for name, drawn in value.items():
            made = by_words.get(name_words(name))
            if made is not None and type(made) is type(drawn) and name != "status":
                value[name] = made

    def _list_created(self, tool: Tool, value: dict[str, Json]) -> None:
        """Things created earlier stand first in a list of such things."""
        for items in value.values():
            if not isinstance(items, list) or not items or not isinstance(items[0], dict):
                continue
            identities = {identity_of(tool, field): field for field in items[0]}
            for place, ((identity, text), thing) in enumerate(self._things.items()):
                if identity in identities and (identity, text) not in self._gone and place < len(items):
                    self._remember_into(items[0], {**thing, identities[identity]: decode(text)})


def _echo(value: dict[str, Json], schema: Mapping[str, Json], arguments: Mapping[str, Json]) -> None:
    """A field that a parameter is named like holds what was asked for."""
    by_words = {name_words(name): given for name, given in arguments.items()}
    properties = schema.get("properties")
    for name in value:
        given = by_words.get(name_words(name))
        field = properties.get(name, {}) if isinstance(properties, dict) else {}
        if given is not None and type(given) is type(value[name]) and "enum" not in field:
            value[name] = given


def _draw(name: str, schema: Json, scene: Scene, about: str, depth: int) -> Json:
    if not isinstance(schema, dict) or depth > 6:
        return None
    shape = type_of(schema)
    properties = schema.get("properties")
    if shape == "object" and isinstance(properties, dict):
        return {key: _draw(key, field, scene, about, depth + 1) for key, field in properties.items()}
    if shape == "array" and isinstance(schema.get("items"), dict) and "properties" in schema["items"]:
        return _items(name, schema, scene, about, depth)
    subject = subject_of(name, schema, about=about)
    value = maker_of(subject)(scene)
    low, high = schema.get("minimum"), schema.get("maximum")
    if "enum" not in schema and isinstance(low, (int, float)) and isinstance(high, (int, float)):
        drawn = low + (high - low) * scene.rng.random()
        return round(drawn) if shape == "integer" else round(drawn, 1)
    return value


def _items(name: str, schema: dict[str, Json], scene: Scene, about: str, depth: int) -> list[Json]:
    """Items of a list, no two of one name or identifier."""
    least, most = schema.get("minItems", 2), schema.get("maxItems", 4)
    bounded = isinstance(least, int) and isinstance(most, int)
    wanted = scene.rng.randint(least, max(least, min(most, 4))) if bounded else 3
    items: list[Json] = []
    for _ in range(wanted * 6):
        item = _draw(name, schema["items"], scene, about, depth + 1)
        if len(items) < wanted and not any(_is_twin(item, other) for other in items):
            items.append(item)
    return items


def _is_twin(one: Json, other: Json) -> bool:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return bool(one == other)
    telling = [key for key in one if key in ("name", "title", "text") or key.endswith("id")]
    return any(one[key] == other[key] for key in telling)

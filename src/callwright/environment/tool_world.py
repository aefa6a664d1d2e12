"""The tool environment: results that fit each tool's result schema, the same for the same seed, with a memory.

What a call creates is found by later calls of the same world: by those that list such things, and by those that are
given its identifier. What is deleted is gone, and what is changed stays changed. `call` only looks; `keep` makes what a
call did lasting, so that a planner may look ahead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from datetime import date, datetime
from random import Random
from typing import NamedTuple

from callwright.author.value_bank import known_countries
from callwright.author.value_scene import Scene
from callwright.catalog.slots import slots
from callwright.engine.randomness import stream
from callwright.environment.result_drawing import drawing, forms_of, ways_of
from callwright.environment.returns import action_of, identity_of
from callwright.lang.dates import parse_moment
from callwright.lang.gazetteer import cities
from callwright.lang.schemas import name_words, singular
from callwright.lang.tokens import identifier_words, stem, stem_set
from callwright.lang.verbs_of_acts import CHANGES, CREATES, SEARCHES
from callwright.match.schema import fits_returns
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.persona import Persona
from callwright.records.tool import Tool


def scene_of(tool: Tool, arguments: Mapping[str, Json], rng: Random, persona: Persona, today: date) -> Scene:
    """Return a scene for a result: in the city or country that the call is about, if it is about one."""
    scene = Scene(rng, persona, today)
    for name, value in arguments.items():
        kind = slots(tool)[name].kind if name in slots(tool) else "other"
        if not isinstance(value, str):
            continue
        if kind == "city" and value in cities():
            scene.country, scene.town = cities()[value], value
            return scene
        if kind == "country" and value in known_countries():
            scene.country = known_countries()[value]
    return scene


_QUERIES = frozenset(("query", "keyword", "keywords", "q", "term", "search", "phrase"))
_HITS = ("{}", "{} 2", "{} 3", "{} 4")
_OWN_NAMES = stem_set("author company user city country hotel restaurant location team address")
"""Things whose names are their own whatever was searched for."""


def hits(tool: Tool, arguments: Mapping[str, Json], value: Mapping[str, Json]) -> Iterator[tuple[dict[str, Json], str]]:
    """Yield the items that a search found, each with a title that what was searched for occurs in."""
    if action_of(tool)[0] not in SEARCHES:
        return
    asked = [arguments[name] for name in arguments if _QUERIES & set(name_words(name))]
    query = next((one for one in asked if isinstance(one, str) and 2 < len(one) <= 40), None)
    for key, items in value.items():
        if query is None or not isinstance(items, list) or stem(singular(key)) in _OWN_NAMES:
            continue
        for pattern, item in zip(_HITS, items, strict=False):
            if isinstance(item, dict):
                yield item, pattern.format(query)


_MADE = ("id", "url", "link")
"""Sorts of fields by which what was created is found again."""

Identity = tuple[frozenset[str], str]

MAX_EDITS = 24
"""Most fields tried one by one where together they break a schema."""


class Edit(NamedTuple):
    """A field that holds what is known instead of what was drawn."""

    place: dict[str, Json]
    name: str
    value: Json


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
        self._seen: dict[tuple[Identity, JsonText], dict[str, Json]] = {}
        """What was only read, likewise."""
        self._gone: set[tuple[Identity, JsonText]] = set()

    def fork(self) -> ToolWorld:
        """Return a world that remembers the same and goes its own way from here."""
        other = copy(self)
        other._things, other._seen, other._gone = dict(self._things), dict(self._seen), set(self._gone)
        return other

    def call(self, tool: Tool, arguments: Mapping[str, Json]) -> Result:
        """Return what the tool returns for these arguments; an error for a thing that was deleted."""
        known = _identities(tool, arguments)
        if any(one in self._gone for one in known):
            return Result(error=f"no such {action_of(tool)[1]}")
        text = encode(dict(arguments))
        for way in ways_of(tool):
            rng = stream(self._seed, self._item, f"world/{tool.key}/{text}", 0)
            scene = scene_of(tool, arguments, rng, self._persona, self._today)
            value = drawing(tool, forms_of(tool, self._tools), way)(scene)
            if _lay_over(value, tuple(self._known(tool, arguments, value)), tool):
                return Result(value=encode(value))
        return Result(error=f"{tool.name} returned nothing that fits its result schema")

    def _known(self, tool: Tool, arguments: Mapping[str, Json], value: Json) -> Iterator[Edit]:
        """What a result repeats of the call, and of things seen, created or changed before."""
        if isinstance(value, dict):
            found = hits(tool, arguments, value)
            yield from (Edit(item, key, title) for item, title in found for key in ("name", "title") if key in item)
        for _, place in _things(tool, value):
            yield from _edits(place, _asked_for(tool, arguments))
        if isinstance(value, dict):
            yield from self._created(tool, value)
        for one in _identities(tool, arguments):
            remembered = {**self._seen.get(one, {}), **self._things.get(one, {})}
            for _, place in _things(tool, value):
                yield from _edits(place, remembered)

    def keep(self, tool: Tool, arguments: Mapping[str, Json], result: Result) -> None:
        """Make lasting what a call did: what it created, changed or deleted."""
        if result.value is None:
            return
        verb, known = action_of(tool)[0], _identities(tool, arguments)
        named = [one for one in known if one[0][1] == "id"]
        if verb in ("delete", "remove", "cancel"):
            self._gone |= set(named)
        elif verb in CREATES:
            for holder, place in _things(tool, decode(result.value)):
                made = [(_identity(tool, name, holder), encode(one)) for name, one in place.items()]
                self._things |= {one: {**arguments, **place} for one in made if one[0][1] in _MADE}
        elif verb in CHANGES:
            self._things |= {one: {**self._things.get(one, {}), **arguments} for one in named}
        else:
            self._see(tool, arguments, decode(result.value))

    def _see(self, tool: Tool, arguments: Mapping[str, Json], value: Json) -> None:
        """What was read of a thing is read of it again: of items of lists, and of what its identifier alone told."""
        for holder, place in (*_things(tool, value), *_items(value)):
            fields = {name: one for name, one in place.items() if not isinstance(one, (list, dict)) and name != "total"}
            own = [(_identity(tool, name, holder), encode(one)) for name, one in fields.items()]
            own += _identities(tool, arguments) if len(arguments) == 1 and not holder else []
            self._seen |= {one: {**self._seen.get(one, {}), **fields} for one in own if one[0][1] == "id"}

    def _created(self, tool: Tool, value: dict[str, Json]) -> Iterator[Edit]:
        """A thing created earlier stands first in a list of such things."""
        for key, items in value.items():
            if not isinstance(items, list) or not items or not isinstance(items[0], dict):
                continue
            identities = {_identity(tool, field, singular(key)): field for field in items[0]}
            for (identity, text), thing in self._things.items():
                if identity in identities and (identity, text) not in self._gone:
                    yield from _edits(items[0], {identities[identity]: decode(text), **thing})
                    break


def _identities(tool: Tool, arguments: Mapping[str, Json]) -> list[tuple[Identity, JsonText]]:
    return [(identity_of(tool, name), encode(value)) for name, value in arguments.items()]


def _identity(tool: Tool, field: str, holder: str) -> Identity:
    """Whose identifier a result's field is: that of what holds it where it does not say so itself."""
    owner, sort = identity_of(tool, field)
    if owner or sort != "id":
        return owner, sort
    return frozenset((stem(holder if _is_about(tool, holder) else action_of(tool)[1].split()[-1]),)), sort


def _is_about(tool: Tool, name: str) -> bool:
    return stem(name) in {stem(word) for word in identifier_words(tool.name)}


def _things(tool: Tool, value: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    """Where a result tells of the thing that a tool is about: at its top, and in a field named like it."""
    if isinstance(value, dict):
        yield "", value
        yield from ((key, one) for key, one in value.items() if isinstance(one, dict) and _is_about(tool, key))


def _items(value: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    for key, items in value.items() if isinstance(value, dict) else ():
        if isinstance(items, list):
            yield from ((singular(key), item) for item in items if isinstance(item, dict))


def _edits(place: dict[str, Json], known: Mapping[str, Json]) -> Iterator[Edit]:
    """What is known of a thing takes the place of what was drawn, in the form of the field."""
    by_words = {_plain_words(name): made for name, made in known.items()}
    for name, drawn in place.items():
        made = _formed(by_words.get(_plain_words(name)), drawn)
        if made is not None and name != "status":
            yield Edit(place, name, made)


def _asked_for(tool: Tool, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """What was asked for; the `holiday_name` of a tool about holidays is the `name` in its result."""
    plain = {name: one for name, one in arguments.items() if not isinstance(one, (list, dict))}
    whose = {name: name_words(name) for name in plain if name_words(name)[-1:] in (("name",), ("title",))}
    named = {words[-1]: plain[name] for name, words in whose.items() if len(words) == 2 and _is_about(tool, words[0])}
    return {**named, **plain}


def _plain_words(name: str) -> tuple[str, ...]:
    """`new_due_date`, `updatedDueDate` and `due_date` are the same field."""
    words = name_words(name)
    return words[1:] if len(words) > 1 and words[0] in ("new", "updated", "changed") else words


def _formed(made: Json, drawn: Json) -> Json:
    """A value in the form of what was drawn for the same field; None where it cannot be had."""
    if isinstance(drawn, str) and isinstance(made, str):
        return _day_formed(made, drawn)
    if isinstance(drawn, (int, float)) and isinstance(made, (int, float)):
        return made if isinstance(drawn, bool) is isinstance(made, bool) else None
    return made if type(made) is type(drawn) else None


def _day_formed(made: str, drawn: str) -> str:
    """The day that was asked for, written as the field writes days."""
    written, meant = parse_moment(drawn), parse_moment(made)
    if written is None or meant is None:
        return made
    if isinstance(written, datetime):
        return made if isinstance(meant, datetime) else meant.isoformat() + drawn[10:]
    return meant.date().isoformat() if isinstance(meant, datetime) else meant.isoformat()


def _lay_over(value: Json, edits: Sequence[Edit], tool: Tool) -> bool:
    """Lay what is known over a result as far as its schema takes it. False where what was drawn does not fit."""
    before = _apply(edits)
    if fits_returns(value, tool):
        return True
    _apply(reversed(before))
    if not edits or not fits_returns(value, tool):
        return False
    for edit in edits[:MAX_EDITS]:
        undone = _apply((edit,))
        if not fits_returns(value, tool):
            _apply(undone)
    return True


def _apply(edits: Iterable[Edit]) -> list[Edit]:
    """Make the edits, and return those that undo them, in the same order."""
    before = []
    for edit in edits:
        before.append(Edit(edit.place, edit.name, edit.place[edit.name]))
        edit.place[edit.name] = edit.value
    return before

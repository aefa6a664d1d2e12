"""The tool environment: results that fit each tool's result schema, the same for the same seed, with a memory.

What a call creates is found by later calls of the same world: by those that list such things, and by those that are
given its identifier. What is deleted is gone, and what is changed stays changed. `call` only looks; `keep` makes what a
call did lasting, so that a planner may look ahead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from datetime import date
from typing import NamedTuple

from callwright.author.value_bank import known_countries
from callwright.author.value_ids import id_forms
from callwright.author.value_scene import Scene
from callwright.catalog.slots import slots
from callwright.engine.randomness import stream
from callwright.environment.echoes import Edit, echoes, given_fields, remembered
from callwright.environment.result_drawing import drawing, forms_of, ways_of
from callwright.environment.returns import action_of
from callwright.environment.settling import counted, settled
from callwright.environment.tool_target import ToolTarget, own_field, sees_deleted, target_of, told_places
from callwright.lang.gazetteer import cities
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words, singular
from callwright.lang.tokens import stem, stem_set
from callwright.lang.verbs_of_acts import SEARCHES
from callwright.match.schema import fits_returns
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.persona import Persona
from callwright.records.tool import Tool


def _set(scene: Scene, tool: Tool, arguments: Mapping[str, Json]) -> Scene:
    """Return the scene of a result in the city or country that the call is about, if it is about one."""
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
    named = [one for name, one in arguments.items() if _is_name_of(tool, name)]
    query = next((one for one in (*named, *asked) if isinstance(one, str) and 2 < len(one) <= 40), None)
    for key, items in value.items():
        if query is None or not isinstance(items, list) or not (named or stem(singular(key)) not in _OWN_NAMES):
            continue
        for pattern, item in zip(_HITS[:1] if named else _HITS, items, strict=False):
            if isinstance(item, dict):
                yield item, pattern.format(query)


def _is_name_of(tool: Tool, parameter: str) -> bool:
    """Whether a search is for a thing of this name: `artist_name`."""
    words = name_words(parameter)
    is_name = words[-1:] in (("name",), ("title",))
    return is_name and (len(words) == 1 or stem(words[-2]) == stem(target_of(tool).noun))


MAX_EDITS = 64
"""Most fields tried one by one where together they break a schema."""


class CreatedThing(NamedTuple):
    """Something that a call of the session created."""

    noun: str
    field: tuple[str, ...]
    """Words of the field that identifies it in the result that told of it."""
    key: JsonText


class ToolWorld:
    """What tools return in one session: things by the text of their identifier."""

    def __init__(self, *, seed: int, item: str, today: date, persona: Persona, tools: tuple[Tool, ...] = ()) -> None:
        """`tools` are those beside it: what one returns has the form in which the others ask for it."""
        self._seed = seed
        self._tools = tools
        self._ids = id_forms(tools)
        self._item = item
        self._today = today
        self._persona = persona
        self._things: dict[JsonText, dict[str, Json]] = {}
        """What is known of each thing that was created, changed or read."""
        self._created: tuple[CreatedThing, ...] = ()
        self._gone: frozenset[JsonText] = frozenset()

    def fork(self) -> ToolWorld:
        """Return a world that remembers the same and goes its own way from here."""
        other = copy(self)
        other._things = dict(self._things)
        return other

    def call(self, tool: Tool, arguments: Mapping[str, Json]) -> Result:
        """Return what the tool returns for these arguments; an error for a thing that was deleted."""
        target = target_of(tool)
        gone = next((name for name, one in arguments.items() if encode(one) in self._gone), "")
        if gone and not sees_deleted(tool):
            return Result(error=f"no such {' '.join(name_words(gone)[:-1]) or target.noun}")
        text = encode(dict(arguments))
        for way in ways_of(tool):
            rng = stream(self._seed, self._item, f"world/{tool.key}/{text}", 0)
            scene = _set(Scene(rng, self._persona, self._today, self._ids), tool, arguments)
            value = drawing(tool, forms_of(tool, self._tools), way)(scene)
            if not _lay_over(value, tuple(settled(value, self._today)), tool):
                continue
            edits = (*self._known(tool, arguments, value), *echoes(target, arguments, value), *counted(value))
            if _lay_over(value, edits, tool):
                return Result(value=encode(value))
        return Result(error=f"{tool.name} returned nothing that fits its result schema")

    def _known(self, tool: Tool, arguments: Mapping[str, Json], value: Json) -> Iterator[Edit]:
        """What a result repeats of what was searched for, and of things seen, created or changed before."""
        target = target_of(tool)
        if isinstance(value, dict):
            found = hits(tool, arguments, value)
            yield from (Edit(item, key, title) for item, title in found for key in ("name", "title") if key in item)
        yield from self._listed(target, arguments, value)
        known = self._things.get(encode(arguments[target.own]), {}) if target.own in arguments else {}
        for place in told_places(target, value):
            if place.role == "thing":
                yield from remembered(place.fields, known)

    def _listed(self, target: ToolTarget, arguments: Mapping[str, Json], value: Json) -> Iterator[Edit]:
        """What was created and not deleted stands in lists of such things, unless these were asked for otherwise."""
        items = [place for place in told_places(target, value) if place.role == "item"]
        waiting = [one for one in self._created if one.key not in self._gone]
        for place in items:
            own = own_field(place.fields, place.holder)
            fits = (one for one in waiting if _is_such(one, place.holder, own) and self._agrees(one, arguments))
            made = next(fits, None) if own else None
            if made is not None:
                waiting.remove(made)
                yield from remembered(place.fields, {**self._things[made.key], own: decode(made.key)})

    def _agrees(self, made: CreatedThing, arguments: Mapping[str, Json]) -> bool:
        known = self._things[made.key]
        return all(known.get(name, one) == one for name, one in arguments.items())

    def keep(self, tool: Tool, arguments: Mapping[str, Json], result: Result) -> None:
        """Make lasting what a call did: what it created, changed or deleted, and what it told."""
        if result.value is None:
            return
        target, value = target_of(tool), decode(result.value)
        own = encode(arguments[target.own]) if target.own in arguments else None
        if target.act == "delete":
            self._gone |= {own} if own is not None else set()
            return
        given = given_fields(target, arguments)
        for place in told_places(target, value):
            if place.role == "thing" and target.act == "create" and own is None:
                self._create(target, given, place.fields)
            elif place.role == "thing" and own is not None:
                self._learn(own, {**place.fields, **(given if target.act == "change" else {})})
            elif place.role != "thing" and (name := own_field(place.fields, place.holder)):
                self._learn(encode(place.fields[name]), place.fields)

    def _create(self, target: ToolTarget, given: Mapping[str, Json], fields: Mapping[str, Json]) -> None:
        spoken = [encode(one) for one in given.values()]
        for name, one in fields.items():
            words = name_words(name)
            if isinstance(one, (str, int)) and words and words[-1] in _FINDING and encode(one) not in spoken:
                key = encode(one)
                self._created = (*self._created, CreatedThing(target.noun, words, key))
                self._learn(key, {**given, **fields})

    def _learn(self, key: JsonText, fields: Mapping[str, Json]) -> None:
        told = {name: one for name, one in fields.items() if name_words(name)[-1:] not in (("total",), ("count",))}
        self._things[key] = {**self._things.get(key, {}), **told}


_FINDING = ID_WORDS | {"reference", "number", "key", "code", "url", "link", "ts"}
"""Last words of fields by which what was created is found again."""


def _is_such(made: CreatedThing, noun: str, own: str) -> bool:
    words = name_words(own)
    is_plain = ID_WORDS.issuperset(words) or ID_WORDS.issuperset(made.field)
    return words == made.field or (is_plain and stem(noun) == stem(made.noun))


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

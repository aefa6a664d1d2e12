"""The tool environment: results that fit each tool's result schema, the same for the same seed, with a memory.

Later calls of the same world find a thing that a call creates: those that list such things, and those that are
given its identifier. Deleted things are gone, and changes last. `call` only looks; `keep` makes what a
call did lasting, so that a planner may look ahead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from itertools import cycle
from typing import NamedTuple

from callwright.author.value_bank import known_countries
from callwright.author.value_codes import THING_NAMES
from callwright.author.value_ids import IdForms, id_forms
from callwright.author.value_scene import Scene
from callwright.catalog.slots import slots
from callwright.engine.randomness import stream
from callwright.environment.echoes import (
    WITHIN,
    Edit,
    Words,
    asked_fields,
    chosen,
    echoes,
    formed,
    given_fields,
    held_within,
    laid,
    owned,
    plain_words,
    remembered,
    retold,
    typed_owner,
)
from callwright.environment.held_lists import MADE_AT, is_within, told_within
from callwright.environment.membership import (
    Membership,
    attached,
    collection_of,
    collections_in,
    filled_path,
    filters_of,
    identifies,
    inverse,
    lists_all,
    takes_off,
)
from callwright.environment.named_codes import airports, each_code_once, found_by_code, near
from callwright.environment.parents import of_parent, parent_of, told_of_parent
from callwright.environment.plain_values import stateful, written
from callwright.environment.result_drawing import PEOPLE, Way, drawing, forms_of, ways_of
from callwright.environment.result_filters import filtered, put_in_order
from callwright.environment.returns import action_of, path_of
from callwright.environment.session_facts import SessionFacts
from callwright.environment.settling import (
    MEDIA_TYPES,
    begun_now,
    below_parent,
    counted,
    in_order,
    mailed_name,
    media_type,
    moment_of,
    named_mail,
    numbered,
    one_country,
    one_currency,
    one_file,
    one_language,
    one_link,
    one_name,
    one_path,
    one_reference,
    one_spot,
    one_year,
    ordered,
    own_name,
    stamped,
    unfinished,
    went_well,
    within_total,
)
from callwright.environment.spans import in_span
from callwright.environment.state_rules import excluded_state, moves_state
from callwright.environment.told_fields import BEGINS, CHANGED, STATES, is_moment_of
from callwright.environment.tool_target import (
    IN_PATH,
    ToldPlace,
    ToolTarget,
    asked_for,
    holder_of,
    looked_up,
    own_field,
    sees_deleted,
    shape_of_value,
    target_of,
    told_places,
)
from callwright.lang.english import is_plural, past_participle
from callwright.lang.gazetteer import cities, currencies
from callwright.lang.kinds import ID_WORDS, kind_of
from callwright.lang.schemas import name_words, plain_schema, singular
from callwright.lang.tokens import stem, stem_set
from callwright.lang.verbs_of_acts import CHECKS, LOOKUPS, SEARCHES
from callwright.match.schema import fits_returns
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, decode, encode
from callwright.records.persona import Persona
from callwright.records.tool import Tool

MAX_EDITS = 64
"""Most fields tried one by one where together they break a schema."""
_OPENS = time(9)
"""When the session begins, as far as results tell."""
_DRAWINGS = 4
"""Most drawings of a result, for a thing that has no other's name."""
_APART = 1000
"""Between the numbers of their random streams: more than calls of one session are equal."""
_BETWEEN_CALLS = timedelta(minutes=4)
_BETWEEN_PARTS = timedelta(hours=3)
_SHOWN = (2, 4)
"""Fewest and most items of a list."""


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
    if any(name_words(name)[:1] in _ZIP and _ZIP_CODE.fullmatch(str(one)) for name, one in arguments.items()):
        scene.country = known_countries()["United States"]
    return scene


_ZIP = (("zip",), ("zipcode",))
_ZIP_CODE = re.compile(r"\d{5}(?:-\d{4})?")
"""What only the United States call so; other countries have postcodes."""


class CreatedThing(NamedTuple):
    """Something that a call of the session created."""

    noun: str
    field: Words
    """Words of the field that identifies it in the result that told of it."""
    key: str
    source: str
    """The call, as text."""


class SeenThing(NamedTuple):
    """A thing that a result told."""

    key: Json
    asked: dict[str, str]
    """Texts of the call's plain arguments."""


class ToolWorld:
    """The results of tools in one session: things by the text of their identifier."""

    def __init__(
        self,
        *,
        seed: int,
        item: str,
        today: date,
        persona: Persona,
        tools: tuple[Tool, ...] = (),
        ids: IdForms | None = None,
    ) -> None:
        """`tools` are those beside it: what one returns has the form in which the others ask for it.

        `ids` is the form of other identifiers, by default that of these tools.
        """
        self._seed = seed
        self._tools = tools
        self._ids = id_forms(tools) if ids is None else ids
        self._item = item
        self._today = today
        self._persona = persona
        self._now = datetime.combine(today, _OPENS)
        self._things: dict[str, dict[Words, Json]] = {}
        """Known facts on each thing that was created, changed or read, by the words of its fields."""
        self._seen: dict[tuple[str, str], SeenThing] = {}
        """Things that results told, by noun and name; the first of each name."""
        self._facts = SessionFacts(tools)
        self._currency = ""
        """The currency of the first result that tells one."""
        self._created: tuple[CreatedThing, ...] = ()
        self._read: tuple[CreatedThing, ...] = ()
        """Things that were read by their identifiers."""
        self._members = Membership()
        self._unnamed: dict[str, tuple[CreatedThing, ...]] = {}
        """Things of each collection that calls created without telling an identifier."""
        self._acts: dict[str, tuple[str, ...]] = {}
        """What was done to each thing that an act could lead to a state of, as participles."""
        self._lacks: dict[str, frozenset[Words]] = {}
        """Fields that a result could have told of each thing, and did not."""
        self._stale: frozenset[str] = frozenset()
        """Things that something was put into since, which may have altered their states."""
        self._gone: frozenset[str] = frozenset()
        """Texts of identifiers; of what has none, of its path with all its parameters."""

    def fork(self) -> ToolWorld:
        """Return a world that remembers the same and goes its own way from here."""
        other = copy(self)
        other._things, other._seen, other._facts = dict(self._things), dict(self._seen), self._facts.fork()
        other._unnamed, other._lacks = dict(self._unnamed), dict(self._lacks)
        other._members, other._acts = self._members.fork(), dict(self._acts)
        return other

    def call(self, tool: Tool, arguments: Mapping[str, Json]) -> Result:
        """Return what the tool returns for these arguments; an error for a thing that was deleted."""
        target = target_of(tool)
        gone = next((name for name, one in arguments.items() if str(one) in self._gone), "")
        is_gone = not _puts(tool, target) and _address(tool, arguments) in self._gone
        if (gone or is_gone) and not sees_deleted(tool):
            return Result(error=f"no such {' '.join(name_words(gone)[:-1]) or target.noun}")
        if state := excluded_state(tool, self._things.get(_own_key(tool, target, arguments), {})):
            return Result(error=f"the {target.noun} is {state.lower()}")
        source = _source(tool, arguments)
        again = sum(one.source == source for one in self._created)
        told: Json = None
        for attempt in range(_DRAWINGS):
            drawn = self._drawn(tool, arguments, source, again + attempt * _APART)
            if drawn is None:
                return Result(error=f"{tool.name} returned nothing that fits its result schema")
            told = self._told(tool, target, arguments, *drawn)
            if not self._is_namesake(target, arguments, told):
                break
        return Result(value=encode(told))

    def _drawn(self, tool: Tool, arguments: Mapping[str, Json], source: str, number: int) -> tuple[Json, Way] | None:
        """A value that fits the tool's result schema, and the way in which it was drawn; None where there is none."""
        for way in ways_of(tool):
            rng = stream(self._seed, self._item, f"world/{source}", number)
            scene = _set(Scene(rng, self._persona, self._today, self._ids), tool, arguments)
            scene.asked = asked_for(arguments)
            value = drawing(tool, forms_of(tool, self._tools), way)(scene)
            if fits_returns(value, tool):
                return value, way
        return None

    def _is_namesake(self, target: ToolTarget, arguments: Mapping[str, Json], value: Json) -> bool:
        """Whether a result gives one thing a name that another has, and that nobody asked for."""
        things = (place for place in told_places(target, value) if place.role == "thing")
        named = ((place, _name_in(place), _key_of(place, target, arguments)) for place in things)
        return any(
            name
            and key is not None
            and name not in arguments.values()
            and self._key_of_name(place, name) not in ("", str(key))
            for place, name, key in named
        )

    def _key_of_name(self, place: ToldPlace, name: str) -> str:
        seen = self._seen.get((stem(place.holder), name))
        return "" if seen is None else str(seen.key)

    def _told(self, tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], value: Json, way: Way) -> Json:
        """Lay known facts and the call's arguments over a drawn result, as far as its schema takes them."""
        schema = decode(tool.returns) if tool.returns is not None else None
        asked = asked_fields(tool, target, arguments)
        items = main_list(target, value)
        keys, is_own = looked_up(tool, target, arguments)
        made: list[CreatedThing] = []
        if items is not None:
            drawn = list(items)
            made = self._choose(items, tool, arguments, asked)
            if keys:
                items[:], made = items[: len(keys)], []
            if not fits_returns(value, tool):  # it must be longer, say
                items[:], made = drawn, []
        places = list(told_places(target, value, schema, way.alternative))
        listed = [place for place in places if place.role == "item"]
        told = [edit for place in places for edit in echoes(asked, target, place)]
        told += [edit for place in places for edit in chosen(tool, target, arguments, place)]
        told += [edit for place in places for edit in retold(target, arguments, place)]
        told += [edit for place in places for edit in owned(tool, target, arguments, place)]
        told += [edit for place in places if place.role != "part" for edit in typed_owner(place, asked)]
        _lay_over(value, told, tool)
        _lay_over(value, [edit for place in places for edit in below_parent(arguments, place)], tool)
        _lay_over(value, [edit for place in places for edit in mailed_name(asked, place)], tool)
        _lay_over(value, [edit for place in places for edit in own_name(tool, self._persona.name, place)], tool)
        agreed = [*(edit for place in places for edit in named_mail(place)), *one_currency(places, self._currency)]
        _lay_over(value, [*agreed, *one_country(places, told)], tool)
        _lay_over(
            value,
            [edit for place in places for edit in (*one_language(place, told), *one_name(place), *within_total(place))],
            tool,
        )
        if is_own:
            _lay_over(
                value, [edit for place, key in zip(listed, keys, strict=False) for edit in _keyed(place, key)], tool
            )
        if target.act != "create":
            alike = [edit for place in places for edit in self._named_alike(tool, arguments, asked, place)]
            _lay_over(value, alike, tool)
        _lay_over(value, list(self._facts.agreed(tool, target, asked, places)), tool)
        held_by = parent_of(tool, target, arguments)
        _lay_over(value, list(of_parent(places, self._things.get(held_by, {}))) if held_by else [], tool)
        known = [edit for place in places for edit in self._known(tool, arguments, place)]
        _lay_over(value, known, tool)
        for place, one in zip(listed[len(listed) - len(made) :], made, strict=True):
            own = self._own_field(place.properties or place.fields, place.holder) if one.field else ""
            edits = [*remembered(place, self._things[one.key]), *(laid(place, own, one.key) if own else ())]
            _lay_over(value, edits, tool)
            untold = [edit for edit in self._untold(place, one.key, own) if name_words(edit.name)[-1:] not in _STATES]
            _lay_over(value, untold if own else [], tool)
        _lay_over(value, told, tool)
        linked = [(place, own_field(place.fields, place.holder)) for place in places]
        _lay_over(value, [edit for place, own in linked if own for edit in one_link(place, own)], tool)
        parts = (
            edit
            for place in places
            for edit in (*one_reference(place), *one_path(place), *one_year(place), *one_file(place))
        )
        _lay_over(value, list(parts), tool)
        _lay_over(value, list(one_spot(value, [*told, *known])), tool)
        _lay_over(value, list(self._facts.made_by_caller(tool, target, asked, places)), tool)
        mine = [place for place, one in zip(listed[len(listed) - len(made) :], made, strict=True) if one.source]
        _lay_over(value, list(self._facts.put_by_caller(tool, target, asked, mine)), tool)
        _lay_over(value, list(self._owners_named(places)), tool)
        within = [edit for place in places for edit in self._put_within(place)]
        _lay_over(value, within, tool)
        if items and not made and names_one(tool, asked, listed):
            _cut(items, items[:1], value, tool)
        fresh = listed[: len(listed) - len(made)]
        searched = list(found_by_code(asked, fresh))
        if searched and items:
            _cut(items, items[:1], value, tool)
        if target.act in ("read", "list"):
            _lay_over(value, [*searched, *airports(asked, fresh or places), *near(arguments, places)], tool)
        found = list(hits(tool, asked, fresh))
        own = _own_key(tool, target, arguments) if target.act == "read" else ""
        if own and own not in self._things and self._members.is_missed(collection_of(tool, arguments), own):
            found = [*found, *begun_now(places, self._now)]  # it came after the list that lacks it
        _lay_over(value, [*found, *stamped(target, places, self._now, arguments)], tool)
        if items is not None:
            _cut(items, [one for at, one in enumerate(items) if one not in items[:at]], value, tool)
            _cut(items, self._without_twins(items, made, target), value, tool)
            if target.act == "list" and not made:
                _cut(items, each_code_once(items, listed), value, tool)
        if target.act in ("list", "read"):
            opened = datetime.combine(self._today, _OPENS)
            _lay_over(value, list(in_span(tool, arguments, places, opened)), tool)
        settled = [
            edit
            for place in places
            for edit in (*ordered(place, self._now), *in_order(place), *unfinished(place), *went_well(place))
        ]
        settled += self._after_owners(target, arguments, places)
        given = {(id(edit.place), edit.name) for edit in told}
        settled = [edit for edit in settled if (id(edit.place), edit.name) not in given]
        counts = counted(places, len(items), asked) if items is not None else ()
        _lay_over(value, [*settled, *numbered(listed[: len(listed) - len(made)]), *counts], tool)
        if "list" in (target.act, target.verb):
            asked_for = [place for place in places if place.role == "thing"] if items is None else listed
            _lay_over(value, list(filtered(arguments, asked_for[: len(asked_for) - len(made)])), tool)
        if items is not None and target.act == "list":
            put_in_order(arguments, items)
        return _with_written(value, tool, target, arguments) if tool.returns_inferred else value

    def _choose(
        self, items: list[Json], tool: Tool, arguments: Mapping[str, Json], asked: Mapping[Words, Json]
    ) -> list[CreatedThing]:
        """Cut a drawn list to what is shown: nothing that is gone or known to be otherwise, and room for what was
        created, which stands at the end."""
        target = target_of(tool)
        held = [one for one in items if isinstance(one, dict)]
        own = self._own_field(held[0], target.noun) if held else ""
        above = _address(tool, arguments)
        rng = stream(self._seed, self._item, f"items/{_source(tool, arguments)}", 0)
        most = min((rng.randint(*_SHOWN), *_most(arguments)))
        if target.act in ("create", "change", "delete"):
            given = [one for one in arguments.values() if isinstance(one, list) and one and isinstance(one[0], dict)]
            items[:] = items[: len(given[0]) if given else 1]
            return []
        if target.act == "read" and not tool.source.startswith("GET ") and target.verb not in LOOKUPS:
            items[:] = items[:1]  # what one act gave
            return []
        kept = [one for one in items if not isinstance(one, dict) or self._is_shown(str(one.get(own)), above, asked)]
        is_below_new = self._is_below_new(arguments.values())
        above_it = {words: one for words, one in asked.items() if words[-1:] in _IDENTIFIED or words[-1:] == ("key",)}
        read = [one for one in self._read if self._is_in(one.key, above_it)] if target.act == "list" else []
        collection = collection_of(tool, arguments)
        there = self._members.of(collection) if target.act == "list" else {}
        filters = {} if self._members.is_whole(collection) else filters_of(tool, arguments)
        told = {name_words(name): one for name, one in filters.items()}
        found = [key for key in there if key in self._things and self._is_told(key, told)]
        found += [key for key in there if key not in found and self._members.is_found(collection, key, filters)]
        members = [CreatedThing(target.noun, name_words(own), key, "") for key in found if key in self._things]
        created = [one for one in self._created if self._is_below(one.key, above_it)]
        waiting = [one for one in (*read, *created) if one.key not in there and _is_such(one, target.noun, own)]
        unnamed = self._unnamed.get(collection, ()) if held and not filters and target.act == "list" else ()
        waiting = [*([*members, *waiting] if own else ()), *unnamed]
        made = [one for one in waiting if self._is_shown(one.key, above, asked) and self._is_found(one, asked)]
        if kept and len(made) > len(kept):  # what is known of them is laid over
            kept += [deepcopy(one) for one, _ in zip(cycle(kept), made[len(kept) :], strict=False)]
        most = min((max(most, len(made)), len(kept), *_most(arguments)))
        made = made[-most:] if most else []
        if is_below_new or self._members.is_whole(collection):  # nothing is there but what was told or put there
            most = len(made)
        items[:] = _in_places(kept, own, made, most)
        return made

    def _without_twins(self, items: list[Json], made: Sequence[CreatedThing], target: ToolTarget) -> list[Json]:
        """Leave out what a name that was drawn again made to one of the known things at the end."""
        keys, fresh = {one.key for one in made}, len(items) - len(made)
        held = [one if isinstance(one, dict) else {} for one in items]
        owns = [str(one.get(self._own_field(one, target.noun))) for one in held]
        return [one for at, one in enumerate(items) if at >= fresh or owns[at] not in keys]

    def _after_owners(
        self, target: ToolTarget, arguments: Mapping[str, Json], places: Sequence[ToldPlace]
    ) -> list[Edit]:
        """Moments of what lies in a thing that are before the thing was made: they come some hours after it."""
        above = (self._things.get(str(one), {}) for name, one in arguments.items() if name != target.own)
        told = [one for known in above for words, one in known.items() if is_moment_of(words, BEGINS)]
        begun = max((moment for one in told if (moment := moment_of(one)) is not None), default=None)
        edits: list[Edit] = []
        for place in places if begun is not None else ():
            for name, one in place.fields.items() if place.role in ("thing", "item") else ():
                moment = moment_of(one) if is_moment_of(name_words(name), BEGINS | CHANGED) else None
                if begun is not None and moment is not None and moment < begun:
                    later = min(begun + (len(edits) + 1) * _BETWEEN_PARTS, self._now)
                    schema = plain_schema(place.properties.get(name))
                    made = written(later, schema, is_day=kind_of(name, schema) == "date")
                    edits += [Edit(place.fields, name, made)] if made is not None else []
        return edits

    def _own_field(self, fields: Iterable[str], holder: str) -> str:
        """The field that identifies an object, else the one by which other tools ask for such: the `key` of a style."""
        names = tuple(fields)
        return own_field(names, holder) or own_field(names, holder, _asked_by(self._tools).get(stem(holder), ""))

    def _is_below_new(self, given: Iterable[Json]) -> bool:
        """Whether a call is about what holds nothing but what the session put there."""
        texts = {str(one) for one in given}
        return any(made.key in texts for made in self._created)

    def _is_in(self, key: str, above: Mapping[Words, Json]) -> bool:
        """Whether all that a list is asked for by is known of a thing: it belongs there."""
        known = self._things.get(key, {})
        return bool(above) and all(str(known.get(words)) == str(one) for words, one in above.items())

    def _is_below(self, key: str, above: Mapping[Words, Json]) -> bool:
        """Whether all owners that a list is asked for by are told of a thing, under whatever name."""
        told = {str(one) for one in self._things.get(key, {}).values() if not isinstance(one, (dict, list))}
        return told.issuperset(map(str, above.values()))

    def _is_told(self, key: str, told: Mapping[Words, str]) -> bool:
        """Whether all that a list is filtered by is known of a thing."""
        known = self._things.get(key, {})
        return bool(told) and all(str(known.get(words)) == one for words, one in told.items())

    def _is_shown(self, key: str, above: str, asked: Mapping[Words, Json]) -> bool:
        """Whether a thing is not gone, here or anywhere, and nothing known of it is otherwise than asked for."""
        known = self._things.get(key, {})
        differs = any(
            words in known and not isinstance(known[words], (dict, list)) and str(known[words]) != str(one)
            for words, one in asked.items()
        )
        return not differs and key not in self._gone and f"{above}/{key}" not in self._gone

    def _is_found(self, made: CreatedThing, asked: Mapping[Words, Json]) -> bool:
        """Whether what was created has the words that are searched for."""
        told = " ".join(str(one) for one in self._things[made.key].values()).casefold()
        return all(str(one).casefold() in told for words, one in asked.items() if not QUERIES.isdisjoint(words))

    def _known(self, tool: Tool, arguments: Mapping[str, Json], place: ToldPlace) -> Iterator[Edit]:
        """Fields repeated of a thing that was seen, created or changed before; a receipt tells its own state."""
        target, is_inferred = target_of(tool), tool.returns_inferred and "name" not in place.fields
        own = self._own_field(place.fields, place.holder)
        is_asked = place.role == "thing" and bool(target.own)
        key = _own_key(tool, target, arguments) if is_asked else place.fields.get(own)
        key = _only_one(tool, arguments) if place.role == "thing" and key is None and not target.own else key
        named = place.fields.get("name")
        key = (
            named if not key and isinstance(named, str) and named in self._things else key
        )  # what is found by its name
        is_old = target.act != "create" or (str(key) in self._things and key in arguments.values())
        if place.role != "reply" and is_old and isinstance(key, (str, int)):
            known = self._things.get(str(key), {})
            yield from typed_owner(place, known)
            yield from held_within(place, known)
            is_reached = target.act in ("change", "delete") and moves_state(target.verb, place)
            is_moved = place.role == "thing" and (is_inferred or is_reached)
            yield from remembered(place, {n: one for n, one in known.items() if not (is_moved and n[-1] in STATES)})
            states = [name for name in place.fields if name_words(name)[-1:] and name_words(name)[-1] in STATES]
            reached = list(self._reached(place, states, str(key))) if not is_moved else []
            yield from reached
            if str(key) in self._stale and not reached:  # a payment of an invoice may have settled it
                yield from (Edit(place.fields, name, None, is_gone=True) for name in states)
            yield from self._untold(place, str(key), own)

    def _untold(self, place: ToldPlace, key: str, own: str) -> Iterator[Edit]:
        """Fields that a thing does not have: it is as it was made, or as a result told it that has such fields."""
        known, lacks = self._things.get(key, {}), self._lacks.get(key, frozenset())
        is_made = len(known) > 1 and any(made.key == key for made in self._created)
        unset = [name for name in place.fields if name != own and plain_words(name) not in known]
        gone = [name for name in unset if is_made or plain_words(name) in lacks]
        is_of_it = len(gone) < len(place.fields.keys() - {own})  # statistics of it share no field with it
        for name in gone if is_of_it else ():
            is_list = isinstance(place.fields[name], list) and name in place.properties
            needed = is_list and not plain_schema(place.properties[name]).get("minItems")
            yield from (Edit(place.fields, name, []) for _ in range(needed))
            yield Edit(place.fields, name, None, is_gone=True)

    def _put_within(self, place: ToldPlace) -> Iterator[Edit]:
        """The lists of a thing that tell what calls put into it."""
        key = str(place.fields.get(self._own_field(place.fields, place.holder), ""))
        for name in place.properties if key and place.role in ("thing", "item") else ():
            put = [one for collection, one in self._unnamed.items() if is_within(collection, key, name)]
            known = [self._things[one.key] for several in put for one in several]
            known += [] if known else self._members_within(key, name)
            told = told_within(place.properties[name], known, self._facts.caller()) if known else None
            if told is not None:
                yield Edit(place.fields, name, told)

    def _members_within(self, key: str, field: str) -> list[dict[Words, Json]]:
        """What is known of the members of a collection that a thing tells, where no others are in it."""
        found = (one for one in self._members.collections() if is_within(one, key, field))
        whole = [one for one in found if self._members.is_whole(one) or self._is_below_new([key])]
        there = [(text, one) for held in whole for text, one in self._members.of(held).items()]
        return [{("id",): one, **self._things.get(text, {})} for text, one in there if text not in self._gone]

    def _reached(self, place: ToldPlace, states: Sequence[str], key: str) -> Iterator[Edit]:
        """The states, of those that a service knows, to which the last acts on a thing led."""
        for name in states:
            schema = plain_schema(place.properties.get(name))
            done = self._acts.get(key, ()) if "enum" in schema else ()
            made = [one for one in (formed(act, schema) for act in done) if one is not None]
            yield from (Edit(place.fields, name, one) for one in made[-1:])

    def _named_alike(
        self, tool: Tool, arguments: Mapping[str, Json], asked: Mapping[Words, Json], place: ToldPlace
    ) -> Iterator[Edit]:
        """The identifier of a thing that stood under the same name in a result of which nothing else was asked for."""
        own, name = own_field(place.fields, place.holder), _name_in(place)
        seen = self._seen.get((stem(place.holder), name)) if own and name else None
        if seen is None or place.role == "reply" or not self._is_shown(str(seen.key), _address(tool, arguments), asked):
            return
        given = _plain(arguments)
        if all(given.get(name, one) == one for name, one in seen.asked.items()):
            yield from laid(place, own, seen.key)

    def _owners_named(self, places: Sequence[ToldPlace]) -> Iterator[Edit]:
        """Names of what things belong to: one identifier has one name, here and in earlier results."""
        names: dict[str, Json] = {}
        for place in places:
            for owner, name in _owners(place):
                key = str(place.fields[owner])
                known = self._things.get(key, {}).get(("name",))
                yield from laid(place, name, names.setdefault(key, place.fields[name]) if known is None else known)

    def keep(self, tool: Tool, arguments: Mapping[str, Json], result: Result) -> None:
        """Keep the effects of a call: things created, changed or deleted, and facts told."""
        if result.value is None:
            return
        target, value, address = target_of(tool), decode(result.value), _address(tool, arguments)
        own = _own_key(tool, target, arguments)
        if target.act in ("create", "change", "delete"):
            self._now += _BETWEEN_CALLS
        collection = collection_of(tool, arguments)
        if target.act == "delete":
            self._members.remove(collection, own)
            self._things.pop(_only_one(tool, arguments), None)  # back to what nobody wrote
            is_taken_off = (target.verb not in _ENDS and len(tool.required) > 1) or takes_off(tool, self._tools)
            if not is_taken_off:
                self._members.forget(own)
            self._gone |= {address, "" if is_taken_off else own} - {""}
            return
        self._gone -= {address} if _puts(tool, target) else set()
        if _takes_whole_part(tool, target, arguments):
            self._gone |= {address}
            return
        given = given_fields(target, arguments)
        if target.act == "change" and not target.own:
            own = _only_one(tool, arguments)
        if target.act == "read" and not target.own and isinstance(arguments.get("name"), str):
            own = str(arguments["name"])
        if target.act == "change" and own:
            self._learn(own, given)
        if target.act == "change" and own and stateful(target.verb):
            self._acts[own] = (*self._acts.get(own, ()), past_participle(target.verb))
            told = {name_words(name)[-1:] for place in told_places(target, value) for name in place.fields}
            is_told = not tool.returns_inferred and not told.isdisjoint((state,) for state in STATES)
            self._stale = self._stale - {own} if is_told else self._stale | ({own} if tool.returns_inferred else set())
        is_state = not tool.returns_inferred
        self._enlist(tool, target, arguments, value)
        if target.act == "create":
            owners = {str(arguments[name]) for name in IN_PATH.findall(path_of(tool)) if name in arguments}
            self._stale |= owners
            self._acts = {key: one for key, one in self._acts.items() if key not in owners}
            self._lacks = {key: one for key, one in self._lacks.items() if key not in owners}
        schema = decode(tool.returns) if tool.returns is not None else None
        places = list(told_places(target, value, schema))
        self._keep_lacks(target, arguments, places)
        self._facts.keep(tool, target, asked_fields(tool, target, arguments), places)
        put = self._put_here(tool, target, arguments, places)
        self._facts.keep_put(tool, target, asked_fields(tool, target, arguments), put)
        self._keep_unnamed(tool, target, arguments, places)
        self._relate(tool, target, arguments, places)
        for key, facts in _opened(tool, target, arguments, places):
            self._learn(key, facts)
        if held_by := parent_of(tool, target, arguments):
            self._learn_new(held_by, told_of_parent(places))
        for place in places:
            self._see(target, arguments, place)
            for owner, name in _owners(place):
                self._learn(str(place.fields[owner]), {"name": place.fields[name]})
            fields = {name: one for name, one in place.fields.items() if is_state or name not in STATES}
            for owner, fact, name in _owners_facts(place.fields) if is_state else ():
                self._learn(str(place.fields[owner]), {fact: place.fields[name]})
            held = place.fields.get(self._own_field(place.fields, place.holder))
            if place.role == "thing" and target.act == "create" and held is not None and held in arguments.values():
                self._learn(str(held), fields)  # it was there before: a tag that is added to something
            elif place.role == "thing" and target.act == "create" and not own:
                self._create(target, given, fields, _source(tool, arguments))
            elif place.role == "thing" and own:
                above = {n: one for n, one in given.items() if n != target.own and name_words(n)[-1:] in _IDENTIFIED}
                self._learn(own, {**above, **fields})
                if isinstance(held, (str, int)) and str(held) != own:  # a file that was asked for by its name
                    self._learn(str(held), {**above, **fields})
                self._read = (
                    (*self._read, CreatedThing(target.noun, ("id",), own, "")) if target.act == "read" else self._read
                )
            elif place.role != "reply" and (name := self._own_field(place.fields, place.holder)):
                above = {
                    n: one for n, one in given.items() if name_words(n)[-1:] in _IDENTIFIED and place.role == "item"
                }
                self._learn(str(place.fields[name]), {**above, **fields})

    def _keep_lacks(self, target: ToolTarget, arguments: Mapping[str, Json], places: Sequence[ToldPlace]) -> None:
        """Keep which fields a result did not tell of the thing that it is about."""
        for place in places:
            key = _key_of(place, target, arguments)
            if place.role == "thing" and isinstance(key, (str, int)):
                told = {plain_words(name) for name, one in place.fields.items() if one not in (None, "", [], {})}
                self._lacks[str(key)] = frozenset(map(plain_words, place.properties)) - told

    def _enlist(self, tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], value: Json) -> None:
        """Keep which things a result shows to be in the collection that its call is about."""
        role = "item" if target.act == "list" else "thing"
        named = ((place, self._own_field(place.fields, place.holder)) for place in told_places(target, value))
        keys = [place.fields[own] for place, own in named if own and place.role == role]
        keys = [arguments[target.own]] if target.own in arguments and identifies(tool, target.own) else keys
        put = attached(tool, target, arguments) if path_of(tool) else []
        keys = put or keys
        holder = inverse(collection_of(tool, arguments))[2] if keys else ""
        self._things |= {str(one): self._things.get(str(one), {}) for one in (*put, holder) if one}
        is_whole = target.act == "list" and lists_all(tool, arguments)
        self._members.add(collection_of(tool, arguments), keys, is_whole=is_whole)
        if target.act == "list":
            self._members.find(collection_of(tool, arguments), keys, filters_of(tool, arguments))

    def _relate(
        self, tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], places: Sequence[ToldPlace]
    ) -> None:
        """Keep what belongs together: things that a call reads by, what refers to each other, what lies in what."""
        ids = {n: one for n, one in _plain(arguments).items() if len(name_words(n)) > 1 and identifies(tool, n)}
        for name, one in ids.items() if target.act in ("read", "list") else ():
            self._learn_new(one, {other: value for other, value in ids.items() if other != name})
        for place in places:
            own = self._own_field(place.fields, place.holder) if place.role in ("thing", "item") else ""
            noun, key = name_words(place.holder)[-1:], place.fields.get(own)
            for name, one in place.fields.items() if own and noun and isinstance(key, (str, int)) else ():
                words = plain_words(name)
                is_ref = len(words) == _REFERENCE and words[1] == "id" and words[0] not in (*noun, *_OF_ITS_KIND)
                if name != own and is_ref and isinstance(one, (str, int)):
                    self._learn_new(str(one), {f"{singular(noun[0])}_id": key})
        *_, holder = inverse(collection_of(tool, arguments)) if target.act == "list" else ("",)
        for place in places if holder else ():
            held = place.fields.get(self._own_field(place.fields, place.holder)) if place.role == "item" else None
            if isinstance(held, (str, int)):
                self._things[str(held)] = {**self._things.get(str(held), {}), WITHIN: holder}

    def _learn_new(self, key: str, fields: Mapping[str, Json]) -> None:
        known = self._things.get(key, {})
        self._learn(key, {name: one for name, one in fields.items() if plain_words(name) not in known})

    def _put_here(
        self, tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], places: Sequence[ToldPlace]
    ) -> list[ToldPlace]:
        """The listed things that calls of the session made; those that have no identifiers stand at the end."""
        items = [place for place in places if place.role == "item"] if target.act == "list" else []
        made = {one.key for one in self._created}
        count = len(self._unnamed.get(collection_of(tool, arguments), ()))
        named = [place for place in items if str(place.fields.get(own_field(place.fields, place.holder))) in made]
        return [*named, *(items[-count:] if count else [])]

    def _keep_unnamed(
        self, tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], places: Sequence[ToldPlace]
    ) -> None:
        """Keep what a call created without an identifier, such as a reaction, until a list gives it one."""
        collection = collection_of(tool, arguments) if path_of(tool) else ""
        told = {name_words(name)[-1:] for place in places if place.role == "thing" for name in place.fields}
        if target.act == "list":
            named = any(self._own_field(place.fields, place.holder) for place in places if place.role == "item")
            self._unnamed.pop(collection if named else "", None)
        is_named = not told.isdisjoint((word,) for word in _FINDING) or bool(attached(tool, target, arguments))
        if target.act == "create" and collection and not is_named:
            known = self._unnamed.get(collection, ())
            key = f"{collection}#{len(known)}"
            when = (self._now - _BETWEEN_CALLS).isoformat() + "Z"
            self._learn(key, {**given_fields(target, arguments), "_".join(MADE_AT): when})
            self._unnamed[collection] = (*known, CreatedThing(target.noun, (), key, _source(tool, arguments)))

    def lacking(self, tool: Tool, arguments: Mapping[str, Json]) -> tuple[str, list[Json]] | None:
        """Return the parameter that names a thing which its collection lacks, with what there is; None where none does.

        Of a collection that the session knows in part only nothing is lacking.
        """
        for name, collection, above in collections_in(tool, arguments):
            if not (self._members.is_whole(collection) or self._is_below_new(above)):
                continue
            there = {key: one for key, one in self._members.of(collection).items() if key not in self._gone}
            if not identifies(tool, name):  # a file by its name
                ways = (plain_words(name), plain_words(name)[-1:])
                known = {key: self._things.get(key, {}) for key in there}
                there = {key: next((one[words] for words in ways if words in one), None) for key, one in known.items()}
            told = list(there.values())
            if None not in told and str(arguments[name]) not in map(str, told):
                return name, told
        return None

    def belongs_elsewhere(self, tool: Tool, arguments: Mapping[str, Json]) -> bool:
        """Whether a call puts a thing under another owner than the one that the session has told for it."""
        in_path = set(IN_PATH.findall(path_of(tool)))
        named = {name: one for name, one in arguments.items() if name in in_path and identifies(tool, name)}
        for held in named.values():
            known = self._things.get(str(held), {})
            owners = {n: known.get(plain_words(n)) for n in named if len(plain_words(n)) > 1 and named[n] != held}
            if any(told is not None and str(told) != str(named[n]) for n, told in owners.items()):
                return True
        return False

    def _see(self, target: ToolTarget, arguments: Mapping[str, Json], place: ToldPlace) -> None:
        told = (one for name, one in place.fields.items() if name_words(name)[:1] == ("currency",))
        self._currency = self._currency or next((str(one) for one in told if one in currencies()), "")
        key, name = _key_of(place, target, arguments), _name_in(place)
        if key is not None and name and place.role != "reply":
            self._seen.setdefault((stem(place.holder), name), SeenThing(key, _plain(arguments)))

    def _create(self, target: ToolTarget, given: Mapping[str, Json], fields: Mapping[str, Json], source: str) -> None:
        """Keep a thing by its identifier and by what else finds it; without one of its own by any that is told."""
        spoken, own = [encode(one) for one in given.values()], self._own_field(fields, target.noun)
        for name, one in fields.items():
            words = name_words(name)
            is_others = bool(own) and name != own and bool(words) and words[-1] in ID_WORDS
            if is_others or not words or words[-1] not in _FINDING or encode(one) in spoken:
                continue
            if isinstance(one, (str, int)):
                self._created = (*self._created, CreatedThing(target.noun, words, str(one), source))
                self._learn(str(one), {**given, **fields})

    def _learn(self, key: str, fields: Mapping[str, Json]) -> None:
        named_fields = ((plain_words(name), one) for name, one in fields.items())  # a name of signs alone has no words
        told = {words: one for words, one in named_fields if words and one not in (None, "", [], {})}
        titled = next((told[words] for words in _TITLES if words in told), None)
        named: dict[Words, Json] = {} if titled is None else {("name",): titled}
        if kind := media_type(told):
            named |= dict.fromkeys(MEDIA_TYPES, kind)
        self._things[key] = {**self._things.get(key, {}), **named, **told}


@lru_cache(maxsize=64)
def _asked_by(tools: tuple[Tool, ...]) -> dict[str, str]:
    """The parameter by which tools ask for one thing, by its noun; that of the first tool that does."""
    targets = (target_of(tool) for tool in reversed(tools))
    return {stem(target.noun): target.own for target in targets if target.own}


def _in_places(drawn: Sequence[Json], own: str, made: Sequence[CreatedThing], most: int) -> list[Json]:
    """Return the items that are shown, those in whose places known things are laid at the end, each in its own."""
    keys = [str(one.get(own)) if isinstance(one, dict) else "" for one in drawn]
    told = {one.key: keys.index(one.key) for one in made if one.key in keys}
    others = [at for at in range(len(drawn)) if at not in told.values()]
    fresh = others[: most - len(made)]
    spare = iter(others[len(fresh) :])
    return [drawn[at] for at in (*fresh, *(told[one.key] if one.key in told else next(spare) for one in made))]


def _owners(place: ToldPlace) -> Iterator[tuple[str, str]]:
    """Yield the fields that hold identifier and name of something else: `account_id` and `account_name`."""
    by_words = {plain_words(name): name for name, one in place.fields.items() if isinstance(one, (str, int))}
    for words, name in by_words.items():
        owner = by_words.get((*words[:-1], "id"), "")
        if len(words) > 1 and words[-1] == "name" and owner and name != owner:
            yield owner, name


def _owners_facts(fields: Mapping[str, Json]) -> Iterator[tuple[str, str, str]]:
    """Yield fields that hold the identifier and a day or state of one thing, with its own name for that.

    `chat_created_at` beside a `chat_id` is what the chat itself calls `created_at`.
    """
    by_words = {plain_words(name): name for name, one in fields.items() if isinstance(one, (str, int))}
    for words, name in by_words.items():
        owner, rest = by_words.get((*words[:1], "id"), ""), words[1:]
        if owner and rest and (is_moment_of(rest, BEGINS | CHANGED) or (len(rest) == 1 and rest[0] in STATES)):
            yield owner, "_".join(rest), name


def _opened(
    tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], places: Sequence[ToldPlace]
) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield each thing that an act opens by the way, with whom and what it is for: the ticket of an order."""
    if target.verb in LOOKUPS | CHECKS or tool.source.startswith("GET ") or target.act == "list":
        return
    is_all = target.act == "read"  # `claim_meal`: all that is given is of the claim
    given = {
        n: one
        for n, one in arguments.items()
        if not isinstance(one, (dict, list)) and (is_all or (len(name_words(n)) > 1 and identifies(tool, n)))
    }
    for place in places:
        for name, one in place.fields.items() if place.role == "thing" else ():
            words, is_told = name_words(name), isinstance(one, str) and one not in given.values()
            if is_told and len(words) > 1 and words[-1] in ID_WORDS | {"reference"}:
                yield str(one), {n: value for n, value in given.items() if plain_words(n) != plain_words(name)}


def _name_in(place: ToldPlace) -> str:
    """The name of a thing; empty where it has none."""
    called = (*_NAMES, (*name_words(place.holder)[-1:], "name"))
    return next((one for name, one in place.fields.items() if name_words(name) in called and isinstance(one, str)), "")


def _key_of(place: ToldPlace, target: ToolTarget, arguments: Mapping[str, Json]) -> Json:
    """The identifier of a thing: the one that it tells, else the one that it was asked for by."""
    own = own_field(place.fields, place.holder)
    return place.fields[own] if own else arguments.get(target.own) if place.role == "thing" else None


_NAMES = (("name",), ("title",), ("display", "name"))


_STATES = tuple((word,) for word in sorted(STATES))
_REFERENCE = 2
"""Words of a field that identifies another thing: `deploy_id` of a build."""
_OF_ITS_KIND = frozenset("parent previous next original root source target related owner item object".split())


def _plain(arguments: Mapping[str, Json]) -> dict[str, str]:
    return {name: str(one) for name, one in arguments.items() if not isinstance(one, (dict, list))}


_TITLES: tuple[Words, ...] = (("title",), ("summary",), ("subject",), ("label",))
"""Fields that another tool may call the name."""
_IDENTIFIED = frozenset((word,) for word in ID_WORDS)
"""Last words of arguments that say what listed things belong to."""
_FINDING = ID_WORDS | {"reference", "number", "key", "code", "url", "link", "ts"}
"""Last words of fields by which what was created is found again."""
_ENDS = frozenset("delete destroy erase cancel".split())
"""Verbs after which a thing is gone, wherever it stood; others take it off what holds it."""


def _address(tool: Tool, arguments: Mapping[str, Json]) -> str:
    """The path of a call, with its parameters filled in; empty where the tool has none."""
    return filled_path(tool, arguments) if IN_PATH.search(path_of(tool)) else ""


def _source(tool: Tool, arguments: Mapping[str, Json]) -> str:
    """The call as far as it decides what is told, as text."""
    return f"{tool.key}/{encode({name: one for name, one in arguments.items() if not _is_presentation(name)})}"


def _is_presentation(name: str) -> bool:
    """Whether an argument says how a result is written, and not what it tells."""
    words = name_words(name)
    return words[-1:] in (("format",), ("callback",), ("pretty",)) or words in (("page", "size"), ("per", "page"))


def _own_key(tool: Tool, target: ToolTarget, arguments: Mapping[str, Json]) -> str:
    """What a call's own thing is known by: its identifier, or the address of what only a name tells, as of a file."""
    if target.own not in arguments:
        return ""
    is_below = len(IN_PATH.findall(path_of(tool))) > 1
    is_named = is_below and not identifies(tool, target.own)
    return f"{collection_of(tool, arguments)}/{arguments[target.own]}" if is_named else str(arguments[target.own])


def _puts(tool: Tool, target: ToolTarget) -> bool:
    """Whether something is there after a call that was not there before."""
    return target.act == "create" or tool.source.startswith("PUT ")


def _takes_whole_part(tool: Tool, target: ToolTarget, arguments: Mapping[str, Json]) -> bool:
    """Whether a call deletes the only such part of a thing: the config of an instance, not one of several members."""
    last = path_of(tool).rpartition("/")[2]
    is_whole = set(arguments) <= set(IN_PATH.findall(path_of(tool))) and "{" not in last and not is_plural(last)
    return target.act == "change" and tool.source.startswith("DELETE ") and is_whole


def _only_one(tool: Tool, arguments: Mapping[str, Json]) -> str:
    """The path of a thing that has no identifier as it is the only one there: the settings of an account.

    Empty where something else than the path may say what is read, or nothing is at a path.
    """
    path, act = path_of(tool), target_of(tool).act
    is_plain = act in ("change", "delete") or (act == "read" and set(arguments) <= set(IN_PATH.findall(path)))
    return f"{tool.service} {filled_path(tool, arguments)}" if path and is_plain else ""


def main_list(target: ToolTarget, value: Json) -> list[Json] | None:
    """Return the list that a result is about, if it is about one."""
    while isinstance(value, dict):
        held = holder_of({name: shape_of_value(one) for name, one in value.items()}, target)
        value = value.get(held)
    return value if isinstance(value, list) else None


_LIMITS = frozenset("limit per page size max maximum results top count take rows".split())


def _most(arguments: Mapping[str, Json]) -> Iterator[int]:
    """The most items that a call asks for."""
    for name, one in arguments.items():
        words = name_words(name)
        if words and _LIMITS.issuperset(words) and words != ("page",) and isinstance(one, int) and one > 0:
            yield one


def _cut(items: list[Json], kept: list[Json], value: Json, tool: Tool) -> None:
    """Leave of a list what is kept, if its schema takes that."""
    before = list(items)
    items[:] = kept
    if len(kept) < len(before) and not fits_returns(value, tool):
        items[:] = before


def _with_written(value: Json, tool: Tool, target: ToolTarget, arguments: Mapping[str, Json]) -> Json:
    """Return a receipt nobody documented with what the call was given: which thing, and what was written."""
    if not isinstance(value, dict) or target.act not in ("create", "change", "delete"):
        return value
    plain = {n: one for n, one in given_fields(target, arguments).items() if isinstance(one, (str, int, float))}
    told = {name: one for name, one in plain.items() if _may_repeat(name, one) and name not in value}
    again = {plain_words(name) for name in told}  # `volumeId` and no `volume_id` beside it
    rest = {name: one for name, one in value.items() if plain_words(name) not in again}
    return {**dict(list(told.items())[:_MOST_REPEATED]), **rest}


_MOST_REPEATED = 8
_LONGEST_REPEATED = 200
_UNREPEATED = frozenset("password secret token authorization tenant".split())


def _may_repeat(name: str, value: Json) -> bool:
    return _UNREPEATED.isdisjoint(name_words(name)) and name.isidentifier() and len(str(value)) <= _LONGEST_REPEATED


def _keyed(place: ToldPlace, key: Json) -> Iterator[Edit]:
    """A listed thing that was asked for by its identifier has that."""
    own = own_field(place.properties or place.fields, place.holder)
    if own and key is not None:
        yield from laid(place, own, key)


QUERIES = frozenset(("query", "keyword", "keywords", "q", "term", "search", "phrase"))
_HITS = ("{}", "{} overview", "{} notes", "{} archive")


def hits(tool: Tool, asked: Mapping[Words, Json], items: Sequence[ToldPlace]) -> Iterator[Edit]:
    """Yield names for found things that hold the words searched for."""
    query, is_name = _query(tool, asked)
    brands = cycle((*THING_NAMES[len(query) :], *THING_NAMES))
    for at, (pattern, place) in enumerate(zip(_HITS, items if query else (), strict=False)):
        noun = name_words(place.holder)[-1:]
        if _WRITINGS.isdisjoint(map(stem, noun)):
            pattern = f"{next(brands)} {{}}" if at else "{}"
        called = ("name", "title", *(name for name in place.fields if name_words(name) == (*noun, "name")))
        name = next((name for name in called if isinstance(place.fields.get(name), str)), "")
        if not name:
            continue
        if kind_of(" ".join(noun), {"type": "string"}) == "person" or not PEOPLE.isdisjoint(map(singular, noun)):
            family = str(place.fields[name]).split()[-1]
            yield Edit(place.fields, name, f"{query} {family}" if " " not in query else query)
        elif names_one(tool, asked, items):
            yield Edit(place.fields, name, query)
        elif is_name or _OWN_NAMES.isdisjoint(map(stem, noun)):
            yield Edit(place.fields, name, pattern.format(query))


def names_one(tool: Tool, asked: Mapping[Words, Json], items: Sequence[ToldPlace]) -> bool:
    """Whether a search is for the one thing of a name of its own: a company or `my-shelf`, not a word in titles."""
    query, is_name = _query(tool, asked)
    if is_name and _WRITTEN.fullmatch(query):
        return True
    nouns = {stem(word) for place in items[:1] for word in name_words(place.holder)[-1:]}
    return not _OWN_NAMES.isdisjoint(nouns) and (query.istitle() or is_name)


def _query(tool: Tool, asked: Mapping[Words, Json]) -> tuple[str, bool]:
    """The words searched for, and whether they are given as a name; empty where a call searches for none."""
    is_above = "{name}" in tool.source  # the name of what holds them
    named = [asked[words] for words in (("name",), ("title",)) if words in asked and not is_above]
    searched = [one for words, one in asked.items() if not QUERIES.isdisjoint(words)]
    found = [one for one in (*named, *searched) if isinstance(one, str) and 2 < len(one) <= 40]
    return (found[0], bool(named)) if found and (named or _searches(tool)) else ("", False)


def _searches(tool: Tool) -> bool:
    return action_of(tool)[0] in SEARCHES or not {"lookup", "autocomplete", "suggest"}.isdisjoint(name_words(tool.name))


_WRITTEN = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+")
"""A name as machines have it, which is not searched for by its words."""
_WRITINGS = stem_set("document file article page note report post guide presentation spreadsheet board folder wiki")
_OWN_NAMES = stem_set(
    "author company city country hotel restaurant location address artist band singer musician song track album movie "
    "film game book anime manga team club league coin stock airport airline station brand venue"
)
"""Things whose names are their own whatever was searched for."""


def _is_such(made: CreatedThing, noun: str, own: str) -> bool:
    words = name_words(own)
    is_plain = ID_WORDS.issuperset(words) or ID_WORDS.issuperset(made.field)
    return stem(noun) == stem(made.noun) if is_plain else words == made.field


def _lay_over(value: Json, edits: Sequence[Edit], tool: Tool) -> None:
    """Lay what is known over a result as far as its schema takes it."""
    before = _apply(edits)
    if not edits or fits_returns(value, tool):
        return
    _apply(reversed(before))
    for edit in edits[:MAX_EDITS]:
        undone = _apply((edit,))
        if not fits_returns(value, tool):
            _apply(undone)


def _apply(edits: Iterable[Edit]) -> list[Edit]:
    """Make the edits, and return those that undo them, in the same order."""
    before = []
    for edit in edits:
        is_new = edit.name not in edit.place
        before.append(Edit(edit.place, edit.name, edit.place.get(edit.name), is_new))
        if edit.is_gone:
            edit.place.pop(edit.name, None)
        else:
            edit.place[edit.name] = edit.value
    return before

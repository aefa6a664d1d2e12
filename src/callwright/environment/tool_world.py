"""The tool environment: results that fit each tool's result schema, the same for the same seed, with a memory.

Later calls of the same world find a thing that a call creates: those that list such things, and those that are
given its identifier. Deleted things are gone, and changes last. `call` only looks; `keep` makes what a
call did lasting, so that a planner may look ahead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from datetime import date, datetime

from callwright.author.value_bank import known_countries
from callwright.author.value_ids import IdForms, id_forms
from callwright.author.value_scene import Scene
from callwright.catalog.slots import slots
from callwright.engine.randomness import stream
from callwright.environment.call_keys import address_of, own_key, plain_arguments, puts, source_of
from callwright.environment.echoes import (
    Edit,
    Words,
    asked_fields,
    chosen,
    echoes,
    given_fields,
    laid,
    owned,
    plain_words,
    retold,
    typed_owner,
)
from callwright.environment.known_sums import within_sum
from callwright.environment.laying import Telling, cut
from callwright.environment.listed_things import choose, most_asked, without_twins
from callwright.environment.membership import collection_of
from callwright.environment.named_codes import airports, each_code_once, found_by_code, near
from callwright.environment.recalled import lay_recalled
from callwright.environment.result_drawing import Way, drawing, forms_of, ways_of
from callwright.environment.result_filters import filtered, grouped, named_groups, put_in_order, tells_groups
from callwright.environment.search_hits import hits, known_hits, named_as_asked, names_one, read_by_words, works_of_one
from callwright.environment.settling import (
    apart,
    begun_now,
    below_parent,
    counted,
    counted_within,
    each_once,
    ends_apart,
    flagged,
    in_order,
    mailed_name,
    named_mail,
    numbered,
    of_distinct,
    one_country,
    one_currency,
    one_language,
    one_name,
    one_spot,
    ordered,
    over,
    own_name,
    parts_of_name,
    stamped,
    told_twice,
    unfinished,
    went_well,
    within_total,
)
from callwright.environment.spans import in_span
from callwright.environment.state_rules import excluded_state
from callwright.environment.told_counts import counts_of_lists, parts_of_totals, within_limit
from callwright.environment.told_owners import key_of, name_in
from callwright.environment.tool_target import (
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
from callwright.environment.weather import plausible
from callwright.environment.worked_amounts import lowered, nothing_yet
from callwright.environment.world_memory import OPENS, CreatedThing, WorldMemory
from callwright.lang.gazetteer import Country, cities, countries
from callwright.lang.schemas import name_words
from callwright.lang.tokens import stem
from callwright.match.schema import fits_returns
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, decode, encode
from callwright.records.persona import Persona
from callwright.records.tool import Tool

_DRAWINGS = 4
"""Most drawings of a result, for a thing that has no other's name."""
_APART = 1000
"""Between the numbers of their random streams: more than calls of one session are equal."""


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
        self._memory = WorldMemory(tools, today)
        self._drawings: dict[tuple[str, int], tuple[Json, Way] | None] = {}
        """What was drawn for a call, by its text and number; for all forks, as what they know does not alter it."""

    def fork(self) -> ToolWorld:
        """Return a world that remembers the same and goes its own way from here."""
        other = copy(self)
        other._memory = self._memory.fork()
        return other

    def call(self, tool: Tool, arguments: Mapping[str, Json]) -> Result:
        """Return what the tool returns for these arguments; an error for a thing that was deleted."""
        target = target_of(tool)
        gone = next((name for name, one in arguments.items() if str(one) in self._memory.gone), "")
        is_gone = not puts(tool, target) and address_of(tool, arguments) in self._memory.gone
        if (gone or is_gone) and not sees_deleted(tool):
            return Result(error=f"no such {' '.join(name_words(gone)[:-1]) or target.noun}")
        own = own_key(tool, target, arguments)
        if state := excluded_state(tool, self._memory.things.get(own, {}), self._memory.reached.get(own, "")):
            return Result(error=f"the {target.noun} is {state.lower()}")
        source = source_of(tool, arguments)
        again = sum(one.source == source for one in self._memory.created)
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
        if (source, number) not in self._drawings:
            self._drawings[source, number] = self._draw(tool, arguments, source, number)
        return deepcopy(self._drawings[source, number])

    def _draw(self, tool: Tool, arguments: Mapping[str, Json], source: str, number: int) -> tuple[Json, Way] | None:
        fitting: tuple[Json, Way] | None = None
        for way in ways_of(tool):
            rng = stream(self._seed, self._item, f"world/{source}", number)
            scene = _set(Scene(rng, self._persona, self._today, self._ids), tool, arguments)
            scene.country = self._country_of(arguments) or scene.country
            scene.asked = asked_for(arguments)
            value = drawing(tool, forms_of(tool, self._memory.tools), way)(scene)
            if fits_returns(value, tool):
                if tells_groups(arguments, value):
                    return value, way
                fitting = fitting or (value, way)
        return fitting

    def _country_of(self, arguments: Mapping[str, Json]) -> Country | None:
        """The country that an identifier stands for: the same one in all of a session."""
        given = next((one for name, one in arguments.items() if plain_words(name) == ("country", "id")), None)
        if given is None:
            return None
        return stream(self._seed, self._item, f"country/{given}", 0).choice(countries())

    def _is_namesake(self, target: ToolTarget, arguments: Mapping[str, Json], value: Json) -> bool:
        """Whether a result gives one thing a name that another has, and that nobody asked for."""
        things = (place for place in told_places(target, value) if place.role == "thing")
        named = ((place, name_in(place), key_of(place, target, arguments)) for place in things)
        return any(
            name
            and key is not None
            and name not in arguments.values()
            and self._key_of_name(place, name) not in ("", str(key))
            for place, name, key in named
        )

    def _key_of_name(self, place: ToldPlace, name: str) -> str:
        seen = self._memory.seen.get((stem(place.holder), name))
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
            rng = stream(self._seed, self._item, f"items/{source_of(tool, arguments)}", 0)
            made = choose(self._memory, rng, items, tool, arguments, asked)
            if keys:
                items[:], made = items[: len(keys)], []
            if not fits_returns(value, tool):  # it must be longer, say
                items[:], made = drawn, []
        places = list(told_places(target, value, schema, way.alternative))
        listed = [place for place in places if place.role == "item"]
        given = list(_given(tool, target, arguments, asked, places))
        telling = Telling(tool, target, arguments, asked, value, items, tuple(made), places, listed, given)
        _lay_given(telling, self._memory.currency, self._persona.name)
        if is_own:
            telling.lay(
                edit for place, key in zip(listed, keys, strict=False) for edit in _keyed(target, place, key, arguments)
            )
        lay_recalled(self._memory, telling)
        self._lay_found(telling)
        self._lay_settled(telling)
        value = _keyed_by_day(value, tool, arguments)
        return _with_written(value, tool, target, arguments) if tool.returns_inferred else value

    def _lay_found(self, telling: Telling) -> None:
        """Lay over a result what it was searched for, and when things came about; no thing stands in it twice."""
        tool, target, arguments, asked, value, items, made, places, listed, _ = telling
        fresh = telling.fresh
        known = known_hits(tool, asked, fresh) if items and target.act == "list" else None
        if items and known is not None:
            cut(items, [*items[: min(len(known), len(fresh))], *items[len(fresh) :]], value, tool)
        elif items and not made and names_one(tool, asked, listed):
            cut(items, items[:1], value, tool)
        searched = list(found_by_code(asked, fresh))
        if searched and items:
            cut(items, items[:1], value, tool)
        if target.act in ("read", "list"):
            telling.lay((*searched, *airports(asked, fresh or places), *near(arguments, places)))
        found = [*hits(tool, asked, fresh), *named_as_asked(tool, target, arguments, places)]
        found += read_by_words(target, asked, places)
        said = plain_arguments(arguments)
        taken = {key for key, seen in self._memory.seen.items() if seen.asked != said}
        unknown = [place for place in fresh if ("name",) not in self._known_of(place)]
        found += works_of_one(target, asked, unknown, taken)
        own = own_key(tool, target, arguments) if target.act == "read" else ""
        memory = self._memory
        if own and own not in memory.things and memory.members.is_missed(collection_of(tool, arguments), own):
            found = [*found, *begun_now(places, memory.now)]  # it came after the list that lacks it
        telling.lay((*found, *stamped(target, places, memory.now, arguments)))
        telling.lay(one_spot(value, found) if known else ())
        if items is not None:
            cut(items, [one for at, one in enumerate(items) if one not in items[:at]], value, tool)
            cut(items, without_twins(memory, items, made, target), value, tool)
            if target.act == "list" and not made:
                cut(items, each_code_once(items, listed), value, tool)

    def _known_of(self, place: ToldPlace) -> Mapping[Words, Json]:
        """What the session knows of the thing that an object identifies."""
        return self._memory.things.get(str(place.fields.get(self._memory.own_field(place.fields, place.holder))), {})

    def _lay_settled(self, telling: Telling) -> None:
        """Lay over a result what settles its moments, counts, filters and order."""
        tool, target, arguments, asked, _, items, made, places, listed, told = telling
        if target.act in ("list", "read"):
            telling.lay(in_span(tool, arguments, places, datetime.combine(self._today, OPENS)))
        now = self._memory.now
        settled = [
            edit
            for place in places
            for edit in (
                *ordered(place, now),
                *in_order(place),
                *plausible(place),
                *unfinished(place),
                *went_well(place),
            )
        ]
        settled += [
            edit
            for place in places
            for edit in (
                *each_once(target, place),
                *counted_within(place),
                *of_distinct(place),
                *over(target, place),
                *flagged(target, place),
            )
        ]
        settled += told_twice(places)
        settled += [edit for place in places for edit in (*apart(place, told), *ends_apart(place, told))]
        counts = counted(places, len(items), asked) if items is not None else ()
        telling.lay((*_not_given(settled, told), *numbered(telling.fresh), *counts))
        self._lay_known(telling)
        if "list" in (target.act, target.verb):
            filtered_by = [place for place in places if place.role == "thing"] if items is None else listed
            telling.lay(filtered(arguments, filtered_by[: len(filtered_by) - len(made)]))
        telling.lay(edit for place in places for edit in grouped(tool, arguments, place))
        telling.lay(named_groups(arguments, listed))
        if items is not None:
            cut(items, [one for at, one in enumerate(items) if one not in items[:at]], telling.value, tool)
        if items is not None and target.act == "list":
            put_in_order(arguments, items)

    def _lay_known(self, telling: Telling) -> None:
        """Lay over a result the numbers, names and moments that follow from what the session knows of its things."""
        tool, target, arguments, _, _, items, _, places, _, told = telling
        memory, known = self._memory, self._memory.things
        nested = memory.times.nested(tool.service)
        numbers = list(counts_of_lists(known, memory.members, nested, target, arguments, places))
        numbers += parts_of_totals(known, target, arguments, places)
        numbers += [*nothing_yet(target, arguments, places), *lowered(known, arguments, places)]
        asked_most = min(most_asked(arguments), default=0) if items is None else 0
        numbers += within_limit(asked_most, places) if asked_most else ()
        telling.lay(_not_given(numbers, told))
        for place in places:
            telling.lay(parts_of_name(place, known.get(str(key_of(place, target, arguments)), {}), told))
        aged = list(memory.times.agreed(known, tool, target, arguments, places, memory.now))
        aged += within_sum(known, tool, target, arguments, places)
        telling.lay(_not_given(aged, told))

    def keep(self, tool: Tool, arguments: Mapping[str, Json], result: Result) -> None:
        """Keep the effects of a call: things created, changed or deleted, and facts told."""
        self._memory.keep(tool, arguments, result)

    def lacking(self, tool: Tool, arguments: Mapping[str, Json]) -> tuple[str, list[Json]] | None:
        """Return the parameter that names a thing which its collection lacks, with what there is; None where none does.

        Of a collection that the session knows in part only nothing is lacking.
        """
        return self._memory.lacking(tool, arguments)

    def belongs_elsewhere(self, tool: Tool, arguments: Mapping[str, Json]) -> bool:
        """Whether a call puts a thing under another owner than the one that the session has told for it."""
        return self._memory.belongs_elsewhere(tool, arguments)


def _given(
    tool: Tool,
    target: ToolTarget,
    arguments: Mapping[str, Json],
    asked: Mapping[Words, Json],
    places: Sequence[ToldPlace],
) -> Iterator[Edit]:
    """Yield what a result repeats of the call."""
    yield from (edit for place in places for edit in echoes(asked, target, place))
    yield from (edit for place in places for edit in chosen(tool, target, arguments, place))
    yield from (edit for place in places for edit in retold(target, arguments, place))
    yield from (edit for place in places for edit in owned(tool, target, arguments, place))
    yield from (edit for place in places if place.role != "part" for edit in typed_owner(place, asked))


def _not_given(edits: Iterable[Edit], told: Iterable[Edit]) -> list[Edit]:
    """The edits that alter nothing which the call gave."""
    given = {(id(edit.place), edit.name) for edit in told}
    return [edit for edit in edits if (id(edit.place), edit.name) not in given]


def _lay_given(telling: Telling, currency: str, caller: str) -> None:
    """Lay over a result what it repeats of the call, and what follows of that for each of its things alone."""
    places, told = telling.places, telling.told
    telling.lay(told)
    telling.lay(edit for place in places for edit in below_parent(telling.arguments, place))
    telling.lay(edit for place in places for edit in mailed_name(telling.asked, place))
    telling.lay(edit for place in places for edit in own_name(telling.tool, caller, place))
    telling.lay(edit for place in places for edit in parts_of_name(place, {}, told))
    agreed = [*(edit for place in places for edit in named_mail(place)), *one_currency(places, currency)]
    telling.lay((*agreed, *one_country(places, told)))
    telling.lay(
        edit for place in places for edit in (*one_language(place, told), *one_name(place), *within_total(place))
    )


def main_list(target: ToolTarget, value: Json) -> list[Json] | None:
    """Return the list that a result is about, if it is about one."""
    while isinstance(value, dict):
        held = holder_of({name: shape_of_value(one) for name, one in value.items()}, target)
        value = value.get(held)
    return value if isinstance(value, list) else None


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


def _keyed_by_day(value: Json, tool: Tool, arguments: Mapping[str, Json]) -> Json:
    """Return an object under the day that a call asked for, where it is under the day of a document's example."""
    day = tuple(str(arguments.get(name, "")) for name in ("year", "month", "day"))
    if not isinstance(value, dict) or len(value) != 1 or not all(one.isdecimal() for one in day):
        return value
    [(key, held)] = value.items()
    year, month, last = (day[0], f"{int(day[1]):02}", f"{int(day[2]):02}")
    form = next((mark for mark in ("", "-") if re.fullmatch(rf"\d{{4}}{mark}\d\d{mark}\d\d", key)), None)
    made = value if form is None else {form.join((year, month, last)): held}
    return made if fits_returns(made, tool) else value


def _keyed(target: ToolTarget, place: ToldPlace, key: Json, arguments: Mapping[str, Json]) -> Iterator[Edit]:
    """A listed thing that was asked for by its identifier has that.

    A variable's `key` is no `id` of its values, nor is the `id` of a channel the `video_id` of its videos.
    """
    own = own_field(place.properties or place.fields, place.holder)
    *of, last = name_words(own) or ("",)
    names = [
        name_words(name) for name, one in arguments.items() if one == key or (isinstance(one, list) and key in one)
    ]
    asked_by = next(iter(names), ())
    is_named = asked_by[-1:] in _NAMING and asked_by[-1:] != (last,)
    is_anothers = bool(of) and stem(of[-1]) not in {stem(target.noun), *map(stem, asked_by)}
    if own and key is not None and not is_named and not is_anothers:
        yield from laid(place, own, key)


_NAMING = tuple((word,) for word in "key slug name handle username".split())

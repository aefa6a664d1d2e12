"""What a result repeats of what the session knows of its things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from callwright.environment.call_keys import address_of, called_by, only_one, own_key, plain_arguments
from callwright.environment.echoes import Edit, Words, formed, held_within, laid, plain_words, remembered, typed_owner
from callwright.environment.held_lists import MADE_AT, is_within, told_within
from callwright.environment.laying import Telling
from callwright.environment.membership import identifies
from callwright.environment.parents import of_parent, parent_of
from callwright.environment.plain_values import written
from callwright.environment.settling import moment_of, one_file, one_link, one_path, one_reference, one_spot, one_year
from callwright.environment.state_rules import moves_state
from callwright.environment.told_containers import above_all
from callwright.environment.told_fields import BEGINS, CHANGED, STATES, is_moment_of, is_moment_within
from callwright.environment.told_owners import name_in, owners
from callwright.environment.tool_target import ToldPlace, looked_up, own_field, target_of
from callwright.environment.world_memory import WorldMemory
from callwright.lang.kinds import kind_of
from callwright.lang.schemas import name_words, plain_schema
from callwright.lang.tokens import stem, stem_set
from callwright.records.jsontext import Json
from callwright.records.tool import Tool


def lay_recalled(memory: WorldMemory, telling: Telling) -> None:
    """Lay over a result what the session knows of what it tells."""
    tool, target, arguments, asked, value, _, made, places, listed, told = telling
    if target.act != "create" and not looked_up(tool, target, arguments)[1]:
        telling.lay([edit for place in places for edit in _named_alike(memory, tool, arguments, asked, place)])
    telling.lay(memory.facts.agreed(tool, target, asked, places))
    held_by = parent_of(tool, target, arguments)
    telling.lay(of_parent(places, memory.things.get(held_by, {})) if held_by else ())
    holders = [edit for place in places for edit in _known_holders(memory, tool, arguments, place)]
    telling.lay(holders)
    telling.lay(list(above_all(memory.tools, memory.things, tool, arguments, asked, places)))
    known = [edit for place in places for edit in _known_fields(memory, tool, arguments, place)]
    telling.lay(known)
    known += holders
    known_items = list(zip(listed[len(listed) - len(made) :], made, strict=True))
    for place, one in known_items:
        own = memory.own_field(place.properties or place.fields, place.holder) if one.field else ""
        telling.lay((*remembered(place, memory.things[one.key]), *(laid(place, own, one.key) if own else ())))
        lacked = [
            edit for edit in _untold(memory, place, one.key, own) if name_words(edit.name)[-1:] not in _STATE_WORDS
        ]
        telling.lay(lacked if own else _made_then(place, memory.things[one.key]))
    telling.lay(told)
    linked = [(place, own_field(place.fields, place.holder)) for place in places]
    telling.lay(edit for place, own in linked if own for edit in one_link(place, own))
    telling.lay(
        edit
        for place in places
        for edit in (*one_reference(place), *one_path(place), *one_year(place), *one_file(place))
    )
    telling.lay(one_spot(value, [*told, *known]))
    telling.lay(memory.facts.made_by_caller(tool, target, asked, places))
    mine = [place for place, one in known_items if one.source]
    telling.lay(memory.facts.put_by_caller(tool, target, asked, mine))
    telling.lay(_owners_named(memory, places))
    telling.lay([edit for place in places for edit in _put_within(memory, place)])


def _made_then(place: ToldPlace, known: Mapping[Words, Json]) -> Iterator[Edit]:
    """The one moment of a thing that a call made, whatever it is called: the `date` of a record in a history."""
    moments = [name for name, one in place.fields.items() if isinstance(one, str) and moment_of(one) is not None]
    moments = [name for name in moments if kind_of(name, plain_schema(place.properties.get(name))) in _MOMENTS]
    when = moment_of(known.get(MADE_AT))
    if len(moments) == 1 and when is not None and plain_words(moments[0]) not in known:
        schema = plain_schema(place.properties.get(moments[0]))
        made = written(when, schema, is_day=kind_of(moments[0], schema) == "date")
        yield from (Edit(place.fields, moments[0], made) for _ in range(made is not None))


_MOMENTS = ("date", "datetime")


def _key_told(memory: WorldMemory, tool: Tool, arguments: Mapping[str, Json], place: ToldPlace) -> Json:
    """What the thing is known by that an object tells of."""
    target, own = target_of(tool), memory.own_field(place.fields, place.holder)
    is_asked = place.role == "thing" and bool(target.own)
    called = called_by(tool, arguments) if place.role == "thing" and not target.own else ""
    if called and called in memory.things:
        return called
    key = own_key(tool, target, arguments) if is_asked else place.fields.get(own)
    key = only_one(tool, arguments) if place.role == "thing" and key is None and not target.own else key
    if not key and place.role == "thing" and target.act in ("change", "delete"):
        names = [name for name in tool.required if identifies(tool, name) and name in arguments]
        told = {plain_words(name) for name in place.fields}
        key = arguments[names[0]] if len(names) == 1 and plain_words(names[0]) in told else None
    named = place.fields.get("name")
    is_found = not key and isinstance(named, str) and named in memory.things  # by its name
    return named if is_found else key


def _known_holders(memory: WorldMemory, tool: Tool, arguments: Mapping[str, Json], place: ToldPlace) -> Iterator[Edit]:
    """Identifiers of what holds a thing that was seen before."""
    key = _key_told(memory, tool, arguments, place)
    known = memory.things.get(str(key), {}) if place.role != "reply" and target_of(tool).act != "create" else {}
    yield from typed_owner(place, known)
    yield from held_within(place, known)


def _known_fields(memory: WorldMemory, tool: Tool, arguments: Mapping[str, Json], place: ToldPlace) -> Iterator[Edit]:
    """Fields repeated of a thing that was seen, created or changed before; a receipt tells its own state."""
    target, is_inferred = target_of(tool), tool.returns_inferred and "name" not in place.fields
    own, key = memory.own_field(place.fields, place.holder), _key_told(memory, tool, arguments, place)
    is_old = target.act != "create" or (str(key) in memory.things and key in arguments.values())
    if place.role != "reply" and is_old and isinstance(key, (str, int)):
        known = memory.things.get(str(key), {})
        is_reached = target.act in ("change", "delete") and moves_state(target.verb, place)
        is_moved = place.role == "thing" and (is_inferred or is_reached)
        yield from remembered(place, {n: one for n, one in known.items() if not (is_moved and n[-1] in STATES)})
        states = [name for name in place.fields if name_words(name)[-1:] and name_words(name)[-1] in STATES]
        reached = list(_reached_states(memory, place, states, str(key))) if not is_moved else []
        yield from reached
        yield from _begun_before(place, known)
        if str(key) in memory.stale and not reached:  # a payment of an invoice may have settled it
            yield from (Edit(place.fields, name, None, is_gone=True) for name in states)
        yield from _untold(memory, place, str(key), own)


def _begun_before(place: ToldPlace, known: Mapping[Words, Json]) -> Iterator[Edit]:
    """The day on which a thing was made, where others are known of it and not this one: it is not after them."""
    others = [
        moment
        for words, one in known.items()
        if is_moment_within(words, BEGINS | CHANGED) and (moment := moment_of(one))
    ]
    for name, one in place.fields.items() if others else ():
        words, moment = name_words(name), moment_of(one)
        is_first = is_moment_of(words, BEGINS) and len(words) <= _SHORT and plain_words(name) not in known
        if is_first and moment is not None and moment > min(others):
            schema = plain_schema(place.properties.get(name))
            made = written(min(others) - _BETWEEN_PARTS, schema, is_day=kind_of(name, schema) == "date")
            yield from (Edit(place.fields, name, made) for _ in range(made is not None))


_SHORT = 2
"""Most words of the day on which the thing itself was made: `created_at`, and no `active_session_created_at`."""


def _untold(memory: WorldMemory, place: ToldPlace, key: str, own: str) -> Iterator[Edit]:
    """Fields that a thing does not have: it is as it was made, or as a result told it that has such fields."""
    known, lacks = memory.things.get(key, {}), memory.lacks.get(key, frozenset())
    is_made = len(known) > 1 and any(made.key == key for made in memory.created)
    unset = [name for name in place.fields if name != own and plain_words(name) not in known]
    gone = [name for name in unset if is_made or plain_words(name) in lacks]
    is_of_it = len(gone) < len(place.fields.keys() - {own})  # statistics of it share no field with it
    for name in gone if is_of_it else ():
        is_list = isinstance(place.fields[name], list) and name in place.properties
        needed = is_list and not plain_schema(place.properties[name]).get("minItems")
        yield from (Edit(place.fields, name, []) for _ in range(needed))
        yield Edit(place.fields, name, None, is_gone=True)


def _put_within(memory: WorldMemory, place: ToldPlace) -> Iterator[Edit]:
    """The lists of a thing that tell what calls put into it."""
    key = str(place.fields.get(memory.own_field(place.fields, place.holder), ""))
    for name in place.properties if key and place.role in ("thing", "item") else ():
        put = [one for collection, one in memory.unnamed.items() if is_within(collection, key, name)]
        known = [memory.things[one.key] for several in put for one in several]
        known += [] if known else memory.members_within(key, name)
        told = told_within(place.properties[name], known, memory.facts.caller()) if known else None
        if told is not None:
            yield Edit(place.fields, name, told)


def _reached_states(memory: WorldMemory, place: ToldPlace, states: Sequence[str], key: str) -> Iterator[Edit]:
    """The states, of those that a service knows, to which the last acts on a thing led."""
    for name in states:
        schema = plain_schema(place.properties.get(name))
        done = memory.acts.get(key, ()) if "enum" in schema else ()
        made = [one for one in (formed(act, schema) for act in done) if one is not None]
        yield from (Edit(place.fields, name, one) for one in made[-1:])


def _named_alike(
    memory: WorldMemory, tool: Tool, arguments: Mapping[str, Json], asked: Mapping[Words, Json], place: ToldPlace
) -> Iterator[Edit]:
    """The identifier of a thing that stood under the same name in a result of which nothing else was asked for."""
    own, name = own_field(place.fields, place.holder), name_in(place)
    seen = memory.seen.get((stem(place.holder), name)) if own and name else None
    if seen is None or place.role == "reply":
        return
    if stem(place.holder) in _PROPER:
        yield from laid(place, own, seen.key) if str(seen.key) not in memory.gone else ()
        return
    given = plain_arguments(arguments)
    is_alike = all(given.get(name, one) == one for name, one in seen.asked.items())
    is_alike &= memory.is_found(str(seen.key), asked)  # a search gives its hits other names
    if is_alike and memory.is_shown(str(seen.key), address_of(tool, arguments), asked):
        yield from laid(place, own, seen.key)


_PROPER = stem_set("tag label category group company organization organisation supplier vendor customer")
"""Things that a session knows by their names alone, wherever they are listed."""


def _owners_named(memory: WorldMemory, places: Sequence[ToldPlace]) -> Iterator[Edit]:
    """Names of what things belong to: one identifier has one name, here and in earlier results."""
    names: dict[str, Json] = {}
    for place in places:
        for owner, name in owners(place):
            key = str(place.fields[owner])
            known = memory.things.get(key, {}).get(("name",))
            yield from laid(place, name, names.setdefault(key, place.fields[name]) if known is None else known)


_BETWEEN_PARTS = timedelta(hours=3)
_STATE_WORDS = tuple((word,) for word in sorted(STATES))

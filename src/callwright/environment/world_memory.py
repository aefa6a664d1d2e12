"""What a session of calls knows: things that were created, changed, read or deleted, and what results told of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple

from callwright.catalog.slots import slots
from callwright.environment.call_keys import (
    address_of,
    called_by,
    only_one,
    own_key,
    plain_arguments,
    puts,
    segment_of,
    source_of,
    takes_whole_part,
)
from callwright.environment.echoes import NEW, WITHIN, Words, asked_fields, given_fields, plain_words
from callwright.environment.held_lists import MADE_AT, is_within
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
    whole_of,
)
from callwright.environment.parents import parent_of, told_of_parent
from callwright.environment.plain_values import stateful
from callwright.environment.returns import path_of
from callwright.environment.search_hits import QUERIES
from callwright.environment.session_facts import SessionFacts, default_owners
from callwright.environment.settling import MEDIA_TYPES, media_type
from callwright.environment.state_rules import is_move
from callwright.environment.timelines import Timelines
from callwright.environment.told_containers import containers_told
from callwright.environment.told_counts import told_empty
from callwright.environment.told_fields import STATES
from callwright.environment.told_owners import key_of, name_in, opened, owners, owners_facts
from callwright.environment.tool_target import IN_PATH, ToldPlace, ToolTarget, own_field, target_of, told_places
from callwright.environment.worked_amounts import totals_after
from callwright.lang.english import past_participle
from callwright.lang.gazetteer import currencies
from callwright.lang.kinds import ID_WORDS, Kind
from callwright.lang.schemas import name_words, singular
from callwright.lang.tokens import stem
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool

OPENS = time(9)
"""When the session begins, as far as results tell."""
BETWEEN_CALLS = timedelta(minutes=4)
_NAMED_BY_A_CALL = {"": "named"}
"""The filter under which a thing was found that no list told: it stands in lists without filters only."""
_REFERENCE = 2
"""Words of a field that identifies another thing: `deploy_id` of a build."""
_OF_ITS_KIND = frozenset("parent previous next original root source target related owner item object".split())
_TITLES: tuple[Words, ...] = (("title",), ("summary",), ("subject",), ("label",))
"""Fields that another tool may call the name."""
IDENTIFIED = frozenset((word,) for word in ID_WORDS)
"""Last words of arguments that say what listed things belong to."""
_FINDING = ID_WORDS | {"reference", "number", "key", "code", "url", "link", "ts"}
"""Last words of fields by which what was created is found again."""
_ENDS = frozenset("delete destroy erase cancel".split())
"""Verbs after which a thing is gone, wherever it stood; others take it off what holds it."""


_OF_EACH: frozenset[Kind] = frozenset(("city", "country", "enum", "language", "currency", "year", "code", "person"))
"""Kinds of filters by which each listed thing is so: towers of a town, not those with six bells at least."""


def _told_of_each(tool: Tool, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """The filters of a list that each of its things has."""
    known = slots(tool)
    return {
        name: arguments[name]
        for name in filters_of(tool, arguments)
        if name in known and known[name].kind in _OF_EACH and QUERIES.isdisjoint(name_words(name))
    }


class CreatedThing(NamedTuple):
    """Something that a call of the session created."""

    noun: str
    field: Words
    """Words of the field that identifies it in the result that told of it."""
    key: str
    source: str
    """The call, as text."""
    segment: Words = ()
    """Words of the last part of its collection's path, which tells `build hooks` from `hooks`; none without a path."""


class SeenThing(NamedTuple):
    """A thing that a result told."""

    key: Json
    asked: dict[str, str]
    """Texts of the call's plain arguments."""


class WorldMemory:
    """What a session knows of its things, by the text of their identifiers."""

    def __init__(self, tools: tuple[Tool, ...], today: date) -> None:
        """`tools` are those of the session."""
        self.tools = tools
        self.now = datetime.combine(today, OPENS)
        self.things: dict[str, dict[Words, Json]] = {}
        """Known facts on each thing that was created, changed or read, by the words of its fields."""
        self.seen: dict[tuple[str, str], SeenThing] = {}
        """Things that results told, by noun and name; the first of each name."""
        self.facts = SessionFacts(tools)
        self.times = Timelines(tools)
        self.currency = ""
        """The currency of the first result that tells one."""
        self.created: tuple[CreatedThing, ...] = ()
        self.read: tuple[CreatedThing, ...] = ()
        """Things that were read by their identifiers."""
        self.members = Membership()
        self.unnamed: dict[str, tuple[CreatedThing, ...]] = {}
        """Things of each collection that calls created without telling an identifier."""
        self.acts: dict[str, tuple[str, ...]] = {}
        """What was done to each thing that an act could lead to a state of, as participles."""
        self.reached: dict[str, str] = {}
        """The participle of the last act on each thing that moved it to a state, where the act's result told none."""
        self.told_there: dict[str, dict[Words, list[Json]]] = {}
        """What the last list of each collection told of its things that have no identifiers, by fields."""
        self.lacks: dict[str, frozenset[Words]] = {}
        """Fields that a result could have told of each thing, and did not."""
        self.empty: frozenset[tuple[str, Words]] = frozenset()
        """Lists that things told to be empty, by identifier and the words of the field."""
        self.stale: frozenset[str] = frozenset()
        """Things that something was put into since, which may have altered their states."""
        self.gone: frozenset[str] = frozenset()
        """Texts of identifiers; of what has none, of its path with all its parameters."""

    def fork(self) -> WorldMemory:
        """Return one that knows the same and goes its own way from here."""
        other = copy(self)
        other.things, other.seen, other.facts = dict(self.things), dict(self.seen), self.facts.fork()
        other.times = self.times.fork()
        other.unnamed, other.lacks = dict(self.unnamed), dict(self.lacks)
        other.told_there = dict(self.told_there)
        other.members, other.acts, other.reached = self.members.fork(), dict(self.acts), dict(self.reached)
        return other

    def keep(self, tool: Tool, arguments: Mapping[str, Json], result: Result) -> None:
        """Keep the effects of a call: things created, changed or deleted, and facts told."""
        if result.value is None:
            return
        target, value, address = target_of(tool), decode(result.value), address_of(tool, arguments)
        own = own_key(tool, target, arguments)
        if target.act in ("create", "change", "delete"):
            self.now += BETWEEN_CALLS
        collection = collection_of(tool, arguments)
        if target.act == "delete" and self._take_out(tool, arguments):
            return
        if target.act == "delete":
            self.members.remove(collection, own)
            self.things.pop(only_one(tool, arguments), None)  # back to what nobody wrote
            is_taken_off = (target.verb not in _ENDS and len(tool.required) > 1) or takes_off(tool, self.tools)
            if not is_taken_off:
                self.members.forget(own)
            self.gone |= {address, "" if is_taken_off else own} - {""}
            return
        self.gone -= {address} if puts(tool, target) else set()
        if takes_whole_part(tool, target, arguments):
            self.gone |= {address}
            return
        given = given_fields(target, arguments)
        if target.act == "change" and not target.own:
            own = _only_identified(tool, target, arguments) or called_by(tool, arguments) or only_one(tool, arguments)
        elif target.act == "change" and not own:
            own = _only_identified(tool, target, arguments)
        if target.act == "read" and not target.own and isinstance(arguments.get("name"), str):
            own = str(arguments["name"])
        called = called_by(tool, arguments)
        own = own or called
        if target.act == "change" and own:
            self.learn(own, {**given, **_set_anew(given)})
        if target.act == "change" and own and stateful(target.verb):
            self.acts[own] = (*self.acts.get(own, ()), past_participle(target.verb))
            told = {name_words(name)[-1:] for place in told_places(target, value) for name in place.fields}
            is_told = not tool.returns_inferred and not told.isdisjoint((state,) for state in STATES)
            if is_told or is_move(target.verb):
                self.reached[own] = "" if is_told else past_participle(target.verb)
            self.stale = self.stale - {own} if is_told else self.stale | ({own} if tool.returns_inferred else set())
        is_state = not tool.returns_inferred
        self._keep_holders(tool, arguments)
        self._keep_referred(tool, arguments)
        self._enlist(tool, target, arguments, value)
        if target.act == "create":
            holders = {str(arguments[name]) for name in IN_PATH.findall(path_of(tool)) if name in arguments}
            self.stale |= holders
            self.acts = {key: one for key, one in self.acts.items() if key not in holders}
            self.lacks = {key: one for key, one in self.lacks.items() if key not in holders}
        schema = decode(tool.returns) if tool.returns is not None else None
        places = list(told_places(target, value, schema))
        self._keep_lacks(target, arguments, places)
        self._keep_listed(tool, places)
        self.facts.keep(tool, target, asked_fields(tool, target, arguments), places)
        put = self._put_here(tool, target, arguments, places)
        self.facts.keep_put(tool, target, asked_fields(tool, target, arguments), put)
        self._keep_unnamed(tool, target, arguments, places)
        self.times.keep(tool, target, arguments, places, self.now - BETWEEN_CALLS)
        self.empty |= frozenset(told_empty(target, arguments, places))
        self._relate(tool, target, arguments, places)
        for key, facts in totals_after(arguments, places):
            self.learn(key, facts)
        for key, facts in opened(tool, target, arguments, places):
            self.learn(key, facts)
        for key, facts in containers_told(tool, arguments, asked_fields(tool, target, arguments), places):
            self._learn_new(key, facts)
        if held_by := parent_of(tool, target, arguments):
            self._learn_new(held_by, told_of_parent(places))
        for place in places:
            self._see(target, arguments, place)
            for owner, name in owners(place):
                self.learn(str(place.fields[owner]), {"name": place.fields[name]})
            fields = {name: one for name, one in place.fields.items() if is_state or name not in STATES}
            for owner, fact, name in owners_facts(place.fields) if is_state else ():
                self.learn(str(place.fields[owner]), {fact: place.fields[name]})
            held = place.fields.get(self.own_field(place.fields, place.holder))
            if place.role == "thing" and target.act == "create" and held is not None and held in arguments.values():
                self.learn(str(held), fields)  # it was there before: a tag that is added to something
            elif place.role == "thing" and target.act == "create" and not own:
                self._create(tool, given, fields, source_of(tool, arguments))
            elif place.role == "thing" and own:
                above = {n: one for n, one in given.items() if n != target.own and name_words(n)[-1:] in IDENTIFIED}
                self.learn(own, {**above, **fields})
                if called and called != own:
                    self.learn(called, {**above, **fields})
                if isinstance(held, (str, int)) and str(held) != own:  # a file that was asked for by its name
                    self.learn(str(held), {**above, **fields})
                self.read = (
                    (*self.read, CreatedThing(target.noun, ("id",), own, "", segment_of(tool)))
                    if target.act == "read" and own != called
                    else self.read
                )
            elif place.role != "reply" and (name := self.own_field(place.fields, place.holder)):
                above = {
                    n: one for n, one in given.items() if name_words(n)[-1:] in IDENTIFIED and place.role == "item"
                }
                self.learn(str(place.fields[name]), {**above, **fields})

    def _keep_holders(self, tool: Tool, arguments: Mapping[str, Json]) -> None:
        """Keep that what a call names as holding its things is there: the service whose numbers were listed."""
        own = target_of(tool).own
        for name, collection, _ in collections_in(tool, arguments) if path_of(tool) else ():
            key = arguments[name]
            is_known = str(key) in self.members.of(collection) or self.members.is_whole(collection)
            if name != own and identifies(tool, name) and not is_known:
                self.members.add(collection, [key])
                self.members.find(collection, [key], _NAMED_BY_A_CALL)
                self.things.setdefault(str(key), {})

    def _keep_referred(self, tool: Tool, arguments: Mapping[str, Json]) -> None:
        """Keep that what a call refers to is in its list below the same holders: the task of a project's time entry."""
        for name, key in arguments.items():
            words = plain_words(name)
            is_ref = len(words) == _REFERENCE and words[1] == "id" and f"{{{name}}}" not in tool.source
            for noun in (words[0],) if is_ref and isinstance(key, (str, int)) else ():
                for collection in (collection_of(one, arguments) for one in _lists_below(tool, self.tools, noun)):
                    if str(key) not in self.members.of(collection) and not self.members.is_whole(collection):
                        self.members.add(collection, [key])
                        self.members.find(collection, [key], _NAMED_BY_A_CALL)
                        self.things.setdefault(str(key), {})

    def _keep_listed(self, tool: Tool, places: Sequence[ToldPlace]) -> None:
        """Keep that a thing which a call tells is in the one list of all such things: a tag of a contact in `/tags`."""
        keys = [
            place.fields[own]
            for place in places
            if place.role == "thing" and (own := self.own_field(place.fields, place.holder))
        ]
        for collection in _lists_of_all(tool, self.tools) if len(keys) == 1 else ():
            key = keys[0]
            if str(key) not in self.members.of(collection) and not self.members.is_whole(collection):
                self.members.add(collection, keys)
                self.members.find(collection, keys, _NAMED_BY_A_CALL)

    def _keep_lacks(self, target: ToolTarget, arguments: Mapping[str, Json], places: Sequence[ToldPlace]) -> None:
        """Keep which fields a result did not tell of the thing that it is about."""
        for place in places:
            key = key_of(place, target, arguments)
            if place.role == "thing" and isinstance(key, (str, int)):
                told = {plain_words(name) for name, one in place.fields.items() if one not in (None, "", [], {})}
                self.lacks[str(key)] = frozenset(map(plain_words, place.properties)) - told

    def _enlist(self, tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], value: Json) -> None:
        """Keep which things a result shows to be in the collection that its call is about."""
        role = "item" if target.act == "list" else "thing"
        named = ((place, self.own_field(place.fields, place.holder)) for place in told_places(target, value))
        keys = [place.fields[own] for place, own in named if own and place.role == role]
        keys = [arguments[target.own]] if target.own in arguments and identifies(tool, target.own) else keys
        put = attached(tool, target, arguments) if path_of(tool) else []
        keys = put or keys
        holder = inverse(collection_of(tool, arguments))[2] if keys else ""
        self.things |= {str(one): self.things.get(str(one), {}) for one in (*put, holder) if one}
        is_whole = target.act == "list" and lists_all(tool, arguments)
        collection = collection_of(tool, arguments)
        self.members.add(collection, keys, is_whole=is_whole)
        for name in dict.fromkeys((collection, whole_of(collection)) if target.act == "list" else ()):
            self.members.add(name, keys if name != collection else ())
            self.members.find(name, keys, filters_of(tool, arguments))
        for key in keys if target.act == "list" and target.own not in arguments else ():
            self._learn_new(str(key), _told_of_each(tool, arguments))

    def _relate(
        self, tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], places: Sequence[ToldPlace]
    ) -> None:
        """Keep what belongs together: things that a call reads by, what refers to each other, what lies in what."""
        ids = {
            n: one for n, one in plain_arguments(arguments).items() if len(name_words(n)) > 1 and identifies(tool, n)
        }
        for name, one in ids.items() if target.act in ("read", "list") else ():
            self._learn_new(one, {other: value for other, value in ids.items() if other != name})
        for place in places:
            own = self.own_field(place.fields, place.holder) if place.role in ("thing", "item") else ""
            noun, key = name_words(place.holder)[-1:], place.fields.get(own)
            for name, one in place.fields.items() if own and noun and isinstance(key, (str, int)) else ():
                words = plain_words(name)
                is_ref = len(words) == _REFERENCE and words[1] == "id" and words[0] not in (*noun, *_OF_ITS_KIND)
                if name != own and is_ref and isinstance(one, (str, int)):
                    self._learn_new(str(one), {f"{singular(noun[0])}_id": key})
        *_, holder = inverse(collection_of(tool, arguments)) if target.act == "list" else ("",)
        for place in places if holder else ():
            held = place.fields.get(self.own_field(place.fields, place.holder)) if place.role == "item" else None
            if isinstance(held, (str, int)):
                self.things[str(held)] = {**self.things.get(str(held), {}), WITHIN: holder}

    def _put_here(
        self, tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], places: Sequence[ToldPlace]
    ) -> list[ToldPlace]:
        """The listed things that calls of the session made; those that have no identifiers stand at the end."""
        items = [place for place in places if place.role == "item"] if target.act == "list" else []
        made = {one.key for one in self.created}
        count = len(self.unnamed.get(collection_of(tool, arguments), ()))
        named = [place for place in items if str(place.fields.get(own_field(place.fields, place.holder))) in made]
        return [*named, *(items[-count:] if count else [])]

    def _keep_unnamed(
        self, tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], places: Sequence[ToldPlace]
    ) -> None:
        """Keep what a call created without an identifier, such as a reaction, until a list gives it one."""
        collection = collection_of(tool, arguments) if path_of(tool) else ""
        told = {name_words(name)[-1:] for place in places if place.role == "thing" for name in place.fields}
        items = [place.fields for place in places if place.role == "item"] if target.act == "list" else []
        if collection and items and not any(self.own_field(one, target.noun) for one in items):
            names = {name for one in items for name in one}
            self.told_there[collection] = {plain_words(n): [one[n] for one in items if n in one] for n in names}
        if target.act == "list":
            named = any(self.own_field(place.fields, place.holder) for place in places if place.role == "item")
            self.unnamed.pop(collection if named else "", None)
        is_named = not told.isdisjoint((word,) for word in _FINDING) or bool(attached(tool, target, arguments))
        if target.act == "create" and collection and not is_named:
            known = self.unnamed.get(collection, ())
            key = f"{collection}#{len(known)}"
            when = (self.now - BETWEEN_CALLS).isoformat() + "Z"
            self.learn(key, {**given_fields(target, arguments), "_".join(MADE_AT): when})
            there = self.told_there.get(collection, {})
            given = {plain_words(name): one for name, one in arguments.items()}
            self.told_there[collection] = {w: [*told, given[w]] if w in given else told for w, told in there.items()}
            self.unnamed[collection] = (*known, CreatedThing(target.noun, (), key, source_of(tool, arguments)))

    def _take_out(self, tool: Tool, arguments: Mapping[str, Json]) -> bool:
        """Take what has no identifier out of its collection, by what the call tells of it; False for other things."""
        collection, named = f"{tool.service} {filled_path(tool, arguments)}", _named_beside(tool, arguments)
        told = self.told_there.get(collection, {})
        if not named or not (told or self.unnamed.get(collection)):
            return False
        left = {w: [one for one in several if one != named.get(w)] for w, several in told.items()}
        self.told_there[collection] = left
        made = self.unnamed.get(collection, ())
        self.unnamed[collection] = tuple(one for one in made if not named.items() <= self.things[one.key].items())
        for key in {str(one) for one in arguments.values()} & self.things.keys():
            known = self.things[key]
            held = {
                w: one for w, one in known.items() if isinstance(one, list) and is_within(collection, key, "_".join(w))
            }
            self.things[key] = {
                **known,
                **{w: [one for one in several if not _is_so(one, named)] for w, several in held.items()},
            }
        return True

    def _untold_value(self, tool: Tool, arguments: Mapping[str, Json]) -> tuple[str, list[Json]] | None:
        """Return what a call takes out of a collection whose last list told no such thing, with what that told."""
        there = self.told_there.get(f"{tool.service} {filled_path(tool, arguments)}", {})
        named = _named_beside(tool, arguments) if there and target_of(tool).act == "delete" else {}
        for name in arguments:
            told = there.get(plain_words(name), [])
            if plain_words(name) in named and told and arguments[name] not in told:
                return name, told
        return None

    def _see(self, target: ToolTarget, arguments: Mapping[str, Json], place: ToldPlace) -> None:
        told = (one for name, one in place.fields.items() if name_words(name)[:1] == ("currency",))
        self.currency = self.currency or next((str(one) for one in told if _is_currency(one)), "")
        key, name = key_of(place, target, arguments), name_in(place)
        if key is not None and name and place.role != "reply":
            self.seen.setdefault((stem(place.holder), name), SeenThing(key, plain_arguments(arguments)))

    def _create(self, tool: Tool, given: Mapping[str, Json], fields: Mapping[str, Json], source: str) -> None:
        """Keep a thing by its identifier and by what else finds it; without one of its own by any that is told."""
        target = target_of(tool)
        spoken, own = [encode(one) for one in given.values()], self.own_field(fields, target.noun)
        for name, one in fields.items():
            words = name_words(name)
            is_others = bool(own) and name != own and bool(words) and words[-1] in ID_WORDS
            if is_others and isinstance(one, str) and encode(one) not in spoken and _is_whole_of(words, target.noun):
                self.created = (*self.created, CreatedThing(" ".join(words[:-1]), words, one, source))
                self.learn(one, {})
            is_found_by = bool(words) and (words[-1] in _FINDING or name == own)
            if is_others or not is_found_by or encode(one) in spoken:
                continue
            if isinstance(one, (str, int)):
                self.created = (*self.created, CreatedThing(target.noun, words, str(one), source, segment_of(tool)))
                self.learn(str(one), {**given, **fields})

    def learn(self, key: str, fields: Mapping[str, Json]) -> None:
        """Keep what is told of a thing; empty fields tell nothing, and what is told later counts."""
        named_fields = ((plain_words(name), one) for name, one in fields.items())  # a name of signs alone has no words
        told = {words: one for words, one in named_fields if words and one not in (None, "", [], {})}
        titled = next((told[words] for words in _TITLES if words in told), None)
        named: dict[Words, Json] = {} if titled is None else {("name",): titled}
        if kind := media_type(told):
            named |= dict.fromkeys(MEDIA_TYPES, kind)
        self.things[key] = {**self.things.get(key, {}), **named, **told}

    def _learn_new(self, key: str, fields: Mapping[str, Json]) -> None:
        known = self.things.get(key, {})
        self.learn(key, {name: one for name, one in fields.items() if plain_words(name) not in known})

    def own_field(self, fields: Iterable[str], holder: str) -> str:
        """The field that identifies an object, else the one by which other tools ask for such: the `key` of a style."""
        names = tuple(fields)
        found = own_field(names, holder) or own_field(names, holder, _asked_by(self.tools).get(stem(holder), ""))
        ids = [name for name in names if name_words(name)[-1:] in IDENTIFIED] if not found else []
        return ids[0] if len(ids) == 1 and name_words(ids[0]) in _foreign_codes(self.tools) else found

    def is_namesake(self, noun: str, item: dict[str, Json], arguments: Mapping[str, Json]) -> bool:
        """Whether a drawn item has the name of such a thing that was told where something else was asked for."""
        name, given = name_in(ToldPlace("item", noun, item, {})), plain_arguments(arguments)
        told = (one for (holder, called), one in self.seen.items() if called == name and holder.endswith(stem(noun)))
        return any(any(given.get(key, text) != text for key, text in one.asked.items()) for one in told)

    def is_below_new(self, given: Iterable[Json]) -> bool:
        """Whether a call is about what holds nothing but what the session put there."""
        texts = {str(one) for one in given}
        return any(made.key in texts for made in self.created)

    def is_in(self, key: str, above: Mapping[Words, Json]) -> bool:
        """Whether all that a list is asked for by is known of a thing: it belongs there."""
        known = self.things.get(key, {})
        return bool(above) and all(str(_owner_in(known, words)) == str(one) for words, one in above.items())

    def is_below(self, key: str, above: Mapping[Words, Json]) -> bool:
        """Whether all owners that a list is asked for by are told of a thing, under whatever name."""
        known = self.things.get(key, {})
        told = {str(one) for one in known.values() if not isinstance(one, (dict, list))}
        told |= {str(_owner_in(known, words)) for words in above}
        return told.issuperset(map(str, above.values()))

    def is_told(self, key: str, told: Mapping[Words, str]) -> bool:
        """Whether all that a list is filtered by is known of a thing."""
        known = self.things.get(key, {})
        return bool(told) and all(str(known.get(words)) == one for words, one in told.items())

    def is_shown(self, key: str, above: str, asked: Mapping[Words, Json]) -> bool:
        """Whether a thing is not gone, here or anywhere, and nothing known of it is otherwise than asked for."""
        known = self.things.get(key, {})
        differs = any(
            words in known and not isinstance(known[words], (dict, list)) and str(known[words]) != str(one)
            for words, one in asked.items()
        )
        return not differs and key not in self.gone and f"{above}/{key}" not in self.gone

    def is_found(self, key: str, asked: Mapping[Words, Json]) -> bool:
        """Whether what is known of a thing has the words that are searched for."""
        told = " ".join(str(one) for one in self.things.get(key, {}).values()).casefold()
        return all(str(one).casefold() in told for words, one in asked.items() if not QUERIES.isdisjoint(words))

    def members_within(self, key: str, field: str) -> list[dict[Words, Json]]:
        """What is known of the members of a collection that a thing tells, where no others are in it."""
        found = (one for one in self.members.collections() if is_within(one, key, field))
        whole = [one for one in found if self.members.is_whole(one) or self.is_below_new([key])]
        there = [(text, one) for held in whole for text, one in self.members.of(held).items()]
        return [{("id",): one, **self.things.get(text, {})} for text, one in there if text not in self.gone]

    def lacking(self, tool: Tool, arguments: Mapping[str, Json]) -> tuple[str, list[Json]] | None:
        """Return the parameter that names a thing which its collection lacks, with what there is; None where none does.

        Of a collection that the session knows in part only nothing is lacking.
        """
        if (untold := self._untold_value(tool, arguments)) is not None:
            return untold
        for name, collection, above in collections_in(tool, arguments):
            if not (self.members.is_whole(collection) or self.is_below_new(above)):
                continue
            there = {key: one for key, one in self.members.of(collection).items() if key not in self.gone}
            if not identifies(tool, name):  # a file by its name
                ways = (plain_words(name), plain_words(name)[-1:])
                known = {key: self.things.get(key, {}) for key in there}
                there = {key: next((one[words] for words in ways if words in one), None) for key, one in known.items()}
            told = list(there.values())
            if None not in told and str(arguments[name]) not in map(str, told):
                return name, told
        return None

    def belongs_elsewhere(self, tool: Tool, arguments: Mapping[str, Json]) -> bool:
        """Whether a call puts a thing under another owner than the one that the session has told for it."""
        own = self.things.get(own_key(tool, target_of(tool), arguments), {})
        left = default_owners(tool, self.tools) if own else frozenset()
        for words, one in self.facts.defaults().items() if left else ():
            if words[-_REFERENCE:] in left and str(own.get(words, one)) != str(one):
                return True  # it does not lie in the default service
        in_path = set(IN_PATH.findall(path_of(tool)))
        named = {name: one for name, one in arguments.items() if name in in_path and identifies(tool, name)}
        for held in named.values():
            known = self.things.get(str(held), {})
            owners = {n: known.get(plain_words(n)) for n in named if len(plain_words(n)) > 1 and named[n] != held}
            if any(told is not None and str(told) != str(named[n]) for n, told in owners.items()):
                return True
        return False


def _named_beside(tool: Tool, arguments: Mapping[str, Json]) -> dict[Words, Json]:
    """What a call tells, beside its path, of the one thing that it takes out of a collection: the `emoji`."""
    path = path_of(tool)
    if not path or path.endswith("}"):
        return {}
    in_path = set(IN_PATH.findall(path))
    return {plain_words(name): arguments[name] for name in tool.required if name in arguments and name not in in_path}


def _is_so(one: Json, named: Mapping[Words, Json]) -> bool:
    """Whether an entry of a list tells what is named."""
    told = {plain_words(name): value for name, value in one.items()} if isinstance(one, dict) else {}
    return all(words in told and told[words] == value for words, value in named.items())


def _owner_in(known: Mapping[Words, Json], words: Words) -> Json:
    """What is known of a thing under some words; `segment_id` also where it is told as `segment: {id}`."""
    held = known.get(words[:-1]) if words[-1:] == ("id",) and words not in known else None
    own = own_field(held, words[-2]) if isinstance(held, dict) and len(words) > 1 else ""
    return held[own] if isinstance(held, dict) and own else known.get(words)


@lru_cache(maxsize=4096)
def _lists_of_all(tool: Tool, tools: tuple[Tool, ...]) -> tuple[str, ...]:
    """The collections that list without any owner what a path with owners calls by the same words."""
    segment = segment_of(tool) if IN_PATH.search(path_of(tool)) else ()
    plain = [one for one in tools if segment and one.service == tool.service and not IN_PATH.search(path_of(one))]
    return tuple(collection_of(one, {}) for one in plain if segment_of(one) == segment and target_of(one).act == "list")


@lru_cache(maxsize=16384)
def _lists_below(tool: Tool, tools: tuple[Tool, ...], noun: str) -> tuple[Tool, ...]:
    """The tools that list things of a noun below holders that a tool's path has too."""
    holders = set(IN_PATH.findall(path_of(tool)))
    lists = (one for one in tools if holders and one.service == tool.service and target_of(one).act == "list")
    below = (one for one in lists if set(IN_PATH.findall(path_of(one))) == holders)
    return tuple(one for one in below if stem(target_of(one).noun) == stem(noun))


def _only_identified(tool: Tool, target: ToolTarget, arguments: Mapping[str, Json]) -> str:
    """The one thing that a call without a path's parameters needs to be told, and changes; empty where it is another's.

    `channel_id` of `setTeams`, beside the `target_team_ids`.
    """
    if target.act != "change" or IN_PATH.search(path_of(tool)):
        return ""
    needed = [name for name in tool.required if name in arguments and name_words(name)[-1:] == ("id",)]
    return str(arguments[needed[0]]) if len(needed) == 1 else ""


def _is_whole_of(words: Words, noun: str) -> bool:
    """Whether a field identifies what was made around a new thing: the `batch_payment_id` of a payment."""
    is_wider = len(words) > _REFERENCE and words[-1] in ID_WORDS and stem(words[-2]) == stem(noun)
    return is_wider and _OF_ITS_KIND.isdisjoint(words)


def _is_currency(value: Json) -> bool:
    return isinstance(value, str) and (value in currencies() or re.fullmatch(r"[A-Z]{3}", value) is not None)


def _set_anew(given: Mapping[str, Json]) -> dict[str, Json]:
    """What a thing tells from now on of what it was set to: `team_ids`, after `target_team_ids`."""
    new = {name: plain_words(name) for name in given}
    told = {name: words for name, words in new.items() if len(words) > 1 and words[0] in NEW}
    return {"_".join(words[1:]): _each(words, given[name]) for name, words in told.items()}


def _each(words: Words, value: Json) -> Json:
    """Identifiers as a list, also those in one text."""
    return [one.strip() for one in value.split(",")] if isinstance(value, str) and words[-1] == "ids" else value


@lru_cache(maxsize=64)
def _foreign_codes(tools: tuple[Tool, ...]) -> frozenset[Words]:
    """The words of identifiers by which tools read, and that are called after nothing of theirs: `imdbid` of a film."""
    targets = [target_of(tool) for tool in tools]
    nouns = {stem(word) for target in targets for word in target.named}
    owns = (name_words(target.own) for target in targets if target.own)
    return frozenset(
        words for words in owns if len(words) > 1 and words[-1] in ID_WORDS and stem(words[-2]) not in nouns
    )


@lru_cache(maxsize=64)
def _asked_by(tools: tuple[Tool, ...]) -> dict[str, str]:
    """The parameter by which tools ask for one thing, by its noun; that of the first tool that does."""
    targets = (target_of(tool) for tool in reversed(tools))
    return {stem(target.noun): target.own for target in targets if target.own}

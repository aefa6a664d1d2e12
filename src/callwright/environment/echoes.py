"""The parts of a result that repeat: arguments of the call, and known facts on a thing.

task_id "12045"                  `id` of the task, `task_id`, `task.id`
project_id "7"                   `project_id`, `project.id`, `project` of the task, also of each listed task
status "open" of a list          the status of each item
due_date, new_due_date           `due_date`, written as the field writes days

An identifier stands only where the same thing is identified: the contact's `id` is not that of its tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, time
from functools import lru_cache
from typing import NamedTuple

from callwright.catalog.slots import name_in_place
from callwright.environment.plain_values import SORTS, written
from callwright.environment.returns import path_of
from callwright.environment.told_fields import BEGINS, CHANGED, STATES
from callwright.environment.tool_target import (
    COPIES,
    IN_PATH,
    WRAPPERS,
    ToldPlace,
    ToolTarget,
    literals,
    only_noun,
    own_field,
)
from callwright.lang.dates import parse_moment
from callwright.lang.english import base_verb, past_participle
from callwright.lang.kinds import ID_WORDS, kind_of, kind_of_value
from callwright.lang.lexicon import lexicon, word_set
from callwright.lang.schemas import example_values, name_words, plain_schema, singular, type_of
from callwright.lang.tokens import stem, stem_set
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

Words = tuple[str, ...]

_OF_ONE = frozenset("name title text description subject message query id key number".split())
"""Words of fields that differ between the items of a list, whatever the list was asked for by."""
_PAGING = frozenset("limit offset page cursor order sort fields include expand count size per query q search".split())
_SEARCHED = frozenset("search query q keyword keywords term terms".split())
_CHANGED = frozenset(("new", "updated", "changed"))


class Edit(NamedTuple):
    """A field that holds what is known."""

    place: dict[str, Json]
    name: str
    value: Json
    is_gone: bool = False
    """Whether the edit takes the field away."""


def echoes(asked: Mapping[Words, Json], target: ToolTarget, place: ToldPlace) -> Iterator[Edit]:
    """Yield what an object of a result repeats of the call's arguments (`asked_fields`)."""
    if place.role == "reply":  # an answer that holds things repeats what they were asked for by
        for name in place.fields:
            given = asked.get(plain_words(name))
            if given is not None and not _differs(plain_words(name)) and not isinstance(given, (dict, list)):
                yield from laid(place, name, given)
        return
    holder = plain_words(singular(place.holder))
    own = own_field(place.properties or place.fields, place.holder, target.own if place.role == "thing" else "")
    is_one_of_many = place.role == "item" and target.act not in ("create", "change", "delete")
    for name in dict.fromkeys((*place.properties, *place.fields)):
        words = plain_words(name)
        known: Json = None
        if words == (*holder, "id") and _is_asked_otherwise(target, place, words):
            continue
        if name == own:
            known = asked.get((*target.named, "id")) if place.role == "thing" else None
            is_alike = place.role != "part" or len(holder) == 1 or holder == target.named
            whole, last = asked.get((*holder, "id")), asked.get((*holder[-1:], "id"))
            known = (last if known is None else known) if whole is None else whole
            known = asked.get(words) if known is None and (len(words) > 1 or words in _ADDRESSES) else known
            known = known if is_alike else whole
            is_named = words not in (("name",), plain_words(target.own)) and _is_asked_by_name(target, place)
            is_copy = target.act == "create" and target.verb in COPIES  # which is another thing than the one copied
            is_keyed = plain_words(target.own) == ("key",) and words == ("id",)
            known = None if is_one_of_many or is_named or is_copy or is_keyed else known
        elif place.role == "part":
            is_same = bool(_RETOLD.intersection(holder)) or (len(words) > 1 and words[-1] == "id")
            known = asked.get((*holder, *words), asked.get(words) if is_same else None)
        elif not (is_one_of_many and _differs(words)):
            is_of_itself = words in (plain_words(target.noun), target.named)  # a balance is no address
            is_of_itself = is_of_itself or (*words, "id") in map(plain_words, place.fields)  # it stands beside that
            ways = ((*words, "id"), (*words, "code"), (*words, "key"))
            known = asked.get(words)
            if known is None and not is_of_itself:
                known = next((asked[way] for way in ways if way in asked), None)
            if known is None and len(words) > 1 and stem(words[-2]) == stem(target.noun):  # `assetStatus` of an asset
                known = None if is_one_of_many and _differs(words[-1:]) else asked.get(words[-1:])
            if known is None and len(words) > 1 and words[-1] == past_participle(target.verb):  # `shares_sold`
                known = asked.get(words[:-1])
        if known is None and target.act == "change" and words[-1:] and words[-1] in STATES:
            known = next((one for one in asked.values() if _names_state(one, _schema(place, name))), None)
        if known is None and place.role == "thing" and target.act in ("create", "change"):
            known = _told_longer(asked, place, name)
        if words[-2:] == _USER_NAME and is_one_of_many and _is_of_people(target, place):
            known = None  # those who follow somebody are others
        elif known is None and words[-2:] == _USER_NAME == plain_words(target.own) and place.role == "thing":
            known = asked.get(_USER_NAME) if _OF_OTHERS.isdisjoint(map(stem, words)) else None
        if known is not None and words:
            yield from laid(place, name, known)


_RETOLD = frozenset("request query input parameters params criteria filter filters".split())
"""Words of parts that say or repeat what was asked for: `originalRequestInfo`, `collectionFilters`."""


def _is_asked_by_name(target: ToolTarget, place: ToldPlace) -> bool:
    """Whether a thing was asked for by the name that it tells beside its identifier."""
    asked_by, told = plain_words(target.own), {plain_words(name) for name in place.properties}
    return asked_by[-1:] == ("name",) and any(words[-1:] == ("name",) for words in told)


def _is_of_people(target: ToolTarget, place: ToldPlace) -> bool:
    """Whether listed things are people, and none that a search finds."""
    names = {name_words(name) for name in place.fields}
    return target.verb not in FINDS and not names.isdisjoint((("full", "name"), ("first", "name")))


FINDS = frozenset("search find query".split())
"""Verbs of calls that find things, whosever they are."""


def _is_asked_otherwise(target: ToolTarget, place: ToldPlace, own: Words) -> bool:
    """Whether a thing was asked for by another identifier, which it tells beside its own: a `legacy_item_id`."""
    asked_by = plain_words(target.own)
    return len(asked_by) > 1 and asked_by != own and asked_by in map(plain_words, (*place.properties, *place.fields))


def _told_longer(asked: Mapping[Words, Json], place: ToldPlace, name: str) -> Json:
    """The argument that a result repeats under a longer name: `time` as `alarm_time`, `shares` as `shares_bought`."""
    words = plain_words(name)
    if words[-1:] == ("id",) and not _OF_OTHERS.isdisjoint(map(stem, words)):
        return None  # `SourceRecordID` of a linked record
    if len(words) > _PAIR and words[1:] in asked and _OTHERWISE.isdisjoint(map(stem, words)):
        return asked[words[1:]]  # `shippingMethod` as `merchantShippingMethod`
    if len(words) != _PAIR or not _OTHERWISE.isdisjoint(map(stem, words)):
        return None
    found = [(one, asked[one,]) for one in words if (one,) in asked and one not in _OF_ONE | _PAGING]
    kinds = {kind_of(one, {"type": "string"}) for one, _ in found}
    twins = [other for other in place.fields if found and found[0][0] in plain_words(other)]
    is_same = kind_of(name, _schema(place, name)) in kinds | {kind_of_value(value) for _, value in found}
    return found[0][1] if len(found) == len(twins) == 1 and is_same else None


_PAIR = 2
_OTHERWISE = (
    BEGINS
    | CHANGED
    | {stem(one) for one in "end due expiry return arrival birth renewal next last previous old original".split()}
)
"""Words of fields that tell another moment than the one that was given."""


def chosen(tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], place: ToldPlace) -> Iterator[Edit]:
    """Yield the choices that a call makes, for fields of other names that offer the same options."""
    if place.role != "thing" and (place.role, target.act) != ("item", "list"):
        return
    offered = {name: _options(_schema(place, name)) for name in place.properties}
    asked = {name: _options(plain_schema(tool.properties[name])) for name in tool.properties}
    for name, value in arguments.items():
        options = asked.get(name) or frozenset()
        alike = [field for field, one in offered.items() if one == options]
        if options and len(alike) == 1 and list(asked.values()).count(options) == 1 and alike[0] in place.fields:
            yield from laid(place, alike[0], value)


def retold(target: ToolTarget, arguments: Mapping[str, Json], place: ToldPlace) -> Iterator[Edit]:
    """Yield what a part repeats of the one object that a call gave with such fields: its recipient, as consignee."""
    if place.role != "part" or target.act not in ("create", "change"):
        return
    names = {plain_words(name): name for name in (*place.properties, *place.fields)}
    given = [{plain_words(name): one for name, one in held.items()} for held in _objects(dict(arguments), 0)]
    alike = [held for held in given if len(held.keys() & names.keys() - {("id",), ("name",)}) >= _ALIKE]
    for words, one in alike[0].items() if len(alike) == 1 else ():
        if words in names and not isinstance(one, (dict, list)):
            yield from laid(place, names[words], one)


_ALIKE = 3
"""Fewest fields by which two objects tell of the same."""


def _objects(value: Json, depth: int) -> Iterator[dict[str, Json]]:
    """Yield the objects in an argument, the outer ones first, but not the arguments themselves."""
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        if isinstance(one, dict):
            yield one
        if isinstance(one, (dict, list)) and depth < _DEEPEST_GIVEN:
            yield from _objects(one, depth + 1)


def _options(schema: dict[str, Json]) -> frozenset[str]:
    """The options of a choice between several texts, in small letters; none of anything else."""
    listed = schema.get("enum")
    told = {one.casefold() for one in listed if isinstance(one, str)} if isinstance(listed, list) else set[str]()
    return frozenset(told) if len(told) > 1 else frozenset()


def _names_state(given: Json, schema: dict[str, Json]) -> bool:
    """Whether an argument says which state is to be reached: `close`."""
    return isinstance(given, str) and "enum" in schema and formed(given, schema) is not None


def _differs(words: Words) -> bool:
    """Whether a field differs between the items of a list, whatever was asked for, or only tells of pages."""
    return (len(words) == 1 and words[0] in _OF_ONE) or not _PAGING.isdisjoint(words)


def _schema(place: ToldPlace, name: str) -> dict[str, Json]:
    return plain_schema(place.properties.get(name))


def laid(place: ToldPlace, name: str, known: Json) -> Iterator[Edit]:
    """Yield the edit that lays what is known over a field, in the form that its schema takes."""
    schema = _schema(place, name)
    if plain_words(name) in SORTS and example_values(schema):
        return
    inner = schema.get("properties")
    if isinstance(inner, dict) and type_of(schema) == "object" and not isinstance(known, (dict, list)):
        called = [key for key in ("login", "username", "name") if key in inner and isinstance(known, str)]
        whole = own_field(inner, name)
        is_whole = formed(known, plain_schema(inner.get(whole))) is not None
        is_code = is_whole and (not called or kind_of_value(known) == "code")
        identifier = whole if is_code else next(iter(called), "")
        held = place.fields.get(name)
        made = formed(known, plain_schema(inner.get(identifier))) if identifier else None
        if made is not None and isinstance(held, dict):
            yield Edit(held, identifier, made)
        elif made is not None:
            yield Edit(place.fields, name, {identifier: made})
        return
    made = formed(known, schema) if schema else known
    if made is not None:
        yield Edit(place.fields, name, _completed(made, place.fields.get(name), schema))
    elif name in place.fields and not isinstance(known, (dict, list)):
        yield Edit(place.fields, name, None, is_gone=True)  # better untold than told otherwise


def _completed(given: Json, held: Json, schema: Mapping[str, Json]) -> Json:
    """An object that a call gave, with the identifiers and required fields that it did not give."""
    if not isinstance(given, dict) or not isinstance(held, dict):
        return given
    listed = schema.get("required")
    required = listed if isinstance(listed, list) else []
    return {n: one for n, one in held.items() if n in required or not ID_WORDS.isdisjoint(name_words(n)[-1:])} | given


def remembered(place: ToldPlace, known: Mapping[Words, Json]) -> Iterator[Edit]:
    """Yield what is known of a thing, for an object that tells of it."""
    for name in dict.fromkeys((*place.properties, *place.fields)):
        made = known.get(plain_words(name))
        if made is not None:
            yield from laid(place, name, made)


def typed_owner(place: ToldPlace, known: Mapping[Words, Json]) -> Iterator[Edit]:
    """Yield the identifiers of parts that say of which sort they are: `item` of type `file`, in a list of one file."""
    for held in place.fields.values():
        sort = held.get("type") if isinstance(held, dict) else None
        owner = known.get((*plain_words(sort), "id")) if isinstance(sort, str) and isinstance(held, dict) else None
        if isinstance(held, dict) and isinstance(owner, str) and isinstance(held.get("id"), str):
            yield Edit(held, "id", owner)


def held_within(place: ToldPlace, known: Mapping[Words, Json]) -> Iterator[Edit]:
    """Yield the identifier of what a thing lies in, for a part of a general name: the `item` of a comment."""
    owner = known.get(WITHIN)
    for name, held in place.fields.items() if owner is not None else ():
        own = own_field(held, name) if isinstance(held, dict) else ""
        if isinstance(held, dict) and own and "type" not in held and plain_words(name) in _GENERAL:
            yield Edit(held, own, owner)


WITHIN: Words = ("", "within")
"""Under what the owner of a thing is known whose field has another name."""
_GENERAL = tuple((word,) for word in "item object target parent resource subject entity".split())


def owned(tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], place: ToldPlace) -> Iterator[Edit]:
    """Yield what tells of the owners that the path names under other names: `chat_service_sid`, and `folder_12045`."""
    owners: dict[Words, Json] = {}
    for name in IN_PATH.findall(path_of(tool)):
        if name != target.own and name in arguments:
            owners |= dict.fromkeys(_owner_names(tool, name), arguments[name])
    for words, known in owners.items():
        ends = [name for name in place.fields if plain_words(name)[-len(words) :] == words]
        is_alone = len(ends) == 1 and len(plain_words(ends[0])) > len(words)
        if is_alone and place.role in ("thing", "item") and _OF_OTHERS.isdisjoint(map(stem, plain_words(ends[0]))):
            yield from laid(place, ends[0], known)
    for name, told in place.fields.items():
        found = _WITH_NOUN.fullmatch(told) if isinstance(told, str) else None
        known = {**_own_name(tool, target, arguments), **owners} if found else {}
        key = known.get((found[1], "id")) if found else None
        above = [words for words in owners if len(words) == _PAIR]
        if found and isinstance(key, (str, int)) and str(key) != told:
            yield Edit(place.fields, name, f"{found[1]}_{key}")
        elif found and above and plain_words(name) == ("parent",):
            yield Edit(place.fields, name, f"{above[-1][0]}_{owners[above[-1]]}")


_WITH_NOUN = re.compile(r"([a-z]{3,20})_\d+")
"""An identifier with the noun of its thing before it."""
_OF_OTHERS = stem_set("previous next last first target source new old original destination related linked other custom")


def _own_name(tool: Tool, target: ToolTarget, arguments: Mapping[str, Json]) -> dict[Words, Json]:
    return {words: arguments[target.own] for words in _owner_names(tool, target.own) if target.own in arguments}


def _owner_names(tool: Tool, name: str) -> Iterator[Words]:
    """Yield the words under which a result tells what a parameter of the path identifies."""
    owner, words = _owner_in_path(tool, name), plain_words(name)
    if words[-1:] == ("id",) and owner:
        yield (*owner, "id")
        yield from [words] * (len(words) > 1)


def asked_fields(tool: Tool, target: ToolTarget, arguments: Mapping[str, Json]) -> dict[Words, Json]:
    """Return the arguments by the words of the fields that repeat them; `id` by the words of what it identifies."""
    asked: dict[Words, Json] = {}
    implied: dict[Words, Json] = {}
    for name, value in given_fields(target, arguments).items():
        words = plain_words(name_in_place(tool, name))
        if words == ("name",) and target.own not in ("", name) and (owner := _owner_in_path(tool, name)):
            asked[*owner, "name"] = value  # of what holds the thing
            continue
        if name == target.own:
            if not (isinstance(value, str) and "://" in value and words[-1:] in _ADDRESSES):  # it identifies a page
                asked[*plain_words(target.noun), "id"] = value
            is_of_it = len(words) > 1 and words[-1] not in ID_WORDS and words != _USER_NAME
            if is_of_it:  # a `geneSymbol` is the `symbol` of the gene
                implied[words[-1:]] = value
        elif words == ("id",):
            owner = _owner_in_path(tool, name)
            asked[*(owner or tuple(only_noun(tool)) or (target.noun,)), "id"] = value
            asked.setdefault((*owner[-1:], "id"), value)
        elif words in ((target.noun,), *literals(tool)[-1:]) and kind_of_value(value) != "code":
            implied["name",] = value
        elif len(words) == 2 and stem(words[0]) == stem(target.noun) and words not in (_USER_NAME, (words[0], "id")):
            asked.setdefault(words[1:], value)
        asked.setdefault(words, value)
        for noun in only_noun(tool) if words == ("id",) else ():
            asked.setdefault((noun, "id"), value)
        for known in _owner_names(tool, name) if name != target.own else ():
            asked.setdefault(known, value)
        if not _SEARCHED.isdisjoint(words) and target.act in ("read", "list") and isinstance(value, str):
            implied |= {(word,): value for word in ("query", "q", "keyword", "term")}
        for inner, one in _leaves(words, value, 0):
            if target.act in ("create", "change"):
                asked.setdefault(inner, one)
            elif _RETOLD.intersection(words):
                asked.setdefault(inner[len(words) :], one)
        if len(words) > 1 and words[-1] == "to" and target.act in ("create", "change"):
            asked.setdefault((*words[:-2], past_participle(words[-2]), "to"), value)  # `assign_to` is `assigned_to`
        if len(words) > 1 and words[0] in NEW and target.act == "change":
            asked[words[1:]] = value  # what `to_ward_id` was set to is the ward now
        if words == ("user", "id") and f"{{{name}}}" in tool.source and target.act == "list":
            implied["owner", "id"] = value  # whose things are listed
    if target.act == "read" and len(asked) == 1 and _GEOCODES & stem_set(" ".join(name_words(tool.name))):
        implied |= dict.fromkeys(_PLACES, next(iter(asked.values())))
    if target.act == "read" and not target.own and len(tool.required) == 1 and tool.required[0] in arguments:
        last = plain_words(tool.required[0])[-1:]
        implied |= {last: arguments[tool.required[0]]} if last and last[0] in _TELLING_APART else {}
    implied |= _numbers(tool, target, arguments)
    if ("year",) in asked and target.act in ("read", "list"):
        implied["season",] = asked["year",]
    only = asked.pop(("id",), None)
    is_its_own = target.act == "change" or (target.act == "read" and not _stands_below(tool))
    if only is not None and is_its_own and not target.own:
        asked.setdefault((target.noun, "id"), only)
    if only is not None and target.act in ("read", "change"):
        implied |= dict.fromkeys(_ANYTHING, only)
    ids = [one for words, one in asked.items() if words[-1] == "id"]
    if target.act == "read" and not target.own and target.noun in _TOLD_OF and len(ids) == 1 and not path_of(tool):
        implied[target.noun, "id"] = ids[0]  # `artist_id`, of the information on an artist
    return {**implied, **asked}


_TOLD_OF = word_set("aspects") | frozenset("information info detail data profile".split())


def _numbers(tool: Tool, target: ToolTarget, arguments: Mapping[str, Json]) -> dict[Words, Json]:
    """The number by which a call reads the one thing of the tool's name: a `block` or `blockHeight` is its `number`."""
    named = {stem(word) for word in name_words(tool.name)}
    found = [name for name in arguments if name == target.own or tool.required == (name,)]
    for name in found if target.act == "read" else ():
        *of, last = plain_words(name) or ("",)
        is_of_it = stem((of or [last])[-1]) in named and (not of or last in _NUMBERING)
        if (is_of_it or (not of and last in _NUMBERING)) and str(arguments[name]).isdecimal():
            return dict.fromkeys([(last,), ("number",)], arguments[name])
    return {}


_NUMBERING = frozenset("number height index".split())


def _leaves(words: Words, value: Json, depth: int) -> Iterator[tuple[Words, Json]]:
    """The plain values in an object that a call gave, by the words of the object and their own: `customerName`."""
    whole = value[0] if isinstance(value, list) and len(value) == 1 else value
    for name, one in whole.items() if isinstance(whole, dict) and depth < _DEEPEST_GIVEN else ():
        if isinstance(one, (dict, list)):
            yield from _leaves(plain_words(singular(name)), one, depth + 1)
        else:
            yield (*words, *plain_words(name)), one


_ADDRESSES = (("url",), ("uri",), ("link",), ("href",))
_GEOCODES = stem_set("geocode geocoding")
_PLACES: tuple[Words, ...] = (("name",), ("display", "name"), ("formatted", "address"), ("address",))
"""Fields that tell the place which a text was found to mean."""
_TELLING_APART = frozenset("key slug code handle".split())
"""Last words of parameters by which one thing is read."""
_DEEPEST_GIVEN = 4
_ANYTHING: tuple[Words, ...] = tuple((one, "id") for one in ("entity", "object", "resource", "record"))
"""What a result may call the identifier that was given."""
_ACT_AND_THING = 2
"""Fewest words of a path's part that says an act and its thing: `update-estimate`; a `tag` alone is a thing."""


def _stands_below(tool: Tool) -> bool:
    """Whether the path goes on to a thing that the identified one holds: `/contacts/{id}/tag`."""
    last = name_words(path_of(tool).rpartition("/")[2])
    return "{" in path_of(tool) and (len(last) < _ACT_AND_THING or base_verb(last[0]) is None)


NEW = frozenset(("to", "new", "target", "transfer", "destination"))


def _owner_in_path(tool: Tool, name: str) -> Words:
    """The thing that a parameter of the path called `id` identifies: the words of the part before it."""
    found = re.search(rf"/([\w.-]+)/\{{{re.escape(name)}\}}", tool.source)
    words = name_words(found[1]) if found else ()
    return (*words[:-1], singular(words[-1])) if words else ()


def given_fields(target: ToolTarget, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Return the arguments by name, those of a body that holds the thing beside the others."""
    found: dict[str, Json] = {}
    for name, value in arguments.items():
        whole = value[0] if isinstance(value, list) and len(value) == 1 else value  # a list of the one thing
        is_another = target.act == "create" and isinstance(whole, dict) and _refers(target, name, whole)
        if isinstance(whole, dict) and not is_another and (name.lower() in WRAPPERS or target.is_about(name)):
            found |= {inner: one for inner, one in whole.items() if inner not in arguments}
        else:
            found[name] = value
            if isinstance(whole, dict) and target.act in ("create", "change"):  # `taskDetails` of `createTask`
                is_all = sum(isinstance(one, (dict, list)) for one in arguments.values()) == 1  # the whole of a body
                is_all &= isinstance(value, dict)  # and no list: the schedules of a deploy
                new = {key: one for key, one in whole.items() if key not in arguments and not _is_bare_id(key)}
                apart = {key: one for key, one in new.items() if is_all or len(name_words(key)) > 1}
                found = {**apart, **found}
    return found


def _refers(target: ToolTarget, name: str, held: Mapping[str, Json]) -> bool:
    """Whether an object under a general name only says what something new is about: the `item` of a task, a file."""
    is_named = bool(held) and all(_is_bare_id(key) or name_words(key) in _SORTED_BY for key in held)
    return is_named and any(map(_is_bare_id, held)) and stem(singular(name)) != stem(target.noun)


_SORTED_BY = (("type",), ("kind",), ("object",))


_USER_NAME = ("user", "name")
"""Words of a name by which people log in, which is not what they are called."""


def _is_bare_id(name: str) -> bool:
    """Whether a field is the identifier of what holds it: in `assign_to`, that of an item and of no assignment."""
    words = name_words(name)
    return bool(words) and ID_WORDS.issuperset(words)


_WHOLE = {short: word for short, word in lexicon()["names"].items() if word.isalpha() and not {short, word} & ID_WORDS}
"""Words that names shorten."""


@lru_cache(maxsize=65536)
def plain_words(name: str) -> Words:
    """Return the words by which fields are compared.

    `new_due_date`, `updatedDueDate` and `due_date` are the same field, as are `task_gid` and `TaskSid`, and `doc_id`
    and `document_id`.
    """
    words = name_words(name)
    words = words[1:] if len(words) > 1 and words[0] in _CHANGED else words
    words = tuple(_WHOLE.get(word, word) for word in words) if len(words) > 1 else words
    words = (*words[:-1], "user", "name") if words[-1:] == ("username",) else words
    words = tuple(word for at, word in enumerate(words) if word not in words[at - 1 : at])  # `UserUsername`
    return (*words[:-1], "id") if words and words[-1] in ID_WORDS and not words[-1].endswith("s") else words


def formed(made: Json, schema: dict[str, Json]) -> Json:
    """A value in the form that a schema asks for; None where it cannot be had."""
    shape = type_of(schema)
    if shape in ("", "object") and isinstance(made, dict):
        inner = schema.get("properties")
        if not isinstance(inner, dict):
            return made
        parts = {name: formed(one, plain_schema(inner[name])) for name, one in made.items() if name in inner}
        return {name: one for name, one in parts.items() if one is not None} or None
    if shape in ("", "array") and isinstance(made, list):
        items = plain_schema(schema.get("items"))
        kept = [formed(one, items) for one in made] if items else made
        return None if any(new is None is not old for new, old in zip(kept, made, strict=True)) else kept
    if shape == "array" and "items" in schema and isinstance(made, str) and _IN_ONE_TEXT.fullmatch(made):
        return formed(made.split(","), schema)  # several identifiers in one text
    if isinstance(made, (dict, list, bool)) or shape in ("boolean", "object", "array"):
        return made if shape in ("boolean", "") and isinstance(made, bool) else None
    return _scalar(made, schema, shape)


_IN_ONE_TEXT = re.compile(r"[\w.-]+(?:,[\w.-]+)+")
_FIRST_STAMP = 1_000_000_000
"""From which on a number may be a moment."""


def _scalar(made: Json, schema: dict[str, Json], shape: str) -> Json:
    kind = kind_of("", schema)
    moment = parse_moment(made) if isinstance(made, (str, int)) and (kind in ("date", "datetime")) else None
    if moment is None and shape == "string" and "pattern" in schema and isinstance(made, int) and made > _FIRST_STAMP:
        moment = parse_moment(made)
    if moment is not None:
        whole = moment if isinstance(moment, datetime) else datetime.combine(moment, time())
        return written(whole, schema, is_day=kind == "date")
    if shape in ("integer", "number"):
        if isinstance(made, str):
            return int(made) if made.isdecimal() and len(made) < 16 else None
        return made
    options = schema.get("enum")
    if isinstance(made, str) and isinstance(options, list):
        same = next((one for one in options if stem(str(one).lower()) == stem(made.lower())), None)
        akin = [one for one in options if _is_akin(str(one).lower(), made.lower())]
        return akin[0] if same is None and len(akin) == 1 else same
    return str(made) if isinstance(made, (int, float)) and shape == "string" else made


def _is_akin(one: str, other: str) -> bool:
    """Whether two choices are forms of one long word: `automatic`, where `automated` was written."""
    return one[:_LONG_STEM] == other[:_LONG_STEM] and _LONG_STEM < min(len(one), len(other)) <= _LONG_STEM + 4


_LONG_STEM = 6
"""Letters that two forms of one word share."""

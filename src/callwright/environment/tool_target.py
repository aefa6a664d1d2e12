"""The target of a tool: act, noun of the thing, the parameter that identifies it, and its place in results.

The path of an operation (`PUT /comments/{comment_id}`) decides where the tool has one; else names and glosses do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import dropwhile, takewhile
from typing import Literal, NamedTuple, TypeGuard

from callwright.catalog.slots import slots
from callwright.environment.returns import META, action_of, done_in, identity_of, path_of
from callwright.lang.english import base_verb, is_plural
from callwright.lang.kinds import ID_WORDS
from callwright.lang.lexicon import word_set
from callwright.lang.phrases import is_participle
from callwright.lang.schemas import name_words, plain_schema, singular, type_of
from callwright.lang.tokens import identifier_words, stem, stem_set, words
from callwright.lang.verbs_of_acts import CHANGES, CHECKS, CREATES, LOOKUPS, SEARCHES
from callwright.records.jsontext import Json, decode
from callwright.records.tool import Tool

Act = Literal["read", "list", "create", "change", "delete"]
Role = Literal["reply", "thing", "item", "part"]
"""The role of an object in a result: holder of the answer, the thing itself, one of several listed, or a part."""

WRAPPERS = frozenset(
    "data result results response payload body item items entry entries record records value values object objects "
    "list collection content elements attributes properties entity embedded _embedded".split()
)
"""Fields of a result that hold its subject under a general name."""
_ASIDE = stem_set("link links meta metadata page paging pagination error errors warning warnings included self")
"""Fields that hold what is beside the subject of a result."""
_ASIDE_FIRST = frozenset("failed unprocessed unsuccessful invalid".split())
"""First words of lists of what went wrong."""
_DELETES = frozenset("delete remove cancel erase destroy detach drop".split())
_NEW = frozenset(("create", "register"))
COPIES = frozenset("copy duplicate clone".split())
_MAKES = CREATES | COPIES
IN_PATH = re.compile(r"\{(\w+)\}")
_NAMED = (("name",), ("title",))
_LINKING = frozenset("under by of in for with from to".split())


class ToolTarget(NamedTuple):
    """The act of a tool, and the thing it acts on."""

    act: Act
    noun: str
    """One word, in the singular: `task`."""
    own: str
    """The parameter that identifies the thing; empty where none does."""
    named: tuple[str, ...]
    """Words of the thing's whole name, the last one in the singular: `legal`, `hold`, `policy`."""
    verb: str = ""
    """The act in base form: `archive`."""
    given: frozenset[tuple[str, ...]] = frozenset()
    """Words of the parameters: what a result repeats of them is no answer."""
    said: tuple[str, ...] = ()
    """Words for the thing in the tool's own text, the last one in the singular: `domain` of a list of entries."""

    def is_about(self, name: str) -> bool:
        """Whether a field of this name holds the thing itself."""
        words = name_words(name)
        return name.lower() in WRAPPERS or (bool(words) and stem(singular(words[-1])) == stem(self.noun))


@lru_cache(maxsize=65536)
def target_of(tool: Tool) -> ToolTarget:
    """Return what the tool acts on."""
    verb, thing = action_of(tool)
    named = _named(tool, _without_version(tuple(thing.lower().split())))
    schema = plain_schema(decode(tool.returns)) if tool.returns is not None else {}
    done = done_in(path_of(tool).rpartition("/")[2], verb)
    own = _own_in_path(tool, named[-1], is_done=done is not None) or _own_by_name(tool, named)
    given, said = frozenset(map(name_words, tool.properties)), tuple(thing.lower().split())
    about = ToolTarget("read", named[-1], own, named, done or verb, given, said)
    act = _act(tool, about, schema)
    return about._replace(act=act, own="" if act in ("list", "create") else own)


def _without_version(said: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out what tells the edition of a tool: `balances v2`."""
    return said[:-1] if len(said) > 1 and re.fullmatch(r"v\d{1,3}", said[-1]) else said


def _plain_path(tool: Tool) -> str:
    """The path without what follows a name in it before a slash: `/users` of `/users{format}` and `/users({key})`."""
    return "/".join(_AFTER_NAME.sub("", part) for part in path_of(tool).split("/"))


def literals(tool: Tool) -> list[tuple[str, ...]]:
    """Return the parts of the tool's path that are no parameters, each with its last word in the singular."""
    path = [part for part in _plain_path(tool).split("/") if "{" not in part and not _EDITION.fullmatch(part)]
    parts = [name_words(part.partition(":")[0]) for part in path]
    parts = [tuple(takewhile(lambda word: word not in _LINKING, words)) for words in parts]
    parts = [_without_act(words, tool) for words in parts]
    parts = [words[:-1] if len(words) > 1 and is_participle(words[-1]) else words for words in parts]
    return [(*words[:-1], singular(words[-1])) for words in parts if words]


_AFTER_NAME = re.compile(r"(?<=[A-Za-z]{3})[(.]?[\"']?\{[^{}]*\}.*")
_EDITION = re.compile(r"v\d+(?:\.\d+|(?:alpha|beta|p)\d*)*")
"""A part of a path that says which edition of an API it is: `v1beta1`."""
_FETCHES = frozenset("list get find fetch search".split())
"""Verbs with which parts of paths begin: `listSitesAssignedToHost`."""
_AT_ONCE = frozenset(("batch", "bulk", "multi"))


def _without_act(words: tuple[str, ...], tool: Tool) -> tuple[str, ...]:
    """The words of a part of a path without a verb before them: one that fetches, or with which the tool's name begins.

    `channel` of `/DeleteChannel` and `/BatchGetChannel`.
    """
    named = name_words(tool.name)
    if len(words) > 2 and words[0] in _AT_ONCE and words[:2] == named[:2]:
        words, named = words[1:], named[1:]
    is_act = words[:1] == named[:1] and base_verb(words[0]) == words[0] if words else False
    return words[1:] if len(words) > 1 and (words[0] in _FETCHES or is_act) else words


def _named(tool: Tool, said: tuple[str, ...]) -> tuple[str, ...]:
    """The words of the thing's name: those of the path where it ends in a plural or in what the tool's text says."""
    path = literals(tool)
    if len(said) > 1 and is_participle(said[-1]):
        said = (*said[:-2], singular(said[-2]))  # `sites` of `sites assigned`
    if not path:
        return said
    address = _plain_path(tool).partition(":")[0]
    title = plain_schema(decode(tool.returns)).get("title") if tool.returns is not None else None
    titled = _titled(title) if isinstance(title, str) else ()
    if len(path) > 1 and done_in(path_of(tool).rpartition("/")[2], action_of(tool)[0]):
        path = path[:-1]
        said = said if said[-1] == path[-1][-1] else path[-1]
    told = [words for words in path if words[-1:] == titled[-1:]]
    places = [words for words in path if words[-1] == said[-1]]
    is_plural = re.search(r"s(?:/\{\w+\})?$", address) is not None
    is_plain = is_plural and (len(path[-1]) == 1 or base_verb(path[-1][0]) is None)
    is_one = re.search(r"[^{}/]/\{[^{}]+\}$", address) is not None
    if is_plain and len(path) > 1 and stem(path[-1][-1]) in map(stem, identifier_words(tool.name)):
        return path[-1]  # `revisions` of a reservation, whatever their schema is called
    found = told[-1] if told else path[-1] if is_plain else places[-1] if places else path[-1] if is_one else said
    return _listed_in_result(tool, path, found) or found


def _listed_in_result(tool: Tool, path: Sequence[tuple[str, ...]], found: tuple[str, ...]) -> tuple[str, ...]:
    """The part of a path that the result lists, where it has nothing of what was found: `/stops/route/{route_id}`."""
    properties = plain_schema(decode(tool.returns)).get("properties") if tool.returns is not None else None
    shapes = {name: shape_of_schema(one) for name, one in properties.items()} if isinstance(properties, dict) else {}
    fields = {stem(singular(words[-1])): shape for name, shape in shapes.items() if (words := name_words(name))}
    listed = [part for part in path if fields.get(stem(part[-1])) == "objects"]
    return listed[0] if len(listed) == 1 and stem(found[-1]) not in fields else ()


def _titled(title: str) -> tuple[str, ...]:
    """The words of a schema's title that say what it is: `task` of `TaskDetailsResponse`."""
    words = [word for word in name_words(title.partition("(")[0]) if not word.isdigit()]
    while len(words) > 1 and words[-1] in _TITLE_ENDS:
        words.pop()
    return (*words[:-1], singular(words[-1])) if words else ()


_TITLE_ENDS = WRAPPERS | frozenset("details detail dto model schema output info information v list read full".split())


def _act(tool: Tool, target: ToolTarget, schema: dict[str, Json]) -> Act:
    method = tool.source.partition(" ")[0] if path_of(tool) else ""
    is_taken_off = bool(target.own) and bool(path_of(tool)) and not path_of(tool).endswith(f"{{{target.own}}}")
    if (method == "DELETE" or target.verb in _DELETES) and not is_taken_off:
        return "delete"
    if method in ("PUT", "POST") and _makes_another(tool, target):
        return "create"
    if method in ("PUT", "PATCH", "DELETE") or (target.verb in CHANGES and method != "GET"):
        return "change"
    if _holds_list(target, schema) and (method == "GET" or target.verb not in _MAKES):
        return "list"
    is_added = method == "POST" and literals(tool)[-1:] == [target.named] and target.verb not in LOOKUPS
    is_of_one = target.own in tool.required and target.verb not in COPIES
    if method == "POST" and target.verb in _NEW and path_of(tool).endswith(f"/{{{target.own}}}"):
        return "create"  # under the name that the call gives it
    if (is_added or target.verb in _MAKES) and method != "GET" and not is_of_one:
        return "create"
    return "change" if is_of_one and target.verb not in LOOKUPS | CHECKS and method != "GET" else "read"


def _makes_another(tool: Tool, target: ToolTarget) -> bool:
    """Whether a call creates something beside what its path identifies: `PUT /payments`, a record of its history."""
    is_whole = path_of(tool).endswith("}") or stem(target.noun) in map(stem, word_set("aspects"))
    owner = map(stem, name_words(target.own))
    return target.verb in _NEW and not is_whole and stem(target.noun) not in owner


def _holds_list(target: ToolTarget, schema: dict[str, Json]) -> bool:
    """Whether the result is a list of things, at its top or in the field that holds what it is about."""
    if not schema:
        return target.verb in SEARCHES
    properties = schema.get("properties")
    named = {name: plain_schema(one) for name, one in properties.items()} if isinstance(properties, dict) else {}
    held = holder_of({name: shape_of_schema(one) for name, one in named.items()}, target)
    inner = named.get(held, {})
    return type_of(schema) == "array" or type_of(inner) == "array" or (bool(held) and _holds_list(target, inner))


def _own_by_name(tool: Tool, named: tuple[str, ...]) -> str:
    """The parameter of the thing's noun, or the only identifier that a look-up needs."""
    if IN_PATH.search(tool.source):
        return ""
    kinds = {name: slots(tool)[name].kind for name in tool.properties}
    asked = [name for name, kind in kinds.items() if identity_of(tool, name)[1] == "id" or kind in ("code", "url")]
    of_named = {stem(word) for word in named}
    owners = {name: identity_of(tool, name)[0] for name in asked}
    head = named[-2] if len(named) > 1 and named[-1] in word_set("aspects") else named[-1]  # the profile of a referee
    owned = next((name for name, one in owners.items() if stem(head) in one and one <= of_named), "")
    needed = [name for name in asked if tool.required == (name,)]
    return owned or (needed[0] if needed and action_of(tool)[0] in LOOKUPS else "")


def _own_in_path(tool: Tool, noun: str, *, is_done: bool) -> str:
    """The parameter behind the thing's noun; else the last of a path, also before what is done, unless it needs the one
    before it."""
    parts = [part for part in path_of(tool).split("/") if part]
    for place, part in reversed(list(enumerate(parts[:-1]))):
        words = name_words(part)
        behind = list(takewhile(IN_PATH.fullmatch, parts[place + 1 :]))
        if "{" not in part and behind and words and stem(singular(words[-1])) == stem(noun):
            is_id = name_words(behind[-1])[-1:] in (("id",), ("identifier",), ("uuid",))
            return _parameter(tool, behind[-1 if is_id else 0])  # `attributes/{system}/{identifier}`
    tells_of = name_words(parts[-1])[-1:] if parts and "{" not in parts[-1] else ()
    if tells_of and tells_of[0] in word_set("aspects"):  # the settings of a site have no identifier but the site's
        parts = parts[:-1]
    last = parts[: len(parts) - is_done][-2:]
    is_pair = len(last) == 2 and "{" in last[0]
    return _parameter(tool, last[-1]) if last and IN_PATH.fullmatch(last[-1]) and not is_pair else ""


def looked_up(tool: Tool, target: ToolTarget, arguments: Mapping[str, Json]) -> tuple[list[Json], bool]:
    """Return the identifiers by which things are looked up, though the result is a list, and whether they stand in it.

    `/tasks/{task_id}`, or arguments `task_id` and `task_ids`; the one behind `/tasks/{code}` may be another's.
    """
    if target.act != "list":
        return [], False
    parts = path_of(tool).split("/")
    is_part = len(parts) > 3 and "{" not in parts[-1] and not _names_several(parts[-1])
    parts = parts[:-1] if is_part else parts
    before = list(dropwhile(lambda part: "{" in part, reversed(parts)))
    words = name_words(before[0]) if before and before[0] else ()
    is_of_thing = bool(words) and stem(singular(words[-1])) == stem(target.noun) and len(before) < len(parts)
    name = _parameter(tool, parts[-1]) if is_of_thing else ""
    called = name_words(name)
    if name in arguments and (_identifies(called, target.noun) or called[-1] in ID_WORDS):
        is_own = _identifies(called, target.noun)
        return ([arguments[name]], is_own) if is_own or target.verb != "list" else ([], False)
    for name, given in arguments.items():
        called = tuple(name_words(name))
        if isinstance(given, str) and "," in given and called[-1:] == ("ids",):
            given = _in_one_text(given)
        is_several = isinstance(given, list) and bool(given) and not isinstance(given[0], (dict, list))
        is_above = f"{{{name}}}/" in path_of(tool) and _names_several(path_of(tool).rpartition("/")[2])
        is_own = stem(called[-2]) == stem(target.noun) if len(called) > 1 else f"{{{name}}}" not in tool.source
        is_own &= len(called) > 1 or only_noun(tool) in (
            [],
            [target.noun],
        )  # the `id` of a `Channel`, not of its videos
        if is_own and not is_above and called[-1:] and called[-1] in ID_WORDS:
            return (given if is_several else [given]) if is_several or not isinstance(given, (dict, list)) else [], True
    return [], False


def noun_stem(name: str) -> str:
    """Return the stem of what a name is called after, its last word; empty for a name without words.

    >>> noun_stem("feedComments"), noun_stem("comment")
    ('comment', 'comment')
    """
    words = name_words(name)
    return stem(singular(words[-1])) if words else ""


def only_noun(tool: Tool) -> list[str]:
    """Return the one noun in the name of a tool without a path: a `Video` is asked for by its identifier."""
    said = [word for word in name_words(tool.name) if word not in LOOKUPS and word not in _SMALL]
    return [singular(said[0])] if len(said) == 1 and not path_of(tool) else []


_SMALL = word_set("aspects") | frozenset("by id of the a for with from data single one".split())


def _names_several(part: str) -> bool:
    """Whether a part of a path names several things, as it does what happened to one."""
    return is_plural(part) or not _HAPPENINGS.isdisjoint(name_words(part)[-1:])


_HAPPENINGS = frozenset("history activity log audit timeline trail".split())
"""Last words of paths to what happened to a thing: several, though the word is in the singular."""


def _in_one_text(given: str) -> list[Json]:
    """The identifiers that one text holds: `12,15`."""
    return [one.strip() for one in given.split(",") if one.strip()]


def asked_for(arguments: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the identifiers of the things that a call asks for by a list of them, or by one text; empty without such.

    >>> asked_for({"file_key": "abc", "ids": "12,15"})
    ('12', '15')
    """
    for name, given in arguments.items():
        if name_words(name)[-1:] not in (("ids",), ("keys",)):
            continue
        listed = _in_one_text(given) if isinstance(given, str) else given
        if isinstance(listed, list):
            return tuple(str(one) for one in listed if isinstance(one, (str, int)))
    return ()


def _identifies(called: Sequence[str], noun: str) -> bool:
    """Whether words are those of a parameter by which things of the noun are told apart: `id`, `task_id`, `slug`."""
    is_plain = len(called) == 1 or (len(called) > 1 and stem(called[-2]) == stem(noun))
    return is_plain and called[-1] in ID_WORDS | _NAMING


_NAMING = frozenset("slug key code name number handle username".split())
"""Last words of parameters that identify a thing behind its segment: `/workspaces/{workspace_slug}`."""


def _parameter(tool: Tool, part: str) -> str:
    name = part.strip("{}")
    return name if name in tool.properties else ""


# -- where a result tells of what -------------------------------------------------------------------------------------


def shape_of_schema(schema: Json) -> str:
    """Return `object`, `objects` for a list of them, or nothing."""
    plain = plain_schema(schema)
    if type_of(plain) == "array":
        return "objects" if type_of(plain_schema(plain.get("items"))) == "object" else ""
    return "object" if type_of(plain) == "object" else ""


def shape_of_value(value: Json) -> str:
    """Return `object`, `objects` for a list of them, or nothing."""
    if isinstance(value, list):
        return "objects" if not value or isinstance(value[0], dict) else ""
    return "object" if isinstance(value, dict) else ""


def holder_of(shapes: Mapping[str, str], target: ToolTarget) -> str:
    """Return the field of an object that holds what the result is about; empty where the object itself is that.

    An object with an identifier or a name of its own is the thing, also if it has items.
    """
    named = [name_words(name) for name in shapes]
    own_lists = [name for name, one in shapes.items() if one == "objects" and target.is_about(name)]
    if own_lists and not target.own and own_lists[0].lower() not in WRAPPERS:
        return own_lists[0]  # `projects` of a team that is named beside them
    if own_field((name for name, shape in shapes.items() if not shape), target.noun) or any(n in _NAMED for n in named):
        return ""
    held = [name for name, shape in shapes.items() if shape and not is_aside(name)]
    if not held and target.act in ("read", "list"):
        held = [name for name, shape in shapes.items() if shape and name_words(name) == META]
    about = [name for name in held if target.is_about(name)]
    lists = [name for name in held if shapes[name] == "objects"]
    telling = [name for name, shape in shapes.items() if not shape and says_more(name)]
    lists, alone = ([] if telling and target.own else lists), ([] if telling else held)
    return next(iter((*about, *(one[0] for one in (lists, alone) if len(one) == 1))), "")


def is_aside(name: str) -> bool:
    """Whether a field holds links, pages or errors, and not what the result is about."""
    words = name_words(name)
    return not _ASIDE.isdisjoint(map(stem, words[-1:])) or not _ASIDE_FIRST.isdisjoint(words[:1])


def says_more(name: str) -> bool:
    """Whether a plain field of an object says more than that the call went well, and how much there is."""
    return _RECEIPT.isdisjoint(map(stem, name_words(name)))


_RECEIPT = _ASIDE | stem_set(
    "success ok code status total count limit offset cursor next previous has token request type"
)


def role_inside(role: Role, name: str, held: str, shape: str, target: ToolTarget) -> Role:
    """Return the role of a field, given the field that holds the subject of the result."""
    is_same = target.is_about(name) if role == "item" else role == "thing" and name.lower() in WRAPPERS
    if is_same and shape == "object":
        return role  # `attributes` of a thing, `customer` of one of listed customers
    if role != "reply" or name != held:
        return "part"
    return "item" if shape == "objects" else "thing"


class ToldPlace(NamedTuple):
    """An object in a result, and what it tells of."""

    role: Role
    holder: str
    """Name of what it is: the target's noun, or the field that holds it."""
    fields: dict[str, Json]
    properties: Mapping[str, Json]
    """Schemas of the fields that it may have."""


def told_places(target: ToolTarget, value: Json, schema: Json = None, alternative: int = 0) -> Iterator[ToldPlace]:
    """Yield the objects of a result, each thing before its parts; the only item of what an act gave is its thing."""
    places = list(_told_places(target, value, schema, alternative))
    items = [place for place in places if place.role == "item"]
    is_its_own = len(items) == 1 and target.act in ("create", "change", "delete")
    is_its_own = is_its_own and all(place.role != "thing" for place in places)
    yield from (place._replace(role="thing") if is_its_own and place is items[0] else place for place in places)


def _told_places(target: ToolTarget, value: Json, schema: Json, alternative: int) -> Iterator[ToldPlace]:
    plain = plain_schema(schema, alternative)
    if isinstance(value, list):
        for item in value:
            yield from _walk("item", target.noun, item, plain.get("items"), target, alternative)
    else:
        yield from _walk("thing", target.noun, value, plain, target, alternative)


def _walk(
    role: Role,
    holder: str,
    value: Json,
    schema: Json,
    target: ToolTarget,
    alternative: int,
    *,
    is_within: bool = False,
) -> Iterator[ToldPlace]:
    if not isinstance(value, dict):
        return
    found = plain_schema(schema, alternative).get("properties")
    properties = found if isinstance(found, dict) else {}
    shapes = {name: shape_of_value(field) for name, field in value.items()}
    held = holder_of(shapes, target) if role == "thing" and not is_within else ""
    role = "reply" if held else role
    yield ToldPlace(role, holder, value, properties)
    for name, field in value.items():
        inner = role_inside(role, name, held, shapes[name], target)
        is_another = inner == role == "thing" and isinstance(field, dict) and _tells_of_two(value, field, target)
        inner = "part" if is_another else inner
        is_wrapped = name.lower() in WRAPPERS and not is_another
        about = target.noun if inner == "thing" else holder if is_wrapped else singular(name)
        told_as = plain_schema(properties.get(name), alternative)
        items = told_as.get("items")
        if name == held and _is_map(told_as, field):
            for item in field.values():
                yield from _walk("item", singular(name), item, told_as["additionalProperties"], target, alternative)
        elif isinstance(field, list):
            for item in field:
                yield from _walk(inner, about, item, items, target, alternative)
        else:
            told_of = properties.get(name)
            yield from _walk(inner, about, field, told_of, target, alternative, is_within=inner == role != "reply")


def _is_map(schema: Mapping[str, Json], value: Json) -> TypeGuard[dict[str, Json]]:
    """Whether a field holds several things by their identifiers."""
    is_open = "properties" not in schema and isinstance(schema.get("additionalProperties"), dict)
    return is_open and isinstance(value, dict) and bool(value) and all(isinstance(one, dict) for one in value.values())


def _tells_of_two(outer: Mapping[str, Json], inner: Mapping[str, Json], target: ToolTarget) -> bool:
    """Whether an object and the one in it have each an identifier of its own: a task, and the file that it made."""
    is_asked = bool(target.own) and own_field(outer, target.noun, target.own) != ""
    return is_asked and own_field(inner, target.noun) != ""


def own_field(fields: Iterable[str], noun: str, own: str = "") -> str:
    """Return the field of an object that identifies it: `id`, `gid`, `task_id` of a task; empty where there is none."""
    return _own_field(tuple(fields), noun, own)


@lru_cache(maxsize=16384)
def _own_field(fields: tuple[str, ...], noun: str, own: str) -> str:
    words = {name: name_words(name) for name in fields}
    wanted = name_words(own)
    plain = [name for name, one in words.items() if len(one) == 1 and one[0] in ID_WORDS]
    last = stem((name_words(noun) or (noun,))[-1])
    named = [n for n, one in words.items() if len(one) > 1 and one[-1] in ID_WORDS and stem(one[-2]) == last]
    named.sort(key=lambda name: len(words[name]))  # a `BatchPaymentID` is no `PaymentID`
    general = [name for name, one in words.items() if len(one) == 2 and one[0] in _ANY_THING and one[1] in ID_WORDS]
    akin = [n for n, one in words.items() if len(one) > 2 and one[-1] in ID_WORDS and last in map(stem, one[:-1])]
    alone = akin if len(akin) == 1 else []  # `timesheet_entry_id` of a timesheet
    exact = (name for name, one in words.items() if wanted and one == wanted)
    return next(iter((*exact, *plain, *named, *general, *alone)), "")


_ANY_THING = frozenset("entity object resource record item unique".split())


_KEPT_AFTER_DELETION = frozenset("trash trashed deleted restore restored restores archived undelete recover".split())


def sees_deleted(tool: Tool) -> bool:
    """Whether the tool is about what was deleted."""
    return not _KEPT_AFTER_DELETION.isdisjoint((*name_words(tool.name), *words(tool.description[:200])))

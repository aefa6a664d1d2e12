"""An independent checker of invented results: what in one contradicts its call, itself, or an earlier result.

It reads paths, arguments and JSON by its own few rules, and knows nothing of how results are made. The kinds:

    a  another identifier than the one asked for       e  nothing that was asked for
    b  many where one was asked, or many of one id     f  what was written is told otherwise, or not at all
    c  a word that stands for no value                 g  the same thing told otherwise before
    d  days, counts and sums that do not agree         h  a filter that is not respected
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

Words = tuple[str, ...]
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_IDS = frozenset("id ids uid uuid guid gid sid oid identifier".split())
_WRAPPING = frozenset(
    "data result results response payload body item items entry entries record records value values object objects "
    "list content elements attributes resource resources embedded".split()
)
_TECHNICAL = frozenset(
    "link links href rel self etag page pages paging pagination limit offset cursor next prev previous first "
    "last total count size meta metadata status code success ok error errors message warnings type kind object "
    "resource operation service version request token more position sequence".split()
)
_NAMES = frozenset("name title label forename".split())
_STATES = frozenset("status state phase stage".split())
_SPANS = (
    (frozenset("created creation added".split()), frozenset("updated modified changed edited".split())),
    (
        frozenset("begin begins start starts started from since".split()),
        frozenset("end ends ended finished until to".split()),
    ),
)
"""Words of what comes first, and of what comes later."""
_ENDS = _SPANS[0][1] | _SPANS[1][1]
_AFTER = frozenset("start begin from since after min minimum oldest earliest gte gt".split())
_BEFORE = frozenset("end until before to max maximum latest newest lte lt".split())
_OPEN = frozenset("active enabled open running available live".split())
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[T ].*)?")
_MAX_DEPTH = 8


class Call(NamedTuple):
    """One call: what was asked of which operation."""

    name: str
    source: str
    """`GET /tasks/{task_id}`; empty where the tool has no path."""
    arguments: Mapping[str, Any]
    returns: Any
    """Schema of the result."""

    @property
    def method(self) -> str:
        return self.source.partition(" ")[0] if " /" in self.source else ""

    @property
    def path(self) -> list[str]:
        return [part for part in self.source.partition(" ")[2].partition("#")[0].split("/") if part]


class Found(NamedTuple):
    kind: str
    why: str


def words_of(name: str) -> Words:
    return tuple(word.lower() for word in _CAMEL.findall(name))


def plain(name: str) -> Words:
    """The words by which fields are compared: `taskGid` and `task_id` are one."""
    words = words_of(name)
    return (*words[:-1], "id") if words and words[-1] in _IDS - {"ids"} else words


def one_of(word: str) -> str:
    for end, instead in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("s", "")):
        if word.endswith(end) and not word.endswith(("ss", "us", "is")):
            return word[: -len(end)] + instead
    return word


def schema_at(schema: Any) -> dict[str, Any]:
    """One alternative of a schema, with all parts of `allOf`."""
    for _ in range(6):
        if not isinstance(schema, dict):
            return {}
        for key in ("anyOf", "oneOf"):
            if isinstance(schema.get(key), list) and schema[key]:
                schema = {**{k: v for k, v in schema.items() if k != key}, **(schema[key][0] or {})}
                break
        else:
            parts = schema.get("allOf")
            if not isinstance(parts, list):
                return schema
            rest = {key: value for key, value in schema.items() if key != "allOf"}
            properties: dict[str, Any] = {}
            for part in (*parts, rest):
                properties |= schema_at(part).get("properties") or {}
            schema = {**rest, "properties": properties}
    return schema if isinstance(schema, dict) else {}


class Subject(NamedTuple):
    """What a result is about: one thing, or listed things, and where their list stands."""

    things: list[dict[str, Any]]
    is_list: bool
    properties: dict[str, Any]
    around: list[dict[str, Any]]
    """Objects that hold it, from the outside."""


def subject_of(call: Call, value: Any, schema: Any) -> Subject:
    nouns = {one_of(words[-1]) for part in call.path if "{" not in part and (words := words_of(part))}
    nouns |= {one_of(word) for word in words_of(call.name)}
    around: list[dict[str, Any]] = []
    known = schema_at(schema)
    for _ in range(_MAX_DEPTH):
        if isinstance(value, list):
            items = schema_at(known.get("items"))
            held = [one for one in value if isinstance(one, dict)]
            return Subject(held, True, items.get("properties") or {}, around)
        if not isinstance(value, dict):
            break
        names = [plain(name) for name in value]
        own = [
            one for one in names if one in (("id",), ("name",), ("title",)) or (one[-1:] == ("id",) and one[0] in nouns)
        ]
        inner = [
            name for name, one in value.items()
            if isinstance(one, dict) or (isinstance(one, list) and all(isinstance(part, dict) for part in one))
        ]  # fmt: skip
        inner = [name for name in inner if _TECHNICAL.isdisjoint(words_of(name)[-1:])]
        about = [name for name in inner if one_of((words_of(name) or ("",))[-1]) in nouns | _WRAPPING]
        chosen = "" if own else next(iter(about), inner[0] if len(inner) == 1 else "")
        if not chosen:
            break
        around.append(value)
        value, known = value[chosen], schema_at((known.get("properties") or {}).get(chosen))
    things = [value] if isinstance(value, dict) else []
    return Subject(things, False, known.get("properties") or {}, around)


def contradictions(
    call: Call, value: Any, earlier: Sequence[tuple[Call, Any]] = (), *, today: date, fillers: Collection[str] = ()
) -> Iterator[Found]:
    """Yield what is wrong with a result; `fillers` are words that no value may be made of."""
    subject = subject_of(call, value, call.returns)
    yield from _identity(call, subject)
    yield from _shape(call, subject)
    yield from _fillers(call, value, fillers)
    for fields in _objects(value):
        yield from _days(fields, call, today)
    yield from _counts(subject)
    yield from _content(call, value, subject)
    yield from _written(call, subject)
    yield from _filters(call, subject)
    yield from _memory(call, subject, earlier)


# -- a, b: which things -----------------------------------------------------------------------------------------------


def _placed(call: Call) -> tuple[str, str, bool]:
    """The last parameter of the path, the noun before it, and whether nothing follows it."""
    path = call.path
    at = next((at for at in reversed(range(len(path))) if re.fullmatch(r"\{[^{}]+\}", path[at])), None)
    if at is None:
        return "", "", False
    before = words_of(path[at - 1]) if at and "{" not in path[at - 1] else ()
    return path[at].strip("{}"), one_of(before[-1]) if before else "", at == len(path) - 1


def _argument(call: Call, name: str) -> Any:
    return next((one for key, one in call.arguments.items() if words_of(key) == words_of(name)), None)


def identity(fields: Mapping[str, Any], noun: str, parameter: str = "") -> str:
    """The field that identifies an object; empty where none does."""
    wanted = [plain(parameter)] if parameter else []
    names = {plain(name): name for name in reversed(fields)}
    for words in (*wanted, ("id",), (noun, "id")):
        if words in names and not isinstance(fields[names[words]], (dict, list)):
            return names[words]
    return ""


def _identity(call: Call, subject: Subject) -> Iterator[Found]:
    parameter, noun, is_last = _placed(call)
    asked = _argument(call, parameter)
    is_id = plain(parameter)[-1:] == ("id",) or plain(parameter) == (noun,)
    is_own = len(plain(parameter)) == 1 or one_of(noun) in plain(parameter)
    if is_last and asked is not None and is_id and is_own:
        for thing in subject.things:
            own = identity(thing, noun, parameter)
            if own and str(thing[own]) != str(asked):
                yield Found("a", f"{own} {thing[own]!r} where {parameter} {asked!r} was asked for")
    for name, given in call.arguments.items():
        words = plain(name)
        if words[-1:] != ("id",) or len(words) < 2 or isinstance(given, (dict, list)):
            continue
        if words[0] in ("new", "to", "target") or any(
            plain(one)[-len(words) :] == words for one in call.arguments if one != name
        ):
            continue  # `account_id` beside a `transfer_account_id` is that which it was
        for thing in subject.things:
            for field, told in thing.items():
                if plain(field) == words and not isinstance(told, (dict, list)) and str(told) != str(given):
                    yield Found("a", f"{field} {told!r} where {name} {given!r} was given")


def _shape(call: Call, subject: Subject) -> Iterator[Found]:
    parameter, noun, is_last = _placed(call)
    is_id = plain(parameter)[-1:] == ("id",)
    if subject.is_list and is_last and is_id and call.method in ("GET", "PUT", "PATCH") and len(subject.things) > 1:
        yield Found("b", f"{len(subject.things)} things for one {parameter}")
    if subject.is_list and len(subject.things) > 1:
        given = {plain(name) for name in call.arguments}
        own = [str(thing[n]) for thing in subject.things if (n := identity(thing, noun)) and plain(n) not in given]
        if len(set(own)) < len(own):
            yield Found("b", "listed things of one identifier")


# -- c, d: within a result --------------------------------------------------------------------------------------------


def _objects(value: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(one, depth + 1)


def _leaves(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _leaves(one, key, depth + 1)
    elif isinstance(value, list):
        for one in value:
            yield from _leaves(one, name, depth + 1)
    else:
        yield name, value


def _fillers(call: Call, value: Any, fillers: Collection[str]) -> Iterator[Found]:
    said = {str(one) for _, one in _leaves(dict(call.arguments))}
    for name, one in _leaves(value):
        if isinstance(one, str) and one in fillers and one not in said and not _NAMES & set(words_of(name)):
            yield Found("c", f"{name} is {one!r}")


def _days(fields: Mapping[str, Any], call: Call, today: date) -> Iterator[Found]:
    days = {name: one for name, one in fields.items() if isinstance(one, str) and _MOMENT.fullmatch(one)}
    said = {str(one) for _, one in _leaves(dict(call.arguments))}
    for first, one in days.items():
        for last, other in days.items():
            for begins, ends in _SPANS:
                heads = frozenset(words_of(first)) & begins, frozenset(words_of(last)) & ends
                rest = [[word for word in words_of(name) if word not in begins | ends] for name in (first, last)]
                if all(heads) and rest[0] == rest[1] and str(other)[:10] < str(one)[:10] and not {one, other} <= said:
                    yield Found("d", f"{first} {one} lies after {last} {other}")
        past = frozenset(words_of(first)) & {"created", "updated", "modified", "changed", "added", "creation"}
        if past and one[:10] > today.isoformat() and one not in said:
            yield Found("d", f"{first} {one} lies in the future")


_COUNTING = frozenset("total count".split())


def _counts(subject: Subject) -> Iterator[Found]:
    if not subject.is_list:
        return
    for fields in subject.around:
        for name, one in fields.items():
            words = words_of(name)
            if not isinstance(one, int) or isinstance(one, bool) or not words or not _COUNTING & set(words):
                continue
            is_pages = bool({"page", "pages"} & set(words)) and "per" not in words
            wanted = 1 if is_pages else len(subject.things)
            if one != wanted and {"per", "size", "limit"}.isdisjoint(words):
                yield Found("d", f"{name} is {one}, and {len(subject.things)} are listed")


# -- e: content -------------------------------------------------------------------------------------------------------


def _content(call: Call, value: Any, subject: Subject) -> Iterator[Found]:
    is_reading = call.method == "GET" or (not call.method and words_of(call.name)[:1] in (("get",), ("list",)))
    if not is_reading:
        return
    said = {str(one) for _, one in _leaves(dict(call.arguments))}
    told = [(name, one) for name, one in _leaves(value) if one not in (None, "", [], {})]
    asked = {word for part in call.path for word in words_of(part)} | set(words_of(call.name))
    if not any(not _is_technical(name) or asked & set(words_of(name)) for name, _ in told):
        yield Found("e", "no content")
    elif not any(
        (not _is_technical(name) or asked & set(words_of(name)) or _STATES & set(words_of(name)))
        and plain(name)[-1:] != ("id",)
        and str(one) not in said
        for name, one in told
    ):
        yield Found("e", "identifiers only")
    if subject.is_list and any(not thing for thing in subject.things):
        yield Found("e", "empty items")


def _is_technical(name: str) -> bool:
    words = words_of(name)
    return bool(words) and set(words) <= _TECHNICAL


# -- f, h: against the request ----------------------------------------------------------------------------------------


def _same(told: Any, given: Any) -> bool:
    if isinstance(told, (int, float)) and isinstance(given, (int, float)):
        return float(told) == float(given)
    if isinstance(told, str) and isinstance(given, str) and _MOMENT.match(told) and _MOMENT.match(given):
        return told[:10] == given[:10]
    return str(told).casefold() == str(given).casefold()


def _written(call: Call, subject: Subject) -> Iterator[Found]:
    if call.method == "DELETE":
        for thing in subject.things:
            for name, one in thing.items():
                if _STATES & set(words_of(name)[-1:]) and str(one).casefold() in _OPEN:
                    yield Found("f", f"deleted, and {name} is {one!r}")
        return
    if call.method not in ("POST", "PUT", "PATCH") or subject.is_list:
        return
    in_path = {part.strip("{}") for part in call.path}
    for name, given in _body(call.arguments):
        fields = {plain(field): field for field in subject.properties}
        if isinstance(given, (dict, list)) or name in in_path or plain(name) not in fields:
            continue
        field = fields[plain(name)]
        if schema_at(subject.properties[field]).get("type") in ("object", "array"):
            continue
        for thing in subject.things:
            if field not in thing:
                yield Found("f", f"{name} was written, and is not told")
            elif not _same(thing[field], given):
                yield Found("f", f"{field} {thing[field]!r} where {given!r} was written")


def _body(arguments: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, one in arguments.items():
        if isinstance(one, dict) and len(arguments) <= 3:
            yield from ((key, held) for key, held in one.items() if plain(key) not in (("id",), ("type",)))
        yield name, one


def _filters(call: Call, subject: Subject) -> Iterator[Found]:
    if not subject.is_list or call.method not in ("GET", ""):
        return
    in_path = {part.strip("{}") for part in call.path}
    for name, given in call.arguments.items():
        words = words_of(name)
        if name in in_path:
            continue
        yield from _size(words, given, subject)
        if not isinstance(given, (dict, list)) and plain(name)[-1:] != ("id",):
            yield from _equal(name, given, subject)
        if isinstance(given, str) and _MOMENT.fullmatch(given):
            yield from _range(words, given, subject)
    yield from _sorted(call, subject)


def _size(words: Words, given: Any, subject: Subject) -> Iterator[Found]:
    sizes = {
        ("limit",),
        ("page", "size"),
        ("per", "page"),
        ("max", "results"),
        ("size",),
        ("top",),
        ("count",),
        ("max", "items"),
    }
    if words in sizes and isinstance(given, int) and 0 < given < len(subject.things):
        yield Found("h", f"{len(subject.things)} things, and {given} were asked for")


def _equal(name: str, given: Any, subject: Subject) -> Iterator[Found]:
    if {"page", "limit", "offset", "q", "query", "search", "sort", "order", "fields"} & set(words_of(name)):
        return
    for thing in subject.things:
        for field, told in thing.items():
            if plain(field) == plain(name) and not isinstance(told, (dict, list)) and not _same(told, given):
                yield Found("h", f"{field} {told!r} where {name} {given!r} was asked for")


def _range(words: Words, given: str, subject: Subject) -> Iterator[Found]:
    is_least, is_most = bool(_AFTER & set(words)), bool(_BEFORE & set(words))
    about = set(words) - _AFTER - _BEFORE - {"date", "time", "at", "on", "utc", "day", "datetime"}
    for thing in subject.things if is_least != is_most else ():
        days = {name: one for name, one in thing.items() if isinstance(one, str) and _MOMENT.fullmatch(one)}
        named = [one for name, one in days.items() if about and about <= set(words_of(name))]
        told = named or (list(days.values()) if len(days) == 1 else [])
        for one in told[:1]:
            if (is_least and one[:10] < given[:10]) or (is_most and one[:10] > given[:10]):
                yield Found("h", f"{one} is outside {' '.join(words)} {given}")


def _sorted(call: Call, subject: Subject) -> Iterator[Found]:
    by = next((one for name, one in call.arguments.items() if words_of(name)[:1] in (("sort",), ("order",))), None)
    if not isinstance(by, str) or len(subject.things) < 2:
        return
    named = words_of(by.strip("-+"))
    is_down = (
        by.startswith("-")
        or named[-1:] == ("desc",)
        or any(str(one).casefold() in ("desc", "descending") for one in call.arguments.values())
    )
    field = next(
        (
            name
            for name in subject.things[0]
            if words_of(name) and words_of(name) == tuple(word for word in named if word not in ("asc", "desc"))
        ),
        "",
    )
    column = [thing.get(field) for thing in subject.things]
    is_plain = all(isinstance(one, type(column[0])) and isinstance(one, (str, int, float)) for one in column)
    if field and is_plain and column != sorted(column, reverse=is_down):
        yield Found("h", f"not sorted by {by}")


# -- g: against earlier results ---------------------------------------------------------------------------------------


def _told_of(call: Call, subject: Subject) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    parameter, noun, is_last = _placed(call)
    plural = words_of(call.path[-1]) if call.path and "{" not in call.path[-1] else ()
    noun = noun if is_last else one_of(plural[-1]) if plural else ""
    for thing in subject.things:
        own = identity(thing, noun, parameter if is_last else "")
        if own and noun:
            yield (noun, str(thing[own])), thing


def _memory(call: Call, subject: Subject, earlier: Sequence[tuple[Call, Any]]) -> Iterator[Found]:
    known: dict[tuple[str, str], dict[str, Any]] = {}
    for before, value in earlier:
        for key, thing in _told_of(before, subject_of(before, value, before.returns)):
            known[key] = known.get(key, {}) | thing
    is_change = call.method not in ("GET", "")
    for key, thing in _told_of(call, subject):
        for name, one in thing.items():
            was = known.get(key, {}).get(name)
            is_moving = bool(_STATES & set(words_of(name)[-1:])) or bool(_ENDS & set(words_of(name)))
            if was is None or isinstance(one, (dict, list)) or is_moving or is_change:
                continue
            if not _same(one, was):
                yield Found("g", f"{name} of {key} was {was!r}, is {one!r}")

"""An independent checker of whole sessions: what their results tell otherwise in one call than in another.

It goes on where `tests/contradictions.py` ends, which looks at one result and the same thing told before. The kinds:

    i  another owner than the one that was asked for, or two owners of what belongs to the caller
    j  something put there or taken away that a later list lacks or shows
    k  a fact of the world, such as a rate, that differs between two calls
    l  a moment before the thing began, in the future, or that an act did not move
    m  a thing that an act made or wrote and that tells otherwise later what was given
    n  within one result: a count beside a nested list that is not its length, one named thing under two identifiers
    o  nothing found has a word of those searched for
    p  what a call deleted is active, or what was set is read otherwise
    q  one title of two owners under two identifiers
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from contradictions import Call, Found, Words, identity, one_of, plain, subject_of, words_of

_READS = frozenset("get list fetch find search show read look retrieve check view query".split())
_WRITES = ("POST", "PUT", "PATCH")
_HOLDERS = frozenset("account organization organisation tenant workspace enterprise".split())
_BEGUN = frozenset("created creation create added".split())
_CHANGED = frozenset("updated modified changed edited update".split())
_DONE = frozenset("completed closed resolved finished ended deleted published sent read touched used seen".split())
_STAMPS = frozenset("at on date time timestamp last ts utc".split())
_RATES = frozenset("rate price quote temperature population ratio".split())
_NATURAL = frozenset("code currency symbol iso country city base".split())
_MOST = 8


class Step(NamedTuple):
    """One call of a session; `value` is None where it failed."""

    call: Call
    value: Any

    @property
    def is_read(self) -> bool:
        first = words_of(self.call.name)[:1]
        return self.call.method == "GET" or (not self.call.method and bool(first) and first[0] in _READS)


def session_contradictions(
    steps: Sequence[Step], sources: Sequence[str], *, today: date
) -> Iterator[tuple[int, Found]]:
    """Yield what contradicts an earlier step, with the place of the later one; `sources` are those of all tools."""
    for at, step in enumerate(steps):
        if step.value is None:
            continue
        earlier = [one for one in steps[:at] if one.value is not None]
        found = [*_owners(step, earlier, sources), *_members(step, earlier), *_facts(step, earlier)]
        found += [*_moments(step, today), *_made(step, earlier)]
        found += [*_within(step), *_unfound(step), *_acted(step, earlier), *_titles(step, earlier)]
        yield from ((at, one) for one in found)


def _objects(value: Any, holder: Words = (), depth: int = 0) -> Iterator[tuple[Words, dict[str, Any]]]:
    """Yield each object of a result with the words of the field that holds it."""
    if isinstance(value, dict):
        yield holder, value
        for name, one in value.items() if depth < _MOST else ():
            yield from _objects(one, plain(name), depth + 1)
    elif isinstance(value, list):
        for one in value:
            yield from _objects(one, holder, depth + 1)


def _subject(step: Step) -> list[dict[str, Any]]:
    return subject_of(step.call, step.value, step.call.returns).things


def _given(call: Call, name: str) -> Any:
    return next((one for key, one in call.arguments.items() if key == name), None)


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool) and value not in ("", 0)


# -- i: owners --------------------------------------------------------------------------------------------------------


def _in_path(call: Call) -> Iterator[tuple[Words, Any, bool]]:
    """Yield each owner that the path names, with its identifier; the last part of a path names no owner."""
    path = call.path
    for at, part in enumerate(path):
        if re.fullmatch(r"\{[^{}]+\}", part) and at and "{" not in path[at - 1]:
            given, owner = _given(call, part.strip("{}")), words_of(path[at - 1])
            if given is not None and owner:
                yield (*owner[:-1], one_of(owner[-1]), "id"), given, at == len(path) - 1


def _owners(step: Step, earlier: Sequence[Step], sources: Sequence[str]) -> Iterator[Found]:
    call = step.call
    for owner, given, is_last in _in_path(call):
        for thing in _subject(step) if not is_last else ():
            for name, told in thing.items():
                if plain(name) == owner and _is_plain(told) and str(told) != str(given):
                    yield Found("i", f"{name} {told!r} where {' '.join(owner)} {given!r} was given")
    for _, held in _objects(step.value):
        for owner, given, _ in _in_path(call):
            marks = re.escape(owner[-2])
            for name, told in held.items():
                found = re.fullmatch(rf"{marks}_(\d+)", told) if isinstance(told, str) else None
                if found and found[1] != str(given):
                    yield Found("i", f"{name} {told!r} where {' '.join(owner)} {given!r} was given")
    yield from _two_holders(step, earlier)
    yield from _two_defaults(step, earlier, sources)


def _holders_in(value: Any) -> Iterator[tuple[str, str]]:
    for holder, fields in _objects(value):
        for name, told in fields.items():
            words = plain(name)
            is_id = len(words) == 2 and words[0] in _HOLDERS and words[1] == "id"
            if is_id and _is_plain(told) and holder != words[:1]:
                yield words[0], str(told)
            if words[-1:] and words[-1] in _HOLDERS and isinstance(told, dict) and _is_plain(told.get("id")):
                yield words[-1], str(told["id"])


def _two_holders(step: Step, earlier: Sequence[Step]) -> Iterator[Found]:
    """All that one person sees lies in one account, unless the call names another."""
    known: dict[str, str] = {}
    for one in earlier:
        for word, told in _holders_in(one.value):
            known.setdefault(word, told)
    said = {str(one) for one in step.call.arguments.values()}
    asked = {word for name in step.call.arguments for word in words_of(name)}
    asked |= {one_of(word) for part in step.call.path for word in words_of(part)}
    for word, told in _holders_in(step.value):
        if word not in asked and told not in said and known.setdefault(word, told) != told:
            yield Found("i", f"{word} {told!r}, and {known[word]!r} before")


def _bare(source: str) -> str:
    return source.partition(" ")[2].partition("#")[0]


def _default_owner(call: Call, sources: Sequence[str]) -> tuple[Words, ...]:
    """The owners that a twin of the path spells out, and this call leaves to the service."""
    path, found = "/".join(call.path), []
    for source in sources:
        parts = [part for part in _bare(source).split("/") if part]
        for at in range(1, len(parts)):
            is_owner = re.fullmatch(r"\{[^{}]+\}", parts[at]) and "{" not in parts[at - 1] and at + 1 < len(parts)
            if is_owner and "/".join((*parts[: at - 1], *parts[at + 1 :])) == path:
                found += [(*words_of(parts[at - 1])[:-1], one_of(words_of(parts[at - 1])[-1]), "id")]
                found += [plain(parts[at].strip("{}"))]
    return tuple(found)


def _of_default(step: Step, sources: Sequence[str]) -> Iterator[tuple[Words, str]]:
    for owner in _default_owner(step.call, sources):
        for thing in _subject(step):
            for name, told in thing.items():
                words = plain(name)
                if words[-1:] == ("id",) and len(words) > 1 and _is_plain(told) and words[-2:] == owner[-2:]:
                    yield words, str(told)


def _two_defaults(step: Step, earlier: Sequence[Step], sources: Sequence[str]) -> Iterator[Found]:
    known: dict[Words, str] = {}
    for one in earlier:
        for words, told in _of_default(one, sources):
            known.setdefault(words, told)
    said = {str(one) for one in step.call.arguments.values()}
    for words, told in _of_default(step, sources):
        if told not in said and known.setdefault(words, told) != told:
            yield Found("i", f"default {' '.join(words)} {told!r}, and {known[words]!r} before")


# -- j: members -------------------------------------------------------------------------------------------------------


def _filled(call: Call) -> str:
    path = "/".join(call.path)
    return re.sub(r"\{([^{}]+)\}", lambda found: str(_given(call, found[1])), path)


def _noun_of(call: Call) -> str:
    parts = [part for part in call.path if "{" not in part]
    return one_of((words_of(parts[-1]) or ("",))[-1]) if parts else ""


def _put_there(step: Step) -> Iterator[tuple[str, str, bool]]:
    """Yield collection, identifier, and whether it was put there, of what an act did."""
    call, filled = step.call, _filled(step.call)
    is_of_one = bool(call.path) and "{" in call.path[-1]
    if call.method in ("PUT", "DELETE") and is_of_one:
        before, _, key = filled.rpartition("/")
        yield before, key, call.method == "PUT"
    if call.method == "POST" and not is_of_one and call.path:
        noun = _noun_of(call)
        things = _subject(step)
        own = [str(things[0][n]) for n in [identity(things[0], noun)] if n] if len(things) == 1 else []
        held = [str(one) for name, one in call.arguments.items() if plain(name) in (("id",), (noun, "id"))]
        held = [one for one in held if f"/{one}" not in f"/{filled}"]
        for key in dict.fromkeys((*held, *own)):
            yield filled, key, True


def _members(step: Step, earlier: Sequence[Step]) -> Iterator[Found]:
    call, filled = step.call, _filled(step.call)
    subject = subject_of(call, step.value, call.returns)
    if call.method != "GET" or not subject.is_list or (call.path and "{" in call.path[-1]):
        return
    in_path = {part.strip("{}") for part in call.path}
    is_all = set(call.arguments) <= in_path
    noun = _noun_of(call)
    shown = {str(thing[own]) for thing in subject.things if (own := identity(thing, noun))}
    shown |= {str(one) for thing in subject.things for one in thing.values() if isinstance(one, (str, int))}
    state: dict[str, bool] = {}
    for one in earlier:
        for collection, key, is_put in _put_there(one):
            if collection == filled:
                state[key] = is_put
            elif key in filled.split("/")[:-1]:
                state |= dict.fromkeys(_inverse(collection, filled, key), is_put)
    for key, is_there in state.items():
        if is_there and is_all and key not in shown:
            yield Found("j", f"{key!r} was put into {filled}, and is not listed")
        if not is_there and key in shown:
            yield Found("j", f"{key!r} was taken from {filled}, and is listed")


def _inverse(collection: str, filled: str, key: str) -> list[str]:
    """`/contacts/5/companies` got company 7: `/companies/7/contacts` lists contact 5."""
    put, read = collection.split("/"), filled.split("/")
    if len(put) < 3 or len(read) < 3 or read[-2] != key:
        return []
    is_inverse = put[-3] == read[-1] and put[-1] == read[-3]
    return [put[-2]] if is_inverse else []


# -- k: the world -----------------------------------------------------------------------------------------------------


def _world_facts(step: Step) -> Iterator[tuple[tuple[str, ...], Any]]:
    about = tuple(sorted(f"{plain(n)}={one}" for n, one in step.call.arguments.items() if _NATURAL & set(words_of(n))))
    for holder, fields in _objects(step.value):
        keys = [(plain(n), one) for n, one in fields.items() if isinstance(one, str) and _NATURAL & set(words_of(n))]
        for name, told in fields.items():
            if isinstance(told, (int, float)) and not isinstance(told, bool) and _RATES & set(words_of(name)):
                if keys or about:
                    yield (*holder, *map(str, sorted(keys)), *about, name), told
            elif isinstance(told, (int, float)) and re.fullmatch(r"[A-Z]{3}", name):
                yield (*holder, *about, name), told


def _facts(step: Step, earlier: Sequence[Step]) -> Iterator[Found]:
    known: dict[tuple[str, ...], Any] = {}
    for one in earlier:
        known = dict(_world_facts(one)) | known
    for key, told in _world_facts(step) if step.is_read else ():
        if known.get(key, told) != told:
            yield Found("k", f"{' '.join(key)} is {told!r}, was {known[key]!r}")


# -- l: moments -------------------------------------------------------------------------------------------------------


def _moment(value: Any) -> datetime | None:
    if isinstance(value, bool) or value is None:
        return None
    text = str(value)
    if re.fullmatch(r"1[5-9]\d{8}(?:\d{3})?(?:\.\d{1,6})?", text):
        whole = text.partition(".")[0]
        return datetime.fromtimestamp(int(whole[:10]), UTC).replace(tzinfo=None)
    if not re.fullmatch(r"20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d.{0,20})?", text):
        return None
    try:
        return datetime.fromisoformat(text.replace("Z", "")).replace(tzinfo=None)
    except ValueError:
        return None


def _stamp(name: str, acts: frozenset[str]) -> bool:
    words = set(words_of(name))
    return bool(words & acts) and (bool(words & _STAMPS) or words <= acts)


def _moments(step: Step, today: date) -> Iterator[Found]:
    call = step.call
    said = {str(one) for one in call.arguments.values()}
    method = call.method or ("GET" if step.is_read else "")
    for _, fields in _objects(step.value):
        told = {name: moment for name, one in fields.items() if str(one) not in said and (moment := _moment(one))}
        begun = [moment for name, moment in told.items() if _stamp(name, _BEGUN) and len(words_of(name)) < 4]
        for name, moment in told.items():
            is_later = _stamp(name, _CHANGED | _DONE)
            if is_later and len(begun) == 1 and moment.date() < begun[0].date():
                yield Found("l", f"{name} {moment} before {begun[0]}")
            if _stamp(name, _BEGUN | _CHANGED | _DONE) and moment.date() > today:
                yield Found("l", f"{name} {moment} lies in the future")
    for thing in _subject(step) if method in _WRITES and len(_subject(step)) == 1 else ():
        for name, one in thing.items():
            moment = _moment(one) if str(one) not in said else None
            is_moved = _stamp(name, _CHANGED) or (words_of(name)[-1:] == ("ts",) and not step.is_read)
            if moment and is_moved and moment.date() != today:
                yield Found("l", f"{name} {moment} after a write on {today}")


# -- m: what was made -------------------------------------------------------------------------------------------------


def _made(step: Step, earlier: Sequence[Step]) -> Iterator[Found]:
    """A thing whose identifier an act returned tells the other identifiers that the act was given."""
    asked = {str(one) for one in step.call.arguments.values()}
    given: dict[tuple[str, Words], str] = {}
    for one in earlier:
        if one.is_read:
            continue
        said = {str(value) for value in one.call.arguments.values()}
        for thing in _subject(one):
            for name, told in thing.items():
                if plain(name)[-1:] == ("id",) and _is_plain(told) and str(told) not in said:
                    given |= {
                        (str(told), plain(key)): str(value)
                        for key, value in one.call.arguments.items()
                        if _is_plain(value) and plain(key)[-1:] == ("id",) and len(plain(key)) > 1
                    }
    for thing in _subject(step) if step.is_read else ():
        own = {str(one) for one in thing.values()} & asked
        for name, told in thing.items():
            for key in own:
                was = given.get((key, plain(name)))
                if was is not None and _is_plain(told) and str(told) != was:
                    yield Found("m", f"{name} of {key} is {told!r}; it was made for {was!r}")
    written: Mapping[str, Any] = {}
    for one in earlier:
        if one.call.method in _WRITES and _filled(one.call) == _filled(step.call) and one.call.path:
            written = {**written, **one.call.arguments}
    in_path = {part.strip("{}") for part in step.call.path}
    for thing in _subject(step) if step.is_read and len(_subject(step)) == 1 else ():
        for name, told in thing.items():
            for key, was in written.items():
                is_same = plain(key) == plain(name) and key not in in_path and _is_plain(was) and _is_plain(told)
                if is_same and str(was)[:10] != str(told)[:10]:
                    yield Found("m", f"{name} is {told!r}, and {was!r} was written")


# -- n, o: one result -------------------------------------------------------------------------------------------------

_COUNTS = (("count",), ("total",), ("total", "count"), ("count", "total"))
_SEARCHED = frozenset("query q keyword keywords term search phrase".split())
_TELLING = frozenset("name title label text quote content body message caption description sentence snippet".split())


def _within(step: Step) -> Iterator[Found]:
    for holder, fields in _objects(step.value):
        lists = [one for one in fields.values() if isinstance(one, list)]
        for name, told in fields.items():
            is_count = holder and len(lists) == 1 and words_of(name) in _COUNTS and type(told) is int
            if is_count and told != len(lists[0]):
                yield Found("n", f"{name} of {' '.join(holder)} is {told}, of {len(lists[0])}")
    for name, given in step.call.arguments.items():
        words = plain(name)
        named = words[:1] if len(words) == 1 or words[1:] == ("name",) else ()
        if named and isinstance(given, str) and named != ("id",):
            keys = [one for thing in _subject(step) for n, one in thing.items() if plain(n) == (*named, "id")]
            if len(set(map(str, keys))) > 1:
                yield Found("n", f"{named[0]} {given!r} has identifiers {keys}")


def _texts(value: Any) -> Iterator[str]:
    for _, fields in _objects(value):
        for name, told in fields.items():
            if isinstance(told, str) and _TELLING & set(words_of(name)[-1:]):
                yield told.casefold()


def _unfound(step: Step) -> Iterator[Found]:
    searched = [
        one for name, one in step.call.arguments.items() if words_of(name)[-1:] and words_of(name)[-1] in _SEARCHED
    ]
    texts = list(_texts(step.value))
    for query in searched if step.is_read and texts else ():
        parts = re.findall(r"\w{3,}", query.casefold()) if isinstance(query, str) and "," not in query else []
        if parts and not any(part in text for part in parts for text in texts):
            yield Found("o", f"nothing found has a word of {query!r}: {texts[:4]}")


# -- p, q: acts, and titles -------------------------------------------------------------------------------------------

_ACTIVE = frozenset("active enabled open running live available".split())
_WORKS = frozenset("album song track movie film book playlist".split())


def _acted(step: Step, earlier: Sequence[Step]) -> Iterator[Found]:
    words = words_of(step.call.name)
    if step.call.method == "DELETE" or words[:1] == ("delete",):
        for thing in _subject(step):
            for name, told in thing.items():
                if plain(name)[-1:] in (("status",), ("state",)) and str(told).lower() in _ACTIVE:
                    yield Found("p", f"{name} {told!r} after a deletion")
    told = {plain(name): one for _, fields in _objects(step.value) for name, one in fields.items()}
    ids = {str(one) for name, one in step.call.arguments.items() if plain(name)[-1:] == ("id",)}
    for one in earlier if "get" in words and ids else ():
        first = words_of(one.call.name)
        if first[-len(words) :] != tuple("set" if word == "get" else word for word in words):
            continue
        if not ids & {str(given) for given in one.call.arguments.values()}:
            continue
        for name, given in one.call.arguments.items():
            key = plain(name)[1:] if plain(name)[:1] in (("target",), ("new",)) else plain(name)
            was = sorted(str(given).split(",")) if not isinstance(given, list) else sorted(map(str, given))
            now = told.get(key)
            if isinstance(now, list) and sorted(map(str, now)) != was:
                yield Found("p", f"{' '.join(key)} is {now}, and {was} was set")


def _works(step: Step) -> Iterator[tuple[tuple[str, str], str]]:
    for holder, fields in _objects(step.value):
        noun = one_of(holder[-1]) if holder else ""
        own = identity(fields, noun) if noun in _WORKS else None
        title = fields.get("name", fields.get("title"))
        if own and isinstance(title, str):
            yield (noun, title), str(fields[own])


def _titles(step: Step, earlier: Sequence[Step]) -> Iterator[Found]:
    known: dict[tuple[str, str], str] = {}
    for one in earlier:
        known = dict(_works(one)) | known
    for key, own in _works(step):
        if known.get(key, own) != own:
            yield Found("q", f"{' '.join(key)} is {own!r}, and {known[key]!r} before")

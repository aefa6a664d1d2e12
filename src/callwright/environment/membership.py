"""Which things stand in which collection, as far as the results of a session tell.

A collection is the filled path before a thing's identifier: `/files/7/comments` of `/files/7/comments/3`. Of a tool
without a path it is the noun of the thing with the identifiers of what holds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from functools import lru_cache

from callwright.catalog.slots import slots
from callwright.environment.returns import identity_of, path_of
from callwright.environment.tool_target import IN_PATH, ToolTarget, target_of
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words
from callwright.lang.tokens import stem
from callwright.records.jsontext import Json
from callwright.records.tool import Tool


def filled_path(tool: Tool, arguments: Mapping[str, Json]) -> str:
    """Return the path of a call with its parameters filled in; empty where the tool has none."""
    return _filled(path_of(tool), arguments)


def collection_of(tool: Tool, arguments: Mapping[str, Json]) -> str:
    """Return the collection that a call lists, adds to, or has its thing from; empty where nothing tells."""
    target, path = target_of(tool), path_of(tool)
    if not path:
        return _by_noun(tool, target, arguments)
    if target.act in ("list", "create"):
        found = filled_path(tool, arguments) + (_asked_beside(tool, arguments) if target.act == "list" else "")
    else:
        before, mark, _ = path.partition(f"/{{{target.own}}}")
        found = _filled(before, arguments) if target.own and mark else ""
    return f"{tool.service} {found}" if found else ""


def whole_of(collection: str) -> str:
    """Return the collection that a list by a holder beside its path is a part of.

    >>> whole_of("/hooks?site_id=7")
    '/hooks'
    """
    return collection.partition("?")[0]


def _asked_beside(tool: Tool, arguments: Mapping[str, Json]) -> str:
    """The holders by which a path without parameters is listed: `?site_id=7`."""
    if IN_PATH.search(path_of(tool)):
        return ""
    asked = [name for name in sorted(arguments) if name in tool.properties and identifies(tool, name)]
    given = (f"{name}={arguments[name]}" for name in asked)
    return "".join(f"?{one.replace('/', '|')}" for one in given)


def collections_in(tool: Tool, arguments: Mapping[str, Json]) -> Iterator[tuple[str, str, list[Json]]]:
    """Yield each parameter that names a thing in a collection, with the collection and what it is held by."""
    path, own = path_of(tool), target_of(tool).own
    if not path and own in arguments:
        yield own, collection_of(tool, arguments), [one for name, one in arguments.items() if name != own]
    for found in IN_PATH.finditer(path):
        name, before = found[1], path[: found.start()]
        if name in arguments and before.endswith("/"):
            above = [arguments[one] for one in IN_PATH.findall(before) if one in arguments]
            yield name, f"{tool.service} {_filled(before.rstrip('/'), arguments)}", above


def _filled(path: str, arguments: Mapping[str, Json]) -> str:
    return IN_PATH.sub(lambda found: str(arguments.get(found[1], "")), path)


def _by_noun(tool: Tool, target: ToolTarget, arguments: Mapping[str, Json]) -> str:
    if target.act not in ("list", "create") and target.own not in arguments:
        return ""
    above = [f"{name}={one}" for name, one in arguments.items() if name != target.own and identifies(tool, name)]
    return " ".join((stem(target.noun), *sorted(above)))


def attached(tool: Tool, target: ToolTarget, arguments: Mapping[str, Json]) -> list[Json]:
    """Return the identifiers of things that the body of a call puts into a collection: one, a list, or in one text."""
    if target.act not in ("create", "change"):
        return []
    in_path, noun = set(IN_PATH.findall(path_of(tool))), stem(target.noun)
    keys: list[Json] = []
    for name, given in arguments.items():
        *before, last = name_words(name) or ("",)
        is_of_it = not before or stem(before[-1]) == noun
        if name not in in_path and last in _KEYS and is_of_it and not isinstance(given, (dict, bool)):
            several = given.split(",") if isinstance(given, str) and last in _MANY else given
            keys += several if isinstance(several, list) else [several]
    return [one.strip() if isinstance(one, str) else one for one in keys if isinstance(one, (str, int))]


_MANY = frozenset(("ids", "uuids", "sids"))
_KEYS = ID_WORDS | _MANY


@lru_cache(maxsize=8192)
def takes_off(tool: Tool, tools: tuple[Tool, ...]) -> bool:
    """Whether a deletion only takes a thing off what holds it: another tool puts things that there are into it."""
    before, mark, after = IN_PATH.sub("{}", path_of(tool)).rpartition("/{}")
    puts = [other for other in tools if mark and not after and IN_PATH.sub("{}", path_of(other)) == before]
    asked = ((other, dict.fromkeys(other.required, "0")) for other in puts if other.source.startswith("POST "))
    return any(attached(other, target_of(other), given) for other, given in asked)


def inverse(collection: str) -> tuple[str, str, str]:
    """Return what lists the holder of a collection from the side of a member, before and after it, and the holder.

    >>> inverse("/contacts/5/companies")
    ('/companies/', '/contacts', '5')
    """
    before, _, tail = collection.rpartition("/")
    above, _, holder = before.rpartition("/")
    start, _, things = above.rpartition("/")
    return (f"{start}/{tail}/", f"/{things}", holder) if things and holder and tail else ("", "", "")


def identifies(tool: Tool, name: str) -> bool:
    """Whether a parameter takes the identifier of a thing, and not its name or the like."""
    is_code = slots(tool)[name].kind == "code" and identity_of(tool, name)[1] in ("", "id")
    return is_code and name_words(name)[-1:] != ("name",)


def lists_all(tool: Tool, arguments: Mapping[str, Json]) -> bool:
    """Whether a list holds all that there is: nothing is asked for but what holds the things."""
    in_path = set(IN_PATH.findall(path_of(tool)))
    given = [name for name, one in arguments.items() if not _is_of_form(name, one)]
    return all(name in in_path or (not in_path and identifies(tool, name)) for name in given)


def _is_of_form(name: str, value: Json) -> bool:
    """Whether an argument says how things are told, and neither which nor how many."""
    return tells_layout(name) or (isinstance(value, bool) and name_words(name) in _FULL)


def tells_layout(name: str) -> bool:
    """Whether an argument says how a result is written, whatever it tells: `format`, `callback`."""
    return name_words(name)[-1:] in (("format",), ("callback",), ("pretty",))


_FULL = (("full", "response"), ("verbose",), ("details",), ("include", "details"), ("pretty", "print"))


_FORMS = frozenset(
    "format callback pretty fields include expand sort order ordering orderby sortby limit size per max top count take "
    "rows results language locale lang units".split()
)
"""Words of arguments that say how things are listed, and not which."""
_FIRST_PAGES = ("0", "1", "")


def filters_of(tool: Tool, arguments: Mapping[str, Json]) -> dict[str, str]:
    """Return the texts of the arguments that say which of the things in a collection are listed."""
    in_path = set(IN_PATH.findall(path_of(tool)))
    told = {n: one for n, one in arguments.items() if n not in in_path and _FORMS.isdisjoint(name_words(n))}
    told = {n: str(one) for n, one in told.items() if not isinstance(one, (dict, list, bool))}
    return {n: one for n, one in told.items() if not (_PAGES.intersection(name_words(n)) and one in _FIRST_PAGES)}


_PAGES = frozenset("page offset cursor skip start".split())


class Membership:
    """The identifiers of the things in each collection, the first told first."""

    def __init__(self) -> None:
        self._members: dict[str, dict[str, Json]] = {}
        self._found: dict[tuple[str, str], dict[str, str]] = {}
        """By what each member was found: the filters under which its collection was listed."""
        self._whole: frozenset[str] = frozenset()

    def fork(self) -> Membership:
        """Return one that knows the same and goes its own way from here."""
        other = copy(self)
        other._members, other._found = dict(self._members), dict(self._found)
        return other

    def add(self, collection: str, keys: Iterable[Json], *, is_whole: bool = False) -> None:
        """Add things to a collection; `is_whole` says that no others are in it, and gives their order."""
        if not collection:
            return
        told, known = {str(one): one for one in keys}, self.of(collection)
        is_new_order = is_whole and known.keys() <= told.keys()
        self._members[collection] = told if is_new_order else {**known, **told}
        self._add_holder(collection, told)
        self._whole |= {collection} if is_whole else frozenset()

    def _add_holder(self, collection: str, keys: Iterable[str]) -> None:
        """Each member of `/contacts/5/companies` has contact 5 among its own: `/companies/7/contacts`."""
        before, after, holder = inverse(collection)
        for key in keys if before else ():
            name = f"{before}{key}{after}"
            self._members[name] = {**self.of(name), holder: holder}

    def find(self, collection: str, keys: Iterable[Json], filters: Mapping[str, str]) -> None:
        """Keep by which filters members were found, the first time that they were."""
        for key in keys:
            self._found.setdefault((collection, str(key)), dict(filters))

    def is_found(self, collection: str, key: str, filters: Mapping[str, str]) -> bool:
        """Whether a member stands in a list with these filters: it was found by all of them, or not by a list."""
        known = self._found.get((collection, key))
        return known is None or all(known.get(name) == one for name, one in filters.items())

    def remove(self, collection: str, key: Json) -> None:
        """Take a thing out of a collection."""
        before, after, holder = inverse(collection)
        for name, gone in ((collection, str(key)), (f"{before}{key}{after}" if before else "", holder)):
            if name in self._members:
                self._members[name] = {n: one for n, one in self.of(name).items() if n != gone}

    def forget(self, key: Json) -> None:
        """Take a thing that is no more out of all collections."""
        for collection in [name for name, there in self._members.items() if str(key) in there]:
            self.remove(collection, key)

    def of(self, collection: str) -> Mapping[str, Json]:
        """Return the things that are known to be in a collection, by the texts of their identifiers."""
        return self._members.get(collection, {})

    def collections(self) -> tuple[str, ...]:
        """Return the names of the collections of which members are known."""
        return tuple(self._members)

    def is_whole(self, collection: str) -> bool:
        """Whether no others than those are in it."""
        return collection in self._whole

    def is_missed(self, collection: str, key: str) -> bool:
        """Whether a whole collection of that holder, by whatever way it was listed, lacks a thing."""
        tail = collection.split("/")[-_HOLDER_AND_THINGS:]
        alike = [one for one in self._whole if one.split("/")[-_HOLDER_AND_THINGS:] == tail]
        return len(tail) == _HOLDER_AND_THINGS and bool(alike) and not any(key in self.of(one) for one in alike)


_HOLDER_AND_THINGS = 2
"""Last parts of a path that say whose things they are: `7/comments` of `/files/7/comments`."""

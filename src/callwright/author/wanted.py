"""Which values a user has in mind: what a call needs, and what the act makes no sense without.

Real documents often require nothing. Nobody deletes "a reminder" without saying which, updates a folder without saying
what shall be new, or searches for nothing; a dialogue that ends in such a call would teach the wrong thing.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, needed, slots, tool_leaves
from callwright.lang.kinds import ID_WORDS, Kind
from callwright.lang.schemas import name_words, plain_schema, type_of
from callwright.lang.tokens import content_stems, stem
from callwright.lang.verbs_of_acts import CHANGES, CREATES, SEARCHES
from callwright.records.jsontext import decode
from callwright.records.tool import Tool

_MOST_IDENTIFIERS = 2
_MOST_NEW = 2
"""Most optional values of a write."""
_LISTS = frozenset(("list", "show", "count"))
_ENDS = frozenset(
    "delete remove cancel close archive sync revoke leave unpublish stop enable disable mark convert approve "
    "deny".split()
)
"""Acts on a thing as it is: to name it is enough."""
_WRITES = frozenset(("POST", "PUT", "PATCH"))
_PLACE = re.compile(r"\{([^{}/]+)\}")


def required_paths(tool: Tool, given: Collection[str] = ()) -> tuple[str, ...]:
    """Return the paths of the values that a call needs beside those given.

    Of a required object nothing in which is required that is its most telling value.
    """
    return _required_paths(tool, tuple(given))


@lru_cache(maxsize=65536)
def _required_paths(tool: Tool, given: tuple[str, ...]) -> tuple[str, ...]:
    paths = list(needed(tool, given))
    by_path, leaves = slots(tool), tool_leaves(tool)
    open_ = [path for path, leaf in leaves.items() if leaf.needed[0] and not all(leaf.needed) and not leaf.is_fixed]
    for path in sorted(open_, key=lambda path: _rank(by_path[path])):
        owner = leaves[path].steps[: leaves[path].needed.index(False)]
        if not any(leaves[other].steps[: len(owner)] == owner for other in (*paths, *given) if other in leaves):
            paths.append(path)
    return tuple(dict.fromkeys((*paths, *needed(tool, (*given, *paths)))))


@lru_cache(maxsize=65536)
def wanted_parameters(tool: Tool) -> tuple[str, ...]:
    """Return the paths of the values that a gold call has, required ones first.

    Where nothing is required, up to two identifiers of the thing the act is about join. A write of which only
    identifiers are known gets what a person would mention first, and so does a search.
    """
    by_path = slots(tool)
    wanted = list(required_paths(tool))
    spare = [by_path[path] for path, leaf in tool_leaves(tool).items() if path not in wanted and not leaf.is_fixed]
    drawn_in = {slot.name: len(required_paths(tool, (*wanted, slot.name))) for slot in spare}
    spare = sorted(
        (slot for slot in spare if _rank(slot) < _NEVER), key=lambda slot: _rank(slot) + 0.5 * drawn_in[slot.name]
    )
    verb = gloss(tool).verb.split(" ")[0]
    is_search = verb in SEARCHES - _LISTS
    if not wanted and verb not in _LISTS:
        wanted += [slot.name for slot in spare if _rank(slot) < _SETTING and _identifies(slot, tool)][
            :_MOST_IDENTIFIERS
        ]
    outside = frozenset(_PLACE.findall(tool.source)) if is_search else _outside_body(tool)
    inside = [slot for path in wanted if path not in outside and _rank(slot := by_path[path]) < _SETTING]
    if not inside if is_search else is_write(tool) and not _has_content(inside, verb):
        is_due = not wanted or (verb not in _ENDS and (not inside or verb in CHANGES))
        more = [slot for slot in spare if slot.name not in (*wanted, *outside) and (is_due or _rank(slot) < _TELLING)]
        most = 1 if is_search or verb in CHANGES else _MOST_NEW
        wanted += [one.name for one in more[:1]]
        heads = {_words(one)[-1:] for one in more[:1]}
        wanted += [one.name for one in more[1:most] if _rank(one) < _TELLING and _words(one)[-1:] not in heads]
    elif is_write(tool) and not any(slot.kind == "text" for slot in inside):
        wanted += [slot.name for slot in spare if slot.kind == "text" and _SAID.issuperset(_words(slot)[-1:])][:1]
    return tuple(dict.fromkeys((*wanted, *required_paths(tool, wanted))))


def is_write(tool: Tool) -> bool:
    """Whether the act changes something by what is sent with it."""
    method = tool.source.partition(" ")[0]
    verb = gloss(tool).verb.split(" ")[0]
    if not method.isupper():
        return verb in CREATES | CHANGES - _ENDS
    raw = decode(tool.raw) if tool.raw is not None else {}
    return method in _WRITES or (method != "GET" and isinstance(raw, dict) and "requestBody" in raw)


def _has_content(inside: list[Slot], verb: str) -> bool:
    """Whether something is known beside which thing is meant; a link of two things is content, and a thing to end."""
    if any(slot.kind not in _REFERENCES or _NAMINGS.issuperset(_words(slot)[-1:]) for slot in inside):
        return True
    return len(inside) > (verb not in _ENDS) + (verb in CHANGES)


@lru_cache(maxsize=65536)
def _outside_body(tool: Tool) -> frozenset[str]:
    """Return the parameters that are not sent with the act, as far as the source says so.

    That is the path and headers, and the query where there is a body.
    """
    raw = decode(tool.raw) if tool.raw is not None else {}
    raw = raw if isinstance(raw, dict) else {}
    listed = raw["parameters"] if isinstance(raw.get("parameters"), list) else []
    placed = [(one.get("name"), one.get("in")) for one in listed if isinstance(one, dict)]
    has_body = "requestBody" in raw or any(place in ("body", "formData") for _, place in placed)
    outside = ("path", "header", "query") if has_body else ("path", "header")
    return frozenset((*_PLACE.findall(tool.source), *(str(name) for name, place in placed if place in outside)))


_REFERENCES: frozenset[Kind] = frozenset(("code", "title", "person", "email", "city"))
"""Kinds of values that say which thing is meant, unless the parameter is a name to be given."""
_NAMINGS = frozenset("name title subject label topic purpose headline query keyword".split())
_SAID = frozenset("text message comment note reason body content".split())
"""Words of parameters that hold what somebody wants to say."""
_PLACES: dict[Kind, float] = {
    "text": 2, "title": 1.5, "date": 1, "datetime": 1, "time": 1, "money": 1, "percent": 1, "person": 1, "email": 1,
    "phone": 1, "enum": 1.2, "city": 1.5, "count": 2.5, "number": 2.5, "country": 2, "currency": 2, "language": 2,
    "year": 2, "code": 2, "list": 2.5, "other": 3, "boolean": 3.5, "url": 4,
}  # fmt: skip
"""Kinds in the order in which people think of them."""
_AMOUNTS = frozenset("amount quantity rate duration hours minutes days seats guests price".split())
_TELLING, _LATE, _SETTING, _NEVER = 2.1, 6.0, 10.0, 20.0
_SETTINGS = frozenset(
    "limit offset page pagesize marker cursor fields sort direction order locale token version expand include if match "
    "idempotency callback webhook metadata custom extension tracking test debug format timezone external".split()
)
_MADE = frozenset("created updated modified deleted published state status author creator type kind count".split())
"""Words of what a service says of its things itself."""
_SECRETS = frozenset("secret password token passphrase otp signature credential".split())
_NOT_GIVEN = re.compile(
    r"\bread[- ]?only\b|\b(?:system|server|automatically)[- ]generated\b|^deprecated\b|\bno longer\b|\bjson\b"
)


@lru_cache(maxsize=65536)
def _rank(slot: Slot) -> float:
    """Return how late a person would mention the value; `_NEVER` for what nobody gives."""
    schema = plain_schema(decode(slot.schema))
    is_opaque = slot.kind == "object" or (
        slot.kind == "list" and type_of(plain_schema(schema.get("items"))) in ("object", "array")
    )
    is_told = not (schema.get("deprecated") or schema.get("readOnly") or _NOT_GIVEN.search(slot.description.lower()))
    words = _words(slot)
    named = frozenset((*words, *name_words(slot.name)))
    is_file = schema.get("format") in ("binary", "byte")
    if is_opaque or not is_told or _SECRETS & named or (words[-1:] == ("body",) and len(words) > 1):
        return _NEVER
    place = _PLACES.get(slot.kind, 3.0)
    if slot.kind in ("text", "title", "other") and (_NAMINGS | _SAID).issuperset(words[-1:]):
        place = 0.0
    elif slot.kind in ("count", "number") and _AMOUNTS & named:
        place = 1.0
    place += 0.3 * (len(words) > 1) + 0.5 * slot.name.count(".")
    is_made = (slot.kind != "enum" and bool(_MADE & named)) or (words[-1:] == ("note",) and not slot.description)
    return place + _LATE * (is_made or ID_WORDS.issuperset(words)) + _SETTING * (is_file or bool(_SETTINGS & named))


def _words(slot: Slot) -> tuple[str, ...]:
    return name_words(slot.label)


def _identifies(slot: Slot, tool: Tool) -> bool:
    """Whether the value names the thing that the tool acts on."""
    words = {stem(word) for word in _words(slot)} | set(content_stems(slot.noun.text))
    return slot.kind in ("code", "title", "person", "email") and not words.isdisjoint(gloss(tool).object_stems)

"""What a tool acts on: the act, the thing's noun, the parameter that identifies it, and where results tell of it.

The path of an operation (`PUT /comments/{comment_id}`) decides where the tool has one; else names and glosses do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from callwright.catalog.slots import slots
from callwright.environment.returns import action_of, identity_of
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words, plain_schema, singular
from callwright.lang.tokens import stem, stem_set
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKUPS, SEARCHES
from callwright.records.jsontext import Json, decode
from callwright.records.tool import Tool

Act = Literal["read", "list", "create", "change", "delete"]

WRAPPERS = frozenset("data result results response payload body item items entries records values objects list".split())
"""Fields of a result that hold what it is about, whatever that is."""
_DELETES = frozenset("delete remove cancel erase destroy".split())
_COPIES = frozenset("copy duplicate clone".split())
_PATH = re.compile(r"^([A-Z]+) (/\S*)$")
_IN_PATH = re.compile(r"\{(\w+)\}")


class ToolTarget(NamedTuple):
    """What a tool does to which thing."""

    act: Act
    noun: str
    """One word, in the singular: `task`."""
    own: str
    """The parameter that identifies the thing; empty where none does."""
    named: tuple[str, ...]
    """Words of the thing's whole name, the last one in the singular: `legal`, `hold`, `policy`."""

    def is_about(self, name: str) -> bool:
        """Whether a field of this name holds the thing itself."""
        words = name_words(name)
        return name.lower() in WRAPPERS or (bool(words) and stem(singular(words[-1])) == stem(self.noun))


@lru_cache(maxsize=65536)
def target_of(tool: Tool) -> ToolTarget:
    """Return what the tool acts on."""
    words = action_of(tool)[1].lower().split()
    found = _PATH.match(tool.source)
    places = [part for part in found[2].split("/") if part and "{" not in part] if found else []
    segment = name_words(places[-1]) if places else ()
    if segment and stem(singular(segment[-1])) == stem(words[-1]):
        words = [singular(word) for word in segment]
    act = _act(tool)
    return ToolTarget(act, words[-1], "" if act == "list" else _own(tool, act, words[-1]), tuple(words))


def _act(tool: Tool) -> Act:
    verb = action_of(tool)[0]
    found = _PATH.match(tool.source)
    method = found[1] if found else ""
    if method == "DELETE" or verb in _DELETES:
        return "delete"
    if method in ("PUT", "PATCH") or (verb in CHANGES and method != "GET"):
        return "change"
    if _holds_list(tool, is_search=verb in SEARCHES):
        return "list"
    return "create" if verb in CREATES | _COPIES and method != "GET" else "read"


def _holds_list(tool: Tool, *, is_search: bool) -> bool:
    """Whether the result is a list of things, at its top or in the field that holds what it is about."""
    if tool.returns is None:
        return is_search
    schema = plain_schema(decode(tool.returns))
    properties = schema.get("properties")
    named = properties.items() if isinstance(properties, dict) else ()
    held = (plain_schema(field) for name, field in named if is_search or name.lower() in WRAPPERS)
    return any(isinstance(one.get("items"), dict) for one in (schema, *held))


def _own(tool: Tool, act: Act, noun: str) -> str:
    found = _PATH.match(tool.source)
    if found and _IN_PATH.search(found[2]):
        return _own_in_path(tool, act, found[2])
    if act == "create":
        return ""
    names = tool.required or tuple(tool.properties)
    asked = [name for name in names if slots(tool)[name].kind in ("code", "url") or identity_of(tool, name)[1] == "id"]
    owned = next((name for name in asked if stem(noun) in identity_of(tool, name)[0]), "")
    looks = action_of(tool)[0] in LOOKUPS
    return owned or (asked[0] if len(asked) == 1 and looks else "")


def _own_in_path(tool: Tool, act: Act, path: str) -> str:
    """The last parameter of a path, unless it needs the one before it, or the call acts on something below it."""
    last = [name for name in _IN_PATH.findall(path) if name in tool.properties][-1:]
    is_pair = re.search(r"\}/\{\w+\}$", path) is not None
    is_below = act in ("create", "delete") and not path.endswith("}")
    return "" if is_pair or is_below or not last else last[0]


class ToldPlace(NamedTuple):
    """An object in a result, and what it tells of."""

    role: Literal["thing", "item", "part"]
    """The thing itself, one of several listed, or something that belongs to either."""
    holder: str
    """Name of what it is: the target's noun, or the field that holds it."""
    fields: dict[str, Json]


def told_places(target: ToolTarget, value: Json) -> Iterator[ToldPlace]:
    """Yield the objects of a result, each thing before its parts."""
    if isinstance(value, list):
        for item in value:
            yield from _walk("item", target.noun, item, target)
    else:
        yield from _walk("thing", target.noun, value, target)


def _walk(role: Literal["thing", "item", "part"], holder: str, value: Json, target: ToolTarget) -> Iterator[ToldPlace]:
    if not isinstance(value, dict):
        return
    yield ToldPlace(role, holder, value)
    for name, field in value.items():
        is_own = role == "thing" and target.is_about(name)
        if isinstance(field, dict):
            yield from _walk("thing" if is_own else "part", target.noun if is_own else name, field, target)
        elif isinstance(field, list) and role == "thing":
            for item in field:
                yield from _walk("item", target.noun if name.lower() in WRAPPERS else singular(name), item, target)


def own_field(fields: Mapping[str, Json], noun: str, own: str = "") -> str:
    """Return the field of an object that identifies it: `id`, `gid`, `task_id` of a task; empty where there is none."""
    wanted = name_words(own)
    for fits in (
        lambda words: bool(wanted) and words == wanted,
        lambda words: len(words) == 1 and words[0] in ID_WORDS,
        lambda words: len(words) > 1 and words[-1] in ID_WORDS and stem(words[-2]) == stem(noun),
    ):
        found = next((name for name in fields if fits(name_words(name))), "")
        if found:
            return found
    return ""


_KEPT_AFTER_DELETION = stem_set("trash trashed deleted restore archive archived undelete")


def sees_deleted(tool: Tool) -> bool:
    """Whether the tool is about what was deleted."""
    return not _KEPT_AFTER_DELETION.isdisjoint(stem_set(f"{' '.join(name_words(tool.name))} {tool.description[:200]}"))

"""The form of a catalogue's identifiers: UUIDs here, numbers there. Those without a form of their own get it too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random

from callwright.catalog.slots import slots, tool_leaves
from callwright.lang.kinds import ID_WORDS, kind_of
from callwright.lang.patterns import draw_from, is_match, parse_pattern
from callwright.lang.schemas import (
    example_values,
    name_words,
    plain_schema,
    singular,
    type_of,
    without_number_sign,
)
from callwright.lang.tokens import stem
from callwright.records.jsontext import Json, decode
from callwright.records.tool import Tool

IdForms = Mapping[str, str]
"""The thing that an identifier is of (stems) to an example of it; the empty name stands for all others."""

UUID = "3f2b8c1e-5d47-4a90-8b6e-1c0d9e7f2a35"
URN = re.compile(r"(?<![a-z:])[a-z]{2,20}+(?::[a-z]{2,20}+){1,3}+:[A-Za-z0-9]{8,40}")
_NUMBERED = re.compile(r"[^ ,\d]*\d[^ ,\d]*\d[^ ,]*")
_ZEROS = re.compile(r"[0 .-]*")


def id_forms(tools: Sequence[Tool]) -> dict[str, str]:
    """Return what the identifiers of a catalogue look like; empty where its documents show none."""
    forms: dict[str, str] = {}
    found = [one for tool in tools for one in _shown(tool)]
    shapes: Counter[str] = Counter()
    of_shape: dict[str, str] = {}
    for _, owner, example in sorted(found, key=lambda one: not one[0]):  # a pattern says more than an example
        forms.setdefault(owner, example)
        shapes[shape_of(example)] += 1
        of_shape.setdefault(shape_of(example), example)
    usual = shapes.most_common(1)
    return {**forms, "": of_shape[usual[0][0]]} if usual and 2 * usual[0][1] > shapes.total() else forms


def form_of(words: Sequence[str], ids: IdForms) -> str | None:
    """Return the form of the identifier whose name has these words: `new_slot_id` looks like the `id` of a slot."""
    owner = owner_of(words).split()
    ends = (*(" ".join(owner[at:]) for at in range(len(owner))), *owner[:1])
    own = next((ids[end] for end in ends if end in ids), None)
    return own or next((ids[known] for known in ids if owner and known.split(" ")[-1] == owner[-1]), None)


def owner_of(words: Sequence[str]) -> str:
    """Return the stems of the thing that an identifier is of; empty for a bare `id`."""
    return " ".join(stem(word) for word in words if word not in ID_WORDS)


@lru_cache(maxsize=65536)
def _shown(tool: Tool) -> tuple[tuple[bool, str, str], ...]:
    """The identifiers of a tool that have a form: whether by a pattern, what each is of, and an example.

    A bare `id` in a result is of what holds it: the field, or the last part of the address that is no parameter.
    """
    by_path = slots(tool)
    asked = [(by_path[path].label, leaf.schema) for path, leaf in tool_leaves(tool).items() if path in by_path]
    place = _LAST_PART.findall(tool.source)
    given = _fields(decode(tool.returns) if tool.returns else {}, 3, singular(place[-1]) if place else "")
    found = []
    for name, schema in (*asked, *given):
        words = name_words(name)
        if words[-1:] in (("uri",), ("uris",)) and (urn := URN.search(str(schema.get("example") or schema))):
            found.append((False, "uri", urn[0]))
        if (
            not ID_WORDS.isdisjoint((*words[:1], *words[-1:]))
            and kind_of(name, schema) == "code"
            and (example := _example(schema))
        ):
            found.append(("pattern" in plain_schema(schema), owner_of(words), without_number_sign(example)))
    return tuple(found)


_LAST_PART = re.compile(r"/([A-Za-z][\w-]*+)(?=/\{|\.|$)")


def _fields(schema: Json, depth: int, owner: str) -> Iterator[tuple[str, dict[str, Json]]]:
    plain = plain_schema(schema)
    properties = plain.get("properties")
    inner = [(owner, plain.get("items"))]
    for name, child in properties.items() if isinstance(properties, dict) else ():
        is_bare = ID_WORDS.issuperset(name_words(name))
        yield f"{owner}_{name}" if is_bare else name, child if isinstance(child, dict) else {}
        inner.append((singular(name), child))
    for holder, child in inner if depth else ():
        if isinstance(child, dict) and not {"properties", "items"}.isdisjoint(child):
            yield from _fields(child, depth - 1, holder)


_PLACEHOLDERS = frozenset(
    "string example text value name test foo bar abc xyz lorem ipsum your id todo tbd n/a none null sample str".split()
)
_STAND_IN = re.compile(
    r"(?i:your[ _-].*|.*[_-]here|x{3,}|\.{3}|foo[ _-]?bar|some[ _-].*|(?:sample|example|test)[ _-]\w+|abcd?(?:1234?)?|"
    r"[a-z]+ (?:name|id|title|description|value|string))|Some[A-Z]\w+Id|[<{\[].*[>}\]]|.*[=/:][<{\[][\w. ]+[>}\]].*",
    re.DOTALL,
)


_MASKED = re.compile(r"(?<![A-Za-z])(?:x{4,}|X{4,})(?![a-z])")
"""Characters that are left out: `fn-xxxxxxxx`."""


def is_placeholder(example: str) -> bool:
    """Whether an example only stands for a value.

    >>> [is_placeholder(text) for text in ("string", "YOUR_TEAM_ID", "<id>", "How to ...", "fn-4711", "Xerxes")]
    [True, True, True, True, False, False]
    """
    text = example.strip()
    if "{{" in text or text.endswith("..."):  # a template, or cut off
        return True
    return not text or text.lower() in _PLACEHOLDERS or bool(_STAND_IN.fullmatch(text) or _MASKED.search(text))


def _example(schema: dict[str, Json]) -> str:
    plain = plain_schema(schema)
    if plain.get("format") in ("uuid", "guid"):
        return UUID
    shown = [str(value) for value in example_values(plain) if isinstance(value, (str, int))]
    numbered = [text[:64] for text in shown if _NUMBERED.fullmatch(text) and not _ZEROS.fullmatch(text)]
    pattern = parse_pattern(plain["pattern"]) if isinstance(plain.get("pattern"), str) else None
    if pattern is not None:
        fitting = [text for text in numbered if is_match(pattern, text) and not is_placeholder(text)]
        drawn = [draw_from(pattern, Random(seed)) for seed in range(8)]
        return fitting[0] if fitting else min(drawn, key=_unlikeliness)
    return numbered[0] if numbered else "12045" if type_of(plain) == "integer" else ""


def _unlikeliness(drawn: str) -> tuple[bool, int]:
    """Key that sorts texts of a pattern: one that begins and ends in letters or digits, of a usual length, is first."""
    return not (drawn[:1].isalnum() and drawn[-1:].isalnum()), abs(len(drawn) - _USUAL)


_USUAL = 12
"""Characters of an identifier whose pattern allows many lengths."""


def shape_of(example: str) -> str:
    """Return the sort of identifier: `uuid`, `number`, `hex` or a shape such as `AA-0`."""
    if re.fullmatch(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", example):
        return "uuid"
    if example.isdigit():
        return "number"
    if re.fullmatch(r"[0-9a-fA-F]{16,}", example):
        return "hex"
    return re.sub(r"[a-zA-Z0-9]{9,}", "x", example) if len(example) > 12 else re.sub(r"\d+", "0", example)

"""Checks of tool documents for missing, vague or contradictory information: of one tool (`CHECKS`), or of all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from callwright.catalog.parameter_types import base_type
from callwright.lang.tokens import STOP_WORDS, content_stems, identifier_words, stem, words
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1024
"""OpenAI's limits for names and descriptions of functions, in characters."""

FEWEST_WORDS = 3
"""A description with fewer content words is short."""

_VAGUE = (
    "arg args arguments attribute attributes body content data field fields id info information input item items "
    "key name number obj object option options other param parameter parameters params payload string text type val "
    "value values var"
)
VAGUE_NAMES = frozenset(_VAGUE.split())
_NUMBERED_OR_LETTER = re.compile(r"(?:[a-z]+?_?\d+|[a-z])$")


class Finding(msgspec.Struct, frozen=True):
    """One fault of one tool's document."""

    tool: str
    code: str
    message: str


def findings(tools: Sequence[Tool]) -> tuple[Finding, ...]:
    """Return all findings, in the order of the tools, then of the checks."""
    found = [
        (index, Finding(tool.name, code, message))
        for index, tool in enumerate(tools)
        for code, check in CHECKS.items()
        for message in check(tool)
    ]
    for code, comparison in COMPARISONS.items():
        found += ((index, Finding(tools[index].name, code, message)) for index, message in comparison(tools))
    return tuple(finding for _, finding in sorted(found, key=lambda pair: pair[0]))


def description_missing(tool: Tool) -> Iterator[str]:
    """No description at all."""
    if not words(tool.description):
        yield "has no description; say what it does and when to choose it"


def description_is_name(tool: Tool) -> Iterator[str]:
    """A description that only repeats the name."""
    said = _stems(tool.description)
    if said and said <= set(map(stem, identifier_words(tool.name))):
        yield f"description only repeats the name: {_quoted(tool.description)}"


def description_short(tool: Tool) -> Iterator[str]:
    """A description of one or two content words that adds something to the name."""
    said = content_stems(tool.description)
    if 0 < len(said) < FEWEST_WORDS and not any(description_is_name(tool)):
        yield f"description has fewer than {FEWEST_WORDS} telling words: {_quoted(tool.description)}"


def description_long(tool: Tool) -> Iterator[str]:
    """A description longer than common APIs accept."""
    if len(tool.description) > LONGEST_DESCRIPTION:
        yield f"description has {len(tool.description):,} characters; many servers refuse over {LONGEST_DESCRIPTION:,}"


def name_long(tool: Tool) -> Iterator[str]:
    """A name longer than common APIs accept."""
    if len(tool.name) > LONGEST_NAME:
        yield f"name has {len(tool.name)} characters; many servers refuse over {LONGEST_NAME}"


def parameter_undescribed(tool: Tool) -> Iterator[str]:
    """A parameter without description whose name is not vague (those are `parameter-vague`)."""
    for name, schema in tool.properties.items():
        if not _description(schema) and not _is_vague(name):
            yield f"parameter {name} has no description"


def parameter_vague(tool: Tool) -> Iterator[str]:
    """A parameter such as `data` or `param1` whose description does not say more than its name."""
    for name, schema in tool.properties.items():
        description = _description(schema)
        if _is_vague(name) and _stems(description) <= set(map(stem, identifier_words(name))):
            said = f"its description {_quoted(description)} does not" if description else "no description does"
            yield f"the name of parameter {name} does not say what it is, and {said}"


def parameter_untyped(tool: Tool) -> Iterator[str]:
    """A parameter that takes any type."""
    for name, schema in tool.properties.items():
        if base_type(schema) == "any" and "$ref" not in schema:
            yield f"parameter {name} has no type"


def parameter_shapeless(tool: Tool) -> Iterator[str]:
    """A required object without properties, or array without items."""
    for name in tool.required:
        schema = tool.properties[name]
        for kind, keyword in (("object", "properties"), ("array", "items")):
            if schema.get("type") == kind and not any(key in schema for key in (keyword, *_COMBINED)):
                yield f"required parameter {name} is an {kind} whose {keyword} are not said"


def required_undocumented(tool: Tool) -> Iterator[str]:
    """A required name that no property documents."""
    required = tool.schema.get("required")
    for name in required if isinstance(required, list) else ():
        if name not in tool.required:
            yield f"requires {name!r}, which its properties do not document"


def enum_single(tool: Tool) -> Iterator[str]:
    """An enumeration of at most one value, which leaves nothing to choose."""
    for name, schema in tool.properties.items():
        values = schema.get("enum")
        if isinstance(values, list) and len(values) <= 1:
            allowed = f"can only be {values[0]!r}" if values else "enumerates no value"
            yield f"parameter {name} {allowed}; leave it out, or list what can be chosen"


def default_outside_enum(tool: Tool) -> Iterator[str]:
    """A default that the parameter's own enumeration excludes."""
    for name, schema in tool.properties.items():
        values, default = schema.get("enum"), schema.get("default")
        if isinstance(values, list) and default is not None and default not in values:
            yield f"parameter {name} has the default {default!r}, which is not among its enumerated values"


def description_copied(tools: Sequence[Tool]) -> Iterator[tuple[int, str]]:
    """Descriptions that several tools share word for word."""
    for group in _groups(tools, lambda tool: " ".join(words(tool.description))):
        for index in group:
            yield index, f"has the same description as {_others(tools, group, index)}"


def name_differs_only_in_spelling(tools: Sequence[Tool]) -> Iterator[tuple[int, str]]:
    """Names that differ only in case, separators and word forms."""
    for group in _groups(tools, lambda tool: " ".join(map(stem, identifier_words(tool.name)))):
        for index in group:
            yield index, f"name differs only in case, punctuation or word form from {_others(tools, group, index)}"


def returns_missing(tools: Sequence[Tool]) -> Iterator[tuple[int, str]]:
    """A tool without a return schema in a catalogue that has some."""
    if any(tool.returns is not None for tool in tools):
        for index, tool in enumerate(tools):
            if tool.returns is None:
                yield index, "does not describe its result, as other tools do"


_ONE_THING = frozenset(
    "delete remove update change edit archive cancel close open rename restore send kick invite".split()
)


def nothing_required(tool: Tool) -> Iterator[str]:
    """An action on one object without a required parameter that identifies it."""
    first = words(tool.description)[:1]
    acts = bool(first) and {stem(word) for word in _ONE_THING} & {stem(first[0])}
    if acts and tool.properties and not tool.required:
        yield "requires nothing, though it acts on one thing; require what says which"


_CHECKS = (
    *(description_missing, description_is_name, description_short, description_long, name_long),
    *(parameter_undescribed, parameter_vague, parameter_untyped, parameter_shapeless, required_undocumented),
    *(nothing_required, enum_single, default_outside_enum),
)
_COMPARISONS = (description_copied, name_differs_only_in_spelling, returns_missing)

CHECKS: dict[str, Callable[[Tool], Iterator[str]]] = {one.__name__.replace("_", "-"): one for one in _CHECKS}
COMPARISONS: dict[str, Callable[[Sequence[Tool]], Iterator[tuple[int, str]]]] = {
    one.__name__.replace("_", "-"): one for one in _COMPARISONS
}

_COMBINED = ("anyOf", "oneOf", "allOf", "$ref", "additionalProperties", "enum", "const", "prefixItems")


def _groups(tools: Sequence[Tool], key: Callable[[Tool], str]) -> Iterator[list[int]]:
    """Positions of tools with an equal key that is not empty, two or more together."""
    found: dict[str, list[int]] = {}
    for index, tool in enumerate(tools):
        if value := key(tool):
            found.setdefault(value, []).append(index)
    return (group for group in found.values() if len(group) > 1)


def _others(tools: Sequence[Tool], group: Sequence[int], itself: int) -> str:
    """The first other tool of a group, and how many more there are."""
    first = next(index for index in group if index != itself)
    more = len(group) - 2
    return tools[first].name + (f" and {more} more" if more else "")


def _stems(text: str) -> set[str]:
    return {stem(word) for word in words(text) if word not in STOP_WORDS}


def _description(schema: dict[str, Json]) -> str:
    description = schema.get("description")
    return description if isinstance(description, str) and words(description) else ""


def _is_vague(name: str) -> bool:
    lower = name.lower()
    return lower in VAGUE_NAMES or _NUMBERED_OR_LETTER.match(lower) is not None


def _quoted(text: str) -> str:
    flat = " ".join(text.split())
    return f"“{flat[:57]}…”" if len(flat) > 60 else f"“{flat}”"

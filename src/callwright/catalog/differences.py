"""The differences of two tools' documents: words of name and description, parameters and their types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from callwright.catalog.parameter_types import base_type
from callwright.lang.tokens import STOP_WORDS, identifier_words, stem, words
from callwright.records.tool import Tool

NOTHING = "nothing: name, description and parameters say the same"
_MOST_SHOWN = 4


class Traits(msgspec.Struct, frozen=True):
    """The comparable properties of a tool; made once per tool by `traits`."""

    name: dict[str, str]
    """Stem to word."""
    description: dict[str, str]
    parameters: dict[str, str]
    """Parameter to base type."""
    required: frozenset[str]


def traits(tool: Tool) -> Traits:
    """Return the comparable traits of a tool."""
    return Traits(
        name=_by_stem(identifier_words(tool.name)),
        description=_by_stem(word for word in words(tool.description) if word not in STOP_WORDS),
        parameters={name: base_type(schema) for name, schema in tool.properties.items()},
        required=frozenset(tool.required),
    )


def differences(a: Traits, b: Traits) -> tuple[str, ...]:
    """Return short phrases for the differences, `a`'s side first; only `NOTHING` if there are none.

    >>> one, other = Tool(name="approve_request"), Tool(name="reject_request", description="With a reason")
    >>> differences(traits(one), traits(other))
    ('name: approve / reject', 'description: – / reason')
    """
    return (
        *_sides("name", a.name, b.name),
        *_sides("description", a.description, b.description),
        *_parameters(a, b),
        *_types(a.parameters, b.parameters),
        *_required(a, b),
    ) or (NOTHING,)


def _by_stem(found: Iterable[str]) -> dict[str, str]:
    by_stem: dict[str, str] = {}
    for word in found:
        by_stem.setdefault(stem(word), word)
    return by_stem


def _parameters(a: Traits, b: Traits) -> tuple[str, ...]:
    """Return parameters that only one side has: required ones, which similarity compares, and optional ones."""
    found = {label: (list[str](), list[str]()) for label in ("parameters", "optional parameters")}
    for side, (own, other) in enumerate(((a, b), (b, a))):
        for name in own.parameters:
            if name not in other.parameters:
                found["parameters" if name in own.required else "optional parameters"][side].append(name)
    return tuple(f"{label}: {_listed(x)} / {_listed(y)}" for label, (x, y) in found.items() if x or y)


def _sides(what: str, a: Mapping[str, str], b: Mapping[str, str]) -> tuple[str, ...]:
    """Return the members that only one side has, labelled `what`; nothing if both are equal."""
    if a.keys() == b.keys():
        return ()
    only_a = [word for key, word in a.items() if key not in b]
    only_b = [word for key, word in b.items() if key not in a]
    return (f"{what}: {_listed(only_a)} / {_listed(only_b)}",)


def _types(a: Mapping[str, str], b: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"type of {name}: {kind} / {b[name]}" for name, kind in a.items() if b.get(name, kind) != kind)


def _required(a: Traits, b: Traits) -> tuple[str, ...]:
    """Common parameters that only one of the tools requires."""
    common = a.parameters.keys() & b.parameters.keys()
    only_a, only_b = sorted((a.required - b.required) & common), sorted((b.required - a.required) & common)
    return (f"required: {_listed(only_a)} / {_listed(only_b)}",) if only_a or only_b else ()


def _listed(found: list[str]) -> str:
    rest = len(found) - _MOST_SHOWN
    return (", ".join(found[:_MOST_SHOWN]) or "–") + (f" and {rest} more" if rest > 0 else "")

"""Fields that join nothing: outputs that nearly every tool has, as they say little of any, and names of a stop list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from callwright.graph.graph_fields import GraphField, ToolFields
from callwright.graph.identities import ATTRIBUTES, owner_words
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words
from callwright.records.tool import Tool

EVERY: Final = 1.0
"""The share that leaves no output out."""

PAPER_STOP: Final = ("page", "limit", "status", "message")
"""Marks of pages and of how a call went: the names that are known of those which ToolDial leaves out."""


def common_outputs(fields: ToolFields, share: float) -> frozenset[int]:
    """Return the positions of the outputs that more than this share of the tools with results have.

    Outputs are the same by name. An attribute alone, such as `id` or `name`, counts with what it belongs to.
    """
    tools: dict[tuple[str, ...], set[int]] = defaultdict(set)
    names = [_name(one, fields.tools[one.tool]) for one in fields.outputs]
    for name, one in zip(names, fields.outputs, strict=True):
        tools[name].add(one.tool)
    most = share * len({one.tool for one in fields.outputs})
    return frozenset(place for place, name in enumerate(names) if len(tools[name]) > most)


def stopped(those: Sequence[GraphField], names: Sequence[str]) -> frozenset[int]:
    """Return the positions of the fields with a name of the list, however it is written: `Page`, `user-name`."""
    listed = {name_words(name) for name in names}
    return frozenset(place for place, one in enumerate(those) if name_words(one.name) in listed)


def _name(field: GraphField, tool: Tool) -> tuple[str, ...]:
    words = tuple(name_words(field.name))
    is_alone = len(words) == 1 and words[0] in ID_WORDS | ATTRIBUTES
    return (*owner_words(field, tool, is_output=True), *words) if is_alone else words

"""Edges of a tool graph between calls that are really made: a field that a result tells fills a parameter.

The environment tells few fields of a result (`told_fields`), and a plan fills whole parameters. Edges of other fields
are counted by reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from callwright.catalog.slots import slots
from callwright.environment.returns import identity_of
from callwright.environment.told_outputs import Output, is_own, is_same_thing, outputs
from callwright.environment.tool_target import target_of
from callwright.graph.graph_build import build_graph
from callwright.lang.schemas import name_words, type_of
from callwright.lang.tokens import stem
from callwright.records.jsontext import decode
from callwright.records.tool import Catalog, Tool


class Flow(NamedTuple):
    """A value that goes from a result into a later call."""

    source: Tool
    target: Tool
    output: Output
    parameter: str


def flows(catalog: Catalog, refused: Counter[str]) -> Iterator[Flow]:
    """Yield what can flow between the tools of a catalogue whose tools have result schemas, and count what cannot.

    Tools that create something are sources too.
    """
    for edge in build_graph(catalog, creating=True).graph.standing:
        source, target = catalog.by_key[edge.source], catalog.by_key[edge.target]
        output = next((one for one in outputs(source) if one.pointer() == edge.output), None)
        if edge.input not in target.properties:
            refused["within_a_body"] += 1
        elif output is None:
            refused["not_told"] += 1
        elif type_of(decode(output.schema)) != type_of(target.properties[edge.input]):
            refused["another_type"] += 1
        elif not _is_meant(source, output, target, edge.input):
            refused["another_part"] += 1
        else:
            yield Flow(source, target, output, edge.input)


def _is_meant(source: Tool, output: Output, target: Tool, parameter: str) -> bool:
    """Whether people would take the field for the value: it is called alike, or identifies the thing of the source."""
    identity, words = identity_of(target, parameter), name_words(output.name)
    if is_same_thing(slots(target)[parameter].kind, output.identity, identity):
        return True
    if len(words) > 1 and words == name_words(parameter):
        return True
    is_there = any(one != output and name_words(one.name) == name_words(parameter) for one in outputs(source))
    return is_own(source, output) and stem(target_of(source).noun) in identity[0] and not is_there

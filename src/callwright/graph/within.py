"""Things that are only known within another thing: the attachments of an invoice are not those of a contact.

Where paths identify a thing under several different parents and never by itself
(`/invoices/{invoice_id}/attachments/{id}`, `/contacts/{contact_id}/attachments/{id}`), a value is of use only under the
parent that it comes from.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache

from callwright.environment.returns import path_of
from callwright.environment.tool_target import WRAPPERS
from callwright.graph.graph_fields import GraphField, ToolFields
from callwright.graph.identities import Thing, thing_of
from callwright.lang.schemas import name_words
from callwright.records.tool import Tool

_PARAMETER = re.compile(r"\{([^{}]+)\}")


class Parents:
    """For each input the parent that its value must come from, if any."""

    def __init__(self, fields: ToolFields) -> None:
        self._fields = fields
        under: dict[Thing, set[Thing]] = defaultdict(set)
        placed = [place_in_path(field, fields.tools[field.tool]) for field in fields.inputs]
        for place in placed:
            if place is not None:
                under[place[0]].add(place[1])
        self._of_input = [
            place[1] if place is not None and len(under[place[0]]) > 1 and () not in under[place[0]] else ()
            for place in placed
        ]

    def differ(self, output: int, input_: int) -> bool:
        """Return whether the output's value is known within another thing than the input's must be."""
        needed = self._of_input[input_]
        return bool(needed) and needed != self._of_output(output)

    def _of_output(self, output: int) -> Thing:
        field = self._fields.outputs[output]
        holders = [thing_of(name_words(name)) for name in field.names[:-1] if name.lower() not in WRAPPERS]
        if len(holders) > 1:
            return holders[-2]
        segments = _literals(self._fields.tools[field.tool])
        own = holders[-1] if holders else segments[-1] if segments else ()
        outer = [one for one in segments if one != own]
        return outer[-1] if outer else ()


def place_in_path(field: GraphField, tool: Tool) -> tuple[Thing, Thing] | None:
    """Return the thing that a parameter of a path identifies and the one it lies in; None for other inputs."""
    parts = [part for part in path_of(tool).split("/") if part]
    marked = f"{{{field.name}}}"
    if marked not in parts:
        return None
    before = parts[: parts.index(marked)]
    literal = [at for at, part in enumerate(before) if not _PARAMETER.fullmatch(part)]
    if not literal:
        return None
    parents = [at for at in literal[:-1] if at + 1 < len(before) and _PARAMETER.fullmatch(before[at + 1])]
    parent = thing_of(name_words(before[parents[-1]])) if parents else ()
    return thing_of(name_words(before[literal[-1]])), parent


@lru_cache(maxsize=65536)
def _literals(tool: Tool) -> tuple[Thing, ...]:
    parts = [part for part in path_of(tool).split("/") if part and not _PARAMETER.search(part)]
    return tuple(thing for part in parts if (thing := thing_of(name_words(part))))

"""Drafts of tools: merges equal ones, makes names unique, and collects the changes of each tool."""

from __future__ import annotations

import msgspec

from callwright.errors import BadDocument
from callwright.formats.described_length import shortened
from callwright.formats.names import unique_names
from callwright.records.tool import Altered, Catalog, LeftOut, Tool


class Draft(msgspec.Struct, frozen=True):
    """A tool as read, with its wanted name and its changes."""

    tool: Tool
    notes: tuple[str, ...] = ()


def merge_equal(drafts: list[Draft]) -> list[Draft]:
    """Return one draft for each document, in order; it notes the other places of the document."""
    places: dict[str, list[str]] = {}
    first: dict[str, Draft] = {}
    for draft in drafts:
        first.setdefault(draft.tool.key, draft)
        places.setdefault(draft.tool.key, []).append(draft.tool.source)
    return [_merged(draft, places[key][1:]) for key, draft in first.items()]


def _merged(draft: Draft, elsewhere: list[str]) -> Draft:
    if not elsewhere:
        return draft
    times = f"{len(elsewhere)} equal document{'s' if len(elsewhere) > 1 else ''} merged into it"
    return Draft(draft.tool, (*draft.notes, f"{times} ({', '.join(elsewhere)})"))


def assemble(drafts: list[Draft], left_out: list[LeftOut], *, source: str) -> Catalog:
    """Return the catalogue of the drafts, names unique, long descriptions cut; raises BadDocument for none."""
    if not drafts:
        raise BadDocument(f"{source}: no usable tools. {_why(left_out)}")
    tools: list[Tool] = []
    altered: list[Altered] = []
    for draft, name in zip(drafts, unique_names([draft.tool.name for draft in drafts]), strict=True):
        tool, cut = shortened(draft.tool)
        notes = (*cut, *draft.notes)
        if name != tool.name:
            notes = (f"renamed from `{tool.name}`, which another tool is called", *notes)
            tool = msgspec.structs.replace(tool, name=name)
        tools.append(tool)
        if notes:
            altered.append(Altered(name, "; ".join(notes)))
    return Catalog(tools=tuple(tools), left_out=tuple(left_out), altered=tuple(altered), source=source)


def _why(left_out: list[LeftOut]) -> str:
    if not left_out:
        return "It describes no operation and no function."
    shown = "; ".join(f"{entry.where[:100]}: {entry.reason[:300]}" for entry in left_out[:3])
    more = f"; and {len(left_out) - 3:,} more" if len(left_out) > 3 else ""
    return f"Left out: {shown}{more}."

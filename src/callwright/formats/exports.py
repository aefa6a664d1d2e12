"""Writes catalogues in other layouts, and lists the properties that these cannot hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from callwright.errors import BadInput, unknown_name
from callwright.formats import functions, openapi_tools
from callwright.formats.catalog import indented
from callwright.formats.names import MAX_NAME, unique_names, valid_name
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog, Tool

LONGEST_OPENAI_DESCRIPTION = 1_024

_ANTHROPIC_PARAMETER = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_ALTERNATIVES = ("anyOf", "oneOf", "allOf", "not", "enum")


class Loss(msgspec.Struct, frozen=True):
    """A property of a tool that a layout cannot hold, or that its users may refuse."""

    tool: str
    what: str


class Export(msgspec.Struct, frozen=True):
    """A catalogue in another layout."""

    document: Json
    """JSON, keys in reading order."""
    losses: tuple[Loss, ...] = ()


def export(catalog: Catalog, layout: str) -> Export:
    """Return the catalogue in a layout, under valid names. Raises BadInput for no tools, UnknownName."""
    if layout not in LAYOUTS:
        raise unknown_name("layout to export to", layout, list(LAYOUTS))
    if not catalog.tools:
        raise BadInput("the catalogue holds no tools. Import some first.")
    names = unique_names([valid_name(tool.name) for tool in catalog.tools])
    tools = [msgspec.structs.replace(tool, name=name) for tool, name in zip(catalog.tools, names, strict=True)]
    write, losses = LAYOUTS[layout]
    renamed = [
        Loss(new.name, f"renamed from `{old.name[:80]}`: names have letters, digits, `_` and `-`, at most {MAX_NAME}")
        for old, new in zip(catalog.tools, tools, strict=True)
        if old.name != new.name
    ]
    lost = [Loss(tool.name, what) for tool in tools for what in losses(tool)]
    return Export(write(tools), (*renamed, *lost))


def text(export: Export) -> bytes:
    """Return the document as indented JSON with a line's end."""
    return indented(export.document, 2)


def _openai_losses(tool: Tool) -> Iterator[str]:
    if len(tool.description) > LONGEST_OPENAI_DESCRIPTION:
        yield f"its description has over {LONGEST_OPENAI_DESCRIPTION:,} characters, which OpenAI may refuse"
    yield from _function_losses(tool)


def _anthropic_losses(tool: Tool) -> Iterator[str]:
    if any(not _ANTHROPIC_PARAMETER.fullmatch(name) for name in tool.properties):
        yield "a parameter's name holds more than letters, digits, `_`, `.` and `-`, which Anthropic may refuse"
    yield from _function_losses(tool)


def _function_losses(tool: Tool) -> Iterator[str]:
    if any(key in tool.schema for key in _ALTERNATIVES):
        yield "its parameters have alternatives at the top level, which providers may refuse"
    if tool.returns is not None:
        yield "no place for its result schema"
    if tool.domain:
        yield "no place for its domain"


def _mcp_losses(tool: Tool) -> Iterator[str]:
    if tool.returns_inferred:
        yield "its result schema is inferred, and left out: a server would promise it"
    elif tool.returns is not None and functions.promised_object(tool) is None:
        yield "its result is no object, and no other has a place"
    if tool.domain:
        yield "no place for its domain"


LAYOUTS: dict[str, tuple[Callable[[Sequence[Tool]], Json], Callable[[Tool], Iterator[str]]]] = {
    "openai": (functions.write_openai, _openai_losses),
    "anthropic": (functions.write_anthropic, _anthropic_losses),
    "mcp": (functions.write_mcp, _mcp_losses),
    "openapi": (openapi_tools.write, lambda tool: iter(())),
}
"""Name of a layout to its writer and the properties that it cannot hold."""

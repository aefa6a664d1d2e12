"""Functions as described by foreign documents, and their conversion into drafts of tools.

Readers of public formats translate their entries to `Described`; this module handles names, schemas and bounds.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from callwright.formats.catalog_assembly import Draft, assemble, merge_equal
from callwright.formats.keywords import Schema, compiles
from callwright.formats.names import qualified_names, valid_name
from callwright.formats.references import BrokenReference
from callwright.formats.schema import Expander, Role, TooLarge
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Catalog, LeftOut, Tool

MAX_LEVELS = 40
MAX_NODES = 5_000


class Described(msgspec.Struct, frozen=True, kw_only=True):
    """One function, described with JSON Schema; not checked yet."""

    name: str
    """Its name in the document."""
    owner: str = ""
    """The service it belongs to; distinguishes functions of one name."""
    description: Json = None
    parameters: Json = msgspec.field(default_factory=dict)
    returns: Json = None
    returns_inferred: bool = False
    domain: str = ""
    source: str
    """Its place in the document."""
    raw: Json
    """Its original document."""
    root: Json = None
    """The root of references in its schemas; None for the schemas themselves."""
    notes: tuple[str, ...] = ()
    """Changes made by its reader."""


def collect(entries: Iterable[Described | LeftOut], *, source: str) -> Catalog:
    """Return the catalogue of the described functions, with equal documents merged and unique names.

    Raises BadDocument if no entry gives a tool.
    """
    found = list(entries)
    functions = [entry for entry in found if isinstance(entry, Described)]
    wishes = iter(qualified_names([(function.name, function.owner) for function in functions]))
    drafts: list[Draft] = []
    left_out: list[LeftOut] = []
    for entry in found:
        outcome = entry if isinstance(entry, LeftOut) else _draft(entry, next(wishes))
        if isinstance(outcome, LeftOut):
            left_out.append(outcome)
        else:
            drafts.append(outcome)
    return assemble(merge_equal(drafts), left_out, source=source)


def _draft(function: Described, wish: str) -> Draft | LeftOut:
    """Return the tool of a function, under the valid name nearest to `wish`."""
    place = f"{function.source} ({function.name[:80]})"
    try:
        parameters, notes = _expanded(function.parameters, function.root, "request")
    except TooLarge:
        return LeftOut(place, f"its parameters hold over {MAX_NODES:,} schemas")
    except BrokenReference as error:
        return LeftOut(place, str(error))
    if parameters is None or parameters.get("type", "object") != "object":
        return LeftOut(place, "its parameters are no object")
    if not compiles(parameters):
        return LeftOut(place, "its parameters are no valid JSON Schema")
    return _tool(function, wish, parameters, notes)


def _expanded(node: Json, root: Json, role: Role) -> tuple[Schema | None, list[str]]:
    """Return the complete schema of `node` (None if it is not an object), and its changes."""
    if not isinstance(node, dict):
        return None, []
    expander = Expander(node if root is None else root, role=role, levels=MAX_LEVELS, nodes=MAX_NODES)
    return expander.expand(node, ""), expander.notes


def _tool(function: Described, wish: str, parameters: Schema, notes: list[str]) -> Draft:
    said = function.description
    returns, returns_notes = _returns(function)
    wordless = () if said is None or isinstance(said, str) else ("`description` is no text and was dropped",)
    name = valid_name(wish)
    tool = Tool(
        name=name,
        description=said if isinstance(said, str) else "",
        parameters=encode({"type": "object", "properties": {}, **parameters}),
        returns=None if returns is None else encode(returns),
        returns_inferred=returns is not None and function.returns_inferred,
        domain=function.domain,
        source=function.source,
        raw=encode(function.raw),
    )
    changes = (*_renaming(function.name, wish, name), *wordless, *function.notes, *notes)
    changes += tuple(f"returns: {note}" for note in returns_notes)
    return Draft(tool, tuple(change.replace("; ", ", ") for change in changes))  # changes are joined by semicolons


def _renaming(called: str, wish: str, name: str) -> tuple[str, ...]:
    if name == called:
        return ()
    why = "which is no valid name" if wish == called else "which several services have"
    return (f"renamed from `{called[:200]}`, {why}",)


def _returns(function: Described) -> tuple[Schema | None, list[str]]:
    try:
        schema, notes = _expanded(function.returns, function.root, "response")
    except TooLarge:
        return None, [f"not known: over {MAX_NODES:,} schemas"]
    except BrokenReference as error:
        return None, [f"not known: {error}"]
    if schema is not None and not compiles(schema):
        return None, ["not known: no valid JSON Schema"]
    return schema, notes

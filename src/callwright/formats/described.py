"""Functions as described by foreign documents, and their conversion into a catalogue."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec

from callwright.errors import BadDocument
from callwright.formats.keywords import Schema, compiles
from callwright.formats.names import qualified_names, unique_names, valid_name
from callwright.formats.plaintext import shorten
from callwright.formats.schema_completion import BrokenReference, Expander, Role, TooLarge
from callwright.records.jsontext import Json, JsonText, decode, encode, whole
from callwright.records.tool import Altered, Catalog, LeftOut, Tool

MAX_LEVELS = 40
MAX_NODES = 5_000


class Described(msgspec.Struct, frozen=True, kw_only=True):
    """One function, described with JSON Schema; not checked yet."""

    name: str
    owner: str = ""
    """The service it belongs to; distinguishes functions of one name."""
    description: Json = None
    parameters: Json = msgspec.field(default_factory=dict)
    returns: Json = None
    returns_inferred: bool = False
    domain: str = ""
    source: str
    raw: Json
    root: Json = None
    """The root of references in its schemas; None for the schemas themselves."""
    notes: tuple[str, ...] = ()
    """Changes made by its reader."""


def collect(entries: Iterable[Described | LeftOut], *, source: str) -> Catalog:
    """Return the catalogue of the functions: equal documents merged, names unique. Raises BadDocument for no tool."""
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
    place = f"{function.source} ({function.name[:80]})"
    found = usable_arguments(
        lambda: _expanded(function.parameters, function.root, "request"), place, f"hold over {MAX_NODES:,} schemas"
    )
    return found if isinstance(found, LeftOut) else _tool(function, wish, *found)


def _expanded(node: Json, root: Json, role: Role) -> Built:
    if not isinstance(node, dict):
        return None, []
    expander = Expander(node if root is None else root, role=role, levels=MAX_LEVELS, nodes=MAX_NODES)
    return expander.expand(node, ""), expander.notes


def _tool(function: Described, wish: str, parameters: Schema, notes: list[str]) -> Draft:
    said = function.description
    returns, returns_notes = usable_result(lambda: _expanded(function.returns, function.root, "response"), MAX_NODES)
    wordless = () if said is None or isinstance(said, str) else ("`description` is no text and was dropped",)
    name = valid_name(wish)
    tool = Tool(
        name=name,
        description=said if isinstance(said, str) else "",
        parameters=encode({"type": "object", "properties": {}, **parameters}),
        returns=None if returns is None else encode(returns),
        returns_inferred=returns is not None and function.returns_inferred,
        domain=function.domain,
        service=function.owner,
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


Built = tuple[Schema | None, list[str]]
"""A schema, None where there is none, and notes on what was changed."""


def usable_arguments(build: Callable[[], Built], where: str, too_large: str) -> tuple[Schema, list[str]] | LeftOut:
    """Return the argument schema and the notes that `build` makes, or why the tool is left out."""
    try:
        schema, notes = build()
    except TooLarge:
        return LeftOut(where, f"its parameters {too_large}")
    except BrokenReference as error:
        return LeftOut(where, str(error))
    if schema is None or schema.get("type", "object") != "object":
        return LeftOut(where, "its parameters are no object")
    if not compiles(schema):
        schema, notes = whole(schema), [*notes, HALVES]
    if not compiles(schema):
        return LeftOut(where, "its parameters are no valid JSON Schema")
    return schema, notes


def usable_result(build: Callable[[], Built], most: int) -> Built:
    """Return the result schema and the notes that `build` makes; None, with the reason, if it cannot be used."""
    try:
        schema, notes = build()
    except TooLarge:
        return None, [f"not known: over {most:,} schemas"]
    except BrokenReference as error:
        return None, [f"not known: {error}"]
    if schema is not None and not compiles(schema):
        schema, notes = whole(schema), [*notes, HALVES]
        if not compiles(schema):
            return None, ["not known: no valid JSON Schema"]
    return schema, notes


HALVES = "half of a surrogate pair, which is no character, replaced"


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
    for key, (_, *elsewhere) in places.items():
        if elsewhere:
            times = f"{len(elsewhere)} equal document{'s' if len(elsewhere) > 1 else ''} merged into it"
            notes = (*first[key].notes, f"{times} ({', '.join(elsewhere)})")
            first[key] = Draft(first[key].tool, notes)
    return list(first.values())


def assemble(drafts: list[Draft], left_out: list[LeftOut], *, source: str) -> Catalog:
    """Return the catalogue of the drafts, names unique, long descriptions cut; raises BadDocument for none."""
    if not drafts:
        raise BadDocument(f"{source}: no usable tools. {_why(left_out)}")
    tools: list[Tool] = []
    altered: list[Altered] = []
    for draft, name in zip(drafts, unique_names([draft.tool.name for draft in drafts]), strict=True):
        tool, cut = shortened(draft.tool)
        notes = (*cut, *draft.notes)
        if (said := whole(tool.description)) != tool.description:
            tool, notes = msgspec.structs.replace(tool, description=said), (HALVES, *notes)
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


LONGEST_DESCRIPTION = 1_000
"""Characters of a tool's or a parameter's description."""


def shortened(tool: Tool) -> tuple[Tool, tuple[str, ...]]:
    """Return the tool with each description cut to `LONGEST_DESCRIPTION`, and a note if there was one to cut."""
    parameters, returns = _schema(tool.parameters), None if tool.returns is None else _schema(tool.returns)
    description = shorten(tool.description, LONGEST_DESCRIPTION)
    if (description, parameters, returns) == (tool.description, tool.parameters, tool.returns):
        return tool, ()
    cut = msgspec.structs.replace(tool, description=description, parameters=parameters, returns=returns)
    which = "description" if description != tool.description else "descriptions of parameters or results"
    return cut, (f"{which} shortened to {LONGEST_DESCRIPTION:,} characters",)


def _schema(text: JsonText) -> JsonText:
    if len(text) <= LONGEST_DESCRIPTION:
        return text
    node = decode(text)
    cut = _cut(node)
    return text if cut == node else encode(cut)


def _cut(node: Json) -> Json:
    """Return a schema with its descriptions cut, in its parts too; values such as defaults stay as they are."""
    if not isinstance(node, dict):
        return node
    out = dict(node)
    for key, value in node.items():
        if key == "description" and isinstance(value, str):
            out[key] = shorten(value, LONGEST_DESCRIPTION)
        elif key == "properties" and isinstance(value, dict):
            out[key] = {name: _cut(part) for name, part in value.items()}
        elif key in ("items", "additionalProperties", "not"):
            out[key] = _cut(value)
        elif key in ("anyOf", "prefixItems") and isinstance(value, list):
            out[key] = [_cut(part) for part in value]
    return out


_SAID_OPTIONAL = re.compile(r"\boptional\b|\bdefault(?::| is\b)", re.IGNORECASE)


def object_schema(properties: Schema, required: list[str]) -> Schema:
    """Return the schema of an object; `required` is left out where it is empty."""
    schema: Schema = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema


def as_list(document: Json) -> list[Json]:
    """Return a list as it is, and any other document as the only entry of one."""
    return document if isinstance(document, list) else [document]


def by_name(listed: Json) -> dict[str, dict[str, Json]] | None:
    """Return the objects of a list by their `name`; None where it holds anything else, or a name twice."""
    if not isinstance(listed, list) or not all(
        isinstance(one, dict) and isinstance(one.get("name"), str) for one in listed
    ):
        return None
    found = {one["name"]: one for one in listed}
    return found if len(found) == len(listed) else None


def listed_parameters(listed: Json) -> Schema | None:
    """Return the schema of arguments listed as `name`, `type` and `desc`; None as in `by_name`.

    All are required but those whose description says that they may be left out.
    """
    found = by_name(listed)
    if found is None:
        return None
    properties = {name: _property(one) for name, one in found.items()}
    required = [name for name, one in found.items() if not _SAID_OPTIONAL.search(str(one.get("desc", "")))]
    return object_schema(properties, required)


def _property(parameter: dict[str, Json]) -> Schema:
    schema: Schema = {"type": parameter.get("type")}
    return {**schema, "description": parameter["desc"]} if "desc" in parameter else schema

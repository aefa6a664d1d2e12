"""Lists of functions in OpenAI's layout, as JSON or JSON lines.

A list is an array, or an object with `tools` or `functions`; an entry is `{"type": "function", "function": {...}}` or
the bare function (`name`, `description`, `parameters`, and MCP's `inputSchema` and `outputSchema`). Lists may hold
lists, as when each line of a file is one scenario's. Equal documents are merged; descriptions stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from callwright.formats.drafts import Draft, assemble, merge_equal
from callwright.formats.keywords import Schema, compiles
from callwright.formats.names import valid_name
from callwright.formats.references import BrokenReference
from callwright.formats.schema import Expander, TooLarge
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Catalog, LeftOut, Tool

MAX_LEVELS = 40
MAX_NODES = 5_000

_PARAMETERS = ("parameters", "inputSchema", "input_schema")
_RETURNS = ("returns", "response", "outputSchema")
_LISTS = ("tools", "functions")


def is_function_list(document: Json) -> bool:
    """True when a document is laid out as a list of functions, or is one function."""
    if isinstance(document, dict):
        return any(isinstance(document.get(key), list) for key in _LISTS) or _function(document) is not None
    return isinstance(document, list)


def read(document: Json, *, source: str) -> Catalog:
    """Return the tools of a function list. Raises BadDocument when there is no usable one."""
    drafts: list[Draft] = []
    left_out: list[LeftOut] = []
    for where, entry in _entries(document):
        found = _draft(entry, where)
        if isinstance(found, LeftOut):
            left_out.append(found)
        else:
            drafts.append(found)
    return assemble(merge_equal(drafts), left_out, source=source)


def write(catalog: Catalog) -> Json:
    """Return the catalogue as OpenAI's `tools` array, in its order."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema},
        }
        for tool in catalog.tools
    ]


def _entries(document: Json) -> Iterator[tuple[str, Json]]:
    """Yield every entry with its place, counted from 1 (`entry 3`, or `list 2, entry 3`)."""
    outer = _listed(document)
    if outer is None:
        yield "entry 1", document
        return
    for number, item in enumerate(outer, 1):
        inner = _listed(item)
        if inner is None:
            yield f"entry {number}", item
        else:
            yield from ((f"list {number}, entry {position}", entry) for position, entry in enumerate(inner, 1))


def _listed(value: Json) -> list[Json] | None:
    if isinstance(value, dict):
        value = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)
    return value if isinstance(value, list) else None


def _function(entry: Json) -> dict[str, Json] | None:
    """Return the function of an entry, unwrapped; None when it is none."""
    if isinstance(entry, dict) and entry.get("type") == "function" and isinstance(entry.get("function"), dict):
        entry = entry["function"]
    return entry if isinstance(entry, dict) and isinstance(entry.get("name"), str) else None


def _draft(entry: Json, where: str) -> Draft | LeftOut:
    function = _function(entry)
    if function is None:
        return LeftOut(where, "no function: it has no `name`")
    place = f"{where} ({function['name'][:80]})"
    node: Json = next((function[key] for key in _PARAMETERS if function.get(key) is not None), {})
    expander = Expander(node, role="request", levels=MAX_LEVELS, nodes=MAX_NODES)
    try:
        parameters = _parameters(node, expander)
    except TooLarge:
        return LeftOut(place, f"its parameters hold over {MAX_NODES:,} schemas")
    except BrokenReference as error:
        return LeftOut(place, str(error))
    if parameters is None:
        return LeftOut(place, "its parameters are no object")
    if not compiles(parameters):
        return LeftOut(place, "its parameters are no valid JSON Schema")
    return _tool(function, where, parameters, expander.notes)


def _parameters(node: Json, expander: Expander) -> Schema | None:
    """Return the schema of the arguments; None when the document allows no object for them."""
    if not isinstance(node, dict):
        return None
    schema = expander.expand(node, "")
    if schema.get("type", "object") != "object":
        return None
    return {"type": "object", "properties": {}, **schema}


def _tool(function: dict[str, Json], where: str, parameters: Schema, notes: list[str]) -> Draft:
    wish = function["name"]
    name = valid_name(wish)
    said = function.get("description")
    returns, returns_notes = _returns(function)
    renamed = [] if name == wish else [f"renamed from `{wish[:200]}`, which is no valid name"]
    wordless = [] if said is None or isinstance(said, str) else ["`description` is no text and was dropped"]
    tool = Tool(
        name=name,
        description=said if isinstance(said, str) else "",
        parameters=encode(parameters),
        returns=None if returns is None else encode(returns),
        source=where,
        raw=encode(function),
    )
    return Draft(tool, (*renamed, *wordless, *notes, *(f"returns: {note}" for note in returns_notes)))


def _returns(function: dict[str, Json]) -> tuple[Schema | None, list[str]]:
    node = next((function[key] for key in _RETURNS if isinstance(function.get(key), dict)), None)
    if node is None:
        return None, []
    expander = Expander(node, role="response", levels=MAX_LEVELS, nodes=MAX_NODES)
    try:
        schema = expander.expand(node, "")
    except TooLarge:
        return None, [f"not known: over {MAX_NODES:,} schemas"]
    except BrokenReference as error:
        return None, [f"not known: {error}"]
    return (schema, expander.notes) if compiles(schema) else (None, ["not known: no valid JSON Schema"])

"""Lists of functions in the layouts of OpenAI, Anthropic and MCP, as JSON or JSON lines.

A list is an array, or an object with `tools` or `functions` (also inside `result`); an entry is `{"type": "function",
"function": {...}}` or the bare function: `name`, `description`, and `parameters`, `input_schema`, or `inputSchema` and
`outputSchema`. Lists may hold lists, as when each line of a file is one scenario's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from callwright.formats.described import Described, collect
from callwright.formats.keywords import Schema
from callwright.records.jsontext import Json, decode
from callwright.records.tool import Catalog, LeftOut, Tool

LAYOUT = "a function list (an array of functions, or an object with `tools` or `functions`)"

_PARAMETERS = ("parameters", "inputSchema", "input_schema")
_RETURNS = ("returns", "response", "outputSchema")
_LISTS = ("tools", "functions")
_FUNCTION_TYPES = ("function", "custom", None)


def fits(document: Json) -> bool:
    """True when a document is laid out as a list of functions, or is one function."""
    document = _unwrapped(document)
    if isinstance(document, dict):
        return any(isinstance(document.get(key), list) for key in _LISTS) or without_envelope(document) is not None
    return isinstance(document, list)


def read(document: Json, *, source: str) -> Catalog:
    """Return the tools of a function list. Raises BadDocument when there is no usable one."""
    document = _unwrapped(document)
    entries = [described(entry, where) for where, entry in _entries(document)]
    if isinstance(document, dict) and document.get("nextCursor"):
        entries.append(LeftOut("`nextCursor`", "the server's list goes on, on pages that this file does not hold"))
    return collect(entries, source=source)


def write_openai(tools: Sequence[Tool]) -> Json:
    """Return OpenAI's array of functions."""
    return [{"type": "function", "function": _function_of(tool, "parameters")} for tool in tools]


def write_anthropic(tools: Sequence[Tool]) -> Json:
    """Return Anthropic's array of tools."""
    return [_function_of(tool, "input_schema") for tool in tools]


def _function_of(tool: Tool, parameters: str) -> dict[str, Json]:
    return {"name": tool.name, "description": tool.description, parameters: argument_schema(tool)}


def write_mcp(tools: Sequence[Tool]) -> Json:
    """Return what an MCP server answers to `tools/list`."""
    return {"tools": [_mcp_tool(tool) for tool in tools]}


def promised_object(tool: Tool) -> Schema | None:
    """Return the result's schema if MCP can hold it: that of an object, documented and not inferred."""
    returns = decode(tool.returns) if tool.returns and not tool.returns_inferred else None
    return in_order(returns) if isinstance(returns, dict) and returns.get("type") == "object" else None


def _mcp_tool(tool: Tool) -> dict[str, Json]:
    """Return a tool as a server lists it; title and annotations are kept if it came from one."""
    raw = decode(tool.raw) if tool.raw else None
    own = raw if isinstance(raw, dict) and "inputSchema" in raw else {}
    out = {
        "name": tool.name,
        "title": own.get("title"),
        "description": tool.description,
        "inputSchema": argument_schema(tool),
        "outputSchema": promised_object(tool),
        "annotations": own.get("annotations"),
    }
    return {key: value for key, value in out.items() if value is not None}


def _unwrapped(document: Json) -> Json:
    result = document.get("result") if isinstance(document, dict) else None
    return result if isinstance(result, dict) and isinstance(result.get("tools"), list) else document


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


def without_envelope(entry: Json) -> dict[str, Json] | None:
    """Return the function of an entry, out of OpenAI's envelope if it is in one; None where there is none."""
    if isinstance(entry, dict) and entry.get("type") == "function" and isinstance(entry.get("function"), dict):
        entry = entry["function"]
    return entry if isinstance(entry, dict) and isinstance(entry.get("name"), str) else None


def described(entry: Json, where: str, *, domain: str = "") -> Described | LeftOut:
    """Return the function of an entry, or why it has none; `where` is its place."""
    function = without_envelope(entry)
    if function is None:
        return LeftOut(where, "no function: it has no `name`")
    parameters = next((function[key] for key in _PARAMETERS if function.get(key) is not None), None)
    if parameters is None and function.get("type") not in _FUNCTION_TYPES:
        return LeftOut(where, f"a tool of the provider's own (`type: {function['type']!s:.40}`), without parameters")
    return Described(
        name=function["name"],
        description=function.get("description"),
        parameters={} if parameters is None else parameters,
        returns=next((function[key] for key in _RETURNS if isinstance(function.get(key), dict)), None),
        domain=domain,
        source=where,
        raw=function,
    )


_FIRST = ("type", "title", "description", "enum", "const", "format", "pattern", "default", "example", "examples")
_LAST = ("properties", "required", "additionalProperties", "items", "prefixItems", "anyOf", "oneOf", "allOf", "not")
_SCHEMA_LISTS = ("prefixItems", "anyOf", "oneOf", "allOf")
_SINGLE = ("items", "additionalProperties", "not")


def argument_schema(tool: Tool) -> Schema:
    """Return a tool's argument schema in reading order, with the `type` and `properties` that providers require."""
    schema: Schema = in_order({"type": "object", "properties": {}, **tool.schema})
    return schema


def in_order(schema: Json) -> Json:
    """Return an equal schema whose keys stand in reading order.

    >>> list(in_order({"properties": {"a": {}, "b": {}}, "required": ["b"], "type": "object"})["properties"])
    ['b', 'a']
    """
    if not isinstance(schema, dict):
        return schema
    middle = sorted(schema.keys() - {*_FIRST, *_LAST})
    return {key: _value(schema, key) for key in (*_FIRST, *middle, *_LAST) if key in schema}


def _value(schema: Schema, key: str) -> Json:
    value = schema[key]
    if key == "properties" and isinstance(value, dict):
        required = schema.get("required")
        named = required if isinstance(required, list) else ()
        listed = [one for one in named if isinstance(one, str) and one in value]
        return {name: in_order(value[name]) for name in dict.fromkeys([*listed, *sorted(value)])}
    if key in _SCHEMA_LISTS and isinstance(value, list):
        return [in_order(part) for part in value]
    return in_order(value) if key in _SINGLE else value

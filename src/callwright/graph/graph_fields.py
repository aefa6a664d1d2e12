"""The fields of tools that an edge can join: output fields of a result, and inputs that a call needs.

An output is named by its JSON pointer in a result, where position 0 stands for every item of a list. An input is named
by its path as in `catalog.slots`: the parameter's name, or `parent.id` for what a required object needs. Of
alternatives (`anyOf`, `oneOf`) all are walked, since a result may be any of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from callwright.catalog.slots import needed, slots, tool_leaves
from callwright.environment.returns import with_returns
from callwright.lang.kinds import Kind, kind_of
from callwright.lang.schemas import plain_schema, type_of
from callwright.records.jsontext import Json, decode
from callwright.records.tool import Catalog, Tool

DEEPEST: Final = 7
"""Most steps of an output's pointer."""
MOST_OUTPUTS: Final = 600
"""Most output fields of one tool: the first ones count, those at the top before those inside them."""
_MOST_ALTERNATIVES: Final = 8
_MOST_STEPS: Final = 30
"""Most steps of a pointer that somebody wrote."""
_SCALARS: Final = frozenset(("string", "integer", "number", "boolean"))


class GraphField(msgspec.Struct, frozen=True):
    """One output field of a tool, or one input that its calls need."""

    tool: int
    """Position of the tool in its catalogue."""
    place: str
    """JSON pointer of an output, path of an input (see the module)."""
    names: tuple[str, ...]
    """Names of fields from the top, without positions."""
    type: str
    """JSON Schema type, with that of the items for a list: `string`, `array of string`; empty where nothing tells."""
    kind: Kind
    """Its description; that of an item for a list."""
    schema: dict[str, Json]
    holder: dict[str, Json]
    """Schema of the object that it lies in; empty at the top of inputs."""
    is_listed: bool = False
    """Whether a result has several of it."""
    is_inferred: bool = False

    @property
    def name(self) -> str:
        """Its own name; empty for a result that is one bare value."""
        return self.names[-1] if self.names else ""

    @property
    def description(self) -> str:
        """The text of its document."""
        found = self.schema.get("description")
        return found if isinstance(found, str) else ""


class ToolFields(msgspec.Struct, frozen=True):
    """The fields of a catalogue, in the order of its tools."""

    tools: tuple[Tool, ...]
    """As the catalogue has them; results that are not documented were inferred for the fields only."""
    outputs: tuple[GraphField, ...]
    inputs: tuple[GraphField, ...]


def fields_of(catalog: Catalog) -> ToolFields:
    """Return output fields and required inputs of a catalogue's tools."""
    told = with_returns(catalog).tools
    return ToolFields(
        catalog.tools,
        tuple(field for place, tool in enumerate(told) for field in output_fields(tool, place)),
        tuple(field for place, tool in enumerate(catalog.tools) for field in input_fields(tool, place)),
    )


def output_fields(tool: Tool, place: int = 0) -> tuple[GraphField, ...]:
    """Return the fields of a tool's result that hold one value, or a list of plain values."""
    found: dict[tuple[str, str], GraphField] = {}
    level: list[_Spot] = [_Spot((), (), decode(tool.returns) if tool.returns is not None else {}, {}, is_listed=False)]
    while level and len(found) < MOST_OUTPUTS:
        below: list[_Spot] = []
        for spot in level:
            for schema in _alternatives(spot.schema):
                below += _inside(spot, schema)
                if (kind := _told_type(schema)) and spot.names:
                    made = _output(spot, schema, kind, place, is_inferred=tool.returns_inferred)
                    found.setdefault((made.place, str(_mark(spot.holder))), made)
        level = [spot for spot in below if len(spot.steps) <= DEEPEST]
    return tuple(list(found.values())[:MOST_OUTPUTS])


def has_output(tool: Tool, pointer: str) -> bool:
    """Return whether a tool's result may hold something at a pointer: a value, an object or a list."""
    wanted = pointer.split("/")[1:]
    spots = [_Spot((), (), decode(tool.returns) if tool.returns is not None else {}, {}, is_listed=False)]
    for at, step in enumerate(wanted[:_MOST_STEPS]):
        below = (inner for spot in spots for schema in _alternatives(spot.schema) for inner in _inside(spot, schema))
        spots = [inner for inner in below if _escaped(inner.steps[at]) == step][:_MOST_ALTERNATIVES]
    return bool(spots) and pointer.startswith("/") and len(wanted) <= _MOST_STEPS


def input_fields(tool: Tool, place: int = 0) -> tuple[GraphField, ...]:
    """Return the values that every call of a tool needs, as users would give them one by one."""
    known, told = tool_leaves(tool), slots(tool)
    found = []
    for path in needed(tool):
        leaf = known[path]
        schema = plain_schema(leaf.schema)
        kind = told[path].kind if type_of(schema) != "array" else _item_kind(leaf.steps, schema)
        names = tuple(step for step in leaf.steps if isinstance(step, str))
        found.append(GraphField(place, path, names, _told_type(schema), kind, leaf.schema, {}))
    return tuple(found)


class _Spot(msgspec.Struct, frozen=True):
    steps: tuple[str | int, ...]
    names: tuple[str, ...]
    schema: Json
    holder: dict[str, Json]
    is_listed: bool


def _alternatives(document: Json) -> Iterator[dict[str, Json]]:
    schema = document if isinstance(document, dict) else {}
    options: Sequence[Json] = ()
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list):
            options = schema[keyword]
            break
    for number in range(max(1, min(len(options), _MOST_ALTERNATIVES))):
        yield plain_schema(document, number)


def _inside(spot: _Spot, schema: dict[str, Json]) -> Iterator[_Spot]:
    """The fields of an object, and the items of a list."""
    properties = schema.get("properties")
    if type_of(schema) == "object" and isinstance(properties, dict):
        for name, inner in properties.items():
            yield _Spot((*spot.steps, name), (*spot.names, name), inner, schema, spot.is_listed)
    elif type_of(schema) == "array" and isinstance(schema.get("items"), dict):
        yield _Spot((*spot.steps, 0), spot.names, schema["items"], spot.holder, is_listed=True)


def _told_type(schema: dict[str, Json]) -> str:
    """The type of a value or of a list of values; empty for everything else."""
    found = type_of(schema)
    if found != "array":
        return found if found in _SCALARS else ""
    item = type_of(plain_schema(schema.get("items")))
    return f"array of {item}" if item in _SCALARS else ""


def _output(spot: _Spot, schema: dict[str, Json], kind: str, place: int, *, is_inferred: bool) -> GraphField:
    name = spot.names[-1]
    of_values = _item_kind(spot.steps, schema) if kind.startswith("array") else kind_of(name, schema)
    pointer = "".join(f"/{_escaped(step)}" for step in spot.steps)
    return GraphField(place, pointer, spot.names, kind, of_values, schema, spot.holder, spot.is_listed, is_inferred)


def _escaped(step: str | int) -> str:
    return str(step).replace("~", "~0").replace("/", "~1")


def _item_kind(steps: tuple[str | int, ...], schema: dict[str, Json]) -> Kind:
    name = next((step for step in reversed(steps) if isinstance(step, str)), "")
    items = schema.get("items")
    described = {"description": schema["description"]} if "description" in schema else {}
    return kind_of(name, {**described, **(items if isinstance(items, dict) else {})})


def _mark(holder: dict[str, Json]) -> Json:
    """The title and the fixed values that tell the alternatives of an object apart."""
    properties = holder.get("properties")
    named = properties if isinstance(properties, dict) else {}
    return [holder.get("title"), [fixed_value(one) for one in named.values()]]


def fixed_value(schema: Json) -> str:
    """Return the only text that a schema admits; empty where it admits others."""
    plain = plain_schema(schema)
    listed = plain.get("enum")
    only = (
        plain.get("const") if "const" in plain else listed[0] if isinstance(listed, list) and len(listed) == 1 else ""
    )
    return only if isinstance(only, str) else ""

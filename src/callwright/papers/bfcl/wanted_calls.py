"""A BFCL gold call with its tool's document, decoded once for many comparisons."""

from __future__ import annotations

import msgspec

from callwright.records.dialogue import GoldCall
from callwright.records.jsontext import Json, decode


class Wanted(msgspec.Struct, frozen=True):
    """A gold call to compare with. Do not modify its contents."""

    tool: str
    """The documented name."""
    properties: dict[str, Json]
    """Parameter to its schema, in the document's order, with BFCL's types (`float`, `tuple`, `dict`, `any`)."""
    required: tuple[str, ...]
    accepted: dict[str, list[Json]]
    """Parameter to its accepted values; `""` among them: it may be left out."""

    def is_called(self, name: str) -> bool:
        """Return whether `name` is the tool's; underscores may replace its dots, for servers that forbid dots."""
        return name in (self.tool, self.tool.replace(".", "_"))


def wanted(gold: GoldCall, document: dict[str, Json]) -> Wanted:
    """Return the gold call with the tool's original document, which may have no parameters."""
    parameters = document.get("parameters")
    schema = parameters if isinstance(parameters, dict) else {}
    properties, required = schema.get("properties"), schema.get("required")
    return Wanted(
        tool=str(document.get("name", gold.tool)),
        properties=properties if isinstance(properties, dict) else {},
        required=tuple(name for name in required if isinstance(name, str)) if isinstance(required, list) else (),
        accepted={argument.name: [decode(one) for one in argument.accepted] for argument in gold.arguments},
    )


def schema_of(wanted: Wanted, parameter: str) -> dict[str, Json]:
    """Return the schema of a parameter; empty if it is undocumented or not an object."""
    schema = wanted.properties.get(parameter)
    return schema if isinstance(schema, dict) else {}

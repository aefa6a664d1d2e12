"""Tools and catalogues."""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b

import msgspec

from callwright.records.dialogue import SCHEMA_VERSION, ShownTool
from callwright.records.jsontext import EMPTY_OBJECT, Json, JsonText, decode


class Tool(
    msgspec.Struct,
    frozen=True,
    cache_hash=True,
    kw_only=True,
    omit_defaults=True,
    dict=True,
    forbid_unknown_fields=True,
):
    """One callable tool, in the layout of OpenAI functions.

    A tool is identified by its `key`, a digest of its document, because in real pools different tools share names.
    """

    name: str
    """Unique within a catalogue; letters, digits, `_` and `-`."""
    description: str = ""
    parameters: JsonText = EMPTY_OBJECT
    """JSON Schema of the argument object."""
    returns: JsonText | None = None
    """JSON Schema of the result; None when unknown."""
    returns_inferred: bool = False
    """True when `returns` was inferred, not documented."""
    domain: str = ""
    """Business domain, service or tag; empty when the source has none."""
    service: str = ""
    """The service that answers its calls; empty when the source has none. Services share no identifiers."""
    source: str = ""
    """Its place in the source, such as `GET /files/{file_id}`."""
    raw: JsonText | None = None
    """The original document, before any repair."""

    @cached_property
    def key(self) -> str:
        """Digest of the document, 16 hexadecimal digits; `domain`, `service` and `source` do not count."""
        return digest(self.name, self.description, self.parameters, self.returns or "", self.raw or "")

    @cached_property
    def schema(self) -> dict[str, Json]:
        """The decoded parameter schema. Do not change it."""
        schema = decode(self.parameters)
        return schema if isinstance(schema, dict) else {}

    @cached_property
    def properties(self) -> dict[str, dict[str, Json]]:
        """Parameter name to its schema, in name order. Do not change it."""
        found = self.schema.get("properties")
        if not isinstance(found, dict):
            return {}
        return {name: schema if isinstance(schema, dict) else {} for name, schema in found.items()}

    @cached_property
    def required(self) -> tuple[str, ...]:
        """Names of required parameters that are documented, in the schema's order."""
        names = self.schema.get("required")
        if not isinstance(names, list):
            return ()
        return tuple(name for name in names if isinstance(name, str) and name in self.properties)


class LeftOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One operation or function of a source that was left out of the catalogue, and why."""

    where: str
    reason: str


class Altered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One tool whose document was changed on import, and how."""

    tool: str
    what: str


class ToolList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tools that belong together, such as those of one scenario, with their names there."""

    name: str
    tools: tuple[ShownTool, ...]


class Catalog(msgspec.Struct, frozen=True, kw_only=True, dict=True, forbid_unknown_fields=True):
    """Tools with unique names, and what was left out or altered on import."""

    tools: tuple[Tool, ...]
    left_out: tuple[LeftOut, ...] = ()
    altered: tuple[Altered, ...] = ()
    source: str = ""
    lists: tuple[ToolList, ...] = ()
    """Separate tool lists of the source; empty if it has only one."""
    schema_version: int = SCHEMA_VERSION

    @cached_property
    def by_name(self) -> dict[str, Tool]:
        """Tool name to tool. Do not change it."""
        return {tool.name: tool for tool in self.tools}

    @cached_property
    def by_key(self) -> dict[str, Tool]:
        """Tool key to tool. Do not change it."""
        return {tool.key: tool for tool in self.tools}

    @cached_property
    def digest(self) -> str:
        """Digest over the tools in order, and over the lists if there are any."""
        listed = [one.name for one in self.lists]
        listed += [part for one in self.lists for tool in one.tools for part in (tool.key, tool.name)]
        return digest(*(tool.key for tool in self.tools), *listed)


def digest(*parts: str) -> str:
    """Return 16 hexadecimal digits of blake2b over `parts`; their boundaries count.

    >>> digest("ab", "c") == digest("a", "bc")
    False
    """
    state = blake2b(digest_size=8)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        state.update(len(data).to_bytes(8, "little"))
        state.update(data)
    return state.hexdigest()

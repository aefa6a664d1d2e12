"""A tool graph: which results can fill which inputs.

ToolGraph ── nodes: keys of tools, and their names
          └─ edges: ToolEdge(source, target, output, input, scores, evidence, edited, inferred, confidence)
"""

from __future__ import annotations

import msgspec

from callwright.records.dialogue import SCHEMA_VERSION


class EdgeScore(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One measure of how well the two fields of an edge fit."""

    name: str
    value: float


class ToolEdge(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A directed edge: a result of one tool can be an input of another."""

    source: str
    """Key of the tool whose result is used."""
    target: str
    """Key of the tool that uses it."""
    output: str = ""
    """Field of the source's result, as a JSON pointer (RFC 6901); empty where only the two tools are known."""
    input: str = ""
    """Parameter of the target; empty where only the two tools are known."""
    scores: tuple[EdgeScore, ...] = ()
    evidence: str = ""
    """Why the fields fit, in words."""
    edited: bool = False
    """Whether somebody added or changed it by hand."""
    inferred: bool = False
    """Whether the output field was guessed and is not documented."""
    confidence: float | None = None
    """From 0 to 1; None where nothing states it."""

    @property
    def is_removed(self) -> bool:
        """Whether somebody says that the fields do not fit: the edge stays in the file, so that no rebuild adds it."""
        return self.edited and self.confidence == 0

    @property
    def ends(self) -> tuple[str, str, str, str]:
        """Source, output, target and input: no two edges of a graph have the same."""
        return self.source, self.output, self.target, self.input


class GraphTool(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The name of a node for people."""

    key: str
    name: str
    domain: str = ""


class GraphMaking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a graph: the same catalogue and settings give the same edges."""

    criteria: str
    """Name and version of the criteria."""
    encoder: str
    """Signature of the encoder."""
    creating: bool
    """Whether calls that create, change or delete something are sources."""
    source: str = ""
    """The catalogue, as it was named."""
    model: str = ""
    """The encoder, as it was named; empty for the lexical one."""
    common: float = 1.0
    """Outputs that more than this share of the tools have join nothing."""
    stop: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    """Names of fields that join nothing; unset for none."""
    author: str | msgspec.UnsetType = msgspec.UNSET
    """The model that wrote the texts of the fields; unset where they are those of the documents."""


class ToolGraph(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tools of a catalogue and the edges between them: the file `graph.json` beside the catalogue."""

    catalog: str = ""
    """Digest of the catalogue."""
    nodes: tuple[str, ...]
    tools: tuple[GraphTool, ...] = ()
    """Names of the nodes, in their order; empty where the file tells none."""
    made: GraphMaking | None = None
    """None for a graph that was written by hand, or before this was kept."""
    edges: tuple[ToolEdge, ...] = ()
    schema_version: int = SCHEMA_VERSION

    @property
    def standing(self) -> tuple[ToolEdge, ...]:
        """The edges without those that somebody removed."""
        return tuple(edge for edge in self.edges if not edge.is_removed)

    @property
    def names(self) -> dict[str, str]:
        """Key to the name of each node: the key itself where the file tells no name."""
        told = {tool.key: tool.name for tool in self.tools}
        return {key: told.get(key, key) for key in self.nodes}

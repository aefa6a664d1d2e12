"""A tool graph: which results can fill which inputs.

ToolGraph ── nodes: keys of tools
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
    def ends(self) -> tuple[str, str, str, str]:
        """Source, output, target and input: no two edges of a graph have the same."""
        return self.source, self.output, self.target, self.input


class ToolGraph(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tools of a catalogue and the edges between them: the file `graph.json` beside the catalogue."""

    catalog: str = ""
    """Digest of the catalogue."""
    nodes: tuple[str, ...]
    edges: tuple[ToolEdge, ...] = ()
    schema_version: int = SCHEMA_VERSION

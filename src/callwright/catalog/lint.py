"""The lint of a catalogue: near-duplicates and what tells them apart, and what is wrong with single documents."""

from __future__ import annotations

import msgspec

from callwright.catalog.clusters import Cluster, clusters
from callwright.catalog.differences import differences, traits
from callwright.catalog.document_checks import Finding, findings
from callwright.catalog.lexical import ENCODER
from callwright.catalog.similarity import MEASURE, THRESHOLD, WEIGHTS, Pair, Weights, near_duplicates
from callwright.lang.tokens import STEMMER, TOKENISER
from callwright.records.tool import Catalog


class LintPair(msgspec.Struct, frozen=True, kw_only=True):
    """Two near-duplicates, by name, with their composite similarity, its parts and what tells them apart."""

    a: str
    b: str
    score: float
    name: float
    description: float
    parameters: float
    apart: tuple[str, ...]


class LintReport(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that lint found."""

    tools: int
    near_duplicate_share: float | None
    """Share of tools with at least one near-duplicate; None without tools."""
    pairs: tuple[LintPair, ...]
    """Most alike first."""
    clusters: tuple[Cluster, ...]
    findings: tuple[Finding, ...]
    signature: str
    """Names, versions and options of what was measured."""


def lint(catalog: Catalog, *, threshold: float = THRESHOLD, weights: Weights = WEIGHTS) -> LintReport:
    """Return the near-duplicates, their clusters and all findings of a catalogue."""
    tools = catalog.tools
    pairs = near_duplicates(tools, threshold=threshold, weights=weights)
    alike = {index for pair in pairs for index in (pair.a, pair.b)}
    return LintReport(
        tools=len(tools),
        near_duplicate_share=len(alike) / len(tools) if tools else None,
        pairs=_described(catalog, sorted(pairs, key=lambda pair: (-pair.parts.score, pair.a, pair.b))),
        clusters=clusters([tool.name for tool in tools], pairs),
        findings=findings(tools),
        signature=signature(threshold, weights),
    )


def signature(threshold: float, weights: Weights) -> str:
    """Return what a near-duplicate share must be quoted with."""
    shares = ",".join(f"{weight:g}" for weight in weights)
    return f"{MEASURE}|threshold={threshold:g}|weights={shares}|encoder={ENCODER}|{TOKENISER}|{STEMMER}"


def _described(catalog: Catalog, pairs: list[Pair]) -> tuple[LintPair, ...]:
    """The pairs by name, with what tells them apart."""
    tools = catalog.tools
    known = {index: traits(tools[index]) for pair in pairs for index in (pair.a, pair.b)}
    return tuple(
        LintPair(
            a=tools[pair.a].name,
            b=tools[pair.b].name,
            score=pair.parts.score,
            name=pair.parts.name,
            description=pair.parts.description,
            parameters=pair.parts.parameters,
            apart=differences(known[pair.a], known[pair.b]),
        )
        for pair in pairs
    )

"""The lint of a catalogue: near-duplicates with their differences, and faults of single documents."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from callwright.catalog.differences import differences, traits
from callwright.catalog.document_checks import Finding, findings
from callwright.catalog.near_duplicates import AllPairs, Cluster, Tally, clusters
from callwright.catalog.similarity import MEASURE, THRESHOLD, WEIGHTS, Pair, Weights, description_encoder
from callwright.catalog.vectors import Encoder
from callwright.records.tool import Catalog

MOST_PAIRS = 10_000
"""Most pairs in a report: a megabyte or two of JSON."""


class LintPair(msgspec.Struct, frozen=True, kw_only=True):
    """Two near-duplicates, by name, with their composite similarity, its parts and their differences."""

    a: str
    b: str
    score: float
    name: float
    description: float
    parameters: float
    apart: tuple[str, ...]


class LintReport(msgspec.Struct, frozen=True, kw_only=True):
    """All findings of a lint."""

    tools: int
    near_duplicate_share: float | None
    """Share of tools with at least one near-duplicate; None without tools."""
    pairs: tuple[LintPair, ...]
    """The most similar pairs, most similar first, up to the requested number."""
    pairs_total: int
    """Number of all pairs."""
    clusters: tuple[Cluster, ...]
    findings: tuple[Finding, ...]
    signature: str
    """Names, versions and options of what was measured."""


def lint(
    catalog: Catalog,
    *,
    threshold: float = THRESHOLD,
    weights: Weights = WEIGHTS,
    encoder: Encoder | None = None,
    most_pairs: int = MOST_PAIRS,
    each: Callable[[list[Pair]], None] | None = None,
) -> LintReport:
    """Return the near-duplicates, their clusters and all findings of a catalogue.

    The report holds at most `most_pairs` pairs; all of them go to `each` as they are found, by position. The encoder
    is the lexical one, fitted on the catalogue's descriptions, unless another is given.
    """
    tools = catalog.tools
    encoder = encoder or description_encoder(tools)
    compared = AllPairs(tools, encoder=encoder, threshold=threshold, weights=weights)
    tally = Tally(compared, len(tools), most=most_pairs)
    for near in compared.blocks():
        tally.add(near)
        if each is not None:
            each(compared.pairs(near))
    return LintReport(
        tools=len(tools),
        near_duplicate_share=tally.alike / len(tools) if tools else None,
        pairs=_described(catalog, tally.pairs),
        pairs_total=tally.total,
        clusters=clusters([tool.name for tool in tools], tally.components),
        findings=findings(tools),
        signature=signature(threshold, weights, encoder),
    )


def signature(threshold: float, weights: Weights, encoder: Encoder) -> str:
    """Return the signature that belongs to a near-duplicate share."""
    shares = ",".join(f"{weight:g}" for weight in weights)
    return f"{MEASURE}|threshold={threshold:g}|weights={shares}|encoder={encoder.signature}"


def _described(catalog: Catalog, pairs: list[Pair]) -> tuple[LintPair, ...]:
    """Return the pairs by name, with their differences."""
    tools = catalog.tools
    known = {index: traits(tools[index]) for index in {index for pair in pairs for index in (pair.a, pair.b)}}
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

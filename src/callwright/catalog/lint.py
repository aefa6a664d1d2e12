"""The lint of a catalogue: tools taken for one another with their differences, families, faults of single documents.

Two formulas score pairs: `meaning` (see `confusable`), made for people, and `paper`, the composite similarity S of
DiaFORGE's appendix A.4 (see `similarity`), which its statistics use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final, Literal

import msgspec

from callwright.catalog.confusable import CONFUSABLE, LEAST_CONFUSABLE, ConfusablePairs, Family, families
from callwright.catalog.differences import differences, traits
from callwright.catalog.document_checks import Finding, findings
from callwright.catalog.near_duplicates import AllPairs, ComparedPairs, SimilarityTally
from callwright.catalog.similarity import MEASURE, THRESHOLD, WEIGHTS, Pair, Weights, description_encoder
from callwright.catalog.vectors import Encoder
from callwright.records.tool import Catalog, Tool

Formula = Literal["meaning", "paper"]
THRESHOLDS: Final[dict[Formula, float]] = {"meaning": LEAST_CONFUSABLE, "paper": THRESHOLD}
"""Least score of a pair, unless another is given."""
MOST_PAIRS = 10_000
"""Most pairs in a report: a megabyte or two of JSON."""


class LintPair(msgspec.Struct, frozen=True, kw_only=True):
    """Two tools that are taken for one another, by name, with their score, its parts and their differences."""

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
    """Share of tools that are in a pair; None without tools."""
    pairs: tuple[LintPair, ...]
    """The most alike pairs, most alike first, up to the requested number."""
    pairs_total: int
    """Number of all pairs."""
    families: tuple[Family, ...]
    """Tools that do different acts to one thing, such as get, update and delete."""
    findings: tuple[Finding, ...]
    signature: str
    """Names, versions and options of what was measured."""


def lint(
    catalog: Catalog,
    *,
    formula: Formula = "meaning",
    threshold: float | None = None,
    weights: Weights = WEIGHTS,
    encoder: Encoder | None = None,
    most_pairs: int = MOST_PAIRS,
    known: Collection[tuple[str, str]] = (),
    each: Callable[[list[Pair]], None] | None = None,
) -> LintReport:
    """Return the pairs of tools that are taken for one another, families and all findings of a catalogue.

    `threshold` is the least score of a pair. The report holds at most `most_pairs` pairs; all go to `each` as they are
    found, by position. Pairs that are `known`, by name, count nowhere. `encoder` is lexical unless given.
    """
    import numpy as np

    tools = catalog.tools
    encoder = encoder or description_encoder(tools)
    least = THRESHOLDS[formula] if threshold is None else threshold
    compared = compare(tools, formula, encoder=encoder, threshold=least, weights=weights)
    tally = SimilarityTally(compared, len(tools), most=most_pairs)
    old = _positions(catalog, known)
    for near in compared.blocks():
        near = near.where(~np.isin(near.a * len(tools) + near.b, old)) if old else near
        tally.add(near)
        if each is not None:
            each(compared.pairs(near))
    return LintReport(
        tools=len(tools),
        near_duplicate_share=tally.alike / len(tools) if tools else None,
        pairs=_described(catalog, tally.pairs),
        pairs_total=tally.total,
        families=families(tools),
        findings=findings(tools),
        signature=signature(formula, least, weights, encoder),
    )


def _positions(catalog: Catalog, known: Collection[tuple[str, str]]) -> list[int]:
    """Pairs given by name, in either order, as position times count plus position; those of other tools left out."""
    position = {tool.name: at for at, tool in enumerate(catalog.tools)}
    found = [sorted((position[a], position[b])) for a, b in known if a in position and b in position]
    return [a * len(position) + b for a, b in found]


def compare(
    tools: Sequence[Tool], formula: Formula, *, encoder: Encoder, threshold: float, weights: Weights
) -> ComparedPairs:
    """Return a catalogue prepared for comparing all its tools by a formula."""
    kind = ConfusablePairs if formula == "meaning" else AllPairs
    return kind(tools, encoder=encoder, threshold=threshold, weights=weights)


def signature(formula: Formula, threshold: float, weights: Weights, encoder: Encoder) -> str:
    """Return the signature that belongs to a number or share of pairs."""
    shares = ",".join(f"{weight:g}" for weight in weights)
    measure = CONFUSABLE if formula == "meaning" else MEASURE
    return f"{measure}|threshold={threshold:g}|weights={shares}|encoder={encoder.signature}"


def _described(catalog: Catalog, pairs: list[Pair]) -> tuple[LintPair, ...]:
    tools = catalog.tools
    known = {index: traits(tools[index]) for index in {index for pair in pairs for index in (pair.a, pair.b)}}
    return tuple(
        LintPair(
            a=tools[pair.a].name,
            b=tools[pair.b].name,
            apart=differences(known[pair.a], known[pair.b]),
            **pair.parts._asdict(),
        )
        for pair in pairs
    )

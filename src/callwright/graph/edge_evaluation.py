"""How right a graph's edges are by labels: precision, recall, negative predictive value and correlation."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import sqrt
from typing import Final

import msgspec

from callwright.stats.intervals import Interval, mean_interval

NOTHING: Final = "no labelled pair of this kind"
_RESAMPLES: Final = 1000

Ends = tuple[str, str, str, str]
"""Source, output, target and input."""


class EdgeRates(msgspec.Struct, frozen=True, kw_only=True):
    """Counts over labelled pairs, and what follows from them, each with its 95 % interval."""

    valid_edges: int
    invalid_edges: int
    missing_edges: int
    """Valid pairs that are no edges."""
    rightly_none: int
    """Invalid pairs that are no edges."""
    precision: Interval
    """Share of valid pairs among edges."""
    recall: Interval
    """Share of edges among valid pairs."""
    npv: Interval
    """Share of invalid pairs among those that are no edges."""
    mcc: Interval
    """Matthews' correlation of edges and labels, from -1 to 1."""


class EdgeEvaluation(msgspec.Struct, frozen=True, kw_only=True):
    """A graph against labels, by pair of fields and by pair of tools."""

    fields: EdgeRates
    tools: EdgeRates
    """A pair of tools is valid, or an edge, where one of its labelled pairs of fields is."""
    unknown: int
    """Labels of tools that the graph does not have; they count nowhere."""


def evaluate_edges(labels: Iterable[tuple[Ends, bool]], edges: Collection[Ends], *, unknown: int = 0) -> EdgeEvaluation:
    """Return the rates of a graph's edges by labels."""
    labels = list(labels)
    fields = [(ends in edges, valid) for ends, valid in labels]
    joined: dict[tuple[str, str], tuple[bool, bool]] = {}
    for ends, valid in labels:
        pair = ends[0], ends[2]
        was_edge, was_valid = joined.get(pair, (False, False))
        joined[pair] = was_edge or ends in edges, was_valid or valid
    return EdgeEvaluation(fields=_rates(fields), tools=_rates(list(joined.values())), unknown=unknown)


def _rates(pairs: list[tuple[bool, bool]]) -> EdgeRates:
    """Return the rates of pairs that are edges or not, and valid or not."""
    counts = [pairs.count(kind) for kind in ((True, True), (True, False), (False, True), (False, False))]
    return EdgeRates(
        valid_edges=counts[0],
        invalid_edges=counts[1],
        missing_edges=counts[2],
        rightly_none=counts[3],
        precision=_share(counts[0], counts[1]),
        recall=_share(counts[0], counts[2]),
        npv=_share(counts[3], counts[2]),
        mcc=_correlation(counts),
    )


def _share(those: int, others: int) -> Interval:
    found = mean_interval([1.0] * those + [0.0] * others)
    return found if those + others else Interval(None, why=NOTHING)


def matthews(valid_edges: int, invalid_edges: int, missing_edges: int, rightly_none: int) -> float | None:
    """Return Matthews' correlation; None where edges, or labels, are all alike.

    >>> matthews(5, 0, 0, 5), matthews(0, 5, 5, 0), matthews(3, 0, 0, 0)
    (1.0, -1.0, None)
    """
    product = (valid_edges + invalid_edges) * (valid_edges + missing_edges)
    product *= (rightly_none + invalid_edges) * (rightly_none + missing_edges)
    return (valid_edges * rightly_none - invalid_edges * missing_edges) / sqrt(product) if product else None


def _correlation(counts: list[int]) -> Interval:
    import numpy as np

    value = matthews(*counts)
    if value is None:
        return Interval(None, why="edges or labels are all alike")
    drawn = np.random.default_rng(0).multinomial(sum(counts), np.array(counts) / sum(counts), size=_RESAMPLES)
    known = sorted(each for row in drawn.tolist() if (each := matthews(*row)) is not None)
    return Interval(value, known[int(0.025 * (len(known) - 1))], known[int(0.975 * (len(known) - 1))])

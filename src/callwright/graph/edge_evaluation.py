"""How right a graph's edges are by labels: precision, recall, negative predictive value and correlation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from math import sqrt
from typing import Final

import msgspec

from callwright.stats.intervals import Interval, mean_interval

NOTHING: Final = "no labelled pair of this kind"
SAMPLED: Final = "edges and other pairs were sampled apart"
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


def evaluate_sample(verdicts: Iterable[tuple[Ends, bool]], edges: Collection[Ends]) -> EdgeEvaluation:
    """Return the rates of a graph's edges by verdicts on as many edges as other pairs.

    In such a sample the share of edges is not the graph's, so recall and correlation would mean nothing.
    """
    found = evaluate_edges(verdicts, edges)
    unknown = Interval(None, why=SAMPLED)
    fields, tools = (msgspec.structs.replace(one, recall=unknown, mcc=unknown) for one in (found.fields, found.tools))
    return EdgeEvaluation(fields=fields, tools=tools, unknown=0)


class JudgeRates(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's verdicts against people's labels of the same pairs of fields, each with its 95 % interval."""

    n: int
    """Pairs that have both."""
    precision: Interval
    """Share of valid pairs among those that the judge takes for valid."""
    mcc: Interval
    """Matthews' correlation of verdicts and labels, from -1 to 1."""
    kappa: Interval
    """Cohen's kappa of verdicts and labels: 1 for full agreement, 0 for chance."""


def evaluate_judge(verdicts: Mapping[Ends, bool], labels: Mapping[Ends, bool]) -> JudgeRates:
    """Return how far a judge's verdicts are those of people, over the pairs that both decided."""
    counts = _counts([(verdicts[ends], valid) for ends, valid in labels.items() if ends in verdicts])
    alike = "verdicts or labels are all alike"
    return JudgeRates(
        n=sum(counts),
        precision=_share(counts[0], counts[1]),
        mcc=_resampled(matthews, counts, alike),
        kappa=_resampled(cohen, counts, alike),
    )


def _counts(pairs: list[tuple[bool, bool]]) -> list[int]:
    return [pairs.count(kind) for kind in ((True, True), (True, False), (False, True), (False, False))]


def _rates(pairs: list[tuple[bool, bool]]) -> EdgeRates:
    """Return the rates of pairs that are edges or not, and valid or not."""
    counts = _counts(pairs)
    return EdgeRates(
        valid_edges=counts[0],
        invalid_edges=counts[1],
        missing_edges=counts[2],
        rightly_none=counts[3],
        precision=_share(counts[0], counts[1]),
        recall=_share(counts[0], counts[2]),
        npv=_share(counts[3], counts[2]),
        mcc=_resampled(matthews, counts, "edges or labels are all alike"),
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


def cohen(both: int, first: int, second: int, neither: int) -> float | None:
    """Return Cohen's kappa of two who say yes to these numbers; None where both always say the same one thing.

    >>> cohen(20, 5, 10, 15), cohen(0, 5, 5, 0), cohen(3, 0, 0, 0)
    (0.4, -1.0, None)
    """
    n = both + first + second + neither
    by_chance = (both + first) * (both + second) + (neither + first) * (neither + second)
    return (n * (both + neither) - by_chance) / (n * n - by_chance) if n * n - by_chance else None


def _resampled(statistic: Callable[..., float | None], counts: list[int], why: str) -> Interval:
    """Return a statistic of four counts; None and `why` where it has no value."""
    import numpy as np

    value = statistic(*counts)
    if value is None:
        return Interval(None, why=why)
    drawn = np.random.default_rng(0).multinomial(sum(counts), np.array(counts) / sum(counts), size=_RESAMPLES)
    known = sorted(each for row in drawn.tolist() if (each := statistic(*row)) is not None)
    return Interval(value, known[int(0.025 * (len(known) - 1))], known[int(0.975 * (len(known) - 1))])

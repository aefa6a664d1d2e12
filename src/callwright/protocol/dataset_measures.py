"""The numbers of a dataset: shape, diversity and repetition of its dialogues, and ConvRel as judged. Pure.

shape        exchanges, and what papers add
diversity    ttr mattr ngd_2 ngd_3 ngd_4             by role (DiaFORGE, appendix C.1)
repetition   utterance_share four_gram_share openings   by role, with values masked
conv_rel     as judged; skipped where no judge was given
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from callwright import __version__
from callwright.errors import unknown_name
from callwright.judge.rubric import Rubric
from callwright.judge.subject import Talk
from callwright.measure.diversity import diversity_of
from callwright.measure.repetition import repetition
from callwright.measure.shape import SPREAD_NOTE, exchanges, histogram
from callwright.protocol.judged_rows import JudgedBy, with_judged
from callwright.protocol.scoring import NO_JUDGE, data_digest
from callwright.records.dialogue import Dialogue
from callwright.records.measurement import Measurement
from callwright.records.tool import Tool
from callwright.stats.intervals import DEFAULT_RESAMPLES, Interval, linear_interval, mean_interval


class JudgedCounting(NamedTuple):
    """How a judge counts what a group of metrics is made of."""

    questions: Callable[[Dialogue, Mapping[str, Tool]], Iterable[tuple[Rubric, Talk]]]
    """Yields the questions about a dialogue in their order; tools by key."""
    measured: Callable[
        [Sequence[Dialogue], Mapping[str, Tool], Mapping[str, Sequence[float | None]], str],
        tuple[msgspec.Struct, Sequence[Measurement]],
    ]
    """Returns document and rows from the answers by id of the dialogue, None for a failure, and the judge's name."""


class MeasureGroup(NamedTuple):
    """Metrics that are measured together, and how a table shows them."""

    name: str
    labels: Mapping[str, str]
    """Metrics in their order, with their names in tables."""
    rows: Callable[[Sequence[Dialogue], Mapping[str, Tool]], Iterable[Measurement]]
    """Measures dialogues, with tools by key; `data` and the shared parts of the signatures are filled in later."""
    title: str = ""
    """Of the table; empty for a group that adds to one of the same name."""
    note: str = ""
    document: Callable[[Sequence[Dialogue], Mapping[str, Tool]], msgspec.Struct] | None = None
    """The output of `measure --json` where only this group is measured, in place of rows; None: the rows."""
    counting: JudgedCounting | None = None
    """How a judge counts in place of the rules; None: it cannot."""


_ROLES: Final = ("user", "assistant")
_BOOTSTRAP: Final = f"bootstrap:{DEFAULT_RESAMPLES},0"


def measure_groups(more: Iterable[MeasureGroup] = ()) -> tuple[MeasureGroup, ...]:
    """Return the groups that every dataset has, and those in `more`: of the same name they are joined into one."""
    by_name: dict[str, list[MeasureGroup]] = {}
    for group in (*_SHARED, *more):
        by_name.setdefault(group.name, []).append(group)
    return tuple(_joined(groups) for groups in by_name.values())


def _joined(groups: Sequence[MeasureGroup]) -> MeasureGroup:
    return groups[0]._replace(
        labels={metric: label for group in groups for metric, label in group.labels.items()},
        rows=lambda dialogues, tools: chain.from_iterable(group.rows(dialogues, tools) for group in groups),
    )


def chosen_metrics(names: Iterable[str], groups: Sequence[MeasureGroup]) -> tuple[str, ...]:
    """Return the metrics of these names, groups or metrics, written with `-` or `_`; none: all. Raises UnknownName."""
    by_group = {group.name: tuple(group.labels) for group in groups}
    known = [metric for metrics in by_group.values() for metric in metrics]
    wanted: set[str] = set()
    for name in names:
        plain = name.replace("-", "_")
        if plain not in known and plain not in by_group:
            raise unknown_name("measure", name, [*by_group, *known])
        wanted.update(by_group.get(plain, (plain,)))
    return tuple(metric for metric in known if not wanted or metric in wanted)


def measure(
    dialogues: Sequence[Dialogue],
    tools: Mapping[str, Tool],
    metrics: Sequence[str],
    *,
    groups: Sequence[MeasureGroup],
    data: str,
    judged: Mapping[Rubric, JudgedBy],
) -> list[Measurement]:
    """Return the rows of these metrics; `tools` by key, `data` names the dataset, `judged` as judges left it."""
    made_by = f"data:{data_digest(dialogues)}|callwright:{__version__}"
    rows = [
        msgspec.structs.replace(row, data=data, signature=f"{row.metric}.v1|{row.signature}|{made_by}")
        for group in groups
        if not group.labels.keys().isdisjoint(metrics)
        for row in group.rows(dialogues, tools)
        if row.metric in metrics
    ]
    return with_judged(rows, judged, items=len(dialogues))


def mean_row(metric: str, numbers: Sequence[float], *, of: int) -> Measurement:
    """Return the row of a mean over the dialogues that record a number, `of` so many; counts also have their spread."""
    is_count = all(type(number) is int for number in numbers)
    return _row(
        metric,
        mean_interval(numbers) if numbers else Interval(None, why="no dialogue records it"),
        n=len(numbers),
        n_skipped=of - len(numbers),
        spread={str(number): count for number, count in histogram(map(int, numbers)).items()} if is_count else {},
        signature=_BOOTSTRAP,
    )


def _shape(dialogues: Sequence[Dialogue], tools: Mapping[str, Tool]) -> Iterator[Measurement]:
    yield mean_row("exchanges", [exchanges(dialogue) for dialogue in dialogues], of=len(dialogues))


def _diversity(dialogues: Sequence[Dialogue], tools: Mapping[str, Tool]) -> Iterator[Measurement]:
    for role in _ROLES:
        texts = [[turn.text for turn in one.turns if one.role(turn) == role] for one in dialogues]
        for metric, (found, options) in diversity_of(texts).items():
            interval = Interval(None, why=found.why)
            if found.value is not None:
                interval = linear_interval(found.value, found.influences)
            signature = f"{options}|{_BOOTSTRAP},linear"
            yield _row(metric, interval, n=len(dialogues), slice={"role": role}, signature=signature)


def _repetition(dialogues: Sequence[Dialogue], tools: Mapping[str, Tool]) -> Iterator[Measurement]:
    """The most frequent of something has no interval: a resample would only find another one."""
    for role in _ROLES:
        found = repetition(dialogues, tools, role=role)
        slice_, why = {"role": role}, "" if found.turns else "no turns"
        shares = {
            "utterance_share": (found.utterance_share, found.utterance),
            "four_gram_share": (found.four_gram_share, found.four_gram),
        }
        for metric, (share, what) in shares.items():
            yield _row(metric, Interval(share, why=why), n=found.turns, slice=slice_, detail=what, signature="masked")
        openings = Interval(float(found.openings) if found.turns else None, why=why)
        yield _row("openings", openings, n=len(dialogues), slice=slice_, signature="masked")


def _unjudged(dialogues: Sequence[Dialogue], tools: Mapping[str, Tool]) -> Iterator[Measurement]:
    yield _row("conv_rel", Interval(None, why=NO_JUDGE), n=0, n_skipped=len(dialogues), signature="judge:none")


def _row(
    metric: str,
    interval: Interval,
    *,
    n: int,
    signature: str,
    n_skipped: int = 0,
    slice: Mapping[str, str] = MappingProxyType({}),
    spread: Mapping[str, int] = MappingProxyType({}),
    detail: str = "",
) -> Measurement:
    return Measurement(
        data="",
        metric=metric,
        slice=dict(slice),
        value=interval.value,
        low=interval.low,
        high=interval.high,
        n=n,
        n_skipped=n_skipped,
        spread=dict(spread),
        detail=detail,
        why=interval.why,
        signature=signature,
    )


_SHARED: Final = (
    MeasureGroup("shape", {"exchanges": "exchanges per dialogue"}, _shape, "Shape", SPREAD_NOTE),
    MeasureGroup(
        "diversity",
        {"ttr": "TTR", "mattr": "MATTR", "ngd_2": "NGD 2", "ngd_3": "NGD 3", "ngd_4": "NGD 4"},
        _diversity,
        "Diversity of words",
        "TTR and NGD fall as a corpus grows; MATTR does not.",
    ),
    MeasureGroup(
        "repetition",
        {
            "utterance_share": "most frequent turn",
            "four_gram_share": "most frequent 4-gram",
            "openings": "different first turns",
        },
        _repetition,
        "Repetition, values masked",
    ),
    MeasureGroup(
        "judged", {"conv_rel": "ConvRel"}, _unjudged, "As judged", "Mean over assistant turns, then over dialogues."
    ),
)

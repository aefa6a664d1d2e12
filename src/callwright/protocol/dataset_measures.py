"""The numbers of a dataset: shape, diversity and repetition of its dialogues, and ConvRel as judged. Pure.

shape        exchanges parameters selection_turns filling_turns distractors overlap near_duplicate_share
             required_share no_tool_share            (DiaFORGE, figures 5 to 7 and appendix C.5)
diversity    ttr mattr ngd_2 ngd_3 ngd_4             by role (appendix C.1)
repetition   utterance_share four_gram_share openings   by role, with values masked
conv_rel     as judged; skipped where no judge was given
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import msgspec

from callwright import __version__
from callwright.errors import unknown_name
from callwright.judge.rubric import Rubric
from callwright.lang.tokens import TOKENISER
from callwright.measure.diversity import DEFAULT_WINDOW, Diversity, mattr, ngd, read_words, ttr
from callwright.measure.repetition import repetition
from callwright.measure.shape import ShapeValues, histogram, shape_values
from callwright.protocol.judged_rows import JudgedBy, with_conv_rel
from callwright.protocol.scoring import NO_JUDGE, data_digest
from callwright.records.dialogue import Dialogue
from callwright.records.measurement import Measurement
from callwright.records.tool import Tool
from callwright.stats.intervals import DEFAULT_RESAMPLES, Interval, linear_interval, mean_interval

GROUPS: Final = {
    "shape": (
        *("exchanges", "parameters", "selection_turns", "filling_turns", "distractors", "overlap"),
        *("near_duplicate_share", "required_share", "no_tool_share"),
    ),
    "diversity": ("ttr", "mattr", "ngd_2", "ngd_3", "ngd_4"),
    "repetition": ("utterance_share", "four_gram_share", "openings"),
    "judged": ("conv_rel",),
}
"""Metrics by group, in the order they are measured in."""

_ROLES: Final = ("user", "assistant")
_COUNTED: Final = ("exchanges", "parameters", "selection_turns", "filling_turns", "distractors")
_BOOTSTRAP: Final = f"bootstrap:{DEFAULT_RESAMPLES},0"


def chosen_metrics(names: Iterable[str]) -> tuple[str, ...]:
    """Return the metrics of these names, groups or metrics, written with `-` or `_`; none: all. Raises UnknownName."""
    wanted: set[str] = set()
    for name in names:
        plain = name.replace("-", "_")
        known = [metric for group in GROUPS.values() for metric in group]
        if plain not in known and plain not in GROUPS:
            raise unknown_name("measure", name, [*GROUPS, *known])
        wanted.update(GROUPS.get(plain, (plain,)))
    return tuple(metric for group in GROUPS.values() for metric in group if not wanted or metric in wanted)


def measure(
    dialogues: Sequence[Dialogue],
    tools: Mapping[str, Tool],
    metrics: Sequence[str],
    *,
    data: str,
    judged: Mapping[Rubric, JudgedBy],
) -> list[Measurement]:
    """Return the rows of these metrics; `tools` by key, `data` names the dataset, `judged` as judges left it."""
    made_by = f"data:{data_digest(dialogues)}|callwright:{__version__}"

    def label(row: Measurement) -> Measurement:
        return msgspec.structs.replace(row, data=data, signature=f"{row.metric}.v1|{row.signature}|{made_by}")

    groups: dict[str, Callable[[], Iterable[Measurement]]] = {
        "shape": lambda: _shape(shape_values(dialogues, tools)),
        "diversity": lambda: _diversity(dialogues),
        "repetition": lambda: _repetition(dialogues, tools),
        "judged": lambda: [_unjudged(len(dialogues))],
    }
    rows = [
        label(row)
        for group, make in groups.items()
        if any(metric in metrics for metric in GROUPS[group])
        for row in make()
        if row.metric in metrics
    ]
    return with_conv_rel(rows, judged, items=len(dialogues))


def _shape(values: ShapeValues) -> Iterator[Measurement]:
    by_metric: dict[str, Sequence[float]] = {
        "exchanges": values.exchanges,
        "parameters": values.parameters,
        "selection_turns": values.selection_turns,
        "filling_turns": values.filling_turns,
        "distractors": values.distractors,
        "overlap": values.overlap,
        "near_duplicate_share": values.near_duplicate,
        "required_share": values.required,
        "no_tool_share": values.no_tool,
    }
    for metric, numbers in by_metric.items():
        interval = mean_interval(numbers) if numbers else Interval(None, why="no dialogue records it")
        counted = histogram(int(number) for number in numbers) if metric in _COUNTED else {}
        yield _row(
            metric,
            interval,
            n=len(numbers),
            n_skipped=len(values.exchanges) - len(numbers),
            spread={str(number): count for number, count in counted.items()},
            signature=_BOOTSTRAP,
        )


def _diversity(dialogues: Sequence[Dialogue]) -> Iterator[Measurement]:
    for role in _ROLES:
        texts = [[turn.text for turn in one.turns if one.role(turn) == role] for one in dialogues]
        corpus = read_words(texts)
        measured: dict[str, Diversity] = {"ttr": ttr(corpus), "mattr": mattr(corpus)}
        measured |= {f"ngd_{n}": ngd(corpus, n) for n in (2, 3, 4)}
        for metric, found in measured.items():
            interval = Interval(None, why=found.why)
            if found.value is not None:
                interval = linear_interval(found.value, found.influences)
            window = f"|window:{DEFAULT_WINDOW}" if metric == "mattr" else ""
            signature = f"tokens:{TOKENISER}{window}|{_BOOTSTRAP},linear"
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


def _unjudged(dialogues: int) -> Measurement:
    return _row("conv_rel", Interval(None, why=NO_JUDGE), n=0, n_skipped=dialogues, signature="judge:none")


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

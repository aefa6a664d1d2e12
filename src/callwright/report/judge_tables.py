"""Renders judgements as tables for a terminal: scores by criterion and judge, and the agreement of a panel."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from callwright.protocol.judged_rows import Agreement, CriterionScore
from callwright.report.table import titled_table

_WHERE: Final = re.compile(r"@https?://\S*")

_FOOT: Final = (
    "Mean over dialogues with its 95 % bootstrap interval. Failed, absent and skipped ones are part of no mean."
)
_FOOT_PANEL: Final = (
    "Alpha (Krippendorff): 1 where all agree, 0 as by chance. Units are dialogues, or turns; of several samples the "
    "grade that most have counts."
)


def judging_table(scores: Sequence[CriterionScore], agreement: Sequence[Agreement]) -> RenderableType:
    names = _short_names(dict.fromkeys(score.judge for score in scores))
    parts: list[RenderableType] = [_scores(scores, names), Text(_FOOT, style="dim")]
    if agreement:
        parts += [_agreement(agreement, names), Text(_FOOT_PANEL, style="dim")]
    return Group(*parts)


def _scores(scores: Sequence[CriterionScore], names: Mapping[str, str]) -> Table:
    table = titled_table("Judgements")
    table.add_column("criterion", no_wrap=True)
    table.add_column("judge", overflow="fold")
    for heading in ("mean", "95 %", "judged", "failed", "absent", "skipped"):
        table.add_column(heading, justify="right", no_wrap=True)
    for score in scores:
        bounds = (score.interval.low, score.interval.high)
        between = "–".join(f"{bound:.2f}" for bound in bounds if bound is not None)
        counts = (score.n, score.n_failed, score.n_absent, score.n_skipped)
        table.add_row(
            Text(score.criterion),
            Text(names[score.judge]),
            _number(score.interval.value),
            Text(between or "-", style="dim"),
            *(f"{count:,}" for count in counts),
        )
    return table


def _agreement(agreement: Sequence[Agreement], names: Mapping[str, str]) -> Table:
    table = titled_table("Agreement")
    table.add_column("criterion", no_wrap=True)
    table.add_column("judges", overflow="fold")
    for heading in ("equal grades", "units", "alpha", "scale"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in agreement:
        if len(one.pairs) > 1:
            table.add_row(Text(one.criterion), "all", "", f"{one.alpha.n:,}", _number(one.alpha.value), one.scale)
        for pair in one.pairs:
            alpha = _number(one.alpha.value) if len(one.pairs) == 1 else Text("")
            equal = "-" if pair.equal.value is None else f"{pair.equal.value:.1%}"
            pair_names = Text(f"{names[pair.a]} / {names[pair.b]}")
            table.add_row(Text(one.criterion), pair_names, equal, f"{pair.equal.n:,}", alpha, one.scale)
    return table


def _number(value: float | None) -> Text:
    return Text("-", style="dim") if value is None else Text(f"{value:.2f}", style="bold")


def short_name(judge: str) -> str:
    """Return a judge's name without its server.

    >>> short_name("openai/any@http://127.0.0.1:8000/v1 (temperature 0.7)")
    'any (temperature 0.7)'
    """
    return _WHERE.sub("", judge).removeprefix("openai/")


def _short_names(judges: Iterable[str]) -> dict[str, str]:
    """Return the models' names without their servers, if these names are unique."""
    short = {judge: short_name(judge) for judge in judges}
    return short if len(set(short.values())) == len(short) else {judge: judge for judge in short}

"""Rows of a report as tables for a terminal, 80 columns and up.

The runs are numbered, with how many dialogues stand behind them; then one line a run for the tool metrics and for the
language of the assistant, the reasons for what is unmeasured, and the slices.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from callwright.records.transcript import Row

TOOL_METRICS: Final = {
    "acc": "Acc ↑",
    "ftr": "FTR ↓",
    "tar": "TAR ↓",
    "tcp": "TCP ↑",
    "tcr": "TCR ↑",
    "pkp": "PKP ↑",
    "pkr": "PKR ↑",
}
NO_TOOL_METRICS: Final = {metric: TOOL_METRICS[metric] for metric in ("acc", "ftr", "tar")}
LANGUAGE_METRICS: Final = {
    "conv_rel": "ConvRel",
    "ttr": "TTR",
    "mattr": "MATTR",
    "ngd_2": "NGD 2",
    "ngd_3": "NGD 3",
    "ngd_4": "NGD 4",
}
_FOOT: Final = (
    "Below each value its 95 % bootstrap interval over dialogues. FTR counts calls and may exceed 1. "
    "TTR and NGD fall as a corpus grows; MATTR does not. Signatures: --json."
)

Cells = Mapping[str, Row]
"""The rows of one run and slice, by metric."""

Run = tuple[str, str]
"""Name of a run and of its model."""


def report_table(rows: Sequence[Row], *, by: str = "") -> RenderableType:
    """Return everything to print; `by` names a slice property whose tables are added, such as `domain`."""
    whole = _grouped(row for row in rows if not row.slice)
    numbers = {_run(cells): number for number, cells in enumerate(whole, 1)}
    parts: list[RenderableType] = [
        _run_table(whole, numbers),
        _metric_table("Tool calls", whole, numbers, TOOL_METRICS, digits=2),
    ]
    if no_tool := _grouped(row for row in rows if "tool_fits" in row.slice):
        parts.append(
            _metric_table("Where no tool fits (right is to say so)", no_tool, numbers, NO_TOOL_METRICS, digits=2)
        )
    parts += [_metric_table("What the assistant said", whole, numbers, LANGUAGE_METRICS, digits=3), *_reasons(rows)]
    parts.append(Text(f"\n{_FOOT}", style="dim"))
    for run, number in numbers.items():
        if own := _grouped(row for row in rows if by in row.slice and (row.run, row.model) == run):
            parts.append(_slice_table(f"Run {number} by {by}", own, by))
    return Group(*parts)


def _grouped(rows: Iterable[Row]) -> list[Cells]:
    """Rows gathered by run and slice, in the order they come."""
    groups: dict[tuple[object, ...], dict[str, Row]] = {}
    for row in rows:
        groups.setdefault((row.run, row.model, *row.slice.items()), {})[row.metric] = row
    return list(groups.values())


def _any(cells: Cells) -> Row:
    return next(iter(cells.values()))


def _run(cells: Cells) -> Run:
    return _any(cells).run, _any(cells).model


def _table(title: str) -> Table:
    return Table(
        title=f"\n{title}", title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )


def _run_table(groups: Sequence[Cells], numbers: Mapping[Run, int]) -> Table:
    table = _table("Runs")
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("run, model, protocol", overflow="fold")
    for heading in ("measured", "failed", "excluded", "skipped"):
        table.add_column(heading, justify="right", no_wrap=True)
    for cells in groups:
        row = cells.get("acc", _any(cells))
        name = Text.assemble((row.run, "bold"), "\n", (f"{row.model}, {row.protocol}", "dim"))
        counts = (row.n, row.n_failed, row.n_excluded, row.n_skipped)
        table.add_row(str(numbers[_run(cells)]), name, *(f"{count:,}" for count in counts))
    return table


def _metric_table(
    title: str, groups: Sequence[Cells], numbers: Mapping[Run, int], metrics: Mapping[str, str], *, digits: int
) -> Table:
    table = _table(title)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("run")
    for heading in metrics.values():
        table.add_column(heading, justify="right", no_wrap=True)
    for cells in groups:
        run, model = _run(cells)
        short = Text.assemble(
            (PurePath(run).name, "bold"), "\n", (model.partition("@http")[0].rpartition("/")[2], "dim")
        )
        short.no_wrap, short.overflow = True, "ellipsis"  # on the text: a column that may not wrap takes space from all
        values = (_cell(cells.get(metric), digits=digits) for metric in metrics)
        table.add_row(str(numbers[run, model]), short, *values)
    return table


def _cell(row: Row | None, *, digits: int) -> Text:
    """The value over its interval; a dash where there is none."""
    if row is None or row.value is None:
        return Text("-", style="dim")
    value = Text(f"{row.value:.{digits}f}", style="bold")
    if row.low is None or row.high is None:
        return value
    return value + Text(f"\n{_short(row.low, digits)}–{_short(row.high, digits)}", style="dim not bold")


def _short(number: float, digits: int) -> str:
    """A number without the zero before its point, so that seven intervals fit."""
    text = f"{number:.{digits}f}"
    return text[1:] if text.startswith("0.") else text


def _reasons(rows: Sequence[Row]) -> list[Text]:
    """One line for each reason why something is unmeasured or skipped, with the metrics it holds for."""
    reasons: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.why and not row.slice:
            reasons.setdefault(row.why, {})[row.metric] = None
    return [Text(f"{', '.join(metrics)}: {why}", style="yellow") for why, metrics in reasons.items()]


def _slice_table(title: str, groups: Sequence[Cells], key: str) -> Table:
    """One line a value of the property, with the number of dialogues under it."""
    table = _table(title)
    table.add_column(key, overflow="fold")
    for heading in TOOL_METRICS.values():
        table.add_column(heading, justify="right", no_wrap=True)
    for cells in groups:
        row = _any(cells)
        name = Text.assemble((row.slice[key] or "(none)", "bold"), "\n", (f"n = {row.n:,}", "dim"))
        table.add_row(name, *(_cell(cells.get(metric), digits=2) for metric in TOOL_METRICS))
    return table

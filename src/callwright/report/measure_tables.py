"""Renders the metrics of a dataset as tables for a terminal: one table per group, one line per metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from callwright.protocol.dataset_measures import MeasureGroup
from callwright.records.measurement import Measurement
from callwright.report.judge_tables import short_name
from callwright.report.table import titled_table

_MOST_WITH_INTERVALS: Final = 4
"""Datasets whose intervals fit beside one another."""


def measuring_table(rows: Sequence[Measurement], groups: Sequence[MeasureGroup]) -> RenderableType:
    """Return everything to print; `groups` are those that the rows were measured in."""
    parts: list[RenderableType] = []
    notes: list[str] = []
    for group in groups:
        own = [row for row in rows if row.metric in group.labels]
        measured = [row for row in own if row.value is not None or row.n_failed]
        if measured:
            parts.append(_table(group, measured))
        parts += _reasons(group, own)
        if any(row.value is not None for row in own):
            notes += filter(None, [group.note])
    return Group(*parts, Text(f"\n{' '.join([*notes, 'Signatures: --json.'])}", style="dim"))


def comparing_table(
    measured: Sequence[tuple[str, Sequence[Measurement]]], groups: Sequence[MeasureGroup]
) -> RenderableType:
    """Return the metrics of several datasets beside one another; `measured` has the name of each with its rows."""
    names = "\n".join(f"#{number} {name}" for number, (name, _) in enumerate(measured, 1))
    parts: list[RenderableType] = [Text(f"{names}\n")]
    for group in groups:
        columns = [{_label(group, row): row for row in rows if row.metric in group.labels} for _, rows in measured]
        labels = dict.fromkeys(label for column in columns for label in column)
        if any(row.value is not None or row.n_failed for column in columns for row in column.values()):
            parts.append(_comparison(group, list(labels), columns))
        for number, column in enumerate(columns, 1):
            told = {label: _detail(row, spread=False) for label, row in column.items() if not row.slice and not row.why}
            parts += [Text(f"#{number}: {label}: {detail}") for label, detail in told.items() if detail]
            parts += [Text(f"#{number}: ") + reason for reason in _reasons(group, list(column.values()))]
    notes = [group.note for group in groups if group.note and any(_has_values(group, rows) for _, rows in measured)]
    return Group(*parts, Text(f"\n{' '.join([*notes, 'Signatures: --json.'])}", style="dim"))


def _comparison(group: MeasureGroup, labels: Sequence[str], columns: Sequence[Mapping[str, Measurement]]) -> Table:
    table = titled_table(group.title)
    table.add_column("")
    for number in range(1, len(columns) + 1):
        table.add_column(f"#{number}", justify="right", no_wrap=True)
    for label in labels:
        table.add_row(Text(label), *(_cell(one.get(label), len(columns)) for one in columns))
    counts = [max((row.n for row in one.values()), default=0) for one in columns]
    table.add_row(Text("n", style="dim"), *(Text(f"{count:,}", style="dim") for count in counts))
    return table


def _cell(row: Measurement | None, beside: int) -> Text:
    """A value, with its interval below where so many columns leave room."""
    if row is None:
        return Text("")
    has_interval = row.low is not None and beside <= _MOST_WITH_INTERVALS
    return Text.assemble(_value(row), "\n", _between(row)) if has_interval else _value(row)


def _has_values(group: MeasureGroup, rows: Sequence[Measurement]) -> bool:
    return any(row.metric in group.labels and row.value is not None for row in rows)


def _table(group: MeasureGroup, rows: Sequence[Measurement]) -> Table:
    table = titled_table(group.title)
    table.add_column("")
    for heading in ("value", "95 %", "n"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", overflow="fold", style="dim")
    for row in rows:
        table.add_row(Text(_label(group, row)), _value(row), _between(row), f"{row.n:,}", Text(_detail(row)))
    return table


def _label(group: MeasureGroup, row: Measurement) -> str:
    label = group.labels[row.metric]
    named = (f"{name} {value}" for name, value in row.slice.items() if name not in ("role", "judge"))
    of = row.slice.get("role") or short_name(row.slice.get("judge", "")) or ", ".join(named)
    return f"{label}, {of}" if of else label


def _value(row: Measurement) -> Text:
    if row.value is None:
        return Text("-", style="dim")
    text = f"{row.value:,.0f}" if row.metric == "openings" else f"{row.value:.3f}"
    return Text(text, style="bold")


def _between(row: Measurement) -> Text:
    if row.low is None or row.high is None:
        return Text("-", style="dim")
    return Text(f"{row.low:.3f}–{row.high:.3f}", style="dim")


def _detail(row: Measurement, *, spread: bool = True) -> str:
    spread_ = ", ".join(f"{number} × {count:,}" for number, count in row.spread.items()) if spread else ""
    counts = {"failed": row.n_failed, "skipped": row.n_skipped}
    left = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
    return "; ".join(filter(None, (spread_, row.detail, left)))


def _reasons(group: MeasureGroup, rows: Sequence[Measurement]) -> list[Text]:
    reasons: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.why:
            reasons.setdefault(row.why, {})[_label(group, row)] = None
    return [Text(f"{', '.join(labels)}: {why}", style="yellow") for why, labels in reasons.items()]

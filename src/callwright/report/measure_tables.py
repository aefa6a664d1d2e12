"""Renders the metrics of a dataset as tables for a terminal: one table per group, one line per metric."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from callwright.protocol.dataset_measures import MeasureGroup
from callwright.records.measurement import Measurement
from callwright.report.judge_tables import short_name
from callwright.report.table import titled_table


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


def _detail(row: Measurement) -> str:
    spread = ", ".join(f"{number} × {count:,}" for number, count in row.spread.items())
    counts = {"failed": row.n_failed, "skipped": row.n_skipped}
    left = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
    return "; ".join(filter(None, (spread, row.detail, left)))


def _reasons(group: MeasureGroup, rows: Sequence[Measurement]) -> list[Text]:
    reasons: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.why:
            reasons.setdefault(row.why, {})[_label(group, row)] = None
    return [Text(f"{', '.join(labels)}: {why}", style="yellow") for why, labels in reasons.items()]

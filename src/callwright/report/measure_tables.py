"""Renders the metrics of a dataset as tables for a terminal: one table per group, one line per metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from callwright.protocol.dataset_measures import GROUPS
from callwright.records.measurement import Measurement
from callwright.report.judge_tables import short_name

_TITLES: Final = {
    "shape": "Shape",
    "diversity": "Diversity of words",
    "repetition": "Repetition, values masked",
    "judged": "As judged",
}
_LABELS: Final = {
    "exchanges": "exchanges a dialogue",
    "parameters": "parameters of the gold tool",
    "selection_turns": "turns telling tools apart",
    "filling_turns": "turns asking for values",
    "distractors": "distractors in the pool",
    "overlap": "similarity of gold tool and pool",
    "near_duplicate_share": "with a near-duplicate in the pool",
    "required_share": "with required parameters",
    "no_tool_share": "where no tool fits",
    "ttr": "TTR",
    "mattr": "MATTR",
    "ngd_2": "NGD 2",
    "ngd_3": "NGD 3",
    "ngd_4": "NGD 4",
    "utterance_share": "most frequent turn",
    "four_gram_share": "most frequent 4-gram",
    "openings": "different first turns",
    "conv_rel": "ConvRel",
}
_NOTES: Final = {
    "shape": "A spread is written `value × dialogues`.",
    "diversity": "TTR and NGD fall as a corpus grows; MATTR does not.",
    "judged": "Mean over assistant turns, then over dialogues.",
}


def measuring_table(rows: Sequence[Measurement]) -> RenderableType:
    """Return the tables."""
    parts: list[RenderableType] = []
    for group, metrics in GROUPS.items():
        own = [row for row in rows if row.metric in metrics]
        measured = [row for row in own if row.value is not None or row.n_failed]
        if measured:
            parts.append(_table(_TITLES[group], measured))
        parts += _reasons(own)
    shown = {row.metric for row in rows if row.value is not None}
    notes = [note for group, note in _NOTES.items() if shown.intersection(GROUPS[group])]
    return Group(*parts, Text(f"\n{' '.join([*notes, 'Signatures: --json.'])}", style="dim"))


def _table(title: str, rows: Sequence[Measurement]) -> Table:
    table = Table(
        title=f"\n{title}", title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    table.add_column("")
    for heading in ("value", "95 %", "n"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", overflow="fold", style="dim")
    for row in rows:
        table.add_row(Text(_label(row)), _value(row), _between(row), f"{row.n:,}", Text(_detail(row)))
    return table


def _label(row: Measurement) -> str:
    label = _LABELS.get(row.metric, row.metric)
    of = row.slice.get("role") or short_name(row.slice.get("judge", ""))
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


def _reasons(rows: Sequence[Measurement]) -> list[Text]:
    """Return one line for each reason of a missing number, with its metrics."""
    reasons: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.why:
            reasons.setdefault(row.why, {})[_label(row)] = None
    return [Text(f"{', '.join(labels)}: {why}", style="yellow") for why, labels in reasons.items()]

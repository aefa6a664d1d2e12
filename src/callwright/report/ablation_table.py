"""The table of a protocol's ablations: one line a setting, and below them what all are compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.table import Table

from callwright.protocol import Ablations
from callwright.records.transcript import Row
from callwright.report.table import titled_table


def ablation_table(ablations: Ablations, rows: Mapping[str, Sequence[Row]]) -> Table:
    """Return the table; `rows` are those of each setting's run, by the setting's name."""
    table = titled_table("Ablations, in percent")
    table.add_column("setting", no_wrap=True)
    for heading, _, _ in ablations.columns:
        table.add_column(heading, justify="right", no_wrap=True)
    for name, own in rows.items():
        table.add_row(name, *_cells(ablations, own, {metric: metric for _, metric, _ in ablations.columns}))
    for name, metrics in ablations.references.items():
        table.add_row(name, *_cells(ablations, next(iter(rows.values())), metrics))
    return table


def _cells(ablations: Ablations, rows: Sequence[Row], metrics: Mapping[str, str]) -> Iterator[str]:
    """Yield the values of one line; `metrics` are those of a column's place."""
    values = {(row.metric, *sorted(row.slice.items())): row.value for row in rows}
    for _, metric, slice_ in ablations.columns:
        value = values.get((metrics.get(metric, ""), *sorted(slice_.items())))
        yield "-" if value is None else f"{100 * value:.1f}"

"""The table of a protocol's ablations: one line a setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
        values = {(row.metric, *sorted(row.slice.items())): row.value for row in own}
        found = [values.get((metric, *sorted(slice_.items()))) for _, metric, slice_ in ablations.columns]
        table.add_row(name, *("-" if value is None else f"{100 * value:.1f}" for value in found))
    return table

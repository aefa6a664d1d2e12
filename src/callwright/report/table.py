"""Renders the rows of a report as tables for a terminal of at least 80 columns.

First the numbered runs, then the panels of their protocols, the reasons for missing values, and the slices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from callwright.errors import BadInput
from callwright.protocol import EvaluationProtocol, Panel
from callwright.records.transcript import Row

_FOOT: Final = "Below each value its 95 % bootstrap interval over dialogues; --by shows those of slices. "
_MOST_WITH_BARS: Final = 4
"""Most runs whose values are drawn as bars: more do not fit beside one another."""

_JUDGED: Final = Panel("As judged", (("conv_rel", "ConvRel"),), digits=3)
_SIGNATURES: Final = " Signatures: --json."
_MOST_BESIDE_NAMES: Final = 6
"""With more metrics 80 columns have no room for names, so lines show the run's number."""

_LONGEST_NAME: Final = 40
_WIDTH: Final = 55
"""Columns that are left beside the number of dialogues and the first metric, of 80."""
_COLUMN: Final = 7

Cells = Mapping[str, Row]
"""The rows of one run and slice, by metric."""

Protocols = Mapping[str, EvaluationProtocol]

Run = tuple[str, str]
"""Name of a run and of its model."""


def report_table(rows: Sequence[Row], protocols: Protocols, *, by: str = "") -> RenderableType:
    """Return everything to print; `by` adds tables by a slice property. Raises BadInput if no row has it."""
    if by and not any(by in row.slice for row in rows):
        known = sorted({name for row in rows for name in row.slice})
        raise BadInput(f"no row has the slice property {by!r}. Known: {', '.join(known) or 'nothing'}.")
    whole = _grouped(row for row in rows if not row.slice)
    numbers = {_run(cells): number for number, cells in enumerate(whole, 1)}
    parts: list[RenderableType] = [_run_table(whole, numbers)]
    families: dict[tuple[Panel, ...], list[Row]] = {}
    notes: dict[str, None] = {}
    for row in rows:
        protocol = protocols[row.protocol]
        families.setdefault(protocol.panels, []).append(row)
        notes[protocol.note] = None
    for panels, own in families.items():
        shown = panels if any("conv_rel" in dict(panel.metrics) for panel in panels) else (*panels, _JUDGED)
        parts += [table for panel in shown for table in _panel_tables(panel, own, numbers)]
    parts += [*_reasons(rows, protocols, numbers), Text(f"\n{_FOOT}{' '.join(notes)}{_SIGNATURES}", style="dim")]
    for run, number in numbers.items():
        sliced = [row for row in rows if by in row.slice and (row.run, row.model) == run]
        if own := [row for row in sliced if len(row.slice) == 1] or sliced:
            panel = _panel_by(protocols[own[0].protocol].panels, own, by)
            parts.append(_slice_table(f"Run {number} by {by}", _grouped(own), by, panel))
    return Group(*parts)


def _panel_by(panels: Sequence[Panel], rows: Sequence[Row], by: str) -> Panel:
    """Return the first panel, or the panel of this slice if the first has none of the sliced metrics."""
    measured = {row.metric for row in rows}
    first = panels[0]
    own = next((panel for panel in panels if panel.slice == by), first)
    return own if measured.isdisjoint(dict(first.metrics)) else first


def _panel_tables(panel: Panel, rows: Sequence[Row], numbers: Mapping[Run, int]) -> Iterator[RenderableType]:
    """Return the tables of a panel that has rows: one, or one per metric if there are several slices."""
    wanted = {panel.slice} if panel.slice else set()
    own = [row for row in rows if row.metric in dict(panel.metrics) and row.slice.keys() == wanted]
    names = list(dict.fromkeys(row.slice[panel.slice] for row in own)) if panel.slice else []
    if not names or (len(names) == 1 and len(panel.metrics) > 1):  # the title names the slice
        if own:
            yield _metric_table(panel, _grouped(own), numbers)
        return
    for metric, heading in panel.metrics:
        title = panel.title if len(panel.metrics) == 1 else f"{panel.title}: {heading}"
        measured = [row for row in own if row.metric == metric]
        if any(row.value is not None for row in measured):
            yield _slices_table(title, panel, names, measured, numbers)


def _grouped(rows: Iterable[Row]) -> list[Cells]:
    """Return the rows grouped by run and slice, in order of appearance."""
    groups: dict[tuple[object, ...], dict[str, Row]] = {}
    for row in rows:
        groups.setdefault((row.run, row.model, *row.slice.items()), {})[row.metric] = row
    return list(groups.values())


def _any(cells: Cells) -> Row:
    return next(iter(cells.values()))


def _run(cells: Cells) -> Run:
    return _any(cells).run, _any(cells).model


def titled_table(title: str) -> Table:
    """Return an empty table in the style of all reports."""
    return Table(
        title=f"\n{title}", title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )


def _run_table(groups: Sequence[Cells], numbers: Mapping[Run, int]) -> Table:
    table = titled_table("Runs")
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("run, model, protocol", overflow="fold")
    for heading in ("measured", "failed", "excluded", "skipped"):
        table.add_column(heading, justify="right", no_wrap=True)
    for cells in groups:
        row = _any(cells)
        name = Text.assemble((row.run, "bold"), "\n", (f"{row.model}, {row.protocol}", "dim"))
        counts = (row.n, row.n_failed, row.n_excluded, row.n_skipped)
        table.add_row(str(numbers[_run(cells)]), name, *(f"{count:,}" for count in counts))
    return table


def _metric_table(panel: Panel, groups: Sequence[Cells], numbers: Mapping[Run, int]) -> Table:
    table = titled_table(panel.title)
    table.add_column("#", justify="right", no_wrap=True)
    has_names = len(panel.metrics) <= _MOST_BESIDE_NAMES
    if has_names:
        table.add_column("run", min_width=8)
    for _, heading in panel.metrics:
        table.add_column(heading, justify="right", no_wrap=True)
    for cells in groups:
        run, model = _run(cells)
        short = Text.assemble(
            (PurePath(run).name, "bold"), "\n", (model.partition("@http")[0].rpartition("/")[2], "dim")
        )
        short.no_wrap, short.overflow = True, "ellipsis"  # on the text: an unwrapped column takes space from all
        values = (_cell(cells.get(metric), digits=panel.digits) for metric, _ in panel.metrics)
        table.add_row(str(numbers[run, model]), *([short] if has_names else []), *values)
    return table


def _slices_table(
    title: str, panel: Panel, names: Sequence[str], rows: Sequence[Row], numbers: Mapping[Run, int]
) -> Table:
    """One line per property value, one column per run, without intervals, which --by shows."""
    by_place = {(row.slice[panel.slice], (row.run, row.model)): row for row in rows}
    runs = [run for run in numbers if any(place[1] == run for place in by_place)]
    table = titled_table(title)
    table.add_column(panel.slice.replace("_", " "), overflow="fold")
    for run in runs:
        table.add_column(f"#{numbers[run]}", justify="right", no_wrap=True)
    for name in names:
        found = [by_place.get((name, run)) for run in runs]
        if any(row is not None and row.value is not None for row in found):
            values = [_value(row, digits=panel.digits) for row in found]
            if panel.bars and len(runs) <= _MOST_WITH_BARS:
                values = [value + _bar(row) for value, row in zip(values, found, strict=True)]
            table.add_row(name.replace("_", " ") or "(none)", *values)
    if panel.averaged:
        table.add_row("mean", *(_mean([by_place.get((name, run)) for name in names], panel.digits) for run in runs))
    return table


def _mean(rows: Sequence[Row | None], digits: int) -> Text:
    """The unweighted mean of the values; a dash where one is missing."""
    values = [None if row is None else row.value for row in rows]
    found = [one for one in values if one is not None]
    return Text(f"{sum(found) / len(found):.{digits}f}" if found and len(found) == len(values) else "-")


def _bar(row: Row | None) -> Text:
    """A share from 0 to 1 as a bar of ten characters, to an eighth of one."""
    eighths = round(80 * (row.value or 0)) if row else 0
    part = " ▏▎▍▌▋▊▉"[eighths % 8].strip()
    return Text(f" {'█' * (eighths // 8) + part:<10}")


def _cell(row: Row | None, *, digits: int) -> Text:
    interval = _interval(row, digits=digits)
    return _value(row, digits=digits) + (Text("\n") + interval if interval else interval)


def _short(number: float, digits: int) -> str:
    """Return a number without the zero before its point, so that seven intervals fit."""
    text = f"{number:.{digits}f}"
    return text[1:] if text.startswith("0.") else text


def _reasons(rows: Sequence[Row], protocols: Protocols, numbers: Mapping[Run, int]) -> list[Text]:
    """One line for each reason why something is unmeasured or skipped, with the runs and metrics it holds for."""
    whole = [row for row in rows if not row.slice]
    of_runs: dict[Run, list[set[str]]] = {}
    for row in whole:
        of_runs.setdefault((row.run, row.model), []).append(set(_whys(row)))
    shared = {run: set.intersection(*parts) if len(parts) > 1 else set() for run, parts in of_runs.items()}
    reasons: dict[str, dict[str, dict[str, None]]] = {}
    for row in whole:
        run = (row.run, row.model)
        number = f"#{numbers[run]}" if len(numbers) > 1 else ""
        for why in _whys(row):
            heading = "" if why in shared[run] else _heading(row, protocols)
            reasons.setdefault(why, {}).setdefault(number, {})[heading] = None
    lines: list[str] = []
    for why, runs in reasons.items():
        for metrics in dict.fromkeys(map(tuple, runs.values())):
            held = [run for run, own in runs.items() if tuple(own) == metrics]
            lines.append(": ".join(filter(None, (" ".join(filter(None, (*held, ", ".join(metrics)))), why))))
    return [Text(line, style="yellow") for line in lines]


def _whys(row: Row) -> list[str]:
    return row.why.split("; ") if row.why else []


def _heading(row: Row, protocols: Protocols) -> str:
    """The heading of a metric, without the arrow that says which way is better."""
    panels = (*protocols[row.protocol].panels, _JUDGED)
    headings = (heading for panel in panels for metric, heading in panel.metrics if metric == row.metric)
    return next(headings, row.metric).rstrip(" ↑↓")


def _slice_table(title: str, groups: Sequence[Cells], key: str, panel: Panel) -> Table:
    """One line per property value, with the interval of the first metric only; of the others those that fit."""
    table = titled_table(title)
    (first, heading), *others = panel.metrics
    names = min(_LONGEST_NAME, max(len(key), *(len(_any(cells).slice[key]) for cells in groups)))
    others = others[: (_WIDTH - names) // _COLUMN]
    table.add_column(key, overflow="fold", min_width=names)
    for name in ("n", heading, "95 %", *(heading for _, heading in others)):
        table.add_column(name, justify="right", no_wrap=True)
    for cells in groups:
        row = _any(cells)
        leading = cells.get(first)
        values = (_value(cells.get(metric), digits=panel.digits) for metric, _ in others)
        interval = _interval(leading, digits=panel.digits)
        table.add_row(row.slice[key] or "(none)", f"{row.n:,}", _value(leading, digits=panel.digits), interval, *values)
    return table


def _value(row: Row | None, *, digits: int) -> Text:
    if row is None or row.value is None:
        return Text("-", style="dim")
    return Text(f"{row.value:.{digits}f}", style="bold")


def _interval(row: Row | None, *, digits: int) -> Text:
    if row is None or row.low is None or row.high is None:
        return Text("")
    return Text(f"{_short(row.low, digits)}–{_short(row.high, digits)}", style="dim not bold")

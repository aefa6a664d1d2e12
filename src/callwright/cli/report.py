"""`callwright report`: the numbers of finished runs, scored anew from their transcripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from callwright.cli import printable
from callwright.cli.output_file import check_output, force_option
from callwright.cli.results import print_json, print_rows
from callwright.errors import BadInput

if TYPE_CHECKING:
    from callwright.app.rescoring import PairedRow

_ITEM = b'{"run":'
"""How a line of `--items` begins."""


@click.command("report")
@click.argument("runs", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--by",
    help="Add a table by the values of this property: `tool` (the one due), `near_duplicate` (is one shown?), `turns` "
    "(of the user), `user_unsure`, or any other that the rows have, such as `domain`.",
)
@click.option(
    "--items", type=click.Path(path_type=Path), help="Write one line of JSON a dialogue and trial to this file."
)
@click.option(
    "--against",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="RUN",
    help="Add the difference from this run, dialogue by dialogue, with its interval and an exact test.",
)
@click.option(
    "--reviewed", is_flag=True, help="Leave out the dialogues whose transcript people marked wrong (`review`)."
)
@force_option
@click.option("--json", "as_json", is_flag=True, help="Print all rows, of all slices, as one JSON list.")
def command(
    runs: tuple[Path, ...],
    *,
    by: str | None,
    items: Path | None,
    against: Path | None,
    reviewed: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Print the metrics of RUN folders with 95 % intervals.

    Nothing is asked of a model: the numbers come from the recorded transcripts, and are the same each time.
    """
    from callwright.app.rescoring import compare_runs, score_runs

    if items:
        check_output(items, own=_ITEM, force=force)
    if reviewed and (items or against):
        raise BadInput("--reviewed is about the metrics. Leave --items and --against out.")
    rows = score_runs(runs, by=by or "", reviewed=reviewed)
    pairs = [row for run in runs for row in compare_runs(run, against)] if against is not None else []
    if as_json:
        print_json([*rows, *pairs])
    else:
        print_rows(rows, by=by)
        _show_pairs(pairs)
    if items:
        _write_items(runs, items)


def _show_pairs(pairs: list[PairedRow]) -> None:
    """A line a metric: before, after, and what lies between on the same dialogues."""
    from callwright.stats.paired import p_text

    for run in dict.fromkeys(row.run for row in pairs):
        own = [row for row in pairs if row.run == run]
        left = f"; {own[0].left_out:,} dialogues are scored in one of them only" if own[0].left_out else ""
        click.echo(printable(f"\n{run} against {own[0].against}{left}:"))
        for row in own:
            span = row.difference
            between = "" if span.low is None else f" [{span.low:+.2f}, {span.high:+.2f}]"
            change = f"{row.before:.2f} -> {row.after:.2f}   {row.after - row.before:+.2f}{between}"
            click.echo(f"  {row.metric:13}{change}   {p_text(row.test.p)}   {row.n:,} dialogues")


def _write_items(runs: tuple[Path, ...], path: Path) -> None:
    from callwright.app.rescoring import judge_runs
    from callwright.records.codec import to_line
    from callwright.store.files import write_atomically

    write_atomically(path, (to_line(item) + b"\n" for item in judge_runs(runs)))

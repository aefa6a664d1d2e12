"""`callwright judge`: models as judges of dialogues and transcripts."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callwright.cli import printable
from callwright.cli.model_options import JUDGES, asking_options, settings_of
from callwright.cli.output_file import check_output, force_option
from callwright.cli.progress_line import progress_line
from callwright.cli.results import print_json, show_estimate, show_failures, show_usage, shown_when_stopped, terminal

if TYPE_CHECKING:
    from callwright.app.judging import JudgingPreview, JudgingResult
    from callwright.records.jsontext import Json
    from callwright.records.judgement import Judgement


_JUDGEMENT = b'{"item":'
"""How a line of `--out` begins."""


@click.command("judge")
@click.argument("data", metavar="DATASET", type=click.Path(path_type=Path))
@click.option(
    "--judge", "judges", multiple=True, required=True, metavar="MODEL", help="`openai/NAME`; several form a panel."
)
@click.option(
    "--criteria",
    default="relevancy,critique",
    show_default=True,
    help="Joined by commas: bundled criteria, such as conv-rel or coherence, and rubric files (.toml) of your own.",
)
@click.option("--samples", type=int, default=1, show_default=True, help="Replies to each question; their mean counts.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="File to write the judgements to, with reasons.")
@force_option
@asking_options(JUDGES)
@click.option("--limit", type=int, help="Use only the first dialogues.")
@click.option("--dry-run", is_flag=True, help="Print what would be asked, and write nothing.")
@click.option("--durable", is_flag=True, help="Wait for the disk at every commit, to survive power cuts.")
@click.option("--json", "as_json", is_flag=True, help="Print the judgements as one JSON list.")
@click.pass_context
def command(
    ctx: click.Context, /, *, out: Path | None, force: bool, dry_run: bool, as_json: bool, **given: Any
) -> None:
    """Judge the dialogues of DATASET, or the transcripts if it is the folder of a run.

    Every judgement is kept in DATASET/.judge, and no answered question is asked again: the same command resumes
    the work, and added criteria, judges or samples ask only new questions. Several judges form a panel,
    whose agreement is printed. Exit code 1: some judgements failed, or the budget is spent.
    """
    from callwright.app.judging import preview_judging, run_judging
    from callwright.app.requests import JudgingRequest, read_request, with_progress
    from callwright.records.codec import to_line
    from callwright.store.files import write_atomically

    request = read_request(JudgingRequest, **settings_of(given))
    if dry_run:
        _show_preview(preview_judging(request), as_json=as_json)
        return
    if out is not None:
        check_output(out, own=_JUDGEMENT, force=force)
    show = partial(_show, as_json=as_json)
    with shown_when_stopped(show, as_json=as_json), progress_line("replies") as progress:
        result = run_judging(with_progress(request, progress))
    if out is not None:
        write_atomically(out, (to_line(one) + b"\n" for one in result.judgements))
    show(result)
    if result.failed:
        ctx.exit(1)


def _row(one: Judgement) -> dict[str, Json]:
    """One judgement as printed: with `turn` only where a turn was judged."""
    row: dict[str, Json] = {"item": f"{one.item}#{one.trial}" if one.trial else one.item}
    if one.turn is not None:
        row["turn"] = one.turn
    values = [sample.value for sample in one.samples]
    row |= {"criterion": one.criterion, "judge": one.judge, "value": one.value}
    return row | {"samples": values, "failed": one.failed or None}


def _show_preview(preview: JudgingPreview, *, as_json: bool) -> None:
    if as_json:
        print_json(preview)
        return
    click.echo(
        f"Would ask for {preview.samples - preview.done:,} replies ({preview.done:,} of {preview.samples:,} are kept) "
        f"to {preview.questions:,} questions about {preview.items:,} dialogues. Nothing was written."
    )
    _show_skipped(preview.skipped)
    show_estimate(preview.estimate, preview.usd)


def _show(result: JudgingResult, *, as_json: bool) -> None:
    from callwright.report.judge_tables import judging_table

    if as_json:
        print_json([_row(one) for one in result.judgements])
        show_failures(result.failed, result.examples, beside_json=True)
        return
    terminal().print(judging_table(result.scores, result.agreement))
    _show_skipped(result.skipped)
    show_usage(result.tokens, result.faults)
    show_failures(result.failed, result.examples)
    if result.failed:
        click.echo("  The same command tries those that failed again.")


def _show_skipped(skipped: dict[str, dict[str, int]]) -> None:
    for criterion, reasons in skipped.items():
        for reason, count in reasons.items():
            click.echo(f"  {count:>6,} skipped by {printable(criterion)}: {reason}")

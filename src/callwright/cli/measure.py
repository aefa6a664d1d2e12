"""`callwright measure`: the numbers of a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callwright.cli import printable
from callwright.cli.model_options import JUDGES, asking_options, settings_of
from callwright.cli.progress_line import progress_line
from callwright.cli.results import print_json, show_failures, show_usage, terminal
from callwright.errors import BadInput

if TYPE_CHECKING:
    from callwright.app.judging import JudgingResult
    from callwright.records.measurement import Measurement


@click.command("measure")
@click.argument("datasets", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="DATASET...")
@click.option(
    "--only",
    default="",
    metavar="NAMES",
    help="Joined by commas: shape, diversity, repetition, conv-rel, or single metrics.  [default: all]",
)
@click.option("--judge", "judges", multiple=True, metavar="MODEL", help="Ask for ConvRel first: `openai/NAME`.")
@click.option(
    "--counter",
    type=click.Choice(["surface", "judge"]),
    default="surface",
    show_default=True,
    help="Who counts what --only names: rules, or --judge.",
)
@click.option("--samples", type=int, help="Replies to each question; with --judge.  [default: 1]")
@asking_options(JUDGES)
@click.option("--limit", type=int, help="Use only the first dialogues.")
@click.option("--json", "as_json", is_flag=True, help="Print all rows as one JSON list.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    datasets: tuple[Path, ...],
    only: str,
    judges: tuple[str, ...],
    counter: str,
    samples: int | None,
    limit: int | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Print the metrics of each DATASET with 95 % intervals.

    ConvRel comes from the judgements kept with the dataset; --judge asks for missing ones, as `callwright
    judge DATASET --criteria conv-rel` does. Otherwise it is skipped, never 0. Exit code 1: some judgements failed.
    """
    from callwright.app.measuring import measure_dataset, measured_document

    if counter == "judge":
        if samples is not None or not judges or len(datasets) > 1:
            raise BadInput("--counter judge needs --judge MODEL and one dataset, and takes no --samples.")
        _count(ctx, {**given, "data": datasets[0], "judges": judges, "limit": limit}, only, as_json=as_json)
        return
    if not judges:
        _refuse_unused({"samples": samples, **given})
    elif len(datasets) > 1:
        raise BadInput("--judge takes one dataset at a time. Give the others in commands of their own.")
    result = None
    if judges:
        result = _judge(datasets[0], only, {**given, "judges": judges, "samples": samples, "limit": limit})
    document = measured_document(datasets[0], only=only, limit=limit) if as_json and len(datasets) == 1 else None
    if document is not None:
        print_json(document)
        return
    measured = [(one, measure_dataset(one, only=only, limit=limit)) for one in datasets]
    if as_json:
        print_json([row for _, rows in measured for row in rows])
    else:
        _show(measured)
        if result is not None:
            show_usage(result.tokens, result.faults)
    if result is not None and result.failed:
        show_failures(result.failed, result.examples, beside_json=as_json)
        ctx.exit(1)


def _count(ctx: click.Context, given: dict[str, Any], only: str, *, as_json: bool) -> None:
    from callwright.app.counting import count_by_judge
    from callwright.app.requests import JudgingRequest, read_request, with_progress

    with progress_line("replies") as progress:
        request = with_progress(read_request(JudgingRequest, **settings_of(given)), progress)
        found = count_by_judge(request, only=only)
    if as_json:
        print_json(found.document)
    else:
        _show([(given["data"], found.rows)])
    if found.failed:
        show_failures(found.failed, found.examples, beside_json=as_json)
        ctx.exit(1)


def _show(measured: Sequence[tuple[Path, Sequence[Measurement]]]) -> None:
    from callwright.papers.registry import measures
    from callwright.report.measure_tables import comparing_table, measuring_table

    if len(measured) > 1:
        terminal().print(comparing_table([(printable(str(one)), rows) for one, rows in measured], measures()))
    else:
        terminal().print(measuring_table(measured[0][1], measures()))


def _judge(dataset: Path, only: str, given: dict[str, Any]) -> JudgingResult:
    from callwright.app.judging import judge_dataset
    from callwright.app.measuring import measured_metrics
    from callwright.protocol.judged_rows import CONV_REL

    if "conv_rel" not in measured_metrics(only):
        raise BadInput("--judge has no effect if ConvRel is not measured. Leave it out, or add conv-rel to --only.")
    with progress_line("replies") as progress:
        return judge_dataset(dataset, criteria=CONV_REL, progress=progress, **settings_of(given))


def _refuse_unused(given: dict[str, Any]) -> None:
    """Raise BadInput for an option that only judges need."""
    for name, value in given.items():
        if value is not None and name != "concurrency":
            raise BadInput(f"--{name.replace('_', '-')} needs --judge. Leave it out, or name a judge.")

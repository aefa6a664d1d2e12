"""`callwright win-rate`: which of two models a judge prefers in general chat."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callwright.cli import printable
from callwright.cli.model_options import Asked, asking_options, asking_settings
from callwright.cli.progress_line import progress_line
from callwright.cli.results import print_json, show_failures, show_usage, shown_when_stopped

if TYPE_CHECKING:
    from callwright.app.preferring import WinRate

_COMPARED = Asked("the compared models", "a compared model", "a model", "the run", "Most requests at once.")


@click.command("win-rate")
@click.argument("prompts", type=click.Path(path_type=Path))
@click.option("--model", required=True, help="The model whose wins count, such as a tuned one.")
@click.option("--against", required=True, help="The model that it is compared with, such as its base.")
@click.option("--judge", required=True, help="The model that prefers one of two answers: `openai/NAME@URL`.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="Folder of the run.")
@click.option("--limit", type=click.IntRange(min=1), help="Use only the first requests.")
@asking_options(_COMPARED)
@click.option("--json", "as_json", is_flag=True, help="Print the result, with all answers, as one JSON document.")
@click.pass_context
def command(ctx: click.Context, /, *, as_json: bool, **given: Any) -> None:
    """Let two models answer PROMPTS without tools, and a judge prefer one answer of each pair.

    PROMPTS has one JSON object a line: {"prompt": TEXT}. Each pair is judged in both orders; equal answers tie. The
    same command goes on after a stop, and asks nothing twice. Exit code 1: some requests got no preference.
    """
    from callwright.app.preferring import WinRateRequest, measure_win_rate

    show = partial(_show, as_json=as_json)
    with shown_when_stopped(show, as_json=as_json), progress_line("requests") as progress:
        asking, execution, own = asking_settings({**given, "progress": progress})
        found = measure_win_rate(WinRateRequest(asking=asking, execution=execution, **own))
    show(found)
    if found.failed:
        ctx.exit(1)


def _show(found: WinRate, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        show_failures(found.failed, found.examples, beside_json=True)
        return
    rate = found.rate
    if rate.value is not None:
        bounds = "" if rate.low is None else f" [{rate.low:.2f}, {rate.high:.2f}]"
        click.echo(
            f"Win rate {rate.value:.2f}{bounds}: {found.wins:,} won, {found.ties:,} tied, {found.losses:,} lost."
        )
    if found.first_place is not None:
        click.echo(f"The judge preferred the answer shown first {found.first_place:.2f} of the time.")
    show_usage(found.tokens, found.faults)
    show_failures(found.failed, found.examples)
    click.echo(f"  {printable(found.signature)}")

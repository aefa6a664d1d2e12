"""`callwright explain`: what became of one task of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from callwright.cli.results import print_json, terminal


@click.command("explain")
@click.argument("run", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("task")
@click.option("--match", type=click.Choice(["strict", "lenient"]), default="strict", show_default=True)
@click.option("--trial", type=click.IntRange(min=0), default=0, show_default=True, help="Number of the rollout.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON document.")
def command(run: Path, task: str, *, match: Literal["strict", "lenient"], trial: int, as_json: bool) -> None:
    """Show one TASK of RUN, a folder of `eval --protocol wild`: gold calls, steps, first error.

    TASK is a dialogue's id (its beginning is enough) and the number of the task in it, such as ID/2.
    """
    from callwright.app.wild import explain_task

    found = explain_task(run, task, match=match, trial=trial)
    if as_json:
        print_json(found.explanation)
        return

    from callwright.papers.wild.task_view import task_view

    terminal().print(task_view(found.dialogue, found.position, found.transcript, found.verdict))

"""`callwright explain`: what became of one task of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from callwright.cli.results import print_json, terminal
from callwright.cli.struct_options import given, owned_options
from callwright.papers.registry import load_explainer, names_of

_HELP = "Show one TASK of RUN, the folder of an evaluation: what was due, what was called when, the first error."


def _explain(run: Path, task: str, *, trial: int, as_json: bool, **options: Any) -> None:
    from callwright.app.rescoring import explain_task

    found = explain_task(run, task, trial=trial, **given(options))
    if as_json:
        print_json(found.document)
    else:
        terminal().print(found.view())


_EXPLAINERS = {name: load_explainer(name) for name in names_of("explainers")}

command = click.Command(
    "explain",
    params=[
        click.Argument(["run"], type=click.Path(exists=True, file_okay=False, path_type=Path)),
        click.Argument(["task"]),
        *owned_options((name, explainer.options) for name, explainer in _EXPLAINERS.items()),
        click.Option(["--trial"], type=click.IntRange(min=0), default=0, show_default=True, help="Which rollout."),
        click.Option(["as_json", "--json"], is_flag=True, help="Print everything as one JSON document."),
    ],
    callback=_explain,
    help="\n\n".join((_HELP, *(f"{name}: {explainer.help}" for name, explainer in _EXPLAINERS.items()))),
)

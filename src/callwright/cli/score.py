"""`callwright score`: verdicts on what was recorded, by a protocol under its scoring options or by a benchmark."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import click

from callwright.cli import printable
from callwright.cli.results import print_json, print_rows
from callwright.cli.struct_options import given, owned_options
from callwright.errors import BadInput
from callwright.papers.registry import load_scorer, names_of
from callwright.protocol.output_score import ScoredOutputs

_HELP = """Score what was recorded; no model is asked.

PATH is the folder of a run, which its protocol scores again under the options given here, or a file of outputs that
others recorded; NAME then says by the rules of which benchmark.
"""


def _score(words: tuple[str, ...], *, by: str | None, as_json: bool, **options: Any) -> None:
    from callwright.app.rescoring import score_again, score_outputs

    if len(words) > 2:
        raise click.UsageError("expected [NAME] PATH, and one path only.")
    name, path = words if len(words) == 2 else ("", words[0])
    if Path(path).is_dir():
        found = score_again(path, name, **given(options))
    elif name:
        found = score_outputs(name, path, **given(options))
    else:
        listed = ", ".join(names_of("scorers"))
        raise BadInput(f"{path}: no folder of a run. For a file of outputs name the benchmark first, of: {listed}.")
    if by and isinstance(found, ScoredOutputs):
        raise BadInput("--by has no effect where outputs are judged one by one. Leave it out.")
    if as_json:
        print_json(found.score if isinstance(found, ScoredOutputs) else found)
    elif isinstance(found, ScoredOutputs):
        _show(found)
    else:
        print_rows(found, by=by)


def _show(found: ScoredOutputs) -> None:
    score = found.score
    for item in score.items:
        error = f"  {printable(item.error)}" if item.error else ""
        click.echo(f"{'right' if item.valid else 'wrong'}  {printable(item.id)}{error}")
    for error, count in Counter(item.error for item in score.items if item.error).most_common():
        click.echo(f"{count:>8,} {printable(error)}")
    share = "nothing to judge" if score.accuracy is None else f"accuracy {score.accuracy:.2%}"
    absent = found.questions - score.n
    click.echo(f"{share} of {score.n:,} outputs{f'; {absent:,} questions have none' if absent else ''}")
    click.echo(score.signature)


_SCORERS = {name: load_scorer(name) for name in names_of("scorers")}

command = click.Command(
    "score",
    params=[
        click.Argument(["words"], nargs=-1, required=True, metavar="[NAME] PATH"),
        *owned_options((name, scorer.options) for name, scorer in _SCORERS.items()),
        click.Option(["--by"], help="Add a table by the values of this property, such as `domain`; of runs."),
        click.Option(["as_json", "--json"], is_flag=True, help="Print all that was found as one JSON document."),
    ],
    callback=_score,
    help="\n\n".join((_HELP, *(f"{name}: {scorer.help}" for name, scorer in _SCORERS.items()))),
)

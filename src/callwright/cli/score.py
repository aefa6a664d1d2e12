"""`callwright score`: verdicts on what was recorded, by a protocol under its scoring options or by a benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callwright.cli import printable
from callwright.cli.results import print_json, print_rows
from callwright.cli.struct_options import given, owned_options
from callwright.errors import BadInput
from callwright.papers.paper import OutputScorer, RunScorer
from callwright.papers.registry import load_output_scorer, load_scorer, names_of
from callwright.protocol.output_score import RecordedScore, ScoredOutputs
from callwright.records.jsontext import Json

if TYPE_CHECKING:
    import msgspec

    from callwright.records.transcript import Row

_HELP = """Score what was recorded; no model is asked.

PATH is the folder of a run, which its protocol scores again under the options given here, or a file of outputs that
others recorded; NAME then says by the rules of which benchmark.
"""


def _score(
    words: tuple[str, ...],
    *,
    by: str | None,
    items: Path | None,
    as_json: bool,
    reviewed: bool,
    **options: Any,
) -> None:
    found = _found(words, given(options), reviewed=reviewed)
    if isinstance(found, list):
        if items:
            raise BadInput("--items has no effect on the folder of a run. Use `callwright report --items`.")
        if as_json:
            print_json(found)
        else:
            print_rows(found, by=by)
        return
    if by:
        raise BadInput("--by has no effect where outputs are judged one by one. Leave it out.")
    _show_outputs(found, items, as_json=as_json)


def _show_outputs(found: ScoredOutputs | RecordedScore, items: Path | None, *, as_json: bool) -> None:
    if items:
        _write_items(items, found.items if isinstance(found, RecordedScore) else found.score.items)
    if as_json:
        print_json(found.document if isinstance(found, RecordedScore) else found.score)
    elif isinstance(found, RecordedScore):
        _show_rows(found.rows)
    else:
        _show(found)


def _found(
    words: tuple[str, ...], options: dict[str, Json], *, reviewed: bool
) -> list[Row] | ScoredOutputs | RecordedScore:
    from callwright.app.rescoring import score_again, score_outputs

    if len(words) > 2:
        raise click.UsageError("expected [NAME] PATH, and one path only.")
    name, path = words if len(words) == 2 else ("", words[0])
    if Path(path).is_dir():
        return score_again(path, name, reviewed=reviewed, **options)
    if reviewed:
        raise BadInput("--reviewed has no effect on a file of outputs. Leave it out.")
    if name:
        return score_outputs(name, path, **options)
    readers = [name for name, scorer in _SCORERS.items() if scorer.score_file]
    listed = ", ".join((*readers, *names_of("output_scorers")))
    raise BadInput(f"{path}: no folder of a run. For a file of outputs name the benchmark first, of: {listed}.")


def _write_items(path: Path, items: Sequence[msgspec.Struct]) -> None:
    import msgspec

    from callwright.store.files import write_atomically

    write_atomically(path, (msgspec.json.encode(item) + b"\n" for item in items))


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


def _show_rows(rows: Sequence[Sequence[str]]) -> None:
    table = [row for row in rows if len(row) > 1]
    widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
    for row in rows:
        if len(row) > 1:
            first, *others = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
            click.echo("  ".join((first.strip().ljust(widths[0]), *others)))
        else:
            click.echo(printable(row[0]))


_SCORERS = {name: load_scorer(name) for name in names_of("scorers")}
_BENCHMARKS = {name: load_output_scorer(name) for name in names_of("output_scorers")}
_OWNERS: dict[str, RunScorer | OutputScorer] = {**_SCORERS, **_BENCHMARKS}

command = click.Command(
    "score",
    params=[
        click.Argument(["words"], nargs=-1, required=True, metavar="[NAME] PATH"),
        *owned_options((name, scorer.options) for name, scorer in _OWNERS.items()),
        click.Option(["--by"], help="Add a table by the values of this property, such as `domain`; of runs."),
        click.Option(
            ["--items"],
            type=click.Path(path_type=Path),
            help="Write one line of JSON an output or dialogue to this file; of files of outputs.",
        ),
        click.Option(
            ["--reviewed"], is_flag=True, help="Of a run: leave out dialogues whose transcript people marked wrong."
        ),
        click.Option(["as_json", "--json"], is_flag=True, help="Print all that was found as one JSON document."),
    ],
    callback=_score,
    help="\n\n".join((_HELP, *(f"{name}: {scorer.help}" for name, scorer in _OWNERS.items()))),
)

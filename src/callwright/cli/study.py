"""`callwright study`: figures for studies with people."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from callwright.cli import printable
from callwright.cli.results import print_json, print_rows
from callwright.errors import BadInput

if TYPE_CHECKING:
    from callwright.app.answering import PersonAnswer
    from callwright.models.chat import Message
    from callwright.protocol.episode import Episode
    from callwright.records.jsontext import Json

_LARGEST = 1_000_000
"""Most bytes of a file of points."""


_LONGEST_LINE = 100_000


@click.group("study")
def command() -> None:
    """Plan studies with people, and see how their figures go with others."""


@command.command("size")
@click.option("--population", type=int, help="How many cases there are.  [default: without end]")
@click.option("--error", type=float, default=0.05, show_default=True, help="Margin of error.")
@click.option("--z", type=float, default=1.96, show_default=True, help="Quantile of the confidence: 1.96 for 95 %.")
@click.option("--share", type=float, default=0.5, show_default=True, help="Expected proportion; .5 needs the most.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON document.")
def size(*, population: int | None, error: float, z: float, share: float, as_json: bool) -> None:
    """Print how many cases people have to look at (Cochran, with the correction for a finite population)."""
    from callwright.stats.studies import sample_size

    found = sample_size(population, z=z, error=error, share=share)
    if as_json:
        print_json({"cases": found.cases, "infinite": found.infinite, "finite": found.finite})
        return
    corrected = "" if found.finite is None else f", {found.finite:.1f} of {population:,}"
    click.echo(f"{found.cases:,} cases ({found.infinite:.2f} of a population without end{corrected})")


@command.command("correlate")
@click.argument("points", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the figures as one JSON document.")
def correlate(points: Path, *, as_json: bool) -> None:
    """Print Pearson's r of POINTS, a CSV file with two numbers a line, with t and the two-sided p."""
    from callwright.stats.studies import pearson

    found = pearson(_read(points))
    if as_json:
        print_json(found)
        return
    if found.t is None:
        click.echo(f"r = {found.r:.0f} exactly over {found.n:,} points: they lie on a line, and t is not finite")
        return
    click.echo(f"r = {found.r:.5f} over {found.n:,} points, t = {found.t:.3f}, two-sided p = {found.p:.4f}")


@command.command("answer")
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--answers",
    type=click.Path(path_type=Path),
    help="File of answers, one JSON object a line: read first, then added to.  [default: DATASET-answers.jsonl]",
)
@click.option("--protocol", help="Protocol that people answer under.  [default: that of the data's recipe]")
@click.option("--cases", type=int, help="Draw so many dialogues, evenly over their lengths.  [default: all]")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the draw.")
@click.option("--score", "only_score", is_flag=True, help="Ask nothing; score the answers that are there.")
@click.option("--json", "as_json", is_flag=True, help="Print the rows as one JSON list.")
def answer(
    *,
    dataset: Path,
    answers: Path | None,
    protocol: str | None,
    cases: int | None,
    seed: int,
    only_score: bool,
    as_json: bool,
) -> None:
    """Let a person give the calls of the dialogues of DATASET in the terminal, and score them as a model's.

    Each answer is one line: the name of a function that is shown and its arguments as JSON, as in
    `book {"city": "Oslo"}`; an empty line: no call; `? NAME`: the function's document; `q`: stop, and go on later with
    the same command.
    """
    from callwright.app.answering import Study

    study = Study(dataset, protocol, cases=cases, seed=seed)
    answers = answers or dataset.absolute().with_name(f"{dataset.absolute().name}-answers.jsonl")
    if answers.exists():
        study.read(answers)
    elif only_score:
        raise BadInput(f"{answers}: no such file. Give one with answers, or leave out --score.")
    if not only_score:
        with answers.open("a", encoding="utf-8") as file:
            for one in study.answer(_ask):
                file.write(one.line + "\n")
                file.flush()
        click.echo(f"{len(study.answers):,} answers in {printable(str(answers))}", err=True)
    rows = study.rows()
    if waiting := study.n_waiting:
        counts = f"{waiting:,} of {len(study.chosen):,} chosen dialogues"
        click.echo(f"{counts} are not answered to their end, and left out.", err=True)
    if as_json:
        print_json(rows)
    else:
        print_rows(rows, by=None)


def _ask(episode: Episode, number: int, news: tuple[Message, ...]) -> PersonAnswer | None:
    """Show what is new, and read a line until it is an answer; None to stop."""
    from callwright.app.answering import signature, typed

    tools = {str(tool["name"]): tool for tool in episode.tools()}
    if number == 1:
        today = f" Today is {episode.dialogue.today}." if episode.dialogue.today else ""
        click.echo(f"\n{printable(f'{episode.dialogue.id}.{today} Functions:')}", err=True)
        for tool in tools.values():
            click.echo(f"  {printable(signature(tool))}", err=True)
    for message in news:
        if message.role != "system" and message.content:
            speaker = f"{message.said_by}: " if message.said_by else ""
            click.echo(printable(f"{speaker}{message.content}"), err=True)
    while True:
        click.echo(f"call {number}> ", nl=False, err=True)
        line = sys.stdin.readline(_LONGEST_LINE)
        if not line or line.strip() == "q":
            return None
        if line.strip().startswith("?"):
            _describe(line.strip()[1:].strip(), tools)
            continue
        try:
            given = typed(episode.dialogue.id, number, line.strip())
        except BadInput as error:
            click.echo(printable(str(error)), err=True)
            continue
        if not given.function or given.function in tools:
            return given
        _refuse(given.function, tools)


def _describe(name: str, tools: Mapping[str, Json]) -> None:
    from callwright.records.jsontext import encode

    if name in tools:
        click.echo(printable(encode(tools[name])), err=True)
    else:
        _refuse(name, tools)


def _refuse(name: str, tools: Mapping[str, Json]) -> None:
    near = get_close_matches(name, tools, n=3)
    hint = f"Nearest: {', '.join(near)}." if near else "They stand above the chat."
    click.echo(printable(f"there is no function {name!r:.80}. {hint}"), err=True)


def _read(path: Path) -> list[tuple[float, float]]:
    """The points of a file; a first line of words is a header."""
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST + 1).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read ({error}). Give a CSV file in UTF-8.") from error
    if len(text) > _LARGEST:
        raise BadInput(f"{path}: over {_LARGEST:,} bytes. Give two numbers a line.")
    found: list[tuple[float, float]] = []
    for number, line in enumerate(csv.reader(text.splitlines()), 1):
        if not any(cell.strip() for cell in line):
            continue
        try:
            x, y = map(float, line)
        except ValueError as error:
            if number == 1:
                continue
            raise BadInput(f"{path}:{number}: two numbers with a comma between them are needed.") from error
        if not (abs(x) < float("inf") and abs(y) < float("inf")):
            raise BadInput(f"{path}:{number}: a number must be finite.")
        found.append((x, y))
    return found

"""`callwright read`: public benchmarks as datasets, which show, measure and eval work on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from callwright.cli import printable
from callwright.cli.results import print_json

if TYPE_CHECKING:
    from callwright.app.reading import ReadResult

_FILE = click.Path(path_type=Path)


@click.group("read")
def command() -> None:
    """Read a public benchmark as a dataset."""


@command.command("bfcl")
@click.argument("questions", type=_FILE)
@click.option("--answers", type=_FILE, default=None, help="The accepted answers; `irrelevance` has none.")
@click.option("--category", default="", help="Category of the questions.  [default: from the file's name]")
@click.option("--functions", type=_FILE, help="Multi-turn only.  [default: multi_turn_func_doc beside QUESTIONS]")
@click.option("-o", "--out", required=True, type=_FILE, help="Folder of the dataset.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON document.")
def bfcl(
    questions: Path, *, answers: Path | None, category: str, functions: Path | None, out: Path, as_json: bool
) -> None:
    """Read QUESTIONS of the Berkeley Function-Calling Leaderboard, with their answers.

    Questions of several turns are read with their gold calls; nothing in them is ever run.
    """
    from callwright.app.reading import read_bfcl

    result = read_bfcl(questions, answers=answers, category=category, functions=functions, out=out)
    show_read(result, out, as_json=as_json)


@command.command("wild")
@click.argument("published", type=_FILE)
@click.option("--language", type=click.Choice(["english", "chinese"]), default="english", show_default=True)
@click.option("-o", "--out", required=True, type=_FILE, help="Folder of the dataset.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON document.")
def wild(published: Path, *, language: Literal["english", "chinese"], out: Path, as_json: bool) -> None:
    """Read PUBLISHED, sessions in the layout of WildToolBench, one record a line.

    A record holds a session in both languages; one of them is read.
    """
    from callwright.app.reading import read_wild

    show_read(read_wild(published, language=language, out=out), out, as_json=as_json)


def show_read(result: ReadResult, out: Path, *, as_json: bool) -> None:
    """Print what was read, and what to do next."""
    if as_json:
        print_json(result)
        return
    folder = printable(str(out))
    category = f" of {result.category}" if result.category else ""
    click.echo(
        f"{result.dialogues:,} dialogues{category} with {result.gold_calls:,} gold calls and {result.tools:,} tools; "
        f"written to {folder}. Look at them: callwright show {folder}"
    )

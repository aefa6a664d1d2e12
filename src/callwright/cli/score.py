"""`callwright score`: verdicts on what was recorded, by the rules of a benchmark."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from callwright.cli import printable
from callwright.cli.results import print_json, terminal

if TYPE_CHECKING:
    from callwright.papers.bfcl.question_layout import Question
    from callwright.papers.bfcl.result_scoring import BfclScore

_FILE = click.Path(path_type=Path)


@click.group("score")
def command() -> None:
    """Judge recorded outputs by the rules of a benchmark."""


@command.command("bfcl")
@click.argument("results", type=_FILE)
@click.option("--questions", type=_FILE, default=None, help="The questions with their tool documents.")
@click.option("--answers", type=_FILE, default=None, help="The accepted answers; `irrelevance` has none.")
@click.option(
    "--mode",
    type=click.Choice(["official", "strict"]),
    default="official",
    show_default=True,
    help="The leaderboard's verdicts, or types at every depth and the best pairing.",
)
@click.option("--category", default="", help="Category of the questions.  [default: from a file's name]")
@click.option("--json", "as_json", is_flag=True, help="Print accuracy and verdicts as one JSON document.")
def bfcl(
    results: Path,
    *,
    questions: Path | None,
    answers: Path | None,
    mode: Literal["official", "strict"],
    category: str,
    as_json: bool,
) -> None:
    """Judge the outputs in RESULTS, which are lines of `{"id", "result"}`, on single-turn questions of BFCL.

    An output is a text in Python call syntax or a list of native calls. One that cannot be decoded is wrong, and makes
    no call in `irrelevance`. Nothing in it is ever run. RESULTS may also be the folder of a run, which has its
    questions and answers itself.
    """
    from callwright.errors import BadInput

    if results.is_dir():
        if questions or answers or category:
            raise BadInput(f"{results}: a run has its own questions and answers. Leave those options out.")
        score, asked = _score_run(results, mode)
    elif questions is None:
        raise BadInput("--questions is missing. Name the file of questions for these outputs.")
    else:
        score, asked = _score_file(results, questions, answers, category, mode)
    if as_json:
        print_json(score)
    else:
        _show(score, asked)


def _score_file(
    results: Path, questions: Path, answers: Path | None, category: str, mode: Literal["official", "strict"]
) -> tuple[BfclScore, int]:
    """The verdicts on recorded outputs, and the number of questions."""
    from callwright.formats import document
    from callwright.papers.bfcl.question_layout import read_results
    from callwright.papers.bfcl.result_scoring import score_results

    name = _category(category, questions, results)
    asked = _read_questions(questions, answers, name)
    recorded = read_results(document.load(results), source=str(results), known=asked)
    return score_results(asked, recorded, mode=mode, category=name), len(asked)


def _score_run(run: Path, mode: Literal["official", "strict"]) -> tuple[BfclScore, int]:
    """The verdicts on the transcripts of a run, and the number of its questions."""
    from callwright.errors import BadInput
    from callwright.papers.bfcl.transcript_scoring import score_transcripts
    from callwright.protocol.run_access import open_run

    view = open_run(run)
    if not str(view.config.get("protocol", "")).startswith("bfcl."):
        raise BadInput(f"{run}: this is not a BFCL run. Give one of `callwright eval --protocol bfcl`.")
    dialogues = {dialogue.id: dialogue for dialogue in view.dialogues}
    return score_transcripts(dialogues, view.catalog.by_key, view.transcripts, mode=mode), len(dialogues)


@command.command("wild")
@click.argument("run", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--match",
    type=click.Choice(["strict", "lenient"]),
    default="strict",
    show_default=True,
    help="Compare values exactly, or with the leniencies that the schema allows.",
)
@click.option(
    "--judged", is_flag=True, help="Questions and answers must also pass the judges of `callwright judge RUN`."
)
@click.option("--by", help="Add a table by the values of this property, such as `hiding`.")
@click.option("--json", "as_json", is_flag=True, help="Print all rows, of all slices, as one JSON list.")
def wild(run: Path, *, match: Literal["strict", "lenient"], judged: bool, by: str | None, as_json: bool) -> None:
    """Score RUN, a folder of `eval --protocol wild`, again; no model is asked.

    Any text without a call counts as a question in clarify tasks, and as an answer in chat tasks. With --judged a
    question must ask for the missing value and an answer must answer the user, according to judges: first run
    `callwright judge RUN --criteria clarify-asks,chat-answers --judge MODEL`.
    """
    from callwright.app.wild import score_wild

    rows = score_wild(run, match=match, judged=judged)
    if as_json:
        print_json(rows)
        return

    from callwright.papers.registry import protocols_of
    from callwright.report.table import report_table

    terminal().print(report_table(rows, protocols_of(rows), by=by or ""))


def _category(given: str, questions: Path, results: Path) -> str:
    from callwright.errors import BadInput
    from callwright.papers.bfcl.question_layout import category_of

    if given and not category_of(given):
        raise BadInput(
            f"--category {given!r}: no single-turn Python category. Known: simple, simple_python, multiple, parallel, "
            "parallel_multiple and irrelevance, each also with `live_` before it."
        )
    return category_of(given or questions.name) or category_of(results.name)


def _read_questions(questions: Path, answers: Path | None, category: str) -> tuple[Question, ...]:
    from callwright.errors import BadInput
    from callwright.formats import document
    from callwright.papers.bfcl import question_layout as layout

    if category.endswith(layout.IRRELEVANCE):
        return layout.read(document.load(questions), source=str(questions))
    if answers is None:
        raise BadInput("--answers is missing. Name the file of accepted answers; only `irrelevance` has none.")
    return layout.read(document.load(questions), document.load(answers), source=str(questions))


def _show(score: BfclScore, asked: int) -> None:
    for item in score.items:
        click.echo(
            f"{'right' if item.valid else 'wrong'}  {printable(item.id)}{f'  {item.error}' if item.error else ''}"
        )
    errors = Counter(item.error for item in score.items if item.error)
    for error, count in errors.most_common():
        click.echo(f"{count:>8,} {error}")
    share = "nothing to judge" if score.accuracy is None else f"accuracy {score.accuracy:.2%}"
    click.echo(
        f"{share} of {score.n:,} outputs{f'; {asked - score.n:,} questions have none' if asked > score.n else ''}"
    )
    click.echo(score.signature)

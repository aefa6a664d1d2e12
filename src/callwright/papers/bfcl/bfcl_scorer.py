"""Recorded outputs and runs on single-turn BFCL judged item by item."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec
from msgspec import Meta

from callwright.errors import BadInput
from callwright.formats import document
from callwright.papers.bfcl import question_layout as layout
from callwright.papers.paper import RunScorer
from callwright.protocol.output_score import ScoredOutputs

if TYPE_CHECKING:
    from callwright.protocol.run_access import RunView

_FILE: Final = {"metavar": "FILE"}


class BfclScoringOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Questions and answers by which outputs are judged."""

    questions: Annotated[str | None, Meta(description="The questions with their tool documents.", extra=_FILE)] = None
    answers: Annotated[str | None, Meta(description="The accepted answers; `irrelevance` has none.", extra=_FILE)] = (
        None
    )
    mode: Annotated[
        Literal["official", "strict"],
        Meta(description="The leaderboard's verdicts, or types at every depth and the best pairing."),
    ] = "official"
    category: Annotated[str, Meta(description="Category of the questions.  [default: from a file's name]")] = ""


def score_run(run: RunView, options: BfclScoringOptions) -> ScoredOutputs:
    """Return the verdicts on the transcripts of a run. Raises BadInput for options that a run has no use for."""
    from callwright.papers.bfcl.transcript_scoring import score_transcripts

    if options.questions or options.answers or options.category:
        raise BadInput(f"{run.folder}: a run has its own questions and answers. Leave those options out.")
    dialogues = {dialogue.id: dialogue for dialogue in run.dialogues}
    score = score_transcripts(dialogues, run.catalog.by_key, run.transcripts, mode=options.mode)
    return ScoredOutputs(score, len(dialogues))


def score_file(results: Path, options: BfclScoringOptions) -> ScoredOutputs:
    """Return the verdicts on recorded outputs: lines of `{"id", "result"}`. Raises BadInput."""
    from callwright.papers.bfcl.result_scoring import score_results

    if options.questions is None:
        raise BadInput("--questions is missing. Name the file of questions for these outputs.")
    questions = Path(options.questions)
    category = _category(options.category, questions, results)
    asked = _read_questions(questions, options.answers, category)
    recorded = layout.read_results(document.load(results), source=str(results), known=asked)
    return ScoredOutputs(score_results(asked, recorded, mode=options.mode, category=category), len(asked))


def _category(given: str, questions: Path, results: Path) -> str:
    if given and not layout.category_of(given):
        raise BadInput(
            f"--category {given!r}: no single-turn Python category. Known: simple, simple_python, multiple, parallel, "
            "parallel_multiple and irrelevance, each also with `live_` before it."
        )
    return layout.category_of(given or questions.name) or layout.category_of(results.name)


def _read_questions(questions: Path, answers: str | None, category: str) -> tuple[layout.PublishedQuestion, ...]:
    if category.endswith(layout.IRRELEVANCE):
        return layout.read(document.load(questions), source=str(questions))
    if answers is None:
        raise BadInput("--answers is missing. Name the file of accepted answers; only `irrelevance` has none.")
    return layout.read(document.load(questions), document.load(Path(answers)), source=str(questions))


SCORER: Final = RunScorer(
    'PATH is a run, or a file of lines `{"id", "result"}` on single-turn questions. An output is a text in Python '
    "call syntax or a list of native calls. One that cannot be decoded is wrong, and makes no call in `irrelevance`. "
    "Nothing in it is ever run.",
    BfclScoringOptions,
    score_run,
    score_file,
)

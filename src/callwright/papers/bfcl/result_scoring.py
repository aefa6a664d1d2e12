"""Scores of recorded outputs on single-turn BFCL: a verdict for each, and their share that is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from callwright import __version__
from callwright.papers.bfcl.bfcl_options import BfclMode
from callwright.papers.bfcl.error_kinds import BfclError
from callwright.papers.bfcl.question_layout import Question, Recorded, decode_result
from callwright.papers.bfcl.question_verdict import verdict
from callwright.papers.bfcl.wanted_calls import wanted
from callwright.records.jsontext import Json, encode
from callwright.records.tool import digest


class Verdict(msgspec.Struct, frozen=True):
    """Whether one recorded output is right, and why not."""

    id: str
    """As recorded."""
    valid: bool
    error: BfclError | None


class BfclScore(msgspec.Struct, frozen=True):
    """The verdicts in the order of the questions; `n` of them."""

    accuracy: float | None
    """Share of right outputs, in [0, 1]; None when there is none to judge."""
    n: int
    items: tuple[Verdict, ...]
    signature: str


def score_results(
    questions: Sequence[Question], results: Mapping[str, Recorded], *, mode: BfclMode = "official", category: str = ""
) -> BfclScore:
    """Judge the recorded outputs, by id of their question; questions without one are left out and counted.

    `category` is the slice the score stands for; where it is empty, several gold calls make a question parallel.
    """
    items = tuple(
        _judge(question, results[question.id], mode=mode, is_parallel="parallel" in category)
        for question in questions
        if question.id in results
    )
    right = sum(item.valid for item in items)
    unanswered = len(questions) - len(items)
    return BfclScore(
        accuracy=right / len(items) if items else None,
        n=len(items),
        items=items,
        signature=f"bfcl_acc.v1|mode:{mode}|category:{category or 'unknown'}|unanswered:{unanswered}"
        f"|data:{_data_digest(questions)}|callwright:{__version__}",
    )


def _judge(question: Question, recorded: Recorded, *, mode: BfclMode, is_parallel: bool) -> Verdict:
    golds = [wanted(gold, question.document(gold.tool) or {}) for gold in question.gold]
    error = verdict(decode_result(recorded.result), golds, mode=mode, is_parallel=is_parallel)
    return Verdict(recorded.id, error is None, error)


def _data_digest(questions: Sequence[Question]) -> str:
    """Digest of documents and answers, whatever the questions' order."""
    return digest(*sorted(digest(one.id, encode(list(one.documents)), encode(_answer(one))) for one in questions))


def _answer(question: Question) -> Json:
    return [
        [gold.tool, [[argument.name, list(argument.accepted)] for argument in gold.arguments]] for gold in question.gold
    ]

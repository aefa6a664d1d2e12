"""The verdict of BFCL on the calls of a reply, and the score of recorded outputs on single-turn questions.

    no gold call       irrelevance: any call is wrong, a reply that cannot be decoded makes none
    one gold call      that call alone, whatever tools stand beside it
    several            one call for each, in any order

Where several calls are wanted, `official` gives each gold call, in order, the first call that is right for it; `strict`
finds a pairing in which all are right whenever there is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from callwright import __version__
from callwright.lang.calls import WrittenCall
from callwright.match.pairing import greedy_pairing, maximum_pairing
from callwright.papers.bfcl.bfcl_options import BfclMode
from callwright.papers.bfcl.call_errors import BfclError, Wanted, wanted_call
from callwright.papers.bfcl.official_verdict import official_error
from callwright.papers.bfcl.question_layout import PublishedQuestion, Recorded, decode_result
from callwright.papers.bfcl.strict_verdict import strict_error
from callwright.protocol.output_score import OutputScore, Verdict
from callwright.records.jsontext import Json, encode
from callwright.records.tool import digest

_ERROR_OF = {"official": official_error, "strict": strict_error}
_PAIRING = {"official": greedy_pairing, "strict": maximum_pairing}


def verdict(
    calls: Sequence[WrittenCall] | None, wanted: Sequence[Wanted], *, mode: BfclMode, is_parallel: bool
) -> BfclError | None:
    """Return why a reply is wrong; None when it is right.

    `calls` is None for a reply that cannot be decoded. `is_parallel` is true in the categories of several calls, where
    a call without counterpart is `cannot_find_match` even if only one is wanted.
    """
    if not wanted:
        return "wrong_count" if calls else None
    if calls is None:
        return "undecodable"
    if len(calls) != len(wanted):
        return "wrong_count"
    error_of = _ERROR_OF[mode]
    if len(wanted) == 1 and not is_parallel:
        return error_of(calls[0], wanted[0])
    pairs = _PAIRING[mode](len(wanted), len(calls), lambda gold, call: error_of(calls[call], wanted[gold]) is None)
    return "cannot_find_match" if None in pairs else None


def score_results(
    questions: Sequence[PublishedQuestion],
    results: Mapping[str, Recorded],
    *,
    mode: BfclMode = "official",
    category: str = "",
) -> OutputScore:
    """Judge the recorded outputs, by id of their question; questions without one are left out and counted.

    `category` is the slice the score stands for; where it is empty, several gold calls make a question parallel.
    """
    items = [
        _judge(question, results[question.id], mode=mode, is_parallel="parallel" in category)
        for question in questions
        if question.id in results
    ]
    of = f"category:{category or 'unknown'}|unanswered:{len(questions) - len(items)}|data:{_data_digest(questions)}"
    return score_of(items, mode=mode, of=of)


def score_of(items: Sequence[Verdict], *, mode: BfclMode, of: str) -> OutputScore:
    """Return the score of some verdicts; `of` says in its signature what they are verdicts on."""
    right = sum(item.valid for item in items)
    return OutputScore(
        accuracy=right / len(items) if items else None,
        n=len(items),
        items=tuple(items),
        signature=f"bfcl_acc.v1|mode:{mode}|{of}|callwright:{__version__}",
    )


def _judge(question: PublishedQuestion, recorded: Recorded, *, mode: BfclMode, is_parallel: bool) -> Verdict:
    golds = [wanted_call(gold, question.document(gold.tool) or {}) for gold in question.gold]
    error = verdict(decode_result(recorded.result), golds, mode=mode, is_parallel=is_parallel)
    return Verdict(recorded.id, error is None, error)


def _data_digest(questions: Sequence[PublishedQuestion]) -> str:
    """Digest of documents and answers, whatever the questions' order."""
    return digest(*sorted(digest(one.id, encode(list(one.documents)), encode(_answer(one))) for one in questions))


def _answer(question: PublishedQuestion) -> Json:
    return [
        [gold.tool, [[argument.name, list(argument.accepted)] for argument in gold.arguments]] for gold in question.gold
    ]

"""The rows of a run on BFCL: accuracy for the whole and by category, its ceiling, and the shares of error classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from callwright.errors import BadDocument, BadInput
from callwright.lang.calls import WrittenCall, read_calls
from callwright.match.values import arguments_of
from callwright.papers.bfcl.bfcl_options import BfclMode
from callwright.papers.bfcl.call_errors import BfclError, wanted_call
from callwright.papers.bfcl.question_dialogues import document_of, published_gold
from callwright.papers.bfcl.result_scoring import score_of, verdict
from callwright.protocol import JudgedTask
from callwright.protocol.output_score import OutputScore, Verdict
from callwright.protocol.scoring import WHOLE, RowCounts, Scoring, Slice, data_digest, in_order, known_dialogue
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.annotations.bfcl_notes import BfclQuestion
from callwright.records.dialogue import Call, Dialogue, Turn
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool
from callwright.records.transcript import Row, Transcript
from callwright.stats.intervals import ratio_interval

UNKNOWN: Final = "unknown"
"""Slice of the questions whose category nobody told."""

_NOTHING: Final = "no reply was judged"


class _Judged(msgspec.Struct, frozen=True):
    """The verdict on one reply, and whether any reply could be right."""

    error: BfclError | None
    can_be_right: bool


class _Part(msgspec.Struct):
    replies: dict[str, list[_Judged]] = {}
    n_failed: int = 0
    skipped: Counter[str] = msgspec.field(default_factory=Counter)


def why_skipped(dialogue: Dialogue) -> str:
    """Return why no reply to a question can be judged; empty when one can."""
    if not isinstance(dialogue.annotation, BfclQuestion):
        return "of several turns: their calls would have to be run"
    return "" if dialogue.tasks else "no answer was read with the question"


def score(
    dialogues: Mapping[str, Dialogue],
    tools: Mapping[str, Tool],
    transcripts: Iterable[Transcript],
    *,
    failed: Sequence[str] = (),
    scoring: Scoring,
) -> list[Row]:
    """Return the rows of one run (see `Scorer`). Raises BadInput for a transcript of an unknown dialogue."""
    mode: BfclMode = scoring.options.get("match", "official")
    parts: dict[str, _Part] = {"": _Part()}
    for dialogue, transcript in in_order(transcripts, dialogues):
        own = [parts.setdefault(name, _Part()) for name in ("", _category(dialogue))]
        if why := why_skipped(dialogue):
            for part in own:
                part.skipped[why] += 1
            continue
        judged = _judge(dialogue, transcript, tools, mode)
        for part in own:
            part.replies.setdefault(dialogue.id, []).append(judged)
    for id_ in failed:
        for name in ("", _category(known_dialogue(id_, dialogues))):
            parts.setdefault(name, _Part()).n_failed += 1
    rows = [row for name, part in sorted(parts.items()) for row in _part_rows(part, name, mode, scoring)]
    return rows + _error_rows(parts[""], mode, scoring)


def judge(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], options: Mapping[str, Json]
) -> tuple[JudgedTask, ...]:
    """Return the verdict on one reply, with the calls it makes or writes. Raises BadInput for one that is skipped."""
    if why := why_skipped(dialogue):
        raise BadInput(f"dialogue {dialogue.id}: {why}.")
    judged = _judge(dialogue, transcript, tools, options.get("match", "official"))
    made = _calls_of(transcript.turns[len(dialogue.turns) :], {})
    shown = {str(document_of(tools[one.key]).get("name", one.name)): one.name for one in dialogue.tools}
    calls = tuple(Call(shown.get(call.tool, call.tool), encode(call.arguments)) for call in made or ())
    sums = {"bfcl_acc": (float(judged.error is None), 1.0), "bfcl_ceiling": (float(judged.can_be_right), 1.0)}
    return (JudgedTask(error=judged.error or "", calls=calls, sums=sums),)


def score_transcripts(
    dialogues: Mapping[str, Dialogue], tools: Mapping[str, Tool], transcripts: Iterable[Transcript], *, mode: BfclMode
) -> OutputScore:
    """Return the verdicts on a run's transcripts that can be judged, by dialogue and trial."""
    judgeable = [one for one in transcripts if not why_skipped(known_dialogue(one.dialogue, dialogues))]
    places = {id_: place for place, id_ in enumerate(dialogues)}
    judgeable.sort(key=lambda one: (places[one.dialogue], one.trial))
    judged = [(one.dialogue, _judge(dialogues[one.dialogue], one, tools, mode)) for one in judgeable]
    categories = "+".join(sorted({_category(dialogues[id_]) for id_, _ in judged})) or UNKNOWN
    unanswered = len(dialogues.keys() - {id_ for id_, _ in judged})
    return score_of(
        [Verdict(id_, one.error is None, one.error) for id_, one in judged],
        mode=mode,
        of=f"category:{categories}|unanswered:{unanswered}|data:{data_digest(dialogues.values())}",
    )


def _category(dialogue: Dialogue) -> str:
    return getattr(dialogue.annotation, "category", "") or UNKNOWN


def _judge(dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], mode: BfclMode) -> _Judged:
    shown_tools(dialogue, tools)  # each is in the catalogue
    documents = {shown.name: document_of(tools[shown.key]) for shown in dialogue.tools}
    names = {name: str(document.get("name", name)) for name, document in documents.items()}
    by_name = dict(zip(names.values(), documents.values(), strict=True))
    notes = dialogue.annotation
    published = published_gold(notes, dialogue.id) if isinstance(notes, BfclQuestion) else ()
    golds = [wanted_call(gold, by_name.get(gold.tool, {})) for gold in published]
    is_parallel = "parallel" in _category(dialogue)
    plain = [Call(gold.tool, encode(gold.values)) for task in dialogue.tasks for gold in task.gold]
    made = _calls_of(transcript.turns[len(dialogue.turns) :], names)
    return _Judged(
        error=verdict(made, golds, mode=mode, is_parallel=is_parallel),
        can_be_right=verdict(_written(plain, names), golds, mode=mode, is_parallel=is_parallel) is None,
    )


def _calls_of(turns: Sequence[Turn], names: Mapping[str, str]) -> tuple[WrittenCall, ...] | None:
    """The calls of a reply, made or written in its text; None where there is neither."""
    calls = [call for turn in turns for call in turn.calls]
    if calls:
        return _written(calls, names)
    try:
        return read_calls("\n".join(turn.text for turn in turns))
    except BadDocument:
        return None


def _written(calls: Sequence[Call], names: Mapping[str, str]) -> tuple[WrittenCall, ...] | None:
    """Calls under the documented names; None where the arguments of one are no object."""
    found = [(names.get(call.tool, call.tool), arguments_of(call.arguments)) for call in calls]
    if any(arguments is None for _, arguments in found):
        return None
    return tuple(WrittenCall(name, arguments or {}) for name, arguments in found)


def _part_rows(part: _Part, category: str, mode: BfclMode, scoring: Scoring) -> list[Row]:
    slice_ = (("category", category),) if category else WHOLE
    return [
        _row(part, "bfcl_acc", slice_, lambda one: one.error is None, mode, scoring),
        _row(part, "bfcl_ceiling", slice_, lambda one: one.can_be_right, mode, scoring),
    ]


def _error_rows(part: _Part, mode: BfclMode, scoring: Scoring) -> list[Row]:
    """The share of each class of errors that occurs among all replies, the most frequent first."""
    found = Counter(one.error for replies in part.replies.values() for one in replies if one.error)
    return [
        _row(part, "bfcl_error", (("error", error),), _has(error), mode, scoring)
        for error, _ in sorted(found.items(), key=lambda item: (-item[1], item[0]))
    ]


def _has(error: BfclError) -> Callable[[_Judged], bool]:
    return lambda one: one.error == error


def _row(
    part: _Part, metric: str, slice_: Slice, counts: Callable[[_Judged], bool], mode: BfclMode, scoring: Scoring
) -> Row:
    """The share of replies that count."""
    interval = ratio_interval(
        [sum(map(counts, replies)) for replies in part.replies.values()],
        [len(replies) for replies in part.replies.values()],
        resamples=scoring.resamples,
        seed=scoring.bootstrap_seed,
    )
    skipped = "; ".join(f"{count:,} skipped: {why}" for why, count in sorted(part.skipped.items()))
    return scoring.row(
        metric,
        slice_,
        interval,
        RowCounts(len(part.replies), part.n_failed, part.skipped.total()),
        options=f"mode:{mode}|{scoring.bootstrap}",
        why=("" if part.replies else _NOTHING, skipped),
    )

"""From transcripts of the `wild` protocol to rows: pure, and the same rows each time (WildToolBench, tables 2 to 4).

    task_acc      right tasks over tasks
    session_acc   sessions whose every task is right, over sessions
    op_rate       tasks accomplished in as few steps as can be, over tasks of shape P and S+P
    ap_rate       gold calls made before the first error, over gold calls of tasks of shape S and S+P
    error_share   failed tasks of a class over failed tasks

The paper counts closing actions among the calls of `ap_rate`; here calls are calls of tools. Intervals draw dialogues,
with all their tasks and trials together. Sessions with extras are excluded (see `wild_extras`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from callwright.errors import BadInput
from callwright.match.leniency import leniency_of, signature
from callwright.papers.wild.extra_scores import add_extras, has_extras
from callwright.papers.wild.judged_words import with_words
from callwright.papers.wild.task_errors import ERRORS, WRONG_WORDS, WildError
from callwright.papers.wild.task_verdict import TaskVerdict, judge_dialogue, topology_of
from callwright.protocol.ratio_sums import Slice, Sums
from callwright.protocol.scoring import Scoring
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool
from callwright.records.transcript import Row, Transcript

SLICES: Final = ("kind", "position", "hiding", "transitions", "topology", "previous_kind", "previous_own")
DEFAULT_MATCH: Final = "strict"

_EMPTY: Final = {
    "task_acc": "no task was measured",
    "session_acc": "no session was measured",
    "op_rate": "no task has parallel calls",
    "ap_rate": "no task has sequential calls",
}
"""The metrics that every report has, and why each is None when its denominator is 0."""

_EXTRAS: Final = ("mine_rate", "remedy_rate", "again_rate", "change_rate", "stale_rate")
_ABSENT: Final = {
    "remedy_rate": "the call that fails was not made",
    "again_rate": "the call that fails was not made",
    "change_rate": "the change was not told",
    "stale_rate": "the change was not told",
}
"""What it means that a task never came to where an extra is measured: it ended before."""


def score(
    dialogues: Mapping[str, Dialogue],
    tools: Mapping[str, Tool],
    transcripts: Iterable[Transcript],
    *,
    failed: Sequence[str] = (),
    scoring: Scoring,
) -> list[Row]:
    """Return the rows of one run: dialogues by id, tools by key, and the ids of dialogues whose rollouts failed.

    The option `match` names how calls are matched, `strict` by default. With `scoring.words` a transcript counts only
    where the words that decide were judged. Raises BadInput for a transcript or failure of
    a dialogue that is not there.
    """
    leniency = leniency_of(str(scoring.options.get("match", DEFAULT_MATCH)))
    sums = Sums()
    for transcript in sorted(transcripts, key=lambda one: (one.dialogue, one.trial)):
        dialogue = _known(transcript.dialogue, dialogues)
        try:
            verdicts = judge_dialogue(dialogue, transcript, tools, leniency=leniency)
            if scoring.words is not None:
                verdicts = with_words(scoring.words, dialogue, transcript, verdicts)
        except BadInput as error:
            sums.skipped[dialogue.id, str(error)] += 1
            continue
        if has_extras(dialogue):
            sums.n_excluded[dialogue.id] += 1
            add_extras(sums, dialogue, verdicts)
        else:
            _add_session(sums, dialogue, verdicts, _errors(scoring))
    for id_ in failed:
        sums.n_failed[_known(id_, dialogues).id] += 1
    judged = scoring.words.signature if scoring.words is not None else ""
    return list(_rows(sums, scoring, f"{signature(leniency)}{judged}"))


def _errors(scoring: Scoring) -> tuple[WildError, ...]:
    return ERRORS if scoring.words is None else (*ERRORS, WRONG_WORDS)


def _known(id_: str, dialogues: Mapping[str, Dialogue]) -> Dialogue:
    if (dialogue := dialogues.get(id_)) is None:
        raise BadInput(f"a transcript is of dialogue {id_!r}, which is not among the data. Give the data of this run.")
    return dialogue


def _add_session(sums: Sums, dialogue: Dialogue, verdicts: Sequence[TaskVerdict], errors: Sequence[WildError]) -> None:
    """Add what one transcript of a dialogue without extras counts."""
    kinds = [task.kind for task in dialogue.tasks]
    changes = str(sum(one != other for one, other in pairwise(kinds)))
    session: Slice = (("transitions", changes),)
    for slice_ in ((), session):
        sums.add(slice_, "session_acc", dialogue.id, all(verdict.right for verdict in verdicts), 1)
    for at, verdict in enumerate(verdicts):
        shape = topology_of(verdict.gold)
        slices: list[Slice] = [
            (),
            (("kind", kinds[at]),),
            (("position", str(at + 1)),),
            (("hiding", dialogue.tasks[at].hiding or "none"),),
            session,
            (("previous_kind", kinds[at - 1] if at else "first"),),
            (("previous_own", verdicts[at - 1].own if at else "first"),),
        ]
        if shape:
            slices.append((("topology", shape),))
        for slice_ in slices:
            sums.add(slice_, "task_acc", dialogue.id, verdict.right, 1)
            sums.add(slice_, "op_rate", dialogue.id, verdict.right and verdict.orchestration.optimal, "P" in shape)
            sums.add(slice_, "ap_rate", dialogue.id, verdict.made, verdict.gold.graph.size * ("S" in shape))
        for error in errors:
            sums.add((("error", error),), "error_share", dialogue.id, verdict.error == error, not verdict.right)


def _rows(sums: Sums, scoring: Scoring, match: str) -> Iterator[Row]:
    for metric, why in _EMPTY.items():
        yield _row(sums, (), metric, scoring, match, why=why)
    for error in _errors(scoring):
        yield _row(sums, (("error", error),), "error_share", scoring, match, why="no task failed")
    for slice_ in [(), *(slice_ for name in (*SLICES, "mine", "remedy") for slice_ in sums.slices(name))]:
        for metric in (*_EMPTY, *_EXTRAS) if slice_ else _EXTRAS:
            if sums.measured(slice_, metric) or sums.absent[slice_, metric]:
                yield _row(sums, slice_, metric, scoring, match)


def _row(sums: Sums, slice_: Slice, metric: str, scoring: Scoring, match: str, *, why: str = "") -> Row:
    interval = sums.interval(slice_, metric, resamples=scoring.resamples, seed=scoring.bootstrap_seed)
    reasons = Counter(reason for _, reason in sums.skipped.elements())
    skipped = "; ".join(f"{count:,} skipped: {reason}" for reason, count in sorted(reasons.items())[:3])
    absent = sums.absent[slice_, metric]
    never = f"absent: in {absent:,} task{'s' if absent > 1 else ''} {_ABSENT[metric]}" if absent else ""
    closing = "|closing actions:not counted" if metric == "ap_rate" else ""
    return scoring.row(
        metric,
        slice_,
        interval,
        options=f"{match}{closing}|{scoring.bootstrap}",
        why=(why if interval.value is None else "", never, skipped),
        n=sums.measured(slice_, metric),
        n_failed=sums.n_failed.total(),
        n_excluded=0 if metric in _EXTRAS else sums.n_excluded.total(),
        n_skipped=sums.skipped.total(),
    )

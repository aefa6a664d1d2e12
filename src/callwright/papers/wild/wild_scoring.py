"""The metrics of the `wild` protocol: what each one counts, its heading in the report, and its rows.

The score of a run is a pure function of its transcripts (WildToolBench, section 3.3 and tables 2 to 4):

    task_acc      right tasks over tasks
    session_acc   sessions whose every task is right, over sessions
    op_rate       right tasks in as few steps as possible, over tasks of topology P and S+P
    ap_rate       gold calls made before the first error, over gold calls of tasks of topology S and S+P
    error_share   failed tasks of one error class over failed tasks

The paper counts closing actions among the calls of `ap_rate`; here only calls of tools count. A confidence interval
draws whole dialogues, each with all its tasks and trials.

A session with extras (forbidden calls, tool failures, changed values; not in the paper) is excluded from the metrics
above and has metrics of its own:

    mine_rate      tasks in which the model made a forbidden call, over tasks that have one
    remedy_rate    right tasks, over tasks in which the model made the call that fails
    again_rate     tasks in which the model called the failed tool again, over the same tasks except those where a
                   retry is right
    change_rate    tasks in which the model made the call with the new value, over tasks in which the user told it
    stale_rate     tasks in which the model made the call with the old value, over the same tasks

A task that ended before its failure or change is absent from these rates, and the row says how many are absent. Where
the right reaction is to ask, any words without a further call count as asking.

To change a metric, edit three places of this file: its entry in `PAPER_METRICS` or `EXTRA_METRICS`, its panel in
`PANELS`, and the function that counts it (`_add_session`, or `_add_mines`, `_add_failure`, `_add_change`). The one
other file that may matter is `task_verdict.py`: it decides whether a task is right, and the class of its error. A new
slice is one line in `_slices_of` and one panel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import msgspec

from callwright.errors import BadInput
from callwright.judge.rubric import Rubric, bundled_rubric
from callwright.judge.subject import task_replies
from callwright.match.leniency import leniency_of, signature
from callwright.match.orchestration import Paths
from callwright.match.values import arguments_of, equal
from callwright.papers.wild.session_design import hidings_of
from callwright.papers.wild.task_verdict import ERRORS, TaskVerdict, WildError, judge_dialogue, topology_of
from callwright.protocol import JudgedTask, Panel
from callwright.protocol.judged_rows import JudgedBy, judged_signature
from callwright.protocol.kept_judgements import read_judgements, transcript_talks
from callwright.protocol.ratio_sums import RatioSums
from callwright.protocol.run_access import RunView
from callwright.protocol.scoring import WHOLE, JudgedTurns, RowCounts, Scoring, Slice, in_order
from callwright.records.annotations.wild_notes import Mine, PlannedFailure, ValueChange, WildPlan
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json, decode
from callwright.records.tool import Tool
from callwright.records.transcript import Row, Transcript


class WildMetric(NamedTuple):
    """The report's text on one metric."""

    heading: str
    empty: str = ""
    """Why the metric has no value when its denominator is 0."""
    absent: str = ""
    """Why the metric cannot measure a task: the task ended before it came to what the metric counts."""


MATCH: Final = "near"
"""How calls are matched where nobody says otherwise."""

PAPER_METRICS: Final = {
    "task_acc": WildMetric("Task ↑", "no task was measured"),
    "session_acc": WildMetric("Session ↑", "no session was measured"),
    "op_rate": WildMetric("OP ↑", "no task has parallel calls"),
    "ap_rate": WildMetric("AP ↑", "no task has sequential calls"),
}
"""Every report has these."""

EXTRA_METRICS: Final = {
    "mine_rate": WildMetric("made ↓"),
    "remedy_rate": WildMetric("right ↑", absent="the call that fails was not made"),
    "again_rate": WildMetric("again ↓", absent="the call that fails was not made"),
    "change_rate": WildMetric("new ↑", absent="the change was not told"),
    "stale_rate": WildMetric("old ↓", absent="the change was not told"),
}
"""A report has these where a session with extras was measured."""

METRICS: Final = {**PAPER_METRICS, "error_share": WildMetric("share ↓", "no task failed"), **EXTRA_METRICS}


def _panel(title: str, *metrics: str, by: str = "") -> Panel:
    return Panel(title, tuple((metric, METRICS[metric].heading) for metric in metrics), slice=by)


PANELS: Final = (
    _panel("Tasks", "task_acc", "session_acc", "op_rate", "ap_rate"),
    _panel("By kind", "task_acc", by="kind"),
    _panel("By position", "task_acc", by="position"),
    _panel("By hiding", "task_acc", by="hiding"),
    _panel("By distance", "task_acc", by="distance"),
    _panel("By transitions", "task_acc", "session_acc", by="transitions"),
    _panel("By topology", "task_acc", "op_rate", "ap_rate", by="topology"),
    _panel("After a task", "task_acc", by="previous_kind"),
    _panel("After its own", "task_acc", by="previous_own"),
    _panel("First errors", "error_share", by="error"),
    _panel("Mines", "mine_rate", by="mine"),
    _panel("Failures", "remedy_rate", "again_rate", by="remedy"),
    _panel("Values changed", "change_rate", "stale_rate"),
)
"""The tables of a report, in their order; rows by a slice stand in the same order."""

NOTE: Final = (
    "OP: tasks of parallel (P) and mixed (S+P) calls done in as few steps as can be. AP: calls done of sequential (S) "
    "and mixed tasks; the closing actions that the paper counts with them (53 + 544) are no calls here. First errors "
    "are shares of failed tasks. Every task is shown the gold trajectory of those before it, not what the model did "
    "there: After a task, and After its own, tell what those were. Sessions with extras (mines, failures, values "
    "changed) are excluded from all figures but theirs."
)


def score(
    dialogues: Mapping[str, Dialogue],
    tools: Mapping[str, Tool],
    transcripts: Iterable[Transcript],
    *,
    failed: Sequence[str] = (),
    scoring: Scoring,
) -> list[Row]:
    """Return the rows of one run: dialogues by id, tools by key, and the ids of dialogues whose rollouts failed.

    The option `match` names how calls are matched, `near` by default, and `paths` which legal orders count, by
    default all. With `scoring.words` a transcript counts only
    where all words that decide a task were judged. Raises BadInput for a transcript or a failure of an unknown
    dialogue.
    """
    leniency = leniency_of(str(scoring.options.get("match", MATCH)))
    paths: Paths = "algorithm1" if scoring.options.get("paths") == "algorithm1" else "all"
    words = scoring.words
    errors: tuple[WildError, ...] = ERRORS if words is None else (*ERRORS, "wrong_words")
    sums = RatioSums()
    for dialogue, transcript in in_order(transcripts, dialogues):
        try:
            verdicts = judge_dialogue(dialogue, transcript, tools, leniency=leniency, paths=paths)
            if words is not None:
                verdicts = tuple(with_words(words, transcript, verdict) for verdict in verdicts)
        except BadInput as error:
            sums.skipped[dialogue.id, str(error)] += 1
            continue
        if plan := _extras(dialogue):
            sums.n_excluded[dialogue.id] += 1
            _add_extras(sums, dialogue.id, plan, verdicts)
        else:
            _add_session(sums, dialogue, verdicts, errors)
    sums.add_failed(failed, dialogues)
    match = f"{signature(leniency)}{'|paths:algorithm1' * (paths != 'all')}{words.signature if words else ''}"
    return list(_rows(sums, scoring, match, errors))


def judge(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], options: Mapping[str, Json]
) -> tuple[JudgedTask, ...]:
    """Return each task's error and what it adds to the metrics; nothing in a session with extras. Raises BadInput."""
    leniency = leniency_of(str(options.get("match", MATCH)))
    is_counted = _extras(dialogue) is None
    return tuple(
        JudgedTask(
            task=number,
            error=verdict.error or "",
            why=verdict.why,
            calls=verdict.calls,
            sums=_task_sums(verdict) if is_counted else {},
        )
        for number, verdict in enumerate(judge_dialogue(dialogue, transcript, tools, leniency=leniency), 1)
    )


def _task_sums(verdict: TaskVerdict) -> dict[str, tuple[float, float]]:
    """The share of a task in numerator and denominator of the metrics of tasks."""
    topology = topology_of(verdict.gold)
    sums: dict[str, tuple[float, float]] = {"task_acc": (float(verdict.right), 1)}
    if "P" in topology:
        sums["op_rate"] = (float(verdict.right and verdict.orchestration.optimal), 1)
    if "S" in topology:
        sums["ap_rate"] = (verdict.made, verdict.gold.graph.size)
    return sums


# -- metrics of the paper --------------------------------------------------------------------------------------------


def _add_session(
    sums: RatioSums, dialogue: Dialogue, verdicts: Sequence[TaskVerdict], errors: Sequence[WildError]
) -> None:
    """Count one transcript of a session without extras."""
    kinds = [task.kind for task in dialogue.tasks]
    session: Slice = (("transitions", str(sum(one != other for one, other in pairwise(kinds)))),)
    for slice_ in (WHOLE, session):
        sums.add(slice_, "session_acc", dialogue.id, all(verdict.right for verdict in verdicts), 1)
    for at, verdict in enumerate(verdicts):
        for slice_ in (WHOLE, session, *_slices_of(dialogue, at, verdicts)):
            for metric, (top, bottom) in _task_sums(verdict).items():
                sums.add(slice_, metric, dialogue.id, top, bottom)
        for error in errors:
            sums.add((("error", error),), "error_share", dialogue.id, verdict.error == error, not verdict.right)


def _slices_of(dialogue: Dialogue, at: int, verdicts: Sequence[TaskVerdict]) -> Iterator[Slice]:
    """Yield the slices that one task belongs to, beside those of its session."""
    task = dialogue.tasks[at]
    yield (("kind", task.kind),)
    yield (("position", str(at + 1)),)
    yield (("hiding", hidings_of(dialogue)[at] or "none"),)
    plan = dialogue.annotation
    far = (
        [one for one in plan.hidden if (one.task, one.hiding) == (at, "long_range")]
        if isinstance(plan, WildPlan)
        else ()
    )
    if distances := [one.distance for one in far if one.distance]:
        yield (("distance", str(max(distances))),)
    yield (("previous_kind", dialogue.tasks[at - 1].kind if at else "first"),)
    yield (("previous_own", verdicts[at - 1].own if at else "first"),)
    if topology := topology_of(verdicts[at].gold):
        yield (("topology", topology),)


# -- metrics of the extras -------------------------------------------------------------------------------------------


def _extras(dialogue: Dialogue) -> WildPlan | None:
    """Return the plan of a session that has forbidden calls, tool failures or changed values."""
    plan = dialogue.annotation
    if isinstance(plan, WildPlan) and (plan.mines or plan.failures or plan.changes):
        return plan
    return None


def _add_extras(sums: RatioSums, dialogue: str, plan: WildPlan, verdicts: Sequence[TaskVerdict]) -> None:
    """Count one transcript of a session with extras."""
    for at, kind in sorted({(mine.task, mine.kind) for mine in plan.mines}):
        mines = [mine for mine in plan.mines if (mine.task, mine.kind) == (at, kind)]
        is_hit = any(_is_made(verdicts[at], mine) for mine in mines)
        for slice_ in (WHOLE, (("mine", kind),)):
            sums.add(slice_, "mine_rate", dialogue, is_hit, 1)
    for failure in plan.failures:
        _add_failure(sums, dialogue, verdicts[failure.task], failure)
    for change in plan.changes:
        _add_change(sums, dialogue, verdicts[change.task], change)


def _is_made(verdict: TaskVerdict, mine: Mine) -> bool:
    """Whether the model made a forbidden call; where its arguments are known, they must be equal."""
    wanted = decode(mine.arguments) if mine.arguments is not None else None
    return any(
        call.tool == mine.tool and (wanted is None or equal(arguments_of(call.arguments), wanted))
        for call in verdict.calls
    )


def _add_failure(sums: RatioSums, dialogue: str, verdict: TaskVerdict, failure: PlannedFailure) -> None:
    is_seen = any(failure.call in step for step in verdict.orchestration.matched)
    tool = verdict.gold.golds[failure.call].tool
    hits = {"remedy_rate": verdict.right}
    if failure.remedy != "retry":
        hits["again_rate"] = sum(call.tool == tool for call in verdict.calls) > 1
    for slice_ in (WHOLE, (("remedy", failure.remedy),)):
        for metric, is_hit in hits.items():
            _add_or_absent(sums, slice_, metric, dialogue, is_hit, is_seen)


def _add_change(sums: RatioSums, dialogue: str, verdict: TaskVerdict, change: ValueChange) -> None:
    tool, first = verdict.gold.golds[change.call].tool, decode(change.first)
    is_new = any(change.call in step for step in verdict.orchestration.matched)
    is_old = any(
        call.tool == tool and equal((arguments_of(call.arguments) or {}).get(change.parameter), first)
        for call in verdict.calls
    )
    for metric, is_hit in (("change_rate", is_new), ("stale_rate", is_old)):
        _add_or_absent(sums, WHOLE, metric, dialogue, is_hit, verdict.begun > 1)


def _add_or_absent(sums: RatioSums, slice_: Slice, metric: str, dialogue: str, is_hit: bool, is_measured: bool) -> None:
    if is_measured:
        sums.add(slice_, metric, dialogue, is_hit, 1)
    else:
        sums.absent[slice_, metric] += 1


# -- rows ------------------------------------------------------------------------------------------------------------


def _rows(sums: RatioSums, scoring: Scoring, match: str, errors: Sequence[WildError]) -> Iterator[Row]:
    """Yield the metrics of the whole, the share of each error class, the extras, and then every slice."""
    for metric in PAPER_METRICS:
        yield _row(sums, WHOLE, metric, scoring, match)
    for error in errors:
        yield _row(sums, (("error", error),), "error_share", scoring, match)
    slices = (slice_ for panel in PANELS if panel.slice for slice_ in sums.slices(panel.slice))
    for slice_ in (WHOLE, *slices):
        for metric in (*PAPER_METRICS, *EXTRA_METRICS) if slice_ else EXTRA_METRICS:
            if sums.measured(slice_, metric) or sums.absent[slice_, metric]:
                yield _row(sums, slice_, metric, scoring, match)


def _row(sums: RatioSums, slice_: Slice, metric: str, scoring: Scoring, match: str) -> Row:
    interval = sums.interval(slice_, metric, resamples=scoring.resamples, seed=scoring.bootstrap_seed)
    n_absent, facts = sums.absent[slice_, metric], METRICS[metric]
    absent = f"absent: in {n_absent:,} task{'s' if n_absent > 1 else ''} {facts.absent}" if n_absent else ""
    n_excluded = 0 if metric in EXTRA_METRICS else sums.n_excluded.total()
    closing = "|closing actions:not counted" if metric == "ap_rate" else ""
    return scoring.row(
        metric,
        slice_,
        interval,
        RowCounts(sums.measured(slice_, metric), sums.n_failed.total(), sums.skipped.total(), n_excluded),
        options=f"{match}{closing}|{scoring.bootstrap}",
        why=(facts.empty if interval.value is None else "", absent, *sums.why_skipped[:3]),
    )


# -- judged words: an option, off by default, not in the paper ---------------------------------------------------------
#
# Without it any words without a call are right, as in WildToolBench. With it a question must ask for the missing value,
# and an answer must answer. A session with words that nobody judged, or that could not be judged, is skipped.

CRITERIA: Final[Mapping[str, str]] = {"clarify": "clarify-asks", "chat": "chat-answers"}
"""The criterion that judges the words, by kind of task."""

_RIGHT_FROM: Final = 0.5
"""Words are right from this mean on, over all judges and their samples."""


def kept_words(run: RunView) -> JudgedTurns:
    """Return what judges made of the words of a run, from the judgements kept with it.

    Where several rubrics of a criterion were asked, the bundled one counts. Raises BadInput where a kind of words has
    no judgements.
    """
    talks, _ = transcript_talks(run.dialogues, run.transcripts, run.catalog)
    found: dict[Rubric, JudgedBy] = {}
    for kind, criterion in CRITERIA.items():
        kept = read_judgements(run.folder, talks, criterion)
        if not kept and any(task_replies(talk, kind) for talk in talks):
            raise BadInput(
                f"{run.folder}: no replies of {kind} tasks are judged. Run `callwright judge {run.folder} "
                f"--criteria {','.join(CRITERIA.values())} --judge MODEL` first."
            )
        own = bundled_rubric(criterion).digest
        found |= dict(sorted(kept.items(), key=lambda one: one[0].digest != own)[:1])
    return judged_words(found)


def judged_words(made: Mapping[Rubric, JudgedBy]) -> JudgedTurns:
    """Return the mean judgement of each turn; `made` holds all judgements by their rubric."""
    of_place: dict[tuple[str, int, int], list[float | None]] = {}
    for by_judge in made.values():
        for judgement in (one for judgements in by_judge.values() for one in judgements):
            place = (judgement.item, judgement.trial, judgement.turn or 0)
            of_place.setdefault(place, []).append(judgement.value)
    signatures = "".join(f"|words:{judged_signature(rubric, by_judge)}" for rubric, by_judge in made.items())
    return JudgedTurns({place: _mean(values) for place, values in of_place.items()}, signatures)


def _mean(values: Sequence[float | None]) -> float | None:
    found = [value for value in values if value is not None]
    return sum(found) / len(found) if len(found) == len(values) else None


def with_words(words: JudgedTurns, transcript: Transcript, verdict: TaskVerdict) -> TaskVerdict:
    """Return the verdict, with the error `wrong_words` where judges found the words of the task wrong.

    The first judged turn of the task decides. Raises BadInput where its judgement has no value.
    """
    places = ((transcript.dialogue, transcript.trial, verdict.first + at) for at in range(len(verdict.turns)))
    place = next((place for place in places if place in words.values), None)
    if place is None:
        return verdict
    if (value := words.values[place]) is None:
        raise BadInput("words that decide a task could not be judged, or are not judged yet")
    if value >= _RIGHT_FROM:
        return verdict
    why = "the question does not ask for what is missing" if verdict.gold.golds else "the words are no answer"
    return msgspec.structs.replace(verdict, right=False, error="wrong_words", why=why)

"""The rows of a run of state tracking: JGA, its average over domains, slot F1, function accuracy, ceiling.

Without a slice, rows are of mode `strict`; the slice `mode` has both modes, `domain` single domains in mode `strict`,
and both together the domains in mode `fnctod`. Beside each JGA stand the ceiling and what an empty state gets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from callwright.papers.fnctod.belief_states import beliefs, changed_domains
from callwright.papers.fnctod.state_updates import PAPER, StateCall, Tracked, UpdatePolicy, state_calls, updated
from callwright.papers.fnctod.tracking_ceiling import TIE_RULE, best_states, gold_values
from callwright.papers.fnctod.tracking_metrics import (
    POLICY,
    Accepted,
    MetricMode,
    SlotCounts,
    accepted_values,
    all_right,
    counted,
    is_right,
    slot_counts,
    turn_f1,
)
from callwright.papers.fnctod.tracking_turns import TrackedTurn, raw_choices, tracked_turns, tracking_tools
from callwright.protocol import JudgedTask, Panel
from callwright.protocol.ratio_sums import RatioSums
from callwright.protocol.scoring import WHOLE, RowCounts, Scoring, Slice, in_order
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json
from callwright.records.tool import Tool
from callwright.records.transcript import Row, Transcript
from callwright.stats.intervals import Interval

MODES: Final[tuple[MetricMode, ...]] = ("strict", "fnctod")

AVERAGED: Final = ("attraction", "hotel", "restaurant", "taxi", "train")
"""The domains of the paper's Average JGA."""

_ONE_FUNCTION: Final = UpdatePolicy("one-function", several=False, clears=False, closed=False)

_STATES: Final = (("jga", "JGA ↑"), ("ceiling", "ceiling"), ("jga_empty", "empty state"))
_AVERAGES: Final = (
    ("jga_average", "average JGA ↑"),
    ("jga_average_ceiling", "average ceiling"),
    ("jga_average_empty", "average, empty"),
)
_MEAN_OF: Final = {"jga_average": "jga", "jga_average_ceiling": "ceiling", "jga_average_empty": "jga_empty"}

PANELS: Final = (
    Panel("State tracking, mode strict", (*_STATES, ("slot_f1", "slot F1 ↑")), digits=3),
    Panel("Mean over the five domains, mode strict", _AVERAGES, digits=3),
    Panel(
        "Functions and turns",
        (("function_acc", "function Acc ↑"), ("failed_turns", "failed turns"), ("dropped_values", "dropped values")),
        digits=3,
    ),
    Panel("State tracking by mode", (*_STATES, *_AVERAGES, ("slot_f1", "slot F1 ↑")), digits=3, slice="mode"),
    Panel("Ceiling by policy", (("ceiling", "JGA where every call is right"),), digits=3, slice="policy"),
    Panel("State tracking by domain, mode strict", (*_STATES, ("slot_f1", "slot F1 ↑")), digits=3, slice="domain"),
)

NOTE: Final = (
    "The ceiling is what right calls reach under the mode's policy: `open` lets several functions a turn through and "
    "clears slots, `paper` lets one through, clears nothing and drops values outside closed choices, `dontcare` too. "
    f"Tie rule where several domains changed: {TIE_RULE}. An empty state gets 28.1 % average JGA in mode fnctod on the "
    "test part of MultiWOZ 2.1, more than some published systems."
)


class ScoredTurn(NamedTuple):
    """One user turn under one mode."""

    predicted: Tracked
    gold: Accepted
    best: Tracked
    dropped: int


def mode_turns(
    dialogue: Dialogue, turns: Sequence[TrackedTurn], tools: Mapping[str, Tool], mode: MetricMode
) -> list[ScoredTurn]:
    """Return the states after each user turn of a transcript under a mode's policy; `tools` are by domain."""
    policy, choices = POLICY[mode], raw_choices(tools)
    best = best_states([gold_values(turn.gold, tools) for turn in turns], policy, choices)
    state: Tracked = {}
    found = []
    for turn, right in zip(turns, best, strict=True):
        state, dropped = updated(state, state_calls(turn.calls, tools), policy, choices)
        usable = {} if turn.is_failed and mode == "fnctod" else state
        found.append(
            ScoredTurn(
                counted(usable, mode),
                accepted_values(turn.gold),
                counted(right, mode),
                dropped,
            )
        )
    return found


def called_domains(calls: Iterable[StateCall]) -> set[str]:
    """Return the domains that calls set values of."""
    return {call.domain for call in calls if any(call.values.values())}


def score(
    dialogues: Mapping[str, Dialogue],
    tools: Mapping[str, Tool],
    transcripts: Iterable[Transcript],
    *,
    failed: Sequence[str] = (),
    scoring: Scoring,
) -> list[Row]:
    """Return the rows of one run (see `Scorer`). Raises BadInput for a transcript of an unknown dialogue."""
    sums = RatioSums()
    for dialogue, transcript in in_order(transcripts, dialogues):
        _add(sums, dialogue, transcript, tracking_tools(shown_tools(dialogue, tools)))
    sums.add_failed(failed, dialogues)
    return [row for slice_, metric in _wanted(sums) for row in [_row(sums, slice_, metric, scoring)]]


def judge(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], options: Mapping[str, Json]
) -> tuple[JudgedTask, ...]:
    """Return the verdict on each user turn, in mode strict."""
    del options
    functions = tracking_tools(shown_tools(dialogue, tools))
    turns = tracked_turns(dialogue, transcript)
    judged = []
    for number, (turn, one) in enumerate(zip(turns, mode_turns(dialogue, turns, functions, "strict"), strict=True), 1):
        right = all_right(one.predicted, one.gold)
        error = "" if right else "failed" if turn.is_failed else "wrong_state"
        best = float(all_right(one.best, one.gold))
        sums = {"jga": (float(right), 1.0), "ceiling": (best, 1.0)}
        judged.append(JudgedTask(task=number, error=error, calls=turn.calls, sums=sums))
    return tuple(judged)


def _add(sums: RatioSums, dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool]) -> None:
    turns = tracked_turns(dialogue, transcript)
    for mode in MODES:
        _add_mode(sums, dialogue.id, mode_turns(dialogue, turns, tools, mode), mode)
    _add_functions(sums, dialogue.id, turns, tools)
    choices = raw_choices(tools)
    golds = [gold_values(gold, tools) for gold in beliefs(dialogue).values()]
    accepted = [accepted_values(turn.gold) for turn in turns]
    for name, policy, repairs in (
        ("one function a turn", _ONE_FUNCTION, False),
        ("one function a turn, repairs later", _ONE_FUNCTION, True),
        ("paper", PAPER, False),
        ("open", POLICY["strict"], False),
    ):
        best = best_states(golds, policy, choices, repairs=repairs)
        hits = sum(all_right(one, gold) for one, gold in zip(best, accepted, strict=True))
        sums.add((("policy", name),), "ceiling", dialogue.id, hits, len(turns))


def _add_mode(sums: RatioSums, name: str, turns: Sequence[ScoredTurn], mode: MetricMode) -> None:
    for slice_ in _slices(mode):
        for metric, hits in (
            ("jga", sum(all_right(one.predicted, one.gold) for one in turns)),
            ("ceiling", sum(all_right(one.best, one.gold) for one in turns)),
            ("jga_empty", sum(not one.gold for one in turns)),
        ):
            sums.add(slice_, metric, name, hits, len(turns))
        sums.add(slice_, "slot_f1", name, *_f1(turns, mode, None))
    if mode == "fnctod":
        sums.add(WHOLE, "dropped_values", name, sum(one.dropped for one in turns), len(turns))
    for domain in sorted({domain for one in turns for domain in one.gold}):
        if mode == "fnctod" and domain not in turns[-1].gold:
            continue
        slice_ = _domain_slice(domain, mode)
        for metric, states in (("jga", [one.predicted for one in turns]), ("ceiling", [one.best for one in turns])):
            golds = [one.gold.get(domain, {}) for one in turns]
            hits = sum(is_right(state.get(domain, {}), gold) for state, gold in zip(states, golds, strict=True))
            sums.add(slice_, metric, name, hits, len(turns))
        sums.add(slice_, "jga_empty", name, sum(domain not in one.gold for one in turns), len(turns))
        sums.add(slice_, "slot_f1", name, *_f1(turns, mode, domain))


def _slices(mode: MetricMode) -> tuple[Slice, ...]:
    own: Slice = (("mode", mode),)
    return (WHOLE, own) if mode == "strict" else (own,)


def _domain_slice(domain: str, mode: MetricMode) -> Slice:
    return (("domain", domain),) if mode == "strict" else (("domain", domain), ("mode", mode))


def _f1(turns: Sequence[ScoredTurn], mode: MetricMode, domain: str | None) -> tuple[float, float]:
    """Return numerator and denominator of slot F1: over all slots, or as the mean of one F1 a turn."""
    counts = [_turn_counts(one, domain) for one in turns]
    if mode == "fnctod":
        return sum(map(turn_f1, counts)), len(counts)
    return 2 * sum(one.right for one in counts), sum(one.predicted + one.gold for one in counts)


def _turn_counts(one: ScoredTurn, domain: str | None) -> SlotCounts:
    names = {*one.predicted, *one.gold} if domain is None else {domain}
    found = [slot_counts(one.predicted.get(name, {}), one.gold.get(name, {})) for name in names]
    return SlotCounts(*map(sum, zip(*found, strict=True))) if found else SlotCounts(0, 0, 0)


def _add_functions(sums: RatioSums, name: str, turns: Sequence[TrackedTurn], tools: Mapping[str, Tool]) -> None:
    before: Mapping[str, Mapping[str, object]] = {}
    hits = 0
    for turn in turns:
        hits += called_domains(state_calls(turn.calls, tools)) == set(changed_domains(before, turn.gold))
        before = turn.gold
    sums.add(WHOLE, "function_acc", name, hits, len(turns))
    sums.add(WHOLE, "failed_turns", name, sum(turn.is_failed for turn in turns), len(turns))


def _wanted(sums: RatioSums) -> Iterator[tuple[Slice, str]]:
    metrics = ("jga", "ceiling", "jga_empty", "slot_f1", "function_acc", "failed_turns", "dropped_values")
    found = [WHOLE, *sums.slices("mode"), *sums.slices("policy"), *sums.slices("domain")]
    for slice_ in dict.fromkeys(found):
        names = dict(slice_)
        if names.keys() <= {"mode"}:
            yield from ((slice_, metric) for metric in _MEAN_OF)
        for metric in metrics:
            if not slice_ or sums.measured(slice_, metric):
                yield slice_, metric


def _row(sums: RatioSums, slice_: Slice, metric: str, scoring: Scoring) -> Row:
    mode: MetricMode = "fnctod" if dict(slice_).get("mode") == "fnctod" else "strict"
    if metric in _MEAN_OF:
        interval = _average(sums, _MEAN_OF[metric], mode, scoring)
        measured = sums.measured(WHOLE, "jga")
    else:
        interval = sums.interval(slice_, metric, resamples=scoring.resamples, seed=scoring.bootstrap_seed)
        measured = sums.measured(slice_, metric)
    policy = dict(slice_).get("policy", POLICY[mode].name)
    return scoring.row(
        metric,
        slice_,
        interval,
        RowCounts(measured, sums.n_failed.total()),
        options=f"mode:{mode}|policy:{policy.replace(' ', '-')}|tie:{TIE_RULE}|{scoring.bootstrap}",
        why=(interval.why,),
    )


def _average(sums: RatioSums, metric: str, mode: MetricMode, scoring: Scoring) -> Interval:
    """Return the mean over the paper's five domains that occur; a mean of ratios has no interval here."""
    rows = (sums.interval(_domain_slice(name, mode), metric, resamples=1, seed=0).value for name in AVERAGED)
    values = [value for value in rows if value is not None]
    if not values:
        return Interval(None, why="none of the five domains occurs")
    return Interval(sum(values) / len(values))

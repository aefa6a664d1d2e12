"""The metrics of the `tooldial` protocol (section 4, tables 4 and 5, appendix A.9), from the replies of a run.

    state_match     states equal to gold, over states                              slices turn, history
    act_match       acts equal to gold, over acts                                  slices turn, history
    act_f1          2 x right / (predicted + gold) of one act                      slice act
    turn_match      exchanges whose every state and act is right, over exchanges   task overall
    dialogue_match  dialogues whose every state and act is right                   task overall
    faithfulness    what judges made of the last responses (`callwright judge`)    task faithfulness
    error_share     wrong states of one class, over wrong states                   slice error
    malformed_share replies that are no JSON object of the schema, over replies; their content is scored

`turn` is the number of the user's turn. A dialogue is the unit of the bootstrap, with all its trials.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import msgspec

from callwright.errors import BadInput, BadRecord
from callwright.match.plain_text import Normaliser, plain
from callwright.models.structured import read_mapping
from callwright.papers.tooldial.prediction_points import (
    PredictionPoint,
    gold_act,
    gold_state,
    prediction_points,
    user_turn_of,
)
from callwright.papers.tooldial.state_matching import ACTS, plain_act, read_act, state_faults
from callwright.papers.tooldial.tooldial_options import ToolDialProtocolOptions
from callwright.papers.tooldial.value_origins import value_kinds
from callwright.protocol import JudgedTask, Panel
from callwright.protocol.ratio_sums import RatioSums
from callwright.protocol.scoring import NO_JUDGE, WHOLE, Scoring, Slice, in_order
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json
from callwright.records.tool import Tool
from callwright.records.transcript import Row, Transcript
from callwright.stats.intervals import Interval

METRICS: Final = {
    "state": ("state_match",),
    "act": ("act_match",),
    "overall": ("turn_match", "dialogue_match", "state_match", "act_match"),
    "faithfulness": (),
}
NO_RESPONSE: Final = "the dialogue has no response"

PANELS: Final = (
    Panel(
        "ToolDial",
        (
            ("state_match", "State ↑"),
            ("act_match", "Act ↑"),
            ("faithfulness", "Faithful ↑"),
            ("turn_match", "Turn ↑"),
            ("dialogue_match", "Dialogue ↑"),
        ),
        digits=3,
    ),
    Panel("Replies that are no JSON object of the schema", (("malformed_share", "share ↓"),), digits=3),
    Panel("By history", (("state_match", "State ↑"), ("act_match", "Act ↑")), digits=3, slice="history"),
    Panel(
        "By turn of the user", (("state_match", "State ↑"), ("act_match", "Act ↑")), digits=3, slice="turn", bars=True
    ),
    Panel("F1 by act", (("act_f1", "F1 ↑"),), digits=3, slice="act"),
    Panel("Wrong states by class of error", (("error_share", "share"),), digits=3, slice="error"),
)
NOTE: Final = (
    "Histories: `gold` shows the true labels of earlier turns, `none` no labels of the kind that is predicted, `own` "
    "the model's. Faithfulness is given by `callwright judge RUN --criteria faithfulness --samples 10`."
)


class PredictionVerdict(NamedTuple):
    """The verdict on one prediction."""

    point: PredictionPoint
    reply: str
    gold: Json
    """A state in the paper's layout, or an act."""
    is_right: bool
    errors: tuple[str, ...] = ()
    """Classes of a wrong state."""
    told: str = ""
    """The predicted act, one of the eight; empty for none."""


def verdicts(dialogue: Dialogue, transcript: Transcript, options: Mapping[str, Json]) -> list[PredictionVerdict]:
    """Return the verdict on each prediction of a transcript. Raises BadInput where replies are missing."""
    points = prediction_points(dialogue, read_task(options).task)
    replies = [turn.text for turn in transcript.turns if dialogue.role(turn) == "assistant"]
    if len(points) != len(replies):
        raise BadInput(f"transcript of {dialogue.id}: {len(replies)} replies to {len(points)} questions. Run it again.")
    normaliser: Normaliser = "paper" if options.get("normaliser") == "paper" else "unicode"
    return [_verdict(dialogue, point, reply, normaliser) for point, reply in zip(points, replies, strict=True)]


def read_task(options: Mapping[str, Json]) -> ToolDialProtocolOptions:
    """Return the options of the protocol among all options of a run. Raises BadRecord."""
    known: dict[str, Any] = {name: options[name] for name in ("task", "history") if name in options}
    try:
        return msgspec.convert(known, ToolDialProtocolOptions)
    except msgspec.ValidationError as error:
        raise BadRecord(f"the options of the run: {error}. Evaluate again.") from error


def _verdict(dialogue: Dialogue, point: PredictionPoint, reply: str, normaliser: Normaliser) -> PredictionVerdict:
    if point.kind == "act":
        act, found = gold_act(dialogue, point), read_act(reply)
        told = next((one for one in ACTS if plain_act(one) == found), "")
        return PredictionVerdict(point, reply, act, found == plain_act(act), told=told)
    gold = gold_state(dialogue, point)
    faults = state_faults(read_mapping(reply), gold, normaliser)
    kinds = value_kinds(dialogue, point.turn, faults.slots, lambda name: plain(name, normaliser))
    return PredictionVerdict(point, reply, gold, not faults.classes, (*faults.classes, *kinds))


# -- rows --------------------------------------------------------------------------------------------------------------


def score(
    dialogues: Mapping[str, Dialogue],
    tools: Mapping[str, Tool],
    transcripts: Iterable[Transcript],
    *,
    failed: Sequence[str] = (),
    scoring: Scoring,
) -> list[Row]:
    """Return the rows of one run: dialogues by id, tools by key, and the ids of dialogues whose rollouts failed."""
    del tools
    sums = RatioSums()
    sums.add_failed(failed, dialogues)
    task = read_task(scoring.options).task
    for dialogue, transcript in in_order(transcripts, dialogues):
        if task == "faithfulness":
            _add_response(sums, dialogue, transcript)
            continue
        try:
            found = verdicts(dialogue, transcript, scoring.options)
        except BadInput:
            sums.skipped[dialogue.id, "replies are missing"] += 1
            continue
        for slice_, metric, top, bottom in _shares(dialogue, found, transcript, scoring.options):
            sums.add(slice_, metric, dialogue.id, top, bottom)
    return list(_rows(sums, scoring))


def _add_response(sums: RatioSums, dialogue: Dialogue, transcript: Transcript) -> None:
    if transcript.turns:
        sums.add(WHOLE, "malformed_share", dialogue.id, bool(transcript.format_errors), 1)
    else:
        sums.skipped[dialogue.id, NO_RESPONSE] += 1


def _shares(
    dialogue: Dialogue, found: Sequence[PredictionVerdict], transcript: Transcript, options: Mapping[str, Json]
) -> Iterator[tuple[Slice, str, float, float]]:
    """Yield slice, metric, and what one transcript adds to its numerator and denominator."""
    chosen = read_task(options)
    history: Slice = (("history", chosen.history),)
    yield WHOLE, "malformed_share", len(transcript.format_errors), len(found)
    if chosen.task == "overall":
        for slice_ in (WHOLE, history):
            yield slice_, "dialogue_match", all(one.is_right for one in found), 1
            for right in _exchanges(dialogue, found):
                yield slice_, "turn_match", right, 1
    for one in found:
        metric = "act_match" if one.point.kind == "act" else "state_match"
        for slice_ in (WHOLE, history, (("turn", str(user_turn_of(dialogue, one.point))),)):
            yield slice_, metric, one.is_right, 1
        yield from _act_shares(one) if metric == "act_match" else _error_shares(one)


def _exchanges(dialogue: Dialogue, found: Sequence[PredictionVerdict]) -> Iterator[bool]:
    """Yield of each turn of the user whether all its predictions are right."""
    for _, exchange in groupby(found, key=lambda one: user_turn_of(dialogue, one.point)):
        yield all(one.is_right for one in exchange)


def _act_shares(one: PredictionVerdict) -> Iterator[tuple[Slice, str, float, float]]:
    yield (("act", str(one.gold)),), "act_f1", 2 * one.is_right, 1
    if one.told:
        yield (("act", one.told),), "act_f1", 0, 1


def _error_shares(one: PredictionVerdict) -> Iterator[tuple[Slice, str, float, float]]:
    if not one.is_right:
        for error in ERRORS:
            yield (("error", error),), "error_share", error in one.errors, 1


ERRORS: Final = (
    *("generation", "confirmation_true", "confirmation_false", "format", "api", "slot", "value"),
    *("value_multiple", "value_added", "value_other"),
)


def _rows(sums: RatioSums, scoring: Scoring) -> Iterator[Row]:
    task = read_task(scoring.options).task
    for metric in (*METRICS[task], "malformed_share"):
        yield _row(sums, WHOLE, metric, scoring)
    if task == "faithfulness":
        yield _unjudged(sums, scoring)
    for slice_, metric in _slices(sums):
        if sums.measured(slice_, metric):
            yield _row(sums, slice_, metric, scoring)


def _slices(sums: RatioSums) -> Iterator[tuple[Slice, str]]:
    own = {"act": "act_f1", "error": "error_share"}
    for name in ("history", "turn", "act", "error"):
        slices = sums.slices(name)
        if name == "turn":
            slices.sort(key=lambda one: int(one[0][1]))
        for slice_ in slices:
            for metric in (own[name],) if name in own else METRICS["overall"]:
                yield slice_, metric


def _row(sums: RatioSums, slice_: Slice, metric: str, scoring: Scoring) -> Row:
    interval = sums.interval(slice_, metric, resamples=scoring.resamples, seed=scoring.bootstrap_seed)
    chosen = read_task(scoring.options)
    return scoring.row(
        metric,
        slice_,
        interval,
        sums.counts(slice_, metric),
        options=f"task:{chosen.task}|history:{chosen.history}|normaliser:{_normaliser(scoring)}|{scoring.bootstrap}",
        why=(interval.why, *sums.why_skipped),
    )


def _unjudged(sums: RatioSums, scoring: Scoring) -> Row:
    """The row that judgements fill in."""
    options, counts = f"judge:none|history:{read_task(scoring.options).history}", sums.counts(WHOLE, "faithfulness")
    why = (NO_JUDGE, *sums.why_skipped)
    return scoring.row("faithfulness", WHOLE, Interval(None, why=NO_JUDGE), counts, options=options, why=why)


def _normaliser(scoring: Scoring) -> str:
    return str(scoring.options.get("normaliser", "unicode"))


def judge(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], options: Mapping[str, Json]
) -> tuple[JudgedTask, ...]:
    """Return the verdict on one transcript as a task: its first error, and what it adds to the metrics."""
    del tools
    if read_task(options).task == "faithfulness":
        return (JudgedTask(),)
    found = verdicts(dialogue, transcript, options)
    sums: dict[str, tuple[float, float]] = {}
    for slice_, metric, top, bottom in _shares(dialogue, found, transcript, options):
        if slice_ == WHOLE:
            before = sums.get(metric, (0.0, 0.0))
            sums[metric] = (before[0] + top, before[1] + bottom)
    first = next((one for one in found if not one.is_right), None)
    error = "" if first is None else first.errors[0] if first.errors else f"act_{first.told or 'none'}"
    why = "" if first is None else f"turn {user_turn_of(dialogue, first.point)} of the user, {first.point.kind}"
    return (JudgedTask(error=error, why=why, sums=sums),)

"""Exact match of the calls of a run (section 4, table 5).

    em_strict   name and all arguments are equal after normalisation: a call counts 1 or 0
    em_paper    mean of the match of the name and that of the arguments: 0, .5 or 1
    format_ok   the reply is one well-formed call; its content is scored in any case
    listened    no call in a round in which the assistant only listens; such rounds count nowhere else

Values are normalised as gold values are loosely typed: numbers and truth values in quotes are themselves, letter case
and blanks do not count. Slices: `length` (rounds of the dialogue), `at_round`, `party` (people), `type`. A cell is the
sum over its calls divided by their number, so `length` is what table 5 calls a round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from callwright.errors import BadInput
from callwright.lang.loose_calls import loose_calls
from callwright.match.arguments import arguments_fit
from callwright.match.leniency import UNTYPED
from callwright.models.tool_calls import find_calls
from callwright.protocol import JudgedTask, Panel
from callwright.protocol.ratio_sums import RatioSums
from callwright.protocol.scoring import WHOLE, Scoring, Slice, in_order
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Call, Dialogue, GoldCall
from callwright.records.jsontext import Json
from callwright.records.tool import Tool
from callwright.records.transcript import Row, Transcript

METRICS: Final = ("em_strict", "em_paper", "format_ok", "gold_shown")
LISTENED: Final = "listened"
"""The share of rounds without a call among those in which the assistant only listens."""
_BOTH: Final = (("em_strict", "strict ↑"), ("em_paper", "paper ↑"))

PANELS: Final = (
    Panel(
        "DICE-BENCH",
        (
            ("em_strict", "EM strict ↑"),
            ("em_paper", "EM paper ↑"),
            ("format_ok", "Format ↑"),
            ("gold_shown", "Shown"),
            (LISTENED, "Listens ↑"),
        ),
        digits=3,
    ),
    Panel("By rounds of the dialogue", _BOTH, digits=3, slice="length", averaged=True),
    Panel("By round", _BOTH, digits=3, slice="at_round"),
    Panel("By people", _BOTH, digits=3, slice="party", averaged=True),
    Panel("By type of dialogue", _BOTH, digits=3, slice="type"),
)
NOTE: Final = (
    "Paper: a call scores half for its name and half for its arguments. Format: the reply is one well-formed call. "
    "Shown: the gold tool is among the tools that the model saw. Listens: no call where nobody asks for one."
)


class RoundVerdict(NamedTuple):
    """The verdict on one round."""

    call: Call | None
    """The call that is scored: the first one."""
    name: bool
    arguments: bool
    format_ok: bool
    alone: bool
    """Whether the reply makes no other call."""
    gold_shown: bool
    listens: bool = False
    """Whether no call was due; `alone` then says that none was made."""

    @property
    def strict(self) -> bool:
        """Whether the reply is the gold call and no other."""
        return self.name and self.arguments and self.alone


def why_skipped(dialogue: Dialogue) -> str:
    """Return why the rounds of a dialogue cannot be measured; empty where they can."""
    last, names = -1, {tool.name for tool in dialogue.tools}
    for task in dialogue.tasks:
        if len(task.gold) != 1 and (task.gold or task.kind != "chat"):
            return "a round has not one gold call, and is no `chat`"
        if task.gold and task.gold[0].tool not in names:
            return "a gold tool is not among the tools"
        if task.turn is None or not last < task.turn < len(dialogue.turns):
            return "the turn of a round is no later one of the dialogue"
        last = task.turn
    return "" if dialogue.tasks else "no rounds"


def verdicts(dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool]) -> list[RoundVerdict]:
    """Return the verdict on each round; `tools` by shown name. Raises BadInput with the reason where it is skipped."""
    replies = [turn for turn in transcript.turns if dialogue.role(turn) == "assistant"]
    parts = transcript.tasks or ()
    if why := why_skipped(dialogue):
        raise BadInput(why)
    if len(replies) != len(dialogue.tasks) or len(parts) != len(replies):
        raise BadInput("replies are missing")
    found = []
    for task, reply, part in zip(dialogue.tasks, replies, parts, strict=True):
        calls, is_well_formed = reply.calls, not part.malformed
        if not calls:
            calls, is_well_formed = find_calls(reply.text).calls or loose_calls(reply.text, tools), False
        if not task.gold:
            found.append(RoundVerdict(next(iter(calls), None), False, False, False, not calls, False, listens=True))
            continue
        shown = part.shown is None or task.gold[0].tool in part.shown
        found.append(_verdict(task.gold[0], calls, tools, is_well_formed=is_well_formed, gold_shown=shown))
    return found


def _verdict(
    gold: GoldCall, calls: Sequence[Call], tools: Mapping[str, Tool], *, is_well_formed: bool, gold_shown: bool
) -> RoundVerdict:
    if not calls:
        return RoundVerdict(None, False, False, False, False, gold_shown)
    call = calls[0]
    same = arguments_fit(call.arguments, gold, tools[gold.tool], leniency=UNTYPED)
    is_one = len(calls) == 1
    return RoundVerdict(call, call.tool == gold.tool, same, is_well_formed and is_one, is_one, gold_shown)


def score(
    dialogues: Mapping[str, Dialogue],
    tools: Mapping[str, Tool],
    transcripts: Iterable[Transcript],
    *,
    failed: Sequence[str] = (),
    scoring: Scoring,
) -> list[Row]:
    """Return the rows of one run: dialogues by id, tools by key, and the ids of dialogues whose rollouts failed."""
    sums = RatioSums()
    sums.add_failed(failed, dialogues)
    for dialogue, transcript in in_order(transcripts, dialogues):
        try:
            found = verdicts(dialogue, transcript, {tool.name: tool for tool in shown_tools(dialogue, tools)})
        except BadInput as error:
            sums.skipped[dialogue.id, str(error)] += 1
            continue
        for at, one in enumerate(found):
            for slice_ in (WHOLE, *slices_of(dialogue, at)):
                for metric, value in _values(one).items():
                    sums.add(slice_, metric, dialogue.id, value, 1)
    return list(_rows(sums, scoring))


def slices_of(dialogue: Dialogue, at: int) -> Iterator[Slice]:
    """Yield the slices that round `at`, from 0, belongs to."""
    notes = dialogue.annotation
    people = sum(who.role == "user" for who in dialogue.participants)
    yield (("length", str(sum(bool(task.gold) for task in dialogue.tasks))),)
    yield (("at_round", str(at + 1)),)
    yield (("party", str(people)),)
    if isinstance(notes, DiceNotes):
        yield (("type", notes.dialogue_type),)


def _values(one: RoundVerdict) -> dict[str, float]:
    if one.listens:
        return {LISTENED: float(one.alone)}
    paper = (one.name + one.arguments) / 2
    return dict(zip(METRICS, (float(one.strict), paper, float(one.format_ok), float(one.gold_shown)), strict=True))


def _rows(sums: RatioSums, scoring: Scoring) -> Iterator[Row]:
    slices = [slice_ for name in ("length", "at_round", "party", "type") for slice_ in sums.slices(name)]
    for slice_ in (WHOLE, *slices):
        for metric in (*METRICS, LISTENED):
            if metric == LISTENED and not sums.measured(slice_, metric):
                continue  # most data has no such rounds
            interval = sums.interval(slice_, metric, resamples=scoring.resamples, seed=scoring.bootstrap_seed)
            yield scoring.row(
                metric,
                slice_,
                interval,
                sums.counts(slice_, metric),
                options=f"normaliser:untyped|top_tools:{scoring.options.get('top_tools', 0)}|{scoring.bootstrap}",
                why=(interval.why, *sums.why_skipped),
            )


def judge(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], options: Mapping[str, Json]
) -> tuple[JudgedTask, ...]:
    """Return the verdict on each round of a transcript."""
    del options
    found = verdicts(dialogue, transcript, {tool.name: tool for tool in shown_tools(dialogue, tools)})
    return tuple(
        JudgedTask(
            task=number,
            error=_error(one),
            calls=() if one.call is None else (one.call,),
            sums={metric: (value, 1.0) for metric, value in _values(one).items()},
        )
        for number, one in enumerate(found, 1)
    )


def _error(one: RoundVerdict) -> str:
    if one.listens:
        return "" if one.alone else "call_while_listening"
    if one.call is None:
        return "no_call"
    if not one.name:
        return "wrong_tool"
    if not one.arguments:
        return "wrong_arguments"
    return "" if one.alone else "more_calls"

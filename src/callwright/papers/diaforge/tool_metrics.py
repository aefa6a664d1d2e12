"""The seven tool metrics of DiaFORGE (appendix C.1), as counts of one dialogue that add up over a corpus.

Only t† counts, the first assistant turn with a call. With the gold tool τ* and its argument map:

    Acc   that turn makes exactly one call, of τ*, with exactly the gold map
    FTR   its calls of other tools, each time they occur: a count, which may exceed 1
    TAR   there is no such turn
    TCP, TCR   shared tool names over names called, over gold names
    PKP, PKR   shared argument keys over keys supplied, over gold keys

Names and keys are sets: a repeated call of τ* adds no name, and `keys` is the union over all calls of the turn,
whatever their tool. Shared ones count only where τ* is among the names called (the dialogue is *aligned*); what was
called or supplied, and what was due, counts in every dialogue. An optional gold argument is due only where an aligned
turn supplies it, so that leaving it out costs nothing; a gold value that the tool does not require is optional until
the user has said it. Where the user said a required value only because two messages in a row were not understood, Acc
is 0: who asks for nothing gains nothing. Keys of arguments that are no JSON object cannot be read and do
not count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from callwright.catalog.slots import leaves
from callwright.match.arguments import arguments_fit
from callwright.match.leniency import COERCED_NEAR, Leniency
from callwright.match.values import arguments_of
from callwright.papers.diaforge.optional_values import judged, optional_of
from callwright.records.annotations.diaforge_notes import DiaforgeNotes, DiaforgePlan
from callwright.records.dialogue import Call, Dialogue, GoldCall, Turn
from callwright.records.tool import Tool
from callwright.records.transcript import LiveUser, Transcript


class ToolCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The share of one transcript in each sum."""

    transcripts: int = 1
    correct: int
    false_calls: int
    abstained: int
    names_shared: int = 0
    names_called: int = 0
    names_due: int = 0
    keys_shared: int = 0
    keys_called: int = 0
    keys_due: int = 0

    def __add__(self, other: ToolCounts) -> ToolCounts:
        """The counts of two transcripts together."""
        return ToolCounts(**{name: getattr(self, name) + getattr(other, name) for name in self.__struct_fields__})


TOOL_METRICS: Final[Mapping[str, tuple[str, str]]] = {
    "acc": ("correct", "transcripts"),
    "ftr": ("false_calls", "transcripts"),
    "tar": ("abstained", "transcripts"),
    "tcp": ("names_shared", "names_called"),
    "tcr": ("names_shared", "names_due"),
    "pkp": ("keys_shared", "keys_called"),
    "pkr": ("keys_shared", "keys_due"),
}
"""Metric to the fields of `ToolCounts` whose sums are its numerator and denominator."""

WHY_EMPTY: Final[Mapping[str, str]] = {
    "transcripts": "no dialogue was measured",
    "names_called": "no tool was called",
    "names_due": "no tool was due",
    "keys_called": "no argument was supplied",
    "keys_due": "no argument was due",
}
"""Denominator to the reason why its metrics have no value where it is 0."""


def fits_a_tool(dialogue: Dialogue) -> bool:
    """Return False for a dialogue in which no tool fits and the assistant has to say so."""
    for note in (dialogue.annotation, dialogue.scenario.annotation if dialogue.scenario else None):
        if isinstance(note, (DiaforgeNotes, DiaforgePlan)):
            return note.tool_fits
    return True


def gold_calls(dialogue: Dialogue) -> tuple[GoldCall, ...]:
    """Return the gold calls of all tasks. These metrics are defined for one, or for none where no tool fits."""
    return tuple(call for task in dialogue.tasks for call in task.gold)


def first_calls(dialogue: Dialogue, turns: Sequence[Turn]) -> tuple[Call, ...]:
    """Return the calls of t†, the first assistant turn that has any; empty when none has."""
    for turn in turns:
        if turn.calls and dialogue.role(turn) == "assistant":
            return turn.calls
    return ()


def tool_counts(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], *, leniency: Leniency = COERCED_NEAR
) -> ToolCounts:
    """Return the counts of one transcript of a dialogue with one gold call; `tools` by shown name.

    `leniency` says which values of the call are the gold ones (`correct`).
    Where no tool fits, a transcript without a call is correct, every call is a false one, and nothing is due.
    """
    calls = first_calls(dialogue, transcript.turns)
    if not fits_a_tool(dialogue):
        return ToolCounts(correct=int(not calls), false_calls=len(calls), abstained=int(not calls))
    (gold,) = gold_calls(dialogue)
    tool = tools[gold.tool]
    paths = frozenset(leaves(tool, gold.values))
    told = _told_before_call(dialogue, transcript)
    given_away = frozenset[str]()
    if told is not None:
        given_away = paths & told.given_away - optional_of(tool, paths)
        gold = judged(gold, tool, paths - told.said)
    names = {call.tool for call in calls}
    keys = {key for call in calls for key in arguments_of(call.arguments) or ()}
    due = {argument.name for argument in gold.arguments if not argument.optional}
    aligned = gold.tool in names
    if aligned:
        due |= keys & {argument.name for argument in gold.arguments}
    return ToolCounts(
        correct=int(_is_gold(calls, gold, tool, leniency) and not given_away),
        false_calls=sum(call.tool != gold.tool for call in calls),
        abstained=int(not calls),
        names_shared=int(aligned),
        names_called=len(names),
        names_due=1,
        keys_shared=len(keys & due) if aligned else 0,
        keys_called=len(keys),
        keys_due=len(due),
    )


class _Told(NamedTuple):
    """Paths of the values that the user said before the first call."""

    said: frozenset[str]
    given_away: frozenset[str]
    """Those said only to a model that the user did not understand."""


def _told_before_call(dialogue: Dialogue, transcript: Transcript) -> _Told | None:
    """Return what was said before t†; None where neither the transcript nor the dialogue that it repeats records it."""
    turns, notes = transcript.turns, transcript.annotation
    unsure: tuple[int, ...] = ()
    if isinstance(notes, LiveUser):
        told, unsure = [(one.turn, one.parameter) for one in notes.told], notes.unsure
    elif isinstance(dialogue.annotation, DiaforgeNotes) and _is_replay(dialogue, turns):
        told = [(one.turn, one.parameter) for one in dialogue.annotation.disclosed]
    else:
        return None
    calling = (at for at, turn in enumerate(turns) if turn.calls and dialogue.role(turn) == "assistant")
    end = next(calling, len(turns))
    heard = frozenset(parameter for turn, parameter in told if turn < end and turn not in unsure)
    said = frozenset(parameter for turn, parameter in told if turn < end)
    return _Told(said, said - heard)


def _is_replay(dialogue: Dialogue, turns: Sequence[Turn]) -> bool:
    """Whether the user's turns are those of the dialogue, and it says which values are in them."""
    notes = dialogue.annotation
    users = zip(turns[::2], dialogue.turns[::2], strict=False)
    is_same = all(turn.text == other.text for turn, other in users)
    return isinstance(notes, DiaforgeNotes) and bool(notes.disclosed) and is_same


def _is_gold(calls: tuple[Call, ...], gold: GoldCall, tool: Tool, leniency: Leniency) -> bool:
    if len(calls) != 1 or calls[0].tool != gold.tool:
        return False
    return arguments_fit(calls[0].arguments, gold, tool, leniency=leniency)

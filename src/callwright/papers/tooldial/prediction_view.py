"""The predictions of one dialogue in a run, explained: right reply, the model's reply, its errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from callwright.errors import UnknownName
from callwright.papers.tooldial.history_text import HistoryText, shown_labels
from callwright.papers.tooldial.prediction_points import user_turn_of
from callwright.papers.tooldial.tooldial_scoring import PredictionVerdict, read_task, verdicts
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool
from callwright.records.transcript import Transcript

if TYPE_CHECKING:
    from rich.console import RenderableType

_LONGEST: Final = 1_000
"""Most characters of a reply or a gold state that a terminal shows."""


class ExplainedPrediction(msgspec.Struct, frozen=True, kw_only=True):
    """One prediction."""

    number: int
    """From 1."""
    turn: int
    """Turn of the user that it belongs to, from 1."""
    kind: str
    gold: Json
    reply: str
    right: bool
    errors: tuple[str, ...] = ()
    history: str = ""
    """The dialogue as the model saw it; only where one prediction is asked for."""


class ExplainedDialogue(msgspec.Struct, frozen=True, kw_only=True):
    """The predictions of one transcript."""

    dialogue: str
    model: str
    trial: int
    task: str
    shown: str
    """The history: gold, none or own."""
    predictions: tuple[ExplainedPrediction, ...]


def explained(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], options: Mapping[str, Json], number: int = 0
) -> ExplainedDialogue:
    """Return all predictions of a transcript, or the one of this number with its history; tools by shown names.

    Raises UnknownName for a number that is not there, BadInput where replies are missing.
    """
    chosen = read_task(options)
    found = verdicts(dialogue, transcript, options)
    if not 0 <= number <= len(found):
        raise UnknownName(f"dialogue {dialogue.id} has no prediction {number}; it has {len(found)}.")
    accounts = [_account(dialogue, nth, one) for nth, one in enumerate(found, 1)]
    if number:
        point = found[number - 1].point
        replies = {one.point: one.reply for one in found[: number - 1]}
        text = HistoryText(dialogue, tools, point, shown_labels(chosen.task, chosen.history), replies).text
        accounts = [msgspec.structs.replace(accounts[number - 1], history=text)]
    return ExplainedDialogue(
        dialogue=dialogue.id,
        model=transcript.model,
        trial=transcript.trial,
        task=chosen.task,
        shown=chosen.history,
        predictions=tuple(accounts),
    )


def _account(dialogue: Dialogue, number: int, verdict: PredictionVerdict) -> ExplainedPrediction:
    return ExplainedPrediction(
        number=number,
        turn=user_turn_of(dialogue, verdict.point),
        kind=verdict.point.kind,
        gold=verdict.gold,
        reply=verdict.reply,
        right=verdict.is_right,
        errors=verdict.errors,
    )


def prediction_view(found: ExplainedDialogue) -> RenderableType:
    """Return the predictions for a terminal: gold and reply of each; all text is data, never markup."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from callwright.report.dialogue_view import shown

    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(overflow="fold")
    for one in found.predictions:
        for line in one.history.splitlines():
            grid.add_row(Text("shown", "dim"), shown(line, "dim"))
        said = "right" if one.right else f"wrong: {', '.join(one.errors)}" if one.errors else "wrong"
        colour = "green" if one.right else "red"
        grid.add_row(Text(str(one.number), colour), shown(f"{one.kind}, turn {one.turn} of the user: {said}", colour))
        gold = one.gold if isinstance(one.gold, str) else encode(one.gold)
        grid.add_row(Text("gold", "yellow"), shown(gold[:_LONGEST], "yellow"))
        if not one.right:
            grid.add_row(Text("reply", "magenta"), shown(one.reply[:_LONGEST], "magenta"))
    head = f"{found.dialogue}  {found.model}, trial {found.trial}, task {found.task}, history {found.shown}"
    return Group(shown(head, "bold"), Text(), grid)

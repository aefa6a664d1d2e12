"""The predictions of one dialogue in a run, explained: right reply, the model's reply, its errors."""

from __future__ import annotations

from typing import Final

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from callwright.records.jsontext import Json, encode
from callwright.report.dialogue_view import shown

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


def prediction_view(found: ExplainedDialogue) -> RenderableType:
    """Return the predictions for a terminal: gold and reply of each; all text is data, never markup."""
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

"""Laying what is known over a drawn result, as far as its schema takes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from callwright.environment.echoes import Edit, Words
from callwright.environment.tool_target import ToldPlace, ToolTarget
from callwright.environment.world_memory import CreatedThing
from callwright.match.schema import fits_returns
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

MAX_EDITS = 64
"""Most fields tried one by one where together they break a schema."""


def lay_over(value: Json, edits: Sequence[Edit], tool: Tool) -> None:
    """Lay what is known over a result as far as its schema takes it."""
    before = _apply(edits)
    if not edits or fits_returns(value, tool):
        return
    _apply(reversed(before))
    for edit in edits[:MAX_EDITS]:
        undone = _apply((edit,))
        if not fits_returns(value, tool):
            _apply(undone)


def _apply(edits: Iterable[Edit]) -> list[Edit]:
    """Make the edits, and return those that undo them, in the same order."""
    before = []
    for edit in edits:
        is_new = edit.name not in edit.place
        before.append(Edit(edit.place, edit.name, edit.place.get(edit.name), is_new))
        if edit.is_gone:
            edit.place.pop(edit.name, None)
        else:
            edit.place[edit.name] = edit.value
    return before


def cut(items: list[Json], kept: list[Json], value: Json, tool: Tool) -> None:
    """Leave of a list what is kept, if its schema takes that."""
    before = list(items)
    items[:] = kept
    if len(kept) < len(before) and not fits_returns(value, tool):
        items[:] = before


class Telling(NamedTuple):
    """A drawn result over which is laid what is known."""

    tool: Tool
    target: ToolTarget
    arguments: Mapping[str, Json]
    asked: Mapping[Words, Json]
    """`asked_fields` of the call."""
    value: Json
    items: list[Json] | None
    """The list that the result is about, if it is about one."""
    made: tuple[CreatedThing, ...]
    """Known things, each for one of the last items."""
    places: Sequence[ToldPlace]
    listed: Sequence[ToldPlace]
    """Those places that are items."""
    told: Sequence[Edit]
    """What the result repeats of the call."""

    @property
    def fresh(self) -> Sequence[ToldPlace]:
        """The items that are no known things."""
        return self.listed[: len(self.listed) - len(self.made)]

    def lay(self, edits: Iterable[Edit]) -> None:
        """Lay known fields over the result as far as its schema takes them."""
        lay_over(self.value, list(edits), self.tool)

"""The shape of a dataset: the statistics of DiaFORGE's figures 5 to 7 and appendix C.5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from callwright.records.annotation import DiaforgeNotes
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool

Histogram = dict[int, int]
"""Number to its count of dialogues, in order of the number."""


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """Counts over the dialogues of a dataset; means and shares are None without data."""

    dialogues: int
    exchanges: Histogram
    """User turns per dialogue (figure 5)."""
    parameters: Histogram
    """Documented parameters per gold tool, one for each dialogue (figure 6)."""
    selection_turns: Histogram
    """Assistant turns spent on choosing among tools (figure 7)."""
    filling_turns: Histogram
    """Assistant turns spent on asking for values (figure 7)."""
    distractors: float | None
    """Mean number of distractors in the candidate pool (C.5)."""
    overlap: float | None
    """Mean composite similarity of the gold tool to the rest of the pool, in [0, 1] (C.5)."""
    near_duplicate_share: float | None
    """Share of dialogues with a near-duplicate of the gold tool in the pool (C.5)."""
    required_share: float | None
    """Share of dialogues whose gold tool has required parameters (C.5)."""
    no_tool: int
    """Dialogues in which no tool fits. They count only in `exchanges`."""


class ShapeValues(msgspec.Struct, frozen=True, kw_only=True):
    """The values of single dialogues: one number for each that has one, in order."""

    exchanges: list[int]
    no_tool: list[bool]
    """Over the dialogues planned with or without a fitting tool."""
    selection_turns: list[int]
    """This and the following fields: over the dialogues in which a tool fits."""
    filling_turns: list[int]
    distractors: list[int]
    overlap: list[float]
    near_duplicate: list[bool]
    parameters: list[int]
    required: list[bool]


def shape(dialogues: Iterable[Dialogue], tools: Mapping[str, Tool]) -> Shape:
    """Return the statistics of some dialogues; `tools` by key. They are read one at a time: a dataset may be large."""
    values = shape_values(dialogues, tools)
    return Shape(
        dialogues=len(values.exchanges),
        exchanges=histogram(values.exchanges),
        parameters=histogram(values.parameters),
        selection_turns=histogram(values.selection_turns),
        filling_turns=histogram(values.filling_turns),
        distractors=_mean(values.distractors),
        overlap=_mean(values.overlap),
        near_duplicate_share=_mean(values.near_duplicate),
        required_share=_mean(values.required),
        no_tool=sum(values.no_tool),
    )


def shape_values(dialogues: Iterable[Dialogue], tools: Mapping[str, Tool]) -> ShapeValues:
    """Return the values of each dialogue; `tools` by key."""
    exchanges: list[int] = []
    no_tool: list[bool] = []
    fitting: list[DiaforgeNotes] = []
    golds: list[Tool] = []
    for dialogue in dialogues:
        exchanges.append(sum(dialogue.role(turn) == "user" for turn in dialogue.turns))
        notes = dialogue.annotation
        if not isinstance(notes, DiaforgeNotes):
            continue
        no_tool.append(not notes.tool_fits)
        if not notes.tool_fits:
            continue
        fitting.append(notes)
        if (tool := _gold_tool(dialogue, notes, tools)) is not None:
            golds.append(tool)
    return ShapeValues(
        exchanges=exchanges,
        no_tool=no_tool,
        selection_turns=[notes.selection_turns for notes in fitting],
        filling_turns=[notes.filling_turns for notes in fitting],
        distractors=[len(notes.distractors) for notes in fitting],
        overlap=[notes.overlap for notes in fitting],
        near_duplicate=[notes.near_duplicates > 0 for notes in fitting],
        parameters=[len(tool.properties) for tool in golds],
        required=[bool(tool.required) for tool in golds],
    )


def _gold_tool(dialogue: Dialogue, notes: DiaforgeNotes, tools: Mapping[str, Tool]) -> Tool | None:
    return next((tools.get(shown.key) for shown in dialogue.tools if shown.name == notes.gold_tool), None)


def histogram(numbers: Iterable[int]) -> Histogram:
    """Return the frequency of each number.

    >>> histogram([3, 1, 3])
    {1: 1, 3: 2}
    """
    return dict(sorted(Counter(numbers).items()))


def _mean(numbers: list[float] | list[int] | list[bool]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None

"""A heat strip beside the turns of a group chat: which parts of the calls each utterance mentions."""

from __future__ import annotations

from collections.abc import Mapping

from callwright.measure.item_mentions import CallItem, count_mentions
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool

FULL, EMPTY = "▮", "▯"


def turn_marks(dialogue: Dialogue, tools: Mapping[str, Tool]) -> dict[int, str]:
    """Return for each utterance a strip with a mark an item, and the items it mentions; `tools` by key.

    Empty for dialogues of other recipes.
    """
    if not isinstance(dialogue.annotation, DiceNotes):
        return {}
    found = count_mentions(dialogue, {tool.name: tool for tool in shown_tools(dialogue, tools)})
    marks = {}
    for turn, places in zip(found.turns, found.found, strict=True):
        strip = "".join(FULL if at in places else EMPTY for at in range(len(found.items)))
        marks[turn] = " ".join((strip, ", ".join(_name(found.items[at]) for at in places))).rstrip()
    return marks


def _name(item: CallItem) -> str:
    return f"{item.task + 1}:{item.parameter or item.tool}"

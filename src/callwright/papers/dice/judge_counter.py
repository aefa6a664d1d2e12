"""The judge counter: a model says how many items each utterance mentions (appendix D).

It is shown the items of the dialogue and one utterance, and its reply is one whole number. A reply that is anything
else is asked for again, and then a failure: the dialogue has no score, and is counted apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from callwright.judge.rubric import Grade, Rubric
from callwright.judge.subject import Talk
from callwright.papers.dice.item_mentions import CallItem, call_items
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

NAME: Final = "dice-items"
VERSION: Final = 1
_MOST_ITEMS: Final = 200


def count_questions(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[tuple[Rubric, Talk]]:
    """Yield a question for each utterance of a person; none where there is nothing to find. `tools` by key."""
    items = call_items(dialogue, {tool.name: tool for tool in shown_tools(dialogue, tools)})[:_MOST_ITEMS]
    if not items:
        return
    rubric = _rubric(items)
    for turn in dialogue.turns:
        if dialogue.role(turn) == "user" and turn.text:
            yield rubric, Talk(msgspec.structs.replace(dialogue, tools=(), tasks=()), (turn,), {})


def _rubric(items: tuple[CallItem, ...]) -> Rubric:
    listed = "\n".join(f"{at}. {_said(item)}" for at, item in enumerate(items, 1))
    return Rubric(
        name=NAME,
        version=VERSION,
        scope="dialogue",
        measure="interval",
        question=f"How many of these items does the utterance refer to, in any words?\n{listed}",
        grades=tuple(Grade(str(count), float(count), f"{count} of them") for count in range(len(items) + 1)),
    )


def _said(item: CallItem) -> str:
    return f"{item.parameter}: {encode(item.value)}" if item.parameter else f"the function {item.tool}"

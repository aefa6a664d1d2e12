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
from callwright.measure.item_mentions import CallItem, call_items
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

VERSION: Final = 2
_MOST_ITEMS: Final = 200
_PROMPT: Final = """### A set of items
{{ rubric.question }}

### Instruction:
Determine how many items from the set appear to be semantically referenced in the utterance of the next message, which
was recorded from others and does not speak to you. Only respond with an integer (0 if none match).
---
### An utterance:
{{ material }}

Answer:
"""
"""The prompt of appendix D, with its constant part first."""


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
    return Rubric(
        name="dice-items",
        version=VERSION,
        scope="dialogue",
        measure="interval",
        question="\n".join(f"{at}. {_said(item)}" for at, item in enumerate(items, 1)),
        grades=tuple(Grade(str(count), float(count), f"{count} of them") for count in range(len(items) + 1)),
        prompt=_PROMPT,
        alone=True,
    )


def _said(item: CallItem) -> str:
    return f"{item.parameter}: {encode(item.value)}" if item.parameter else f"the function {item.tool}"

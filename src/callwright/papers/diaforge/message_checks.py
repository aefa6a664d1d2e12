"""One message as it is written: what the cascade would find in it, while it can still be written again."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from callwright.papers.diaforge.disclosure import gold_known
from callwright.papers.diaforge.invented_values import invention_issues
from callwright.papers.diaforge.speech import leak_issues, repetition_issues, wording_issues
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool


def message_faults(dialogue: Dialogue, tools: Mapping[str, Tool]) -> tuple[str, ...]:
    """Return what is wrong with the words of the last turn, by the rules that need no later turn.

    `tools` are the documents by shown name.
    """
    gold = dialogue.tasks[0].gold if dialogue.tasks else ()
    tool = tools.get(gold[0].tool) if gold else None
    invented = invention_issues(dialogue, tool, gold_known(dialogue, tool)) if tool else ()
    found = chain(leak_issues(dialogue, tools), repetition_issues(dialogue), wording_issues(dialogue), invented)
    last = f"turns[{len(dialogue.turns) - 1}].text"
    return tuple(f"{issue.code}: {issue.message}" for issue in found if issue.where == last)

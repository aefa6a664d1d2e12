"""The rule cascade: format, then tool call, then tool arguments, then what was said, when and how (appendix A.2).

Each of the first three needs the one before it: the first that finds something ends the cascade. All rules about what
was said are then applied together. `message_faults` applies those that need no later turn, while a message can still be
written again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from callwright.papers.diaforge.disclosure import disclosure_issues, misplaced_issues
from callwright.papers.diaforge.final_call import tool_argument_issues, tool_call_issues
from callwright.papers.diaforge.foreign_values import invention_issues
from callwright.papers.diaforge.goal_drift import drift_issues
from callwright.papers.diaforge.speech import (
    leak_issues,
    opening_issues,
    repetition_issues,
    role_issues,
    wording_issues,
)
from callwright.papers.diaforge.turn_format import format_issues
from callwright.papers.diaforge.user_policy import gold_known
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.tool import Tool


def check(dialogue: Dialogue, tools: Mapping[str, Tool], *, thoughts: bool = True) -> tuple[Issue, ...]:
    """Return every fault found; none means that the dialogue is kept. Never raises on bad data.

    `tools` are the documents by shown name; `thoughts` says whether assistant turns must hold one.
    """
    return (
        tuple(format_issues(dialogue, thoughts=thoughts))
        or tuple(tool_call_issues(dialogue, tools))
        or tuple(tool_argument_issues(dialogue, tools))
        or (
            *_value_issues(dialogue, tools),
            *leak_issues(dialogue, tools),
            *opening_issues(dialogue, tools),
            *repetition_issues(dialogue),
            *wording_issues(dialogue, tools),
        )
    )


def message_faults(dialogue: Dialogue, tools: Mapping[str, Tool]) -> tuple[str, ...]:
    """Return what is wrong with the words of the last turn, by the rules that need no later turn.

    `tools` are the documents by shown name.
    """
    tool = _gold_tool(dialogue, tools)
    invented = invention_issues(dialogue, tool, gold_known(tool, dialogue.tasks)) if tool else ()
    found = chain(leak_issues(dialogue, tools), repetition_issues(dialogue), wording_issues(dialogue, tools), invented)
    last = f"turns[{len(dialogue.turns) - 1}].text"
    return tuple(f"{issue.code}: {issue.message}" for issue in found if issue.where == last)


def _value_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Faults that only show against the document of the gold tool and its gold values."""
    tool = _gold_tool(dialogue, tools)
    yield from role_issues(dialogue, tool)
    if tool is None:
        return
    known = gold_known(tool, dialogue.tasks)
    yield from disclosure_issues(dialogue, known)
    yield from misplaced_issues(dialogue, known)
    yield from invention_issues(dialogue, tool, known)
    yield from drift_issues(dialogue, tool, [other for other in tools.values() if other != tool], known)


def _gold_tool(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Tool | None:
    gold = dialogue.tasks[0].gold if dialogue.tasks else ()
    return tools.get(gold[0].tool) if gold else None

"""The rule cascade: format, then tool call, then tool arguments, then what was said, when and how (appendix A.2).

The first three depend on one another: the first that finds something ends the cascade. The rest all speak.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callwright.papers.diaforge.disclosure import disclosure_issues, gold_known
from callwright.papers.diaforge.goal_check import aim_issues
from callwright.papers.diaforge.invented_values import invention_issues
from callwright.papers.diaforge.misplaced_values import place_issues
from callwright.papers.diaforge.speech import (
    leak_issues,
    opening_issues,
    repetition_issues,
    role_issues,
    wording_issues,
)
from callwright.papers.diaforge.tool_arguments import tool_argument_issues
from callwright.papers.diaforge.tool_call import tool_call_issues
from callwright.papers.diaforge.turn_format import format_issues
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
            *wording_issues(dialogue),
        )
    )


def _value_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Faults that only show against the document of the gold tool and its gold values."""
    gold = dialogue.tasks[0].gold if dialogue.tasks else ()
    tool = tools.get(gold[0].tool) if gold else None
    known = gold_known(dialogue, tool) if tool else ()
    yield from role_issues(dialogue, tool)
    if tool is None:
        return
    yield from disclosure_issues(dialogue, known)
    yield from place_issues(dialogue, known)
    yield from invention_issues(dialogue, tool, known)
    yield from aim_issues(dialogue, tool, [other for other in tools.values() if other != tool], known)

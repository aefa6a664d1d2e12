"""The rule cascade: format, then tool call, then tool arguments, then what was said, when and how (appendix A.2).

The first three depend on one another: the first that finds something ends the cascade. The rest all speak.
"""

from __future__ import annotations

from collections.abc import Mapping

from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.tool import Tool
from callwright.validate.disclosure import disclosure_issues
from callwright.validate.format import format_issues
from callwright.validate.speech import leak_issues, opening_issues, repetition_issues, role_issues, wording_issues
from callwright.validate.tool_arguments import tool_argument_issues
from callwright.validate.tool_call import tool_call_issues


def check(dialogue: Dialogue, tools: Mapping[str, Tool], *, thoughts: bool = True) -> tuple[Issue, ...]:
    """Return every fault found; none means that the dialogue is kept. Never raises on bad data.

    `tools` are the documents by shown name; `thoughts` says whether assistant turns must hold one.
    """
    issues = (
        tuple(format_issues(dialogue, thoughts=thoughts))
        or tuple(tool_call_issues(dialogue, tools))
        or tuple(tool_argument_issues(dialogue, tools))
    )
    return issues or (
        *_disclosure(dialogue, tools),
        *leak_issues(dialogue, tools),
        *opening_issues(dialogue, tools),
        *repetition_issues(dialogue),
        *wording_issues(dialogue),
        *role_issues(dialogue),
    )


def _disclosure(dialogue: Dialogue, tools: Mapping[str, Tool]) -> tuple[Issue, ...]:
    gold = dialogue.tasks[0].gold if dialogue.tasks else ()
    tool = tools.get(gold[0].tool) if gold else None
    return tuple(disclosure_issues(dialogue, tool)) if tool else ()

"""The rule cascade: format, then tool call, then tool arguments, then what was said, when and how (appendix A.2).

Each of the first three needs the one before it: the first that finds something ends the cascade. All rules about what
was said are then applied together. Of dialogues that models played, `check_played` takes those about style for remarks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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


def check_played(
    dialogue: Dialogue, tools: Mapping[str, Tool], *, thoughts: bool = True
) -> tuple[tuple[Issue, ...], tuple[Issue, ...]]:
    """Return the faults that reject a dialogue whose roles models played, and what is only remarked. As `check` does.

    Values that no rule finds in the user's words reject nothing: a call that is right all the same was told them.
    """
    fatal = (
        tuple(format_issues(dialogue, thoughts=thoughts))
        or tuple(tool_call_issues(dialogue, tools))
        or tuple(tool_argument_issues(dialogue, tools))
        or tuple(leak_issues(dialogue, tools))
    )
    if fatal:
        return fatal, ()
    tool = _gold_tool(dialogue, tools)
    known = gold_known(tool, dialogue.tasks) if tool else ()
    words = (issue for issue in check_words(dialogue, tools) if issue.code != "identifier_leaked")
    return (), (*words, *role_issues(dialogue, tool), *misplaced_issues(dialogue, known))


def check_words(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield faults of the words, by the rules that also hold for a dialogue that is not finished."""
    yield from leak_issues(dialogue, tools)
    yield from opening_issues(dialogue, tools)
    yield from repetition_issues(dialogue)
    yield from wording_issues(dialogue, tools)
    if tool := _gold_tool(dialogue, tools):
        others = [other for other in tools.values() if other != tool]
        yield from drift_issues(dialogue, tool, others, gold_known(tool, dialogue.tasks))


def _value_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Faults that only show against the document of the gold tool and its gold values."""
    tool = _gold_tool(dialogue, tools)
    yield from role_issues(dialogue, tool)
    if tool is None:
        return
    known = gold_known(tool, dialogue.tasks)
    yield from disclosure_issues(dialogue, known)
    yield from misplaced_issues(dialogue, known)
    others = [other for other in tools.values() if other != tool]
    yield from invention_issues(dialogue, tool, others, known)
    yield from drift_issues(dialogue, tool, others, known)


def _gold_tool(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Tool | None:
    gold = dialogue.tasks[0].gold if dialogue.tasks else ()
    return tools.get(gold[0].tool) if gold else None

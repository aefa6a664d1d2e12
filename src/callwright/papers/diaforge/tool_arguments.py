"""Tool arguments: exactly the gold map, and valid by the tool's schema (appendix A.2, toolargs validator)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callwright.match.arguments import call_issues
from callwright.match.leniency import COERCED
from callwright.match.schema import schema_issues
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.tool import Tool


def tool_argument_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield faults of the last turn's arguments; `tools` are the documents by shown name."""
    if not dialogue.tasks or not dialogue.tasks[0].gold:
        return
    gold = dialogue.tasks[0].gold[0]
    last = len(dialogue.turns) - 1
    for number, call in enumerate(dialogue.turns[-1].calls):
        tool = tools.get(call.tool)
        if tool is None:
            continue
        where = f"turns[{last}].calls[{number}].arguments"
        issues = call_issues(call, gold, tool, known=tools.keys(), leniency=COERCED)
        found = {(issue.code, issue.path): issue for issue in issues}
        for issue in schema_issues(call.arguments, tool):
            found.setdefault((issue.code, issue.path), issue)
        for issue in found.values():
            yield Issue(f"argument_{issue.code}", f"{where}.{issue.path}".rstrip("."), issue.message)

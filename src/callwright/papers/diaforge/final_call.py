"""The final call: one call of the seed tool with exactly the gold map, or none where no tool fits (appendix A.2).

These are the paper's toolcall and toolargs validators.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callwright.match.arguments import call_issues
from callwright.match.leniency import COERCED
from callwright.match.schema import schema_issues
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.tool import Tool


def tool_call_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield faults of the call itself; `tools` are the documents by shown name."""
    made = [(position, call) for position, turn in enumerate(dialogue.turns) for call in turn.calls]
    gold = dialogue.tasks[0].gold if dialogue.tasks else ()
    last = len(dialogue.turns) - 1
    if not gold:
        for position, call in made:
            yield Issue("call_where_none_fits", f"turns[{position}].calls", f"{call.tool} is called; no tool fits")
        return
    if not made:
        yield Issue("no_call", f"turns[{last}].calls", f"{gold[0].tool} is not called")
    for position, call in made:
        where = f"turns[{position}].calls"
        if position != last:
            yield Issue("call_too_early", where, f"{call.tool} is called before the last turn")
        if call.tool not in tools:
            yield Issue("unknown_tool", where, f"no tool is called {call.tool!r}")
        elif call.tool != gold[0].tool:
            yield Issue("wrong_tool", where, f"{call.tool} is called, {gold[0].tool} is meant")
    if len(made) > 1:
        yield Issue("several_calls", f"turns[{last}].calls", f"{len(made)} calls, one is due")
    shown = {tool.name for tool in dialogue.tools}
    if gold[0].tool not in shown:
        yield Issue("seed_tool_not_in_pool", "tools", f"{gold[0].tool} is not among the tools shown")


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

"""Tool call: one call, at the end, of the seed tool; or none, where no tool fits (appendix A.2, toolcall validator)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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

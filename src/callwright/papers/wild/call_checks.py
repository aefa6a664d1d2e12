"""The calls of a `wild` session: known tools, documented parameters, right types, none twice, gold and turns alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callwright.match.schema import fits_returns, schema_issues
from callwright.papers.wild.change_checks import changes_of
from callwright.records.dialogue import Dialogue, GoldCall, Result, Task
from callwright.records.issue import Issue
from callwright.records.jsontext import JsonText, decode, encode
from callwright.records.tool import Tool


def call_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield what is wrong with gold calls and their results; `tools` by shown name."""
    seen: dict[tuple[str, JsonText], str] = {}
    for position, task in enumerate(dialogue.tasks):
        for place, gold in enumerate(task.gold):
            where = f"tasks[{position}].gold[{place}]"
            tool = tools.get(gold.tool)
            if tool is None:
                yield Issue("unknown_tool", where, f"{gold.tool} is not among the tools shown")
                continue
            arguments = encode(gold.values)
            for found in schema_issues(arguments, tool):
                code = "unknown_parameter" if found.code == "unexpected" else "type_error"
                yield Issue(code, where, f"{found.path or 'the arguments'}: {found.message}")
            if (gold.tool, arguments) in seen and not _is_retry(task, gold):
                yield Issue("redundant_call", where, f"the same as {seen[gold.tool, arguments]}")
            seen[gold.tool, arguments] = where
            if gold.result is not None and not _fits(gold.result, tool):
                yield Issue("result_unlike_schema", where, f"the result does not fit what {gold.tool} returns")
            if any(not 0 <= parent < len(task.gold) for parent in gold.after):
                yield Issue("bad_dependency", where, f"needs {gold.after}, and the task has {len(task.gold)} calls")


def _is_retry(task: Task, gold: GoldCall) -> bool:
    """Whether it needs a failed call that is the same."""
    parents = [task.gold[parent] for parent in gold.after if parent < len(task.gold)]
    return any(p.tool == gold.tool and p.result is not None and p.result.error is not None for p in parents)


def _fits(result: Result, tool: Tool) -> bool:
    return result.value is None or fits_returns(decode(result.value), tool)


def path_issues(dialogue: Dialogue) -> Iterator[Issue]:
    """Yield tasks whose turns do not make the gold calls, all of them, each after what it needs, with its result."""
    starts = [*(task.turn or 0 for task in dialogue.tasks), len(dialogue.turns)]
    for position, task in enumerate(dialogue.tasks):
        turns = dialogue.turns[starts[position] : starts[position + 1]]
        where = f"tasks[{position}]"
        left = dict(enumerate(task.gold))
        done: set[int] = set()
        for step in (step for turn in turns for step in turn.steps if step.calls):
            ready = {place for place, gold in left.items() if set(gold.after) <= done}
            for call, result in zip(step.calls, step.results, strict=False):
                due = sorted(ready & left.keys())
                place = next((p for p in due if _is_it(left[p], call.tool, call.arguments)), None)
                if place is None:
                    yield Issue("off_the_path", where, f"{call.tool} is called where it is not due")
                    continue
                if left[place].result != Result(value=result.value, error=result.error):
                    yield Issue("other_result", where, f"{call.tool} returns something else than in the gold")
                done.add(place)
                del left[place]
        if left:
            yield Issue("call_left_out", where, f"{next(iter(left.values())).tool} is never called")


def _is_it(gold: GoldCall, tool: str, arguments: JsonText) -> bool:
    return gold.tool == tool and encode(gold.values) == arguments


def turn_issues(dialogue: Dialogue) -> Iterator[Issue]:
    """Yield tasks whose turns are not those of their kind: ask and answer, and for `clarify` a question between."""
    starts = [*(task.turn or 0 for task in dialogue.tasks), len(dialogue.turns)]
    changes = changes_of(dialogue)
    for position, task in enumerate(dialogue.tasks):
        roles = [dialogue.role(turn) for turn in dialogue.turns[starts[position] : starts[position + 1]]]
        is_longer = task.kind == "clarify" or any(change.task == position for change in changes)
        wanted = ["user", "assistant"] * (2 if is_longer else 1)
        if roles != wanted:
            yield Issue("turns_of_another_kind", f"tasks[{position}]", f"{task.kind} has the turns {roles}")
    for place, turn in enumerate(dialogue.turns):
        is_cut_short = turn.calls and any(change.turn == place + 1 for change in changes)
        if not (turn.text.strip() or is_cut_short):
            yield Issue("empty_text", f"turns[{place}].text", "says nothing")

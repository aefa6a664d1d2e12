"""The checks of a finished session: its turns and calls, then what they say, hide and lack (section 3.2, appendix C).

A check reads the dialogue and its tools, and nothing of the plan. `tools` are the documents by shown name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from callwright.lang.english import article
from callwright.match.schema import fits_returns, schema_issues
from callwright.papers.wild.hidden_place_checks import (
    change_issues,
    changes_of,
    hiding_issues,
    missing_issues,
    saying_issues,
)
from callwright.records.dialogue import Dialogue, GoldCall, Result, Task
from callwright.records.issue import Issue
from callwright.records.jsontext import JsonText, decode, encode
from callwright.records.tool import Tool
from callwright.validate.unsayable import ARTICLE, DOUBLED, IDENTIFIERS, is_identifier

MOST_ISSUES = 20


def check_wild(dialogue: Dialogue, tools: Mapping[str, Tool]) -> tuple[Issue, ...]:
    """Return the issues of the first group of checks that finds any; none means that the session is kept."""
    found = (
        tuple(_turn_issues(dialogue))
        or (*_call_issues(dialogue, tools), *_path_issues(dialogue))
        or (*hiding_issues(dialogue, tools), *saying_issues(dialogue, tools), *missing_issues(dialogue, tools))
        or change_issues(dialogue, tools)
    )
    return tuple(islice(found, MOST_ISSUES))


# -- turns -----------------------------------------------------------------------------------------------------------


def _turn_issues(dialogue: Dialogue) -> Iterator[Issue]:
    """Yield tasks whose turns do not fit their kind: a request and an answer, and for `clarify` a question between."""
    starts = _starts(dialogue)
    changes = changes_of(dialogue)
    for position, task in enumerate(dialogue.tasks):
        roles = [dialogue.role(turn) for turn in dialogue.turns[starts[position] : starts[position + 1]]]
        is_longer = task.kind == "clarify" or any(change.task == position for change in changes)
        if roles != ["user", "assistant"] * (2 if is_longer else 1):
            yield Issue("turns_of_another_kind", f"tasks[{position}]", f"{task.kind} has the turns {roles}")
    for place, turn in enumerate(dialogue.turns):
        is_cut_short = turn.calls and any(change.turn == place + 1 for change in changes)
        if not (turn.text.strip() or is_cut_short):
            yield Issue("empty_text", f"turns[{place}].text", "the turn has no text")


def _starts(dialogue: Dialogue) -> list[int]:
    """The first turn of each task, and the end of the last one."""
    return [*(task.turn or 0 for task in dialogue.tasks), len(dialogue.turns)]


_MACHINE = re.compile(r"\b(?:required parameters?|parameter values?|tool call|function call|api endpoint|null)\b")
_QUOTED = re.compile(r'"[^"]*"')


def wording_faults(text: str, tools: Mapping[str, Tool]) -> list[str]:
    """Return what no person would say in this text. Text in quotes is a value and is not checked."""
    bare = _QUOTED.sub('""', text)
    names = {*tools, *(name for tool in tools.values() for name in tool.properties)}
    leaked = sorted({word for word in IDENTIFIERS.findall(bare) if word in names and is_identifier(word)})
    faults = [f"{name} is the name of a tool or parameter" for name in leaked]
    if found := DOUBLED.search(bare):
        faults.append(f"{found.group()!r} says a word twice")
    faults += [f"{a.group()!r} has the wrong article" for a in ARTICLE.finditer(bare) if a[1].lower() != article(a[2])]
    if found := _MACHINE.search(bare.lower()):
        faults.append(f"{found.group()!r} is a technical term")
    return faults


# -- calls -----------------------------------------------------------------------------------------------------------


def _call_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield the faults of gold calls and their results: tools, arguments, types, repetitions, dependencies."""
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
            value = None if gold.result is None else gold.result.value
            if value is not None and not fits_returns(decode(value), tool):
                yield Issue("result_unlike_schema", where, f"the result does not fit what {gold.tool} returns")
            if any(not 0 <= parent < len(task.gold) for parent in gold.after):
                yield Issue("bad_dependency", where, f"needs {gold.after}, but the task has {len(task.gold)} calls")


def _is_retry(task: Task, gold: GoldCall) -> bool:
    """Whether the call needs a failed call of the same tool."""
    parents = [task.gold[parent] for parent in gold.after if parent < len(task.gold)]
    return any(p.tool == gold.tool and p.result is not None and p.result.error is not None for p in parents)


def _path_issues(dialogue: Dialogue) -> Iterator[Issue]:
    """Yield tasks whose turns do not make exactly the gold calls, each after what it needs and with its result."""
    starts = _starts(dialogue)
    for position, task in enumerate(dialogue.tasks):
        where = f"tasks[{position}]"
        left = dict(enumerate(task.gold))
        turns = dialogue.turns[starts[position] : starts[position + 1]]
        for step in (step for turn in turns for step in turn.steps if step.calls):
            done = set(range(len(task.gold))) - left.keys()
            due = [place for place, gold in left.items() if done.issuperset(gold.after)]
            for call, result in zip(step.calls, step.results, strict=False):
                place = next((p for p in due if p in left and _is_it(left[p], call.tool, call.arguments)), None)
                if place is None:
                    yield Issue("off_the_path", where, f"{call.tool} is called before it is due, or without need")
                    continue
                if left.pop(place).result != Result(value=result.value, error=result.error):
                    yield Issue("other_result", where, f"the result of {call.tool} is not the gold one")
        if left:
            yield Issue("call_left_out", where, f"{next(iter(left.values())).tool} is never called")


def _is_it(gold: GoldCall, tool: str, arguments: JsonText) -> bool:
    return gold.tool == tool and encode(gold.values) == arguments

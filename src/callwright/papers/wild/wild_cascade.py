"""The checks of a finished session: its turns and calls, then what they say, hide and lack (section 3.4, appendix C).

A check reads the dialogue and its tools, and nothing of the plan. `tools` are the documents by shown name.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from itertools import islice

from callwright.author.briefs import Known
from callwright.author.value_checks import is_found, is_said, is_sayable
from callwright.catalog.slots import leaves, slots
from callwright.environment.returns import identity_of
from callwright.lang.surface import mentions
from callwright.match.schema import fits_returns, schema_issues
from callwright.match.task_stages import task_stages
from callwright.papers.wild.gold_calls import wished
from callwright.papers.wild.said_choices import is_state_of_act
from callwright.papers.wild.session_design import hidings_of
from callwright.records.annotations.wild_notes import HiddenPlace, ValueChange, WildPlan
from callwright.records.dialogue import Dialogue, GoldCall, Result, Task
from callwright.records.issue import Issue
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

MOST_ISSUES = 20


def check_wild(dialogue: Dialogue, tools: Mapping[str, Tool]) -> tuple[Issue, ...]:
    """Return the issues of the first group of checks that finds any; none means that the session is kept."""
    found = (
        tuple(_turn_issues(dialogue))
        or (*_call_issues(dialogue, tools), *_path_issues(dialogue))
        or (*_hiding_issues(dialogue, tools), *_saying_issues(dialogue, tools), *_missing_issues(dialogue, tools))
        or _change_issues(dialogue, tools)
    )
    return tuple(islice(found, MOST_ISSUES))


def check_played_session(dialogue: Dialogue, tools: Mapping[str, Tool]) -> tuple[Issue, ...]:
    """Return the issues of a session that models played: what they say was checked turn by turn."""
    found = tuple(_turn_issues(dialogue)) or (*_call_issues(dialogue, tools), *_path_issues(dialogue))
    return tuple(islice(found or _hiding_issues(dialogue, tools), MOST_ISSUES))


def _changes_of(dialogue: Dialogue) -> tuple[ValueChange, ...]:
    """Return the changes that a session records."""
    return dialogue.annotation.changes if isinstance(dialogue.annotation, WildPlan) else ()


# -- turns -----------------------------------------------------------------------------------------------------------


def _turn_issues(dialogue: Dialogue) -> Iterator[Issue]:
    """Yield tasks whose turns do not fit their kind: a request and an answer, and for `clarify` a question between."""
    starts = _starts(dialogue)
    changes = _changes_of(dialogue)
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
            value = _returned(gold)
            if value is not None and not fits_returns(value, tool):
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


# -- hidden values ---------------------------------------------------------------------------------------------------


def _hiding_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield hidden values that are not where the annotation says, and hiding tasks without a recorded place."""
    if not isinstance(dialogue.annotation, WildPlan):
        return
    for position, place in enumerate(dialogue.annotation.hidden):
        if fault := _place_fault(dialogue, tools, place):
            yield Issue("hidden_place_untrue", f"annotation.hidden[{position}]", fault)
    for position, hiding in enumerate(hidings_of(dialogue)):
        if hiding and not any(place.task == position for place in dialogue.annotation.hidden):
            message = f"the hiding is {hiding}, but no hidden place is recorded"
            yield Issue("nothing_hidden", f"tasks[{position}]", message)


def _place_fault(dialogue: Dialogue, tools: Mapping[str, Tool], place: HiddenPlace) -> str:
    if not 0 <= place.origin.task < place.task < len(dialogue.tasks) or place.origin.turn is None:
        return "it names no earlier task"
    ask = dialogue.tasks[place.task].turn or 0
    if not 0 <= place.origin.turn < ask:
        return f"turn {place.origin.turn} is not before the request in turn {ask}"
    if place.distance not in (0, place.task - place.origin.task):
        return f"task {place.origin.task} is not {place.distance} tasks before"
    if place.hiding == "long_range" and (fault := _nearness(dialogue, tools, place)):
        return fault
    if place.hiding != (hiding := hidings_of(dialogue)[place.task]):
        return f"the hiding of the task is {hiding or 'none'}"
    source = dialogue.tasks[place.origin.task]
    if place.origin.call is not None:
        return _result_fault(dialogue, source, place)
    if not place.parameter:
        if source.turn != place.origin.turn:
            return f"turn {place.origin.turn} does not ask for task {place.origin.task}"
        tools_of_source = {encode(gold.tool) for gold in source.gold}
        is_true = tools_of_source == {place.value} if place.call is not None else place.value in tools_of_source
        return "" if is_true or (place.call is None and source.kind == "chat") else "that task uses another tool"
    known = _known_at(dialogue, tools, place)
    text = dialogue.turns[place.origin.turn].text
    return "" if is_found(text, known, dialogue.today) else f"turn {place.origin.turn} does not say it"


def _nearness(dialogue: Dialogue, tools: Mapping[str, Tool], place: HiddenPlace) -> str:
    """Why what a long-range request leaves out is not only before the last exchange; empty if it is."""
    last, ask = dialogue.tasks[place.task - 1], dialogue.tasks[place.task].turn or 0
    begin = last.turn or 0
    if (place.origin.turn or 0) >= begin:
        return f"turn {place.origin.turn} is not before the last exchange"
    if not place.parameter:
        if place.call is None:  # a chat says in words which exchange it is about
            return ""
        return "the last exchange uses the tool" if decode(place.value) in {gold.tool for gold in last.gold} else ""
    known = _known_at(dialogue, tools, place)
    turns = dialogue.turns[begin:ask]
    results = (result.value for turn in turns for step in turn.steps for result in step.results if result.value)
    held = any(encode(node) == place.value for value in results for _, node in _nodes(decode(value)))
    is_repeated = held or any(is_found(turn.text, known, dialogue.today) for turn in turns)
    return "the last exchange repeats it" if is_repeated and not _is_chance(known) else ""


def _result_fault(dialogue: Dialogue, source: Task, place: HiddenPlace) -> str:
    gold = source.gold[place.origin.call or 0] if (place.origin.call or 0) < len(source.gold) else None
    value = None if gold is None else _returned(gold)
    if gold is None or value is None:
        return "it names no call with a result"
    if not any(_is_it(gold, call.tool, call.arguments) for call in dialogue.turns[place.origin.turn or 0].calls):
        return f"turn {place.origin.turn} does not make the call"
    found = encode(resolve(value, place.origin.path))
    return "" if found == place.value else f"the result holds {found[:60]} at {place.origin.path}"


def _returned(gold: GoldCall) -> Json:
    return None if gold.result is None or gold.result.value is None else decode(gold.result.value)


def _known_at(dialogue: Dialogue, tools: Mapping[str, Tool], place: HiddenPlace) -> Known:
    """The hidden value with its parameter."""
    tool = tools[dialogue.tasks[place.task].gold[place.call or 0].tool]
    return Known(slots(tool)[place.parameter], place.value)


# -- said and unsaid values ------------------------------------------------------------------------------------------


def _saying_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield values that a request should say and does not, or says and should not."""
    places = dialogue.annotation.hidden if isinstance(dialogue.annotation, WildPlan) else ()
    hidden = {(place.task, place.call, place.parameter) for place in places}
    changed = {(change.task, change.call, change.parameter) for change in _changes_of(dialogue)}
    for position, task in enumerate(dialogue.tasks):
        ask = dialogue.turns[task.turn or 0].text
        values = [
            (place, known, _unsaid_as(task, gold, known, is_hidden=_is_within(known, position, place, hidden)))
            for place, gold in enumerate(task.gold)
            for known in _knowns(gold, tools)
        ]
        said = {known.text for _, known, unsaid_as in values if not unsaid_as}
        for place, known, unsaid_as in values:
            where = f"tasks[{position}].gold[{place}].{known.slot.name}"
            if (position, place, known.slot.name) in changed:
                continue
            if not unsaid_as:
                if not is_said(ask, known, dialogue.today):
                    yield Issue("value_never_said", where, "the request does not say it")
            elif known.text not in said and not _is_chance(known) and is_said(ask, known, dialogue.today):
                yield Issue(f"{unsaid_as}_value_said", where, "the request says it")


def _is_within(known: Known, task: int, call: int, hidden: Container[tuple[int, int | None, str]]) -> bool:
    """Whether the parameter that a value belongs to is hidden as a whole."""
    steps = known.slot.name.split(".")
    return any((task, call, ".".join(steps[:count])) in hidden for count in range(1, len(steps) + 1))


def _unsaid_as(task: Task, gold: GoldCall, known: Known, *, is_hidden: bool) -> str:
    """Why the request does not say a value: `hidden`, `missing` or `result`; empty if it must say it."""
    if is_hidden:
        return "hidden"
    if known.slot.name in task.missing:
        return "missing"
    return "result" if _is_fed(task, gold, known) else ""


def _is_chance(known: Known) -> bool:
    """Whether a text may contain the value by chance, such as a small number, or cannot be searched for it."""
    return known.slot.kind in ("count", "number", "enum", "percent", "boolean") or not is_sayable(known)


def _knowns(gold: GoldCall, tools: Mapping[str, Tool]) -> Iterator[Known]:
    """The values of a call with their parameters, those of a body one by one, without what follows from the act."""
    tool = tools[gold.tool]
    by_path, act = slots(tool), wished(tool).act
    found = leaves(tool, gold.values)
    knowns = (Known(by_path[path], encode(value)) for path, value in found.items() if path in by_path)
    return (known for known in knowns if not is_state_of_act(known, act))


def _is_fed(task: Task, gold: GoldCall, known: Known) -> bool:
    """Whether the calls that must be done first returned the value, or every item of it if it is a list."""
    needed: set[int] = set()
    left = list(gold.after)
    while left:
        if (place := left.pop()) not in needed:
            needed.add(place)
            left += task.gold[place].after
    nodes = (node for place in needed for _, node in _nodes(_returned(task.gold[place])))
    returned = {encode(node) for node in nodes if not isinstance(node, (dict, list))}
    wanted = known.value
    return bool(wanted) and set(map(encode, wanted)) <= returned if isinstance(wanted, list) else known.text in returned


def _nodes(value: Json, name: str = "") -> Iterator[tuple[str, Json]]:
    """Yield a value and all values in it, each with its key; empty for the value itself and for items of lists."""
    yield name, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _nodes(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _nodes(inner)


# -- values that are nowhere -----------------------------------------------------------------------------------------

_ANOTHER = re.compile(r"\b(?:another|different|other|new)\b", re.IGNORECASE)


def _missing_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield clarify tasks whose missing value stands in an earlier turn, or could be taken from one."""
    for position, task in enumerate(dialogue.tasks):
        if task.kind != "clarify":
            continue
        where = f"tasks[{position}]"
        calls = {(gold.tool, encode(gold.values)) for gold in task.gold}  # a retry is the same call
        if not task.missing or len(calls) != 1:
            yield Issue("nothing_missing", where, "a clarify task must have one call and lack a value of it")
            continue
        tool, ask = tools[task.gold[0].tool], task.turn or 0
        for name in task.missing:
            if name not in tool.required:
                yield Issue("not_required", where, f"{name} is not required")
            known = Known(slots(tool)[name], encode(task.gold[0].values.get(name)))
            for place, turn in enumerate(dialogue.turns[: ask + 2]):
                texts = [turn.text, *(str(result.value) for step in turn.steps for result in step.results)]
                if any(mentions(text, known.value, known.slot.kind, today=None) for text in texts):
                    yield Issue("missing_value_known", where, f"turns[{place}] has {name}")
            if not _ANOTHER.search(dialogue.turns[ask].text):
                yield from _could_be(dialogue, tools, position, (tool, name), where)


def _could_be(
    dialogue: Dialogue, tools: Mapping[str, Tool], position: int, wanted: tuple[Tool, str], where: str
) -> Iterator[Issue]:
    """Yield earlier arguments and results that could be taken for the missing value (tool and parameter)."""
    identity, kind = identity_of(*wanted), slots(wanted[0])[wanted[1]].kind
    for earlier, task in enumerate(dialogue.tasks[:position]):
        for gold in task.gold:
            other = tools[gold.tool]
            for slot in (known.slot for known in _knowns(gold, tools)):
                if identity_of(other, slot.name) == identity and slot.kind == kind:
                    yield Issue("missing_value_known", where, f"{slot.name} of tasks[{earlier}] could be meant")
            if any(
                identity_of(other, found) == identity for found in {name for name, _ in _nodes(_returned(gold)) if name}
            ):
                yield Issue("missing_value_known", where, f"a result of tasks[{earlier}] could be meant")


# -- values that change ----------------------------------------------------------------------------------------------


def _change_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield recorded changes that the turns do not make."""
    for position, change in enumerate(_changes_of(dialogue)):
        if fault := _change_fault(dialogue, tools, change):
            yield Issue("change_untrue", f"annotation.changes[{position}]", fault)


def _change_fault(dialogue: Dialogue, tools: Mapping[str, Tool], change: ValueChange) -> str:
    golds = dialogue.tasks[change.task].gold if 0 <= change.task < len(dialogue.tasks) else ()
    if not 0 <= change.call < len(golds) or golds[change.call].tool not in tools:
        return "it names no gold call"
    gold, stages = golds[change.call], task_stages(dialogue, change.task)
    if change.turn not in [stage.first for stage in stages[1:]]:
        return f"turn {change.turn} is not in the middle of task {change.task}"
    if encode(gold.values.get(change.parameter)) != change.then or change.parameter not in tools[gold.tool].properties:
        return f"the call has another {change.parameter}"
    slot = slots(tools[gold.tool])[change.parameter]
    ask, turn = dialogue.turns[stages[0].first].text, dialogue.turns[change.turn].text
    if not is_said(ask, Known(slot, change.first), dialogue.today):
        return f"the request does not say {change.first}"
    return "" if is_said(turn, Known(slot, change.then), dialogue.today) else f"its turn does not say {change.then}"

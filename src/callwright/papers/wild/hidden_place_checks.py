"""Where the values of a `wild` session lie: said when due, hidden in the place recorded, or in no place at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from callwright.author.briefs import Known
from callwright.author.value_checks import is_said, is_sayable
from callwright.catalog.slots import Slot, slots
from callwright.environment.returns import identity_of
from callwright.lang.kinds import kind_of_value
from callwright.lang.nouns import Noun
from callwright.lang.surface import mentions
from callwright.papers.wild.change_checks import changes_of
from callwright.records.annotations.wild_notes import HiddenPlace, WildPlan
from callwright.records.dialogue import Dialogue, GoldCall, Task
from callwright.records.issue import Issue
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool


def hiding_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield hidden values that do not lie where the annotation says."""
    if not isinstance(dialogue.annotation, WildPlan):
        return
    for position, place in enumerate(dialogue.annotation.hidden):
        fault = _place_fault(dialogue, tools, place)
        if fault:
            yield Issue("hidden_place_untrue", f"annotation.hidden[{position}]", fault)
    for position, task in enumerate(dialogue.tasks):
        if task.hiding and not any(place.task == position for place in dialogue.annotation.hidden):
            yield Issue("nothing_hidden", f"tasks[{position}]", f"{task.hiding}, and no place is recorded")


def _place_fault(dialogue: Dialogue, tools: Mapping[str, Tool], place: HiddenPlace) -> str:
    if not 0 <= place.origin.task < place.task < len(dialogue.tasks) or place.origin.turn is None:
        return "it names no earlier task"
    ask = dialogue.tasks[place.task].turn or 0
    if not 0 <= place.origin.turn < ask:
        return f"turn {place.origin.turn} is not before the request in turn {ask}"
    if place.hiding == "long_range" and ask - place.origin.turn <= 2:
        return f"turn {place.origin.turn} is no further back than the last exchange"
    if place.hiding != dialogue.tasks[place.task].hiding:
        return f"the task hides by {dialogue.tasks[place.task].hiding or 'nothing'}"
    source = dialogue.tasks[place.origin.task]
    if place.origin.call is not None:
        return _result_fault(dialogue, source, place)
    if (place.call is not None and not place.parameter) or (place.call is None and _names_tool(dialogue, place)):
        return _wish_fault(source, place)
    known = _known_at(dialogue, tools, place)
    text = dialogue.turns[place.origin.turn].text
    return "" if is_said(text, known, dialogue.today) else f"turn {place.origin.turn} does not say it"


def _names_tool(dialogue: Dialogue, place: HiddenPlace) -> bool:
    return decode(place.value) in {tool.name for tool in dialogue.tools}


def _result_fault(dialogue: Dialogue, source: Task, place: HiddenPlace) -> str:
    calls = {call.id: call for step in dialogue.turns[place.origin.turn or 0].steps for call in step.calls}
    gold = source.gold[place.origin.call or 0] if (place.origin.call or 0) < len(source.gold) else None
    if gold is None or gold.result is None or gold.result.value is None:
        return "it names no call with a result"
    if not any(call.tool == gold.tool and call.arguments == encode(gold.values) for call in calls.values()):
        return f"turn {place.origin.turn} does not make the call"
    found = resolve(decode(gold.result.value), place.origin.path)
    return "" if encode(found) == place.value else f"the result holds {encode(found)[:60]} at {place.origin.path}"


def _wish_fault(source: Task, place: HiddenPlace) -> str:
    """A wish is that of the task asked for in its turn: its only tool, or a chat's."""
    if source.turn != place.origin.turn:
        return f"turn {place.origin.turn} does not ask for task {place.origin.task}"
    tools = {gold.tool for gold in source.gold}
    return "" if source.kind == "chat" or tools == {decode(place.value)} else "that task uses another tool"


def _known_at(dialogue: Dialogue, tools: Mapping[str, Tool], place: HiddenPlace) -> Known:
    gold = dialogue.tasks[place.task].gold[place.call] if place.call is not None else None
    tool = tools.get(gold.tool) if gold is not None else None
    if tool is not None and place.parameter in tool.properties:
        return Known(slots(tool)[place.parameter], place.value)
    return Known(_slot_of(dialogue, tools, place), place.value)


def _slot_of(dialogue: Dialogue, tools: Mapping[str, Tool], place: HiddenPlace) -> Slot:
    """The parameter or, failing that, the sort of value by itself, of what a chat recalls."""
    for gold in dialogue.tasks[place.origin.task].gold:
        for argument in gold.arguments:
            if place.value in argument.accepted and gold.tool in tools and argument.name in slots(tools[gold.tool]):
                return slots(tools[gold.tool])[argument.name]
    value = decode(place.value)
    kind = "number" if isinstance(value, int) and not isinstance(value, bool) else kind_of_value(value)
    return Slot("value", Noun("value"), kind, JsonText("{}"), "")


def saying_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield values that a task's words should say and do not, or say and should not."""
    hidden = _hidden(dialogue)
    changed = {(change.task, change.call, change.parameter) for change in changes_of(dialogue)}
    for position, task in enumerate(dialogue.tasks):
        ask = dialogue.turns[task.turn or 0].text
        held_back = hidden.get(position, set())
        said_otherwise = [known for at in range(len(task.gold)) for known in _said(task, at, tools, held_back)]
        for place, gold in enumerate(task.gold):
            for known in _knowns(gold, tools):
                where = f"tasks[{position}].gold[{place}].{known.slot.name}"
                held = (place, known.slot.name) in hidden.get(position, set())
                fed = _is_fed(task, gold, known)
                missing = known.slot.name in task.missing
                if (position, place, known.slot.name) in changed:
                    continue
                if not (held or fed or missing):
                    if not is_said(ask, known, dialogue.today):
                        yield Issue("value_never_said", where, "the request does not say it")
                elif not is_free(known, said_otherwise) and is_sayable(known) and _is_there(ask, known, dialogue):
                    code = "hidden_value_said" if held else "missing_value_said" if missing else "result_value_said"
                    yield Issue(code, where, "the request says it")


def is_free(known: Known, others: list[Known]) -> bool:
    """Whether another value of the task is the same, so that it may be in the words anyway."""
    return any(other.text == known.text for other in others)


def _is_there(text: str, known: Known, dialogue: Dialogue) -> bool:
    if known.slot.kind in ("count", "number", "enum", "percent", "boolean"):
        return False  # small numbers and choices are said by chance
    return is_said(text, known, dialogue.today)


def _hidden(dialogue: Dialogue) -> dict[int, set[tuple[int, str]]]:
    found: dict[int, set[tuple[int, str]]] = {}
    if isinstance(dialogue.annotation, WildPlan):
        for place in dialogue.annotation.hidden:
            found.setdefault(place.task, set()).add((place.call if place.call is not None else -1, place.parameter))
    return found


def _said(task: Task, at: int, tools: Mapping[str, Tool], hidden: set[tuple[int, str]]) -> Iterator[Known]:
    """The values of a call that the words of its task must say."""
    gold = task.gold[at]
    for known in _knowns(gold, tools):
        name = known.slot.name
        if (at, name) not in hidden and name not in task.missing and not _is_fed(task, gold, known):
            yield known


def _knowns(gold: GoldCall, tools: Mapping[str, Tool]) -> Iterator[Known]:
    tool = tools.get(gold.tool)
    for argument in gold.arguments:
        if tool is not None and argument.name in tool.properties and argument.accepted:
            yield Known(slots(tool)[argument.name], argument.accepted[0])


def _is_fed(task: Task, gold: GoldCall, known: Known) -> bool:
    """Whether calls it needs, or those that they need, returned the value, or, of a list, everything in it."""
    results = [task.gold[place].result for place in _needed(task, gold.after)]
    values = [decode(result.value) for result in results if result is not None and result.value is not None]
    returned = {text for value in values for text in _scalars(value)}
    wanted = known.value
    return bool(wanted) and set(map(encode, wanted)) <= returned if isinstance(wanted, list) else known.text in returned


def _needed(task: Task, after: tuple[int, ...]) -> set[int]:
    """The positions of all calls that must be done first."""
    found: set[int] = set()
    left = [place for place in after if place < len(task.gold)]
    while left:
        place = left.pop()
        if place not in found:
            found.add(place)
            left += [one for one in task.gold[place].after if one < len(task.gold)]
    return found


def _scalars(value: Json) -> Iterator[JsonText]:
    if isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _scalars(inner)
    else:
        yield encode(value)


# -- values that are nowhere -----------------------------------------------------------------------------------------

_ANOTHER = re.compile(r"\b(?:another|different|other|new)\b", re.IGNORECASE)


def missing_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield clarify tasks whose missing value could be found, or taken from something, before it is given."""
    for position, task in enumerate(dialogue.tasks):
        if task.kind != "clarify":
            continue
        where = f"tasks[{position}]"
        calls = {(gold.tool, encode(gold.values)) for gold in task.gold}  # one, though it may be made again
        if not task.missing or len(calls) != 1 or task.gold[0].tool not in tools:
            yield Issue("nothing_missing", where, "a clarify task lacks a value of its one call")
            continue
        tool, ask = tools[task.gold[0].tool], task.turn or 0
        for name in task.missing:
            if name not in tool.required:
                yield Issue("not_required", where, f"{name} may be left out")
            known = Known(slots(tool)[name], encode(task.gold[0].values.get(name)))
            yield from _found_before(dialogue, known, ask, where)
            if not _ANOTHER.search(dialogue.turns[ask].text):
                yield from _could_be(dialogue, tools, position, tool, name, where)


def _found_before(dialogue: Dialogue, known: Known, ask: int, where: str) -> Iterator[Issue]:
    for place, turn in enumerate(dialogue.turns[: ask + 2]):
        texts = [turn.text, *(str(r.value) for step in turn.steps for r in step.results)]
        day = None
        if any(mentions(text, known.value, known.slot.kind, today=day) for text in texts):
            yield Issue("missing_value_known", where, f"{known.slot.name} stands in turns[{place}]")


def _could_be(
    dialogue: Dialogue, tools: Mapping[str, Tool], position: int, tool: Tool, name: str, where: str
) -> Iterator[Issue]:
    wanted, kind = identity_of(tool, name), slots(tool)[name].kind
    for earlier, task in enumerate(dialogue.tasks[:position]):
        for gold in task.gold:
            other = tools.get(gold.tool)
            for argument in gold.arguments:
                if other is None or argument.name not in other.properties:
                    continue
                same = identity_of(other, argument.name) == wanted and slots(other)[argument.name].kind == kind
                if same:
                    yield Issue("missing_value_known", where, f"{argument.name} of tasks[{earlier}] could be meant")
            if gold.result is not None and gold.result.value is not None and other is not None:
                names = set(_names(decode(gold.result.value)))
                if any(identity_of(other, found) == wanted for found in names):
                    yield Issue("missing_value_known", where, f"a result of tasks[{earlier}] could be meant")


def _names(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names(inner)

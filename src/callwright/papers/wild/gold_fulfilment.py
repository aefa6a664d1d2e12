"""An annotation and a trajectory brought together: gold calls with their values, the verdict, and what is hidden.

An annotated value that another call returns is taken from the trajectory, where that call's result holds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from callwright.author.briefs import Known, known_values
from callwright.author.value_checks import is_findable, is_found
from callwright.catalog.gloss import gloss
from callwright.environment.result_faults import nodes_of, value_of
from callwright.lang.tokens import stem_set
from callwright.match.arguments import call_issues
from callwright.match.leniency import Leniency
from callwright.match.shortened_texts import is_in_own_words, is_reworded, is_spelled_otherwise
from callwright.match.task_stages import task_stages
from callwright.papers.wild.session_roles import AnnotatedCall, TaskCandidate
from callwright.papers.wild.session_rules import left_out_at, reference
from callwright.papers.wild.task_verdict import judge_task
from callwright.records.annotations.wild_notes import HiddenPlace
from callwright.records.dialogue import Call, Dialogue, GoldArgument, GoldCall, Result
from callwright.records.jsontext import Json, encode
from callwright.records.origin import Origin
from callwright.records.tool import Tool
from callwright.records.transcript import TaskPart, Transcript

NEAR = Leniency(literals="declared", strings="near", sets=True)
"""A free text may be called in other words than the annotator's; both are accepted then."""


def fulfilled(
    annotated: Sequence[AnnotatedCall], made: Sequence[tuple[Call, Result]], tools: Mapping[str, Tool], said: str
) -> tuple[GoldCall, ...]:
    """Return the gold calls of an annotation, each with the result of the call that makes it.

    A free text of a call may also be of the user's own words, which are `said`.
    One that no call makes stays as it was written, without a result.
    """
    left, found, results = list(range(len(made))), list[GoldCall](), list[Result]()
    for one in annotated:
        after = tuple(sorted({number - 1 for number in one.after}))
        same = [at for at in left if made[at][0].tool == one.name]
        values = ((at, _resolved(one.arguments, made[at][0].values, results)) for at in same)
        golds = ((at, GoldCall(one.name, _accepted(given, given), after)) for at, given in values)
        at, gold = next(
            (pair for pair in golds if _is_made_by(made[pair[0]][0], pair[1], tools[one.name], said)),
            (None, GoldCall(one.name, _accepted(one.arguments, one.arguments), after)),
        )
        if at is not None:
            left.remove(at)
            call, result = made[at]
            gold = GoldCall(one.name, _accepted(call.values, gold.values), after, Result(value=result.value))
        results.append(gold.result or Result())
        found.append(gold)
    return tuple(found)


def _is_made_by(call: Call, gold: GoldCall, tool: Tool, said: str) -> bool:
    def is_right(parameter: str) -> bool:
        value, wanted = call.values.get(parameter), gold.values.get(parameter)
        is_worded = is_in_own_words(value, wanted, parameter, tool, said)
        return is_worded or is_reworded(value, wanted, parameter, tool, said) or is_spelled_otherwise(value, wanted)

    found = call_issues(call, gold, tool, known=(), leniency=NEAR)
    return all(issue.code == "wrong_value" and is_right(issue.path) for issue in found)


def _accepted(first: Mapping[str, Json], second: Mapping[str, Json]) -> tuple[GoldArgument, ...]:
    """The arguments with the value that was called, then the annotator's own where it differs."""
    return tuple(
        GoldArgument(name, tuple(dict.fromkeys((encode(value), encode(second.get(name, value))))))
        for name, value in first.items()
    )


def _resolved(annotated: Json, called: Json, results: Sequence[Result]) -> Json:
    """The annotated value with what was called in place of each reference, where the result holds it."""
    if (number := reference(annotated)) is not None:
        held = list(nodes_of(value_of(results[number - 1])))
        texts = [one for one in held if isinstance(one, str) and one]
        is_quoted = isinstance(called, str) and any(one in called for one in texts)
        return called if is_quoted or _is_held(called, held) else annotated
    if isinstance(annotated, dict):
        inner = called if isinstance(called, dict) else {}
        return {name: _resolved(one, inner.get(name), results) for name, one in annotated.items()}
    if isinstance(annotated, list) and isinstance(called, list) and len(annotated) == len(called):
        return [_resolved(one, other, results) for one, other in zip(annotated, called, strict=True)]
    return annotated


def _is_held(called: Json, held: Sequence[Json]) -> bool:
    """Whether a result holds what was called: as another type, in a longer text, or each of several values."""
    if isinstance(called, list) and called:
        return all(_is_held(one, held) for one in called)
    if any(encode(one) == encode(called) for one in held):
        return True
    if isinstance(called, bool) or not isinstance(called, str | int | float):
        return False
    told, texts = str(called), [str(one) for one in held if isinstance(one, str | int | float)]
    return told in texts or (len(told) > _SHORTEST and any(told in one for one in texts))


_SHORTEST = 3
"""Characters of a text that is no chance find."""


def verdict_on(dialogue: Dialogue, tools: Mapping[str, Tool]) -> str:
    """Return why the turns of the last task do not accomplish its gold calls; empty where they do."""
    parts = tuple(TaskPart(task.turn or 0) for task in dialogue.tasks)
    transcript = Transcript(
        dialogue=dialogue.id, protocol="", model="", turns=dialogue.turns, ended="tasks", tasks=parts
    )
    verdict = judge_task(dialogue, len(dialogue.tasks) - 1, transcript, tools, leniency=NEAR)
    return "" if verdict.right else f"{verdict.error}: {verdict.why}"


def until(dialogue: Dialogue, task: int) -> Dialogue:
    """Return the dialogue with the tasks before this one only."""
    turns = dialogue.turns[: dialogue.tasks[task].turn]
    return msgspec.structs.replace(dialogue, turns=turns, tasks=dialogue.tasks[:task])


# -- what a task hides -----------------------------------------------------------------------------------------------


def hidden_places(
    dialogue: Dialogue, hiding: str, proposed: TaskCandidate, tools: Mapping[str, Tool]
) -> list[HiddenPlace]:
    """Return what the last task leaves out, with its earlier places: values, else the request itself."""
    at = len(dialogue.tasks) - 1
    task = dialogue.tasks[at]
    if not hiding:
        return []
    found = [place for call in range(len(task.gold)) for place in _hidden_values(dialogue, hiding, call, tools)]
    return found or list(_hidden_request(dialogue, hiding, proposed, tools))


def _hidden_values(dialogue: Dialogue, hiding: str, call: int, tools: Mapping[str, Tool]) -> Iterator[HiddenPlace]:
    at = len(dialogue.tasks) - 1
    task, gold = dialogue.tasks[at], dialogue.tasks[at].gold[call]
    own = {encode(node) for one in gold.after for node in nodes_of(value_of(task.gold[one].result or Result()))}
    for known in known_values(tools[gold.tool], gold.values):
        if known.slot.name in task.missing or known.text in own or not is_findable(known):
            continue
        if is_found(dialogue.turns[task.turn or 0].text, known, dialogue.today):
            continue
        if origin := _origin(dialogue, known, is_far=hiding == "long_range"):
            yield HiddenPlace(
                task=at,
                hiding=hiding,
                call=call,
                parameter=known.slot.name,
                value=known.text,
                origin=origin,
                distance=at - origin.task,
            )


def _origin(dialogue: Dialogue, known: Known, *, is_far: bool) -> Origin | None:
    """The last place that tells a value before the last task; with `is_far` none where the task before it has one."""
    last = len(dialogue.tasks) - 2
    for task in range(last, -1, -1):
        found = _in_task(dialogue, task, known)
        if found and is_far and task == last:
            return None
        if found:
            return found
    return None


def _in_task(dialogue: Dialogue, task: int, known: Known) -> Origin | None:
    for stage in task_stages(dialogue, task):
        if is_found(dialogue.turns[stage.first].text, known, dialogue.today):
            return Origin(task=task, turn=stage.first, speaker="user")
    for call, gold in enumerate(dialogue.tasks[task].gold):
        for path, node in _paths(value_of(gold.result or Result())):
            if encode(node) == known.text:
                turn = next(at for at in _turns_of(dialogue, task) if _makes(dialogue, at, gold))
                return Origin(task=task, call=call, path=path, turn=turn)
    return None


def _turns_of(dialogue: Dialogue, task: int) -> range:
    ends = [*(one.turn or 0 for one in dialogue.tasks), len(dialogue.turns)]
    return range(ends[task], ends[task + 1])


def _makes(dialogue: Dialogue, turn: int, gold: GoldCall) -> bool:
    calls = dialogue.turns[turn].calls
    return any((one.tool, one.arguments) == (gold.tool, encode(gold.values)) for one in calls)


def _paths(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Yield a value and all values in it with their JSON pointers."""
    yield path, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from _paths(one, f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}")


def _hidden_request(
    dialogue: Dialogue, hiding: str, proposed: TaskCandidate, tools: Mapping[str, Tool]
) -> Iterator[HiddenPlace]:
    """Yield the wish that a task of one tool repeats in other words, or the task that a chat is about."""
    at = len(dialogue.tasks) - 1
    task, before = dialogue.tasks[at], dialogue.tasks[:at]
    if task.kind == "chat":
        source = left_out_at((proposed.left_out or "").strip(), until(dialogue, at), is_far=hiding == "long_range")
        about = encode(before[source].gold[0].tool) if source is not None and before[source].gold else encode("chat")
        call = None
    else:
        names = {gold.tool for gold in task.gold}
        same = [one for one, earlier_task in enumerate(before) if {gold.tool for gold in earlier_task.gold} == names]
        is_open = len(names) == 1 and not _is_worded(dialogue.turns[task.turn or 0].text, tools[task.gold[0].tool])
        source, call, about = (same[-1] if same and is_open else None), 0, encode(next(iter(names), ""))
    if source is not None:
        origin = Origin(task=source, turn=before[source].turn, speaker="user")
        yield HiddenPlace(task=at, hiding=hiding, call=call, value=about, origin=origin, distance=at - source)


def _is_worded(text: str, tool: Tool) -> bool:
    """Whether a request names what the tool is about."""
    told = gloss(tool).object_stems
    return bool(told) and told <= stem_set(text)

"""The checks of wild sessions find what is planted, and pass what is clean."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from callwright.papers.wild.wild_cascade import check_wild
from callwright.records.annotations.wild_notes import WildPlan
from callwright.records.dialogue import Dialogue, GoldArgument, Task
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from wild_workshop import first_session, tools_of

replace = msgspec.structs.replace


def first_with(wanted: Callable[[Dialogue], bool]) -> tuple[Dialogue, dict[str, Tool]]:
    """Return a kept session of this sort, and its tools."""
    made = first_session(wanted)
    return made.dialogue, tools_of(made)


def codes(dialogue: Dialogue, tools: dict[str, Tool]) -> set[str]:
    return {issue.code for issue in check_wild(dialogue, tools)}


def with_task(dialogue: Dialogue, place: int, task: Task) -> Dialogue:
    return replace(dialogue, tasks=(*dialogue.tasks[:place], task, *dialogue.tasks[place + 1 :]))


def with_text(dialogue: Dialogue, place: int, text: str) -> Dialogue:
    turn = replace(dialogue.turns[place], text=text)
    return replace(dialogue, turns=(*dialogue.turns[:place], turn, *dialogue.turns[place + 1 :]))


def has_calls(dialogue: Dialogue) -> bool:
    return bool(dialogue.tasks[0].gold and dialogue.tasks[0].gold[0].arguments) and dialogue.tasks[0].kind == "single"


def hides_in_a_result(dialogue: Dialogue) -> bool:
    return isinstance(dialogue.annotation, WildPlan) and any(place.origin.path for place in dialogue.annotation.hidden)


def has_long_value(dialogue: Dialogue) -> bool:
    return any(" " in argument.accepted[0].strip('[]{}"') for argument in dialogue.tasks[0].gold[0].arguments)


def test_clean_sessions_pass() -> None:
    """A kept session has no issue when it is checked again."""
    made = first_session(lambda _: True)
    assert check_wild(made.dialogue, tools_of(made)) == ()


def test_an_unknown_tool_is_found() -> None:
    """A gold call of a tool that is not shown."""
    dialogue, tools = first_with(has_calls)
    gold = replace(dialogue.tasks[0].gold[0], tool="nowhere")
    assert "unknown_tool" in codes(with_task(dialogue, 0, replace(dialogue.tasks[0], gold=(gold,))), tools)


@pytest.mark.parametrize(
    ("name", "value", "code"), [("surplus", "x", "unknown_parameter"), ("", {"a": 1}, "type_error")]
)
def test_wrong_arguments_are_found(name: str, value: object, code: str) -> None:
    """A parameter that no document has, and a value of another type."""
    dialogue, tools = first_with(has_calls)
    gold = dialogue.tasks[0].gold[0]
    argument = GoldArgument(name or gold.arguments[0].name, (encode(value),))
    rest = gold.arguments if name else gold.arguments[1:]
    planted = replace(dialogue.tasks[0], gold=(replace(gold, arguments=(*rest, argument)),))
    assert code in codes(with_task(dialogue, 0, planted), tools)


def test_a_call_that_is_never_made_is_found() -> None:
    """Gold that the turns leave out."""
    dialogue, tools = first_with(has_calls)
    turns = (dialogue.turns[0], replace(dialogue.turns[1], steps=()), *dialogue.turns[2:])
    assert "call_left_out" in codes(replace(dialogue, turns=turns), tools)


def test_a_request_that_says_nothing_is_found() -> None:
    """Values that the words should carry."""
    dialogue, tools = first_with(lambda d: has_calls(d) and has_long_value(d))
    found = codes(with_text(dialogue, 0, "Could you do it, please?"), tools)
    assert "value_never_said" in found


def test_a_hidden_place_that_is_untrue_is_found() -> None:
    """Another value in the annotation than where it points."""
    dialogue, tools = first_with(hides_in_a_result)
    notes = dialogue.annotation
    assert isinstance(notes, WildPlan)
    hidden = tuple(
        replace(place, origin=replace(place.origin, path="/nowhere")) if place.origin.path else place
        for place in notes.hidden
    )
    assert "hidden_place_untrue" in codes(replace(dialogue, annotation=replace(notes, hidden=hidden)), tools)


def test_a_missing_value_that_was_said_is_found() -> None:
    """A clarify task whose value stands in the request."""
    dialogue, tools = first_with(lambda d: d.tasks[0].kind == "clarify")
    task = dialogue.tasks[0]
    value = str(task.gold[0].values[task.missing[0]])
    found = codes(with_text(dialogue, 0, f'{dialogue.turns[0].text} It is "{value}".'), tools)
    assert found & {"missing_value_known", "missing_value_said"}

"""One call, at the end, of the seed tool; or none, where no tool fits."""

from __future__ import annotations

from msgspec.structs import replace
from spoken import refund

from callwright.papers.diaforge.final_call import tool_call_issues
from callwright.records.dialogue import Call, Dialogue, Step
from diaforge_builders import tools_of, with_turn


def faults(dialogue: Dialogue) -> list[tuple[str, str]]:
    return [(issue.code, issue.where) for issue in tool_call_issues(dialogue, tools_of(dialogue))]


def with_calls(dialogue: Dialogue, position: int, *calls: Call) -> Dialogue:
    return with_turn(dialogue, position, replace(dialogue.turns[position], steps=(Step("So.", calls=calls),)))


RIGHT = refund().turns[-1].calls[0]


def test_the_one_call_at_the_end_is_right() -> None:
    """Its arguments are another check's."""
    assert faults(refund()) == []


def test_a_dialogue_without_a_call_lacks_it_at_the_end() -> None:
    """The fault lies in the last turn."""
    assert faults(with_calls(refund(), 3)) == [("no_call", "turns[3].calls")]


def test_other_tools_are_wrong_or_unknown() -> None:
    """A tool of the pool is wrong, a name that nobody showed unknown."""
    assert faults(with_calls(refund(), 3, replace(RIGHT, tool="replace_item"))) == [("wrong_tool", "turns[3].calls")]
    assert faults(with_calls(refund(), 3, replace(RIGHT, tool="refund"))) == [("unknown_tool", "turns[3].calls")]


def test_a_call_before_the_last_turn_is_too_early() -> None:
    """It stays too early when it is made again at the end."""
    early = with_calls(with_calls(refund(), 3), 1, RIGHT)

    assert faults(early) == [("call_too_early", "turns[1].calls")]
    assert [code for code, _ in faults(with_calls(early, 3, RIGHT))] == ["call_too_early", "several_calls"]


def test_two_calls_are_one_too_many() -> None:
    """Also where they are equal."""
    assert faults(with_calls(refund(), 3, RIGHT, RIGHT)) == [("several_calls", "turns[3].calls")]


def test_the_seed_tool_must_be_shown() -> None:
    """Its name among the tools of the dialogue is what counts."""
    dialogue = refund()

    assert faults(replace(dialogue, tools=dialogue.tools[1:])) == [("seed_tool_not_in_pool", "tools")]


def test_where_no_tool_fits_any_call_is_a_fault() -> None:
    """And none is right."""
    dialogue = refund()
    none_fits = replace(dialogue, tasks=(replace(dialogue.tasks[0], gold=()),))

    assert faults(none_fits) == [("call_where_none_fits", "turns[3].calls")]
    assert faults(with_calls(none_fits, 3)) == []

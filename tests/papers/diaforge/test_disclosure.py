"""Each gold value is said by the user in the turn where it is due, and never before."""

from __future__ import annotations

from msgspec.structs import replace
from spoken import leave, refund, transfer

from callwright.papers.diaforge.disclosure import disclosure_issues
from callwright.papers.diaforge.user_policy import gold_known
from callwright.records.annotations.diaforge_notes import Disclosure
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import encode
from diaforge_builders import notes_of, tools_of, with_text


def faults(dialogue: Dialogue) -> list[tuple[str, str]]:
    tool = tools_of(dialogue)[notes_of(dialogue).gold_tool]
    return [(issue.code, issue.where) for issue in disclosure_issues(dialogue, gold_known(tool, dialogue.tasks))]


def due(dialogue: Dialogue, **turns: int) -> Dialogue:
    disclosed = tuple(Disclosure(turn, name) for name, turn in turns.items())
    return replace(dialogue, annotation=replace(notes_of(dialogue), disclosed=disclosed))


def test_values_said_when_due_are_right() -> None:
    """In words as well as in digits."""
    assert faults(refund()) == faults(leave()) == faults(transfer()) == []


def test_a_value_that_nobody_was_to_say_is_a_fault() -> None:
    """The call cannot know it."""
    assert faults(due(refund(), order_id=0, item=2)) == [("value_never_said", "turns")]


def test_a_value_is_due_in_a_turn_of_the_user() -> None:
    """An assistant's turn, or one that is not there, is no place for it."""
    for turn in (1, 4, -2):
        assert ("value_not_said_when_due", f"turns[{turn}]") in faults(due(refund(), order_id=0, item=2, reason=turn))


def test_a_value_that_is_not_in_the_words_is_missed() -> None:
    """The fault names the turn in which it is due."""
    dialogue = with_text(refund(), 2, "just the kettle. it came late")

    assert faults(dialogue) == [("value_not_said_when_due", "turns[2].text")]


def test_a_value_before_it_is_due_is_too_early() -> None:
    """From the user, of any kind."""
    assert faults(with_text(refund(), 0, "refund for order 88213, it's damaged")) == [
        ("value_too_early", "turns[0].text")
    ]


def test_the_assistant_may_list_choices_but_knows_no_codes() -> None:
    """Choices and small numbers are in its questions; codes, names and days it learns from the user."""
    listing = with_text(refund(), 1, "One item or all? And was it damaged, or late?")
    guessing = with_text(transfer(), 3, "Is it A-3047? And how many units?")

    assert faults(listing) == []
    assert faults(guessing) == [("value_too_early", "turns[3].text")]


def test_the_same_value_of_another_parameter_is_not_too_early() -> None:
    """Where two parameters share a value, the first telling tells it."""
    dialogue = transfer()
    gold = dialogue.tasks[0].gold[0]
    arguments = tuple(
        replace(argument, accepted=(encode("A-3047"),)) if argument.name == "to_warehouse" else argument
        for argument in gold.arguments
    )
    shared = replace(dialogue, tasks=(replace(dialogue.tasks[0], gold=(replace(gold, arguments=arguments),)),))
    said = with_text(shared, 2, "Brought over, yes: from north to A-3047.")

    assert faults(said) == []

"""Who speaks when, and what every turn must hold."""

from __future__ import annotations

from msgspec.structs import replace
from spoken import training

from callwright.papers.diaforge.turn_format import format_issues
from callwright.records.dialogue import Dialogue, GoldArgument, Step, Turn
from callwright.records.jsontext import JsonText
from diaforge_builders import with_text, with_turn


def faults(dialogue: Dialogue, *, thoughts: bool = True) -> list[tuple[str, str]]:
    return [(issue.code, issue.where) for issue in format_issues(dialogue, thoughts=thoughts)]


def test_a_well_formed_dialogue_has_no_fault() -> None:
    """Turns alternate, each says something, each assistant's turn has a thought."""
    assert faults(training()) == []


def test_a_dialogue_without_turns_is_empty() -> None:
    """It is one fault, not several."""
    assert faults(replace(training(), turns=())) == [("no_turns", "turns")]


def test_the_first_speaker_is_the_user() -> None:
    """A dialogue that the assistant begins does not alternate, from its first turn on."""
    dialogue = training()

    assert faults(replace(dialogue, turns=dialogue.turns[1:])) == [("turns_do_not_alternate", "turns[0]")]


def test_speakers_who_are_no_participants_do_not_alternate() -> None:
    """The fault names the turn of the stranger."""
    dialogue = with_turn(training(), 2, Turn("stranger", "Hello."))

    assert faults(dialogue) == [("turns_do_not_alternate", "turns[2]")]


def test_the_last_speaker_is_the_assistant() -> None:
    """A dialogue that ends with the user is not finished."""
    dialogue = training()

    assert faults(replace(dialogue, turns=dialogue.turns[:-1])) == [("ends_with_user", "turns[4]")]


def test_blank_text_is_empty() -> None:
    """White space says nothing."""
    assert faults(with_text(training(), 2, " \n ")) == [("empty_text", "turns[2].text")]


def test_users_neither_think_nor_call() -> None:
    """Thoughts and calls belong to assistants."""
    dialogue = training()
    thinking = with_turn(dialogue, 2, replace(dialogue.turns[2], steps=(Step("Hm."),)))
    calling = with_turn(dialogue, 2, replace(dialogue.turns[2], steps=(Step(calls=dialogue.turns[-1].calls),)))

    assert faults(thinking) == faults(calling) == [("user_acts_as_assistant", "turns[2].steps")]


def test_missing_thoughts_count_where_thoughts_are_wanted() -> None:
    """Without thoughts in the dataset their absence is no fault; white space is no thought."""
    dialogue = training()
    bare = with_turn(dialogue, 1, replace(dialogue.turns[1], steps=(Step("  "),)))

    assert faults(bare) == [("no_thought", "turns[1].steps")]
    assert faults(bare, thoughts=False) == []


def test_thoughts_stay_private_in_whole_and_in_part() -> None:
    """A sentence of the thought in the text is told apart from a few words that agree by chance."""
    dialogue = training()
    thought = "Only the number is open. I ask for the number of that request."
    thinking = with_turn(dialogue, 3, replace(dialogue.turns[3], steps=(Step(thought),)))

    for text, public in (
        (f"{thought} Which is it?", True),
        ("i ask for  the number of THAT request", True),
        ("Only the number, please.", False),
    ):
        assert faults(with_text(thinking, 3, text)) == [("thought_is_public", "turns[3].text")] * public


def test_unreadable_gold_and_days_are_faults() -> None:
    """Records edited by hand are named, so that no later check meets them."""
    dialogue = training()
    gold = dialogue.tasks[0].gold[0]
    for accepted in ((), (JsonText("TR-4188"),)):
        broken = replace(gold, arguments=(GoldArgument("training_request_id", accepted),))
        changed = replace(dialogue, tasks=(replace(dialogue.tasks[0], gold=(broken,)),))

        assert faults(changed) == [("bad_record", "tasks[0].gold[0].arguments")]
    assert faults(replace(dialogue, today="next week")) == [("bad_record", "today")]

"""When the user said each value: what rules find, and what they accept of a checker's quotations."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.papers.diaforge.said_values import Quotation, checked_talk, quote_values, with_disclosures
from callwright.papers.diaforge.scripted_author import write_object
from callwright.records.annotations.diaforge_notes import DiaforgeNotes
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool
from strong_author import catalogue, play_talk, talks


def talk(name: str) -> tuple[Dialogue, Tool]:
    """A talk written by hand, with the tool that it is about."""
    found = next(one for one in talks() if one.name == name)
    return play_talk(found).dialogue, catalogue(found.catalogue).by_name[found.tool]


def notes(dialogue: Dialogue) -> DiaforgeNotes:
    assert isinstance(dialogue.annotation, DiaforgeNotes)
    return dialogue.annotation


def test_a_quotation_that_stands_in_its_turn_discloses_the_value() -> None:
    """With the words that show it; what rules find is as before."""
    dialogue, tool = talk("wrong time")
    assert notes(dialogue).unverified == ("starts_at",)

    found = notes(with_disclosures(dialogue, tool, [Quotation("starts_at", 2, "an hour later")]))

    assert found.unverified == ()
    assert {one.parameter: (one.turn, one.quote) for one in found.disclosed} == {
        "starts_at": (2, "an hour later"), "meeting_number": (4, ""),
    }  # fmt: skip


@pytest.mark.parametrize(
    "quotation",
    [
        Quotation("starts_at", 2, "one hour later"),
        Quotation("starts_at", 1, "an hour later"),
        Quotation("starts_at", 2, "n hour late"),
        Quotation("starts_at", 2, "  "),
        Quotation("starts_at", 2, ","),
        Quotation("starts_at", 0, "an hour later"),
        Quotation("starts_at", 9, "an hour later"),
        Quotation("minutes", 2, "an hour later"),
        Quotation("meeting_number", 2, "an hour later"),
    ],
)
def test_any_other_quotation_changes_nothing(quotation: Quotation) -> None:
    """Other words, another turn, parts of words, no words, no turn, a value that is not there or that rules find."""
    dialogue, tool = talk("wrong time")

    assert with_disclosures(dialogue, tool, [quotation]) == with_disclosures(dialogue, tool)


@given(st.integers(-3, 9), st.text(max_size=12))
def test_no_quotation_of_any_kind_is_accepted_that_is_not_there(turn: int, quote: str) -> None:
    """Whatever a model writes."""
    dialogue, tool = talk("wrong time")
    found = notes(with_disclosures(dialogue, tool, [Quotation("starts_at", turn, quote)]))
    accepted = {one.parameter: one for one in found.disclosed if one.quote}
    is_there = 0 <= turn < len(dialogue.turns) and turn % 2 == 0 and quote in dialogue.turns[turn].text
    assert is_there or "starts_at" not in accepted


def test_words_that_were_called_are_found_by_rules() -> None:
    """A free text that the user words anew is disclosed where the user says what is called."""
    dialogue, tool = talk("somebody fell")
    called = dialogue.turns[-1].calls[0].values
    said = msgspec.structs.replace(dialogue.turns[2], text=f"{called['reason']}")
    anew = msgspec.structs.replace(dialogue, turns=(*dialogue.turns[:2], said, *dialogue.turns[3:]))
    assert "reason" in {one.parameter for one in notes(with_disclosures(anew, tool)).disclosed}


def test_the_checker_sees_the_values_that_rules_do_not_find_and_the_numbered_messages() -> None:
    """No other value, and nothing of what the assistant thought."""
    asked = checked_talk(*talk("wrong time"))
    assert asked is not None
    assert [one.name for one in asked.values] == ["starts_at"]
    assert asked.lines[:3] == [
        "Person 1: my 3 o'clock tomorrow clashes with the dentist",
        "Assistant: Ouch. Should I move it, or invite somebody in your place?",
        "Person 2: move it, an hour later please",
    ]
    assert checked_talk(*talk("kick-off")) is None


def test_builtin_author_quotes_a_sentence_that_names_the_value() -> None:
    """A whole sentence of the person; and nothing where no message names it."""
    asked = checked_talk(*talk("wrong time"))
    assert asked is not None
    prompt = quote_values.prompt(asked).messages[1].content
    assert write_object(prompt, None) == {"reply": []}  # type: ignore[arg-type]

    lines = ["Person 1: Hello. The meeting starts at four. Thanks.", "Assistant: Fine."]
    named = quote_values.prompt(asked._replace(lines=lines)).messages[1].content
    quoted = {"value": "starts_at", "turn": 1, "quote": "The meeting starts at four."}
    assert write_object(named, None) == {"reply": [quoted]}  # type: ignore[arg-type]


def test_a_name_that_was_not_asked_for_is_a_fault() -> None:
    """So it is asked again; quotations are not."""
    asked = checked_talk(*talk("wrong time"))
    assert asked is not None
    reply = [{"value": "when", "turn": 1, "quote": "tomorrow"}, {"value": "starts_at", "turn": 7, "quote": "never"}]
    written = quote_values.parse(json.dumps({"reply": reply}))
    assert quote_values.faults(written, asked) == ("'when' is none of the values listed",)

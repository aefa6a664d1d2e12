"""Faults of one message, found before the dialogue is whole."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace
from planted import PLANTS

from callwright.papers.diaforge.diaforge_cascade import check, message_faults
from callwright.records.dialogue import Dialogue
from diaforge_builders import kept, tools_of


def until(dialogue: Dialogue, position: int) -> Dialogue:
    """The dialogue as it was when this turn was its last."""
    return replace(dialogue, turns=dialogue.turns[: position + 1])


def test_messages_of_dialogues_that_are_kept_have_no_fault() -> None:
    """Whichever was the last."""
    for dialogue in kept()[:60]:
        assert dialogue.turns
        for position in range(len(dialogue.turns)):
            assert message_faults(until(dialogue, position), tools_of(dialogue)) == ()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("leaked_tool_name", "identifier_leaked"),
        ("leaked_parameter_identifier", "identifier_leaked"),
        ("schema_words_said", "schema_words"),
        ("value_invented", "value_not_gold"),
    ],
)
def test_what_the_cascade_finds_in_a_message_is_found_when_it_is_written(name: str, code: str) -> None:
    """In the turn that has it, and in no other."""
    planted = 0
    for number, dialogue in enumerate(kept()[:60]):
        defect = PLANTS[name](dialogue, Random(number))
        where = {issue.where for issue in check(defect, tools_of(defect)) if issue.code == code} if defect else set()
        if defect is None or not where:
            continue
        planted += 1
        for position in range(len(defect.turns)):
            faults = message_faults(until(defect, position), tools_of(defect))
            assert any(fault.startswith(code) for fault in faults) == (f"turns[{position}].text" in where)
    assert planted >= 10

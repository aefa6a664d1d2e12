"""Answers to a question for what a request lacks."""

from __future__ import annotations

from typing import Any

import pytest

from callwright.author.briefs import known_values
from callwright.papers.wild.said_answers import unsaid_faults
from strong_author import catalogue

TODAY = "2027-03-09"


@pytest.mark.parametrize(
    ("where", "tool", "value", "text", "rejects"),
    [
        ("music_school", "enrol_pupil", {"minutes": 45}, "Three quarters, so 45.", None),
        ("oyster_farm", "harvest_bags", {"bags": 36}, "Three dozen.", None),
        ("milk_bank", "order_milk", {"millilitres": 1500}, "One and a half litres.", None),
        ("milk_bank", "pause_donor", {"until": "2027-03-31"}, "Until the end of the month.", None),
        ("milk_bank", "trace_batch", {"batch_number": "HB-7061"}, "HB 7061.", None),
        ("oyster_farm", "harvest_bags", {"bags": 36}, "As many as there are.", True),
        ("milk_bank", "trace_batch", {"batch_number": "HB-7061"}, "HB 7016.", True),
        ("pottery_kiln", "book_glaze_firing", {"temperature": "high"}, "The top one.", False),
    ],
)
def test_an_answer_says_a_value_in_any_spelling(
    where: str, tool: str, value: dict[str, Any], text: str, rejects: bool | None
) -> None:
    """A choice may be in words that no rule knows: asked again, and then kept. None stands for no fault."""
    found = list(unsaid_faults(text, known_values(catalogue(where).by_name[tool], value), TODAY))
    assert [one.rejects for one in found] == ([] if rejects is None else [rejects])

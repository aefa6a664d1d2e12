"""Parameters that a user is asked for, and their values."""

from __future__ import annotations

from callwright.environment.asked_parameters import has_twins


def test_two_parameters_of_one_value_are_twins() -> None:
    """Also numbers and texts apart; two flags are none."""
    assert has_twins({"start": 4, "end": 4})
    assert not has_twins({"start": 4, "end": "4", "open": True, "paid": True})

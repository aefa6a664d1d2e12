"""Who speaks next among several people."""

from __future__ import annotations

import math
from random import Random

import pytest

from callwright.measure.speaker_order import is_rotation, order_entropy


@pytest.mark.parametrize(
    ("order", "n", "rotates"),
    [("abcabc", 3, True), ("abcab", 3, True), ("abcacb", 3, False), ("ababab", 3, False), ("abc", 3, False)],
)
def test_a_rotation_goes_round_in_one_order(order: str, n: int, rotates: bool) -> None:
    """All speak in turn, and begin again in the same order; a round in which nobody speaks twice tells nothing."""
    assert is_rotation(order, n) is rotates


def test_a_rotation_has_no_entropy() -> None:
    """Where all take turns it is certain who comes next, in whatever order they began."""
    assert order_entropy(["abcdabcdabcd", "dbcadbca"], 4) == 0


def test_speakers_by_chance_have_the_most() -> None:
    """Drawn evenly, the next of three people is as likely as any: log2(3) bits."""
    rng = Random(1)
    orders = ["".join(rng.choices("abc", k=50)) for _ in range(200)]
    found = order_entropy(orders, 3)
    assert found is not None
    assert math.log2(3) - 0.01 < found <= math.log2(3)


def test_nothing_is_told_before_all_have_spoken() -> None:
    """Chats in which one of three is silent have no entropy of three."""
    assert order_entropy(["ababab", ""], 3) is None

"""A secret is found as a pattern of all its parts would find it, in linear time."""

from __future__ import annotations

import re
import string
import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.models.keys import STRUCK, ApiKey, _whole_forms, cut_secret, fold, strike, whole_secret

FOREIGN = "İıſK"
"""Letters that count as one of ASCII where case does not matter."""


def slowly(key: str, forms: set[str], text: str, *, parts: bool) -> str:
    """Strike with one pattern of everything, the longest first: what is to be found by definition."""
    cuts = range(12, len(key)) if parts else ()
    everything = forms | {key[:cut] for cut in cuts} | {key[-cut:] for cut in cuts}
    longest_first = sorted(everything, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, longest_first)), STRUCK, text, flags=re.IGNORECASE if parts else 0)


def keys(shortest: int, longest: int) -> st.SearchStrategy[str]:
    """Keys of few letters, which overlap with themselves, and of many."""
    few, many = (st.text(letters, min_size=shortest, max_size=longest) for letters in ("aB", "skiK-_/+.019xyz"))
    repeated = st.builds(lambda part, times, end: (part * times + end)[:longest], few, st.integers(1, 9), few)
    return st.one_of(few, many, repeated)


@st.composite
def texts(draw: st.DrawFn, key: str, forms: set[str]) -> str:
    """Pieces of the key and its forms in any case, joined by little or nothing."""
    pieces = []
    for _ in range(draw(st.integers(0, 7))):
        form = draw(st.sampled_from(sorted({key, *forms})))
        start = draw(st.integers(0, len(form)))
        piece = form[draw(st.sampled_from([0, start])) :][: draw(st.sampled_from([11, 12, 13, 20, len(form)]))]
        pieces.append(draw(st.sampled_from([str, str.upper, str.lower, str.swapcase, _foreign]))(piece))
        pieces.append(draw(st.sampled_from(["", "", "", " ", "a", "B", key[:1], key[-1:], *FOREIGN])))
    return "".join(pieces)


def _foreign(text: str) -> str:
    return text.translate(str.maketrans("isk", "ıſK"))


@given(st.data())
def test_long_keys_are_found_as_by_the_pattern_of_all_parts(data: st.DataObject) -> None:
    """Whole, in every form, in any case, by beginning and end: the leftmost match, and there the longest."""
    key = data.draw(keys(24, 40))
    forms = _whole_forms(key)
    text = data.draw(texts(key, forms))
    assert strike(cut_secret(key, forms), text, STRUCK) == slowly(key, forms, text, parts=True)


@given(st.data())
def test_parts_that_overlap_are_found_as_by_the_pattern(data: st.DataObject) -> None:
    """Also in texts of any order of few letters, in which beginnings, ends and forms run into one another."""
    key = data.draw(keys(24, 30))
    forms = {key, *data.draw(st.sets(st.text("aB", min_size=8, max_size=40), max_size=3))}
    text = data.draw(st.lists(st.sampled_from([key[:13], key[-13:], key[3:], key[:-3], "a", "B"]), max_size=12))
    joined = "".join(text)
    assert strike(cut_secret(key, forms), joined, STRUCK) == slowly(key, forms, joined, parts=True)


@given(st.data())
def test_short_keys_are_found_whole_alone(data: st.DataObject) -> None:
    """In their case, in every form; no part of them is struck."""
    key = data.draw(keys(8, 23))
    forms = _whole_forms(key)
    text = data.draw(texts(key, forms))
    assert strike(whole_secret(forms), text, STRUCK) == slowly(key, forms, text, parts=False)


@given(st.data())
def test_far_apart_matches_are_all_found(data: st.DataObject) -> None:
    """Stretches without a sign are passed over and stay as they are."""
    key = data.draw(keys(24, 30))
    gaps = data.draw(st.lists(st.integers(0, 300), max_size=6))
    text = "".join("." * gap + data.draw(st.sampled_from([key, key[:12], key[-12:], key[::-1]])) for gap in gaps)
    forms = _whole_forms(key)
    assert strike(cut_secret(key, forms), text + "..", STRUCK) == slowly(key, forms, text + "..", parts=True)


def test_letters_are_folded_as_patterns_compare_them() -> None:
    """Every character of Unicode becomes an ASCII one exactly where `re.IGNORECASE` takes it for that."""
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    folded = fold(every)
    assert len(folded) == len(every)
    for letter in string.ascii_lowercase + string.digits + "-_.+/=%":
        found = re.findall(re.escape(letter), every, re.IGNORECASE)
        assert found == [every[match.start()] for match in re.finditer(re.escape(letter), folded)]


HARD: list[Callable[[int], tuple[str, str]]] = [
    lambda n: ("x" * n, "x" * (2 * n)),
    lambda n: ("x" * n, "78" * n),
    lambda n: ("a" * (n - 1) + "b", "a" * n + "YWFh" * n),
    lambda n: ("b" + "a" * (n - 1), "a" * n + "b" * n),
    lambda n: ("ab" * (n // 2), "ab" * n + "ba" * n),
    lambda n: ("".join(map(str, range(n)))[:n], "0123456789101112" * (n // 8)),
]
"""Keys of n characters, with texts that hold many of their beginnings, ends and forms, or nearly."""


def steps(work: Callable[[], object]) -> int:
    """Lines that run inside `work`."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("hard", HARD)
def test_steps_grow_with_the_length_and_no_faster(hard: Callable[[int], tuple[str, str]]) -> None:
    """Four times the key and the text take at most about four times the lines."""

    def work(n: int) -> int:
        key, text = hard(n)
        return steps(lambda: ApiKey(key).strike(text))

    small, large = work(600), work(2_400)
    assert small > 600
    assert large < 4.5 * small


def long_key(length: int) -> str:
    return "".join(f"{number:x}." for number in range(length))[:length]


@pytest.mark.parametrize("length", [8_000, 100_000])
def test_keys_as_long_as_those_of_gateways_are_struck(length: int) -> None:
    """Cut, shouted, reversed, by its end alone: a pattern of all parts would not fit into memory."""
    key = long_key(length)
    text = f"bad key {key[:-1]} and {key.upper()} and {key[-40:]} and {key[::-1]}!"
    assert ApiKey(key).strike(text) == f"bad key {STRUCK} and {STRUCK} and {STRUCK} and {STRUCK}!"


def test_a_long_key_takes_little_memory() -> None:
    """Some hundred bytes a character, not a character more for each."""
    key = long_key(8_000)
    tracemalloc.start()
    try:
        assert ApiKey(key).strike(key[:-1]) == STRUCK
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 400 * len(key)

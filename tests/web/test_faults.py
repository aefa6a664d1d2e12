"""Faults follow from the seed and the request, in the shares that were asked for."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.errors import BadInput, UnknownName
from callwright.models.chat import ChatReply
from callwright.records.dialogue import Call
from callwright.records.jsontext import encode
from callwright.web.delivery import BY_NAME_ONLY, FAULTS, Drawn, Rate, draw, read_rates, spoiled, wrong_json
from callwright.web.reply_document import completion


def test_a_total_alone_is_shared_by_all() -> None:
    """Every fault has the same share; those that asking again does not mend are left out."""
    rates = read_rates(None, 0.34)

    assert [rate.fault for rate in rates] == list(FAULTS)
    assert [rate.share for rate in rates] == pytest.approx([0.34 / len(FAULTS)] * len(FAULTS))


def test_named_faults_share_the_total() -> None:
    """A name with a share of its own has that one."""
    assert read_rates("stall, slow, huge=0.5", 0.2) == (Rate("stall", 0.1), Rate("slow", 0.1), Rate("huge", 0.5))


def test_without_either_there_are_no_faults() -> None:
    """A server is a good one unless told otherwise."""
    assert read_rates(None, None) == ()


@pytest.mark.parametrize(
    ("names", "total", "said"),
    [
        ("stall", None, "the share of 'stall' is missing"),
        ("stall=0.1", 0.1, "has no effect"),
        ("stall=much", None, "not a share"),
        ("stall=nan", None, "between 0 and 1"),
        ("stall=-0.1", None, "between 0 and 1"),
        ("stall=0.6,slow=0.6", None, "between 0 and 1"),
    ],
)
def test_shares_that_make_no_sense_are_refused(names: str, total: float | None, said: str) -> None:
    """The error says which, and what to write."""
    with pytest.raises(BadInput, match=said):
        read_rates(names, total)


def test_an_unknown_fault_is_told_with_the_known() -> None:
    """The names are in the error."""
    with pytest.raises(UnknownName, match=r"fire.*stall"):
        read_rates("fire=0.1", None)


@given(st.integers(), st.text(max_size=16), st.integers(0, 9))
def test_the_same_place_draws_the_same_fault(seed: int, digest: str, asked_before: int) -> None:
    """A draw depends on nothing but its arguments, down to the details."""
    one, two = (draw(read_rates(None, 0.9), seed=seed, digest=digest, asked_before=asked_before) for _ in range(2))

    assert (one.fault, one.rng.random()) == (two.fault, two.rng.random())


def test_faults_come_in_their_shares() -> None:
    """Of 4,000 requests a tenth stall and a third are refused, give or take five standard deviations."""
    rates = (Rate("stall", 0.1), Rate("error-500", 1 / 3))
    drawn = Counter(draw(rates, seed=3, digest=str(at), asked_before=0).fault for at in range(4_000))

    assert abs(drawn["stall"] - 400) < 95
    assert abs(drawn["error-500"] - 4_000 / 3) < 149
    assert drawn.total() == drawn["stall"] + drawn["error-500"] + drawn[""]


def test_asking_again_draws_again() -> None:
    """A request that failed is not bound to fail for ever."""
    rates = read_rates("error-500=0.5", None)
    faults = {draw(rates, seed=1, digest="a", asked_before=before).fault for before in range(20)}

    assert faults == {"", "error-500"}


@given(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=9), max_size=3), st.randoms())
def test_arguments_cut_short_are_never_json(arguments: dict[str, object], rng: Random) -> None:
    """What is left does not parse."""
    whole = completion(ChatReply(calls=(Call("f", encode(arguments)),)), digest="0", model="m", tokens_in=0)
    cut = spoiled(whole, Drawn("bad-arguments", rng)).calls[0].arguments

    with pytest.raises(json.JSONDecodeError):
        json.loads(cut)


@given(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=9), max_size=3), st.randoms())
def test_doubly_encoded_arguments_hold_the_true_ones(arguments: dict[str, object], rng: Random) -> None:
    """Decoding twice gives what was meant."""
    whole = completion(ChatReply(calls=(Call("f", encode(arguments)),)), digest="0", model="m", tokens_in=0)
    double = spoiled(whole, Drawn("double-arguments", rng)).calls[0].arguments

    assert json.loads(json.loads(double)) == arguments


@given(st.dictionaries(st.text(max_size=5), st.integers(), min_size=1, max_size=3), st.randoms())
def test_wrong_json_is_never_json(value: dict[str, int], rng: Random) -> None:
    """Neither a page nor a part of an object parses."""
    with pytest.raises(json.JSONDecodeError):
        json.loads(wrong_json(json.dumps(value).encode(), rng))


def test_no_name_stands_for_two_faults() -> None:
    """The mix and the faults that are only had by name are apart."""
    assert len({*FAULTS, *BY_NAME_ONLY}) == len(FAULTS) + len(BY_NAME_ONLY)

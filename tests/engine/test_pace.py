"""The limit of calls in flight to one server."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.engine.pace import LONGEST_CLOSED_S, MOST_CHANGES, START, Pace

KINDS = st.sampled_from(["", "rate_limited", "server_error", "unreachable", "timeout", "bad_reply", "auth"])
EVENTS = st.lists(st.tuples(KINDS, st.floats(0, 3), st.floats(0, 2), st.none() | st.floats(0, 1e6)), max_size=200)


def rounds_to(pace: Pace, limit: int, *, now: float) -> int:
    """How many round trips of nothing but replies it takes to reach a limit."""
    rounds = 0
    while pace.limit < limit:
        for _ in range(pace.limit):
            pace.succeeded(wanted=pace.limit, now=now)
        now += 0.2
        rounds += 1
    return rounds


def storm(pace: Pace, *, seconds: float, now: float) -> float:
    """Refuse everything for a time; returns when it ended."""
    end = now + seconds
    while now < end:
        pace.failed("rate_limited", sent=now, now=now + 0.01)
        now += 0.1
    return now


@given(EVENTS, st.integers(1, 300))
def test_the_limit_stays_between_one_and_the_ceiling(events: list, ceiling: int) -> None:  # type: ignore[type-arg]
    """Whatever happens, in whatever order; and all that is kept of it stays in bounds too."""
    pace, now = Pace(ceiling=ceiling, now=0.0), 0.0
    for kind, passed, took, retry_after_s in events:
        now += passed
        if kind:
            pace.failed(kind, sent=now - took, now=now, retry_after_s=retry_after_s)
        else:
            pace.succeeded(wanted=pace.limit, now=now)
        assert 1 <= pace.limit <= ceiling
        assert pace.closed_until <= now + LONGEST_CLOSED_S
    assert all(1 <= change.limit <= ceiling for change in pace.history)
    assert [change.seconds for change in pace.history] == sorted(change.seconds for change in pace.history)


@given(EVENTS, st.integers(1, 300))
def test_it_recovers_from_anything(events: list, ceiling: int) -> None:  # type: ignore[type-arg]
    """After any history, replies alone bring it back to the ceiling within some dozen round trips."""
    pace, now = Pace(ceiling=ceiling, now=0.0), 0.0
    for kind, passed, took, _ in events:
        now += passed
        pace.failed(kind or "rate_limited", sent=now - took, now=now)
    assert rounds_to(pace, ceiling, now=now) <= 40


def test_after_a_storm_it_is_back_within_two_dozen_round_trips() -> None:
    """Half of what it bore is reached by doubling, the rest in sixteen steps."""
    pace = Pace(ceiling=256, now=0.0)
    rounds_to(pace, 256, now=0.0)
    ended = storm(pace, seconds=10, now=10.0)
    assert pace.limit == 1
    assert rounds_to(pace, 256, now=ended) <= 24


def test_a_refusal_halves_it() -> None:
    """Once; what was sent before the cut and refused after it says nothing new."""
    pace = Pace(ceiling=64, now=0.0)
    for at in range(20):
        pace.failed("rate_limited", sent=1.0, now=1.1 + at / 100)
    assert pace.limit == 32
    pace.failed("rate_limited", sent=2.0, now=2.1)
    assert pace.limit == 16


def test_errors_cut_less_than_refusals() -> None:
    """A server error may have another cause than load."""
    pace = Pace(ceiling=64, now=0.0)
    pace.failed("server_error", sent=1.0, now=1.1)
    assert pace.limit == 48


@pytest.mark.parametrize("kind", ["auth", "no_such_model", "context_too_long", "bad_request", "bad_reply"])
def test_what_says_nothing_of_load_changes_nothing(kind: str) -> None:
    """A wrong key is wrong at any pace."""
    pace = Pace(ceiling=64, now=0.0)
    pace.failed(kind, sent=1.0, now=1.1, retry_after_s=5)
    assert (pace.limit, pace.closed_until) == (64, 0.0)


def test_growth_is_additive_above_half_of_what_was_refused() -> None:
    """One sixteenth of the ceiling a round trip."""
    pace = Pace(ceiling=64, now=0.0)
    pace.failed("rate_limited", sent=1.0, now=1.1)
    before = pace.limit
    for _ in range(before):
        pace.succeeded(wanted=pace.limit, now=2.0)
    assert before + 3 <= pace.limit <= before + 4


def test_a_limit_that_is_not_used_up_is_not_raised() -> None:
    """Few calls at once prove nothing about many."""
    pace = Pace(ceiling=2 * START, now=0.0)
    for _ in range(1000):
        pace.succeeded(wanted=START - 1, now=1.0)
    assert pace.limit == START


def test_retry_after_closes_it_for_as_long_as_asked() -> None:
    """And for no shorter time because another refusal asks for less."""
    pace = Pace(ceiling=8, now=0.0)
    pace.failed("rate_limited", sent=1.0, now=2.0, retry_after_s=7)
    pace.failed("rate_limited", sent=1.0, now=3.0, retry_after_s=1)
    assert pace.closed_until == 9.0


def test_the_history_says_when_what_and_why() -> None:
    """From the start, in seconds since then."""
    pace = Pace(ceiling=8, now=100.0)
    pace.failed("timeout", sent=101.0, now=102.5)
    assert [tuple(getattr(one, name) for name in ("seconds", "limit", "reason")) for one in pace.history] == [
        (0.0, 8, "start"),
        (2.5, 6, "timeout"),
    ]


def test_what_changes_nothing_is_noted_once() -> None:
    """A server that refuses for an hour fills no pages."""
    pace = Pace(ceiling=2, now=0.0)
    for at in range(1, 100):
        pace.failed("rate_limited", sent=at, now=at + 0.5)
    assert [change.limit for change in pace.history] == [2, 1]


def test_the_history_is_bounded() -> None:
    """Old entries are thinned out; the first and the latest stay."""
    pace = Pace(ceiling=4, now=0.0)
    for at in range(1, 10_000):
        pace.failed("rate_limited" if at % 2 else "timeout", sent=at, now=at + 0.5)
    assert len(pace.history) <= MOST_CHANGES
    assert (pace.history[0].reason, pace.history[-1].seconds) == ("start", 9_999.5)


def test_a_ceiling_below_one_is_refused() -> None:
    """Nothing could ever be sent."""
    with pytest.raises(ValueError, match="ceiling is 0"):
        Pace(ceiling=0, now=0.0)

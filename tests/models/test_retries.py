"""What is tried again, and after what pause."""

from __future__ import annotations

from email.utils import formatdate
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.errors import BadInput
from callwright.models.attempts import FailureKind
from callwright.models.retries import Patience, may_retry, pause, retry_after

PATIENCE = Patience()


def tries(kind: FailureKind, *, patience: Patience = PATIENCE, after: float | None = None, known: bool = True) -> int:
    tried = 1
    while may_retry(kind, tried=tried, patience=patience, retry_after_s=after, answered_before=known):
        tried += 1
    return tried


def test_what_is_worth_retrying_is_retried_within_bounds() -> None:
    """What may pass is tried again; what the request itself causes is not."""
    counts = {kind: tries(kind) for kind in get_args(FailureKind)}
    assert {kind: count for kind, count in counts.items() if count > 1} == {
        "rate_limited": 24,
        "unreachable": 24,
        "server_error": 24,
        "timeout": 2,
        "bad_reply": 3,
    }


def test_a_server_never_met_is_given_up_soon() -> None:
    """A wrong address costs two attempts; a server that restarts gets them all."""
    assert tries("unreachable", known=False) == 2


def test_a_long_wait_is_no_burst() -> None:
    """A server that asks for an hour is not asked again."""
    assert tries("rate_limited", after=3_600) == 1


@given(st.integers(1, 10_000), st.none() | st.floats(0, 120), st.integers())
def test_pauses_are_bounded_and_repeat(tried: int, after: float | None, seed: int) -> None:
    """A pause is never shorter than was asked, never longer than promised, and the same for the same chance."""
    seconds = pause(tried, patience=PATIENCE, retry_after_s=after, rng=Random(seed))
    again = pause(tried, patience=PATIENCE, retry_after_s=after, rng=Random(seed))
    assert seconds == again
    asked = after or 0.0
    assert max(asked, 0.25) <= seconds <= max(PATIENCE.longest_pause_s, asked * 1.25 + PATIENCE.first_pause_s)


def test_a_server_that_asks_for_no_pause_gets_one() -> None:
    """Or all attempts would be spent in a moment; they last as long as where the server asks for nothing."""
    own = [pause(tried, patience=PATIENCE, retry_after_s=None, rng=Random(tried)) for tried in range(1, 24)]
    asked = [pause(tried, patience=PATIENCE, retry_after_s=0.0, rng=Random(tried)) for tried in range(1, 24)]
    assert all(one >= other for one, other in zip(asked, own, strict=True))
    assert sum(own) > 40


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "2"}, 2.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"Retry-After": "2", "retry-after-ms": "1500"}, 1.5),
        ({"Retry-After": formatdate(1_000_030, usegmt=True), "Date": formatdate(1_000_000, usegmt=True)}, 30.0),
        ({"Retry-After": formatdate(1_000_000, usegmt=True)}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
    ],
)
def test_seconds_and_dates_are_read(headers: dict[str, str], seconds: float | None) -> None:
    """A date counts from the server's own clock; what cannot be read is as good as nothing."""
    assert retry_after(headers) == seconds


@given(st.text(), st.text())
def test_any_header_is_survived(value: str, date: str) -> None:
    """No header raises."""
    found = retry_after({"Retry-After": value, "Date": date})
    assert found is None or found >= 0


@pytest.mark.parametrize("wrong", [{"tries": 0}, {"idle_s": 0}, {"total_s": -1}, {"connect_s": float("nan")}])
def test_senseless_patience_is_refused(wrong: dict[str, Any]) -> None:
    """No attempt at all, or no time for one, is an error."""
    with pytest.raises(BadInput, match="at least 1 is needed" if "tries" in wrong else r"time-out of .* more than 0"):
        Patience(**wrong)

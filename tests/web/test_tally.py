"""Counts are right, and bounded."""

from __future__ import annotations

from callwright.web.call_tally import CallTally


def test_a_request_asked_again_after_its_reply_is_seen() -> None:
    """Asked twice before the reply is a retry; asked after it, a reply was thrown away."""
    tally = CallTally()
    tally.ask("a")
    tally.ask("a")
    tally.replied("a")
    before = tally.summary()
    tally.ask("a")

    assert (before.asked_again, before.asked_after_reply) == (1, 0)
    assert (tally.summary().asked_again, tally.summary().asked_after_reply) == (2, 1)


def test_how_often_it_was_asked_before_is_told() -> None:
    """0 for the first time, of each request on its own."""
    tally = CallTally()

    assert [tally.ask(digest) for digest in "aabab"] == [0, 1, 0, 2, 1]


def test_only_so_many_requests_are_remembered() -> None:
    """Those not asked for longest go, and their number is told; totals stay."""
    tally = CallTally(most_kept=2)
    for digest in "abacd":
        tally.ask(digest)
    tally.replied("a")

    assert list(tally.by_request()) == ["c", "d"]
    assert (tally.summary().forgotten, tally.summary().requests, tally.summary().replies) == (2, 5, 1)

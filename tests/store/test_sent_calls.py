"""The log of calls that are about to be sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from callwright.errors import BadInput, StorageFailed
from callwright.store.sent_calls import SentCalls


def test_the_log_counts_the_calls_of_all_processes(tmp_path: Path) -> None:
    """What was begun counts whether it ended or not, what was refused does not; the most is of all together."""
    path = tmp_path / "calls.log"
    first = SentCalls(path, most=3)
    first.begin(0.25)
    first.begin(None)
    first.refused()
    first.close()
    second = SentCalls(path, most=3)
    assert (second.total, second.dearest, second.is_full) == (1, 0.25, False)
    second.begin(0.5)
    second.begin(0.125)
    assert (second.total, second.dearest, second.is_full) == (3, 0.5, True)
    assert "budget of 3 calls is spent" in second.why_full
    assert not SentCalls(path).is_full


def test_a_record_cut_short_counts_and_spoils_no_other(tmp_path: Path) -> None:
    """A full disk may keep the first bytes of a record alone."""
    path = tmp_path / "calls.log"
    path.write_bytes(b"\n+ 0.5\n+")
    calls = SentCalls(path)
    assert (calls.total, calls.dearest) == (2, 0.5)
    calls.begin(1.0)
    assert (SentCalls(path).total, SentCalls(path).dearest) == (3, 1.0)


def test_no_call_goes_unwritten(tmp_path: Path) -> None:
    """Where the log cannot be written or leads elsewhere, that is an error before the call."""
    with pytest.raises(StorageFailed, match="no call is sent"):
        SentCalls(tmp_path / "none" / "calls.log").begin(None)
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadInput, match="link"):
        SentCalls(tmp_path / "link")

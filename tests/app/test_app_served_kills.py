"""`kill -9` while a server is asked (`tests/long/kill_served.py` is the long form)."""

from __future__ import annotations

import random
from pathlib import Path

from callwright.app.evaluation import evaluate_model
from served_kills import kill_until_done, replies, transcripts
from serving import serving

_CALLS_AT_ONCE = 8


def test_a_killed_run_equals_an_unbroken_one_and_asks_again_only_what_was_in_flight(made: Path, tmp_path: Path) -> None:
    """Nothing lost, nothing doubled; a committed reply is never asked for again, counted at the server."""
    with serving(latency_s=0.05) as (url, tally):
        evaluate_model(made, "dynamic", model="openai/any", base_url=url, out=tmp_path / "whole")
        asked = tally.summary().requests
        kills = kill_until_done(made, url, tmp_path / "killed", chance=random.Random(1), most_kills=3)
        again = tally.summary().requests - 2 * asked
    assert kills > 0
    assert transcripts(tmp_path / "killed") == transcripts(tmp_path / "whole")
    assert replies(tmp_path / "killed") == replies(tmp_path / "whole")
    assert 0 <= again <= kills * _CALLS_AT_ONCE

"""`kill -9` while a server is asked (`tests/long/kills.py` is the long form)."""

from __future__ import annotations

import random
from pathlib import Path

from callwright.app.evaluation import evaluate_model
from served_kills import committed, eval_command, kill_until_done, synth_command, transcripts
from serving import serving

N, SEED = 8, 7


def test_a_killed_evaluation_equals_an_unbroken_one_and_asks_again_only_what_was_in_flight(
    made: Path, tmp_path: Path
) -> None:
    """Nothing lost, nothing doubled; a committed reply is never asked for again, counted at the server."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    with serving(latency_s=0.02) as (url, tally):
        evaluate_model(made, "dynamic", model="openai/any", base_url=url, out=whole, trials=2)
        command = eval_command(made, url, broken)
        hit = kill_until_done(command, broken, tally, calls=100, chance=random.Random(6), most_kills=2)
    assert hit.kills == 2
    assert transcripts(broken) == transcripts(whole)
    assert committed(broken) == committed(whole)


def test_a_killed_synthesis_equals_an_unbroken_one_and_asks_again_only_what_was_in_flight(tmp_path: Path) -> None:
    """The same of an author, whose replies decide what it is asked next."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    with serving("builtin/author", latency_s=0.02) as (url, tally):
        for out, most_kills in ((whole, 0), (broken, 1)):
            command = synth_command(url, out, n=N, seed=SEED)
            kill_until_done(command, out / ".run", tally, calls=80, chance=random.Random(2), most_kills=most_kills)
    assert committed(broken / ".run") == committed(whole / ".run")
    assert (broken / "dialogues.jsonl").read_bytes() == (whole / "dialogues.jsonl").read_bytes()

"""The wild protocol with served models that misbehave: each gets the class of its error, and the task ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from callwright.app.evaluation import evaluate_model
from callwright.models.retries import Patience
from callwright.papers.wild.wild_runs import ExplainOptions, find_verdict
from callwright.protocol.run_access import open_run
from fake_server import FakeServer, completion, says
from hand_sessions import AIR, SINGLE, session, write_sessions

PATIENCE = Patience(connect_s=5, idle_s=5, total_s=20, tries=2, first_pause_s=0.01, longest_pause_s=0.05)
GOOD = json.dumps(AIR[1])


def calling(*arguments: Any) -> Any:
    """Return a reply with a native call for each of these arguments."""
    calls = [
        {"id": f"c{at}", "type": "function", "function": {"name": AIR[0], "arguments": one}}
        for at, one in enumerate(arguments)
    ]
    return says(completion(content=None, tool_calls=calls))


@pytest.mark.parametrize(
    ("replies", "asked", "error", "noted"),
    [
        ([calling(GOOD), says(completion(content="Yes."))], 2, None, ""),
        ([calling(json.dumps(GOOD)), says(completion(content="Yes."))], 2, None, "arguments: encoded twice"),
        ([calling(AIR[1]), says(completion(content="Yes."))], 2, None, ""),
        ([calling(GOOD[:-4])], 1, "call_error", "arguments: not an object"),
        ([calling("Porto")], 1, "call_error", "arguments: not an object"),
        ([calling(*[GOOD] * 500)], 1, "redundant_call", "500 calls; those after the first 64 are dropped"),
        ([calling(GOOD)], 2, "redundant_call", ""),
    ],
)
def test_replies_of_a_server(tmp_path: Path, replies: list[Any], asked: int, error: str | None, noted: str) -> None:
    """Arguments as text, as text in text, cut short or no JSON, 500 calls at once, one call for ever."""
    write_sessions(tmp_path / "ds", [session(SINGLE)])
    server = FakeServer(*replies)

    with server.in_thread():
        evaluate_model(
            tmp_path / "ds", "wild", model="openai/any", base_url=server.url, out=tmp_path / "run", patience=PATIENCE
        )

    assert len(server.asked) == asked
    run = open_run(tmp_path / "run")
    (transcript,) = run.transcripts
    assert find_verdict(run, "s/1", 0, ExplainOptions())[-1].error == error
    assert not noted or noted in transcript.format_errors


def test_what_a_server_is_sent(tmp_path: Path) -> None:
    """After a call stands its result, under the call's id."""
    write_sessions(tmp_path / "ds", [session(SINGLE)])
    server = FakeServer(calling(GOOD), says(completion(content="Yes.")))

    with server.in_thread():
        evaluate_model(
            tmp_path / "ds", "wild", model="openai/any", base_url=server.url, out=tmp_path / "run", patience=PATIENCE
        )

    called, result = server.asked[1]["messages"][-2:]
    assert called["tool_calls"][0]["id"] == result["tool_call_id"] == "c0"
    assert (result["role"], result["content"]) == ("tool", '{"ok":"air_quality"}')

"""Win rates with scripted models and a scripted judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from click.testing import CliRunner

from callwright.app.preferring import WinRate, WinRateRequest, measure_win_rate
from callwright.app.requests import Asking
from callwright.cli import main
from callwright.errors import BadInput
from callwright.models.retries import Patience
from fake_server import FakeServer, completion

N = 12
"""Requests; `tuned` is better on the first half, worse on the next quarter, and says the same on the last."""
BETTER, WORSE = N // 2, N * 3 // 4


def said(model: str, at: int) -> str:
    if at >= WORSE:
        return f"Answer {at}."
    return f"{'Full' if (model == 'tuned') == (at < BETTER) else 'Thin'} answer {at}."


def by_content(answers: list[str]) -> str:
    return "first" if answers[0].startswith("Full") else "second"


def by_place(_answers: list[str]) -> str:
    return "first"


def server_with(choose: Any) -> FakeServer:
    async def answer(request: web.Request) -> web.StreamResponse:
        body: dict[str, Any] = await request.json()
        content = body["messages"][-1]["content"]
        if body["model"] != "judge":
            return web.json_response(completion(content=said(body["model"], int(content.split()[-1]))))
        lines = [json.loads(line) for line in body["messages"][1]["content"].splitlines() if line.startswith('{"turn"')]
        assert [one["speaker"].split()[0] for one in lines] == ["user", "first", "second"]
        grade = choose([one["says"] for one in lines[1:]])
        return web.json_response(completion(content=json.dumps({"analysis": "By rule.", "grade": grade})))

    return FakeServer(answer)


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    path = tmp_path / "prompts.jsonl"
    path.write_text("".join(json.dumps({"prompt": f"Question {at}"}) + "\n" for at in range(N)))
    return path


def win_rate(prompts: Path, out: Path, server: FakeServer, **changed: Any) -> WinRate:
    asking = Asking(base_url=server.url, patience=Patience(connect_s=5, idle_s=5, total_s=10, tries=1))
    names = {"model": "openai/tuned", "against": "openai/base", "judge": "openai/judge"}
    return measure_win_rate(WinRateRequest(prompts=prompts, out=out, asking=asking, **{**names, **changed}))


def test_wins_ties_and_losses_are_those_of_the_judge(prompts: Path, tmp_path: Path) -> None:
    """Both orders are asked; equal answers tie without a judge; nothing is asked twice."""
    with server_with(by_content).in_thread() as server:
        few = win_rate(prompts, tmp_path / "run", server, limit=3)
        assert (few.wins, len(server.asked)) == (3, 3 * 4)
        found = win_rate(prompts, tmp_path / "run", server)
        assert len(server.asked) == 2 * N + 2 * WORSE
        assert win_rate(prompts, tmp_path / "run", server).preferences == found.preferences
        assert len(server.asked) == 2 * N + 2 * WORSE
        swapped = win_rate(prompts, tmp_path / "swapped", server, model="openai/base", against="openai/tuned")
    assert (found.wins, found.ties, found.losses) == (6, 3, 3)
    assert found.rate.value == (6 + 3 / 2) / N
    assert found.rate.low is not None
    assert found.rate.low < found.rate.value < (found.rate.high or 0)
    assert found.first_place == 0.5
    assert swapped.rate.value == 1 - found.rate.value


def test_a_judge_that_favours_a_place_prefers_nobody(prompts: Path, tmp_path: Path) -> None:
    """Half of both orders is a tie, and the place is reported."""
    with server_with(by_place).in_thread() as server:
        found = win_rate(prompts, tmp_path / "run", server)
    assert (found.wins, found.ties, found.losses) == (0, N, 0)
    assert (found.rate.value, found.first_place) == (0.5, 1.0)


def test_failures_are_no_preferences(prompts: Path, tmp_path: Path) -> None:
    """A judge that does not grade leaves requests without a preference, which exits 1."""
    with server_with(lambda _answers: "both").in_thread() as server:
        names = ["--model", "openai/tuned", "--against", "openai/base", "--judge", "openai/judge"]
        shown = CliRunner().invoke(
            main, ["win-rate", str(prompts), *names, "--base-url", server.url, "-o", str(tmp_path / "run")]
        )
        assert shown.exit_code == 1
        assert f"Win rate 0.50: 0 won, {N - WORSE} tied, 0 lost." in shown.stdout.replace(" [0.50, 0.50]", "")
        assert f"{WORSE} failed: bad_reply" in shown.stdout
        with pytest.raises(BadInput, match="compared with itself"):
            win_rate(prompts, tmp_path / "same", server, against="openai/tuned")
        prompts.write_text('{"text": "x"}\n')
        with pytest.raises(BadInput, match=r"prompts\.jsonl:1: no request"):
            win_rate(prompts, tmp_path / "bad", server)

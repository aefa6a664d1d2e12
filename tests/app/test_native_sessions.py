"""`synth wild --calling native`: sessions whose assistant calls natively, over loopback."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from click.testing import CliRunner

import callwright
import native_jobs
from callwright.app.sent import sent_requests
from callwright.cli import main
from callwright.engine.budget import Budget
from callwright.errors import BadInput, BudgetSpent, RunConflict
from callwright.models.prompted import call_in_words
from callwright.papers.registry import find_recipe
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import JsonText
from callwright.store.dataset import read_dialogues
from fake_server import FakeServer
from native_jobs import NATIVE, calling_of, dry_run
from serving import serving

N = 4
synth = partial(native_jobs.synth, "wild", n=N)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sessions of `builtin/author`; do not change them."""
    folder = tmp_path_factory.mktemp("native") / "ds"
    with serving("builtin/author") as (url, _):
        result = synth(folder, url)
    assert result.failed == {}
    assert set(result.rejected) <= set(find_recipe("wild").reasons)
    return folder


def played(folder: Path) -> list[Dialogue]:
    """The kept sessions."""
    kept = list(read_dialogues(folder))
    assert kept
    return kept


def test_builtin_author_plays_the_assistant(made: Path) -> None:
    """Its reasoning is the thought of every step with calls; card and settings say how it called."""
    steps = [step for one in played(made) for turn in one.turns for step in turn.steps if step.calls]
    assert steps
    assert all(step.thought for step in steps)
    assert "The assistant called natively: its reasoning is the thought." in (made / "README.md").read_text()
    assert calling_of(made) == "native"


def test_it_does_what_it_does_with_objects(made: Path, tmp_path: Path) -> None:
    """The same rules see the same conversation, so the same sessions are kept."""
    with serving("builtin/author") as (url, _):
        synth(tmp_path / "object", url, calling="object")
    assert [one.turns for one in played(made)] == [one.turns for one in played(tmp_path / "object")]
    assert calling_of(tmp_path / "object") is None


def test_the_oracle_reaches_the_ceiling(made: Path, tmp_path: Path) -> None:
    """Of the gold that the trajectories fulfilled."""
    callwright.evaluate_model(made, "wild", model="builtin/oracle", out=tmp_path / "run")
    (row,) = [one for one in callwright.score_runs([tmp_path / "run"]) if one.metric == "task_acc" and not one.slice]
    assert row.value == 1


def test_what_it_was_sent_is_rebuilt(made: Path) -> None:
    """With tools, calls and results of the request, as they were sent; `show --sent` prints them, and the reasoning."""
    sent = [one for dialogue in played(made) for one in sent_requests(made, dialogue.id)]
    assert all(one.is_as_sent for one in sent)
    with_tools = [one for one in sent if one.request.tools]
    assert {one.role for one in with_tools} == {"assistant"}
    assert {"tool", "assistant"} <= {message.role for one in with_tools for message in one.request.messages}
    first = played(made)[0].id
    shown = CliRunner().invoke(main, ["show", str(made), first, "--sent"])
    assert shown.exit_code == 0
    assert "Think before every reply" in shown.output
    thoughts = [one.reply.thought for one in sent_requests(made, first) if one.reply.thought]
    assert thoughts
    words = " ".join(shown.output.split())
    assert all(f"({' '.join(thought.split())})" in words for thought in thoughts)


def test_another_way_of_calling_is_another_dataset(tmp_path: Path) -> None:
    """The folder refuses it and names the setting."""
    with serving("builtin/author") as (url, _):
        synth(tmp_path / "ds", url, n=1)
        with pytest.raises(RunConflict, match="calling"):
            synth(tmp_path / "ds", url, n=1, calling=None)


@pytest.mark.parametrize("calling", ["schema", "prompted"])
def test_other_ways_of_calling_are_refused(tmp_path: Path, calling: str) -> None:
    """As in `diaforge`, before anything is written."""
    with pytest.raises(BadInput, match=r"by `native` tools, or in the `object`.*`eval` has the others"):
        synth(tmp_path / "ds", "http://127.0.0.1:1/v1", calling=calling)
    assert not (tmp_path / "ds").exists()


def test_extras_need_rules(tmp_path: Path) -> None:
    """With native calls too."""
    with pytest.raises(BadInput, match="has no minefields"):
        synth(tmp_path / "ds", "http://127.0.0.1:1/v1", minefields=True)


def test_the_dry_run_says_how_the_assistant_calls() -> None:
    """And estimates as many requests as with objects; its prompt has no form to describe, so it is shorter."""
    words, native = dry_run("wild", *NATIVE)
    _, usual = dry_run("wild")
    assert "The assistant calls natively: its reasoning is the thought." in words
    assert (native["calling"], usual["calling"]) == ("native", "object")
    assert native["most_calls"] == usual["most_calls"]
    assert native["estimate"]["calls"] == usual["estimate"]["calls"] > 4 * 5
    assert native["estimate"]["tokens_in"] != usual["estimate"]["tokens_in"]


# -- servers ----------------------------------------------------------------------------------------------------------


def mended(url: str, change: Callable[[dict[str, Any]], None]) -> Callable[[web.Request], Awaitable[web.Response]]:
    """Answers as the server at `url` does, the message of a reply to a request with tools changed."""

    async def answer(request: web.Request) -> web.Response:
        sent = await request.read()
        async with aiohttp.ClientSession() as session, session.post(f"{url}/chat/completions", data=sent) as got:
            body = await got.json()
        if json.loads(sent).get("tools"):
            change(body["choices"][0]["message"])
        return web.json_response(body, status=got.status)

    return answer


def as_text(message: dict[str, Any]) -> None:
    """Leave thought and calls in the text, as servers do that read neither."""
    calls = [one["function"] for one in message.pop("tool_calls", None) or []]
    words = "\n".join(call_in_words(one["name"], JsonText(one["arguments"])) for one in calls)
    message["content"] = f"<think>{message.pop('reasoning_content')}</think>{message['content'] or ''}{words}"


def test_a_thought_in_tags_and_calls_as_text_are_read(made: Path, tmp_path: Path) -> None:
    """The sessions are the same."""
    with serving("builtin/author") as (url, _), FakeServer(mended(url, as_text)).in_thread() as server:
        synth(tmp_path / "ds", server.url)
    assert [one.turns for one in played(tmp_path / "ds")] == [one.turns for one in played(made)]


def test_a_model_without_reasoning_is_rejected_and_counted(tmp_path: Path) -> None:
    """Asked once more for each try at the first task; the funnel has the reason as a step."""

    def thoughtless(message: dict[str, Any]) -> None:
        del message["reasoning_content"]

    with serving("builtin/author") as (url, _), FakeServer(mended(url, thoughtless)).in_thread() as server:
        result = synth(tmp_path / "ds", server.url, n=3)
        asked = [body for body in server.asked if body.get("tools")]
    assert (result.kept, result.rejected, result.failed) == (0, {"no_reasoning": 3}, {})
    assert len(asked) == 3 * 2 * 2
    assert "| rejected: no_reasoning | -3 |" in (tmp_path / "ds" / "README.md").read_text()


def test_a_budget_ends_the_synthesis_and_a_higher_one_goes_on(made: Path, tmp_path: Path) -> None:
    """Nothing answered is asked again, and the sessions are those of one go."""
    out = tmp_path / "ds"
    with serving("builtin/author") as (url, tally):
        with pytest.raises(BudgetSpent, match="budget is spent"):
            synth(out, url, budget=Budget(tokens=60_000), concurrency=2)
        asked = tally.summary().requests
        with pytest.raises(BudgetSpent):
            synth(out, url, budget=Budget(tokens=60_000), concurrency=2)
        assert tally.summary().requests == asked > 0
        result = synth(out, url, budget=Budget(tokens=100_000_000))
        assert tally.summary().asked_after_reply == 0
        assert result.calls == tally.summary().requests > asked
    assert [one.turns for one in played(out)] == [one.turns for one in played(made)]

"""Prompt optimisation with a model that does better under a known prompt."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web
from click.testing import CliRunner

import callwright
from callwright.app.optimising import optimise_prompt
from callwright.app.prompt_search import OptimisationRequest
from callwright.cli import main
from callwright.errors import BadInput, BudgetSpent, RunConflict
from callwright.records.tool import digest
from callwright.stats.paired import PairedTest
from fake_server import FakeServer, completion

MAGIC = "Call the tool at once."
CLEAR = "Unlike all others"
STATIC: dict[str, Any] = {"protocol": "static", "options": {}}


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset whose gold calls the scripted model knows."""
    folder = tmp_path_factory.mktemp("optimising") / "ds"
    callwright.synthesize("diaforge", callwright.read_catalog("builtin/enterprise"), n=10, seed=3, out=folder)
    return folder


@contextlib.contextmanager
def scripted(dataset: Path, limit: list[int], *, latency_s: float = 0) -> Iterator[FakeServer]:
    """A server that makes the gold call where the prompt has the magic words, and writes them when it reflects.

    It refuses its key once it was asked more than `limit[0]` times.
    """
    gold = {}
    for one in callwright.open_dataset(dataset).dialogues:
        call = one.tasks[0].gold[0]
        gold[frozenset(tool.name for tool in one.tools)] = {"name": call.tool, "arguments": json.dumps(call.values)}

    async def answer(request: web.Request) -> web.StreamResponse:
        body: dict[str, Any] = await request.json()
        first = body["messages"][0]["content"]
        if latency_s:
            await asyncio.sleep(latency_s)
        if len(server.asked) > limit[0]:
            return web.json_response({"error": {"message": "no such key"}}, status=401)
        if "<prompt>" in first:
            return web.json_response(completion(content=f"<prompt>{MAGIC} {digest(first)}</prompt>"))
        if "Instructions:" in first:
            return web.json_response(completion(content=f"Here:\n```\n{MAGIC} Never wait.\n```"))
        if MAGIC not in first:
            return web.json_response(completion(content="What do you mean?"))
        call = gold[frozenset(tool["function"]["name"] for tool in body["tools"])]
        made = [{"id": "c", "type": "function", "function": call}]
        return web.json_response(completion(content=None, tool_calls=made))

    server = FakeServer(answer)
    with server.in_thread():
        yield server


@pytest.fixture(scope="module")
def four_tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset over four tools, so that each is due in all parts."""
    folder = tmp_path_factory.mktemp("described") / "ds"
    catalog = callwright.read_catalog("builtin/enterprise")
    few = msgspec.structs.replace(catalog, tools=catalog.tools[:4])
    callwright.synthesize("diaforge", few, n=24, seed=3, out=folder)
    return folder


@contextlib.contextmanager
def confusing(dataset: Path, limit: list[int]) -> Iterator[FakeServer]:
    """A server that calls another tool than the gold one until the latter's description is clear.

    It writes clear descriptions when it reflects on one, and refuses its key after `limit[0]` questions.
    """
    gold = {}
    for one in callwright.open_dataset(dataset).dialogues:
        call = one.tasks[0].gold[0]
        gold[one.turns[0].text] = {"name": call.tool, "arguments": json.dumps(call.values)}

    async def answer(request: web.Request) -> web.StreamResponse:
        body: dict[str, Any] = await request.json()
        first = body["messages"][0]["content"]
        if len(server.asked) > limit[0]:
            return web.json_response({"error": {"message": "no such key"}}, status=401)
        if "Description:" in first:
            tool = first.partition("`")[2].partition("`")[0]
            return web.json_response(completion(content=f"```\n{CLEAR}: {tool}.\n```"))
        if "Instructions:" in first:
            return web.json_response(completion(content="```\nBe kind.\n```"))
        due = gold.get(body["messages"][1]["content"], {"name": ""})
        said = {tool["function"]["name"]: tool["function"]["description"] for tool in body["tools"]}
        other = next(name for name in sorted(said) if name != due["name"])
        call = due if CLEAR in said[due["name"]] else {"name": other, "arguments": "{}"}
        made = [{"id": "c", "type": "function", "function": call}]
        return web.json_response(completion(content=None, tool_calls=made))

    server = FakeServer(answer)
    with server.in_thread():
        yield server


def test_clear_descriptions_are_found(four_tools: Path, tmp_path: Path) -> None:
    """Only descriptions of tools that the model confuses change, the gain is real, and a stopped search is the same."""
    limit = [10_000]
    with confusing(four_tools, limit) as server:
        found = optimise_prompt(request(four_tools, tmp_path / "whole", server, budget_calls=400, **STATIC))
        total = len(server.asked)
        assert total == found.replies <= 400
        limit[0] = total + total // 2
        with pytest.raises(callwright.CallwrightError):
            optimise_prompt(request(four_tools, tmp_path / "stopped", server, budget_calls=400, **STATIC))
        limit[0] = 10_000
        assert optimise_prompt(request(four_tools, tmp_path / "stopped", server, budget_calls=400, **STATIC)) == found
    assert found.before.value == 0
    assert found.gain.low is not None
    assert found.gain.low > 0
    assert found.reworded
    assert all(CLEAR in one.new for one in found.reworded)
    better = callwright.read_catalog(tmp_path / "whole" / "catalog.json").by_name
    old = callwright.open_dataset(four_tools).catalog.by_name
    assert {name for name in old if old[name] != better[name]} == {one.tool for one in found.reworded}
    assert {one.tool: one.old for one in found.reworded}.items() <= {k: v.description for k, v in old.items()}.items()


def test_format_alone_leaves_descriptions(four_tools: Path, tmp_path: Path) -> None:
    """Whether a reply is well-formed says nothing of tools, so nothing asks which are confused."""
    with confusing(four_tools, [10_000]) as server:
        found = optimise_prompt(
            request(four_tools, tmp_path / "f", server, budget_calls=400, objective="format", **STATIC)
        )
    assert found.reworded == ()
    assert not (tmp_path / "f" / "catalog.json").exists()


def request(dataset: Path, out: Path, server: FakeServer, **changed: Any) -> OptimisationRequest:
    settings = {"budget_calls": 120, "options": {"t_max": 2}, "base_url": server.url, **changed}
    return OptimisationRequest(dataset=dataset, model="openai/scripted", out=out, **settings)


def test_a_better_prompt_is_found_within_the_budget(dataset: Path, tmp_path: Path) -> None:
    """The search finds the known prompt; its gain is measured on dialogues that it never saw."""
    with scripted(dataset, [10_000]) as server:
        found = optimise_prompt(request(dataset, tmp_path / "prompt", server))
    assert MAGIC in found.prompt
    assert found.before.value == 0.0
    assert found.after.value is not None
    assert found.gain.value is not None
    assert found.after.value == found.gain.value > 0
    gains = round(found.gain.value * found.dialogues["test"])
    assert found.test == PairedTest(min(1.0, 2 / 2**gains), "sign test, exact")
    assert found.signature.endswith("|sign test, exact")
    assert len(server.asked) == found.replies <= 120
    assert (tmp_path / "prompt" / "system.txt").read_text() == found.prompt
    shown = CliRunner().invoke(
        main,
        ["optimise", str(dataset), "--model", "openai/x", "--budget-calls", "3", "-o", str(tmp_path / "no")],
    )
    assert (shown.exit_code, "does not suffice" in shown.stderr) == (2, True)
    assert sum(found.dialogues.values()) == len(callwright.open_dataset(dataset).dialogues)


def test_a_stopped_search_gives_the_same(dataset: Path, tmp_path: Path) -> None:
    """After a model that cannot be asked any more, the same request goes on, and asks nothing twice."""
    with scripted(dataset, [10_000]) as server:
        whole = optimise_prompt(request(dataset, tmp_path / "whole", server))
        total = len(server.asked)
    limit = [total // 2]
    with scripted(dataset, limit) as server:
        with pytest.raises(callwright.CallwrightError):
            optimise_prompt(request(dataset, tmp_path / "stopped", server))
        limit[0] = 10_000
        again = optimise_prompt(request(dataset, tmp_path / "stopped", server))
        refused = 1
        assert len(server.asked) <= total + refused + 8  # calls in flight when the key was refused
    assert (again.prompt, again.before, again.after, again.replies) == (
        whole.prompt,
        whole.before,
        whole.after,
        whole.replies,
    )


def command(dataset: Path, server: FakeServer, out: Path, *budget: str) -> list[str]:
    """The command line of a search, which goes on where one of these was killed."""
    start = [sys.executable, "-m", "callwright", "optimise", str(dataset), "--model", "openai/scripted", "--json"]
    return [*start, "--base-url", server.url, "--t-max", "2", "-o", str(out), *budget]


def run_or_kill(command: list[str], server: FakeServer, *, after: int) -> tuple[int, str, str]:
    """Give the command; kill it once the server was asked so often more. Return its status (-9) and what it said."""
    until = len(server.asked) + after
    process = subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while process.poll() is None and len(server.asked) < until:
        time.sleep(0.002)
    process.kill()
    said = process.communicate()
    time.sleep(0.1)  # what is on its way arrives
    return process.returncode, *said


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_a_killed_search_gives_the_same_and_counts_what_was_in_flight(dataset: Path, tmp_path: Path) -> None:
    """After `kill -9` in the first evaluation and in a later one: the same prompt, with all calls counted."""
    with scripted(dataset, [10_000]) as server:
        whole = optimise_prompt(request(dataset, tmp_path / "whole", server, budget_calls=90))
    with scripted(dataset, [10_000], latency_s=0.03) as server:
        line = command(dataset, server, tmp_path / "killed", "--budget-calls", "110")
        for after in (4, whole.replies // 2):
            assert run_or_kill(line, server, after=after)[0] == -9
        status, said, error = run_or_kill(line, server, after=10_000)
        assert status == 0, error
        found = json.loads(said)
        assert found["prompt"] == whole.prompt == (tmp_path / "killed" / "system.txt").read_text()
        assert MAGIC in whole.prompt
        assert 0 < len(server.asked) - found["replies"] <= found["lost"]
        assert len(server.asked) <= found["replies"] + found["lost"] <= 110


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
@pytest.mark.parametrize("kind", ["calls", "usd"])
def test_kills_never_exceed_a_budget(dataset: Path, tmp_path: Path, kind: str) -> None:
    """What kills cost is missing at the end, counted at the server; with a higher budget the search ends."""
    prices = tmp_path / "prices.json"
    prices.write_text('{"per_tokens": 1000000, "models": {"openai/scripted": {"input": 0, "output": 2}}}')
    most, a_call, killed = 60, 14e-6, 40  # 7 tokens out, as the server counts
    out = tmp_path / "out"

    def line(calls: int) -> list[str]:
        money = ["--budget-usd", f"{calls * a_call:.9f}", "--prices", str(prices)]
        return command(dataset, server, out, *(money if kind == "usd" else ["--budget-calls", str(calls)]))

    with scripted(dataset, [10_000], latency_s=0.1) as server:
        assert run_or_kill(line(most), server, after=6)[0] == -9
        with (out / "calls.log").open("a") as log:
            log.write(f"\n+ {a_call:.9f}" * killed)  # as many more kills leave them
        status, _, error = run_or_kill(line(most), server, after=10_000)
        assert (status, "budget" in error, "spent" in error) == (1, True, True)
        assert 6 <= len(server.asked) <= most - killed
        status, said, error = run_or_kill(line(most + 100), server, after=10_000)
        assert status == 0, error
        assert MAGIC in json.loads(said)["prompt"]
        assert killed < json.loads(said)["lost"] <= most + 100 - json.loads(said)["replies"]


def test_what_does_not_suffice_is_refused(dataset: Path, tmp_path: Path) -> None:
    """A small budget, a model that cannot write, and a folder of another search."""
    with scripted(dataset, [10_000]) as server:
        with pytest.raises(BadInput, match="a budget of 5 calls does not suffice"):
            optimise_prompt(request(dataset, tmp_path / "a", server, budget_calls=5))
        with pytest.raises(BadInput, match="cannot write prompts"):
            optimise_prompt(request(dataset, tmp_path / "a", server, reflection="builtin/eager"))
        assert not (tmp_path / "a").exists()
        assert server.asked == []
        optimise_prompt(request(dataset, tmp_path / "b", server))
        with pytest.raises(RunConflict, match="holds another search"):
            optimise_prompt(request(dataset, tmp_path / "b", server, seed=9))


def test_a_budget_in_usd_holds(dataset: Path, tmp_path: Path) -> None:
    """What is spent stays within the budget; one that ends the search can be raised, and nothing is asked twice."""
    prices = tmp_path / "prices.json"
    prices.write_text('{"per_tokens": 1000000, "models": {"openai/scripted": {"input": 1, "output": 2}}}')
    dollars: dict[str, Any] = {"prices": prices}
    with scripted(dataset, [10_000]) as server:
        whole = optimise_prompt(request(dataset, tmp_path / "whole", server, budget_usd=1.0, **dollars))
        assert whole.usd is not None
        assert MAGIC in whole.prompt
        assert 0 < whole.usd <= 1.0
        total = len(server.asked)
        with pytest.raises(BudgetSpent):
            optimise_prompt(request(dataset, tmp_path / "raised", server, budget_usd=whole.usd / 2, **dollars))
        again = optimise_prompt(request(dataset, tmp_path / "raised", server, budget_usd=1.0, **dollars))
        assert len(server.asked) == 2 * total
        assert (again.prompt, again.usd, again.replies) == (whole.prompt, whole.usd, whole.replies)
        with pytest.raises(BadInput, match="openai/scripted has no known price"):
            optimise_prompt(request(dataset, tmp_path / "no", server, budget_calls=None, budget_usd=1.0))
        with pytest.raises(BadInput, match="needs a budget"):
            optimise_prompt(request(dataset, tmp_path / "no", server, budget_calls=None))


def test_capo_finds_the_prompt_and_gives_the_same(dataset: Path, tmp_path: Path) -> None:
    """With `promptolution`: the known prompt is found, nothing is asked twice, and global streams stay as they were."""
    pytest.importorskip("promptolution", reason="no promptolution; CONTRIBUTING.md says how to run this")
    limit = [10_000]
    capo: dict[str, Any] = {"engine": "capo", "budget_calls": 400}
    with scripted(dataset, limit) as server:
        state = random.getstate()
        found = optimise_prompt(request(dataset, tmp_path / "whole", server, **capo))
        assert random.getstate() == state
        total = len(server.asked)
        assert total == found.replies <= 400
        limit[0] = total + total // 2
        random.seed(99)
        with pytest.raises(callwright.CallwrightError):
            optimise_prompt(request(dataset, tmp_path / "stopped", server, **capo))
        limit[0] = 10_000
        assert optimise_prompt(request(dataset, tmp_path / "stopped", server, **capo)) == found
    assert MAGIC in found.prompt
    assert not found.prompt.endswith("Input:")
    assert found.gain.value is not None
    assert found.gain.value > 0


def test_capo_without_its_package_says_what_to_install(dataset: Path, tmp_path: Path) -> None:
    """One clear error, before any model is asked or anything is written."""
    if importlib.util.find_spec("promptolution"):
        pytest.skip("promptolution is installed")
    with scripted(dataset, [10_000]) as server:
        with pytest.raises(BadInput, match=r"Python 3\.11 and 3\.12.*callwright\[capo\]"):
            optimise_prompt(request(dataset, tmp_path / "no", server, engine="capo", budget_calls=400))
        assert server.asked == []
    assert not (tmp_path / "no").exists()

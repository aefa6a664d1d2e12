"""`wild` sessions whose roles `builtin/author` plays over loopback."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import callwright
from callwright.cli import main
from callwright.errors import BadInput, UnknownName
from callwright.models.retries import Patience
from callwright.papers.registry import find_recipe, read_prompts
from callwright.papers.wild.session_roles import PROMPTS
from served_voice import Prompt, builtin_author, serving

N = 6
SEED = 7


def synth(out: Path, url: str, **changed: Any) -> callwright.SynthesisResult:
    options = {"n": N, "seed": SEED, "out": out, "author": "openai/a", "base_url": url, "patience": Patience(tries=1)}
    return callwright.synthesize("wild", "builtin/enterprise", **options | changed)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, callwright.SynthesisResult]:
    """Sessions of `builtin/author`; do not change them."""
    folder = tmp_path_factory.mktemp("sessions")
    with serving(builtin_author) as server:
        result = synth(folder / "ds", server.url, concurrency=1)
        asked = len(server.asked)
        assert synth(folder / "ds", server.url, concurrency=1) == result
        assert len(server.asked) == asked == result.calls
    return folder, result


def test_sessions_are_kept_or_counted_by_reason(made: tuple[Path, callwright.SynthesisResult]) -> None:
    """Every role is asked; what could not be made has a reason of the recipe."""
    _, result = made
    assert result.kept > 0
    assert (result.failed, result.planned) == ({}, result.kept + sum(result.rejected.values()))
    assert set(result.rejected) <= set(find_recipe("wild").reasons)
    assert set(result.tokens) == set(PROMPTS)


def test_the_oracle_reaches_the_ceiling(made: tuple[Path, callwright.SynthesisResult], tmp_path: Path) -> None:
    """Of the gold that annotators wrote and trajectories fulfilled."""
    folder, _ = made
    callwright.evaluate_model(folder / "ds", "wild", model="builtin/oracle", out=tmp_path / "run")
    (row,) = [one for one in callwright.score_runs([tmp_path / "run"]) if one.metric == "task_acc" and not one.slice]
    assert row.value == 1


def test_places_name_task_try_role_and_rewrite(made: tuple[Path, callwright.SynthesisResult]) -> None:
    """So that nothing is taken for something else when it is replayed."""
    folder, _ = made
    with sqlite3.connect(folder / "ds" / ".run" / "run.db") as database:
        places = {scope for (scope,) in database.execute("SELECT scope FROM replies")}
    database.close()
    assert {
        "task/0/try/0/proposal/rewrite/0@author",
        "task/0/try/0/pick/rewrite/0@checker",
        "task/0/try/0/annotation/rewrite/0@annotator",
        "task/0/try/0/move/0/rewrite/0@assistant",
        "task/0/try/0/result/1/rewrite/0@tools",
    } <= places


def test_the_dry_run_tells_the_calls(tmp_path: Path) -> None:
    """By role, and at most; nothing is asked."""
    url = "http://127.0.0.1:1/v1"
    command = ["synth", "wild", "builtin/enterprise", "-n", "4", "-o", str(tmp_path / "ds"), "--dry-run", "--json"]
    done = CliRunner().invoke(main, [*command, "--author", "openai/a", "--base-url", url])
    told = json.loads(done.output)
    assert 4 * 5 < told["estimate"]["calls"] < told["most_calls"]


def test_a_reply_of_another_form_fails_the_session(tmp_path: Path) -> None:
    """With the role; the same command asks anew."""
    with serving(lambda _: "Sure!") as server:
        result = synth(tmp_path / "ds", server.url, n=2)
        assert result.failed == {"bad_reply": 2}
        assert "as the author" in result.examples["bad_reply"]


def test_each_role_may_have_its_own_model(tmp_path: Path) -> None:
    """It is named in every session."""
    with serving(builtin_author) as server:
        synth(tmp_path / "ds", server.url, n=2, assistant="openai/b")
        models = {body["model"] for body in server.bodies if "assistant that works with tools. A person" in str(body)}
    assert models == {"b"}
    lines = (tmp_path / "ds" / "dialogues.jsonl").read_text() + (tmp_path / "ds" / "rejected.jsonl").read_text()
    assert "(assistant openai/b@" in lines


@pytest.mark.parametrize("option", [{"minefields": True}, {"tool_failures": True}, {"value_changes": 0.5}])
def test_extras_need_rules(tmp_path: Path, option: dict[str, Any]) -> None:
    """Refused before anything is written."""
    with pytest.raises(BadInput, match=f"has no {next(iter(option))}"):
        synth(tmp_path / "ds", "http://127.0.0.1:1/v1", **option)
    assert not (tmp_path / "ds").exists()


@pytest.mark.parametrize("name", PROMPTS.values())
def test_every_prompt_makes_another_dataset(tmp_path: Path, name: str) -> None:
    """As it is part of the run's identity."""
    recipe = find_recipe("wild")
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text("Say it.\n---\nNow.")
    assert read_prompts(tmp_path).digest(*recipe.prompts) != read_prompts().digest(*recipe.prompts)


def test_an_old_name_is_refused_with_the_new_one(tmp_path: Path) -> None:
    """The prompts of single messages are gone."""
    path = tmp_path / "wild" / "ask.j2"
    path.parent.mkdir(parents=True)
    path.write_text("Say it.\n---\nNow.")
    with pytest.raises(UnknownName, match=r"wild/task\.j2"):
        read_prompts(tmp_path)


def test_provenance_names_the_author(made: tuple[Path, callwright.SynthesisResult]) -> None:
    """And the card the roles."""
    folder, _ = made
    first = json.loads((folder / "ds" / "dialogues.jsonl").read_text().splitlines()[0])
    assert first["provenance"]["author"].startswith("openai/a@")
    assert "annotator" in (folder / "ds" / "README.md").read_text()


def test_a_critic_is_asked_by_default(tmp_path: Path) -> None:
    """Of each session that rules keep; its verdict is obeyed."""

    async def answer(prompt: Prompt) -> str:
        if prompt[0][1].startswith("You judge"):
            return json.dumps({"analysis": "A wish is missing.", "grade": "reject"})
        return await builtin_author(prompt)

    with serving(answer) as server:
        result = synth(tmp_path / "ds", server.url, judge="openai/j", n=4)
    assert result.kept == 0
    assert result.rejected["judge_honest_work"] > 0

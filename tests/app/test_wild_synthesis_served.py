"""`wild` sessions worded by a served author: the plan is kept to, whatever it says."""

from __future__ import annotations

import asyncio
import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import callwright
from callwright.author.online_voice import OnlineVoice
from callwright.author.prompts import Prompts
from callwright.engine.context import Context
from callwright.errors import RolloutFailed, RunConflict
from callwright.models.chat import ChatReply, ChatRequest
from callwright.models.retries import Patience
from callwright.papers.registry import find_recipe, read_prompts
from callwright.recipe.recipe_job import RecipeJob, decode_finished
from recipe_jobs import recipe_job
from served_voice import Prompt, Recorder, serving

N = 8
SEED = 7
REFUSED = "Your last wording was not accepted"
WILD = {f"wild/{name}.j2" for name in ("ask", "chat", "closing", "reply")}
CLARIFYING = {"dialogue/assistant_turn.j2", "dialogue/user_turn.j2"}


class Says:
    """A model that says one thing."""

    name = "openai/says"

    def __init__(self, text: str) -> None:
        self.text = text

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return it."""
        return ChatReply(content=self.text)


@cache
def job() -> RecipeJob:
    """The sessions of this seed."""
    return recipe_job("wild", n=N, seed=SEED)


@pytest.fixture
def recorder() -> Recorder:
    """What the grammar says to every prompt of the sessions, where its first faultless wording is taken."""
    return deepcopy(recorded()[0])


@cache
def recorded() -> tuple[Recorder, list[dict[str, Any]]]:
    """What the grammar says, and the dialogues this makes."""
    voice, lines = Recorder(), []
    for index, item in enumerate(job().ids):
        ctx = Context.detached(item, seed=SEED, voice=voice, models={"author": Says("")})
        lines.append(json.loads(decode_finished(asyncio.run(job().run(index, ctx))).line))
    return voice, lines


def synth(out: Path, url: str = "", **changed: object) -> callwright.SynthesisResult:
    options: dict[str, object] = {"n": N, "seed": SEED, "out": out} | changed
    if url:
        options |= {"author": "openai/fake", "base_url": url, "patience": Patience(tries=1)}
    return callwright.synthesize("wild", "builtin/enterprise", **options)  # type: ignore[arg-type]


def dialogues(folder: Path) -> dict[str, dict[str, Any]]:
    """All dialogues by id, rejected ones too, without who wrote them."""
    found = [json.loads(line) for line in (folder / "dialogues.jsonl").read_text().splitlines()]
    found += [json.loads(line)["dialogue"] for line in (folder / "rejected.jsonl").read_text().splitlines()]
    return {one["id"]: without_author(one) for one in found}


def without_author(dialogue: dict[str, Any]) -> dict[str, Any]:
    dialogue["provenance"].pop("author")
    return dialogue


def without_words(dialogue: dict[str, Any]) -> dict[str, Any]:
    return dialogue | {"turns": [turn | {"text": ""} for turn in dialogue["turns"]]}


def test_a_model_that_says_what_the_grammar_says_makes_the_same_sessions(tmp_path: Path) -> None:
    """Every prompt is asked, every reply is used; beside the author, the plan's truth is that of the offline run."""
    recorder, lines = deepcopy(recorded())
    offline = synth(tmp_path / "offline")
    with serving(recorder.answer) as server:
        online = synth(tmp_path / "online", server.url, concurrency=1)
        asked = len(server.asked)
        assert synth(tmp_path / "online", server.url, concurrency=1) == online
    assert (online.failed, online.planned) == ({}, online.kept + sum(online.rejected.values()))
    assert online.calls == asked == len(server.asked)
    assert not any(recorder.said.values())
    assert recorder.steps == WILD | CLARIFYING
    made = dialogues(tmp_path / "online")
    assert made == {line["id"]: without_author(line) for line in lines}
    apart = dialogues(tmp_path / "offline")
    assert {item: without_words(one) for item, one in made.items()} == {
        item: without_words(one) for item, one in apart.items()
    }
    assert abs(online.kept - offline.kept) <= 1


@pytest.mark.parametrize("text", ["", " \n", "x" * 5_000])
def test_replies_that_never_fit_fail_the_session(tmp_path: Path, text: str) -> None:
    """After the first reply, its repair and one anew; each is counted, and the prompt is named."""
    with serving(lambda _: text) as server:
        result = synth(tmp_path / "ds", server.url)
    assert (result.failed, result.kept) == ({"bad_reply": N}, 0)
    assert len(server.asked) == 3 * N
    assert "wild/" in result.examples["bad_reply"]


def test_the_author_is_to_blame_for_them() -> None:
    """The failure names the role."""
    voice = OnlineVoice("author", prompts=read_prompts())
    ctx = Context.detached(job().ids[0], seed=SEED, voice=voice, models={"author": Says("")})
    with pytest.raises(RolloutFailed) as failed:
        asyncio.run(job().run(0, ctx))
    assert (failed.value.role, failed.value.kind) == ("author", "bad_reply")


def test_a_bad_reply_is_repaired(tmp_path: Path, recorder: Recorder) -> None:
    """The model is shown its empty reply, and the mended one is as good as any."""

    def answer(prompt: Prompt) -> str:
        return "" if len(prompt) == 2 else recorder.answer(prompt[:2])

    with serving(answer) as server:
        result = synth(tmp_path / "ds", server.url, concurrency=1)
    assert result.failed == {}
    assert result.kept
    assert any(prompt[2] == ("assistant", "(nothing)") for prompt in server.asked if len(prompt) == 4)


def test_words_without_their_values_reject_the_session(tmp_path: Path) -> None:
    """They are asked for again, told what is lacking, and a bounded number of times; none is lost."""
    with serving(lambda _: "Something else, please.") as server:
        result = synth(tmp_path / "ds", server.url, n=2)
    assert result.failed == {}
    assert result.rejected["text_and_values_differ"] > 0
    assert result.planned == result.kept + sum(result.rejected.values())
    assert any(REFUSED in prompt[1][1] and " is not said" in prompt[1][1] for prompt in server.asked)


def test_machine_words_are_written_again(tmp_path: Path, recorder: Recorder) -> None:
    """The author is told, and the session is kept with the next wording."""

    def answer(prompt: Prompt) -> str:
        system, (role, text) = prompt
        if REFUSED not in text:
            return f"{recorder.said[prompt][0]} It is the the tool call."
        return recorder.said[system, (role, text.partition(REFUSED)[0].strip())].popleft()

    with serving(answer) as server:
        result = synth(tmp_path / "ds", server.url, n=1, concurrency=1)
    assert result.kept == 1
    assert any("is a machine's word" in prompt[1][1] for prompt in server.asked)


@pytest.mark.parametrize("name", sorted(WILD | CLARIFYING))
def test_every_prompt_that_is_asked_makes_another_dataset(tmp_path: Path, name: str) -> None:
    """Also those that wild sessions share with another recipe; the others of that recipe do not."""
    recipe = find_recipe("wild")
    assert changed(tmp_path, name).digest(*recipe.prompts) != read_prompts().digest(*recipe.prompts)


def test_prompts_that_are_not_asked_do_not(tmp_path: Path) -> None:
    """Values, goals and votes are none of wild's."""
    recipe = find_recipe("wild")
    assert changed(tmp_path, "diaforge/goal.j2").digest(*recipe.prompts) == read_prompts().digest(*recipe.prompts)


def test_a_changed_shared_prompt_conflicts(tmp_path: Path) -> None:
    """The folder is left alone, and the setting is named."""
    changed(tmp_path, "dialogue/user_turn.j2")
    with serving(lambda _: "") as server:
        synth(tmp_path / "ds", server.url, n=1)
        with pytest.raises(RunConflict, match="prompts"):
            synth(tmp_path / "ds", server.url, n=1, prompts=tmp_path / "prompts")


def changed(folder: Path, name: str) -> Prompts:
    """The prompts with one of them changed."""
    path = folder / "prompts" / name
    path.parent.mkdir(parents=True)
    path.write_text("Say it.\n---\nNow.")
    return read_prompts(folder / "prompts")

"""Served models against `transformers serve`, a server that nobody here wrote; skipped where it is not installed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from foreign_forks import Forks
from foreign_server import BIN, HERE, serving_foreign

import callwright
from callwright.cli import main
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.models.decoding import Decoding
from callwright.models.endpoint import Endpoint
from callwright.models.keys import ApiKey
from callwright.models.openai import ServedModel
from callwright.models.transport import close_connections
from callwright.protocol.run_access import open_run
from callwright.records.dialogue import Call
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

pytestmark = [
    pytest.mark.skipif(not (BIN / "transformers").exists(), reason="no transformers in .venv-foreign; make foreign"),
    pytest.mark.xdist_group("foreign"),
]

WEATHER = Tool(name="get_weather", description="Weather of a city.", parameters=encode({"type": "object"}))
LISBON = Call("get_weather", encode({"city": "Lisbon"}))


class Foreign(msgspec.Struct, frozen=True):
    """Where the server listens and its models lie."""

    url: str
    models: Path

    def name(self, model: str) -> str:
        return f"openai/{self.models / model}"

    def run(self, *arguments: str) -> tuple[int, dict[str, Any]]:
        result = CliRunner().invoke(main, [*arguments, "--base-url", self.url, "--json"])
        assert result.stdout, result.stderr
        return result.exit_code, json.loads(result.stdout)

    def ask(self, model: str, request: ChatRequest, **options: Any) -> ChatReply:
        async def work() -> ChatReply:
            served = ServedModel(Endpoint(str(self.models / model), self.url), key=ApiKey(""), **options)
            try:
                return await served.reply(request, Random(1))
            finally:
                await close_connections()

        return asyncio.run(work())


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory, forks: Forks) -> Iterator[Foreign]:
    """The server, with its models made anew."""
    models = tmp_path_factory.mktemp("models")
    forks.run(HERE / "make_models.py", models)
    with serving_foreign(models) as url:
        yield Foreign(url, models)


@pytest.fixture(scope="module")
def dialogues(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small dataset; do not change it."""
    folder = tmp_path_factory.mktemp("made") / "ds"
    callwright.synthesize("diaforge", "builtin/enterprise", n=3, seed=7, out=folder)
    return folder


@pytest.mark.parametrize(
    ("model", "able"),
    [("random", set()), ("caller", {"tools"}), ("writer", set()), ("object", {"json_schema", "json_mode"})],
)
def test_check_finds_what_each_model_does(foreign: Foreign, model: str, able: set[str]) -> None:
    """No more and no less: this server takes `response_format` and ignores it, so the replies alone tell."""
    code, found = foreign.run("models", "check", foreign.name(model))

    assert code == 0
    assert {name for name, value in found.items() if value is True} == able | {"chat", "usage"}
    assert "streaming: yes, with token counts" in found["notes"]


def test_check_tells_who_calls_only_when_prompted(foreign: Foreign) -> None:
    """The server does not read this model's calls from its text, and callwright does."""
    _, found = foreign.run("models", "check", foreign.name("writer"))

    assert "tools: it calls when the prompt describes them: use --calling prompted" in found["notes"]


def test_check_of_a_model_the_server_has_not(foreign: Foreign) -> None:
    """It answers 500 without a reason, which is told as it is."""
    code, found = foreign.run("models", "check", "openai/nobody/nothing")

    assert (code, found["chat"]) == (1, False)
    assert "500" in found["notes"][0]


@pytest.mark.parametrize(("model", "calling"), [("caller", "native"), ("caller", "prompted"), ("writer", "prompted")])
def test_calls_arrive_whole(foreign: Foreign, model: str, calling: Any) -> None:
    """Read by the server or by callwright, without a complaint about their form."""
    reply = foreign.ask(model, ChatRequest((Message("user", "Lisbon?"),), (WEATHER,)), calling=calling)

    assert [(call.tool, call.arguments) for call in reply.calls] == [(LISBON.tool, LISBON.arguments)]
    assert reply.format_errors == ()
    assert reply.tokens_out == 2


def test_a_cut_reply_says_so(foreign: Foreign) -> None:
    """The longest reply is kept by the server, and told."""
    reply = foreign.ask("object", ChatRequest((Message("user", "Lisbon?"),)), decoding=Decoding(max_tokens=1))

    assert (reply.tokens_out, reply.format_errors) == (1, ("cut off at the limit of tokens",))


def test_a_call_as_text_is_told_from_a_native_one(foreign: Foreign) -> None:
    """Where native calls were asked for, content is right and format is not."""
    reply = foreign.ask("writer", ChatRequest((Message("user", "Lisbon?"),), (WEATHER,)))

    assert [call.tool for call in reply.calls] == ["get_weather"]
    assert reply.format_errors == ("the call was written as text",)


@pytest.mark.parametrize("calling", ["native", "prompted"])
def test_calls_and_results_are_taken_back(foreign: Foreign, calling: Any) -> None:
    """The server's own template lays out a conversation in which a tool was called."""
    messages = (
        Message("system", "Use the tool."),
        Message("user", "Lisbon?"),
        Message("assistant", calls=(LISBON,)),
        Message("tool", '{"degrees": 21}'),
        Message("user", "And tomorrow?"),
    )
    assert foreign.ask("caller", ChatRequest(messages, (WEATHER,)), calling=calling).calls


def test_json_is_read(foreign: Foreign) -> None:
    """A reply that must be an object is one."""
    schema = encode({"type": "object", "properties": {"city": {"type": "string"}}})
    reply = foreign.ask("object", ChatRequest((Message("user", "Where?"),), reply_schema=schema))

    assert json.loads(reply.content) == {"city": "Lisbon", "degrees": 21}
    assert reply.format_errors == ()


@pytest.mark.parametrize("protocol", ["static", "dynamic"])
@pytest.mark.parametrize("model", ["random", "caller", "writer"])
def test_a_whole_evaluation(foreign: Foreign, dialogues: Path, tmp_path: Path, protocol: str, model: str) -> None:
    """Whatever the model says, every rollout has its transcript, and calls stand in those of models that call."""
    run = tmp_path / "run"
    code, told = foreign.run(
        "eval", str(dialogues), "--protocol", protocol, "--model", foreign.name(model), "-o", str(run)
    )

    assert (code, told["done"], told["failed"]) == (0, told["planned"], {})
    assert told["tokens"]["model"]["uncounted"] == 0
    called = {
        call.tool
        for transcript in open_run(run).transcripts
        for turn in transcript.turns
        for step in turn.steps
        for call in step.calls
    }
    assert called == (set() if model == "random" else {"get_weather"})


def test_random_words_fail_the_user_or_voter(foreign: Foreign, dialogues: Path, tmp_path: Path) -> None:
    """As the live user they are refused, by their class, and none is lost."""
    name = foreign.name("random")
    code, told = foreign.run(
        *("eval", str(dialogues), "--protocol", "dynamic", "--model", "builtin/abstain"),
        *("--user", name, "--voter", name, "-o", str(tmp_path / "run")),
    )

    assert code == 1
    assert told["done"] + sum(told["failed"].values()) == told["planned"]
    assert set(told["failed"]) == {"bad_reply"}


def test_random_words_fail_the_author(foreign: Foreign, tmp_path: Path) -> None:
    """No dialogue comes of them, each is counted as failed or rejected, and the dataset is written."""
    out = tmp_path / "ds"
    code, told = foreign.run(
        *("synth", "diaforge", "builtin/enterprise", "-n", "3", "-o", str(out), "--author", foreign.name("random"))
    )

    assert (code, told["kept"], set(told["failed"])) == (1, 0, {"bad_reply"})
    assert sum(told["failed"].values()) + sum(told["rejected"].values()) == 3
    assert told["tokens"]["author"]["tokens_in"] > 0
    assert (out / "README.md").is_file()

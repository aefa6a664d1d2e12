"""Served models from the command line: `callwright models check`, and `eval` with `openai/NAME`."""

from __future__ import annotations

import json
import shutil
import traceback
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from click.testing import CliRunner

from callwright.cli import main
from fake_server import OK, Answer, FakeServer, completion, refuses, says
from serving import serving

KEY = "sk-planted-0123456789"
FIELDS = {"chat", "tools", "json_schema", "json_mode", "usage", "latency_ms", "notes"}


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, [*arguments])
    return result.exit_code, result.stdout, result.stderr


def evaluate(server: FakeServer, data: Path, out: Path, *arguments: str) -> tuple[int, str, str]:
    options = ("--protocol", "static", "--model", "openai/any", "--base-url", server.url, "--limit", "3")
    return run("eval", str(data), *options, "-o", str(out), *arguments)


async def capable(request: web.Request) -> web.StreamResponse:
    """Does all that can be asked for."""
    body = await request.json()
    if body.get("stream"):
        return await says('data: {"choices": []}\n\ndata: {"usage": {"prompt_tokens": 1}}\n\ndata: [DONE]\n')(request)
    if body.get("tools"):
        call = {"id": "c", "function": {"name": "get_weather", "arguments": '{"city": "Lisbon"}'}}
        return await says(completion(content=None, tool_calls=[call]))(request)
    if "response_format" in body:
        return await says(completion(content='{"city": "Lisbon", "degrees": 21}'))(request)
    return await OK(request)


def check(answer: Answer) -> tuple[int, dict[str, Any]]:
    with FakeServer(answer).in_thread() as server:
        code, out, _ = run("models", "check", "openai/any", "--base-url", server.url, "--json")
    return code, json.loads(out)


def test_check_finds_all_that_a_server_can_do() -> None:
    """The JSON has exactly the documented fields."""
    code, found = check(capable)
    assert code == 0
    assert {*found} == FIELDS
    assert all(found[name] is True for name in ("chat", "tools", "json_schema", "json_mode", "usage"))
    assert found["latency_ms"] > 0
    assert found["notes"] == ["streaming: yes, with token counts"]


def test_check_says_what_a_server_cannot_do() -> None:
    """One that only talks: everything else is false, each with a note."""
    code, found = check(says({"choices": [{"message": {"content": "Hi."}}]}))
    assert code == 0
    assert [found[name] for name in ("chat", "tools", "json_schema", "json_mode", "usage")] == [True] + [False] * 4
    assert {note.split(":")[0] for note in found["notes"]} >= {"tools", "json_schema", "json_object", "streaming"}


def test_check_takes_a_call_whose_form_is_wrong_for_a_call() -> None:
    """Arguments encoded twice are read; the note says what is wrong with them."""
    with serving(faults="double-arguments=1") as (url, _):
        found = json.loads(run("models", "check", "openai/any", "--base-url", url, "--json")[1])
    assert found["tools"]
    assert "tools: arguments: encoded twice, which is read all the same" in found["notes"]


def test_check_tells_calls_that_cannot_be_read_from_none() -> None:
    """The model did call, and it is the arguments that no run could use."""
    with serving(faults="bad-arguments=1") as (url, _):
        found = json.loads(run("models", "check", "openai/any", "--base-url", url, "--json")[1])
    assert not found["tools"]
    assert "tools: it calls natively, but with arguments that cannot be read" in found["notes"]
    assert not any("neither" in note or "natively, nor" in note for note in found["notes"])


def test_check_asks_again_before_it_says_no() -> None:
    """One reply without a call is a slip, and is told."""
    slips = [1]

    async def answer(request: web.Request) -> web.StreamResponse:
        if "tools" in await request.json() and slips:
            slips.pop()
            return await OK(request)
        return await capable(request)

    _, found = check(answer)
    assert found["tools"]
    assert "tools: only the reply to request 2 was right" in found["notes"]


def test_what_a_failed_rollout_said_is_shown_whole(made: Path, tmp_path: Path) -> None:
    """The server's words, and after them what to do about it."""
    said = "This model's maximum context length is 8 tokens, and the messages are longer. " * 3
    with FakeServer(refuses(400, said)).in_thread() as server:
        code, out, _ = evaluate(server, made, tmp_path / "run")
    assert code == 1
    assert "fewer tools and turns.)" in out


@pytest.mark.parametrize("refused", ["stream_options", "stream"])
def test_check_tells_a_server_that_streams_from_one_that_does_not(refused: str) -> None:
    """One that refuses the options alone streams all the same."""

    async def answer(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if refused in body:
            return await refuses(422, f"unknown field {refused}")(request)
        return await (says('data: {"choices": []}\n\ndata: [DONE]\n') if "stream" in body else OK)(request)

    streams = "yes, without token counts" if refused == "stream_options" else "none (callwright does not need it)"
    assert f"streaming: {streams}" in check(answer)[1]["notes"]


def test_check_wants_bare_json_in_json_mode() -> None:
    """An object among other words is legible, and is not what was asked for."""
    _, found = check(says(completion(content='Here: {"city": "Lisbon", "degrees": 21}')))
    assert not found["json_mode"]
    assert "json_object: taken by the server, but the reply does not fit" in found["notes"]


def test_check_of_a_server_that_refuses_exits_with_1() -> None:
    """Without a reply nothing else is tried; the note says why."""
    code, found = check(refuses(401, "bad key"))
    assert code == 1
    assert {*found} == FIELDS
    assert not found["chat"]
    assert "OPENAI_API_KEY" in found["notes"][0]


def test_check_prints_words() -> None:
    """Without --json there is a line for each thing."""
    with FakeServer(capable).in_thread() as server:
        code, out, _ = run("models", "check", "openai/any", "--base-url", server.url)
    assert code == 0
    assert "yes  calls tools natively" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("models", "check", "builtin/oracle"), "not a served model"),
        (("models", "check", "openai/gpt-4o"), "OPENAI_API_KEY"),
        (("models", "check", "openai/any", "--base-url", "nowhere"), "base URL"),
        (("models", "check", "openai/any", "--base-url", "http://h/v1", "--timeout", "0"), "time-out"),
    ],
)
def test_bad_input_exits_with_2(monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str) -> None:
    """A name, key, URL or time that cannot be used is one error."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code, _, error = run(*arguments)
    assert code == 2
    assert message in error


@pytest.mark.parametrize(
    "options", [("--base-url", "http://h/v1"), ("--calling", "prompted"), ("--temperature", "0"), ("--max-tokens", "9")]
)
def test_builtin_models_take_no_server_options(made: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    """An option without effect is an error."""
    code, _, error = run(
        "eval", str(made), "--protocol", "static", "--model", "builtin/abstain", "-o", str(tmp_path / "r"), *options
    )
    assert code == 2
    assert "apply only to served models" in error


def test_a_served_model_is_evaluated_and_its_usage_counted(made: Path, tmp_path: Path) -> None:
    """Calls, tokens and cost by role are told; the same command again asks nothing."""
    prices = tmp_path / "prices.json"
    prices.write_text('{"models": {"openai/any": {"input": 1000, "output": 0}}}')
    with FakeServer(OK).in_thread() as server:
        code, out, _ = evaluate(server, made, tmp_path / "run", "--json", "--prices", str(prices))
        asked = len(server.asked)
        again = json.loads(evaluate(server, made, tmp_path / "run", "--json")[1])
        assert len(server.asked) == asked
    told = json.loads(out)
    assert (code, told["done"], told["failed"]) == (0, 3, {})
    assert told["model"] == f"openai/any@{server.url}"
    assert told["calls"] == told["tokens"]["model"]["calls"] == asked
    assert told["usd"]["model"] == pytest.approx(0.011 * asked)
    assert (again["done"], again["calls"]) == (3, asked)


def test_prompted_calling_is_another_run(made: Path, tmp_path: Path) -> None:
    """How a model calls is part of what makes a run; it sends no tools."""
    with FakeServer(OK).in_thread() as server:
        assert evaluate(server, made, tmp_path / "run", "--calling", "prompted")[0] == 0
        assert not any("tools" in body for body in server.asked)
        code, _, error = evaluate(server, made, tmp_path / "run")
    assert code == 2
    assert "calling" in error


def test_decoding_settings_are_another_run_and_stand_in_the_signature(made: Path, tmp_path: Path) -> None:
    """They are sent to the model under test, and a run with others is told from this one."""
    options = ("--temperature", "0.2", "--max-tokens", "50")
    with FakeServer(OK).in_thread() as server:
        assert evaluate(server, made, tmp_path / "run", *options)[0] == 0
        assert {body["temperature"] for body in server.asked} == {0.2}
        code, _, error = evaluate(server, made, tmp_path / "run")
    assert (code, "temperature" in error) == (2, True)
    rows = json.loads(run("report", str(tmp_path / "run"), "--json")[1])
    assert all("|temperature:0.2|max_tokens:50" in row["signature"] for row in rows if row["metric"] == "acc")


@pytest.mark.parametrize("option", ["--temperature=-1", "--top-p=2", "--max-tokens=0"])
def test_settings_out_of_range_exit_with_2(made: Path, tmp_path: Path, option: str) -> None:
    """Before anything is asked."""
    with FakeServer(OK).in_thread() as server:
        assert evaluate(server, made, tmp_path / "run", option)[0] == 2
        assert server.asked == []


LATER = {"Retry-After": "3600"}


@pytest.mark.parametrize(
    ("refusal", "advice", "asked"),
    [
        (refuses(401, "bad key"), "set OPENAI_API_KEY", 3),
        (refuses(404, "The model `any` does not exist", code="model_not_found"), "under /models", 3),
        (refuses(404, "no such page"), "base URL right", 3),
        (refuses(429, "quota", code="insufficient_quota"), "Add credit", 3),
        (refuses(429, "slow down", headers=LATER), "asks to wait 3,600 s", 1),
    ],
)
def test_a_run_that_cannot_be_asked_stops_with_one_message(
    made: Path, tmp_path: Path, refusal: Answer, advice: str, asked: int
) -> None:
    """It stops at once, whatever it holds; mended, the same command goes on to the end."""
    server = FakeServer(refusal)
    with server.in_thread():
        code, out, error = evaluate(server, made, tmp_path / "run", "--limit", "40", "--concurrency", "1")
        assert (code, out, error.count(advice)) == (1, "", 1)
        assert "0 of " in error
        assert "Run the same command again to resume" in error
        assert len(server.asked) == asked
        server.answers = [OK]
        assert evaluate(server, made, tmp_path / "run", "--limit", "40")[0] == 0


def test_an_unreachable_server_stops_a_run(made: Path, tmp_path: Path) -> None:
    """After a few tries; nothing ever listened there."""
    server = FakeServer()
    server.url = "http://127.0.0.1:9/v1"
    code, out, error = evaluate(server, made, tmp_path / "run", "--limit", "40")
    assert (code, out, error.count("Is the server running")) == (1, "", 1)


def test_an_author_that_cannot_be_asked_stops_a_synthesis(tmp_path: Path) -> None:
    """No dataset of failures is written."""
    out = tmp_path / "ds"
    with FakeServer(refuses(401, "bad key")).in_thread() as server:
        options = ("-n", "40", "--author", "openai/any", "--base-url", server.url, "-o", str(out))
        code, printed, error = run("synth", "diaforge", "builtin/enterprise", *options)
    assert (code, printed, error.count("OPENAI_API_KEY")) == (1, "", 1)
    assert not (out / "dialogues.jsonl").exists()


def test_a_context_too_long_fails_its_rollout_alone(made: Path, tmp_path: Path) -> None:
    """Others go on, however many fail so, and the report names the class."""
    with FakeServer(*[refuses(400, "maximum context length is 8 tokens")] * 5, OK).in_thread() as server:
        code, out, _ = evaluate(server, made, tmp_path / "run", "--limit", "20", "--json")
    assert (code, json.loads(out)["failed"]) == (1, {"context_too_long": 5})
    printed = run("report", str(tmp_path / "run"))[1]
    assert printed.count("failed rollouts: 5 context_too_long") == 1
    rows = json.loads(run("report", str(tmp_path / "run"), "--json")[1])
    assert {row["n_failed"] for row in rows if "context_too_long" in row["why"]} == {5}


def test_a_planted_key_is_in_no_file_and_no_output(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A hostile server throws the key back in replies and errors: nothing that is kept or printed holds it."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    caplog.set_level("DEBUG")
    turns = iter(range(1_000))

    async def answer(request: web.Request) -> web.StreamResponse:
        key = request.headers["Authorization"].removeprefix("Bearer ")
        if next(turns) % 2:
            return await refuses(400, f"no {key}", code=key, headers={"X-Key": key})(request)
        call = {"id": key, "function": {"name": key, "arguments": json.dumps({key: key})}}
        return await says(completion(content=key, reasoning=key, tool_calls=[call]))(request)

    data = tmp_path / "ds"
    shutil.copytree(made, data)
    with FakeServer(answer).in_thread() as server:
        printed = [*evaluate(server, made, tmp_path / "run"), *run("report", str(tmp_path / "run"), "--json")]
        where = ("--base-url", server.url, "--json")
        printed += run("models", "check", "openai/any", *where)
        printed += run("judge", str(data), "--judge", "openai/any", "--limit", "4", *where)
        made_online = ("-n", "4", "--author", "openai/any", "-o", str(tmp_path / "online"))
        printed += run("synth", "diaforge", "builtin/enterprise", *made_online, *where)
        assert all(headers["Authorization"].endswith(KEY) for headers in server.headers)
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for form in (KEY, KEY[::-1]):
        assert form.encode() not in kept
        assert form not in str(printed) + caplog.text
    assert b"[key]" in kept


def test_a_planted_key_is_in_no_traceback(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even in the one that developers ask for, with all the errors it was raised from."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("CALLWRIGHT_DEBUG", "1")
    options = ("--protocol", "static", "--model", "openai/any", "-o", str(tmp_path / "run"))
    with FakeServer(refuses(401, f"Incorrect API key provided: {KEY}.")).in_thread() as server:
        result = CliRunner().invoke(main, ["eval", str(made), *options, "--base-url", server.url])
    assert result.exc_info is not None
    told = "".join(traceback.format_exception(result.exc_info[1]))
    assert "[key]" in told
    assert KEY not in told + result.output


@pytest.mark.parametrize("option", ["--model", "--protocol", "--prices", "--temperature", "--no-such-option"])
def test_a_key_typed_in_a_wrong_place_is_not_repeated(
    option: str, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Errors quote what was typed, but for the key."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    args = ["eval", str(made), "--protocol", "static", "--model", "builtin/abstain", "-o", str(tmp_path / "run")]
    result = CliRunner().invoke(main, [*args, option, KEY])
    assert result.exit_code == 2
    assert KEY not in result.output + result.stderr


def test_a_budget_ends_a_run_with_code_1(made: Path, tmp_path: Path) -> None:
    """The estimate is printed before, and how to go on after; more money does."""
    with FakeServer(OK).in_thread() as server:
        code, out, error = evaluate(server, made, tmp_path / "run", "--json", "--budget-tokens", "20")
        assert (code, json.loads(out)["done"]) == (1, 0)
        assert "Estimated for the whole run" in error
        assert "higher budget to go on" in error
        assert not server.asked  # the request alone is longer
        code, out, _ = evaluate(server, made, tmp_path / "run", "--json", "--budget-tokens", "1000000")
    told = json.loads(out)
    assert (code, told["done"]) == (0, 3)
    assert told["calls"] == len(server.asked)


def test_a_dry_run_estimates_calls_tokens_and_cost(made: Path, tmp_path: Path) -> None:
    """From the sizes of what would be asked; a price that is not known is said to be."""
    prices = tmp_path / "prices.json"
    prices.write_text('{"models": {"openai/any": {"input": 1, "output": 1}}}')
    with FakeServer(OK).in_thread() as server:
        told = json.loads(evaluate(server, made, tmp_path / "run", "--dry-run", "--json")[1])
        said = evaluate(server, made, tmp_path / "run", "--dry-run", "--prices", str(prices))[1]
    assert told["estimate"]["tokens_in"] > told["estimate"]["tokens_out"] > 0
    assert told["usd"] is None
    assert "USD" in said
    assert server.asked == []

"""What a command prints with `--json` when its run stops before the end: the document of a normal end."""

from __future__ import annotations

import json
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from click.testing import CliRunner

from callwright.cli import main
from fake_server import FakeServer, completion, refuses, says

COUNTED = {"prompt_tokens": 4_000, "completion_tokens": 7}
"""More than any request is long."""
EVAL = {
    "planned",
    "done",
    "failed",
    "protocol",
    "model",
    "calls",
    "tokens",
    "tool_tokens",
    "usd",
    "faults",
    "resumed",
} | {"unmeasured"}
SYNTH = {"planned", "kept", "rejected", "failed", "author", "calls", "tokens", "usd", "faults", "resumed", "coverage"}


@pytest.fixture
def commands(made: Path, tmp_path: Path) -> dict[str, tuple[str, ...]]:
    """Each command that asks models, without their address."""
    copy = shutil.copytree(made, tmp_path / "judged")
    out = str(tmp_path / "out")
    return {
        "eval": ("eval", str(made), "--protocol", "dynamic", "--model", "openai/any", "-o", out),
        "synth": ("synth", "diaforge", "builtin/enterprise", "-n", "20", "--author", "openai/any", "-o", out),
        "judge": ("judge", str(copy), "--judge", "openai/any"),
    }


def run(command: tuple[str, ...], server: FakeServer, *arguments: str) -> tuple[int, Any, str]:
    """The exit code, the document and the message."""
    result = CliRunner().invoke(main, [*command, "--base-url", server.url, "--json", *arguments])
    return result.exit_code, json.loads(result.stdout), result.stderr


@pytest.mark.parametrize(("name", "fields"), [("eval", EVAL), ("synth", SYNTH)])
def test_a_wrong_key_is_counted(commands: dict[str, tuple[str, ...]], name: str, fields: set[str]) -> None:
    """Requests and faults are in the document, and the message follows."""
    with FakeServer(refuses(401)).in_thread() as server:
        code, document, message = run(commands[name], server)
    assert (code, set(document)) == (1, fields)
    assert document["calls"] == document["faults"]["auth"] == len(server.asked) > 0
    assert "Run the same command again" in message


@pytest.mark.parametrize("name", ["eval", "synth", "judge"])
def test_failures_are_told_beside_the_document(commands: dict[str, tuple[str, ...]], name: str) -> None:
    """A class of error says little; the message says what to do, without any key that the server repeats."""
    leak = "maximum context length exceeded by the account of sk-leaked-0123456789abcdef"
    refusal = refuses(400, leak, code="context_length_exceeded")
    limit = ("-n", "2") if name == "synth" else ("--limit", "2")
    with FakeServer(refusal).in_thread() as server:
        code, _, message = run(commands[name], server, *limit)
    assert code == 1
    assert "failed: context_too_long (openai/any@" in message
    assert "account of [key]" in message


def test_a_key_where_a_name_belongs_is_not_repeated(made: Path) -> None:
    """An error names what was typed, but for what looks like a key."""
    data = str(made)
    for arguments in (("eval", data, "--model"), ("serve",), ("models", "check"), ("judge", data, "--criteria")):
        result = CliRunner().invoke(main, [*arguments, "sk-mistyped-0123456789"])
        assert result.exit_code == 2
        assert "mistyped" not in result.output


@pytest.mark.parametrize("name", ["eval", "synth"])
def test_a_spent_budget_is_accounted(commands: dict[str, tuple[str, ...]], name: str) -> None:
    """What was used is in the document, by role; only the first reply of a role can go beyond what was set aside."""
    reply = completion(content="Which one do you mean?") | {"usage": COUNTED}
    with FakeServer(says(reply)).in_thread() as server:
        code, document, message = run(commands[name], server, "--budget-tokens", "30000")
    used = document["tokens"].values()
    calls = document["calls"]
    assert (code, calls) == (1, len(server.asked))
    assert [sum(one[name] for one in used) for name in ("tokens_in", "tokens_out")] == [calls * 4_000, calls * 7]
    assert 0 < calls * 4_007 <= 30_000 + 4_007 * (len(used) - 1)
    assert "budget is spent" in message


def test_judgements_made_before_the_stop_are_printed(commands: dict[str, tuple[str, ...]]) -> None:
    """Those not made have neither value nor failure."""
    grade = completion(content='{"analysis": "Fine.", "grade": "3"}') | {"usage": COUNTED}
    with FakeServer(says(grade)).in_thread() as server:
        asked = ("--criteria", "fluency", "--limit", "9", "--budget-tokens", "30000")
        code, rows, message = run(commands["judge"], server, *asked)
    assert code == 1
    made = [row["value"] is not None for row in rows]
    assert (sum(made), len(made)) == (len(server.asked), 9)
    assert 0 < sum(made) < 9
    assert {row["failed"] for row in rows} == {None}
    assert "budget is spent" in message


def test_ctrl_c_prints_what_was_done(commands: dict[str, tuple[str, ...]]) -> None:
    """With the exit code of an interruption."""

    async def interrupts(request: web.Request) -> web.StreamResponse:
        signal.raise_signal(signal.SIGINT)
        return await says(completion(content="Which one do you mean?"))(request)

    with FakeServer(interrupts).in_thread() as server:
        code, document, message = run(commands["eval"], server, "--concurrency", "1")
    assert (code, document["done"], document["calls"]) == (130, 0, 1)
    assert "stopped with 0 of" in message

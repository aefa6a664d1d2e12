"""Synthesis with a served author, who plays every role: what is asked, kept, replayed and counted."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Awaitable
from pathlib import Path

import pytest
from click.testing import CliRunner

import callwright
from callwright.app.requests import SynthesisRequest, read_request
from callwright.app.synthesis import preview_synthesis
from callwright.cli import main
from callwright.errors import BadInput, RunConflict
from callwright.models.decoding import Decoding
from callwright.models.retries import Patience
from served_voice import Prompt, builtin_author, serving

N = 12
SEED = 7


def synth(out: Path, url: str = "", **changed: object) -> callwright.SynthesisResult:
    options: dict[str, object] = {"n": N, "seed": SEED, "out": out} | changed
    if url:
        options |= {"author": "openai/fake", "base_url": url, "patience": Patience(tries=1)}
    return callwright.synthesize("diaforge", "builtin/enterprise", **options)  # type: ignore[arg-type]


def is_about_values(prompt: Prompt) -> bool:
    return "concrete values" in prompt[0][1]


def test_a_served_author_is_asked_once_for_each_reply(tmp_path: Path) -> None:
    """The author is named in every dialogue and in the card; the finished folder asks for nothing."""
    with serving(builtin_author) as server:
        online = synth(tmp_path / "online", server.url)
        asked = len(server.asked)
        assert synth(tmp_path / "online", server.url) == online
        assert online.calls == asked == len(server.asked)
    assert online.kept >= N - 2
    assert online.author == f"openai/fake@{server.url}"
    assert set(online.tokens) == {"author", "user", "assistant"}
    assert sum(used.calls for used in online.tokens.values()) == asked
    lines = (tmp_path / "online" / "dialogues.jsonl").read_text().splitlines()
    assert {json.loads(line)["provenance"]["author"] for line in lines} == {online.author}
    card = (tmp_path / "online" / "README.md").read_text()
    assert f"`{online.author}` played the user, `{online.author}` played the assistant. Rules checked them." in card
    assert "No judge was named, so the critics were skipped." in card
    assert "same bytes" not in card


def test_decoding_settings_are_sent_and_make_another_dataset(tmp_path: Path) -> None:
    """The author draws its words as it is told; without an author they mean nothing."""
    with serving(builtin_author) as server:
        synth(tmp_path / "ds", server.url, decoding=Decoding(temperature=0.7))
        with pytest.raises(RunConflict, match="temperature"):
            synth(tmp_path / "ds", server.url)
    assert {body["temperature"] for body in server.bodies} == {0.7}
    with pytest.raises(BadInput, match="decoding"):
        synth(tmp_path / "offline", decoding=Decoding(temperature=0.7))


def test_values_are_asked_for_as_json(tmp_path: Path) -> None:
    """By schema, like the assistant's steps; texts are asked for as texts."""
    with serving(builtin_author) as server:
        synth(tmp_path / "ds", server.url)
    kinds = set[bool]()
    for prompt, body in zip(server.asked, server.bodies, strict=True):
        asked_for, is_object = body.get("response_format"), "JSON object" in prompt[0][1]
        kinds.add(is_object)
        assert (asked_for["type"] if asked_for else "text") == ("json_schema" if is_object else "text")
    assert kinds == {True, False}


@pytest.mark.parametrize("text", ["", " ", "x" * 5_000, "two\nlines"])
def test_replies_that_never_fit_fail_the_rollout_of_their_role(tmp_path: Path, text: str) -> None:
    """After the first reply, its repair and one anew; each failed rollout is counted by class, none is lost."""
    with serving(lambda _: text) as server:
        result = synth(tmp_path / "ds", server.url)
    assert (result.failed, result.kept) == ({"bad_reply": N}, 0)
    assert len(server.asked) == 3 * N
    assert "goal.j2" in result.examples["bad_reply"]


@pytest.mark.parametrize(
    "values", ["no JSON", "[]", "{}", '{"reply": 1}', '{"reply": {}, "more": ', '{"reply": {"nothing": 1}}']
)
def test_values_that_never_fit_fail_the_rollout(tmp_path: Path, values: str) -> None:
    """Whether no JSON, of another type, or against the schema of the tool."""

    def answer(prompt: Prompt) -> str:
        return values if is_about_values(prompt) else "arrange something"

    with serving(answer) as server:
        result = synth(tmp_path / "ds", server.url, n=3)
    assert set(result.failed) == {"bad_reply"}
    assert "values.j2" in result.examples["bad_reply"]


def test_replies_that_failed_a_rollout_are_asked_for_anew(tmp_path: Path) -> None:
    """By the same command, and they alone: the good ones before them are replayed."""

    def answer(prompt: Prompt) -> str | Awaitable[str]:
        return "no JSON" if is_about_values(prompt) else builtin_author(prompt)

    with serving(answer) as server:
        failed = synth(tmp_path / "ds", server.url).failed["bad_reply"]
    url = server.url
    with serving(builtin_author, port=int(url.rpartition(":")[2].removesuffix("/v1"))) as server:
        mended = synth(tmp_path / "ds", url)
    assert (mended.failed, mended.resumed) == ({}, failed)
    assert failed >= N - 1
    assert mended.kept >= N - 2


def test_a_bad_reply_is_repaired(tmp_path: Path) -> None:
    """The model is shown its reply and what is wrong; the mended one is as good as any."""
    fitted: list[Prompt] = []

    def answer(prompt: Prompt) -> str | Awaitable[str]:
        if is_about_values(prompt) and len(prompt) == 2:
            if fitted:
                return '{"reply": []}'
            fitted.append(prompt)  # else the server would seem to ignore schemas
        return builtin_author(prompt[:2])

    with serving(answer) as server:
        online = synth(tmp_path / "online", server.url)
    assert online.kept >= N - 2
    repairs = [prompt for prompt in server.asked if len(prompt) == 4]
    assert repairs
    assert all(prompt[2] == ("assistant", '{"reply": []}') for prompt in repairs)
    assert all("values.j2" in prompt[3][1] for prompt in repairs)


def test_another_author_url_or_prompt_is_another_dataset(tmp_path: Path) -> None:
    """The folder is left alone, and the setting is named."""
    prompts = tmp_path / "prompts" / "diaforge"
    prompts.mkdir(parents=True)
    with serving(builtin_author) as server:
        synth(tmp_path / "ds", server.url)
        with pytest.raises(RunConflict, match="author"):
            synth(tmp_path / "ds")
        with pytest.raises(RunConflict, match="author"):
            synth(tmp_path / "ds", server.url.replace("/v1", "/v2"))
        (prompts / "goal.j2").write_text("Say a goal.\n---\n{{ tool.description }}")
        with pytest.raises(RunConflict, match="prompts"):
            synth(tmp_path / "ds", server.url, prompts=tmp_path / "prompts")


def test_prompts_of_a_folder_are_asked(tmp_path: Path) -> None:
    """In place of the bundled ones of the same name."""
    prompts = tmp_path / "prompts" / "diaforge"
    prompts.mkdir(parents=True)
    (prompts / "goal.j2").write_text("Say a goal.\n---\nOf: {{ tool.description }}")
    with serving(lambda _: "") as server:
        synth(tmp_path / "ds", server.url, n=1, prompts=tmp_path / "prompts")
    assert server.asked[0][0] == ("system", "Say a goal.")
    assert server.asked[0][1][1].startswith("Of: ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"author": "builtin/oracle"}, "openai/NAME"),
        ({"author": "openai/"}, "lacks a name"),
        ({"base_url": "http://127.0.0.1:1/v1"}, "Name the author"),
        ({"prompts": "."}, "Name the author"),
        ({"author": "openai/x", "base_url": "ftp://x"}, "base URL"),
        ({"author": "openai/x@http://127.0.0.1:1/v1", "concurrency": 0}, "concurrency"),
    ],
)
def test_wrong_authors_are_refused(tmp_path: Path, options: dict[str, object], message: str) -> None:
    """Before anything is written."""
    with pytest.raises(BadInput, match=message):
        synth(tmp_path / "ds", **options)
    assert not (tmp_path / "ds").exists()


def test_replies_are_given_again_when_the_work_goes_on(tmp_path: Path) -> None:
    """What was made is lost here, and made again from the replies: no model is asked, and the bytes are the same."""
    with serving(builtin_author) as server:
        synth(tmp_path / "ds", server.url)
        asked, made = len(server.asked), (tmp_path / "ds" / "dialogues.jsonl").read_bytes()
        (tmp_path / "ds" / "dialogues.jsonl").unlink()
        with sqlite3.connect(tmp_path / "ds" / ".run" / "run.db") as database:
            database.execute("DELETE FROM outcomes")
        database.close()
        again = synth(tmp_path / "ds", server.url)
        assert len(server.asked) == asked
    assert (tmp_path / "ds" / "dialogues.jsonl").read_bytes() == made
    assert again.resumed == asked


def test_a_preview_asks_no_model(tmp_path: Path) -> None:
    """And writes nothing."""
    request = read_request(
        SynthesisRequest,
        recipe="diaforge",
        catalog="builtin/enterprise",
        n=5,
        out=tmp_path / "ds",
        author="openai/x",
        base_url="http://127.0.0.1:1/v1",
    )
    preview = preview_synthesis(request)
    assert preview.planned == 5
    assert not (tmp_path / "ds").exists()


def test_the_command_line_names_the_author(tmp_path: Path) -> None:
    """`--json` counts its calls and tokens; without it, one line says what they were."""
    with serving(builtin_author) as server:
        arguments = ["synth", "diaforge", "builtin/enterprise", "-n", str(N), "--seed", str(SEED)]
        arguments += ["-o", str(tmp_path / "ds"), "--author", f"openai/fake@{server.url}", "--concurrency", "1"]
        shown = CliRunner().invoke(main, [*arguments, "--json"])
        told = CliRunner().invoke(main, arguments)
        asked = len(server.asked)
    counts = json.loads(shown.stdout)
    assert (shown.exit_code, told.exit_code) == (0, 0)
    assert counts["author"] == f"openai/fake@{server.url}"
    assert counts["calls"] == asked == sum(used["calls"] for used in counts["tokens"].values())
    assert f"user: {counts['tokens']['user']['calls']:,} requests" in told.stdout

"""Synthesis with a served author: the same dialogues where it says what the grammar says."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

import callwright
from callwright.app.requests import SynthesisRequest, read_request
from callwright.app.synthesis import preview_synthesis
from callwright.author.prompts import prompt_names
from callwright.cli import main
from callwright.engine.context import Context
from callwright.errors import BadInput, RunConflict
from callwright.models.decoding import Decoding
from callwright.models.retries import Patience
from callwright.papers.registry import prompt_homes
from recipe_jobs import recipe_job
from served_voice import Prompt, Recorder, serving

N = 12
SEED = 7


@pytest.fixture
def recorder() -> Recorder:
    """What the grammar says to every prompt of the dialogues of this seed, in the order in which they are made."""
    voice = Recorder()
    job = recipe_job("diaforge", n=N, seed=SEED)
    for index, item in enumerate(job.ids):
        asyncio.run(job.run(index, Context.detached(item, seed=SEED, voice=voice)))
    return voice


def synth(out: Path, url: str = "", **changed: object) -> callwright.SynthesisResult:
    options: dict[str, object] = {"n": N, "seed": SEED, "out": out} | changed
    if url:
        options |= {"author": "openai/fake", "base_url": url, "patience": Patience(tries=1)}
    return callwright.synthesize("diaforge", "builtin/enterprise", **options)  # type: ignore[arg-type]


def is_about_values(prompt: Prompt) -> bool:
    return "concrete values" in prompt[0][1]


def lines(folder: Path, name: str) -> list[dict[str, object]]:
    found = [json.loads(line) for line in (folder / name).read_text().splitlines()]
    for line in found:
        dialogue = line.get("dialogue", line)
        dialogue["provenance"].pop("author")
        line.pop("issues", None)  # they name the author
    return found


def test_a_model_that_says_what_the_grammar_says_makes_the_same_dialogues(tmp_path: Path, recorder: Recorder) -> None:
    """Every prompt is asked, every reply is used, and only the author differs; nothing is asked again."""
    offline = synth(tmp_path / "offline")
    with serving(recorder.answer) as server:
        online = synth(tmp_path / "online", server.url, concurrency=1)
        asked = len(server.asked)
        again = synth(tmp_path / "online", server.url, concurrency=1)

        assert (online.kept, online.rejected) == (offline.kept, offline.rejected)
        assert online.author == f"openai/fake@{server.url}"
        assert online.calls == asked == len(server.asked)
        assert online.tokens["author"].tokens_in > 100 * asked
        assert again == online
    assert not any(recorder.said.values())
    asked = {name for name in prompt_names(prompt_homes()) if name.startswith(("dialogue/", "diaforge/"))}
    assert recorder.steps == asked - {"diaforge/vote.j2"}
    for name in ("dialogues.jsonl", "rejected.jsonl"):
        assert lines(tmp_path / "online", name) == lines(tmp_path / "offline", name)
    card = (tmp_path / "online" / "README.md").read_text()
    assert "openai/fake" in card
    assert "same bytes" not in card


def test_decoding_settings_are_sent_and_make_another_dataset(tmp_path: Path, recorder: Recorder) -> None:
    """The author draws its words as it is told; without an author they mean nothing."""
    with serving(recorder.answer) as server:
        synth(tmp_path / "ds", server.url, concurrency=1, decoding=Decoding(temperature=0.7))
        with pytest.raises(RunConflict, match="temperature"):
            synth(tmp_path / "ds", server.url, concurrency=1)
    assert {body["temperature"] for body in server.bodies} == {0.7}
    with pytest.raises(BadInput, match="decoding"):
        synth(tmp_path / "offline", decoding=Decoding(temperature=0.7))


def test_values_are_asked_for_as_json(tmp_path: Path, recorder: Recorder) -> None:
    """By the schema of the step's return type; texts are asked for as texts."""
    with serving(recorder.answer) as server:
        synth(tmp_path / "ds", server.url, concurrency=1)
    kinds = set[bool]()
    for prompt, body in zip(server.asked, server.bodies, strict=True):
        asked_for = body.get("response_format")
        kinds.add(is_about_values(prompt))
        assert (asked_for["type"] if asked_for else "text") == ("json_schema" if is_about_values(prompt) else "text")
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
def test_values_that_never_fit_fail_the_rollout(tmp_path: Path, recorder: Recorder, values: str) -> None:
    """Whether no JSON, of another type, or against the schema of the tool."""

    def answer(prompt: Prompt) -> str:
        return values if is_about_values(prompt) else "arrange something"

    with serving(answer) as server:
        result = synth(tmp_path / "ds", server.url, n=3)
    assert set(result.failed) == {"bad_reply"}
    assert "values.j2" in result.examples["bad_reply"]


def test_replies_that_failed_a_rollout_are_asked_for_anew(tmp_path: Path, recorder: Recorder) -> None:
    """By the same command, and they alone: the good ones before them are replayed."""

    def answer(prompt: Prompt) -> str:
        return "no JSON" if is_about_values(prompt) else recorder.answer(prompt)

    offline = synth(tmp_path / "offline")
    with serving(answer) as server:
        failed = synth(tmp_path / "ds", server.url, concurrency=1).failed["bad_reply"]
    url = server.url
    with serving(recorder.answer, port=int(url.rpartition(":")[2].removesuffix("/v1"))) as server:
        mended = synth(tmp_path / "ds", url, concurrency=1)
    assert (mended.kept, mended.failed, mended.resumed) == (offline.kept, {}, failed)


def test_a_bad_reply_is_repaired(tmp_path: Path, recorder: Recorder) -> None:
    """The model is shown its reply and what is wrong; the mended one is as good as any."""
    fitted: list[Prompt] = []

    def answer(prompt: Prompt) -> str:
        if is_about_values(prompt) and len(prompt) == 2:
            if fitted:
                return '{"reply": []}'
            fitted.append(prompt)  # else the server would seem to ignore schemas
        return recorder.answer(prompt[:2])

    offline = synth(tmp_path / "offline")
    with serving(answer) as server:
        online = synth(tmp_path / "online", server.url, concurrency=1)
    assert online.kept == offline.kept
    repairs = [prompt for prompt in server.asked if len(prompt) == 4]
    assert repairs
    assert all(prompt[2] == ("assistant", '{"reply": []}') for prompt in repairs)
    assert all("values.j2" in prompt[3][1] for prompt in repairs)


def test_words_without_their_values_reject_the_dialogue(tmp_path: Path, recorder: Recorder) -> None:
    """They are written again, told what is lacking; where that never helps, the dialogue is rejected, none is lost."""

    def answer(prompt: Prompt) -> str:
        said = recorder.said.get(prompt)
        return said[0] if said and "Say this value" not in prompt[1][1] else "Something else, please."

    with serving(answer) as server:
        result = synth(tmp_path / "ds", server.url)
    told = [prompt[1][1] for prompt in server.asked if "Your last wording was not accepted" in prompt[1][1]]
    assert told
    assert any(" is not said" in text for text in told)
    assert result.rejected
    assert result.planned == result.kept + sum(result.rejected.values())


def test_another_author_url_or_prompt_is_another_dataset(tmp_path: Path, recorder: Recorder) -> None:
    """The folder is left alone, and the setting is named."""
    prompts = tmp_path / "prompts" / "diaforge"
    prompts.mkdir(parents=True)
    with serving(recorder.answer) as server:
        synth(tmp_path / "ds", server.url, concurrency=1)
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


def test_replies_are_given_again_when_the_work_goes_on(tmp_path: Path, recorder: Recorder) -> None:
    """What was made is lost here, and made again from the replies: no model is asked, and the bytes are the same."""
    with serving(recorder.answer) as server:
        synth(tmp_path / "ds", server.url, concurrency=1)
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


def test_the_command_line_names_the_author(tmp_path: Path, recorder: Recorder) -> None:
    """`--json` counts its calls and tokens; without it, one line says what they were."""
    with serving(recorder.answer) as server:
        arguments = ["synth", "diaforge", "builtin/enterprise", "-n", str(N), "--seed", str(SEED)]
        arguments += ["-o", str(tmp_path / "ds"), "--author", f"openai/fake@{server.url}", "--concurrency", "1"]
        shown = CliRunner().invoke(main, [*arguments, "--json"])
        told = CliRunner().invoke(main, arguments)
        asked = len(server.asked)
    counts = json.loads(shown.stdout)
    assert (shown.exit_code, told.exit_code) == (0, 0)
    assert counts["author"] == f"openai/fake@{server.url}"
    assert counts["calls"] == asked == counts["tokens"]["author"]["calls"]
    assert f"author: {asked:,} requests" in told.stdout


def test_words_that_the_cascade_would_reject_are_written_again(tmp_path: Path, recorder: Recorder) -> None:
    """The author is told why, and the dialogue is kept where its next words are better."""
    offline = synth(tmp_path / "offline")

    def answer(prompt: Prompt) -> str:
        is_turn = prompt[0][1].startswith("You play")
        if is_turn and "Your last wording was not accepted" not in prompt[1][1]:
            return f"{recorder.said[prompt][0]} Look at the the JSON."
        return recorder.said[_without_refusal(prompt)].popleft()

    with serving(answer) as server:
        online = synth(tmp_path / "online", server.url, concurrency=1)
    assert online.kept >= offline.kept
    told = [prompt[1][1] for prompt in server.asked if "not accepted" in prompt[1][1]]
    assert all("schema_words" in text and "word_doubled" in text for text in told)


def _without_refusal(prompt: Prompt) -> Prompt:
    system, (role, text) = prompt
    return (system, (role, text.partition("Your last wording was not accepted")[0].strip()))

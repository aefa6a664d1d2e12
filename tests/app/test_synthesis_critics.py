"""Synthesis with critics: what the rules keep is judged, and any rejection rejects."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import callwright
from callwright.app.requests import SynthesisRequest, read_request
from callwright.app.synthesis import preview_synthesis
from callwright.cli import main
from callwright.errors import BadInput, RunConflict
from callwright.models.retries import Patience
from callwright.store.dataset import read_dialogues, read_funnel, read_rejected
from callwright.store.run import Run
from fake_server import FakeServer, completion, refuses, says
from judge_samples import Prompt, material_of
from served_voice import serving

N = 12
ONCE = Patience(connect_s=5, idle_s=5, total_s=20, tries=1)


def synth(out: Path, url: str = "", **changed: object) -> callwright.SynthesisResult:
    options: dict[str, object] = {"n": N, "seed": 7, "out": out} | changed
    if url:
        options |= {"judge": "openai/critic", "base_url": url, "patience": ONCE}
    return callwright.synthesize("diaforge", "builtin/enterprise", **options)  # type: ignore[arg-type]


def is_relevancy(prompt: Prompt) -> bool:
    return "gold_tool" in prompt[1][1]


def verdict(grade: str) -> str:
    return json.dumps({"analysis": f"I would {grade} it.", "grade": grade})


def test_what_critics_accept_is_kept_as_without_them(tmp_path: Path) -> None:
    """The same bytes; each kept dialogue was asked about twice, what the rules rejected never."""
    offline = synth(tmp_path / "offline")
    with serving(lambda _: verdict("accept")) as server:
        made = synth(tmp_path / "ds", server.url)
        again = synth(tmp_path / "ds", server.url)
        assert len(server.asked) == 2 * made.kept
    assert (made.kept, made.rejected) == (offline.kept, offline.rejected)
    assert again == made
    lines = [(tmp_path / name / "dialogues.jsonl").read_bytes() for name in ("ds", "offline")]
    assert lines[0] == lines[1]
    assert made.tokens["judge"].calls == 2 * made.kept
    assert "openai/critic" in (tmp_path / "ds" / "README.md").read_text()


def test_the_judge_is_part_of_the_estimate(tmp_path: Path) -> None:
    """What it will be asked is counted before it is asked, a verdict for each dialogue kept and criterion."""
    with serving(lambda _: verdict("accept")) as server:
        given = {"judge": "openai/critic", "base_url": server.url}
        request = read_request(
            SynthesisRequest, recipe="diaforge", catalog="builtin/enterprise", n=N, seed=7, out=tmp_path / "ds", **given
        )
        told = preview_synthesis(request).estimate
        assert not server.asked
        used = synth(tmp_path / "ds", server.url).tokens["judge"]
    assert told is not None
    assert told.calls == pytest.approx(used.calls, rel=0.25)
    assert told.tokens_in > 500 * told.calls


def test_any_rejection_rejects_with_its_reason(tmp_path: Path) -> None:
    """And what the critic said stands beside the dialogue; the funnel counts it after the rules."""

    def answer(prompt: Prompt) -> str:
        length = len(prompt[1][1])
        if is_relevancy(prompt):
            return verdict("reject" if length % 3 == 0 else "accept")
        return verdict("reject" if length % 4 == 0 else "accept")

    with serving(answer) as server:
        made = synth(tmp_path / "ds", server.url, n=40)
    judged = {code: count for code, count in made.rejected.items() if code.startswith("judge_")}
    assert set(judged) == {"judge_relevancy", "judge_critique"}
    assert list(made.rejected)[-2:] == ["judge_critique", "judge_relevancy"]
    assert made.planned == made.kept + sum(made.rejected.values())
    issues = [one.issues for one in read_rejected(tmp_path / "ds")]
    said = [issue for several in issues for issue in several if issue.code.startswith("judge_")]
    assert all("openai/critic@" in one.message and "I would reject it." in one.message for one in said)
    assert len(said) >= sum(judged.values())
    assert read_funnel(tmp_path / "ds")["steps"][-1]["left"] == made.kept


def test_critics_are_asked_at_the_same_time(tmp_path: Path) -> None:
    """Neither waits for the other: of one dialogue two questions are in flight."""
    in_flight, most = 0, 0

    async def answer(prompt: Prompt) -> str:
        nonlocal in_flight, most
        in_flight += 1
        most = max(most, in_flight)
        await asyncio.sleep(0.05)
        in_flight -= 1
        return verdict("accept")

    with serving(answer) as server:
        assert synth(tmp_path / "ds", server.url, n=1).kept == 1
    assert most == 2


@pytest.mark.parametrize("reply", ["maybe", '{"grade": "perhaps"}', "{}"])
def test_a_judge_that_makes_no_sense_fails_the_rollout(tmp_path: Path, reply: str) -> None:
    """It is no rejection: the dialogue is neither kept nor rejected, and the judge is to blame."""
    with serving(lambda prompt: verdict("accept") if is_relevancy(prompt) else reply) as server:
        made = synth(tmp_path / "ds", server.url, n=4)
    assert made.kept == 0
    assert set(made.failed) == {"bad_reply"}
    assert not any(code.startswith("judge_") for code in made.rejected)
    with Run.read(tmp_path / "ds" / ".run") as run:
        assert {one.role for one in run.outcomes() if not one.ok} == {"judge"}


def test_a_judge_that_was_down_is_asked_again_and_nothing_else(tmp_path: Path) -> None:
    """The same command tries what failed; what was answered stays answered."""
    good = says(completion(content=verdict("accept")))
    with FakeServer(good, good, refuses(500), good).in_thread() as server:
        first = synth(tmp_path / "ds", server.url, n=5, concurrency=1)
        asked = len(server.asked)
        second = synth(tmp_path / "ds", server.url, n=5, concurrency=1)
        assert (first.failed, second.failed) == ({"server_error": 1}, {})
        assert len(server.asked) == asked + 1
    assert second.kept == first.kept + 1


def test_the_judgements_are_kept_for_later(tmp_path: Path) -> None:
    """`judge` finds what the critics said, of the same judge and criteria, and asks nothing."""
    with serving(lambda prompt: verdict("reject" if len(prompt[1][1]) % 5 == 0 else "accept")) as server:
        made = synth(tmp_path / "ds", server.url)
        asked = len(server.asked)
        result = callwright.judge_dataset(tmp_path / "ds", judges="openai/critic", base_url=server.url)
        assert len(server.asked) == asked
    assert result.asked == 0
    assert {score.criterion: (score.n, score.interval.value) for score in result.scores} == {
        "relevancy": (made.kept, 1.0),
        "critique": (made.kept, 1.0),
    }


def test_no_gold_tool_is_no_reason_to_reject(tmp_path: Path) -> None:
    """Where no tool fits, relevancy is not asked; the critique is."""
    with serving(lambda _: verdict("accept")) as server:
        made = synth(tmp_path / "ds", server.url, n=6, no_tool_share=1.0)
        assert len(server.asked) == made.kept > 0
    assert not any(map(is_relevancy, server.asked))
    assert all(not dialogue.annotation.tool_fits for dialogue in read_dialogues(tmp_path / "ds"))  # type: ignore[union-attr]


def test_criteria_of_ones_own_can_reject(tmp_path: Path) -> None:
    """With `keep_from`; without it they cannot be critics."""
    source = Path(callwright.__file__).parent / "judge/data/criteria/fluency.toml"
    own = tmp_path / "own.toml"
    own.write_text("keep_from = 4.0\n" + source.read_text())
    with serving(lambda prompt: verdict(str(1 + len(material_of(prompt)) % 5))) as server:
        made = synth(tmp_path / "ds", server.url, criteria=str(own))
    assert made.rejected["judge_fluency"] > 0
    with pytest.raises(BadInput, match="keep_from"):
        synth(tmp_path / "other", server.url, criteria="fluency")


def test_a_recipe_without_critics_needs_criteria(tmp_path: Path) -> None:
    """The critique is about the two stages of `diaforge`; other recipes say by what they are judged."""
    options = {"n": 1, "out": tmp_path / "ds", "judge": "openai/x@http://127.0.0.1:1/v1"}
    with pytest.raises(BadInput, match="Name the criteria"):
        callwright.synthesize("tooldial", "builtin/enterprise", **options)  # type: ignore[arg-type]


def test_another_judge_or_rubric_is_another_dataset(tmp_path: Path) -> None:
    """The setting that differs is named."""
    with serving(lambda _: verdict("accept")) as server:
        synth(tmp_path / "ds", server.url, n=3)
        with pytest.raises(RunConflict, match="judge"):
            synth(tmp_path / "ds", n=3)
        with pytest.raises(RunConflict, match="criteria"):
            synth(tmp_path / "ds", server.url, n=3, criteria="relevancy")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"judge": "builtin/oracle"}, "not a model that can judge"),
        ({"criteria": "relevancy"}, "Name the judge"),
        ({"judge": "openai/x", "no_cascade": True}, "needs the cascade"),
        ({"judge": "openai/x", "criteria": "relevant"}, "relevancy"),
        ({"judge": "openai/x", "prompts": "."}, "Name the author"),
        ({"base_url": "http://127.0.0.1:1/v1"}, "Name the author"),
    ],
)
def test_wrong_judges_are_refused(tmp_path: Path, options: dict[str, object], message: str) -> None:
    """Before anything is written, in a preview too."""
    given = {"base_url": "http://127.0.0.1:1/v1"} | options if "judge" in options else options
    with pytest.raises(BadInput, match=message):
        synth(tmp_path / "ds", **given)
    request = read_request(
        SynthesisRequest, recipe="diaforge", catalog="builtin/enterprise", n=3, out=tmp_path / "ds", **given
    )
    with pytest.raises(BadInput, match=message):
        preview_synthesis(request)
    assert not (tmp_path / "ds").exists()


def test_the_command_line_names_the_judge(tmp_path: Path) -> None:
    """Its tokens are counted by role; a failed judge exits with 1."""
    with serving(lambda _: verdict("accept")) as server:
        arguments = ["synth", "diaforge", "builtin/enterprise", "-n", "4", "-o", str(tmp_path / "ds")]
        arguments += ["--judge", f"openai/critic@{server.url}"]
        shown = CliRunner().invoke(main, [*arguments, "--json"])
        told = CliRunner().invoke(main, arguments)
    assert (shown.exit_code, told.exit_code) == (0, 0)
    assert json.loads(shown.stdout)["tokens"]["judge"]["calls"] == len(server.asked)
    assert f"judge: {len(server.asked):,} requests" in told.stdout

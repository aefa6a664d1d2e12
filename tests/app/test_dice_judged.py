"""Group chats with a model as judge: panels of criteria keep them by the mean of scores and by a number of yes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import callwright
from callwright.app.requests import SynthesisRequest, read_request
from callwright.app.synthesis import preview_synthesis
from callwright.errors import BadInput, RunConflict
from callwright.judge.rubric import find_rubrics
from callwright.models.retries import Patience
from callwright.papers.dice.chat_cascade import CRITERIA
from callwright.papers.dice.chat_grading import SCORES
from callwright.recipe.kept_job import KEPT_JOB, decode_kept_job
from callwright.store.dataset import read_dialogues, read_funnel, read_rejected
from callwright.store.run import Run
from fake_server import FakeServer, completion, says
from judge_samples import Prompt
from served_voice import serving

ONCE = Patience(connect_s=5, idle_s=5, total_s=20, tries=1)
RUBRICS = {one.question.strip(): one.name for one in find_rubrics((*SCORES, "chat-type", *CRITERIA))}
Said = Mapping[str, str]
N = 3
ASKED = len(SCORES) + 1 + len(CRITERIA)


def synth(out: Path, url: str, **changed: object) -> callwright.SynthesisResult:
    options: dict[str, object] = {"n": N, "seed": 7, "out": out, "rounds": "2", "parties": "3"} | changed
    return callwright.synthesize(
        "dice", "builtin/enterprise", judge="openai/critic", base_url=url, patience=ONCE, **options
    )  # type: ignore[arg-type]


def criterion_of(prompt: Prompt) -> str:
    """The criterion that a prompt asks about."""
    return next(name for question, name in RUBRICS.items() if question in prompt[0][1])


def type_of(prompt: Prompt, chats: Mapping[str, str]) -> str:
    """The type that the chat was made with, known by its first words."""
    return chats[first_words(prompt[1][1])]


def first_words(material: str) -> str:
    found = re.search(r'"says":("(?:[^"\\]|\\.)*")', material)
    assert found is not None
    return str(json.loads(found[1]))


def judge(out: Path, said: Said) -> Callable[[Prompt], str]:
    """A judge that gives each criterion the same answer; by default the best one, and the type that was meant."""
    offline = callwright.synthesize("dice", "builtin/enterprise", n=N, seed=7, out=out, rounds="2", parties="3")
    assert offline.kept == N
    chats = {one.turns[0].text: one.annotation.dialogue_type for one in read_dialogues(out)}  # type: ignore[union-attr]
    assert len(chats) == N

    def answer(prompt: Prompt) -> str:
        name = criterion_of(prompt)
        usual = "5" if name in SCORES else "yes"
        grade = said.get(name) or (type_of(prompt, chats) if name == "chat-type" else usual)
        return (
            json.dumps({"analysis": f"About {name}.", "grade": grade}) if grade != "prose" else "Rather good, I think."
        )

    return answer


def scored(total: int) -> Said:
    """The six scores with this sum, as even as can be."""
    least, more = divmod(total, len(SCORES))
    return {name: str(least + (at < more)) for at, name in enumerate(SCORES)}


def denied(number: int) -> Said:
    return dict.fromkeys(list(CRITERIA)[:number], "no")


@pytest.mark.parametrize(
    ("said", "reason", "asked"),
    [
        ({}, "", ASKED),
        (scored(24), "", ASKED),
        (scored(23), "low_scores", len(SCORES) + 1),
        (denied(5), "", ASKED),
        (denied(6), "few_criteria", ASKED),
    ],
    ids=["best", "mean-4.0", "mean-3.8", "ten-of-15", "nine-of-15"],
)
def test_panels_keep_from_their_bound_on(tmp_path: Path, said: Said, reason: str, asked: int) -> None:
    """A mean of exactly 4.0 and exactly 10 of 15 are kept; what stage 1 rejects is not asked about in stage 3."""
    with serving(judge(tmp_path / "plain", said)) as server:
        made = synth(tmp_path / "ds", server.url)
        assert len(server.asked) == asked * N
    assert made.rejected == ({f"judge_{reason}": N} if reason else {})
    assert made.kept == (0 if reason else N)


@pytest.mark.parametrize(
    ("said", "join", "kept"),
    [
        ({"chat-type": "eristic"}, "any", 1),
        ({"chat-type": "eristic"}, "all", N),
        (scored(23), "all", N),
        ({"chat-type": "eristic", **scored(23)}, "all", 1),
        ({"chat-type": "eristic", **scored(23)}, "any", 0),
    ],
)
def test_the_type_must_be_the_one_that_was_meant(tmp_path: Path, said: Said, join: str, kept: int) -> None:
    """Of three chats one is a quarrel; `reject_if` joins the type with the scores."""
    with serving(judge(tmp_path / "plain", said)) as server:
        assert synth(tmp_path / "ds", server.url, reject_if=join).kept == kept
    if kept == 1:
        (left,) = read_dialogues(tmp_path / "ds")
        assert left.annotation.dialogue_type == "eristic"  # type: ignore[union-attr]
        told = {issue.message for one in read_rejected(tmp_path / "ds") for issue in one.issues}
        assert any("says eristic, not inquiry_information_seeking: About chat-type." in one for one in told)


def test_the_funnel_names_stage_and_judge(tmp_path: Path) -> None:
    """Each stage that the judge takes part in has a column of its own beside that of the rules."""
    with serving(judge(tmp_path / "plain", {"chat-type": "eristic", **denied(6)})) as server:
        made = synth(tmp_path / "ds", server.url)
        name = f"openai/critic@{server.url}"
    assert made.rejected == {"judge_unlike_type": 2, "judge_few_criteria": 1}
    stages = read_funnel(tmp_path / "ds")["stages"]
    assert isinstance(stages, dict)
    assert stages["validators"] == dict.fromkeys(("unfinished", "stage 1", "stage 2", "stage 3"), "rules") | {
        "stage 1 judge": name,
        "stage 3 judge": name,
    }
    (line,) = stages["lines"]
    assert line["removed"] == {
        "failed": 0, "unfinished": 0, "stage 1": 0, "stage 2": 0, "stage 3": 0, "stage 1 judge": 2, "stage 3 judge": 1,
    }  # fmt: skip
    assert "stage 3 judge (openai/critic" in (tmp_path / "ds" / "README.md").read_text()


@pytest.mark.parametrize("name", ["fluency", "chat-type", "chat-flows"])
def test_prose_is_a_failure_and_no_no(tmp_path: Path, name: str) -> None:
    """One criterion that could not be judged fails the rollout, though the others would keep the chat without it."""
    with serving(judge(tmp_path / "plain", {name: "prose"})) as server:
        made = synth(tmp_path / "ds", server.url)
    assert (made.kept, made.rejected, made.failed) == (0, {}, {"bad_reply": N})
    with Run.read(tmp_path / "ds" / ".run") as run:
        kept = decode_kept_job(run.get_blob(KEPT_JOB) or b"", where="job")
        assert [stage.name for stage in kept.stages] == ["stage 1", "stage 3"]
        assert {one.role for one in run.outcomes() if not one.ok} == {"judge"}


def test_an_interrupted_judge_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """What was answered is not asked again: only the failed criterion, and the stage after it."""
    answer = judge(tmp_path / "plain", {})
    down = [True]

    def sometimes(prompt: Prompt) -> str:
        return "not now" if down[0] and criterion_of(prompt) == "relevance" else answer(prompt)

    with serving(sometimes) as server:
        assert synth(tmp_path / "ds", server.url).failed == {"bad_reply": N}
        down[0], before = False, len(server.asked)
        assert synth(tmp_path / "ds", server.url).kept == N
        assert len(server.asked) - before == N * (1 + len(CRITERIA))
        assert {criterion_of(one) for one in server.asked[before:]} == {"relevance", *CRITERIA}


def test_named_criteria_reject_each_on_its_own(tmp_path: Path) -> None:
    """As before: without panels, and only those that have a lowest accepted grade."""
    with FakeServer(says(completion(content='{"analysis": "", "grade": "accept"}'))).in_thread() as server:
        made = synth(tmp_path / "ds", server.url, criteria="honest-work")
        assert len(server.asked) == made.kept == N
    with pytest.raises(BadInput, match="keep_from"):
        synth(tmp_path / "other", "http://127.0.0.1:1/v1", criteria="fluency")
    with pytest.raises(RunConflict, match="criteria"):
        synth(tmp_path / "ds", "http://127.0.0.1:1/v1")


def test_the_panels_are_part_of_the_estimate(tmp_path: Path) -> None:
    """All criteria of all stages are counted: no more is asked."""
    request = read_request(
        SynthesisRequest,
        recipe="dice",
        catalog="builtin/enterprise",
        n=N,
        out=tmp_path / "ds",
        rounds="2",
        parties="3",
        judge="openai/critic",
        base_url="http://127.0.0.1:1/v1",
    )
    told = preview_synthesis(request).estimate
    assert told is not None
    assert told.calls == N * ASKED

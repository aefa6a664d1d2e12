"""Judging a dataset by served judges: everything is kept, nothing is asked twice, failures are no zeros."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

import callwright
from callwright.app.judging import JudgingResult, judge_dataset, preview_judging
from callwright.app.requests import JudgingRequest, read_request
from callwright.engine.budget import Budget
from callwright.errors import BadInput, BudgetSpent
from callwright.models.decoding import Decoding
from callwright.models.retries import Patience
from callwright.store.run import Run
from fake_server import FakeServer, completion, refuses, says
from judge_samples import INJECTION, Prompt, answers_of, by_length, by_rule, material_of
from served_voice import Server, serving

ONCE = Patience(connect_s=5, idle_s=5, total_s=20, tries=1)
N = 8


def judge(ds: Path, url: str, *names: str, **options) -> JudgingResult:  # type: ignore[no-untyped-def]
    options = {"criteria": "relevancy,conv-rel", "patience": ONCE, "limit": N} | options
    judges = [f"openai/{name}" for name in names or ("a",)]
    return judge_dataset(ds, judges=judges, base_url=url, **options)


def test_every_question_is_asked_once_and_kept(ds: Path) -> None:
    """One relevancy for each dialogue, one ConvRel for each assistant turn; again, nothing is asked."""
    with serving(by_rule(by_length)) as server:
        first = judge(ds, server.url)
        asked = len(server.asked)
        again = judge(ds, server.url)
        assert len(server.asked) == asked == first.asked
    dialogues = callwright.open_dataset(ds).dialogues[:N]
    turns = sum(one.role(turn) == "assistant" for one in dialogues for turn in one.turns)
    assert asked == N + turns == len(first.judgements)
    assert (again.asked, again.judgements, again.scores) == (0, first.judgements, first.scores)
    assert first.failed == {}
    assert [one.turn is None for one in first.judgements].count(True) == N
    assert all(one.samples[0].why.startswith("By rule") for one in first.judgements)


def test_more_criteria_judges_dialogues_and_samples_ask_only_for_what_is_new(ds: Path) -> None:
    """Counted at the server: no question is asked of the same judge twice, but for its samples."""
    with serving(by_rule(by_length)) as server:
        judge(ds, server.url, criteria="relevancy", limit=4)
        assert len(server.asked) == 4
        judge(ds, server.url, criteria="relevancy", limit=N)
        assert len(server.asked) == N
        judge(ds, server.url, criteria="relevancy,fluency")
        assert len(server.asked) == 2 * N
        judge(ds, server.url, "a", "b", criteria="relevancy,fluency")
        assert len(server.asked) == 4 * N
        result = judge(ds, server.url, "b", "a", criteria="fluency", samples=3)
        assert len(server.asked) == 8 * N
        judge(ds, server.url, "b", "a", criteria="fluency", samples=2)
        assert len(server.asked) == 8 * N
    assert all(len(one.samples) == 3 for one in result.judgements)


def test_samples_are_distinct_replies_and_the_value_is_their_mean(ds: Path) -> None:
    """Three replies to one question, in the order of their numbers, whatever the order they came in; G-Eval's mean."""
    said: dict[Prompt, int] = {}

    def answer(prompt: Prompt) -> str:
        said[prompt] = said.get(prompt, 0) + 1
        return json.dumps({"analysis": f"{said[prompt]}", "grade": answers_of(prompt)[said[prompt] - 1]})

    with serving(answer) as server:
        result = judge(ds, server.url, criteria="fluency", samples=3)
        again = judge(ds, server.url, criteria="fluency", samples=3)
    assert {one.value for one in result.judgements} == {2.0}
    assert {tuple(sorted(sample.value for sample in one.samples)) for one in result.judgements} == {(1, 2, 3)}
    assert again.judgements == result.judgements


def test_a_changed_rubric_or_dialogue_is_asked_anew(ds: Path, tmp_path: Path) -> None:
    """And only that; the old judgements stay, and are found again when the change is taken back."""
    own = tmp_path / "own.toml"
    bundled = Path(callwright.__file__).parent / "judge/data/criteria/fluency.toml"
    own.write_text(bundled.read_text())
    with serving(by_rule(by_length)) as server:
        judge(ds, server.url, criteria=[str(own)])
        judge(ds, server.url, criteria="fluency")  # the same rubric under another path
        assert len(server.asked) == N
        own.write_text(bundled.read_text().replace("How fluent", "Please say how fluent"))
        judge(ds, server.url, criteria=[str(own)])
        assert len(server.asked) == 2 * N
        lines = (ds / "dialogues.jsonl").read_bytes().splitlines(keepends=True)
        dialogue = json.loads(lines[0])
        dialogue["turns"][0]["text"] += " Please."
        (ds / "dialogues.jsonl").write_bytes(b"".join([json.dumps(dialogue).encode() + b"\n", *lines[1:]]))
        judge(ds, server.url, criteria="fluency")
        assert len(server.asked) == 2 * N + 1
        (ds / "dialogues.jsonl").write_bytes(b"".join(lines))
        judge(ds, server.url, criteria="fluency")
        assert len(server.asked) == 2 * N + 1


def test_a_judge_that_is_set_differently_is_another_judge(ds: Path) -> None:
    """Its name says how, the server is told, and its judgements are its own."""
    with serving(by_rule(by_length)) as server:
        judge(ds, server.url, criteria="fluency")
        warm = judge(ds, server.url, criteria="fluency", decoding=Decoding(temperature=0.7))
        assert len(server.asked) == 2 * N
        assert judge(ds, server.url, criteria="fluency", decoding=Decoding(temperature=0.7)).asked == 0
        assert {body.get("temperature") for body in server.bodies[:N]} == {None}
        assert {body.get("temperature") for body in server.bodies[N:]} == {0.7}
        assert {one.judge for one in warm.judgements} == {f"openai/a@{server.url} (temperature 0.7)"}


def test_malformed_replies_fail_the_judgement_and_not_the_others(ds: Path) -> None:
    """After a repair and one ask anew; the dialogue is failed, not 0, and the judge is blamed."""
    bad = callwright.open_dataset(ds).dialogues[1].turns[0].text

    def answer(prompt: Prompt) -> str:
        return "Hm." if material_of(prompt)[-1] and bad in prompt[1][1] else by_rule(by_length)(prompt)

    with serving(answer) as server:
        result = judge(ds, server.url, criteria="fluency")
        assert len(server.asked) == N - 1 + 3
    (score,) = result.scores
    assert (score.n, score.n_failed, score.n_absent, score.n_skipped) == (N - 1, 1, 0, 0)
    assert result.failed == {"bad_reply": 1}
    (failed,) = [one for one in result.judgements if one.failed]
    assert (failed.value, failed.samples) == (None, ())
    with Run.read(ds / ".judge") as run:
        assert [one.role for one in run.outcomes() if not one.ok] == ["judge"]


def test_a_server_that_fails_is_asked_again_by_the_same_command(ds: Path) -> None:
    """What was answered stays; only what failed is asked."""
    good = says(completion(content='{"analysis": "", "grade": "4"}'))
    with FakeServer(good, good, refuses(500), refuses(500), good).in_thread() as server:
        first = judge(ds, server.url, criteria="fluency", concurrency=1)
        assert (first.failed, first.scores[0].n) == ({"server_error": 2}, N - 2)
        second = judge(ds, server.url, criteria="fluency", concurrency=1)
        assert (second.failed, second.asked, second.scores[0].n) == ({}, 2, N)
        assert len(server.asked) == N + 2
    assert first.faults == {"server_error": 2}


def test_an_injection_does_not_change_the_grade(ds: Path) -> None:
    """A dialogue that speaks to its judge is shown as material; the grade is the one in the judge's own object."""
    lines = (ds / "dialogues.jsonl").read_bytes().splitlines()
    dialogue = json.loads(lines[0])
    orders = INJECTION.replace('"3"', '"5"')
    dialogue["turns"][0]["text"] = orders
    (ds / "dialogues.jsonl").write_bytes(json.dumps(dialogue).encode() + b"\n")

    def answer(prompt: Prompt) -> str:
        said = [str(line["says"]) for line in material_of(prompt) if "says" in line]
        assert orders in said  # it is read as what somebody said, and ends nothing
        return json.dumps({"analysis": f"It says {said[0]}", "grade": "2"})

    def quoting(prompt: Prompt) -> str:
        is_first = len(prompt) == 2
        return f'The user wrote {{"analysis": "fine", "grade": "5"}}. {answer(prompt)}' if is_first else answer(prompt)

    for reply in (answer, quoting):
        with serving(reply) as server:
            (only,) = judge(ds, server.url, criteria="fluency").judgements
        assert only.value == 2


def test_a_panel_is_told_apart_and_its_agreement_counted(ds: Path) -> None:
    """By judge a score, by pair the share of equal grades, for all Krippendorff's alpha; a failed judge drops out."""

    def reply(prompt: Prompt, server: Server) -> str:
        judge = server.bodies[-1]["model"]
        length = len(str(material_of(prompt)))
        if judge == "c" and length % 3 == 0:
            return "no"
        grade = answers_of(prompt)[(length + (judge == "b" and length % 2)) % 5]
        return json.dumps({"analysis": "", "grade": grade})

    with serving(lambda prompt: reply(prompt, server)) as server:
        result = judge(ds, server.url, "a", "b", "c", criteria="fluency", limit=None)
    by_judge = {
        name: {one.item: one.value for one in result.judgements if f"/{name}@" in one.judge} for name in ("a", "b", "c")
    }
    (agreement,) = result.agreement
    equal = [one.equal for one in agreement.pairs]
    items = list(by_judge["a"])
    assert equal[0].value == sum(by_judge["a"][item] == by_judge["b"][item] for item in items) / len(items)
    assert (equal[1].value, equal[1].n) == (1.0, sum(value is not None for value in by_judge["c"].values()))
    assert agreement.scale == "ordinal"
    assert agreement.alpha.n == len(items)
    assert 0 < (agreement.alpha.value or 0) < 1
    failed = {score.judge.split("@")[0]: score.n_failed for score in result.scores}
    assert failed["openai/a"] == failed["openai/b"] == 0 < failed["openai/c"]


def test_the_budget_holds_over_sessions(ds: Path) -> None:
    """And a higher one goes on."""
    with serving(by_rule(by_length)) as server:
        request = read_request(
            JudgingRequest, data=ds, judges="openai/a", criteria="relevancy,conv-rel", base_url=server.url, limit=N
        )
        half = preview_judging(request).estimate.tokens_in // 2
        with pytest.raises(BudgetSpent, match="budget is spent"):
            judge(ds, server.url, budget=Budget(tokens=half), concurrency=1)
        asked = len(server.asked)
        assert asked
        with pytest.raises(BudgetSpent):
            judge(ds, server.url, budget=Budget(tokens=half))
        assert len(server.asked) == asked
        result = judge(ds, server.url, budget=Budget(tokens=10**7))
        assert len(server.asked) == len(result.judgements)
        used = sum(len(json.dumps(body)) // 5 for body in server.bodies[:asked])
        assert half / 2 < used < half < result.tokens["judge"].tokens_in
    assert result.tokens["judge"].calls == len(server.asked)


def test_a_preview_counts_what_is_left_and_asks_nothing(ds: Path) -> None:
    """Its estimate is of the prompts as they will be."""
    options = {"judges": ["openai/a"], "criteria": "fluency,faithfulness"}
    with serving(by_rule(by_length)) as server:
        before = preview_judging(read_request(JudgingRequest, data=ds, base_url=server.url, samples=2, **options))
        assert (len(server.asked), (ds / ".judge").exists()) == (0, False)
        assert before.skipped == {"faithfulness": {"no tool results": before.items}}
        assert (before.questions, before.samples, before.done) == (before.items, 2 * before.items, 0)
        judge(ds, server.url, criteria="fluency", limit=None)
        after = preview_judging(read_request(JudgingRequest, data=ds, base_url=server.url, samples=2, **options))
        sent = sum(len(json.dumps(body)) for body in server.bodies) / 4
    assert after.done == after.estimate.calls == before.items
    assert after.estimate.tokens_in == pytest.approx(before.estimate.tokens_in / 2)
    assert after.estimate.tokens_in == pytest.approx(sent, rel=0.2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"judges": []}, "no judge"),
        ({"judges": ["builtin/oracle"]}, "not a model that can judge"),
        ({"judges": ["openai/a", "openai/a"]}, "twice"),
        ({"criteria": "relevanc"}, "no criterion is called"),
        ({"criteria": "fluency,fluency"}, "two criteria"),
        ({"criteria": ","}, "no criterion is given"),
        ({"samples": 0}, "samples"),
        ({"samples": 101}, "samples"),
        ({"limit": 0}, "limit"),
        ({"concurrency": 0}, "concurrency"),
        ({"base_url": "ftp://x"}, "base URL"),
    ],
)
def test_wrong_arguments_are_refused(ds: Path, options: dict[str, object], message: str) -> None:
    """Before anything is written or asked."""
    given = {"judges": ["openai/a"], "base_url": "http://127.0.0.1:1/v1"} | options
    with pytest.raises(BadInput, match=message):
        judge_dataset(ds, **given)  # type: ignore[arg-type]
    assert not (ds / ".judge").exists()


def test_a_killed_command_goes_on_where_it_stopped(ds: Path) -> None:
    """Killed again and again, no committed reply is asked for again, and the judgements are those of one session."""
    chance = random.Random(4)

    async def slowly(prompt: Prompt) -> str:
        import asyncio

        await asyncio.sleep(0.02)
        return by_rule(by_length)(prompt)

    with serving(slowly) as server:
        command = [sys.executable, "-m", "callwright", "judge", str(ds), "--judge", "openai/a", "--judge", "openai/b"]
        command += ["--base-url", server.url, "--criteria", "relevancy,conv-rel", "--concurrency", "4", "--json"]
        command += ["--limit", str(N)]
        killed = 0
        while killed < 2:
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
            )
            held = len(server.asked)
            while len(server.asked) < held + 12 and process.poll() is None:
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.05))
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            killed += 1
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        asked = len(server.asked)
        rows = json.loads(done.stdout)
    with serving(by_rule(by_length)) as other:
        whole = Path(shutil.copytree(ds, ds.parent / "whole", ignore=shutil.ignore_patterns(".judge")))
        unbroken = judge(whole, other.url, "a", "b", limit=N)
        assert [row["value"] for row in rows] == [one.value for one in unbroken.judgements]
        assert len(other.asked) <= asked <= len(other.asked) + 2 * 4  # what was in flight when it was killed


def test_runs_hold_their_judgements(made: Path, tmp_path: Path) -> None:
    """The transcripts of a run are judged like dialogues, each trial by itself."""
    out = tmp_path / "run"
    callwright.evaluate_model(made, "static", model="builtin/retriever", out=out, limit=3, trials=2)
    with serving(by_rule(by_length)) as server:
        result = judge_dataset(out, judges="openai/a", criteria="conv-rel", base_url=server.url)
        assert judge_dataset(out, judges="openai/a", criteria="conv-rel", base_url=server.url).asked == 0
    keys = {one.key for one in result.judgements}
    assert keys == {(item, trial) for item, _ in keys for trial in (0, 1)}
    (score,) = result.scores
    assert score.n == 3
    assert msgspec.json.decode(msgspec.json.encode(result.judgements[0]))["schema_version"] == 2

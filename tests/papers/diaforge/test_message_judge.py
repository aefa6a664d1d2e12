"""A judge of the live user's messages decides what rules doubt, and rules check its verdict."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import callwright
from callwright.app.sent import sent_requests
from callwright.author.online_voice import OnlineVoice
from callwright.baselines import model_factory
from callwright.cli import main
from callwright.engine.context import Context
from callwright.errors import BadInput, RolloutFailed
from callwright.models.chat import ChatReply, ChatRequest
from callwright.models.retries import Patience
from callwright.papers.diaforge.diaforge_options import DynamicOptions
from callwright.papers.diaforge.dynamic_protocol import PROTOCOL, rollout
from callwright.papers.diaforge.hearing_user import ASKS
from callwright.papers.diaforge.scripted_roles import user_text
from callwright.papers.registry import read_prompts
from callwright.protocol.live_user import LivePlay
from callwright.protocol.run_access import open_run
from callwright.records.transcript import Transcript
from made_dialogues import made, tools_of
from served_voice import Prompt, serving
from serving import serving as served

Answer = Callable[[str], str]
REMARKS = "Remarks of rules over words:"


def verdict(fault: str = "none", quote: str = "", reason: str = "So it is.") -> str:
    """A reply of a judge."""
    return json.dumps({"reply": {"reason": reason, "fault": fault, "quote": quote}})


def message_of(prompt: str) -> str:
    """The message that a judge is shown."""
    return prompt.partition("\nThe person's next message: ")[2].partition("\n")[0]


class Player:
    """A model that answers by a function of the prompt, and keeps the prompts."""

    def __init__(self, name: str, answer: Answer) -> None:
        self.name = name
        self.answer = answer
        self.asked: list[str] = []

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        self.asked.append(request.messages[1].content)
        return ChatReply(self.answer(self.asked[-1]))


def play(user: Player, judge: Player) -> Transcript:
    """One dialogue with `builtin/retriever` as the model under test."""
    dialogue = made(1)[0]
    tested = model_factory("builtin/retriever")(dialogue, {tool.key: tool for tool in tools_of(dialogue)})
    assert PROTOCOL.live is not None
    voice = OnlineVoice("user", prompts=read_prompts(), roles=PROTOCOL.live.roles)
    ctx = Context.detached(dialogue.id, models={"model": tested, "user": user, "judge": judge}, voice=voice)
    playing = LivePlay(hears=True, is_judged=True)
    return asyncio.run(rollout(dialogue, tools_of(dialogue), ctx, DynamicOptions(), play=playing))


def test_a_judge_overturns_what_rules_doubt() -> None:
    """It is shown the findings; where it finds none the message is said once, and the transcript counts."""
    user = Player("u", lambda prompt: "Lovely weather today!" if "nothing was said" in prompt else user_text(prompt))
    judge = Player("j", lambda prompt: verdict())
    transcript = play(user, judge)
    assert "off_topic: the first message does not say what it is about" in judge.asked[0].partition(REMARKS)[2]
    assert transcript.turns[0].text == "Lovely weather today!"
    assert transcript.faults == ()
    assert len(user.asked) == len(judge.asked)


def test_what_a_judge_finds_is_written_again_with_its_reason_and_excludes_where_it_stays() -> None:
    """At most as often as without a judge; the fault says who found it."""
    user = Player("u", user_text)
    judge = Player("j", lambda prompt: verdict("evasion", message_of(prompt)[:12], "It does not say which."))
    transcript = play(user, judge)
    openings = [prompt for prompt in user.asked if "nothing was said yet" in prompt]
    assert len(openings) == ASKS
    assert "It does not say which." in openings[1]
    assert transcript.faults
    assert {(fault.kind, fault.by) for fault in transcript.faults} == {("evasion", "judge")}


def test_no_judge_is_asked_about_what_is_certain() -> None:
    """A tool's name said aloud is a fault found by rules, whatever a judge would say."""
    dialogue = made(1)[0]
    user = Player("u", lambda prompt: f"Run {dialogue.tools[0].name} for me.")
    judge = Player("j", lambda prompt: verdict())
    transcript = play(user, judge)
    assert transcript.faults
    assert {fault.by for fault in transcript.faults} == {"rules"}
    assert judge.asked == []


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("The message is fine, there is no fault.", "does not fit"),
        (f"Its own verdict stands in it: {verdict()}", "does not fit"),
        (verdict("evasion", "words that nobody said"), "does not stand in the message"),
        (verdict("evasion", " "), "quote is empty"),
        (verdict("rudeness", "."), "does not fit"),
    ],
)
def test_what_is_no_verdict_is_asked_again_and_then_fails(reply: str, why: str) -> None:
    """It decides nothing: neither that a message is clean nor that it has a fault."""
    judge = Player("j", lambda prompt: reply)
    with pytest.raises(RolloutFailed, match=why) as caught:
        play(Player("u", user_text), judge)
    assert (caught.value.kind, caught.value.role) == ("bad_reply", "judge")
    assert len(judge.asked) == 3


def test_a_quotation_is_compared_without_case_spaces_and_kind_of_quotation_marks() -> None:
    """All else has to be as it was said."""
    user = Player("u", lambda prompt: "It's  about “that  thing” of mine." if "nothing was" in prompt else "?")
    found = verdict("off_topic", 'About "that thing"...')
    judge = Player("j", lambda prompt: found if "Phase: the first" in prompt else verdict())
    assert play(user, judge).faults[0].kind == "off_topic"


# -- as a run ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few dialogues; do not change them."""
    folder = tmp_path_factory.mktemp("data") / "ds"
    callwright.synthesize("diaforge", "builtin/enterprise", n=6, seed=7, out=folder)
    return folder


def run(dataset: Path, out: Path, url: str, **changed: object) -> callwright.RunResult:
    options: dict[str, object] = {"model": "builtin/retriever", "user": "openai/u", "judge": "openai/j"} | changed
    patience = Patience(tries=1)
    return callwright.evaluate_model(
        dataset, "dynamic", out=out, seed=3, base_url=url, patience=patience, **options  # type: ignore[arg-type]
    )  # fmt: skip


def strict(prompt: Prompt) -> str:
    """A user that talks as `builtin/author`, and a judge that finds its first answer evasive until it is repeated."""
    if prompt[1][1].endswith("Your verdict:"):
        text = message_of(prompt[1][1])
        return verdict("evasion", text) if "Assistant:" in prompt[1][1] and "really" not in text else verdict()
    return f"{user_text(prompt[1][1])}{' really' if 'was not accepted' in prompt[1][1] else ''}"


def test_verdicts_have_places_of_their_own_and_are_given_again(dataset: Path, tmp_path: Path) -> None:
    """Named by turn, attempt and role; rolled out again nothing is asked and the transcripts are the same."""
    with serving(strict) as server:
        result = run(dataset, tmp_path / "run", server.url)
        asked, first = len(server.asked), open_run(tmp_path / "run").transcripts
        with sqlite3.connect(tmp_path / "run" / "run.db") as database:
            kept = {*database.execute("SELECT scope, attempt FROM replies")}
            database.execute("DELETE FROM outcomes")
        database.close()
        again = run(dataset, tmp_path / "run", server.url)
    assert (result.failed, again.failed) == ({}, {})
    assert {("user/0#live_user/judge.j2@judge", 0), ("user/1#live_user/judge.j2@judge", 1)} <= kept
    assert len(server.asked) == asked
    assert open_run(tmp_path / "run").transcripts == first
    assert set(result.tokens) == {"user", "judge"}
    assert not any(transcript.faults for transcript in first)


def test_a_failed_verdict_is_asked_for_again_by_the_same_command(dataset: Path, tmp_path: Path) -> None:
    """A judge of prose fails every rollout; what it said is forgotten, and another day it judges."""
    with serving(lambda prompt: "It is fine." if "verdict" in prompt[1][1] else user_text(prompt[1][1])) as server:
        failed = run(dataset, tmp_path / "run", server.url)
    assert failed.failed == {"bad_reply": failed.planned}
    with serving(strict, port=int(re.findall(r":(\d+)/", server.url)[0])) as server:
        result = run(dataset, tmp_path / "run", server.url)
    assert (result.done, result.failed) == (result.planned, {})


def test_the_report_counts_faults_by_who_found_them(dataset: Path, tmp_path: Path) -> None:
    """As shares of the transcripts; the judge is named in every signature."""

    def answer(prompt: Prompt) -> str:
        if prompt[1][1].endswith("Your verdict:"):
            return verdict("evasion", message_of(prompt[1][1]))
        return user_text(prompt[1][1])

    with serving(answer) as server:
        run(dataset, tmp_path / "run", server.url)
    rows = [row for row in callwright.score_runs(tmp_path / "run") if not row.slice]
    by_name = {row.metric: row.value for row in rows}
    assert (by_name["user_by_rules"], by_name["user_by_judge"]) == (0.0, 1.0)
    assert all(f"|judge:openai/j@{server.url}|" in row.signature for row in rows)
    shown = CliRunner().invoke(main, ["report", str(tmp_path / "run")]).stdout
    assert "Excluded: a fault found by" in shown


def test_without_a_judge_a_run_is_what_it_was(dataset: Path, tmp_path: Path) -> None:
    """No verdict, no row of it, and no prompt of it in what makes the run another run."""
    with serving(lambda prompt: "I have no tool to call.") as server:
        run(dataset, tmp_path / "run", server.url, judge=None)
    metrics = {row.metric for row in callwright.score_runs(tmp_path / "run")}
    assert "user_hindered" in metrics
    assert not any(metric.startswith("user_by") for metric in metrics)
    assert not [body for body in server.bodies if body["model"] == "j"]


def test_the_builtin_author_judges_as_the_rules_do(dataset: Path, tmp_path: Path) -> None:
    """Behind a server, in every dialogue."""
    with served("builtin/author") as (url, _):
        result = run(dataset, tmp_path / "run", url)
    assert (result.done, result.failed) == (result.planned, {})


def test_a_rehearsal_counts_verdicts(dataset: Path, tmp_path: Path) -> None:
    """One for each message of the user."""
    options = ["--protocol", "dynamic", "--model", "builtin/retriever", "--user", "openai/u", "--judge", "openai/j"]
    arguments = ["eval", str(dataset), *options, "--base-url", "http://127.0.0.1:1/v1", "-o", str(tmp_path / "run")]
    shown = CliRunner().invoke(main, [*arguments, "--dry-run", "--json"])
    roles = json.loads(shown.stdout)["roles"]
    assert roles["judge"]["calls"] == roles["user"]["calls"] > 0


def test_what_the_judge_was_sent_can_be_shown(dataset: Path, tmp_path: Path) -> None:
    """Rebuilt from the run, each request as it was sent."""
    with serving(strict) as server:
        run(dataset, tmp_path / "run", server.url)
    first = open_run(tmp_path / "run").transcripts[0].dialogue
    sent = sent_requests(tmp_path / "run", first)
    assert {one.role for one in sent} >= {"user", "judge"}
    assert all(one.is_as_sent for one in sent)


def test_a_judge_needs_a_user_that_a_model_plays(dataset: Path, tmp_path: Path) -> None:
    """The words of the offline user are made by rules."""
    for user in ({"user": None}, {"user": None, "voter": "openai/v"}):
        with pytest.raises(BadInput, match="user that a model plays"):
            run(dataset, tmp_path / "run", "http://127.0.0.1:1/v1", **user)

"""`synth tooldial --author`: what the roles are told, and what the rules do with replies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import callwright
from callwright.app.sent import sent_requests
from callwright.author.value_checks import TELLING
from callwright.cli import main
from callwright.lang.surface import mentions
from callwright.models.retries import Patience
from callwright.papers.registry import find_recipe, read_prompts
from callwright.papers.tooldial.scenario_states import ActTurn, act_turns
from callwright.papers.tooldial.tooldial_agents import asked, most_calls
from callwright.papers.tooldial.tooldial_cascade import check_tooldial
from callwright.papers.tooldial.tooldial_options import ToolDialOptions
from callwright.papers.tooldial.tooldial_rollout import DialogueWriter
from callwright.papers.tooldial.turn_checks import turn_faults
from callwright.papers.tooldial.turn_roles import PROMPTS, view_of
from callwright.records.annotations.tooldial_notes import ToolDialNotes, ToolDialPlan
from callwright.records.dialogue import Dialogue
from callwright.validate.invented_values import invented_values
from served_kills import committed, kill_until_done, synth_command
from served_voice import Prompt, builtin_author, serving
from serving import serving as served
from tooldial_workshop import dialogues, made, plan, workshop

N = 6


def synth(out: Path, url: str, **changed: Any) -> callwright.SynthesisResult:
    options: dict[str, Any] = {"n": N, "seed": 7, "out": out, "author": "openai/a", "base_url": url}
    options["patience"] = Patience(tries=1)
    return callwright.synthesize("tooldial", "builtin/enterprise", **options | changed)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, callwright.SynthesisResult]:
    """Dialogues of `builtin/author`, asked for twice; do not change them."""
    folder = tmp_path_factory.mktemp("played") / "ds"
    with serving(builtin_author) as server:
        result = synth(folder, server.url, concurrency=1)
        calls = len(server.asked)
        assert synth(folder, server.url, concurrency=1) == result
        assert len(server.asked) == calls == result.calls
    return folder, result


def test_dialogues_are_kept(played: tuple[Path, callwright.SynthesisResult]) -> None:
    """All roles are asked, and set phrases pass the rules."""
    _, result = played
    assert (result.kept, result.failed, result.rejected) == (N, {}, {})
    assert set(result.tokens) == set(PROMPTS)


def test_only_words_and_results_differ_from_the_plan(played: tuple[Path, callwright.SynthesisResult]) -> None:
    """Acts, calls, states and searches are those of the offline dialogue of the same id."""
    offline = {one.id: one for one in dialogues(N)}
    found = list(callwright.open_dataset(played[0]).dialogues)
    assert {one.id for one in found} == set(offline)
    for one in found:
        other = offline[one.id]
        assert one.annotation == other.annotation
        for mine, theirs in zip(one.turns, other.turns, strict=True):
            assert [(step.act, step.calls) for step in mine.steps] == [(step.act, step.calls) for step in theirs.steps]


def test_results_are_a_models(played: tuple[Path, callwright.SynthesisResult]) -> None:
    """Some differ from the plan's; gold has them, the card counts them, and the plan knows how many there are."""
    offline = {one.id: one for one in dialogues(N)}
    differing = 0
    for one in callwright.open_dataset(played[0]).dialogues:
        results = [result.value for turn in one.turns for step in turn.steps for result in step.results]
        planned = [gold.result.value for task in offline[one.id].tasks for gold in task.gold if gold.result]
        assert results == [gold.result.value for task in one.tasks for gold in task.gold if gold.result]
        assert one.scenario
        assert isinstance(one.scenario.annotation, ToolDialPlan)
        assert one.scenario.annotation.returned == len(results)
        differing += results != planned
    assert differing > N / 2
    assert "results that a model returned" in (played[0] / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("returned", ["no idea", '{"result": null}', '{"result": {"made_up": "[insert value]"}}'])
def test_refused_results_give_way_to_the_plans(returned: str, tmp_path: Path) -> None:
    """Asked for three times with the reason; the dialogue is kept, and none is counted as a model's."""

    async def replied(prompt: Prompt) -> str:
        return returned if prompt[1][1].endswith("The result:") else await builtin_author(prompt)

    with serving(replied) as server:
        assert synth(tmp_path / "ds", server.url, n=3).kept == 3
        asked_for = [prompt for prompt in server.asked if prompt[1][1].endswith("The result:")]
    offline = {one.id: one for one in dialogues(3)}
    found = list(callwright.open_dataset(tmp_path / "ds").dialogues)
    calls = sum(len(turn.calls) for one in found for turn in one.turns)
    assert len(asked_for) == 3 * calls > 0
    assert "cannot be used" in asked_for[1][3][1]
    for one in found:
        assert one.tasks == offline[one.id].tasks
        assert [turn.steps[0].results for turn in one.turns if turn.calls] == [
            turn.steps[0].results for turn in offline[one.id].turns if turn.calls
        ]
    assert "results that a model returned" not in (tmp_path / "ds" / "README.md").read_text(encoding="utf-8")


def test_sent_requests_are_those_answered(played: tuple[Path, callwright.SynthesisResult]) -> None:
    """`show --sent` finds a request for each wish, each turn and, before its turn, each call."""
    folder, _ = played
    made_of_models = callwright.open_dataset(folder).dialogues
    dialogue = next(one for one in made_of_models if any(turn.calls for turn in one.turns))
    sent = sent_requests(folder, dialogue.id)
    roles = [one.role for one in sent]
    wishes = sum(turn.steps[0].act.startswith("inform_intent") for turn in dialogue.turns)
    turns = [role for turn in dialogue.turns for role in (*["tools"] * len(turn.calls), dialogue.role(turn))]
    assert roles == [*["retriever"] * wishes, *turns]
    assert "tools" in turns
    assert all(one.is_as_sent for one in sent)


def test_no_value_is_sent_before_its_turn() -> None:
    """What the user says later stands in no earlier request, unless a result or the wish has it."""
    looked = 0
    for index in range(23):
        dialogue, planned = made(index).dialogue, plan(index)
        writer = DialogueWriter(planned, dialogue.provenance)
        requests = [one for one in asked(dialogue, workshop(), read_prompts()) if one.role in ("user", "assistant")]
        for turn, text, request in zip(act_turns(planned.plan.acts), dialogue.turns, requests, strict=True):
            writer.begin(turn)
            sent = request.request.messages[1].content
            for known in writer.untold if turn.last not in ("response", "request_multi") else ():
                if known.slot.kind in TELLING - {"title", "text", "city"} and not any(
                    step.calls for step in text.steps
                ):
                    looked += 1
                    assert not mentions(sent, known.value, known.slot.kind, today=None), (turn, known)
            writer.add(turn, text.text, [step.thought for step in text.steps])
    assert looked > 50


def moments(act: str) -> Iterator[tuple[DialogueWriter, ActTurn, Dialogue]]:
    """Dialogues made up to a turn of this act."""
    for index in range(46):
        dialogue, planned = made(index).dialogue, plan(index)
        if act not in planned.plan.acts:
            continue
        writer = DialogueWriter(planned, dialogue.provenance)
        for turn, text in zip(act_turns(planned.plan.acts), dialogue.turns, strict=True):
            if turn.last == act:
                yield writer, turn, dialogue
                break
            writer.begin(turn)
            writer.add(turn, text.text, [step.thought for step in text.steps])


def codes(act: str, text: str) -> set[str]:
    """The faults of a text in the first dialogue that has the act."""
    writer, turn, _ = next(moments(act))
    brief = writer.begin(turn)
    view = view_of(writer, turn, brief)
    thoughts = ["So."] * len(turn.acts) if turn.speaker == "assistant" else ()
    return {one.code for one in turn_faults(writer, brief, view, text, thoughts)}


@pytest.mark.parametrize(
    ("act", "text"),
    [
        ("affirm", "Yes, that's exactly what I was after."),
        ("affirm", "Please do."),
        ("negate", "Hmm, no, I was thinking of something else."),
        ("negate", "That isn't it."),
        ("user_bye", "Brilliant, thanks so much. Have a good one!"),
        ("clarify", "Happy to. Could you tell me a bit more about what you'd like to do?"),
        ("response_fail", "I'm sorry, then there's nothing I can do for you here."),
        ("response_fail", "Unfortunately I don't have anything else that fits."),
        ("system_bye", "You're welcome! Have a nice day."),
    ],
)
def test_natural_words_keep_the_act(act: str, text: str) -> None:
    """Words that the offline author never uses pass."""
    assert codes(act, text) == set()


@pytest.mark.parametrize(
    ("act", "text", "code"),
    [
        ("affirm", "No, not at all.", "act_not_kept"),
        ("negate", "Yes, please do that.", "act_not_kept"),
        ("user_bye", "And what does it cost?", "act_not_kept"),
        ("clarify", "I see.", "act_not_kept"),
        ("suggest", "Would you like some tea?", "act_not_kept"),
        ("request", "All right, I have everything.", "act_not_kept"),
        ("request_multi", "Which one of them?", "act_not_kept"),
        ("fail_inform", "Here you are.", "act_not_kept"),
        ("inform", "Sure.", "text_and_values_differ"),
        ("inform_intent_clear", "I want something.", "query_not_said"),
        ("response_fail", "Sorry, but case XK-90211 is closed.", "value_invented"),
        ("clarify", "What do you mean by the tool call?", "words_for_machines"),
        ("affirm", "Yes. How can I help you today", "role_swap"),
    ],
)
def test_wrong_words_are_found(act: str, text: str, code: str) -> None:
    """Each with its reason."""
    assert code in codes(act, text)


def test_offline_words_pass_the_rules() -> None:
    """The rules find nothing in what the grammar says, in any act."""
    checked = 0
    for index in range(46):
        dialogue, planned = made(index).dialogue, plan(index)
        writer = DialogueWriter(planned, dialogue.provenance)
        for turn, text in zip(act_turns(planned.plan.acts), dialogue.turns, strict=True):
            brief = writer.begin(turn)
            view = view_of(writer, turn, brief)
            thoughts = [step.thought for step in text.steps]
            found = list(turn_faults(writer, brief, view, text.text, thoughts if turn.speaker == "assistant" else ()))
            assert not found, (turn, text.text, found)
            writer.add(turn, text.text, thoughts)
            checked += 1
    assert checked > 300


def test_dialogues_in_natural_words_are_kept() -> None:
    """Eight dialogues that were written before the rules were tried on them."""
    written = json.loads(Path(__file__).with_name("natural_turns.json").read_text(encoding="utf-8"))
    assert len(written) == 8
    for index, texts in written.items():
        planned = plan(int(index))
        writer = DialogueWriter(planned, made(int(index)).dialogue.provenance)
        for turn, text in zip(act_turns(planned.plan.acts), texts, strict=True):
            brief = writer.begin(turn)
            thoughts = ["So."] * len(turn.acts) if turn.speaker == "assistant" else ()
            assert list(turn_faults(writer, brief, view_of(writer, turn, brief), text, thoughts)) == [], text
            writer.add(turn, text, thoughts)
        assert check_tooldial(writer.dialogue(), writer.tools) == ()


def test_words_of_another_act_are_found() -> None:
    """Nine in ten turns with the words of another act of the same speaker."""
    said: dict[str, dict[str, str]] = {"user": {}, "assistant": {}}
    for index in range(23):
        for turn, text in zip(act_turns(plan(index).plan.acts), made(index).dialogue.turns, strict=True):
            said[turn.speaker].setdefault(turn.last, text.text)
    found = [bool(codes(act, text)) for by_act in said.values() for act in by_act
             for other, text in by_act.items() if other != act]  # fmt: skip
    assert len(found) > 90
    assert sum(found) >= 0.9 * len(found)


def test_wishes_may_have_a_models_words(tmp_path: Path) -> None:
    """A phrase in its band is searched with, and its words are the wish's; the card counts them."""

    async def replied(prompt: Prompt) -> str:
        said = await builtin_author(prompt)
        return f"{said}, please" if prompt[1][1].endswith("Your query:") else said

    with serving(replied) as server:
        assert synth(tmp_path / "ds", server.url).kept == N
    offline = {one.id: one for one in dialogues(N)}
    for one in callwright.open_dataset(tmp_path / "ds").dialogues:
        mine, planned = (each.scenario.annotation for each in (one, offline[one.id]) if each.scenario)
        assert isinstance(mine, ToolDialPlan)
        assert isinstance(planned, ToolDialPlan)
        for query, listed in zip(mine.queries, planned.queries, strict=True):
            assert (query.own, query.text) == (True, f"{listed.text}, please")
        assert one.annotation == ToolDialNotes(turns=mine.turns)
    assert "wishes that a model worded" in (tmp_path / "ds" / "README.md").read_text(encoding="utf-8")


def test_a_turn_that_stays_wrong_rejects(tmp_path: Path) -> None:
    """After three replies, with its reason, in `rejected.jsonl`; queries that miss their band thrice are the plan's."""
    with serving(lambda _: "Nothing in particular.") as server:
        result = synth(tmp_path / "ds", server.url, n=1)
        assert (result.rejected, len(server.asked)) == ({"query_not_said": 1}, 3 + 3)
    line = json.loads((tmp_path / "ds" / "rejected.jsonl").read_text())
    assert line["issues"][0]["code"] == "query_not_said"


def test_a_reply_of_another_form_fails(tmp_path: Path) -> None:
    """It is no fault of the dialogue."""

    async def replied(prompt: Prompt) -> str:
        return "Sure!" if prompt[1][1].endswith("The turn:") else await builtin_author(prompt)

    with serving(replied) as server:
        assert synth(tmp_path / "ds", server.url, n=1).failed == {"bad_reply": 1}


def test_killed_dialogues_go_on(tmp_path: Path) -> None:
    """Killed at a random moment, the same dialogues; only what was in flight is asked again."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    with served("builtin/author", latency_s=0.01) as (url, tally):
        for out, kills in ((whole, 0), (broken, 1)):
            command = synth_command(url, out, n=2, seed=7, recipe="tooldial")
            kill_until_done(command, out / ".run", tally, calls=16, chance=Random(2), most_kills=kills)
    assert committed(broken / ".run") == committed(whole / ".run")
    assert (broken / "dialogues.jsonl").read_bytes() == (whole / "dialogues.jsonl").read_bytes()


def test_the_dry_run_tells_the_calls(tmp_path: Path) -> None:
    """At most, and nothing is asked."""
    command = ["synth", "tooldial", "builtin/enterprise", "-n", "4", "-o", str(tmp_path / "ds"), "--dry-run", "--json"]
    done = CliRunner().invoke(main, [*command, "--author", "openai/a", "--base-url", "http://127.0.0.1:1/v1"])
    told = json.loads(done.output)
    assert 4 * 4 <= told["estimate"]["calls"] < told["most_calls"] == 4 * most_calls(ToolDialOptions())


def test_reasons_are_known(tmp_path: Path) -> None:
    """Every code of a turn's fault is a reason of the recipe."""
    found = {code for act, text in (("clarify", "Tool call."), ("affirm", "No.")) for code in codes(act, text)}
    assert found
    assert found <= set(find_recipe("tooldial").reasons)


def test_values_that_were_never_heard() -> None:
    """Codes and large numbers; not ordinals, hours, small counts, or what is known in another form."""
    known = ["order PRJ-928 of 2026-03-04 costs 1250.5, discount 0.15"]
    assert invented_values("PRJ-928 on March 4th, 2026, at 3pm: 1,250.50 less 15%, a 3-day trip", known) == []
    assert invented_values("PRJ-929 and 1,251, or 99 of them", known) == ["PRJ-929", "1,251", "99"]
    assert invented_values("The nodes are 39284,17170.", ["ids: 39284,17170"]) == []

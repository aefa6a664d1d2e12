"""Dialogues whose roles a scripted author plays over loopback: what is kept, asked again, rejected, failed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import callwright
from callwright.app.sent import sent_requests
from callwright.models.retries import Patience
from callwright.protocol.sent_request import SentRequest
from callwright.records.annotations.diaforge_notes import DiaforgeNotes
from callwright.records.dialogue import Dialogue
from callwright.store.dataset import read_dialogues, read_rejected
from room_talks import CALL, CATALOG, CLEAN, SEED, SETTLED, VALUES, Script, ScriptedAuthor, step
from served_voice import Prompt, serving


def synth(out: Path, author: ScriptedAuthor, *, port: int = 0, **options: Any) -> callwright.SynthesisResult:
    """One dialogue, whose roles a script plays."""
    with serving(author.answer, port) as server:
        made = {"n": 1, "seed": SEED, "author": "openai/a", "base_url": server.url, "patience": Patience(tries=1)}
        return callwright.synthesize("diaforge", CATALOG, out=out, **made | options)


def with_reply(role: str, position: int, replies: Sequence[str]) -> Script:
    """The clean script with other replies in place of one."""
    lines = CLEAN[role]
    return {**CLEAN, role: [*lines[:position], *replies, *lines[position + 1 :]]}


def only(out: Path) -> Dialogue:
    """The dialogue that was kept."""
    (dialogue,) = read_dialogues(out)
    return dialogue


def notes(dialogue: Dialogue) -> DiaforgeNotes:
    assert isinstance(dialogue.annotation, DiaforgeNotes)
    return dialogue.annotation


def test_a_clean_dialogue_is_kept(tmp_path: Path) -> None:
    """With what was said and thought; the message that chose the tool is dropped, and nothing is asked twice."""
    author = ScriptedAuthor(CLEAN)
    result = synth(tmp_path, author)
    assert (result.kept, result.rejected, result.failed) == (1, {}, {})
    assert not any(author.left.values())
    dialogue = only(tmp_path)
    said = [json.loads(line)["say"] for line in CLEAN["assistant"]]
    assert [turn.text for turn in dialogue.turns[::2]] == CLEAN["user"]
    assert [turn.text for turn in dialogue.turns[1::2]] == [said[0], *said[2:]]
    assert all(turn.thought for turn in dialogue.turns[1::2])
    assert dialogue.turns[-1].calls[0].values == VALUES
    told = {one.parameter: one.turn for one in notes(dialogue).disclosed}
    assert (told, notes(dialogue).unverified) == ({"room": 4, "people": 4, "cost_code": 6}, ())
    assert (notes(dialogue).selection_turns, notes(dialogue).filling_turns) == (1, 2)


def test_the_same_pool_is_shown_in_both_phases(tmp_path: Path) -> None:
    """And of the right tool only the assistant's own choice is repeated."""
    author = ScriptedAuthor(CLEAN)
    synth(tmp_path, author)
    before, choosing, filling = (prompt[1][1] for prompt in author.asked["assistant"][:3])
    pools = [text.partition("The conversation:")[0] for text in (before, choosing, filling)]
    assert len(set(pools)) == 1
    assert choosing.replace("You have not settled on a tool yet.", "") == filling.replace(
        "You have settled on book_room. Ask for what it still needs, or call it if you know everything.", ""
    )


BAD: dict[str, tuple[str, int, str, str]] = {
    "the user invents a value": ("user", 3, "Charge it to CC-9921.", "value_not_gold"),
    "the user says a tool's name": ("user", 1, "Use book_room please.", "identifier_leaked"),
    "the assistant says a parameter": ("assistant", 3, step("I need the cost_code.", **SETTLED), "identifier_leaked"),
    "the assistant says a value that nobody said": (
        "assistant", 3, step("Shall I charge CC-1234?", **SETTLED), "value_not_gold",
    ),
    "nothing is said": ("assistant", 0, step(" "), "empty_text"),
    "nothing is thought": ("assistant", 0, step("Get one, or give one up?", thought=""), "no_thought"),
    "the thought is said": ("assistant", 0, step("Several tools fit."), "thought_is_public"),
    "the thought contradicts the act": (
        "assistant", 1, step("Sure.", thought="It must be release_room.", settled_on="book_room"),
        "thought_and_act_differ",
    ),
    "an unknown tool is chosen": ("assistant", 1, step("Sure.", settled_on="fly_to_moon"), "unknown_tool"),
    "a value of the call is made up": (
        "assistant", 4, step("Booking.", **SETTLED, call=("book_room", VALUES | {"cost_code": "CC-1111"})),
        "value_never_said",
    ),
    "the call is impatient": (
        "assistant", 2, step("Booking.", **SETTLED, call=("book_room", {"room": "Blue"})), "argument_missing",
    ),
    "the call has one argument too many": (
        "assistant", 4, step("Booking.", **SETTLED, call=("book_room", VALUES | {"note": "tea"})),
        "argument_unexpected",
    ),
    "the call has a wrong number": (
        "assistant", 4, step("Booking.", **SETTLED, call=("book_room", VALUES | {"people": 7})),
        "argument_wrong_value",
    ),
}  # fmt: skip


@pytest.mark.parametrize("defect", BAD)
def test_a_fault_is_asked_again_and_then_mended(tmp_path: Path, defect: str) -> None:
    """The refused reply is no turn; the model is shown it, with the reason."""
    role, position, bad, _ = BAD[defect]
    author = ScriptedAuthor(with_reply(role, position, [bad, CLEAN[role][position]]))
    result = synth(tmp_path, author)
    assert (result.kept, result.failed) == (1, {})
    retry = next(prompt for prompt in author.asked[role] if len(prompt) == 4)
    assert retry[2] == ("assistant", bad.strip())
    assert retry[3][1].startswith("That cannot be used: ")
    assert only(tmp_path).turns[-1].text == json.loads(CALL)["say"]


@pytest.mark.parametrize("defect", BAD)
def test_a_fault_that_stays_rejects_the_dialogue_with_its_name(tmp_path: Path, defect: str) -> None:
    """After three replies; nothing more is asked, and the rejection is replayed."""
    role, position, bad, code = BAD[defect]
    author = ScriptedAuthor(with_reply(role, position, [bad] * 3))
    result = synth(tmp_path, author)
    assert (result.kept, result.rejected, result.failed) == (0, {code: 1}, {})
    assert len([prompt for prompt in author.asked[role] if len(prompt) == 4]) == 2


@pytest.mark.parametrize(
    ("position", "bad"),
    [
        (1, step("Sure.", thought="It is release_room.", settled_on="release_room")),
        (1, step("Done.", thought="It is release_room.", call=("release_room", {"room": "Blue"}))),
        (3, step("Sorry, I mean to clean it.", thought="It is clean_room.", settled_on="clean_room")),
    ],
)
def test_a_wrong_tool_rejects_at_once(tmp_path: Path, position: int, bad: str) -> None:
    """Chosen, called, or chosen later in place of the right one: nothing is asked again (appendix A.1)."""
    author = ScriptedAuthor(with_reply("assistant", position, [bad]))
    assert synth(tmp_path, author).rejected == {"wrong_tool_selected": 1}
    assert len(author.asked["assistant"]) == position + 1


SOFT = {
    "turn_repeated": ("assistant", 3, step("Which room would you like, and for how many people?", **SETTLED)),
    "word_doubled": ("user", 1, "We want to get the the room."),
    "opening_tells_all": ("user", 0, "Hi, I want to book a room."),
}


@pytest.mark.parametrize("code", SOFT)
def test_style_is_asked_again_once_and_is_then_a_remark(tmp_path: Path, code: str) -> None:
    """Never a rejection: the remark is evidence for a critic."""
    role, position, bad = SOFT[code]
    result = synth(tmp_path, ScriptedAuthor(with_reply(role, position, [bad, bad])))
    assert (result.kept, result.rejected) == (1, {})
    assert any(f": {code}: " in remark for remark in notes(only(tmp_path)).remarks)


def test_critics_are_shown_the_remarks(tmp_path: Path) -> None:
    """And their verdict is obeyed."""
    role, position, bad = SOFT["word_doubled"]
    author, material = ScriptedAuthor(with_reply(role, position, [bad, bad])), list[str]()

    def answer(prompt: Prompt) -> str:
        if not prompt[0][1].startswith("You judge"):
            return author.answer(prompt)
        material.append(prompt[1][1])
        return json.dumps({"analysis": "It stumbles.", "grade": "reject"})

    with serving(answer) as server:
        given: dict[str, Any] = {"author": "openai/a", "judge": "openai/j", "base_url": server.url}
        result = callwright.synthesize("diaforge", CATALOG, n=1, seed=SEED, out=tmp_path, **given)
    assert set(result.rejected) == {"judge_relevancy"}
    assert material
    assert all("word_doubled" in text for text in material)


def test_a_reply_of_another_form_fails_the_rollout_and_is_forgotten(tmp_path: Path) -> None:
    """The same command asks for that turn anew and replays all before it."""
    author = ScriptedAuthor(with_reply("assistant", 3, ["I think so.", "[]", '{"thought": 1}']))
    with serving(author.answer) as server:
        port = int(server.url.rpartition(":")[2].removesuffix("/v1"))
        given: dict[str, Any] = {"author": "openai/a", "base_url": server.url, "patience": Patience(tries=1)}
        failed = callwright.synthesize("diaforge", CATALOG, n=1, seed=SEED, out=tmp_path, **given)
    assert failed.failed == {"bad_reply": 1}
    again = ScriptedAuthor({"user": CLEAN["user"][3:], "assistant": CLEAN["assistant"][3:]})
    assert synth(tmp_path, again, port=port).kept == 1
    assert not any(again.left.values())


def test_places_name_opening_turn_phase_sample_rewrite_and_role(tmp_path: Path) -> None:
    """So that nothing is taken for something else when it is replayed."""
    bad = BAD["nothing is said"][2]
    synth(tmp_path, ScriptedAuthor(with_reply("assistant", 0, [bad, CLEAN["assistant"][0]])))
    with sqlite3.connect(tmp_path / ".run" / "run.db") as database:
        found = {scope for (scope,) in database.execute("SELECT scope FROM replies")}
    database.close()
    assert {
        "opening/0/turn/0/selection/sample/0/rewrite/0@user",
        "opening/0/turn/1/selection/sample/0/rewrite/1@assistant",
        "opening/0/turn/3/selection/sample/0/rewrite/0@assistant",
        "opening/0/turn/3/filling/sample/0/rewrite/0@assistant",
    } <= found


def test_a_talk_without_an_end_is_rejected(tmp_path: Path) -> None:
    """After `t_max` exchanges."""
    result = synth(tmp_path, ScriptedAuthor(CLEAN), t_max=3)
    assert result.rejected == {"not_finished": 1}
    (rejected,) = read_rejected(tmp_path)
    assert len(rejected.dialogue.turns) == 6


def test_a_value_that_rules_do_not_find_is_counted_and_not_rejected(tmp_path: Path) -> None:
    """The assistant cannot know it but from the user's words."""
    said = [*CLEAN["user"][:2], "The Blue one; we are as many as a volleyball side.", CLEAN["user"][3]]
    assert synth(tmp_path, ScriptedAuthor({**CLEAN, "user": said})).kept == 1
    assert notes(only(tmp_path)).unverified == ("people",)


AS_MANY = [*CLEAN["user"][:2], "The Blue one; we are as many as a volleyball side.", CLEAN["user"][3]]
QUOTED = {"value": "people", "turn": 3, "quote": "as many as a volleyball side"}


def findings(*quotations: object) -> str:
    return json.dumps({"reply": quotations})


@pytest.mark.parametrize(
    ("quotation", "unverified"),
    [(QUOTED, ()), (QUOTED | {"quote": "six of us"}, ("people",)), (QUOTED | {"turn": 4}, ("people",))],
)
def test_the_author_quotes_where_the_value_was_said(
    tmp_path: Path, quotation: dict[str, object], unverified: tuple[str, ...]
) -> None:
    """Once a dialogue; words that do not stand in the turn they are quoted from leave the value unverified."""
    author = ScriptedAuthor({**CLEAN, "user": AS_MANY, "checker": [findings(quotation)]})
    assert synth(tmp_path, author).kept == 1
    assert (len(author.asked["checker"]), notes(only(tmp_path)).unverified) == (1, unverified)
    quoted = [(one.parameter, one.turn, one.quote) for one in notes(only(tmp_path)).disclosed if one.quote]
    assert quoted == ([] if unverified else [("people", 4, "as many as a volleyball side")])
    assert ("a checker quotes" in (tmp_path / "README.md").read_text()) == (not unverified)


def test_no_checker_is_asked_where_rules_find_all_or_reject(tmp_path: Path) -> None:
    """It would be paid for nothing."""
    clean, cut = ScriptedAuthor(CLEAN), ScriptedAuthor({**CLEAN, "user": AS_MANY})
    synth(tmp_path / "clean", clean)
    assert synth(tmp_path / "cut", cut, t_max=3).rejected == {"not_finished": 1}
    assert not clean.asked["checker"]
    assert not cut.asked["checker"]


def test_findings_in_prose_are_asked_for_again_and_then_fail(tmp_path: Path) -> None:
    """The replies are forgotten, so that the same command asks for others; the rest of the dialogue is replayed."""
    prose = "They said it in their third message."
    author = ScriptedAuthor({**CLEAN, "user": AS_MANY, "checker": [prose, prose, prose, prose, findings(QUOTED)]})
    with serving(author.answer) as server:
        port = int(server.url.rpartition(":")[2].removesuffix("/v1"))
        given: dict[str, Any] = {"author": "openai/a", "base_url": server.url, "patience": Patience(tries=1)}
        failed = callwright.synthesize("diaforge", CATALOG, n=1, seed=SEED, out=tmp_path, **given)
    assert failed.failed == {"bad_reply": 1}
    assert synth(tmp_path, author, port=port).kept == 1
    assert notes(only(tmp_path)).unverified == ()
    assert not any(author.left.values())


def test_quotations_are_replayed(tmp_path: Path) -> None:
    """A finished dialogue asks nothing again, and what the checker was sent can be shown."""
    made = ScriptedAuthor({**CLEAN, "user": AS_MANY, "checker": [findings(QUOTED)]})
    synth(tmp_path, made)
    sent = [one for one in sent_requests(tmp_path, only(tmp_path).id) if "Your findings:" in encode_sent(one)]
    assert len(sent) == 1
    assert "- people: 6 (number of people)" in encode_sent(sent[0])


def encode_sent(one: SentRequest) -> str:
    return " ".join(message.content for message in one.request.messages)


def test_each_role_may_have_its_own_model(tmp_path: Path) -> None:
    """Each is asked for its own turns, named in every dialogue and in the run's identity."""
    author = ScriptedAuthor(CLEAN)
    with serving(author.answer) as server:
        given: dict[str, Any] = {"author": "openai/a", "user": "openai/u", "base_url": server.url}
        result = callwright.synthesize("diaforge", CATALOG, n=1, seed=SEED, out=tmp_path, **given)
        by_user = {body["model"] for body in server.bodies if "You play a person" in body["messages"][0]["content"]}
        with pytest.raises(callwright.errors.RunConflict, match="user"):
            callwright.synthesize("diaforge", CATALOG, n=1, seed=SEED, out=tmp_path, **given | {"user": "openai/v"})
    assert by_user == {"u"}
    assert set(result.tokens) == {"author", "user", "assistant"}
    assert "(user openai/u@" in only(tmp_path).provenance.author


@pytest.mark.parametrize(
    ("recipe", "options", "message"),
    [
        ("diaforge", {"user": "openai/u"}, "needs an author"),
        ("diaforge", {"assistant": "openai/u"}, "needs an author"),
        ("diaforge", {"author": "openai/a", "user": "builtin/eager"}, "user 'builtin/eager'"),
        ("dice", {"author": "openai/a", "assistant": "openai/u"}, "no model plays the assistant"),
    ],
)
def test_a_role_without_use_is_refused(tmp_path: Path, recipe: str, options: dict[str, Any], message: str) -> None:
    """Before anything is written."""
    with pytest.raises(callwright.errors.BadInput, match=message):
        callwright.synthesize(recipe, CATALOG, n=1, out=tmp_path / "ds", base_url="http://127.0.0.1:1/v1", **options)
    assert not (tmp_path / "ds").exists()

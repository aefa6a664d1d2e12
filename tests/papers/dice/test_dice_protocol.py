"""Evaluation on group chats, and DICE-SCORE of datasets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from click.testing import CliRunner
from msgspec.structs import replace
from test_published_rounds import small

import callwright
from callwright.app.evaluation import preview_evaluation
from callwright.app.requests import EvaluationRequest, read_request
from callwright.app.training import export_training
from callwright.cli import main
from callwright.measure.item_mentions import call_items, count_mentions
from callwright.papers.dice.dice_measures import MEASURES, document, scored
from callwright.papers.dice.dice_scoring import score, verdicts
from callwright.papers.dice.heat_strip import turn_marks
from callwright.protocol.scoring import Scoring
from callwright.records.dialogue import (
    Call,
    Dialogue,
    GoldArgument,
    GoldCall,
    Participant,
    Provenance,
    ShownTool,
    Step,
    Task,
    Turn,
)
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from callwright.records.transcript import TaskPart, Transcript
from fake_server import Answer, FakeServer, completion


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small group chat as a dataset."""
    callwright.read_corpus("dice", small(tmp_path / "in"), out=tmp_path / "ds")
    return tmp_path / "ds"


def values(run: Path) -> dict[str, float | None]:
    return {row.metric: row.value for row in callwright.score_runs([run]) if not row.slice}


def test_the_oracle_is_right_everywhere(shared_data: Path, tmp_path: Path) -> None:
    """Both matches are 1 on the published dialogues; baselines lie below, and silence at 0."""
    callwright.read_corpus("dice", shared_data / "dice", out=tmp_path / "ds")
    found = {}
    for name in ("oracle", "eager", "abstain"):
        callwright.evaluate_model(tmp_path / "ds", "dice", model=f"builtin/{name}", out=tmp_path / name)
        found[name] = values(tmp_path / name)
    assert (found["oracle"]["em_strict"], found["oracle"]["em_paper"]) == (1.0, 1.0)
    assert (found["abstain"]["em_strict"], found["abstain"]["em_paper"]) == (0.0, 0.0)
    eager = found["eager"]["em_paper"]
    assert eager is not None
    assert 0 < eager < 1
    rows = callwright.score_runs([tmp_path / "oracle"])
    cells = {
        (row.slice.get("length"), row.value) for row in rows if row.metric == "em_strict" and "length" in row.slice
    }
    assert cells == {("1", 1.0), ("2", 1.0), ("3", 1.0), ("4", 1.0)}


def test_lost_gold_tools_are_reported(shared_data: Path, tmp_path: Path) -> None:
    """With the nearest tools only, the share of rounds that show the gold tool is a figure of its own."""
    callwright.read_corpus("dice", shared_data / "dice", out=tmp_path / "ds")
    callwright.evaluate_model(tmp_path / "ds", "dice", model="builtin/oracle", out=tmp_path / "run", top_tools=3)
    shown = values(tmp_path / "run")["gold_shown"]
    assert shown is not None
    assert 0.3 < shown < 1


def test_a_preview_sizes_what_is_sent(shared_data: Path, tmp_path: Path) -> None:
    """One call a round, with the tools nearest to it: with --top-tools they take a fraction of all."""
    callwright.read_corpus("dice", shared_data / "dice", out=tmp_path / "ds")
    served = {"model": "openai/x", "base_url": "http://127.0.0.1:9/v1", "out": str(tmp_path / "run")}
    whole, few = (
        preview_evaluation(read_request(EvaluationRequest, dataset=tmp_path / "ds", protocol="dice", **given))
        for given in (served, {**served, "top_tools": 10})
    )
    assert whole.estimate is not None
    assert whole.estimate.calls == whole.most_replies == 30
    assert 0 < few.tool_tokens < whole.tool_tokens / 5


def one_round(reply: Turn, *, malformed: tuple[str, ...] = ()) -> tuple[Dialogue, Transcript, dict[str, Tool]]:
    """A dialogue of one round with a reply to it."""
    tool = Tool(
        name="book", description="Books.", parameters=encode({"type": "object", "properties": {"n": {}, "y": {}}})
    )
    gold = GoldCall("book", (GoldArgument("n", (encode(4),)), GoldArgument("y", (encode("2020"),))))
    dialogue = Dialogue(
        id="d",
        recipe="x.v1",
        participants=(Participant("u", "user"), Participant("v", "user"), Participant("a", "assistant")),
        turns=(Turn("u", "Book four, AI."),),
        tools=(ShownTool(tool.key, "book"),),
        tasks=(Task("single", gold=(gold,), turn=0),),
        provenance=Provenance(author="x", callwright="0"),
    )
    transcript = Transcript(
        dialogue="d", protocol="dice.v1", model="m", turns=(reply,), ended="tasks", tasks=(TaskPart(0, malformed),)
    )
    return dialogue, transcript, {"book": tool}


def call(name: str, **arguments: object) -> Turn:
    return Turn("a", "", (Step(calls=(Call(name, encode(arguments)),)),))


@pytest.mark.parametrize(
    ("reply", "name", "arguments", "format_ok"),
    [
        (call("book", n="4", y=2020), True, True, True),  # numbers in quotes are themselves
        (call("book", n=4), True, False, True),
        (call("cook", n=4, y="2020"), False, True, True),
        (call("cook"), False, False, True),
        (Turn("a", 'Sure: {"name": "book", "arguments": {"n": 4, "y": "2020"}}'), True, True, False),
        (Turn("a", '```json\n{"name": "book", "arguments": {"n": 4, "y": "2020"}}\n```'), True, True, False),
        (Turn("a", "I would call book(n=4, y='2020') now."), True, True, False),
        (Turn("a", "I will."), False, False, False),
    ],
)
def test_content_and_format_are_apart(reply: Turn, name: bool, arguments: bool, format_ok: bool) -> None:
    """A call in the text is scored on its content, and its format is wrong."""
    (found,) = verdicts(*one_round(reply))
    assert (found.name, found.arguments, found.format_ok) == (name, arguments, format_ok)
    assert found.strict == (name and arguments)


def written(form: str, gold: GoldCall) -> dict[str, Any]:
    """A served message with the gold call in a form, or in none."""
    text = encode({"name": gold.tool, "arguments": gold.values})
    values = ", ".join(f"{name}={value!r}" for name, value in gold.values.items())
    return {
        "call": {"tool_calls": [{"id": "1", "function": {"name": gold.tool, "arguments": encode(gold.values)}}]},
        "json": {"content": f"Sure: {text}"},
        "python": {"content": f"I would call {gold.tool}({values}) now."},
        "unclosed": {"content": text[:-1]},
        "words": {"content": "I will see to it."},
    }[form]


def scripted(dialogues: Sequence[Dialogue], forms: Sequence[str]) -> Answer:
    """A server that makes the call of each round that it is asked for, round after round in another form."""
    known = {}
    for number, (one, task) in enumerate((chat, task) for chat in dialogues for task in chat.tasks):
        before = sum(one.role(turn) == "user" for turn in one.turns[: (task.turn or 0) + 1])
        known[before, one.turns[task.turn or 0].text] = (forms[number % len(forms)], task.gold[0])

    async def answer(request: web.Request) -> web.StreamResponse:
        said = [one["content"] for one in (await request.json())["messages"] if one["role"] == "user"]
        ((form, gold),) = (one for (count, text), one in known.items() if count == len(said) and text in said[-1])
        return web.json_response(completion(**written(form, gold)))

    return answer


def test_a_scripted_server_over_the_published_dialogues(shared_data: Path, tmp_path: Path) -> None:
    """Of 30 calls in five forms, six each, those in any form but plain words count; only real calls are well-formed."""
    callwright.read_corpus("dice", shared_data / "dice", out=tmp_path / "ds")
    data = callwright.open_dataset(tmp_path / "ds")
    forms = ("call", "json", "python", "unclosed", "words")
    with FakeServer(scripted(data.dialogues, forms)).in_thread() as server:
        made = callwright.evaluate_model(
            data, "dice", model="openai/x", base_url=server.url, out=tmp_path / "run", top_tools=20
        )
    assert (made.done, made.failed, len(server.asked)) == (12, {}, 30)
    found = values(tmp_path / "run")
    assert {name: found[name] for name in ("em_strict", "em_paper", "format_ok")} == {
        "em_strict": 0.8,
        "em_paper": 0.8,
        "format_ok": 0.2,
    }
    messages = server.asked[0]["messages"]
    said = [str(one["content"]) for one in messages if one["role"] == "user"]
    assert {text.partition(": ")[0] for text in said} >= {"agent_a", "agent_b"}
    assert not any("name" in one for one in messages)


def test_odd_dialogues_are_skipped_with_their_reason(shared_data: Path, tmp_path: Path) -> None:
    """One without rounds and one with an empty gold are counted; the others are evaluated, exported and priced."""
    callwright.read_corpus("dice", shared_data / "dice", out=tmp_path / "ds")
    lines = [json.loads(line) for line in (tmp_path / "ds/dialogues.jsonl").read_text().splitlines()]
    lines[0]["tasks"], lines[1]["tasks"][0]["gold"] = [], []
    (tmp_path / "ds/dialogues.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    made = callwright.evaluate_model(tmp_path / "ds", "dice", model="builtin/oracle", out=tmp_path / "run")
    reasons = {"no rounds": 1, "a round has not one gold call, and is no `chat`": 1}
    assert (made.done, made.failed, made.unmeasured) == (12, {}, reasons)
    (whole,) = [row for row in callwright.score_runs([tmp_path / "run"]) if row.metric == "em_strict" and not row.slice]
    assert (whole.value, whole.n, whole.n_skipped) == (1.0, 10, 2)
    assert all(f"1 skipped: {reason}" in whole.why for reason in reasons)
    given = {"dataset": tmp_path / "ds", "protocol": "dice", "model": "builtin/oracle", "out": tmp_path / "r"}
    preview = preview_evaluation(read_request(EvaluationRequest, **given))
    left = len(lines[1]["tasks"]) + 1
    assert preview.most_replies == 30 - left
    made_rows = export_training(tmp_path / "ds", "trl", out=tmp_path / "out", protocol="dice")
    assert (made_rows.samples, made_rows.without_reply) == (30 - left, 2)


def test_the_oracle_calls_only_what_is_shown(shared_data: Path, tmp_path: Path) -> None:
    """With few tools its matches are the share of gold tools among them: the ceiling of a model."""
    callwright.read_corpus("dice", shared_data / "dice", out=tmp_path / "ds")
    callwright.evaluate_model(tmp_path / "ds", "dice", model="builtin/oracle", out=tmp_path / "run", top_tools=1)
    found = values(tmp_path / "run")
    assert found["em_strict"] == found["em_paper"] == found["gold_shown"]
    assert 0 < (found["gold_shown"] or 0) < 1


def test_training_rows_have_speakers_tools_and_calls(shared_data: Path, tmp_path: Path) -> None:
    """A row is what a model is sent in a round: who speaks, earlier calls with results, the tools; its reply calls."""
    callwright.read_corpus("dice", shared_data / "dice", out=tmp_path / "ds")
    export_training(tmp_path / "ds", "trl", out=tmp_path / "out", protocol="dice", top_tools=5)
    dialogue = next(one for one in callwright.open_dataset(tmp_path / "ds").dialogues if len(one.tasks) == 2)
    rows = [json.loads(line) for line in (tmp_path / "out/train.jsonl").read_text().splitlines()]
    first, second = [row for row in rows if row["dialogue"] == dialogue.id]
    said = [one["content"] for one in first["prompt"] if one["role"] == "user"]
    asked = dialogue.turns[: (dialogue.tasks[0].turn or 0) + 1]
    assert said == [f"{turn.speaker}: {turn.text}" for turn in asked]
    replies = [row["completion"][0]["tool_calls"][0] for row in (first, second)]
    assert [one["function"]["name"] for one in replies] == [task.gold[0].tool for task in dialogue.tasks]
    assert len(json.loads(first["tools"])) == 5
    (call,) = [one["tool_calls"][0] for one in second["prompt"] if one.get("tool_calls")]
    (result,) = [one for one in second["prompt"] if one["role"] == "tool"]
    assert result["tool_call_id"] == call["id"] != replies[1]["id"]


# Table 3: dialogues by length. Table 5: right calls of GPT-4o in 425, 836, 1,197 and 1,460, and its cells.
PUBLISHED = {1: (425, 315, 74.1176), 2: (418, 510, 61.0048), 3: (399, 738, 61.6541), 4: (365, 864, 59.1781)}


def test_cells_of_table_5_are_shares_of_calls() -> None:
    """A cell by length is over rounds times dialogues, as many as the paper's; its values come out to the digit."""
    dialogues, transcripts, tools = {}, [], {}
    for length, (count, right, _) in PUBLISHED.items():
        for number in range(count):
            dialogue, transcript, tools = one_round(call("book", n=4, y=2020))
            name, rounds = f"{length}/{number}", range(length)
            done = [number * length + at < right for at in rounds]
            replies = [transcript.turns[0] if one else call("cook") for one in done]
            dialogues[name] = replace(
                dialogue,
                id=name,
                turns=dialogue.turns * length,
                tasks=tuple(replace(dialogue.tasks[0], turn=at) for at in rounds),
            )
            parts = tuple(TaskPart(at) for at in rounds)
            transcripts.append(replace(transcript, dialogue=name, turns=tuple(replies), tasks=parts))
    scoring = Scoring(run="r", model="m", protocol="dice.v1", seed=0, data="", resamples=2)
    rows = score(dialogues, {tool.key: tool for tool in tools.values()}, transcripts, scoring=scoring)
    cells = {int(row.slice["length"]): row.value for row in rows if row.metric == "em_paper" and "length" in row.slice}
    assert {length: round(100 * (value or 0), 4) for length, value in cells.items()} == {
        length: cell for length, (_, _, cell) in PUBLISHED.items()
    }


def test_what_is_mentioned() -> None:
    """Names by their words, values in any form, each at most once an utterance; people only, unless asked."""
    dialogue, _, tools = one_round(call("book"))
    talk = replace(
        dialogue,
        turns=(Turn("u", "Shall we book?"), Turn("v", "Four, of 2020, four!"), Turn("a", "I book."), Turn("u", "Hm.")),
    )
    items = [(item.parameter, item.value) for item in call_items(talk, tools)]
    assert items == [("", None), ("n", 4), ("y", "2020")]
    assert count_mentions(talk, tools).counts == (1, 2, 0)
    assert count_mentions(talk, tools, assistant=True).counts == (1, 2, 1, 0)


def test_dialogues_without_calls_are_skipped_and_silent_ones_counted() -> None:
    """What has no gold call has no score; what mentions nothing has 0, and is told apart."""
    dialogue, _, tools = one_round(call("book"))
    by_key = {tool.key: tool for tool in tools.values()}
    silent = replace(dialogue, id="s", turns=(Turn("u", "Hm."),))
    empty = replace(dialogue, id="e", tasks=(Task("chat", turn=0),))
    found = document([dialogue, silent, empty], by_key)
    assert [one.id for one in scored([dialogue, silent, empty], by_key)] == ["d", "s"]
    assert (found.n_skipped, found.n_unmentioned, found.n_failed) == (1, 1, 0)
    assert found.skipped == {"no gold call": 1}
    assert found.mean == pytest.approx(found.items[0].score / 2)
    assert found.by_party["2"].n == 2


def test_no_items_and_no_utterances_are_skipped_with_their_reason() -> None:
    """T = 0 and n = 0 are no score: the row and the document say how many dialogues have which of them."""
    dialogue, _, tools = one_round(call("book"))
    by_key = {tool.key: tool for tool in tools.values()}
    empty = [replace(dialogue, id=name, tasks=(Task("chat", turn=0),)) for name in "ef"]
    mute = replace(dialogue, id="m", turns=(Turn("a", "I book."),))
    found = document([*empty, mute], by_key)
    assert (found.mean, found.n_skipped, found.skipped) == (None, 3, {"no gold call": 2, "nobody speaks": 1})
    whole = next(iter(MEASURES.rows([dialogue, *empty, mute], by_key)))
    assert (whole.n, whole.n_skipped, whole.detail) == (1, 3, "no gold call in 2; nobody speaks in 1")


def test_the_command_prints_the_document(folder: Path) -> None:
    """`measure --only dice-score --json` has the mean, the means by length and party, and every item."""
    done = CliRunner().invoke(main, ["measure", str(folder), "--only", "dice-score", "--json"])
    printed = json.loads(done.stdout)
    assert done.exit_code == 0
    assert {"mean", "by_length", "by_party", "items", "n_failed", "signature"} <= printed.keys()
    assert set(printed["items"][0]) >= {"id", "score", "counts", "total"}
    assert printed["by_length"]["2"]["n"] == 1
    several = CliRunner().invoke(main, ["measure", str(folder), str(folder), "--only", "dice-score"])
    assert several.exit_code == 0
    (line,) = (line for line in several.stdout.splitlines() if "DICE-SCORE, length 2" in line)
    assert line.split()[-2:] == [f"{printed['by_length']['2']['mean']:.3f}"] * 2


def test_the_strip_names_what_is_mentioned(folder: Path) -> None:
    """`show` prints a mark an item below each utterance; other dialogues have none."""
    (dialogue,) = callwright.open_dataset(folder).dialogues
    by_key = callwright.open_dataset(folder).catalog.by_key
    said = replace(dialogue, turns=(Turn("agent_a", "Book the room for 3."), *dialogue.turns[1:]))
    assert turn_marks(said, by_key)[0] == "▮▮▮▮ 1:book_room, 1:n, 2:book_room, 2:n"
    assert turn_marks(replace(said, annotation=None), by_key) == {}
    assert "▯▯▯▯" in CliRunner().invoke(main, ["show", str(folder)]).stdout

"""Multi-turn questions of BFCL in our records, and back without loss."""

from __future__ import annotations

import ast
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from callwright.records.annotation import BfclNotes
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import (
    Dialogue,
    GoldArgument,
    GoldCall,
    Participant,
    Provenance,
    ShownTool,
    Task,
    Turn,
)
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Catalog, Tool

PARTS = ("multi_turn_base", "multi_turn_miss_param")
DOCUMENTS = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "TwitterAPI": "posting_api",
    "VehicleControlAPI": "vehicle_control",
}


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the documents of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


@pytest.fixture(scope="module")
def catalog(shared_data: Path) -> Catalog:
    """All documented functions; `domain` is their class."""
    folder = shared_data / "bfcl" / "multi_turn_func_doc"
    return Catalog(
        tools=tuple(
            Tool(
                name=document["name"],
                description=document["description"],
                parameters=encode(document["parameters"]),
                domain=involved,
                raw=encode(document),
            )
            for involved, name in DOCUMENTS.items()
            for document in read_lines(folder / f"{name}.json")
        )
    )


def to_dialogue(question: dict[str, Any], answer: dict[str, Any], catalog: Catalog) -> Dialogue:
    """Return a question and its answer as a dialogue in which only the user has spoken."""
    excluded = question.get("excluded_function", ())
    tools = [
        tool for tool in catalog.tools if tool.domain in question["involved_classes"] and tool.name not in excluded
    ]
    messages = [message for turn in question["question"] for message in turn]
    return Dialogue(
        id=question["id"],
        recipe="bfcl-multi-turn.v1",
        participants=(Participant("user", "user"), Participant("assistant", "assistant")),
        tools=tuple(ShownTool(tool.key, tool.name) for tool in tools),
        turns=tuple(Turn(message["role"], message["content"]) for message in messages),
        tasks=_tasks(question["question"], answer["ground_truth"], {tool.name: tool for tool in tools}),
        provenance=Provenance(author="bfcl-v4", callwright="0.1.0", catalog=catalog.digest),
        annotation=BfclNotes(
            initial_config=encode(question["initial_config"]),
            involved_classes=tuple(question["involved_classes"]),
            path=tuple(question["path"]),
            excluded=tuple(excluded),
            ground_truth=tuple(tuple(calls) for calls in answer["ground_truth"]),
        ),
    )


def _tasks(asked: list[list[Json]], truth: list[list[str]], tools: dict[str, Tool]) -> tuple[Task, ...]:
    firsts = [sum(map(len, asked[:at])) for at in range(len(asked))]
    return tuple(_task(first, calls, tools) for first, calls in zip(firsts, truth, strict=True))


def _task(first: int, calls: list[str], tools: dict[str, Tool]) -> Task:
    if not calls:
        return Task("clarify", turn=first)
    gold = tuple(_gold(text, at, tools) for at, text in enumerate(calls))
    return Task("multi" if len(calls) > 1 else "single", gold=gold, turn=first)


def _gold(text: str, at: int, tools: dict[str, Tool]) -> GoldCall:
    """Read a call expression without running it; its position in the turn counts, so each call needs the last."""
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    named = {word.arg: word.value for word in call.keywords if word.arg}
    values = dict(zip(tools[call.func.id].required, call.args, strict=False)) | named
    arguments = tuple(GoldArgument(name, (encode(ast.literal_eval(value)),)) for name, value in values.items())
    return GoldCall(call.func.id, arguments, after=(at - 1,) if at else ())


def to_documents(dialogue: Dialogue) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a dialogue as a question and an answer in the published layout."""
    notes = dialogue.annotation
    assert isinstance(notes, BfclNotes)
    firsts = [task.turn for task in dialogue.tasks] + [len(dialogue.turns)]
    question = {
        "id": dialogue.id,
        "question": [
            [{"role": turn.speaker, "content": turn.text} for turn in dialogue.turns[first:end]]
            for first, end in pairwise(firsts)
        ],
        "initial_config": decode(notes.initial_config),
        "path": list(notes.path),
        "involved_classes": list(notes.involved_classes),
    }
    if notes.excluded:
        question["excluded_function"] = list(notes.excluded)
    return question, {"id": dialogue.id, "ground_truth": [list(calls) for calls in notes.ground_truth]}


def read_pairs(shared_data: Path, part: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return the questions of a part, each with its answer."""
    folder = shared_data / "bfcl"
    answers = {one["id"]: one for one in read_lines(folder / "possible_answer" / f"BFCL_v4_{part}.json")}
    return [(one, answers[one["id"]]) for one in read_lines(folder / f"BFCL_v4_{part}.json")]


@pytest.mark.parametrize("part", PARTS)
def test_nothing_is_lost(shared_data: Path, catalog: Catalog, part: str) -> None:
    """All 200 questions and answers come back equal, through a line of JSON."""
    for question, answer in read_pairs(shared_data, part):
        dialogue = from_line(to_line(to_dialogue(question, answer, catalog)), Dialogue, where=part)

        assert to_documents(dialogue) == (question, answer)


@pytest.mark.parametrize("part", PARTS)
def test_gold_calls_are_the_published_ones(shared_data: Path, catalog: Catalog, part: str) -> None:
    """Every gold call is a documented function with documented parameters, in the published order."""
    for question, answer in read_pairs(shared_data, part):
        dialogue = to_dialogue(question, answer, catalog)
        documents = {shown.name: catalog.by_key[shown.key] for shown in dialogue.tools}
        golds = [gold for task in dialogue.tasks for gold in task.gold]

        published = [text.split("(")[0] for calls in answer["ground_truth"] for text in calls]
        assert [gold.tool for gold in golds] == published
        for gold in golds:
            assert set(gold.values) <= set(documents[gold.tool].properties)


def test_one_question_reads_as_it_should(shared_data: Path, catalog: Catalog) -> None:
    """The first question: four user turns; calls with named and with positional arguments."""
    dialogue = to_dialogue(*read_pairs(shared_data, "multi_turn_base")[0], catalog)

    assert [len(task.gold) for task in dialogue.tasks] == [3, 2, 1, 4]
    assert dialogue.tasks[0].gold[2] == GoldCall(
        "mv",
        (GoldArgument("source", (encode("final_report.pdf"),)), GoldArgument("destination", (encode("temp"),))),
        after=(1,),
    )
    assert dialogue.tasks[2].gold[0].values == {"file_name": "final_report.pdf"}
    assert "cp" not in {shown.name for shown in dialogue.tools}

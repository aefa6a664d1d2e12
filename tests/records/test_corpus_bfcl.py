"""Questions of BFCL in our records, and back without loss."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bfcl_predictions import ANSWERED, files, gold_calls, read_category
from callwright.errors import BadDocument
from callwright.formats import document
from callwright.papers.bfcl import multi_turn_layout as bfcl_multi_turn
from callwright.papers.bfcl import question_dialogues as bfcl_dialogues
from callwright.papers.bfcl import question_layout as bfcl
from callwright.papers.bfcl import question_tools as bfcl_tools
from callwright.papers.bfcl.question_dialogues import MAX_CHOICES, document_of, plain_values
from callwright.records.annotations.bfcl_notes import BfclNotes, BfclQuestion
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Dialogue, GoldArgument, GoldCall
from callwright.records.jsontext import decode, encode
from callwright.records.tool import Catalog, Tool

PARTS = ("multi_turn_base", "multi_turn_miss_param")


def canonical(value: Any) -> str:
    """Return JSON in which 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True)


def question_lines(dialogue: Dialogue, tools: Mapping[str, Tool]) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return a single-turn dialogue as the published question and answer (None: it has none); tools by key."""
    notes = dialogue.annotation
    assert isinstance(notes, BfclQuestion)
    question: dict[str, Any] = {
        "id": dialogue.id,
        "question": [[{"role": dialogue.role(turn), "content": turn.text} for turn in dialogue.turns]],
        "function": [document_of(tools[shown.key]) for shown in dialogue.tools],
    }
    question |= decode(notes.more) if notes.more else {}
    if notes.ground_truth is None:
        return question, None
    return question, {"id": dialogue.id, "ground_truth": decode(notes.ground_truth)}


def several_lines(dialogue: Dialogue) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return a dialogue of several turns as the published question and answer (None: it has none)."""
    notes = dialogue.annotation
    assert isinstance(notes, BfclNotes)
    messages = iter({"role": dialogue.role(turn), "content": turn.text} for turn in dialogue.turns)
    lengths = notes.lengths or (1,) * len(dialogue.turns)
    question: dict[str, Any] = {
        "id": dialogue.id,
        "question": [list(islice(messages, length)) for length in lengths],
        "initial_config": decode(notes.initial_config),
        "path": list(notes.path),
        "involved_classes": list(notes.involved_classes),
    }
    if notes.excluded:
        question["excluded_function"] = list(notes.excluded)
    question |= decode(notes.more) if notes.more else {}
    truth = [list(calls) for calls in notes.ground_truth]
    return question, {"id": dialogue.id, "ground_truth": truth} if truth else None


def single_turn(shared_data: Path, category: str) -> tuple[tuple[Dialogue, ...], Catalog]:
    """Return the questions of a category as dialogues, through lines of JSON."""
    path, answers = files(shared_data, category)
    questions = bfcl.read(document.load(path), document.load(answers) if answers.exists() else None, source=category)
    catalog = bfcl_tools.read(document.load(path), source=category)
    dialogues = bfcl_dialogues.to_dialogues(questions, catalog, category=category, has_answers=True)
    return tuple(from_line(to_line(one), Dialogue, where=category) for one in dialogues), catalog


@pytest.fixture(scope="module")
def functions(shared_data: Path) -> dict[str, Any]:
    """The documents of all classes."""
    folder = shared_data / "bfcl" / "multi_turn_func_doc"
    return {name: document.load(folder / file) for name, file in bfcl_multi_turn.CLASS_FILES.items()}


@pytest.fixture(scope="module")
def catalog(functions: dict[str, Any]) -> Catalog:
    """All documented functions; `domain` is their class."""
    return bfcl_multi_turn.read_tools(functions, source="multi_turn_func_doc")


def several_turns(shared_data: Path, part: str, functions: dict[str, Any], catalog: Catalog) -> tuple[Dialogue, ...]:
    """Return the questions of a part as dialogues, through lines of JSON."""
    path, answers = files(shared_data, part)
    dialogues = bfcl_multi_turn.to_dialogues(
        document.load(path), document.load(answers), functions, catalog, category=part
    )
    assert dialogues
    return tuple(from_line(to_line(one), Dialogue, where=part) for one in dialogues)


@pytest.mark.parametrize("category", [*ANSWERED, "irrelevance"])
def test_single_turn_questions_come_back(shared_data: Path, category: str) -> None:
    """Every question, its documents and its answer come back equal, type for type."""
    path, answers = files(shared_data, category)
    truths = {one["id"]: one for one in document.load(answers)} if answers.exists() else {}

    dialogues, tools = single_turn(shared_data, category)

    lines = [question_lines(one, tools.by_key) for one in dialogues]
    assert canonical([question for question, _ in lines]) == canonical(document.load(path))
    assert canonical({one["id"]: one for _, one in lines if one}) == canonical(truths)
    assert {one.annotation.category for one in dialogues if isinstance(one.annotation, BfclQuestion)} == {category}


@pytest.mark.parametrize("category", ANSWERED)
def test_first_plain_values_are_gold_answers(shared_data: Path, category: str) -> None:
    """The gold calls in plain values begin with those that the answers give, under the names that are shown."""
    dialogues, _ = single_turn(shared_data, category)

    assert dialogues
    for dialogue, question in zip(dialogues, read_category(shared_data, category), strict=True):
        wanted = [(tool.replace(".", "_"), canonical(values)) for tool, values in gold_calls(question)]
        assert [(gold.tool, canonical(gold.values)) for gold in dialogue.tasks[0].gold] == wanted


@pytest.mark.parametrize("part", PARTS)
def test_multi_turn_questions_come_back(
    shared_data: Path, part: str, functions: dict[str, Any], catalog: Catalog
) -> None:
    """All 200 questions and answers come back equal, through a line of JSON."""
    path, answers = files(shared_data, part)
    truths = {one["id"]: one for one in document.load(answers)}

    lines = [several_lines(one) for one in several_turns(shared_data, part, functions, catalog)]

    assert canonical([question for question, _ in lines]) == canonical(document.load(path))
    assert canonical({one["id"]: one for _, one in lines if one}) == canonical(truths)


@pytest.mark.parametrize("part", PARTS)
def test_gold_calls_are_the_published_ones(
    shared_data: Path, part: str, functions: dict[str, Any], catalog: Catalog
) -> None:
    """Every gold call is a documented function with documented parameters, in the published order."""
    answers = {one["id"]: one["ground_truth"] for one in document.load(files(shared_data, part)[1])}
    for dialogue in several_turns(shared_data, part, functions, catalog):
        documents = {shown.name: catalog.by_key[shown.key] for shown in dialogue.tools}
        golds = [gold for task in dialogue.tasks for gold in task.gold]

        assert [gold.tool for gold in golds] == [text.split("(")[0] for calls in answers[dialogue.id] for text in calls]
        for gold in golds:
            assert set(gold.values) <= set(documents[gold.tool].properties)


def test_one_question_reads_as_it_should(shared_data: Path, functions: dict[str, Any], catalog: Catalog) -> None:
    """The first question: four user turns; calls with named and with positional arguments."""
    dialogue = several_turns(shared_data, "multi_turn_base", functions, catalog)[0]

    assert [len(task.gold) for task in dialogue.tasks] == [3, 2, 1, 4]
    assert dialogue.tasks[0].gold[2] == GoldCall(
        "mv",
        (GoldArgument("source", (encode("final_report.pdf"),)), GoldArgument("destination", (encode("temp"),))),
        after=(1,),
    )
    assert dialogue.tasks[2].gold[0].values == {"file_name": "final_report.pdf"}
    assert "cp" not in {shown.name for shown in dialogue.tools}


TOOL = {"name": "a.f", "parameters": {"type": "dict", "properties": {"x": {"type": "dict"}}, "required": ["x"]}}


def read_one(question: dict[str, Any], accepted: list[Any]) -> tuple[Dialogue, Catalog]:
    """Return one made-up question whose parameter x accepts the values."""
    lines = [{"id": "q", "question": [[{"role": "user", "content": "?"}]], "function": [TOOL]} | question]
    asked = bfcl.read(lines, [{"id": "q", "ground_truth": [{"a.f": {"x": accepted, "y": [""]}}]}], source="q")
    tools = bfcl_tools.read(lines, source="q")
    (dialogue,) = bfcl_dialogues.to_dialogues(asked, tools, category="", has_answers=True)
    return dialogue, tools


def test_fields_that_nobody_reads_are_kept() -> None:
    """What a question has beside its fields comes back."""
    dialogue, tools = read_one({"level": 3, "extra": {"a": [None]}}, [{}])

    question, _ = question_lines(dialogue, tools.by_key)

    assert (question["level"], question["extra"]) == (3, {"a": [None]})


def test_plain_values_hold_no_choices() -> None:
    """Lists of choices inside dictionaries are spelt out, and what is answered but not documented is left out."""
    dialogue, _ = read_one({}, [{"k": [1, 2], "o": ["", True]}])

    (argument,) = dialogue.tasks[0].gold[0].arguments
    assert [decode(one) for one in argument.accepted] == [{"k": 1, "o": True}, {"k": 1}, {"k": 2, "o": True}, {"k": 2}]
    assert not argument.optional


def test_many_choices_have_a_bound() -> None:
    """Twenty keys of twenty choices are spelt out to the bound, in no time."""
    many = {f"k{n}": list(range(20)) for n in range(20)}

    assert len(list(plain_values([many] * 3))) == MAX_CHOICES


def test_equal_names_in_one_question_are_told_apart() -> None:
    """Tools whose names differ in a dot are shown under different names, and the gold call has its own."""
    other = {"name": "a_f", "parameters": {"type": "dict", "properties": {}}}

    dialogue, _ = read_one({"function": [other, TOOL]}, [{}])

    assert [tool.name for tool in dialogue.tools] == ["a_f", "a_f_2"]
    assert dialogue.tasks[0].gold[0].tool == "a_f_2"


LINE: dict[str, Any] = {
    "id": "m",
    "question": [[{"role": "user", "content": "Add."}]],
    "initial_config": {},
    "involved_classes": ["C"],
    "path": [],
}
ADD = {"name": "add", "parameters": {"type": "dict", "properties": {"b": {"type": "float"}, "a": {"type": "float"}}}}


def several(line: dict[str, Any], truth: Any) -> tuple[Dialogue, ...]:
    """Return made-up questions of several turns as dialogues."""
    tools = {"C": [ADD]}
    catalog = bfcl_multi_turn.read_tools(tools, source="C")
    answers = [{"id": "m", "ground_truth": truth}]
    return bfcl_multi_turn.to_dialogues([LINE | line], answers, tools, catalog, category="")


def test_arguments_without_a_name_are_bound_in_the_documents_order() -> None:
    """The first documented parameter has the first argument, whatever the order of letters."""
    (dialogue,) = several({}, [["add(1, a=2)"]])

    assert dialogue.tasks[0].gold[0].values == {"b": 1, "a": 2}


def test_turns_of_several_messages_come_back() -> None:
    """Turns with two messages and with none keep their borders, and further fields stay."""
    line = LINE | {"question": [LINE["question"][0] * 2, []], "missed": {"1": ["add"]}}

    (dialogue,) = several(line, [["add(1, 2)"], []])

    assert several_lines(dialogue)[0] == line


@pytest.mark.parametrize(
    ("line", "truth", "message"),
    [
        ({}, [[], []], "turns"),
        ({}, [["sub(1)"]], "offers"),
        ({}, [["add(1), add(2)"]], "one call"),
        ({}, [["add(1, 2, 3)"]], "do not fit"),
        ({}, [["add(1, b=2)"]], "do not fit"),
        ({}, [["__import__('os')"]], "underscores"),
        ({"excluded_function": ["add"]}, [["add(1)"]], "offers"),
        ({"involved_classes": ["D"]}, [[]], "class 'D'"),
        ({"question": "?"}, [[]], "entry 1"),
        ({"initial_config": 3}, [[]], "entry 1"),
        ({"id": "z"}, [[]], "ids occur only"),
    ],
)
def test_other_multi_turn_layouts_are_refused(line: dict[str, Any], truth: Any, message: str) -> None:
    """What does not fit together is one error that says where, and nothing is ever run."""
    with pytest.raises(BadDocument, match=message):
        several(line, truth)

"""DiaFORGE's record layout: what is written is read back, and foreign records are read or refused by place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import callwright
from callwright.app.corpora import export_dialogues, read_corpus
from callwright.app.datasets import open_dataset
from callwright.errors import BadInput
from callwright.papers.diaforge.record_layout import to_record
from callwright.records.annotations.diaforge_notes import DiaforgeNotes
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import encode

TOOL = {
    "name": "find_room",
    "description": "Find a free room.",
    "parameters": {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]},
}
OTHER = {"type": "function", "function": {**TOOL, "name": "book.room", "description": "Book a room."}}
RECORD: dict[str, Any] = {
    "seed": TOOL,
    "user_persona": "A teacher.",
    "messages": [
        {"role": "user", "content": "A room, please."},
        {"role": "assistant", "content": "For which day?", "thought": "The day is missing."},
        {"role": "user", "content": "Monday."},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"function": {"name": "find_room", "arguments": '{"day": "Monday"}'}}],
        },
    ],
    "distractor_tools": [OTHER],
    "retrieved_tools": [TOOL, "book.room"],
}


def written(folder: Path, *records: Any) -> Path:
    path = folder / "records.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def read(folder: Path, *records: Any) -> tuple[Dialogue, ...]:
    read_corpus("diaforge", written(folder, *records), out=folder / "ds")
    return open_dataset(folder / "ds").dialogues


def test_a_foreign_record_is_read(tmp_path: Path) -> None:
    """Envelopes and arguments as text are read, names made valid, and the final call is the gold."""
    (dialogue,) = read(tmp_path, RECORD)

    assert [turn.text for turn in dialogue.turns] == ["A room, please.", "For which day?", "Monday.", ""]
    assert dialogue.turns[1].steps[0].thought == "The day is missing."
    assert {tool.name for tool in dialogue.tools} == {"find_room", "book_room"}
    assert [(call.tool, call.values) for call in dialogue.tasks[0].gold] == [("find_room", {"day": "Monday"})]
    assert dialogue.participants[0].persona == "A teacher."
    assert isinstance(dialogue.annotation, DiaforgeNotes)
    assert [one.name for one in dialogue.annotation.retrieved] == ["find_room", "book_room"]


def test_without_a_final_call_no_tool_fits(tmp_path: Path) -> None:
    """The seed tool is then not in the pool."""
    (dialogue,) = read(tmp_path, RECORD | {"messages": RECORD["messages"][:2]})

    assert {tool.name for tool in dialogue.tools} == {"book_room"}
    assert not dialogue.tasks[0].gold


def _pool_and_found(dialogue: Dialogue) -> tuple[list[str], list[str]]:
    """Names of the distractors in the order shown, and of the tools found, best first; neither is empty."""
    notes = dialogue.annotation
    assert isinstance(notes, DiaforgeNotes)
    shown = [one.name for one in dialogue.tools if one.name != notes.gold_tool]
    found = [one.name for one in notes.retrieved]
    assert shown
    assert found
    return shown, found


def test_our_dialogues_come_back(tmp_path: Path) -> None:
    """Writing and reading a dataset, then writing it again, gives the same records; the oracle gets all right."""
    callwright.synthesize("diaforge", "builtin/enterprise", n=25, seed=4, out=tmp_path / "own", no_tool_share=0.3)
    export_dialogues(tmp_path / "own", "diaforge", tmp_path / "out.jsonl")
    read_corpus("diaforge", tmp_path / "out.jsonl", out=tmp_path / "back")

    own, back = open_dataset(tmp_path / "own"), open_dataset(tmp_path / "back")
    assert len(own.dialogues) == len(back.dialogues) >= 15
    assert any(not dialogue.tasks[0].gold for dialogue in own.dialogues)
    for before, after in zip(own.dialogues, back.dialogues, strict=True):
        assert before.turns[0].text == after.turns[0].text
        if before.tasks[0].gold:
            assert to_record(before, own.catalog.by_key) == to_record(after, back.catalog.by_key)
        assert _pool_and_found(before) == _pool_and_found(after)
        assert {one.name for one in before.tools} == {one.name for one in after.tools}
        assert [call.values for call in before.tasks[0].gold] == [call.values for call in after.tasks[0].gold]
    callwright.evaluate_model(tmp_path / "back", protocol="static", model="builtin/oracle", out=tmp_path / "run")
    acc = next(row for row in callwright.score_runs(tmp_path / "run") if row.metric == "acc" and not row.slice)
    assert acc.value == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": {"description": "?"}}, "record 2: the document of 'None'"),
        ({"messages": []}, "record 2: .*messages"),
        ({"messages": [{"role": "tool", "content": "x"}] * 2}, r"record 2: .*role"),
        ({"distractor_tools": [{"name": "x", "parameters": 5}]}, "record 2"),
        ({"id": "same"}, "two records have the id"),
        ({"seed": "find_room"}, "record 2: .*seed"),
    ],
)
def test_what_is_no_record_is_refused(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    """One error that names file and record."""
    with pytest.raises(BadInput, match=said):
        read(tmp_path, RECORD | {"id": "same"}, RECORD | change)


def test_calls_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    """Arguments that are no JSON are an error with their place."""
    messages = [*RECORD["messages"][:3], {"role": "assistant", "tool_calls": [{"name": "find_room", "arguments": "{"}]}]
    with pytest.raises(BadInput, match="record 1, message 4: arguments of 'find_room'"):
        read(tmp_path, RECORD | {"messages": messages})


def test_dialogues_of_other_recipes_are_refused(tmp_path: Path) -> None:
    """Sessions of several tasks do not fit into a record."""
    callwright.synthesize("wild", "builtin/enterprise", n=2, seed=1, out=tmp_path / "ds")
    with pytest.raises(BadInput, match="wild"):
        export_dialogues(tmp_path / "ds", "diaforge")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)


@given(st.sampled_from(sorted(RECORD)), json_values)
@settings(max_examples=40, deadline=None)
def test_any_value_in_any_field_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, field: str, value: object
) -> None:
    """Never another error than ours."""
    folder = tmp_path_factory.mktemp("records")
    try:
        dialogues = read(folder, RECORD | {field: value})
    except BadInput:
        return
    assert len(dialogues) == 1
    if not dialogues[0].tasks[0].gold:
        return
    assert encode(json.loads(json.dumps(to_record(dialogues[0], open_dataset(folder / "ds").catalog.by_key))))

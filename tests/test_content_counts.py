"""`tests/long/content.py`: what counts as an empty write and as an identifier that is a name."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "long"))

# found through the line above
from content import count, is_identifier, is_name, operations

DOCUMENT = {
    "paths": {
        "/notes/{note_id}": {
            "parameters": [{"name": "note_id", "in": "path", "schema": {"type": "string"}}],
            "put": {
                "parameters": [{"name": "notify", "in": "query", "schema": {"type": "boolean"}}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Note"}}}},
            },
            "get": {},
        }
    },
    "components": {
        "schemas": {
            "Note": {
                "properties": {"text": {"type": "string"}, "made": {"readOnly": True}, "folder": {"type": "object"}}
            }
        }
    },
}


def dialogue(id_: str, tool: str, **values: object) -> dict[str, Any]:
    """Return a dialogue with this gold call, as far as it is counted."""
    arguments = [{"name": name, "accepted": [json.dumps(value)]} for name, value in values.items()]
    scenario = {"tools": [{"key": tool, "name": tool}], "annotation": {"gold_tool": tool}}
    return {"id": id_, "scenario": scenario, "tasks": [{"gold": [{"tool": tool, "arguments": arguments}]}]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A dataset folder over `DOCUMENT`: four dialogues kept, one rejected."""
    tools = [{"name": "update", "source": "PUT /notes/{note_id}"}, {"name": "read", "source": "GET /notes/{note_id}"}]
    kept = [
        dialogue("empty", "update", note_id="N-1", notify=True),
        dialogue("hollow", "update", note_id="N-1", folder={"tags": []}),
        dialogue("full", "update", note_id="11:00", text="a", folder={"owner": {"user_id": "Payroll Switch"}}),
        dialogue("read", "update", note_id="N-2", text="b"),
    ]
    (tmp_path / "catalog.json").write_text(json.dumps({"tools": tools}))
    (tmp_path / "dialogues.jsonl").write_text("\n".join(map(json.dumps, kept)))
    (tmp_path / "rejected.jsonl").write_text(json.dumps({"dialogue": dialogue("lost", "read", note_id="N-3")}))
    (tmp_path / "funnel.json").write_text(json.dumps({"planned": 6}))
    (tmp_path / "api.json").write_text(json.dumps(DOCUMENT))
    return tmp_path


def test_counts_of_a_dataset(folder: Path) -> None:
    """A parameter outside of the body writes nothing, nor does an object of nothing; leaves of bodies are looked at."""
    found = count(folder, operations(folder / "api.json"))
    assert (found.kept, found.covered) == ((4, 6), (1, 2))
    assert found.empty == (2, 4)
    assert found.names == (2, 5)
    assert [example.split()[:2] for example in found.examples] == [
        ["empty", "empty"],
        ["empty", "hollow"],
        ["name", "full"],
        ["name", "full"],
    ]


@pytest.mark.parametrize(
    ("name", "described", "in_path", "expected"),
    [
        ("projectId", {}, False, True),
        ("ServiceSid", {}, False, True),
        ("users", {"description": "A comma separated list of user IDs."}, False, True),
        ("project", {}, True, True),
        ("file_name", {}, True, False),
        ("state", {"enum": ["open"]}, True, False),
        ("to", {"description": "Name or ID of the receiver."}, False, False),
        ("paid", {"description": "Whether it is paid."}, False, False),
    ],
)
def test_identifiers(name: str, described: dict[str, object], in_path: bool, expected: bool) -> None:
    """A parameter is an identifier by its last word, by its description, or because it is in the path."""
    assert is_identifier(name, described, is_in_path=in_path) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Payroll Switch", True),
        ("11:00", True),
        ("hades", True),
        (["A-1", "hades"], True),
        ("northwind", False),
        ("A-1,A-2", False),
        ("A-1, A-2", False),
        ("MG2b78Eedfd4c0594E9c10b7D1b2f12d4B", False),
        (12045, False),
    ],
)
def test_names(value: object, expected: bool) -> None:
    """Words, phrases and clock times are names, unless the document gives them; codes and lists of codes are none."""
    assert is_name(value, {"example": "northwind"}) == expected

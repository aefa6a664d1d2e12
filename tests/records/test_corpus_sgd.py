"""Schema-Guided Dialogue in our records, and back without loss."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from callwright.formats import schema_guided
from callwright.papers.fnctod.sgd_reader import sgd_dialogue
from callwright.records.annotations.sgd_notes import SgdFrame, SgdNotes
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Call, Dialogue, Turn
from callwright.records.jsontext import decode
from callwright.records.tool import Catalog

PARTS = ("train/dialogues_001", "train/dialogues_002", "dev/dialogues_001", "test/dialogues_003")
SPEAKERS = {"USER": "user", "SYSTEM": "assistant"}
LABELS = {role: speaker for speaker, role in SPEAKERS.items()}


def read(path: Path) -> list[dict[str, Any]]:
    """Return the documents of one file."""
    documents: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return documents


def to_catalog(services: list[dict[str, Any]]) -> Catalog:
    """Return one tool for each intent of each service."""
    return schema_guided.read(services, source="schema.json")


def to_dialogue(document: dict[str, Any], catalog: Catalog) -> Dialogue:
    """Return a document as a dialogue over the tools of its services."""
    return sgd_dialogue(document, catalog, where=document["dialogue_id"])


def method_of(call: Call, catalog: Catalog) -> str:
    """Return the intent's own name."""
    tool = catalog.by_name[call.tool]
    assert tool.raw is not None
    return str(decode(tool.raw)["intents"][0]["name"])


def to_document(dialogue: Dialogue, catalog: Catalog) -> dict[str, Any]:
    """Return a dialogue in the corpus's layout."""
    notes = dialogue.annotation
    assert isinstance(notes, SgdNotes)
    turns = [
        {
            "speaker": LABELS[turn.speaker],
            "utterance": turn.text,
            "frames": [_frame_document(frame, turn, catalog) for frame in frames],
        }
        for turn, frames in zip(dialogue.turns, notes.turns, strict=True)
    ]
    return {"dialogue_id": dialogue.id, "services": list(notes.services), "turns": turns}


def _frame_document(frame: SgdFrame, turn: Turn, catalog: Catalog) -> dict[str, Any]:
    document: dict[str, Any] = {
        "service": frame.service,
        "actions": [
            {"act": act.act, "slot": act.slot, "values": list(act.values), "canonical_values": list(act.canonical)}
            for act in frame.acts
        ],
        "slots": [{"slot": span.slot, "start": span.start, "exclusive_end": span.end} for span in frame.spans],
    }
    if frame.state is not None:
        document["state"] = {
            "active_intent": frame.state.intent,
            "requested_slots": list(frame.state.requested),
            "slot_values": {slot.slot: list(slot.values) for slot in frame.state.slots},
        }
    if frame.step is not None:
        (call,), (result,) = turn.steps[frame.step].calls, turn.steps[frame.step].results
        assert result.value is not None
        document["service_call"] = {"method": method_of(call, catalog), "parameters": call.values}
        document["service_results"] = decode(result.value)
    return document


@pytest.mark.parametrize("part", PARTS)
def test_nothing_is_lost(shared_data: Path, part: str) -> None:
    """Every dialogue comes back equal, through a line of JSON."""
    path = shared_data / "sgd" / f"{part}.json"
    catalog = to_catalog(read(path.with_name("schema.json")))
    documents = read(path)
    assert documents
    for document in documents:
        dialogue = from_line(to_line(to_dialogue(document, catalog)), Dialogue, where=part)

        assert to_document(dialogue, catalog) == document


def service(name: str, intent: str) -> dict[str, Any]:
    intents = [{"name": intent, "description": intent, "required_slots": [], "optional_slots": {"city": "dontcare"}}]
    slots = [{"name": "city", "description": "city", "is_categorical": False, "possible_values": []}]
    return {"service_name": name, "description": name, "slots": slots, "intents": intents}


def test_two_services_in_one_turn_are_held() -> None:
    """A system turn may call two services whose intents share a name; each frame keeps its own call."""
    frames = [
        {
            "service": service,
            "actions": [],
            "slots": [],
            "service_call": {"method": "FindEvents", "parameters": {"city": city}},
            "service_results": [{"city": city}, {}],
        }
        for service, city in (("Events_1", "Oslo"), ("Events_2", "Bergen"))
    ]
    quiet = {"service": "Hotels_1", "actions": [], "slots": []}
    turn = {"speaker": "SYSTEM", "utterance": "Two events.", "frames": [frames[0], quiet, frames[1]]}
    document = {"dialogue_id": "x", "services": ["Events_1", "Hotels_1", "Events_2"], "turns": [turn]}

    catalog = to_catalog([service(name, "FindEvents" if "Events" in name else "Book") for name in document["services"]])

    assert to_document(to_dialogue(document, catalog), catalog) == document


def test_calls_are_calls(shared_data: Path) -> None:
    """A service call is a call of a tool that the dialogue shows, with parameters the tool has."""
    folder = shared_data / "sgd" / "dev"
    catalog = to_catalog(read(folder / "schema.json"))
    dialogue = to_dialogue(read(folder / "dialogues_001.json")[0], catalog)
    (call,) = dialogue.turns[5].calls

    (tool,) = (catalog.by_key[shown.key] for shown in dialogue.tools if shown.name == call.tool)

    assert method_of(call, catalog) == "ReserveRestaurant"
    assert call.values["time"] == "11:30"
    assert set(call.values) <= set(tool.properties)
    assert set(tool.required) <= set(call.values)

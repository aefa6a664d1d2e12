"""Schema-Guided Dialogue in our records, and back without loss."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from callwright.records.annotations.sgd_notes import CharSpan, SgdFrame, SgdNotes
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Call, Dialogue, Participant, Provenance, Result, ShownTool, Step, Turn
from callwright.records.dialogue_state import ActLabel, DomainState, SlotValue
from callwright.records.jsontext import decode, encode
from callwright.records.tool import Catalog, Tool

PARTS = ("train/dialogues_001", "train/dialogues_002", "dev/dialogues_001", "test/dialogues_003")
SPEAKERS = {"USER": "user", "SYSTEM": "assistant"}
LABELS = {role: speaker for speaker, role in SPEAKERS.items()}


def read(path: Path) -> list[dict[str, Any]]:
    """Return the documents of one file."""
    documents: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return documents


def to_catalog(services: list[dict[str, Any]]) -> Catalog:
    """Return one tool for each intent of each service; `source` is the intent's own name."""
    return Catalog(tools=tuple(_tool(service, intent) for service in services for intent in service["intents"]))


def _tool(service: dict[str, Any], intent: dict[str, Any]) -> Tool:
    slots = {slot["name"]: slot for slot in service["slots"]}
    names = [*intent["required_slots"], *intent["optional_slots"]]
    properties = {name: {"type": "string", "description": slots[name]["description"]} for name in names}
    return Tool(
        name=f"{service['service_name']}_{intent['name']}",
        description=intent["description"],
        parameters=encode({"type": "object", "properties": properties, "required": intent["required_slots"]}),
        domain=service["service_name"],
        source=intent["name"],
    )


def to_dialogue(document: dict[str, Any], catalog: Catalog) -> Dialogue:
    """Return a document as a dialogue over the tools of its services."""
    services = document["services"]
    frames, turns = zip(*(_turn(turn) for turn in document["turns"]), strict=True)
    return Dialogue(
        id=document["dialogue_id"],
        recipe="sgd.v1",
        participants=tuple(Participant(role, role) for role in SPEAKERS.values()),
        tools=tuple(ShownTool(tool.key, tool.source) for tool in catalog.tools if tool.domain in services),
        turns=turns,
        provenance=Provenance(author="sgd", callwright="0.1.0", catalog=catalog.digest),
        annotation=SgdNotes(services=tuple(services), turns=frames),
    )


def _turn(document: dict[str, Any]) -> tuple[tuple[SgdFrame, ...], Turn]:
    frames: list[SgdFrame] = []
    steps: list[Step] = []
    for frame in document["frames"]:
        calls = "service_call" in frame
        frames.append(_frame(frame, step=len(steps) if calls else None))
        if calls:
            steps.append(_step(frame))
    return tuple(frames), Turn(SPEAKERS[document["speaker"]], document["utterance"], tuple(steps))


def _step(frame: dict[str, Any]) -> Step:
    call = frame["service_call"]
    return Step(
        calls=(Call(call["method"], encode(call["parameters"])),),
        results=(Result(value=encode(frame["service_results"])),),
    )


def _frame(frame: dict[str, Any], *, step: int | None) -> SgdFrame:
    acts = (
        ActLabel(one["act"], one["slot"], tuple(one["values"]), tuple(one["canonical_values"]))
        for one in frame["actions"]
    )
    return SgdFrame(
        service=frame["service"],
        acts=tuple(acts),
        spans=tuple(CharSpan(span["slot"], span["start"], span["exclusive_end"]) for span in frame["slots"]),
        state=_state(frame["service"], frame["state"]) if "state" in frame else None,
        step=step,
    )


def _state(service: str, state: dict[str, Any]) -> DomainState:
    return DomainState(
        domain=service,
        slots=tuple(SlotValue(slot, tuple(values)) for slot, values in state["slot_values"].items()),
        intent=state["active_intent"],
        requested=tuple(state["requested_slots"]),
    )


def to_document(dialogue: Dialogue) -> dict[str, Any]:
    """Return a dialogue in the corpus's layout."""
    notes = dialogue.annotation
    assert isinstance(notes, SgdNotes)
    turns = [
        {
            "speaker": LABELS[turn.speaker],
            "utterance": turn.text,
            "frames": [_frame_document(frame, turn) for frame in frames],
        }
        for turn, frames in zip(dialogue.turns, notes.turns, strict=True)
    ]
    return {"dialogue_id": dialogue.id, "services": list(notes.services), "turns": turns}


def _frame_document(frame: SgdFrame, turn: Turn) -> dict[str, Any]:
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
        document["service_call"] = {"method": call.tool, "parameters": call.values}
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

        assert to_document(dialogue) == document


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

    assert to_document(to_dialogue(document, Catalog(tools=()))) == document


def test_calls_are_calls(shared_data: Path) -> None:
    """A service call is a call of a tool that the dialogue shows, with parameters the tool has."""
    folder = shared_data / "sgd" / "dev"
    catalog = to_catalog(read(folder / "schema.json"))
    dialogue = to_dialogue(read(folder / "dialogues_001.json")[0], catalog)
    (call,) = dialogue.turns[5].calls

    (tool,) = (catalog.by_key[shown.key] for shown in dialogue.tools if shown.name == call.tool)

    assert call.tool == "ReserveRestaurant"
    assert call.values["time"] == "11:30"
    assert set(call.values) <= set(tool.properties)
    assert set(tool.required) <= set(call.values)

"""MultiWOZ 2.1 in our records, and back without loss."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from callwright.papers.fnctod.domain_functions import domain_tools, multiwoz_services
from callwright.papers.fnctod.multiwoz_reader import dialogue_21
from callwright.records.annotations.state_notes import StateNotes
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Dialogue, Turn
from callwright.records.dialogue_state import ActLabel, DomainState
from callwright.records.jsontext import decode


@pytest.fixture(scope="module")
def corpus(shared_data: Path) -> dict[str, Any]:
    """The validation part: dialogue id to document."""
    with zipfile.ZipFile(shared_data / "multiwoz" / "val_2.1.json.zip") as archive:
        documents: dict[str, Any] = json.loads(archive.read("val.json"))
    assert documents
    return documents


def to_dialogue(name: str, document: dict[str, Any]) -> Dialogue:
    """Return a document as a dialogue; the state that stands in a system turn moves to the user turn before it."""
    return dialogue_21(name, document, domain_tools(multiwoz_services()), where=name)


def to_document(dialogue: Dialogue) -> dict[str, Any]:
    """Return a dialogue in the corpus's layout."""
    notes = dialogue.annotation
    assert isinstance(notes, StateNotes)
    assert notes.goal is not None
    states = [labels.states for labels in notes.turns]
    log = [
        {
            "text": turn.text,
            "metadata": {state.domain: _metadata(state) for state in (states[at - 1] if at % 2 else ())},
            "dialog_act": _dialog_act(labels.acts),
            "span_info": [[span.act, span.slot, span.value, span.first, span.last] for span in labels.spans],
        }
        for at, (turn, labels) in enumerate(zip(dialogue.turns, notes.turns, strict=True))
    ]
    return {"goal": decode(notes.goal), "log": log}


def _metadata(state: DomainState) -> dict[str, Any]:
    return {
        "semi": {slot.slot: "".join(slot.values) for slot in state.slots},
        "book": {
            "booked": [decode(one) for one in state.booked],
            **{slot.slot: "".join(slot.values) for slot in state.booking},
        },
    }


def _dialog_act(acts: tuple[ActLabel, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for act in acts:
        found.setdefault(act.act, []).append([act.slot, act.values[0]])
    return found


def test_one_dialogue_reads_as_it_should(corpus: dict[str, Any]) -> None:
    """The first dialogue: who says what, and what is known after each user turn."""
    dialogue = to_dialogue("PMUL1635", corpus["PMUL1635"])
    notes = dialogue.annotation

    assert dialogue.turns[0] == Turn("user", "I need to book a hotel in the east that has 4 stars .")
    assert isinstance(notes, StateNotes)
    (hotel,) = (state for state in notes.turns[0].states if state.domain == "hotel")
    filled = {slot.slot: slot.values for slot in hotel.slots if slot.values not in ((), ("not mentioned",))}
    assert filled == {"area": ("east",), "stars": ("4",)}
    assert notes.turns[0].acts[0] == ActLabel("Hotel-Inform", "Area", ("east",))
    assert notes.turns[1].states == ()


def test_nothing_is_lost(corpus: dict[str, Any]) -> None:
    """Every dialogue of the validation part comes back equal, through a line of JSON."""
    for name, document in corpus.items():
        line = to_line(to_dialogue(name, document))

        again = from_line(line, Dialogue, where=name)

        assert again.id == name
        assert to_document(again) == document

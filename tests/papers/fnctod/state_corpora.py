"""Tiny corpora of state tracking for tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from callwright.papers.fnctod.multiwoz_reader import MultiwozReadOptions, read
from callwright.papers.paper import Corpus


def hotel(semi: dict[str, str] | None = None, book: dict[str, str] | None = None) -> dict[str, Any]:
    return {"semi": semi or {}, "book": {"booked": [], **(book or {})}}


def train(semi: dict[str, str]) -> dict[str, Any]:
    return {"semi": semi, "book": {"booked": []}}


def turn(text: str, metadata: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"text": text, "metadata": metadata or {}, "dialog_act": {}, "span_info": []}


def document(*states: dict[str, Any]) -> dict[str, Any]:
    """Return one dialogue with these states, one a user turn."""
    log = []
    for at, state in enumerate(states):
        log += [turn(f"user says {at}"), turn(f"system says {at}", state)]
    return {"goal": {"hotel": {"info": {}}}, "log": log}


THREE = document(
    {"hotel": hotel({"area": "east", "name": "not mentioned"})},
    {"hotel": hotel({"area": "east", "parking": "yes"}, {"day": "monday"}), "train": train({"leaveAt": "after 9:15"})},
    {"hotel": hotel({"area": "dontcare"}), "train": train({"leaveAt": "09:15"})},
)
"""Hotel; hotel and train; a change, two slots taken back and the same time in other words."""


def corpus(folder: Path, *documents: dict[str, Any]) -> Corpus:
    path = folder / "corpus.json"
    path.write_text(json.dumps({f"D{at}": one for at, one in enumerate(documents)}))
    return read(path, MultiwozReadOptions())

"""Outputs of systems that never were: recorded responses and states in the shapes of published ones, with faults."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from random import Random
from typing import Any

Data = dict[str, Any]

SLOTS = ("name", "phone", "address", "postcode", "reference", "id", "trainid", "time", "choice", "area", "price range")
SHAPES = (
    "[{domain}_{slot}]",
    "[{domain} {slot}]",
    "[value_{slot}]",
    "[value {slot}]",
    "[{slot}]",
    "[{slot}]s",
    "[{domain}_{slot}]-s",
    "[{domain}_{slot}] -s",
    "[value_{slot}]es",
    "[{domain}]",
    "[moon_{slot}]",
    "[ {slot} ]",
    "[{slot}",
)
SLOT_SHAPES = {
    "arriveBy": ("arriveBy", "arrive by", "arrive", "arriveby"),
    "leaveAt": ("leaveAt", "leave at", "leave", "LeaveAt"),
    "pricerange": ("pricerange", "price range", "PriceRange"),
}
SAID = (
    "there are",
    "i would recommend",
    ", which is",
    "cheap-ly priced places -s",
    "it 's",
    "Booking was",
    ".",
    "?",
    "&",
)
OTHER_VALUES = {
    "area": ("centre", "west", "dontcare", "do n't care", "not mentioned", ""),
    "food": ("english", "asian or oriental", "italain", "chinese", "indian", " British"),
    "name": ("the junction", "nando's", "caffee uno", "alexander bed & breakfast", "pizza hut cit", "acorn house", ""),
    "type": ("guest house", "mutliple sports", "night club", "museum", "hotel"),
    "departure": ("cambridge", "london kings cros", "stansted", "ely"),
    "destination": ("cambridge", "london liverpool street", "birmingham new st", "norwich"),
    "arriveBy": ("1715", "17 : 15", "by 9:15", "5 pm", "after 9", "lunch", "24:10", "soon", "dontcare", "9:15."),
    "leaveAt": ("0930", "after 12:15", "10:15 a.m.", "7", "morning", "", "afer 5 pm", "dont care"),
    "parking": ("free", "yes", "no"),
    "internet": ("free", "no"),
    "stars": ("4", "3", "dontcare", 4),
    "pricerange": ("cheap", "moderate", "expensive"),
    "day": ("monday", "sunday", "friday"),
}


def multiwoz(shared_data: Path) -> tuple[Data, Data]:
    """Return the dialogues of the test part, and the rows of the database by domain."""
    folder = shared_data / "multiwoz"
    with zipfile.ZipFile(folder / "test_2.1.json.zip") as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".json")]
        data = json.loads(archive.read(name))
    names = ("restaurant", "hotel", "attraction", "train")
    return data, {name: json.loads((folder / "db" / f"{name}_db.json").read_text()) for name in names}


def outputs_of(data: Data, rng: Random) -> Data:
    """Return outputs for some of the dialogues, with missing and surplus dialogues, turns, states and domains."""
    has_states, domains = rng.random() < 0.8, sorted(next(iter(data.values()))["log"][1]["metadata"])
    outputs: Data = {}
    for name, dialogue in data.items():
        if rng.random() < 0.05:
            continue
        metadata = [turn["metadata"] for turn in dialogue["log"][1::2]]
        if rng.random() < 0.05:
            metadata = metadata[: rng.randrange(len(metadata) + 1)]
        elif rng.random() < 0.05:
            metadata = [*metadata, *metadata[-2:]]
        state: Data = {}
        turns = []
        for gold in metadata:
            state = _state(gold, state, rng)
            domain = rng.choice([*state, *domains] if rng.random() < 0.3 or not state else list(state))
            turn = {"response": _response(domain, rng), "active_domains": _active(domain, domains, rng)}
            turns.append({**turn, "state": state} if has_states else turn)
        outputs[_id(name, rng)] = turns
    if rng.random() < 0.3:
        outputs["SNG99999.json"] = [{"response": "[name] [phone]", "state": {}, "active_domains": ["hotel"]}]
    return outputs


def _id(name: str, rng: Random) -> str:
    plain = name.removesuffix(".json")
    return rng.choice((plain.lower(), plain.lower(), plain, f"{plain.lower()}.json", name))


def _active(domain: str, domains: list[str], rng: Random) -> list[str]:
    return [] if rng.random() < 0.1 else [domain] if rng.random() < 0.8 else rng.sample(domains, 2)


def _response(domain: str, rng: Random) -> str:
    words = []
    for _ in range(rng.randrange(1, 7)):
        words.append(rng.choice(SAID))
        if rng.random() < 0.8:
            shape = rng.choice(SHAPES[:3] if rng.random() < 0.7 else SHAPES)
            slot = rng.choice(SLOTS[:6] if rng.random() < 0.7 else SLOTS)
            text = shape.format(domain=domain, slot="id" if domain == "train" and slot == "name" else slot)
            words.append(text.upper() if rng.random() < 0.1 else text)
    return " ".join(words)


def _state(gold: Data, before: Data, rng: Random) -> Data:
    """Return gold values in other spellings, some wrong, some lost, some as they were before."""
    if rng.random() < 0.1:
        return before
    state: Data = {}
    for domain, parts in gold.items():
        slots = {}
        for slot, value in {**parts["semi"], **parts["book"]}.items():
            if slot == "booked" or (value in ("", "not mentioned") and rng.random() < 0.97) or rng.random() < 0.05:
                continue
            other = rng.random() < 0.05 and slot in OTHER_VALUES
            shape = rng.choice(SLOT_SHAPES.get(slot, (slot,)))
            slots[shape] = rng.choice(OTHER_VALUES[slot]) if other else value.split("|")[0]
        if slots or rng.random() < 0.03:
            state[domain] = slots
    return dict(sorted(state.items(), key=lambda _: rng.random())) if rng.random() < 0.2 else state

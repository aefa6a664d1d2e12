"""MultiWOZ 2.1 in ConvLab-2's layout, as far as goals are scored: goals, bookings, gold states.

`{dialogue: {"goal": {domain: {...}}, "log": [turn, ...]}}`. User and system turns take turns; the state after a user
turn stands in the `metadata` of the system turn that follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from callwright.errors import BadInput
from callwright.formats import archive
from callwright.papers.fnctod.canonical_values import UNCONSTRAINED, Scalar, State, canonical_slot, canonical_state
from callwright.papers.fnctod.goal_success import REFERENCE, REQUESTABLE, DomainGoal
from callwright.papers.fnctod.placeholder_text import DOMAINS
from callwright.records.jsontext import Json

UNFILLED: Final = frozenset(("", "not mentioned", "none"))
"""Texts of the annotation where a slot has no value."""


class GoalDialogue(NamedTuple):
    """The facts of a dialogue before a system is scored on it; the tuples have one entry a system turn."""

    goal: Mapping[str, DomainGoal]
    booked: tuple[frozenset[str], ...]
    states: tuple[State, ...]
    """Gold states without values that constrain nothing."""


def read_goals(path: Path) -> dict[str, GoalDialogue]:
    """Return the dialogues of a file, plain or zipped, by id. Raises BadInput, with file, dialogue and turn."""
    return {plain_id(name): _dialogue(one, f"{path}: {name}") for name, one in documents(path).items()}


def documents(path: Path) -> dict[str, Json]:
    """Return the dialogues of a file as they stand in it. Raises BadInput for a file of another layout."""
    found = archive.load(path)
    if not isinstance(found, dict) or not found:
        raise BadInput(
            f"{path}: expected an object of dialogues by id. Give a file of MultiWOZ 2.1, such as test.json."
        )
    return found


def plain_id(name: str) -> str:
    """Return a dialogue's id as recorded outputs write it."""
    return name.lower().removesuffix(".json")


def _dialogue(one: Json, where: str) -> GoalDialogue:
    log = one.get("log") if isinstance(one, dict) else None
    if not isinstance(log, list) or not isinstance(one.get("goal"), dict):
        raise BadInput(f"{where}: no `goal` and `log`. Give a file of MultiWOZ 2.1.")
    if len(log) % 2:
        raise BadInput(f"{where}: {len(log)} turns; the last has no reply. Remove it, or add the reply.")
    known = [metadata_of(turn, f"{where}, turn {at}") for at, turn in enumerate(log) if at % 2]
    return GoalDialogue(
        goal=goals_of(one["goal"], where),
        booked=tuple(frozenset(name for name, one in turn.items() if one["book"].get("booked")) for turn in known),
        states=tuple(_gold_state(domains) for domains in known),
    )


def goals_of(goal: Json, where: str) -> dict[str, DomainGoal]:
    """Return what the user wants in each domain. Raises BadInput."""
    if not isinstance(goal, dict):
        raise BadInput(f"{where}, goal: expected an object by domain. Give a file of MultiWOZ 2.1.")
    return {name: _goal(goal[name], f"{where}, goal") for name in DOMAINS if goal.get(name)}


def metadata_of(turn: Json, where: str) -> dict[str, Json]:
    """Return the domains of a system turn's state, each with `semi` and `book`. Raises BadInput."""
    domains = turn.get("metadata") if isinstance(turn, dict) else None
    if not isinstance(domains, dict):
        raise BadInput(f"{where}: no `metadata`. Give a file of MultiWOZ 2.1.")
    for name, part in domains.items():
        if not isinstance(part, dict) or not all(isinstance(part.get(key), dict) for key in ("semi", "book")):
            raise BadInput(f"{where}, {name}: no `semi` and `book`. Give a file of MultiWOZ 2.1.")
    return domains


def _gold_state(domains: Mapping[str, Json]) -> State:
    """Return the filled slots of a turn; slots of a booking are named as in version 2.2, `bookday`."""
    state: State = {}
    for name, part in domains.items():
        booking = {f"book{slot}": value for slot, value in part["book"].items() if slot != "booked"}
        if filled := {slot: first for slot, value in {**part["semi"], **booking}.items() if (first := _filled(value))}:
            state[name] = dict[str, Scalar](filled)
    return canonical_state(state)


def _filled(value: Json) -> str:
    """Return the first of the accepted values; empty for one that is no constraint."""
    first: str = value.split("|")[0].strip() if isinstance(value, str) else ""
    return "" if first in UNFILLED or first in UNCONSTRAINED else first


def _goal(wanted: Json, where: str) -> DomainGoal:
    if not isinstance(wanted, dict):
        raise BadInput(f"{where}: a domain that is no object. Give a file of MultiWOZ 2.1.")
    info, reqt = wanted.get("info") or {}, wanted.get("reqt") or []
    if not isinstance(info, dict) or not isinstance(reqt, list):
        raise BadInput(f"{where}: `info` is no object or `reqt` is no list. Give a file of MultiWOZ 2.1.")
    asked = frozenset(REQUESTABLE[name] for slot in reqt if (name := canonical_slot(str(slot))) in REQUESTABLE)
    return DomainGoal(
        {canonical_slot(slot): value.lower() if isinstance(value, str) else None for slot, value in info.items()},
        asked | {REFERENCE} if wanted.get("book") else asked,
    )

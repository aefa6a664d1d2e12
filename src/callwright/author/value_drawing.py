"""Gold values: arguments for one call that fit the tool's schema, the person who calls, the day, and one another.

Order of trust for each parameter: its schema (constant, choices, pattern, examples, format, bounds), then the words of
its name and description, which choose a list or a range. All random choices come from the given generator.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from random import Random

import msgspec

from callwright.author.value_days import edge_of
from callwright.author.value_makers import maker_of
from callwright.author.value_scene import Scene
from callwright.author.value_subject import Maker, Subject, ordered_pairs, put_in_order, subject_of
from callwright.errors import RolloutFailed
from callwright.lang.kinds import Kind
from callwright.lang.schemas import name_words
from callwright.match.schema import conforms
from callwright.records.jsontext import Json, encode
from callwright.records.persona import Persona
from callwright.records.tool import Tool

ATTEMPTS = 6
"""Draws before a tool is given up."""


class DrawnSlot(msgspec.Struct, frozen=True):
    """One parameter and how its value is drawn."""

    name: str
    kind: Kind
    make: Maker
    is_required: bool
    is_end: bool
    """True for what lies after something else: an end, a maximum, a target."""


class Plan(msgspec.Struct, frozen=True):
    """The parameters of a tool, beginnings before ends, and the pairs that must keep an order."""

    slots: tuple[DrawnSlot, ...]
    order: tuple[str, ...]
    """Parameter names as the schema has them: drawn values are given in this order."""
    pairs: tuple[tuple[str, str], ...]
    """(smaller, larger) names of numbers and times."""


def draw_values(
    rng: Random, tool: Tool, persona: Persona, *, today: date, optional_share: float = 0.0
) -> dict[str, Json]:
    """Return arguments for one call of `tool` by `persona` on `today`: all required parameters, consistent and valid.

    Each optional parameter that people would say joins with probability `optional_share`.

    Raises RolloutFailed (`values`, `author`) when no valid arguments can be drawn.
    """
    plan = _plan(tool)
    for _ in range(ATTEMPTS):
        values = _draw(rng, plan, Scene(rng, persona, today), optional_share)
        if conforms(encode(values), tool):
            return values
    raise RolloutFailed(
        f"no valid values could be drawn for {tool.name!r} in {ATTEMPTS} attempts; its schema may contradict itself",
        kind="values",
        role="author",
    )


def _draw(rng: Random, plan: Plan, scene: Scene, optional_share: float) -> dict[str, Json]:
    values: dict[str, Json] = {}
    for slot in plan.slots:
        if slot.is_required or (optional_share > 0 and rng.random() < optional_share):
            values[slot.name] = _distinct(slot, scene, values)
    put_in_order(values, plan.pairs)
    return {name: values[name] for name in plan.order if name in values}


_MAY_REPEAT = frozenset({"boolean", "enum", "count", "percent", "object", "number", "person", "country"})


def _distinct(slot: DrawnSlot, scene: Scene, values: dict[str, Json]) -> Json:
    """Two parameters of one call do not hold the same name, code or day, or nobody could tell them apart."""
    value = slot.make(scene)
    if slot.kind in _MAY_REPEAT:
        return value
    for _ in range(5):
        if value not in values.values():
            break
        value = slot.make(scene)
    return value


_UNSAID = frozenset({"object", "list", "other"})


@lru_cache(maxsize=16384)
def _plan(tool: Tool) -> Plan:
    about = f"{' '.join(name_words(tool.name))} {tool.description[:300]}".lower()
    subjects = [subject_of(name, schema, about=about) for name, schema in tool.properties.items()]
    slots = [
        DrawnSlot(s.name, s.kind, maker_of(s), s.name in tool.required, _is_later(s))
        for s in subjects
        if s.name in tool.required or s.kind not in _UNSAID
    ]
    ordered = tuple(sorted(slots, key=lambda slot: slot.is_end))
    return Plan(ordered, tuple(slot.name for slot in slots), ordered_pairs(subjects))


_LATER = frozenset({"max", "maximum", "highest", "total", "target"})


def _is_later(subject: Subject) -> bool:
    return edge_of(subject.words) == "end" or bool(_LATER & set(subject.words))

"""Gold values: arguments for one call that fit the tool's schema, the person who calls, the day, and one another.

Order of trust for each parameter: its schema (constant, choices, pattern, examples, format, bounds), then the words of
its name and description, which choose a list or a range. All random choices come from the given generator.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from random import Random

import msgspec

from callwright.author.opposite_values import TELLS_WHICH, are_opposites
from callwright.author.repeated_values import repeated_in_path
from callwright.author.required_values import required_paths
from callwright.author.value_days import edge_of
from callwright.author.value_makers import maker_of
from callwright.author.value_scene import NO_FORMS, Scene
from callwright.author.value_subject import Maker, Subject, ordered_pairs, put_in_order, slot_subject
from callwright.catalog.slots import assemble, slots
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
    """One value and how it is drawn."""

    path: str
    kind: Kind
    make: Maker
    is_end: bool
    """True for what lies after something else: an end, a maximum, a target."""
    opposites: tuple[str, ...] = ()
    """Paths of what it must differ from: the account that a transfer comes from."""
    otherwise: Maker | None = None
    """Draws another value where the document's examples are too few to differ."""


class Plan(msgspec.Struct, frozen=True):
    """The values of a call, beginnings before ends, and the pairs that must keep an order."""

    slots: tuple[DrawnSlot, ...]
    pairs: tuple[tuple[str, str], ...]
    """(smaller, larger) paths of numbers and times."""
    copies: tuple[tuple[str, str], ...]
    """(path, path of what it repeats): a body tells again which thing its address names."""


def draw_values(
    rng: Random,
    tool: Tool,
    persona: Persona,
    *,
    today: date,
    also: Sequence[str] = (),
    ids: Mapping[str, str] = NO_FORMS,
) -> dict[str, Json]:
    """Return arguments for one call of `tool` by `persona` on `today`, consistent and valid.

    They hold all that a call needs, and the values `also` (paths of `catalog.slots`) with what these need beside them.
    Identifiers without a form of their own look like `ids` (`value_ids.id_forms`).

    Raises RolloutFailed (`values`, `author`) when no valid arguments can be drawn.
    """
    paths = (*required_paths(tool), *also)
    known = slots(tool)
    plan = _plan(tool, tuple(path for path in dict.fromkeys((*paths, *required_paths(tool, paths))) if path in known))
    for _ in range(ATTEMPTS):
        values = assemble(tool, _draw(plan, Scene(rng, persona, today, ids)))
        if conforms(encode(values), tool):
            return values
    raise RolloutFailed(
        f"no valid values could be drawn for {tool.name!r} in {ATTEMPTS} attempts; its schema may contradict itself",
        kind="values",
        role="author",
    )


def _draw(plan: Plan, scene: Scene) -> dict[str, Json]:
    values: dict[str, Json] = {}
    of_words: dict[tuple[str, ...], Json] = {}
    for slot in sorted(plan.slots, key=lambda slot: slot.is_end):
        made = _distinct(slot, scene, values)
        values[slot.path] = of_words.setdefault((slot.kind, *name_words(slot.path)), made)  # `userName`, `user_name`
    put_in_order(values, plan.pairs)
    values |= {path: values[of] for path, of in plan.copies if type(values[path]) is type(values[of])}
    return {slot.path: values[slot.path] for slot in plan.slots}


_MAY_REPEAT = frozenset({"boolean", "enum", "count", "percent", "object", "number", "person", "country"})


def _distinct(slot: DrawnSlot, scene: Scene, values: dict[str, Json]) -> Json:
    """Two parameters of one call do not hold the same name, code or day, or nobody could tell them apart."""
    value = slot.make(scene)
    if slot.kind not in _MAY_REPEAT:
        for _ in range(5):
            if value not in values.values():
                break
            value = slot.make(scene)
    opposites = [values[path] for path in slot.opposites if path in values]
    return _another(slot.otherwise, scene, opposites) if slot.otherwise and value in opposites else value


def _another(make: Maker, scene: Scene, taken: Sequence[Json]) -> Json:
    """Draw a value of another place and other people."""
    persona = msgspec.structs.replace(scene.persona, country="")
    drawn = (make(Scene(scene.rng, persona, scene.today, scene.ids)) for _ in range(_TRIES))
    return next((value for value in drawn if value not in taken), taken[0])


_TRIES = 30


@lru_cache(maxsize=65536)
def _plan(tool: Tool, paths: tuple[str, ...]) -> Plan:
    by_path = slots(tool)
    subjects = [slot_subject(by_path[path], tool) for path in paths]
    drawn = [_drawn(path, subject, paths) for path, subject in zip(paths, subjects, strict=True)]
    named = [subject._replace(name=path) for path, subject in zip(paths, subjects, strict=True)]
    copies = ((path, repeated_in_path(by_path[path], tool)) for path in paths)
    return Plan(tuple(drawn), ordered_pairs(named), tuple((path, of) for path, of in copies if of in paths))


def _drawn(path: str, subject: Subject, paths: Sequence[str]) -> DrawnSlot:
    against = tuple(one for one in paths if are_opposites(path, one)) if subject.kind in TELLS_WHICH else ()
    free = {key: value for key, value in subject.schema.items() if key not in ("example", "examples", "default")}
    otherwise = maker_of(subject._replace(schema=free)) if against else None
    return DrawnSlot(path, subject.kind, maker_of(subject), _is_later(subject), against, otherwise)


_LATER = frozenset({"max", "maximum", "highest", "total", "target"})


def _is_later(subject: Subject) -> bool:
    return edge_of(subject.words) == "end" or bool(_LATER & set(subject.words))


def untagged(value: Json) -> Json:
    """Return a text without the tags around it, which nobody says; other values as they are.

    >>> untagged("<p>Please check.</p>"), untagged("a < b")
    ('Please check.', 'a < b')
    """
    found = _TAGGED.fullmatch(value) if isinstance(value, str) else None
    return found[2] if found else value


_TAGGED = re.compile(r"<(\w+)>([^<>]+)</\1>")

"""What a result repeats: arguments of the call in the fields that mean the same, and what is known of a thing.

task_id "12045"                  `id` of the task, `task_id`, `task.id`
project_id "7"                   `project_id`, `project.id`, `project` of the task, also of each listed task
status "open" of a list          the status of each item
due_date, new_due_date           `due_date`, written as the field writes days
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from callwright.environment.tool_target import WRAPPERS, ToldPlace, ToolTarget, own_field, told_places
from callwright.lang.dates import parse_moment
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words, singular
from callwright.lang.tokens import stem
from callwright.records.jsontext import Json

_OF_ONE = frozenset("name title text description subject message query id key number".split())
"""Words of fields that differ between the items of a list, whatever the list was asked for by."""
_CHANGED = frozenset(("new", "updated", "changed"))


class Edit(NamedTuple):
    """A field that holds what is known instead of what was drawn."""

    place: dict[str, Json]
    name: str
    value: Json


def echoes(target: ToolTarget, arguments: Mapping[str, Json], value: Json) -> Iterator[Edit]:
    """Yield what a result repeats of the call's arguments."""
    given = given_fields(target, arguments)
    asked: dict[tuple[str, ...], Json] = {_plain_words(name): one for name, one in given.items()}
    named: dict[tuple[str, ...], Json] = {
        words[1:]: one for words, one in asked.items() if len(words) == 2 and stem(words[0]) == stem(target.noun)
    }
    owners = {words[:-1]: one for words, one in asked.items() if len(words) > 1 and words[-1] in ID_WORDS | {"key"}}
    for place in told_places(target, value):
        if place.role == "part":
            yield from _of_part(place, asked, owners)
            continue
        is_item = place.role == "item"
        own = own_field(place.fields, target.noun, target.own)
        for name, drawn in place.fields.items():
            words = _plain_words(name)
            if is_item and words[-1:] and words[-1] in _OF_ONE and not words[:-1]:
                continue
            known = asked.get(words, owners.get(words, None if is_item else named.get(words)))
            if name == own and not is_item and target.own:
                known = given.get(target.own)
            yield from _edit(place.fields, name, known, drawn)


def given_fields(target: ToolTarget, arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Return the arguments by name, those of a body that holds the thing beside the others."""
    found: dict[str, Json] = {}
    for name, value in arguments.items():
        if isinstance(value, dict) and (name.lower() in WRAPPERS or target.is_about(name)):
            found |= {inner: one for inner, one in value.items() if inner not in arguments}
        else:
            found[name] = value
    return found


def _of_part(
    place: ToldPlace, asked: Mapping[tuple[str, ...], Json], owners: Mapping[tuple[str, ...], Json]
) -> Iterator[Edit]:
    """What belongs to a thing repeats what was asked for by its own name: `project_id` is the `id` of `project`."""
    holder = _singular(name_words(place.holder))
    identifier = own_field(place.fields, place.holder)
    for name, drawn in place.fields.items():
        known = owners.get(holder, asked.get(holder)) if name == identifier else asked.get((*holder, *name_words(name)))
        yield from _edit(place.fields, name, known, drawn)


def remembered(fields: dict[str, Json], known: Mapping[str, Json]) -> Iterator[Edit]:
    """Yield what is known of a thing, for the fields of an object that tells of it."""
    by_words = {_plain_words(name): made for name, made in known.items()}
    for name, drawn in fields.items():
        yield from _edit(fields, name, by_words.get(_plain_words(name)), drawn)


def _edit(place: dict[str, Json], name: str, known: Json, drawn: Json) -> Iterator[Edit]:
    if isinstance(known, dict) and isinstance(drawn, dict):
        for inner, one in drawn.items():
            yield from _edit(drawn, inner, known.get(inner), one)
        return
    made = _formed(known, drawn)
    if made is not None and made != drawn:
        yield Edit(place, name, made)


def _plain_words(name: str) -> tuple[str, ...]:
    """`new_due_date`, `updatedDueDate` and `due_date` are the same field."""
    words = name_words(name)
    return words[1:] if len(words) > 1 and words[0] in _CHANGED else words


def _singular(words: tuple[str, ...]) -> tuple[str, ...]:
    return (*words[:-1], singular(words[-1])) if words else ()


def _formed(made: Json, drawn: Json) -> Json:
    """A value in the form of what was drawn for the same field; None where it cannot be had."""
    if isinstance(drawn, bool) or isinstance(made, bool):
        return made if isinstance(drawn, bool) and isinstance(made, bool) else None
    if isinstance(drawn, str) and isinstance(made, str):
        return _day_formed(made, drawn)
    if isinstance(drawn, str) and isinstance(made, int):
        return str(made)
    if isinstance(drawn, (int, float)):
        if isinstance(made, str):
            return int(made) if made.isdecimal() and len(made) < 16 else None
        return made if isinstance(made, (int, float)) else None
    if isinstance(drawn, list) and isinstance(made, list):
        return made if {type(one) for one in made} == {type(one) for one in drawn} else None
    return None


def _day_formed(made: str, drawn: str) -> str:
    """The day that was asked for, written as the field writes days."""
    written, meant = parse_moment(drawn), parse_moment(made)
    if written is None or meant is None:
        return made
    if isinstance(written, datetime):
        return made if isinstance(meant, datetime) else meant.isoformat() + drawn[10:]
    return meant.date().isoformat() if isinstance(meant, datetime) else meant.isoformat()

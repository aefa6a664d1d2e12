"""Things that calls put into another, for the list of them that this other tells: the `reactions` of a comment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from callwright.environment.echoes import Words, formed, plain_words
from callwright.environment.session_facts import MADE_BY
from callwright.environment.told_fields import BEGINS, is_moment_of, required_of
from callwright.lang.schemas import name_words, plain_schema, type_of
from callwright.records.jsontext import Json

MADE_AT: Words = ("created", "at")
"""Under what the moment is known at which a thing without an identifier was made."""


def is_within(collection: str, key: str, field: str) -> bool:
    """Whether a collection is the one that a field of the thing with an identifier tells.

    >>> is_within("/files/7/comments/3/reactions", "3", "reactions")
    True
    """
    *_, holder, things = ("", *collection.split("/"))
    return holder == key and name_words(things) == name_words(field)


def told_within(
    schema: Json, things: Iterable[Mapping[Words, Json]], caller: Mapping[Words, Json]
) -> list[Json] | None:
    """Return things as items of a list, by what is known of them and of the caller; None where that is too little."""
    item = plain_schema(plain_schema(schema).get("items"))
    made = [_item(item, known, caller) for known in things]
    whole: list[Json] = [one for one in made if one is not None]
    return whole if whole and len(whole) == len(made) else None


def _item(
    schema: Mapping[str, Json], known: Mapping[Words, Json], caller: Mapping[Words, Json]
) -> dict[str, Json] | None:
    found = schema.get("properties")
    properties = found if isinstance(found, dict) else {}
    made: dict[str, Json] = {}
    for name, one in properties.items():
        plain, words = plain_schema(one), plain_words(name)
        value = known.get(MADE_AT) if is_moment_of(name_words(name), BEGINS) else known.get(words)
        if type_of(plain) == "object" and value is None and words in MADE_BY:
            value = _item(plain, caller, {})
        told = formed(value, plain) if value is not None else None
        if told is not None:
            made[name] = told
    return made if made and set(required_of(schema)) <= made.keys() else None

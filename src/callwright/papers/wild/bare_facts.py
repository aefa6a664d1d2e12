"""What a result tells where no field of the thing looked up is worth telling: how many of what, or its first facts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from callwright.author.briefs import Known
from callwright.catalog.slots import Slot
from callwright.environment.told_results import LONGEST, is_secret
from callwright.lang.kinds import ID_WORDS, kind_of, kind_of_value
from callwright.lang.nouns import slot_noun
from callwright.lang.phrases import is_known
from callwright.lang.schemas import name_words, singular, type_of_value
from callwright.records.jsontext import Json, encode

MOST_FACTS = 2
_OF_THE_REPLY = frozenset("code cod status success message error type object ok page limit offset total format".split())
"""Last words of fields that are about the reply."""


def bare_facts(arguments: Mapping[str, Json], value: Json) -> tuple[Known, ...]:
    """Return the first fields, at any depth, that a person could be told and did not say."""
    said = {str(one) for one in arguments.values()} | set(arguments)
    found = (_known(name, one) for name, one in _leaves(value) if _is_fact(name, one, said))
    by_noun = {known.slot.noun.text: known for known in found}
    return tuple(by_noun.values())[:MOST_FACTS]


def bare_count(value: Json) -> tuple[str, int]:
    """Return the noun and the number of the first list of things at any depth; `("", 0)` where there is none."""
    for name, one in _members(value):
        if isinstance(one, list) and one and all(isinstance(item, (dict, list)) for item in one):
            words = name_words(singular(name))
            return (" ".join(words) if all(map(is_known, words)) else "result"), len(one)
    return "", 0


def bare_names(value: Json) -> tuple[tuple[str, ...], str]:
    """Return the words of the first list of short words at any depth, and the noun for one; `((), "")` without one."""
    for name, one in _members(value):
        said, noun = one if isinstance(one, list) else [], singular(name)
        if said and all(map(_is_word, said)) and all(map(is_known, name_words(noun))) and not is_secret(noun):
            return tuple(dict.fromkeys(map(str, said))), " ".join(name_words(noun))
    return (), ""


def _is_word(one: Json) -> bool:
    return isinstance(one, str) and 0 < len(one) <= LONGEST and kind_of_value(one) not in ("code", "url")


def _members(value: Json) -> Iterator[tuple[str, Json]]:
    """Yield the members of objects, outer ones first."""
    inner = list(value.items()) if isinstance(value, dict) else []
    yield from inner
    for _, one in inner:
        yield from _members(one)


def _leaves(value: Json) -> Iterator[tuple[str, Json]]:
    return ((name, one) for name, one in _members(value) if not isinstance(one, (dict, list)))


def _is_fact(name: str, value: Json, said: Collection[str]) -> bool:
    words = name_words(name)
    is_plain = isinstance(value, (str, int, float)) and not isinstance(value, bool) and 0 < len(str(value)) <= LONGEST
    is_aside = not words or words[-1] in ID_WORDS | _OF_THE_REPLY or is_secret(name) or not all(map(is_known, words))
    is_address = isinstance(value, str) and ("://" in value or "_" in value)
    return is_plain and not (is_aside or is_address) and str(value) not in said and name not in said


def _known(name: str, value: Json) -> Known:
    schema: dict[str, Json] = {"type": type_of_value(value)}
    return Known(Slot(name, slot_noun(name, ""), kind_of(name, schema), encode(schema), ""), encode(value))

"""Which items a result lists, and by what people tell them apart: their names, or a field such as a day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

import msgspec

from callwright.author.briefs import Known
from callwright.catalog.slots import Slot
from callwright.environment.fixed_fields import EACH, FixedField, leaves_of
from callwright.environment.told_outputs import Output
from callwright.environment.told_results import LONGEST, is_secret, listed_names
from callwright.environment.tool_target import target_of, told_places
from callwright.lang.dates import parse_moment
from callwright.lang.english import sentence_case
from callwright.lang.kinds import Kind, kind_of
from callwright.lang.nouns import slot_noun
from callwright.lang.schemas import name_words
from callwright.lang.surface import forms
from callwright.records.jsontext import Json, JsonText, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

_TELLING: Final[tuple[Kind, ...]] = ("title", "person", "text", "email", "city", "date", "datetime", "money")
"""Kinds of fields by which people tell items apart, where these have no names: best first."""
_FEWEST: Final = 2
_MOST: Final = 4


class ItemChoice(NamedTuple):
    """The items among which a user chooses."""

    noun: str
    """The noun for one of them."""
    by: Slot | None
    """The field that tells them apart; None where it is their name."""
    labels: tuple[JsonText, ...]
    """Values of that field as JSON text, one for each item."""
    chosen: int

    @property
    def known(self) -> Known:
        """The label of the chosen item, as a value that the user says."""
        slot = self.by or msgspec.structs.replace(_field("name"), kind="title")
        return Known(slot, self.labels[self.chosen])


def item_choice(rng: Random, tool: Tool, output: Output, value: Json) -> ItemChoice | None:
    """Return one of the two to four items that a result lists; None where nothing short tells them apart.

    `output` is the listed field that is wanted of the chosen item; it differs from item to item.
    """
    items = [place for place in told_places(target_of(tool), value) if place.role == "item"]
    wanted = [encode(resolve(value, output.pointer(at))) for at in range(len(items))]
    if not _FEWEST <= len(items) <= _MOST or len(set(wanted)) < len(items):
        return None
    chosen, (names, noun, _) = rng.randrange(len(items)), listed_names(value, items)
    if len(names) == len(items):
        return ItemChoice(noun, None, tuple(encode(name) for name in names), chosen)
    fields = [_field(name, noun) for name in items[0].fields if not is_secret(name)]
    for slot in sorted((one for one in fields if one.kind in _TELLING), key=lambda one: _TELLING.index(one.kind)):
        values = [place.fields.get(slot.name) for place in items]
        if slot.kind in ("date", "datetime"):  # people say the day, also of a moment in a field that is called a date
            slot = msgspec.structs.replace(slot, kind="date")
            values = [str(value)[:10] if isinstance(value, str) else None for value in values]
        if _tells_apart(values):
            by = None if name_words(slot.name)[-1:] == ("name",) else slot
            return ItemChoice(noun, by, tuple(encode(one) for one in values), chosen)
    return None


def _tells_apart(values: Sequence[Json]) -> bool:
    plain = all(isinstance(one, (str, int, float)) and 0 < len(str(one)) <= LONGEST for one in values)
    return plain and len({str(one) for one in values}) == len(values)


def _field(name: str, item: str = "") -> Slot:
    """A field of an item, whose own name in it is not said: `conversation_date_created` is the date it was created."""
    words, own = name_words(name), name_words(item)
    plain = slot_noun("_".join(words[len(own) :]), "") if own and own == words[: len(own)] < words else None
    noun = plain if plain is not None and plain.text.startswith(HAPPENED) else slot_noun(name, "")
    return Slot(name, noun, kind_of(" ".join(words), {"type": "string"}), encode({}), "")


HAPPENED: Final = "date it was "
"""How the noun of a day begins on which something happened."""


def label_of(known: Known) -> str:
    """Return a label in the one form that all of a choice have; no day is counted from today, or by its weekday."""
    moment = parse_moment(known.value) if known.slot.kind == "date" else None
    said = f"{moment:%-d %B}" if moment else forms(known.value, known.slot.kind)[0]
    return f'"{said}"' if known.slot.kind in ("title", "text") else said


def label_fields(choice: ItemChoice) -> dict[str, str]:
    """Return the chosen item in words, for a phrase: `it`, `It`."""
    said = label_of(choice.known)
    if choice.by is None:
        it = said
    elif act := choice.by.noun.text.partition(HAPPENED)[2]:
        it = f"the one {act} on {said}"
    else:
        it = f"the one with the {choice.by.noun.text} {said}"
    return {"it": it, "It": sentence_case(it)}


def shown_labels(choice: ItemChoice) -> tuple[str, ...]:
    """Return what the items go by, without quotes."""
    return tuple(label_of(Known(choice.known.slot, one)).strip('"') for one in choice.labels)


def choice_fields(choice: ItemChoice, output: Output, value: Json) -> Iterator[FixedField]:
    """Yield the fields by which the items of a result go, each in its place."""
    last = len(output.path) - output.path[::-1].index(EACH)
    for at, label in enumerate(choice.labels):
        item = msgspec.structs.replace(output, path=output.path[:last]).pointer(at)
        for path, leaf in leaves_of(resolve(value, item), item):
            if encode(leaf) == label or (isinstance(leaf, str) and encode(leaf[: len("2026-03-04")]) == label):
                yield FixedField(path, leaf, is_needed=True)


def choice_fault(choice: ItemChoice, tool: Tool, output: Output, value: Json) -> str:
    """Return how another result of the tool has other items to choose from; empty where it has the same."""
    found = item_choice(Random(0), tool, output, value)
    if found is not None and (found.by, found.labels) == (choice.by, choice.labels):
        return ""
    return f"the list must have these items and no others, in this order: {'; '.join(shown_labels(choice))}"

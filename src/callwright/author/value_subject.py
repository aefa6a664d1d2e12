"""The input of a maker of values: a parameter, its kind, and the words on its meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from callwright.author.value_scene import Scene
from callwright.catalog.slots import Slot
from callwright.catalog.thing_nouns import thing_noun
from callwright.lang.kinds import Kind, kind_of
from callwright.lang.schemas import name_words, plain_schema
from callwright.lang.tokens import stem
from callwright.lang.verbs_of_acts import CHANGES, CREATES
from callwright.records.jsontext import Json, decode
from callwright.records.tool import Tool

Maker = Callable[[Scene], Json]
"""Draws one value in a scene."""


class Subject(NamedTuple):
    """A parameter, and the text of its tool, from which a maker is built."""

    name: str
    schema: dict[str, Json]
    kind: Kind
    words: tuple[str, ...]
    described: str
    about: str
    """The tool's act in small letters: the words of its name, and its description or the beginning of that."""
    depth: int
    thing: str
    """The noun of what the tool acts on, if known."""

    @property
    def gist(self) -> str:
        """The first sentence of the description."""
        return self.described.split(". ")[0].partition("\n")[0][:120]


def subject_of(name: str, schema: Json, *, about: str, depth: int = 0, thing: str = "") -> Subject:
    """Return a parameter with its kind and the words that tell what it is about."""
    plain = plain_schema(schema)
    text = plain.get("description")
    described = text.lower() if isinstance(text, str) else ""
    return Subject(name, plain, kind_of(name, plain), name_words(name), described, about, depth, thing)


def slot_subject(slot: Slot, tool: Tool) -> Subject:
    """Return the parameter of a tool as what its values are made for."""
    about = f"{' '.join(name_words(tool.name))} {tool.description[:300].split('. ')[0]}".lower()
    subject = subject_of(slot.label, decode(slot.schema), about=about, thing=_thing(tool))
    return subject._replace(kind=slot.kind)


def _thing(tool: Tool) -> str:
    """Return the noun of what the tool acts on, without verbs and without words that only its description has."""
    said = thing_noun(tool).split()
    named = {stem(word) for word in name_words(f"{tool.name}_{tool.source}") if word not in CREATES | CHANGES}
    return " ".join([word for word in said[:-1] if stem(word.lower()) in named] + said[-1:])


_LESSER = {"min": "max", "minimum": "maximum", "lowest": "highest", "start": "end", "from": "to", "tax": "total",
           "subtotal": "total", "deposit": "total", "after": "before", "lower": "upper", "first": "last",
           "created": "updated", "create": "change", "creation": "modification"}  # fmt: skip
_ORDERED = frozenset({"count", "number", "money", "percent", "time", "year", "date", "datetime"})


def put_in_order(values: dict[str, Json], pairs: Sequence[tuple[str, str]]) -> None:
    """Swap the values of each pair (smaller, larger) that stand the wrong way round."""
    for low, high in pairs:
        if low in values and high in values and values[low] > values[high]:
            values[low], values[high] = values[high], values[low]


def ordered_pairs(subjects: Sequence[Subject]) -> tuple[tuple[str, str], ...]:
    """Return (smaller, larger) names that differ in one word, as `min_fee` and `max_fee`, or are a part and a total."""
    found: list[tuple[str, str]] = []
    for low in subjects:
        for word in low.words:
            high_word = _LESSER.get(word)
            if high_word is None or low.kind not in _ORDERED:
                continue
            wanted = {high_word if part == word else part for part in low.words}
            last = {"stop" if part == "end" else part for part in wanted}
            found += [
                (low.name, high.name)
                for high in subjects
                if high.kind == low.kind
                and _is_comparable(low, high)
                and (set(high.words) in (wanted, last) or (high_word == "total" and "total" in high.words))
            ]
    return tuple(found)


def _is_comparable(low: Subject, high: Subject) -> bool:
    """Only values written alike can be compared and swapped."""
    return low.schema.get("type") == high.schema.get("type") and low.schema.get("format") == high.schema.get("format")

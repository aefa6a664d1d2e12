"""The texts of a field that criteria compare: a short phrase, a description, and the keywords of its tool.

They are made from the documents: the phrase from the field's name and what it belongs to (`file id`), keywords from
the words of the tool's name and description that are rarest in the catalogue. What a model wrote takes their place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from callwright.environment.tool_target import target_of
from callwright.graph.graph_fields import GraphField, ToolFields
from callwright.graph.identities import owner_words
from callwright.lang.schemas import name_words
from callwright.lang.tokens import STOP_WORDS, identifier_words, words
from callwright.records.tool import Tool

MOST_KEYWORDS: Final = 4
_MOST_WORDS: Final = 7
_LONGEST: Final = 600
"""Characters of a description that count."""


class FieldWords(msgspec.Struct, frozen=True):
    """The texts of a field that a model wrote."""

    description: str
    phrase: str


class ToolWords(msgspec.Struct, frozen=True):
    """What a model wrote of a tool; a text that it lacks is that of the document."""

    keywords: tuple[str, ...] = ()
    fields: dict[str, FieldWords] = {}
    """By `field_key`."""


NO_WORDS: Final[Mapping[int, ToolWords]] = MappingProxyType({})


def field_key(field: GraphField, *, is_output: bool) -> str:
    """Return what a field of its tool is called: `returns /orders/0/id`, `takes order_id`."""
    return f"{'returns' if is_output else 'takes'} {field.place}"


class FieldText(NamedTuple):
    """The texts of one field that criteria compare."""

    name: str
    """Phrase, lower-cased."""
    description: str
    keywords: str
    """Description and keywords, one text."""


class FieldTexts(NamedTuple):
    """The texts of all fields of a catalogue, in their order."""

    outputs: tuple[FieldText, ...]
    inputs: tuple[FieldText, ...]


def texts_of(fields: ToolFields, written: Mapping[int, ToolWords] = NO_WORDS) -> FieldTexts:
    """Return the texts of a catalogue's fields; `written` is what a model wrote, by the positions of tools."""
    keywords = keywords_of(fields.tools)

    def told(those: Sequence[GraphField], *, is_output: bool) -> tuple[FieldText, ...]:
        found = (_text(one, fields.tools[one.tool], keywords[one.tool], is_output=is_output) for one in those)
        return tuple(
            _with_words(text, written[one.tool], field_key(one, is_output=is_output)) if one.tool in written else text
            for one, text in zip(those, found, strict=True)
        )

    return FieldTexts(told(fields.outputs, is_output=True), told(fields.inputs, is_output=False))


def _with_words(text: FieldText, written: ToolWords, key: str) -> FieldText:
    own = written.fields.get(key, FieldWords(text.description, text.name))
    keywords = " ".join(written.keywords) or text.keywords.removeprefix(text.description).strip()
    return FieldText(own.phrase.lower(), own.description, f"{own.description} {keywords}".strip())


def _text(field: GraphField, tool: Tool, keywords: str, *, is_output: bool) -> FieldText:
    own = [word for word in name_words(field.name) if not word.isdigit()]
    owner = owner_words(field, tool, is_output=is_output) if len(own) < 2 else ()
    phrase = " ".join([*owner, *own][-_MOST_WORDS:]).lower()
    description = " ".join(field.description.split())[:_LONGEST] or f"{phrase} of {' '.join(target_of(tool).named)}"
    return FieldText(phrase, description, f"{description} {keywords}".strip())


def keywords_of(tools: Sequence[Tool]) -> tuple[str, ...]:
    """Return for each tool at most four words of its name and description, the rarest of the catalogue first."""
    told = [
        [word for word in (*identifier_words(tool.name), *words(tool.description[:_LONGEST])) if _tells(word)]
        for tool in tools
    ]
    frequency = Counter(word for one in told for word in set(one))
    return tuple(
        " ".join(sorted(dict.fromkeys(one), key=lambda word: (frequency[word], word))[:MOST_KEYWORDS]) for one in told
    )


def _tells(word: str) -> bool:
    return word not in STOP_WORDS and not word.isdigit() and len(word) > 1

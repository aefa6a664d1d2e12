"""The surface counter: which utterance mentions which item of the gold calls, by rules over words.

An item is the name of a call or one of its arguments, keyed by task, call and parameter, so a value that is needed
twice counts twice. Values are found in every form in which people say them; of a long text half of its words must
stand in the utterance, and of a name half of the words it is spelt with.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from callwright.lang.kinds import Kind, kind_of, kind_of_value
from callwright.lang.surface import mentions
from callwright.lang.tokens import content_stems, identifier_words, stem, stem_set
from callwright.records.dialogue import Dialogue, GoldCall
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

VERSION: Final = "surface.v1"

ENOUGH: Final = 0.5
"""Share of the words of a name or a long text that an utterance has to hold."""

_LONG: Final = 4
"""Words from which on a text may be mentioned in part."""


class CallItem(NamedTuple):
    """One part of a gold call."""

    task: int
    call: int
    parameter: str
    """Empty for the name of the call."""
    tool: str
    value: Json = None
    kind: Kind = "other"


class Mentions(NamedTuple):
    """What the utterances of a dialogue mention."""

    turns: tuple[int, ...]
    """Positions of the utterances among the turns."""
    items: tuple[CallItem, ...]
    found: tuple[tuple[int, ...], ...]
    """For each utterance the positions of the items it mentions."""

    @property
    def counts(self) -> tuple[int, ...]:
        """For each utterance how many items it mentions."""
        return tuple(map(len, self.found))


def call_items(dialogue: Dialogue, tools: Mapping[str, Tool]) -> tuple[CallItem, ...]:
    """Return the items of all gold calls, in their order; `tools` by shown name."""
    return tuple(
        item
        for task, one in enumerate(dialogue.tasks)
        for call, gold in enumerate(one.gold)
        for item in _items(task, call, gold, tools.get(gold.tool))
    )


def _items(task: int, call: int, gold: GoldCall, tool: Tool | None) -> Iterator[CallItem]:
    yield CallItem(task, call, "", gold.tool)
    schemas: Mapping[str, Json] = tool.properties if tool is not None else {}
    for name, value in gold.values.items():
        kind = kind_of(name, schemas[name]) if isinstance(schemas.get(name), dict) else kind_of_value(value)
        yield CallItem(task, call, name, gold.tool, value, kind)


def count_mentions(dialogue: Dialogue, tools: Mapping[str, Tool], *, assistant: bool = False) -> Mentions:
    """Return what the people of a dialogue mention; with `assistant` its words count as utterances too."""
    items = call_items(dialogue, tools)
    roles = ("user", "assistant") if assistant else ("user",)
    turns = tuple(at for at, turn in enumerate(dialogue.turns) if dialogue.role(turn) in roles and turn.text)
    today = date.fromisoformat(dialogue.today) if dialogue.today else None
    found = tuple(_mentioned(dialogue.turns[at].text, items, today) for at in turns)
    return Mentions(turns, items, found)


def _mentioned(text: str, items: Sequence[CallItem], today: date | None) -> tuple[int, ...]:
    stems = stem_set(text)
    return tuple(at for at, item in enumerate(items) if _is_mentioned(text, stems, item, today))


def _is_mentioned(text: str, stems: frozenset[str], item: CallItem, today: date | None) -> bool:
    if not item.parameter:
        return _holds(stems, _stems_of_name(item.tool))
    if isinstance(item.value, bool) or item.value is None:
        return _holds(stems, _stems_of_name(item.parameter))
    if isinstance(item.value, dict | list):
        parts = [item._replace(value=one, kind=kind_of_value(one)) for one in _leaves(item.value)]
        return bool(parts) and any(_is_mentioned(text, stems, part, today) for part in parts)
    if any(mentions(text, item.value, kind, today=today) for kind in {item.kind, kind_of_value(item.value)}):
        return True
    wanted = content_stems(item.value) if isinstance(item.value, str) else ()
    return len(wanted) >= _LONG and _holds(stems, frozenset(wanted))


def _holds(stems: frozenset[str], wanted: frozenset[str]) -> bool:
    return bool(wanted) and len(wanted & stems) >= math.ceil(ENOUGH * len(wanted))


@lru_cache(maxsize=4096)
def _stems_of_name(name: str) -> frozenset[str]:
    spelt = identifier_words(name)
    return frozenset(content_stems(" ".join(spelt))) or frozenset(map(stem, spelt))


def _leaves(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in _leaves(one)]
    if isinstance(value, list):
        return [leaf for one in value for leaf in _leaves(one)]
    return [] if value is None else [value]

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
    """The items that the utterances of a dialogue mention."""

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
    traces = [_trace(item) for item in items]
    found = tuple(_mentioned(dialogue.turns[at].text, traces, today) for at in turns)
    return Mentions(turns, items, found)


class _Trace(NamedTuple):
    """The traces of an item in an utterance that mentions it: one of its values, or enough of its words."""

    values: tuple[tuple[Json, Kind], ...] = ()
    words: frozenset[str] = frozenset()


def _trace(item: CallItem) -> _Trace:
    if not item.parameter:
        return _Trace(words=_stems_of_name(item.tool))
    if isinstance(item.value, bool) or item.value is None:
        return _Trace(words=_stems_of_name(item.parameter))
    if isinstance(item.value, dict | list):
        leaves = [leaf for leaf in _leaves(item.value) if not isinstance(leaf, bool)]
        return _Trace(tuple((leaf, kind_of_value(leaf)) for leaf in leaves))
    kinds = dict.fromkeys((item.kind, kind_of_value(item.value)))
    words = content_stems(item.value) if isinstance(item.value, str) else []
    return _Trace(tuple((item.value, kind) for kind in kinds), frozenset(words) if len(words) >= _LONG else frozenset())


def _mentioned(text: str, traces: Sequence[_Trace], today: date | None) -> tuple[int, ...]:
    stems = stem_set(text)
    return tuple(
        at
        for at, trace in enumerate(traces)
        if _holds(stems, trace.words) or any(mentions(text, value, kind, today=today) for value, kind in trace.values)
    )


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

"""The definition of the surface counter without its short cuts: every item is looked for in every utterance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from callwright.lang.surface import mentions
from callwright.lang.tokens import words
from callwright.measure import item_mentions as counter
from callwright.records.tool import Tool


def plain_mentions(
    texts: Sequence[str], items: Sequence[counter.CallItem], tools: Mapping[str, Tool], today: date | None
) -> tuple[tuple[int, ...], ...]:
    """Return for each text the items that it mentions; `tools` by shown name."""
    parameters = frozenset(item.parameter for item in items if item.parameter)
    heads, labels = counter._heads(parameters), counter._labels(parameters)
    traces = [counter._trace(item, tools.get(item.tool), heads) for item in items]
    found = [{at for at, one in enumerate(traces) if _is_in(text, one, labels, today)} for text in texts]
    for text, here in zip(texts, found, strict=True):
        here -= {at for at in here if any(_gives_way(text, traces[at], traces[other], labels, today) for other in here)}
    return tuple(tuple(sorted(here)) for here in found)


def _gives_way(
    text: str, one: counter._Trace, other: counter._Trace, labels: tuple[str, ...], today: date | None
) -> bool:
    """Whether the other of two items that a text mentions in shared words is the one that is meant."""
    said, acted = counter._roots(text), _without(labels, text)
    if one.name and other.name:
        own, others = one.name.asked & acted, other.name.asked & acted
        thing, things = one.name.thing & acted, other.name.thing & acted
        return bool(others) and ((not own and thing <= things) or (own <= others and thing < things))
    if one.name or other.name or _is_told(text, one, today):
        return False
    part, more = one.words & said, other.words & said
    is_held = counter._holds(said, one.words) and counter._holds(said, other.words)
    return is_held and part != one.words and len(part) < len(more) and 2 * len(part & more) >= len(part)


def _without(labels: tuple[str, ...], text: str) -> frozenset[str]:
    return counter._roots(counter._pattern(labels).sub(" ", text)) if labels else counter._roots(text)


def _is_in(text: str, trace: counter._Trace, labels: tuple[str, ...], today: date | None) -> bool:
    said = counter._roots(text)
    is_near = not counter._roots_of(trace).isdisjoint(said)
    return (is_near and counter._is_worded(trace, said, _without(labels, text))) or _is_told(text, trace, today)


def _is_told(text: str, trace: counter._Trace, today: date | None) -> bool:
    """Whether a text has a value of an item, or its first letters, in whatever words beside it."""
    initials = "".join(word[0] for word in words(text))
    return any(
        mentions(way, one.value, one.kind, today=today)
        for way in (counter._BETWEEN.sub(" ", text), text)
        for one in trace.values
    ) or bool(trace.acronym and trace.acronym in initials)

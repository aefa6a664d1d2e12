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
    return tuple(tuple(at for at, one in enumerate(traces) if _is_in(text, one, labels, today)) for text in texts)


def _is_in(text: str, trace: counter._Trace, labels: tuple[str, ...], today: date | None) -> bool:
    said = counter._roots(text)
    acted = counter._roots(counter._pattern(labels).sub(" ", text)) if labels else said
    is_near = not counter._roots_of(trace).isdisjoint(said)
    initials = "".join(word[0] for word in words(text))
    return (
        (is_near and counter._is_worded(trace, said, acted))
        or any(
            mentions(way, one.value, one.kind, today=today)
            for way in (counter._BETWEEN.sub(" ", text), text)
            for one in trace.values
        )
        or bool(trace.acronym and trace.acronym in initials)
    )

"""Values that a user told for a tool, and the one that a result supplies, where the user chooses among several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from callwright.baselines.filling import Answer, fill
from callwright.catalog.slots import slots
from callwright.errors import BadDocument
from callwright.lang.kinds import kind_of_value
from callwright.lang.surface import mentions
from callwright.records.jsontext import Json, encode, parse, scalars
from callwright.records.tool import Tool


def asked_in(message: str, tool: Tool | None) -> tuple[str, ...]:
    """Return the parameters of a tool that a message may ask for: those whose noun it says."""
    found = slots(tool) if tool is not None and message else {}
    return tuple(name for name, slot in found.items() if slot.noun.text.lower() in message.lower())


def told_values(tool: Tool, answers: Sequence[Answer]) -> dict[str, Json]:
    """Return the values of required parameters, and of those asked for, that the answers tell."""
    asked = {*tool.required, *(name for answer in answers for name in answer.asked)}
    return fill([slots(tool)[name] for name in tool.properties if name in asked], answers, today=None)


def supplied_value(result: str, field: str, said: str) -> Json:
    """Return the value of a field in a result; of several the one of the item that is spoken of, None while none is.

    >>> supplied_value('[{"id": 1, "name": "Oak"}, {"id": 2, "name": "Elm"}]', "id", "the one called Elm")
    2
    """
    try:
        items = list(_holders(parse(result), field))
    except BadDocument:
        return None
    if len({encode(one[field]) for one in items}) > 1:
        counts = [sum(mentions(said, one, kind_of_value(one), today=None) for one in scalars(item)) for item in items]
        items = [items[counts.index(max(counts))]] if counts.count(max(counts)) == 1 else []
    return items[0][field] if items else None


def _holders(value: Json, name: str) -> Iterator[dict[str, Json]]:
    """Yield the objects of a result that have a field."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if isinstance(value, dict) and name in value:
        yield value
    for one in inner:
        yield from _holders(one, name)

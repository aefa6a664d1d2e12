"""Other ways in which services identify things than by a plain `id` that requests repeat.

address   the `id` in results is an address with many parts (`/groups/a/services/b`), and the `name` beside it is
          what a path asks for
code      no result has an `id` of a country, and all have its `code`
any       a tool that takes the resource name of any thing: `resourceArn`
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from callwright.environment.returns import path_of
from callwright.graph.graph_fields import GraphField, ToolFields
from callwright.graph.identities import ID, Identity, Reading, Thing, attribute_of
from callwright.lang.schemas import example_values

_ADDRESS_ID: Final = "address"
"""The attribute of a thing's address."""
_OTHER: Final = ("code", "key", "slug", "number", "symbol", "handle")
"""What things are known by where nothing has their `id`, the first one that results have."""
_OF_ANY: Final = ("arn", "urn")
"""Attributes whose values are of one form for all things."""
_LESS_SURE: Final = 0.9
_MOST_THINGS: Final = 64
"""Most things that a resource name of any thing is taken to be of."""
_SAYS_ADDRESS = re.compile(r"\b(?:fully[ -]qualified|full)\b.{0,30}\bid\b|\bresource id(?:entifier)?\b", re.IGNORECASE)


def with_addresses(
    fields: ToolFields, supplied: Sequence[Identity], needed: Sequence[Identity]
) -> tuple[list[Identity], list[Identity]]:
    """Tell addresses of things from names in paths, where results have an `id`, a `name` and a `type` side by side."""
    addresses, names = _addressed(fields)
    if not addresses:
        return list(supplied), list(needed)
    given = [
        _as(one, _ADDRESS_ID)
        if place in addresses
        else one._replace(readings=(*one.readings, *_as(one, ID).readings))
        if place in names
        else one
        for place, one in enumerate(supplied)
    ]
    asked = [
        _as(one, _ADDRESS_ID) if one.attribute == ID and not _is_in_path(field, fields) else one
        for field, one in zip(fields.inputs, needed, strict=True)
    ]
    return given, asked


def _addressed(fields: ToolFields) -> tuple[set[int], set[int]]:
    """The positions of outputs that are addresses, and of the names beside them."""
    beside: dict[tuple[int, str], dict[str, int]] = defaultdict(dict)
    for place, field in enumerate(fields.outputs):
        beside[field.tool, field.place.rpartition("/")[0]][field.name.lower()] = place
    found = [one for one in beside.values() if one.keys() >= {"id", "name", "type"}]
    found = [one for one in found if _is_address(fields.outputs[one["id"]])]
    return {one["id"] for one in found}, {one["name"] for one in found}


def _is_address(field: GraphField) -> bool:
    examples = [one for one in example_values(field.schema) if isinstance(one, str)]
    return bool(_SAYS_ADDRESS.search(field.description)) or any(one.startswith("/") for one in examples)


def _is_in_path(field: GraphField, fields: ToolFields) -> bool:
    return f"{{{field.name}}}" in path_of(fields.tools[field.tool])


def _as(told: Identity, attribute: str) -> Identity:
    return told._replace(readings=tuple(one._replace(attribute=attribute) for one in told.readings))


def with_other_attributes(
    fields: ToolFields, needed: Sequence[Identity], supplied: Sequence[Identity], acted: Collection[Thing]
) -> list[Identity]:
    """Return what inputs identify, with what results have in place of an `id`, or of any thing.

    What a tool only repeats of its call, and what was inferred, is nothing that results have.
    """
    asked = {
        (field.tool, one.thing[-1]) for field, told in zip(fields.inputs, needed, strict=True) for one in told.readings
    }
    given: dict[str, dict[Thing, None]] = defaultdict(dict)
    for field, told in zip(fields.outputs, supplied, strict=True):
        for one in told.readings:
            if not field.is_inferred and (field.tool, one.thing[-1]) not in asked:
                given[attribute_of(told, one)].setdefault(one.thing)
    heads = {attribute: {thing[-1] for thing in things} for attribute, things in given.items()}
    return [told._replace(readings=(*told.readings, *_others(told, given, heads, acted))) for told in needed]


def _others(
    told: Identity,
    given: Mapping[str, Collection[Thing]],
    heads: Mapping[str, Collection[str]],
    acted: Collection[Thing],
) -> Iterator[Reading]:
    if told.attribute in _OF_ANY and not any(one.by == "name" for one in told.readings):
        known = {one.thing for one in told.readings}
        any_thing = [thing for thing in given.get(told.attribute, ()) if thing not in known]
        yield from (Reading(thing, "form", _LESS_SURE) for thing in any_thing[:_MOST_THINGS])
    for one in told.readings if told.attribute == ID else ():
        if one.thing in acted and one.thing[-1] not in heads.get(ID, ()):
            other = next((attribute for attribute in _OTHER if one.thing[-1] in heads.get(attribute, ())), "")
            yield from [one._replace(weight=one.weight * _LESS_SURE, attribute=other)] if other else ()

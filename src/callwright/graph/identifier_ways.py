"""Other ways in which services identify things than by a plain `id` that requests repeat.

address   the `id` in results is an address with many parts (`/groups/a/services/b`), and the `name` beside it is
          what a path asks for
code      no result has an `id` of a country, and all have its `code`
any       a tool that takes the resource name of any thing: `resourceArn`
entry     a path goes on from that of a list: `/vars/{var_name}` takes the `name` of what `GET /vars` lists
envelope  what stands beside the `data` of every result tells of the call
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from callwright.environment.returns import path_of
from callwright.environment.tool_target import WRAPPERS, target_of
from callwright.graph.graph_fields import GraphField, ToolFields
from callwright.graph.identities import ID, Identity, Reading, Thing, attribute_of
from callwright.lang.schemas import example_values, name_words
from callwright.records.tool import Tool

_ADDRESS_ID: Final = "address"
"""The attribute of a thing's address."""
_OTHER: Final = ("code", "key", "slug", "number", "symbol", "handle")
"""What things are known by where nothing has their `id`, the first one that results have."""
_OF_ANY: Final = ("arn", "urn")
"""Attributes whose values are of one form for all things."""
_LESS_SURE: Final = 0.9
_MOST_THINGS: Final = 64
"""Most things that a resource name of any thing is taken to be of."""
ENTRY: Final = "entry"
"""The attribute by which a path finds an entry of the list that it goes on from."""
_KNOWN_IN_LISTS: Final = ("id", "uuid", "guid", "sid", "key", "code", "slug", "name")
"""Fields of an entry that a path may ask for by another name, the likeliest first."""
_ENVELOPES: Final = 5
"""Fewest tools whose results have one envelope; it holds at least `_SUBJECTS` different things."""
_SUBJECTS: Final = 3
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
        _as(one, _ADDRESS_ID) if one.attribute == ID and not is_in_path(field, fields.tools[field.tool]) else one
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


def is_in_path(field: GraphField, tool: Tool) -> bool:
    """Return whether an input of a tool stands in its path."""
    return f"{{{field.name}}}" in path_of(tool)


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
    return [
        told._replace(readings=(*told.readings, *_others(told, given, heads, acted, _takes_any(field, fields))))
        for field, told in zip(fields.inputs, needed, strict=True)
    ]


def _takes_any(field: GraphField, fields: ToolFields) -> bool:
    """Whether an input, or its tool, is about any resource: `resourceArn`, or the `arn` of `TagResource`."""
    words = name_words(field.name)[:-1] or target_of(fields.tools[field.tool]).named
    return words[-1:] == ("resource",)


def _others(
    told: Identity,
    given: Mapping[str, Collection[Thing]],
    heads: Mapping[str, Collection[str]],
    acted: Collection[Thing],
    takes_any: bool,
) -> Iterator[Reading]:
    if told.attribute in _OF_ANY and takes_any:
        known = {one.thing for one in told.readings}
        any_thing = [thing for thing in given.get(told.attribute, ()) if thing not in known]
        yield from (Reading(thing, "form", _LESS_SURE) for thing in any_thing[:_MOST_THINGS])
    for one in told.readings if told.attribute == ID else ():
        if one.thing in acted and one.thing[-1] not in heads.get(ID, ()):
            other = next((attribute for attribute in _OTHER if one.thing[-1] in heads.get(attribute, ())), "")
            yield from [one._replace(weight=one.weight * _LESS_SURE, attribute=other)] if other else ()


def entries(
    fields: ToolFields, supplied: Sequence[Identity], needed: Sequence[Identity]
) -> tuple[dict[int, Reading], dict[int, Reading]]:
    """Return the outputs that identify entries of lists, and the inputs in paths that go on from these lists."""
    listed = _listed(fields, supplied)
    outputs, inputs = dict[int, Reading](), dict[int, Reading]()
    for place, (field, told) in enumerate(zip(fields.inputs, needed, strict=True)):
        before, found, _ = path_of(fields.tools[field.tool]).partition(f"/{{{field.name}}}")
        shape = _shape(before)
        for named in listed.get(shape, ()) if found else ():
            own = next((named[name] for name in _asked_names(field.name, told.attribute) if name in named), None)
            if own is not None:
                inputs[place] = outputs[own] = Reading((f"{shape}/",), "path", 0.97, ENTRY)
    return outputs, inputs


def _listed(fields: ToolFields, supplied: Sequence[Identity]) -> dict[str, list[dict[str, int]]]:
    """For the path of each list the fields of its entries, by name in lower case, in each tool that gives it."""
    found: dict[str, dict[int, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    for place, (field, told) in enumerate(zip(fields.outputs, supplied, strict=True)):
        tool, is_address = fields.tools[field.tool], any(one.attribute == _ADDRESS_ID for one in told.readings)
        if is_address or field.is_inferred:
            continue
        if tool.source.startswith("GET ") and _ENTRY_FIELD.fullmatch(field.place):
            found[_shape(path_of(tool))][field.tool].setdefault(field.name.lower(), place)
    return {shape: list(tools.values()) for shape, tools in found.items()}


_ENTRY_FIELD = re.compile(r"(?:/[^/]+){0,2}?/0/[^/]+")
_PARAMETER = re.compile(r"\{[^{}]*\}")


def _shape(path: str) -> str:
    return _PARAMETER.sub("{}", path).rstrip("/")


def _asked_names(name: str, attribute: str) -> tuple[str, ...]:
    """The names that the field of an entry may have which a path asks for, in lower case."""
    return (name.lower(), *(_KNOWN_IN_LISTS if attribute == ID else (attribute,)))


def beside_data(fields: ToolFields) -> set[int]:
    """Return the outputs that stand beside the `data` of results which have one envelope, whatever they are about."""
    tops: dict[int, dict[str, int]] = defaultdict(dict)
    wrapped = {field.tool for field in fields.outputs if field.names[0].lower() in WRAPPERS and _is_deep(field)}
    for place, field in enumerate(fields.outputs):
        if field.tool in wrapped and not _is_deep(field):
            tops[field.tool][field.name] = place
    about: dict[str, list[int]] = defaultdict(list)
    for tool, names in tops.items():
        for name in names:
            about[name].append(tool)
    shared = {name for name, tools in about.items() if _are_of_many(fields, tools)}
    return {place for names in tops.values() for name, place in names.items() if name in shared}


def _is_deep(field: GraphField) -> bool:
    return field.place.count("/") > 1 or field.type.startswith("array")


def _are_of_many(fields: ToolFields, tools: Sequence[int]) -> bool:
    return len(tools) >= _ENVELOPES and len({target_of(fields.tools[tool]).noun for tool in tools}) >= _SUBJECTS

"""What all things of one holder lie in: the `chat_service_sid` of a user is that of each of her conversations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from callwright.environment.echoes import Edit, Words, laid, plain_words
from callwright.environment.membership import identifies
from callwright.environment.returns import path_of
from callwright.environment.session_facts import HOLDERS, owner_words
from callwright.environment.tool_target import ToldPlace, own_field
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

_CONTAINERS = HOLDERS | {"service", "instance"}
"""What has other things of a service in it, and these theirs."""
_PAIR = 2


def above_all(
    tools: tuple[Tool, ...],
    known: Mapping[str, Mapping[Words, Json]],
    tool: Tool,
    arguments: Mapping[str, Json],
    asked: Mapping[Words, Json],
    places: Sequence[ToldPlace],
) -> Iterator[Edit]:
    """Yield the containers of things that are those of what the call, or a field beside them, identifies.

    `known` are the facts on each thing, `asked` the `asked_fields` of the call. What nothing is known of takes the
    container of the first listed thing, where paths of the service spell out that there is one of them.
    """
    above = [str(one) for name, one in arguments.items() if name in tool.properties and identifies(tool, name)]
    first = _known_of(above, known)
    left = _spelled_out(tool.service, tools)
    for place, name, words in _contained(places, asked):
        beside = [
            str(one) for field, one in place.fields.items() if field != name and plain_words(field)[-1:] == ("id",)
        ]
        of_it = {**_known_of(beside, known), **first}
        found = of_it.get(words, of_it.get(words[-_PAIR:]))
        if found is not None:
            yield from laid(place, name, found)
        elif above and (words[-_PAIR:] in left or words[-_PAIR] in HOLDERS):
            first[words] = place.fields[name]


def containers_told(
    tool: Tool, arguments: Mapping[str, Json], asked: Mapping[Words, Json], places: Sequence[ToldPlace]
) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield each thing that a call names, with the one container that all told things which lie in it have."""
    told: dict[Words, set[str]] = {}
    for place, name, words in _contained(places, asked):
        told.setdefault(words, set()).add(str(place.fields[name]))
    for words, texts in told.items():
        for name, key in arguments.items() if len(texts) == 1 else ():
            is_of_tool = name in tool.properties and identifies(tool, name)
            if is_of_tool and str(key) not in texts:
                yield str(key), {"_".join(words): next(iter(texts))}


@lru_cache(maxsize=256)
def _spelled_out(service: str, tools: tuple[Tool, ...]) -> frozenset[Words]:
    """The identifiers of what paths of a service name as having other things in it."""
    paths = [path_of(one) for one in tools if one.service == service]
    found = (one for path in paths for one in re.findall(r"/([\w.-]+)/\{(\w+)\}(?=/)", path))
    words = (one for segment, name in found for one in (owner_words(segment), plain_words(name)[-_PAIR:]))
    return frozenset(one for one in words if _is_container(one))


def _known_of(keys: Sequence[str], known: Mapping[str, Mapping[Words, Json]]) -> dict[Words, Json]:
    facts = ((words, one) for key in reversed(keys) for words, one in known.get(key, {}).items())
    return {words: one for words, one in facts if _is_container(words)}


def _contained(places: Sequence[ToldPlace], asked: Mapping[Words, Json]) -> Iterator[tuple[ToldPlace, str, Words]]:
    """Yield the fields of things that identify what they lie in, and that the call does not name."""
    for place in places:
        own = own_field(place.fields, place.holder)
        for name, one in place.fields.items() if place.role in ("thing", "item") else ():
            words = plain_words(name)
            is_given = words in asked or words[-_PAIR:] in asked
            if _is_container(words) and name != own and not is_given and isinstance(one, (str, int)) and one:
                yield place, name, words


def _is_container(words: Words) -> bool:
    return len(words) >= _PAIR and words[-1] == "id" and words[-_PAIR] in _CONTAINERS

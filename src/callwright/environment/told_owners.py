"""What an object of a result tells of things: its own name and identifier, and those of what it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from callwright.environment.echoes import plain_words
from callwright.environment.membership import identifies
from callwright.environment.told_fields import BEGINS, CHANGED, STATES, is_moment_of
from callwright.environment.tool_target import ToldPlace, ToolTarget, own_field
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words
from callwright.lang.verbs_of_acts import CHECKS, LOOKUPS
from callwright.records.jsontext import Json
from callwright.records.tool import Tool


def owners(place: ToldPlace) -> Iterator[tuple[str, str]]:
    """Yield the fields that hold identifier and name of something else: `account_id` and `account_name`."""
    by_words = {plain_words(name): name for name, one in place.fields.items() if isinstance(one, (str, int))}
    for words, name in by_words.items():
        owner = by_words.get((*words[:-1], "id"), "")
        if len(words) > 1 and words[-1] == "name" and owner and name != owner:
            yield owner, name


def owners_facts(fields: Mapping[str, Json]) -> Iterator[tuple[str, str, str]]:
    """Yield fields that hold the identifier and a day or state of one thing, with its own name for that.

    `chat_created_at` beside a `chat_id` is what the chat itself calls `created_at`.
    """
    by_words = {plain_words(name): name for name, one in fields.items() if isinstance(one, (str, int))}
    for words, name in by_words.items():
        owner, rest = by_words.get((*words[:1], "id"), ""), words[1:]
        if owner and rest and (is_moment_of(rest, BEGINS | CHANGED) or (len(rest) == 1 and rest[0] in STATES)):
            yield owner, "_".join(rest), name


def opened(
    tool: Tool, target: ToolTarget, arguments: Mapping[str, Json], places: Sequence[ToldPlace]
) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield each thing that an act opens by the way, with whom and what it is for: the ticket of an order."""
    if target.verb in LOOKUPS | CHECKS or tool.source.startswith("GET ") or target.act == "list":
        return
    is_all = target.act == "read"  # `claim_meal`: all that is given is of the claim
    given = {
        n: one
        for n, one in arguments.items()
        if not isinstance(one, (dict, list)) and (is_all or (len(name_words(n)) > 1 and identifies(tool, n)))
    }
    for place in places:
        for name, one in place.fields.items() if place.role == "thing" else ():
            words, is_told = name_words(name), isinstance(one, str) and one not in given.values()
            if is_told and len(words) > 1 and words[-1] in ID_WORDS | {"reference"}:
                yield str(one), {n: value for n, value in given.items() if plain_words(n) != plain_words(name)}


def name_in(place: ToldPlace) -> str:
    """The name of a thing; empty where it has none."""
    called = (*_NAMES, (*name_words(place.holder)[-1:], "name"))
    return next((one for name, one in place.fields.items() if name_words(name) in called and isinstance(one, str)), "")


def key_of(place: ToldPlace, target: ToolTarget, arguments: Mapping[str, Json]) -> Json:
    """The identifier of a thing: the one that it tells, else the one that it was asked for by."""
    own = own_field(place.fields, place.holder)
    return place.fields[own] if own else arguments.get(target.own) if place.role == "thing" else None


_NAMES = (("name",), ("title",), ("display", "name"))

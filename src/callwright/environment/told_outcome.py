"""The facts of a call that its maker is told: names of listed items, fields of a thing, or that an act is done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from callwright.author.briefs import Known, spoken_once
from callwright.author.value_checks import is_said
from callwright.catalog.chunks import Gloss
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot
from callwright.environment.returns import path_of
from callwright.environment.told_fields import STATES
from callwright.environment.told_outputs import outputs
from callwright.environment.told_results import is_secret, listed_field, listed_names, listed_noun, telling_fields
from callwright.environment.tool_target import ToolTarget, own_field, target_of, told_places
from callwright.lang.dates import parse_moment
from callwright.lang.english import past_participle
from callwright.lang.kinds import ID_WORDS
from callwright.lang.nouns import slot_noun
from callwright.lang.phrases import as_spelled
from callwright.lang.schemas import name_words
from callwright.lang.tokens import stem, stem_set
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, decode, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

_LONGEST_ID: Final = 40
_MOST_LISTED: Final = 5
_MOST_NEWS: Final = 2
"""Fields that are told of what was done."""


class ResultOutcome(msgspec.Struct, frozen=True):
    """The facts of one call."""

    gloss: Gloss
    is_done: bool = False
    """Whether the call did something, in place of looking something up."""
    fields: tuple[Known, ...] = ()
    listed: tuple[str, ...] | None = None
    """None where the call lists nothing."""
    count: int = 0
    noun: str = ""


def outcome_of(tool: Tool, arguments: dict[str, Json], result: Result) -> ResultOutcome:
    """Return what a response tells: names of listed items, fields of a thing, or that an act is done."""
    said, target = gloss(tool), target_of(tool)
    value = decode(result.value) if result.value is not None else {}
    is_done = is_act(tool, arguments, value)
    if is_done:
        told = (one for one in telling_fields(tool, arguments, value) if _is_news(one))
        made = () if target.act == "change" else _new_codes(tool, arguments, value)
        news = () if target.act == "delete" else (*made, *told)
        return ResultOutcome(said, is_done=True, fields=news[:_MOST_NEWS])
    schema = decode(tool.returns) if tool.returns is not None else None
    items = [place for place in told_places(target, value, schema) if place.role == "item"]
    fields = tuple(telling_fields(tool, arguments, value))
    if fields:
        return ResultOutcome(said, fields=fields)
    if not items and target.act != "list":
        return ResultOutcome(said, fields=_new_codes(tool, arguments, value))
    names, noun, count = listed_names(value, items)
    noun = listed_noun(target, noun) or " ".join(target.named)
    each = () if names else listed_field(items)
    return ResultOutcome(said, fields=each, listed=names, count=count, noun=as_spelled(noun, tool.description))


def is_act(tool: Tool, arguments: Mapping[str, Json], value: Json) -> bool:
    """Whether a call did something, in place of looking something up: what a `generate` only returns is told.

    What the call gave and what is named after the act, such as the `refund_amount` of a refund, is no answer; what
    stands in the state of the act, as an `approved` request does, was acted on, and what has a new identifier was made.
    """
    target, verb = target_of(tool), gloss(tool).act
    if target.act in ("create", "change", "delete"):
        return True
    answers = tool.source.startswith("GET ") or not path_of(tool)
    return verb not in LOOKUPS | WORKS_OUT | {""} and not (answers and _tells(tool, arguments, value, verb))


def _tells(tool: Tool, arguments: Mapping[str, Json], value: Json, verb: str) -> bool:
    """Whether a result has more than what the call gave, and the state and figures of what was done."""
    schema = decode(tool.returns) if tool.returns is not None else None
    items = any(place.role == "item" for place in told_places(target_of(tool), value, schema))
    fields = tuple(telling_fields(tool, arguments, value))
    is_new = any(own_field([known.slot.name], target_of(tool).noun) for known in _new_codes(tool, arguments, value))
    if is_new or any(known.value == past_participle(verb) for known in fields if not _is_news(known)):
        return False
    told = filter(_is_news, fields)
    return items or any(stem(verb) not in map(stem, name_words(known.slot.name)) for known in told)


WORKS_OUT: Final = frozenset(
    "convert translate calculate compute estimate shorten expand correct count compare".split()
)
"""Verbs of what only gives an answer."""


def _is_news(known: Known) -> bool:
    """Whether a field tells more than that the act is done: no state, no moment."""
    words = name_words(known.slot.name)
    return known.slot.kind not in ("datetime", "title") and STATES.isdisjoint(words[-1:])


def _new_codes(tool: Tool, arguments: Mapping[str, Json], value: Json) -> tuple[Known, ...]:
    """The identifiers that only the result has, such as that of what was created; at most one."""
    given = {str(one) for one in arguments.values()}
    target = target_of(tool)
    told = [one for one in outputs(tool) if not _is_of_part(one.pointer(), target)]
    for output in sorted(told, key=lambda one: not own_field([one.name], target.noun)):  # its own one first
        found = resolve(value, output.pointer()) if output.kind == "code" and not output.is_listed else None
        is_short = isinstance(found, (str, int)) and 0 < len(str(found)) <= _LONGEST_ID
        if is_short and str(found) not in given and not is_secret(output.name):
            return (Known(Slot(output.name, slot_noun(output.name, ""), "code", output.schema, ""), encode(found)),)
    return ()


def _is_of_part(pointer: str, target: ToolTarget) -> bool:
    """Whether a place in a result holds the plain `id` of something else, as `/enterprise/id` of a barrier does."""
    *holders, name = pointer.strip("/").split("/")
    return ID_WORDS.issuperset(name_words(name)) and bool(holders) and not target.is_about(holders[-1])


def outcome_lines(outcome: ResultOutcome, today: str) -> Iterator[str]:
    """Yield the facts, one a line, with values in one way in which people say them."""
    if outcome.is_done:
        yield f"done: {outcome.gloss.phrase}"
    if outcome.listed is not None:
        names = ", ".join(outcome.listed[:_MOST_LISTED])
        yield f"{max(outcome.count, len(outcome.listed))} {outcome.noun}: {names}".removesuffix(": ")
    yield from (f"{known.slot.noun.text}: {spoken_once(known, today)}" for known in outcome.fields[:_MOST_LISTED])


_MORE: Final = re.compile(r"\b(?:else|more|further|help)\b", re.IGNORECASE)
"""Words of a question whether there is anything else."""


def tells_outcome(outcome: ResultOutcome, text: str, today: str) -> bool:
    """Return whether a text tells one of the facts, where there are any, and asks nothing but for more wishes."""
    if any("?" in sentence and not _MORE.search(sentence) for sentence in re.split(r"(?<=[.!?]) ", text)):
        return False
    if any(is_said(text, known, today) or _is_day(text, known) for known in outcome.fields):
        return True
    if outcome.is_done:
        return not stem_set(text).isdisjoint(outcome.gloss.object_stems | outcome.gloss.verb_stems)
    if outcome.listed is None:
        return not outcome.fields
    names = (*outcome.listed, str(max(outcome.count, len(outcome.listed))))
    return any(name.casefold() in text.casefold() for name in names) or not outcome.count


def _is_day(text: str, known: Known) -> bool:
    """Whether a text says the day of a moment."""
    moment = parse_moment(known.value)
    return moment is not None and f"{moment:%B}" in text and re.search(rf"\b{moment.day}(?!\d)", text) is not None

"""The offline voices of a group chat: each move in words, from the phrases of its type of dialogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final

from callwright.author.grammar import Frame, bank_file, write
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, slots
from callwright.environment.feeding import outputs
from callwright.lang.english import sentence_case
from callwright.lang.nouns import slot_noun
from callwright.lang.surface import say
from callwright.papers.dice.chat_orchestrator import Move
from callwright.papers.dice.chat_plan import TODAY, PlannedRound
from callwright.records.jsontext import Json, decode
from callwright.records.pointer import resolve

_QUOTED: Final = ("text", "title", "enum")
_SETTLED: Final = frozenset(("code", "email", "phone", "url", "person"))
"""Kinds of values that are as they are: nobody negotiates about an identifier."""
_MOST_TOLD: Final = 2


def bank_of(name: str) -> tuple[Frame, ...]:
    """Return the phrases of a bank such as `ask.inquiry`."""
    return bank_file("chat_words", home=__package__)[name]


def worded(
    move: Move,
    round_: PlannedRound,
    manner: str,
    names: Mapping[str, str],
    rng: Random,
    *,
    said: Sequence[str],
    at: int,
) -> str:
    """Return the words of a move; `at` is the position of its round, `said` what the chat has so far."""
    fields = {"do": gloss(round_.tool).phrase, "given": given(round_), "name": names.get(move.to, "")}
    if move.parameter:
        slot = slots(round_.tool)[move.parameter]
        fields |= {"the": slot.noun.definite, "value": spoken(round_.values[move.parameter], slot, rng)}
    frames = bank_of(_bank_name(move, round_, manner, at))
    text = ""
    for _ in range(6):
        text = sentence_case(write(rng, frames, fields, recent=said[-6:]))
        if text not in said:
            break
    return text


def _bank_name(move: Move, round_: PlannedRound, manner: str, at: int) -> str:
    if move.act == "request":
        return "request_given" if round_.taken else "request"
    if move.act == "open" and at:
        return f"{'next' if round_.taken else 'also'}.{manner}"
    if manner == "persuasion" and move.parameter and slots(round_.tool)[move.parameter].kind in _SETTLED:
        return f"{move.act}.inquiry"
    return f"{move.act}.{manner}"


def given(round_: PlannedRound) -> str:
    """Return how people refer to what the round before returned: `the first leave request ID`; empty for nothing."""
    if not round_.taken:
        return ""
    name, pointer = round_.taken[0]
    is_listed = any(part.isdigit() for part in pointer.split("/"))
    noun = slots(round_.tool)[name].noun
    return f"the first {noun.text}" if is_listed else f"that {noun.text}"


def spoken(value: Json, slot: Slot, rng: Random) -> str:
    """Return a value as people say it; titles, texts and choices in quotation marks."""
    text = say(value, slot.kind, rng=rng, today=TODAY)
    return f'"{text}"' if slot.kind in _QUOTED and '"' not in text else text


def reply(round_: PlannedRound, after: PlannedRound | None, rng: Random, said: Sequence[str]) -> str:
    """Return the assistant's words after its call: the fields that the next round needs, and a little more."""
    told = list(_told(round_, after, rng))
    return " ".join([write(rng, bank_of("done"), {}, recent=said[-2:]), *told])


def _told(round_: PlannedRound, after: PlannedRound | None, rng: Random) -> Iterator[str]:
    returned = decode(round_.result.value) if round_.result.value is not None else None
    needed = {pointer: name for name, pointer in after.taken} if after else {}
    for pointer, name in needed.items():
        yield _sentence(given(after) if after else name, say(resolve(returned, pointer), "code", rng=rng, today=TODAY))
    fields = [one for one in outputs(round_.tool) if not one.is_listed and one.pointer() not in needed]
    for one in fields[: _MOST_TOLD - len(needed)]:
        value = resolve(returned, one.pointer())
        if value not in (None, "") and not isinstance(value, bool) and value not in round_.values.values():
            yield _sentence(slot_noun(one.name, "").definite, say(value, one.kind, rng=rng, today=TODAY))


def _sentence(the: str, value: str) -> str:
    the = f"the {the.removeprefix('that ')}" if the.startswith("that ") else the
    return bank_of("told")[0].render(Random(0), {"The": sentence_case(the), "value": value})

"""How the assistant words its turns, and its private thoughts: the offline voice of the assistant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from callwright.author.briefs import AssistantBrief
from callwright.author.grammar import Frame, bank_file, tidy, write
from callwright.author.step import ruled_step
from callwright.catalog.chunks import PREPOSITIONS
from callwright.catalog.contrast import HEAD_END, Question, action_phrase
from callwright.catalog.slots import Slot
from callwright.lang.english import is_countable, is_plural, join_with, sentence_case
from callwright.lang.kinds import Kind
from callwright.lang.schemas import options_of
from callwright.lang.surface import say
from callwright.lang.tokens import content_stems
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.records.jsontext import decode


@ruled_step("diaforge/assistant_turn.j2")
def assistant_turn(rng: Random, brief: AssistantBrief) -> str:
    """Word one public turn of the assistant; never with tool or parameter names."""
    act = brief.act
    if act.kind == "which":
        text = _which(rng, brief, act.question)
    elif act.kind == "ask":
        text = question_for(rng, brief.slots, brief.recent)
    elif act.kind == "explain":
        return _tidy(_explain(rng, brief))
    elif act.kind == "no_fit":
        return _tidy(write(rng, _bank("no.fit"), {"options": join_with(list(brief.offers), "or")}, recent=brief.recent))
    else:
        looks = brief.gloss is not None and brief.gloss.act in LOOKUPS
        frames = _bank("done.look" if looks else "done")
        return _tidy(write(rng, frames, {"do": the_action(brief)}, recent=brief.recent))
    return _tidy(f"{_acknowledgement(rng, brief)} {text}".strip())


@ruled_step("diaforge/assistant_thought.j2")
def assistant_thought(rng: Random, brief: AssistantBrief) -> str:
    """Word the private reasoning behind a turn; here tools and parameters go by name."""
    act = brief.act
    have = join_with([f"{known.slot.name} = {known.text}" for known in brief.known])
    fields = {"tool": brief.tool, "names": join_with([slot.name for slot in brief.slots]), "have": have or "nothing"}
    if act.kind == "which":
        tools = join_with(list(brief.candidates))
        apart = " against ".join(option.phrase for option in act.question.options) if act.question else "not yet clear"
        return tidy(write(rng, _thoughts("which"), fields | {"tools": tools, "Tools": tools, "apart": apart}))
    if act.kind == "ask":
        frames = _thoughts("missing") if have else tuple(f for f in _thoughts("missing") if "have" not in f.fields)
        missing = write(rng, frames, fields)
        return tidy(write(rng, _thoughts("chosen"), fields | {"missing": missing}) if brief.learned else missing)
    if act.kind == "explain":
        return tidy(write(rng, _thoughts("explain"), {"name": brief.slots[0].noun.definite}))
    if act.kind == "no_fit":
        return tidy(write(rng, _thoughts("no.fit"), fields))
    return tidy(write(rng, _thoughts("ready" if have else "ready.bare"), fields))


# -- which is meant --------------------------------------------------------------------------------------------------


def _which(rng: Random, brief: AssistantBrief, question: Question | None) -> str:
    if question is None:
        return write(rng, _bank("which.open"), {}, recent=brief.recent)
    phrases = [option.phrase for option in question.options]
    frames = _bank(f"which.{question.form}")
    if question.form == "thing" and is_plural(HEAD_END.split(phrases[0])[0]):
        frames = tuple(frame for frame in frames if "that" not in frame.source)
    if any(phrase.split(" ")[0] in PREPOSITIONS for phrase in phrases):
        frames = tuple(frame for frame in frames if "about" not in frame.source)
    comma = "," if len(phrases) == 2 and rng.random() < 0.5 else ""
    told = [f"just {phrase}" if _is_less(phrase, phrases) else phrase for phrase in phrases]
    options = f"{', '.join(told[:-1])}{comma} or {told[-1]}"
    return write(rng, frames, {"options": options, "Options": sentence_case(options)}, recent=brief.recent)


def _is_less(phrase: str, others: Sequence[str]) -> bool:
    """Whether the other of two options says the same and more: `comments` beside `comments of a file`."""
    own = content_stems(phrase)
    return len(others) == _PAIR and any(own < content_stems(other) for other in others)


_PAIR = 2


# -- asking for values -----------------------------------------------------------------------------------------------


def question_for(rng: Random, wanted: Sequence[Slot], recent: Sequence[str] = ()) -> str:
    """Word the question for some values, unlike the speaker's `recent` texts."""
    yes_no = [slot for slot in wanted if slot.kind == "boolean"]
    listed = [slot for slot in wanted if slot.kind == "enum" and slot not in yes_no and len(wanted) < 3]
    plain = [slot for slot in wanted if slot not in yes_no and slot not in listed]
    if len(wanted) == 1:
        return _ask_one(rng, wanted[0], recent)
    parts = [_ask_also(rng, plain[0], recent)] if len(plain) == 1 else [_ask_plain(rng, plain, recent)] if plain else []
    for slot in (*listed, *yes_no):
        parts.append(_ask_also(rng, slot, (*recent, *parts)))
    return " ".join(parts)


def _ask_also(rng: Random, slot: Slot, recent: Sequence[str]) -> str:
    """Word one of several questions: none of them is all that is needed."""
    for _ in range(_TRIES):
        if not (text := _ask_one(rng, slot, recent)).startswith(_ALONE):
            return text
    return _ask_one(rng, slot, recent)


_ALONE = ("All I need", "I only need")
_TRIES = 12


def _ask_plain(rng: Random, slots: Sequence[Slot], recent: Sequence[str]) -> str:
    nouns = [_definite(slot) for slot in slots]
    if len(slots) == 2:
        fields = {"n1": nouns[0], "n2": nouns[1], "N1": sentence_case(nouns[0])}
        return write(rng, _bank("ask.pair"), fields, recent=recent)
    return write(rng, _bank("ask.many"), {"list": join_with(nouns)}, recent=recent)


_GROUPS: dict[Kind, str] = {
    "date": "when", "datetime": "when", "count": "count", "money": "money", "code": "code", "person": "who",
    "text": "text", "enum": "enum", "boolean": "yes",
}  # fmt: skip


def _ask_one(rng: Random, slot: Slot, recent: Sequence[str]) -> str:
    group = _GROUPS.get(slot.kind, "one")
    choices = _choices(slot) if group == "enum" else []
    if group == "enum" and len(choices) < _PAIR:
        group = "one"
    if len(choices) > _MOST_CHOICES:
        choices = [*choices[:3], "another one"]
    if group == "count" and (
        not (slot.noun.plural or slot.noun.text.startswith("number of ")) or not _counted_well(slot)
    ):
        group = "one"
    noun = slot.noun
    fields = {
        "the_n": _definite(slot),
        "The_n": sentence_case(_definite(slot)),
        "n": noun.text,
        "counted": noun.counted,
        "entity": noun.entity,
        "verb": "are" if noun.plural else "is",
        "act": noun.consequence,
        "choices": join_with(choices, "or"),
        "listed": join_with(choices),
    }
    frames = _bank(f"ask.{group}")
    if noun.text.startswith(("my ", "your ")) or " of " in noun.text or noun.plural:
        frames = tuple(frame for frame in frames if "n" not in frame.fields)
    if not noun.entity or not noun.text.endswith("number"):
        frames = tuple(frame for frame in frames if "entity" not in frame.fields)
    return write(rng, frames, fields, recent=recent)


def _counted_well(slot: Slot) -> bool:
    return is_plural(slot.noun.counted) or not is_countable(slot.noun.counted)


def _definite(slot: Slot) -> str:
    text = slot.noun.text
    return text if text.startswith(("your ", "my ")) else f"the {text}"


def _choices(slot: Slot) -> list[str]:
    return [_choice(value) for value in options_of(decode(slot.schema)) if isinstance(value, str)]


_MOST_CHOICES = 5
"""Most choices that are all named."""


def _choice(value: str) -> str:
    return value if value.istitle() else say(value, "enum", rng=Random(0), today=None)


def _explain(rng: Random, brief: AssistantBrief) -> str:
    slot = brief.slots[0]
    fields = {"The_n": sentence_case(_definite(slot)), "hint": hint(slot), "example": _example(slot)}
    return write(rng, _bank("explain"), fields, recent=brief.recent)


def hint(slot: Slot) -> str:
    """Return how to recognise a value of the slot, from its documented examples; empty where there are none."""
    example = _example(slot)
    return f"looks like {example}" if example else ""


def _example(slot: Slot) -> str:
    examples = decode(slot.schema).get("examples")
    is_code = slot.kind == "code" and isinstance(examples, list) and examples and isinstance(examples[0], str)
    return examples[0] if is_code else ""


# -- around it -------------------------------------------------------------------------------------------------------


def _acknowledgement(rng: Random, brief: AssistantBrief) -> str:
    if brief.missed:
        return write(rng, _bank("ack.missed"), {}) if rng.random() < 0.7 else ""
    if 0 < len(brief.heard_code) <= _SHORT_CODE and rng.random() < 0.25:
        return write(rng, _bank("ack.value"), {"v": brief.heard_code}, recent=brief.recent)
    if brief.learned and rng.random() < 0.35:
        learned = brief.learned
        return sentence_case(write(rng, _bank("ack.learned"), {"it": learned, "It": sentence_case(learned)}))
    chance = 0.6 if brief.first else 0.45
    if rng.random() >= chance:
        return ""
    bank = "ack.first" if brief.first else "ack.thanks" if brief.told and rng.random() < 0.5 else "ack"
    if brief.first and _GREETED.match(brief.heard) and rng.random() < 0.4:
        bank = "ack.greet"
    return write(rng, _bank(bank), {}, recent=brief.recent)


_SHORT_CODE = 12
"""Longest code that is said back."""
_GREETED = re.compile(r"(?:hi|hello|hey|morning)\b", re.IGNORECASE)


def the_action(brief: AssistantBrief) -> str:
    """Return what will be done, about a thing that is known by now: `approve the request for in-house training`."""
    if brief.gloss is None:
        return "do that"
    return re.sub(r" (?:an?|one) ", " the ", action_phrase(brief.gloss))


def _bank(name: str) -> tuple[Frame, ...]:
    return bank_file("assistant")[name]


def _thoughts(name: str) -> tuple[Frame, ...]:
    return bank_file("thoughts")[name]


def _tidy(text: str) -> str:
    return sentence_case(tidy(text))

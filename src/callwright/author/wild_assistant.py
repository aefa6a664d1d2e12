"""How the assistant of a `wild` session tells what its calls came to, and answers in a chat: its offline voice."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from random import Random

from callwright.author.acts import Known
from callwright.author.grammar import Frame, bank_file, tidy, write
from callwright.author.step import step
from callwright.author.wild_acts import Outcome, WildChat, WildClosing
from callwright.author.wild_phrases import bare_phrase
from callwright.author.wild_values import spoken
from callwright.lang.english import is_plural, join_with, past_participle, plural, sentence_case

MOST_TOLD = 3
"""Outcomes told one by one; of the others only the first few words."""


@step("wild/closing.j2")
def wild_closing(rng: Random, brief: WildClosing) -> str:
    """Word what the calls of a task came to, in the assistant's closing text."""
    parts: list[str] = []
    failed = [outcome for outcome in brief.outcomes if outcome.error]
    if failed:
        fields = {"error": failed[-1].error, "thing": bare_phrase(failed[-1].gloss)}
        parts.append(write(rng, _bank(f"failed.{brief.remedy}"), fields))
    told = [outcome for outcome in brief.outcomes if not outcome.error]
    for outcome in told:
        parts.append(_told(rng, outcome, brief.today, (*brief.recent, *parts)))
    if len(told) > 1 and not failed and rng.random() < 0.4:
        parts.insert(0, write(rng, _bank("start"), {}, recent=brief.recent))
    if rng.random() < 0.12 and brief.remedy != "ask":
        parts.append(write(rng, _bank("end"), {}))
    return sentence_case(tidy(" ".join(parts)))


def _told(rng: Random, outcome: Outcome, today: str, recent: Sequence[str]) -> str:
    day = date.fromisoformat(today) if today else None
    about = outcome.about
    fields = {"about": about, "About": sentence_case(about), "for_about": f" for {about}" if about else ""}
    if outcome.listed:
        things = plural(outcome.thing.split()[-1])
        fields |= {"names": join_with([f'"{name}"' for name in outcome.listed]), "things": things}
        return write(rng, _bank("list.about" if about and rng.random() < 0.6 else "list"), fields, recent=recent)
    verdict = next((known for known in outcome.fields if known.slot.kind == "boolean"), None)
    if verdict is not None:
        banks = ("found", "not.found") if verdict.slot.name == "found" else ("valid", "invalid")
        return write(rng, _bank(banks[0] if verdict.value else banks[1]), fields, recent=recent)
    told = [known for known in outcome.fields if known.slot.kind not in ("object", "list")]
    if told:
        fields["fields"] = join_with([_field(rng, known, day) for known in told])
        return write(rng, _bank("fields.about" if about else "fields"), fields, recent=recent)
    if outcome.verb:
        is_many = is_plural(outcome.thing)
        fields |= {
            "the_thing": f"the {outcome.thing}",
            "The_thing": f"The {outcome.thing}",
            "is": "are" if is_many and not about else "is",
            "done": past_participle(outcome.verb),
        }
        return write(rng, _bank("done.about" if about and rng.random() < 0.4 else "done"), fields, recent=recent)
    return write(rng, _bank("nothing"), fields, recent=recent)


def _field(rng: Random, known: Known, today: date | None) -> str:
    noun = known.slot.noun
    verb = "are" if noun.plural and not noun.text.startswith("number") else "is"
    return f"{noun.text} {verb} {spoken(rng, known, today)}"


@step("wild/reply.j2")
def wild_reply(rng: Random, brief: WildChat) -> str:
    """Word the assistant's answer in a chat; no tool is used."""
    things = [bare_phrase(gloss) for gloss in brief.glosses]
    nouns = join_with(list(brief.nouns))
    fields = {"a": things[0], "b": things[-1], "nouns": nouns, "Nouns": sentence_case(nouns)}
    if brief.recalled is not None:
        known = brief.recalled.known
        value = spoken(rng, known, date.fromisoformat(brief.today) if brief.today else None)
        fields |= {"value": value, "Value": sentence_case(value), "was": "was"}
        return sentence_case(tidy(write(rng, _bank("recall"), fields, recent=brief.recent)))
    bank = f"chat.{brief.kind}"
    if brief.kind in ("needs", "able", "more") and not brief.nouns:
        bank += ".nothing"
    return sentence_case(tidy(write(rng, _bank(bank), fields, recent=brief.recent)))


def _bank(name: str) -> tuple[Frame, ...]:
    return bank_file("wild_assistant")[name]

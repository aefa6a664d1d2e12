"""How the assistant of a `wild` session tells what its calls came to, and answers in a chat: its offline voice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from random import Random

import msgspec

from callwright.author.briefs import Known
from callwright.author.grammar import Frame, bank_file, tidy, write
from callwright.author.step import step
from callwright.lang.english import is_plural, join_with, past_participle, plural, sentence_case
from callwright.lang.schemas import singular
from callwright.papers.wild.request_phrases import bare_phrase
from callwright.papers.wild.task_briefs import CallOutcome, WildChat, WildClosing
from callwright.papers.wild.value_phrases import ORDINALS, measured, spoken


@step("wild/closing.j2", home=__package__)
def wild_closing(rng: Random, brief: WildClosing) -> str:
    """Word what the calls of a task came to, in the assistant's closing text."""
    parts: list[str] = []
    failed = [outcome for outcome in brief.outcomes if outcome.error]
    if failed:
        fields = {"error": failed[-1].error, "thing": bare_phrase(failed[-1].gloss)}
        parts.append(write(rng, _bank(f"failed.{brief.remedy}"), fields))
    told = [outcome for outcome in brief.outcomes if not outcome.error]
    for outcome in _numbered(told):
        parts.append(_told(rng, outcome, brief.today, (*brief.recent, *parts), alone=len(told) == 1))
    if len(told) > 1 and not failed and rng.random() < 0.3:
        parts.insert(0, write(rng, _bank("start"), {}, recent=brief.recent))
    if rng.random() < 0.06 and brief.remedy != "ask":
        parts.append(write(rng, _bank("end"), {}))
    return sentence_case(tidy(" ".join(parts)))


def _numbered(outcomes: Sequence[CallOutcome]) -> Iterator[CallOutcome]:
    """Yield the outcomes; of several of one tool that nothing tells apart, each is said to be the first, the second."""
    for outcome in outcomes:
        twins = [one for one in outcomes if one.gloss == outcome.gloss]
        if len(twins) > 1 and not outcome.about:
            place = next(at for at, one in enumerate(twins) if one is outcome)
            yield msgspec.structs.replace(outcome, about=f"the {ORDINALS[place % 8 + 1]} one")
        else:
            yield outcome


def _told(rng: Random, outcome: CallOutcome, today: str, recent: Sequence[str], *, alone: bool) -> str:
    day = date.fromisoformat(today) if today else None
    about = outcome.about
    says_which = bool(about) and (not alone or rng.random() < 0.7)
    fields = {"about": about, "For_about": f"For {about}", "for_about": f" for {about}" if says_which else ""}
    if outcome.listed:
        things = plural(outcome.thing.split()[-1])
        fields |= {"names": join_with([f'"{name}"' for name in outcome.listed]), "things": things}
        return write(rng, _bank("list.about" if says_which else "list"), fields, recent=recent)
    verdict = next((known for known in outcome.fields if known.slot.kind == "boolean"), None)
    if verdict is not None:
        return write(rng, _bank("valid" if verdict.value else "invalid"), fields, recent=recent)
    told = [known for known in outcome.fields if known.slot.kind not in ("object", "list")]
    if [known.slot.name for known in told] == ["updated"]:
        when = spoken(rng, told[0], day)
        fields["when"] = f"on {when}" if when[:1].isdigit() or when[:1].isupper() or when.startswith("the ") else when
        return write(rng, _bank("record"), fields, recent=recent)
    if told:
        fields |= {"items": ", ".join(_item(rng, known, day) for known in told)}
        fields |= {"clauses": join_with([_clause(rng, known, day) for known in told])}
        bank = ("items" if len(told) > 1 else "fields") + (".about" if says_which else "")
        return write(rng, _bank(bank), fields, recent=recent)
    if outcome.verb:
        return write(rng, _bank(_done_bank(outcome, says_which)), fields | _deed(outcome), recent=recent)
    return write(rng, _bank("nothing"), fields, recent=recent)


def _done_bank(outcome: CallOutcome, says_which: bool) -> str:
    if outcome.verb in _VAGUE_DEEDS:
        return "seen.to"
    if says_which and outcome.is_thing and not outcome.about.startswith("the "):
        return "done.thing"
    return "done.about" if says_which else "done"


_VAGUE_DEEDS = frozenset(
    "manage handle process make perform use start plan customize subscribe apply share report sync import".split()
)
"""What is said to be done to a thing of another sort: nobody subscribes a notification."""


def _deed(outcome: CallOutcome) -> dict[str, str]:
    is_many = is_plural(outcome.thing)
    return {
        "the_thing": f"the {outcome.thing}",
        "The_thing": f"The {outcome.thing}",
        "The_about": sentence_case(outcome.about),
        "is": "are" if is_many else "is",
        "done": past_participle(outcome.verb),
    }


def _item(rng: Random, known: Known, today: date | None) -> str:
    """In a row of several: `rank 30`, `33 points`."""
    noun, said = measured(rng, known, today)
    if isinstance(known.value, int) and noun.startswith("number of "):
        counted = noun.removeprefix("number of ")
        return f"{said} {singular(counted) if known.value == 1 else counted}"
    if isinstance(known.value, int) and is_plural(noun):
        return f"{said} {noun}"
    return f"{noun} {said}"


def _clause(rng: Random, known: Known, today: date | None) -> str:
    noun, said = measured(rng, known, today)
    return f"the {noun} {'are' if known.slot.noun.plural and not noun.startswith('number') else 'is'} {said}"


@step("wild/reply.j2", home=__package__)
def wild_reply(rng: Random, brief: WildChat) -> str:
    """Word the assistant's answer in a chat; no tool is used."""
    nouns = join_with(list(brief.nouns), "or" if brief.kind == "choices" else "and")
    fields = {"nouns": nouns, "Nouns": sentence_case(nouns)}
    if brief.recalled is not None:
        known = brief.recalled.known
        noun, value = measured(rng, known, date.fromisoformat(brief.today) if brief.today else None)
        fields |= {"value": value, "noun": noun, "was": "were" if known.slot.noun.plural else "was"}
        return sentence_case(tidy(write(rng, _bank("recall"), fields, recent=brief.recent)))
    bank = f"chat.{brief.kind}"
    if not brief.nouns and brief.kind in ("needs", "able"):
        bank += ".nothing"
    return sentence_case(tidy(write(rng, _bank(bank), fields, recent=brief.recent)))


def _bank(name: str) -> tuple[Frame, ...]:
    return bank_file("assistant_words", home=__package__)[name]

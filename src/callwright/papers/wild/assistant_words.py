"""The assistant's words, offline: what the calls of a task gave, and the answers in chats (section 3.2).

A closing text tells a few fields of each result in people's words, and never an identifier alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from random import Random

import msgspec

from callwright.author.briefs import Known
from callwright.author.grammar import Frame, bank_file, tidy, write
from callwright.author.step import step
from callwright.catalog.slots import slots
from callwright.environment.feeding import outputs
from callwright.environment.returns import action_of
from callwright.lang.english import is_plural, join_with, past_participle, plural, sentence_case
from callwright.lang.nouns import with_capitals
from callwright.lang.schemas import singular
from callwright.lang.tokens import stem_set
from callwright.lang.verbs_of_acts import CHANGES, CREATES
from callwright.papers.wild.gold_calls import PlannedCall
from callwright.papers.wild.request_gloss import asked_gloss
from callwright.papers.wild.request_phrases import bare_phrase
from callwright.papers.wild.session_memory import is_secret, output_slot
from callwright.papers.wild.task_briefs import CallOutcome, WildChat, WildClosing, entity_of
from callwright.papers.wild.value_phrases import ORDINALS, measured, spoken
from callwright.records.jsontext import Json, decode, encode
from callwright.records.pointer import resolve

MOST_FIELDS = 3
_NAMES = ("title", "name", "text")


def outcome_of(call: PlannedCall, today: str, beside: Sequence[PlannedCall] = ()) -> CallOutcome:
    """Return what a closing text tells of a call: names of listed items, fields of a thing, or that an act is done.

    `beside`: all calls of the task; the value that tells this call from others of its tool says what it was about.
    """
    verb, thing = action_of(call.tool)
    value = decode(call.result.value) if call.result.value is not None else {}
    is_done = isinstance(value, dict) and value.get("status") == past_participle(verb)
    told_verb = verb if verb in CREATES | CHANGES else "perform" if is_done else ""
    thing = with_capitals(thing)
    about, is_thing = _about(call, today, beside, thing)
    error = call.result.error or ""
    listed = _listed(value)
    fields = () if error or listed or told_verb else tuple(_fields(call, value))
    return CallOutcome(asked_gloss(call.tool), told_verb, thing, about, is_thing, fields, listed, error)


_TELLING = ("city", "country", "title", "person", "code", "url", "email", "currency", "other")
_BARE = frozenset(("city", "country", "person", "url", "email", "currency"))
_LONGEST = 60


def _about(call: PlannedCall, today: str, beside: Sequence[PlannedCall], thing: str) -> tuple[str, bool]:
    """A short value that says what the call was about, and whether it names the thing itself.

    It is no value that only a result has.
    """
    twins = [one for one in beside if one is not call and one.tool == call.tool]
    telling = _TELLING if twins else _TELLING[:-1]
    names = [name for name in call.values if slots(call.tool)[name].kind in telling and not is_secret(name)]
    names.sort(key=lambda name: not any(one.values.get(name) != call.values[name] for one in twins))
    for name in names:
        said = call.ways.get(name, "said") in ("said", "again", "chosen", "missing", "unsaid")
        value = call.values[name]
        if said and isinstance(value, (str, int)) and len(str(value)) <= _LONGEST:
            return _which(Known(slots(call.tool)[name], encode(value)), today, thing)
        if twins and any(one.values.get(name) != value for one in twins):
            break  # the text may not say what tells it apart
    return "", False


def _which(known: Known, today: str, thing: str) -> tuple[str, bool]:
    said = spoken(Random(0), known, date.fromisoformat(today) if today else None)
    noun = entity_of(known.slot)
    is_thing = bool(stem_set(noun) & stem_set(thing)) and known.slot.kind in ("code", "title", "other")
    if known.slot.kind in _BARE or len(noun.split()) > 3 or stem_set(noun) <= _SEARCHED:
        return said, False
    return (f"the {noun} {said}" if said.startswith('"') else f"{noun} {said}"), is_thing


_SEARCHED = stem_set("keyword keywords search term query data text input string content topic user's name")


def _listed(value: Json) -> tuple[str, ...]:
    if not isinstance(value, dict):
        return ()
    for items in value.values():
        if isinstance(items, list) and items and isinstance(items[0], dict):
            field = next((name for name in _NAMES if name in items[0]), "")
            return tuple(dict.fromkeys(str(item[field]) for item in items if field in item))
        if isinstance(items, list) and items and all(isinstance(item, str) for item in items):
            return tuple(dict.fromkeys(items))
    return ()


def _fields(call: PlannedCall, value: Json) -> list[Known]:
    """The first fields of a result with nouns of their own; if it has none, the link that the call was made for."""
    drawn = [(one, resolve(value, one.pointer())) for one in outputs(call.tool)]
    held = [(one, Known(output_slot(one), encode(field))) for one, field in drawn if field is not None]
    taken = {name.lower() for name in call.values}
    kept = [(one, known) for one, known in held if one.kind not in ("code", "url") and one.name != "total"]
    found = [known for one, known in kept if one.name.lower() not in taken]
    by_noun = {known.slot.noun.text: known for known in reversed(found)}
    told = [known for known in found if by_noun[known.slot.noun.text] is known][:MOST_FIELDS]
    return told or [known for one, known in held if one.kind == "url"][:1]


@step("wild/closing.j2", home=__package__)
def wild_closing(rng: Random, brief: WildClosing) -> str:
    """Word the results of the calls of a task."""
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
    """Yield the outcomes; several of one tool that nothing tells apart become the first one, the second one."""
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
"""Verbs that do not take the thing as their object: nobody subscribes a notification."""


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
    """A field in a list: `rank 30`, `33 points`."""
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
    """Word the answer in a chat."""
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

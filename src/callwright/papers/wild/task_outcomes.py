"""What a call came to, as the closing text may tell it: a few fields in people's words, never identifiers alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from random import Random

from callwright.author.briefs import Known
from callwright.catalog.slots import Slot, slots
from callwright.environment.feeding import outputs
from callwright.environment.returns import action_of
from callwright.lang.english import past_participle
from callwright.lang.nouns import slot_noun, with_capitals
from callwright.lang.tokens import stem_set
from callwright.lang.verbs_of_acts import CHANGES, CREATES
from callwright.papers.wild.gold_calls import PlannedCall
from callwright.papers.wild.request_gloss import asked_gloss
from callwright.papers.wild.session_memory import described, is_secret
from callwright.papers.wild.task_briefs import CallOutcome
from callwright.papers.wild.value_phrases import entity_of, spoken
from callwright.records.jsontext import Json, decode, encode
from callwright.records.pointer import resolve

MOST_FIELDS = 3
_NAMES = ("title", "name", "text")


def outcome_of(call: PlannedCall, today: str, beside: Sequence[PlannedCall] = ()) -> CallOutcome:
    """Return what is told of a call: names of what a list holds, or fields of a thing, or that something is done.

    `beside`: all calls of the task; what tells this one from others of its tool says what it was about.
    """
    verb, thing = action_of(call.tool)
    value = decode(call.result.value) if call.result.value is not None else {}
    is_done = isinstance(value, dict) and value.get("status") == past_participle(verb)
    told_verb = verb if verb in CREATES | CHANGES else "perform" if is_done else ""
    thing = with_capitals(thing)
    gloss = asked_gloss(call.tool)
    about, is_thing = _about(call, today, beside, thing)
    if call.result.error is not None:
        return CallOutcome(gloss, told_verb, thing, about, is_thing=is_thing, error=call.result.error)
    listed = _listed(value)
    fields = () if listed or told_verb else tuple(_fields(call, value))
    return CallOutcome(gloss, told_verb, thing, about, is_thing=is_thing, fields=fields, listed=listed)


_TELLING = ("city", "country", "title", "person", "code", "url", "email", "currency", "other")
_BARE = frozenset(("city", "country", "person", "url", "email", "currency"))
_LONGEST = 60


def _about(call: PlannedCall, today: str, beside: Sequence[PlannedCall], thing: str) -> tuple[str, bool]:
    """The one value that says which thing it is, where it is short, and whether it is the thing itself.

    What only a result held is not said aloud.
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
            break  # what tells it apart may not be said
    return "", False


def _which(known: Known, today: str, thing: str) -> tuple[str, bool]:
    said = spoken(Random(0), known, date.fromisoformat(today) if today else None)
    noun = entity_of(known)
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
    taken = {name.lower() for name in call.values}
    found = []
    for output in outputs(call.tool):
        drawn = resolve(value, output.pointer())
        if drawn is None or output.name.lower() in taken or output.kind in ("code", "url") or output.name == "total":
            continue
        noun = slot_noun(output.name, described(output.schema))
        found.append(Known(Slot(output.name, noun, output.kind, output.schema, ""), encode(drawn)))
    by_noun = {known.slot.noun.text: known for known in reversed(found)}
    return [known for known in found if by_noun[known.slot.noun.text] is known][:MOST_FIELDS] or _links(call, value)


def _links(call: PlannedCall, value: Json) -> list[Known]:
    """The link that a call was made for, where its result holds nothing else."""
    drawn = [(one, resolve(value, one.pointer())) for one in outputs(call.tool) if one.kind == "url"]
    return [
        Known(Slot(one.name, slot_noun(one.name, described(one.schema)), one.kind, one.schema, ""), encode(link))
        for one, link in drawn
        if link is not None
    ][:1]

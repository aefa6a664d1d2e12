"""What a call came to, as the closing text may tell it: a few fields in people's words, never identifiers alone."""

from __future__ import annotations

from datetime import date
from random import Random

from callwright.author.acts import Known
from callwright.author.wild_acts import Outcome
from callwright.author.wild_values import spoken
from callwright.catalog.asked import asked_gloss
from callwright.catalog.feeding import outputs
from callwright.catalog.returns import CHANGES, CREATES, action_of
from callwright.catalog.slots import Slot, slots
from callwright.lang.nouns import slot_noun
from callwright.recipes.wild_calls import PlannedCall
from callwright.recipes.wild_past import described
from callwright.records.jsontext import Json, decode, encode
from callwright.records.pointer import resolve

MOST_FIELDS = 3
_NAMES = ("title", "name", "text")


def outcome_of(call: PlannedCall, today: str) -> Outcome:
    """Return what is told of a call: names of what a list holds, or fields of a thing, or that something is done."""
    verb, thing = action_of(call.tool)
    told_verb = verb if verb in CREATES | CHANGES else ""
    gloss = asked_gloss(call.tool)
    about = _about(call, today)
    if call.result.error is not None:
        return Outcome(gloss, told_verb, thing, about, error=call.result.error)
    value = decode(call.result.value) if call.result.value is not None else {}
    listed = _listed(value)
    fields = () if listed or told_verb else tuple(_fields(call, value))
    return Outcome(gloss, told_verb, thing, about, fields, listed)


def _about(call: PlannedCall, today: str) -> str:
    """The one value that says which thing it is, where it is short; what only a result held is not said aloud."""
    for name, value in call.values.items():
        slot = slots(call.tool)[name]
        said = call.ways.get(name, "said") in ("said", "again", "missing", "unsaid")
        if said and slot.kind in ("city", "country", "title", "person", "code") and len(str(value)) <= 30:
            return spoken(Random(0), Known(slot, encode(value)), date.fromisoformat(today) if today else None)
    return ""


def _listed(value: Json) -> tuple[str, ...]:
    if not isinstance(value, dict):
        return ()
    for items in value.values():
        if isinstance(items, list) and items and isinstance(items[0], dict):
            field = next((name for name in _NAMES if name in items[0]), "")
            return tuple(str(item[field]) for item in items if field in item)
        if isinstance(items, list) and items and all(isinstance(item, str) for item in items):
            return tuple(dict.fromkeys(items))
    return ()


def _fields(call: PlannedCall, value: Json) -> list[Known]:
    taken = {name.lower() for name in call.values}
    found = []
    for output in outputs(call.tool):
        drawn = resolve(value, output.pointer())
        if drawn is None or output.name.lower() in taken or output.kind in ("code", "url"):
            continue
        noun = slot_noun(output.name, described(output.schema))
        found.append(Known(Slot(output.name, noun, output.kind, output.schema, ""), encode(drawn)))
    return found[:MOST_FIELDS]

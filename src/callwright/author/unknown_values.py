"""Values of which no document says what they may be.

is_unknown_value(slot, tool)   for rules, which draw what they have lists and shapes for
is_untold_value(slot, tool)    for a model, which invents what the document describes
"""

from __future__ import annotations

from functools import lru_cache

from callwright.author.mention_order import label_words
from callwright.author.value_makers import is_of_unknown_meaning, is_written_by_machine
from callwright.author.value_subject import slot_subject, subject_of
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot
from callwright.lang.schemas import example_values, options_of, plain_schema, singular, type_of
from callwright.records.jsontext import decode
from callwright.records.tool import Tool

_CLASSES = frozenset(
    "type types kind category mode level scheme superscheme class framework method strategy algorithm".split()
)
"""Words of names of closed vocabularies; where nothing lists one, nobody can say a member of it."""


@lru_cache(maxsize=65536)
def is_unknown_value(slot: Slot, tool: Tool) -> bool:
    """Whether no document and no list of ours says what the value may be."""
    schema = plain_schema(decode(slot.schema))
    if _is_of_closed_class(slot):
        return {"pattern", "format", "default"}.isdisjoint(schema) and not example_values(schema)
    items = plain_schema(schema.get("items"))
    if is_untold_list(slot) or _is_state_of_no_thing(slot, tool):
        return True
    if slot.kind == "list" and type_of(items) == "string" and not (example_values(schema) or options_of(items)):
        if slot.name == "body":  # only the tool's text says what is listed
            return not example_values(items) and {"pattern", "format"}.isdisjoint(items)
        subject = slot_subject(slot, tool)
        one = subject_of(singular(slot.label), {**items, "description": slot.description}, about=subject.about)
        return is_of_unknown_meaning(one)
    return slot.kind in ("title", "other", "text") and is_of_unknown_meaning(slot_subject(slot, tool))


def is_untold_value(slot: Slot, tool: Tool) -> bool:
    """Whether not even a model can invent the value: its document describes none, or it is a machine's to write."""
    if not is_unknown_value(slot, tool):
        return False
    is_left = _is_of_closed_class(slot) or is_untold_list(slot) or not slot.description.strip()
    return is_left or is_written_by_machine(slot_subject(slot, tool))


def _is_of_closed_class(slot: Slot) -> bool:
    return slot.kind == "code" and not _CLASSES.isdisjoint(label_words(slot)[-1:])


def _is_state_of_no_thing(slot: Slot, tool: Tool) -> bool:
    """Whether it is a state, which no document lists, of what is sent: `in progress` is said of work, not of a copy."""
    schema = plain_schema(decode(slot.schema))
    is_state = not _STATES.isdisjoint(label_words(slot)[-1:]) and slot.kind in ("title", "other", "text", "code")
    is_listed = not {"default", "pattern"}.isdisjoint(schema) or options_of(schema) or example_values(schema)
    return is_state and not is_listed and gloss(tool).act in _SENDS


_STATES = frozenset(("status", "state"))
_SENDS = frozenset("send email mail post share resend forward print export deliver publish submit".split())


def is_untold_list(slot: Slot) -> bool:
    """Whether it is a list within an object of which nothing says what its items are, as where a recursion was cut."""
    schema = plain_schema(decode(slot.schema))
    items = plain_schema(schema.get("items"))
    is_told = bool(type_of(items) or options_of(items) or example_values(items) or example_values(schema))
    return slot.kind == "list" and "." in slot.name and not is_told

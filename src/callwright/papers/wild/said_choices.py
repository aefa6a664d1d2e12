"""Choices said as the act, or not at all: `close a conversation`, and no type of what is named anyway."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from callwright.author.briefs import Known
from callwright.catalog.chunks import Gloss
from callwright.environment.told_fields import STATES
from callwright.lang.english import base_verb, past_participle
from callwright.lang.kinds import ID_WORDS
from callwright.lang.schemas import name_words
from callwright.lang.tokens import stem
from callwright.records.jsontext import Json


def chosen_act(found: Gloss, known: Iterable[Known]) -> str:
    """Return the choice that is the act where the document has a verb for all of them: `manage`; empty if none is."""
    if found.act not in _ANY_ACT:
        return ""
    acts = [str(one.value) for one in known if one.slot.kind == "enum" and base_verb(str(one.value)) == one.value]
    return acts[0] if len(acts) == 1 else ""


_ANY_ACT = frozenset("manage handle process control administer operate perform".split())
"""Verbs of documents for whatever may be done with a thing."""


def is_type_of_named(known: Known, values: Mapping[str, Json]) -> bool:
    """Whether a value is the type of what another one names: `comment` beside a comment ID."""
    if known.slot.kind != "enum" or name_words(known.slot.label)[-1:] not in (("type",), ("kind",)):
        return False
    kind = [stem(word) for word in name_words(str(known.value))]
    named = [name_words(name) for name in values]
    return any(ID_WORDS.issuperset(words[-1:]) and [*map(stem, words[:-1])] == kind for words in named)


def is_state_of_act(known: Known, act: str) -> bool:
    """Whether a value is the state to which the act leads anyway: `DELETED` for what is to be deleted."""
    is_state = not STATES.isdisjoint(name_words(known.slot.label or known.slot.name)[-1:])
    return is_state and bool(act) and str(known.value).lower() == past_participle(act)

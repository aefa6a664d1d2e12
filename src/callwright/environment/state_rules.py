"""Which acts lead a thing to another state, and in which states a description allows an act."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from callwright.environment.echoes import Words
from callwright.environment.plain_values import stateful
from callwright.environment.told_fields import STATES
from callwright.environment.tool_target import ToldPlace, target_of
from callwright.lang.english import past_participle
from callwright.lang.schemas import name_words, options_of, plain_schema
from callwright.lang.tokens import identifier_words, stem, stem_set
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

_MOVES = frozenset(
    "accept activate approve archive authorize begin block book cancel check claim close complete confirm deactivate "
    "decline deliver deploy disable dispatch enable end escalate expire finish finalize freeze issue launch lock "
    "mark merge open pause pay post process promote publish reject release reopen resolve restart restore resume "
    "retry revoke schedule send settle ship sign snooze start stop submit suspend trash unarchive unblock unlock "
    "unpublish verify void withdraw".split()
)
"""Acts that are about states, whatever a service calls the state to which they lead."""
_FEW = r"(?:[`'\"*]{0,2}\w{3,20}[`'\"*]{0,2}(?:,? or |,? and |, )){0,4}[`'\"*]{0,2}\w{3,20}[`'\"*]{0,2}"
_STATE = r"(?:state|status)(?:es|s)?"
_ALLOWED = (
    re.compile(rf"\b(?:in|with) (?:the |a |an )?({_FEW}) {_STATE} only\b", re.IGNORECASE),
    re.compile(rf"\bonly (?:in |with )(?:the |a |an )?({_FEW}) {_STATE}\b", re.IGNORECASE),
    re.compile(rf"\b(?:must|has to|have to|needs? to) be in (?:the |a |an )?({_FEW}) {_STATE}\b", re.IGNORECASE),
    re.compile(rf"\bonly ({_FEW}) (\w{{3,20}}) (?:can|may) be \w{{3,20}}ed\b", re.IGNORECASE),
)
_JOINING = frozenset(("or", "and"))


def moves_state(verb: str, place: ToldPlace) -> bool:
    """Whether an act leads to a state: one of those that the thing may have, or it is an act about states."""
    if not stateful(verb):
        return False
    schemas = [plain_schema(one) for name, one in place.properties.items() if name_words(name)[-1:] in _ENDS]
    options = [str(one).lower() for schema in schemas for one in options_of(schema)]
    return verb in _MOVES or any(_leads_to(verb, one) for one in options)


_ENDS = tuple((word,) for word in sorted(STATES))


def _leads_to(verb: str, option: str) -> bool:
    return past_participle(verb) in option or stem(verb) in stem_set(" ".join(identifier_words(option)))


def is_move(verb: str) -> bool:
    """Whether an act leads a thing to another state, whatever its result tells."""
    return verb in _MOVES


def excluded_state(tool: Tool, known: Mapping[Words, Json], reached: str = "") -> str:
    """Return the state of a thing in which the tool's description rules out its act; empty where it allows it.

    `reached` is the participle of the last act on it that led to a state which no result told: `sent`.
    """
    target, allowed = target_of(tool), allowed_states(tool)
    if not allowed or target.act not in ("change", "delete"):
        return ""
    told = (str(one) for words, one in known.items() if words in (*_ENDS, *((target.noun, word) for word in STATES)))
    state = reached or next(told, "")
    return state if state and allowed.isdisjoint(stem_set(" ".join(identifier_words(state)))) else ""


@lru_cache(maxsize=8192)
def allowed_states(tool: Tool) -> frozenset[str]:
    """Return the stems of the states in which the tool's act is possible, as its description says; empty for all.

    >>> sorted(allowed_states(Tool(name="delete_bill", description="Deletes bills in the draft or void state only.")))
    ['draft', 'void']
    """
    noun = stem(target_of(tool).noun)
    for pattern in _ALLOWED:
        for found in pattern.finditer(tool.description):
            if len(found.groups()) == 1 or stem(found[2].lower()) == noun:
                return frozenset(_words(found[1]))
    return frozenset()


def _words(told: str) -> Iterable[str]:
    return (stem(word) for word in re.findall(r"\w+", told.lower()) if word not in _JOINING)

"""The act that words ask for: to make, change or remove something, or to see it.

What people say in passing is no act: `see`, `get` and what was done before count only in a question's choices.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

from callwright.catalog.chunks import Gloss
from callwright.lang.english import base_verb
from callwright.lang.tokens import words
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKUPS

Act = Literal["make", "change", "remove", "turn", "see"]

_REMOVES: Final = frozenset(
    "abort cancel clear delete destroy detach discard disconnect drop end erase refuse reject remove revoke stop "
    "terminate unassign unlink unsubscribe untag void withdraw".split()
)
_OF_TOOLS: Final[dict[Act, frozenset[str]]] = {
    "remove": _REMOVES,
    "turn": frozenset("convert merge transform turn".split()),
    "change": CHANGES - _REMOVES | frozenset("adjust alter amend correct postpone put redirect replace".split()),
    "make": CREATES - _REMOVES
    | frozenset(
        "answer attach comment draft invite issue leave log message record reply request respond write".split()
    ),
    "see": LOOKUPS | frozenset("count download export know".split()),
}
"""Verbs of tools by act."""

_DONE: Final = (
    r"(?:(?:shall|should|must)(?: it| they| this| that| one)?|needs? to"
    r"|(?:has|have|wants?|like) (?:it|one|them|this|that)) (?:\w+ ){0,4}?(?:be )?"
)
_ASKED: Final[dict[Act, re.Pattern[str]]] = {
    "remove": re.compile(
        r"\b(?:(?:delet|remov|eras|discard|revok)(?:e|ing)?|cancel(?:l?ing)?|detach(?:ing)?|drop(?:ping)?|stop(?:ping)?"
        r"|call(?:ing)? (?:\w+ ){0,3}?off"
        r"|(?:get|getting) rid of|(?:take|taking) (?:\w+ ){0,3}?(?:off|away|back|down|out)"
        rf"|{_DONE}(?:deleted|removed|erased|cancell?ed|stopped|taken (?:off|away|back|down)))\b"
    ),
    "change": re.compile(
        rf"\b(?:(?:chang|updat|renam|alter|edit|modify)(?:e|ing)?|set(?:ting)? (?:\w+ ){{1,5}}to"
        rf"|{_DONE}(?:changed|updated|renamed|altered|edited))\b"
    ),
    "make": re.compile(
        r"\b(?:add(?:ing)?|creat(?:e|ing)|writ(?:e|ing)|(?:a|one|brand) new one|new one that"
        rf"|{_DONE}(?:added|created))\b"
    ),
    "turn": re.compile(r"\b(?:convert|turn(?! (?:on|off|up|down))|transform)\w*\b"),
    "see": re.compile(
        r"\b(?:see|shown?|look(?:ed)?|read|list|view|display|details?|get|fetch|find|check|know|download)\b"
    ),
}
"""What people say to ask for an act, in lower case."""

_READS: Final = re.compile(
    r"^(?:just )?(?:read|show|list|view)\b|\b(?:like|rather|want to) (?:just )?(?:read|see|list|view)\b", re.I
)
"""To see something and no more, which people also say in passing."""
_NEGATION: Final = re.compile(
    r"\b(?:not|no|nope|nothing|neither|none|never|without|instead|rather than|\w+n't)\b", re.IGNORECASE
)


def act_of(gloss: Gloss) -> Act | None:
    """Return the act of a tool; None for one of its own, such as to approve."""
    verb = gloss.verb.partition(" ")[0].lower()
    return next((act for act, verbs in _OF_TOOLS.items() if verb in verbs), None) if verb else "see"


@lru_cache(maxsize=4096)
def acts_in(text: str) -> frozenset[Act]:
    """Return the acts that a text names."""
    return frozenset(act for act, said in _ASKED.items() if said.search(text.lower()))


def other_act(text: str, gold: Gloss, others: tuple[Gloss, ...]) -> Act | None:
    """Return the act of another tool that a text asks for in place of the gold tool's, if it does."""
    if _NEGATION.search(text) or gold.verb.partition(" ")[0] in {base_verb(word) for word in words(text)}:
        return None
    asked = acts_in(text) if _READS.search(text) else acts_in(text) - {"see"}
    if not asked or act_of(gold) in asked:
        return None
    return next((act for act in map(act_of, others) if act in asked), None)

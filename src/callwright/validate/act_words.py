"""Words by which people and assistants do something in a dialogue: ask, deny, take leave, say that they cannot."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from callwright.catalog.slots import Slot
from callwright.lang.kinds import Kind
from callwright.lang.tokens import stem_set

ASKS: Final = re.compile(r"\?|\b(?:please|need|missing)\b|\b(?:tell|give|let) me\b", re.IGNORECASE)
ASKS_WHAT: Final = re.compile(
    r"^(?!(?:.*[.!?] )?(?:would you like|do you want|should i|shall i|it sounds|(?:please )?(?:give|send) me)\b).*\?",
    re.IGNORECASE | re.DOTALL,
)
"""Words of somebody who asks what is meant, in place of offering something or asking for values."""
AGREES: Final = re.compile(
    r"^(?!\W*(?:no|nope)\b)"
    r"(?=.*\b(?:yes|yeah|yep|yup|sure|right|exactly|correct|please|indeed|absolutely|definitely|precisely"
    r"|of course|true|go ahead|ok|okay|great|perfect|good|sounds|spot on|thanks"
    r"|that(?:'s|s| is| was) (?:it|the one|what)|do (?:that|it|so))\b)"
    r"(?!.*(?:\?|\bbye\b|\b(?:don't|do not|dont) (?:know|have)\b))",
    re.IGNORECASE | re.DOTALL,
)
"""Words of somebody who agrees, and does nothing else."""
DENIES: Final = re.compile(
    r"\b(?:no|not|nope|neither|none|never ?mind|something else|other than|rather|instead|i'm good)\b|n't\b",
    re.IGNORECASE,
)
TAKES_LEAVE: Final = re.compile(
    r"\b(?:good ?bye|bye|thanks?|thank you|thx|cheers|see you|take care|welcome|(?:nice|good|great|lovely) \w+)\b",
    re.IGNORECASE,
)
CANNOT: Final = re.compile(
    r"\b(?:sorry|afraid|unable|unfortunately|not able|no (?:tool|way|other))\b|\b(?:can|could|do)(?:not|n't)\b",
    re.IGNORECASE,
)
_QUESTIONS: Final[Mapping[Kind, str]] = {
    **dict.fromkeys(("count", "number", "percent"), r"how (?:many|much|long|large|often)"),
    "money": "how much",
    **dict.fromkeys(("date", "datetime"), "when|(?:what|which) day"),
    "time": "when|(?:what|which) time",
    **dict.fromkeys(("city", "country"), "where"),
    "person": "whose?|whom",
    "boolean": r"(?:should|shall|do|does|is|are|would)\b.*\?",
}


_GENERAL: Final = frozenset(stem_set("id code number key value"))
"""Words of nouns that many values share."""
_REFERS: Final = re.compile(r"\b(?:that|it|this|one|ones|those|them)\b", re.IGNORECASE)


def asks_for(text: str, slot: Slot) -> bool:
    """Return whether a text asks for a value: by a word of its noun, or by the question word of its kind."""
    question = _QUESTIONS.get(slot.kind)
    return _names(text, slot) or (
        question is not None and re.search(rf"\b(?:{question})", text, re.IGNORECASE) is not None
    )


def names_or_refers(text: str, slot: Slot) -> bool:
    """Return whether a text names a value by a word of its noun, or refers to something said before."""
    return _names(text, slot) or _REFERS.search(text) is not None


def _names(text: str, slot: Slot) -> bool:
    words = stem_set(slot.noun.text)
    return not words or not stem_set(text).isdisjoint(words - _GENERAL or words)

"""What a description begins with as a thing, `Team rankings by season`, and the act that such a heading names."""

from __future__ import annotations

import re
from functools import lru_cache

from callwright.catalog.asked_acts import ACTS_OF_SERVERS
from callwright.catalog.chunks import DETERMINERS, PARTICLES, PREPOSITIONS, Chunk, Gloss
from callwright.catalog.clause_nouns import split_nouns
from callwright.catalog.clauses import leading_verb
from callwright.catalog.described_acts import MARKS, STAGE
from callwright.catalog.gloss_wording import worded_gloss
from callwright.catalog.path_acts import ACTS_OF_METHODS
from callwright.catalog.small_letters import in_small_letters
from callwright.lang.english import act_of, base_verb, singular
from callwright.lang.phrases import indefinite, is_known, is_noun_phrase
from callwright.records.tool import Tool


def acted_heading(named: Gloss, source: str) -> Gloss | None:
    """Return what the heading of a write names as an act: `User registration` registers a user; None where none."""
    if source.partition(" ")[0] not in ACTS_OF_METHODS.keys() - {"GET"}:
        return None
    chunk, *others = named.chunks
    *before, head = chunk.text.split()
    before = [word for word in before if word not in DETERMINERS]
    act = act_of(head)
    if act and before:
        return Gloss(act, (Chunk("", indefinite(before)), *others))
    if act and others and others[0].preposition == "of":
        return Gloss(act, (Chunk("", others[0].text), *others[1:]))
    return None


_TO_ADDRESS = re.compile(r"[\w -]{1,40}: ?https?://")
"""What a description calls an address: `page source: https://...` is no page source."""

_OF_ITSELF = re.compile(
    r"(?:(?:the|this|an?|our) )?(?:[\w/-]{1,30} ){0,3}"
    r"(?:end ?point|api|method|resource|function|operation|service|call|tool)s? "
    r"(?:will |can |may )?(?:returns?|provides?|shows?|displays?|gives?|outputs?|exposes?|responds?|serves?)\b",
    re.IGNORECASE,
)
"""What a document says of itself: `this endpoint returns` is no thing."""


@lru_cache(maxsize=65536)
def heading(tool: Tool) -> Gloss | None:
    """Return what a description begins with as a thing: `Team rankings by season`; None where that is none."""
    tokens = MARKS.sub("", " ".join(tool.description[:200].split()))
    if _TO_ADDRESS.match(tokens) or STAGE.match(tokens) or _OF_ITSELF.match(tokens):
        return None
    said = in_small_letters(re.split(r"[,;:(]|\.(?:\s|$)", tokens, maxsplit=1)[0].split(), f"{tool.name} {tool.source}")
    bare = tuple(split_nouns(said))
    if bare and bare[0].words and not is_sayable(bare[0].words[-1]):
        return None
    if bare and bare[0].words[2:] and [word for word in bare[0].words if word == "API"] == bare[0].words[-1:]:
        bare = (bare[0]._replace(words=bare[0].words[:-1]), *bare[1:])  # `Ocean Tiles API`
    is_own = len(said) == 1 and said[0].lower() in tool.name.lower()
    is_thing = (
        bool(bare)
        and not is_own
        and is_noun_phrase(bare[0].words)
        and not bare[0].preposition
        and not leading_verb(said)
        and (len(said) < 2 or base_verb(said[1]) not in ACTS_OF_SERVERS)  # `endpoint returns`, `Acme provides prices`
    )
    return worded_gloss("", bare, tool) if is_thing else None


def is_sayable(head: str) -> bool:
    """Whether the last word of a title names something; one with capitals may be a name.

    >>> [is_sayable(word) for word in ("forecast", "standings", "dsfghbn", "about", "today")]
    [True, True, False, False, False]
    """
    if not head.islower():
        return True
    one = singular(head)
    return is_known(one) and one not in PREPOSITIONS | PARTICLES | DETERMINERS | _DAYS and not head.endswith("'s")


_DAYS = frozenset("today tomorrow yesterday".split())

"""The vague request: what a user asks for in words that fit the wanted tool and at least one other.

The wanted tool's own words are kept as far as some look-alike shares them; what tells it apart is left out, and comes
only when the assistant asks. (DiaFORGE, section 3.1: "revealing just enough context".)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from callwright.author.briefs import Request
from callwright.catalog.chunks import Chunk, Gloss, kept
from callwright.catalog.contrast import plainly_meant, reduced_object, something
from callwright.lang.english import ways_to_say
from callwright.lang.tokens import content_stems
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKS, SEARCHES


def vague_requests(gold: Gloss, others: Sequence[Gloss]) -> tuple[Request, ...]:
    """Return requests that leave `gold` and some other tool possible, the most telling first; none if none can be said.

    Each shares all of its content words with at least one of `others`, and none is all that one of them does.
    """
    found: dict[Request, tuple[bool, int]] = {}
    for request in (one for other in others for one in _shared_requests(gold, other)):
        if means_another(request, gold, others):
            continue
        found.setdefault(request, (bool(request.verb), len(content_stems(request.thing))))
    return tuple(sorted(found, key=lambda request: (found[request], request.thing, request.verb), reverse=True))


def plain_request(gold: Gloss) -> Request:
    """Return the request in the tool's own words."""
    return Request(gold.verb or "look up", gold.object)


def means_another(request: Request, gold: Gloss, others: Sequence[Gloss]) -> bool:
    """Whether a request says plainly what another tool does: who wants to list files means no files of a comment."""
    tools = (gold, *others)
    return bool(request.verb) and 0 not in plainly_meant(tools, range(len(tools)), f"{request.verb} {request.thing}")


def fits(request_stems: frozenset[str], gold: Gloss, others: Sequence[Gloss]) -> bool:
    """Whether some other tool covers every word of the request that speaks for `gold`: then two candidates fit."""
    telling = request_stems & gold.stems
    return any(telling <= other.stems for other in others)


def says_all(gold: Gloss, request: Request) -> bool:
    """Whether a request has the verb and the whole object of `gold`: then asking what is meant sounds deaf."""
    return bool(request.verb) and gold.object_stems <= frozenset(content_stems(request.thing))


def _shared_requests(gold: Gloss, other: Gloss) -> Iterator[Request]:
    """The most telling request that both fit; with one that says all that `gold` does comes its topic alone."""
    shared = gold.object_stems & other.object_stems
    same_verb = ways_to_say(gold.verb)[0] == ways_to_say(other.verb)[0]
    thing, topic = _sayable(gold, shared), _topic(gold, shared) or _topic(other, shared)
    asked = Request(gold.verb or "look up", thing)
    if thing and same_verb and not says_all(gold, asked):
        yield asked
    elif topic:
        yield Request("", topic)
    elif thing and same_verb:
        yield asked
    if thing or topic:
        return
    if same_verb and gold.verb in _OF_SOMETHING and not (gold.chunks and gold.chunks[0].preposition):
        yield Request(gold.verb, something(gold, (other,)))
    elif inner := _inner_object(gold, shared):
        yield Request("", inner)


_ALSO = frozenset("approve reject claim issue log request report record".split())
_OF_SOMETHING = (CREATES | CHANGES | LOOKS | _ALSO) - SEARCHES - {"set", "add"}
"""Verbs of which one says that one has to do so to something."""
_SAYS_NOTHING = frozenset(
    content_stems("information details data list item items things record results all new type name status value")
)


def _topic(gloss: Gloss, shared: frozenset[str]) -> str:
    """The object as a topic, without what the act does to it: `a member` of `a member to an account`."""
    lasting = tuple(chunk for place, chunk in enumerate(gloss.chunks) if not place or chunk.preposition in _LASTING)
    return _sayable(Gloss(gloss.verb, lasting), shared)


_LASTING = frozenset(("of", "for", "with", "about"))


def _sayable(gloss: Gloss, shared: frozenset[str]) -> str:
    """The object without what is not shared; nothing where that leaves a noun that means nothing alone."""
    thing = reduced_object(gloss, shared)
    head = gloss.chunks[0].text if gloss.chunks else ""
    cut = head.startswith("the ") and not thing.startswith(head)
    return "" if cut or _LEFT_OPEN.fullmatch(thing) or _SAYS_NOTHING.issuperset(content_stems(thing)) else thing


_LEFT_OPEN = re.compile(r"the \w+")
"""`the cost` of what? A noun that needs its `of` says nothing without it."""


def _inner_object(gold: Gloss, shared: frozenset[str]) -> str:
    """The subject of a later chunk, where the head noun is not shared: `an order` in `one item of an order`."""
    for position, chunk in enumerate(gold.chunks[1:], 1):
        if chunk.preposition not in ("of", "about"):
            continue
        text = kept(chunk, shared)
        if text:
            rest = (Chunk(c.preposition, kept(c, shared)) for c in gold.chunks[position + 1 :])
            return " ".join([text, *(c.said for c in rest if c.text)])
    return ""

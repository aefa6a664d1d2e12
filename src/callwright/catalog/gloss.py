"""The gloss of a tool: a verb and a short object in everyday words.

    "Approve a request for in-house training. For courses taught by ..."
        verb    approve
        chunks  a request | for in-house training

It is read from the first clause of the description where that is a verb and a clean object, else from the name, else
from method and path. What an object may be is decided in `lang.phrases`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from callwright.catalog.asked_acts import asked_verb, is_giving_back
from callwright.catalog.chunks import DETERMINERS, PREPOSITIONS, Chunk, Gloss
from callwright.catalog.clause_nouns import VERSION, ActReading
from callwright.catalog.described_acts import described_acts
from callwright.catalog.gloss_wording import (
    GIVEN_NOUNS,
    MOST_WORDS,
    PARTICULARS,
    SAYS_NOTHING,
    SET_OF_THING,
    is_clean_object,
    worded_gloss,
)
from callwright.catalog.headings import acted_heading, heading
from callwright.catalog.named_acts import is_thing_here, named_acts
from callwright.catalog.noun_heaps import in_speaking_order, is_title
from callwright.catalog.path_acts import acts_of_parts, path_acts
from callwright.catalog.spelled_names import with_spelled_name
from callwright.catalog.text_acts import text_act
from callwright.lang.english import base_verb, is_plural, plural, singular
from callwright.lang.lexicon import word_set
from callwright.lang.phrases import indefinite, with_capitals, words_of_name
from callwright.lang.tokens import stem
from callwright.lang.verbs_of_acts import LOOKS
from callwright.records.tool import Tool


@lru_cache(maxsize=65536)
def gloss(tool: Tool) -> Gloss:
    """Return the gloss of a tool: from its description, else from its name, else from method and path.

    >>> gloss(Tool(name="x", description="Approves a request for in-house training.")).phrase
    'approve a request for in-house training'
    >>> gloss(Tool(name="x", description="Fully update invoice.")).phrase
    'update an invoice'
    >>> gloss(Tool(name="op17", source="POST /invoices/{invoice_id}/archive")).phrase
    'archive an invoice'
    >>> gloss(Tool(name="PostInvoicesInvoicePay", source="POST /v1/invoices/{invoice}/pay")).phrase
    'pay an invoice'
    >>> gloss(Tool(name="light-details", source="GET /lights/{light-id}")).phrase
    'get a light'
    """
    tool = with_spelled_name(tool)
    named = heading(tool)
    if named and (is_of_anything(named, tool) or named.chunks[0].text.split()[-1].lower() in SAYS_NOTHING):
        named = None
    found = _first((*described_acts(tool), *named_acts(tool)), tool) or (named and acted_heading(named, tool.source))
    if found := found or _first(path_acts(tool), tool) or named or _first(acts_of_parts(tool), tool):
        return text_act(_added(_without_echo(_in_number(_of_named_thing(found, tool), tool), tool)), tool)
    said = [with_capitals(word) for word in words_of_name(tool.name) if not VERSION.fullmatch(word)] or ["something"]
    is_act = len(said) > 1 and not is_thing_here(said[0], tool)
    verb = asked_verb(base_verb(said[0]) or "", "GET") if is_act else ""
    object_ = said[bool(verb) : MOST_WORDS]
    if verb and object_[0] in PREPOSITIONS and len(object_) > 1:  # `translate to Klingon`
        return Gloss(verb, (Chunk(object_[0], " ".join(object_[1:])),))
    return text_act(Gloss(verb, (Chunk("", indefinite(object_)),)), tool)


def _of_named_thing(found: Gloss, tool: Tool) -> Gloss:
    """Say the thing of name and path where the text has it in another: `getAccount` gets `a chart of accounts`."""
    first, *others = found.chunks
    if not others or others[0].preposition != "of" or not tool.source:
        return found
    head, inner = first.text.split()[-1].lower(), others[0].text.split()[-1].lower()
    named, path = ({stem(singular(word)) for word in words_of_name(text)} for text in (tool.name, tool.source))
    is_aspect = head in word_set("aspects") | PARTICULARS | SET_OF_THING or base_verb(head) is not None
    if is_aspect or stem(singular(head)) in named | path or stem(singular(inner)) not in named & path:
        return found
    if re.search(rf"/{re.escape(plural(singular(inner)))}/\{{[^{{}}]*\}}/\w", tool.source):
        return found  # the members of `/groups/{id}/memberships`
    told = [word for word in others[0].text.split()[:-1] if word not in DETERMINERS]
    is_several = is_plural(words_of_name(tool.name)[-1])
    text = " ".join((*told, plural(singular(inner)))) if is_several else indefinite([*told, singular(inner)])
    return Gloss(found.verb, (Chunk(first.preposition, text), *others[1:]))


def _in_number(found: Gloss, tool: Tool) -> Gloss:
    """Say several of what a tool lists by name and path: `Retrieves attachment` of `GET /notes/{id}/attachments`."""
    first, *others = found.chunks
    *before, head = first.text.split()
    last, end = words_of_name(tool.name)[-1:], words_of_name(tool.source.rpartition("/")[2])[-1:]
    is_several = last == end != (head.lower(),) and singular(last[0]) == head.lower() if last and end else False
    if not is_several or not tool.source.startswith("GET ") or tool.source.endswith("}"):
        return found
    told = [word for word in before if word not in DETERMINERS]
    return Gloss(found.verb, (Chunk(first.preposition, " ".join((*told, plural(head)))), *others))


def _without_echo(found: Gloss, tool: Tool) -> Gloss:
    """Leave out a phrase that only repeats a noun, and an owner that nobody gives: `user threads for the user`."""
    first, *others = found.chunks
    told = [stem(singular(word.lower())) for word in first.text.split()]
    given = {stem(singular(word)) for name in (*tool.properties, tool.source) for word in words_of_name(name)}
    kept = [first]
    for chunk in others:
        determiner, _, noun = chunk.text.partition(" ")
        one = stem(singular(noun.lower()))
        is_owner = noun.lower() in _OWNERS and one not in given and (chunk.preposition == "of" or found.verb in LOOKS)
        is_owner &= determiner in ("a", "an", "the") and chunk.preposition in _BELONGING
        if not (is_owner or (determiner == "the" and one in told[:-1] and chunk.preposition in _BELONGING)):
            kept.append(chunk)
    return Gloss(found.verb, tuple(kept))


def _added(found: Gloss) -> Gloss:
    """Say `add` of what is made in a group: nobody creates contacts `to a contact group`."""
    is_put = any(one.preposition == "to" and one.text.rpartition(" ")[2] in _GROUPS for one in found.chunks[1:])
    return Gloss("add", found.chunks) if found.verb == "create" and is_put else found


_GROUPS = frozenset("group list folder collection team set queue playlist category channel project board".split())
"""What things are put into."""
_OWNERS = frozenset("account workspace organization organisation tenant".split())
"""What all things of a service belong to: said only where a parameter tells which one."""
_BELONGING = frozenset("of for in on from within".split())


def _first(readings: Iterable[ActReading], tool: Tool) -> Gloss | None:
    """Return the first reading that people would say."""
    method = tool.source.partition(" ")[0]
    for reading in readings:
        if is_title(reading, tool):
            continue
        reading = in_speaking_order(reading, tool)
        if (method in _WRITES and reading.verb in LOOKS) or _is_vague(reading, tool):
            continue
        is_told = bool(reading.nouns and reading.nouns[0].determiner)  # `Locks a door`
        verb = "" if not is_told and is_thing_here(reading.verb, tool) else asked_verb(reading.verb, method)
        verb = reading.verb if reading.verb == "return" and is_giving_back(tool) else verb
        if verb and is_clean_object(verb, reading.nouns, tool):
            found = worded_gloss(verb, reading.nouns, tool)
            if found.chunks and not is_of_anything(found, tool):
                return found
    return None


def is_of_anything(found: Gloss, tool: Tool) -> bool:
    """Whether an object is only what could be of anything, and nothing of which it is: `details`, `a list`.

    Where an address has several of them (`/lists`), they are things of the service.
    """
    said = [word.lower() for chunk in found.chunks for word in chunk.text.split()]
    told = [word for word in said if word not in DETERMINERS]
    if not told or not {singular(word) for word in told} <= _OF_ANYTHING:
        return False
    return told[-1] in GIVEN_NOUNS or plural(singular(told[-1])) not in map(str.lower, re.split(r"\W+", tool.source))


_WRITES = frozenset(("PUT", "PATCH", "DELETE"))


def _is_vague(reading: ActReading, tool: Tool) -> bool:
    """Whether only the name tells which thing it is: `CreateHost` creates a resource that represents ..."""
    first = reading.nouns[0].words if reading.nouns else []
    is_bare = len(first) == 1 and first[0].lower() in _VAGUE and not any(noun.words for noun in reading.nouns[1:])
    return is_bare and stem(first[0].lower()) not in map(stem, words_of_name(tool.name))


_OF_ANYTHING = frozenset("info information detail details data list record result id all test".split())
_VAGUE = frozenset("resource object entity details information".split())

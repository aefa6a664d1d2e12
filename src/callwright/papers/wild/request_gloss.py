"""A tool as a short phrase that people ask with: a verb and its object (section 3.2).

The phrase comes from the first of these that gives one:

    a yes-or-no question in the description    check whether a URL is marked as unsafe by Google
    the clean start of the description         search the boards of Pinterest users
    the words of the name                      convert the binary number
"""

from __future__ import annotations

import re
from functools import lru_cache

from callwright.catalog.gloss import Chunk, Gloss, gloss
from callwright.catalog.slots import slots
from callwright.environment.returns import action_of
from callwright.lang.english import article, base_verb, is_countable, is_plural, plural
from callwright.lang.phrases import as_spelled, with_capitals
from callwright.lang.schemas import singular
from callwright.lang.tokens import content_stems, identifier_words, stem_set
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKUPS, SEARCHES
from callwright.records.tool import Tool

_MOST_WORDS = 10
_SEARCHING = frozenset("search look wait browse query filter scan subscribe apply log integrate".split())
_UNCLEAN = re.compile(
    r"\b(?:whether|and (?:view|get|return|retrieve|provide|generate|manage)|apis?|methods?|functions?|services?|"
    r"etc|based|related$|tools?|corresponding|via|specific|users? (?:is|are|has|have))\b|^access to\b|[\"'“”()]",
    re.IGNORECASE,
)
_FILLERS = re.compile(
    r"\b(?:the )?(?:detailed|specific|relevant|comprehensive|important|extensive) (?=information|data|details)",
    re.IGNORECASE,
)
_VAGUE_VERBS = frozenset("use allow enable represent perform support offer help achieve implement".split())


@lru_cache(maxsize=65536)
def asked_gloss(tool: Tool) -> Gloss:
    """Return the verb and object of a request for this tool."""
    return _whether(tool) or _described(tool) or _named(tool)


# -- by the description ----------------------------------------------------------------------------------------------

_WHETHER = re.compile(
    r"^(?:check|checks|determine|determines|verify|verifies|see|find out|detect|test|tell|validate) "
    r"(?:whether|if) ((?:the|an?|this|each) [\w -]{2,40}?) "
    r"((?:is|are|has|have|exists|belongs|was|can be)\b[^.,;:(]{0,60})",
    re.IGNORECASE,
)
_SORTED_OUT = re.compile(r"\b(?:specific|given|specified|particular|provided|certain) ")


def _whether(tool: Tool) -> Gloss | None:
    """Return a yes-or-no question in chunks: `whether` | `a date` | `is a global holiday` | `in a country`."""
    found = _WHETHER.match(_SORTED_OUT.sub("", " ".join(tool.description.split())))
    if found is None:
        return None
    subject, said = found.groups()
    verb, *rest = re.split(r" (?=(?:in|on|by|for|at) (?!the same))", said.strip())
    chunks = [Chunk("whether", with_capitals(subject.lower())), Chunk("", verb)]
    chunks += [Chunk(*part.split(" ", 1)) for part in rest if " " in part]
    return Gloss("check", tuple(chunks[:4]))


def _described(tool: Tool) -> Gloss | None:
    """Return the longest clean start of the description's phrase; None if it says nothing specific."""
    found = gloss(tool)
    if not found.verb or found.verb in _VAGUE_VERBS:
        return None
    verb = "get" if found.verb in ("provide", "browse", "explore") else found.verb
    chunks = tuple(
        _plainer(chunk, has_owner=bool(found.chunks[place + 1 :])) for place, chunk in enumerate(found.chunks)
    )
    chunks = tuple(chunk for chunk in chunks if not chunk.text.startswith(("its ", "their ")))
    for end in range(len(chunks), 0, -1):
        shorter = Gloss(verb, chunks[:end])
        if _is_clean(shorter) and _stems(shorter):
            return shorter
    return None


def _plainer(chunk: Chunk, *, has_owner: bool) -> Chunk:
    text = _FILLERS.sub("", chunk.text).strip()
    text = "the details" if text in ("information", "the information") and has_owner and not chunk.preposition else text
    text = re.sub(r"^the (user's|customer's) ", "my ", text)
    text = re.sub(r"^(?:user's|their|your) ", "my ", text)
    text = re.sub(r"^((?:an?|the) )?(?:associated|available|multiple) (?=\w)", r"\1", text)
    preposition = "of" if chunk.preposition == "about" else chunk.preposition
    return Chunk(preposition, with_capitals(text or chunk.text))


def _is_clean(found: Gloss) -> bool:
    first = found.chunks[0]
    if first.preposition and found.verb.split(" ")[0] not in _SEARCHING:
        return False
    text = found.object
    words = text.split()
    starts_badly = re.match(r"(?:\w+ing|which|how|what)\b", text) and not is_plural(words[-1]) and len(words) < 3
    ends_badly = words[-1] in ("a", "the", "and", "or", "of") or (base_verb(words[-1]) and words[-2:-1] == ["to"])
    return len(words) <= _MOST_WORDS and not _UNCLEAN.search(text) and not starts_badly and not ends_badly


def _stems(found: Gloss) -> frozenset[str]:
    return frozenset(content_stems(found.object)) - stem_set("information data details list result")


# -- by the name -----------------------------------------------------------------------------------------------------


def _named(tool: Tool) -> Gloss:
    """Return the verb and the thing of the name, the last resort: search nearby places, remove the pin."""
    words = [word for word in identifier_words(tool.name) if word.isalpha()]
    verb, thing = action_of(tool)
    if len(words) > 1 and base_verb(words[-1]) == words[-1] and base_verb(words[0]) != words[0]:
        verb, thing = words[-1], singular(words[-2])
    elif len(words) > 1 and base_verb(words[0]) == words[0] and "id" not in words:
        end = next((at for at, word in enumerate(words) if at > 1 and word in _LINKS), None)
        verb, thing = words[0], " ".join(words[1:end])
    thing = as_spelled(plural(thing) if verb in SEARCHES and is_countable(thing) else thing, tool.description)
    is_bare = is_plural(thing) or not is_countable(thing)
    determiner = "" if is_bare else f"{article(thing)} " if verb in CREATES else "the "
    return Gloss(verb, (Chunk("", f"{determiner}{thing}"),))


_LINKS = frozenset("by with using from for in to on and".split())


# -- rival tools -----------------------------------------------------------------------------------------------------


def are_rivals(one: Tool, other: Tool) -> bool:
    """Return whether a request for one tool could also mean the other."""
    mine, theirs = _all_stems(one), _all_stems(other)
    if not mine or not theirs:
        return True
    if _sort_of_act(one) != _sort_of_act(other) and None not in (_sort_of_act(one), _sort_of_act(other)):
        return False  # create a note, delete a note
    shared = len(mine & theirs)
    alike = mine <= theirs or theirs <= mine or shared / len(mine | theirs) >= 0.6
    needs = {_needs(one), _needs(other)}
    return mine == theirs or (alike and (len(needs) == 1 or frozenset() in needs))


_DELETES = frozenset("delete remove cancel erase".split())


def _sort_of_act(tool: Tool) -> int | None:
    """Return a number for what the tool does: delete, create, change or look up; None for other acts."""
    verb = asked_gloss(tool).verb.split(" ")[0]
    return next((at for at, verbs in enumerate((_DELETES, CREATES, CHANGES, LOOKUPS)) if verb in verbs), None)


def _all_stems(tool: Tool) -> frozenset[str]:
    return _stems(asked_gloss(tool)) - stem_set("get detail info specific current real time")


def _needs(tool: Tool) -> frozenset[str]:
    return frozenset(slots(tool)[name].kind for name in tool.required)

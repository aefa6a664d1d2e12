"""A tool's gloss as people ask for it: where the description gives no clean phrase, the words of the name do."""

from __future__ import annotations

import re
from functools import lru_cache

from callwright.catalog.gloss import Chunk, Gloss, gloss
from callwright.catalog.returns import action_of
from callwright.catalog.slots import slots
from callwright.lang.english import article, base_verb, is_countable, is_plural
from callwright.lang.tokens import content_stems, identifier_words, stem_set
from callwright.records.tool import Tool

_MOST_WORDS = 9
_SEARCHING = frozenset("search look wait browse query filter scan".split())
_UNCLEAN = re.compile(
    r"\b(?:whether|and (?:view|get|return|retrieve|provide|generate|manage|maintain|standardize)|up$|api|apis|methods?|"
    r"developers?|functions?|interface|capabilit\w+|services?|etc|based|related$|registered|supporting|dating|"
    r"multiple|corresponding|up to|near)\b|[\"'“”()]",
    re.IGNORECASE,
)
_FILLERS = re.compile(
    r"\b(?:the )?(?:detailed|specific|relevant|comprehensive) (?=information|data|details)", re.IGNORECASE
)
_LINKS = frozenset("by with using from for in to".split())
_GENERIC = frozenset("provide perform use allow enable represent simulate".split())


@lru_cache(maxsize=65536)
def asked_gloss(tool: Tool) -> Gloss:
    """Return verb and object for a request to use this tool."""
    found = gloss(tool)
    chunks = tuple(_plainer(chunk) for chunk in found.chunks)
    own = Gloss(found.verb, chunks)
    if not _is_clean(own) or len(_stems(own)) < 1:
        return _from_name(tool)
    verb = "get" if found.verb == "provide" else found.verb
    return Gloss(verb, chunks)


def _plainer(chunk: Chunk) -> Chunk:
    text = _FILLERS.sub("", chunk.text).strip()
    text = "the details" if text == "information" and not chunk.preposition else text
    text = re.sub(r"^the (user's|customer's) ", "my ", text)
    text = re.sub(r"^user's ", "my ", text)
    return Chunk(chunk.preposition, text or chunk.text)


def _is_clean(found: Gloss) -> bool:
    if not found.verb or not found.chunks or found.verb in _GENERIC - {"provide"}:
        return False
    if found.chunks[0].preposition and found.verb.split(" ")[0] not in _SEARCHING:
        return False
    text = found.object
    return len(text.split()) <= _MOST_WORDS and not _UNCLEAN.search(text) and not text.endswith((" a", " the"))


def _stems(found: Gloss) -> frozenset[str]:
    return frozenset(content_stems(found.object)) - stem_set("information data details list result")


def _from_name(tool: Tool) -> Gloss:
    words = [word for word in identifier_words(tool.name) if not word.isdigit()]
    verb = base_verb(words[0]) if len(words) > 1 else None
    rest = words[1:] if verb else words
    by = next((at for at, word in enumerate(rest) if at and word in _LINKS), len(rest))
    owners = {part for name in tool.required for part in identifier_words(name)}
    thing = " ".join(rest[:by]) or action_of(tool)[1]
    thing = re.sub(r"\binfo\b", "information", thing)
    determiner = "" if thing.split()[0] in ("all", "my") else "the " if not is_plural(thing) else ""
    if verb in ("create", "add", "generate", "post", "book", "make") and is_countable(thing):
        determiner = f"{article(thing)} "
    chunks = [Chunk("", f"{determiner}{thing}")]
    tail = [word for word in rest[by + 1 :] if word not in owners]
    asked = frozenset[str]().union(*(slots(tool)[name].stems for name in tool.required))
    if by < len(rest) and tail and not asked & stem_set(" ".join(tail)):
        chunks.append(Chunk(rest[by], " ".join(tail)))
    return Gloss(verb or "get", tuple(chunks))


def are_rivals(one: Tool, other: Tool) -> bool:
    """Whether a request for one tool could as well be one for the other."""
    mine, theirs = _all_stems(one), _all_stems(other)
    if not mine or not theirs:
        return True
    shared = len(mine & theirs)
    alike = mine <= theirs or theirs <= mine or shared / len(mine | theirs) >= 0.6
    needs = {_needs(one), _needs(other)}
    return mine == theirs or (alike and (len(needs) == 1 or frozenset() in needs))


def _all_stems(tool: Tool) -> frozenset[str]:
    return _stems(asked_gloss(tool)) - stem_set("get detail info specific current real time")


def _needs(tool: Tool) -> frozenset[str]:
    return frozenset(slots(tool)[name].kind for name in tool.required)

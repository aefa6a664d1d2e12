"""The parts of a gloss: a verb, and noun phrases with their prepositions."""

from __future__ import annotations

from functools import cached_property, lru_cache

import msgspec

from callwright.lang.english import ways_to_say
from callwright.lang.lexicon import word_set
from callwright.lang.phrases import indefinite
from callwright.lang.tokens import STOP_WORDS, content_stems, stem, words


class Chunk(msgspec.Struct, frozen=True, dict=True, cache_hash=True):
    """A noun phrase with the preposition before it, if any: `for` + `in-house training`."""

    preposition: str
    text: str

    @cached_property
    def said(self) -> str:
        """The phrase with its preposition."""
        return f"{self.preposition} {self.text}" if self.preposition else self.text

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the content words."""
        return frozenset(content_stems(self.text))


class Gloss(msgspec.Struct, frozen=True, dict=True, cache_hash=True):
    """A tool in a few words."""

    verb: str
    chunks: tuple[Chunk, ...]

    @cached_property
    def act(self) -> str:
        """The verb without its particle; whole where that makes another act: `look` of `look up`, but `check in`."""
        word = self.verb.partition(" ")[0]
        return self.verb if word in TAKES_IN else word

    @cached_property
    def object(self) -> str:
        """The object, as one phrase."""
        return " ".join(chunk.said for chunk in self.chunks)

    @cached_property
    def phrase(self) -> str:
        """Verb and object in base form: `approve a request for in-house training`."""
        return f"{self.verb or 'look up'} {self.object}".strip()

    @cached_property
    def object_stems(self) -> frozenset[str]:
        """Stems of the object's content words."""
        return frozenset().union(*(chunk.stems for chunk in self.chunks)) if self.chunks else frozenset()

    @cached_property
    def verb_stems(self) -> frozenset[str]:
        """Stems of the verb and its synonyms."""
        said = {word for way in (self.verb, *ways_to_say(self.verb)) for word in words(way)}
        telling = said - STOP_WORDS - PARTICLES - word_set("light_verbs")
        return frozenset(stem(word) for word in telling or words(self.verb))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of verb and object."""
        return self.object_stems | self.verb_stems


PREPOSITIONS = word_set("prepositions")
PARTICLES = word_set("particles")
DETERMINERS = word_set("determiners")
TAKES_IN = frozenset("check sign log clock".split())
"""Verbs to which `in` belongs."""


@lru_cache(maxsize=65536)
def kept(chunk: Chunk, allowed: frozenset[str]) -> str:
    """Return the chunk's phrase with only the allowed words left, or nothing where its head noun is not allowed.

    >>> kept(Chunk("for", "an in-house request"), frozenset({"request"}))
    'a request'
    """
    first, *rest = chunk.text.split()
    determiner, body = (first, rest) if first in DETERMINERS and rest else ("", [first, *rest])
    if not set(content_stems(body[-1])) <= allowed:
        return ""
    left = [word for word in body if set(content_stems(word)) <= allowed and word not in ("a", "an", "the")]
    while left and left[0] in ("and", "or", "&"):
        left = left[1:]
    if not left:
        return ""
    if len(left) == len(body) and (determiner in ("", "a", "an", "the") or determiner in allowed):
        return chunk.text
    text = " ".join(left)
    return f"the {text}" if determiner == "the" else indefinite(left)

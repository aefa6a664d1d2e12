"""The gloss of a tool: a verb and an object in everyday words, taken from the description.

    "Approve a request for in-house training. For courses taught by ..."
        verb    approve
        chunks  a request | for in-house training

The first sentence is cut at its first clause, the verb brought to its base form, the object split at prepositions.
If the description does not start with a verb, the whole phrase is the object and the verb is empty.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

import msgspec

from callwright.lang.english import article, base_verb, is_plural, ways_to_say, with_article
from callwright.lang.tokens import STOP_WORDS, content_stems, identifier_words, stem, words
from callwright.records.tool import Tool


class Chunk(msgspec.Struct, frozen=True, dict=True):
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


class Gloss(msgspec.Struct, frozen=True, dict=True):
    """A tool in a few words."""

    verb: str
    chunks: tuple[Chunk, ...]

    @cached_property
    def object(self) -> str:
        """The object, as a phrase of the description."""
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
        telling = said - STOP_WORDS - _PARTICLES - _LIGHT
        return frozenset(stem(word) for word in telling or words(self.verb))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of verb and object."""
        return self.object_stems | self.verb_stems


PREPOSITIONS = frozenset(
    "for of to from with in on at by about between into under against per within across before after during through "
    "over behind without as awaiting waiting ending starting expiring due concerning regarding involving "
    "belonging".split()
)
_PARTICLES = frozenset("up off out back in on down over away together".split())
_LIGHT = frozenset("get go see have take put make hold let give say".split())
_DETERMINERS = frozenset("a an the this that these those all any each every one new your my our another".split())
_OPENERS = re.compile(
    r"^(?:an api method that allows \w+ to\s+|an? (?:online )?(?:function|tool|method|service) to\s+|"
    r"(?:this|the)\s+(?:endpoint|method|api|function|tool|operation|call|service|action|resource)\s+(?:is used to|"
    r"allows? (?:you|users?|callers?|clients?|the user)?\s*to|can be used to|lets you|will|provides|enables you to|)"
    r"\s*|(?:used|use this(?: \w+)?|allows?(?: you| users?| developers)?|"
    r"enables?(?: you| users?| developers)?|api|method|endpoint|function|"
    r"tool|you can|can be used|helps?(?: you)?|a tool|ability)\s+(?:to\s+)+|permanently\s+|immediately\s+|"
    r"(?:batch|reverse|randomly|quickly|easily)\s+(?=[a-z]+\s)|\w+ly\s+(?=[a-z]+s?\s+(?:a|an|the)\s))",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;:(\[{<`\"“]|\.\s|\.$|\n|\s[-–—]\s|\s(?:that|which|who|whose|where|when|while|if|unless|because|so|via|using|based|"
    r"such|including|allowing|as well|in order|according|given|matching|containing|specified|along|together|either|"
    r"by \w+ing|to (?=[a-z]+ (?:a|an|the|your|it|them)\b)|"
    r"and (?=(?:get|return|retrieve|obtain|manage|other|its|their)\b))\b",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"\b\w+_\w+\b")
_PLACEHOLDERS = re.compile(
    r"(?<![-\w])(an? )?"
    r"(?:one or more|specified|specific|given|corresponding|particular|provided|existing|single) ",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s\([A-Z][\w.&-]{0,11}\)")
"""An abbreviation of what stands before it: it would be taken for the end of the first clause."""
_LISTS = frozenset(("a list", "the list", "lists", "all", "a paginated list", "a collection", "an array"))
_MOST_WORDS = 11


@lru_cache(maxsize=65536)
def gloss(tool: Tool) -> Gloss:
    """Return the gloss of a tool; from its name if it has no description.

    >>> gloss(Tool(name="x", description="Approves a request for in-house training.")).phrase
    'approve a request for in-house training'
    """
    described = _ASIDE.sub("", " ".join(tool.description.split()))
    sentence = _OPENERS.sub("", described) or " ".join(identifier_words(tool.name))
    sentence = _IDENTIFIER.sub(lambda match: " ".join(identifier_words(match.group())), sentence)
    sentence = _PLACEHOLDERS.sub(lambda match: "a " if match.group(1) else "", sentence)
    tokens = _CLAUSE.split(sentence, maxsplit=1)[0].split() or sentence.split()
    verb, rest = _take_verb(tokens)
    named = tuple(chunk for chunk in _chunks(rest) if chunk.text.lower() not in ("id", "ids"))
    chunks = _with_articles(named, _parameter_stems(tool))
    if len(chunks) > 1 and chunks[0].text in _LISTS and chunks[1].preposition == "of":
        verb, chunks = "list", (Chunk("", chunks[1].text), *chunks[2:])
    return Gloss(verb=verb, chunks=chunks)


def _parameter_stems(tool: Tool) -> frozenset[str]:
    names = tool.required or tuple(tool.properties)
    return frozenset(stem(word) for name in names for word in identifier_words(name))


def _take_verb(tokens: list[str]) -> tuple[str, list[str]]:
    if not tokens:
        return "", []
    verb = "get" if tokens[0].lower() == "returns" else base_verb(tokens[0].strip(".,'"))
    if verb is None or len(tokens) == 1:
        first = tokens[0]
        return "", [first.lower() if first.istitle() else first, *tokens[1:]]
    rest = tokens[1:]
    if len(rest) > 1 and rest[0].lower() in ("and", "or") and base_verb(rest[1]):
        rest = rest[2:]  # "Create or update X": the first verb stands for both
    if len(rest) > 1 and rest[0].lower() in _PARTICLES and rest[1].lower() in _DETERMINERS:
        if rest[0].lower() in PREPOSITIONS and verb in ("search", "look", "wait", "vote", "report", "subscribe"):
            return verb, rest
        return f"{verb} {rest[0].lower()}", rest[1:]
    return verb, rest


def _chunks(tokens: list[str]) -> tuple[Chunk, ...]:
    chunks: list[Chunk] = []
    preposition, phrase = "", list[str]()
    for position, token in enumerate(tokens[:_MOST_WORDS]):
        word = token.lower()
        if word == "to" and phrase and _is_infinitive(tokens[position + 1 :]):
            tokens = tokens[:position]  # a purpose, not an object
            break
        opens = _has_content(phrase) if phrase else not preposition  # not so in "the due date"
        if word in PREPOSITIONS and opens:
            if phrase:
                chunks.append(Chunk(preposition, _tidy(phrase)))
            preposition, phrase = word, []
        else:
            phrase.append(token)
    whole = len(tokens) <= _MOST_WORDS
    if (whole or not chunks) and _has_content(phrase):
        chunks.append(Chunk(preposition, _tidy(phrase)))
    return tuple(chunk for chunk in chunks if chunk.text)


def _has_content(phrase: list[str]) -> bool:
    return any(word.lower() not in _DETERMINERS for word in phrase)


def _with_articles(chunks: tuple[Chunk, ...], parameters: frozenset[str]) -> tuple[Chunk, ...]:
    """Add articles that headlines drop ("Apply watermark to folder").

    A noun after a preposition that is not a parameter may be part of a fixed phrase: `points of interest`.
    """
    if any(chunk.text.split()[0].lower() in _DETERMINERS for chunk in chunks):
        return chunks
    return tuple(
        Chunk(chunk.preposition, _said_with_article(chunk.text))
        if not (place and chunk.preposition) or stem(chunk.text.split()[-1].lower()) in parameters
        else chunk
        for place, chunk in enumerate(chunks)
    )


def _said_with_article(text: str) -> str:
    words_of = text.split()
    if words_of[-1] in _PARTICLES or any(is_plural(word) for word in words_of):
        return text
    plain = all(word.replace("-", "").isalpha() for word in words_of) and words_of[-1].islower()
    return with_article(text) if plain and "and" not in words_of and not text.endswith("ing") else text


def _is_infinitive(tokens: list[str]) -> bool:
    return len(tokens) > 1 and base_verb(tokens[0]) == tokens[0] and tokens[1].lower() not in PREPOSITIONS


def _tidy(phrase: list[str]) -> str:
    text = " ".join(phrase).strip(" .,'\"")
    first, _, rest = text.partition(" ")
    if first in ("a", "an") and rest:
        return f"{article(rest)} {rest}"
    return f"{first.lower()} {rest}".strip() if first.lower() in _DETERMINERS else text


@lru_cache(maxsize=65536)
def kept(chunk: Chunk, allowed: frozenset[str]) -> str:
    """Return the chunk's phrase with only the allowed words left, or nothing where its head noun is not allowed.

    >>> kept(Chunk("for", "an in-house training"), frozenset({"training"}))
    'a training'
    """
    tokens = chunk.text.split()
    determiner = tokens[0].lower() if tokens and tokens[0].lower() in _DETERMINERS else ""
    body = tokens[1:] if determiner else tokens
    if not body or not set(content_stems(body[-1])) <= allowed:
        return ""
    left = [word for word in body if set(content_stems(word)) <= allowed or word.lower() in _LINKS]
    while left and left[0].lower() in _LINKS:
        left = left[1:]
    text = " ".join(left)
    if determiner in ("a", "an") and any(word.endswith("'s") and word not in left for word in body):
        return with_article(text)  # the article was the owner's: "a customer's orders"
    if determiner in ("a", "an") or (determiner in ("one", "another") and determiner not in allowed):
        return f"{article(text)} {text}"
    if determiner in ("all", "each", "every", "any", "new") and determiner not in allowed:
        return text
    return f"{determiner} {text}" if determiner else text


_LINKS = frozenset(("and", "or", "&", "the", "a", "an"))

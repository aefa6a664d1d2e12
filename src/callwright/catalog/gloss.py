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
from typing import NamedTuple

import msgspec

from callwright.lang.english import (
    any_verb,
    article,
    base_verb,
    is_adjective,
    is_noun,
    is_plural,
    past_of,
    plural,
    singular,
    ways_to_say,
    with_article,
)
from callwright.lang.lexicon import word_set
from callwright.lang.nouns import with_capitals
from callwright.lang.tokens import STOP_WORDS, content_stems, identifier_words, stem, words
from callwright.lang.verbs_of_acts import CHANGES, LOOKS, LOOKUPS
from callwright.records.tool import Tool


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
        telling = said - STOP_WORDS - _PARTICLES - word_set("light_verbs")
        return frozenset(stem(word) for word in telling or words(self.verb))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of verb and object."""
        return self.object_stems | self.verb_stems


PREPOSITIONS = word_set("prepositions")
_PARTICLES = word_set("particles")
_DETERMINERS = word_set("determiners")
_OPENERS = re.compile(
    r"^(?:\[\w+\] |an api method that allows \w+ to\s+|an? (?:online )?(?:function|tool|method|service) to\s+|"
    r"(?:this|the)\s+(?:endpoint|method|api|function|tool|operation|call|service|action|resource)\s+(?:is used to|"
    r"allows? (?:you|users?|callers?|clients?|the user)?\s*to|can be used to|lets you|will|provides|enables you to|)"
    r"\s*|(?:used|use this(?: \w+){0,2}|allows?(?: you| users?| developers)?|"
    r"enables?(?: you| users?| developers)?|api|method|endpoint|function|"
    r"tool|you can|can be used|helps?(?: you)?|a tool|ability)\s+(?:to\s+)+|permanently\s+|immediately\s+|"
    r"(?:batch|reverse|randomly|quickly|easily)\s+(?=[a-z]+\s)|\w+ly\s+(?=[a-z]+s?\s+(?:a|an|the)\s))",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;:(\[{<`\"“—–]|\.\s|\.$|\n|\s-\s|\s(?:that|which|who|whose|where|when|while|if|unless|because|so|via|using|"
    r"based|such|including|allowing|as well|in order|according|given|matching|containing|specified|along|together|"
    r"either|by \w+ing|to be|up to|to (?=[a-z]+ (?:a|an|the|your|it|them)\b)|"
    r"and (?=(?:get|return|retrieve|obtain|manage|other|its|their)\b)|"
    r"(?:an?|the|this|your|you|it|they)(?: (?!(?:an?|the|this|your|that|which|who)\b)[\w-]+){0,4}? "
    r"(?:is|are|has|have|was|can|may|must|will|should|does))\b",
    re.IGNORECASE,
)
_MARKS = re.compile(r"<[^<>]{0,200}>|\]\([^()\s]{0,300}\)|\*\*|\[(?=[\w ]{1,80}\]\()")
"""Tags of HTML, links and bold of Markdown."""
_IDENTIFIER = re.compile(r"\b\w+_\w+\b")
_PLACEHOLDERS = re.compile(
    r"(?<![-\w])(an? )?"
    r"(?:one or more|specified|specific|given|corresponding|particular|provided|existing|single|individual) ",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s\([^()]{1,30}\)")
"""An abbreviation of what stands before it, or `(s)`: it would be taken for the end of the first clause."""
_ENUMERATED = re.compile(r"[^,.;:()]{1,60}, [^,.;:()]{1,40}, (?:and|or)\b", re.IGNORECASE)
"""A list of three things, of which the first clause would hold but one."""
_LISTS = frozenset(("a list", "the list", "list", "lists", "all", "a paginated list", "a collection", "an array"))
_EMPTY_NOUNS = frozenset(("resource", "resources", "object", "objects"))
_PHRASAL = frozenset(("turn", "switch", "shut", "log", "sign", "opt", "roll"))
_COMMON = re.compile(r"(?<=\ba )([A-Z])(?=[a-z]+\b(?! [A-Z]))|(?<=\bthe )([A-Z])(?=[a-z]+\b(?! [A-Z]))")
"""The capital of a single noun after an article: `a User`."""
_VERSION = re.compile(r"v\d+")
_MOST_WORDS = 10


class _Reading(NamedTuple):
    """A verb, and the words of its object."""

    verb: str
    object: list[str]


@lru_cache(maxsize=65536)
def gloss(tool: Tool) -> Gloss:
    """Return the gloss of a tool: from its description, else from its name, else from method and path.

    >>> gloss(Tool(name="x", description="Approves a request for in-house training.")).phrase
    'approve a request for in-house training'
    >>> gloss(Tool(name="op17", source="POST /invoices/{invoice_id}/archive")).phrase
    'archive an invoice'
    """
    described, named = _from_description(tool), _from_name(tool)
    if described.verb or not named.verb:
        verb, rest = (described.verb, described.object or named.object) if described.object else named
        verb = described.verb or verb
    else:  # a phrase such as `surrounding search` only names the act
        says_thing = _is_noun_phrase(described.object) and base_verb(described.object[-1]) != named.verb
        verb, rest = named.verb, (described.object if says_thing else named.object)
    if rest is named.object and verb in ("search", "filter", "query"):
        rest = plural(" ".join(rest)).split()
    elif rest is named.object and verb != "list" and (verb == "create" or tool.source.endswith("}")):
        rest = _singular_unless(rest, False)
    bare = frozenset(stem(word.lower()) for word in rest) if rest is named.object else _parameter_stems(tool)
    chunks = _with_articles(_named_chunks(rest), bare)
    if len(chunks) > 1 and chunks[0].text in _LISTS and chunks[1].preposition == "of":
        verb, chunks = "list", (Chunk("", chunks[1].text), *chunks[2:])
    verb = _counted_verb(verb, chunks, tool)
    return Gloss(verb=verb, chunks=_in_number(verb, chunks))


@lru_cache(maxsize=65536)
def thing_noun(tool: Tool) -> str:
    """Return what the tool acts on, as one singular noun: `short code`; empty where it has none of four words or less.

    >>> thing_noun(Tool(name="listShortCodes"))
    'short code'
    """
    chunks = gloss(tool).chunks
    said = [word for word in chunks[0].text.split() if word.lower() not in _DETERMINERS] if chunks else []
    return singular(" ".join(said)) if 0 < len(said) <= 4 else ""


def _parameter_stems(tool: Tool) -> frozenset[str]:
    names = tool.required or tuple(tool.properties)
    return frozenset(stem(word) for name in names for word in identifier_words(name))


# -- three sources -------------------------------------------------------------------------------------------------


def _from_description(tool: Tool) -> _Reading:
    """Read the first sentence; without a verb, its phrase may still be the object."""
    text = _ASIDE.sub("", _MARKS.sub("", " ".join(tool.description.split())))
    text = _COMMON.sub(lambda found: found.group().lower(), text)
    sentence = _OPENERS.sub("", text)
    sentence = _IDENTIFIER.sub(lambda match: " ".join(identifier_words(match.group())), sentence)
    sentence = _PLACEHOLDERS.sub(lambda match: "a " if match.group(1) else "", sentence).replace("all of the ", "all ")
    clause = _CLAUSE.split(sentence, maxsplit=1)[0]
    verb, rest = _take_verb(_split_camel(clause, tool.name).split())
    rest = _first_of_two(rest)
    cut = bool(_ENUMERATED.match(sentence)) and len(rest) < 4
    return _Reading(verb, [] if cut else rest)


def _first_of_two(tokens: list[str]) -> list[str]:
    """Keep the first of two things: `message` of `message or file`, `channel` of `public or private channel`."""
    tokens = [re.sub(r"^(\w+)/\w+$", r"\1", token) for token in tokens]
    if "or" not in tokens[2:-1]:
        return tokens
    place = tokens.index("or", 2)
    if PREPOSITIONS.issuperset((tokens[place - 1].lower(), tokens[place + 1].lower())):
        return [*tokens[: place - 1], *tokens[place + 1 :]]  # `created by or for a user`
    before, after = tokens[:place], tokens[place + 1 :]
    end = next((at for at, word in enumerate(after) if word.lower() in PREPOSITIONS), len(after))
    if end > 1 and is_adjective(before[-1]) and is_adjective(after[end - 2]):
        return [*before[:-1], *after[end - 1 :]]
    return [*before, *after[end:]]


def _split_camel(text: str, name: str) -> str:
    """Split words such as `AlphaSender` that the tool's name holds too; others may be names of products."""
    words_of = (
        " ".join(identifier_words(word))
        if word in name and word[1:] != word[1:].lower() and not word.isupper()
        else word
        for word in text.split(" ")
    )
    return " ".join(words_of)


def _take_verb(tokens: list[str]) -> _Reading:
    verb = _leading_verb(tokens)
    if not verb:
        first = tokens[:1]
        if len(tokens) == 1 and any_verb(first[0]) and not is_noun(first[0]):
            return _Reading("", [])
        return _Reading("", [*(word.lower() if word.istitle() else word for word in first), *tokens[1:]])
    rest = tokens[1:]
    if len(rest) > 1 and rest[0].lower() in ("and", "or") and any_verb(rest[1]):
        rest = rest[2:]  # "Create or update X": the first verb stands for both
    if len(rest) > 1 and rest[0].lower() in _PARTICLES and (rest[1].lower() in _DETERMINERS or verb in _PHRASAL):
        if rest[0].lower() in PREPOSITIONS and verb in ("search", "look", "wait", "vote", "report", "subscribe"):
            return _Reading(verb, rest)
        return _Reading(f"{verb} {rest[0].lower()}", rest[1:])
    return _Reading(verb, rest)


def _leading_verb(tokens: list[str]) -> str:
    """Return the verb that a phrase begins with; a word that is a noun too needs to look like one here."""
    if not tokens:
        return ""
    first, follower = tokens[0].strip(".,'").lower(), tokens[1].lower() if len(tokens) > 1 else ""
    verb = "get" if first == "returns" else any_verb(first) or (past_of(first) if follower in _DETERMINERS else "")
    if not verb or not follower or follower == "of":
        return ""
    if base_verb(first) or not (is_noun(first) or first.endswith("ing")):
        return verb
    return verb if follower in _DETERMINERS or is_plural(follower) else ""


def _from_name(tool: Tool) -> _Reading:
    """Read the name: `createShortCode`, `pins_remove`, `post_files_id_copy`; else method and path of its source."""
    method, _, path = tool.source.partition(" ")
    parts = [
        [w for w in identifier_words(part) if not _VERSION.fullmatch(w) and w not in ("individual", "single")]
        for part in re.split(r"[._/-]", tool.name)
    ]
    parts = [part for part in parts if part and part != ["api"]]
    if len(parts) > 1 and parts[0] == [method.lower()]:
        parts = [part for part in parts[1:] if part not in (["id"], ["ids"])]
        if len(parts) < 2 or not _is_verb(parts[-1][0]):
            return _from_path(method, path)
    whole = [word for part in parts for word in part]
    if "by" in whole[2:] and whole[-1] in ("id", "ids"):  # `getPetById` gets a pet
        whole = whole[: whole.index("by", 2)]
        parts = [whole] if len(parts) == 1 else parts
    if len(whole) > 1 and _is_verb(whole[0]):
        return _Reading(whole[0], _capitalised(whole[1:]))
    if len(whole) > 1 and _is_verb(parts[-1][0]):
        verb = parts[-1][0]
        return _Reading(verb, _capitalised(parts[-1][1:] or _singular_unless(parts[-2], verb == "list")))
    if len(whole) > 1 and base_verb(whole[-1]) == whole[-1] and (whole[-1] in _LAST or not is_noun(whole[-1])):
        return _Reading(whole[-1], _capitalised(_singular_unless(whole[:-1], whole[-1] == "list")))
    found = _from_path(method, path)
    return _Reading(found.verb, _capitalised(whole) if not found.verb else found.object)


def _is_verb(word: str) -> bool:
    """Whether a word of a name is a verb: one of the lexicon, or one that is no noun."""
    return base_verb(word) == word or (any_verb(word) == word and not is_noun(word))


_LAST = LOOKUPS | CHANGES
"""Verbs that are nouns too, and yet are verbs at the end of a name: `pages_list`, not `pull_request`."""
_OF_METHODS = {"GET": "get", "POST": "create", "PUT": "update", "PATCH": "update", "DELETE": "delete"}


def _from_path(method: str, path: str) -> _Reading:
    """Read an operation of HTTP: `POST /notes/{id}/archive` archives a note, `GET /notes` lists notes."""
    parts = [part for part in path.split("/") if part]
    named = [identifier_words(part) for part in parts if "{" not in part]
    named = [words_of for words_of in named if words_of and not all(map(_VERSION.fullmatch, words_of))]
    if method not in _OF_METHODS or not named:
        return _Reading("", [])
    last, is_one = named[-1], "{" in parts[-1]
    if len(named) > 1 and not is_one and method != "GET" and base_verb(last[0]) == last[0]:
        return _Reading(last[0], _capitalised(last[1:] or _singular_unless(named[-2], False)))
    listed = method == "GET" and not is_one and is_plural(last[-1])
    return _Reading("list" if listed else _OF_METHODS[method], _capitalised(_singular_unless(last, listed)))


def _singular_unless(words_of: list[str], listed: bool) -> list[str]:
    return words_of if listed or not words_of else singular(" ".join(words_of)).split()


def _capitalised(words_of: list[str]) -> list[str]:
    return with_capitals(" ".join(words_of)).split()


# -- the object ----------------------------------------------------------------------------------------------------


def _is_noun_phrase(tokens: list[str]) -> bool:
    """Whether the beginning of a description that has no verb may be the object: short, and no sentence."""
    said = {token.lower() for token in tokens}
    return 0 < len(tokens) <= 8 and said.isdisjoint(_SENTENCE) and tokens[0].lower() not in (*PREPOSITIONS, "note")


_SENTENCE = frozenset("is are was were be will can must should may have has not you we this does do if to".split())


def _named_chunks(tokens: list[str]) -> tuple[Chunk, ...]:
    tokens = [
        word for place, word in enumerate(tokens)
        if not (word.lower() in _EMPTY_NOUNS and place and tokens[place - 1].lower() not in _DETERMINERS
                and (place == len(tokens) - 1 or tokens[place + 1].lower() in PREPOSITIONS))
    ]  # fmt: skip
    return tuple(chunk for chunk in _chunks(tokens) if chunk.text.lower() not in ("id", "ids"))


def _counted_verb(verb: str, chunks: tuple[Chunk, ...], tool: Tool) -> str:
    """Tell `list` from `get`, which documents mix, where path and object agree."""
    method, _, path = tool.source.partition(" ")
    if method != "GET" or not chunks or verb not in LOOKS:
        return verb
    head = _HEAD.split(chunks[0].text)[0]
    if path.endswith("}"):
        return "get" if verb == "list" and not is_plural(head) else verb
    places = identifier_words(path.rstrip("/").rpartition("/")[2])
    is_collection = (
        bool(places)
        and head.split()[-1].lower() not in word_set("always_plural")
        and is_plural(head)
        and stem(places[-1]) == stem(head.split()[-1].lower())
    )
    return "list" if is_collection or head.startswith("all ") else verb


_HEAD = re.compile(r" (?:of|for|and|or) ")


def _in_number(verb: str, chunks: tuple[Chunk, ...]) -> tuple[Chunk, ...]:
    """Return the chunks with the first in the plural where it is listed: `list short codes`."""
    if verb != "list" or not chunks or chunks[0].preposition:
        return chunks
    first, _, rest = chunks[0].text.partition(" ")
    text = rest if first in ("a", "an") else chunks[0].text
    if first == "the" or any(is_plural(word) for word in text.split()[first == "all" :]):
        return (Chunk("", text), *chunks[1:])
    return (Chunk("", plural(text)), *chunks[1:])


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
            leads = phrase.pop() + " " if len(phrase) > 1 and _leads(phrase[-1]) else ""
            if phrase:
                chunks.append(Chunk(preposition, _tidy(phrase)))
            preposition, phrase = leads.lower() + word, []
        else:
            phrase.append(token)
    whole = len(tokens) <= _MOST_WORDS
    if (whole or not chunks) and _has_content(phrase):
        chunks.append(Chunk(preposition, _tidy(phrase)))
    return tuple(chunk for chunk in chunks if chunk.text)


def _leads(word: str) -> bool:
    """Whether a word after a noun belongs to the preposition that follows: `linked to`, `made by`."""
    return word == "available" or (bool(past_of(word.lower())) and not is_noun(word))


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
    if words_of[0].endswith("'s") and words_of[0].islower():
        return f"{article(text)} {text}"
    if words_of[-1] in _PARTICLES or any(is_plural(word) for word in words_of):
        return text
    if words_of[0] in ("current", "latest", "default", "next", "last"):
        return f"the {text}"
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
    left = [word for word in body if _is_allowed(word, allowed)]
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


def _is_allowed(word: str, allowed: frozenset[str]) -> bool:
    own = set(content_stems(word))
    return own <= allowed if own else word.istitle() or word.lower() in allowed | _LINKS  # `Do Not Disturb`


_LINKS = frozenset(("and", "or", "&", "the", "a", "an"))

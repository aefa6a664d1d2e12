"""Whether words of a document can be said: clean noun phrases, their articles, and the words of identifiers.

The one place where nouns of parameters and objects of tools are checked; what fails is taken from another source.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache, lru_cache

from callwright.lang.english import (
    any_verb,
    article,
    is_adjective,
    is_countable,
    is_noun,
    is_plural,
    past_of,
    with_article,
)
from callwright.lang.lexicon import lexicon, word_set
from callwright.lang.tokens import identifier_words, stem

_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:['’-][A-Za-z0-9]+)*")
_JOINS = frozenset(("of", "and", "or", "&", "per"))
_SHORT, _VOWELS = 4, frozenset("aeiouy")
"""Longest unknown word that is an abbreviation rather than a name."""
_LEAST_PART = 3


@cache
def _acronyms() -> dict[str, str]:
    return {word.lower(): word for word in word_set("acronyms")}


_MIXED = re.compile(r"(?!v\d)(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{2,4}")


def with_capitals(text: str) -> str:
    """Return the text with abbreviations in capitals.

    >>> with_capitals("short url"), with_capitals("ids of the api"), with_capitals("a2p profile")
    ('short URL', 'IDs of the API', 'A2P profile')
    """
    return " ".join(
        word.upper() if _MIXED.fullmatch(word) else _acronyms().get(word, word) if word.islower() else word
        for word in text.split(" ")
    )


def parts_of_type(token: str, known: Collection[str]) -> list[str]:
    """Return the words of a type's name such as `AlphaSender`, if stems of a tool's name and path are these.

    Others may be names of products.

    >>> parts_of_type("AlphaSender", {"alpha", "sender"}), parts_of_type("SoundCloud", {"track"})
    (['alpha', 'sender'], [])
    """
    if token[1:] == token[1:].lower() or token.removesuffix("s").isupper() or token in _acronyms().values():
        return []
    parts = identifier_words(token)
    is_joined = stem(token.lower()) in known and is_known(parts[-1])
    return parts if len(parts) > 1 and (is_joined or set(map(stem, parts)) <= set(known)) else []


def as_spelled(text: str, description: str) -> str:
    """Return the text with the capitals of names in a description: `SoundCloud`; common nouns stay small.

    >>> as_spelled("soundcloud user", "Authenticates users of SoundCloud for a User.")
    'SoundCloud user'
    """
    spelled = {word.lower(): word for word in re.findall(r"(?<=[\w,] )[A-Z]\w*", description)}
    return " ".join(word if is_known(word) else spelled.get(word, word) for word in with_capitals(text).split(" "))


def written_apart(text: str, described: str) -> str:
    """Return the text with words that a name runs together as a description writes them: `hosted zone`.

    >>> written_apart("hostedzone ID", "The ID of the hosted zone to delete.")
    'hosted zone ID'
    """
    words = re.findall("[a-z]+", described[:_READ].lower())
    joined = {
        "".join(run): " ".join(run) for n in (2, 3) for run in zip(*(words[at:] for at in range(n)), strict=False)
    }
    return " ".join(
        joined.get(word, word) if len(word) >= _GLUED_FROM and not is_known(word) else word for word in text.split(" ")
    )


_READ = 2_000
_GLUED_FROM = 8
"""Fewest letters of a word that may be several."""


@lru_cache(maxsize=16384)
def is_known(word: str) -> bool:
    """Whether a lower-case word is English, an abbreviation that people say, or a number.

    >>> is_known("invoice"), is_known("url"), is_known("dt")
    (True, True, False)
    """
    in_dictionary = is_noun(word) or is_adjective(word) or any_verb(word) is not None or bool(past_of(word))
    return (
        in_dictionary or word.isdigit() or word in _acronyms().keys() | _JOINS | _function_words() or _is_listed(word)
    )


@cache
def _barred() -> frozenset[str]:
    """Words that are never inside a noun phrase: those that begin another phrase."""
    openers = word_set("prepositions") - word_set("particles") - {"due"}
    return openers | (word_set("determiners") | word_set("unsaid")) - {"other", "new"}


@cache
def _function_words() -> frozenset[str]:
    return word_set("prepositions") | word_set("particles") | word_set("determiners") | word_set("unsaid")


def _is_listed(word: str) -> bool:
    names = word_set("known") | word_set("uncounted") | word_set("persons")
    return word in names or word.removesuffix("s") in names


@lru_cache(maxsize=65536)
def words_of_name(name: str) -> tuple[str, ...]:
    """Return the words of an identifier, split where two are glued together, abbreviations written out.

    >>> words_of_name("shortUrl_qty"), words_of_name("usemarker"), words_of_name("line1")
    (('short', 'url', 'quantity'), ('use', 'marker'), ('line', '1'))

    A word is not said twice in a row.

    >>> words_of_name("pageUrl_url")
    ('page', 'url')
    """
    words = [part for word in identifier_words(name) if word != "s" for part in _unglued(word)]  # `project_s_jobs`
    words = [word for at, word in enumerate(words) if words[at - 1 : at] != [word]]
    known = lexicon()["names"]
    return tuple(" ".join(known.get(word, word) for word in words).split()) or tuple(words)


@lru_cache(maxsize=16384)
def _unglued(word: str) -> tuple[str, ...]:
    if word[-1:].isdigit() and is_noun(word[:-1]) and word not in lexicon()["names"]:
        return (word[:-1], word[-1])  # `line1`
    if is_known(word) or word in lexicon()["names"] or not word.isalpha():
        return (word,)
    for end in ("id", "ids"):
        if is_noun(word.removesuffix(end)) and word.endswith(end):
            return (word.removesuffix(end), end)  # `listid`
    for at in range(len(word) - _LEAST_PART, _LEAST_PART - 1, -1):
        if is_noun(word[:at]) and not is_plural(word[:at]) and is_noun(word[at:]):
            return (word[:at], word[at:])
    return _several(word) if len(word) >= _LONG else (word,)


_LONG = 12
"""Fewest letters of three words that are run together, or of two of which the first is in the plural."""


def _several(word: str) -> tuple[str, ...]:
    """Split two or three nouns of four letters or more: `salesfeaturetypes`."""
    cuts = range(len(word) - _SHORT, _SHORT - 1, -1)
    pairs = [(word[:at], word[at:]) for at in cuts if is_noun(word[:at])]
    two = next((pair for pair in pairs if is_noun(pair[1])), None)
    three = next(((one, *_unglued(rest)) for one, rest in pairs if len(_unglued(rest)) == len(pairs[0])), None)
    return two or three or (word,)


def is_finite(word: str) -> bool:
    """Whether a word is a verb with its subject before it, as documents have them: `Acme provides prices`.

    >>> is_finite("provides"), is_finite("returns"), is_finite("invoices")
    (True, False, False)
    """
    return word in _TELLING


_TELLING = frozenset(
    "provide provides delivers contains includes allows calculates creates represents describes retrieves enables "
    "requires".split()
)
"""Forms that are no nouns, unlike `returns`."""


def is_opaque(words: Sequence[str]) -> bool:
    """Whether some word of a name tells a reader nothing: one letter, or an abbreviation that nobody knows."""
    return any(not is_known(word) and (len(word) <= _SHORT or _VOWELS.isdisjoint(word)) for word in words)


def is_noun_phrase(words: Sequence[str]) -> bool:
    """Whether the words, without article, make a clean noun phrase.

    >>> [is_noun_phrase(text.split()) for text in ("date of birth", "amount spent", "line 2", "short URL")]
    [True, True, True, True]
    >>> [is_noun_phrase(text.split()) for text in ("fully update invoice", "method through", "timestamp to", "spent")]
    [False, False, False, False]
    """
    segments: list[list[str]] = [[]]
    if any(map(is_finite, words[1:])):
        return False  # `Acme provides prices`
    for word in words:
        if word in _JOINS:
            segments.append([])
        else:
            segments[-1].append(word)
    return len(words) <= _MOST_WORDS and all(map(_is_segment, segments))


_MOST_WORDS = 7


_BEFORE_NOUNS = frozenset("waiting starting ending expiring".split())
"""Prepositions that also begin a noun: `waiting list`."""
_AFTER_NOUNS = frozenset("off up out back".split())
"""Particles that end a noun: `time off`."""


def _is_segment(words: Sequence[str]) -> bool:
    if not words or not all(_TOKEN.fullmatch(word) or (place and word.isdigit()) for place, word in enumerate(words)):
        return False
    lower = [word.lower() for word in words]
    if (
        not _barred().isdisjoint(word for word in words[lower[0] in _BEFORE_NOUNS :] if not word[0].isupper())
        or lower[-1] in word_set("particles") - _AFTER_NOUNS
    ):
        return False
    adverbs = [at for at, word in enumerate(lower) if word.endswith("ly") and not (is_noun(word) or is_adjective(word))]
    if any(not is_participle(word) for at in adverbs for word in lower[at + 1 : at + 2] or [""]):
        return False
    if _is_head(words[-1]) and lower[-1] not in _AFTER_NOUNS:
        return True
    return len(words) > 1 and _is_head(words[-2]) and (is_participle(lower[-1]) or lower[-1] in _AFTER_NOUNS)


@lru_cache(maxsize=16384)
def is_participle(word: str) -> bool:
    """Whether a lower-case word is a past participle and nothing else: `created`, `unshared`."""
    return bool(past_of(word) or past_of(word.removeprefix("un"))) and not is_noun(word)


def _is_head(word: str) -> bool:
    """Whether a word may end a noun phrase; one that the dictionary lacks is taken for a name."""
    lower = word.lower()
    return (
        is_noun(lower)
        or _is_listed(lower)
        or lower.endswith("ing")
        or (lower.endswith("s") and any_verb(lower) not in (None, lower))  # `invites`
        or not (is_adjective(lower) or any_verb(lower) or past_of(lower))
    )


def has_plural_head(words: Sequence[str]) -> bool:
    """Whether the head of a noun phrase is plural: before `of`, and a participle that follows it."""
    if not words or words[-1] in ("ID", "code", "number"):
        return False
    head = list(words[: next((at for at, word in enumerate(words) if word in ("of", "to", "it", "they")), len(words))])
    if len(head) > 1 and is_participle(head[-1].lower()):
        head.pop()
    return "and" in head or is_plural(" ".join(head))


PRONOUNS = frozenset(f"{which}{what}" for which in ("some", "any", "every") for what in ("one", "body", "thing"))
"""What stands for anybody or anything, without an article."""
_TIMED = frozenset("today's tomorrow's yesterday's".split())
"""First words of what needs no article: `today's best prediction`."""
_DEFINITE = frozenset("current latest default next last same entire previous".split())


def indefinite(words: Sequence[str]) -> str:
    """Return a noun phrase with the article that its number wants, each of two things with its own.

    >>> [indefinite(text.split()) for text in ("invoice", "items", "lead and user", "equipment", "someone")]
    ['an invoice', 'items', 'a lead and a user', 'equipment', 'someone']
    """
    joins = [at for at, word in enumerate(words) if word in ("and", "or", "&")]
    if joins and 0 < joins[0] < len(words) - 1:
        at = joins[0]
        if any(is_plural(part[-1]) or not is_countable(part[-1]) for part in (words[:at], words[at + 1 :])):
            return " ".join(words)  # `placement and engagement rates`
        return f"{indefinite(words[:at])} {words[at]} {indefinite(words[at + 1 :])}"
    text = " ".join(words)
    if words[0] in PRONOUNS or words[0] in _TIMED:
        return text
    if words[0] in _DEFINITE:
        return f"the {text}"
    if words[0].endswith("'s") and words[0].islower():
        return f"{article(text)} {text}"
    return text if is_plural(words[-1]) or words[-1].isdigit() or words[-1] in _AFTER_NOUNS else with_article(text)

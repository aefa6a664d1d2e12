"""The tokeniser and the stemmer of all lexical measures.

Both have names (`TOKENISER`, `STEMMER`) for the signatures of metrics. The stemmer removes only
inflection (plural, third person, -ed, -ing); unlike stemmers that also cut -ment, -er and -ion, it does not join words
of different meaning. Stems are keys for comparison: long ones lack a final silent e (`approv`),
so show words, not stems, to users.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

TOKENISER = "words.v1"
STEMMER = "inflections.v1"

_STOP_WORDS = (
    "a about also am an and any are as at be been being both but by can could did do does each either for from "
    "had has have having he her here him his how i i'd i'll i'm i've if in into is it it's its just let let's may "
    "me might must my of on or our ours she should so some such than that that's the their them then there these "
    "they this those to too us very via was we we're were what what's when where which while who whom whose why "
    "will with would you you're your yours"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Words that do not describe a tool. Negation, `all`, `before`, `after` and numbers are not stop words."""

_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
_CASE_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))")


def words(text: str) -> list[str]:
    """Return the lower-case words of `text`, in order (`TOKENISER` is this function's name and version).

    A word is a run of letters, digits and combining marks, with apostrophes kept inside it; `_` separates. Each Han,
    Hiragana or Katakana character is one word, because these scripts have no spaces between words.

    >>> words("Don't re-open Sam’s user_id 42!")
    ["don't", 're', 'open', "sam's", 'user', 'id', '42']
    """
    text = text.lower()
    if text.isascii():
        return _ASCII_WORD.findall(text)
    spaced = "".join(map(_spaced, unicodedata.normalize("NFC", text)))
    return [word for run in spaced.split() if (word := run.strip("'"))]


def identifier_words(name: str) -> list[str]:
    """Return the lower-case words of an identifier, split at punctuation and at changes of case.

    >>> identifier_words("chat.postMessage_toURLs-v2")
    ['chat', 'post', 'message', 'to', 'urls', 'v2']
    """
    return words(_CASE_BORDER.sub(" ", name))


def content_stems(text: str) -> list[str]:
    """Return the stems of the words of `text` without stop words, in order, with repetitions."""
    return [stem(word) for word in words(text) if word not in STOP_WORDS]


@lru_cache(maxsize=16384)
def stem_set(text: str) -> frozenset[str]:
    """Return the stems of the words of `text` without stop words."""
    return frozenset(content_stems(text))


@lru_cache(maxsize=8192)
def spaced_words(text: str) -> str:
    """Return the words of `text` with a space around each, to search for phrases in it.

    >>> spaced_words("A well-known one") in spaced_words("It is a well-known one.")
    True
    """
    return f" {' '.join(words(text))} "


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the stem of a lower-case English word; other words are returned unchanged.

    >>> [stem(word) for word in ("approves", "approved", "approving", "requests", "policies", "status", "addresses")]
    ['approv', 'approv', 'approv', 'request', 'policy', 'status', 'address']
    """
    word = word.removesuffix("'s").removesuffix("'")
    known = _IRREGULAR.get(word)
    if known is not None:
        return known
    if len(word) <= 3 or not (word.isascii() and word.isalpha()):
        return word
    word = _without_s(word)
    return _without_silent_letters(_IRREGULAR.get(word) or _without_ed_or_ing(word))


@lru_cache(maxsize=4096)
def _spaced(character: str) -> str:
    """Return the character as part of a word, as a separate word, or as a space."""
    if character in "'’":
        return "'"
    if "\u3040" <= character <= "\u30ff" or "\u3400" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff":
        return f" {character} "
    if character.isalnum() or unicodedata.category(character).startswith("M"):
        return character
    return " "


_KEPT = (
    "training "
    "alias always anything atlas bias canvas ceiling during embed evening everything https hundred lens locale morning "
    "news nothing perhaps series setting something species unite united whereas"
)
_CHANGED = (
    "agreed:agree aging:age aliases:alias apis:api biased:bias bought:buy bus:bus buses:bus cached:cache "
    "caches:cache caching:cache children:child chosen:choose cookies:cookie died:die dying:die emojis:emoji "
    "found:find freed:free gave:give given:give goes:go got:get guaranteed:guarantee guided:guide guiding:guide "
    "held:hold ids:id indices:index kept:keep kpis:kpi made:make matrices:matrix men:man menus:menu met:meet "
    "movies:movie paid:pay people:person quizzes:quiz routed:route routing:route sent:send settings:setting "
    "shoes:shoe shown:show sold:sell spent:spend synced:sync syncing:sync taken:take taxis:taxi tied:tie "
    "took:take used:use using:use women:woman written:write wrote:write"
)
_IRREGULAR = {word: word for word in _KEPT.split()} | dict(pair.split(":") for pair in _CHANGED.split())

_VOWELS = "aeiouy"
_CLOSED_SYLLABLE = re.compile(r"(?:[^aeiouy]|qu)[aeiouy][^aeiouywx]$")
_VOWEL_RUN_AND_CONSONANT = re.compile(r"(?:(?<!q)[aeiou]|(?<!^)y)++([^aeiouy\n]?)")
_WANTS_E = re.compile(r"(?:[cuv]|[dr]g|[lnr]s|[aeiou]{2}s|[bcdfgkptz]l|[^z]z)$")


def _without_s(word: str) -> str:
    """Undo the plural and the third person."""
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("xes", "ches", "shes", "sses", "zzes")) or (word.endswith("oes") and len(word) > 4):
        return word[:-2]
    return word[:-1]


def _without_ed_or_ing(word: str) -> str:
    """Undo -ed and -ing if the rest can be a verb."""
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("ed") and not word.endswith("eed"):
        left = word[:-2]
    elif word.endswith("ing"):
        left = word[:-3]
    else:
        return word
    if len(left) < 2 or not any(letter in _VOWELS for letter in left):
        return word
    return _as_base_form(left)


def _as_base_form(left: str) -> str:
    """Restore the base form after removing an ending: `plann` is plan, `stor` is store."""
    if len(left) > 3 and left[-1] == left[-2] and left[-1] not in "aeioulsfz":
        return left[:-1]
    if _WANTS_E.search(left) or (_syllables(left) == 1 and _CLOSED_SYLLABLE.search(left)):
        return left + "e"
    return left


def _without_silent_letters(word: str) -> str:
    """Drop a final e or second l of a longer word, which its other forms may lack (`creat`, `cancel`)."""
    if word in _IRREGULAR:
        return word
    if word.endswith("ll") and len(word) >= 6:
        return word[:-1]
    left = word[:-1]
    if word.endswith("e") and left[-1] not in "eio" and (len(left) >= 5 or _syllables(left) >= 2):
        return left
    return word


def _syllables(word: str) -> int:
    """Count the runs of vowels that a consonant follows."""
    return sum(map(bool, _VOWEL_RUN_AND_CONSONANT.findall(word)))

"""English inflection for short sentences: articles, plurals, verb forms, capitals.

It uses regular rules with lists of exceptions, without parsing.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

_VOWELS = "aeiou"
_SILENT_H = ("hour", "honest", "honour", "honor", "heir")
_LIKE_YOU = ("uni", "use", "usa", "user", "util", "uk", "url", "euro", "one", "once", "ui", "usb", "ubiq", "eu ")
_SPELLED_VOWEL = frozenset("AEFHILMNORSX")
_IRREGULAR_PLURALS = {
    "person": "people", "man": "men", "woman": "women", "child": "children", "analysis": "analyses",
    "criterion": "criteria", "datum": "data", "index": "indexes", "leaf": "leaves", "shelf": "shelves",
    "half": "halves", "life": "lives", "staff": "staff", "status": "statuses",
}  # fmt: skip
_UNCOUNTED = frozenset(
    "information equipment feedback luggage software hardware leave advice money data media news metadata access "
    "training travel insurance stock content traffic weather music payroll research parking work time sick help "
    "maintenance pay damage storage support overtime catering furniture progress permission freight mail housing "
    "billing".split()
)


@cache
def verb_table() -> dict[str, dict[str, Any]]:
    """Known verbs by base form, with irregular past participles: `{"send": {"past": "sent"}}`."""
    text = files("callwright.lang").joinpath("data/verbs.json").read_text(encoding="utf-8")
    table: dict[str, dict[str, Any]] = json.loads(text)
    return table


@cache
def _bases() -> dict[str, str]:
    """Return every inflected form of a known verb with its base form."""
    forms: dict[str, str] = {}
    for verb in verb_table():
        for form in (gerund(verb), third_person(verb), verb):
            forms.setdefault(form, verb)
    for verb in verb_table():
        forms[verb] = verb
    return forms


def base_verb(word: str) -> str | None:
    """Return the base form of a known verb in base, third-person or -ing form, else None.

    >>> base_verb("Retrieves"), base_verb("applying"), base_verb("status")
    ('retrieve', 'apply', None)
    """
    return _bases().get(word.lower())


def third_person(word: str) -> str:
    """Return the third person singular of a verb; the same ending makes the regular plural of a noun.

    >>> [third_person(verb) for verb in ("approve", "apply", "fetch", "do")]
    ['approves', 'applies', 'fetches', 'does']
    """
    if word.endswith(("s", "x", "z", "ch", "sh")) or word in ("do", "go", "undo", "veto"):
        return word + "es"
    if word.endswith("y") and len(word) > 1 and word[-2] not in _VOWELS:
        return word[:-1] + "ies"
    return word + "s"


def gerund(verb: str) -> str:
    """Return the -ing form; only the first word of a phrase changes.

    >>> [gerund(verb) for verb in ("approve", "get", "sign off", "see", "tie")]
    ['approving', 'getting', 'signing off', 'seeing', 'tying']
    """
    word, rest = _first(verb)
    if word.endswith("ie"):
        stem = word[:-2] + "y"
    elif word.endswith("e") and not word.endswith(("ee", "ye", "oe")):
        stem = word[:-1]
    elif word in _DOUBLING:
        stem = word + word[-1]
    else:
        stem = word
    return stem + "ing" + rest


def past_participle(verb: str) -> str:
    """Return the past participle; only the first word of a phrase changes.

    >>> [past_participle(verb) for verb in ("approve", "send", "apply", "cancel", "set up", "submit")]
    ['approved', 'sent', 'applied', 'cancelled', 'set up', 'submitted']
    """
    word, rest = _first(verb)
    irregular: str = verb_table().get(word, {}).get("past", "")
    if irregular:
        return irregular + rest
    if word.endswith("e"):
        return word + "d" + rest
    if word.endswith("y") and len(word) > 1 and word[-2] not in _VOWELS:
        return word[:-1] + "ied" + rest
    if word in _DOUBLING:
        return word + word[-1] + "ed" + rest
    return word + "ed" + rest


@lru_cache(maxsize=8192)
def plural(noun: str) -> str:
    """Return the plural of a noun phrase by its last word.

    >>> [plural(noun) for noun in ("order number", "person", "company", "address", "leave")]
    ['order numbers', 'people', 'companies', 'addresses', 'leave']
    """
    head, _, last = noun.rpartition(" ")
    lower = last.lower()
    if lower in _IRREGULAR_PLURALS:
        changed = _IRREGULAR_PLURALS[lower]
    elif lower in _UNCOUNTED or is_plural(lower):
        changed = last
    else:
        changed = third_person(last)
    return f"{head} {changed}" if head else changed


@lru_cache(maxsize=8192)
def is_plural(noun: str) -> bool:
    """Whether the last word of a noun phrase looks plural.

    >>> is_plural("training requests"), is_plural("address"), is_plural("people"), is_plural("status")
    (True, False, True, False)
    """
    word = noun.rpartition(" ")[2].lower()
    if word in ("people", "men", "women", "children", "criteria", "attendees"):
        return True
    return word.endswith("s") and not word.endswith(("ss", "us", "is", "ws", "as")) and len(word) > 3


@lru_cache(maxsize=8192)
def is_countable(noun: str) -> bool:
    """Whether `a` or `an` may stand before the noun phrase."""
    return noun.rpartition(" ")[2].lower() not in _UNCOUNTED and not is_plural(noun)


@lru_cache(maxsize=8192)
def with_article(phrase: str) -> str:
    """Return a noun phrase with `a` or `an` by its sound; nothing is added to plurals and mass nouns.

    >>> [with_article(p) for p in ("order", "user", "hour", "HR form", "URL", "in-house request", "equipment")]
    ['an order', 'a user', 'an hour', 'an HR form', 'a URL', 'an in-house request', 'equipment']
    """
    head = phrase.split(" of ")[0].split(" for ")[0].split(" with ")[0]
    return f"{article(phrase)} {phrase}" if is_countable(head) else phrase


def article(phrase: str) -> str:
    """Return `a` or `an` for the sound a phrase begins with."""
    word = phrase.split(" ")[0].split("-")[0]
    lower = word.lower()
    if word.isupper() and len(word) <= 4 and not _speakable(word):
        return "an" if word[0] in _SPELLED_VOWEL else "a"
    if lower.startswith(_SILENT_H) or (lower[:1] in ("8",) or lower in ("11", "18")):
        return "an"
    if lower.startswith(_LIKE_YOU) and not lower.startswith(("unin", "unim", "unid", "unus")):
        return "a"
    return "an" if lower[:1] in _VOWELS else "a"


def sentence_case(text: str) -> str:
    """Return the text with its first letter in upper case and the rest unchanged."""
    for position, character in enumerate(text):
        if character.isalpha():
            return text[:position] + character.upper() + text[position + 1 :]
        if character.isdigit():
            return text
    return text


def join_with(items: list[str], conjunction: str = "and") -> str:
    """Return items as a list in running text.

    >>> join_with(["a", "b", "c"], "or"), join_with(["a", "b"])
    ('a, b or c', 'a and b')
    """
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {conjunction} {items[-1]}"


def _first(verb: str) -> tuple[str, str]:
    word, space, rest = verb.partition(" ")
    return word, space + rest


_DOUBLING = frozenset(
    "get set put stop plan ship submit cancel drop log run cut refer transfer commit permit tag pin map let begin "
    "win chat scan swap zip tap program prefer label".split()
)


def _speakable(word: str) -> bool:
    """Return whether an upper-case word is spoken as a word (VAT, PIN), not letter by letter (HR, SMS)."""
    return any(letter in "AEIOU" for letter in word[1:]) and word not in ("URL", "USB", "UI", "SIM")


@lru_cache(maxsize=8192)
def ways_to_say(verb: str) -> tuple[str, ...]:
    """Return everyday synonyms of a verb in tool descriptions, the plainest first.

    >>> ways_to_say("retrieve")[0], ways_to_say("approve")[1], ways_to_say("frobnicate")
    ('look up', 'sign off', ('frobnicate',))
    """
    return tuple(verb_table().get(verb, {}).get("say", ())) or (verb,)

"""English inflection for short sentences: articles, plurals, verb forms, capitals.

Forms come from the dictionary of `lemminflect`; what it lacks or gives in another spelling is in the lexicon.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from callwright.lang.dictionary import inflections, lemmatizer
from callwright.lang.lexicon import lexicon, word_set

_VOWELS = "aeiou"
_SILENT_H = ("hour", "honest", "honour", "honor", "heir")
_LIKE_YOU = ("uni", "use", "usa", "user", "util", "uk", "url", "euro", "one", "once", "ui", "usb", "ubiq", "eu ")
_SPELLED_VOWEL = frozenset("AEFHILMNORSX")
_DOUBLED = re.compile(r"([^aeiou])\1(?:ing|ed)$")
_PREFIX = re.compile(r"(?:un|re|de|dis|pre|over|cross)-?(?=[a-z]{3})")


@lru_cache(maxsize=16384)
def _inflected(word: str, tag: str) -> str:
    """Return a form by its Penn tag; the one with a doubled consonant (`cancelled`) where there are two."""
    found = [form for form in inflections().getInflection(word, tag) if "-" not in form] or [word]
    return str(next((form for form in found[:2] if _DOUBLED.search(form)), found[0]))


@lru_cache(maxsize=16384)
def _lemma(word: str, part: str) -> str:
    """Return the base form of a word as a NOUN or VERB; empty where the dictionary has none."""
    return next(iter(lemmatizer().getAllLemmas(word, upos=part).get(part, ())), "")


@cache
def _bases() -> dict[str, str]:
    """Return every inflected form of a verb of the lexicon with its base form."""
    verbs = sorted(word_set("verbs"))
    forms = {form: verb for verb in verbs for form in (gerund(verb), third_person(verb))}
    return forms | {verb: verb for verb in verbs}


def base_verb(word: str) -> str | None:
    """Return the base form of a verb of the lexicon in base, third-person or -ing form, else None.

    >>> base_verb("Retrieves"), base_verb("applying"), base_verb("status")
    ('retrieve', 'apply', None)
    """
    return _bases().get(word.lower())


@lru_cache(maxsize=16384)
def any_verb(word: str) -> str | None:
    """Return the base form of any English verb in base, third-person or -ing form, also with a prefix; else None.

    >>> any_verb("Establishes"), any_verb("un-pins"), any_verb("unarchive"), any_verb("webhook")
    ('establish', 'unpin', 'unarchive', None)
    """
    word = word.lower()
    if known := base_verb(word.replace("-", "")):
        return known
    prefix = _PREFIX.match(word)
    for before in ("", prefix.group()) if prefix else ("",):
        base = _lemma(word[len(before) :], "VERB")
        if base and word[len(before) :] in (base, third_person(base), gerund(base)):
            return before.rstrip("-") + base
    return None


@lru_cache(maxsize=16384)
def past_of(word: str) -> str:
    """Return the base form of a verb in the past or as a participle; empty for any other word.

    >>> past_of("linked"), past_of("made"), past_of("link"), past_of("data")
    ('link', 'make', '', '')
    """
    base = _lemma(word, "VERB")
    return base if base and word not in (base, third_person(base), gerund(base)) else ""


@lru_cache(maxsize=16384)
def is_noun(word: str) -> bool:
    """Whether the dictionary has the word as a noun, in any number."""
    return bool(_lemma(word.lower(), "NOUN"))


@lru_cache(maxsize=16384)
def is_adjective(word: str) -> bool:
    """Whether the dictionary has the word as an adjective."""
    return bool(_lemma(word.lower(), "ADJ"))


@cache
def _nouns_of_acts() -> dict[str, str]:
    found: dict[str, str] = {}
    for verb in sorted(word_set("verbs")):
        root = verb.removesuffix("e")
        root = f"{root[:-1]}ic" if root.endswith("fy") else root
        ends = ("ation", "ion", "ment", "al") if not root.endswith("ic") else ("ation",)
        root = f"{root[:-2]}r" if root.endswith("er") else root
        found |= {f"{root}{end}": verb for end in ends}
    return {noun: verb for noun, verb in found.items() if len(verb) > 3 and noun not in _THINGS and is_noun(noun)}


_THINGS = frozenset(
    "accession collection configuration edition formation information location organisation organization specification "
    "promotion attachment appointment ration signal provisional information procession placation".split()
)
"""Nouns that look like those of acts, and are of things."""


def act_of(noun: str) -> str:
    """Return the verb whose act a noun names; empty where it names none.

    >>> [act_of(noun) for noun in ("registration", "approval", "verification", "removal", "invoice")]
    ['register', 'approve', 'verify', 'remove', '']
    """
    return _nouns_of_acts().get(noun.lower(), "")


def third_person(word: str) -> str:
    """Return the third person singular of a verb.

    >>> [third_person(verb) for verb in ("approve", "apply", "fetch", "do")]
    ['approves', 'applies', 'fetches', 'does']
    """
    return _inflected(word, "VBZ")


def gerund(verb: str) -> str:
    """Return the -ing form; only the first word of a phrase changes.

    >>> [gerund(verb) for verb in ("approve", "get", "sign off", "see", "tie")]
    ['approving', 'getting', 'signing off', 'seeing', 'tying']
    """
    word, space, rest = verb.partition(" ")
    return _inflected(word, "VBG") + space + rest


def past_participle(verb: str) -> str:
    """Return the past participle; only the first word of a phrase changes.

    >>> [past_participle(verb) for verb in ("approve", "send", "apply", "cancel", "set up", "submit")]
    ['approved', 'sent', 'applied', 'cancelled', 'set up', 'submitted']
    """
    word, space, rest = verb.partition(" ")
    known: str = lexicon()["past"].get(word, "")
    return (known or _inflected(word, "VBN")) + space + rest


@lru_cache(maxsize=8192)
def plural(noun: str) -> str:
    """Return the plural of a noun phrase by its last word.

    >>> [plural(noun) for noun in ("order number", "person", "company", "API key", "leave", "user ID", "exportation")]
    ['order numbers', 'people', 'companies', 'API keys', 'leave', 'user IDs', 'exportations']
    """
    head, space, last = noun.rpartition(" ")
    lower = last.lower()
    if lower in word_set("uncounted") or is_plural(lower) or not lower or lower.endswith(("series", "species")):
        return noun
    if last.isupper():
        return f"{noun}s"
    known: str = lexicon()["plurals"].get(lower, "") or _inflected(lower, "NNS")
    known = f"{lower}s" if known == lower and is_countable(lower) else known
    return head + space + (last + known[len(lower) :] if known.startswith(lower) else known)


@lru_cache(maxsize=8192)
def is_plural(noun: str) -> bool:
    """Whether the last word of a noun phrase is plural.

    >>> [is_plural(noun) for noun in ("training requests", "address", "people", "status", "time series", "job a7bs")]
    [True, False, True, False, False, False]
    """
    last = noun.rpartition(" ")[2]
    word = last.lower()
    if word in word_set("plural_only") or (last.endswith("s") and len(last) > 2 and last[:-1].isupper()):
        return True
    if word.endswith("series") or any(letter.isdigit() for letter in word):
        return False
    if last.isupper() or word in word_set("uncounted") or word.upper() in word_set("acronyms"):
        return False
    lemma = _lemma(word, "NOUN")
    if lemma:
        return lemma != word
    if word.removesuffix("s") in word_set("known"):
        return word not in word_set("known")
    return word.endswith("s") and not word.endswith(("ss", "us", "is", "ws", "as")) and len(word) > 3


@lru_cache(maxsize=8192)
def singular(noun: str) -> str:
    """Return the singular of a noun phrase by its last word.

    >>> [singular(noun) for noun in ("short codes", "people", "companies", "webhooks", "status", "user IDs", "news")]
    ['short code', 'person', 'company', 'webhook', 'status', 'user ID', 'news']
    """
    head, space, last = noun.rpartition(" ")
    if len(last) < 2 or not is_plural(noun):
        return noun
    irregular = {many: one for one, many in lexicon()["plurals"].items()}
    if len(last) < 5 and last[:-1].isupper():
        return noun[:-1]
    return head + space + (irregular.get(last.lower()) or _lemma(last.lower(), "NOUN") or last.removesuffix("s"))


@lru_cache(maxsize=8192)
def is_countable(noun: str) -> bool:
    """Whether `a` or `an` may stand before the noun phrase.

    >>> [is_countable(noun) for noun in ("order", "vetting", "discoverability", "capability", "new vulnerability")]
    [True, False, False, True, True]
    """
    last = noun.rpartition(" ")[2].lower()
    is_quality = last.endswith(("ability", "ibility")) and not last.endswith(_COUNTED_QUALITIES)
    return last not in word_set("uncounted") and not is_quality and not is_plural(noun)


_COUNTED_QUALITIES = tuple(
    "capability disability liability possibility probability responsibility sensibility vulnerability".split()
)


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
    if word.isupper() and len(word) <= 4 and (word[0] == "U" or not _speakable(word)):
        return "an" if word[0] in _SPELLED_VOWEL else "a"
    if lower.startswith(_SILENT_H) or (lower[:1] in ("8",) or lower in ("11", "18")):
        return "an"
    if lower.startswith(_LIKE_YOU) and not lower.startswith(("unin", "unim", "unid", "unus")):
        return "a"
    return "an" if lower[:1] in _VOWELS else "a"


_CODE_FIRST = re.compile(r"[\"'(]?[a-z][\w.-]*[\d@_]")
"""A first word that is no word: an identifier, an email address."""


def sentence_case(text: str) -> str:
    """Return the text with its first letter in upper case and the rest unchanged; a code at its start stays.

    >>> sentence_case("it's c4b2."), sentence_case("fb8267-c1, thanks"), sentence_case("ana@example.org is it")
    ("It's c4b2.", 'fb8267-c1, thanks', 'ana@example.org is it')
    """
    if _CODE_FIRST.match(text):
        return text
    for position, character in enumerate(text):
        if character.isalpha():
            return text[:position] + character.upper() + text[position + 1 :]
        if character.isdigit():
            return text
    return text


def with_the(noun: str) -> str:
    """Return a noun as that of a known thing.

    >>> with_the("start date"), with_the("your email")
    ('the start date', 'your email')
    """
    return noun if noun.startswith(("my ", "your ", "the ")) else f"the {noun}"


def join_with(items: list[str], conjunction: str = "and") -> str:
    """Return items as a list in running text.

    >>> join_with(["a", "b", "c"], "or"), join_with(["a", "b"])
    ('a, b or c', 'a and b')
    """
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {conjunction} {items[-1]}"


def _speakable(word: str) -> bool:
    """Return whether an upper-case word is spoken as a word (VAT, PIN), not letter by letter (HR, SMS)."""
    return any(letter in "AEIOU" for letter in word[1:]) and word not in ("URL", "USB", "UI", "SIM")


def in_two_words(verb: str) -> str:
    """Return a verb that names write as one word as people do.

    >>> in_two_words("rollback"), in_two_words("revoke")
    ('roll back', 'revoke')
    """
    spelled: dict[str, str] = lexicon()["two_words"]
    return spelled.get(verb, verb)


@lru_cache(maxsize=8192)
def ways_to_say(verb: str) -> tuple[str, ...]:
    """Return everyday synonyms of a verb in tool descriptions, the plainest first.

    >>> ways_to_say("retrieve")[0], ways_to_say("approve")[1], ways_to_say("frobnicate")
    ('look up', 'sign off', ('frobnicate',))
    """
    return tuple(lexicon()["say"].get(verb, ())) or (verb,)

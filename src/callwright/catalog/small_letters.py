"""Words in small letters where their capitals are those of a heading; names of products keep theirs."""

from __future__ import annotations

import re

from callwright.catalog.chunks import DETERMINERS, PREPOSITIONS
from callwright.lang.phrases import is_known, parts_of_type, words_of_name
from callwright.lang.tokens import identifier_words, stem


def in_small_letters(tokens: list[str], name: str) -> list[str]:
    """Return the words, with small letters where capitals are those of a heading or of a single common noun.

    Words such as `AlphaSender` whose parts the tool's name or path has too are split; others may be names of products.
    """
    known = frozenset(map(stem, (*identifier_words(name), *words_of_name(name))))
    titled = [token[0].isupper() for token in tokens]
    small_words = PREPOSITIONS | (DETERMINERS - {"new"}) | {"and", "or"}  # a heading has `New`
    is_heading = len(tokens) > 1 and all(
        t or token.lower() in small_words for t, token in zip(titled, tokens, strict=True)
    )
    said: list[str] = []
    for place, token in enumerate(tokens):
        if place and token.lower() == tokens[place - 1].lower():
            continue
        before = tokens[place - 1].lower() if place else ""
        follows_small = before in DETERMINERS | {"new"} or (is_heading and len(tokens) == 2)
        alone = follows_small and not any(titled[place + 1 : place + 2])
        goes_on = any(titled[place + 1 : place + 2]) and stem(tokens[place + 1].lower()) not in known
        alone |= stem(token.lower()) in known and is_known(token.lower()) and said[-1:] == [before] and not goes_on
        is_own = _POSSESSIVE.search(token) or (is_heading and len(tokens) > 2) or not place
        then = "".join(tokens[place + 1 : place + 2])
        is_product = not is_heading and then[:1].isupper() and then.lower() not in _GENERAL  # `OpenSearch Serverless`
        parts = identifier_words(token) if "_" in token else [] if is_product else parts_of_type(token, known)
        if parts:
            said += parts
        else:
            said.append(token.lower() if _is_titled(token) and (is_own or alone) else token)
    return said


_POSSESSIVE = re.compile(r"['’]s?$")
_GENERAL = frozenset("resource resources object objects entity entities type types id ids".split())
"""Nouns that stand in capitals behind any type's name: `AlphaSender Resource`."""


def _is_titled(token: str) -> bool:
    return token[0].isupper() and token[1:] == token[1:].lower()

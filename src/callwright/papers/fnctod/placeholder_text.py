"""Delexicalised responses, normalised as the standard evaluation does before anything is looked for in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from callwright.papers.fnctod.canonical_values import tables

DOMAINS: Final = ("restaurant", "hotel", "attraction", "train", "taxi", "police", "hospital")

_PLACEHOLDER: Final = re.compile(r"\[([\w\s]+)\](es|s|-s|-es|)")


@cache
def placeholder_names() -> Mapping[str, str]:
    """Return the placeholder of each slot name."""
    return {word: name for name, words in tables().placeholders.items() for word in words}


def domains_named(response: str) -> list[str]:
    """Return the domains that the placeholders of a response begin with, in the order of `DOMAINS`."""
    found = {match[1].partition("_")[0] for match in _PLACEHOLDER.finditer(response.lower())}
    return [domain for domain in DOMAINS if domain in found]


def has_placeholder(text: str) -> bool:
    """Return whether a text has a known placeholder in brackets, so that nobody has normalised it."""
    return any(map(_known, _PLACEHOLDER.finditer(text.lower())))


class ResponseNormaliser:
    """Normalises responses, and counts the placeholders whose names nobody knows."""

    def __init__(self) -> None:
        self.unknown: Counter[str] = Counter()
        self._moses = moses()

    def __call__(self, response: str) -> str:
        """Return a response in lower case, with its placeholders as upper-case words."""
        text = _PLACEHOLDER.sub(self._word, response.lower()).replace("-s", "").replace("-ly", "")
        return self._moses(text)

    def _word(self, match: re.Match[str]) -> str:
        word = _known(match)
        if not word:
            self.unknown[match[1]] += 1
        return word


def _known(match: re.Match[str]) -> str:
    return placeholder_names().get(match[1].replace(" ", "_"), "")


@cache
def moses() -> Callable[[str], str]:
    """Return what splits a text into Moses' tokens and joins them again (English)."""
    from sacremoses import MosesDetokenizer, MosesTokenizer

    tokenize, join = MosesTokenizer(lang="en").tokenize, MosesDetokenizer(lang="en").detokenize
    return lambda text: join(tokenize(text))

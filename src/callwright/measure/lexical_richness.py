"""Lexical richness of responses: lengths, distinct n-grams, entropies, type-token ratio."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

import msgspec

WINDOW: Final = 50
"""Tokens of one segment of MSTTR."""

_REMOVED: Final = re.compile(r"['.,?!()%/\-_:;]|``")
_BLANK: Final = re.compile(r"\s+")


class Richness(msgspec.Struct, frozen=True):
    """Numbers over all responses; None where there is no response."""

    avg_length: float | None
    """Tokens a response."""
    cbe: float | None
    """Conditional bigram entropy, in bits: of a token after the one before it in the same response."""
    unique_1: int
    unique_2: int
    unique_3: int
    """Distinct n-grams within responses."""
    entropy: float | None
    """Entropy of the tokens, in bits."""
    msttr: float | None
    """Mean share of distinct tokens in whole segments of 50, over all responses one after the other."""


def tokens_of(response: str) -> list[str]:
    """Return the words of a normalised response without punctuation; of an empty one a single empty word."""
    return _BLANK.sub(" ", _REMOVED.sub("", response).replace("SYM", "")).lower().split(" ")


def richness(responses: Iterable[str]) -> Richness:
    """Return the richness of normalised responses."""
    said = [tokens_of(response) for response in responses]
    every = [token for tokens in said for token in tokens]
    words = Counter(every)
    pairs = Counter(pair for tokens in said for pair in pairwise(tokens))
    triples = {triple for tokens in said for triple in zip(tokens, tokens[1:], tokens[2:], strict=False)}
    total = len(every)
    return Richness(
        avg_length=total / len(said) if said else None,
        cbe=-sum(n / total * math.log2(n / words[first]) for (first, _), n in pairs.items()) + 0.0 if total else None,
        unique_1=len(words),
        unique_2=len(pairs),
        unique_3=len(triples),
        entropy=-sum(n / total * math.log2(n / total) for n in words.values()) + 0.0 if total else None,
        msttr=msttr(every) if total else None,
    )


def msttr(tokens: Sequence[str]) -> float:
    """Return the mean share of distinct tokens over whole segments; of a short text over all of it."""
    if len(tokens) <= WINDOW:
        return len(set(tokens)) / len(tokens)
    starts = range(0, len(tokens) - WINDOW + 1, WINDOW)
    return sum(len(set(tokens[start : start + WINDOW])) / WINDOW for start in starts) / len(starts)

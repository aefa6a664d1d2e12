"""Extracts free-text values from English answers: `The reason? A trip abroad, I think.` gives `A trip abroad`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

MOST_CHARACTERS = 2_000
"""Longest answer that is read, in characters."""


class Clause(NamedTuple):
    """A part of an answer (half-open span)."""

    start: int
    end: int


_BORDER = re.compile(r"(?:\.{2,}|…|[.!?;](?=\s)|,\s+and\s|,(?=\s)|\s/\s|\n|(?<!\s)\s+and\s+)\s*", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“”«]([^\"“”«»]{1,400})[\"“”»]")
_I = re.IGNORECASE
_LEADING = re.compile(
    r"^\s*(?:"
    r"(?:well|hm+|oh|ah|okay|ok|sure|of course|certainly|yes|yep|right|alright|all right|ah yes|oh right|good point|"
    r"sorry|so|then|also|plus|and|in addition|by the way|btw|basically|in short|simply put|in a nutshell|thanks|"
    r"let me (?:think|check|look|see)|hold on|hang on|wait|(?:one )?(?:moment|second|sec)|just a (?:moment|second)|"
    r"here (?:you go|it is)|there you go|got it here|and before i forget|before i forget|while i'?m at it|"
    r"i (?:think|believe|guess)|copied from [\w ]{1,200}|in case you need it)(?:[\s,:;.…–—-]+|$)|"
    r"(?:(?:please|just|you can|you could|let'?s|i'?d|i would|i'?ll)\s+)*"
    r"(?:put|write|say|use|take|note|make it|make that|call it|go with|give it|set it to|enter)"
    r"(?: down)?(?:\s*[:,])?\s+|"
    r"(?:it|that|this)(?:'s| is|s| was| would be| will be| should be| must be| should say| says| reads)(?:\s*[:,])?\s+|"
    r"(?:should|must|would) be\s+|(?:(?:my notes|the form|the mail|the paper) )?says?:?\s+|"
    r"(?:i have|i'?ve got|got|have|something like|how about|because|due to)\s+|"
    r"you'?ll (?:probably )?need\s+|(?:as|for)\s+(?=the|my)"
    r")",
    _I,
)
_TAIL = re.compile(
    r"(?:(?<![\s,;:–—-])[\s,;:–—-]+(?:as far as i (?:know|can see)|if i read it right|i (?:believe|think|guess|hope)|"
    r"according to my notes|"
    r"please|pls|thanks|thank you|for (?:that|now|it)|there|here|in front of me|written down|on file|noted down|too|"
    r"it is|that is|it says here|if that'?s [^,.]{0,300}|i (?:have it here|just looked it up)|just checked|"
    r"hope that helps|"
    r"is what i (?:have|was given)|is what it says here|is the one|i'?m fairly sure|that'?s the right one|"
    r"if that'?s what you need|if that helps|in case you need (?:it|that)|by the way|that'?s all i have|thats it)"
    r"|(?<![\s.!,;:])[\s.!,;:]+)$",
    re.IGNORECASE,
)


def clauses(text: str, nouns: Sequence[str] = ()) -> list[Clause]:
    """Return the parts of a text between stops, commas, slashes and `and`; none of the `nouns` is split."""
    whole = [match.span() for noun in nouns for match in named(noun).finditer(text)]
    found, start = list[Clause](), 0
    for border in _BORDER.finditer(text):
        is_inside = any(first < border.start() < last for first, last in whole)
        if text[start : border.start()].strip() and not is_inside:
            found.append(Clause(start, border.start()))
            start = border.end()
    if text[start:].strip():
        found.append(Clause(start, len(text)))
    return found


def quoted(text: str) -> Iterator[tuple[str, Clause]]:
    for match in _QUOTED.finditer(text):
        yield match[1].strip(), Clause(match.start(), match.end())


def told_as(clause: str, noun: str) -> int:
    """Return how clearly a clause states a value of this noun: 3 for `the item is x`, 2 for `x as the item`, 1 for
    `item x`, 0 for none of these.

    >>> told_as("also item: copy paper", "item"), told_as("copy paper for the item", "item"), told_as("an item", "item")
    (3, 2, 0)
    """
    text, before = clause.strip(), ""
    while text != before:
        before, text = text, _LEADING.sub("", text, count=1)
    it = rf"(?:the |my |your |its |our )?{noun_pattern(noun)}"
    linked = r"(?:\s+(?:is|are|would be|should be|should read|being|reads)\b|\s*[:=–—-])"
    if re.fullmatch(rf"{it}[\s.!?]*", text, _I):
        return 0
    if re.match(rf"(?:for |as )?{it}{linked}\s*\S", text, _I):
        return 3
    if re.search(rf"(?:[^\s,]|^,)[\s,]+(?:for|as|is|being|are)\s+{it}[\s.!]*$", text, _I):
        return 2
    if re.match(rf"{it}\s+\S", text, _I):
        return 1
    return int(" " in noun and re.search(rf"\S\s+{it}[\s.!]*$", text, _I) is not None)


def bare(text: str, noun: str) -> str:
    """Return a text without the words before and after a value of this noun.

    >>> bare("The title of the risk is Permit not granted, I think.", "title of the risk")
    'Permit not granted'
    """
    before = None
    while text != before:
        before = text
        for pattern in _around(noun):
            text = pattern.sub("", text, count=1)
    return text.strip(" \t\"“”'")


@lru_cache(maxsize=8192)
def _around(noun: str) -> tuple[re.Pattern[str], ...]:
    it = rf"(?:the |my |your |its |our )?{noun_pattern(noun)}"
    linked = r"(?:\s*(?:is|are|would be|should be|should read|being|reads|be)\b)?(?:\s*[:,?=–—-]+)?\s+"
    before = rf"^\s*(?:for |as )?{it}{linked}"
    after = rf"(?<![\s,])[\s,]+(?:(?:for|as|is|being|are)\s+)?{it}[\s.!]*$"
    return (re.compile(before, re.IGNORECASE), _LEADING, re.compile(after, re.IGNORECASE), _TAIL)


@lru_cache(maxsize=8192)
def named(noun: str) -> re.Pattern[str]:
    """Return a pattern for a noun phrase as a whole text."""
    return re.compile(rf"(?<!\w){noun_pattern(noun)}(?!\w)", re.IGNORECASE)


def noun_pattern(noun: str) -> str:
    """Return a pattern for a noun phrase; `my` matches `your`."""
    words = (rf"(?:{re.escape(word)}|my)" if word.lower() == "your" else re.escape(word) for word in noun.split())
    return r"\s+".join(words)

"""Codes and addresses as people speak and type them: `lea dot brandt at northwind dot example`, `MO 2041`."""

from __future__ import annotations

import re
from typing import Final

from callwright.lang.kinds import Kind
from callwright.lang.numbers import WORDS, from_words
from callwright.records.jsontext import Json

_SPOKEN: Final = (
    (re.compile(r"\s{0,3}(?:\(at\)|\[at\]|\bat\b)\s{0,3}", re.IGNORECASE), "@"),
    (re.compile(r"\s{0,3}(?:\(dot\)|\[dot\]|\bdot\b|\bpoint\b)\s{0,3}", re.IGNORECASE), "."),
    (re.compile(r"\s{0,3}\b(?:underscore)\b\s{0,3}", re.IGNORECASE), "_"),
    (re.compile(r"\s{0,3}\b(?:hyphen|dash|minus)\b\s{0,3}", re.IGNORECASE), "-"),
    (re.compile(r"\s{0,3}\b(?:slash)\b\s{0,3}", re.IGNORECASE), "/"),
    (re.compile(r"\s{0,3}\bplus\b\s{0,3}", re.IGNORECASE), "+"),
)
_TWICE: Final = re.compile(r"\b(double|triple)[ -](\w+)", re.IGNORECASE)
_AS_IN: Final = re.compile(r"\b([a-z]),? (?:as in|like|for) [a-z]{2,14}\b", re.IGNORECASE)
_NUMBER: Final = re.compile(rf"\b{WORDS}", re.IGNORECASE)
_SIGN_WORDS: Final = re.compile(
    r"\b(?:dash|hyphen|minus|slash|stroke|dot|point|underscore|colon|space|capital|letters?|then|no)\b", re.IGNORECASE
)
_ALPHABET: Final = (
    "alfa alpha bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa "
    "quebec romeo sierra tango uniform victor whiskey whisky xray yankee zulu"
)
_LETTERS: Final = re.compile(rf"\b(?:{_ALPHABET.replace(' ', '|')}|x-ray)\b", re.IGNORECASE)
_ZERO: Final = re.compile(
    r"(?:(?<=\d[\s,.-])|(?<=\d))(?:oh?|nought)\b|\boh(?=[\s,.-]{1,2}\d)|\bnought\b", re.IGNORECASE
)
_PARTS: Final = re.compile(r"[a-z]+|\d+")
_FEWEST: Final = 4
"""Characters of a code that is found with blanks in it."""
_OF_A_PHONE: Final = 7
"""Last digits by which a phone number is known, without the code of its country."""


def as_written(text: str) -> str:
    """Return a text with what is spoken of addresses and codes as it is written.

    >>> as_written("lea dot brandt at northwind dot example")
    'lea.brandt@northwind.example'
    """
    for spoken, written in _SPOKEN:
        text = spoken.sub(written, text)
    return text


def is_spoken(text: str, value: Json, kind: Kind) -> bool:
    """Return whether a text says a code, address or phone number in another spelling than its own."""
    if not isinstance(value, str) or not value:
        return False
    if kind in ("email", "url"):
        bare = value.lower().removeprefix("https://").removeprefix("http://").rstrip("/")
        return bare in text.lower() or bare in as_written(text).lower()
    if kind == "phone":
        digits = re.sub(r"\D", "", value)
        said = re.sub(r"\D", "", as_written(text))
        is_short = digits in said or digits[-_OF_A_PHONE - 2 :] in said
        return len(digits) >= _OF_A_PHONE and (is_short or spells(text, digits[-_OF_A_PHONE - 2 :]))
    return kind == "code" and spells(text, value)


def spells(text: str, value: str) -> bool:
    """Return whether a text says a code of at least four letters and digits, apart, in words or by an alphabet.

    >>> spells("F L, dash, one oh nine double three", "FL-10933")
    True
    """
    wanted = "".join(_PARTS.findall(value.lower()))
    if len(wanted) < _FEWEST or not any(map(str.isdigit, wanted)):
        return False
    plain = _SIGN_WORDS.sub(" ", _TWICE.sub(_twice, _AS_IN.sub(r"\1", text)))
    in_digits = _ZERO.sub("0", _NUMBER.sub(lambda match: str(from_words(match[0])), plain))
    in_letters = _LETTERS.sub(lambda match: match[0][0], in_digits)
    return any(_has_run(one.lower(), wanted) for one in (text, plain, in_digits, in_letters))


def _twice(match: re.Match[str]) -> str:
    return " ".join([match[2]] * (2 if match[1].lower() == "double" else 3))


def _has_run(text: str, wanted: str) -> bool:
    """Whether whole words of a text that follow one another are the letters and digits that are wanted."""
    ends, starts, length = set[int](), set[int](), 0
    words = _WORD.findall(text)
    for word in words:
        starts.add(length)
        length += len(word)
        ends.add(length)
    run, at = "".join(words), -1
    while (at := run.find(wanted, at + 1)) >= 0:
        if at in starts and at + len(wanted) in ends:
            return True
    return False


_WORD: Final = re.compile(r"[^\W_]+")

"""Converts whole numbers to and from English words, and finds them with a regular expression.

It ignores what a number counts; `callwright.lang.quantities` distinguishes counts from dates, times and money.
"""

from __future__ import annotations

import re

ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {word: n for n, word in enumerate(ONES)} | {word: 10 * n for n, word in enumerate(TENS, start=2)}
_SCALES = {"thousand": 1_000, "million": 1_000_000}

_DIGIT = "|".join(ONES[1:10])
_SMALL = f"(?:(?:{'|'.join(TENS)})(?:[ -](?:{_DIGIT}))?|{'|'.join(sorted(ONES, key=len, reverse=True))})"
_TWO_DIGITS = f"(?:(?:{'|'.join(TENS)})(?:[ -](?:{_DIGIT}))?|{'|'.join(sorted(ONES[10:], key=len, reverse=True))})"
_HUNDREDS = f"(?:(?:a|{_SMALL}) hundred(?: (?:and )?{_SMALL})?)"
_PART = f"(?:{_HUNDREDS}|{_SMALL})"
_LARGE = f"(?:(?:a|{_PART}) (?:thousand|million)(?:,? (?:and )?{_PART})?)"

WORDS = rf"(?:{_LARGE}|{_HUNDREDS}|{_TWO_DIGITS} {_TWO_DIGITS}|{_SMALL}|half a dozen|(?:a|two) dozen|a couple of)\b"
"""Source of a regular expression for a number in words; match it case-insensitively."""

_FIXED = {"half a dozen": 6, "a dozen": 12, "two dozen": 24, "a couple of": 2}
_PAIR = re.compile(f"({_TWO_DIGITS}) ({_TWO_DIGITS})")
_WORD = re.compile("[a-z]+")


def in_words(number: int) -> str:
    """Return a whole number from 0 to 999,999 in words; other numbers are returned in digits.

    >>> in_words(2340)
    'two thousand three hundred forty'
    """
    if not 0 <= number < 1_000_000:
        return str(number)
    if number < 20:
        return ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return TENS[tens - 2] + (f"-{ONES[ones]}" if ones else "")
    scale, name = (1_000, "thousand") if number >= 1_000 else (100, "hundred")
    head, rest = divmod(number, scale)
    return f"{in_words(head)} {name}" + (f" {in_words(rest)}" if rest else "")


def from_words(text: str) -> int:
    """Return the value of words matched by `WORDS`; two pairs of digits are read as hundreds.

    >>> from_words("twelve fifty"), from_words("a hundred and five")
    (1250, 105)
    """
    text = text.lower()
    if text in _FIXED:
        return _FIXED[text]
    if pair := _PAIR.fullmatch(text):
        return 100 * from_words(pair[1]) + from_words(pair[2])
    total = current = 0
    for word in _WORD.findall(text):
        if word == "hundred":
            current = max(current, 1) * 100
        elif word in _SCALES:
            total, current = total + max(current, 1) * _SCALES[word], 0
        else:
            current += _VALUES.get(word, 0)
    return total + current

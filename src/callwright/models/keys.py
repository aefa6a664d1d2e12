"""The key of a server: read from the environment, sent in one header, and struck out wherever it might come back.

Striking takes time linear in text and secret; a pattern of all beginnings and ends of a secret would grow with its
square. Stretches in common with the secret are counted by the Z algorithm (Gusfield 1997, section 1.4), near a sign of
it.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from typing import Final, NamedTuple
from urllib.parse import quote

from callwright.errors import BadInput
from callwright.models.endpoint import STRUCK, Endpoint
from callwright.models.local_models import open_local

VARIABLE: Final = "OPENAI_API_KEY"

_LONG_SECRET = 24
"""Of keys this long, parts are struck too: those of shorter ones may be ordinary words."""
_SHORTEST_SECRET = 8
"""Shorter values are fillers such as `EMPTY` or `none`, and ordinary words must not be struck from replies."""


class ApiKey:
    """A key that shows itself nowhere but in the header it is sent in."""

    __slots__ = ("_key", "_pieces", "_secret")

    def __init__(self, key: str) -> None:
        """`key` may be empty: then nothing is sent. Raises BadInput for one that fits in no header."""
        key = key.strip()
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise BadInput(f"{VARIABLE} holds characters that no key has, such as a line break. Set it anew.")
        self._key = key
        self._secret: Secret | None = None
        self._pieces: frozenset[str] = frozenset()
        if len(key) >= _LONG_SECRET:
            self._secret = cut_secret(key, _whole_forms(key))
            self._pieces = pieces_of(key)
        elif len(key) >= _SHORTEST_SECRET:
            self._secret = whole_secret(_whole_forms(key))

    @classmethod
    def from_environment(cls, endpoint: Endpoint) -> ApiKey:
        """Return the key in OPENAI_API_KEY. Raises BadInput where the endpoint needs one and there is none."""
        if endpoint.local:
            return cls(open_local(endpoint.local).key)
        key = cls(os.environ.get(VARIABLE, ""))
        if endpoint.is_openai and not key:
            raise BadInput(
                f"{endpoint.name} needs a key: set {VARIABLE} in the environment, "
                "or give --base-url for a server of your own."
            )
        if key.strike(endpoint.name) != endpoint.name:
            raise BadInput(f"the model's name or base URL holds the key. Give it as {VARIABLE} alone.")
        return key

    def __bool__(self) -> bool:
        return bool(self._key)

    def __repr__(self) -> str:
        return f"ApiKey({STRUCK if self._key else ''})"

    def headers(self) -> dict[str, str]:
        """Return the header that carries the key; none without a key."""
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    def strike(self, text: str) -> str:
        """Return `text` without the key; of a long key also without parts of it, in any letter case."""
        if self._secret is None:
            return text
        return strike_parts(self._pieces, strike(self._secret, text, STRUCK), STRUCK)


def _whole_forms(key: str) -> set[str]:
    plain = key.encode()
    encoded = [base64.b64encode(prefix + plain).decode().rstrip("=") for prefix in (b"", b"Bearer ")]
    return {key, quote(key, safe=""), key[::-1], plain.hex(), *encoded}


# -- striking --------------------------------------------------------------------------------------------------------

TELLING_PART: Final = 12
"""So many characters at the beginning or end of a secret are a part of it."""

_OTHER_CAPITALS: Final = (("\u0130", "i"), ("\u0131", "i"), ("\u017f", "s"))
"""Letters outside ASCII that are the same as one inside, whatever the case; the Kelvin sign is one by `str.lower`."""


class Secret(NamedTuple):
    """The pattern to find, as `whole_secret` and `cut_secret` give it."""

    forms: tuple[str, ...]
    """Each is struck whole."""
    key: str
    """Struck whole, and where one of its beginnings or ends stands; empty where only `forms` are struck."""
    signs: frozenset[str]
    """One of these stands in every text that holds anything to be struck."""
    longest: int
    """Length of the longest that can be struck at once."""


def whole_secret(forms: set[str]) -> Secret:
    """Return a secret that is found in these forms alone, as they are written."""
    return Secret(tuple(forms), "", frozenset(form[:TELLING_PART] for form in forms), max(map(len, forms)))


def cut_secret(key: str, forms: set[str]) -> Secret:
    """Return a secret that is found in any letter case, in these forms and by the beginning or end of `key`."""
    key, others = fold(key), {fold(form) for form in forms}
    signs = {form[:TELLING_PART] for form in (*others, key, key[-TELLING_PART:])}
    return Secret(tuple(others - {key}), key, frozenset(signs), max(map(len, (key, *others))))


def strike(secret: Secret, text: str, by: str) -> str:
    """Return `text` with every match replaced: the leftmost first, and of those that begin there the longest."""
    read = fold(text) if secret.key else text
    if not any(sign in read for sign in secret.signs):
        return text
    pieces: list[str] = []
    end = 0
    for start, stop in _windows(secret, read):
        for first, after in _matches(secret, read[start:stop]):
            pieces += [text[end : start + first], by]
            end = start + after
    return "".join([*pieces, text[end:]])


PIECE: Final = 8
"""Length of the pieces by which parts from the middle of a secret are found."""


def pieces_of(key: str) -> frozenset[str]:
    """Return all pieces of a secret, folded."""
    key = fold(key)
    return frozenset(key[at : at + PIECE] for at in range(len(key) - PIECE + 1))


def strike_parts(pieces: frozenset[str], text: str, by: str) -> str:
    """Return `text` without stretches of at least two pieces' length of which every piece is one of the secret.

    Each such stretch holds a piece that begins at a multiple of its length, so that only these are looked up.
    """
    read = fold(text)
    kept: list[str] = []
    end = 0
    for place in range(0, len(read) - PIECE + 1, PIECE):
        if place < end or read[place : place + PIECE] not in pieces:
            continue
        start, stop = place, place + PIECE
        while start > end and read[start - 1 : start - 1 + PIECE] in pieces:
            start -= 1
        while stop < len(read) and read[stop + 1 - PIECE : stop + 1] in pieces:
            stop += 1
        if stop - start >= 2 * PIECE:
            kept += [text[end:start], by]
            end = stop
    return "".join([*kept, text[end:]])


def fold(text: str) -> str:
    """Return `text` with letters as `re.IGNORECASE` compares them with those of ASCII; its length stays."""
    if not text.isascii():
        for other, letter in _OTHER_CAPITALS:
            text = text.replace(other, letter)
    return text.lower()


def _windows(secret: Secret, text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches of `text` that may hold a match: those near enough to a sign, from left to right."""
    start = stop = 0  # until the first sign that is far from the beginning
    for place in _places(secret, text):
        if place - secret.longest > stop:
            if stop:
                yield start, stop
            start = place - secret.longest
        stop = min(len(text), place + secret.longest)
    yield start, stop


def _places(secret: Secret, text: str) -> list[int]:
    """Where signs begin, sorted. Signs overlap, also with themselves."""
    found: set[int] = set()
    for sign in secret.signs:
        place = text.find(sign)
        while place >= 0:
            found.add(place)
            place = text.find(sign, place + 1)
    return sorted(found)


def _matches(secret: Secret, text: str) -> Iterator[tuple[int, int]]:
    ends = _ends_of_forms(secret.forms, text)
    if secret.key:
        ends = list(map(max, ends, _ends_of_beginnings(secret.key, text), _ends_of_ends(secret.key, text)))
    at = 0
    while at < len(text):
        if ends[at]:
            yield at, ends[at]
        at = max(at + 1, ends[at])


def _ends_of_forms(forms: tuple[str, ...], text: str) -> list[int]:
    """For each place of `text`, where the longest form that begins there ends; 0 where none does."""
    ends = [0] * len(text)
    for form in forms:
        if form in text:
            for at, length in enumerate(_common_beginnings(form, text)):
                if length == len(form):
                    ends[at] = max(ends[at], at + length)
    return ends


def _ends_of_beginnings(key: str, text: str) -> list[int]:
    """For each place of `text`, where the longest telling beginning of `key` that begins there ends, or 0."""
    common = _common_beginnings(key, text)
    return [at + length if length >= TELLING_PART else 0 for at, length in enumerate(common)]


def _ends_of_ends(key: str, text: str) -> list[int]:
    """For each place of `text`, where the longest telling end of `key` that begins there ends, or 0.

    Up to a place where `key` ends, each of the places behind which the text is as in `key` begins an end of it.
    """
    furthest = [0] * len(text)
    for beyond, length in enumerate(_common_beginnings(key[::-1], text[::-1])):
        if length >= TELLING_PART:
            end = len(text) - beyond
            furthest[end - length] = max(furthest[end - length], end)
    ends, seen = [], 0
    for at, end in enumerate(furthest):
        seen = max(seen, end)
        ends.append(seen if seen - at >= TELLING_PART else 0)
    return ends


def _common_beginnings(pattern: str, text: str) -> list[int]:
    """For each place of `text`, how many characters from there on are those that `pattern` begins with."""
    joined = pattern + text
    lengths = [0] * len(joined)
    left = right = 0  # the stretch known to be as the beginning of `joined` that reaches furthest
    for at in range(1, len(joined)):
        length = min(right - at, lengths[at - left]) if at < right else 0
        while at + length < len(joined) and joined[length] == joined[at + length]:
            length += 1
        if at + length > right:
            left, right = at, at + length
        lengths[at] = length
    return [min(length, len(pattern)) for length in lengths[len(pattern) :]]

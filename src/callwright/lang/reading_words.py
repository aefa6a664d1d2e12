"""Reads values without a fixed form: codes, names, titles and free text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache

from callwright.lang.patterns import is_match, parse_pattern
from callwright.lang.quantities import Quantity, scan
from callwright.lang.schemas import example_values, type_of
from callwright.lang.spotting import Found
from callwright.records.jsontext import Json

_TOKEN = re.compile(r"(?<![^\s,;!?\"'()<>])[^\s,;!?\"'()<>]*[^\s,;!?\"'()<>.:]")


def read_codes(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    """Tokens of the schema's shape, then other tokens with digits, then words in capitals or with underscores."""
    tokens = [(m[0].lstrip("#"), m.end() - len(m[0].lstrip("#")), m.end()) for m in _TOKEN.finditer(text)]
    if type_of(schema) == "integer":
        return [Found(int(t), a, b) for t, a, b in tokens if t.isascii() and t.isdigit() and len(t) < 19]
    pattern = parse_pattern(str(schema["pattern"])) if "pattern" in schema else None
    if pattern is not None:
        return [Found(t, a, b) for t, a, b in tokens if len(t) <= 64 and is_match(pattern, t)]
    shapes = {_shape(example) for example in example_values(schema) if isinstance(example, str)}
    ranked = [(_rank_code(t, shapes, scan(text, today), a), Found(t, a, b)) for t, a, b in tokens]
    return [found for rank, found in sorted(ranked, key=lambda pair: pair[0]) if rank < 9]


def _rank_code(token: str, shapes: set[str], found: tuple[Quantity, ...], start: int) -> int:
    if _shape(token) in shapes:
        return 0
    sort = next((q.sort for q in found if q.start <= start < q.end), "")
    if sort in ("date", "time", "datetime", "percent", "money", "email", "url"):
        return 8 if sort in ("email", "url") else 9
    if any(c.isdigit() for c in token):
        return 1 if len(token) >= 3 else 4
    if "_" in token.strip("_") or (len(token) > 2 and re.search(r"\w[-./]\w", token) and token != token.title()):
        return 3
    return 2 if 2 <= len(token) <= 12 and token.isupper() and token.isalpha() and token not in _NOT_CODES else 9


_NOT_CODES = frozenset({"OK", "PM", "AM", "ASAP", "FYI", "PS", "HR", "IT", "AND", "THE", "NOT", "PLS", "I'M", "TBD"})


@lru_cache(maxsize=4096)
def _shape(token: str) -> str:
    """`PO-55120` has the shape `AA-0`: runs of digits count as one."""
    return re.sub(r"\d+", "0", re.sub(r"[A-Z]", "A", re.sub(r"[a-z]", "a", token)))


_CAPITAL = r"(?:[^\W\d_a-z](?:['’]?[^\W\d_])*(?:-[^\W\d_]+)*|[A-Z]\.)"
_NAME = re.compile(rf"\b{_CAPITAL}(?: (?:(?:de|da|van|von|der|den|al|bin|la|del|di|el|dos|ter)\b ?)*{_CAPITAL}){{0,3}}")
_OPENERS = frozenset(
    re.findall(
        r"\S+",
        "I The A An For Please Hi Hello Hey Can Could Would Will Book Send It It's Its Yes No Thanks Ask Tell Add "
        "Remove Assign Make Set Get Give Put Move Find Show Check Change Update Cancel Create Order Need We My Our "
        "This That Morning Good Is Are Do Does Let Let's And But Or So If When On In At To From With Just Sorry "
        "Okay OK Ok Sure Well Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March "
        "April May June July August September October November December Nov Dec Jan Feb Mar Apr Jun Jul Aug Sep "
        "Oct Actually Under By As Also Mr Ms Mrs",
    )
)


def read_names(text: str) -> Iterable[Found]:
    """Runs of capitalised words, without the words that open sentences."""
    for match in _NAME.finditer(text):
        words, start = match[0].split(" "), match.start()
        while words and (words[0] in _OPENERS or not words[0]):
            start += len(words.pop(0)) + 1
        if words:
            yield Found(" ".join(words), start, match.end())


def read_persons(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    """Pairs of capitalised words before single ones; a verb that opens the sentence may also stand before the name."""
    found = list(read_names(text))
    pairs = [f for f in found if " " in f.value]
    yield from pairs
    yield from (f for f in found if " " not in f.value and f.start > 0)
    for f in pairs:
        first, _, rest = f.value.partition(" ")
        if " " in rest:
            yield Found(rest, f.start + len(first) + 1, f.end)


_QUOTED = re.compile(r"[\"“”«]([^\"“”«»]{1,400})[\"“”»]|(?<!\w)['‘]([^'‘’]{2,400})['’](?!\w)")
_CALLED = re.compile(r"\b(?:called|named|titled|entitled|labelled|labeled)\s+(?P<it>[^.,;!?\n]{1,120})", re.IGNORECASE)
_CUED = re.compile(
    r"\b(?:because|since|(?:the )?(?:reason|message|comment|note|subject|description|text|summary|title|content)"
    r"(?: is| should be| would be| being|:|,)?(?: that)?|saying|say|says|that says|as follows|along the lines of"
    r"|it's about|about|due to|for)(?:\s*+:)?\s+(?P<it>[^\n]{2,2000})",
    re.IGNORECASE,
)


def _quoted(text: str) -> Iterable[Found]:
    for match in _QUOTED.finditer(text):
        group = 1 if match[1] is not None else 2
        yield Found(match[group], match.start(group), match.end(group))


def read_titles(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    """Quoted words, what follows `called` or `named`, capitalised names, then the whole text."""
    yield from _quoted(text)
    for match in _CALLED.finditer(text):
        yield Found(match["it"].strip(), match.start("it"), match.end("it"))
    names = list(read_names(text))
    yield from (f for f in names if f.start > 0 or " " in f.value)
    yield from (Found(text[q.start : q.end], q.start, q.end) for q in scan(text, today) if q.sort == "code")
    yield from _whole(text)


def read_texts(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    """Quoted words, what follows a cue such as `because` or `the reason is`, then the whole text."""
    yield from _quoted(text)
    for match in _CUED.finditer(text):
        words = match["it"].strip()
        yield Found(words, match.start("it"), match.start("it") + len(words))
        bare = words.rstrip(" .!")
        yield Found(bare, match.start("it"), match.start("it") + len(bare))
    yield from _whole(text)


def _whole(text: str) -> Iterable[Found]:
    """The whole text, with and without its last full stop: a bare answer is the value itself."""
    stripped = text.strip()
    start = text.find(stripped) if stripped else 0
    for words in dict.fromkeys((stripped.rstrip(" .!"), stripped, stripped[:1].upper() + stripped[1:])):
        if words:
            yield Found(words, start, start + len(stripped))


def read_others(text: str, schema: dict[str, Json], today: date | None) -> Iterable[Found]:
    """Anything that could be an argument: quoted words, codes, titles."""
    yield from _quoted(text)
    yield from read_codes(text, schema, today)
    yield from read_titles(text, schema, today)


_SEPARATOR = re.compile(r",\s*(?:and\s+)?|(?<!\s)\s+and\s+|;\s*")


def read_parts(text: str) -> Iterable[Found]:
    start = 0
    bare = text.rstrip(" .!?")
    for match in (*_SEPARATOR.finditer(bare), None):
        end = match.start() if match else len(bare)
        if words := bare[start:end].strip():
            yield Found(words, start, end)
        start = match.end() if match else end

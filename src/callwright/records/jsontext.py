"""JSON values as canonical text: hashable, exact, safe in any table.

A `JsonText` is JSON with sorted keys and no spaces. `{"a":1}` and `{"a":true}` differ, as do `1` and `1.0`, which
Python treats as equal. Untrusted text goes through `canonical_text`, which bounds size and depth and
refuses NaN, so `decode` may trust its argument.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from itertools import accumulate
from typing import Any, NewType, TypeAlias

import msgspec

from callwright.errors import BadDocument

Json: TypeAlias = Any
"""Any decoded JSON value: dict, list, str, int, float, bool or None."""

JsonText = NewType("JsonText", str)
"""Canonical JSON text, made by `encode` or `canonical_text`."""

MAX_DEPTH = 200
"""Deepest nesting of arrays and objects accepted from outside."""

MAX_BYTES = 64 * 1024 * 1024
"""Largest JSON text accepted from outside."""

MAX_PARTS = 3_000_000
"""Most objects and lists of one text, and a quarter of its most values: each takes a hundred bytes or more."""

MAX_DIGITS = 308
"""Most digits in a row of a number: one with more has no float, and no field of any record needs it."""

EMPTY_OBJECT = JsonText("{}")

_SURROGATE = re.compile("[\ud800-\udfff]")
_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
_ascii_encoder = json.JSONEncoder(ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"))


def encode(value: Json) -> JsonText:
    """Return `value` as canonical JSON text.

    Raises BadDocument for NaN, infinities and values that are not JSON.

    >>> encode({"b": 1.0, "a": [True, None]})
    '{"a":[true,null],"b":1.0}'
    """
    try:
        text = _encoder.encode(value)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadDocument(f"not a JSON value: {error}") from error
    if _SURROGATE.search(text):  # a lone surrogate has no UTF-8 form, but its escape has
        text = _ascii_encoder.encode(value)
    return JsonText(text)


def whole(value: Json) -> Json:
    """Return a JSON value with a replacement character for each half of a surrogate pair, also in names."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_SURROGATE.sub("\ufffd", name): whole(inner) for name, inner in value.items()}
    return [whole(inner) for inner in value] if isinstance(value, list) else value


def decode(text: JsonText) -> Json:
    """Return the value of canonical text. Raises BadDocument for text that `encode` did not make."""
    try:
        return _quick_decoder.decode(text)
    except _NOT_QUICK:
        pass
    try:
        return _decoder.decode(text)
    except (ValueError, RecursionError) as error:
        raise BadDocument(f"not canonical JSON text: {text[:60]!r}: {error}") from error


def parse(text: str | bytes, *, where: str = "JSON", max_bytes: int = MAX_BYTES, max_depth: int = MAX_DEPTH) -> Json:
    """Decode bounded JSON text from outside. Raises BadDocument, which names `where`, line and column."""
    n_brackets = _bounded(text, where=where, max_bytes=max_bytes)
    if n_brackets <= max_depth:
        try:
            return _quick_decoder.decode(text)
        except _NOT_QUICK:
            pass
    return _located(text, _decoder, where=where, max_depth=max_depth)


def parse_single_keys(text: str | bytes, *, where: str = "JSON") -> Json:
    """Decode as `parse` does, and refuse a key that stands twice in one object: readers differ in which they keep.

    Raises BadDocument. Takes several times as long as `parse`.
    """
    _bounded(text, where=where, max_bytes=MAX_BYTES)
    return _located(text, _single_decoder, where=where, max_depth=MAX_DEPTH)


def _bounded(text: str | bytes, *, where: str, max_bytes: int) -> int:
    """Return the number of opening brackets of a text. Raises BadDocument for one that is too large."""
    if len(text) > max_bytes:
        raise BadDocument(f"{where}: {len(text):,} bytes; the limit is {max_bytes:,}. Split the document.")
    n_brackets = _n_brackets(text)
    if (n_brackets > MAX_PARTS or _n_commas(text) > 4 * MAX_PARTS) and _has_too_many_parts(text):
        raise BadDocument(f"{where}: over {MAX_PARTS:,} objects and lists, or values. Split the document.")
    return n_brackets


def _located(text: str | bytes, decoder: json.JSONDecoder, *, where: str, max_depth: int) -> Json:
    """Decode with a decoder that names the place of an error. Raises BadDocument."""
    if isinstance(text, bytes):
        try:
            text = text.removeprefix(BOM_UTF8).decode()
        except UnicodeDecodeError as error:
            raise BadDocument(f"{where}: not UTF-8 at byte {error.start}. Save the file as UTF-8.") from error
    if (deep := _depth(text, enough=max_depth)) > max_depth:
        raise BadDocument(f"{where}: nested {deep:,} levels deep; the limit is {max_depth}. Flatten the document.")
    try:
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        raise BadDocument(f"{where}: line {error.lineno}, column {error.colno}: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise BadDocument(f"{where}: {error}") from error


def canonical_text(text: str | bytes, *, where: str = "JSON") -> JsonText:
    """Return JSON text from outside in canonical form (bounds and errors as in `parse`)."""
    return encode(parse(text, where=where))


def refuse_long_numbers(text: str | bytes, *, where: str) -> None:
    """Raise BadDocument for a number of JSON text with more than MAX_DIGITS digits in a row."""
    if len(text) > MAX_DIGITS and _may_have_long_number(text):
        bare = _STRING.sub("", text.decode("utf-8", "replace") if isinstance(text, bytes) else text)
        if _may_have_long_number(bare):
            raise BadDocument(f"{where}: a number of over {MAX_DIGITS} digits. Write it as a string, or shorten it.")


def _may_have_long_number(text: str | bytes) -> bool:
    """Whether there are more than MAX_DIGITS digits in a row, also inside strings.

    Such a row has a digit at a multiple of MAX_DIGITS, so that only these places are looked at.
    """
    if isinstance(text, bytes):
        return any(
            _LONG_NUMBER_BYTES.search(text, max(0, at - MAX_DIGITS), at + MAX_DIGITS + 1)
            for at in (MAX_DIGITS * one.start() for one in _DIGIT_BYTES.finditer(text[::MAX_DIGITS]))
        )
    return any(
        _LONG_NUMBER.search(text, max(0, at - MAX_DIGITS), at + MAX_DIGITS + 1)
        for at in (MAX_DIGITS * one.start() for one in _DIGIT.finditer(text[::MAX_DIGITS]))
    )


def scalars(value: Json) -> Iterator[Json]:
    """Yield what a value holds that is neither object nor list, in its order.

    >>> list(scalars({"a": [1, {"b": None}]}))
    [1, None]
    """
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from scalars(one)
    else:
        yield value


def _n_brackets(text: str | bytes) -> int:
    """Return the number of opening brackets, also inside strings: an upper bound of the depth."""
    return text.count(b"[") + text.count(b"{") if isinstance(text, bytes) else text.count("[") + text.count("{")


def _has_too_many_parts(text: str | bytes) -> bool:
    """Whether there are too many brackets or commas outside strings; those inside cost nothing."""
    bare = _STRING.sub("", text.decode("utf-8", "replace") if isinstance(text, bytes) else text)
    return _n_brackets(bare) > MAX_PARTS or _n_commas(bare) > 4 * MAX_PARTS


def _n_commas(text: str | bytes) -> int:
    return text.count(b",") if isinstance(text, bytes) else text.count(",")


_DIGIT, _DIGIT_BYTES = re.compile("[0-9]"), re.compile(b"[0-9]")
_LONG_NUMBER = re.compile(rf"[0-9]{{{MAX_DIGITS + 1}}}")
_LONG_NUMBER_BYTES = re.compile(_LONG_NUMBER.pattern.encode())
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_STEPS = bytes(1 if byte in b"[{" else 255 for byte in range(256))  # 255 is -1 as a signed byte
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


def _depth(text: str, *, enough: int) -> int:
    """Return the deepest bracket nesting outside strings, or 0 with at most `enough` brackets; not recursive."""
    if _n_brackets(text) <= enough:
        return 0
    steps = _STRING.sub("", text).encode("utf-8", "surrogatepass").translate(_STEPS, _NO_BRACKETS)
    return max(accumulate(memoryview(steps).cast("b"), initial=0))


def _refuse_constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON. Use null or a number.")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{digits[:40]} is too large for a number. Use a string.")
    return number


def _single_keys(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r:.60} stands twice in one object. Write it once.")
        found[key] = value
    return found


_quick_decoder = msgspec.json.Decoder()
_NOT_QUICK = (msgspec.DecodeError, UnicodeError, RecursionError, TypeError)
"""Errors of the fast decoder; the slower decoders below then read the text (half a surrogate pair, a BOM, a subclass of
str) or locate the error."""

_decoder = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)  # built once, not for each call
_single_decoder = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_single_keys)

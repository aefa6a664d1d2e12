"""Canonical JSON text."""

from __future__ import annotations

import contextlib
import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from record_strategies import JSON_VALUES

from callwright.errors import BadDocument
from callwright.records.jsontext import (
    MAX_DEPTH,
    JsonText,
    _depth,
    _may_have_long_number,
    canonical_text,
    decode,
    encode,
    parse,
    parse_single_keys,
)


def shape(value: Any) -> Any:
    """Return a value that Python compares as JSON does: `1`, `1.0` and `true` apart, key order ignored."""
    if isinstance(value, dict):
        return "object", frozenset((key, shape(item)) for key, item in value.items())
    if isinstance(value, list):
        return "array", tuple(shape(item) for item in value)
    return type(value).__name__, repr(value)


def shuffled(value: Any, rng: random.Random) -> Any:
    """Return an equal value whose objects were filled in another order."""
    if isinstance(value, dict):
        items = list(value.items())
        rng.shuffle(items)
        return {key: shuffled(item, rng) for key, item in items}
    return [shuffled(item, rng) for item in value] if isinstance(value, list) else value


@given(JSON_VALUES)
def test_round_trip(value: Any) -> None:
    """What is encoded decodes to the same value, types included."""
    assert shape(value) == shape(decode(encode(value)))


@given(JSON_VALUES, st.randoms(use_true_random=False))
def test_equal_values_have_equal_text(value: Any, rng: random.Random) -> None:
    """The order in which an object was filled does not show."""
    assert encode(value) == encode(shuffled(value, rng))


@given(JSON_VALUES, JSON_VALUES)
def test_texts_are_equal_only_for_equal_values(left: Any, right: Any) -> None:
    """Two texts are equal exactly when the two JSON values are."""
    assert (encode(left) == encode(right)) == (shape(left) == shape(right))


@given(JSON_VALUES, st.sampled_from([None, 0, 3]), st.booleans())
def test_layout_does_not_count(value: Any, indent: int | None, ascii_only: bool) -> None:
    """Spaces, line ends and escapes of text from outside leave no trace."""
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)

    assert encode(value) == canonical_text(text)


@given(JSON_VALUES)
def test_canonical_text_is_a_fixed_point(value: Any) -> None:
    """Canonical text read as text from outside is itself."""
    assert encode(value) == canonical_text(encode(value))


@given(JSON_VALUES)
def test_text_has_a_utf8_form(value: Any) -> None:
    """Any canonical text can be written to a file, lone surrogates included."""
    assert decode(JsonText(encode(value).encode().decode())) == value


NUMBERS = st.from_regex(r"-?(0|[1-9][0-9]{0,330})(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,3})?", fullmatch=True)
SCRAPS = st.sampled_from(
    ["\\ud800", "\\u0041", "\\n", '"', "\\", ",", ":", "[", "}", "\ud800", "\t", "\x00", "\ufeff", "\xa0", "01"]
)


@st.composite
def spoilt_texts(draw: st.DrawFn) -> str:
    """JSON text with something put in its place somewhere, so that most of it is JSON no more."""
    text = json.dumps(draw(JSON_VALUES), ensure_ascii=draw(st.booleans()))
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(SCRAPS) + text[at + draw(st.integers(0, 2)) :]


def outcome(read: Callable[[Any], Any], text: str | bytes) -> Any:
    """Return what a reader makes of a text, or `refused`."""
    try:
        return shape(read(text))
    except ValueError:
        return "refused"


def read_by_python(text: str | bytes) -> Any:
    """Read as the standard library does, which knows NaN and numbers that are too large."""
    value = json.loads(text.decode("utf-8-sig") if isinstance(text, bytes) else text)
    json.dumps(value, allow_nan=False)
    return value


@settings(max_examples=500)
@given(st.one_of(spoilt_texts(), NUMBERS, JSON_VALUES.map(json.dumps)))
def test_texts_are_read_as_python_reads_them(text: str) -> None:
    """The quick decoder and the strict one behind it read what Python's reads, to the same value, and no more."""
    assert outcome(parse, text) == outcome(read_by_python, text)
    data = text.encode("utf-8", "surrogatepass")
    assert outcome(parse, data) == outcome(read_by_python, data)
    with contextlib.suppress(ValueError):
        assert shape(decode(JsonText(text))) == shape(json.loads(text))


def test_subclasses_of_text_are_read() -> None:
    """What is text to Python, such as a member of a StrEnum or numpy's strings, is text here."""

    class Text(str):
        __slots__ = ()

    assert parse(Text("[1]")) == decode(JsonText(Text("[1]"))) == [1]


def test_one_true_and_one_point_zero_differ() -> None:
    """Values that Python confuses stay apart."""
    assert len({encode({"a": value}) for value in (1, True, 1.0, "1")}) == 4


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\udc00\ud800"])
def test_lone_surrogates_survive(text: str) -> None:
    """Half of a surrogate pair, in a value or a key, is kept."""
    assert decode(encode({text: text})) == {text: text}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [float("-inf")], {1, 2}, {"a": b"b"}, object()])
def test_values_that_are_not_json_are_refused(value: object) -> None:
    """NaN, infinities and foreign types have no canonical text."""
    with pytest.raises(BadDocument, match="not a JSON value"):
        encode(value)


@pytest.mark.parametrize(
    "text", ["NaN", "[Infinity]", '{"a": -Infinity}', "1e999", "-1e999", "9" * 5_000, "", "{", "[1,]", '"', "{'a': 1}"]
)
def test_text_that_is_not_json_is_refused(text: str) -> None:
    """Bad text is one clear error that names its source."""
    with pytest.raises(BadDocument, match=r"^answer\.json: "):
        canonical_text(text, where="answer.json")


def test_syntax_errors_have_a_place() -> None:
    """A syntax error tells line and column."""
    with pytest.raises(BadDocument, match="line 2, column 6"):
        parse('{"a": 1,\n "b" 2}')


def test_bytes_may_start_with_a_mark() -> None:
    """A byte order mark is skipped; bytes that are not UTF-8 are refused with their place."""
    assert parse(b'\xef\xbb\xbf{"a":1}') == {"a": 1}
    with pytest.raises(BadDocument, match="not UTF-8 at byte 1"):
        parse(b'"\xff"')


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_ten_thousand_levels_are_refused(opening: str) -> None:
    """Deep nesting is an error and never a crash, closed or not."""
    closing = "".join("]" if sign == "[" else "}" for sign in reversed(opening) if sign in "[{")
    for text in (opening * 10_000, opening * 10_000 + "1" + closing * 10_000):
        with pytest.raises(BadDocument, match="levels deep"):
            parse(text)


def test_the_deepest_allowed_nesting_is_read() -> None:
    """The limit itself is allowed, one more is not; brackets inside strings do not count."""
    assert parse("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    assert parse(json.dumps(['[{"\\' * MAX_DEPTH] * 2))
    with pytest.raises(BadDocument, match="201 levels"):
        parse("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))


def test_a_smaller_depth_can_be_asked_for() -> None:
    """The caller's own limit holds for short texts too."""
    with pytest.raises(BadDocument, match="3 levels deep; the limit is 2"):
        parse("[[[]]]", max_depth=2)


@pytest.mark.parametrize("text", ["[" * 1_000_000, "[]" * 500_000, '"[' * 500_000, '"' + "\\" * 1_000_000])
def test_a_million_brackets_are_refused(text: str) -> None:
    """A megabyte of brackets, quotes or backslashes is refused, in time linear in its size."""
    with pytest.raises(BadDocument):
        parse(text)


def test_large_texts_are_refused() -> None:
    """The size limit is checked before anything is decoded."""
    with pytest.raises(BadDocument, match=r"big\.json: 11 bytes; the limit is 10"):
        parse("[1,2,3,4,5]", where="big.json", max_bytes=10)


@pytest.mark.parametrize("text", ["{", "NaN", "", "[" * 100_000])
def test_edited_canonical_text_is_refused(text: str) -> None:
    """Text that a hand spoilt inside a record is an error of ours when it is decoded."""
    with pytest.raises(BadDocument, match="not canonical JSON text"):
        decode(JsonText(text))


@settings(max_examples=300)
@given(st.text('[]{}",:\\a1 \n\ud800é', max_size=60))
@example('"\\')
@example('[{"]"}')
def test_the_depth_is_that_of_a_count_by_hand(text: str) -> None:
    """Brackets count outside strings alone; a backslash escapes within strings alone, a string may lack its end."""
    depth = deepest = at = 0
    in_string = False
    while at < len(text):
        if in_string:
            in_string = text[at] != '"'
            at += text[at] == "\\"
        elif text[at] in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif text[at] in "]}":
            depth -= 1
        else:
            in_string = text[at] == '"'
        at += 1

    assert _depth(text, enough=-1) == deepest


@given(st.lists(st.one_of(st.sampled_from(["a", '"', "\\", " ", "é"]), st.integers(1, 700).map(lambda n: "7" * n))))
def test_long_numbers_are_those_of_a_plain_search(parts: list[str]) -> None:
    """Looking at every 308th place finds the same rows of digits as looking at all places."""
    text = "".join(parts)
    found = re.search("[0-9]{309}", text) is not None

    assert _may_have_long_number(text) == _may_have_long_number(text.encode()) == found


@pytest.mark.parametrize("read", [parse, decode, lambda text: parse(text.encode())])
def test_a_number_beyond_all_floats_is_refused(read: Callable[[JsonText], Any]) -> None:
    """Whole numbers may be long: a tool that needs one is left out by name."""
    assert read(JsonText("[" + "9" * 400 + "]")) == [int("9" * 400)]
    with pytest.raises(BadDocument):
        read(JsonText("[1e999]"))


@pytest.mark.parametrize("text", ["[" + "{}," * 3_000_001 + "{}]", b"[" + b"1," * 12_000_001 + b"1]"])
def test_documents_of_very_many_parts_are_refused(text: str | bytes) -> None:
    """Small in bytes, they would take gigabytes: the error comes before anything is built."""
    with pytest.raises(BadDocument, match="over 3,000,000 objects"):
        parse(text)


@given(JSON_VALUES)
def test_single_keys_are_read_as_ever(value: Any) -> None:
    """A text without repeated keys has the same value for both readers."""
    text = encode(value)
    assert encode(parse_single_keys(text)) == encode(parse(text))


@pytest.mark.parametrize("text", ['{"a":1,"a":1}', '[{"b":{"a":1,"c":2,"a":3}}]', '{"a":1,"\\u0061":2}'])
def test_a_repeated_key_is_refused(text: str) -> None:
    """At any depth, with the same value, and written with an escape."""
    parse(text)
    with pytest.raises(BadDocument, match="here: the key 'a' stands twice in one object"):
        parse_single_keys(text, where="here")

"""Work on texts that were made to be slow to read: it grows with their length and no faster.

No clock is needed: a reader whose work grows with the square of the length would not end at these lengths.
"""

from __future__ import annotations

import json

import pytest
import slow_tool_calls as slow
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from callwright.errors import BadDocument
from callwright.lang.calls import read_calls as read_python_calls
from callwright.models.brackets import Brackets, TooMuch, Work
from callwright.models.chat import ChatRequest, Message
from callwright.models.completion import read_completion, split_thought
from callwright.models.keys import ApiKey
from callwright.models.prompted import read_words, tools_in_words
from callwright.models.structured import read_object
from callwright.models.tool_calls import MAX_CALLS, MAX_TEXT, find_calls, json_object, read_arguments, read_calls
from callwright.models.transport import MAX_REPLY_BYTES
from callwright.records.jsontext import parse
from callwright.records.tool import Tool
from fake_server import completion

CALL = '{"name": "f", "arguments": {"a": 1}}'
PIECES = (
    CALL, '{"name": "g", "arguments": "{\\"b\\": [2]}"}', '{"name": "h"}', '{"tool_calls": [', '"arguments": ',
    '"name": "f"', "<tool_call>", "</tool_call>", "<Function_Call>", "</function_call>", "```", "```json", "`",
    "{", "}", "[", "]", "{}", "[]", '"', "\\", '\\"', "\\\\", ",", ";", ":", " ", "  ", "\n", "\n\n", "\t", "\u2028",
    "null", "1", "NaN", "so I said", "é",
)  # fmt: skip
pieced = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)

ADVERSE = {
    "blanks": (" ", ""),
    "newlines": ("\n", ""),
    "mixed blanks": (" \n\t", ""),
    "braces": ("{", ""),
    "brackets": ("[", ""),
    "closing": ("}", ""),
    "quotes": ('"', ""),
    "backslashes": ("\\", ""),
    "escaped quotes": ('\\"', ""),
    "fences": ("```", ""),
    "fences of a language": ("```json ", ""),
    "words": ("a", ""),
    "keys": ("sk-", ""),
    "commas": (",", ""),
    "tags": ("<tool_call>", ""),
    "tags and blanks": ("<tool_call> \n", ""),
    "tags and fences": ("<tool_call>```json\n", ""),
    "ends of tags": ("</tool_call>", ""),
    "lines of braces": ("{\n", ""),
    "nested, closed": ("{\n", "}\n"),
    "nested lists, closed": ("[", "]"),
    "pairs": ("{}", ""),
    "lines of pairs": ("{}\n", ""),
    "no JSON": ("{a}\n", ""),
    "quote in a brace": ('{"', ""),
    "quotes out of step": ('{" "{\n', ""),
    "escapes out of step": ('{\\"{"\n', ""),
    "calls": (CALL, ""),
    "calls and an open brace": (f"{CALL} {{\n", ""),
    "calls and an open string": (f'{CALL} {{"\n', ""),
    "calls and blanks": (f"{CALL}   \n\n", ""),
    "calls without their end": ('{"name": "f", "arguments": ', ""),
    "tagged calls without their end": ('<tool_call>{"name": "f", "arguments": {"a": "', ""),
    "everything": ("".join(PIECES), ""),
}


def adverse(name: str, length: int) -> str:
    """Return the text of this name, of no more than `length` characters."""
    one, closing = ADVERSE[name]
    times = length // (len(one) + len(closing))
    return one * times + closing * times


def few_brackets(text: str) -> str:
    assume(text.count("{") + text.count("[") <= slow.MOST_OPEN_STARTS)
    return text


many = settings(max_examples=4 * settings.default.max_examples)


# -- the same results as the slow version ----------------------------------------------------------------------------


@many
@given(pieced)
@example("```json\n" + CALL + "  \n ,\n" + CALL + "```")
@example(CALL + " {\n" + CALL)
@example('{ " {"a": 1} "\n{"')
@example('[note]\n{x "}\n{"y"}\n' + CALL)
def test_calls_are_those_of_the_slow_version(text: str) -> None:
    """Content, calls and errors are the same, whatever the text is made of."""
    assert find_calls(few_brackets(text)) == slow.find_calls(text)


@many
@given(pieced)
@example('{ "{ "a": 1}')
@example('{{"a": 1}')
def test_objects_and_arguments_are_those_of_the_slow_version(text: str) -> None:
    """The first object of a text is the same, and what is read from it as arguments, once and twice encoded."""
    assert json_object(few_brackets(text)) == slow.json_object(text)
    for written in (text, json.dumps(text), json.dumps(json.dumps(text))):
        assert read_arguments(written) == slow.read_arguments(written)


@many
@given(pieced)
@example('{"{"}{"}')
def test_every_bracket_ends_where_the_slow_version_says(text: str) -> None:
    """Whatever was looked at before, in this order or the other."""
    opened = [at for at, character in enumerate(text) if character in "{["]
    for order in (opened, opened[::-1]):
        brackets = Brackets(text, Work())
        assert [brackets.end(at) for at in order] == [slow._end_of_value(text, at) for at in order]


# -- long texts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ADVERSE)
@pytest.mark.parametrize("before", ["", CALL])
def test_an_adverse_text_is_read_to_its_end(name: str, before: str) -> None:
    """Texts as long as are read at all, alone and after a call, take bounded work as content, object and arguments."""
    text = before + adverse(name, MAX_TEXT - len(before) - 1)

    found = find_calls(text)
    content, errors = read_object(text)
    arguments = read_arguments(text)

    assert found.calls or found.content == text.strip()
    assert content in text
    assert errors or content == text.strip()
    assert arguments.errors or name.endswith("blanks") or name == "newlines"
    split_thought(text)


@pytest.mark.parametrize("gap", [" " * 100_000, "\n" * 120_000, " \n" * 60_000])
def test_a_call_after_many_blanks_is_found(gap: str) -> None:
    """Blanks between two calls, and after the last, cost no more than their number."""
    assert len(find_calls(CALL + gap + CALL + gap).calls) == 2


def test_a_call_after_many_open_brackets_is_found() -> None:
    """Lines that begin with a bracket of another kind hide no call, however many they are."""
    found = find_calls("[ ] a thing to do\n{and a brace\n" * 1_000 + CALL)
    assert [call.arguments for call in found.calls] == ['{"a":1}']


@pytest.mark.parametrize("name", ["no JSON", "lines of pairs"])
def test_what_was_not_searched_stays_and_is_told(name: str) -> None:
    """Where the bound of work ends the search, what is before and after it is kept, and an error says so."""
    found = find_calls(f"{CALL}\n" + adverse(name, MAX_TEXT - 100) + f"\nthe end {CALL}")
    assert found.calls
    assert found.content.endswith(f"the end {CALL}")
    assert any("the rest was not searched for calls" in error for error in found.errors)


def test_arguments_beyond_the_bounds_are_kept_and_told() -> None:
    """Each of the calls is there with what was written; the error names the bound."""
    braces = "{" * 200_000
    found = read_calls([{"name": "f", "arguments": text} for text in [braces] * 63 + ["{" * (MAX_TEXT + 1)]])

    assert len(found.calls) == MAX_CALLS
    assert {call.arguments for call in found.calls[:-1]} == {json.dumps(braces)}
    assert found.errors.count("arguments: not an object") == MAX_CALLS
    assert "arguments: too many brackets and quotes to look through" in found.errors
    assert "arguments: 262,145 characters are too many to read" in found.errors


def test_an_object_beyond_the_bounds_is_told() -> None:
    """A reply that is too long, or takes too much work, is not said to be no object."""
    assert "262,153 characters are too many" in read_object('{"a": "' + "a" * MAX_TEXT + '"}')[1][0]
    with pytest.raises(TooMuch):
        json_object(adverse("nested, closed", MAX_TEXT))


@pytest.mark.parametrize(
    ("name", "layers"),
    [
        ("braces", 0),
        ("pairs", 1),
        ("no JSON", 1),
        ("quotes out of step", 2),
        ("nested lists, closed", 0),
        ("backslashes", 2),
    ],
)
def test_the_largest_reply_is_read(name: str, layers: int) -> None:
    """A body near the client's bound, of the most calls, with adverse arguments, encoded again and again."""
    arguments = adverse(name, 200_000)
    for _ in range(layers):
        arguments = json.dumps(arguments)[:MAX_TEXT]
    calls = [{"id": f"c{n}", "function": {"name": "f", "arguments": arguments}} for n in range(MAX_CALLS)]
    body = json.dumps(completion(content=arguments, tool_calls=calls), ensure_ascii=False).encode()
    request = ChatRequest((Message("user", "Go."),), (Tool(name="f"),))

    reply = read_completion(body, request, calling="native", strike=str)

    assert len(body) > MAX_REPLY_BYTES // 2
    assert len(reply.calls) == MAX_CALLS
    assert any(error.startswith("arguments: ") for error in reply.format_errors)


def test_the_largest_body_of_brackets_is_read() -> None:
    """A document of millions of brackets is read up to a bound, and refused beyond it before it is read."""
    assert len(parse("[" + "[]," * 2_000_000 + "[]]")) == 2_000_001
    with pytest.raises(BadDocument, match="over 3,000,000 objects"):
        parse("{" * 8_000_000)


@pytest.mark.parametrize("name", ADVERSE)
def test_a_conversation_of_adverse_words_is_read(name: str) -> None:
    """The calls of many messages are searched within one bound; what is beyond it stays words."""
    told = Message("system", tools_in_words((Tool(name="f"),)))
    said = Message("assistant", f"<tool_call>{adverse(name, 200_000)}")

    read = read_words((told, *[said] * 20))

    assert read is not None
    assert all(message.content or message.calls for message in read.messages)


@pytest.mark.parametrize("name", ADVERSE)
def test_adverse_text_as_python_calls(name: str) -> None:
    """Call syntax is refused or read, at the length that is read at all."""
    for before in ("[f(a=", "[f(a='", '[f(a="""', "```python\n"):
        try:
            read_python_calls(before + adverse(name, 99_990))
        except BadDocument:
            continue
        assert name in ("closing", "words") or not before.startswith("[f"), "such text is no call"


def test_a_key_is_struck_from_adverse_text() -> None:
    """The forms of a key are looked for in linear time as well."""
    key = ApiKey("sk-" + "a" * 40)
    for name in ("keys", "words", "blanks"):
        assert "a" * 40 not in key.strike(adverse(name, 100_000) + "sk-" + "a" * 40)

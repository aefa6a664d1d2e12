"""Calls out of what models write."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from callwright.models.tool_calls import MAX_CALLS, MAX_TEXT, find_calls, json_object, read_arguments, read_calls
from callwright.records.jsontext import canonical_text, encode

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)
objects = st.dictionaries(st.text(max_size=8), values, max_size=4)
names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,20}", fullmatch=True)
pairs = st.lists(st.tuples(names, objects), min_size=1, max_size=4)
prose = st.text(st.characters(categories=("Lu", "Ll", "Zs"), include_characters=",.?!'\n"), max_size=40)


def tagged(calls: list[Any]) -> str:
    return "\n".join(f"<tool_call>\n{json.dumps(call)}\n</tool_call>" for call in calls)


def fenced_each(calls: list[Any]) -> str:
    return "\n".join(f"```json\n{json.dumps(call, indent=2)}\n```" for call in calls)


FORMS = {
    "tagged": tagged,
    "tags never closed": lambda calls: "".join(f"<tool_call>{json.dumps(call)}" for call in calls),
    "fence within tags": lambda calls: "".join(f"<tool_call>```json\n{json.dumps(c)}\n```</tool_call>" for c in calls),
    "a fence each": fenced_each,
    "lines in one fence": lambda calls: "```\n" + "\n".join(map(json.dumps, calls)) + "\n```",
    "a list": json.dumps,
    "a fenced list": lambda calls: f"```json\n{json.dumps(calls)}\n```",
    "an object with a list": lambda calls: json.dumps({"tool_calls": calls}),
    "joined by commas": lambda calls: ", ".join(map(json.dumps, calls)),
}
LAYOUTS = {
    "plain": lambda name, arguments: {"name": name, "arguments": arguments},
    "parameters": lambda name, arguments: {"name": name, "parameters": arguments},
    "within function": lambda name, arguments: {"type": "function", "function": {"name": name, "arguments": arguments}},
    "function is the name": lambda name, arguments: {"function": name, "args": arguments},
    "arguments as text": lambda name, arguments: {"name": name, "arguments": json.dumps(arguments)},
    "arguments encoded twice": lambda name, arguments: {"name": name, "arguments": json.dumps(json.dumps(arguments))},
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=15)
@given(made=pairs, before=prose, after=prose)
def test_calls_are_found_in_any_form(form: str, layout: str, made: Any, before: str, after: str) -> None:
    """Whatever the form and the words around, the same calls are read, and the words are kept."""
    written = FORMS[form]([LAYOUTS[layout](name, arguments) for name, arguments in made])

    found = find_calls(f"{before}\n{written}\n{after}")

    assert [(call.tool, call.arguments) for call in found.calls] == [(name, encode(values)) for name, values in made]
    assert "".join(found.content.split()) == "".join((before + after).split())
    assert any("twice" in error for error in found.errors) == (layout == "arguments encoded twice")


@given(st.text() | st.text(st.sampled_from('{}[]",:\\`<>/ \ntool_callnamearguments'), max_size=300))
@example("<tool_call>" * 50)
@example("{\n" * 5_000)
@example('{"name": "f", "arguments": ' * 500)
@example("```" * 5_000)
def test_any_text_is_survived(text: str) -> None:
    """No text raises; without calls the content is the text."""
    found = find_calls(text)

    assert len(found.calls) <= MAX_CALLS
    if not found.calls:
        assert found.content == text.strip()


@given(objects)
def test_arguments_as_object_and_as_text_are_the_same(arguments: dict[str, Any]) -> None:
    """The object, its text and the text of its text give one canonical text; only the last is malformed."""
    assert read_arguments(arguments) == read_arguments(json.dumps(arguments)) == (encode(arguments), ())
    twice = read_arguments(json.dumps(json.dumps(arguments)))
    assert twice == (encode(arguments), ("arguments: encoded twice",))


@given(values)
def test_any_json_is_survived_as_arguments_and_calls(value: Any) -> None:
    """No JSON value raises; arguments are always canonical text."""
    text = read_arguments(value).text
    assert canonical_text(text) == text
    read_calls(value)
    read_calls([value, {"function": value}, {"function": {"name": "f", "arguments": value}}])


@pytest.mark.parametrize(
    ("written", "text", "error"),
    [
        ('{"a": 1} as you wished', '{"a":1}', "arguments: text around the object"),
        ('```json\n{"a": 1}\n```', '{"a":1}', "arguments: text around the object"),
        ("", "{}", "arguments: none given"),
        (None, "{}", "arguments: none given"),
        ("[1]", "[1]", "arguments: not an object"),
        ('{"a": ', '"{\\"a\\": "', "arguments: not an object"),
        ('{"a": NaN}', '"{\\"a\\": NaN}"', "arguments: not an object"),
        (7, "7", "arguments: not an object"),
        ("{" * 1_000, encode("{" * 1_000), "arguments: not an object"),
        ('{"a":' * 300 + "1" + "}" * 300, encode('{"a":' * 300 + "1" + "}" * 300), "arguments: not an object"),
    ],
)
def test_malformed_arguments_are_kept_and_told(written: Any, text: str, error: str) -> None:
    """What can be read is read; the rest stays as it was written; either way it is an error of form."""
    assert read_arguments(written) == (text, (error,))


def test_json_that_is_no_call_stays() -> None:
    """An object in the open that names no arguments is what the model says."""
    text = 'The record is:\n{"name": "Ada", "age": 36}'
    assert find_calls(text) == (text, (), ())


def test_braces_within_a_sentence_are_no_call() -> None:
    """A call in the open begins a line; one that is talked about does not."""
    text = 'Shall I send {"name": "f", "arguments": {}}?'
    assert find_calls(text).calls == ()


@pytest.mark.parametrize(
    "inner", ["get_weather(city='Rome')", '{"arguments": {}}', '{"name": "f", "arguments": {"a": ']
)
def test_a_tag_without_a_legible_call_is_an_error(inner: str) -> None:
    """It stays in the content, and is told."""
    found = find_calls(f"<tool_call>{inner}</tool_call>")
    assert found.calls == ()
    assert found.errors == ("a tagged call that cannot be read",)
    assert inner in found.content


@pytest.mark.parametrize("layout", ["{}", "```json\n{}\n```", '{{"type":"function","function":{}}}'])
def test_a_repeated_document_is_no_call(layout: str) -> None:
    """Small models answer with a tool's description; its schema is no object of arguments."""
    schema = {"type": "object", "properties": {"hours": {"type": "integer"}}, "required": ["hours"]}
    text = layout.format(json.dumps({"name": "log_hours", "description": "Log hours.", "parameters": schema}))
    assert find_calls(text) == (text, (), ())


def test_an_invented_result_is_told() -> None:
    """A model that plays the tool too says so in its text: the reply keeps it, with an error of form."""
    text = '<tool_response>\n{"hours": 10}\n</tool_response>'
    assert find_calls(text) == (text, (), ("an invented result of a tool",))


def test_a_tagged_call_may_lack_arguments() -> None:
    """Within tags a name is enough; that arguments are missing is told."""
    (call,) = find_calls('<tool_call>{"name": "f"}</tool_call>').calls
    assert (call.tool, call.arguments) == ("f", "{}")


def test_brackets_of_another_kind_hide_no_call() -> None:
    """A call is found also after a bracket that no JSON follows."""
    found = find_calls('[note to self]\n{thinking}\n{"name": "f", "arguments": {"a": 1}}')
    assert [call.arguments for call in found.calls] == ['{"a":1}']


def test_too_many_calls_are_cut() -> None:
    """No more than the bound are taken, and that is told, in text and natively."""
    calls = [{"name": "f", "arguments": {"n": n}} for n in range(MAX_CALLS + 3)]
    for found in (find_calls(json.dumps(calls)), read_calls(calls)):
        assert len(found.calls) == MAX_CALLS
        assert any("dropped" in error for error in found.errors)


def test_too_long_a_text_is_not_searched() -> None:
    """Beyond the bound the text is content, and that is told."""
    text = '{"name": "f", "arguments": {}}' + " " * MAX_TEXT + "."
    found = find_calls(text)
    assert (found.content, found.calls, len(found.errors)) == (text, (), 1)


def test_native_items_that_are_no_calls_are_told() -> None:
    """Each nameless item is one error; the others are kept with their ids."""
    good = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    found = read_calls([{"function": {"arguments": "{}"}}, good, 3])
    assert [(call.tool, call.id) for call in found.calls] == [("f", "c1")]
    assert found.errors == ("a call without a name",) * 2


@given(objects, prose, prose)
def test_an_object_is_found_among_words(value: dict[str, Any], before: str, after: str) -> None:
    """The first JSON object of a text is given as it was written."""
    written = json.dumps(value)
    assert json_object(f"{before}{written}{after}") == written


def test_no_object_is_none() -> None:
    """Lists, words and endless brackets hold no object."""
    assert [json_object(text) for text in ("", "[1]", "{" * 10_000, "{a}")] == [None] * 4

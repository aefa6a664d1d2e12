"""All names of a parameter: its own, its noun, title and description, listed values, question words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.catalog.slot_names import asked_types, is_filler, keys_of, names_of_slot
from callwright.catalog.slots import Slot, slots
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


def slot(name: str, /, **schema: object) -> Slot:
    schema = {"type": "string", **schema}
    return slots(Tool(name="t", parameters=encode({"type": "object", "properties": {name: schema}})))[name]


def said(one: Slot) -> set[tuple[str, ...]]:
    names = names_of_slot(one)
    return {tuple(keys[0] for keys in phrase) for phrase in (*names.phrases, *names.shortened)}


@pytest.mark.parametrize("name", ["start_day", "startDay", "StartDay", "start-day", "start.day"])
def test_names_are_split_in_any_case_style(name: str) -> None:
    """Snake, camel, kebab or dots: the words are the same."""
    assert ("start", "day") in said(slot(name))


def test_an_identifier_goes_by_its_thing_and_by_its_kind() -> None:
    """`tag_gid` is the tag, the tag's id, the id."""
    assert {("tag", "gid"), ("tag",), ("gid",)} <= said(slot("tag_gid"))
    assert set(keys_of("id")) & set(keys_of("gid")) & set(keys_of("number"))


def test_title_and_description_name_it_too() -> None:
    """Each of several nouns that a description begins with."""
    one = slot("ws", title="Home base", description="The workspace or organization to look in.")
    assert {("home", "base"), ("workspac",), ("organization",)} <= said(one)


def test_words_glued_to_a_frequent_head_are_split() -> None:
    """`filename` is a file name, and the other way round."""
    assert ("file", "name") in said(slot("filename"))
    assert ("filenam",) in said(slot("file_name"))


def test_listed_values_keep_what_others_lack() -> None:
    """`sick leave` and `annual leave` differ in one word, which `ill` means too."""
    first, second = names_of_slot(slot("kind", enum=["sick_leave", "annual_leave"])).options
    assert not first & second
    assert first & set(keys_of("ill"))


@pytest.mark.parametrize(
    ("question", "name", "schema"),
    [
        ("When is it?", "due", {"format": "date"}),
        ("How many do you need?", "units", {"type": "integer"}),
        ("Who will do it?", "assignee", {}),
        ("How long is it?", "duration", {"type": "integer"}),
    ],
)
def test_question_words_ask_for_kinds(question: str, name: str, schema: dict[str, object]) -> None:
    """`when` asks for dates; a parameter called `note` is asked for by none of these."""
    assert asked_types(question) & names_of_slot(slot(name, **schema)).asks
    assert not asked_types(question) & names_of_slot(slot("note")).asks


@given(st.text(min_size=1, max_size=30), st.text(max_size=60))
def test_any_parameter_has_names(name: str, description: str) -> None:
    """No name or description makes it fail, and a name is never empty."""
    names = names_of_slot(slot(name, description=description))
    assert "" not in {*names.phrases, *names.shortened}


@given(st.from_regex(r"[a-z]{1,12}", fullmatch=True))
def test_a_word_is_first_of_all_itself(word: str) -> None:
    """The stem comes first, its root and its families after it."""
    stem, root, *families = keys_of(word)
    assert not stem.startswith("~")
    assert root.startswith("^")
    assert all(family.startswith("~") for family in families)
    assert is_filler("please")

"""Codes of a kind: resource names, telephone numbers, whole numbers in texts."""

from __future__ import annotations

import re
from datetime import date
from random import Random

import pytest

from callwright.author.personas import bank
from callwright.author.value_bank import values_about
from callwright.author.value_makers import maker_of
from callwright.author.value_scene import Scene
from callwright.author.value_subject import subject_of
from callwright.lang.kinds import kind_of

KEY = r"arn:aws(-cn)?:kms:[a-z]{2}-[a-z]+-\d:\d{12}:key/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
LIBRARY = r"^arn:(aws[a-z-]*):library:.+:(\d{12}):\/shelves\/[0-9a-zA-Z]+$"


def drawn(name: str, thing: str = "", **schema: str) -> str:
    subject = subject_of(name, {"type": "string", **schema}, about="", thing=thing)
    return str(maker_of(subject)(Scene(Random(3), bank()[0], date(2026, 5, 4))))


@pytest.mark.parametrize(
    ("name", "thing", "form"),
    [
        ("kmsKeyArn", "", r"arn:aws:kms:[a-z0-9-]+:\d{12}:key/[0-9a-f]{12}"),
        ("roleArn", "", r"arn:aws:iam::\d{12}:role/[0-9a-f]{12}"),
        ("logGroupArn", "", r"arn:aws:logs:[a-z0-9-]+:\d{12}:group/[0-9a-f]{12}"),
        ("resourceArn", "shelf", r"arn:aws:shelf:[a-z0-9-]+:\d{12}:shelf/[0-9a-f]{12}"),
    ],
)
def test_a_resource_name_names_its_sort_of_thing(name: str, thing: str, form: str) -> None:
    assert re.fullmatch(form, drawn(name, thing))


@pytest.mark.parametrize("pattern", [KEY, LIBRARY])
def test_a_resource_name_keeps_to_its_pattern(pattern: str) -> None:
    """Of what a pattern leaves open, region and account are those of resource names."""
    assert kind_of("thingArn", {"type": "string", "pattern": pattern}) == "code"
    made = drawn("thingArn", pattern=pattern)
    assert re.fullmatch(pattern, made)
    assert re.match(r"arn:aws:\w+:(?:eu|us|ap)-[a-z]+-\d:\d{12}:", made)


@pytest.mark.parametrize("pattern", [r"^[\s0-9()+-]+$", r"^[+][\s0-9()-]+$", r"^\+?[1-9]\d{1,14}$", r"^\d{8,15}$"])
def test_a_telephone_number_of_a_pattern_is_a_usual_one(pattern: str) -> None:
    number = drawn("phoneNumber", pattern=pattern)
    assert re.fullmatch(pattern, number)
    assert "555" in number


@pytest.mark.parametrize("form", ["int64", "uint32"])
def test_a_text_with_the_format_of_a_whole_number_is_one(form: str) -> None:
    for name in ("size", "timeoutSeconds", "projectId", "fee"):
        assert drawn(name, format=form).isdigit()


def test_the_title_of_a_person_is_a_job() -> None:
    assert drawn("Title", thing="alternate contact") in values_about("titles", ("profession",))
    assert drawn("title", thing="book") not in values_about("titles", ("profession",))


@pytest.mark.parametrize(
    ("form", "value"),
    [
        ("shops/{shop}/shelves/{shelf-id}", r"shops/\d{5}/shelves/\d{5}"),
        ("shops//shelves/", r"shops/\d{5}/shelves/\d{5}"),
        ("shops/*/shelves/a-z*", r"shops/\d{5}/shelves/\d{5}"),
        ("shops/SHOP_ID/locations/LOCATION", r"shops/\d{5}/locations/[a-z]+-[a-z]+\d"),
        ("shops/-/shelves/<shelf>", r"shops/-/shelves/\d{5}"),
    ],
)
def test_a_name_is_put_together_as_its_description_shows(form: str, value: str) -> None:
    assert re.fullmatch(value, drawn("name", description=f"The name of the shelf, of the form `{form}`."))


@pytest.mark.parametrize("words", ["read/write", "png/jpeg/gif", "and/or"])
def test_words_that_a_slash_joins_are_no_form_of_a_name(words: str) -> None:
    assert "/" not in drawn("name", description=f"The name, in a form of {words} or so.")


def test_a_part_of_such_a_name_is_no_whole_one() -> None:
    """The identifier that it ends in."""
    assert drawn("shelfId", description="The name is of the form `shops/{shop}/shelves/{shelf_id}`.").isdigit()


@pytest.mark.parametrize(
    ("form", "value"),
    [("google-datetime", r"2026-\d\d-\d\dT.*"), ("google-duration", r"\d+s"), ("duration", r"PT?\d+[MHD]")],
)
def test_a_moment_or_a_length_of_time_has_its_format(form: str, value: str) -> None:
    assert re.fullmatch(value, drawn("expireTime", format=form))


@pytest.mark.parametrize("name", ["TagKey", "tag_key"])
def test_the_key_of_a_tag_is_a_word(name: str) -> None:
    assert drawn(name, pattern=r"^[\w. -]{1,128}$").replace("-", "").isalpha()


@pytest.mark.parametrize("pattern", [r".*\S.*", "[a-z0-9]*", r"\w{1,40}"])
def test_an_identifier_of_a_loose_pattern_is_no_short_word(pattern: str) -> None:
    value = drawn("ruleId", pattern=pattern)
    assert len(value) > 4
    assert not value.isalpha()


@pytest.mark.parametrize("name", ["env_var_key", "variableKey"])
def test_the_key_of_a_variable_is_written_in_capitals(name: str) -> None:
    assert re.fullmatch(r"[A-Z]+(?:_[A-Z]+)+", drawn(name))
    assert re.fullmatch(r"[A-Z]+(?:_[A-Z]+)+", drawn("key", description="Key of the environment variable."))

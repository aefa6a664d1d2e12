"""Names that a document makes up, and others of their shape."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.author.proper_names import is_person, is_placelike, other_name


def drawn(example: str, *words: str, thing: str = "") -> set[str]:
    return {other_name(Random(seed), example, words, thing) for seed in range(60)}


@pytest.mark.parametrize(
    ("example", "words", "thing"),
    [
        ("Dana Reed", ("inspector",), ""),
        ("Dilwyn Sparrow", ("angler",), ""),
        ("Liesel Obermayr", ("approved", "by"), ""),
        ("Anselm Greiner", ("name",), "customer"),
        ("Mrs Holloway", ("escort",), ""),
        ("Jean-Luc Moreau", ("chef",), ""),
        ("Ludwig van Bergen", ("witness",), ""),
        ("Reed, Dana", ("borrower",), ""),
    ],
)
def test_a_person_is_known_by_the_name_and_by_what_it_is_a_value_of(
    example: str, words: tuple[str, ...], thing: str
) -> None:
    """Given names, forms of address, and parameters for who somebody is."""
    assert is_person(example, words, thing)
    assert len(drawn(example, *words, thing=thing)) > 20


@pytest.mark.parametrize(
    ("example", "words", "thing"),
    [
        ("Front Desk", ("printer",), ""),
        ("Grace Period", ("name",), ""),
        ("Victoria Park", ("name",), ""),
        ("Gertrude Jekyll", ("name",), "plant"),
        ("Big Bertha", ("kiln",), ""),
        ("Sales Team", ("contact",), ""),
        ("Lost parcel", ("owner",), ""),
        ("Anna Karenina", ("film",), ""),
    ],
)
def test_other_names_are_no_persons(example: str, words: tuple[str, ...], thing: str) -> None:
    """Also where a word of them is a given name."""
    assert not is_person(example, words, thing)


def test_names_of_persons_are_written_as_the_example_is() -> None:
    """With the form of address, the initial, and the family's name first."""
    assert all(one.startswith("Mrs ") and one.count(" ") == 1 for one in drawn("Mrs Holloway", "teacher"))
    assert all(one[1:3] == ". " for one in drawn("J. Okafor", "driver"))
    assert all(", " in one for one in drawn("Reed, Dana", "borrower"))


@pytest.mark.parametrize(
    ("example", "words", "end"),
    [
        ("Hillside Apiary", ("apiary", "name"), " Apiary"),
        ("Ravensworth Farm Shop", ("site",), " Farm Shop"),
        ("Northside Blades", ("club",), " Blades"),
        ("4 Tanpit Row", ("street",), " Row"),
        ("Kessler & Sons", ("shop",), " & Sons"),
        ("Anna's Garden", ("name",), "'s Garden"),
        ("12 Quay Street", ("street",), " Street"),
        ("The Kestrow Trust", ("sponsor",), " Trust"),
    ],
)
def test_the_noun_of_a_name_stays(example: str, words: tuple[str, ...], end: str) -> None:
    """What stands before it is another proper name."""
    found = drawn(example, *words)
    assert len(found) > 15
    assert all(one.endswith(end) for one in found)


def test_a_name_that_means_nothing_has_others() -> None:
    """A telescope may be called anything; a browser not, nor a key of two letters."""
    assert len(drawn("Dobson", "telescope")) > 15
    assert drawn("Assam", "base") == drawn("Casa Ortega", "supplier") == {""}
    assert drawn("Firefox", "browser") == drawn("Bb", "key") == {""}
    assert {one.split()[1] for one in drawn("Zorblax Prime", "colony")} == {"Prime"}


def test_what_is_named_after_somebody_has_a_name_of_a_person() -> None:
    """A rose, where its tool is about plants."""
    assert all(one.count(" ") == 1 for one in drawn("Gertrude Jekyll", "name", thing="plant"))
    assert len(drawn("Gertrude Jekyll", "name", thing="plant")) > 20


def test_a_place_has_the_name_of_a_place() -> None:
    """A boat has a name that means nothing."""
    assert all(map(is_placelike, drawn("Hillside", "apiary")))
    assert len(drawn("Hillside", "apiary")) > 15
    assert len(drawn("Biscuit", "horse")) > 15


@pytest.mark.parametrize(
    ("example", "words", "thing"),
    [
        ("Lisbon", ("name",), ""),
        ("Portugal", ("name",), ""),
        ("Waiting Room", ("room",), ""),
        ("St Mark's Hall", ("hall",), ""),
        ("Electronics", ("category", "name"), ""),
        ("Hillside", ("type",), ""),
        ("Border Collie", ("breed",), ""),
        ("damper felt set", ("part",), ""),
        ("Harbour Mutual", ("insurer",), "boat"),
    ],
)
def test_what_is_real_or_a_kind_of_things_has_no_other_name(example: str, words: tuple[str, ...], thing: str) -> None:
    """Cities, categories, rooms by their use, and plain words keep their names."""
    assert drawn(example, *words, thing=thing) == {""}


_PARTS = st.sampled_from("Dana Reed Hillside Apiary The Sales Anna's 4 & Sons Mrs J. St Lisbon name Grotrian ,".split())


@given(st.lists(_PARTS, max_size=5), st.lists(st.sampled_from(("name", "owner", "horse", "by", "type"))))
def test_any_text_has_another_name_or_none(parts: list[str], words: list[str]) -> None:
    """The same seed gives the same name; it is a text of one line without blanks at its ends."""
    example = " ".join(parts)
    one = other_name(Random(3), example, words)
    assert one == other_name(Random(3), example, words) == one.strip()
    assert "\n" not in one

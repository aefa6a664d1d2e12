"""What is searched for among things whose names are known."""

from __future__ import annotations

from datetime import date
from random import Random

import pytest

from callwright.author.personas import bank
from callwright.author.sought_names import found_names, known_names
from callwright.author.value_drawing import draw_values
from callwright.lang.gazetteer import cities
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


def drawn(name: str, parameter: str, seed: int) -> str:
    schema = {"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]}
    tool = Tool(name=name, description=f"{name.replace('_', ' ')}.", parameters=encode(schema))
    return str(draw_values(Random(seed), tool, bank()[0], today=date(2026, 5, 4))[parameter])


@pytest.mark.parametrize("seed", range(5))
def test_people_search_for_a_city_by_its_name(seed: int) -> None:
    assert drawn("search_cities", "keyword", seed) in cities()


@pytest.mark.parametrize("seed", range(5))
def test_people_search_for_a_country_by_its_beginning(seed: int) -> None:
    beginning = drawn("search_countries", "namePrefix", seed)
    assert len(beginning) == 3
    assert found_names("country", beginning, is_start=True)


def test_things_of_any_name_have_no_known_ones() -> None:
    assert not known_names("task")
    assert "Japan" in known_names("countries")


def test_the_name_that_is_just_the_words_comes_first() -> None:
    assert found_names("country", "guinea")[:1] in ((), ("Guinea",))
    assert found_names("city", "rome")[0] == "Rome"

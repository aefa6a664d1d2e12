"""Responses normalised."""

from __future__ import annotations

import pytest

from callwright.papers.fnctod.canonical_values import tables
from callwright.papers.fnctod.placeholder_text import DOMAINS, ResponseNormaliser, domains_named, placeholder_names


@pytest.mark.parametrize(
    ("response", "normal"),
    [
        ("There are [value_choice] [hotel_name]s .", "there are COUNT NAME."),
        ("[restaurant_reference]", "REFERENCE"),
        ("[Train_ID]-es , ok ?", "TRAINID, ok?"),
        ("a [price range] hotel -s friend -ly", "a PRICE hotel friend"),
        ("[leave at] or [leave_at]", "TIME or TIME"),
        ("[hotel reference] [Train Id] [value phone]s", "REFERENCE TRAINID PHONE"),
        ("[ phone ] [hotel  reference]", ""),
        ("it 's [value_post] & more", "it 's & more"),
    ],
)
def test_a_placeholder_becomes_a_word(response: str, normal: str) -> None:
    assert ResponseNormaliser()(response) == normal


def test_unknown_placeholders_are_counted() -> None:
    normalise = ResponseNormaliser()
    assert normalise("[moon] and [moon]s and [name]") == "and and NAME"
    assert normalise.unknown == {"moon": 2}


def test_domains_are_the_prefixes_of_placeholders() -> None:
    assert domains_named("[TRAIN_id] to [hotel_name] by [value_name] [moon_name]") == ["hotel", "train"]
    assert set(domains_named("".join(f"[{domain}_x]" for domain in DOMAINS))) == set(DOMAINS)


def test_every_name_stands_for_one_placeholder() -> None:
    assert len(set(placeholder_names().values())) == 19
    assert len(placeholder_names()) == sum(map(len, tables().placeholders.values()))

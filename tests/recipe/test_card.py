"""The card of a dataset: a header that loaders read, and no text that steers its reader."""

from __future__ import annotations

import msgspec
import pytest
import yaml

from callwright.measure.shape import exchange_statistics
from callwright.recipe.card import SynthesisAccount, card, part_card
from callwright.records.tool import Catalog, Tool

TOOL = Tool(name="list_orders", description="List all orders.", domain="sales")
ACCOUNT = SynthesisAccount(
    recipe="diaforge.v1",
    options={"distractors": 5},
    seed=7,
    author="offline",
    catalog=Catalog(tools=(TOOL,), source="builtin/enterprise"),
    planned=10,
    kept=7,
    rejected={"no_call": 2},
    failed={"values": 1},
    statistics=exchange_statistics((), {}),
)


def header(text: str) -> dict[str, object]:
    """The YAML between the first two lines of dashes."""
    read: dict[str, object] = yaml.safe_load(text.split("---\n")[1])
    return read


def test_the_header_names_the_file_of_each_configuration() -> None:
    """Loaders find the kept and the rejected dialogues as configurations."""
    assert header(card(ACCOUNT))["configs"] == [
        {"config_name": "default", "data_files": "dialogues.jsonl"},
        {"config_name": "rejected", "data_files": "rejected.jsonl"},
    ]


@pytest.mark.parametrize(("kept", "rejected", "names"), [(7, {}, ["default"]), (0, {"no_call": 9}, ["rejected"])])
def test_a_file_without_lines_is_not_named(kept: int, rejected: dict[str, int], names: list[str]) -> None:
    """An empty file has no columns to load, so the header leaves it out."""
    text = card(msgspec.structs.replace(ACCOUNT, kept=kept, rejected=rejected))
    configs = header(text)["configs"]
    assert isinstance(configs, list)
    assert [config["config_name"] for config in configs] == names


def test_an_empty_dataset_has_a_header_too() -> None:
    """Without any line the list of configurations is empty, and still YAML."""
    assert header(card(msgspec.structs.replace(ACCOUNT, kept=0, rejected={})))["configs"] == []


def test_the_card_says_who_wrote_it_and_what_was_lost() -> None:
    """Author, counts, reasons and options stand in the card."""
    text = card(ACCOUNT)
    for expected in ("not from a language model", "| planned | 10 |", "no_call | -2", "values | -1", "`distractors` 5"):
        assert expected in text


def test_text_of_documents_is_no_markup() -> None:
    """What would be a link, a table or code in Markdown loses its signs."""
    evil = Catalog(tools=(msgspec.structs.replace(TOOL, domain="a|b"),), source="`x`\n# [click](http://evil)<b>")
    text = card(msgspec.structs.replace(ACCOUNT, catalog=evil))
    assert "a|b" not in text
    assert "[click]" not in text
    assert "\n# [" not in text


def test_the_card_of_a_part_says_what_it_was_split_from() -> None:
    """Name of the part, digest of the data and the way it was split are named."""
    settings = {"part": "train", "by": "domain", "seed": 1, "data": "abcd"}
    text = part_card(settings, 3, ACCOUNT.catalog, ACCOUNT.statistics)
    assert all(expected in text for expected in ("train", "`abcd`", "by domain", "seed 1", "3 dialogues"))
    assert header(text)["configs"] == [{"config_name": "default", "data_files": "dialogues.jsonl"}]

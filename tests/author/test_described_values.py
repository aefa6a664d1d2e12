"""Values whose descriptions say how they are written."""

from __future__ import annotations

import json
from datetime import date
from random import Random
from typing import Any

import pytest

from callwright.author.personas import bank
from callwright.author.value_drawing import draw_values
from callwright.author.value_ids import id_forms, is_placeholder
from callwright.errors import RolloutFailed
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

TODAY = date(2026, 5, 4)


def drawn(name: str, seed: int = 1, **schema: Any) -> Any:
    parameters = {"type": "object", "properties": {name: {"type": "string", **schema}}, "required": [name]}
    return draw_values(Random(seed), Tool(name="send", parameters=encode(parameters)), bank()[0], today=TODAY)[name]


def test_a_text_described_as_json_is_json() -> None:
    assert isinstance(json.loads(drawn("view", description="A view. This must be a JSON-encoded string.")), dict)
    assert isinstance(json.loads(drawn("blocks", description="A JSON-based array of blocks.")), list)


def test_identifiers_with_commas_are_two() -> None:
    found = drawn("channel_ids", description="A comma-separated list of channel IDs.").split(",")
    assert len(set(found)) == 2
    assert all(one.isdigit() for one in found)


def test_an_environment_variable_has_a_key_in_capitals() -> None:
    assert drawn("key", description="The environment variable key (case-sensitive)").isupper()


def test_a_mime_type_is_no_file_name() -> None:
    assert all("/" in drawn("contentType", seed, description="Type of the upload.") for seed in range(5))


@pytest.mark.parametrize("shown", ["YOUR_TEAM_ID", "<id>", "{id}", "xxxx", "string", "example", "your-key-here"])
def test_a_stand_in_is_no_value(shown: str) -> None:
    assert is_placeholder(shown)
    assert drawn("team_id", example=shown).isdigit()


@pytest.mark.parametrize("bound", [10**12, 2**64])
@pytest.mark.parametrize("keyword", ["minLength", "minItems"])
def test_a_bound_that_nothing_meets_leaves_the_tool_out(keyword: str, bound: int) -> None:
    kind = {"type": "array", "items": {"type": "string"}} if keyword == "minItems" else {}
    with pytest.raises(RolloutFailed, match="no valid values"):
        drawn("note", **kind, **{keyword: bound})


def test_a_bare_identifier_has_the_form_of_its_resource() -> None:
    """The results of the resource have a pattern for `sid`, the address has none."""
    returns = {"type": "object", "properties": {"sid": {"type": "string", "pattern": "^AS[0-9a-f]{32}$"}}}
    parameters = {"type": "object", "properties": {"Sid": {"type": "string"}}, "required": ["Sid"]}
    tool = Tool(
        name="fetch_alpha_sender",
        source="GET /v1/AlphaSenders/{Sid}",
        parameters=encode(parameters),
        returns=encode(returns),
    )
    other = Tool(
        name="fetch_short_code", source="GET /v1/ShortCodes/{Sid}", parameters=encode(parameters), returns=encode(
            {"type": "object", "properties": {"sid": {"type": "string", "pattern": "^SC[0-9a-f]{32}$"}}}
        )
    )  # fmt: skip
    ids = id_forms((other, tool))
    assert draw_values(Random(2), tool, bank()[0], today=TODAY, ids=ids)["Sid"].startswith("AS")
    assert draw_values(Random(2), other, bank()[0], today=TODAY, ids=ids)["Sid"].startswith("SC")

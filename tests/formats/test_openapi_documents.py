"""Real OpenAPI documents: every operation is a tool or left out, by a count of its own."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path

import pytest
import yaml

from callwright.app.catalogs import read_catalog
from callwright.formats.keywords import compiles
from callwright.formats.names import VALID_NAME
from callwright.records.tool import Catalog

_DATA = Path(__file__).parents[2] / "../shared/data/openapi"

pytestmark = pytest.mark.skipif(not _DATA.is_dir(), reason="the real documents are not here")

_OPERATIONS = {
    "box.json": 296,
    "slack_v2.json": 174,
    "twilio_conversations.json": 103,
    "twilio_messaging.yaml": 58,
    "uber.json": 5,
    "uspto.json": 3,
    "tictactoe.yaml": 3,
}


@lru_cache
def catalog(name: str) -> Catalog:
    return read_catalog(_DATA / name)


def raw_operations(name: str) -> list[str]:
    """List the operations by walking the paths with other parsers than the product's."""
    text = (_DATA / name).read_text(encoding="utf-8")
    document = json.loads(text) if name.endswith(".json") else yaml.load(text, Loader=yaml.CBaseLoader)
    verbs = re.compile("get|put|post|delete|options|head|patch|trace")
    return [
        f"{verb.upper()} {path}" for path, item in document["paths"].items() for verb in item if verbs.fullmatch(verb)
    ]


@pytest.mark.parametrize("name", _OPERATIONS)
def test_each_operation_is_accounted_for_once(name: str) -> None:
    """Each operation under `paths` is exactly one tool or one entry left out."""
    found = catalog(name)
    accounted = [tool.source for tool in found.tools] + [entry.where for entry in found.left_out]
    assert sorted(accounted) == sorted(raw_operations(name))
    assert len(accounted) == _OPERATIONS[name]


@pytest.mark.parametrize("name", _OPERATIONS)
def test_tools_are_usable(name: str) -> None:
    """Names are valid and unique, schemas compile, and descriptions are plain and bounded."""
    found = catalog(name)
    assert len(found.by_name) == len(found.tools)
    for tool in found.tools:
        assert VALID_NAME.fullmatch(tool.name)
        assert compiles(tool.schema)
        assert len(tool.description) <= 1_000
        assert not re.search(r"\*\*|\]\(|</?(a|b|p|br|code)>|\n", tool.description)


@pytest.mark.parametrize("name", _OPERATIONS)
def test_each_altered_tool_has_one_entry(name: str) -> None:
    """A tool that was changed stands once among the altered ones, under its name in the catalogue."""
    found = catalog(name)
    names = [entry.tool for entry in found.altered]
    assert len(set(names)) == len(names)
    assert set(names) <= set(found.by_name)


def test_box_update_file() -> None:
    """A real operation with path and body arguments reads as one object."""
    tool = catalog("box.json").by_name["put_files_id"]
    assert tool.description == (
        "Update file. Updates a file. This can be used to rename or move a file, create a shared link, or lock a file."
    )
    assert tool.required == ("file_id",)
    assert {"file_id", "name", "parent", "shared_link", "tags"} <= set(tool.properties)
    assert "if-match" not in tool.properties  # what a client adds
    assert tool.properties["parent"]["properties"]["id"]["type"] == "string"
    assert tool.properties["shared_link"]["type"] == ["object", "null"]
    assert tool.properties["shared_link"]["properties"]["access"]["enum"] == ["open", "company", "collaborators"]


def test_slack_form_arguments() -> None:
    """A 2.0 form reads as arguments, without the token that is sent in a header."""
    tool = catalog("slack_v2.json").by_name["chat_postMessage"]
    assert {"channel", "text", "thread_ts"} <= set(tool.properties)
    assert "token" not in tool.properties
    assert tool.required == ("channel",)


def test_descriptions_are_empty_only_where_the_document_has_none() -> None:
    """An operation with a summary or a description never loses both."""
    for name in _OPERATIONS:
        assert catalog(name).tools
        for tool in catalog(name).tools:
            raw = json.loads(tool.raw or "")
            assert bool(tool.description) == bool(raw.get("summary") or raw.get("description"))


def test_twilio_results() -> None:
    """Every reading operation of Twilio's messaging service has a result but the one that only redirects."""
    found = catalog("twilio_messaging.yaml")
    unknown = [tool.name for tool in found.tools if tool.source.startswith("GET") and tool.returns is None]
    assert unknown == ["FetchDeactivation"]

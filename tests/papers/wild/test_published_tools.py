"""Tool lists of WildToolBench: the published file, and small ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from callwright.app.catalogs import read_catalog
from callwright.errors import BadDocument
from callwright.formats import catalog as catalogs
from callwright.papers.wild import published_tools
from callwright.records.jsontext import Json, parse

PUBLISHED = Path(__file__).parents[4] / "shared" / "data" / "wild" / "tools_en.jsonl"
needs_published = pytest.mark.skipif(not PUBLISHED.exists(), reason="the published tool lists are not here")


def function(name: str, description: str = "Get it.", **parameters: Json) -> dict[str, Json]:
    """Return a tool in OpenAI's layout, all of its parameters texts."""
    properties = {key: {"type": "string", "description": text} for key, text in parameters.items()}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


def test_equal_documents_of_two_lists_are_one_tool() -> None:
    """A tool that stands in two lists is read once, and both lists name its key."""
    found = published_tools.read([[function("a"), function("b")], [function("a")]], source="x")
    assert [tool.name for tool in found.tools] == ["a", "b"]
    assert found.lists[0].tools[0] == found.lists[1].tools[0]


def test_lists_keep_the_names_their_tools_have_there() -> None:
    """Where two documents share a name, the second is renamed in the catalogue and keeps its name in its list."""
    found = published_tools.read([[function("a")], [function("a", "Another.")]], source="x")
    assert [tool.name for tool in found.tools] == ["a", "a_2"]
    assert [one.tools[0].name for one in found.lists] == ["a", "a"]
    assert found.lists[1].tools[0].key == found.by_name["a_2"].key


def test_two_documents_of_one_name_in_one_list_are_told_apart() -> None:
    """Within a list all names differ."""
    found = published_tools.read([[function("a"), function("a", "Another.")]], source="x")
    assert [tool.name for tool in found.lists[0].tools] == ["a", "a_2"]


def test_a_list_without_a_usable_tool_is_no_list() -> None:
    """Entries that are no functions are left out by name, and so is a list of only such."""
    found = published_tools.read([[function("a")], [{"not": "a function"}]], source="x")
    assert len(found.lists) == 1
    assert found.left_out[0].where == "list 2, entry 1"


def test_lists_without_any_function_are_refused() -> None:
    """A file of nothing usable is an error, not an empty catalogue."""
    with pytest.raises(BadDocument):
        published_tools.read([[{"x": 1}], [3]], source="x")


def test_a_catalogue_keeps_its_lists_through_its_file() -> None:
    """What is written is read again, lists included."""
    lists = [[function("a"), function("b")], [function("a", "Another.", city="City.")]]
    found = published_tools.read(lists, source="x")
    assert catalogs.read(parse(catalogs.write(found)), source="x") == found


@needs_published
def test_the_published_file_is_read_whole() -> None:
    """256 lists with 1,248 entries, of which list 193 says four twice; no entry is left out."""
    found = read_catalog(PUBLISHED)
    assert len(found.lists) == 256
    assert sum(len(one.tools) for one in found.lists) == 1_244
    assert found.left_out == ()
    assert {shown.key for one in found.lists for shown in one.tools} == set(found.by_key)


@needs_published
def test_parameters_required_without_a_document_are_named() -> None:
    """Three of the published tools require what they do not document; the account says which."""
    found = read_catalog(PUBLISHED)
    assert sum("is not documented, so it no longer does" in note.what for note in found.altered) == 3

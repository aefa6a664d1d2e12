"""The tools that questions of BFCL offer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from layout_examples import EXAMPLES
from tool_accounts import accounted

from callwright.app.catalogs import read_catalog
from callwright.errors import BadDocument
from callwright.papers.bfcl.question_tools import read

(QUESTION,) = EXAMPLES["bfcl"]


def test_tools_of_questions() -> None:
    """Each question's documents are tools, Python's types read as JSON Schema's, equal ones merged."""
    catalog = read([QUESTION, {**QUESTION, "id": "simple_1"}], source="doc")
    (tool,) = catalog.tools
    assert (tool.name, tool.schema) == ("geo_find", {"type": "object", "properties": {"q": {}}})
    assert json.loads(tool.raw or "") == QUESTION["function"][0]
    assert "merged into it (simple_1, tool 1)" in catalog.altered[0].what


def test_what_is_no_tool_is_left_out() -> None:
    """Questions and documents of other shapes are named with the reason."""
    lines = [QUESTION, 5, {**QUESTION, "id": "a", "function": 5}, {**QUESTION, "id": "b", "function": [5]}]
    catalog = read(lines, source="doc")
    assert [entry.where for entry in catalog.left_out] == ["question 2", "a", "b, tool 1"]


_COUNTS = {
    "irrelevance": 240,
    "live_parallel": 18,
    "live_parallel_multiple": 95,
    "live_simple": 258,
    "multiple": 557,
    "parallel": 200,
    "parallel_multiple": 520,
    "simple_python": 400,
}


@pytest.mark.parametrize("category", _COUNTS)
def test_the_real_documents_are_read_whole(shared_data: Path, category: str) -> None:
    """Every distinct document of a category's questions is a tool; nothing is left out."""
    path = shared_data / "bfcl" / f"BFCL_v4_{category}.json"
    documents = [one for line in path.read_text().splitlines() for one in json.loads(line)["function"]]
    catalog = read_catalog(path)
    assert len(documents) == _COUNTS[category]
    assert (accounted(catalog), catalog.left_out) == (len(documents), ())
    assert len(catalog.tools) == len({json.dumps(one, sort_keys=True) for one in documents})
    for tool in catalog.tools:
        raw = json.loads(tool.raw or "")
        assert set(tool.properties) == set(raw["parameters"]["properties"])
        known = [name for name in raw["parameters"].get("required", []) if name in tool.properties]
        assert list(tool.required) == known


def test_the_documents_of_multi_turn_questions(shared_data: Path) -> None:
    """The questions refer to files of documents, which are read whole with their responses."""
    with pytest.raises(BadDocument, match="multi_turn_func_doc"):
        read_catalog(shared_data / "bfcl" / "BFCL_v4_multi_turn_base.json")
    count = 0
    for path in sorted((shared_data / "bfcl" / "multi_turn_func_doc").iterdir()):
        lines = path.read_text().splitlines()
        catalog = read_catalog(path)
        assert (len(catalog.tools), catalog.left_out) == (len(lines), ())
        assert all(tool.returns and not tool.returns_inferred for tool in catalog.tools)
        count += len(lines)
    assert count == 128

"""ToolAlpaca's simulated APIs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from layout_examples import EXAMPLES

from callwright.app.catalogs import read_catalog
from callwright.errors import BadDocument
from callwright.formats.toolalpaca import read

(API,) = EXAMPLES["toolalpaca"]


def api(**fields: Any) -> dict[str, Any]:
    return {**API, **fields}


def test_operations_of_the_documentation_are_tools() -> None:
    """An operation is read as OpenAPI's are, under the API's category, and says which API it is of."""
    (tool,) = read([API], source="doc").tools
    assert (tool.name, tool.domain, tool.source) == ("findPlace", "Geo", "Maps: GET /find")
    assert list(tool.properties) == ["q"]


def test_equal_names_of_several_apis() -> None:
    """An equal operation is merged; another one of the same name gets a name of its own."""
    other = api(Documentation=API["Documentation"].replace('"q"', '"where"'))
    catalog = read([API, other, API], source="doc")
    assert [tool.name for tool in catalog.tools] == ["findPlace", "findPlace_2"]


def test_what_cannot_be_read_is_named() -> None:
    """An API without a readable document, and a function that no operation stands for, are left out by name."""
    apis = [
        API,
        5,
        api(Documentation=None),
        api(Documentation="{"),
        api(Documentation='{"openapi": "9"}'),
        api(Documentation="[" * 999 + "]" * 999),
        api(Function_Description={"findPlace": "", "other": "", "components": ""}),
    ]
    catalog = read(apis, source="doc")
    assert [(entry.where, entry.reason.split(":")[0]) for entry in catalog.left_out] == [
        ("API 2", "no API"),
        ("API 3", "no API"),
        ("API 4 (Maps)", "Documentation"),
        ("API 5 (Maps)", "Documentation"),
        ("API 6 (Maps)", "Documentation"),
        ("API 7 (Maps): other", "is described, but is no operation"),
    ]


def test_the_real_apis_are_read_whole(shared_data: Path) -> None:
    """All 54 functions of the ten simulated APIs are tools of their names."""
    path = shared_data / "toolalpaca" / "eval_simulated.json"
    apis = json.loads(path.read_text())
    named = [name for one in apis for name in one["Function_Description"] if name != "components"]
    catalog = read_catalog(path)
    assert (len(apis), len(named), len(catalog.tools), catalog.left_out) == (10, 54, 54, ())
    assert {tool.name for tool in catalog.tools} == set(named)
    assert {tool.domain for tool in catalog.tools} == {one["Category"] for one in apis}


def test_a_list_of_apis_without_functions(shared_data: Path) -> None:
    """The list of public APIs is one error: it holds no functions."""
    with pytest.raises(BadDocument, match="1,425 APIs without functions"):
        read_catalog(shared_data / "toolalpaca" / "public_apis.json")

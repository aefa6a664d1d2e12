"""Our own `catalog.json`, and telling the layouts apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.app.catalogs import read_catalog
from callwright.errors import BadDocument, BadRecord, UnknownName
from callwright.formats.catalog import read, write
from callwright.formats.layouts import bundled, read_source
from callwright.records.jsontext import encode, parse
from callwright.records.tool import Altered, Catalog, LeftOut, Tool

_words = st.text(max_size=12)
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
_texts = _values.map(encode)
_tools = st.builds(
    Tool,
    name=st.from_regex(r"[A-Za-z0-9_-]{1,64}", fullmatch=True),
    description=_words,
    parameters=st.dictionaries(st.text(max_size=5), _values, max_size=3).map(encode),
    returns=st.none() | _texts,
    returns_inferred=st.just(False),
    domain=_words,
    source=_words,
    raw=st.none() | _texts,
)
_catalogs = st.builds(
    Catalog,
    tools=st.lists(_tools, max_size=4, unique_by=lambda tool: tool.name).map(tuple),
    left_out=st.lists(st.builds(LeftOut, _words, _words), max_size=2).map(tuple),
    altered=st.lists(st.builds(Altered, _words, _words), max_size=2).map(tuple),
    source=_words,
)


@given(_catalogs)
def test_round_trip_is_exact(catalog: Catalog) -> None:
    """A catalogue is read back equal, keys included, and the same bytes are written again."""
    data = write(catalog)
    again = read(parse(data), source="catalog.json")
    assert again == catalog
    assert [tool.key for tool in again.tools] == [tool.key for tool in catalog.tools]
    assert write(again) == data


def test_the_mark_of_inferred_returns_survives() -> None:
    """An inferred result stays told apart from a documented one."""
    tool = Tool(name="a", returns=encode({}), returns_inferred=True)
    assert read(parse(write(Catalog(tools=(tool,)))), source="c").tools == (tool,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema_version": 1}, r"^c\.json: schema_version is 1; .* Make the file again"),
        ({"schema_version": 99}, "schema_version is 99"),
        ({"tools": {}}, r"Expected `array`, got `object` - at `\$.tools`"),
        ({"tools": [5]}, r"Expected `object`, got `int` - at `\$.tools\[0\]`"),
        ({"tools": [{"name": "no good"}]}, "is not a name"),
        ({"tools": [{"name": "a", "domain": "\ud800"}]}, r"tools\[0\]\.domain: half of a surrogate pair"),
        ({"tools": [{"name": "a"}, {"name": "a"}]}, "two tools are called 'a'"),
        ({"tools": [{"name": "a", "parameters": []}]}, r"Expected `object`, got .* at `\$.tools\[0\].parameters`"),
        ({"tools": [{"name": "a", "colour": 1}]}, "unknown field `colour`"),
        ({"tools": [{"name": "a", "returns_inferred": 1}]}, r"Expected `bool`, got `int`"),
        ({"tools": [{"name": "a", "description": 1}]}, r"Expected `str`, got `int`"),
        ({"altered": [{}]}, "missing required field `tool`"),
        ({"more": 1}, "unknown field `more`"),
    ],
)
def test_damaged_catalogues(change: dict[str, Any], message: str) -> None:
    """Each fault of a catalogue is an error that says where."""
    with pytest.raises(BadRecord, match=message):
        read({"schema_version": 2, "tools": [{"name": "a"}], **change}, source="c.json")


def test_layouts_are_told_apart(tmp_path: Path) -> None:
    """A catalogue, an OpenAPI document and a function list are each read as what they are."""
    path = tmp_path / "a.json"
    for document in (
        {"schema_version": 2, "tools": [{"name": "a"}]},
        {"openapi": "3.0.0", "paths": {"/a": {"get": {"operationId": "a"}}}},
        [{"name": "a"}],
    ):
        path.write_text(json.dumps(document))
        assert [tool.name for tool in read_catalog(path).tools] == ["a"]


@pytest.mark.parametrize("text", ["5", '"word"', "{}", '{"a": 1}', "null"])
def test_unknown_layout(tmp_path: Path, text: str) -> None:
    """A document of no known layout is one error that lists what was tried."""
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(BadDocument, match=r"Tried: our catalogue .* OpenAPI .* function list"):
        read_catalog(path)


def test_empty_catalogue_is_refused(tmp_path: Path) -> None:
    """A catalogue without a tool is an error."""
    path = tmp_path / "a.json"
    path.write_text('{"schema_version": 2, "tools": []}')
    with pytest.raises(BadDocument, match="no usable tools"):
        read_catalog(path)


def test_bundled_catalogue() -> None:
    """The bundled catalogue is read by name, and an unknown name lists it."""
    assert len(bundled("enterprise").tools) >= 60
    assert read_source("builtin/enterprise") == bundled("enterprise")
    with pytest.raises(UnknownName, match="builtin/enterprise"):
        bundled("../enterprise")

"""Which layout a document has, found or forced, and what hostile documents come to."""

from __future__ import annotations

import contextlib
import copy
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layout_examples import ENDPOINT, EXAMPLES, SLOT
from tool_accounts import accounted

from callwright.app.catalogs import read_catalog
from callwright.errors import BadDocument, BadInput, UnknownName
from callwright.formats import layouts
from callwright.formats.keywords import compiles
from callwright.formats.names import VALID_NAME
from callwright.papers import registry

papers = registry.layouts()
read = partial(layouts.read, more=papers)

KNOWN_ELSEWHERE = {"catalog", "openai", "multiwoz"}


def test_every_name_of_a_layout_has_an_example() -> None:
    """The examples below cover all layouts."""
    assert set(EXAMPLES) | KNOWN_ELSEWHERE == set(layouts.names(papers))


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_layout_is_found_and_can_be_forced(name: str) -> None:
    """A document comes to the same tools whether its layout is named or found."""
    found = read(EXAMPLES[name], source="doc")
    assert found.tools
    assert read(EXAMPLES[name], source="doc", layout=name) == found


@pytest.mark.parametrize("name", ["toolbench", "toolalpaca", "taskbench", "dice", "sgd", "bfcl", "openapi"])
def test_a_wrong_layout_is_refused(name: str) -> None:
    """Forcing a layout that a document does not have is an error that says what it should be."""
    with pytest.raises(BadDocument, match=f"not in the layout `{name}`. Expected: "):
        read([{"name": "a"}], source="doc", layout=name)


def test_unknown_name_of_a_layout() -> None:
    """An unknown layout is an error that lists the known ones."""
    with pytest.raises(UnknownName, match="toolbench"):
        read([], source="doc", layout="none")


def test_layout_of_a_file(tmp_path: Path) -> None:
    """The layout of a file can be forced: a list of titled schemas is otherwise no list of functions."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"title": "A", "properties": {}, "name": "b"}]))
    assert [tool.name for tool in read_catalog(path).tools] == ["b"]
    assert [tool.name for tool in read_catalog(path, layout="functions").tools] == ["b"]
    with pytest.raises(BadDocument, match="not in the layout"):
        read_catalog(path, layout="jsonschema")


_scalars = st.none() | st.booleans() | st.integers(-3, 99) | st.text(max_size=6) | st.sampled_from(["$ref", "#", "id"])
_values = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document, the root left aside."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, child in children for place in ((*path, key), *_places(child, (*path, key)))]


def _with(document: Any, place: tuple[Any, ...], new: Any) -> Any:
    out = copy.deepcopy(document)
    node = out
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] = new
    return out


@given(st.data(), st.sampled_from(sorted(EXAMPLES)))
@settings(max_examples=200)
def test_damaged_documents_are_read_or_refused(data: Any, name: str) -> None:
    """Whatever stands anywhere in a document, it comes to valid tools or to one error."""
    document = EXAMPLES[name]
    for _ in range(data.draw(st.integers(1, 3))):
        if places := _places(document):
            document = _with(document, data.draw(st.sampled_from(places)), data.draw(_values))
    try:
        catalog = read(document, source="doc", layout=data.draw(st.sampled_from([None, name])))
    except BadInput:
        return
    for tool in catalog.tools:
        assert VALID_NAME.fullmatch(tool.name)
        assert compiles(tool.schema)
        assert tool.raw is not None
    assert accounted(catalog) >= 1


def _keys(value: Any) -> set[str]:
    """Every key of a document."""
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set(value if isinstance(value, dict) else ()).union(*map(_keys, children))


_documents = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["a", "", "object", "#/a", "{}", '{"openapi": "3.0.0"}']),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(sorted({*_keys(EXAMPLES), "$ref", "$defs", "title"})), inner, max_size=5)
    ),
    max_leaves=25,
)


@given(_documents, st.none() | st.sampled_from(layouts.names(papers)))
def test_invented_documents_are_read_or_refused(document: Any, layout: str | None) -> None:
    """Documents made of the layouts' own keys in any shape come to tools or to one error."""
    with contextlib.suppress(BadInput):
        assert read(document, source="doc", layout=layout).tools


_DEEP: Any = {"type": "string"}
for _ in range(150):
    _DEEP = {"type": "object", "properties": {"a": _DEEP}}


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("toolbench", [{"api_list": [{**ENDPOINT, "template_response": _DEEP}]}]),
        ("functions", [{"name": "a", "parameters": _DEEP}]),
        ("jsonschema", {"title": "A", **_DEEP}),
        ("bfcl", [{"id": "a", "question": [], "function": [{"name": "a", "parameters": _DEEP, "response": _DEEP}]}]),
    ],
)
def test_depth_is_cut_and_said(name: str, document: Any) -> None:
    """What lies deeper than the readers go is cut, and the tool is named as altered."""
    catalog = read(document, source="doc", layout=name)
    assert "were cut" in catalog.altered[0].what


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("toolbench", [{"api_list": [{**ENDPOINT, "required_parameters": [{"name": f"p{i}"} for i in range(6_000)]}]}]),
        ("taskbench", {"nodes": [{"id": "a", "input-type": ["text"] * 6_000, "output-type": []}]}),
        ("sgd", [{**EXAMPLES["sgd"][0], "slots": [{**SLOT, "possible_values": [str(i) * 20 for i in range(9_000)]}]}]),
    ],
)
def test_size_is_bounded(name: str, document: Any) -> None:
    """A tool with more parameters than anyone calls is left out by name."""
    with pytest.raises(BadDocument, match=r"no usable tools\. Left out: .* hold over 5,000 schemas"):
        read(document, source="doc", layout=name)

"""The offline judge of edges: a value is drawn by the schema of the source, and must stand for what is asked for."""

from __future__ import annotations

from typing import Any

import pytest
from graph_catalogs import listed, one_of, tool

from callwright.graph.edge_judging import EdgeQuestion
from callwright.graph.edge_simulator import as_number, drawn_value, simulated_verdict
from callwright.graph.graph_fields import output_fields
from callwright.match.schema import fits_schema
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

TEXT: dict[str, Any] = {"type": "string"}
WHOLE: dict[str, Any] = {"type": "integer"}
USER = one_of({"id": TEXT, "type": {"type": "string", "enum": ["user"]}})
FILE = {"id": TEXT, "name": TEXT, "owned_by": USER, "size": WHOLE, "starred": {"type": "boolean"}}
LIST = tool("list_files", "GET /files", returns=listed(FILE))


def getter(thing: str, schema: dict[str, Any] = TEXT, name: str = "") -> Tool:
    """A tool that reads a thing by its identifier."""
    parameter = name or f"{thing}_id"
    return tool(f"get_{thing}", f"GET /{thing}s/{{{parameter}}}", needs={parameter: schema}, returns=one_of(FILE))


def is_compatible(source: Tool, output: str, target: Tool, input_: str) -> bool:
    """The verdict."""
    return simulated_verdict(EdgeQuestion(source, output, target, input_)).compatible


@pytest.mark.parametrize(
    ("output", "target", "is_valid"),
    [
        ("/entries/0/id", getter("file"), True),
        ("/entries/0/id", getter("folder"), False),
        ("/entries/0/owned_by/id", getter("user"), True),
        ("/entries/0/owned_by/id", getter("file"), False),
        ("/entries/0/name", getter("file"), False),
        ("/entries/0/name", getter("file", name="file_name"), True),
        ("/entries/0/size", getter("file"), False),
        ("/entries/0/starred", getter("file", name="starred"), False),
        ("/entries/0/gone", getter("file"), False),
    ],
)
def test_a_value_must_stand_for_what_is_asked(output: str, target: Tool, is_valid: bool) -> None:
    """The same attribute of the same thing, by names and by the sort of the object that holds the field."""
    (parameter,) = target.required

    assert is_compatible(LIST, output, target, parameter) is is_valid


@pytest.mark.parametrize(
    ("given", "asked", "is_valid"),
    [
        (WHOLE, TEXT, True),
        (TEXT, {"type": "boolean"}, False),
        ({"type": "string", "pattern": "^AC[0-9a-f]{4}$"}, {"type": "string", "pattern": "^MG[0-9a-f]{4}$"}, False),
        ({"type": "string", "pattern": "^AC[0-9a-f]{4}$"}, {"type": "string", "pattern": "^AC[0-9a-f]{4}$"}, True),
        (TEXT, {"type": "string", "pattern": "^AC[0-9a-f]{4}$"}, True),
    ],
)
def test_a_drawn_value_must_fit_the_schema(given: dict[str, Any], asked: dict[str, Any], is_valid: bool) -> None:
    """Numbers may be written as texts; forms exclude each other only where both documents tell one."""
    source = tool("list_files", "GET /files", returns=listed({"id": given}))

    assert is_compatible(source, "/entries/0/id", getter("file", asked), "file_id") is is_valid


def test_who_lacks_the_value_cannot_call_a_source_that_needs_it() -> None:
    """`get_file(file_id)` tells the file's `id`, which is no help."""
    again = tool("rename_file", "PUT /files/{file_id}", needs={"file_id": TEXT})

    assert is_compatible(LIST, "/entries/0/id", again, "file_id")
    assert not is_compatible(getter("file"), "/id", again, "file_id")


def test_the_value_is_drawn_by_the_schema_of_the_result() -> None:
    """At its place, for any seed, also where the document does not require it."""
    pattern = {"type": "string", "pattern": "^AC[0-9a-f]{6}$"}
    source = tool("list_files", "GET /files", returns=listed({"id": pattern, "name": TEXT}))
    (field,) = (one for one in output_fields(source) if one.name == "id")
    drawn = [drawn_value(source, field, seed) for seed in range(20)]

    assert all(fits_schema(one, encode(pattern)) for one in drawn)
    assert len({encode(one) for one in drawn}) > 10


@pytest.mark.parametrize(
    ("text", "number"), [("12", 12), ("-3", -3), ("4.5", 4.5), ("4.", None), ("x", None), ("", None)]
)
def test_numbers_are_read_from_texts(text: str, number: float | None) -> None:
    """Whole ones and decimal fractions; nothing else."""
    assert as_number(text) == number

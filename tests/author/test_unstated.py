"""Parameters that no user gives a value for."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from callwright.author.askable_tools import left_out, left_out_anyway
from callwright.author.unstated import FILE, is_set_by_service, unsayable
from callwright.author.wanted import wanted_parameters
from callwright.catalog.slots import slots
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

TEXT = {"type": "string"}
FILE_PART = {"type": "string", "format": "binary"}


def tool(*required: str, name: str = "create_thing", raw: Any = None, returns: Any = None, **fields: Any) -> Tool:
    schema = {"type": "object", "properties": fields, "required": list(required)}
    return Tool(
        name=name,
        parameters=encode(schema),
        source="POST /things",
        raw=encode(raw or {"requestBody": {}}),
        returns=encode(returns) if returns else None,
    )


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (FILE_PART, FILE),
        ({"type": "string", "format": "byte"}, FILE),
        ({"type": "array", "items": FILE_PART}, FILE),
        ({**TEXT, "contentMediaType": "application/pdf"}, FILE),
        ({**TEXT, "description": "The contents of the file, base64."}, FILE),
        ({**TEXT, "description": "A view. Must be a JSON-encoded string."}, "needs JSON as text"),
        ({**TEXT, "example": '{"ids": ["1"]}'}, "needs JSON as text"),
        ({"type": "object"}, "needs an object of any form"),
        ({"type": "array", "items": {"type": "object"}}, "needs an object of any form"),
        (
            {"type": "object", "properties": {"field": TEXT, "operator": TEXT, "value": TEXT}},
            "needs a query of its own language",
        ),
        ({**TEXT, "description": "The name of the part."}, ""),
        ({"type": "object", "additionalProperties": TEXT, "example": {"audience": "all"}}, ""),
    ],
)
def test_a_tool_that_needs_what_nobody_can_say_is_left_out(schema: dict[str, Any], why: str) -> None:
    """With its reason; where the value is optional it is not gold, and the tool is kept."""
    assert left_out(tool("part", "title", part=schema, title=TEXT, name="update_thing")) == why
    kept = tool("title", part=schema, title=TEXT, name="update_thing")
    assert left_out(kept) == ""
    assert not why or wanted_parameters(kept) == ("title",)


@pytest.mark.parametrize(
    ("schema", "is_invented"),
    [
        ({**TEXT, "description": "bicycle, as its owner calls it"}, True),
        (TEXT, False),
        ({**TEXT, "description": "Content of a file on your local drive."}, False),
    ],
)
def test_a_model_invents_what_a_document_describes(schema: dict[str, Any], is_invented: bool) -> None:
    """A tool is out for it where nothing is told, or where nobody can say it; rules leave out all of these."""
    needs = tool("bike", bike=schema, name="open_repair")
    assert left_out(needs) != ""
    assert (left_out_anyway(needs) == "") is is_invented


def test_a_copy_that_is_sent_has_no_state() -> None:
    """`In progress` is said of work; where the states are listed, one of them is said."""
    open_ = tool("state", state=TEXT, name="send_copy")
    assert left_out(open_)
    listed = tool("state", state={**TEXT, "enum": ["sent", "draft"]}, name="send_copy")
    assert left_out(listed) == ""
    assert left_out(tool("state", "title", state=TEXT, title=TEXT, name="update_task")) == ""


def test_nobody_says_where_a_list_goes_on() -> None:
    """A page token that is required is known from a reply alone."""
    assert left_out(tool("nextLink", nextLink=TEXT, name="list_more")) == (
        "needs a place in a list, which only a reply tells"
    )
    assert left_out(tool("link", link=TEXT, name="add_link")) == ""
    assert left_out(tool("shardIterator", shardIterator=TEXT, name="list_records")) != ""


def test_a_body_is_no_text_where_the_tool_says_that_it_is_json() -> None:
    """Though its own schema has a text."""
    filters = tool("body", body=TEXT, name="filter_things")
    told = msgspec.structs.replace(filters, description="Filters things by a json object in the body.")

    assert left_out(told) == "needs JSON as text"


def test_where_a_file_is_can_be_said() -> None:
    """A path, an address or an identifier is no content."""
    fields = {name: {**TEXT, "description": "Where the content of the file is."} for name in ("file_url", "file_path")}
    sample = tool(*fields, **fields)

    assert [unsayable(slot, sample) for slot in slots(sample).values()] == ["", ""]


def test_nobody_uploads_without_a_file() -> None:
    """Though the document does not require it."""
    assert left_out(tool(title=TEXT, file=FILE_PART, name="upload_document")) == FILE
    assert left_out(tool(photo=FILE_PART, name="set_photo")) == FILE
    assert left_out(tool(title=TEXT, file=FILE_PART, name="rename_document")) == ""


def test_a_body_of_bytes_is_a_file() -> None:
    """By the type in which it is sent."""
    raw = {"requestBody": {"content": {"application/octet-stream": {}}}}
    assert left_out(tool("body", body=TEXT, raw=raw, name="put_thing")) == FILE
    assert left_out(tool("body", body=TEXT, raw={"requestBody": {"content": {"text/plain": {}}}})) == ""


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("validation_errors", {"type": "array", "items": TEXT}),
        ("links", TEXT),
        ("etag", TEXT),
        ("title", {**TEXT, "readOnly": True}),
        ("title", {**TEXT, "description": "Set by the system."}),
        ("title", {**TEXT, "description": "Output only. The serving title."}),
        ("title", {**TEXT, "description": "Automatically generated on creation."}),
        ("seen", {**TEXT, "description": "Timestamp of when the thing was last modified."}),
        ("flag", {"type": "boolean", "description": "Indicates whether the thing has validation errors."}),
        ("total", {"type": "number"}),
        ("state", TEXT),
    ],
)
def test_what_the_service_sets_is_not_gold(name: str, schema: dict[str, Any]) -> None:
    """By schema, words of the description, or a name of that kind that the result has too."""
    sample = tool(**{name: schema}, returns={"properties": {name: schema}})

    assert is_set_by_service(slots(sample)[name], sample)
    assert wanted_parameters(sample) == ()


@pytest.mark.parametrize(("name", "schema"), [("title", TEXT), ("state", {**TEXT, "enum": ["open", "closed"]})])
def test_what_a_person_sets_is_gold_though_the_result_has_it(name: str, schema: dict[str, Any]) -> None:
    """A result repeats what was written."""
    sample = tool(**{name: schema}, returns={"properties": {name: schema}})

    assert wanted_parameters(sample) == (name,)


def test_a_secret_and_a_certificate_are_not_said() -> None:
    """Unless the document shows how the value looks."""
    assert left_out(tool("client_secret", client_secret=TEXT)) == "needs a secret"
    assert left_out(tool("certificate", certificate=TEXT)) == FILE
    assert left_out(tool("certificate", certificate={**TEXT, "example": "First aid"})) == ""


def test_a_thing_is_not_known_by_its_type_alone() -> None:
    """Its identifier is said too."""
    item = {
        "type": "object",
        "properties": {"type": {**TEXT, "enum": ["file", "folder"]}, "id": TEXT},
        "required": ["type"],
    }

    assert wanted_parameters(tool("item", item=item)) == ("item.type", "item.id")


@pytest.mark.parametrize(
    "described", ["If omitted, the current team.", "Alternative to `title`.", "Only used with `title`.", "The cursor."]
)
def test_what_depends_on_others_is_not_chosen(described: str) -> None:
    """Nor what pages through results, while anything else can be said."""
    fields = {"title": TEXT, "cursor" if "cursor" in described else "extra": {**TEXT, "description": described}}

    assert wanted_parameters(tool(**fields)) == ("title",)


def test_what_no_document_explains_is_not_invented() -> None:
    """A text without examples, whose words name nothing known, is asked of nobody; with an example it is."""
    told = {**TEXT, "description": "Rule set, e.g. docker.io/alpine"}

    assert left_out(tool("cohort", cohort=TEXT)) == "needs a value of which no document says what it may be"
    assert left_out(tool("cohort", cohort=told)) == ""
    assert "cohort" not in wanted_parameters(tool("title", title=TEXT, cohort=TEXT))


def test_what_is_written_in_an_editor_is_not_said() -> None:
    """A body that is a definition or a schema as one text."""
    assert left_out(tool("body", body={**TEXT, "description": "The template definition."})) == FILE
    assert left_out(tool("body", body={**TEXT, "description": "The text of the note."})) == ""

"""OpenAPI documents: one tool or one reason for each operation, arguments as one object, nothing fetched."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.catalog.slots import needed
from callwright.errors import BadDocument
from callwright.formats.openapi import METHODS, read
from callwright.formats.operation_arguments import media_type
from callwright.records.tool import Catalog, Tool


def document(paths: Any, **more: Any) -> dict[str, Any]:
    return {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": paths, **more}


def only(operation: dict[str, Any], *, path: str = "/things", method: str = "post", **more: Any) -> Tool:
    catalog = read(document({path: {method: operation}}, **more), source="doc")
    assert len(catalog.tools) == 1
    return catalog.tools[0]


def altered(catalog: Catalog) -> dict[str, str]:
    assert len({entry.tool for entry in catalog.altered}) == len(catalog.altered)
    return {entry.tool: entry.what for entry in catalog.altered}


def json_body(schema: Any, **more: Any) -> dict[str, Any]:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}, **more}}


def test_parameters_and_body_become_one_object() -> None:
    """Path, query and body arguments stand side by side, with what is required."""
    tool = only(
        {
            "parameters": [
                {
                    "name": "dry",
                    "in": "query",
                    "schema": {"type": "boolean"},
                    "description": "`Dry` run",
                    "example": True,
                },
                {"name": "x-note", "in": "header", "schema": {"type": "string"}},
                {"name": "Accept", "in": "header", "schema": {"type": "string"}},
                {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
            ],
            **json_body({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}),
        },
        path="/things/{id}",
    )
    assert tool.schema == {
        "type": "object",
        "properties": {
            "dry": {"type": "boolean", "description": "Dry run", "example": True},
            "id": {"type": "string"},
            "name": {"type": "string"},
        },
        "required": ["id", "name"],
    }
    assert tool.source == "POST /things/{id}"


def test_path_parameters_are_inherited_and_overridden() -> None:
    """An operation has the parameters of its path, and its own of the same name and place go before."""
    shared = [{"name": "id", "in": "path", "schema": {"type": "string"}}, {"name": "q", "in": "query", "schema": {}}]
    own = [{"name": "id", "in": "path", "schema": {"type": "integer"}}]
    catalog = read(document({"/x/{id}": {"parameters": shared, "get": {"parameters": own}, "put": {}}}), source="doc")
    assert [tool.properties["id"]["type"] for tool in catalog.tools] == ["integer", "string"]
    assert all("q" in tool.properties for tool in catalog.tools)


def test_name_clashes_are_suffixed() -> None:
    """A body property that a parameter is called like is renamed, and that is listed."""
    operation = {
        "parameters": [{"name": "id", "in": "path", "schema": {"type": "string"}}],
        **json_body({"type": "object", "properties": {"id": {"type": "integer"}, "id_body": {}}, "required": ["id"]}),
    }
    catalog = read(document({"/x/{id}": {"put": operation}}), source="doc")
    assert set(catalog.tools[0].properties) == {"id", "id_body", "id_body_2"}
    assert catalog.tools[0].required == ("id", "id_body_2")
    assert "`id_body_2`: is `id` of the body" in altered(catalog)["put_x_by_id"]


def test_other_bodies_stand_under_body() -> None:
    """A body that is no object is the argument `body`."""
    tool = only(json_body({"type": "array", "items": {"type": "string"}}, required=True, description="The *names*."))
    assert tool.schema["properties"] == {
        "body": {"type": "array", "items": {"type": "string"}, "description": "The names."}
    }
    assert tool.required == ("body",)


def test_alternative_bodies_are_joined() -> None:
    """The alternatives of an object body come to one object; only what all of them require is required."""
    first = {"type": "object", "properties": {"a": {"type": "string"}, "k": {"type": "string"}}, "required": ["a", "k"]}
    second = {
        "type": "object",
        "properties": {"b": {"type": "string"}, "k": {"type": "integer"}},
        "required": ["b", "k"],
    }
    tool = only(json_body({"oneOf": [first, second]}))
    assert tool.properties["k"] == {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    assert set(tool.properties) == {"a", "b", "k"}
    assert tool.required == ("k",)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (["text/plain", "application/json"], "application/json"),
        (["multipart/form-data", "application/x-www-form-urlencoded"], "application/x-www-form-urlencoded"),
        (["multipart/form-data", "application/vnd.x+json"], "application/vnd.x+json"),
        (["text/plain", "application/json; charset=utf-8"], "application/json; charset=utf-8"),
        (["image/png", "text/plain"], "image/png"),
    ],
)
def test_media_type(content: list[str], kind: str) -> None:
    """JSON comes before things like JSON, before forms, before anything else."""
    assert media_type({kind: {} for kind in content}) == kind


def test_swagger_2() -> None:
    """In 2.0, parameters are their own schemas, forms are bodies and files are binary strings."""
    operation = {
        "consumes": ["multipart/form-data"],
        "parameters": [
            {"name": "n", "in": "query", "type": "integer", "minimum": 1, "collectionFormat": "csv", "required": True},
            {"name": "title", "in": "formData", "type": "string", "required": True},
            {"name": "data", "in": "formData", "type": "file"},
        ],
        "responses": {"200": {"description": "ok", "schema": {"type": "string"}}},
    }
    body = {"parameters": [{"name": "it", "in": "body", "schema": {"$ref": "#/definitions/It"}}]}
    catalog = read(
        {
            "swagger": "2.0",
            "paths": {"/v1/up": {"post": operation, "put": body}},
            "definitions": {"It": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}},
        },
        source="doc",
    )
    put, post = catalog.tools
    assert put.schema == {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    assert post.properties == {
        "n": {"type": "integer", "minimum": 1},
        "title": {"type": "string"},
        "data": {"type": "string", "format": "binary"},
    }
    assert post.required == ("n", "title")
    assert post.returns == '{"type":"string"}'
    assert post.domain == "up"


def test_openapi_31() -> None:
    """In 3.1, type lists, `const` and examples stay, and `paths` may be missing beside webhooks."""
    schema = {"type": "object", "properties": {"a": {"type": ["string", "null"], "examples": ["x"]}, "k": {"const": 1}}}
    paths = {"/a": {"post": json_body(schema)}}
    tool = read({"openapi": "3.1.0", "paths": paths, "webhooks": {"w": {"post": {}}}}, source="doc").tools[0]
    assert tool.properties == schema["properties"]
    with pytest.raises(BadDocument, match="no usable tools"):
        read({"openapi": "3.1.0", "webhooks": {"w": {"post": {}}}}, source="doc")


def test_names() -> None:
    """Names come from the operation id or method and path, are valid and unique; changes are listed."""
    paths = {
        "/a/{x}.json": {"get": {}, "put": {"operationId": "set#a"}},
        "/b": {"get": {"operationId": "set_a"}, "post": {"operationId": "y" * 80}, "put": {"operationId": "y" * 80}},
    }
    catalog = read(document(paths), source="doc")
    assert [tool.name for tool in catalog.tools] == ["get_a_by_x_json", "set_a", "set_a_2", "y" * 64, "y" * 62 + "_2"]
    assert "renamed from `set#a`" in altered(catalog)["set_a"]
    assert "another tool" in altered(catalog)["set_a_2"]


def test_undocumented_path_parameter_is_added() -> None:
    """A name in the path without a parameter becomes a required string, and is listed."""
    catalog = read(document({"/x/{id}": {"get": {}}}), source="doc")
    assert catalog.tools[0].required == ("id",)
    assert "added as a string" in altered(catalog)["get_x_by_id"]


def test_credentials_and_cookies_are_dropped() -> None:
    """Cookies, API keys of the security schemes and tokens described as such are no arguments, and are listed."""
    parameters = [
        {"name": "session", "in": "cookie", "schema": {}},
        {"name": "k", "in": "query", "schema": {}},
        {"name": "token", "in": "query", "schema": {}, "description": "Authentication token. Requires scope `x`."},
        {"name": "page_token", "in": "query", "schema": {}, "description": "The next page."},
        {"name": "ev-api-key", "in": "header", "required": True, "schema": {}},
        {"name": "X-AcmeAPI-Key", "in": "header", "required": True, "schema": {}},
    ]
    schemes = {"key": {"type": "apiKey", "name": "k", "in": "query"}}
    catalog = read(
        document({"/x": {"get": {"parameters": parameters}}}, components={"securitySchemes": schemes}), source="doc"
    )
    assert list(catalog.tools[0].properties) == ["page_token"]
    assert altered(catalog)["get_x"].count("was dropped") == 5


def test_what_a_client_adds_to_every_request_is_dropped() -> None:
    """Headers, and the version of the API: no person gives them."""
    headers = ("X-Sig-Date", "If-None-Match", "X-Api-Version", "X-Tenant-Id")
    parameters = [
        *({"name": name, "in": "header", "required": True, "schema": {"type": "string"}} for name in headers),
        {"name": "api-version", "in": "query", "required": True, "schema": {"type": "string"}},
        {"name": "version", "in": "query", "schema": {"type": "string"}},
        {"name": "delivery-date", "in": "query", "schema": {"type": "string"}},
    ]
    catalog = read(document({"/x": {"get": {"parameters": parameters}}}), source="doc")
    assert set(catalog.tools[0].properties) == {"version", "delivery-date"}
    assert altered(catalog)["get_x"].count("is added by the client") == len(headers) + 1


@pytest.mark.parametrize("reference", ["#/components/no", "https://x.org/p.json", "other.yaml#/p"])
def test_broken_references(reference: str) -> None:
    """A needed reference that leads nowhere leaves the operation out; an optional one drops the argument."""
    broken = {"$ref": reference}
    paths = {
        "/parameter": {"get": {"parameters": [broken]}},
        "/body": {"get": json_body(broken)},
        "/item": broken,
        "/optional": {"get": {"parameters": [{"name": "a", "in": "query", "schema": broken}]}},
        "/answer": {"get": {"responses": {"200": {"content": {"application/json": {"schema": broken}}}}}},
    }
    catalog = read(document(paths), source="doc")
    assert [entry.where for entry in catalog.left_out] == ["GET /parameter", "GET /body", "/item"]
    assert all(reference in entry.reason for entry in catalog.left_out)
    assert [tool.name for tool in catalog.tools] == ["get_optional", "get_answer"]
    assert reference in altered(catalog)["get_optional"]
    assert catalog.by_name["get_answer"].returns is None


def test_path_item_reference_inside_the_document() -> None:
    """A path item may be a reference inside the document."""
    catalog = read(document({"/a": {"$ref": "#/x-items/a"}}, **{"x-items": {"a": {"get": {}}}}), source="doc")
    assert [tool.source for tool in catalog.tools] == ["GET /a"]


def test_callbacks_are_no_operations() -> None:
    """Callbacks and vendor extensions under `paths` are no operations."""
    operation = {"callbacks": {"done": {"{$request.body#/url}": {"post": {}}}}}
    catalog = read(document({"/a": {"post": operation, "x-y": {}}, "x-z": {"get": {}}}), source="doc")
    assert len(catalog.tools) == 1
    assert catalog.left_out == ()


def test_returns_is_the_first_success() -> None:
    """The result is the first 2xx answer in JSON; other answers do not count."""
    json_of = lambda kind: {"content": {"application/json": {"schema": {"type": kind}}}}  # noqa: E731
    responses = {
        "400": json_of("number"),
        "204": {"description": "none"},
        "201": json_of("string"),
        "default": json_of("null"),
    }
    assert only({"responses": responses}).returns == '{"type":"string"}'
    assert only({"responses": {"200": {"content": {"image/png": {"schema": {"type": "string"}}}}}}).returns is None


def test_raw_is_the_operation_as_it_came() -> None:
    """`raw` keeps the operation unchanged."""
    operation = {"summary": "**S**", "x-y": 1, "tags": ["t"]}
    tool = only(operation)
    assert tool.raw == '{"summary":"**S**","tags":["t"],"x-y":1}'
    assert (tool.description, tool.domain) == ("S", "t")


def test_large_arguments_are_cut_or_left_out() -> None:
    """An argument object that is too large is cut at a shallower level, and left out when no level helps."""
    deep: dict[str, Any] = {
        "properties": {f"p{i}": {"properties": {f"q{j}": {} for j in range(40)}} for i in range(40)}
    }
    wide = {"properties": {f"p{i}": {} for i in range(5_000)}}
    catalog = read(document({"/deep": {"post": json_body(deep)}, "/wide": {"post": json_body(wide)}}), source="doc")
    assert len(catalog.tools[0].properties) == 40
    assert "were cut" in altered(catalog)["post_deep"]
    assert [entry.where for entry in catalog.left_out] == ["POST /wide"]


@pytest.mark.parametrize("version", [{"openapi": "4.0"}, {"swagger": "1.2"}, {"openapi": None}, {"openapi": ["3.0.0"]}])
def test_unknown_versions_are_refused(version: dict[str, Any]) -> None:
    """Another version is one error that names it."""
    with pytest.raises(BadDocument, match="version"):
        read({**version, "paths": {"/a": {"get": {}}}}, source="doc")


_RICH = document(
    {
        "/a/{id}": {
            "parameters": [{"$ref": "#/components/parameters/Id"}],
            "get": {
                "operationId": "get_a",
                "tags": ["t"],
                "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/A"}}}}},
            },
            "put": json_body({"allOf": [{"$ref": "#/components/schemas/A"}, {"required": ["name"]}]}),
        },
        "/b": {"post": {"parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}]}, "delete": {}},
    },
    components={
        "parameters": {"Id": {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}},
        "schemas": {
            "A": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "parent": {"$ref": "#/components/schemas/A"}},
            }
        },
    },
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    for key, child in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        found += _places(child, (*path, key))
    return found


_JUNK = [None, True, 0, -1.5, "", "x", [], {}, [None], {"$ref": "#/paths"}, {"$ref": 5}, {"": {}}, [{"a": [1]}]]


@given(st.lists(st.tuples(st.sampled_from(_places(_RICH)[1:]), st.sampled_from(_JUNK)), min_size=1, max_size=4))
def test_damaged_documents_lose_nothing_else(damage: list[tuple[tuple[Any, ...], Any]]) -> None:
    """Whatever is broken in a document, each operation still under `paths` is a tool or left out, or all is refused."""
    damaged = copy.deepcopy(_RICH)
    for path, junk in damage:
        _put(damaged, path, copy.deepcopy(junk))
    try:
        catalog = read(damaged, source="doc")
    except BadDocument:
        return
    expected = sum(
        1 if not isinstance(item, dict) or "$ref" in item else sum(method in item for method in METHODS)
        for item in damaged["paths"].values()
    )
    if not any(isinstance(item, dict) and "$ref" in item for item in damaged["paths"].values()):
        assert len(catalog.tools) + len(catalog.left_out) == expected
    assert len({tool.name for tool in catalog.tools}) == len(catalog.tools)


def _put(value: Any, path: tuple[Any, ...], junk: Any) -> None:
    """Replace what stands at `path`, where earlier damage has left that place."""
    for key in path[:-1]:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return
    if isinstance(value, dict) or (isinstance(value, list) and isinstance(path[-1], int) and path[-1] < len(value)):
        value[path[-1]] = junk


def test_the_sole_property_of_a_required_body_is_required() -> None:
    """A body that must be there cannot be empty."""
    schema = {"type": "object", "properties": {"note": {"type": "string"}}}

    assert only(json_body(schema)).required == ()
    assert only(json_body(schema, required=True)).required == ("note",)


def test_alternatives_of_a_body_are_told_apart_by_their_field() -> None:
    """What only one has says so, and with it what the call needs."""

    def branch(kind: str, **more: Any) -> dict[str, Any]:
        own = {"kind": {"type": "string", "enum": [kind]}, **more}
        return {"type": "object", "properties": own, "required": list(own)}

    tool = only(json_body({"oneOf": [branch("snooze", until={"type": "integer"}), branch("close")]}))

    assert tool.properties["until"]["description"] == "Needed where kind is snooze."
    assert needed(tool) == ("kind", "until")

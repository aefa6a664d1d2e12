"""Arguments against a tool's schema."""

from __future__ import annotations

from pathlib import Path

import pytest

from callwright.match.schema import conforms, schema_issues
from callwright.records.jsontext import JsonText, encode, parse
from callwright.records.tool import Tool


def tool(schema: object) -> Tool:
    """Return a tool with this parameter schema."""
    return Tool(name="t", parameters=encode(schema))


BOOK = tool(
    {
        "type": "object",
        "properties": {
            "n": {"type": "integer", "minimum": 1},
            "size": {"enum": ["s", "m"]},
            "to": {"type": "array", "items": {"type": "object", "required": ["id"]}},
            "code": {"type": "string", "pattern": "^[A-Z]+$"},
            "exact": {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
        },
        "required": ["n"],
    }
)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"n": 2, "size": "s", "to": [{"id": 1}], "code": "AB", "exact": {"a": 1}}, []),
        ({}, [("missing", "n")]),
        ({"n": "2"}, [("type", "n")]),
        ({"n": 0}, [("constraint", "n")]),
        ({"n": 2, "size": "xl"}, [("enum", "size")]),
        ({"n": 2, "to": [{"id": 1}, {}]}, [("missing", "to[1].id")]),
        ({"n": 2, "code": "ab"}, [("constraint", "code")]),
        ({"n": 2, "colour": "red"}, [("unexpected", "colour")]),
        ({"n": 2, "exact": {"b": 1}}, [("unexpected", "exact.b")]),
    ],
)
def test_each_breach_is_an_issue(arguments: object, expected: list[tuple[str, str]]) -> None:
    """Breaches are named by kind and place."""
    issues = schema_issues(encode(arguments), BOOK)

    assert expected == [(issue.code, issue.path) for issue in issues]
    assert conforms(encode(arguments), BOOK) == (not expected)


def test_further_keys_are_allowed_where_the_schema_says_so() -> None:
    """A schema that welcomes further keys has no unknown ones, and one without parameters is not second-guessed."""
    assert conforms(encode({"z": 1}), tool({"properties": {"a": {}}, "additionalProperties": True}))
    assert conforms(encode({"z": 1}), tool({}))


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"properties": {"a": {"type": "float"}}}, "float"),
        ({"properties": {"a": {"$ref": "http://x.y/z.json"}}}, "nothing is fetched"),
        ({"properties": {"a": {"$ref": "file:///etc/hosts"}}}, "nothing is fetched"),
        ({"properties": {"a": {"$ref": "#/$defs/gone"}}}, "does not exist"),
        ({"properties": {"a": {"pattern": "(?=a)b"}}}, "regex"),
        ([], "no object"),
    ],
)
def test_an_unusable_schema_is_one_issue(schema: object, reason: str) -> None:
    """A schema that cannot be compiled gives one issue with the reason, and fetches nothing."""
    (issue,) = schema_issues(encode({"a": "b"}), tool(schema))

    assert issue.code == "bad_schema"
    assert reason in issue.message


def test_arguments_that_are_no_object_are_one_issue() -> None:
    """Text that is no JSON object is not checked further."""
    assert [issue.code for issue in schema_issues(JsonText("[1"), BOOK)] == ["not_an_object"]


def test_a_cyclic_schema_is_followed_as_deep_as_the_value_goes() -> None:
    """A schema that refers to itself checks nested values."""
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}, "required": ["id"]}
    cyclic = tool({"properties": {"root": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}})

    (issue,) = schema_issues(encode({"root": {"id": 1, "next": {}}}), cyclic)
    assert (issue.code, issue.path) == ("missing", "root.next.id")


def test_a_flood_of_breaches_is_bounded() -> None:
    """A thousand unknown keys give at most fifty issues."""
    assert len(schema_issues(encode({f"k{i}": 1 for i in range(1000)}), BOOK)) == 50


def test_patterns_run_in_linear_time() -> None:
    """A pattern that backtracks without end elsewhere is simply not matched."""
    slow = tool({"properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}})

    assert [issue.code for issue in schema_issues(encode({"a": "a" * 50_000 + "!"}), slow)] == ["constraint"]


def test_real_schemas_are_used_or_refused_with_a_reason(shared_data: Path) -> None:
    """Every schema of the WildToolBench lists is checked against, or refused for the one type that JSON lacks."""
    found: dict[str, set[str]] = {}
    for line in (shared_data / "wild" / "tools_en.jsonl").read_text(encoding="utf-8").splitlines():
        for document in parse(line):
            schema = encode(document["function"]["parameters"])
            issues = schema_issues(encode({"no_such_parameter": 1}), Tool(name="t", parameters=schema))
            found.setdefault(",".join(sorted({issue.code for issue in issues})), set()).add(schema)

    assert set(found) <= {"bad_schema", "missing,unexpected", "unexpected"}
    assert all('"float"' in schema for schema in found["bad_schema"])


def test_lone_surrogates_are_characters() -> None:
    """Half of a pair, as models write it in escapes, is one character of a text and of a key, and no crash."""
    tool = Tool(name="f", parameters=encode({"properties": {"a": {"type": "string", "maxLength": 1}}}))

    assert schema_issues(JsonText('{"a":"\\ud800"}'), tool) == ()
    assert [issue.code for issue in schema_issues(JsonText('{"a":"x\\ud800"}'), tool)] == ["constraint"]
    assert [issue.code for issue in schema_issues(JsonText('{"\\udfff":1}'), tool)] == ["unexpected"]

"""What feeds what: a result whose field identifies what a parameter takes."""

from __future__ import annotations

import pytest

from callwright.environment.feeding import feeds, is_same_thing
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool


def tool(name: str, description: str, returns: dict[str, Json], *required: str, **properties: Json) -> Tool:
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    shape = {"type": "object", "properties": returns}
    return Tool(name=name, description=description, parameters=encode(parameters), returns=encode(shape))


ID: Json = {"type": "string"}
CREATE = tool("create_site", "Create a site.", {"id": ID, "name": {"type": "string"}})


@pytest.mark.parametrize("required", [("site_id",), ()])
def test_an_identifier_feeds_what_a_call_has(required: tuple[str, ...]) -> None:
    """Required or not: nobody closes a site without saying which."""
    close = tool("close_site", "Close a site.", {}, *required, site_id={"type": "string", "description": "Site ID."})
    assert [(one.output.name, one.parameter) for one in feeds(CREATE, close)] == [("id", "site_id")]
    assert not feeds(close, CREATE)


@pytest.mark.parametrize(
    ("kind", "one", "other", "same"),
    [
        ("code", "id", "", True),
        ("code", "id", "id", True),
        ("code", "url", "id", False),
        ("title", "id", "", False),
    ],
)
def test_a_code_called_like_a_thing_is_its_identifier(kind: str, one: str, other: str, same: bool) -> None:
    """`channel` takes the `id` of a channel; a title does not."""
    owner = frozenset({"channel"})
    assert is_same_thing(kind, (owner, one), (owner, other)) is same  # type: ignore[arg-type]
    assert not is_same_thing(kind, (owner, one), (frozenset({"user"}), other))  # type: ignore[arg-type]

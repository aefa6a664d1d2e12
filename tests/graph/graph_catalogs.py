"""Small catalogues for tests of tool graphs."""

from __future__ import annotations

from typing import Any

from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool

TEXT = {"type": "string"}


def one_of(fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A schema of an object with these fields."""
    return {"type": "object", "properties": fields, **more}


def listed(fields: dict[str, Any]) -> dict[str, Any]:
    """A schema of a list of such objects under `entries`."""
    return one_of({"entries": {"type": "array", "items": one_of(fields)}})


def tool(name: str, source: str = "", *, needs: dict[str, Any] | None = None, returns: Any = None, **more: Any) -> Tool:
    """A tool whose parameters are all required."""
    needs = needs or {}
    parameters = encode(one_of(needs, required=list(needs)))
    return Tool(name=name, source=source, parameters=parameters, returns=returns and encode(returns), **more)


FILE = {
    "id": TEXT,
    "name": TEXT,
    "size": {"type": "integer"},
    "created_by": one_of({"id": TEXT, "type": {"enum": ["user"]}}),
}
DRIVE = Catalog(
    tools=(
        tool("list_files", "GET /files", returns=listed(FILE)),
        tool("get_file", "GET /files/{file_id}", needs={"file_id": TEXT}, returns=one_of(FILE)),
        tool("create_file", "POST /files", needs={"name": TEXT}, returns=one_of(FILE)),
        tool(
            "delete_file",
            "DELETE /files/{file_id}",
            needs={"file_id": TEXT},
            returns=one_of({"ok": {"type": "boolean"}}),
        ),
        tool("get_user", "GET /users/{user_id}", needs={"user_id": TEXT}, returns=one_of({"id": TEXT, "email": TEXT})),
        tool(
            "get_event",
            "GET /events/{id}",
            needs={"id": {"type": "integer"}},
            returns=one_of({"id": {"type": "integer"}}),
        ),
    )
)
"""Files, users and events: what supplies what can be told by hand."""

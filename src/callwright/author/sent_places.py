"""Where the parameters of an operation are sent, in its path, its query or its body, and whether it writes."""

from __future__ import annotations

import re
from functools import lru_cache

from callwright.catalog.gloss import gloss
from callwright.lang.verbs_of_acts import CHANGES, CREATES
from callwright.records.jsontext import decode
from callwright.records.tool import Tool

ENDS_ACTS = frozenset(
    "delete remove cancel close archive sync revoke leave unpublish stop enable disable mark convert approve "
    "deny activate deactivate reactivate suspend unsuspend lock unlock restart pause resume".split()
)
"""Acts on a thing as it is: to name it is enough."""
_WRITES = frozenset(("POST", "PUT", "PATCH"))
PLACE_IN_PATH = re.compile(r"\{([^{}/]+)\}")


def is_write(tool: Tool) -> bool:
    """Whether the act changes something by what is sent with it."""
    method = tool.source.partition(" ")[0]
    verb = gloss(tool).act
    if not method.isupper():
        return verb in CREATES | CHANGES - ENDS_ACTS
    raw = decode(tool.raw) if tool.raw is not None else {}
    return method in _WRITES or (method != "GET" and isinstance(raw, dict) and "requestBody" in raw)


@lru_cache(maxsize=65536)
def places_of_sending(tool: Tool) -> dict[str, str]:
    """Return where a document says that its parameters are sent: `path`, `query`, `header`, `body`, `formData`.

    Those that operations share are beside the body, mostly in the query.
    """
    raw = decode(tool.raw) if tool.raw is not None else {}
    listed = raw.get("parameters") if isinstance(raw, dict) else None
    ones = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    has_body = isinstance(raw, dict) and "requestBody" in raw
    placed = {str(one.get("name")): str(one.get("in")) for one in ones if "name" in one}
    shared = (str(one["$ref"]).partition("#/components/parameters/")[2] for one in ones if "$ref" in one)
    return placed | dict.fromkeys(filter(None, shared), "query") | ({"": "body"} if has_body else {})


@lru_cache(maxsize=65536)
def outside_body(tool: Tool) -> frozenset[str]:
    """Return the parameters that are not sent with the act, as far as the source says so.

    That is the path and headers, and the query where there is a body.
    """
    placed = places_of_sending(tool)
    has_body = not {"body", "formData"}.isdisjoint(placed.values())
    outside = ("path", "header", "query") if has_body else ("path", "header")
    return frozenset(
        (*PLACE_IN_PATH.findall(tool.source), *(name for name, place in placed.items() if place in outside))
    )

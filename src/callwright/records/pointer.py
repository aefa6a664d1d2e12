"""JSON pointers (RFC 6901)."""

from __future__ import annotations

import re
from typing import Final

from callwright.records.jsontext import Json

_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,8}")


def follow(value: Json, pointer: str) -> Json:
    """Return what a pointer leads to. Raises LookupError where it leads nowhere, or is none.

    >>> follow({"songs": [{"id": 7}]}, "/songs/0/id")
    7
    """
    first, *parts = pointer.split("/")
    if first:
        raise LookupError(f"{pointer[:200]!r} does not begin with a slash")
    for part in parts:
        if isinstance(value, dict):
            value = value[part.replace("~1", "/").replace("~0", "~")]
        elif isinstance(value, list) and _INDEX.fullmatch(part):
            value = value[int(part)]
        else:
            raise LookupError(f"{pointer[:200]!r} leads nowhere")
    return value


def resolve(value: Json, pointer: str) -> Json:
    """Return what a pointer leads to; None where it leads nowhere."""
    try:
        return follow(value, pointer)
    except LookupError:
        return None

"""JSON pointers (RFC 6901)."""

from __future__ import annotations

from callwright.records.jsontext import Json


def resolve(value: Json, pointer: str) -> Json:
    """Return the value at a pointer; None if there is none.

    >>> resolve({"songs": [{"id": 7}]}, "/songs/0/id")
    7
    """
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value

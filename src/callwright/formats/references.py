"""JSON references: followed inside one document only, never fetched."""

from __future__ import annotations

from urllib.parse import unquote

from callwright.records.jsontext import Json


class BrokenReference(Exception):
    """A `$ref` that is broken, or leads out of the document; the message says which."""


def resolve(document: Json, reference: str) -> Json:
    """Return the value at `reference` (`#/a/b~1c/0`, percent escapes allowed).

    >>> resolve({"a/b": [7]}, "#/a~1b/0")
    7
    """
    if not reference.startswith("#"):
        raise BrokenReference(f"`$ref: {reference[:200]}` leads to another document, which is never fetched")
    value = document
    for part in _parts(reference):
        try:
            value = value[int(part)] if isinstance(value, list) and part.isdecimal() else value[part]
        except (KeyError, IndexError, TypeError, ValueError):
            raise BrokenReference(f"`$ref: {reference[:200]}` leads nowhere in the document") from None
    return value


def _parts(reference: str) -> list[str]:
    pointer = unquote(reference[1:])
    if not pointer:
        return []
    if not pointer.startswith("/"):
        raise BrokenReference(f"`$ref: {reference[:200]}` is no path into the document (`#/...`)")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]

"""JSON references: followed inside one document only, never fetched."""

from __future__ import annotations

from urllib.parse import unquote

from callwright.records.jsontext import Json
from callwright.records.pointer import follow


class BrokenReference(Exception):
    """A `$ref` that is broken, or leads out of the document; the message says which."""


def resolve(document: Json, reference: str) -> Json:
    """Return the value at `reference` (`#/a/b~1c/0`, percent escapes allowed).

    >>> resolve({"a/b": [7]}, "#/a~1b/0")
    7
    """
    if not reference.startswith("#"):
        raise BrokenReference(f"`$ref: {reference[:200]}` leads to another document, which is never fetched")
    pointer = unquote(reference[1:])
    if pointer and not pointer.startswith("/"):
        raise BrokenReference(f"`$ref: {reference[:200]}` is no path into the document (`#/...`)")
    try:
        return follow(document, pointer)
    except LookupError:
        raise BrokenReference(f"`$ref: {reference[:200]}` leads nowhere in the document") from None

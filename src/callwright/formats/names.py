"""Names that every model service accepts: letters, digits, `_` and `-`, at most 64 of them, each once."""

from __future__ import annotations

import re
import unicodedata

MAX_NAME = 64

VALID_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")

_INVALID = re.compile(r"[^A-Za-z0-9_-]+")


def valid_name(wish: str) -> str:
    """Return `wish` where it is valid, and else the nearest valid name.

    >>> valid_name("math.área/total")
    'math_area_total'
    """
    if VALID_NAME.fullmatch(wish):
        return wish
    folded = unicodedata.normalize("NFKD", wish[:1_000]).encode("ascii", "ignore").decode()
    return _INVALID.sub("_", folded).strip("_")[:MAX_NAME].rstrip("_") or "tool"


def unique_name(name: str, taken: set[str]) -> str:
    """Return `name`, with the first free number added where it is taken.

    >>> unique_name("search", {"search", "search_2"})
    'search_3'
    """
    found, number = name, 1
    while found in taken:
        number += 1
        suffix = f"_{number}"
        found = name[: MAX_NAME - len(suffix)] + suffix
    return found

"""Which names no person would say aloud."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=16384)
def is_identifier(name: str) -> bool:
    """Whether a name is one that no person would say: joined by signs, or in camel case."""
    return bool(_JOINED.search(name))


_JOINED = re.compile(r"[A-Za-z0-9][_.][A-Za-z0-9]|[a-z][A-Z]")

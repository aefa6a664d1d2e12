"""Tools that a retriever returned."""

from __future__ import annotations

import msgspec


class Retrieved(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One tool the retriever returned, by its shown name, with its score."""

    name: str
    score: float

"""The verb from the user's point of view: what a service returns or provides, its user gets."""

from __future__ import annotations

ACTS_OF_SERVERS = frozenset(
    "return provide show display give output expose respond produce serve allow handle contain include "
    "represent".split()
)
"""Verbs of a server's act; whoever asks it looks something up."""


def asked_verb(verb: str, method: str) -> str:
    """Return the verb from the user's point of view; empty where the document's tells nothing."""
    if verb in _NO_ACTS:
        return ""
    if verb == "patch" or (verb == "put" and method == "PUT"):
        return "update"
    if verb == "access" and method in ("GET", ""):
        return "get"
    if verb not in ACTS_OF_SERVERS or (verb == "give" and method != "GET"):
        return verb  # access is given to somebody
    return "get" if method in ("GET", "") or verb in ("show", "display") else ""


_NO_ACTS = frozenset("accept avoid belong cause contact enter expect require".split())
"""Verbs of documents that no request has: `to avoid double counting`, `this endpoint expects a file`."""

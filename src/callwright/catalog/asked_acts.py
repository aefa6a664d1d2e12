"""The verb from the user's point of view: what a service returns or provides, its user gets."""

from __future__ import annotations

from callwright.lang.phrases import words_of_name
from callwright.records.tool import Tool

ACTS_OF_SERVERS = frozenset(
    "return provide show display give output expose respond produce serve allow handle contain include "
    "represent".split()
)
"""Verbs of a server's act; whoever asks it looks something up."""


def is_giving_back(tool: Tool) -> bool:
    """Whether a tool gives something back, as a loan, rather than telling it: what it returns is then `returned`.

    >>> is_giving_back(Tool(name="return_book", returns='{"properties": {"status": {"enum": ["returned"]}}}'))
    True
    >>> is_giving_back(Tool(name="return_books", returns='{"properties": {"title": {"type": "string"}}}'))
    False
    """
    return words_of_name(tool.name)[:1] == ("return",) and '"returned"' in (tool.returns or "")


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

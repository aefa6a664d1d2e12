"""What a document says against its own tool: that it is deprecated, or another act than its name says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from callwright.catalog.chunks import Gloss
from callwright.catalog.gloss import gloss
from callwright.catalog.headings import is_sayable
from callwright.lang.english import base_verb, is_adjective
from callwright.lang.phrases import words_of_name
from callwright.lang.tokens import words
from callwright.records.jsontext import decode
from callwright.records.tool import Tool


def is_deprecated(tool: Tool) -> bool:
    """Whether the document advises against the tool: a person would be served by the one that replaces it."""
    raw = decode(tool.raw) if tool.raw is not None else {}
    is_marked = isinstance(raw, dict) and raw.get("deprecated") is True
    return is_marked or _DEPRECATED.search(". ".join(tool.description.split(". ")[:3])) is not None


def is_unsayable(tool: Tool) -> bool:
    """Whether only a title tells what a tool does, and nobody would say it: `dsfghbn`, `is open today`, `about`."""
    found = gloss(tool)
    if found.chunks and (_HEAP.search(found.object) or _is_quality(found, tool)):
        return True
    if found.verb or not found.chunks:
        return False
    head = found.chunks[0].text.split()[-1]
    return head.lower() == "api" or not is_sayable(head) or _CLAUSE.search(found.object) is not None


def _is_quality(found: Gloss, tool: Tool) -> bool:
    """Whether an act sets what is no thing: `set a regular`, of a document that makes somebody a regular user."""
    *before, head = found.chunks[0].text.lower().split()
    is_bare = found.act == "set" and before in (["a"], ["an"]) and is_adjective(head)
    return is_bare and not any(head in words_of_name(name) for name in tool.properties)


_CLAUSE = re.compile(r"\b(?:is|are|was|were|has|have|you)\b|\d \d", re.IGNORECASE)
"""Words of clauses, which are no things, and decimals that a name cut in two."""
_HEAP = re.compile(r"\b(?!(?:and|or|to)\b)\w{1,30} (?:get|fetch|retrieve) \w|\b(\w{3,30}) \1\b", re.IGNORECASE)
"""A name with its verb inside, and the words of a path one after another: `devices get a single device`."""


def is_contradictory(tool: Tool) -> bool:
    """Whether a name says another act than the words of its document: an `updateTemplate` that `deletes a template`."""
    named, told = _act_in(words_of_name(tool.name)), _act_in((gloss(tool).act,))
    if named == told or "" in (named, told):
        return False
    first = tool.description.partition(". ")[0].lower()
    is_made = {named, told} == {"create", "change"}
    of_method = tool.source.startswith("PATCH ") and tool.source.endswith("}")
    is_both = any(base_verb(word) in _ACTS[named] for word in words(first))  # `creates or updates a rule`
    return not is_both and (not is_made or (of_method and told == "create"))


def _act_in(said: Sequence[str]) -> str:
    """The act of the first word that names one, else of the last."""
    ends = (*said[:1], *said[-1:])
    return next((act for word in ends for act, verbs in _ACTS.items() if word in verbs), "")


_ACTS = {
    "create": frozenset("create insert".split()),
    "change": frozenset("update edit modify patch".split()),
    "delete": frozenset("delete remove destroy".split()),
}
_DEPRECATED = re.compile(
    r"^\W?deprecated\b|[\[(]deprecated[\])]|\b(?:is|are|been|now|was) deprecated\b|\bdeprecated[:.!]|"
    r"\b(?:been|is|was) (?:replaced|superseded) by\b|\bno longer supported\b|\buse (?:[\w./{}]+ ){1,4}instead\b",
    re.IGNORECASE,
)

"""Whether a call of a tool only reads: it changes nothing for anybody, so that an assistant may make it unasked."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from callwright.environment.returns import action_of, path_of
from callwright.environment.tool_target import target_of
from callwright.lang.english import base_verb
from callwright.lang.tokens import identifier_words
from callwright.lang.verbs_of_acts import CHECKS, LOOKUPS
from callwright.records.tool import Tool

_READS: Final = LOOKUPS | CHECKS | frozenset("estimate calculate compute compare count preview".split())
_WORKS_OUT: Final = frozenset(("convert", "translate"))
"""Verbs that work something out where no operation is known that changes something."""
_ACTS: Final = frozenset(
    "revoke archive unarchive delete remove cancel approve reject deny enable disable kick invite leave join rename "
    "activate deactivate restore reset terminate kill mute unmute".split()
)
"""Verbs that act even where the method of the operation promises that nothing is changed."""


@lru_cache(maxsize=65536)
def only_reads(tool: Tool) -> bool:
    """Return whether the documents of a tool say that it only reads.

    An operation that reads by its method may still act by its name (`GET /auth.revoke`). One with another method, or
    with none, reads if its verb does; a name without a verb is that of what is read.

    >>> only_reads(Tool(name="post_services_get_map", source="POST /services.get_map"))
    True
    >>> only_reads(Tool(name="listFiles")), only_reads(Tool(name="request_review")), only_reads(Tool(name="files"))
    (True, False, True)
    """
    method = tool.source.partition(" ")[0] if path_of(tool) else ""
    named = [word for word in identifier_words(tool.name) if not word.isdigit()]
    if method in ("GET", "HEAD"):
        return _ACTS.isdisjoint((*named[:1], *named[-1:]))
    if method in ("PUT", "PATCH", "DELETE", "OPTIONS") or target_of(tool).act in ("create", "change", "delete"):
        return False
    operation = identifier_words(re.split(r"[/.:]", path_of(tool))[-1])
    if len(operation) > 1 and operation[0] in LOOKUPS:  # `POST /services.get_map`
        return True
    said = base_verb(named[0]) if named else None
    verb = action_of(tool)[0]
    if said is not None:  # `file` acts, `files` are read
        verb = said if said == named[0] else "get" if said == verb else verb
    return verb in (_READS if method else _READS | _WORKS_OUT)

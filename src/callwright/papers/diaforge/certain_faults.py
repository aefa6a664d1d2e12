"""Which findings of the rules are certain, so that no judge is asked about them.

    tool_leak        a tool or parameter identifier is said
    value_not_gold   a code of the very form of the user's own, and not the user's, nor is the right one said with it

All other findings go by words, which may have been meant otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from callwright.author.briefs import Known
from callwright.records.transcript import UserFault

_CODE: Final = re.compile(r"(?<![\w-])[A-Za-z0-9](?:[\w-]{2,60}[A-Za-z0-9])(?![\w-])")
_SHORTEST: Final = 4
"""Characters from which on two codes of one form are no chance."""


def is_certain(fault: UserFault, text: str, known: Sequence[Known]) -> bool:
    """Return whether a finding in a message needs no judge; `known` are the user's values."""
    if fault.kind == "tool_leak":
        return True
    return fault.kind == "value_not_gold" and any(_replaces(fault.detail, one, text) for one in known)


def _replaces(detail: str, known: Known, text: str) -> bool:
    own = str(known.value)
    if known.slot.kind != "code" or len(own) < _SHORTEST or own.casefold() in text.casefold():
        return False
    return any(_form(found) == _form(own) and found.casefold() != own.casefold() for found in _CODE.findall(detail))


def _form(code: str) -> str:
    """The code with its letters and digits made alike: `TS-118` as `AA-999`; all letters are no code."""
    form = re.sub(r"[A-Za-z]", "A", re.sub(r"\d", "9", code))
    return form if "9" in form else ""

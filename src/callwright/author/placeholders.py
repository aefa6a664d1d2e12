"""Placeholders that a model left in its words in place of a value."""

from __future__ import annotations

import re
from typing import Final

_PLACEHOLDER: Final = re.compile(
    r"\{\{?[^{}\n]{1,60}\}|\[(?:insert|your|the|name|date|time|number|placeholder)\b[^\[\]\n]{0,60}\]"
    r"|<(?:insert|your|name|date|time|number|placeholder)\b[^<>\n]{0,60}>|\blorem ipsum\b|\bX{3,10}\b",
    re.IGNORECASE,
)


def placeholder_in(text: str) -> str:
    """Return the first placeholder of a text; empty for none.

    >>> placeholder_in("My name is [your name]."), placeholder_in("It's {date}."), placeholder_in("See [1].")
    ('[your name]', '{date}', '')
    """
    found = _PLACEHOLDER.search(text)
    return found[0] if found else ""

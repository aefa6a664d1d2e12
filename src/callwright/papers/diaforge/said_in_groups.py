"""Values that people say in groups: an identifier with spaces, a list with `and`; they are put as they are written.

"It is ES82 1568 4751 0450"       ES82156847510450
"The items are 4411 and 8822."    4411,8822
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from typing import Final

from callwright.author.briefs import Known

_SHORTEST: Final = 6
"""Letters and digits from which on an identifier is said in groups."""
_MOST: Final = 4
"""Items of a list up to which they may be said in any order."""
_JOINT: Final = r"[\s.-]{0,3}"
_BETWEEN: Final = r"\s{0,3}(?:,|;|/|&|\b(?:and|plus|und)\b)\s{0,3}(?:(?:also|the)\s)?(?:and\s)?#?"


def as_written(text: str, known: Sequence[Known]) -> str:
    """Return a text with the user's identifiers and lists as they are written.

    >>> from callwright.author.briefs import known_values
    >>> from callwright.records.tool import Tool
    >>> tool = Tool(name="pay", parameters='{"type": "object", "properties": {"iban": {"type": "string"}}}')
    >>> as_written("It's ES82 1568 4751.", known_values(tool, {"iban": "ES8215684751"}))
    "It's ES8215684751."
    """
    for one in known:
        if isinstance(one.value, str) and one.value not in text:
            for pattern in _patterns(one.value):
                text = pattern.sub(one.value.replace("\\", r"\\"), text)
    return text


@lru_cache(maxsize=4096)
def _patterns(value: str) -> tuple[re.Pattern[str], ...]:
    items = [one for one in re.split(r"\s{0,3}[,;]\s{0,3}", value) if one]
    if len(items) > 1 and all(re.fullmatch(r"[\w-]{2,40}", one) for one in items):
        orders = permutations(items) if len(items) <= _MOST else (tuple(items),)
        return tuple(_whole(_BETWEEN.join(map(re.escape, order))) for order in orders)
    if re.fullmatch(r"(?=.*\d)[A-Za-z0-9-]{6,40}", value) and len(kept := value.replace("-", "")) >= _SHORTEST:
        return (_whole(_JOINT.join(kept)),)
    return ()


def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){pattern}(?![\w-])", re.IGNORECASE)

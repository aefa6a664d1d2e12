"""The shape of a dataset: counts over its dialogues, as a dataset's card shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool

SPREAD_NOTE: Final = "Distributions are written `value × dialogues`."


class Statistics(NamedTuple):
    """The table of shapes in a dataset's card."""

    rows: tuple[tuple[str, str], ...]
    note: str = ""


def exchanges(dialogue: Dialogue) -> int:
    """Return the number of user turns."""
    return sum(dialogue.role(turn) == "user" for turn in dialogue.turns)


def exchange_statistics(dialogues: Iterable[Dialogue], tools: Mapping[str, Tool]) -> Statistics:
    """Return the statistics that dialogues of any source have; `tools` by key are not needed for them."""
    return Statistics((("exchanges per dialogue", spread(map(exchanges, dialogues))),), SPREAD_NOTE)


def histogram(numbers: Iterable[int]) -> dict[int, int]:
    """Return how many have each number, in order of the numbers.

    >>> histogram([3, 1, 3])
    {1: 1, 3: 2}
    """
    return dict(sorted(Counter(numbers).items()))


def spread(numbers: Iterable[int]) -> str:
    """Return a histogram as text.

    >>> spread([3, 1, 3]), spread([])
    ('1 × 1, 3 × 2', '-')
    """
    return ", ".join(f"{number} × {count:,}" for number, count in histogram(numbers).items()) or "-"


def count_and_share(count: int, of: int) -> str:
    """Return a count with its share, for a card; a dash where there is nothing to count."""
    return f"{count:,} ({count / of:.1%})" if of else "-"

"""Grammars of sequences of words, such as acts: all they generate, and whether they generate a sequence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

Rules = Mapping[str, tuple[tuple[str, ...], ...]]
"""The alternatives of each symbol; what has no rule stands for itself."""


def read_rules(text: str) -> Rules:
    """Return the rules in lines `symbol: first | second`."""
    lines = (line.split(":") for line in text.strip().splitlines())
    return MappingProxyType(
        {name.strip(): tuple(tuple(one.split()) for one in right.split("|")) for name, right in lines}
    )


def expansions(start: str, rules: Rules, counted: str, most: int) -> Iterator[tuple[str, ...]]:
    """Yield every sequence that a symbol stands for with at most `most` of the symbol `counted`.

    Rules may call themselves by way of `counted` only.

    >>> list(expansions("list", read_rules("list: word | word more\\nmore: and list"), "more", 1))
    [('word',), ('word', 'and', 'word')]
    """
    yield from _expanded((start,), most, counted, rules)


def _expanded(symbols: tuple[str, ...], left: int, counted: str, rules: Rules) -> Iterator[tuple[str, ...]]:
    at = next((place for place, symbol in enumerate(symbols) if symbol in rules), None)
    if at is None:
        yield symbols
        return
    left -= symbols[at] == counted
    if left >= 0:
        for alternative in rules[symbols[at]]:
            yield from _expanded((*symbols[:at], *alternative, *symbols[at + 1 :]), left, counted, rules)


def derives(start: str, sequence: Sequence[str], rules: Rules) -> bool:
    """Return whether a symbol stands for the sequence; recursion is as deep as the sequence is long."""
    return len(sequence) in _ends(start, sequence, frozenset((0,)), rules)


def _ends(symbol: str, sequence: Sequence[str], starts: frozenset[int], rules: Rules) -> frozenset[int]:
    """Where a symbol that begins at one of `starts` can end."""
    if symbol not in rules:
        return frozenset(place + 1 for place in starts if place < len(sequence) and sequence[place] == symbol)
    found: set[int] = set()
    for alternative in rules[symbol]:
        places = starts
        for one in alternative:
            if not places:
                break
            places = _ends(one, sequence, places, rules)
        found |= places
    return frozenset(found)

"""Two values of one call that name two things of one kind: nobody moves money from an account to the same account."""

from __future__ import annotations

from typing import Final

from callwright.lang.kinds import Kind
from callwright.lang.schemas import name_words


def are_opposites(path: str, other: str) -> bool:
    """Whether two parameters name two different things of one kind: names that differ only in `from` and `to`.

    >>> are_opposites("transfer.fromAccount.name", "transfer.toAccount.name"), are_opposites("title", "new_title")
    (True, True)
    >>> are_opposites("source_type", "target_type"), are_opposites("from_name", "from_city")
    (False, False)
    """
    own, its = name_words(path), name_words(other)
    if own == its or not _SORTS.isdisjoint(own[-1:]):
        return False
    if len(own) != len(its):
        return _without_new(own) == _without_new(its)
    apart = [frozenset(pair) for pair in zip(own, its, strict=True) if pair[0] != pair[1]]
    return len(apart) == 1 and apart[0] in _PAIRS


def _without_new(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if word != "new")


TELLS_WHICH: Final[frozenset[Kind]] = frozenset(
    (
        "title",
        "text",
        "other",
        "code",
        "person",
        "email",
        "phone",
        "city",
        "country",
        "currency",
        "language",
        "enum",
        "url",
    )
)
"""Kinds of values that tell which thing is meant."""
_SORTS: Final = frozenset("type kind format version".split())
"""Last words of what two different things may well have in common."""
_PAIRS: Final = frozenset(
    frozenset(pair.split())
    for pair in (
        "from to,source target,source destination,origin destination,old new,current new,previous new,existing new,"
        "sender recipient,sender receiver,payer payee,departure arrival,departure destination,pickup dropoff,"
        "left right,first second,base target,base head,primary secondary"
    ).split(",")
)

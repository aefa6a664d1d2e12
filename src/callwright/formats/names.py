"""Names that every model service accepts: letters, digits, `_` and `-`, at most 64 of them, each once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

MAX_NAME = 64

VALID_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")

_INVALID = re.compile(r"[^A-Za-z0-9_-]+")


def valid_name(wish: str) -> str:
    """Return `wish` if it is valid, otherwise the nearest valid name.

    >>> valid_name("math.área/total")
    'math_area_total'
    """
    if VALID_NAME.fullmatch(wish):
        return wish
    folded = unicodedata.normalize("NFKD", wish[:1_000]).encode("ascii", "ignore").decode()
    return _INVALID.sub("_", folded).strip("_")[:MAX_NAME].rstrip("_") or "tool"


def qualified_names(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return a name for each (name, owner): names of several owners get the owner's name.

    >>> qualified_names([("search", "Flights"), ("search", "Hotels"), ("book", "Hotels")])
    ['search_for_Flights', 'search_for_Hotels', 'book']
    """
    owners: dict[str, set[str]] = {}
    for name, owner in pairs:
        owners.setdefault(valid_name(name), set()).add(owner)
    return [f"{name}_for_{valid_name(owner)}" if len(owners[valid_name(name)]) > 1 else name for name, owner in pairs]


def first_repeated(names: Iterable[str]) -> str | None:
    """Return the first name that stands there a second time; None where all are different.

    >>> first_repeated(["a", "b", "b", "a"])
    'b'
    """
    seen: set[str] = set()
    return next((name for name in names if name in seen or seen.add(name)), None)  # type: ignore[func-returns-value]


def unique_names(wishes: Sequence[str]) -> list[str]:
    """Return a name for each wish, all different: the first to want a name gets it, others get a number.

    >>> unique_names(["search", "search", "search_2"])
    ['search', 'search_3', 'search_2']
    """
    taken = set(wishes)
    numbered: dict[str, Iterator[str]] = {}
    names: list[str] = []
    for wish in wishes:
        if wish not in numbered:
            numbered[wish] = _numbered(wish)
            names.append(wish)
        else:
            name = next(name for name in numbered[wish] if name not in taken)
            taken.add(name)
            names.append(name)
    return names


def _numbered(name: str) -> Iterator[str]:
    for number in count(2):
        suffix = f"_{number}"
        yield name[: MAX_NAME - len(suffix)] + suffix

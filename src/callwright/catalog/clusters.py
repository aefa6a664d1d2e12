"""Clusters of near-duplicates: tools that are linked by pairs, directly or through others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from callwright.lang.tokens import identifier_words


class Cluster(msgspec.Struct, frozen=True):
    """Two or more tools, by position, under the words that their names have in common."""

    name: str
    tools: tuple[int, ...]


def clusters(names: Sequence[str], components: Sequence[int]) -> tuple[Cluster, ...]:
    """Return the components of two or more tools, largest first, then by position.

    `components` gives for each of the tools called `names` a number that linked tools share.
    """
    members: dict[int, list[int]] = {}
    for index, component in enumerate(components):
        members.setdefault(component, []).append(index)
    found = sorted((group for group in members.values() if len(group) > 1), key=lambda group: (-len(group), group))
    return tuple(Cluster(_common_words([names[index] for index in group]), tuple(group)) for group in found)


def _common_words(names: Sequence[str]) -> str:
    """The words that all names hold, else those that more than half of them hold, in the order they are met."""
    spelled = [list(dict.fromkeys(identifier_words(name))) for name in names]
    counts = Counter(word for words in spelled for word in words)
    in_all = [word for word, count in counts.items() if count == len(names)]
    in_most = [word for word, count in counts.items() if 2 * count > len(names)]
    return " ".join(in_all or in_most) or names[0]

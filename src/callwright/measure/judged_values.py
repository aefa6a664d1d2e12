"""Figures of judgements: one number for each dialogue or transcript, with failed, absent and skipped ones separate.

    failed     the judge gave no usable reply for one of its turns
    absent     one of its turns was not judged yet
    skipped    the criterion does not apply to it

For a criterion of turns a dialogue's number is the mean over its assistant turns (for ConvRel: DiaFORGE, appendix C.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from callwright.records.judgement import Judgement

Key = tuple[str, int]
"""Dialogue id, and trial."""


class Judged(msgspec.Struct, frozen=True):
    """One criterion by one judge, or by a panel."""

    values: dict[Key, float]
    failed: frozenset[Key] = frozenset()
    absent: frozenset[Key] = frozenset()


def by_item(judgements: Iterable[Judgement]) -> Judged:
    """Return the figures of all planned judgements of one judge on one criterion."""
    items: dict[Key, list[Judgement]] = {}
    for one in judgements:
        items.setdefault(one.key, []).append(one)
    failed = frozenset(key for key, made in items.items() if any(one.failed for one in made))
    scores = {key: [one.value for one in made] for key, made in items.items() if key not in failed}
    absent = frozenset(key for key, values in scores.items() if None in values)
    return Judged({key: _mean(values) for key, values in scores.items() if key not in absent}, failed, absent)


def panel(judges: Sequence[Judged]) -> Judged:
    """Return the mean over judges, for the items that all of them judged; an item fails where it fails any of them."""
    failed = frozenset[Key]().union(*(one.failed for one in judges))
    absent = frozenset[Key]().union(*(one.absent for one in judges)) - failed
    keys = list(judges[0].values) if judges else []
    left = [key for key in keys if key not in failed | absent]
    return Judged({key: _mean([one.values[key] for one in judges]) for key in left}, failed, absent)


def _mean(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return sum(known) / len(known)

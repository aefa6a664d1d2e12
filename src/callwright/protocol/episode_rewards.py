"""Rewards of an episode, part by part, from the scores of its protocol.

A part is what a policy gains over one that calls nothing, as a share of what the right replies gain over it: 0 for
doing nothing, 1 for the right replies, whatever the metric gives where nothing is done. Where the right replies gain
nothing (calls that should not be made, questions that no tool answers), a part is a penalty: 0 for both, below 0 for
what is worse.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from callwright.protocol import Panel

RIGHT: Final = "right"
"""The score that is 1 where every task is right."""

_SIGNS: Final = {"↑": 1, "↓": -1}


class RewardScale(NamedTuple):
    """What the rewards of a dialogue are measured against: scores by metric."""

    gold: Mapping[str, float]
    """Of the right replies."""
    idle: tuple[Mapping[str, float], ...]
    """Of policies that call nothing."""


def signs_of(panels: Iterable[Panel]) -> dict[str, int]:
    """Return the metrics of a report's tables that a model should raise (1) or lower (-1), as their arrows say.

    Metrics without an arrow describe data or the protocol: nobody earns them.
    """
    labels = {metric: label for panel in panels for metric, label in panel.metrics}
    found = {metric: _SIGNS[label[-1]] for metric, label in labels.items() if label[-1:] in _SIGNS}
    return {RIGHT: 1, **found}


def reward_parts(scores: Mapping[str, float], scale: RewardScale, signs: Mapping[str, int]) -> dict[str, float]:
    """Return the parts that scores earn: those that the right replies are measured by; `signs` as `signs_of` gives.

    >>> scale = RewardScale({"acc": 1.0, "wrong": 0.0}, ({"acc": 0.5, "wrong": 0.0},))
    >>> reward_parts({"acc": 0.75, "wrong": 1.0}, scale, {"acc": 1, "wrong": -1})
    {'acc': 0.5, 'wrong': -1.0}
    """
    return {name: _part(name, scores, scale, sign) for name, sign in signs.items() if name in scale.gold}


def _part(name: str, scores: Mapping[str, float], scale: RewardScale, sign: int) -> float:
    gold = sign * scale.gold[name]
    nothing = 0.0 if sign > 0 else gold  # a share of no calls: none are right, and none wrong
    idle = [sign * one[name] if name in one else nothing for one in scale.idle]
    earned = sign * scores[name] if name in scores else nothing
    if gold > max(idle):
        return max(0.0, (earned - max(idle)) / (gold - max(idle)))
    return min(0.0, earned - min(gold, *idle))

"""Scores of recorded outputs, one by one: a verdict on each, and their share that is right."""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class Verdict(msgspec.Struct, frozen=True):
    """Whether one recorded output is right, and why not."""

    id: str
    valid: bool
    error: str | None
    """Class of its error; None where it is right."""


class OutputScore(msgspec.Struct, frozen=True):
    """The verdicts in the order of the questions; `n` of them."""

    accuracy: float | None
    """Share of right outputs, in [0, 1]; None when there is none to judge."""
    n: int
    items: tuple[Verdict, ...]
    signature: str


class ScoredOutputs(NamedTuple):
    """A score, and the number of questions, also of those without an output."""

    score: OutputScore
    questions: int

"""Scores of recorded outputs: a verdict on each and their share that is right, or a benchmark's own numbers."""

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


class RecordedScore(NamedTuple):
    """The score of a file of outputs by a benchmark that has numbers of its own."""

    document: msgspec.Struct
    """All numbers, with their signature."""
    items: tuple[msgspec.Struct, ...]
    """The share of each dialogue in them."""
    rows: tuple[tuple[str, ...], ...]
    """The numbers for people: rows of several cells stand in columns, others are sentences."""

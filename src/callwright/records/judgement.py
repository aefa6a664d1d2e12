"""Judgements: what a judge made of a dialogue or of one of its turns, and why."""

from __future__ import annotations

import msgspec

from callwright.records.dialogue import SCHEMA_VERSION


class Sample(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One reply of a judge."""

    answer: str
    """The answer it chose, as the rubric names it."""
    value: float
    """What the rubric counts that answer."""
    why: str = ""
    """What the judge gave as its reasons."""


class Judgement(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """One criterion, asked of one judge about one dialogue or one turn, in one or several samples.

    A failed judgement says so and has no value; where neither samples nor a failure are there, it was not made yet.
    """

    item: str
    """Id of the dialogue."""
    trial: int = 0
    """Trial of a transcript."""
    turn: int | None = None
    """Position of the turn that is judged; None: the whole."""
    criterion: str
    version: int
    rubric: str
    """Digest of the rubric: with another wording or scale it is another judgement."""
    judge: str
    """Full name of the model."""
    subject: str
    """Digest of what the judge was shown beside the rubric."""
    samples: tuple[Sample, ...] = ()
    """In the order of their numbers."""
    failed: str = ""
    """Class of the first failure; empty where there is none."""
    message: str = ""
    """What that failure said."""
    schema_version: int = SCHEMA_VERSION

    @property
    def key(self) -> tuple[str, int]:
        """Which dialogue or transcript is judged: id and trial."""
        return self.item, self.trial

    @property
    def value(self) -> float | None:
        """The expected score: the mean over the samples; None where the judgement failed or was not made."""
        if self.failed or not self.samples:
            return None
        return sum(sample.value for sample in self.samples) / len(self.samples)

    @property
    def settled(self) -> float | None:
        """The value most samples have, the lowest of several; None where there is no value."""
        if self.value is None:
            return None
        values = [sample.value for sample in self.samples]
        return min(set(values), key=lambda value: (-values.count(value), value))

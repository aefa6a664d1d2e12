"""Judgements: the grades of judges for dialogues or single turns, with reasons."""

from __future__ import annotations

import msgspec

from callwright.records.dialogue import SCHEMA_VERSION


class Sample(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One reply of a judge."""

    answer: str
    """The chosen answer, as named in the rubric."""
    value: float
    """The answer's value in the rubric."""
    why: str = ""
    """The judge's reasons."""


class Judgement(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """One criterion, asked of one judge about one dialogue or one turn, in one or several samples.

    A failed judgement has no value; one without samples and failure was not made yet.
    """

    item: str
    """Id of the dialogue."""
    trial: int = 0
    """Trial of a transcript."""
    turn: int | None = None
    """Position of the judged turn; None for the whole dialogue."""
    criterion: str
    version: int
    rubric: str
    """Digest of the rubric; another wording or scale makes another judgement."""
    judge: str
    """Full name of the model."""
    subject: str
    """Digest of the material shown to the judge beside the rubric."""
    samples: tuple[Sample, ...] = ()
    """In the order of their numbers."""
    failed: str = ""
    """Class of the first failure; empty without one."""
    message: str = ""
    """Message of that failure."""
    schema_version: int = SCHEMA_VERSION

    @property
    def key(self) -> tuple[str, int]:
        """Id and trial of the judged dialogue or transcript."""
        return self.item, self.trial

    @property
    def value(self) -> float | None:
        """The expected score: the mean over the samples; None if the judgement failed or was not made."""
        if self.failed or not self.samples:
            return None
        return sum(sample.value for sample in self.samples) / len(self.samples)

    @property
    def settled(self) -> float | None:
        """The most frequent value of the samples, the lowest of ties; None without a value."""
        if self.value is None:
            return None
        values = [sample.value for sample in self.samples]
        return min(set(values), key=lambda value: (-values.count(value), value))

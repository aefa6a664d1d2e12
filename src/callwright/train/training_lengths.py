"""Tokens of training rows by part: what a model reads, thinks, calls and says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from callwright.models.chat import ChatReply
from callwright.models.schema_calling import called_by_schema
from callwright.train.rendered_row import RenderedRow
from callwright.train.token_checks import RowTokenizer, quantiles
from callwright.train.training_sample import TrainingMessage, TrainingSample

PARTS: Final = ("prompt", "thought", "call", "reply")
"""What is not trained; what is trained, by kind. Marks around calls belong to them, other marks to the reply."""


class PartTokens(msgspec.Struct, frozen=True):
    """Tokens of one part, over all rows: median, 95th percentile, maximum and sum."""

    median: int
    p95: int
    most: int
    total: int


def part_tokens(rows: Iterable[tuple[RenderedRow, TrainingSample]], tokenizer: RowTokenizer) -> dict[str, PartTokens]:
    """Return the tokens of at least one row by `PARTS`; each row with the sample that it is written from."""
    counts = [_of_row(row, sample, tokenizer) for row, sample in rows]
    found = {}
    for name in PARTS:
        values = [one[name] for one in counts]
        middle = quantiles(values)
        found[name] = PartTokens(middle.median, middle.p95, middle.most, sum(values))
    return found


def _of_row(row: RenderedRow, sample: TrainingSample, tokenizer: RowTokenizer) -> dict[str, int]:
    found = dict.fromkeys(PARTS, 0)
    for text, message in zip(row.trained or (), sample.trained, strict=True):
        whole, thought = len(tokenizer.ids(text)), len(tokenizer.ids(message.thought))
        words, has_calls = _said(message)
        said = min(whole - thought, len(tokenizer.ids(words))) if has_calls else whole - thought
        found["thought"] += thought
        found["reply"] += said
        found["call"] += whole - thought - said
    trained = sum(found.values())
    return found | {"prompt": len(tokenizer.ids(row.text)) - trained}


def _said(message: TrainingMessage) -> tuple[str, bool]:
    """The words of a reply beside its calls, and whether it has calls, also where they are written in words."""
    if message.calls:
        return message.content, True
    read = called_by_schema(ChatReply(content=message.content))
    return read.content, bool(read.calls)

"""What a rollout of any recipe leaves in the journal: a dialogue as the line it will be, and why it is rejected."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from callwright.records.codec import to_line
from callwright.records.dialogue import SCHEMA_VERSION, Dialogue
from callwright.records.issue import Issue
from callwright.records.judgement import Judgement


class Finished(msgspec.Struct, frozen=True, array_like=True):
    """One finished dialogue; kept where there is no issue."""

    line: bytes
    issues: tuple[Issue, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    """What critics said of it, for and against; empty where none was asked."""

    @property
    def rejected_line(self) -> bytes:
        """The line of `rejected.jsonl`: the dialogue with every reason."""
        return to_line(_RejectedLine(msgspec.Raw(self.line), self.issues))


class _RejectedLine(msgspec.Struct, frozen=True):
    """`callwright.store.dataset.Rejected`, with the dialogue encoded already."""

    dialogue: msgspec.Raw
    issues: tuple[Issue, ...]
    schema_version: int = SCHEMA_VERSION


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Finished)


def encode_finished(dialogue: Dialogue, issues: Iterable[Issue], *, judgements: tuple[Judgement, ...] = ()) -> bytes:
    """Return what the journal keeps."""
    return _encoder.encode(Finished(to_line(dialogue), tuple(issues), judgements))


def decode_finished(value: bytes) -> Finished:
    """Return what `encode_finished` was given."""
    return _decoder.decode(value)

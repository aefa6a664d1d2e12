"""`callwright score multiwoz`: the standard evaluation of recorded outputs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec
from msgspec import Meta

from callwright.errors import BadInput
from callwright.papers.paper import OutputScorer
from callwright.protocol.output_score import RecordedScore

if TYPE_CHECKING:
    from callwright.papers.fnctod.multiwoz_score import MultiwozScore
    from callwright.papers.fnctod.recorded_outputs import Unmatched

_FILE: Final = {"metavar": "FILE"}
_NAMED: Final = 5
"""Most missing or surplus dialogues that are named in words; the JSON document names all."""


class MultiwozScoringOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Goals, database and references that outputs are scored against."""

    data: Annotated[
        str | None,
        Meta(description="Dialogues of MultiWOZ 2.1: goals, bookings and states; may be a zip.", extra=_FILE),
    ] = None
    db: Annotated[
        str | None, Meta(description="Folder of the database, with restaurant_db.json.", extra={"metavar": "FOLDER"})
    ] = None
    domains: Annotated[
        Literal["given", "slots", "estimated"] | None,
        Meta(
            description="Active domains of a turn: the record's, those its placeholders begin with, or the one whose "
            "state changed.  [default: the record's where all turns have them, else estimated]"
        ),
    ] = None
    references: Annotated[
        str | None, Meta(description="Reference responses for BLEU: {dialogue: [text, ...]}.", extra=_FILE)
    ] = None


def score(outputs: Path, options: MultiwozScoringOptions) -> RecordedScore:
    """Return the standard evaluation of a file of outputs. Raises BadInput."""
    from callwright.papers.fnctod import multiwoz_score, recorded_outputs
    from callwright.papers.fnctod.multiwoz_layout import read_goals
    from callwright.papers.fnctod.venue_database import read_database

    if options.data is None or options.db is None:
        raise BadInput("--data or --db is missing. Name the dialogues of MultiWOZ 2.1 and the folder of its database.")
    references = None
    if options.references is not None:
        references = recorded_outputs.read_references(Path(options.references))
    read = recorded_outputs.read_outputs(outputs)
    data = multiwoz_score.ScoringData(read_goals(Path(options.data)), read_database(Path(options.db)), references)
    found, dialogues = multiwoz_score.score_outputs_on(read, data, options.domains)
    return RecordedScore(found, dialogues, tuple(_rows(found)))


def _rows(found: MultiwozScore) -> Iterator[tuple[str, ...]]:
    yield "", "Inform", "Success", "dialogues"
    for name, rates in found.by_domain.items():
        yield name, _number(rates.inform), _number(rates.success), f"{rates.dialogues:,}"
    yield "all", _number(found.inform), _number(found.success), f"{found.dialogues:,}"
    said = found.richness
    richness = (
        f"length {_number(said.avg_length)}, entropy {_number(said.entropy, 2)} bits, conditional "
        f"{_number(said.cbe, 2)} bits, MSTTR-50 {_number(said.msttr, 2)}, distinct 1-, 2-, 3-grams {said.unique_1:,}, "
        f"{said.unique_2:,}, {said.unique_3:,}"
    )
    yield (richness,)
    yield (f"BLEU {_number(found.bleu)}{f' ({found.why})' if found.why else ''}",)
    states = "" if "|states:recorded|" in found.signature else ", with gold states, because some turn has none"
    yield (f"{found.turns:,} turns scored{states}",)
    yield from _unmatched("missing", found.missing)
    yield from _unmatched("surplus", found.extra)
    if found.unknown_placeholders:
        counts = ", ".join(f"[{name}] {count:,}" for name, count in found.unknown_placeholders.items())
        yield (f"unknown placeholders, which become empty: {counts:.1000}",)
    yield (found.signature,)


def _number(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _unmatched(what: str, found: tuple[Unmatched, ...]) -> Iterator[tuple[str, ...]]:
    if found:
        whole, turns = sum(one.whole for one in found), sum(one.turns for one in found)
        named = ", ".join(f"{one.dialogue} ({one.turns})" for one in found[:_NAMED])
        more = f" and {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
        yield (f"{what}: {whole:,} whole dialogues, {turns:,} turns in all: {named}{more}",)


OUTPUT_SCORER: Final = OutputScorer(
    "PATH is a file `{dialogue: [{response, state, active_domains}, ...]}` of delexicalised responses on MultiWOZ; "
    "`state` and `active_domains` may be absent. Inform, Success and richness are those of the standard evaluation. "
    "Where some turn has no state, the gold states of version 2.1 stand in for all; the standard takes those of 2.2, "
    "so systems without states may differ by .2.",
    MultiwozScoringOptions,
    score,
)

"""The shape of `diaforge` dialogues: for the card of a dataset and for `callwright measure` (figures 5 to 7, C.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from callwright.measure.shape import SPREAD_NOTE, Statistics, exchanges, spread
from callwright.papers.diaforge.user_policy import plan_behind
from callwright.protocol.dataset_measures import MeasureGroup, mean_row
from callwright.records.annotations.diaforge_notes import DiaforgeNotes
from callwright.records.dialogue import Dialogue
from callwright.records.measurement import Measurement
from callwright.records.tool import Tool


class ShapeValues(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers of dialogues, in their order: one for each dialogue that records it.

    `exchanges` are of all dialogues, `no_tool_share` of those of this recipe, the others of those in which a tool fits;
    `parameters` and `required_share` only where the gold tool is shown and in the catalogue,
    `plain_share` only where the dialogue holds its scenario.
    """

    exchanges: list[int]
    """User turns (figure 5)."""
    parameters: list[int]
    """Documented parameters of the gold tool (figure 6)."""
    selection_turns: list[int]
    """Assistant turns spent on telling tools apart (figure 7)."""
    filling_turns: list[int]
    """Assistant turns spent on asking for values (figure 7)."""
    distractors: list[int]
    """Distractors in the candidate pool (C.5)."""
    overlap: list[float]
    """Mean composite similarity of the gold tool to the rest of the pool, in [0, 1] (C.5)."""
    near_duplicate_share: list[bool]
    """Whether the pool has a near-duplicate of the gold tool (C.5)."""
    required_share: list[bool]
    """Whether the gold tool has required parameters (C.5)."""
    plain_share: list[bool]
    """Whether the first request is in the gold tool's own words, as no vague one retrieved that tool."""
    no_tool_share: list[bool]
    """Whether no tool fits."""
    unverified: int = 0
    """Values called rightly that neither rules nor a checker find in the user's words; only where models played."""
    quoted: int = 0
    """Values that a checker found and quoted."""
    remarked: int = 0
    """Dialogues with remarks of rules."""


def shape_values(dialogues: Iterable[Dialogue], tools: Mapping[str, Tool]) -> ShapeValues:
    """Return what the dialogues record; `tools` by key. The dialogues are read one at a time."""
    counts: list[int] = []
    no_tool: list[bool] = []
    fitting: list[DiaforgeNotes] = []
    plain: list[bool] = []
    golds: list[Tool] = []
    unverified = quoted = remarked = 0
    for dialogue in dialogues:
        counts.append(exchanges(dialogue))
        notes = dialogue.annotation
        if not isinstance(notes, DiaforgeNotes):
            continue
        no_tool.append(not notes.tool_fits)
        unverified += len(notes.unverified)
        quoted += sum(bool(one.quote) for one in notes.disclosed)
        remarked += bool(notes.remarks)
        if notes.tool_fits:
            fitting.append(notes)
            plan = plan_behind(dialogue)
            plain += [not plan.requests] if plan and dialogue.provenance.author == "offline" else []
            golds += [tools[one.key] for one in dialogue.tools if one.name == notes.gold_tool and one.key in tools][:1]
    return ShapeValues(
        exchanges=counts,
        parameters=[len(tool.properties) for tool in golds],
        selection_turns=[notes.selection_turns for notes in fitting],
        filling_turns=[notes.filling_turns for notes in fitting],
        distractors=[len(notes.distractors) for notes in fitting],
        overlap=[notes.overlap for notes in fitting],
        near_duplicate_share=[notes.near_duplicates > 0 for notes in fitting],
        required_share=[bool(tool.required) for tool in golds],
        plain_share=plain,
        no_tool_share=no_tool,
        unverified=unverified,
        quoted=quoted,
        remarked=remarked,
    )


def diaforge_statistics(dialogues: Iterable[Dialogue], tools: Mapping[str, Tool]) -> Statistics:
    """Return the table of shapes in the card of a `diaforge` dataset; `tools` by key."""
    values = shape_values(dialogues, tools)
    rows: list[tuple[str, str]] = [
        ("exchanges per dialogue", spread(values.exchanges)),
        ("parameters of the gold tool", spread(values.parameters)),
        ("assistant turns to choose the tool", spread(values.selection_turns)),
        ("assistant turns to ask for values", spread(values.filling_turns)),
        ("distractors in the candidate pool, mean", _mean(values.distractors, ".2f")),
        ("similarity of the gold tool to the rest of the pool, mean", _mean(values.overlap, ".2f")),
        ("dialogues with a near-duplicate in the pool", _mean(values.near_duplicate_share, ".1%")),
        ("dialogues whose gold tool has required parameters", _mean(values.required_share, ".1%")),
        ("dialogues that open in the gold tool's own words", _mean(values.plain_share, ".1%")),
        ("dialogues in which no tool fits", f"{sum(values.no_tool_share):,}"),
    ]
    if values.quoted:
        rows.append(("values that rules do not find in the user's words and a checker quotes", f"{values.quoted:,}"))
    if values.unverified:
        rows.append(("values called rightly that nobody finds in the user's words", f"{values.unverified:,}"))
    if values.remarked:
        rows.append(("dialogues with remarks of rules", f"{values.remarked:,}"))
    return Statistics(tuple(rows), f"{SPREAD_NOTE} Similarities are defined in DiaFORGE, appendix A.4. {_POOL_RULE}")


_POOL_RULE: Final = (
    "A candidate pool is the gold tool with its nearest others by the encoder (at most `distractors`, each with a "
    "cosine above 0), shuffled. The same encoder, asked with the opening, returned the gold tool within "
    "the first `distractors` + 1; an opening was made anew up to five times. Where "
    "no vague opening does that, the user asks in the tool's own words."
)


def _mean(numbers: Sequence[float], layout: str) -> str:
    return format(sum(numbers) / len(numbers), layout) if numbers else "-"


_LABELS: Final = {
    "parameters": "parameters of the gold tool",
    "selection_turns": "turns to choose the tool",
    "filling_turns": "turns to ask for values",
    "distractors": "distractors in the pool",
    "overlap": "similarity of gold tool and pool",
    "near_duplicate_share": "with a near-duplicate in the pool",
    "required_share": "with required parameters",
    "plain_share": "opened in the gold tool's own words",
    "no_tool_share": "where no tool fits",
}


def _rows(dialogues: Sequence[Dialogue], tools: Mapping[str, Tool]) -> Iterator[Measurement]:
    values = shape_values(dialogues, tools)
    return (mean_row(metric, getattr(values, metric), of=len(dialogues)) for metric in _LABELS)


MEASURES: Final = MeasureGroup("shape", _LABELS, _rows)
"""These metrics stand beside the exchanges of any dataset."""

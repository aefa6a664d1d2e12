"""The scores of both protocols, from recorded transcripts to the rows of a report, and its tables (appendix C.1).

Rows come for the whole (`slice` is `{}`) and, for the tool metrics, for each line of business of the gold tool.
Dialogues in which no tool fits are part of neither: they are the slice `{"tool_fits": "no"}`, with Acc, FTR and TAR.
Where a live user took part, the slice `{"user_unsure": "no"}` has the transcripts in which the user understood all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from callwright.errors import BadInput
from callwright.match.leniency import Leniency, leniency_of, signature
from callwright.measure.diversity import Diversity, diversity_of
from callwright.papers.diaforge.tool_metrics import (
    TOOL_METRICS,
    WHY_EMPTY,
    ToolCounts,
    first_calls,
    fits_a_tool,
    gold_calls,
    tool_counts,
)
from callwright.protocol import JudgedTask, Panel
from callwright.protocol.scoring import NO_JUDGE, WHOLE, RowCounts, Scoring, Slice, in_order, known_dialogue
from callwright.records.dialogue import Call, Dialogue
from callwright.records.jsontext import Json
from callwright.records.tool import Tool
from callwright.records.transcript import LiveUser, Row, Transcript, UserFault
from callwright.stats.intervals import Interval, linear_interval, ratio_interval

NO_TOOL: Final[Slice] = (("tool_fits", "no"),)
UNDERSTOOD: Final[Slice] = (("user_unsure", "no"),)
NO_TOOL_METRICS: Final = ("acc", "ftr", "tar")
MATCH: Final = "coerced_near"
"""How values are compared where nobody says otherwise; `coerced` is the paper's (appendix C.1)."""


class _Part(msgspec.Struct, kw_only=True):
    """The transcripts of one slice, gathered."""

    counts: dict[str, ToolCounts] = {}
    texts: dict[str, list[str]] = {}
    n_failed: int = 0
    n_excluded: int = 0
    user_faults: list[tuple[UserFault, ...]] = []
    """Of each transcript."""
    skipped: Counter[str] = msgspec.field(default_factory=Counter)


def score(
    dialogues: Mapping[str, Dialogue],
    tools: Mapping[str, Tool],
    transcripts: Iterable[Transcript],
    *,
    failed: Sequence[str] = (),
    scoring: Scoring,
) -> list[Row]:
    """Return the rows of one run: dialogues by id, tools by key, and the ids of dialogues whose rollouts failed.

    The option `match` names how the values of a call are compared, by default `MATCH`. Raises BadInput for a
    transcript or failure of a dialogue that is not there.
    """
    leniency = leniency_of(str(scoring.options.get("match", MATCH)))
    parts = _gather(dialogues, tools, transcripts, failed, leniency)
    rows = list(_whole_rows(parts.pop(WHOLE, _Part()), scoring))
    for slice_, part in sorted(parts.items()):
        names = NO_TOOL_METRICS if slice_ == NO_TOOL else tuple(TOOL_METRICS)
        rows += _tool_rows(part, slice_, names, scoring)
    return rows


def judge(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], options: Mapping[str, Json]
) -> tuple[JudgedTask, ...]:
    """Return what one transcript adds to the tool metrics, and its first error. Raises BadInput for one of no use."""
    if why := _unmeasurable(dialogue, tools):
        raise BadInput(f"dialogue {dialogue.id}: {why}.")
    shown = {tool.name: tools[tool.key] for tool in dialogue.tools if tool.key in tools}
    counts = tool_counts(dialogue, transcript, shown, leniency=leniency_of(str(options.get("match", MATCH))))
    sums = {name: (getattr(counts, top), getattr(counts, bottom)) for name, (top, bottom) in TOOL_METRICS.items()}
    calls = first_calls(dialogue, transcript.turns)
    error = _first_error(dialogue, calls, shown, is_right=bool(counts.correct))
    return (JudgedTask(error=error, calls=calls, sums=sums if fits_a_tool(dialogue) else {}),)


def _first_error(dialogue: Dialogue, calls: tuple[Call, ...], tools: Mapping[str, Tool], *, is_right: bool) -> str:
    """Return the class of what is wrong with the calls of t†, the most serious first; empty where they are right."""
    if is_right:
        return ""
    golds = {gold.tool for gold in gold_calls(dialogue)}
    if not calls:
        return "no_call"
    if not golds:
        return "call_where_none_fits"
    if any(call.tool not in tools for call in calls):
        return "unknown_tool"
    if any(call.tool not in golds for call in calls):
        return "wrong_tool"
    return "several_calls" if len(calls) > 1 else "wrong_arguments"


def _gather(
    dialogues: Mapping[str, Dialogue],
    tools: Mapping[str, Tool],
    transcripts: Iterable[Transcript],
    failed: Sequence[str],
    leniency: Leniency,
) -> dict[Slice, _Part]:
    slices = {id_: _slices_of(dialogue, tools) for id_, dialogue in dialogues.items()}
    if not any(dict(slice_).get("domain") for own in slices.values() for slice_ in own):
        slices = {id_: own[:1] for id_, own in slices.items()}  # a catalogue without domains has no such slices
    parts: dict[Slice, _Part] = {}
    for dialogue, transcript in in_order(transcripts, dialogues):
        own = slices[dialogue.id]
        if own[0] == WHOLE and isinstance(transcript.annotation, LiveUser) and not transcript.annotation.unsure:
            own = (*own, UNDERSTOOD)
        _add(dialogue, transcript, tools, leniency, [parts.setdefault(slice_, _Part()) for slice_ in own])
    for id_ in failed:
        for slice_ in slices[known_dialogue(id_, dialogues).id]:
            parts.setdefault(slice_, _Part()).n_failed += 1
    return parts


def _slices_of(dialogue: Dialogue, tools: Mapping[str, Tool]) -> tuple[Slice, ...]:
    if not fits_a_tool(dialogue):
        return (NO_TOOL,)
    golds = {gold.tool for gold in gold_calls(dialogue)}
    keys = [shown.key for shown in dialogue.tools if shown.name in golds]
    domain = tools[keys[0]].domain if keys and keys[0] in tools else ""
    return (WHOLE, (("domain", domain),))


def _add(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], leniency: Leniency, parts: list[_Part]
) -> None:
    why = _unmeasurable(dialogue, tools)
    for part in parts:
        part.user_faults.append(transcript.faults)
        if transcript.faults:
            part.n_excluded += 1
        elif why:
            part.skipped[why] += 1
    if transcript.faults or why:
        return
    shown = {tool.name: tools[tool.key] for tool in dialogue.tools if tool.key in tools}
    counts = tool_counts(dialogue, transcript, shown, leniency=leniency)
    assistants = {who.id for who in dialogue.participants if who.role == "assistant"}
    said = [turn.text for turn in transcript.turns if turn.speaker in assistants]
    for part in parts:
        before = part.counts.get(dialogue.id)
        part.counts[dialogue.id] = counts if before is None else before + counts
        part.texts.setdefault(dialogue.id, []).extend(said)


def unmeasured(dialogue: Dialogue) -> str:
    """Return why the tool metrics cannot measure a dialogue, whatever tools are known; empty where they can."""
    return "not one gold call" if fits_a_tool(dialogue) and len(gold_calls(dialogue)) != 1 else ""


def _unmeasurable(dialogue: Dialogue, tools: Mapping[str, Tool]) -> str:
    """Why the tool metrics cannot be computed for a dialogue; empty when they can."""
    why = unmeasured(dialogue)
    if why or not fits_a_tool(dialogue):
        return why
    golds = gold_calls(dialogue)
    if not any(tool.name == golds[0].tool and tool.key in tools for tool in dialogue.tools):
        return "the gold tool is not among the dialogue's tools"
    return ""


def _whole_rows(part: _Part, scoring: Scoring) -> Iterator[Row]:
    yield from _tool_rows(part, WHOLE, tuple(TOOL_METRICS), scoring)
    if part.n_excluded:
        yield from _user_rows(part, scoring)
    row = _row(part, WHOLE, "conv_rel", Interval(None, why=NO_JUDGE), "judge:none", scoring)
    yield msgspec.structs.replace(row, n=0, n_skipped=row.n + row.n_skipped)
    for metric, (diversity, options) in diversity_of(list(part.texts.values())).items():
        options = f"{options}|{scoring.bootstrap},linear"
        yield _row(part, WHOLE, metric, _lexical_interval(diversity, scoring), options, scoring)


def _user_rows(part: _Part, scoring: Scoring) -> Iterator[Row]:
    """Yield the shares of transcripts that are excluded because the user helped the model, or hindered it.

    With a judge also by who found a fault: where rules did in the last wording, no judge was asked.
    """
    shares = {
        "user_helped": [any(fault.helps for fault in faults) for faults in part.user_faults],
        "user_hindered": [not all(fault.helps for fault in faults) for faults in part.user_faults],
    }
    if "|judge:" in scoring.roles:
        for who in ("rules", "judge"):
            shares[f"user_by_{who}"] = [any(fault.by == who for fault in faults) for faults in part.user_faults]
    for metric, some in shares.items():
        resamples, seed = scoring.resamples, scoring.bootstrap_seed
        interval = ratio_interval([*map(int, some)], [1] * len(some), resamples=resamples, seed=seed)
        row = _row(part, WHOLE, metric, interval, scoring.bootstrap, scoring)
        yield msgspec.structs.replace(row, n=len(some), n_excluded=0)


def _lexical_interval(diversity: Diversity, scoring: Scoring) -> Interval:
    if diversity.value is None:
        return Interval(None, why=diversity.why)
    return linear_interval(
        diversity.value, diversity.influences, resamples=scoring.resamples, seed=scoring.bootstrap_seed
    )


def _tool_rows(part: _Part, slice_: Slice, metrics: Sequence[str], scoring: Scoring) -> Iterator[Row]:
    for metric in metrics:
        top, bottom = TOOL_METRICS[metric]
        interval = ratio_interval(
            [getattr(counts, top) for counts in part.counts.values()],
            [getattr(counts, bottom) for counts in part.counts.values()],
            resamples=scoring.resamples,
            seed=scoring.bootstrap_seed,
        )
        if interval.value is None:
            interval = Interval(None, why=WHY_EMPTY[bottom])
        match = signature(leniency_of(str(scoring.options.get("match", MATCH))))
        options = (f"{match}|" if metric == "acc" else "") + scoring.bootstrap
        yield _row(part, slice_, metric, interval, options, scoring)


def _row(part: _Part, slice_: Slice, metric: str, interval: Interval, options: str, scoring: Scoring) -> Row:
    pool = scoring.options.get("pool", "dialogue")
    options = options if pool == "dialogue" else f"pool:{pool}|{options}"
    skipped = "; ".join(f"{count} skipped: {why}" for why, count in sorted(part.skipped.items()))
    return scoring.row(
        metric,
        slice_,
        interval,
        RowCounts(len(part.counts), part.n_failed, part.skipped.total(), part.n_excluded),
        options=options,
        why=(interval.why, skipped),
    )


_TOOL_CALLS: Final = (
    ("acc", "Acc ↑"),
    ("ftr", "FTR ↓"),
    ("tar", "TAR ↓"),
    ("tcp", "TCP ↑"),
    ("tcr", "TCR ↑"),
    ("pkp", "PKP ↑"),
    ("pkr", "PKR ↑"),
)
_LANGUAGE: Final = (
    ("conv_rel", "ConvRel"),
    ("ttr", "TTR"),
    ("mattr", "MATTR"),
    ("ngd_2", "NGD 2"),
    ("ngd_3", "NGD 3"),
    ("ngd_4", "NGD 4"),
)

PANELS: Final = (
    Panel("Tool calls", _TOOL_CALLS),
    Panel(
        "Where no tool fits (right is to say so)",
        _TOOL_CALLS[:3],
        slice="tool_fits",
    ),
    Panel("Tool calls where the user understood every message", _TOOL_CALLS, slice="user_unsure"),
    Panel("Excluded: the user", (("user_helped", "helped the model"), ("user_hindered", "hindered it"))),
    Panel("Excluded: a fault found by", (("user_by_rules", "rules"), ("user_by_judge", "the judge"))),
    Panel("What the assistant said", _LANGUAGE, digits=3),
)

NOTE: Final = (
    "Acc: the first call is the gold call. FTR: calls of other tools, for each dialogue; it may exceed 1. TAR: "
    "dialogues without a call. TCP, TCR: precision and recall of tools; PKP, PKR: of parameters. TTR and NGD fall as a "
    "corpus grows, MATTR only where trials repeat a dialogue."
)

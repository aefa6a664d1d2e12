"""DICE-SCORE as a measure of dialogues of any kind, single-turn ones included.

A dialogue without a gold call has nothing to find and is skipped. One in which nothing is mentioned scores 0, and is
counted: a mean would hide that its calls cannot be known from its words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from callwright.engine.collecting import collecting_rarely
from callwright.measure.item_mentions import VERSION, call_items, count_mentions
from callwright.papers.dice.dice_formula import dice_score
from callwright.papers.dice.judge_counter import VERSION as JUDGE_VERSION
from callwright.papers.dice.judge_counter import count_questions
from callwright.protocol.dataset_measures import JudgedCounting, MeasureGroup
from callwright.protocol.scoring import data_digest
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.dialogue import Dialogue
from callwright.records.measurement import Measurement
from callwright.records.tool import Tool
from callwright.stats.intervals import DEFAULT_RESAMPLES, Interval, mean_interval

OPTIONS: Final = f"counter:{VERSION}|assistant:left-out|alpha:e^2"
NO_CALL: Final = "no gold call, or nobody speaks"
NO_GOLD: Final = "no gold call"
NOBODY: Final = "nobody speaks"
NO_COUNTS: Final = "every judgement failed"


class ScoredDialogue(msgspec.Struct, frozen=True, kw_only=True):
    """The score of one dialogue."""

    id: str
    score: float
    counts: tuple[int, ...]
    """For each utterance how many items it mentions."""
    total: int
    """Items to find."""
    length: int
    """Rounds: tasks with gold calls."""
    party: int
    """People who take part."""


class DiceMean(msgspec.Struct, frozen=True):
    """A mean over so many dialogues."""

    mean: float
    n: int


class DiceDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The output of `measure --only dice-score --json`."""

    mean: float | None
    by_length: dict[str, DiceMean]
    by_party: dict[str, DiceMean]
    items: tuple[ScoredDialogue, ...]
    n_unmentioned: int
    """Dialogues that mention no item: they score 0."""
    n_skipped: int
    """Dialogues without a gold call or without a speaker: T or n is 0, which is no score."""
    skipped: dict[str, int]
    """Why, with the number of dialogues."""
    n_failed: int
    """Dialogues whose counts could not be had; the surface counter never fails."""
    signature: str


@collecting_rarely()
def scored(dialogues: Sequence[Dialogue], tools: Mapping[str, Tool]) -> tuple[ScoredDialogue, ...]:
    """Return the scores of the dialogues that have gold calls and utterances, in their order; `tools` by key."""
    return tuple(found for one in dialogues if (found := _scored(one, tools)) is not None)


def _scored(
    dialogue: Dialogue, tools: Mapping[str, Tool], counts: tuple[int, ...] | None = None
) -> ScoredDialogue | None:
    """The score of a dialogue, of these counts or of the surface counter's; None where nothing is to be found."""
    called = {gold.tool for task in dialogue.tasks for gold in task.gold}
    own = msgspec.structs.replace(dialogue, tools=tuple(one for one in dialogue.tools if one.name in called))
    shown = {tool.name: tool for tool in shown_tools(own, tools)}
    if counts is None:
        found = count_mentions(dialogue, shown)
        counts, total = found.counts, len(found.items)
    else:
        total = len(call_items(dialogue, shown))
    if not counts or not total:
        return None
    return ScoredDialogue(
        id=dialogue.id,
        score=dice_score(counts, total),
        counts=counts,
        total=total,
        length=sum(bool(task.gold) for task in dialogue.tasks),
        party=sum(who.role == "user" for who in dialogue.participants),
    )


def document(dialogues: Sequence[Dialogue], tools: Mapping[str, Tool]) -> DiceDocument:
    """Return the scores of dialogues with their means by length and by party."""
    return _document(dialogues, scored(dialogues, tools), 0, OPTIONS)


def counted(
    dialogues: Sequence[Dialogue], tools: Mapping[str, Tool], counts: Mapping[str, Sequence[float | None]], judge: str
) -> tuple[DiceDocument, list[Measurement]]:
    """Return document and rows from a judge's counts by id of the dialogue, in the order of its utterances.

    A dialogue with a count of None has failed; it has no score.
    """
    by_id = {one.id: one for one in dialogues}
    whole = {id_: [int(one) for one in own if one is not None] for id_, own in counts.items() if own}
    found = tuple(
        one
        for id_, own in whole.items()
        if len(own) == len(counts[id_]) and (one := _scored(by_id[id_], tools, tuple(own))) is not None
    )
    options = OPTIONS.replace(f"counter:{VERSION}", f"counter:judge.v{JUDGE_VERSION},{judge}")
    failed = len(whole) - len(found)
    return _document(dialogues, found, failed, options), list(_all_rows(dialogues, found, failed, options))


def _document(
    dialogues: Sequence[Dialogue], found: Sequence[ScoredDialogue], failed: int, options: str
) -> DiceDocument:
    return DiceDocument(
        mean=sum(one.score for one in found) / len(found) if found else None,
        by_length=_means({one.id: str(one.length) for one in found}, found),
        by_party=_means({one.id: str(one.party) for one in found}, found),
        items=tuple(found),
        n_unmentioned=sum(not any(one.counts) for one in found),
        n_skipped=len(dialogues) - len(found) - failed,
        skipped=_skipped(dialogues),
        n_failed=failed,
        signature=f"dice_score.v1|{options}|data:{data_digest(dialogues)}",
    )


def _skipped(dialogues: Sequence[Dialogue]) -> dict[str, int]:
    """Why dialogues have no score by whatever counter, with their number."""
    why = Counter(
        NOBODY if any(task.gold for task in one.tasks) else NO_GOLD for one in dialogues if not _has_score(one)
    )
    return {name: why[name] for name in (NO_GOLD, NOBODY) if why[name]}


def _has_score(dialogue: Dialogue) -> bool:
    speaks = any(turn.text and dialogue.role(turn) == "user" for turn in dialogue.turns)
    return speaks and any(task.gold for task in dialogue.tasks)


def _means(places: Mapping[str, str], found: Sequence[ScoredDialogue]) -> dict[str, DiceMean]:
    groups: dict[str, list[float]] = {}
    for one in sorted(found, key=lambda one: int(places[one.id])):
        groups.setdefault(places[one.id], []).append(one.score)
    return {name: DiceMean(sum(scores) / len(scores), len(scores)) for name, scores in groups.items()}


def _rows(dialogues: Sequence[Dialogue], tools: Mapping[str, Tool]) -> Iterator[Measurement]:
    yield from _all_rows(dialogues, scored(dialogues, tools), 0, OPTIONS)


def _all_rows(
    dialogues: Sequence[Dialogue], found: Sequence[ScoredDialogue], failed: int, options: str
) -> Iterator[Measurement]:
    whole = _row({}, found, skipped=len(dialogues) - len(found) - failed, options=options)
    said = [f"{why} in {count:,}" for why, count in _skipped(dialogues).items()]
    detail = "; ".join([whole.detail, *said] if whole.detail else said)
    why = NO_COUNTS if failed and not found else whole.why
    yield msgspec.structs.replace(whole, n_failed=failed, why=why, detail=detail)
    for name in ("length", "party"):
        for value in sorted({getattr(one, name) for one in found}):
            yield _row(
                {name: str(value)}, [one for one in found if getattr(one, name) == value], skipped=0, options=options
            )


def _row(slice_: dict[str, str], found: Sequence[ScoredDialogue], *, skipped: int, options: str) -> Measurement:
    interval = mean_interval([one.score for one in found]) if found else Interval(None, why=NO_CALL)
    silent = sum(not any(one.counts) for one in found)
    return Measurement(
        data="",
        metric="dice_score",
        slice=slice_,
        value=interval.value,
        low=interval.low,
        high=interval.high,
        n=len(found),
        n_skipped=skipped,
        detail=f"{silent:,} mention nothing" if silent else "",
        why=interval.why,
        signature=f"{options}|bootstrap:{DEFAULT_RESAMPLES},0",
    )


MEASURES: Final = MeasureGroup(
    "dice",
    {"dice_score": "DICE-SCORE"},
    _rows,
    "Dispersion of what calls need over the utterances",
    "DICE-SCORE counts mentions by rules (`surface`) or by a judge; the published means come from a model's counts.",
    document=document,
    counting=JudgedCounting(count_questions, counted),
)

"""The rows of end-to-end runs: Inform, Success, BLEU, and their combination, as the standard evaluation counts them.

A response is delexicalised: one equal to the recorded response by its labels, any other by the database alone. Goals,
bookings and references of BLEU are those of the dataset; active domains are estimated from the tracked states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from callwright.errors import BadInput
from callwright.papers.fnctod.active_domains import estimated_domains
from callwright.papers.fnctod.canonical_values import State
from callwright.papers.fnctod.delexicalised import PlaceholderRecall, booked_references, delexicalised, recall
from callwright.papers.fnctod.domain_functions import DONTCARE
from callwright.papers.fnctod.goal_success import DomainGoal, GoalOutcome, GoalTurn, outcome
from callwright.papers.fnctod.multiwoz_layout import goals_of
from callwright.papers.fnctod.placeholder_text import ResponseNormaliser
from callwright.papers.fnctod.state_updates import OPEN, Tracked, state_calls, updated
from callwright.papers.fnctod.tracking_turns import raw_choices, tracked_turns, tracking_tools
from callwright.papers.fnctod.venue_database import VenueDatabase, read_database
from callwright.protocol import JudgedTask, Panel
from callwright.protocol.ratio_sums import RatioSums
from callwright.protocol.scoring import WHOLE, RowCounts, Scoring, Slice, in_order
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.annotations.state_notes import StateNotes
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json, decode
from callwright.records.tool import Tool
from callwright.records.transcript import Row, Transcript
from callwright.stats.corpus_bleu import corpus_bleu
from callwright.stats.intervals import Interval

PANELS: Final = (
    Panel(
        "End to end",
        (
            ("inform", "Inform ↑"),
            ("success", "Success ↑"),
            ("bleu", "BLEU ↑"),
            ("combined", "combined ↑"),
            ("placeholder_recall", "placeholders found"),
        ),
        digits=3,
    ),
    Panel("End to end by domain", (("inform", "Inform ↑"), ("success", "Success ↑")), digits=3, slice="domain"),
)

NOTE: Final = (
    "Inform, Success and BLEU are shares here; combined is (Inform + Success) / 2 + BLEU. References of BLEU are the "
    "dataset's own responses, delexicalised, so it is not comparable with numbers on the references of version 2.2. "
    "Placeholders found: identifying values of recorded responses' acts that became placeholders."
)


class EndToEnd(NamedTuple):
    """The outcome of one dialogue."""

    outcome: GoalOutcome
    responses: tuple[str, ...]
    references: tuple[str, ...]
    recall: PlaceholderRecall


@lru_cache(maxsize=4)
def database_at(folder: str) -> VenueDatabase:
    """Return the database in a folder. Raises BadInput."""
    if not folder:
        raise BadInput("--db is missing. Name the folder of MultiWOZ's database, with restaurant_db.json.")
    return read_database(Path(folder))


def notes_with_goal(dialogue: Dialogue) -> tuple[StateNotes, dict[str, DomainGoal]]:
    """Return the labels of a dialogue, and its goal by domain. Raises BadInput for a dialogue without a goal."""
    notes = dialogue.annotation
    if not isinstance(notes, StateNotes) or notes.goal is None:
        raise BadInput(f"dialogue {dialogue.id}: no goal. Make the dataset with `callwright read multiwoz` from 2.1.")
    return notes, goals_of(decode(notes.goal), dialogue.id)


def end_to_end(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], database: VenueDatabase
) -> EndToEnd:
    """Return what became of a dialogue; `tools` are by domain."""
    notes, goal = notes_with_goal(dialogue)
    if len(transcript.turns) < len(dialogue.turns):
        raise BadInput(f"dialogue {dialogue.id}: its transcript lacks turns. Run the evaluation again.")
    normalise = ResponseNormaliser()
    choices = raw_choices(tools)
    state: Tracked = {}
    states: list[State] = []
    booked: list[list[str]] = []
    responses, references, found, values = [], [], 0, 0
    for turn in tracked_turns(dialogue, transcript):
        state = updated(state, state_calls(turn.calls, tools), OPEN, choices).state
        states.append(_constraints(state))
        known = notes.turns[turn.turn].states
        booked.append([one.domain for one in known if one.booked])
        numbers = [number for one in known for number in booked_references(one.booked)]
        labels, recorded = notes.turns[turn.turn + 1], dialogue.turns[turn.turn + 1].text
        reference = delexicalised(recorded, labels, database, numbers)
        said = transcript.turns[turn.turn + 1].text
        response = reference if said == recorded else delexicalised(said, None, database, numbers)
        part = recall(reference, labels.acts)
        found, values = found + part.found, values + part.values
        responses.append(normalise(response))
        references.append(normalise(reference))
    turns = map(GoalTurn, responses, states, estimated_domains(states), booked)
    return EndToEnd(
        outcome(goal, turns, database), tuple(responses), tuple(references), PlaceholderRecall(found, values)
    )


def _constraints(state: Tracked) -> State:
    kept: State = {
        name: {slot: value for slot, value in slots.items() if value != DONTCARE} for name, slots in state.items()
    }
    return {name: slots for name, slots in kept.items() if slots}


def score(
    dialogues: Mapping[str, Dialogue],
    tools: Mapping[str, Tool],
    transcripts: Iterable[Transcript],
    *,
    failed: Sequence[str] = (),
    scoring: Scoring,
) -> list[Row]:
    """Return the rows of one run (see `Scorer`). Raises BadInput for a transcript of an unknown dialogue."""
    sums = RatioSums()
    lines: list[tuple[str, str]] = []
    folder = str(scoring.options.get("db") or "")
    for dialogue, transcript in in_order(transcripts, dialogues):
        functions = tracking_tools(shown_tools(dialogue, tools))
        found = end_to_end(dialogue, transcript, functions, database_at(folder))
        _add(sums, dialogue.id, found)
        lines += zip(found.responses, found.references, strict=True)
    sums.add_failed(failed, dialogues)
    bleu = corpus_bleu([one for one, _ in lines], [one for _, one in lines])
    return _rows(sums, None if bleu is None else bleu / 100, scoring)


def judge(
    dialogue: Dialogue, transcript: Transcript, tools: Mapping[str, Tool], options: Mapping[str, Json]
) -> tuple[JudgedTask, ...]:
    """Return the verdict on one dialogue."""
    database = database_at(str(options.get("db") or ""))
    found = end_to_end(dialogue, transcript, tracking_tools(shown_tools(dialogue, tools)), database).outcome
    sums = {"inform": (float(found.informed), 1.0), "success": (float(found.succeeded), 1.0)}
    error = "" if found.succeeded else "not_provided" if found.informed else "not_informed"
    return (JudgedTask(error=error, sums=sums),)


def _add(sums: RatioSums, name: str, found: EndToEnd) -> None:
    one = found.outcome
    sums.add(WHOLE, "inform", name, one.informed, 1)
    sums.add(WHOLE, "success", name, one.succeeded, 1)
    sums.add(WHOLE, "placeholder_recall", name, *found.recall)
    for domain in one.matched:
        slice_: Slice = (("domain", domain),)
        sums.add(slice_, "inform", name, one.matched[domain], 1)
        sums.add(slice_, "success", name, one.informed and one.served[domain], 1)


def _rows(sums: RatioSums, bleu: float | None, scoring: Scoring) -> list[Row]:
    places = [(WHOLE, "placeholder_recall")]
    places += [(slice_, metric) for slice_ in (WHOLE, *sums.slices("domain")) for metric in ("inform", "success")]
    rows = []
    for slice_, metric in places:
        interval = sums.interval(slice_, metric, resamples=scoring.resamples, seed=scoring.bootstrap_seed)
        rows.append(_row(sums, slice_, metric, interval, scoring))
    inform, success = (sums.interval(WHOLE, metric, resamples=1, seed=0).value for metric in ("inform", "success"))
    combined = None
    if bleu is not None and inform is not None and success is not None:
        combined = (inform + success) / 2 + bleu
    why = "no response was measured" if combined is None else ""
    rows.append(_row(sums, WHOLE, "bleu", Interval(bleu, why=why), scoring))
    rows.append(_row(sums, WHOLE, "combined", Interval(combined, why=why), scoring))
    return rows


def _row(sums: RatioSums, slice_: Slice, metric: str, interval: Interval, scoring: Scoring) -> Row:
    measured = sums.measured(slice_, metric if metric not in ("bleu", "combined") else "inform")
    return scoring.row(
        metric,
        slice_,
        interval,
        RowCounts(measured, sums.n_failed.total()),
        options=f"domains:estimated|references:own|tok:13a|{scoring.bootstrap}",
        why=(interval.why,),
    )

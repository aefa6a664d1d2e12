"""The content of each turn of a `tooldial` dialogue, before it has words."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from callwright.author.briefs import Known, Style, known_values
from callwright.catalog.chunks import Gloss
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, slots
from callwright.environment.asked_parameters import asked_slots, parameters
from callwright.environment.item_choice import ItemChoice
from callwright.environment.told_outcome import ResultOutcome, outcome_of
from callwright.papers.tooldial.scenario_plan import PlannedDialogue
from callwright.papers.tooldial.scenario_states import ActTurn
from callwright.records.annotations.tooldial_notes import IntentQuery
from callwright.records.jsontext import Json


class TurnBrief(msgspec.Struct, frozen=True, kw_only=True):
    """All that the wording of a turn may draw on; fields that its act does not need are empty."""

    act: str
    phase: str = ""
    style: Style = "verbose"
    tone: str = "plain"
    today: str = ""
    query: IntentQuery | None = None
    is_first: bool = False
    """Whether nothing was said before."""
    told: tuple[Known, ...] = ()
    """The values that the turn says."""
    asked: tuple[Slot, ...] = ()
    """The values that the turn asks for."""
    lacking: Slot | None = None
    """The value that the user cannot give."""
    gloss: Gloss | None = None
    """The suggested tool."""
    choice: ItemChoice | None = None
    outcome: ResultOutcome | None = None
    recent: tuple[str, ...] = ()
    """The speaker's last texts, whose openings are avoided."""
    heard: str = ""
    """The turn that this one answers."""


def brief_of(planned: PlannedDialogue, turn: ActTurn, query: IntentQuery | None) -> TurnBrief:
    """Return what a turn is about; `query` is the wish that a user's turn says."""
    plan, pair, drawn = planned.plan, planned.pair, planned.drawn
    style: Style = "terse" if plan.style == "terse" else "verbose"
    lacking = slots(pair.target)[pair.parameter] if pair.parameter else None
    brief = TurnBrief(
        act=turn.last,
        phase=turn.phase,
        style=style,
        tone=plan.tone,
        today=planned.scenario.today,
        query=query,
        lacking=lacking,
        choice=drawn.choice,
    )
    if turn.speaker == "user":
        return msgspec.structs.replace(brief, told=told_in(planned, turn))
    if turn.last == "response" and drawn.result is not None:
        return msgspec.structs.replace(brief, outcome=outcome_of(pair.target, drawn.values, drawn.result))
    return msgspec.structs.replace(brief, asked=_asked(planned, turn), gloss=gloss(pair.target))


def told_in(planned: PlannedDialogue, turn: ActTurn) -> tuple[Known, ...]:
    """Return the values that a user's turn says."""
    plan, pair, drawn = planned.plan, planned.pair, planned.drawn
    if turn.last == "inform_intent_clear_add":
        return known_values(pair.target, _only(drawn.values, plan.opened_with))
    if turn.last not in ("inform", "fail_inform"):
        return ()
    if turn.phase == "choice":
        return (drawn.choice.known,) if drawn.choice else ()
    if turn.phase == "of_source" and pair.source is not None:
        return known_values(pair.source, _only(drawn.source_values, plan.of_source))
    names = plan.first if turn.phase == "first" else plan.later
    return known_values(pair.target, _only(drawn.values, names))


def _only(values: dict[str, Json], names: Sequence[str]) -> dict[str, Json]:
    return {name: values[name] for name in names if name in values}


def _asked(planned: PlannedDialogue, turn: ActTurn) -> tuple[Slot, ...]:
    plan, pair = planned.plan, planned.pair
    if turn.last != "request":
        return ()
    if turn.phase == "of_source" and pair.source is not None:
        return asked_slots(pair.source, plan.of_source)
    if turn.phase == "later":
        return asked_slots(pair.target, plan.later)
    return asked_slots(pair.target, [name for name in parameters(pair.target) if name not in plan.opened_with])

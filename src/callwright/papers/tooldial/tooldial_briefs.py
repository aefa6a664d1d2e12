"""The content of each turn of a `tooldial` dialogue, before it has words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from callwright.author.briefs import Known, Style, known_values
from callwright.catalog.gloss import Gloss, gloss
from callwright.catalog.slots import Slot, slots
from callwright.environment.item_choice import ItemChoice
from callwright.environment.told_fields import STATES
from callwright.environment.told_outputs import outputs
from callwright.environment.told_results import is_secret, listed_field, listed_names, listed_noun, telling_fields
from callwright.environment.tool_target import own_field, target_of, told_places
from callwright.lang.nouns import slot_noun
from callwright.lang.phrases import as_spelled
from callwright.lang.schemas import name_words
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.papers.tooldial.scenario_plan import PlannedDialogue
from callwright.papers.tooldial.scenario_states import ActTurn
from callwright.papers.tooldial.sequence_shapes import asked_slots, parameters
from callwright.records.annotations.tooldial_notes import IntentQuery
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, decode, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

_LONGEST_ID: Final = 40
_MOST_NEWS: Final = 2
"""Fields that are told of what was done."""


class ResultOutcome(msgspec.Struct, frozen=True):
    """The facts of the last call that a response tells."""

    gloss: Gloss
    is_done: bool = False
    """Whether the call did something, in place of looking something up."""
    fields: tuple[Known, ...] = ()
    listed: tuple[str, ...] | None = None
    """None where the call lists nothing."""
    count: int = 0
    noun: str = ""


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


def outcome_of(tool: Tool, arguments: dict[str, Json], result: Result) -> ResultOutcome:
    """Return what a response tells: names of listed items, fields of a thing, or that an act is done."""
    said, target = gloss(tool), target_of(tool)
    value = decode(result.value) if result.value is not None else {}
    is_done = target.act in ("create", "change", "delete") or said.act not in LOOKUPS
    if is_done:
        told = (one for one in telling_fields(tool, arguments, value) if _is_news(one))
        made = () if target.act == "change" else _new_codes(tool, arguments, value)
        news = () if target.act == "delete" else (*made, *told)
        return ResultOutcome(said, is_done=True, fields=news[:_MOST_NEWS])
    items = [place for place in told_places(target, value) if place.role == "item"]
    fields = tuple(telling_fields(tool, arguments, value))
    if fields:
        return ResultOutcome(said, fields=fields)
    if not items and target.act != "list":
        return ResultOutcome(said, fields=_new_codes(tool, arguments, value))
    names, noun, count = listed_names(value, items)
    noun = listed_noun(target, noun) or " ".join(target.named)
    each = () if names else listed_field(items)
    return ResultOutcome(said, fields=each, listed=names, count=count, noun=as_spelled(noun, tool.description))


def _is_news(known: Known) -> bool:
    """Whether a field tells more than that the act is done: no state, no moment."""
    words = name_words(known.slot.name)
    return known.slot.kind not in ("datetime", "title") and STATES.isdisjoint(words[-1:])


def _new_codes(tool: Tool, arguments: dict[str, Json], value: Json) -> tuple[Known, ...]:
    """The identifiers that only the result has, such as that of what was created; at most one."""
    given = {str(one) for one in arguments.values()}
    noun = target_of(tool).noun
    for output in sorted(outputs(tool), key=lambda one: not own_field([one.name], noun)):  # its own one first
        found = resolve(value, output.pointer()) if output.kind == "code" and not output.is_listed else None
        is_short = isinstance(found, (str, int)) and 0 < len(str(found)) <= _LONGEST_ID
        if is_short and str(found) not in given and not is_secret(output.name):
            return (Known(Slot(output.name, slot_noun(output.name, ""), "code", output.schema, ""), encode(found)),)
    return ()

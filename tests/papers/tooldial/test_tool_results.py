"""A model plays the tools: what it is told, and what the plan needs of what it returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from callwright.environment.result_asking import PlannedResult, result_view
from callwright.environment.result_faults import replacing_faults
from callwright.papers.tooldial.recomputed_states import state_issues
from callwright.papers.tooldial.scenario_plan import ToolDialWorkshop
from callwright.papers.tooldial.scenario_states import act_turns
from callwright.papers.tooldial.tool_results import result_ahead, source_faults
from callwright.papers.tooldial.tooldial_cascade import act_issues, call_issues
from callwright.papers.tooldial.tooldial_options import ToolDialOptions
from callwright.papers.tooldial.tooldial_rollout import DialogueWriter
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Catalog, Tool
from tooldial_workshop import made, plan, workshop

PLANS = 46


class Moment(NamedTuple):
    """A dialogue before one of its calls."""

    writer: DialogueWriter
    ahead: PlannedResult
    index: int
    turn: int

    @property
    def is_source(self) -> bool:
        source = self.writer.planned.pair.source
        return source is not None and source.name == self.ahead.call.tool


def moments(plans: int = PLANS) -> Iterator[Moment]:
    """All calls of the first plans."""
    for index in range(plans):
        dialogue, planned = made(index).dialogue, plan(index)
        writer = DialogueWriter(planned, dialogue.provenance)
        for at, (turn, text) in enumerate(zip(act_turns(planned.plan.acts), dialogue.turns, strict=True)):
            for place in (nth for nth, act in enumerate(turn.acts) if act == "call"):
                yield Moment(writer, result_ahead(writer, turn, place), index, at)
            writer.begin(turn)
            writer.add(turn, text.text, [step.thought for step in text.steps])


def told(moment: Moment, value: Json) -> list[str]:
    """What a model is told of a result."""
    ahead = moment.ahead
    usual = replacing_faults(value, ahead.value, ahead.fixed, ahead.call, ahead.tools, ahead.before)
    return [one.told for one in (*usual, *source_faults(moment.writer.planned, ahead, value))]


def with_result(moment: Moment, value: Json) -> Dialogue:
    """The offline dialogue with another result of the call."""
    writer = DialogueWriter(
        workshop().with_result(moment.writer.planned, moment.ahead.call.tool, encode(value)),
        moment.writer.provenance,
    )
    for turn, text in zip(act_turns(writer.planned.plan.acts), made(moment.index).dialogue.turns, strict=True):
        writer.begin(turn)
        writer.add(turn, text.text, [step.thought for step in text.steps])
    return writer.dialogue()


def changed(value: Any) -> Iterator[Any]:
    """Values that differ from one in a single place."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield {key: kept for key, kept in value.items() if key != name}
            yield from ({**value, name: other} for other in changed(one))
    elif isinstance(value, list):
        yield from ([*value[:at], *value[at + 1 :]] for at in range(len(value)))
        yield from ([*value[:at], other, *value[at + 1 :]] for at, one in enumerate(value) for other in changed(one))
        yield value[::-1]
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield value + 1
    elif isinstance(value, str):
        yield f"{value[:-1]}{'1' if value[-1:] != '1' else '2'}"
        yield "Kestrel"


def test_the_plans_own_results_pass() -> None:
    """Each of them, as a reply."""
    found = [told(moment, moment.ahead.value) for moment in moments()]
    assert len(found) > PLANS
    assert not any(found)


def test_results_that_pass_keep_states_and_chains() -> None:
    """Whatever differs in one place is refused, or leaves acts, calls, chained values and states right."""
    passed = refused = 0
    for moment in moments(23):
        for value in changed(moment.ahead.value):
            if told(moment, value):
                refused += 1
                continue
            passed += 1
            dialogue = with_result(moment, value)
            planned = dialogue.scenario.annotation if dialogue.scenario else None
            tools = moment.ahead.tools
            found = [*act_issues(dialogue), *call_issues(dialogue, tools, planned), *state_issues(dialogue, tools)]  # type: ignore[arg-type]
            assert not found, (moment.ahead.call, value, found)
    assert passed > 50
    assert refused > 50


def test_what_the_plan_needs_is_refused_otherwise() -> None:
    """The chained value, the items of a choice and what repeats the call may not be otherwise."""
    chained = repeated = chosen = 0
    for moment in moments():
        fixed = moment.ahead.fixed
        chained += moment.is_source and any(one.is_needed for one in fixed)
        repeated += any(not one.is_needed for one in fixed)
        chosen += moment.is_source and moment.writer.planned.drawn.choice is not None
        for one in fixed:
            assert any(one.path in line for line in told(moment, {})) == one.is_needed
    assert min(chained, repeated, chosen) > 5


@pytest.mark.parametrize("role", ["source", "target"])
def test_the_tools_know_the_conversation_and_what_is_fixed(role: str) -> None:
    """They see document, call, earlier calls and results, and no value that was not said, returned or fixed."""
    looked = 0
    for moment in moments():
        if moment.is_source != (role == "source") or moment.writer.planned.pair.source is None:
            continue
        view = result_view(moment.ahead)
        assert view.call == f"{moment.ahead.call.tool} {moment.ahead.call.arguments}"
        assert any(moment.ahead.call.tool in line for line in view.documents)
        assert any(" returned " in line for line in view.lines) == (role == "target")
        shown = " ".join((*view.lines, *view.fixed, view.call))
        drawn = moment.writer.planned.drawn
        for name in moment.writer.planned.plan.later if role == "source" else ():
            value = str(drawn.values[name])
            if len(value) > 4:
                looked += 1
                assert value not in shown
    assert looked > 5 or role == "target"


DESK = {"id": {"type": "string"}, "name": {"type": "string"}, "status": {"enum": ["free", "taken"]}}


def desks() -> ToolDialWorkshop:
    """A list of desks, and one of them."""
    found = {"type": "object", "properties": DESK, "required": list(DESK)}
    listed = {"type": "object", "properties": {"desks": {"type": "array", "items": found}}, "required": ["desks"]}
    key = {"type": "object", "properties": {"desk_id": {"type": "string"}}, "required": ["desk_id"]}
    tools = (
        Tool(name="list_desks", description="List all desks.", source="GET /desks", returns=encode(listed)),
        Tool(
            name="get_desk",
            description="Get a desk.",
            source="GET /desks/{desk_id}",
            parameters=encode(key),
            returns=encode(found),
        ),
    )
    return ToolDialWorkshop(Catalog(tools=tools), ToolDialOptions(), 7)


def test_the_targets_result_agrees_with_a_models() -> None:
    """After another result of the source, that of the target is drawn anew: the chosen desk is taken in both."""
    shop = desks()
    plans = (shop.plan(f"item{index}", index) for index in range(12))
    planned = next(one for one in plans if one.pair.source is not None)
    assert planned.drawn.source_result
    assert planned.drawn.result
    listed = decode(planned.drawn.source_result.value or encode(None))
    chosen = listed["desks"][planned.drawn.choice.chosen if planned.drawn.choice else 0]
    chosen["status"] = "taken" if chosen["status"] == "free" else "free"

    after = shop.with_result(planned, "list_desks", encode(listed))

    assert decode(planned.drawn.result.value or encode(None))["status"] != chosen["status"]
    assert decode(after.drawn.result.value or encode(None) if after.drawn.result else encode(None)) == chosen
    assert [gold.result for gold in after.scenario.tasks[0].gold] == [after.drawn.source_result, after.drawn.result]
    assert after.plan.returned == 1

"""Faults of the simulated user: planted ones are found, clean users pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from random import Random

import msgspec
import pytest

from callwright.author.briefs import Known, Request, Style, UserAct, UserBrief
from callwright.author.personas import bank
from callwright.author.user_turn import user_turn
from callwright.author.value_drawing import draw_values
from callwright.catalog.contrast import action_phrase, telling
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.papers.diaforge.user_faults import user_faults
from callwright.papers.diaforge.user_policy import gold_known
from callwright.records.annotations.diaforge_notes import DiaforgePlan
from callwright.records.dialogue import Dialogue, Turn
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from callwright.validate.identifiers import is_identifier
from made_dialogues import enterprise, made, tools_of

NOW = Request("", "")
SPELLED = ("date", "datetime", "time", "code", "money", "email", "phone", "person")


def dialogues() -> Iterator[tuple[Dialogue, Style]]:
    for dialogue in made(200):
        yield dialogue, "verbose"
    for dialogue in made(100, style="terse"):
        yield dialogue, "terse"


def gold_tool(dialogue: Dialogue) -> Tool:
    return enterprise().by_name[dialogue.tasks[0].gold[0].tool]


def plan_of(dialogue: Dialogue) -> DiaforgePlan:
    assert dialogue.scenario is not None
    assert isinstance(dialogue.scenario.annotation, DiaforgePlan)
    return dialogue.scenario.annotation


def kinds(dialogue: Dialogue) -> set[str]:
    by_name = slots(gold_tool(dialogue))
    return {by_name[argument.name].kind for argument in dialogue.tasks[0].gold[0].arguments}


def with_text(dialogue: Dialogue, position: int, text: str) -> tuple[Turn, ...]:
    turns = list(dialogue.turns)
    turns[position] = msgspec.structs.replace(turns[position], text=text)
    return tuple(turns)


def other_value(rng: Random, dialogue: Dialogue) -> Known | None:
    """A value that the gold tool could take, of another scenario."""
    tool = gold_tool(dialogue)
    held = {known.text for known in gold_known(tool, dialogue.scenario.tasks)} if dialogue.scenario else set()
    for _ in range(6):
        values = draw_values(rng, tool, rng.choice(bank()), today=date.fromisoformat(dialogue.today))
        known = [Known(slots(tool)[name], encode(value)) for name, value in values.items()]
        fit = [one for one in known if one.slot.kind in SPELLED and one.text not in held]
        if fit:
            return rng.choice(fit)
    return None


def value_turn(rng: Random, dialogue: Dialogue, style: Style) -> str | None:
    known = other_value(rng, dialogue)
    if known is None:
        return None
    act = UserAct("answer", slots=(known.slot.name,))
    return user_turn.offline(rng, UserBrief(act, style, "plain", dialogue.today, NOW, "", False, "", (known,)))


def leaky_turn(rng: Random, dialogue: Dialogue, style: Style) -> str | None:
    names = [name for tool in tools_of(dialogue) for name in (tool.name, *tool.properties) if is_identifier(name)]
    return f"It's for {rng.choice(names)}, I think."


def drifting_turn(rng: Random, dialogue: Dialogue, style: Style) -> str | None:
    own = gloss(gold_tool(dialogue))
    other = gloss(rng.choice([tool for tool in tools_of(dialogue) if tool != gold_tool(dialogue)]))
    pick, full = telling(other, [own]), action_phrase(other)
    act = UserAct("answer", picks=True) if rng.random() < 0.6 else UserAct("full")
    return user_turn.offline(rng, UserBrief(act, style, "plain", dialogue.today, NOW, pick, pick == full, full, ()))


def test_clean_users_pass() -> None:
    """Fewer than one offline user in a hundred is charged with a fault."""
    charged = [one.id for one, _ in dialogues() if user_faults(one, one.turns, tools_of(one))]
    assert len(charged) < 3


@pytest.mark.parametrize(
    ("kind", "plant"),
    [("value_not_gold", value_turn), ("tool_leak", leaky_turn), ("goal_drift", drifting_turn)],
    ids=["value", "leak", "drift"],
)
def test_planted_faults_are_found(kind: str, plant: Callable[[Random, Dialogue, Style], str | None]) -> None:
    """At least nine in ten planted faults are found, where they are, as what they are."""
    rng, found = Random(7), list[bool]()
    for dialogue, style in dialogues():
        text = plant(rng, dialogue, style)
        if text is None:
            continue
        position = rng.choice([at for at, turn in enumerate(dialogue.turns) if turn.speaker == "user"])
        faults = user_faults(dialogue, with_text(dialogue, position, text), tools_of(dialogue))
        found.append(any(fault.kind == kind and fault.turn == position for fault in faults))
    assert len(found) > 200
    assert sum(found) >= 0.9 * len(found)


def test_planned_slips_are_forgiven() -> None:
    """What the scenario plans to be said wrongly and put right at once is no fault."""
    corrected = [one for one, _ in dialogues() if plan_of(one).corrects]
    assert len(corrected) >= 5
    assert not any(user_faults(one, one.turns, tools_of(one)) for one in corrected)


def test_repeating_the_assistant_is_no_fault() -> None:
    """A value that the assistant said first may be said by the user."""
    dialogue = next(one for one, _ in dialogues() if "code" in kinds(one))
    said = (Turn("user", "Hello."), Turn("assistant", "Is it ZQ-99817?"), Turn("user", "No, not ZQ-99817."))
    assert not user_faults(dialogue, said, tools_of(dialogue))
    assert user_faults(dialogue, (said[0], said[2]), tools_of(dialogue))


def test_without_a_scenario_nothing_is_charged() -> None:
    """A dialogue that is only text holds no truth to be at fault against."""
    dialogue = msgspec.structs.replace(made(1)[0], scenario=None)
    assert user_faults(dialogue, dialogue.turns, tools_of(dialogue)) == ()

"""Values that change in the middle of a wild task: the calls have the new one, and no earlier call does."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from callwright.papers.wild.wild_cascade import check_wild
from callwright.records.annotations.wild_notes import ValueChange, WildPlan
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import encode
from wild_workshop import EXTRAS, PUBLISHED, notes_of, planned, tools_of, workshop

pytestmark = pytest.mark.skipif(not PUBLISHED.exists(), reason="the published tool lists are not here")


def in_clarify(plan: WildPlan) -> bool:
    return any(not plan.topologies[change.task] for change in plan.changes)


def in_chain(plan: WildPlan) -> bool:
    return any(plan.topologies[change.task] for change in plan.changes)


@cache
def changed() -> tuple[tuple[Dialogue, ValueChange], ...]:
    """Return the changes of a session of each way: by the answer to a question, and between the calls of a chain."""
    shop = workshop(**EXTRAS)
    dialogues = [*planned(shop, in_clarify), *planned(shop, in_chain)]
    changes = tuple((one, change) for one in dialogues for change in notes_of(one).changes)
    assert changes
    return changes


def test_the_call_has_the_value_as_it_was_changed() -> None:
    """The gold has the later value; it is called only after the turn that changes it."""
    for dialogue, change in changed():
        gold = dialogue.tasks[change.task].gold[change.call]
        assert encode(gold.values[change.parameter]) == change.then
        asked = dialogue.tasks[change.task].turn or 0
        assert gold.tool not in [call.tool for turn in dialogue.turns[asked : change.turn] for call in turn.calls]


def test_a_user_who_speaks_up_cuts_in_after_the_first_calls() -> None:
    """The turn before has calls and no words; the calls that need nothing are in it."""
    cut_in = 0
    for dialogue, change in changed():
        turns, task = dialogue.turns, dialogue.tasks[change.task]
        if task.kind == "multi" and change.turn is not None:
            cut_in += 1
            assert turns[change.turn - 1].text == ""
            assert len(turns[change.turn - 1].calls) == sum(not gold.after for gold in task.gold)
    assert cut_in


@pytest.mark.parametrize("field", ["first", "then", "turn"])
def test_an_untrue_change_is_found(field: str) -> None:
    """Another value than was said, before or after, or another turn."""
    dialogue, change = next((one, how) for one, how in changed() if one.tasks[how.task].kind == "clarify")
    wrong = msgspec.structs.replace(change, **{field: 0 if field == "turn" else encode("Wrongtown")})
    changes = tuple(wrong if one == change else one for one in notes_of(dialogue).changes)
    notes = msgspec.structs.replace(notes_of(dialogue), changes=changes)
    planted = msgspec.structs.replace(dialogue, annotation=notes)
    assert {issue.code for issue in check_wild(planted, tools_of(dialogue))} == {"change_untrue"}

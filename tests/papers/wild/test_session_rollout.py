"""Wild sessions as they come out: kept, true in what they record, the same however they are made."""

from __future__ import annotations

import json
import re

import pytest

from callwright.papers.wild.session_design import design_of, hidings_of
from callwright.papers.wild.session_rollout import Made
from callwright.papers.wild.wild_recipe import RECIPE
from callwright.recipe import complete_options
from callwright.records.annotations.wild_notes import WildPlan
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import Dialogue
from wild_workshop import EXTRAS, SEED, make, needs_lists, sessions, tools_of


def plan_of(made: Made) -> WildPlan:
    assert isinstance(made.dialogue.annotation, WildPlan)
    return made.dialogue.annotation


@needs_lists
def test_nearly_all_sessions_are_kept() -> None:
    """At most one in ten is rejected, so that the design is also what is kept."""
    assert sum(bool(made.issues) for made in sessions()) <= len(sessions()) // 10


def test_sessions_are_what_their_design_says() -> None:
    """Kinds, topologies and transitions are those of the index, and so are most hidings; a first task hides nothing."""
    as_designed: list[bool] = []
    for index, made in enumerate(sessions()):
        design = design_of(index, seed=SEED, tasks=4)
        assert [task.kind for task in made.dialogue.tasks] == [task.kind for task in design.tasks]
        first, *later = hidings_of(made.dialogue)
        assert not first
        as_designed += [one == task.hiding for one, task in zip(later, design.tasks[1:], strict=True)]
        assert plan_of(made).topologies == tuple(task.topology for task in design.tasks)
        assert plan_of(made).transitions == design.transitions
    assert sum(as_designed) >= 0.7 * len(as_designed)


def test_the_calls_of_a_topology_have_its_shape() -> None:
    """Parallel calls need nothing, a chain needs the call before, and a mix has both."""
    occurred = {topology for made in sessions() for topology in plan_of(made).topologies}
    assert {"P", "S", "S+P"} <= occurred
    for made in sessions():
        for task, topology in zip(made.dialogue.tasks, plan_of(made).topologies, strict=True):
            needs = [bool(gold.after) for gold in task.gold]
            if topology:
                assert 2 <= len(needs) <= 8
            if topology == "P":
                assert not any(needs)
            elif topology == "S":
                assert all(gold.after == (place - 1,) for place, gold in enumerate(task.gold) if place)
            elif topology == "S+P":
                chain = all(gold.after == (place - 1,) for place, gold in enumerate(task.gold) if place)
                assert any(needs)
                assert not chain


def test_a_value_that_only_a_result_holds_is_not_in_the_request() -> None:
    """What a later call takes from an earlier one of its task is nowhere in the user's words.

    Unless it is one of several that were asked about, and the results say which.
    """
    taken = 0
    for made in sessions():
        for task in made.dialogue.tasks:
            ask = made.dialogue.turns[task.turn or 0].text
            for gold in task.gold:
                parents = [task.gold[parent] for parent in gold.after]
                asked_about = [value for parent in parents for value in parent.values.values()]
                returned = [str(parent.result.value) for parent in parents]  # type: ignore[union-attr]
                codes = [value for value in gold.values.values() if re.search(r"\d{4}$", str(value))]
                found = [
                    code for code in codes if code not in asked_about and any(str(code) in text for text in returned)
                ]
                taken += len(found)
                assert not any(str(code) in ask for code in found)
    assert taken


def test_every_value_hidden_in_a_result_stands_at_its_pointer() -> None:
    """The pointer leads to the value in the result that the named turn obtains."""
    found = 0
    for made in sessions():
        for place in plan_of(made).hidden:
            if place.origin.call is None:
                continue
            result = made.dialogue.tasks[place.origin.task].gold[place.origin.call].result
            assert result is not None
            assert place.origin.turn is not None
            value = json.loads(str(result.value))
            for key in place.origin.path.split("/")[1:]:
                value = value[int(key)] if isinstance(value, list) else value[key]
            assert value == json.loads(place.value)
            steps = made.dialogue.turns[place.origin.turn].steps
            assert any(one.value == result.value for step in steps for one in step.results)
            found += 1
    assert found


def test_long_range_places_are_further_back_than_the_last_exchange() -> None:
    """The value stands before it, and nothing said or returned in it repeats the value; the distance is recorded."""
    hidden = [(made, place) for made in sessions() for place in plan_of(made).hidden if place.hiding == "long_range"]
    values = 0
    for made, place in hidden:
        tasks = made.dialogue.tasks
        last, ask = tasks[place.task - 1].turn or 0, tasks[place.task].turn or 0
        assert (place.origin.turn or 0) < last
        assert place.distance == place.task - place.origin.task >= 2
        value = str(json.loads(place.value))
        if place.parameter and len(value) > 3 and not made.issues:
            turns = made.dialogue.turns[last:ask]
            texts = [turn.text for turn in turns] + [str(r.value) for t in turns for s in t.steps for r in s.results]
            assert not any(value in text for text in texts), (place, texts)
            values += 1
    assert values


def test_at_most_a_third_of_the_long_range_requests_say_which_request_they_mean() -> None:
    """The others refer by content: what the value is, or what its task was about."""
    far = [
        made.dialogue.turns[made.dialogue.tasks[position].turn or 0].text
        for made in sessions()
        for position, hiding in enumerate(hidings_of(made.dialogue))
        if hiding == "long_range"
    ]
    says_which = re.compile(r"my \w+ (?:request|question)|at the (?:start|(?:very )?beginning)|first thing")
    signposted = [text for text in far if says_which.search(text)]
    assert len(far) > 10
    assert 0 < len(signposted) <= len(far) / 3


def test_nothing_before_a_clarify_task_holds_its_value() -> None:
    """The value that the user gives when asked stands in no text and in no result before."""
    given = 0
    for made in sessions():
        if made.issues:
            continue
        for task in made.dialogue.tasks:
            for name in task.missing:
                ask = task.turn or 0
                before = [turn.text for turn in made.dialogue.turns[: ask + 2]]
                before += [str(r.value) for t in made.dialogue.turns[:ask] for step in t.steps for r in step.results]
                value = str(task.gold[0].values[name])
                given += 1
                assert not any(re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", text) for text in before)
    assert given


def test_a_session_is_the_same_whatever_was_made_before_it() -> None:
    """Made alone, or after others, an index gives the same bytes; so any number of workers does."""
    alone = [to_line(make(index).dialogue) for index in (17, 3)]
    assert alone == [to_line(sessions()[index].dialogue) for index in (17, 3)]
    assert from_line(alone[0], Dialogue, where="line") == sessions()[17].dialogue


def test_tools_that_could_be_meant_as_well_are_not_shown() -> None:
    """Gold tools are shown under the names the calls use, each name once."""
    for made in sessions():
        names = [shown.name for shown in made.dialogue.tools]
        assert len(set(names)) == len(names)
        assert {gold.tool for task in made.dialogue.tasks for gold in task.gold} <= set(names)
        assert all(tool.returns is not None for tool in tools_of(made).values())


def test_extras_are_off_unless_asked_for() -> None:
    """No mine, no failure and no change stands in a plain session."""
    assert not any(plan_of(m).mines or plan_of(m).failures or plan_of(m).changes for m in sessions())


@needs_lists
def test_extras_are_recorded_and_keep_the_session_whole() -> None:
    """With all of them on most sessions are kept, and each kind of extra occurs."""
    made = [make(index, **EXTRAS) for index in range(24)]
    plans = [plan_of(one) for one in made if not one.issues]
    assert len(plans) >= 20
    assert any(plan.mines for plan in plans)
    assert any(plan.failures for plan in plans)
    assert any(plan.changes for plan in plans)


def test_options_are_checked() -> None:
    """Unknown names and values out of range are told with the options there are."""
    assert complete_options(RECIPE, {"tasks": 3})["tasks"] == 3
    for wrong in ({"tasks": 0}, {"task": 3}, {"value_changes": 2}):
        with pytest.raises(Exception, match="Options of wild"):
            complete_options(RECIPE, wrong)

"""The rule cascade: planted defects are rejected, clean dialogues are kept, and nothing makes it raise."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from planted import PLANTS
from spoken import SPOKEN

from callwright.papers.diaforge.diaforge_cascade import check
from callwright.papers.diaforge.diaforge_options import DiaforgeOptions
from callwright.papers.diaforge.diaforge_recipe import REASONS
from callwright.records.annotations.diaforge_notes import DiaforgeNotes, Disclosure
from callwright.records.dialogue import Call, Dialogue, GoldArgument, GoldCall, Participant, ShownTool, Step, Task, Turn
from callwright.records.jsontext import JsonText
from callwright.records.tool import Tool
from diaforge_builders import bundled, kept, tools_of

EACH = 200
"""Dialogues with each defect."""
ENOUGH = 40
"""Fewest dialogues that must have room for a defect."""
NEEDS_UNDERSTANDING = {"another_tool_meant": 0.8, "opening_tells_all": 0.9, "description_copied": 0.9}
"""Defects that rules find only where the words leave no doubt; a judge is to find the rest."""

UNCHECKED = DiaforgeOptions(no_cascade=True)


@cache
def rejected(name: str) -> tuple[int, Counter[str]]:
    """How many dialogues a defect was planted in, and how many were rejected for what first."""
    planted, codes = 0, Counter[str]()
    for number, dialogue in enumerate(kept()[:450]):
        defect = PLANTS[name](dialogue, Random(number))
        if defect is None:
            continue
        planted += 1
        if issues := check(defect, tools_of(defect)):
            codes[issues[0].code] += 1
        if planted == EACH:
            break
    return planted, codes


@pytest.mark.parametrize("name", PLANTS)
def test_planted_defects_are_rejected(name: str) -> None:
    """At least 95 of 100 dialogues with a defect are rejected (run with `-s` for the table)."""
    planted, codes = rejected(name)
    share = codes.total() / planted
    print(
        f"\n{name:34} {planted:4} planted {share:7.1%} rejected  {', '.join(code for code, _ in codes.most_common(2))}"
    )

    assert planted >= ENOUGH
    assert share >= NEEDS_UNDERSTANDING.get(name, 0.95)


@pytest.mark.parametrize("style", ["verbose", "terse"])
def test_clean_dialogues_are_kept(style: str) -> None:
    """At most 5 of 100 finished dialogues that no cascade has seen are rejected."""
    dialogues = kept(200, replace(UNCHECKED, user_style=style), 11)
    faulty = [issues for dialogue in dialogues if (issues := check(dialogue, tools_of(dialogue)))]
    print(f"\nclean, {style}: {len(faulty)} of {len(dialogues)} rejected")

    assert len(faulty) <= 0.05 * len(dialogues), faulty[:3]


@pytest.mark.parametrize("name", SPOKEN)
def test_dialogues_as_people_speak_are_kept(name: str) -> None:
    """Dialogues written by hand, freer than any grammar, have no fault."""
    dialogue = SPOKEN[name]()

    assert check(dialogue, tools_of(dialogue)) == ()


def test_first_three_checks_end_the_cascade() -> None:
    """A dialogue whose form is broken is not looked at further."""
    dialogue = kept()[0]
    broken = PLANTS["leaked_tool_name"](PLANTS["ends_with_the_user"](dialogue, Random(1)) or dialogue, Random(1))
    assert broken is not None

    assert {issue.code for issue in check(broken, tools_of(broken))} <= {"ends_with_user"}


def test_thoughts_may_be_left_out() -> None:
    """Without thoughts their absence is no fault, and no other check depends on them."""
    dialogues = kept(60, DiaforgeOptions(no_cascade=True, no_thoughts=True), 11)

    assert not any(check(dialogue, tools_of(dialogue), thoughts=False) for dialogue in dialogues)
    assert all("no_thought" in {issue.code for issue in check(dialogue, tools_of(dialogue))} for dialogue in dialogues)


# -- bad data --------------------------------------------------------------------------------------------------------

SAID = ["", " ", "Which one?", "E-10482", "refund_order", "\x00", "ß" * 40]
ARGUMENTS = ["{}", "[]", "null", "", '{"order_id":', '{"order_id":1e400}']
SCHEMAS = [
    "{}",
    "[]",
    '{"properties":{"order_id":{"pattern":"("}}}',
    '{"properties":[]}',
    '{"properties":{"a":1},"required":[2]}',
]
texts = st.one_of(st.sampled_from(SAID), st.text(max_size=20))
arguments = st.one_of(st.sampled_from(ARGUMENTS), st.text(max_size=8))
names = st.sampled_from([*sorted(bundled().by_name)[:3], "nobody", ""])
speakers = st.sampled_from(["user", "assistant", "nobody", ""])
calls = st.builds(Call, names, arguments.map(JsonText))
steps = st.builds(Step, texts, st.just("ask"), st.lists(calls, max_size=2).map(tuple))
turns = st.builds(
    Turn, st.sampled_from(["user", "assistant", "nobody", ""]), texts, st.lists(steps, max_size=2).map(tuple)
)
parameters = st.sampled_from(["order_id", "employee_id", "", "nothing"])
accepted = st.lists(arguments.map(JsonText), max_size=2).map(tuple)
golds = st.builds(GoldCall, names, st.lists(st.builds(GoldArgument, parameters, accepted), max_size=3).map(tuple))
tasks = st.builds(Task, st.sampled_from(["single", "chat"]), st.just(""), st.lists(golds, max_size=2).map(tuple))
shown = st.builds(ShownTool, st.text(max_size=3), names)
notes = st.builds(
    DiaforgeNotes,
    gold_tool=names,
    distractors=st.lists(names, max_size=2).map(tuple),
    tool_fits=st.booleans(),
    disclosed=st.lists(st.builds(Disclosure, st.integers(-9, 9), parameters), max_size=3).map(tuple),
)
schemas = st.sampled_from(SCHEMAS)


@st.composite
def bad_dialogues(draw: st.DrawFn) -> tuple[Dialogue, dict[str, Tool]]:
    """A real dialogue with anything in the place of anything."""
    dialogue = draw(st.sampled_from(kept()[:20]))
    changes: dict[str, Any] = {
        "turns": st.one_of(st.just(dialogue.turns), st.lists(turns, max_size=5).map(tuple)),
        "tasks": st.one_of(st.just(dialogue.tasks), st.lists(tasks, max_size=2).map(tuple)),
        "tools": st.one_of(st.just(dialogue.tools), st.lists(shown, max_size=3).map(tuple)),
        "today": st.sampled_from([dialogue.today, "", "soon", "2026-13-40"]),
        "participants": st.sampled_from([dialogue.participants, (), (Participant("user", "user"),)]),
        "annotation": st.one_of(st.just(dialogue.annotation), st.none(), notes),
        "scenario": st.sampled_from([dialogue.scenario, None]),
    }
    tools = tools_of(dialogue)
    if draw(st.booleans()):
        tools = {name: replace(tool, parameters=JsonText(draw(schemas))) for name, tool in tools.items()}
    return replace(dialogue, **{name: draw(values) for name, values in changes.items()}), tools


@given(bad_dialogues(), st.booleans())
def test_bad_data_never_raises(given_: tuple[Dialogue, dict[str, Tool]], thoughts: bool) -> None:
    """Whatever a record holds, its faults are issues."""
    dialogue, tools = given_

    issues = check(dialogue, tools, thoughts=thoughts)
    assert isinstance(issues, tuple)
    assert all(issue.code for issue in issues)


@given(st.data())
def test_one_bad_turn_never_raises(data: st.DataObject) -> None:
    """A good dialogue with one turn or one gold call of the wrong make is judged, not refused."""
    dialogue = data.draw(st.sampled_from(kept()[:20]))
    position = data.draw(st.integers(0, len(dialogue.turns) - 1))
    turn = replace(data.draw(turns), speaker=dialogue.turns[position].speaker)
    changed = replace(dialogue, turns=(*dialogue.turns[:position], turn, *dialogue.turns[position + 1 :]))
    if data.draw(st.booleans()):
        gold = replace(dialogue.tasks[0].gold[0], arguments=data.draw(golds).arguments)
        changed = replace(changed, tasks=(replace(dialogue.tasks[0], gold=(gold,)),))

    issues = check(changed, tools_of(dialogue))
    assert isinstance(issues, tuple)
    assert all(issue.code for issue in issues)


def test_every_code_is_in_the_list_of_reasons() -> None:
    """The funnel lists reasons in the order of the checks; none is left to the end as unknown."""
    codes = {code for name in PLANTS for code in rejected(name)[1]}
    unlisted = {code for code in codes if code not in REASONS and not code.startswith("argument_")}

    assert not unlisted

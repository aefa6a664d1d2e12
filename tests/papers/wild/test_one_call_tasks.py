"""Tasks that lack a value and hide another: what is hidden has its place, what is missing has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from callwright.papers.wild.session_design import hidings_of
from callwright.records.annotations.wild_notes import HiddenPlace, WildPlan
from callwright.records.dialogue import Dialogue, Task
from callwright.records.jsontext import encode
from wild_workshop import sessions


def later() -> Iterator[tuple[Dialogue, int, Task, list[HiddenPlace]]]:
    """Yield every clarify task after the first, with its position and what it hides."""
    for made in sessions():
        plan = made.dialogue.annotation
        if not isinstance(plan, WildPlan):
            continue  # no list of tools can give it
        for position, task in enumerate(made.dialogue.tasks):
            if position and task.kind == "clarify":
                yield made.dialogue, position, task, [one for one in plan.hidden if one.task == position]


def test_each_hides_in_the_way_it_is_labelled_with() -> None:
    """Something, by the hiding of its task and no other; nothing where the task says it all."""
    assert any(hidden for *_, hidden in later())
    for dialogue, position, _, hidden in later():
        assert {one.hiding for one in hidden} == {hidings_of(dialogue)[position]} - {""}


def test_what_is_missing_is_not_what_is_hidden() -> None:
    """No place is recorded for the value that the user gives only when asked."""
    assert any(later())
    for _, _, task, hidden in later():
        assert len(task.missing) == 1
        assert not any(one.parameter in task.missing for one in hidden)
        assert not any(one.value == encode(task.gold[0].values[task.missing[0]]) for one in hidden)


def test_values_and_wishes_are_hidden() -> None:
    """Some hide a value of the call, some also the wish, in each of the three ways."""
    hidden = [(hidings_of(dialogue)[position], hidden) for dialogue, position, _, hidden in later()]
    found = Counter((hiding, any(not one.parameter for one in places)) for hiding, places in hidden)
    assert {hiding for hiding, _ in found} - {""} == {"partial", "coreference", "long_range"}
    assert {is_wish for _, is_wish in found} == {True, False}


def test_a_hidden_wish_is_one_of_the_task_named() -> None:
    """The call is of the tool that the earlier task used."""
    wishes = [(dialogue, task, one) for dialogue, _, task, hidden in later() for one in hidden if not one.parameter]
    assert wishes
    for dialogue, task, one in wishes:
        source = dialogue.tasks[one.origin.task]
        assert one.value == encode(task.gold[0].tool)
        assert {gold.tool for gold in source.gold} == {task.gold[0].tool}

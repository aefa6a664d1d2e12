"""Which tool was called where another was due: pairs, counts, ids and what tells the two apart."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import callwright
from callwright.app.rescoring import find_confusions, judge_runs
from callwright.cli import main
from callwright.protocol.confusions import confusions
from callwright.protocol.items import ItemTask, RunItem
from callwright.records.dialogue import Call, GoldCall
from callwright.records.tool import Catalog, Tool

CATALOG = Catalog(tools=(Tool(name="open_door"), Tool(name="close_door"), Tool(name="paint_door")), source="x")
NAMES = st.sampled_from(("open_door", "close_door", "paint_door", "undocumented"))


def item(*tasks: tuple[tuple[str, ...], tuple[str, ...]], state: str = "scored", id_: str = "d") -> RunItem:
    """An item whose tasks have these gold tools and called tools."""
    made = tuple(
        ItemTask(
            task=number,
            gold=tuple(GoldCall(name, ()) for name in golds),
            calls=tuple(Call(name, "{}") for name in called),
        )
        for number, (golds, called) in enumerate(tasks, 1)
    )
    return RunItem(run="r", model="m", protocol="p", dialogue=id_, state=state, turns=1, tasks=made)  # type: ignore[arg-type]


def pairs(*items: RunItem) -> dict[tuple[str, str], int]:
    return {(one.due, one.called): one.times for one in confusions(items, CATALOG).confusions}


def test_the_tool_that_is_called_stands_beside_the_one_that_is_due() -> None:
    """With how often among the tasks in which it is due, with the ids, and with what the documents say."""
    items = [item((("open_door",), ("close_door",)), id_=id_) for id_ in "ab"]
    items += [item((("open_door",), ("open_door",)), id_="c")]
    found = confusions(items, CATALOG)
    (one,) = found.confusions
    assert (found.scored, found.confused) == (3, 2)
    assert (one.due, one.called, one.times, one.of) == ("open_door", "close_door", 2, 3)
    assert one.dialogues == ("a", "b")
    assert one.differences == ("name: open / close",)


@pytest.mark.parametrize(
    ("golds", "called", "expected"),
    [
        (("open_door",), (), {}),
        (("open_door",), ("open_door", "open_door"), {}),
        ((), ("open_door",), {("", "open_door"): 1}),
        (("open_door",), ("open_door", "paint_door"), {("", "paint_door"): 1}),
        (("open_door", "close_door"), ("open_door", "paint_door"), {("close_door", "paint_door"): 1}),
        (("open_door",), ("nowhere",), {("open_door", "nowhere"): 1}),
    ],
)
def test_only_a_call_that_was_not_due_is_a_confusion(
    golds: tuple[str, ...], called: tuple[str, ...], expected: dict[tuple[str, str], int]
) -> None:
    """It stands for the first due tool that was not called; for none where nothing was left out."""
    assert pairs(item((golds, called))) == expected


@pytest.mark.parametrize("state", ["failed", "excluded", "skipped"])
def test_what_is_not_scored_does_not_count(state: str) -> None:
    found = confusions([item((("open_door",), ("close_door",)), state=state)], CATALOG)
    assert (found.scored, found.confusions) == (0, ())


@given(st.lists(st.tuples(st.lists(NAMES, max_size=3), st.lists(NAMES, max_size=4)), max_size=12))
def test_every_tool_that_was_not_due_is_counted_once_a_task(tasks: list[tuple[list[str], list[str]]]) -> None:
    """Summed over what was due, as a slow count has it; and never a tool that was due."""
    found = confusions([item(*((tuple(golds), tuple(called)) for golds, called in tasks))], CATALOG)
    slow = Counter(name for golds, called in tasks for name in set(called) - set(golds))
    counted = Counter[str]()
    for one in found.confusions:
        counted[one.called] += one.times
        assert one.times <= one.of or one.due == ""
    assert counted == slow
    assert found.confused == sum(bool(set(called) - set(golds)) for golds, called in tasks)


def test_a_run_is_listed_and_printed(tmp_path: Path) -> None:
    """The most frequent first, all of them in JSON; a run of the oracle has none."""
    callwright.synthesize("diaforge", "builtin/enterprise", n=20, seed=7, out=tmp_path / "ds")
    for model in ("eager", "oracle"):
        callwright.evaluate_model(tmp_path / "ds", "static", model=f"builtin/{model}", out=tmp_path / model)
    found = find_confusions(tmp_path / "eager")
    wrong = sum(item.error == "wrong_tool" for item in judge_runs(tmp_path / "eager"))
    assert found.confused == wrong > 0
    assert find_confusions(tmp_path / "oracle").confusions == ()
    printed = CliRunner().invoke(main, ["confusions", str(tmp_path / "eager"), "--limit", "1"])
    first = found.confusions[0]
    assert f"{first.due} → {first.called}" in printed.stdout
    assert first.dialogues[0] in printed.stdout
    assert f"{len(found.confusions) - 1} more" in printed.stdout
    document = json.loads(CliRunner().invoke(main, ["confusions", str(tmp_path / "eager"), "--json"]).stdout)
    assert len(document["confusions"]) == len(found.confusions)

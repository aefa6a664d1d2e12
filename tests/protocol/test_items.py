"""Runs dialogue by dialogue: `report --items`, `report --by`, and their agreement with the report."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

import callwright
from callwright.app.rescoring import judge_runs, score_runs
from callwright.cli import main
from callwright.papers.registry import load_protocol
from callwright.protocol.items import PROPERTIES, RunItem, run_items
from callwright.protocol.run_access import open_run
from callwright.records.transcript import LiveUser, Row
from callwright.store.outcome import Outcome

LEADING = {"diaforge-static.v1": "acc", "diaforge-dynamic.v1": "acc", "wild.v1": "task_acc"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs of models that are often wrong, by protocol; one dialogue in five has no fitting tool."""
    folder = tmp_path_factory.mktemp("runs")
    callwright.synthesize("diaforge", "builtin/enterprise", n=40, seed=7, out=folder / "d", no_tool_share=0.2)
    callwright.synthesize("wild", "builtin/enterprise", n=8, seed=7, out=folder / "w")
    found = {}
    for protocol, data, model in (("static", "d", "retriever"), ("dynamic", "d", "retriever"), ("wild", "w", "eager")):
        found[protocol] = folder / protocol
        callwright.evaluate_model(
            folder / data,
            protocol,
            model=f"builtin/{model}",
            out=found[protocol],
            trials=2 if protocol == "static" else 1,
        )
    return found


def metrics(rows: list[Row], **slice_: str) -> dict[str, Row]:
    return {row.metric: row for row in rows if row.slice == slice_}


@pytest.mark.parametrize("protocol", ["static", "dynamic", "wild"])
def test_the_sums_of_the_items_are_those_of_the_report(runs: dict[str, Path], protocol: str) -> None:
    """For every metric that the items have, and its leading one among them."""
    items, whole = list(judge_runs(runs[protocol])), metrics(score_runs(runs[protocol]))
    names = {name for item in items for task in item.tasks for name in task.sums}
    assert LEADING[items[0].protocol] in names
    for name in names:
        pairs = [
            task.sums[name] for item in items if item.state == "scored" for task in item.tasks if name in task.sums
        ]
        bottom = sum(pair[1] for pair in pairs)
        assert whole[name].value == (pytest.approx(sum(pair[0] for pair in pairs) / bottom) if bottom else None)


@pytest.mark.parametrize("protocol", ["static", "dynamic", "wild"])
def test_right_and_wrong_items_tell_why(runs: dict[str, Path], protocol: str) -> None:
    """There are both; a wrong one has an error and the gold calls, a right one has none; every trial has its item."""
    items = list(judge_runs(runs[protocol]))
    run = open_run(runs[protocol])
    assert len(items) == len(run.transcripts)
    wrong, right = ([item for item in items if item.right is flag] for flag in (False, True))
    assert wrong
    assert all(item.error and any(task.error == item.error for task in item.tasks) for item in wrong)
    assert any(task.gold and task.calls for item in wrong for task in item.tasks)
    assert any(task.right for item in items for task in item.tasks)
    assert not any(item.error for item in right)


def test_the_slices_of_a_property_add_up(runs: dict[str, Path]) -> None:
    """Both values of `near_duplicate` together have the dialogues and right ones of the whole, and its signature."""
    rows = score_runs(runs["dynamic"], by="near_duplicate")
    whole, parts = metrics(rows)["acc"], [metrics(rows, near_duplicate=value).get("acc") for value in ("yes", "no")]
    found = [part for part in parts if part]
    assert len(found) == 2
    assert sum(part.n for part in found) == whole.n
    assert sum((part.value or 0) * part.n for part in found) == pytest.approx((whole.value or 0) * whole.n)
    assert {part.signature for part in found} == {whole.signature}


@pytest.mark.parametrize("by", PROPERTIES)
@pytest.mark.parametrize("protocol", ["static", "wild"])
def test_a_report_has_rows_by_any_property(runs: dict[str, Path], protocol: str, by: str) -> None:
    rows = [row for row in score_runs(runs[protocol], by=by) if by in row.slice]
    assert len({row.slice[by] for row in rows}) > 1
    assert {"acc", "task_acc"} & {row.metric for row in rows}
    assert all(row.n for row in rows)


def test_a_tool_of_several_calls_counts_its_tasks_only(runs: dict[str, Path]) -> None:
    """In `wild` the row of a tool has the tasks in which it is due, not the whole session."""
    items = list(judge_runs(runs["wild"]))
    rows = {
        row.slice["tool"]: row
        for row in score_runs(runs["wild"], by="tool")
        if row.slice.get("tool") and row.metric == "task_acc"
    }
    assert len(rows) > 3
    for tool, row in rows.items():
        own = [task for item in items for task in item.tasks if tool in {gold.tool for gold in task.gold}]
        assert row.value == pytest.approx(sum(bool(task.right) for task in own) / len(own))


def test_a_failed_rollout_is_an_item_too(runs: dict[str, Path], tmp_path: Path) -> None:
    """It has gold and no verdict, and says what failed."""
    run = open_run(runs["dynamic"])
    failed = Outcome(run.transcripts[0].dialogue, kind="timeout", role="model", message="no reply")
    broken = msgspec.structs.replace(run, transcripts=run.transcripts[1:], failures=(failed,))
    items = [item for item in run_items(broken, load_protocol("dynamic")) if item.state == "failed"]
    assert [(item.dialogue, item.right, item.why) for item in items] == [(failed.item, None, "timeout: no reply")]
    assert items[0].tasks[0].gold or not items[0].tasks[0].calls


def test_items_are_lines_of_json(runs: dict[str, Path], tmp_path: Path) -> None:
    """Of all runs given, one after the other; each line is read back as an item; the tables are printed too."""
    out = tmp_path / "items.jsonl"
    done = CliRunner().invoke(main, ["report", str(runs["static"]), str(runs["wild"]), "--items", str(out)])
    assert (done.exit_code, "Tool calls" in done.stdout) == (0, True)
    lines = out.read_bytes().splitlines()
    items = [msgspec.json.decode(line, type=RunItem) for line in lines]
    assert items == list(judge_runs([runs["static"], runs["wild"]]))
    assert {"verdicts", "error", "tasks"} <= json.loads(lines[0]).keys()
    again = CliRunner().invoke(main, ["report", str(runs["static"]), "--items", str(out)])
    assert again.exit_code == 0
    assert len(out.read_bytes().splitlines()) < len(lines)


def test_a_file_of_something_else_stays(runs: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "dialogues.jsonl"
    out.write_text('{"id": "x"}\n')
    done = CliRunner().invoke(main, ["report", str(runs["static"]), "--items", str(out)])
    assert (done.exit_code, out.read_text()) == (2, '{"id": "x"}\n')
    assert "would be overwritten" in done.stderr


def test_an_item_says_where_the_user_was_unsure(runs: dict[str, Path]) -> None:
    """It is taken from the notes on the live user."""
    run = open_run(runs["dynamic"])
    first = msgspec.structs.replace(run.transcripts[0], annotation=LiveUser(unsure=(2,)))
    items = run_items(msgspec.structs.replace(run, transcripts=(first, *run.transcripts[1:])), load_protocol("dynamic"))
    assert [item.dialogue for item in items if item.user_unsure] == [first.dialogue]

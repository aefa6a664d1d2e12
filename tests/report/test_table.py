"""The tables of a report, as they are printed."""

from __future__ import annotations

import msgspec
import pytest
from rich.console import Console

from callwright.papers.diaforge.tool_scoring import PANELS
from callwright.papers.registry import protocols_of
from callwright.records.transcript import Row
from callwright.report.table import report_table

TOOL_METRICS = dict(PANELS[0].metrics)
(LANGUAGE_METRICS,) = (dict(panel.metrics) for panel in PANELS if "conv_rel" in dict(panel.metrics))


def row(metric: str, value: float | None = 0.7, **changes: object) -> Row:
    """Return a row with an interval around its value."""
    around = {} if value is None else {"low": value - 0.05, "high": value + 0.05}
    fields = {
        "run": "runs/static",
        "model": "builtin/retriever",
        "protocol": "diaforge-static.v1",
        "slice": {},
        "n": 200,
    }
    return Row(metric=metric, value=value, **({"n": 200} | fields | around | changes))  # type: ignore[arg-type]  # a test shorthand


def rows(**changes: object) -> list[Row]:
    """Return all rows of one run."""
    unmeasured = row("conv_rel", None, why="no judge was given", **changes)
    return [row(m, **changes) for m in (*TOOL_METRICS, *LANGUAGE_METRICS) if m != "conv_rel"] + [unmeasured]


def printed(rows: list[Row], *, width: int, by: str = "") -> str:
    """Return the report as text."""
    console = Console(width=width, highlight=False, color_system=None)
    with console.capture() as capture:
        console.print(report_table(rows, protocols_of(rows), by=by))
    return capture.get()


@pytest.mark.parametrize("width", [80, 120])
def test_numbers_are_never_cut(width: int) -> None:
    """All values and intervals are whole at 80 columns, however long the names are."""
    long_names = rows(
        run="/a/very/long/folder/name/of/a/run/that/goes/on", model="openai/some-model-2025-01-01-preview"
    )
    text = printed(rows() + long_names, width=width)

    assert text.count(".65–.75") == 2 * 7
    assert text.count(".650–.750") == 2 * 5
    assert max(map(len, text.splitlines())) <= width
    assert "builtin/retriever, diaforge-static.v1" in text


def test_unmeasured_metrics_say_why() -> None:
    """A metric without a value is a dash, and its reason stands below, by the metric's heading."""
    assert "ConvRel: no judge was given" in printed(rows(), width=80)


def test_what_holds_for_a_whole_run_is_said_once() -> None:
    """Not once for each metric, nor appended to what else is said of one."""
    done = rows(run="runs/done")
    absent = [
        msgspec.structs.replace(one, why="; ".join(filter(None, (one.why, "unfinished: 3 are absent"))))
        for one in rows(run="runs/half")
    ]
    text = printed(done + absent, width=80)

    assert "#2: unfinished: 3 are absent" in text
    assert "#1 #2 ConvRel: no judge was given" in text
    assert text.count("absent") == 1


def test_a_reason_names_its_runs_where_there_are_several() -> None:
    """Which run it holds for, by number; of one run there is nothing to name."""
    text = printed(rows() + rows(run="runs/other") + [row("aer", None, why="nothing", run="runs/other")], width=80)

    assert "#1 #2 ConvRel: no judge was given" in text
    assert "#2 aer: nothing" in text


def test_a_slice_of_metrics_that_the_first_table_lacks_has_its_own() -> None:
    """`--by` prints what is measured by that property, not a table of dashes."""
    of_wild = {"protocol": "wild.v1", "slice": {"remedy": "retry"}}
    sliced = [row("task_acc", protocol="wild.v1"), row("remedy_rate", 0.25, **of_wild)]

    lines = [line.split() for line in printed(sliced, width=80, by="remedy").splitlines()]

    assert ["retry", "200", "0.25", ".20–.30", "-"] in lines


def test_counts_of_failures_stand_by_the_run() -> None:
    """What failed, was excluded or was skipped is shown beside what was measured."""
    text = printed(rows(n_failed=31, n_excluded=42, n_skipped=53), width=80)

    assert ["1", "runs/static", "200", "31", "42", "53"] in [line.split() for line in text.splitlines()]


def test_domains_come_when_asked_for() -> None:
    """Slices by domain are printed on demand, one line each with its own number of dialogues."""
    sliced = rows() + [row(m, 0.25, slice={"domain": "payroll"}, n=17) for m in TOOL_METRICS]

    assert "payroll" not in printed(sliced, width=80)
    assert any(line.split()[:2] == ["payroll", "17"] for line in printed(sliced, width=80, by="domain").splitlines())


def test_dialogues_without_a_fitting_tool_stand_apart() -> None:
    """The slice in which no tool fits is always printed, in a table of its own."""
    sliced = rows() + [row(m, 0.25, slice={"tool_fits": "no"}, n=17) for m in ("acc", "ftr", "tar")]

    assert "Where no tool fits" in printed(sliced, width=80)
    assert "Where no tool fits" not in printed(rows(), width=80)


def test_names_are_printed_as_they_are() -> None:
    """Square brackets in a name are text and not markup."""
    assert "runs/[bold]x" in printed(rows(run="runs/[bold]x"), width=120)


def test_a_served_model_goes_by_its_name() -> None:
    """In the narrow column of a table a served model has its name, not the end of its URL."""
    lines = printed(rows(model="openai/meta/llama@http://127.0.0.1:8000/v1"), width=200).splitlines()

    assert any(line.split()[:1] == ["llama"] for line in lines)


def test_slices_of_several_runs_stand_side_by_side() -> None:
    """A panel by slices has one line a value and one column a run; what no run measured has no line."""
    kinds = ("chat", "single", "multi")
    made = [
        row("task_acc", value, run=run, protocol="wild.v1", slice=slice_)
        for run, value in (("runs/a", 0.25), ("runs/b", 0.75))
        for slice_ in ({}, *({"kind": kind} for kind in kinds))
    ]
    nothing = {"protocol": "wild.v1", "slice": {"kind": "x"}}
    unmeasured = [row("task_acc", None, run=run, **nothing) for run in ("runs/a", "runs/b")]

    lines = [line.split() for line in printed([*made, *unmeasured], width=80).splitlines()]

    assert ["kind", "#1", "#2"] in lines
    assert [line for line in lines if line[:1] in (["chat"], ["single"], ["multi"], ["x"])] == [
        [kind, "0.25", "0.75"] for kind in kinds
    ]


def test_a_panel_ends_with_the_mean_of_its_lines() -> None:
    """Each line weighs the same: GPT-4o's averages of table 5 in DICE-BENCH; a run that lacks a line has none."""
    cells = {"length": (0.741176, 0.610048, 0.616541, 0.591781), "party": (0.612045, 0.622997, 0.624396)}
    made = [
        row("em_paper", value, run=run, protocol="dice.v1", slice={name: str(at)})
        for name, found in cells.items()
        for run, own in (("runs/a", found), ("runs/b", found[1:]))
        for at, value in enumerate(own)
    ]
    made += [row("em_paper", 0.5, run=run, protocol="dice.v1", slice={}) for run in ("runs/a", "runs/b")]

    means = [line.split() for line in printed(made, width=80).splitlines() if line.split()[:1] == ["mean"]]
    assert means == [["mean", "0.640", "-"], ["mean", "0.620", "-"]]


def test_shares_of_few_runs_are_drawn() -> None:
    """A panel with bars draws ten characters for 1, to an eighth of one; more runs than fit have numbers only."""
    made = [
        row("state_match", value, run="runs/a", protocol="tooldial.v1", slice=slice_)
        for slice_, value in (({}, 0.5), ({"turn": "1"}, 1.0), ({"turn": "2"}, 0.55), ({"turn": "3"}, 0.0))
    ]

    lines = [line.split() for line in printed(made, width=80).splitlines()]
    assert [line for line in lines if line[:1] in (["1"], ["2"], ["3"]) and len(line) < 4] == [
        ["1", "1.000", "██████████"],
        ["2", "0.550", "█████▌"],
        ["3", "0.000"],
    ]
    several = [msgspec.structs.replace(one, run=f"runs/{number}") for number in range(5) for one in made]
    assert "█" not in printed(several, width=120)

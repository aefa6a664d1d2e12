"""Which tools have a dialogue, and why the others have none."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

import callwright
from callwright.cli import main
from callwright.errors import BadInput
from callwright.records.tool import Catalog

DAY = {"type": "object", "properties": {"day": {"type": "string", "format": "date", "description": "Day."}}}
NONE = {"type": "object", "properties": {"size": {"type": "integer", "minimum": 5, "maximum": 4}}}
FUNCTIONS = [
    ("approve_leave_request", "Approve a leave request of an employee.", DAY | {"required": ["day"]}),
    ("reject_leave_request", "Reject a leave request of an employee.", DAY | {"required": ["day"]}),
    ("withdraw_leave_request", "Withdraw a leave request of an employee.", DAY | {"required": ["day"]}),
    ("measure_leave_request", "Measure a leave request of an employee.", NONE | {"required": ["size"]}),
]


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """Three look-alikes, and a tool for which no value is valid."""
    file = tmp_path_factory.mktemp("functions") / "functions.json"
    listed = [{"name": name, "description": said, "parameters": schema} for name, said, schema in FUNCTIONS]
    file.write_text(json.dumps(listed))
    return callwright.read_catalog(file)


def coverage(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "funnel.json").read_text())["coverage"]
    return found


def test_every_tool_has_a_dialogue_or_a_reason(catalog: Catalog, tmp_path: Path) -> None:
    """A tool whose values cannot be drawn says so; the others have a dialogue, or a reason of their own."""
    made = callwright.synthesize("diaforge", catalog, per_tool=3, seed=1, out=tmp_path / "ds")
    found = made.coverage
    assert found is not None
    golds = {gold.tool for one in callwright.open_dataset(tmp_path / "ds").dialogues for gold in one.tasks[0].gold}
    without = {one.tool: one.why for one in found.without}
    assert golds | without.keys() == {tool.name for tool in catalog.tools}
    assert not golds & without.keys()
    assert without["measure_leave_request"] == "no usable values"
    assert found.covered == len(golds) > 0
    card = (tmp_path / "ds" / "README.md").read_text()
    assert f"Tools with a dialogue: {found.covered} of 4." in card
    assert "| no usable values | 1 | `measure_leave_request` |" in card


def test_rejected_tools_name_their_reasons(tmp_path: Path) -> None:
    """Those that only ever appear among the rejected have the reasons they were rejected for."""
    made = callwright.synthesize("diaforge", "builtin/enterprise", per_tool=1, seed=7, out=tmp_path / "ds")
    assert made.coverage is not None
    groups = made.coverage.by_reason
    rejected = {f"rejected: {code}": count for code, count in made.rejected.items()}
    assert rejected
    assert {why: len(names) for why, names in groups.items()} == rejected


def test_tools_that_were_not_planned_say_so(tmp_path: Path) -> None:
    """Five dialogues cannot be about 164 tools; a finished folder gives the same account again."""
    made = callwright.synthesize("diaforge", "builtin/enterprise", n=5, seed=7, out=tmp_path / "ds")
    assert made.coverage is not None
    assert len(made.coverage.by_reason["never planned"]) == 159
    assert callwright.synthesize("diaforge", "builtin/enterprise", n=5, seed=7, out=tmp_path / "ds") == made


def test_per_tool_plans_evenly(catalog: Catalog, tmp_path: Path) -> None:
    """Each tool is planned as often as every other, whether its dialogues are kept or rejected."""
    made = callwright.synthesize("diaforge", catalog, per_tool=4, seed=1, out=tmp_path / "ds", no_cascade=True)
    assert made.planned == 16
    assert sum(made.failed.values()) == 4
    lines = [
        json.loads(line)
        for name in ("dialogues.jsonl", "rejected.jsonl")
        for line in (tmp_path / "ds" / name).read_text().splitlines()
    ]
    golds = Counter((line.get("dialogue") or line)["tasks"][0]["gold"][0]["tool"] for line in lines)
    assert sorted(golds.values()) == [4, 4, 4]


@pytest.mark.parametrize("settings", [{}, {"n": 3, "per_tool": 1}, {"per_tool": 0}])
def test_the_size_is_given_once(catalog: Catalog, settings: dict[str, int], tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="per_tool"):
        callwright.synthesize("diaforge", catalog, out=tmp_path / "ds", **settings)


def test_a_recipe_about_several_tools_takes_no_size_per_tool(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="several tools"):
        callwright.synthesize("wild", "builtin/enterprise", per_tool=1, out=tmp_path / "ds")


def test_a_single_tool_has_nothing_to_tell_apart(catalog: Catalog, tmp_path: Path) -> None:
    """Its dialogues are rejected for it; where they are asked for, terminal, card and funnel say how many there are."""
    one = str(tmp_path / "one.json")
    callwright.write_catalog(Catalog(tools=catalog.tools[:1], source="one"), one)
    made = callwright.synthesize("diaforge", one, n=6, out=tmp_path / "none")
    assert made.rejected == {"no_look_alike": 6}

    folder = tmp_path / "ds"
    done = CliRunner().invoke(main, ["synth", "diaforge", one, "-n", "6", "--no-distractors", "-o", str(folder)])
    kept = len(callwright.open_dataset(folder).dialogues)
    assert kept > 0
    note = f"nothing_to_tell_apart: {kept} "
    assert note in done.stdout
    assert note in (folder / "README.md").read_text()
    assert coverage(folder)["nothing_to_tell_apart"] == kept

    callwright.synthesize("diaforge", catalog, n=9, seed=1, out=tmp_path / "many")
    assert coverage(tmp_path / "many")["nothing_to_tell_apart"] == 0
    assert "nothing_to_tell_apart" not in (tmp_path / "many" / "README.md").read_text()


def test_tools_that_nobody_talks_about_say_why(tmp_path: Path) -> None:
    """Group chats leave out a tool without values and one of machines, and the card and the JSON say so."""
    day = DAY | {"required": ["day"]}
    acts = "book move approve reject confirm check order plan".split()
    listed = [(f"{act}_{thing}", f"{act.title()} a {thing}.", day) for act, thing in zip(acts, THINGS, strict=True)]
    listed += [("renew_token", "Renew a token.", day), ("list_holidays", "List holidays.", {"properties": {}})]
    file = tmp_path / "functions.json"
    file.write_text(
        json.dumps([{"name": name, "description": said, "parameters": schema} for name, said, schema in listed])
    )
    made = callwright.synthesize("dice", callwright.read_catalog(file), n=4, seed=1, out=tmp_path / "ds")
    assert made.coverage is not None
    without = {one.tool: one.why for one in made.coverage.without}
    assert without["renew_token"] == "left out: is about machines, not daily life"
    assert without["list_holidays"] == "left out: takes no value"
    assert "| left out: takes no value | 1 | `list_holidays` |" in (tmp_path / "ds" / "README.md").read_text()
    assert {"tool": "list_holidays", "why": "left out: takes no value"} in coverage(tmp_path / "ds")["without"]  # type: ignore[operator]


THINGS = "room meeting holiday refund visit parcel lunch trip".split()

"""Opening datasets, also edited ones, and splitting them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import callwright
from callwright.errors import BadInput, BadRecord, RunConflict
from callwright.records.annotations.diaforge_notes import DiaforgePlan
from callwright.store.dataset import read_funnel


def edit(path: Path, line: int, change: tuple[str, str]) -> None:
    """Replace text in one line (from 1) of a file."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert change[0] in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(*change)
    path.write_text("".join(lines), encoding="utf-8")


def test_a_dataset_is_opened_with_its_tools(made: Path) -> None:
    """Every tool a dialogue shows is in the catalogue."""
    dataset = callwright.open_dataset(made)
    assert len(dataset.dialogues) == read_funnel(made)["kept"]
    assert all(shown.key in dataset.catalog.by_key for one in dataset.dialogues for shown in one.tools)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('{"id"', '{"idd"'), "idd"),
        (('"schema_version":2', '"schema_version":9'), "schema_version is 9"),
        (('{"id"', '["id"'), "Expected `object`"),
    ],
)
def test_a_broken_line_is_named(ds: Path, change: tuple[str, str], message: str) -> None:
    """A damaged line is an error with file and line number."""
    edit(ds / "dialogues.jsonl", 3, change)
    with pytest.raises(BadRecord, match=rf"dialogues\.jsonl:3: .*{message}"):
        callwright.open_dataset(ds)


def test_equal_ids_are_refused(ds: Path) -> None:
    """A dialogue pasted twice is named by its id."""
    lines = (ds / "dialogues.jsonl").read_bytes().splitlines(keepends=True)
    (ds / "dialogues.jsonl").write_bytes(b"".join([*lines, lines[0]]))
    with pytest.raises(BadInput, match=json.loads(lines[0])["id"]):
        callwright.open_dataset(ds)


def test_a_tool_without_a_document_is_named(ds: Path) -> None:
    """A dialogue that shows a tool which the catalogue lacks is an error."""
    key = callwright.open_dataset(ds).dialogues[0].tools[0].key
    edit(ds / "dialogues.jsonl", 1, (key, "0" * 16))
    with pytest.raises(BadInput, match="not in the catalogue"):
        callwright.open_dataset(ds)


def test_gold_that_is_no_json_is_named(ds: Path) -> None:
    """A gold value edited into something that is no JSON text is an error that names the dialogue."""
    dataset = callwright.open_dataset(ds)
    number, dialogue = next((n, one) for n, one in enumerate(dataset.dialogues, 1) if one.tasks[0].gold[0].arguments)
    accepted = dialogue.tasks[0].gold[0].arguments[0].accepted[0]
    edit(
        ds / "dialogues.jsonl",
        number,
        (f'"accepted":[{json.dumps(accepted, ensure_ascii=False)}]', '"accepted":["{oops"]'),
    )
    with pytest.raises(
        BadInput, match=r"dialogues.jsonl:\d: tasks\[0\].gold\[0\].arguments\[0\].accepted\[0\]: .*oops"
    ):
        callwright.open_dataset(ds)


def test_no_dataset_is_an_error(tmp_path: Path) -> None:
    """A folder without dialogues, and no folder, say so."""
    with pytest.raises(BadInput, match=r"no dialogues\.jsonl"):
        callwright.open_dataset(tmp_path)
    with pytest.raises(BadInput, match="no such folder"):
        callwright.open_dataset(tmp_path / "absent")


@pytest.mark.parametrize("by", ["domain", "tool"])
def test_no_tool_is_seen_in_two_parts(made: Path, tmp_path: Path, by: str) -> None:
    """The tools shown in different parts, and so the gold ones, never overlap; every dialogue is in at most one."""
    result = callwright.split(made, by=by, out=tmp_path / "split")  # type: ignore[arg-type]
    parts = {name: callwright.open_dataset(tmp_path / "split" / name) for name in ("train", "test")}
    tools = {name: {shown.key for one in part.dialogues for shown in one.tools} for name, part in parts.items()}
    assert not tools["train"] & tools["test"]
    assert {name: {tool.key for tool in part.catalog.tools} for name, part in parts.items()} == tools
    assert result.parts == {name: len(part.dialogues) for name, part in parts.items()}
    assert sum(result.parts.values()) + result.left_out == len(callwright.open_dataset(made).dialogues)
    if by == "domain":
        domains = {name: {tool.domain for tool in part.catalog.tools} for name, part in parts.items()}
        assert not domains["train"] & domains["test"]


def test_parts_hold_the_same_lines(made: Path, tmp_path: Path) -> None:
    """Dialogues are not changed by a split, and keep their order."""
    callwright.split(made, out=tmp_path / "split")
    whole = (made / "dialogues.jsonl").read_bytes().splitlines()
    for name in ("train", "test"):
        lines = (tmp_path / "split" / name / "dialogues.jsonl").read_bytes().splitlines()
        places = [whole.index(line) for line in lines]
        assert places == sorted(places)


def test_a_split_is_repeated_but_not_replaced(made: Path, tmp_path: Path) -> None:
    """The same split again gives the same bytes; another one in the same folder is refused."""
    first = callwright.split(made, seed=1, out=tmp_path / "split")
    before = (tmp_path / "split" / "test" / "dialogues.jsonl").read_bytes()
    assert callwright.split(made, seed=1, out=tmp_path / "split") == first
    with pytest.raises(RunConflict):
        callwright.split(made, seed=2, out=tmp_path / "split")
    assert (tmp_path / "split" / "test" / "dialogues.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({"train": 1.0}, "two parts"),
        ({"train": 0.5, "test": 0.2}, "0.7"),
        ({"train": 1.5, "test": -0.5}, "between 0 and 1"),
        ({"../out": 0.5, "test": 0.5}, "letters"),
    ],
)
def test_wrong_shares_are_bad_input(made: Path, tmp_path: Path, shares: dict[str, float], message: str) -> None:
    """Shares must be two or more, add up to 1, and have names that stay in the folder."""
    with pytest.raises(BadInput, match=message):
        callwright.split(made, shares=shares, out=tmp_path / "split")
    assert not (tmp_path / "split").exists()


def test_too_many_parts_are_refused(made: Path, tmp_path: Path) -> None:
    """More parts than there are groups cannot be made, and the error says what else to try."""
    shares = {f"part{n}": 0.05 for n in range(20)}
    with pytest.raises(BadInput, match="no dialogue is left for"):
        callwright.split(made, shares=shares, out=tmp_path / "split")


def test_a_tool_asked_for_in_vain_stays_in_one_part(tmp_path: Path) -> None:
    """Dialogues that want a tool which none of them shows do not stand in two parts."""
    callwright.synthesize("diaforge", "builtin/enterprise", n=60, seed=7, out=tmp_path / "ds", no_tool_share=0.5)
    callwright.split(tmp_path / "ds", by="tool", out=tmp_path / "split")
    wanted = []
    for name in ("train", "test"):
        dialogues = callwright.open_dataset(tmp_path / "split" / name).dialogues
        plans = [one.scenario.annotation for one in dialogues if one.scenario]
        wanted.append({plan.gold_tool for plan in plans if isinstance(plan, DiaforgePlan) and not plan.tool_fits})
    assert all(wanted)
    assert wanted[0].isdisjoint(wanted[1])


def test_the_card_of_a_part_has_the_statistics_of_its_recipe(ds: Path, tmp_path: Path) -> None:
    """Dialogues of no known recipe have their exchanges alone."""
    callwright.split(ds, out=tmp_path / "split")
    assert "gold tool" in (tmp_path / "split" / "train" / "README.md").read_text()
    lines = (ds / "dialogues.jsonl").read_text()
    (ds / "dialogues.jsonl").write_text(lines.replace('"recipe":"diaforge.v1"', '"recipe":"other.v1"'))
    callwright.split(ds, out=tmp_path / "other")
    text = (tmp_path / "other" / "train" / "README.md").read_text()
    assert "exchanges per dialogue" in text
    assert "gold tool" not in text

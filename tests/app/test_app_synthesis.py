"""Synthesis into a dataset folder: the same bytes however it comes about, and nothing lost."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import sqlite3
from pathlib import Path

import pytest

import callwright
from callwright.app.requests import SynthesisRequest, read_request
from callwright.app.synthesis import SynthesisPreview, preview_synthesis
from callwright.engine.progress import Progress
from callwright.errors import BadInput, BadRecord, Interrupted, RunConflict, UnknownName
from callwright.papers.registry import find_recipe
from callwright.records.codec import from_line
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool
from callwright.store.dataset import Rejected

N = 60
FILES = ("dialogues.jsonl", "rejected.jsonl", "catalog.json", "README.md", "funnel.json")
SOURCES = Path(callwright.__file__).parent


def make(out: Path, **changed: object) -> callwright.SynthesisResult:
    options: dict[str, object] = {"n": N, "seed": 7, "out": out} | changed
    return callwright.synthesize("diaforge", "builtin/enterprise", **options)  # type: ignore[arg-type]


def previewed(out: Path) -> SynthesisPreview:
    asked = {"recipe": "diaforge", "catalog": "builtin/enterprise", "n": N, "seed": 7, "out": out}
    return preview_synthesis(read_request(SynthesisRequest, **asked))


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


def test_every_planned_dialogue_is_accounted_for(made: Path) -> None:
    """Kept and rejected dialogues are in their files, and all counts add up to those planned."""
    funnel = json.loads((made / "funnel.json").read_text())
    kept = [from_line(line, Dialogue, where="") for line in (made / "dialogues.jsonl").read_bytes().splitlines()]
    rejected = [from_line(line, Rejected, where="") for line in (made / "rejected.jsonl").read_bytes().splitlines()]
    assert funnel["planned"] == N == len(kept) + len(rejected) + sum(funnel["failed"].values())
    assert funnel["kept"] == len(kept) >= 0.8 * N
    assert sum(funnel["rejected"].values()) == len(rejected)
    assert all(line.issues for line in rejected)
    assert [step["left"] for step in funnel["steps"]][-1] == len(kept)


def test_dialogues_stand_in_planned_order_and_say_who_wrote_them(made: Path) -> None:
    """The lines follow the plan's index, and each names the offline author."""
    kept = [from_line(line, Dialogue, where="") for line in (made / "dialogues.jsonl").read_bytes().splitlines()]
    indices = [dialogue.scenario.index for dialogue in kept if dialogue.scenario]
    assert indices == sorted(indices)
    assert {dialogue.provenance.author for dialogue in kept} == {"offline"}


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_change_no_byte(made: Path, tmp_path: Path, workers: int) -> None:
    """Two and three processes give the files that one gives."""
    make(tmp_path / "ds", workers=workers)
    assert contents(tmp_path / "ds") == contents(made)


def test_a_finished_folder_is_left_as_it_is(ds: Path) -> None:
    """The same call again gives the same counts and touches no file."""
    before = {path: path.stat().st_mtime_ns for path in ds.iterdir() if path.name != ".run"}
    result = make(ds)
    assert result.planned == N
    assert result.kept + sum(result.rejected.values()) == N
    assert before == {path: path.stat().st_mtime_ns for path in ds.iterdir() if path.name != ".run"}


def test_interrupted_work_goes_on(tmp_path: Path) -> None:
    """After Ctrl-C the same call finishes, and the bytes are those of work that was not interrupted."""

    def press(progress: Progress) -> None:
        if progress.done < 400:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Interrupted, match="same command again"):
        make(tmp_path / "broken", n=400, progress=press)
    assert not (tmp_path / "broken" / "funnel.json").exists()
    make(tmp_path / "broken", n=400)
    make(tmp_path / "whole", n=400)
    assert contents(tmp_path / "broken") == contents(tmp_path / "whole")


def test_an_unfinished_dataset_cannot_be_opened(ds: Path) -> None:
    """A folder whose files are not all in place says how to finish it."""
    (ds / "funnel.json").unlink()
    with pytest.raises(BadInput, match="unfinished"):
        callwright.open_dataset(ds)


@pytest.mark.parametrize("name", ["dialogues.jsonl", "catalog.json", "README.md"])
def test_files_edited_by_hand_are_not_overwritten(ds: Path, name: str) -> None:
    """A file changed since it was written is named, and keeps its content."""
    edited = (ds / name).read_bytes() + b"\n"
    (ds / name).write_bytes(edited)
    with pytest.raises(BadInput, match=re.escape(name)):
        make(ds)
    assert (ds / name).read_bytes() == edited


def test_a_missing_file_is_written_again(ds: Path, made: Path) -> None:
    """A dataset that lost a file is completed from its journal."""
    (ds / "README.md").unlink()
    make(ds)
    assert contents(ds) == contents(made)


@pytest.mark.parametrize(
    ("changed", "named"), [({"seed": 8}, "seed"), ({"n": 61}, "n: "), ({"distractors": 4}, "distractors")]
)
def test_another_configuration_is_refused(ds: Path, made: Path, changed: dict[str, int], named: str) -> None:
    """A folder of another run stays as it is, and the error names what differs, with or without the journal."""
    with pytest.raises(RunConflict, match=named):
        make(ds, **changed)
    shutil.rmtree(ds / ".run")
    with pytest.raises(RunConflict, match=named.strip(": ")):
        make(ds, **changed)
    assert contents(ds) == contents(made)


def test_a_run_of_another_format_is_refused(ds: Path) -> None:
    """A journal of another version is an error that says so."""
    with sqlite3.connect(ds / ".run" / "run.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(BadRecord, match="format 99"):
        make(ds)


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    """Files that would be overwritten are named, and no journal is begun beside them."""
    (tmp_path / "README.md").write_text("mine")
    with pytest.raises(BadInput, match=r"README\.md"):
        make(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"n": 0}, "at least 1"),
        ({"workers": 0}, "at least 1"),
        ({"distractors": 0}, "distractors"),
        ({"no_tool_share": 1.5}, "no_tool_share"),
        ({"user_style": "loud"}, "user_style"),
        ({"distractor": 3}, "distractor"),
    ],
)
def test_wrong_arguments_are_bad_input(tmp_path: Path, changed: dict[str, object], message: str) -> None:
    """Wrong numbers, choices and names of options are refused before anything is written."""
    with pytest.raises(BadInput, match=message):
        make(tmp_path / "ds", **changed)
    assert not (tmp_path / "ds").exists()


def test_unknown_recipes_are_listed(tmp_path: Path) -> None:
    """An unknown recipe is answered with the known ones."""
    with pytest.raises(UnknownName, match="diaforge"):
        callwright.synthesize("diaforg", "builtin/enterprise", n=1, out=tmp_path)


def test_it_works_inside_a_running_loop(tmp_path: Path) -> None:
    """In a notebook, where a loop runs already, the synchronous call works."""

    async def cell() -> int:
        return make(tmp_path / "ds", n=3).planned

    assert asyncio.run(cell()) == 3


def test_a_preview_writes_nothing(tmp_path: Path, made: Path) -> None:
    """A preview counts tools, dialogues done and bytes, and leaves no folder behind."""
    preview = previewed(tmp_path / "ds")
    assert (preview.planned, preview.done) == (N, 0)
    assert preview.tools >= 60
    size = (made / "dialogues.jsonl").stat().st_size + (made / "rejected.jsonl").stat().st_size
    assert 0.5 * size < preview.bytes < 2 * size
    assert list(tmp_path.iterdir()) == []
    assert previewed(made).done == N


def test_failed_rollouts_are_counted_and_the_rest_is_written(tmp_path: Path) -> None:
    """Where a tool's schema contradicts itself its dialogues fail with a class and a message; others are kept."""
    shop = {"type": "object", "properties": {"shop": {"type": "string"}}, "required": ["shop"]}
    least = {"type": "integer", "minimum": 5, "maximum": 4}
    broken = {"type": "object", "properties": {"shop": least}, "required": ["shop"]}
    catalog = Catalog(
        tools=(
            Tool(name="list_paid_orders", description="List all paid orders of a shop.", parameters=encode(shop)),
            Tool(name="cancel_order", description="Cancel an order of a shop.", parameters=encode(broken)),
        )
    )
    result = callwright.synthesize("diaforge", catalog, n=10, out=tmp_path / "ds")
    assert result.failed == {"values": 5}
    assert "cancel_order" in result.examples["values"]
    assert result.kept + sum(result.rejected.values()) == 5
    assert callwright.open_dataset(tmp_path / "ds").dialogues


@pytest.mark.parametrize("recipe", ["diaforge", "wild"])
def test_reasons_are_listed_in_the_order_of_the_checks(recipe: str) -> None:
    """Every code that a check or the recipe can give has its place in the funnel."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES.glob(f"papers/{recipe}/*.py"))
    codes = set(re.findall(r'(?:Issue|rejected)\(\s*"(\w+)"', text))
    assert len(codes) > 12
    assert codes <= set(find_recipe(recipe).reasons)


@pytest.mark.parametrize("option", ["no_distractors", "no_cascade", "no_thoughts"])
def test_ablations_run(tmp_path: Path, option: str) -> None:
    """Each ablation gives dialogues, and is written into their provenance."""
    result = make(tmp_path / "ds", n=12, **{option: True})
    dialogues = callwright.open_dataset(tmp_path / "ds").dialogues
    assert result.kept == len(dialogues) > 0
    assert all(json.loads(dialogue.provenance.options or "{}")[option] for dialogue in dialogues)


def test_dialogues_where_no_tool_fits(tmp_path: Path) -> None:
    """With a share of 1 no dialogue has a gold call."""
    make(tmp_path / "ds", n=12, no_tool_share=1.0)
    dialogues = callwright.open_dataset(tmp_path / "ds").dialogues
    assert dialogues
    assert not any(task.gold for dialogue in dialogues for task in dialogue.tasks)


def test_nothing_is_pickled(made: Path) -> None:
    """The folder holds JSON, Markdown and one SQLite database."""
    names = {path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()}
    assert names == {*FILES, ".run/run.db", ".run/run.lock"}

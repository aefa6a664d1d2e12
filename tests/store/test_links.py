"""Under names of its own Callwright writes to no file that is elsewhere too."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from callwright.errors import BadInput
from callwright.store.dataset import check_target
from callwright.store.links import folder_inside
from callwright.store.lock import FolderLock
from callwright.store.outcome import Outcome
from callwright.store.run import Run

Link = Callable[[Path, Path], None]
WORDS = b"the only copy of somebody's work\n" * 300
RUN_FILES = ["run.lock", "run.db", "run.db-wal", "run.db-shm", "run.db-journal"]


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    path = tmp_path / "victim"
    path.write_bytes(WORDS)
    return path


def begin(folder: Path) -> None:
    with Run.open(folder, kind="synth", config={}) as run:
        run.put_items([("a", b"1")])


@pytest.mark.parametrize("name", RUN_FILES)
@pytest.mark.parametrize("link", [os.symlink, os.link])
@pytest.mark.parametrize("is_begun", [False, True])
def test_no_file_of_a_run_is_written_through_a_link(
    name: str, link: Link, is_begun: bool, victim: Path, tmp_path: Path
) -> None:
    """Symbolic and hard links are refused by name, in a new run and in one begun; what they lead to stays."""
    folder = tmp_path / "run"
    folder.mkdir()
    if is_begun:
        begin(folder)
        (folder / name).unlink(missing_ok=True)
    link(victim, folder / name)
    with pytest.raises(BadInput, match=f"{name}: .*(Remove the link|Put a copy)"):
        begin(folder)
    assert victim.read_bytes() == WORDS


def test_a_link_that_leads_nowhere_makes_no_file(tmp_path: Path) -> None:
    """Neither the lock nor the database is made where a link would put it."""
    for name in ("run.lock", "run.db"):
        folder = tmp_path / f"folder-{name}"
        folder.mkdir()
        (folder / name).symlink_to(tmp_path / "new")
        with pytest.raises(BadInput, match="Remove the link"):
            begin(folder)
    assert not (tmp_path / "new").exists()


def test_a_refused_lock_leaves_the_run_free(tmp_path: Path, victim: Path) -> None:
    """Once the link is removed the same folder is a run."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.db").symlink_to(victim)
    with pytest.raises(BadInput, match="Remove the link"):
        begin(tmp_path / "run")
    (tmp_path / "run" / "run.db").unlink()
    begin(tmp_path / "run")
    assert (tmp_path / "run" / "run.lock").stat().st_size == 0


def test_what_is_no_plain_file_is_no_lock(tmp_path: Path) -> None:
    """A device or a pipe in the lock's place is refused."""
    os.mkfifo(tmp_path / "run.lock")
    with pytest.raises(BadInput, match="not a plain file"):
        FolderLock(tmp_path / "run.lock")


def test_no_run_is_read_through_a_link(tmp_path: Path) -> None:
    """Reading may have to mend a database and puts files beside it: not in a folder elsewhere."""
    begin(tmp_path / "other")
    before = sorted(os.listdir(tmp_path / "other"))
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.db").symlink_to(tmp_path / "other" / "run.db")
    with pytest.raises(BadInput, match="Remove the link"):
        Run.read(tmp_path / "run")
    assert sorted(os.listdir(tmp_path / "other")) == before


def test_a_copy_of_hard_links_can_be_read(tmp_path: Path) -> None:
    """As backups make them; a reader changes nothing."""
    begin(tmp_path / "run")
    (tmp_path / "copy").mkdir()
    os.link(tmp_path / "run" / "run.db", tmp_path / "copy" / "run.db")
    with Run.read(tmp_path / "copy") as run:
        assert list(run.items()) == [("a", b"1")]


def test_a_database_that_was_swapped_for_a_link_is_noticed(tmp_path: Path) -> None:
    """A link made between the look and SQLite's opening is found by the file that SQLite opened."""
    from callwright.store.database import _check_place

    begin(tmp_path / "other")
    begin(tmp_path / "run")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "run.db").symlink_to(tmp_path / "other" / "run.db")
    with contextlib.closing(sqlite3.connect(tmp_path / "run" / "run.db")) as connection:
        assert _check_place(connection, tmp_path / "run" / "run.db") is None
    with (
        contextlib.closing(sqlite3.connect(tmp_path / "linked" / "run.db")) as connection,
        pytest.raises(BadInput, match="leads to"),
    ):
        _check_place(connection, tmp_path / "linked" / "run.db")


def test_links_further_up_are_the_users_own_matter(tmp_path: Path) -> None:
    """A run folder is reached through linked parents, and may be a link itself."""
    (tmp_path / "disk" / "runs").mkdir(parents=True)
    (tmp_path / "home").symlink_to(tmp_path / "disk")
    (tmp_path / "run").symlink_to(tmp_path / "disk" / "runs")
    begin(tmp_path / "home" / "runs")
    with Run.open(tmp_path / "run", kind="synth", config={}) as run:
        run.put(outcomes=[Outcome(item="a", value=b"v")])
    with Run.read(tmp_path / "home" / "runs") as run:
        assert run.done() == {("a", 0)}


def test_a_path_that_is_no_text_can_hold_a_run(tmp_path: Path) -> None:
    """SQLite tells the path it opened in bytes, which need not be UTF-8."""
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/r\xff"))
    try:
        folder.mkdir()
    except OSError:
        return  # a file system of text alone has no such folder
    begin(folder)
    with Run.read(folder) as run:
        assert list(run.items()) == [("a", b"1")]


@pytest.mark.parametrize(
    "name", ["dialogues.jsonl", "rejected.jsonl", "catalog.json", "README.md", "funnel.json", ".run"]
)
def test_no_dataset_is_begun_over_a_link(name: str, victim: Path, tmp_path: Path) -> None:
    """It is said before anything is made, also of a link that leads nowhere."""
    for target in (victim, tmp_path / "none"):
        folder = tmp_path / f"ds-{target.name}"
        folder.mkdir()
        (folder / name).symlink_to(target)
        with pytest.raises(BadInput, match=f"{name}: a link"):
            check_target(folder)


def test_a_folder_inside_is_no_link(tmp_path: Path) -> None:
    """The folder that keeps it may be one."""
    (tmp_path / "ds").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "ds")
    assert folder_inside(tmp_path / "linked", ".judge") == tmp_path / "linked" / ".judge"
    (tmp_path / "ds" / ".judge").symlink_to(tmp_path)
    with pytest.raises(BadInput, match="Remove the link"):
        folder_inside(tmp_path / "ds", ".judge")

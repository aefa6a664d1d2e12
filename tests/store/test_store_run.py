"""Runs: what is kept, what is refused, what is left behind."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from callwright.errors import BadInput, BadRecord, RunConflict, StorageFailed
from callwright.store.database import use_write_ahead
from callwright.store.outcome import Outcome, Place, StoredReply
from callwright.store.run import Run

CONFIG = {"seed": 7, "model": "builtin/oracle"}


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
    )


def reply(scope: str, text: bytes = b"{}", attempt: int = 0) -> StoredReply:
    return StoredReply(Place("a", 0, scope, attempt), "digest", text)


def test_outcomes_come_back_in_planned_order(tmp_path: Path) -> None:
    """Outcomes are listed by item position and trial, whatever the order they were put in."""
    with Run.open(tmp_path, kind="synth", config=CONFIG) as run:
        names = [f"z{n}" for n in range(600, 0, -1)]
        run.put_items((name, b"x") for name in names)
        wanted = [Outcome(item=name, trial=trial, value=b"v") for name in names for trial in range(2)]
        run.put(outcomes=sorted(wanted, key=lambda outcome: outcome.item))
        assert list(run.outcomes()) == wanted
        assert list(run.items()) == [(name, b"x") for name in names]


def test_all_is_kept_across_sessions(tmp_path: Path) -> None:
    """Items, outcomes, replies, blobs, kind and configuration are there after reopening."""
    failed = Outcome(item="b", kind="timeout", role="model", message="no reply")
    with Run.open(tmp_path, kind="eval", config=CONFIG) as run:
        run.put_items([("a", b"1"), ("b", b"2")])
        run.put(outcomes=[Outcome(item="a", value=b""), failed], replies=[reply("x"), reply("x", attempt=1)])
        run.put_blob("catalog", b"tools")
    with Run.read(tmp_path) as run:
        assert (run.kind, run.config) == ("eval", CONFIG)
        assert (run.get_blob("catalog"), run.get_blob("other")) == (b"tools", None)
        assert list(run.outcomes()) == [Outcome(item="a", value=b""), failed]
        assert run.done() == {("a", 0)}
        assert run.failures() == {"timeout": 1}
        assert list(run.replies()) == [reply("x"), reply("x", attempt=1)]
        assert run.get_reply(Place("a", 0, "x", 1)) == ("digest", b"{}")


def test_an_outcome_or_reply_of_no_item_is_refused(tmp_path: Path) -> None:
    """What belongs to no item of the run could never be found again; nothing of the commit is kept."""
    with Run.open(tmp_path, kind="eval", config=CONFIG) as run:
        run.put_items([("b", b"")])
        with pytest.raises(BadInput, match="to no item"):
            run.put(outcomes=[Outcome(item="b", value=b""), Outcome(item="a", value=b"")])
        with pytest.raises(BadInput, match="to no item"):
            run.put(outcomes=[Outcome(item="b", value=b"")], replies=[reply("x")])
        assert run.get_reply(Place("a", 0, "x", 0)) is None
        assert run.done() == set()
        run.put(outcomes=[Outcome(item="b", value=b"")])
        assert run.done() == {("b", 0)}


def test_items_that_come_later_have_places_too(tmp_path: Path) -> None:
    """Items that were added after a commit get outcomes and replies of their own, for a reader beside it too."""
    with Run.open(tmp_path, kind="judge", config=CONFIG) as run:
        run.add_items([("b", b"")])
        run.put(outcomes=[Outcome(item="b", value=b"1")])
        with Run.read(tmp_path) as reader:
            assert reader.get_reply(Place("a", 0, "x", 0)) is None
            run.add_items([("a", b"")])
            run.put(outcomes=[Outcome(item="a", value=b"2")], replies=[reply("x")])
            assert reader.get_reply(Place("a", 0, "x", 0)) == ("digest", b"{}")
        assert [(one.item, one.value) for one in run.outcomes()] == [("b", b"1"), ("a", b"2")]
        run.drop_reply(Place("a", 0, "x", 0))
        assert list(run.replies()) == []


def test_replies_are_listed_past_one_page(tmp_path: Path) -> None:
    """Paging over replies neither loses nor repeats one, and goes by the planned order of items."""
    with Run.open(tmp_path, kind="eval", config=CONFIG) as run:
        run.put_items([(item, b"") for item in "cab"])
        kept = [StoredReply(Place(item, 0, f"s{n:04}", 0), "digest", b"{}") for item in "cab" for n in range(300)]
        run.put(replies=kept[::-1])
        assert list(run.replies()) == kept


@pytest.mark.parametrize("durable", [False, True])
def test_a_closed_run_is_one_plain_file(tmp_path: Path, durable: bool) -> None:
    """After closing neither a log nor shared memory is left, and a read-only copy can be read."""
    with Run.open(tmp_path, kind="synth", config=CONFIG, durable=durable) as run:
        run.put_items([("a", b"")])
        run.put(replies=[reply("x")])
        assert (tmp_path / "run.db-wal").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.db", "run.lock"]
    with Run.read(tmp_path) as run:
        assert list(run.replies()) == [reply("x")]


def test_readers_see_committed_data_beside_the_writer(tmp_path: Path) -> None:
    """A reader opened while the run is written sees what is committed, and does not stop the writer."""
    with Run.open(tmp_path, kind="synth", config=CONFIG) as run:
        run.put_items([("a", b"")])
        run.put(replies=[reply("x")])
        with Run.read(tmp_path) as reader:
            assert len(list(reader.replies())) == 1
            run.put(replies=[reply("y")])
            assert len(list(reader.replies())) == 2


def test_a_reader_left_open_does_not_harm_closing(tmp_path: Path) -> None:
    """Closing while a reader is open loses nothing."""
    run = Run.open(tmp_path, kind="synth", config=CONFIG)
    run.put_items([("a", b"")])
    run.put(replies=[reply("x")])
    reader = Run.read(tmp_path)
    page = reader.replies()
    next(page)
    run.close()
    reader.close()
    with Run.open(tmp_path, kind="synth", config=CONFIG) as again:
        assert list(again.replies()) == [reply("x")]


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    """Writing through a reading run is refused with a clear error."""
    Run.open(tmp_path, kind="synth", config=CONFIG).close()
    with Run.read(tmp_path) as run, pytest.raises(StorageFailed, match="readonly"):
        run.put_blob("x", b"")


def test_another_configuration_names_what_differs(tmp_path: Path) -> None:
    """Opening with another configuration names each key with both values; nested and mistyped ones count."""
    Run.open(tmp_path, kind="synth", config={**CONFIG, "one": 1, "same": [1]}).close()
    with pytest.raises(RunConflict) as caught:
        Run.open(tmp_path, kind="synth", config={"seed": 8, "same": [1], "one": True, "new": "x"})
    message = str(caught.value)
    assert "seed: 7 there, 8 now" in message
    assert 'model: "builtin/oracle" there, absent now' in message
    assert 'new: absent there, "x" now' in message
    assert "one: 1 there, true now" in message
    assert "same" not in message.replace("the same", "")
    Run.open(tmp_path, kind="synth", config={**CONFIG, "one": 1, "same": [1]}).close()


def test_another_kind_of_run_is_a_conflict(tmp_path: Path) -> None:
    """A folder of one kind of run is not continued by another."""
    Run.open(tmp_path, kind="synth", config=CONFIG).close()
    with pytest.raises(RunConflict, match='kind: "synth" there, "eval" now'):
        Run.open(tmp_path, kind="eval", config=CONFIG)


def test_other_items_are_a_conflict(tmp_path: Path) -> None:
    """Items kept once cannot be replaced by others; the same ones are accepted."""
    with Run.open(tmp_path, kind="synth", config=CONFIG) as run:
        run.put_items([("a", b"1"), ("b", b"2")])
        run.put_items([("a", b"1"), ("b", b"2")])
        with pytest.raises(RunConflict, match="item 'b' differs"):
            run.put_items([("a", b"1"), ("b", b"3")])
        with pytest.raises(RunConflict, match="it has 2, and 1 are asked for"):
            run.put_items([("a", b"1")])
        with pytest.raises(RunConflict, match="has 'b' where 'c'"):
            run.keep_ids(["a", "c"])


def test_equal_ids_are_refused(tmp_path: Path) -> None:
    """Two items of one id are bad input, and nothing of them is kept."""
    with Run.open(tmp_path, kind="synth", config=CONFIG) as run:
        with pytest.raises(BadInput, match="two items have the id 'a'"):
            run.put_items([("a", b""), ("a", b"")])
        assert run.n_items() == 0


@pytest.mark.parametrize("version", [2, 99])
def test_another_format_version_is_refused_unchanged(tmp_path: Path, version: int) -> None:
    """A run of another format version is refused with what to do, and left byte for byte."""
    Run.open(tmp_path, kind="synth", config=CONFIG).close()
    connection = sqlite3.connect(tmp_path / "run.db")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    before = (tmp_path / "run.db").read_bytes()
    with pytest.raises(BadRecord, match=rf"format {version}; .* Run the command that made it again"):
        Run.open(tmp_path, kind="synth", config=CONFIG)
    with pytest.raises(BadRecord, match=rf"format {version}; .* Run the command that made it again"):
        Run.read(tmp_path)
    assert (tmp_path / "run.db").read_bytes() == before


@pytest.mark.parametrize("content", [b"hello", b"x" * 5000, b"SQLite format 3\0" + b"\xff" * 4080])
def test_a_file_that_is_no_database_is_refused_unchanged(tmp_path: Path, content: bytes) -> None:
    """A damaged or foreign file is bad input, and is neither changed nor deleted."""
    (tmp_path / "run.db").write_bytes(content)
    with pytest.raises(BadInput, match="Nothing was changed"):
        Run.open(tmp_path, kind="synth", config=CONFIG)
    with pytest.raises(BadInput):
        Run.read(tmp_path)
    assert (tmp_path / "run.db").read_bytes() == content


def test_another_programs_database_is_refused_unchanged(tmp_path: Path) -> None:
    """An SQLite file of another program is not touched."""
    connection = sqlite3.connect(tmp_path / "run.db")
    connection.execute("CREATE TABLE meta (key, value)")
    connection.close()
    before = (tmp_path / "run.db").read_bytes()
    with pytest.raises(BadRecord, match="not a run's database"):
        Run.open(tmp_path, kind="synth", config=CONFIG)
    assert (tmp_path / "run.db").read_bytes() == before


def test_damage_in_the_middle_is_reported(tmp_path: Path) -> None:
    """Pages overwritten inside the file give one clear error when they are read."""
    with Run.open(tmp_path, kind="synth", config=CONFIG) as run:
        run.put_items([("a", b"")])
        run.put(replies=[reply(f"s{n}", b"x" * 500) for n in range(500)])
    data = bytearray((tmp_path / "run.db").read_bytes())
    data[8192 : len(data)] = b"\xa5" * (len(data) - 8192)
    (tmp_path / "run.db").write_bytes(data)

    def read_all() -> None:
        with Run.open(tmp_path, kind="synth", config=CONFIG) as run:
            list(run.replies())

    with pytest.raises(BadInput, match="damaged"):
        read_all()


def test_a_failed_opening_releases_the_lock(tmp_path: Path) -> None:
    """After a refused opening the folder can be opened at once."""
    Run.open(tmp_path, kind="synth", config=CONFIG).close()
    with pytest.raises(RunConflict):
        Run.open(tmp_path, kind="synth", config={})
    Run.open(tmp_path, kind="synth", config=CONFIG).close()


def test_a_folder_without_a_run_is_bad_input(tmp_path: Path) -> None:
    """Reading where no run is, and opening at a file, are bad input."""
    with pytest.raises(BadInput, match=r"no run\.db"):
        Run.read(tmp_path / "nowhere")
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be created"):
        Run.open(tmp_path / "file", kind="synth", config=CONFIG)


def test_a_second_process_is_told_who_runs(tmp_path: Path) -> None:
    """While one process holds a run another is refused with its id; after kill -9 it is not."""
    script = """
        import sys, time
        from callwright.store.run import Run
        run = Run.open(sys.argv[1], kind="synth", config={"seed": 7, "model": "builtin/oracle"})
        run.put_blob("kept", b"yes")
        print("open", flush=True)
        time.sleep(60)
    """
    holder = start(script, tmp_path)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(RunConflict, match=rf"already running \(process {holder.pid}\)"):
            Run.open(tmp_path, kind="synth", config=CONFIG)
    finally:
        os.kill(holder.pid, signal.SIGKILL)
        holder.communicate()
    with Run.open(tmp_path, kind="synth", config=CONFIG) as run:
        assert run.get_blob("kept") == b"yes"


def test_one_process_cannot_open_a_run_twice(tmp_path: Path) -> None:
    """The lock holds inside one process too."""
    with (
        Run.open(tmp_path, kind="synth", config=CONFIG),
        pytest.raises(RunConflict, match=f"already running .process {os.getpid()}"),
    ):
        Run.open(tmp_path, kind="synth", config=CONFIG)


def test_a_full_disk_loses_nothing_committed(tmp_path: Path) -> None:
    """Where the disk takes no more, one clear error says so; all earlier commits are there, and it goes on later."""
    pytest.importorskip("resource")
    script = """
        import resource, sys
        from callwright.errors import StorageFailed
        from callwright.store.outcome import Outcome
        from callwright.store.run import Run
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
        run = Run.open(sys.argv[1], kind="synth", config={"seed": 7, "model": "builtin/oracle"})
        run.put_items((f"i{n}", b"") for n in range(2000))
        for n in range(2000):
            try:
                run.put(outcomes=[Outcome(item=f"i{n}", value=b"x" * 1000)])
            except StorageFailed as error:
                print(n, error, flush=True)
                break
        run.close()
    """
    full = start(script, tmp_path)
    told, _ = full.communicate()
    assert full.returncode == 0
    assert "the disk is full or fails" in told
    committed = int(told.split()[0])
    assert 0 < committed < 2000
    with Run.open(tmp_path, kind="synth", config=CONFIG) as run:
        assert len(run.done()) == committed
        run.put(outcomes=[Outcome(item=f"i{n}", value=b"x" * 1000) for n in range(2000)])
        assert len(run.done()) == 2000


def test_a_file_system_without_shared_memory_gets_a_rollback_journal(tmp_path: Path) -> None:
    """Where a write-ahead log cannot work, a rollback journal takes its place."""
    connection = sqlite3.connect(f"{(tmp_path / 'x.db').as_uri()}?vfs=unix-dotfile", uri=True, isolation_level=None)
    assert use_write_ahead(connection) is False
    assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "delete"
    connection.close()


def test_a_copied_folder_goes_on(tmp_path: Path) -> None:
    """A run is self-contained: a copy of its folder can be opened."""
    with Run.open(tmp_path / "a", kind="synth", config=CONFIG) as run:
        run.put_items([("a", b"1")])
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    with Run.open(tmp_path / "b", kind="synth", config=CONFIG) as run:
        assert run.item_ids() == ("a",)


def test_ids_that_are_no_unicode_are_refused(tmp_path: Path) -> None:
    """A lone surrogate in an id is bad input."""
    with Run.open(tmp_path, kind="synth", config=CONFIG) as run, pytest.raises(BadInput, match="cannot be an id"):
        run.put_items([("a\ud800", b"")])


def test_a_run_killed_while_its_log_was_folded_in_can_be_read(tmp_path: Path) -> None:
    """A rollback journal is left beside the file: what was half done is undone, and the rest is there."""
    with Run.open(tmp_path / "run", kind="test", config={}) as run:
        run.put_items([("a", b"1")])
    (tmp_path / "killed").mkdir()
    writer = sqlite3.connect(tmp_path / "run" / "run.db", isolation_level=None)
    writer.execute("PRAGMA cache_size = 1")
    writer.execute("BEGIN")
    writer.executemany("INSERT INTO blobs VALUES (?, ?)", ((str(at), b"x" * 4_000) for at in range(200)))
    for name in ("run.db", "run.db-journal"):
        shutil.copy(tmp_path / "run" / name, tmp_path / "killed" / name)
    writer.close()
    with Run.read(tmp_path / "killed") as run:
        assert list(run.items()) == [("a", b"1")]
        assert run.get_blob("0") is None


def test_a_run_whose_file_is_gone_says_so(tmp_path: Path) -> None:
    """SQLite itself would go on writing to a file that nobody will find again."""
    folder = tmp_path / "run"
    with Run.open(folder, kind="synth", config=CONFIG) as run:
        run.put_items([("a", b""), ("b", b"")])
        run.put(outcomes=[Outcome(item="a", value=b"")])
        shutil.rmtree(folder)
        with pytest.raises(StorageFailed, match="removed or replaced"):
            run.put(outcomes=[Outcome(item="b", value=b"")])
        shutil.rmtree(folder, ignore_errors=True)
        with Run.open(folder, kind="synth", config=CONFIG), pytest.raises(StorageFailed, match="removed or replaced"):
            run.put(outcomes=[Outcome(item="b", value=b"")])


def test_a_growing_run_takes_more_items_and_is_rolled_out_in_part(tmp_path: Path) -> None:
    """New items come after those that are there, which stay as they are; any of them may be asked for, others not."""
    with Run.open(tmp_path, kind="judge", config={}) as run:
        run.add_items([("b", b"1"), ("a", b"2")])
        run.add_items([("a", b"changed"), ("c", b"3")])
        assert list(run.items()) == [("b", b"1"), ("a", b"2"), ("c", b"3")]
        run.keep_ids(["c", "b"])
        with pytest.raises(RunConflict):
            run.keep_ids(["c", "d"])
        with pytest.raises(BadInput, match="two items have the id 'e'"):
            run.add_items([("e", b""), ("e", b"")])
        assert run.n_items() == 3


def test_a_reader_at_the_first_commit_costs_only_speed(tmp_path: Path) -> None:
    """The log is not switched under somebody who reads; what is committed is there all the same."""
    with Run.open(tmp_path / "run", kind="test", config={}) as run:
        run.put_items([("a", b"1")])
        reader = sqlite3.connect(tmp_path / "run" / "run.db", isolation_level=None, check_same_thread=False)
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM items").fetchall()
        leaving = threading.Timer(0.3, reader.close)
        leaving.start()
        run.put(outcomes=[Outcome("a", value=b"x")])
        leaving.join()
    with Run.read(tmp_path / "run") as again:
        assert [one.value for one in again.outcomes()] == [b"x"]

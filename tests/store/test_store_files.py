"""Files are written whole or not at all."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from callwright.errors import BadInput
from callwright.store.files import new_folder, write_atomically


def test_a_file_is_written_with_its_digest(tmp_path: Path) -> None:
    """Folders are made, chunks joined, the digest is that of the whole, nothing else is left."""
    digest = write_atomically(tmp_path / "new" / "x.json", [b"ab", b"c"])
    assert digest == hashlib.sha256(b"abc").hexdigest()
    assert (tmp_path / "new" / "x.json").read_bytes() == b"abc"
    assert os.listdir(tmp_path / "new") == ["x.json"]


def test_an_error_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    """When the chunks fail half-way the old content stands and the temporary file is gone."""

    def chunks() -> Iterator[bytes]:
        yield b"half"
        raise KeyError("lost")

    (tmp_path / "x").write_bytes(b"old")
    with pytest.raises(KeyError):
        write_atomically(tmp_path / "x", chunks())
    assert (tmp_path / "x").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["x"]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """When the disk takes no more, StorageFailed says so, the old content stands, nothing is left beside it."""
    pytest.importorskip("resource")
    script = """
        import resource, sys
        from callwright.errors import StorageFailed
        from callwright.store.files import new_folder, write_atomically
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
        try:
            write_atomically(sys.argv[1], (b"x" * 1000 for _ in range(100)))
        except StorageFailed as error:
            print(error)
    """
    (tmp_path / "x").write_bytes(b"old")
    arguments = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path / "x")]
    told = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    assert "cannot be written" in told
    assert (tmp_path / "x").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["x"]


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    """A symbolic link is refused, and what it leads to stays; a link among the parents is no matter."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "x").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real" / "x")
    (tmp_path / "folder").symlink_to(tmp_path / "real")
    with pytest.raises(BadInput, match="Remove the link"):
        write_atomically(tmp_path / "link", [b"new"])
    assert (tmp_path / "real" / "x").read_bytes() == b"old"
    write_atomically(tmp_path / "folder" / "x", [b"new"])
    assert (tmp_path / "real" / "x").read_bytes() == b"new"


def test_a_file_with_a_second_name_is_replaced_in_one_of_them(tmp_path: Path) -> None:
    """Of a file with two names (hard links) the other one keeps the old content."""
    (tmp_path / "other").write_bytes(b"old")
    os.link(tmp_path / "other", tmp_path / "x")
    write_atomically(tmp_path / "x", [b"new"])
    assert ((tmp_path / "other").read_bytes(), (tmp_path / "x").read_bytes()) == (b"old", b"new")


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_link_at_the_temporary_name_is_not_followed(link: Callable[[Path, Path], None], tmp_path: Path) -> None:
    """A link where the temporary file will be is removed, and what it leads to stays."""
    (tmp_path / "victim").write_bytes(b"old")
    link(tmp_path / "victim", tmp_path / f".x.{os.getpid()}.part")
    write_atomically(tmp_path / "x", [b"new"])
    assert ((tmp_path / "victim").read_bytes(), (tmp_path / "x").read_bytes()) == (b"old", b"new")
    assert sorted(os.listdir(tmp_path)) == ["victim", "x"]


def test_what_is_no_plain_file_is_refused(tmp_path: Path) -> None:
    """Folders and devices are not replaced."""
    with pytest.raises(BadInput, match="not a plain file"):
        write_atomically(tmp_path, [b"x"])
    with pytest.raises(BadInput, match="not a plain file"):
        write_atomically(os.devnull, [b"x"])


def test_a_parent_that_is_a_file_is_reported(tmp_path: Path) -> None:
    """A path below a file is an error with the path."""
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="file/x: a file stands in place of a folder"):
        write_atomically(tmp_path / "file" / "x", [b"x"])


def test_what_killed_processes_left_beside_a_file_goes(tmp_path: Path) -> None:
    """A file or folder under the name of a process that has ended goes; that of one that runs stays."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    (tmp_path / f".x.{ended.pid}.part").write_bytes(b"half")
    (tmp_path / f".y.{ended.pid}.part").mkdir()
    running = tmp_path / f".x.{os.getppid()}.part"
    running.write_bytes(b"half")

    write_atomically(tmp_path / "x", [b"whole"])
    with new_folder(tmp_path / "y") as folder:
        (folder / "z").write_bytes(b"whole")

    assert sorted(path.name for path in tmp_path.iterdir()) == sorted((running.name, "x", "y"))
    assert (tmp_path / "y" / "z").read_bytes() == b"whole"


@pytest.mark.parametrize("is_there", [False, True])
def test_a_new_folder_is_whole_or_empty(tmp_path: Path, is_there: bool) -> None:
    """Nothing is in its place before all is written, and nothing where writing it failed."""
    out = tmp_path / "out"
    if is_there:
        out.mkdir()

    def fail() -> None:
        with new_folder(out) as folder:
            (folder / "z").write_bytes(b"whole")
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        fail()
    assert list(tmp_path.rglob("*")) == ([out] if is_there else [])

    with new_folder(out) as folder:
        (folder / "z").write_bytes(b"whole")
        assert not list(out.rglob("*"))
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "z"]

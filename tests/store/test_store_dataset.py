"""Dataset folders: written whole, read as a stream, never overwritten after an edit."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from callwright.errors import BadInput, BadRecord
from callwright.records.codec import to_line
from callwright.records.dialogue import Dialogue, Participant, Provenance, Turn
from callwright.records.issue import Issue
from callwright.store.dataset import (
    Rejected,
    changed_by_hand,
    check_target,
    read_catalog_bytes,
    read_dialogues,
    read_funnel,
    read_rejected,
    write_dataset,
)


def dialogue(name: str) -> Dialogue:
    return Dialogue(
        id=name,
        recipe="test.v1",
        participants=(Participant(id="u", role="user"),),
        turns=(Turn(speaker="u", text="Grüße\u2028 – two lines?"),),
        provenance=Provenance(author="offline", callwright="0"),
    )


KEPT = [dialogue("a"), dialogue("b")]
REJECTED = [Rejected(dialogue=dialogue("c"), issues=(Issue("tool_leak", "turns[0]", "names the tool"),))]


def write(folder: Path, kept: list[Dialogue] = KEPT) -> None:
    write_dataset(
        folder,
        dialogues=map(to_line, kept),
        rejected=map(to_line, REJECTED),
        catalog=b'{"tools": []}',
        funnel={"planned": 3},
        card="# A dataset\n",
    )


def test_a_dataset_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """Dialogues, rejections with reasons, catalogue and funnel are read back equal; no other file is made."""
    write(tmp_path / "ds")
    assert list(read_dialogues(tmp_path / "ds")) == KEPT
    assert list(read_rejected(tmp_path / "ds")) == REJECTED
    assert read_catalog_bytes(tmp_path / "ds") == b'{"tools": []}'
    assert read_funnel(tmp_path / "ds")["planned"] == 3
    names = ["README.md", "catalog.json", "dialogues.jsonl", "funnel.json", "rejected.jsonl"]
    assert sorted(path.name for path in (tmp_path / "ds").iterdir()) == names


def test_writing_again_over_untouched_files_is_allowed(tmp_path: Path) -> None:
    """A finished dataset that nobody edited may be written anew."""
    write(tmp_path)
    assert changed_by_hand(tmp_path) == []
    write(tmp_path, [dialogue("z")])
    assert [kept.id for kept in read_dialogues(tmp_path)] == ["z"]


@pytest.mark.parametrize("name", ["dialogues.jsonl", "rejected.jsonl", "catalog.json", "README.md"])
def test_an_edited_file_is_not_overwritten(tmp_path: Path, name: str) -> None:
    """A file changed by hand is named, and writing refuses to touch anything."""
    write(tmp_path)
    with open(tmp_path / name, "ab") as file:
        file.write(b" ")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert changed_by_hand(tmp_path) == [name]
    with pytest.raises(BadInput, match=f"{name} changed since"):
        write(tmp_path, [dialogue("z")])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_folder_with_files_of_others_is_not_written_to(tmp_path: Path) -> None:
    """A README.md that no dataset put there is never overwritten, also once a run was begun elsewhere."""
    (tmp_path / "README.md").write_text("my project")
    with pytest.raises(BadInput, match=r"not a dataset; this would overwrite README\.md"):
        check_target(tmp_path)
    with pytest.raises(BadInput, match="Choose another folder"):
        write(tmp_path)
    assert (tmp_path / "README.md").read_text() == "my project"


def test_an_unfinished_dataset_is_refused_to_readers_and_finished_by_writers(tmp_path: Path) -> None:
    """With a `.run` and without its funnel a dataset cannot be read, and may be written."""
    write(tmp_path)
    (tmp_path / ".run").mkdir()
    (tmp_path / "funnel.json").unlink()
    with pytest.raises(BadInput, match="unfinished"):
        read_dialogues(tmp_path)
    write(tmp_path)
    assert len(list(read_dialogues(tmp_path))) == 2


def test_an_error_while_writing_leaves_the_old_dataset(tmp_path: Path) -> None:
    """When a source fails half-way the finished dataset stands as it was, without leftovers."""

    def failing() -> Iterator[bytes]:
        yield b"{}"
        raise KeyError("lost")

    write(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(KeyError):
        write_dataset(tmp_path, dialogues=[], rejected=failing(), catalog=b"", funnel={}, card="")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_full_disk_leaves_the_old_dataset(tmp_path: Path) -> None:
    """When the disk takes no more, the finished dataset stands as it was, without leftovers."""
    pytest.importorskip("resource")
    script = """
        import resource, sys
        from callwright.errors import StorageFailed
        from callwright.store.dataset import write_dataset
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        try:
            write_dataset(sys.argv[1], dialogues=[], rejected=[b"x" * 100_000], catalog=b"", funnel={}, card="")
        except StorageFailed as error:
            print(error)
    """
    write(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    arguments = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path)]
    told = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    assert "rejected.jsonl: cannot be written" in told
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    """A torn line is reported with file and line, after the lines before it were read."""
    write(tmp_path)
    lines = (tmp_path / "dialogues.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "dialogues.jsonl").write_bytes(lines[0] + lines[1][:40])
    read = read_dialogues(tmp_path)
    assert next(read) == KEPT[0]
    with pytest.raises(BadRecord, match=r"dialogues\.jsonl:2: "):
        next(read)


def test_blank_lines_are_skipped_and_a_missing_last_line_end_is_fine(tmp_path: Path) -> None:
    """Editors add and remove blank lines and last line ends; dialogues are read all the same."""
    write(tmp_path)
    (tmp_path / "dialogues.jsonl").write_bytes(b"\n" + b"\r\n\r\n".join(map(to_line, KEPT)))
    assert list(read_dialogues(tmp_path)) == KEPT


@pytest.mark.parametrize("read", [read_dialogues, read_rejected, read_catalog_bytes, read_funnel])
def test_what_is_no_dataset_is_bad_input(tmp_path: Path, read: object) -> None:
    """A missing folder, a file and an empty folder are each one clear error, raised at once."""
    assert callable(read)
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="no such folder"):
        read(tmp_path / "nowhere")
    with pytest.raises(BadInput, match="this is a file"):
        read(tmp_path / "file")
    with pytest.raises(BadInput, match="not a dataset: it has no"):
        read(tmp_path)


@pytest.mark.parametrize("content", ["[]", '{"files": 3}', "{}", "nonsense"])
def test_an_edited_funnel_stops_a_rewrite(tmp_path: Path, content: str) -> None:
    """A funnel that no longer records digests is bad input to a writer, not a licence to overwrite."""
    write(tmp_path)
    (tmp_path / "funnel.json").write_text(content)
    with pytest.raises(BadInput):
        write(tmp_path)
    assert len(list(read_dialogues(tmp_path))) == 2


def test_a_dataset_of_version_1_is_neither_counted_nor_overwritten(tmp_path: Path) -> None:
    """The funnel's version is refused with what to do, and the dialogues stay."""
    write(tmp_path)
    funnel = tmp_path / "funnel.json"
    funnel.write_text(funnel.read_text().replace('"schema_version": 2', '"schema_version": 1'))
    with pytest.raises(BadRecord, match=r"funnel\.json: schema_version is 1; .* with the command that made it"):
        read_funnel(tmp_path)
    with pytest.raises(BadRecord, match="schema_version is 1"):
        write(tmp_path)
    assert len(list(read_dialogues(tmp_path))) == 2


def test_the_funnel_is_an_object_with_digests_and_version(tmp_path: Path) -> None:
    """`funnel.json` holds the counts, the digests of the other files and the schema version."""
    write(tmp_path)
    funnel = json.loads((tmp_path / "funnel.json").read_text())
    assert funnel["schema_version"] == 2
    assert sorted(funnel["files"]) == ["README.md", "catalog.json", "dialogues.jsonl", "rejected.jsonl"]

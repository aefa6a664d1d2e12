"""Prompt files: bundled ones, and a user's own in their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from callwright.author.prompts import prompt_names, prompt_source
from callwright.errors import BadDocument, BadInput, UnknownName
from callwright.papers.registry import prompt_homes, read_prompts

GOAL = "diaforge/goal.j2"


def own(folder: Path, text: str | bytes, name: str = GOAL) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def test_without_a_folder_all_prompts_are_the_bundled_ones() -> None:
    """By their names."""
    assert GOAL in prompt_names(prompt_homes())
    homes = prompt_homes()
    assert all(read_prompts().source(name) == prompt_source(name, homes) for name in prompt_names(homes))


def test_a_file_takes_the_place_of_the_bundled_one(tmp_path: Path) -> None:
    """The others stay; the digest tells them apart, and line ends do not matter."""
    unix = read_prompts(own(tmp_path / "unix", "A\n---\nB"))
    windows = read_prompts(own(tmp_path / "windows", "A\r\n---\r\nB"))
    assert unix.source(GOAL) == "A\n---\nB"
    assert unix.source("diaforge/values.j2") == prompt_source("diaforge/values.j2", prompt_homes())
    assert unix.digest("diaforge") == windows.digest("diaforge") != read_prompts().digest("diaforge")


def test_what_a_file_becomes_later_changes_nothing(tmp_path: Path) -> None:
    """A run asks with the prompts it was begun with."""
    prompts = read_prompts(own(tmp_path, "A\n---\nB"))
    own(tmp_path, "C\n---\nD")
    assert prompts.source(GOAL) == "A\n---\nB"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no line between", "---"),
        ("A\n---\nB\n---\nC", "---"),
        ("A\n---\n{% if %}", r"goal\.j2, line 3"),
        ("A\n---\n{{ tool.", "line"),
        (b"A\n---\n\xff", "UTF-8"),
        ("A\n---\n" + "x" * 200_000, "larger"),
    ],
)
def test_files_that_cannot_be_used_are_refused(tmp_path: Path, text: str | bytes, message: str) -> None:
    """With the file, and how to mend it."""
    with pytest.raises(BadDocument, match=message):
        read_prompts(own(tmp_path, text))


def test_names_of_no_prompt_are_refused(tmp_path: Path) -> None:
    """A file misnamed would be left out in silence."""
    with pytest.raises(UnknownName, match=r"diaforge/goal\.j2"):
        read_prompts(own(tmp_path, "A\n---\nB", "goal.j2"))


def test_folders_without_prompts_are_refused(tmp_path: Path) -> None:
    """Absent ones too."""
    with pytest.raises(BadInput, match="no prompts"):
        read_prompts(tmp_path)
    with pytest.raises(BadInput, match="no such folder"):
        read_prompts(tmp_path / "absent")


def test_no_file_is_read_outside_the_folder(tmp_path: Path) -> None:
    """A link that leads out is refused."""
    secret = tmp_path / "secret.txt"
    secret.write_text("A\n---\nB")
    folder = tmp_path / "prompts" / "diaforge"
    folder.mkdir(parents=True)
    (folder / "goal.j2").symlink_to(secret)
    with pytest.raises(BadInput, match="links to a file outside"):
        read_prompts(tmp_path / "prompts")


@pytest.mark.parametrize(("old", "new"), [("assistant_thought", "assistant"), ("user_turn", "user")])
def test_a_prompt_that_is_gone_is_refused_with_the_one_that_takes_its_place(tmp_path: Path, old: str, new: str) -> None:
    """Models play whole roles now: a thought or one message is no prompt of its own."""
    (tmp_path / "dialogue").mkdir()
    (tmp_path / "dialogue" / f"{old}.j2").write_text("A\n---\nB")
    with pytest.raises(UnknownName, match=rf"any more\. Write 'diaforge/{new}\.j2' instead"):
        read_prompts(tmp_path)

"""Files and folders that Callwright makes under names of its own are never reached through a link.

A folder from anybody may hold a link under such a name, and writing would change a file elsewhere. Links further up in
a path are the user's own matter.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from callwright.errors import BadInput

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)  # Windows has none: there the look before opening must do
_WINDOWS_JUNCTION = 0xA0000003
"""The reparse tag of a junction, which is a link to a folder."""


def refuse_link(path: Path) -> None:
    """Raise BadInput where `path` itself is a symbolic link or a junction; its parents may be."""
    found = _status(path)
    if found and (stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == _WINDOWS_JUNCTION):
        raise BadInput(
            f"{path}: a link, and writing through it would change what it leads to. Remove the link, or choose "
            "another place."
        )


def refuse_second_name(path: Path) -> None:
    """Raise BadInput where `path` is a link or no plain file, or where its file has other names (hard links)."""
    refuse_link(path)
    if found := _status(path):
        _check_plain(path, found)


def refuse_taken_folder(path: Path) -> None:
    """Raise BadInput where a new folder cannot be made at `path`: something is there that is no empty folder."""
    refuse_link(path)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise BadInput(f"{path}: there is something already. Choose the name of a new folder.")


def folder_inside(data: Path, name: str) -> Path:
    """Return the path of a folder that Callwright keeps in `data`. Raises BadInput where a link has its place."""
    folder = data / name
    refuse_link(folder)
    return folder


def open_unshared(path: Path) -> int:
    """Open or make a plain file for reading and writing; return its descriptor.

    Raises BadInput for a link, a file with other names and what is no plain file; OSError as `os.open` does.
    """
    refuse_link(path)
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | _NO_FOLLOW, 0o666)
    except OSError:
        refuse_link(path)  # the system refuses links with one code here and another there
        raise
    try:
        _check_plain(path, os.fstat(file))
    except BaseException:
        os.close(file)
        raise
    return file


def _check_plain(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise BadInput(f"{path}: not a plain file. Remove it, or choose another folder.")
    if found.st_nlink > 1:
        raise BadInput(
            f"{path}: the file has another name elsewhere (a hard link), and would be changed there too. "
            "Put a copy in its place, or choose another folder."
        )


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:  # none there, or none that may be seen: using it says so
        return None

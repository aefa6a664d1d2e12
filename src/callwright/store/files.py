"""Atomic writing of files: a file is written completely or not at all."""

from __future__ import annotations

import contextlib
import glob
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NamedTuple

from callwright.errors import BadInput, StorageFailed
from callwright.store.links import refuse_link, refuse_taken_folder

_DEEPEST = 200
"""Most parts of a path to write to."""


class Prepared(NamedTuple):
    """A file written completely under a temporary name beside its target."""

    path: Path
    temporary: Path
    sha256: str


def write_atomically(path: Path | str, chunks: Iterable[bytes]) -> str:
    """Write `chunks` to `path` atomically, making folders, and return their SHA-256 in hexadecimal digits.

    Raises BadInput where `path` is a link or cannot be a file, StorageFailed when the disk refuses.
    """
    prepared = prepare(path, chunks)
    publish(prepared)
    return prepared.sha256


def prepare(path: Path | str, chunks: Iterable[bytes]) -> Prepared:
    """Write `chunks` beside `path` and wait until the disk has them; `publish` puts them in place."""
    path = Path(path)
    check_depth(path)
    refuse_link(path)
    if path.exists() and not path.is_file():
        raise BadInput(f"{path}: not a plain file. Choose another name.")
    state = sha256()
    with reporting_files(path):
        temporary = _temporary_beside(path)
        file = open(temporary, "xb")  # noqa: SIM115 - closed below; errors of `chunks` are not the disk's
    try:
        for chunk in chunks:
            state.update(chunk)
            with reporting_files(path):
                file.write(chunk)
        with reporting_files(path):
            file.flush()
            os.fsync(file.fileno())
            file.close()
    except BaseException:
        with contextlib.suppress(OSError):  # closing would try once more to write the refused data
            file.close()
        discard(temporary)
        raise
    return Prepared(path, temporary, state.hexdigest())


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Give a folder to write into, which becomes `path` at the end: a killed process leaves nothing there.

    Raises BadInput where something is at `path` that is no empty folder.
    """
    path = path.absolute()
    check_depth(path)
    refuse_taken_folder(path)
    with reporting_files(path):
        temporary = _temporary_beside(path)
        temporary.mkdir()
    try:
        yield temporary
        with reporting_files(path):
            if path.exists():  # somebody may stand in it: it stays the same folder
                for one in sorted(temporary.iterdir()):
                    os.replace(one, path / one.name)
                temporary.rmdir()
            else:
                os.replace(temporary, path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    _sync_folder(path.parent)


def _temporary_beside(path: Path) -> Path:
    """Return a free name beside `path`, making its folder; what killed processes left under such names goes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
        process = left.name.removesuffix(".part").rpartition(".")[2]
        if process == str(os.getpid()) or not _may_run(process):
            if left.is_dir() and not left.is_symlink():
                shutil.rmtree(left)
            else:
                left.unlink(missing_ok=True)  # a link goes, not what it leads to
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def _may_run(process: str) -> bool:
    if os.name == "nt" or not re.fullmatch("[1-9][0-9]{0,8}", process):
        return True  # asking Windows would end the process
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        return True
    return True


def check_depth(path: Path) -> None:
    """Raise BadInput for a path of very many parts: folders are made one within another."""
    if len(path.parts) > _DEEPEST:
        raise BadInput(f"{str(path)[:100]}…: a path of {len(path.parts):,} parts. Give one of at most {_DEEPEST}.")


def publish(prepared: Prepared) -> None:
    """Move a prepared file into place, in one step."""
    try:
        with reporting_files(prepared.path):
            os.replace(prepared.temporary, prepared.path)
    except BaseException:
        discard(prepared.temporary)
        raise
    _sync_folder(prepared.path.parent)


def discard(temporary: Path) -> None:
    with contextlib.suppress(OSError):
        temporary.unlink()


def file_sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def reporting_files(path: Path) -> Iterator[None]:
    """Turn errors of the file system into StorageFailed, with a remedy."""
    try:
        yield
    except (NotADirectoryError, FileExistsError) as error:
        raise BadInput(f"{path}: a file stands in place of a folder of this path. Choose another place.") from error
    except OSError as error:
        raise StorageFailed(
            f"{path}: cannot be written ({error.strerror or error}). The previous file is unchanged: free some space "
            "or choose another place, then run the same command again."
        ) from error


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut, if the system supports it."""
    with contextlib.suppress(OSError):  # Windows cannot open folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

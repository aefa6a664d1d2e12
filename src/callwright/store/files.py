"""Atomic writing of files: a file is written completely or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NamedTuple

from callwright.errors import BadInput, StorageFailed
from callwright.store.links import refuse_link

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
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    state = sha256()
    with reporting_files(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.unlink(missing_ok=True)  # of a process that was killed; a link goes, not what it leads to
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

"""The lock of a run folder: one writer at a time, released by the operating system however the process ends."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from callwright.errors import RunConflict, StorageFailed
from callwright.store.links import open_unshared

_BYTE = 1 << 30  # Windows locks are mandatory: one far byte is locked, so that the pid stays readable


class FolderLock:
    """A lock held by this process until `release` or its end."""

    def __init__(self, path: Path) -> None:
        """Take the lock at `path`. Raises RunConflict while a process holds it, BadInput for a link or second name."""
        self._path = path
        try:
            self._file = open_unshared(path)
        except OSError as error:
            raise StorageFailed(f"{path}: {error.strerror}. Choose a writable folder for the run.") from error
        try:
            _lock(self._file)
        except (BlockingIOError, PermissionError) as error:
            holder = _read_pid(self._file)
            os.close(self._file)
            raise RunConflict(
                f"{path.parent}: already running ({holder}). Wait for it to end, or choose another folder."
            ) from error
        except OSError as error:
            os.close(self._file)
            raise StorageFailed(
                f"{path}: this file system cannot lock files ({error.strerror}). Choose a folder on a local disk."
            ) from error
        with contextlib.suppress(OSError):  # the pid only makes the message better
            os.ftruncate(self._file, 0)
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, str(os.getpid()).encode())

    def release(self) -> None:
        """Give the lock back. The file stays: removing it would race with the next process."""
        with contextlib.suppress(OSError):
            os.ftruncate(self._file, 0)
        os.close(self._file)


def _read_pid(file: int) -> str:
    os.lseek(file, 0, os.SEEK_SET)
    digits = os.read(file, 32).decode("ascii", "replace").strip()
    return f"process {digits}" if digits.isdigit() else "another process"


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        os.lseek(file, _BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

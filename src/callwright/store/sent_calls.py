"""A log of calls, each written before it is sent, so that a killed process forgets none that may have to be paid."""

from __future__ import annotations

import os
from pathlib import Path

from callwright.errors import StorageFailed
from callwright.store.links import open_unshared, refuse_link


class SentCalls:
    """The calls of all processes that used one log, and the most that there may be.

    Each record begins with a line break, so that one cut short by a full disk spoils no other: `+ USD` for a call,
    with the cost that is set aside for it, and `-` for one that the server refused.
    """

    def __init__(self, path: Path, *, most: int | None = None) -> None:
        """Read the log, if there is one; it is made with the first call. Raises BadInput for a link."""
        refuse_link(path)
        self._path = path
        self._most = most
        self._file: int | None = None
        lines = path.read_bytes().splitlines() if path.is_file() else []
        costs = [line[2:] for line in lines if line.startswith(b"+")]
        self.total = len(costs) - sum(line.startswith(b"-") for line in lines)
        """Calls that may have to be paid."""
        self.dearest = max((float(cost) for cost in costs if cost), default=0.0)
        """The highest cost in USD that was set aside for one."""

    @property
    def is_full(self) -> bool:
        """Whether no further call may be sent."""
        return self._most is not None and self.total >= self._most

    @property
    def why_full(self) -> str:
        return (
            f"the budget of {self._most or 0:,} calls is spent, those included that were in flight when a process was "
            "killed, or gave nothing usable. Give the same command with a higher budget to go on"
        )

    def begin(self, usd: float | None) -> None:
        """Write down a call that is about to be sent. Raises StorageFailed."""
        self._write(f"\n+ {usd or 0.0:.9f}")
        self.total += 1
        self.dearest = max(self.dearest, usd or 0.0)

    def refused(self) -> None:
        """Write down that the server refused a call, so that nothing is due for it. Raises StorageFailed."""
        self._write("\n-")
        self.total -= 1

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _write(self, record: str) -> None:
        try:
            if self._file is None:
                self._file = open_unshared(self._path)
                os.lseek(self._file, 0, os.SEEK_END)
            os.write(self._file, record.encode())
        except OSError as error:
            raise StorageFailed(
                f"{self._path}: cannot be written ({error.strerror or error}), so no call is sent. Free some space, "
                "then run the same command again."
            ) from error

"""Stopping: the first Ctrl-C or SIGTERM requests a stop, the second insists, the third has the default effect."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopSignal:
    """Whether to stop, and how soon."""

    def __init__(self) -> None:
        self.requested = False
        """Begin nothing new; finish calls in flight."""
        self.insisted = False
        """Drop what is in flight."""
        self._on_insist: list[Callable[[], object]] = []
        self._restore: Callable[[], None] | None = None

    def request(self) -> None:
        """Ask to stop; asked again, insist. Safe to call from a signal handler or another thread."""
        if not self.requested:
            self.requested = True
            return
        self.insisted = True
        for call in self._on_insist:
            call()

    @contextlib.contextmanager
    def when_insisted(self, call: Callable[[], object]) -> Iterator[None]:
        """Call `call`, from any thread, if the user insists inside the block."""
        self._on_insist.append(call)
        try:
            yield
        finally:
            self._on_insist.remove(call)

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Let SIGINT and SIGTERM, if not ignored, request a stop inside the block; in the main thread, not nested."""
        if self._restore or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.getsignal(number) for number in _SIGNALS}
        before = {number: handler for number, handler in before.items() if handler is not signal.SIG_IGN}

        def restore() -> None:
            for number, handler in before.items():
                signal.signal(number, signal.SIG_DFL if handler is None else handler)

        self._restore = restore
        try:
            for number in before:
                signal.signal(number, self._handle)
            yield
        finally:
            restore()
            self._restore = None

    def _handle(self, number: int, frame: FrameType | None) -> None:
        self.request()
        if self.insisted and self._restore:
            self._restore()

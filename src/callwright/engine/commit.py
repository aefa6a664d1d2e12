"""Group commit: replies and outcomes that arrive at about the same time are written in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from callwright.engine.usage_account import Account
from callwright.store.outcome import Outcome, StoredReply
from callwright.store.run import Run

OUTCOMES_PER_COMMIT = 256
OUTCOME_WINDOW_S = 0.05


class Committer:
    """Gathers replies for at most 5 ms and outcomes for at most 50 ms, and commits both, with the account, together."""

    def __init__(self, run: Run, account: Account, *, on_failure: Callable[[], None]) -> None:
        """`on_failure` is called when a background commit fails; `error` then holds the reason."""
        self.error: Exception | None = None
        self._run = run
        self._account = account
        self._on_failure = on_failure
        self._replies: list[StoredReply] = []
        self._outcomes: list[Outcome] = []
        self._waiting: list[asyncio.Future[None]] = []
        self._timer: asyncio.TimerHandle | None = None

    async def add_reply(self, reply: StoredReply) -> None:
        """Return once `reply` is committed. Raises StorageFailed."""
        loop = asyncio.get_running_loop()
        committed: asyncio.Future[None] = loop.create_future()
        self._replies.append(reply)
        self._waiting.append(committed)
        self._commit_within(self._run.commit_window_s, loop)
        await committed

    def add_outcome(self, outcome: Outcome) -> None:
        """Commit `outcome` soon."""
        self._outcomes.append(outcome)
        if len(self._outcomes) >= OUTCOMES_PER_COMMIT:
            self._commit()
        else:
            self._commit_within(OUTCOME_WINDOW_S, asyncio.get_running_loop())

    def flush(self) -> None:
        """Commit everything gathered, at the end. Raises StorageFailed, also for an earlier commit that failed."""
        if self.error is None:
            self._commit(at_end=True)
        if self.error is not None:
            raise self.error

    def _commit_within(self, seconds: float, loop: asyncio.AbstractEventLoop) -> None:
        when = loop.time() + seconds
        if self._timer is not None:
            if self._timer.when() <= when:
                return
            self._timer.cancel()
        self._timer = loop.call_at(when, self._commit)

    def _commit(self, *, at_end: bool = False) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        replies, self._replies = self._replies, []
        outcomes, self._outcomes = self._outcomes, []
        waiting, self._waiting = self._waiting, []
        blobs = self._account.changes(at_end=at_end)
        if not replies and not outcomes and not blobs:
            return
        try:
            self._run.put(outcomes=outcomes, replies=replies, blobs=blobs)
        except Exception as error:  # noqa: BLE001 - no rollout may wait forever; `flush` raises the error
            self.error = error
            for committed in waiting:
                committed.cancel()  # no rollout gets a reply that is not on disk
            self._on_failure()
        else:
            for committed in waiting:
                if not committed.done():
                    committed.set_result(None)

"""The journal: requests each reply once, stores it under its place in group commits, and replays it later."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from random import Random
from typing import Protocol

import msgspec

from callwright.engine.admission import Admission
from callwright.engine.budget import Account
from callwright.engine.stop import StopSignal
from callwright.errors import Interrupted, RolloutFailed
from callwright.models.chat import ChatModel, ChatReply, ChatRequest
from callwright.records.tool import Tool
from callwright.store.outcome import Outcome, Place, StoredReply
from callwright.store.run import Run

_log = logging.getLogger("callwright.engine")
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(ChatReply)


class Journal(Protocol):
    """Gives a rollout the replies of models."""

    async def ask(self, place: Place, model: ChatModel, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the reply to `request` at `place`. Raises RolloutFailed, StorageFailed, Interrupted."""

    def forget(self, place: Place) -> None:
        """Drop the reply of `place`, so that a later session requests it again. Raises StorageFailed."""


class Unjournalled:
    """Asks the model each time and keeps nothing."""

    async def ask(self, place: Place, model: ChatModel, request: ChatRequest, rng: Random) -> ChatReply:
        return await model.reply(request, rng)

    def forget(self, place: Place) -> None:
        pass


class RunJournal:
    """The journal of a run, with counts of requested and replayed replies."""

    def __init__(
        self, run: Run, committer: Committer, stop: StopSignal, *, account: Account, admission: Admission
    ) -> None:
        self.asked = 0
        self.replayed = 0
        self.changed = 0
        """Places whose request differs from that of the stored reply, and was sent again."""
        self._run = run
        self._committer = committer
        self._stop = stop
        self._account = account
        self._admission = admission
        self._in_flight = 0
        self._settled = asyncio.Event()
        self._any_kept = run.has_replies()  # no place is asked twice, so later replies are never looked up

    async def ask(self, place: Place, model: ChatModel, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the stored reply if it answers the same request; otherwise ask, commit, and then return."""
        asked = request_digest(model.name, request)
        kept = self._kept(place, asked) if self._any_kept else None
        if kept is not None:
            self.replayed += 1
            self._account.on_replay()
            return kept
        if self._stop.requested:
            raise Interrupted("asked to stop")
        self._in_flight += 1
        self._settled.clear()
        try:
            reply = await self._admission.gated(model).reply(request, rng)
            await self._committer.add_reply(StoredReply(place, asked, _encoder.encode(reply)))
        except RolloutFailed as error:
            self._admission.given_up(model.name, error)
            raise
        finally:
            self._in_flight -= 1
            if not self._in_flight:
                self._settled.set()
        self.asked += 1
        return reply

    def forget(self, place: Place) -> None:
        self._run.drop_reply(place)

    async def settle(self) -> None:
        """Return once no call is in flight, so that replies of calls left by ended rollouts are kept."""
        while self._in_flight:
            await self._settled.wait()

    def _kept(self, place: Place, asked: str) -> ChatReply | None:
        row = self._run.get_reply(place)
        if row is None:
            return None
        try:
            if row[0] == asked:
                return _decoder.decode(row[1])
        except msgspec.DecodeError:
            pass  # stored by a version with other fields: counts as another request
        self.changed += 1
        if self.changed == 1:
            _log.warning(
                "%s, trial %d, %s: asks for something else than when the run was begun (another version of "
                "callwright?); such places are asked anew",
                *place[:3],
            )
        return None


def request_digest(model: str, request: ChatRequest) -> str:
    """Return a digest (32 hexadecimal digits) of the model's name and the whole request."""
    rest = msgspec.structs.replace(request, tools=())
    return blake2b(_encoder.encode((model, rest, _tools_digest(request.tools))), digest_size=16).hexdigest()


@lru_cache(maxsize=1024)
def _tools_digest(tools: tuple[Tool, ...]) -> str:
    """Cached for all turns of a dialogue, because the tool documents are most of a request."""
    return blake2b(b"".join(map(_tool_digest, tools)), digest_size=16).hexdigest()


@lru_cache(maxsize=4096)
def _tool_digest(tool: Tool) -> bytes:
    return blake2b(_encoder.encode(tool), digest_size=16).digest()


# -- group commit ----------------------------------------------------------------------------------------------------

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

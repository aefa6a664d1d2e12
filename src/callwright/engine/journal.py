"""The journal: a reply is asked for once, kept under its place, and given again on replay."""

from __future__ import annotations

import asyncio
import logging
from functools import lru_cache
from hashlib import blake2b
from random import Random
from typing import Protocol

import msgspec

from callwright.engine.admission import Admission
from callwright.engine.commit import Committer
from callwright.engine.stop import StopSignal
from callwright.engine.usage_account import Account
from callwright.errors import Interrupted, RolloutFailed
from callwright.models.chat import ChatModel, ChatReply, ChatRequest
from callwright.records.tool import Tool
from callwright.store.outcome import Place, StoredReply
from callwright.store.run import Run

_log = logging.getLogger("callwright.engine")
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(ChatReply)


class Journal(Protocol):
    """Where a rollout gets the replies of models from."""

    async def ask(self, place: Place, model: ChatModel, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the reply to `request` at `place`. Raises RolloutFailed, StorageFailed, Interrupted."""
        ...

    def forget(self, place: Place) -> None:
        """Keep the reply of `place` no longer, so that a further session asks anew. Raises StorageFailed."""
        ...


class Unjournalled:
    """Asks the model each time and keeps nothing."""

    async def ask(self, place: Place, model: ChatModel, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the model's reply."""
        return await model.reply(request, rng)

    def forget(self, place: Place) -> None:
        """Nothing was kept."""


class RunJournal:
    """The journal of a run, with counts of what it did."""

    def __init__(
        self, run: Run, committer: Committer, stop: StopSignal, *, account: Account, admission: Admission
    ) -> None:
        self.asked = 0
        """Replies asked for and committed."""
        self.replayed = 0
        """Replies given again without asking."""
        self.changed = 0
        """Places that asked for something else than the kept reply answers, and were asked anew."""
        self._run = run
        self._committer = committer
        self._stop = stop
        self._account = account
        self._admission = admission
        self._in_flight = 0
        self._settled = asyncio.Event()
        self._any_kept = run.has_replies()  # no place is asked twice, so what comes later is never looked for

    async def ask(self, place: Place, model: ChatModel, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the kept reply where it answers the same request; else ask, commit, and only then return."""
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
        """Keep the reply of `place` no longer."""
        self._run.drop_reply(place)

    async def settle(self) -> None:
        """Return once no call is in flight: a rollout that ended may have left some that are worth keeping."""
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
            pass  # kept by a version with other fields: as good as another request
        self.changed += 1
        if self.changed == 1:
            _log.warning(
                "%s, trial %d, %s: asks for something else than when the run was begun (another version of "
                "callwright?); such places are asked anew",
                *place[:3],
            )
        return None


def request_digest(model: str, request: ChatRequest) -> str:
    """Return 32 hexadecimal digits over the model's name and all it is shown."""
    rest = msgspec.structs.replace(request, tools=())
    return blake2b(_encoder.encode((model, rest, _tools_digest(request.tools))), digest_size=16).hexdigest()


@lru_cache(maxsize=1024)
def _tools_digest(tools: tuple[Tool, ...]) -> str:
    """Once for all turns of a dialogue: their documents are most of a request."""
    return blake2b(b"".join(map(_tool_digest, tools)), digest_size=16).hexdigest()


@lru_cache(maxsize=4096)
def _tool_digest(tool: Tool) -> bytes:
    return blake2b(_encoder.encode(tool), digest_size=16).digest()

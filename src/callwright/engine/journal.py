"""The journal: requests each reply once, stores it under its place, and replays it in later sessions."""

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
    """Gives a rollout the replies of models."""

    async def ask(self, place: Place, model: ChatModel, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the reply to `request` at `place`. Raises RolloutFailed, StorageFailed, Interrupted."""

    def forget(self, place: Place) -> None:
        """Drop the reply of `place`, so that a later session requests it again. Raises StorageFailed."""


class Unjournalled:
    """Asks the model each time and keeps nothing."""

    async def ask(self, place: Place, model: ChatModel, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the model's reply."""
        return await model.reply(request, rng)

    def forget(self, place: Place) -> None:
        """Do nothing: no reply is kept."""


class RunJournal:
    """The journal of a run, with counts of requested and replayed replies."""

    def __init__(
        self, run: Run, committer: Committer, stop: StopSignal, *, account: Account, admission: Admission
    ) -> None:
        self.asked = 0
        """Replies requested and committed."""
        self.replayed = 0
        """Replies replayed."""
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
        """Drop the reply of `place`."""
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

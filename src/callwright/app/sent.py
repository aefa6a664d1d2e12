"""The requests that each role of an evaluation was sent, rebuilt from a run's folder.

A run keeps replies, and of requests only digests. The rollout is done again over the kept replies: no model is asked.
Each rebuilt request is compared with its digest, so that one which was sent otherwise is named and not passed off.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from callwright.author.online_voice import OnlineVoice
from callwright.engine.context import Context, OfflineVoice, Rollout, Voice
from callwright.engine.in_process import run_blocking
from callwright.engine.journal import request_digest
from callwright.errors import BadDocument, BadInput, BadRecord, RolloutFailed
from callwright.models.chat import ChatModel, ChatReply, ChatRequest
from callwright.models.prices import Prices, read_prices
from callwright.papers.registry import load_protocol, read_prompts
from callwright.protocol import EvaluationProtocol
from callwright.protocol.evaluation_job import EvaluationJob, Setting
from callwright.protocol.live_user import Election
from callwright.protocol.run_access import RunView, find_dialogue, open_run
from callwright.protocol.sent_request import SentRequest
from callwright.protocol.system_prompt import SystemPrompt
from callwright.records.jsontext import Json
from callwright.store.outcome import Place
from callwright.store.run import Run

_NOBODY: Final = "builtin/abstain"
"""Stands in for the model under test where only its name is needed."""

_decoder = msgspec.json.Decoder(ChatReply)


def sent_requests(
    folder: str | Path, wanted: str, *, trial: int = 0, prices: Prices | None = None
) -> list[SentRequest]:
    """Return what was sent for the dialogue whose id begins with `wanted`, in the order of a replay.

    Raises BadInput for a folder that is no evaluation, UnknownName for another id. A rollout that failed is told up to
    its last kept reply.
    """
    view = open_run(folder)
    dialogue = find_dialogue(view, wanted)
    with Run.read(folder) as run:
        told = run.get_blob("system.txt") or b""
        journal = _Reader(run, prices or read_prices())
        job = EvaluationJob(load_protocol(view.protocol), _setting(view, told.decode()), view.catalog, [dialogue])
        rollout = Rollout(
            dialogue.id,
            trial=trial,
            seed=_number(view.config, "seed"),
            models={role: _Named(name) for role, name in _cast(view.config).items()},
            voice=_voice(load_protocol(view.protocol), view.config),
            journal=journal,
        )
        with suppress(_Ended, RolloutFailed):  # a rollout that failed or was not finished has no more
            run_blocking(job.run(0, Context(rollout)))
    return journal.sent


class _Ended(BadInput):
    """There is no kept reply for the next request."""


class _Named(msgspec.Struct, frozen=True):
    """A model of which only the name is known."""

    name: str

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        raise _Ended(f"{self.name} is not asked again")


class _Reader:
    """A journal that only reads, and keeps what is asked."""

    def __init__(self, run: Run, prices: Prices) -> None:
        self.sent: list[SentRequest] = []
        self._run = run
        self._prices = prices

    async def ask(self, place: Place, model: ChatModel, request: ChatRequest, rng: Random) -> ChatReply:
        kept = self._run.get_reply(place)
        if kept is None:
            return await model.reply(request, rng)
        try:
            reply = _decoder.decode(kept[1])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadRecord(f"the reply kept for {place.scope}: {error}. Evaluate again.") from error
        scope, _, role = place.scope.rpartition("@")
        self.sent.append(
            SentRequest(
                role=role,
                model=model.name,
                place=f"{scope}~{place.attempt}" if place.attempt else scope,
                request=request,
                reply=reply,
                is_as_sent=kept[0] == request_digest(model.name, request),
                usd=self._usd(model.name, reply),
            )
        )
        return reply

    def _usd(self, model: str, reply: ChatReply) -> float | None:
        if reply.tokens_in is None or reply.tokens_out is None:
            return None
        return self._prices.usd(model, tokens_in=reply.tokens_in, tokens_out=reply.tokens_out)

    def forget(self, place: Place) -> None:
        """Nothing is dropped: the folder is only read."""


def _cast(config: dict[str, Json]) -> dict[str, str]:
    """The models of a run by role."""
    named = {role: str(config.get(role, "")) for role in ("model", "user", "voter")}
    return {role: name for role, name in named.items() if name and name != "offline"}


def _setting(view: RunView, system: str) -> Setting:
    config = view.config
    names = load_protocol(view.protocol).options.__struct_fields__
    elected = "samples" in config and "voters" in config
    return Setting(
        protocol=view.protocol,
        options={name: config[name] for name in names if name in config},
        model=_NOBODY,
        hears="user" in _cast(config),
        election=Election(_number(config, "samples"), _number(config, "voters")) if elected else None,
        system=SystemPrompt(str(config.get("system", "")), system),
    )


def _voice(protocol: EvaluationProtocol, config: dict[str, Json]) -> Voice:
    if protocol.live is None or not {"user", "voter"} & {*_cast(config)}:
        return OfflineVoice()
    return OnlineVoice("user", prompts=read_prompts(None), roles={protocol.live.vote: "voter"})


def _number(config: dict[str, Json], name: str) -> int:
    value = config.get(name)
    if not isinstance(value, int):
        raise BadDocument(f"{name} in the run's configuration is {value!r:.60}. Run the evaluation again.")
    return value

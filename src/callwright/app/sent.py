"""The requests that each role was sent for one dialogue, rebuilt from the run of an evaluation or of a synthesis.

A run keeps replies, and of requests only digests. The rollout is done again over the kept replies: no model is asked.
Each rebuilt request is compared with its digest, so that one which was sent otherwise is named and not passed off.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import msgspec

from callwright.app.roles import AUTHOR_ROLE, called_recipe
from callwright.author.online_voice import OnlineVoice
from callwright.author.prompts import Prompts
from callwright.engine.context import Context, OfflineVoice, Rollout, Voice
from callwright.engine.in_process import run_blocking
from callwright.engine.job import Job
from callwright.engine.journal import request_digest
from callwright.errors import BadDocument, BadInput, BadRecord, RolloutFailed
from callwright.judge.asking import ROLE as JUDGE
from callwright.models.chat import ChatModel, ChatReply, ChatRequest
from callwright.models.prices import Prices, read_prices
from callwright.papers.registry import load_protocol, read_prompts, recipe_of
from callwright.protocol import EvaluationProtocol
from callwright.protocol.evaluation_job import EvaluationJob, Setting
from callwright.protocol.live_user import KEPT_PROMPTS, Election, LivePlay
from callwright.protocol.run_access import RunView, find_dialogue, find_id, open_run
from callwright.protocol.sent_request import SentRequest
from callwright.protocol.system_prompt import SystemPrompt
from callwright.recipe import Recipe
from callwright.recipe.kept_job import KEPT_JOB, KeptJob, decode_kept_job
from callwright.records.jsontext import Json
from callwright.store.dataset import RUN
from callwright.store.links import refuse_link
from callwright.store.outcome import Place
from callwright.store.run import Run

_NOBODY: Final = "builtin/abstain"
"""Stands in for the model under test where only its name is needed."""

_decoder = msgspec.json.Decoder(ChatReply)


def sent_requests(
    folder: str | Path, wanted: str, *, trial: int = 0, prices: Prices | None = None
) -> list[SentRequest]:
    """Return what was sent for the dialogue whose id begins with `wanted`, in the order of a replay.

    `folder` is a run of `eval`, or a dataset, finished or not. Raises BadInput for another folder, UnknownName for
    another id. A rollout that failed is told up to its last kept reply.
    """
    is_run = (Path(folder) / "run.db").is_file()
    with _evaluated(folder, wanted) if is_run else _synthesised(Path(folder), wanted) as again:
        journal = _Reader(again.run, prices or read_prices())
        rollout = Rollout(
            again.item,
            trial=trial,
            seed=_number(again.run.config, "seed"),
            models={role: _Named(name) for role, name in again.cast.items()},
            voice=again.voice,
            journal=journal,
        )
        with suppress(_Ended, RolloutFailed):  # a rollout that failed or was not finished has no more
            run_blocking(again.job.run(again.position, Context(rollout)))
    return journal.sent


class _Again(NamedTuple):
    """What one rollout needs to be done again."""

    run: Run
    job: Job
    position: int
    """Of the item in the job."""
    cast: Mapping[str, str]
    """Names of the models by role."""
    voice: Voice

    @property
    def item(self) -> str:
        return self.job.ids[self.position]


@contextmanager
def _evaluated(folder: str | Path, wanted: str) -> Iterator[_Again]:
    view = open_run(folder)
    dialogue, protocol = find_dialogue(view, wanted), load_protocol(view.protocol)
    with Run.read(folder) as run:
        told = run.get_blob("system.txt") or b""
        job = EvaluationJob(protocol, _setting(view, told.decode()), view.catalog, [dialogue])
        yield _Again(run, job, 0, _cast(view.config), _voice(protocol, run))


@contextmanager
def _synthesised(folder: Path, wanted: str) -> Iterator[_Again]:
    kept_in = folder / RUN
    if not (kept_in / "run.db").is_file():
        raise BadInput(f"{folder}: neither a run nor a dataset with its journal: nothing tells what was sent.")
    refuse_link(kept_in)
    with Run.read(kept_in) as run:
        blob, recipe = run.get_blob(KEPT_JOB), recipe_of(str(run.config.get("recipe")))
        if blob is None or recipe is None:
            raise BadInput(f"{folder}: no model was asked for this dataset, or a version of callwright without --sent.")
        recipe = called_recipe(recipe, run.config.get("calling"))
        kept = decode_kept_job(blob, where=f"{folder}: {KEPT_JOB}")
        _refuse_fewer_roles(folder, kept, recipe)
        models = {role: _Named(name) for role, name in kept.models.items()}
        job = kept.job(recipe, models, _Named(kept.judge) if kept.judge else None)
        position = [*job.ids].index(find_id(job.ids, wanted, folder))
        cast = {**kept.models, JUDGE: kept.judge} if kept.judge else kept.models
        voice = OnlineVoice(AUTHOR_ROLE, prompts=Prompts.of(kept.prompts)) if kept.prompts else OfflineVoice()
        yield _Again(run, job, position, cast, voice)


def _refuse_fewer_roles(folder: Path, kept: KeptJob, recipe: Recipe) -> None:
    """Raise BadInput where a prompt or a role is asked today that the dataset's version did not have."""
    prompts = read_prompts().sources(*recipe.prompts) if kept.prompts else ()
    roles = recipe.agents.roles if recipe.agents and kept.models else ()
    if lacks := [
        *(name for name in prompts if name not in kept.prompts),
        *(role for role in roles if role not in kept.models),
    ]:
        raise BadInput(
            f"{folder}: was made by a version of callwright that did not ask {', '.join(lacks)}, so that its requests "
            "cannot be rebuilt. Show it with that version, or make the dataset again."
        )


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
            raise BadRecord(f"the reply kept for {place.scope}: {error}. Make the run again.") from error
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
    named = {role: str(config.get(role, "")) for role in ("model", "user", "voter", "judge")}
    return {role: name for role, name in named.items() if name and name != "offline"}


def _setting(view: RunView, system: str) -> Setting:
    config = view.config
    names = load_protocol(view.protocol).options.__struct_fields__
    elected = "samples" in config and "voters" in config
    cast = _cast(config)
    return Setting(
        protocol=view.protocol,
        options={name: config[name] for name in names if name in config},
        model=_NOBODY,
        play=LivePlay(
            hears="user" in cast,
            is_judged="judge" in cast,
            election=Election(_number(config, "samples"), _number(config, "voters")) if elected else None,
        ),
        system=SystemPrompt(str(config.get("system", "")), system),
    )


def _voice(protocol: EvaluationProtocol, run: Run) -> Voice:
    if protocol.live is None or not {"user", "voter"} & {*_cast(run.config)}:
        return OfflineVoice()
    kept = run.get_blob(KEPT_PROMPTS)
    prompts = read_prompts() if kept is None else Prompts.of(_sources(kept, run.folder))
    return OnlineVoice("user", prompts=prompts, roles=protocol.live.roles)


def _sources(kept: bytes, folder: Path) -> dict[str, str]:
    """The texts of a live user's prompts by name. Raises BadRecord for bytes that are none."""
    try:
        return msgspec.json.decode(kept, type=dict[str, str])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{folder}: {KEPT_PROMPTS}: {error}. Make the run again.") from error


def _number(config: dict[str, Json], name: str) -> int:
    value = config.get(name)
    if not isinstance(value, int):
        raise BadDocument(
            f"{name} in the run's configuration is {value!r:.60}. Give the command again in a new folder."
        )
    return value

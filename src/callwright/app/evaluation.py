"""Evaluation: one model through a dataset, in a run folder that holds all that its scores need.

request  →  plan                 names resolved, options complete, every dialogue checked, nothing asked
plan     →  run, or preview      rollouts into the run folder, or a few in memory
"""

from __future__ import annotations

import contextlib
from collections import Counter
from pathlib import Path
from typing import Any, Final

import msgspec

from callwright.app.datasets import Dataset, open_dataset
from callwright.app.estimates import cost, scaled, total
from callwright.app.requests import EvaluationRequest, read_request
from callwright.app.reviews import without_wrong
from callwright.app.roles import LiveUserRole, read_live_user
from callwright.app.run_end import RunUsage, failure_examples, resumable, rollouts_done, told_when_stopped, usage
from callwright.author.online_voice import MeasuringVoice
from callwright.baselines import model_factory
from callwright.engine.context import Context
from callwright.engine.in_process import run_blocking
from callwright.engine.roll_out import Tally, roll_out
from callwright.errors import BadInput, RolloutFailed
from callwright.formats import catalog as catalogs
from callwright.models.conversation import CALLING_NAMES
from callwright.models.decoding import AS_SERVED
from callwright.models.endpoint import is_served
from callwright.models.retries import Patience
from callwright.papers.registry import load_protocol
from callwright.protocol import EvaluationProtocol, read_options, tools_shown
from callwright.protocol.evaluation_job import EvaluationJob, Setting, check_dialogues
from callwright.protocol.live_user import KEPT_PROMPTS, LivePlay
from callwright.protocol.run_access import KIND
from callwright.protocol.scoring import data_digest
from callwright.protocol.shown_dialogue import shown_tools
from callwright.protocol.size_estimate import Asked, Estimate, estimate, tool_tokens
from callwright.protocol.system_prompt import read_system
from callwright.records.codec import to_line
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog
from callwright.store import dataset as folders
from callwright.store.run import Run

_SAMPLE: Final = 8
"""Dialogues that the live user is tried out on, with `builtin/retriever` as the model under test."""


class RunResult(RunUsage, frozen=True, kw_only=True):
    """How a run ended: `planned == done + all failed`, unless it was stopped."""

    planned: int
    """Rollouts: dialogues times trials."""
    done: int
    """Rollouts that gave a transcript."""
    failed: dict[str, int]
    """Rollouts that gave none, by class of error."""
    asked: int
    """Replies the model was asked for in this session; those of earlier ones are kept and count no more."""
    protocol: str
    model: str
    unmeasured: dict[str, int] = msgspec.field(default_factory=dict)
    """Dialogues that the protocol's metrics cannot measure, by reason: reports count them as skipped."""
    tool_tokens: int = 0
    """About how many tokens of each request the tools take: an estimate, at four bytes a token."""


class EvaluationPreview(msgspec.Struct, frozen=True, kw_only=True):
    """The preview of an evaluation; making it writes nothing."""

    planned: int
    done: int
    """Rollouts that an earlier session left in the folder."""
    dialogues: int
    most_replies: int
    """Most replies the model, and those of its live user, can be asked for in all."""
    protocol: str
    model: str
    estimate: Estimate | None = None
    """Requests and tokens of the whole run in all roles, where a server is asked."""
    roles: dict[str, Estimate] = {}
    """The same for each served role; of the live user as it would talk with `builtin/retriever`."""
    unmeasured: dict[str, int] = {}
    """As in `RunResult`."""
    tool_tokens: int = 0
    """As in `RunResult`."""
    usd: float | None = None
    """The cost of the estimate; None where no price is known or no server is asked."""


def evaluate_model(
    dataset: Dataset | str | Path, protocol: str, *, model: str, out: str | Path, **settings: Any
) -> RunResult:
    """Put a model through the dialogues of a dataset and keep every transcript in the run folder `out`.

    `protocol` is the name of a protocol, such as `static` or `dynamic`. `settings` are the other fields of an
    `EvaluationRequest`, of its `LiveUserModels`, `Asking` and `Execution` (see `callwright.app.requests`), such as
    `trials=2`, `base_url=URL`, `user="openai/NAME"` or `budget=Budget(usd=1)`, and the options of the protocol. Call
    again to resume, or to try failed rollouts again. Scores come from `score_runs`.

    Raises BadInput for wrong settings and data the protocol cannot run on (RunConflict where the folder holds another
    run, or another process is at work there); StorageFailed when the disk refuses; Interrupted after Ctrl-C;
    BudgetSpent when no further call fits the budget; ModelUnavailable when a model cannot be asked at all. The last
    three carry the result so far as `result`.
    """
    asked = {"dataset": dataset, "protocol": protocol, "model": model, "out": out}
    return run_evaluation(read_request(EvaluationRequest, **asked, **settings))


# -- plan ------------------------------------------------------------------------------------------------------------


class _Plan(msgspec.Struct, frozen=True):
    """Everything that decides which transcripts come out, names resolved."""

    request: EvaluationRequest
    protocol: EvaluationProtocol
    dialogues: tuple[Dialogue, ...]
    catalog: Catalog
    setting: Setting
    live: LiveUserRole | None
    """Models behind the live user; None: offline."""

    @property
    def folder(self) -> Path:
        return Path(self.request.out)

    @property
    def planned(self) -> int:
        return len(self.dialogues) * self.request.trials

    @property
    def most_replies(self) -> int:
        options = read_options(self.protocol, self.setting.options)
        replies = sum(self.protocol.most_replies(one, options) for one in self.dialogues)
        if self.live is not None:
            replies += len(self.dialogues) * self.live.steps.most_replies(options, self.live.play)
        return self.request.trials * replies

    @property
    def config(self) -> dict[str, Json]:
        """The settings that identify the run."""
        fixed: dict[str, Json] = {
            **self.setting.options,
            "protocol": self.setting.protocol,
            "system": self.setting.system.name,
            "model": self.setting.model,
            "data": data_digest(self.dialogues),
            "catalog": self.catalog.digest,
            "seed": self.request.seed,
            "trials": self.request.trials,
        }
        if is_served(self.setting.model):
            fixed |= {"calling": CALLING_NAMES[self.setting.calling], **self.setting.decoding.config}
        if self.live is not None:
            fixed |= self.live.config
        return fixed


def _plan(request: EvaluationRequest) -> _Plan:
    """Resolve all names of a request. Raises BadInput where it cannot be done."""
    for name, number in (("trials", request.trials), ("limit", request.limit)):
        if number is not None and number < 1:
            raise BadInput(f"{name} is {number}; at least 1 is needed.")
    protocol = load_protocol(request.protocol)
    live = read_live_user(protocol, request.live, asking=request.asking)
    setting = _setting(request, protocol, live)
    model_factory(setting.model)
    data = request.dataset if isinstance(request.dataset, Dataset) else open_dataset(request.dataset)
    data = without_wrong(data) if request.reviewed else data
    dialogues = data.dialogues[: request.limit]
    if not dialogues:
        raise BadInput(f"{data.folder}: the dataset has no dialogues.")
    check_dialogues(protocol, dialogues, data.catalog, setting)
    if protocol.with_tasks is not None:
        tools = data.catalog.by_key
        dialogues = tuple(protocol.with_tasks(one, shown_tools(one, tools)) for one in dialogues)
    plan = _Plan(request, protocol, dialogues, data.catalog, setting, live)
    if (plan.folder / folders.DIALOGUES).exists():
        raise BadInput(f"{plan.folder}: this folder holds a dataset. Choose another folder for the run.")
    return plan


def _setting(request: EvaluationRequest, protocol: EvaluationProtocol, live: LiveUserRole | None) -> Setting:
    """How each dialogue is rolled out. Raises BadInput for settings without effect, and for an unusable URL."""
    name, asking = request.model, request.asking
    if is_served(name):
        name = asking.endpoint(name).name
    elif request.calling or asking.decoding != AS_SERVED or (asking.base_url is not None and live is None):
        raise BadInput(
            f"{name}: a base URL, a way of calling and decoding settings apply only to served models. "
            "Leave them out, or give openai/NAME."
        )
    return Setting(
        protocol=protocol.version,
        options=msgspec.to_builtins(read_options(protocol, request.options)),
        model=name,
        calling=request.calling or "native",
        decoding=asking.decoding.over(protocol.decoding or AS_SERVED) if is_served(name) else asking.decoding,
        patience=asking.patience or Patience(),
        user=live.user if live else "",
        voter=live.voter if live else "",
        judge=live.judge if live else "",
        play=live.play if live else LivePlay(),
        system=read_system(protocol, request.system),
    )


def check_evaluation(request: EvaluationRequest) -> None:
    """Raise BadInput where `run_evaluation` would refuse the first dialogue, or all."""
    _plan(msgspec.structs.replace(request, limit=1))


def unmeasured_dialogues(request: EvaluationRequest) -> dict[str, int]:
    """Return the dialogues that the protocol's metrics cannot measure, by reason. Raises as `run_evaluation` does."""
    return _unmeasured(_plan(request))


def _unmeasured(plan: _Plan) -> dict[str, int]:
    return dict(Counter(why for one in plan.dialogues if (why := plan.protocol.unmeasured(one))))


# -- run -------------------------------------------------------------------------------------------------------------


def run_evaluation(request: EvaluationRequest) -> RunResult:
    """Do what is asked for: `evaluate_model` with the settings as one struct."""
    plan = _plan(request)
    catalog = catalogs.write(plan.catalog)
    durable = request.execution.durable
    with resumable(plan.folder), Run.open(plan.folder, kind=KIND, config=plan.config, durable=durable) as run:
        run.put_items((dialogue.id, to_line(dialogue)) for dialogue in plan.dialogues)
        if run.get_blob(folders.CATALOG) != catalog:
            run.put_blob(folders.CATALOG, catalog)
        run.put_blob("system.txt", plan.setting.system.text.encode())
        if plan.live is not None:
            run.put_blob(KEPT_PROMPTS, msgspec.json.encode(plan.live.prompts.sources(*plan.live.asked)))
        with told_when_stopped(lambda tally: _result(plan, run, tally)):
            tally = roll_out(
                EvaluationJob(plan.protocol, plan.setting, plan.catalog, plan.dialogues),
                run,
                seed=request.seed,
                trials=request.trials,
                voice=plan.live.voice if plan.live else None,
                execution=request.execution,
            )
        return _result(plan, run, tally)


def _result(plan: _Plan, run: Run, tally: Tally) -> RunResult:
    return RunResult(
        unmeasured=_unmeasured(plan),
        planned=tally.planned,
        done=tally.ok,
        failed=tally.failures,
        asked=tally.asked,
        protocol=plan.setting.protocol,
        model=plan.setting.model,
        examples=failure_examples(run),
        tool_tokens=_tool_tokens(plan),
        **usage(tally.bill),
    )


# -- preview ---------------------------------------------------------------------------------------------------------


def preview_evaluation(request: EvaluationRequest) -> EvaluationPreview:
    """Return a preview of `run_evaluation`, with the same errors; nothing is written, no model is asked."""
    plan = _plan(request)
    roles = _estimates(plan)
    models = {role: getattr(plan.setting, role) for role in ("model", "user", "voter", "judge")}
    return EvaluationPreview(
        planned=plan.planned,
        done=len(rollouts_done(plan.folder, kind=KIND, config=plan.config)),
        dialogues=len(plan.dialogues),
        most_replies=plan.most_replies,
        protocol=plan.setting.protocol,
        model=plan.setting.model,
        estimate=total(roles),
        roles=roles,
        unmeasured=_unmeasured(plan),
        tool_tokens=_tool_tokens(plan),
        usd=cost(roles, models, request.execution.prices),
    )


def _tool_tokens(plan: _Plan) -> int:
    shown = tools_shown(plan.protocol, plan.catalog, plan.setting.options)
    return tool_tokens(plan.dialogues, shown, calling=plan.setting.calling, asked=_asked(plan))


def _estimates(plan: _Plan) -> dict[str, Estimate]:
    roles: dict[str, Estimate] = {}
    setting = plan.setting
    if is_served(setting.model):
        roles["model"] = estimate(
            plan.dialogues,
            tools_shown(plan.protocol, plan.catalog, setting.options),
            duties=setting.system.text,
            calling=setting.calling,
            trials=plan.request.trials,
            asked=_asked(plan),
        )
    if plan.live is not None:
        voice = MeasuringVoice("user", prompts=plan.live.prompts, roles=plan.live.steps.roles)
        run_blocking(_try_out(plan, voice))
        share = plan.planned / min(_SAMPLE, len(plan.dialogues))
        names = {"user": plan.live.user, "voter": plan.live.voter, "judge": plan.live.judge}
        roles |= {role: scaled(voice.sizes[role], share) for role, name in names.items() if name}
    return roles


def _asked(plan: _Plan) -> Asked | None:
    """The requests of the protocol for a dialogue, where they are not one for each turn of the user."""
    asked, setting = plan.protocol.gold_requests, plan.setting
    if asked is None:
        return None
    options = read_options(plan.protocol, setting.options)
    by_key = plan.catalog.by_key
    return lambda dialogue: asked(dialogue, shown_tools(dialogue, by_key), options, setting.system.text)


async def _try_out(plan: _Plan, voice: MeasuringVoice) -> None:
    setting = msgspec.structs.replace(plan.setting, model="builtin/retriever", user="", voter="", judge="")
    job = EvaluationJob(plan.protocol, setting, plan.catalog, plan.dialogues[:_SAMPLE])
    for index, item in enumerate(job.ids):
        with contextlib.suppress(RolloutFailed):
            await job.run(index, Context.detached(item, seed=plan.request.seed, models=job.models(index), voice=voice))

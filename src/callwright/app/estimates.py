"""What served models will be asked for and cost, estimated before a run begins: tried out offline on a few items."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from callwright.app.evaluation_plan import EvaluationPlan
from callwright.author.measuring_voice import MeasuringVoice, Sizes
from callwright.engine.context import Context
from callwright.engine.in_process import run_blocking
from callwright.errors import RolloutFailed
from callwright.judge.asking import AskedQuestion, request_of, units
from callwright.judge.rubric import Rubric
from callwright.judge.subject import Talk
from callwright.models.conversation import encode_request
from callwright.models.endpoint import is_served
from callwright.models.prices import BYTES_A_TOKEN, Prices, added
from callwright.protocol.evaluation_job import EvaluationJob
from callwright.protocol.size_estimate import Estimate, estimate
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Catalog

TOKENS_OF_A_JUDGEMENT: Final = 120
"""About what a judge writes: a verdict with its reason."""
_SAMPLE = 8
"""Dialogues that the live user is tried out on, with `builtin/retriever` as the model under test."""


def estimate_evaluation(plan: EvaluationPlan) -> dict[str, Estimate]:
    """Return what an evaluation will ask each served role for."""
    roles: dict[str, Estimate] = {}
    setting = plan.setting
    if is_served(setting.model):
        roles["model"] = estimate(
            plan.dialogues,
            plan.catalog.by_key,
            duties=plan.protocol.duties,
            calling=setting.calling,
            trials=plan.trials,
        )
    if plan.live is not None and plan.protocol.live is not None:
        voice = MeasuringVoice("user", prompts=plan.live.prompts, roles={plan.protocol.live.vote: "voter"})
        run_blocking(_try_out(plan, voice))
        share = plan.planned / min(_SAMPLE, len(plan.dialogues))
        names = {"user": plan.live.user, "voter": plan.live.voter}
        roles |= {role: scaled(voice.sizes[role], share) for role, name in names.items() if name}
    return roles


def estimate_critics(dialogues: Iterable[Dialogue], rubrics: Sequence[Rubric], catalog: Catalog) -> Estimate:
    """Return what one judge will be asked of these dialogues by all criteria that can be asked about each."""
    talks = [Talk(dialogue, dialogue.turns, catalog.by_key) for dialogue in dialogues]
    asked = [tokens_asked(unit) for unit in units(talks, rubrics, [""])]
    return Estimate(len(asked), sum(asked), len(asked) * TOKENS_OF_A_JUDGEMENT)


def tokens_asked(unit: AskedQuestion) -> int:
    """Return about how many tokens a judge reads for one judgement."""
    request = request_of(unit.subject)
    return len(encode_request("", request, calling="native", level="prompt")) // BYTES_A_TOKEN


def scaled(sizes: Sizes, share: float) -> Estimate:
    """Return what `share` times these sizes come to."""
    written = Estimate(sizes.calls, sizes.bytes_in // BYTES_A_TOKEN, sizes.bytes_out // BYTES_A_TOKEN)
    return times(written, share)


def times(one: Estimate, share: float) -> Estimate:
    """Return `share` times an estimate."""
    return Estimate(
        calls=round(share * one.calls),
        tokens_in=round(share * one.tokens_in),
        tokens_out=round(share * one.tokens_out),
    )


def total(roles: Mapping[str, Estimate]) -> Estimate | None:
    """Return the sum of all roles; None where there is none."""
    if not roles:
        return None
    counts = {name: sum(getattr(used, name) for used in roles.values()) for name in Estimate.__struct_fields__}
    return Estimate(**counts)


def cost(roles: Mapping[str, Estimate], models: Mapping[str, str], prices: Prices) -> float | None:
    """Return the cost of all roles in USD, `models` by role; None where a price is not known, or there is no role."""
    if not roles:
        return None
    return added(
        prices.usd(models[role], tokens_in=one.tokens_in, tokens_out=one.tokens_out) for role, one in roles.items()
    )


async def _try_out(plan: EvaluationPlan, voice: MeasuringVoice) -> None:
    setting = msgspec.structs.replace(plan.setting, model="builtin/retriever", user="", voter="")
    job = EvaluationJob(plan.protocol, setting, plan.catalog, plan.dialogues[:_SAMPLE])
    for index, item in enumerate(job.ids):
        with contextlib.suppress(RolloutFailed):
            await job.run(index, Context.detached(item, seed=plan.seed, models=job.models(index), voice=voice))

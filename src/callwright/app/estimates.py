"""Estimates, before a run begins, of requests to served models, tokens and cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from callwright.author.online_voice import Sizes
from callwright.judge.asking import AskedQuestion, request_of, units
from callwright.judge.rubric import Rubric
from callwright.judge.subject import Talk
from callwright.models.conversation import encode_request
from callwright.models.prices import BYTES_A_TOKEN, Prices, added, read_prices
from callwright.protocol.size_estimate import Estimate
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Catalog

TOKENS_OF_A_JUDGEMENT: Final = 120
"""About what a judge writes: a verdict with its reason."""


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
        calls=round(share * one.calls), tokens_in=round(share * one.tokens_in), tokens_out=round(share * one.tokens_out)
    )


def total(roles: Mapping[str, Estimate]) -> Estimate | None:
    """Return the sum of all roles; None where there is none."""
    if not roles:
        return None
    counts = {name: sum(getattr(used, name) for used in roles.values()) for name in Estimate.__struct_fields__}
    return Estimate(**counts)


def cost(roles: Mapping[str, Estimate], models: Mapping[str, str], prices: Prices | None) -> float | None:
    """Return the cost of all roles in USD; None where a price is unknown or there is no role. `models` by role."""
    if not roles:
        return None
    listed = prices or read_prices()
    return added(
        listed.usd(models[role], tokens_in=one.tokens_in, tokens_out=one.tokens_out) for role, one in roles.items()
    )

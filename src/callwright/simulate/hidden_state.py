"""The live user's hidden state, built from a scenario: the same for making a dialogue and for evaluating on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from callwright.author.acts import Known, Request, Style
from callwright.author.opening import plain_request, vague_requests
from callwright.catalog.gloss import Gloss, gloss
from callwright.catalog.slots import slots
from callwright.records.annotation import DiaforgePlan
from callwright.records.dialogue import Scenario
from callwright.records.jsontext import JsonText
from callwright.records.tool import Tool
from callwright.simulate.user import UserState


def user_of(
    scenario: Scenario,
    plan: DiaforgePlan,
    gold: Tool,
    look_alikes: Sequence[Tool],
    *,
    style: Style,
    attempt: int = 0,
) -> UserState:
    """Return the user of a scenario before the first word.

    `look_alikes` are the tools that the first request must not tell from `gold`; without any it is a plain one.
    Further attempts word other requests. The user steers clear of `look_alikes` until told of others.
    """
    own = gloss(gold)
    others = tuple(gloss(tool) for tool in look_alikes)
    return UserState(
        gold=own,
        others=others,
        known=gold_known(gold, scenario),
        request=_request(own, others, attempt),
        style=style,
        today=scenario.today,
        persona=scenario.participants[0].persona,
        forthcoming=frozenset(plan.forthcoming),
        opens_with=plan.opens_with,
        asks_back=plan.asks_back,
        corrects=plan.corrects,
    )


def known_values(tool: Tool, values: Mapping[str, JsonText]) -> tuple[Known, ...]:
    """Return gold values with their slots, in the order in which they are given."""
    by_name = slots(tool)
    return tuple(Known(by_name[name], text) for name, text in values.items())


def gold_known(tool: Tool, scenario: Scenario) -> tuple[Known, ...]:
    """Return the gold values of a scenario with their slots; none where no tool fits."""
    gold = scenario.tasks[0].gold
    arguments = gold[0].arguments if gold else ()
    return known_values(tool, {argument.name: argument.accepted[0] for argument in arguments})


def _request(own: Gloss, others: Sequence[Gloss], attempt: int) -> Request:
    vague = vague_requests(own, others)
    return vague[attempt % len(vague)] if vague else plain_request(own)

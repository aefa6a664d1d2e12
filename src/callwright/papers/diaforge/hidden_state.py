"""The live user's hidden state, built from a scenario: the same for making a dialogue and for evaluating on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from callwright.author.briefs import Known, Request, Style
from callwright.catalog.gloss import Gloss, gloss
from callwright.catalog.slots import slots
from callwright.papers.diaforge.opening_request import plain_request
from callwright.papers.diaforge.relevance import names_of
from callwright.papers.diaforge.user_policy import UserState
from callwright.records.annotations.diaforge_notes import DiaforgePlan
from callwright.records.dialogue import Scenario
from callwright.records.jsontext import JsonText
from callwright.records.tool import Tool


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

    Each attempt has a request of its own. The user steers clear of `look_alikes`.
    """
    own = gloss(gold)
    others = tuple(gloss(tool) for tool in look_alikes)
    return UserState(
        gold=own,
        others=others,
        known=gold_known(gold, scenario),
        request=_request(plan, own, attempt),
        names=names_of(gold, scenario.tasks[0].goal),
        style=style,
        tone=plan.tone,
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


def _request(plan: DiaforgePlan, own: Gloss, attempt: int) -> Request:
    if not plan.requests:
        return plain_request(own)
    planned = plan.requests[attempt % len(plan.requests)]
    return Request(planned.verb, planned.thing)

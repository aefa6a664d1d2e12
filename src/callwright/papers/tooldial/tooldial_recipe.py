"""The `tooldial` recipe: its parts, what a dialogue can be rejected for, the statistics of its card (tables 1, 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from callwright.catalog.sentence_encoder import locate
from callwright.environment.returns import with_returns
from callwright.graph.given_graph import given_graph
from callwright.measure.shape import Statistics, count_and_share
from callwright.papers.tooldial.act_grammar import SYNTHESISED
from callwright.papers.tooldial.scenario_plan import RECIPE as VERSION
from callwright.papers.tooldial.scenario_plan import ToolDialWorkshop, planned_tools
from callwright.papers.tooldial.tooldial_agents import asked, most_calls, play
from callwright.papers.tooldial.tooldial_options import ToolDialOptions
from callwright.papers.tooldial.tooldial_rollout import rollout
from callwright.papers.tooldial.turn_checks import CODES
from callwright.papers.tooldial.turn_roles import PROMPTS
from callwright.recipe import Agents, Recipe
from callwright.records.annotations.tooldial_notes import ToolDialPlan
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Catalog, Tool

REASONS: Final = (
    "text_and_values_differ",
    *("bad_record", "acts_not_accepted", "act_of_another", "empty_text"),
    *("unknown_tool", "argument_*", "result_unlike_schema", "value_not_from_result"),
    *("wrong_state", "score_out_of_band"),
    *("query_not_said", "value_never_said", "missing_value_said", "tool_named"),
)
"""Reasons for rejection, in the order of the checks."""


def check_options(options: ToolDialOptions) -> None:
    """Raise BadInput for an encoder that is not there."""
    if options.encoder is not msgspec.UNSET:
        locate(options.encoder)


def check_graph(options: ToolDialOptions, catalog: Catalog) -> None:
    """Raise BadInput for a graph that cannot be read, or is of other tools."""
    given_graph(options.graph, catalog)


def tooldial_statistics(dialogues: Iterable[Dialogue], tools: Mapping[str, Tool]) -> Statistics:
    """Return the rows of a card; a turn is counted as in the paper: two for each of the user's."""
    noted = [(one.scenario.annotation, one.tools) for one in dialogues if one.scenario is not None]
    plans = [plan for plan, _ in noted if isinstance(plan, ToolDialPlan)]
    used = {shown.key for plan, shown_tools in noted if isinstance(plan, ToolDialPlan) for shown in shown_tools}
    acts = [plan.acts for plan in plans]
    failed = sum("response_fail" in one for one in acts)
    turns = [2 * sum(turn.steps == () for turn in plan.turns) for plan in plans]
    rows = [
        ("dialogues", f"{len(plans):,}"),
        ("turns, two for each of the user's", f"{sum(turns):,}"),
        ("turns per dialogue, mean (the paper: 8.95)", f"{sum(turns) / len(turns):.3f}" if turns else "-"),
        ("kinds of acts (the paper: 16)", f"{len({act for one in acts for act in one} - {'request_multi'})}"),
        ("tools in dialogues", f"{len(used):,}"),
        ("lines of business", f"{len({tools[key].domain for key in used if key in tools} - {''})}"),
        ("dialogues with two tools", count_and_share(sum(bool(plan.source) for plan in plans), len(plans))),
        ("dialogues that end in `response_fail` (the paper: 19.1%)", count_and_share(failed, len(plans))),
        ("dialogues by act sequence, numbered as `callwright acts` lists them", _by_sequence(acts)),
    ]
    if own := sum(query.own for plan in plans for query in plan.queries):
        rows.append(("wishes that a model worded", count_and_share(own, sum(len(plan.queries) for plan in plans))))
    if returned := sum(plan.returned for plan in plans):
        made = sum(one.count("call") for one in acts)
        rows.append(("results that a model returned", count_and_share(returned, made)))
    if plans:
        fitted = f"{plans[0].suggested_from:.4f}, {plans[0].confirmed_from:.4f}"
        rows.append(("cosines that stand for the scores .5 and .6", fitted))
        rows.append(("sequences that the catalogue cannot realise", _numbered(plans[0].unrealisable)))
        rows.append(("tools or pairs given up: no query in its band", f"{sum(plan.given_up for plan in plans):,}"))
    return Statistics(tuple(rows), _NOTE)


_NOTE: Final = (
    "Sequences are numbered from 1; those of tools without inputs come last. The retriever's thresholds are fitted to "
    "the catalogue and its encoder: chosen are the cosines with which most tools have a clear, a less clear and a "
    "vague query in their bands."
)


def _by_sequence(acts: Iterable[tuple[str, ...]]) -> str:
    counts = Counter(acts)
    return ", ".join(f"{place} × {counts[one]:,}" for place, one in enumerate(SYNTHESISED, 1) if counts[one]) or "-"


def _numbered(places: Iterable[int]) -> str:
    return ", ".join(str(place + 1) for place in places) or "none"


RECIPE: Final = Recipe(
    VERSION,
    ToolDialOptions,
    ToolDialWorkshop,
    rollout,
    ("tooldial",),
    (*REASONS, *CODES),
    prepare=with_returns,
    check=check_options,
    fits=check_graph,
    statistics=tooldial_statistics,
    planned_tools=planned_tools,
    with_personas=True,
    agents=Agents(tuple(PROMPTS), play, asked, most_calls),
)

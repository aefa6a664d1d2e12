"""The `diaforge` recipe: its parts, and what a dialogue can be rejected for."""

from __future__ import annotations

from typing import Final

import msgspec

from callwright.author.native_turn import NO_REASONING, NO_WORDS
from callwright.catalog.sentence_encoder import locate
from callwright.papers.diaforge.agent_account import asked_native, asked_object, most_calls_native, most_calls_object
from callwright.papers.diaforge.agent_rollout import play, play_native
from callwright.papers.diaforge.assistant_agent import PROMPT as ASSISTANT_PROMPT
from callwright.papers.diaforge.assistant_agent import ROLE as ASSISTANT
from callwright.papers.diaforge.assistant_native import PROMPT as NATIVE_PROMPT
from callwright.papers.diaforge.diaforge_options import DiaforgeOptions
from callwright.papers.diaforge.diaforge_shape import diaforge_statistics
from callwright.papers.diaforge.dialogue_plan import RECIPE as VERSION
from callwright.papers.diaforge.dialogue_plan import DialogueWorkshop, planned_tools, unshown_tools, workshop_of_models
from callwright.papers.diaforge.dialogue_rollout import rollout
from callwright.papers.diaforge.said_values import quote_values
from callwright.papers.diaforge.user_agent import PROMPT as USER_PROMPT
from callwright.papers.diaforge.user_agent import ROLE as USER
from callwright.recipe import Agents, NativeAgents, Recipe

REASONS: Final = (
    *("no_look_alike", "seed_tool_not_retrieved", "tools_not_told_apart", "wrong_tool_selected", "not_finished"),
    "text_and_values_differ",
    *("bad_record", "no_turns", "turns_do_not_alternate", "ends_with_user", "empty_text"),
    *("user_acts_as_assistant", "no_thought", "thought_is_public"),
    *(NO_WORDS, NO_REASONING),
    *(
        "thought_and_act_differ",
        "call_where_none_fits",
        "no_call",
        "call_too_early",
        "unknown_tool",
        "wrong_tool",
        "several_calls",
    ),
    *("seed_tool_not_in_pool", "argument_*"),
    *("assistant_does_not_ask", "assistant_still_asks"),
    *("value_never_said", "value_not_said_when_due", "value_too_early", "value_out_of_place", "value_not_gold"),
    *("goal_drifts", "identifier_leaked", "placeholder_left", "opening_tells_all", "turn_repeated"),
    *("schema_words", "word_doubled", "article_clashes"),
)
"""Reasons for rejection, in the order of the checks."""


def check_options(options: DiaforgeOptions) -> None:
    """Raise BadInput for a sentence encoder that is not there."""
    if options.encoder is not msgspec.UNSET:
        locate(options.encoder)


_WRITING: Final = ("diaforge/goal.j2", "diaforge/values.j2", USER_PROMPT, quote_values.name)

RECIPE: Final = Recipe(
    VERSION,
    DiaforgeOptions,
    DialogueWorkshop,
    rollout,
    (*_WRITING, ASSISTANT_PROMPT),
    REASONS,
    only_leave_out=("no_cascade", "no_thoughts"),
    check=check_options,
    statistics=diaforge_statistics,
    unshown_tools=unshown_tools,
    planned_tools=planned_tools,
    with_personas=True,
    is_even=True,
    keeps_all="no_cascade",
    critics=("relevancy", "critique"),
    agents=Agents((USER, ASSISTANT), play, asked_object, most_calls_object, workshop=workshop_of_models),
    native=NativeAgents(
        Agents((USER, ASSISTANT), play_native, asked_native, most_calls_native, workshop=workshop_of_models),
        (*_WRITING, NATIVE_PROMPT),
    ),
)

"""The `wild` recipe: its parts, and what a session can be rejected for."""

from __future__ import annotations

from typing import Final

from callwright.author.assistant_turn import assistant_turn
from callwright.author.user_turn import user_turn
from callwright.papers.wild.session_plan import RECIPE as VERSION
from callwright.papers.wild.session_plan import Workshop, prepare
from callwright.papers.wild.session_rollout import rollout
from callwright.papers.wild.session_shape import wild_statistics
from callwright.papers.wild.wild_options import WildOptions
from callwright.recipe import Recipe

REASONS: Final = (
    "no_plan",
    "text_and_values_differ",
    *("turns_of_another_kind", "empty_text"),
    *("unknown_tool", "unknown_parameter", "type_error", "redundant_call", "result_unlike_schema", "bad_dependency"),
    *("off_the_path", "other_result", "call_left_out"),
    *("hidden_place_untrue", "nothing_hidden"),
    *("value_never_said", "hidden_value_said", "result_value_said", "missing_value_said"),
    *("nothing_missing", "not_required", "missing_value_known"),
    "change_untrue",
)
"""What a session can be rejected for, in the order of the checks."""

PROMPTS: Final = ("wild", assistant_turn.name, user_turn.name)
"""A missing value is asked for and given as in DiaFORGE."""

RECIPE: Final = Recipe(
    VERSION,
    WildOptions,
    Workshop,
    rollout,
    PROMPTS,
    REASONS,
    prepare=prepare,
    statistics=wild_statistics,
)

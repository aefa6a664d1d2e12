"""The `wild` recipe as a job of the engine: built anew from its payload in every process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from callwright.author.assistant_turn import assistant_turn
from callwright.author.user_turn import user_turn
from callwright.engine.context import Context
from callwright.models.chat import ChatModel
from callwright.papers.wild.session_plan import RECIPE, Options, SessionPlanner, item_ids, prepare
from callwright.papers.wild.session_rollout import rollout
from callwright.papers.wild.session_shape import wild_statistics
from callwright.recipe import Recipe
from callwright.recipe.finished import encode_finished
from callwright.recipe.recipe_job import OFFLINE, Parts, RecipeJob, encode_payload, read_options
from callwright.records.jsontext import Json


async def _make(workshop: SessionPlanner, id_: str, index: int, ctx: Context) -> bytes:
    made = await rollout(workshop.plan(id_, index), ctx, workshop)
    return encode_finished(made.dialogue, made.issues)


_PARTS: Final = Parts(Options, item_ids, SessionPlanner, _make)


def make(payload: bytes, *, models: Mapping[str, ChatModel] = OFFLINE) -> RecipeJob[Options, SessionPlanner]:
    """Return the job of a payload; `models` by role: `author` words what the writing steps ask for."""
    return RecipeJob(_PARTS, payload, models)


def complete_options(given: Mapping[str, Json]) -> dict[str, Json]:
    """Return all options with the given ones in place. Raises BadInput for unknown names and values out of range."""
    options = read_options("wild", Options, given)
    complete: dict[str, Json] = msgspec.to_builtins(options)
    return complete


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

RECIPE_JOB: Final = Recipe(
    RECIPE,
    complete_options,
    encode_payload,
    make,
    PROMPTS,
    REASONS,
    Options.__struct_fields__,
    prepare,
    wild_statistics,
)

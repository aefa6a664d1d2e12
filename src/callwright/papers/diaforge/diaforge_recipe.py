"""The `diaforge` recipe as a job of the engine: built anew from its payload in every process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from callwright.catalog.sentence_encoder import locate
from callwright.engine.context import Context
from callwright.models.chat import ChatModel
from callwright.papers.diaforge.diaforge_shape import diaforge_statistics
from callwright.papers.diaforge.dialogue_plan import RECIPE, DialogueWorkshop, Options, item_ids, unshown_tools
from callwright.papers.diaforge.dialogue_rollout import rollout
from callwright.recipe import Recipe
from callwright.recipe.finished import encode_finished
from callwright.recipe.recipe_job import OFFLINE, Parts, RecipeJob, encode_payload, read_options
from callwright.records.jsontext import Json


async def _make(workshop: DialogueWorkshop, id_: str, index: int, ctx: Context) -> bytes:
    made = await rollout(workshop.plan(index), ctx, workshop)
    return encode_finished(made.dialogue, made.issues)


_PARTS: Final = Parts(Options, item_ids, DialogueWorkshop, _make)


def make(payload: bytes, *, models: Mapping[str, ChatModel] = OFFLINE) -> RecipeJob[Options, DialogueWorkshop]:
    """Return the job of a payload; `models` by role: `author` words what the writing steps ask for."""
    return RecipeJob(_PARTS, payload, models)


def complete_options(given: Mapping[str, Json]) -> dict[str, Json]:
    """Return all options with the given ones in place. Raises BadInput for unknown names and values out of range."""
    options = read_options("diaforge", Options, given)
    if options.encoder is not msgspec.UNSET:
        locate(options.encoder)  # before anything is made
    complete: dict[str, Json] = msgspec.to_builtins(options)
    return complete


REASONS: Final = (
    *("seed_tool_not_retrieved", "tools_not_told_apart", "wrong_tool_selected", "not_finished"),
    "text_and_values_differ",
    *("bad_record", "no_turns", "turns_do_not_alternate", "ends_with_user", "empty_text"),
    *("user_acts_as_assistant", "no_thought", "thought_is_public"),
    *("call_where_none_fits", "no_call", "call_too_early", "unknown_tool", "wrong_tool", "several_calls"),
    *("seed_tool_not_in_pool", "argument_*"),
    *("assistant_does_not_ask", "assistant_still_asks"),
    *("value_never_said", "value_not_said_when_due", "value_too_early", "value_out_of_place", "value_not_gold"),
    *("goal_drifts", "identifier_leaked", "opening_tells_all", "turn_repeated"),
    *("schema_words", "word_doubled", "article_clashes"),
)
"""What a dialogue can be rejected for, in the order of the checks."""

RECIPE_JOB: Final = Recipe(
    RECIPE,
    complete_options,
    encode_payload,
    make,
    ("dialogue", "diaforge"),
    REASONS,
    Options.__struct_fields__,
    statistics=diaforge_statistics,
    unshown_tools=unshown_tools,
    critics=("relevancy", "critique"),
)

"""Which tools the model under test sees: the dialogue's candidate pool, a larger one around its gold tool, or all.

With more tools than the dialogue was made with one sees what look-alikes do. The user still answers for the own pool.
"""

from __future__ import annotations

from collections.abc import Callable

from callwright.catalog.neighbours import nearest
from callwright.engine.randomness import stream
from callwright.errors import BadInput
from callwright.papers.diaforge.diaforge_options import DynamicOptions, StaticOptions
from callwright.papers.diaforge.tool_metrics import fits_a_tool, gold_calls
from callwright.papers.diaforge.user_policy import plan_behind
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Catalog, Tool

PoolOptions = StaticOptions | DynamicOptions


def shown_pools(catalog: Catalog, options: PoolOptions) -> Callable[[Dialogue], tuple[Tool, ...]]:
    """Return what gives the tools that the model sees in a dialogue, under the names they are shown under.

    `all` are in catalogue order; the gold tool and its nearest (lexical encoder, cosine above 0, so that there may be
    fewer than N) are shuffled by the dialogue's id. Where no tool fits the gold tool is left out of either.
    """
    if options.pool == "dialogue":
        return lambda dialogue: shown_tools(dialogue, catalog.by_key)
    position = {tool.key: index for index, tool in enumerate(catalog.tools)}
    near = () if options.pool == "all" else nearest(catalog.tools, int(options.pool) - 1)

    def shown(dialogue: Dialogue) -> tuple[Tool, ...]:
        own = {key.key: tool for key, tool in zip(dialogue.tools, shown_tools(dialogue, catalog.by_key), strict=True)}
        pool = list(range(len(catalog.tools)))
        if near:
            at = position.get(gold_key(dialogue), -1)
            if at < 0:
                raise BadInput(f"dialogue {dialogue.id}: its gold tool is not in the catalogue. Restore the dataset.")
            pool = [at, *(neighbour.index for neighbour in near[at])]
            stream(0, dialogue.id, "pool").shuffle(pool)
        hidden = "" if fits_a_tool(dialogue) else gold_key(dialogue)
        chosen = [catalog.tools[index] for index in pool]
        return tuple(own.get(tool.key, tool) for tool in chosen if tool.key != hidden)

    return shown


def check_pool(dialogue: Dialogue, options: PoolOptions) -> None:
    """Raise BadInput where the pool is to be made around a gold tool that the dialogue does not have."""
    if options.pool != "dialogue":
        gold_key(dialogue)


def gold_key(dialogue: Dialogue) -> str:
    """Return the key of the tool that is asked for, shown or not. Raises BadInput where there is not one."""
    if (plan := plan_behind(dialogue)) is not None:
        return plan.gold_tool
    names = {call.tool for call in gold_calls(dialogue)}
    keys = [tool.key for tool in dialogue.tools if tool.name in names]
    if len(keys) != 1:
        raise BadInput(f"dialogue {dialogue.id}: it has not one gold tool, which another pool needs. Leave out --pool.")
    return keys[0]

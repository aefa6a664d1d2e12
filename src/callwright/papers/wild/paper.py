"""WildToolBench's entry in the registry, and the options of its recipe and its protocol."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from callwright.papers.paper import Paper


class WildOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of the recipe; part of every item's identity."""

    tasks: Annotated[int, Meta(ge=1, le=8, description="tasks per session.")] = 4
    topologies: Annotated[
        Literal["even", "paper"],
        Meta(description="shares of the call graphs of multi tasks: a third each, or those of the paper."),
    ] = "even"
    minefields: Annotated[bool, Meta(description="extra: calls that must not happen.")] = False
    """Look-alikes that change things, and requests taken back."""
    tool_failures: Annotated[bool, Meta(description="extra: tools that fail, some for good.")] = False
    value_changes: Annotated[
        float, Meta(ge=0, le=1, description="extra: share of suitable tasks in which a value changes.")
    ] = 0.0
    """The user changes it in the middle of the task."""


class WildProtocolOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The protocol has none: how strictly calls are matched is chosen when a run is scored."""


RECIPES: Final = {"wild": WildOptions}
PROTOCOLS: Final = {"wild": WildProtocolOptions}

PAPER: Final = Paper(
    options="paper",
    recipes={"wild": "wild_recipe"},
    protocols={"wild": "wild_protocol"},
    scorers={"wild": "wild_runs"},
    explainers={"wild": "wild_runs"},
    readers={"wild": "published_layout"},
    writers={"wild": "published_records"},
    layouts={"wild": "published_tools"},
    prompts=True,
    renamed_prompts={
        "wild/ask.j2": "wild/task.j2",
        "wild/chat.j2": "wild/task.j2",
        "wild/change.j2": "wild/task.j2",
        "wild/closing.j2": "wild/assistant.j2",
        "wild/reply.j2": "wild/assistant.j2",
    },
    author="scripted_session_author",
    calling_author="scripted_native_moves",
)

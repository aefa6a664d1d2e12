"""DiaFORGE's entry in the registry."""

from __future__ import annotations

from typing import Final

from callwright.papers.paper import Paper

PAPER: Final = Paper(
    options="diaforge_options",
    recipes={"diaforge": "diaforge_recipe"},
    protocols={"diaforge-static": "static_protocol", "diaforge-dynamic": "dynamic_protocol"},
    aliases={"static": "diaforge-static", "dynamic": "diaforge-dynamic"},
    scorers={"diaforge-static": "diaforge_runs", "diaforge-dynamic": "diaforge_runs"},
    readers={"diaforge": "record_layout"},
    writers={"diaforge": "record_layout"},
    measures="diaforge_shape",
    prompts=True,
    renamed_prompts={
        "dialogue/assistant_thought.j2": "diaforge/assistant.j2",
        "dialogue/assistant_turn.j2": "diaforge/assistant.j2",
        "dialogue/user_turn.j2": "diaforge/user.j2",
    },
    author="scripted_author",
    calling_author="scripted_roles",
)

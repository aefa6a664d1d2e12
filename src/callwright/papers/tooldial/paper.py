"""ToolDial's entry in the registry."""

from __future__ import annotations

from typing import Final

from callwright.papers.paper import Paper

PAPER: Final = Paper(
    options="tooldial_options",
    recipes={"tooldial": "tooldial_recipe"},
    protocols={"tooldial": "tooldial_protocol"},
    scorers={"tooldial": "tooldial_runs"},
    explainers={"tooldial": "tooldial_runs"},
    listings={"acts": "act_grammar"},
    readers={"tooldial": "released_layout"},
    writers={"tooldial": "released_layout"},
    prompts=True,
    author="scripted_dialogue_author",
)

"""What WildToolBench offers."""

from __future__ import annotations

from typing import Final

from callwright.papers.paper import Paper

PAPER: Final = Paper(
    options="wild_options",
    recipes={"wild": "wild_recipe"},
    protocols={"wild": "wild_protocol"},
    scorers={"wild": "wild_scorer"},
    explainers={"wild": "wild_explainer"},
    readers={"wild": "wild_reader"},
    layouts={"wild": "published_tools"},
    prompts=True,
    author="scripted_session_author",
)

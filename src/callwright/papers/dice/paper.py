"""DICE-BENCH's entry in the registry."""

from __future__ import annotations

from typing import Final

from callwright.papers.paper import Paper

PAPER: Final = Paper(
    options="dice_options",
    recipes={"dice": "dice_recipe"},
    protocols={"dice": "dice_protocol"},
    readers={"dice": "published_rounds"},
    writers={"dice": "published_rounds"},
    layouts={"dice": "published_functions"},
    measures="dice_measures",
    marks="heat_strip",
    prompts=True,
    author="scripted_chat_author",
)

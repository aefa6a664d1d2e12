"""BFCL's entry in the registry."""

from __future__ import annotations

from typing import Final

from callwright.papers.paper import Paper

PAPER: Final = Paper(
    options="bfcl_options",
    protocols={"bfcl": "bfcl_protocol"},
    scorers={"bfcl": "bfcl_scorer"},
    readers={"bfcl": "bfcl_reader"},
    layouts={"bfcl": "question_tools"},
)

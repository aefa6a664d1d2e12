"""What BFCL offers."""

from __future__ import annotations

from typing import Final

from callwright.papers.paper import Paper

PAPER: Final = Paper(
    options="bfcl_options",
    protocols={"bfcl": "bfcl_protocol"},
    layouts={"bfcl": "question_tools"},
)

"""What FnCTOD offers."""

from __future__ import annotations

from typing import Final

from callwright.papers.paper import Paper

PAPER: Final = Paper(output_scorers={"multiwoz": "multiwoz_scorer"})

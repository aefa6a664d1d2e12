"""How the turns of a live user are chosen where models word them."""

from __future__ import annotations

from typing import NamedTuple


class Election(NamedTuple):
    """How a turn is chosen (DiaFORGE, appendix C.3): wordings written side by side, and voters who choose one."""

    samples: int = 3
    voters: int = 3

"""FnCTOD's entry in the registry."""

from __future__ import annotations

from typing import Final

from callwright.papers.paper import Paper

PAPER: Final = Paper(
    options="fnctod_options",
    protocols={"fnctod": "fnctod_protocol", "tod": "tod_protocol"},
    output_scorers={"multiwoz": "multiwoz_scorer"},
    readers={
        "multiwoz": "multiwoz_reader",
        "sgd": "sgd_reader",
        "woz": "woz_reader",
        "camrest": "camrest_reader",
        "taskmaster": "taskmaster_reader",
        "msr-e2e": "msr_e2e_reader",
    },
    mixers={"fnctod": "training_mix"},
)

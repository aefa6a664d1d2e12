"""What a report shows of the two DiaFORGE protocols."""

from __future__ import annotations

from typing import Final

from callwright.protocol import Panel

_TOOL_CALLS: Final = (
    ("acc", "Acc ↑"),
    ("ftr", "FTR ↓"),
    ("tar", "TAR ↓"),
    ("tcp", "TCP ↑"),
    ("tcr", "TCR ↑"),
    ("pkp", "PKP ↑"),
    ("pkr", "PKR ↑"),
)
_LANGUAGE: Final = (
    ("conv_rel", "ConvRel"),
    ("ttr", "TTR"),
    ("mattr", "MATTR"),
    ("ngd_2", "NGD 2"),
    ("ngd_3", "NGD 3"),
    ("ngd_4", "NGD 4"),
)

PANELS: Final = (
    Panel("Tool calls", _TOOL_CALLS),
    Panel(
        "Where no tool fits (right is to say so)",
        _TOOL_CALLS[:3],
        slice="tool_fits",
    ),
    Panel("What the assistant said", _LANGUAGE, digits=3),
)

NOTE: Final = (
    "FTR counts calls and may exceed 1. TTR and NGD fall as a corpus grows, MATTR only where trials repeat a dialogue."
)

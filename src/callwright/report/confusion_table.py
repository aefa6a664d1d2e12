"""Renders confusions for a terminal: which tool was called where another was due, and what tells them apart."""

from __future__ import annotations

from typing import Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from callwright.protocol.confusions import Confusion, ConfusionReport
from callwright.report.dialogue_view import shown

_MOST_IDS: Final = 4
_NO_CALL: Final = "(no further call)"


def confusion_view(found: ConfusionReport, *, most: int) -> RenderableType:
    """Return everything to print: how many tasks are concerned, and the `most` frequent confusions."""
    head = f"In {found.confused:,} of {found.scored:,} scored tasks a tool was called that was not due."
    listed = [line for one in found.confusions[:most] for line in _lines(one)]
    more = len(found.confusions) - most
    rest = [Text(f"\n… and {more:,} more (--limit shows more)", "dim")] if more > 0 else []
    return Group(Text(head), *listed, *rest)


def _lines(one: Confusion) -> list[RenderableType]:
    due, ids = one.due or _NO_CALL, ", ".join(one.dialogues[:_MOST_IDS])
    more = len(one.dialogues) - _MOST_IDS
    head = Text.assemble(f"\n{one.times:>4,} of {one.of:,}  ", shown(due, "green"), " → ", shown(one.called, "red"))
    apart = [shown(text) for text in one.differences or ("one of them has no document here",)]
    return [
        head,
        *(
            Padding(line, (0, 0, 0, 5))
            for line in (*apart, shown(f"in {ids}{f' and {more:,} more' if more > 0 else ''}", "dim"))
        ),
    ]

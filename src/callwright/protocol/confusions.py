"""Which tool a model called where another was due, how often, and what tells the two apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from callwright.catalog.differences import differences, traits
from callwright.protocol.items import ItemTask, RunItem
from callwright.records.tool import Catalog


class Confusion(msgspec.Struct, frozen=True, kw_only=True):
    """One tool called where another was due; the same two the other way round are another one."""

    due: str
    """Empty where no call was due, or all that were due were made."""
    called: str
    times: int
    """Tasks in which it happened."""
    of: int
    """Scored tasks in which `due` is a gold tool; without such a tool, those without gold calls."""
    differences: tuple[str, ...]
    """The differences of the documents, the side of `due` first; empty where one has no document."""
    dialogues: tuple[str, ...]
    """Ids, in the order of the run; one with several trials or tasks stands once."""


class ConfusionReport(msgspec.Struct, frozen=True, kw_only=True):
    """The confusions of one run, the most frequent first."""

    scored: int
    """Tasks."""
    confused: int
    """Tasks in which a tool was called that was not due."""
    confusions: tuple[Confusion, ...]


def confusions(items: Iterable[RunItem], catalog: Catalog) -> ConfusionReport:
    """Return the confusions of the items of one run; what is not scored does not count."""
    scored = [(item, task) for item in items if item.state == "scored" for task in item.tasks]
    due, confused = Counter[str](), 0
    dialogues: dict[tuple[str, str], list[str]] = {}
    for item, task in scored:
        due.update({gold.tool for gold in task.gold} or {""})
        pairs = set(_pairs(task))
        confused += bool(pairs)
        for pair in sorted(pairs):
            dialogues.setdefault(pair, []).append(item.dialogue)
    documents = {tool.name: traits(tool) for tool in catalog.tools}
    found = [
        Confusion(
            due=wanted,
            called=called,
            times=len(ids),
            of=due[wanted],
            differences=differences(documents[wanted], documents[called])
            if {wanted, called} <= documents.keys()
            else (),
            dialogues=tuple(dict.fromkeys(ids)),
        )
        for (wanted, called), ids in dialogues.items()
    ]
    found.sort(key=lambda one: (-one.times, one.due, one.called))
    return ConfusionReport(scored=len(scored), confused=confused, confusions=tuple(found))


def _pairs(task: ItemTask) -> Iterator[tuple[str, str]]:
    """Each tool that was called and not due, with the first due one that was not called."""
    golds = list(dict.fromkeys(gold.tool for gold in task.gold))
    called = {call.tool for call in task.calls}
    left_out = next((name for name in golds if name not in called), "")
    return ((left_out, name) for name in called if name not in golds)

"""The writing step of `lint --fix-plan`: another description for one of two tools that are taken for each other."""

from __future__ import annotations

from random import Random

from callwright.author.step import LONGEST_TEXT, checked_step
from callwright.catalog.fix_plan import pointer
from callwright.catalog.rewording import keeps
from callwright.records.tool import Tool

_TEXTS = ("description", "why")


def _faults(written: dict[str, str], tool: Tool, rival: Tool) -> list[str]:
    faults = [f"give {name!r}" for name in _TEXTS if name not in written or (tool.description and not written[name])]
    faults += [f"{name!r} is not asked for" for name in written if name not in _TEXTS][:3]
    faults += [f"{name!r} is over {LONGEST_TEXT:,} characters" for name in written if len(written[name]) > LONGEST_TEXT]
    if not keeps(tool.description, written.get("description", "")):
        faults.append("keep every sentence after the first word for word, and the numbers of the first")
    return faults


@checked_step("lint/tell_apart.j2", _faults)
def telling_apart(rng: Random, tool: Tool, rival: Tool) -> dict[str, str]:
    """Reword `tool` so that it is not taken for `rival`: `description`, and `why`. Offline, by rule."""
    text, why = pointer(tool, rival)
    return {"description": text or tool.description, "why": why or "nothing in the documents sets them apart"}

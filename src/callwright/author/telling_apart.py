"""The writing step of `lint --fix-plan`: another name and description for one of two look-alike tools."""

from __future__ import annotations

from random import Random

from callwright.author.step import LONGEST_TEXT, checked_step
from callwright.catalog.fix_plan import VALID_NAME
from callwright.catalog.rewording import FIELDS, proposals
from callwright.records.tool import Tool

_TEXTS = (*FIELDS, "why")


def _faults(written: dict[str, str], tool: Tool, rival: Tool) -> list[str]:
    faults = [f"give {name!r}" for name in _TEXTS if name not in written or (tool.description and not written[name])]
    faults += [f"{name!r} is not asked for" for name in written if name not in _TEXTS][:3]
    faults += [f"{name!r} is over {LONGEST_TEXT:,} characters" for name in written if len(written[name]) > LONGEST_TEXT]
    if not VALID_NAME.fullmatch(written.get("name", "")):
        faults.append("the name may have at most 64 letters, digits, `_` and `-`")
    return faults


@checked_step("lint/tell_apart.j2", _faults)
def telling_apart(rng: Random, tool: Tool, rival: Tool) -> dict[str, str]:
    """Reword `tool` so that it is not taken for `rival`: `name`, `description`, and `why`. Offline, by rule."""
    found = {proposal.field: proposal for proposal in reversed(proposals(tool, rival))}
    why = "; ".join(found[field].why for field in FIELDS if field in found)
    written = {"why": why or "nothing in the documents sets them apart"}
    for field in FIELDS:
        written[field] = found[field].text if field in found else getattr(tool, field)
    return written

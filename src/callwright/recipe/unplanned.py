"""Items that a catalogue cannot give: they are rejected before their first word, with the reason."""

from __future__ import annotations

import msgspec

from callwright.recipe import Made
from callwright.records.dialogue import Dialogue, Participant, Provenance
from callwright.records.issue import Issue

NO_PLAN = "no_plan"
"""The code of the reason."""


class Unplanned(msgspec.Struct, frozen=True):
    """An item for which the catalogue has not the tools; the same catalogue never has them."""

    item: str
    issue: Issue
    """Code `no_plan`."""


def unsaid(plan: Unplanned, recipe: str, provenance: Provenance) -> Made:
    """Return a dialogue without turns, rejected."""
    people = (Participant("user", "user"), Participant("assistant", "assistant"))
    return Made(
        Dialogue(id=plan.item, recipe=recipe, participants=people, turns=(), provenance=provenance), (plan.issue,)
    )

"""What models are asked for one chat whose people they play: expected, from one made offline, and at most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callwright.author.agent_asking import ASKS
from callwright.author.prompts import Prompts
from callwright.papers.dice.chat_agents import MOST_TURNS
from callwright.papers.dice.chat_plan import ChatPlanner
from callwright.papers.dice.chat_roles import floor_view, person_view, role_asked, users
from callwright.papers.dice.dice_options import DiceOptions
from callwright.recipe import RoleRequest
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Dialogue

_NEXT_BYTES: Final = 20
"""Of the orchestrator's reply."""


def most_calls(options: DiceOptions) -> int:
    """Return the most replies of one chat: every turn and every choice, each asked for as often as it may be."""
    return int(options.rounds[-1]) * ASKS * (2 * MOST_TURNS + 1)


def asked(dialogue: Dialogue, workshop: ChatPlanner, prompts: Prompts) -> Iterator[RoleRequest]:
    """Yield what models would have been asked for a chat that rules made, had each turn been taken at once."""
    scenario, notes = dialogue.scenario, dialogue.annotation
    if scenario is None or not isinstance(notes, DiceNotes):
        return
    people = {who.id: who for who in users(scenario)}
    for at, task in enumerate(dialogue.tasks):
        tool, first = workshop.catalog.by_name[task.gold[0].tool], notes.rounds[at].first
        for place in range(first, (task.turn or 0) + 1):
            turn, before = dialogue.turns[place], dialogue.turns[:place]
            if place > first:
                yield RoleRequest(
                    "orchestrator",
                    role_asked("orchestrator", prompts, floor_view(scenario, before, first)),
                    _NEXT_BYTES,
                )
            view = person_view(scenario, at, people[turn.speaker], tool, before)
            yield RoleRequest("user", role_asked("user", prompts, view), len(turn.text))

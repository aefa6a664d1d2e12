"""A small catalogue of room bookings, and talks about it written by hand: what each role says, turn by turn."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from callwright.papers.diaforge.diaforge_options import DiaforgeOptions
from callwright.papers.diaforge.dialogue_plan import DialogueWorkshop
from callwright.records.dialogue import Scenario
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool
from recipe_jobs import diaforge_scenario
from served_voice import Prompt

ROOM = {"type": "string", "enum": ["Blue", "Green", "Red"], "description": "name of the room"}
VALUES = {"room": "Blue", "people": 6, "cost_code": "CC-4417"}
Script = Mapping[str, Sequence[str]]
"""What each role replies, in order."""


def _tool(name: str, description: str, **properties: object) -> Tool:
    schema = {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
    return Tool(name=name, description=description, parameters=encode(schema))


CATALOG = Catalog(
    tools=(
        _tool(
            "book_room",
            "Book a meeting room for a team.",
            room=ROOM,
            people={"type": "integer", "minimum": 1, "description": "number of people"},
            cost_code={"type": "string", "pattern": "^CC-[0-9]{4}$", "description": "cost code to charge"},
        ),
        _tool("release_room", "Release a meeting room of a team.", room=ROOM),
        _tool("clean_room", "Have a meeting room of a team cleaned.", room=ROOM),
    )
)


def step(
    say: str,
    *,
    thought: str = "Several tools fit.",
    settled_on: str | None = None,
    call: tuple[str, dict[str, Any]] | None = None,
) -> str:
    """A reply of the assistant."""
    called = {"name": call[0], "arguments": call[1]} if call else None
    return json.dumps({"thought": thought, "settled_on": settled_on, "say": say, "call": called})


SETTLED: dict[str, Any] = {"thought": "It is book_room.", "settled_on": "book_room"}
CALL = step("I am booking it now.", **SETTLED, call=("book_room", VALUES))
CLEAN: Script = {
    "goal": ["get a meeting room for the team"],
    "values": [json.dumps({"reply": VALUES})],
    "user": [
        "Hi, it's about a meeting room for my team.",
        "We want to get one.",
        "The Blue one, and there are six of us.",
        "Charge it to CC-4417.",
    ],
    "assistant": [
        step("Do you want to get a room, or give one up?"),
        step("Sure, let me do that.", **SETTLED),
        step("Which room would you like, and for how many people?", **SETTLED),
        step("And which cost code should it go to?", **SETTLED),
        CALL,
    ],
}
"""A talk without a fault. The second reply of the assistant chooses the tool, so it is dropped."""


def role_of(prompt: Prompt) -> str:
    """Which script a prompt is answered from."""
    system = prompt[0][1]
    return next(role for role, begins in _BEGINS.items() if system.startswith(begins))


_BEGINS = {
    "goal": "You prepare realistic scenarios",
    "values": "You invent the concrete values",
    "user": "You play a person at work",
    "assistant": "You are an assistant at a company",
    "checker": "You check where in a conversation",
}
NOTHING_QUOTED: Final = '{"reply": []}'


class ScriptedAuthor:
    """Answers every role from a script, each line once; keeps what each was asked."""

    def __init__(self, script: Script) -> None:
        self.left = {role: list(lines) for role, lines in script.items()}
        self.asked: defaultdict[str, list[Prompt]] = defaultdict(list)

    def answer(self, prompt: Prompt) -> str:
        """The next line of the role that a prompt asks; a checker without lines quotes nothing."""
        role = role_of(prompt)
        self.asked[role].append(prompt)
        return NOTHING_QUOTED if role == "checker" and role not in self.left else self.left[role].pop(0)


def workshop(**options: Any) -> DialogueWorkshop:
    """A workshop whose first item is about `book_room`."""
    return DialogueWorkshop(CATALOG, DiaforgeOptions(**options), SEED)


def planned() -> Scenario:
    """That item."""
    return diaforge_scenario(workshop(), 0)


def _seed_of(name: str) -> int:
    shops = ((seed, DialogueWorkshop(CATALOG, DiaforgeOptions(), seed)) for seed in range(100))
    plans = ((seed, diaforge_scenario(shop, 0)) for seed, shop in shops)
    return next(seed for seed, plan in plans if plan.annotation.gold_tool == CATALOG.by_name[name].key)  # type: ignore[union-attr]


SEED = _seed_of("book_room")

"""The calls of a model after each user turn, as a transcript keeps them, beside those due."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from callwright.errors import BadInput
from callwright.papers.fnctod.belief_states import Belief, beliefs
from callwright.papers.fnctod.domain_functions import Service, choices_of, domain_tools, read_services
from callwright.records.dialogue import Call, Dialogue, Turn
from callwright.records.jsontext import decode
from callwright.records.tool import Tool
from callwright.records.transcript import Transcript

FAILED: Final = "failed"
"""Act of the step of a turn without a usable prediction."""

CHOSEN: Final = "chosen"
"""Act of the step with the functions that were chosen, where the model is asked twice."""


class TrackedTurn(NamedTuple):
    """One user turn of a transcript."""

    turn: int
    gold: Belief
    calls: tuple[Call, ...]
    is_failed: bool


def tracking_tools(tools: Sequence[Tool]) -> dict[str, Tool]:
    """Return the functions of the domains, by domain; intents of a schema's services are put together."""
    functions = {tool.domain: tool for tool in tools if tool.source == tool.domain}
    services: dict[str, Service] = {}
    for tool in tools:
        if tool.domain not in functions and tool.raw is not None:
            (service,) = read_services([decode(tool.raw)], where=tool.name)
            known = services.get(tool.domain, Service(tool.domain, service.description))
            slots = {slot.name: slot for slot in (*known.slots, *service.slots)}
            services[tool.domain] = Service(
                tool.domain, known.description, tuple(slots.values()), (*known.intents, *service.intents)
            )
    return functions | domain_tools(services.values())


def raw_choices(tools: Mapping[str, Tool]) -> dict[tuple[str, str], frozenset[str]]:
    """Return the documented values of closed slots in lower case."""
    return {place: frozenset(value.lower() for value in values) for place, values in choices_of(tools).items()}


def tracked_turns(dialogue: Dialogue, transcript: Transcript) -> list[TrackedTurn]:
    """Return the user turns of a transcript with their calls. Raises BadInput for one of another dialogue."""
    golds = beliefs(dialogue)
    if len(transcript.turns) < max(golds, default=0) + 1:
        raise BadInput(f"the transcript of dialogue {dialogue.id} is cut short. Evaluate the dialogue again.")
    found = []
    for at, gold in golds.items():
        reply = transcript.turns[at + 1] if at + 1 < len(transcript.turns) else Turn("assistant")
        calls = tuple(call for step in reply.steps if step.act != CHOSEN for call in step.calls)
        found.append(TrackedTurn(at, gold, calls, any(step.act == FAILED for step in reply.steps)))
    return found

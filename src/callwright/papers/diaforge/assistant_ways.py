"""The two ways in which the assistant of models replies: in one object, or in words with native calls.

object    it says which tool it has settled on; that message is dropped, and filling begins (appendix A.1)
native    it has no choice but its call; the user's phase is what rules hear in the words
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, Protocol

from callwright.author.agent_asking import TurnFault
from callwright.catalog.slots import slots
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.diaforge import assistant_agent, assistant_native
from callwright.papers.diaforge.assistant_agent import AssistantStep
from callwright.papers.diaforge.user_phase import is_known_to_assistant
from callwright.papers.diaforge.user_policy import plan_behind, user_of
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool


class Requested(Protocol):
    """Makes a request; arguments as of `assistant_agent.assistant_request`."""

    def __call__(
        self, source: str, dialogue: Dialogue, pool: Sequence[Tool], *, settled_on: str, thoughts: bool
    ) -> ChatRequest: ...


class Read(Protocol):
    """Reads a reply. Raises BadRecord."""

    def __call__(self, reply: ChatReply) -> AssistantStep: ...


class Faults(Protocol):
    """Finds faults of a step; arguments as of `assistant_agent.step_faults`."""

    def __call__(
        self, step: AssistantStep, dialogue: Dialogue, pool: Sequence[Tool], *, thoughts: bool
    ) -> Iterable[TurnFault]: ...


class Phase(Protocol):
    """Whether the user is in phase two, after the turns of a dialogue and the assistant's own choice."""

    def __call__(self, settled_on: str, dialogue: Dialogue, gold: Tool, pool: Sequence[Tool]) -> bool: ...


class AssistantWay(NamedTuple):
    """How the assistant is asked, and how its reply is taken."""

    prompt: str
    request: Requested
    read: Read
    faults: Faults
    is_filling: Phase
    drops_choice: bool
    """Whether the message that chooses the tool is dropped, and another one asked for."""
    has_checked_thoughts: bool
    """Whether the thoughts were held to rules of their own, so that the last check leaves them out."""


def chosen_by_itself(settled_on: str, dialogue: Dialogue, gold: Tool, pool: Sequence[Tool]) -> bool:
    """Whether the assistant has said that it has settled on a tool."""
    return bool(settled_on)


def heard_in_words(settled_on: str, dialogue: Dialogue, gold: Tool, pool: Sequence[Tool]) -> bool:
    """Whether the words so far tell which tool is meant; never where none fits."""
    plan, scenario = plan_behind(dialogue), dialogue.scenario
    if plan is None or scenario is None or not plan.tool_fits:
        return False
    others = [tool for tool in pool if tool != gold]
    user = user_of(scenario, plan, gold, others, style="verbose")  # the style is how it talks, not what it hears
    alien = {slot.name for tool in others for slot in slots(tool).values()}
    return is_known_to_assistant(user, dialogue.turns, dialogue.participants[0].id, alien)


OBJECT: Final = AssistantWay(
    assistant_agent.PROMPT,
    assistant_agent.assistant_request,
    assistant_agent.read_step,
    assistant_agent.step_faults,
    chosen_by_itself,
    drops_choice=True,
    has_checked_thoughts=False,
)
NATIVE: Final = AssistantWay(
    assistant_native.PROMPT,
    assistant_native.native_request,
    assistant_native.read_native,
    assistant_native.native_faults,
    heard_in_words,
    drops_choice=False,
    has_checked_thoughts=True,
)

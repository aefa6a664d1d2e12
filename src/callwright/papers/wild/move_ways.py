"""The two ways in which the assistant of a session replies: in one object, or in words with native calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from callwright.author.agent_asking import TurnFault
from callwright.author.prompts import Prompts
from callwright.author.role_forms import conversation, long_day, tool_lines
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.wild import native_moves, session_roles
from callwright.papers.wild.session_roles import AssistantMove, RoleView, role_request
from callwright.papers.wild.session_rules import move_faults
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool


class MoveWay(NamedTuple):
    """How the assistant is asked, and how its reply is taken."""

    prompt: str
    request: Callable[[Prompts, Dialogue, Sequence[Tool]], ChatRequest]
    """Makes the request after the turns of a dialogue. Raises BadDocument."""
    read: Callable[[ChatReply], AssistantMove]
    """Reads a reply. Raises BadRecord."""
    faults: Callable[[AssistantMove, Dialogue, Mapping[str, Tool], int], Iterable[TurnFault]]
    """Finds faults of a move after a dialogue; its task begins at that turn."""


def object_request(prompts: Prompts, dialogue: Dialogue, tools: Sequence[Tool]) -> ChatRequest:
    """Return what the assistant is asked that replies with one object. Raises BadDocument where the prompt fails."""
    view = RoleView(tool_lines(tools), conversation(dialogue), long_day(dialogue.today))
    return role_request("assistant", prompts, view)


OBJECT: Final = MoveWay(session_roles.PROMPTS["assistant"], object_request, session_roles.read_move, move_faults)
NATIVE: Final = MoveWay(
    native_moves.PROMPT, native_moves.native_request, native_moves.read_native, native_moves.native_faults
)

"""What the roles of a session are sent, and what they reply: each prompt is a file of its own (figures 9 to 16).

author      proposes tasks of the kind, topology and hiding that the design asks for
checker     picks one of them
annotator   writes the gold calls with their dependencies; it sees no trajectory
assistant   plans, calls and closes
tools       returns what a call returns
user        gives what a clarify task kept back
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from callwright.author.prompts import Prompts, render_messages
from callwright.author.role_forms import RESULT_FORM, form, is_short, keys, read_form
from callwright.author.step import LONGEST_TEXT
from callwright.errors import BadRecord
from callwright.models.chat import ChatReply, ChatRequest
from callwright.records.dialogue import Call, Participant
from callwright.records.jsontext import Json, JsonText, encode

T = TypeVar("T")

PROMPTS: Final = {
    "author": "wild/task.j2",
    "checker": "wild/pick.j2",
    "annotator": "wild/annotator.j2",
    "assistant": "wild/assistant.j2",
    "tools": "wild/result.j2",
    "user": "wild/answer.j2",
}
"""Prompt of each role."""
CANDIDATES: Final = 3
"""Tasks that the author is asked for at once."""
MOST_CALLS: Final = 8
"""Calls of one task."""
REFERENCE: Final = "result_of"
"""Key of the object that stands, in an annotation, for a value that another call returns."""


class TaskCandidate(msgspec.Struct, frozen=True):
    """A task that the author proposes."""

    text: str
    left_out: str | None = None
    """What it refers to and does not say, as it stands in the conversation."""
    kept_back: dict[str, Any] = {}
    """Values that a clarify task lacks, by parameter."""


class _Proposal(msgspec.Struct, frozen=True):
    tasks: list[TaskCandidate]


class TaskPick(msgspec.Struct, frozen=True):
    """The candidate that the checker takes, from 1; 0 for none."""

    pick: int
    why: str = ""


class AnnotatedCall(msgspec.Struct, frozen=True):
    """A gold call as the annotator writes it; a value that another call returns is an object with `REFERENCE`."""

    name: str
    arguments: dict[str, Any] = {}
    after: list[int] = []
    """Numbers of the calls that it needs, from 1."""


class _Annotation(msgspec.Struct, frozen=True):
    calls: list[AnnotatedCall]


class _MovedCall(msgspec.Struct, frozen=True):
    name: str
    arguments: dict[str, Any] = {}


class _Move(msgspec.Struct, frozen=True):
    thought: str | None = None
    say: str | None = None
    calls: list[_MovedCall] | None = None


class AssistantMove(msgspec.Struct, frozen=True):
    """What the assistant plans, says and calls."""

    thought: str
    say: str
    calls: tuple[Call, ...]


class RoleView(NamedTuple):
    """All that a prompt may tell; each role is given its own part of it."""

    tools: Sequence[str] = ()
    """Documents of the tools, one line each."""
    lines: Sequence[str] = ()
    """The conversation."""
    today: str = ""
    kind: str = ""
    topology: str = ""
    hiding: str = ""
    tool: str = ""
    """Name of the tool that a task of one call is done with."""
    refers_back: bool = False
    """Whether the task after it refers to what it says."""
    led_to: str = ""
    """Name of the tool of that task, where it has one."""
    refused: str = ""
    """Why the task proposed before could not be kept."""
    candidates: Sequence[TaskCandidate] = ()
    text: str = ""
    """The request that is annotated."""
    kept_back: Mapping[str, str] = {}
    """What a clarify task lacks, by what people call it."""
    call: str = ""
    persona: Participant = Participant("user", "user")
    tone: str = "plain"
    style: str = "verbose"


def role_request(role: str, prompts: Prompts, view: RoleView) -> ChatRequest:
    """Return what a role is asked. Raises BadDocument where its prompt fails."""
    name = PROMPTS[role]
    return ChatRequest(
        render_messages(prompts.source(name), {"view": view}, where=name), reply_schema=_SCHEMAS.get(role)
    )


# -- replies ---------------------------------------------------------------------------------------------------------

_TEXT: Final[Json] = {"type": "string", "maxLength": 800}
_OBJECT: Final[Json] = {"type": "object"}


def _list_of(most: int, **properties: Json) -> Json:
    return {"type": "array", "items": keys(**properties), "maxItems": most}


_NUMBERS: Final[Json] = {"type": "array", "items": {"type": "integer"}, "maxItems": MOST_CALLS}
_LEFT_OUT: Final[Json] = {"anyOf": [{"type": "null"}, {"type": "string", "maxLength": 200}]}
_NAME: Final[Json] = {"type": "string", "maxLength": 200}
_SCHEMAS: Final[Mapping[str, JsonText]] = {
    "author": form(tasks=_list_of(CANDIDATES, text=_TEXT, left_out=_LEFT_OUT, kept_back=_OBJECT)),
    "checker": form(why=_TEXT, pick={"type": "integer"}),
    "annotator": form(thought=_TEXT, calls=_list_of(MOST_CALLS, name=_NAME, arguments=_OBJECT, after=_NUMBERS)),
    "assistant": form(thought=_TEXT, say=_TEXT, calls=_list_of(MOST_CALLS, name=_NAME, arguments=_OBJECT)),
    "tools": RESULT_FORM,
}


def read_candidates(reply: ChatReply) -> list[TaskCandidate]:
    """Return the proposed tasks. Raises BadRecord."""
    found = read_form(reply, _Proposal).tasks[:CANDIDATES]
    if not found or not all(is_short(one.text) for one in found):
        raise BadRecord(f"`tasks` needs {CANDIDATES} tasks, each with a text of 1 to {LONGEST_TEXT:,} characters")
    return found


def read_pick(reply: ChatReply) -> TaskPick:
    """Return the checker's pick. Raises BadRecord."""
    return read_form(reply, TaskPick)


def read_annotation(reply: ChatReply) -> list[AnnotatedCall]:
    """Return the annotated calls. Raises BadRecord."""
    found = read_form(reply, _Annotation).calls
    if len(found) > MOST_CALLS:
        raise BadRecord(f"{len(found)} calls; at most {MOST_CALLS}")
    return found


def read_move(reply: ChatReply) -> AssistantMove:
    """Return the assistant's next move; a reasoning beside it is no thought. Raises BadRecord."""
    found = read_form(reply, _Move)
    thought, say, calls = (found.thought or "").strip(), (found.say or "").strip(), found.calls or []
    if max(len(thought), len(say)) > LONGEST_TEXT or len(calls) > MOST_CALLS:
        raise BadRecord(f"at most {LONGEST_TEXT:,} characters in a text, and {MOST_CALLS} calls")
    return AssistantMove(thought, say, tuple(Call(one.name, encode(one.arguments)) for one in calls))

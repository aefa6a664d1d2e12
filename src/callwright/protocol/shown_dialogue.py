"""How a dialogue is shown to the model under test, the same in every protocol, and how its replies are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from callwright.errors import BadInput
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.protocol.turn_messages import user_message
from callwright.records.dialogue import Dialogue, Step, Turn
from callwright.records.tool import Tool


def system_message(duties: str, dialogue: Dialogue) -> str:
    """Return what the model is told before the first turn: its duties, and the date where the dialogue has one."""
    return f"{duties} Today is {dialogue.today}." if dialogue.today else duties


def shown_tools(dialogue: Dialogue, tools_by_key: Mapping[str, Tool]) -> tuple[Tool, ...]:
    """Return the dialogue's tools under their shown names. Raises BadInput when the catalogue lacks one."""
    return tuple(_shown(tools_by_key, key=tool.key, name=tool.name, where=dialogue.id) for tool in dialogue.tools)


def _shown(tools_by_key: Mapping[str, Tool], *, key: str, name: str, where: str) -> Tool:
    tool = tools_by_key.get(key)
    if tool is None:
        raise BadInput(
            f"dialogue {where}: tool {name!r} ({key}) is not in the catalogue. Use the one the data was made with."
        )
    return tool if tool.name == name else msgspec.structs.replace(tool, name=name)


def request(system: str, dialogue: Dialogue, tools: tuple[Tool, ...], turns_so_far: Sequence[Turn]) -> ChatRequest:
    """Return what the model sees after the turns so far, of which the last is a user's; thoughts are not shown."""
    messages = [Message("system", system)]
    for turn in turns_so_far:
        if dialogue.role(turn) == "assistant":
            messages.append(Message("assistant", turn.text, turn.calls))
        else:
            messages.append(user_message(dialogue, turn))
    return ChatRequest(tuple(messages), tools)


def assistant_id(dialogue: Dialogue) -> str:
    """Return the id of the participant the model stands in for; raises BadInput when there is none."""
    for who in dialogue.participants:
        if who.role == "assistant":
            return who.id
    raise BadInput(f"dialogue {dialogue.id}: no participant has the role 'assistant'. Add one to `participants`.")


def assistant_turn(dialogue: Dialogue, reply: ChatReply) -> Turn:
    """Return the reply as the assistant's turn; calls stay as they were made, malformed or not."""
    steps = (Step(thought=reply.thought, calls=reply.calls),) if reply.thought or reply.calls else ()
    return Turn(assistant_id(dialogue), reply.content, steps)

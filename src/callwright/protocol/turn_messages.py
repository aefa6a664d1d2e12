"""Turns of a recorded dialogue as chat messages: what a model is shown of a gold history with calls and results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from callwright.models.chat import Message
from callwright.records.dialogue import Dialogue, Participant, Result, Turn
from callwright.records.jsontext import decode, encode


def messages_of(dialogue: Dialogue, turns: Iterable[Turn]) -> Iterator[Message]:
    """Yield the messages of turns: calls and results of each step, then the words. Thoughts are not shown."""
    for turn in turns:
        if (role := dialogue.role(turn)) != "assistant":
            yield Message("system", turn.text) if role == "system" else user_message(dialogue, turn)
            continue
        for step in turn.steps:
            if step.calls:
                yield Message("assistant", step.text, step.calls)
            elif step.text:
                yield Message("assistant", step.text)
            for at, result in enumerate(step.results):
                made = step.calls[at].id if at < len(step.calls) else ""
                yield Message("tool", result_text(result), call_id=result.call or made)
        if turn.text:
            yield Message("assistant", turn.text)


def user_message(dialogue: Dialogue, turn: Turn) -> Message:
    """Return a user's turn as a message, with the speaker where the dialogue has more than one user."""
    users = [who for who in dialogue.participants if who.role == "user"]
    if len(users) < 2:
        return Message("user", turn.text)
    names = [who.name for who in users if who.id == turn.speaker]
    name = names[0] if names and _is_one(names[0], users) else ""
    return Message("user", turn.text, speaker=turn.speaker, name=name)


def _is_one(name: str, users: Sequence[Participant]) -> bool:
    """Whether a name tells its bearer apart from everyone else, ids included."""
    return sum(name in (who.name, who.id) for who in users) == 1


def result_text(result: Result) -> str:
    """Return a result as a model reads it: a text as it stands, other JSON as text, an error as `{"error": ...}`."""
    if result.error is not None:
        return encode({"error": result.error})
    value = decode(result.value) if result.value is not None else None
    return value if isinstance(value, str) else encode(value)

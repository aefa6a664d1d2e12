"""Samples of training data, and how dialogues are cut into them (DiaFORGE, section 3.3).

    slices "turn"        a sample for each reply of the assistant: what came before it, and the reply, which is trained
    slices "dialogue"    a sample for each dialogue, in which every reply of the assistant is trained

A reply is what a model gives at once: thought, words and calls. Earlier replies have no thoughts where only the last
one is trained, as a model under test sees no thoughts of the past.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import msgspec

from callwright.formats.functions import argument_schema
from callwright.models.chat import ChatRequest, Message
from callwright.models.conversation import Calling, told_in_words
from callwright.protocol import Prediction
from callwright.protocol.shown_dialogue import shown_tools, system_message
from callwright.protocol.system_prompt import NEUTRAL
from callwright.protocol.turn_messages import result_text, user_message
from callwright.records.dialogue import SCHEMA_VERSION, Call, Dialogue, Turn
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

Slices: TypeAlias = Literal["turn", "dialogue"]

ID_LENGTH: Final = 9
"""Characters of a call's id: some chat templates take letters and digits only, and just so many."""


class TrainingMessage(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One message of a sample."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str = ""
    thought: str = ""
    """For role `assistant`: what it thinks before it speaks; empty where thoughts are no target."""
    calls: tuple[Call, ...] = ()
    """Each with an id."""
    call_id: str = ""
    """For role `tool`: the call that is answered."""
    name: str = ""
    """For role `tool`: the tool that answers. For role `user`: the speaker, where several users take part."""
    trained: bool = False
    """Whether it is a target: loss is taken on it."""
    refused: bool = False
    """Whether people marked it wrong: others are trained on what follows it, and none on it."""
    turn: int | None = None
    """For role `assistant`: its turn in the dialogue, counted from 0, or the one that a prediction is about."""


class TrainingSample(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One sample, as it is before any trainer's layout: one line of `samples.jsonl`."""

    id: str
    dialogue: str
    """Id of the dialogue."""
    messages: tuple[TrainingMessage, ...]
    tools: tuple[dict[str, Json], ...] = ()
    """Each with `name`, `description` and `parameters`."""
    whole: bool = False
    """Whether it is a whole dialogue; otherwise its last message alone is trained."""
    recipe: str = ""
    """Name and version of the recipe or corpus that the dialogue is of."""
    author: str = ""
    """Who worded the dialogue."""
    part: str = ""
    """Name of the part where the dataset is one of a split."""
    dataset: str = ""
    """Digest of the dataset."""
    schema_version: int = SCHEMA_VERSION

    def __post_init__(self) -> None:
        """Raise ValueError for a tool without its fields."""
        if not all(isinstance(tool.get(name), str) for tool in self.tools for name in ("name", "description")):
            raise ValueError("each of `tools` needs `name` and `description`, both texts")

    @property
    def masked(self) -> tuple[TrainingMessage, ...]:
        """The replies that were marked wrong."""
        return tuple(message for message in self.messages if message.refused)

    @property
    def turn(self) -> int | None:
        """The turn that is trained; None where there are several."""
        return None if self.whole else self.messages[-1].turn

    @property
    def trained(self) -> tuple[TrainingMessage, ...]:
        """The messages that are targets."""
        return tuple(message for message in self.messages if message.trained)


def samples_of(
    dialogue: Dialogue,
    tools_by_key: Mapping[str, Tool],
    *,
    slices: Slices,
    thoughts: bool,
    calling: Calling = "native",
    refused: Collection[int] = (),
) -> tuple[TrainingSample, ...]:
    """Return the samples of a dialogue, in order; none where its assistant says nothing. `refused` turns are no target.

    `thoughts` makes thoughts targets; with a `calling` other than `native` tools, calls and results are the words that
    an evaluation with it sends and reads. Raises BadInput where the catalogue lacks a tool of the dialogue.
    """
    shown = shown_tools(dialogue, tools_by_key)
    messages = (TrainingMessage("system", system_message(NEUTRAL, dialogue)), *_messages(dialogue, refused))
    if not thoughts:
        messages = tuple(map(_without_thought, messages))
    if calling != "native":
        messages, shown = _in_words(messages, shown, calling), ()
    tools = _documents(shown)
    return tuple(
        TrainingSample(
            id=f"{dialogue.id}/{number}", dialogue=dialogue.id, messages=cut, tools=tools, whole=slices == "dialogue"
        )
        for number, cut in enumerate(_SLICES[slices](messages))
    )


def _in_words(
    messages: Sequence[TrainingMessage], tools: tuple[Tool, ...], calling: Calling
) -> tuple[TrainingMessage, ...]:
    """The messages as a model is sent them that calls in its words; thoughts stay with their replies."""
    plain = tuple(
        Message(one.role, one.content, one.calls, one.call_id, name=one.name if one.role == "user" else "")
        for one in messages
    )
    own = iter([msgspec.structs.replace(one, calls=()) for one in messages if one.role == "assistant"])
    return tuple(
        msgspec.structs.replace(next(own), content=row["content"])
        if row["role"] == "assistant"
        else TrainingMessage(row["role"], row["content"])
        for row in told_in_words(ChatRequest(plain, tools), calling)
    )


def asked_samples(dialogue: str, predictions: Iterable[Prediction]) -> tuple[TrainingSample, ...]:
    """Return a sample for each request that a protocol makes about a dialogue; the right reply is trained."""
    return tuple(_asked_sample(f"{dialogue}/{number}", dialogue, one) for number, one in enumerate(predictions))


def _asked_sample(id_: str, dialogue: str, asked: Prediction) -> TrainingSample:
    *before, reply = _sent((*asked.request.messages, Message("assistant", asked.reply, asked.calls)))
    target = msgspec.structs.replace(reply, trained=True, turn=asked.turn)
    return TrainingSample(id=id_, dialogue=dialogue, messages=(*before, target), tools=_documents(asked.request.tools))


def _sent(messages: Iterable[Message]) -> Iterator[TrainingMessage]:
    """The messages of a request, whose calls get ids; results without ids answer the calls in order."""
    count, due = 0, list[tuple[str, Call]]()
    for one in messages:
        if one.role != "tool":
            due = [(call.id, Call(call.tool, call.arguments, _call_id(count + n))) for n, call in enumerate(one.calls)]
            count += len(due)
            yield TrainingMessage(one.role, one.content, calls=tuple(call for _, call in due), name=one.said_by)
        elif due:
            asked = next((pair for pair in due if pair[0] == one.call_id), due[0])
            due.remove(asked)
            yield TrainingMessage("tool", one.content, call_id=asked[1].id, name=asked[1].tool)


def _documents(tools: Iterable[Tool]) -> tuple[dict[str, Json], ...]:
    return tuple(
        {"name": tool.name, "description": tool.description, "parameters": argument_schema(tool)} for tool in tools
    )


def _per_reply(messages: Sequence[TrainingMessage]) -> Iterator[tuple[TrainingMessage, ...]]:
    history = tuple(map(_without_thought, messages))
    for at, message in enumerate(messages):
        if message.role == "assistant" and not message.refused:
            yield (*history[:at], msgspec.structs.replace(message, trained=True))


def _whole(messages: Sequence[TrainingMessage]) -> Iterator[tuple[TrainingMessage, ...]]:
    targets = [one.role == "assistant" and not one.refused for one in messages]
    if any(targets):
        end = len(targets) - targets[::-1].index(True)  # what follows the last target teaches nothing
        pairs = zip(messages[:end], targets[:end], strict=True)
        yield tuple(msgspec.structs.replace(one, trained=is_target) for one, is_target in pairs)


_SLICES: Final[Mapping[Slices, Callable[[Sequence[TrainingMessage]], Iterator[tuple[TrainingMessage, ...]]]]] = (
    MappingProxyType({"turn": _per_reply, "dialogue": _whole})
)


def _without_thought(message: TrainingMessage) -> TrainingMessage:
    return msgspec.structs.replace(message, thought="") if message.thought else message


def _messages(dialogue: Dialogue, refused: Collection[int]) -> Iterator[TrainingMessage]:
    """The messages of a dialogue after the system's; ids of calls are counted through."""
    count = 0
    for at, turn in enumerate(dialogue.turns):
        role = dialogue.role(turn)
        if role == "assistant":
            for message in _replies(turn, count):
                count += len(message.calls)
                own = message.role == "assistant"
                yield msgspec.structs.replace(message, refused=at in refused, turn=at) if own else message
        elif role == "system":
            yield TrainingMessage("system", turn.text)
        else:
            said = user_message(dialogue, turn)
            yield TrainingMessage("user", said.content, name=said.said_by)


def _replies(turn: Turn, count: int) -> Iterator[TrainingMessage]:
    """The replies of an assistant's turn, each with the results of its calls; `count` calls were made before it.

    The words of the turn belong to its last reply: the one whose calls have no results yet, else one of their own.
    """
    thought = ""
    words = turn.text
    for place, step in enumerate(turn.steps):
        thought = "\n".join(filter(None, (thought, step.thought)))
        is_last = place == len(turn.steps) - 1
        content = step.text
        if is_last and not step.results:
            content, words = "\n".join(filter(None, (step.text, turn.text))), ""
        if not (step.calls or content):
            continue
        calls = tuple(Call(one.tool, one.arguments, _call_id(count + nth)) for nth, one in enumerate(step.calls))
        count += len(calls)
        yield TrainingMessage("assistant", content, thought, calls)
        thought = ""
        asked = {one.id: call for one, call in zip(step.calls, calls, strict=True) if one.id}
        for result, in_order in zip(step.results, calls, strict=False):
            call = asked.get(result.call, in_order)
            yield TrainingMessage("tool", result_text(result), call_id=call.id, name=call.tool)
    if words:
        yield TrainingMessage("assistant", words, thought)


def _call_id(number: int) -> str:
    return f"call{number:0{ID_LENGTH - 4}d}"

"""A model's way through the dialogues of a dataset, as a job of the engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from callwright.baselines import ORACLES, model_factory
from callwright.baselines.ruled import Ruled
from callwright.engine.context import Context
from callwright.errors import BadInput
from callwright.models.attempts import AttemptObserver
from callwright.models.chat import ChatModel, ChatReply
from callwright.models.conversation import Calling
from callwright.models.decoding import AS_SERVED, Decoding
from callwright.models.openai import served_model
from callwright.models.retries import Patience
from callwright.protocol import EvaluationProtocol, read_options, tools_shown
from callwright.protocol.live_user import LivePlay
from callwright.protocol.shown_dialogue import assistant_id, shown_tools
from callwright.protocol.system_prompt import SystemPrompt
from callwright.records.codec import to_line
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog, Tool

RULED: Final = "builtin/retriever"
"""The builtin model that plays by rules wherever a protocol has some."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """How each dialogue is rolled out."""

    protocol: str
    options: dict[str, Json] = {}
    model: str
    calling: Calling = "native"
    """Served models only."""
    decoding: Decoding = AS_SERVED
    """Of the model under test; served models only."""
    patience: Patience = Patience()
    """Served models only; no part of what makes the run another run."""
    user: str = ""
    """Full name of the model that words the live user's turns; empty: offline."""
    voter: str = ""
    """Full name of the model that elects one of several wordings."""
    judge: str = ""
    """Full name of the model that reads the messages of the live user for faults."""
    play: LivePlay = LivePlay()
    system: SystemPrompt = SystemPrompt()


class EvaluationJob:
    """One model over some dialogues. The rollouts are its transcripts, one line of JSON each."""

    def __init__(
        self,
        protocol: EvaluationProtocol,
        setting: Setting,
        catalog: Catalog,
        dialogues: Sequence[Dialogue],
        *,
        observers: tuple[AttemptObserver, ...] = (),
    ) -> None:
        self.ids = tuple(dialogue.id for dialogue in dialogues)
        self._setting = setting
        self._protocol = protocol
        self._options = read_options(self._protocol, setting.options)
        self._tools = catalog.by_key
        self._shown = tools_shown(protocol, catalog, setting.options) if protocol.shown else None
        self._dialogues = dialogues
        self._model = model_factory(
            setting.model,
            calling=setting.calling,
            decoding=setting.decoding,
            patience=setting.patience,
            observers=observers,
        )
        behind = (("user", setting.user), ("voter", setting.voter), ("judge", setting.judge))
        self._others = {
            role: served_model(name, role=role, patience=setting.patience, observers=observers)
            for role, name in behind
            if name
        }

    def models(self, index: int) -> dict[str, ChatModel]:
        """Return the model under test in the role `model`, and those behind the live user in their own roles."""
        one, name = self._dialogues[index], self._setting.model
        if name in ORACLES:
            tested = oracle(
                self._protocol, one, self._tools, self._options, system=self._setting.system.text, name=name
            )
        elif name == RULED and self._protocol.ruled is not None:
            tested = Ruled(name, self._protocol.ruled)
        else:
            tested = self._model(one, self._tools)
        return {"model": tested, **self._others}

    async def run(self, index: int, ctx: Context) -> bytes:
        """Return the transcript of dialogue `index`. Raises RolloutFailed."""
        dialogue = self._dialogues[index]
        tools = shown_tools(dialogue, self._tools)
        more: dict[str, Any] = {"duties": self._setting.system.text}
        if self._shown:
            more["shown"] = self._shown(dialogue)
        if self._protocol.live:
            more["play"] = self._setting.play
        return to_line(await self._protocol.rollout(dialogue, tools, ctx, self._options, **more))


def oracle(
    protocol: EvaluationProtocol,
    dialogue: Dialogue,
    tools: Mapping[str, Tool],
    options: Any,
    *,
    system: str,
    name: str = ORACLES[0],
) -> ChatModel:
    """Return the model that gives the right replies of a dialogue; `tools` by key, `options` complete."""
    if protocol.gold_requests is None:
        return model_factory(name)(dialogue, tools)
    from callwright.baselines.oracle import AnswerKey

    asked = protocol.gold_requests(dialogue, shown_tools(dialogue, tools), options, system)
    return AnswerKey(name, ((one.request, ChatReply(content=one.reply, calls=one.calls)) for one in asked))


def check_dialogues(
    protocol: EvaluationProtocol, dialogues: Iterable[Dialogue], catalog: Catalog, setting: Setting
) -> None:
    """Raise BadInput, naming the dialogue, where the protocol cannot be run on one."""
    options = read_options(protocol, setting.options)
    for dialogue in dialogues:
        tools = shown_tools(dialogue, catalog.by_key)
        assistant_id(dialogue)
        if not any(dialogue.role(turn) == "user" for turn in dialogue.turns):
            raise BadInput(f"dialogue {dialogue.id}: it has no user turn. Remove the dialogue, or add its turns.")
        protocol.check(dialogue, tools, options)

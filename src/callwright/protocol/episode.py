"""An episode: one dialogue under a protocol, driven from outside, turn by turn, without a model or a server.

    episode = Episode(protocol, dialogue, catalog)
    said = episode.start()                   the user's first words
    said = episode.say("Which city?")        the user's answer; None where the episode is over
    result = episode.call("book", {...})     the result of a call; None where the episode is over
    episode.scores()                         {"right": 1.0, "acc": 1.0, "tar": 0.0, ...}
    episode.rewards()                        {"right": 1.0, "acc": 1.0, "tar": 1.0, ...}

The rollout of the protocol runs as it does in an evaluation; the episode stands in the place of its model. So scores
are those of the evaluation, and the user is the same. Rewards are what they are worth (`episode_rewards`).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Mapping
from random import Random
from typing import Any, Final

import msgspec

from callwright.baselines.eager import Abstain
from callwright.engine.context import Context
from callwright.engine.in_process import run_blocking
from callwright.errors import CallwrightError
from callwright.models.chat import ChatModel, ChatReply, ChatRequest
from callwright.models.prompted import function_of
from callwright.protocol import EvaluationProtocol, read_options, tools_shown
from callwright.protocol.episode_rewards import RIGHT, RewardScale, reward_parts, signs_of
from callwright.protocol.evaluation_job import oracle
from callwright.protocol.items import verdicts
from callwright.protocol.shown_dialogue import shown_tools
from callwright.protocol.system_prompt import NEUTRAL
from callwright.records.dialogue import Call, Dialogue
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Catalog, Tool
from callwright.records.transcript import Transcript

NAME: Final = "episode/policy"
"""Name of the model that an episode stands for, in its transcript."""


class Episode:
    """One dialogue; deterministic, so the same replies give the same episode."""

    def __init__(
        self,
        protocol: EvaluationProtocol,
        dialogue: Dialogue,
        catalog: Catalog,
        *,
        options: Mapping[str, Json] | None = None,
        system: str = NEUTRAL,
        seed: int = 0,
        shown: Callable[[Dialogue], tuple[Tool, ...]] | None = None,
        scale: Callable[[], RewardScale] | None = None,
    ) -> None:
        """`options` are the protocol's, `system` what the policy is told first. Raises BadInput as an evaluation.

        `shown` gives the tools that the policy sees (`tools_shown`): many episodes share it, as it may hold an index.
        So they do `scale`, which returns what `measured_scale` of such an episode does.
        """
        self.dialogue = dialogue
        self._protocol = protocol
        self._catalog = catalog
        self._options = dict(options or {})
        self._system, self._seed, self._shown = system, seed, shown
        self._scale = scale or self.measured_scale
        complete = read_options(protocol, self._options)
        tools = shown_tools(dialogue, catalog.by_key)
        protocol.check(dialogue, tools, complete)
        self._tools = (shown or tools_shown(protocol, catalog, self._options))(dialogue)
        ctx = Context.detached(dialogue.id, seed=seed, models={"model": _Outside()})
        more: dict[str, Any] = {"shown": self._tools} if protocol.shown is not None else {}
        rollout = protocol.rollout(dialogue, tools, ctx, complete, duties=system, **more)
        self._rollout: Coroutine[ChatRequest, ChatReply | None, Transcript] = rollout  # type: ignore[assignment]
        self._request: ChatRequest | None = None
        self._transcript: Transcript | None = None

    @property
    def request(self) -> ChatRequest:
        """The messages that the policy sees now. Raises CallwrightError before `start` and after the end."""
        if self._request is None:
            raise CallwrightError(f"dialogue {self.dialogue.id}: the episode has not started, or is over.")
        return self._request

    @property
    def transcript(self) -> Transcript | None:
        """The transcript; None until the episode is over."""
        return self._transcript

    @property
    def is_over(self) -> bool:
        """Whether the episode is over."""
        return self._transcript is not None

    def start(self) -> str:
        """Return the user's first words. Raises CallwrightError where the episode has started."""
        if self._request is not None or self._transcript is not None:
            raise CallwrightError(f"dialogue {self.dialogue.id}: the episode has started. Make a new one.")
        self._send(None)
        return self._request.messages[-1].content if self._request else ""

    def tools(self) -> list[dict[str, Json]]:
        """Return the tools that the policy is shown, each with `name`, `description` and `parameters`."""
        return [msgspec.json.decode(msgspec.json.encode(function_of(tool))) for tool in self._tools]

    def say(self, text: str) -> str | None:
        """Say something to the user; return what comes back, None where the episode is over."""
        return self.reply(ChatReply(content=text))

    def call(self, name: str, arguments: Mapping[str, Json]) -> str | None:
        """Call a tool; return its result, None where the episode is over."""
        return self.reply(ChatReply(calls=(Call(name, encode(dict(arguments))),)))

    def reply(self, reply: ChatReply) -> str | None:
        """Give words and calls at once; return the text of what comes back, None where the episode is over."""
        _ = self.request  # there is one
        self._send(reply)
        if self._request is None:
            return None
        news = []
        for message in reversed(self._request.messages):
            if message.role == "assistant":
                break
            news.append(message.content)
        return "\n".join(reversed(news))

    def close(self) -> None:
        """End an episode that nobody goes on with."""
        self._rollout.close()
        self._request = None

    def scores(self) -> dict[str, float]:
        """Return `right` and the metrics of the protocol for this episode. Raises CallwrightError before its end.

        Where a fault of the simulated user spoils the episode there are none: it says nothing about the policy.
        """
        if self._transcript is None:
            raise CallwrightError(f"dialogue {self.dialogue.id}: the episode is not over.")
        if self._transcript.faults:
            return {}
        judged = self._protocol.judge(self.dialogue, self._transcript, self._catalog.by_key, self._options)
        return {RIGHT: float(all(task.right for task in judged)), **verdicts(judged)}

    def rewards(self) -> dict[str, float]:
        """Return the parts of the reward: 0 for a policy that calls nothing, 1 for the right replies, or penalties.

        There are none where there are no scores. Raises CallwrightError before the end.
        """
        scores = self.scores()
        return reward_parts(scores, self._scale(), signs_of(self._protocol.panels)) if scores else {}

    def measured_scale(self) -> RewardScale:
        """Play the dialogue with the right replies, with silence and with words alone; return the scores."""
        complete = read_options(self._protocol, self._options)
        right = oracle(self._protocol, self.dialogue, self._catalog.by_key, complete, system=self._system)
        return RewardScale(self._played(right), (self._played(_Silent()), self._played(Abstain())))

    def _played(self, model: ChatModel) -> dict[str, float]:
        """The scores of a model without chance that asks nobody."""
        episode = Episode(
            self._protocol,
            self.dialogue,
            self._catalog,
            options=self._options,
            system=self._system,
            seed=self._seed,
            shown=self._shown,
        )
        episode.start()
        while not episode.is_over:
            episode.reply(run_blocking(model.reply(episode.request, Random(0))))
        return episode.scores()

    def _send(self, reply: ChatReply | None) -> None:
        try:
            asked = self._rollout.send(reply)
        except StopIteration as end:
            self._request, self._transcript = None, end.value
            return
        if not isinstance(asked, ChatRequest):
            raise CallwrightError(f"{self._protocol.version}: its rollout waits for something else than a model.")
        self._request = asked


class _Silent:
    """A model that says and calls nothing."""

    name = NAME

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return an empty reply."""
        del request, rng
        return ChatReply()


class _Outside:
    """A model whose replies come from outside."""

    name = NAME

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Wait until somebody sends the reply."""
        del rng
        return await _Awaited(request)


class _Awaited:
    def __init__(self, request: ChatRequest) -> None:
        self._request = request

    def __await__(self) -> Generator[ChatRequest, ChatReply, ChatReply]:
        return (yield self._request)

"""A model behind OpenAI's chat-completions API: of vLLM, llama.cpp, Ollama, SGLang, OpenAI itself, or this process.

One `reply` may take several attempts; observers get each as it ends, and only the last failure is raised.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext
from copy import copy
from random import Random
from time import monotonic
from typing import NamedTuple

from callwright.errors import RolloutFailed
from callwright.models.attempts import Attempt, AttemptObserver, FailureKind, Gate
from callwright.models.chat import ChatReply, ChatRequest
from callwright.models.completion import CUT_OFF, WITHHELD, BadReply, Usage, read_completion
from callwright.models.conversation import OBJECT_CALLING, Calling, encode_request
from callwright.models.decoding import AS_SERVED, Decoding
from callwright.models.endpoint import Endpoint, read_endpoint, without_likely_keys
from callwright.models.keys import ApiKey
from callwright.models.local_models import open_local
from callwright.models.refusals import advice, refusal
from callwright.models.retries import Patience, may_retry, pause, retry_after
from callwright.models.schema_calling import called_by_schema
from callwright.models.structured import LEVELS, Learned, Level, keeps_to, next_level
from callwright.models.transport import TransportFailed, post_json
from callwright.records.jsontext import Json

_LONGEST_WORDS = 300


class _Failure(NamedTuple):
    kind: FailureKind
    words: str
    status: int = 0
    retry_after_s: float | None = None
    usage: Usage = Usage()


def served_model(
    name: str,
    *,
    role: str,
    base_url: str | None = None,
    calling: Calling = "native",
    decoding: Decoding = AS_SERVED,
    patience: Patience | None = None,
    observers: tuple[AttemptObserver, ...] = (),
) -> ServedModel:
    """Return the model `openai/NAME` or `openai/NAME@URL`, with the key from the environment. Raises BadInput."""
    endpoint = read_endpoint(name, base_url=base_url)
    return ServedModel(
        endpoint,
        key=ApiKey.from_environment(endpoint),
        role=role,
        calling=calling,
        decoding=decoding,
        patience=patience,
        observers=observers,
    )


class ServedModel:
    """One model on one server, in one role."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        key: ApiKey,
        role: str = "model",
        calling: Calling = "native",
        decoding: Decoding = AS_SERVED,
        patience: Patience | None = None,
        learned: Learned | None = None,
        observers: tuple[AttemptObserver, ...] = (),
    ) -> None:
        """`role` is named in failures; `learned` may be shared by models on the same servers."""
        self.name = endpoint.name
        """Full name, with the URL if the server is not OpenAI's."""
        self._endpoint = endpoint
        self._server = endpoint.local or endpoint.url
        self._key = key
        self._role = role
        self._calling: Calling = calling
        self._settings = decoding.fields(endpoint)
        self._patience = patience or Patience()
        self._learned = learned or Learned()
        self._observers = observers
        self._gate: Gate = _Open()

    def observed_by(self, observer: AttemptObserver, *, gate: Gate | None = None) -> ServedModel:
        """Return the same model with `observer` added to its observers; `gate` replaces its gate."""
        observed = copy(self)
        observed._observers = (*self._observers, observer)
        observed._gate = gate or self._gate
        return observed

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the reply; `rng` adds jitter to the pauses. Raises RolloutFailed with its kind and role."""
        if self._calling in OBJECT_CALLING and request.tools and request.reply_schema is None:
            return called_by_schema(await self._reply(OBJECT_CALLING[self._calling](request), rng))
        return await self._reply(request, rng)

    async def _reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        level = self._learned.level(self.name)
        ignored: Level | None = None
        tried = 0
        began = monotonic()
        while True:
            body = encode_request(
                self._endpoint.model, request, calling=self._calling, level=level, settings=self._drawn(rng)
            )
            async with self._gate.passage(self._role, len(body)):
                sent = monotonic()
                got = await self._ask(body, request)
            if isinstance(got, ChatReply) and self._ignores(level, got, request):
                got, ignored = _unfit(got, level), ignored or level
            if isinstance(got, ChatReply):
                self._tell(sent, len(body), tokens=Usage(got.tokens_in, got.tokens_out))
                if request.reply_schema is not None and (self.name, ignored) not in self._learned.proven:
                    self._learned.keep_level(self.name, level)
                return got
            tried += 1
            lower = _lower(level, got, tried) if request.reply_schema is not None else None
            again = lower is not None or self._may_retry(got, tried)
            self._tell(sent, len(body), tokens=got.usage, failure=got, will_retry=again)
            if not again:
                raise self._failed(got, tried=tried, seconds=monotonic() - began)
            if lower is not None:
                level, tried = lower, 0
            else:
                seconds = pause(tried, patience=self._patience, retry_after_s=got.retry_after_s, rng=rng)
                await self._gate.rest(seconds)

    def _drawn(self, rng: Random) -> dict[str, Json]:
        """Return the settings of one attempt; the sampler of a model of this machine is seeded from the rollout's."""
        return {**self._settings, "seed": rng.getrandbits(32)} if self._endpoint.local else self._settings

    async def _ask(self, body: bytes, request: ChatRequest) -> ChatReply | _Failure:
        url = await chat_url(self._endpoint)
        try:
            local = self._endpoint.local
            async with open_local(local).turn() if local else nullcontext():
                answer = await post_json(url, body, headers=self._key.headers(), patience=self._patience)
        except TransportFailed as error:
            if error.connected:
                self._learned.answered.add(self._server)
            return _Failure(error.kind, str(error))
        self._learned.answered.add(self._server)
        if not answer.is_success:
            kind, words = refusal(answer)
            return _Failure(kind, words, status=answer.status, retry_after_s=retry_after(answer.headers))
        try:
            return read_completion(answer.body, request, calling=self._calling, strike=self._key.strike)
        except BadReply as error:
            return _Failure("bad_reply", str(error), usage=error.usage)

    def _ignores(self, level: Level, reply: ChatReply, request: ChatRequest) -> bool:
        """Return whether the server may have ignored the form: true until one reply in that form has fitted."""
        if request.reply_schema is None or level == LEVELS[-1] or (self.name, level) in self._learned.proven:
            return False
        if keeps_to(reply, request.reply_schema):
            self._learned.proven.add((self.name, level))
            return False
        return not {CUT_OFF, WITHHELD} & {*reply.format_errors}

    def _may_retry(self, failure: _Failure, tried: int) -> bool:
        return may_retry(
            failure.kind,
            tried=tried,
            patience=self._patience,
            retry_after_s=failure.retry_after_s,
            answered_before=self._server in self._learned.answered,
        )

    def _tell(
        self, sent: float, size: int, *, tokens: Usage, failure: _Failure | None = None, will_retry: bool = False
    ) -> None:
        if not self._observers:
            return
        attempt = Attempt(
            model=self.name,
            role=self._role,
            failure=failure.kind if failure else None,
            seconds=monotonic() - sent,
            size=size,
            retry_after_s=failure.retry_after_s if failure else None,
            will_retry=will_retry,
            tokens_in=tokens.tokens_in,
            tokens_out=tokens.tokens_out,
        )
        for observer in self._observers:
            observer.on_attempt(attempt)

    def _failed(self, failure: _Failure, *, tried: int, seconds: float) -> RolloutFailed:
        struck = without_likely_keys(self._key.strike(failure.words))
        words = " ".join(struck.split())[:_LONGEST_WORDS].rstrip(". ")
        parts = [f"{self.name} ({failure.kind}): {words}"]
        if tried > 1:
            parts.append(f", {tried} times in {seconds:.0f} s")
        if failure.retry_after_s is not None:
            parts.append(f", and asks to wait {failure.retry_after_s:,.0f} s")
        message = f"{''.join(parts)}. {advice(failure.kind, has_key=bool(self._key))}".rstrip()
        return RolloutFailed(message, kind=failure.kind, role=self._role)


async def chat_url(endpoint: Endpoint) -> str:
    """Return where chats are asked for; a model of this machine is loaded first. Raises BadInput if it cannot be."""
    base = await open_local(endpoint.local).url() if endpoint.local else endpoint.url
    return f"{base}/chat/completions"


class _Open:
    def passage(self, role: str, size: int) -> AbstractAsyncContextManager[object]:
        return nullcontext()

    async def rest(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def _unfit(reply: ChatReply, level: Level) -> _Failure:
    words = f"the reply does not fit the schema that was asked for as {level}"
    return _Failure("bad_reply", words, status=200, usage=Usage(reply.tokens_in, reply.tokens_out))


def _lower(level: Level, failure: _Failure, tried: int) -> Level | None:
    """Return the next form of JSON replies, if the server may have refused or ignored only this form."""
    if failure.kind not in ("bad_request", "server_error", "bad_reply"):
        return None
    return next_level(level, failure.status, tried=tried)

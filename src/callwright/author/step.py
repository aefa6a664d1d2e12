"""Writing steps: one typed function, two voices.

    @step("diaforge/goal.j2")
    def goal(rng: Random, tool: Tool, ...) -> str:
        '''Write what a person wants.'''
        ...                                    # the offline voice

Called through `ctx.write(goal, tool, ...)`. Without a model the body runs. With one, the prompt file of that name is
rendered from the same arguments, and the reply parsed strictly into the return type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from random import Random
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, get_type_hints

import msgspec

from callwright.author.prompts import SHARED, prompt_source, render_messages
from callwright.errors import BadRecord
from callwright.models.chat import ChatRequest
from callwright.records.jsontext import Json, encode

P = ParamSpec("P")
T = TypeVar("T")

LONGEST_TEXT = 4_000
"""Characters of a model's text that are taken for a turn, a thought or a goal; more is none."""


@dataclass(frozen=True, eq=False)
class AuthoredStep(Generic[P, T]):
    """A writing step, made from the function that writes it without a model."""

    name: str
    """Path of its prompt; empty: rules write it, whoever plays."""
    body: Callable[Concatenate[Random, P], T]
    check: Callable[Concatenate[T, P], Sequence[str]] | None
    home: str
    """Package that holds the bundled prompt."""
    stream: str
    """Key of the step's random stream and journal entries: a prompt can be renamed, and seeds keep their bytes."""
    alone: bool = False
    """Whether the object must be the whole reply, so that material quoted beside it cannot pass for it."""

    def offline(self, rng: Random, /, *args: Any, **kwargs: Any) -> T:
        """Write without a model."""
        return self.body(rng, *args, **kwargs)

    @cached_property
    def returns(self) -> Any:
        """The return type."""
        return get_type_hints(self.body)["return"]

    def reply_schema(self) -> dict[str, Json] | None:
        """Return the JSON Schema that a model's reply must fit, or None where plain text is asked for."""
        if self.returns is str:
            return None
        document = msgspec.json.schema(self.returns)
        defined = document.get("$defs", {})
        name = document.get("$ref", "").removeprefix("#/$defs/")
        return {
            "type": "object",
            "properties": {"reply": defined.get(name, document)},  # a record stands in place, as servers want it
            "required": ["reply"],
            "additionalProperties": False,
        }

    def prompt(self, *args: P.args, **kwargs: P.kwargs) -> ChatRequest:
        """Render the bundled prompt for these arguments."""
        return self.render(prompt_source(self.name, (self.home,)), *args, **kwargs)

    def render(self, source: str, /, *args: P.args, **kwargs: P.kwargs) -> ChatRequest:
        """Render a prompt for these arguments: the static part as the system message, the rest as the user's.

        Raises BadDocument where the template fails on them.
        """
        named = signature(self.body).bind(None, *args, **kwargs).arguments
        fields = dict(list(named.items())[1:])  # as records: their plain form would lack what has its default
        schema = self.reply_schema()
        return ChatRequest(
            render_messages(source, fields, where=self.name), reply_schema=None if schema is None else encode(schema)
        )

    def parse(self, reply: str) -> T:
        """Return a model's reply as the return type. Raises BadRecord saying what does not fit."""
        if self.returns is str:
            text = reply.strip()
            if not text:
                raise BadRecord(f"{self.name}: the reply is empty")
            if len(text) > LONGEST_TEXT:
                raise BadRecord(f"{self.name}: the reply has {len(text):,} characters; at most {LONGEST_TEXT:,}")
            return text  # type: ignore[return-value]  # T is str here
        try:
            wrapped = msgspec.json.decode(reply, type=dict[str, msgspec.Raw])
            value: T = msgspec.json.decode(wrapped["reply"], type=self.returns)
        except (msgspec.DecodeError, KeyError, RecursionError) as error:
            raise BadRecord(f"{self.name}: the reply does not fit: {error}") from error
        return value

    def faults(self, written: T, /, *args: P.args, **kwargs: P.kwargs) -> tuple[str, ...]:
        """Return what is wrong with what either voice wrote about these arguments, beyond its type."""
        return tuple(self.check(written, *args, **kwargs)) if self.check else ()


def step(
    name: str, *, home: str = SHARED, stream: str = ""
) -> Callable[[Callable[Concatenate[Random, P], T]], AuthoredStep[P, T]]:
    """Make a function a writing step whose prompt is the file `name` of the package `home` (see `Step`)."""

    def make(body: Callable[Concatenate[Random, P], T]) -> AuthoredStep[P, T]:
        return AuthoredStep(name, body, None, home, stream or name)

    return make


def ruled_step(stream: str) -> Callable[[Callable[Concatenate[Random, P], T]], AuthoredStep[P, T]]:
    """Make a function a writing step that no model is asked for; `stream` is the key of its random stream."""

    def make(body: Callable[Concatenate[Random, P], T]) -> AuthoredStep[P, T]:
        return AuthoredStep("", body, None, "", stream)

    return make


def verdict_step(
    name: str, check: Callable[Concatenate[T, P], Sequence[str]], *, home: str = SHARED
) -> Callable[[Callable[Concatenate[Random, P], T]], AuthoredStep[P, T]]:
    """Make a function a checked step whose object must be the whole reply: it judges words that may hold one."""

    def make(body: Callable[Concatenate[Random, P], T]) -> AuthoredStep[P, T]:
        return AuthoredStep(name, body, check, home, name, alone=True)

    return make


def checked_step(
    name: str, check: Callable[Concatenate[T, P], Sequence[str]], *, home: str = SHARED
) -> Callable[[Callable[Concatenate[Random, P], T]], AuthoredStep[P, T]]:
    """Make a function a writing step; `check` tells faults beyond the type from what is written and the arguments."""

    def make(body: Callable[Concatenate[Random, P], T]) -> AuthoredStep[P, T]:
        return AuthoredStep(name, body, check, home, name)

    return make

"""Writing steps: one typed function, two voices.

    @step("diaforge/user_turn.j2")
    def user_turn(rng: Random, brief: UserBrief) -> str:
        '''Word one turn of a user.'''
        ...                                    # the offline voice

Called through `ctx.write(user_turn, brief)`. Without a model the body runs. With one, the prompt file of that name is
rendered from the same arguments, and the reply parsed strictly into the return type.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib.resources import files
from inspect import signature
from random import Random
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, get_type_hints

import msgspec

from callwright.errors import BadDocument, BadRecord
from callwright.models.chat import ChatRequest, Message
from callwright.records.jsontext import Json

P = ParamSpec("P")
T = TypeVar("T")

_SPLIT = "\n---\n"


class Step(Generic[P, T]):
    """A writing step; callable like the function it was made from."""

    def __init__(self, name: str, body: Callable[Concatenate[Random, P], T]) -> None:
        self.name = name
        self.body = body
        self.__doc__ = body.__doc__

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
        return {
            "type": "object",
            "properties": {"reply": msgspec.json.schema(self.returns)},
            "required": ["reply"],
            "additionalProperties": False,
        }

    def prompt(self, *args: P.args, **kwargs: P.kwargs) -> ChatRequest:
        """Render the prompt for these arguments: the static part as the system message, the rest as the user's."""
        named = signature(self.body).bind(None, *args, **kwargs).arguments
        fields = dict(list(named.items())[1:])  # as records: their plain form would lack what has its default
        static, _, varying = prompt_source(self.name).partition(_SPLIT)
        return ChatRequest(
            (Message("system", _render(static, fields).strip()), Message("user", _render(varying, fields).strip()))
        )

    def parse(self, reply: str) -> T:
        """Return a model's reply as the return type. Raises BadRecord saying what does not fit."""
        if self.returns is str:
            text = reply.strip()
            if not text:
                raise BadRecord(f"{self.name}: the reply is empty")
            return text  # type: ignore[return-value]  # T is str here
        try:
            wrapped = msgspec.json.decode(reply, type=dict[str, msgspec.Raw])
            value: T = msgspec.json.decode(wrapped["reply"], type=self.returns)
        except (msgspec.DecodeError, KeyError) as error:
            raise BadRecord(f"{self.name}: the reply does not fit: {error}") from error
        return value


def step(name: str) -> Callable[[Callable[Concatenate[Random, P], T]], Step[P, T]]:
    """Make a function a writing step whose prompt is the file `name`."""

    def make(body: Callable[Concatenate[Random, P], T]) -> Step[P, T]:
        return Step(name, body)

    return make


def prompt_source(name: str) -> str:
    """Return the text of a bundled prompt file. Raises BadDocument where there is none."""
    resource = files("callwright.author").joinpath(f"data/prompts/{name}")
    if not resource.is_file():
        raise BadDocument(f"prompt {name}: no such file under author/data/prompts")
    return resource.read_text(encoding="utf-8")


def _render(source: str, fields: dict[str, Any]) -> str:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(source).render(fields)

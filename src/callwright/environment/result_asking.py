"""A model in the role of the tools that returns a result in place of a planned one: what it is told, and what is taken.

The planned result stands where three replies do not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from callwright.author.agent_asking import TurnFault, ask_turn
from callwright.author.role_forms import conversation, long_day, read_result, tool_lines
from callwright.engine.context import Context
from callwright.environment.fixed_fields import FixedField
from callwright.environment.result_faults import replacing_faults
from callwright.errors import BadRecord
from callwright.models.chat import ChatReply, ChatRequest
from callwright.records.dialogue import Call, Dialogue
from callwright.records.jsontext import Json, JsonText, encode
from callwright.records.tool import Tool

ROLE = "tools"


class PlannedResult(NamedTuple):
    """What a call that is about to be made returns by the plan."""

    call: Call
    value: Json
    fixed: tuple[FixedField, ...]
    before: Dialogue
    """All that was said, called and returned."""
    tools: Mapping[str, Tool]
    """By shown names."""


class ResultView(NamedTuple):
    """What a prompt may tell."""

    call: str
    fixed: Sequence[str]
    documents: Sequence[str]
    lines: Sequence[str]
    today: str


def result_view(planned: PlannedResult) -> ResultView:
    """Return what the tools are told of a call."""
    return ResultView(
        f"{planned.call.tool} {planned.call.arguments}",
        [str(one) for one in planned.fixed],
        tool_lines(planned.tools.values(), returns=True),
        conversation(planned.before),
        long_day(planned.before.today),
    )


async def ask_result(
    request: ChatRequest, ctx: Context, planned: PlannedResult, also: Callable[[Json], Iterable[TurnFault]]
) -> JsonText | None:
    """Return the first result that fits, as text; None where three replies do not. `also` are faults of the caller's.

    Raises RolloutFailed for a model that cannot be asked.
    """

    def check(found: Json | BadRecord) -> list[TurnFault]:
        if isinstance(found, BadRecord):
            return [TurnFault("result_unlike_schema", str(found))]
        usual = planned.value, planned.fixed, planned.call, planned.tools, planned.before
        return [*replacing_faults(found, *usual), *also(found)]

    asked = await ask_turn(ROLE, request, ctx, read=_read, check=check)
    return None if asked.faults or isinstance(asked.value, BadRecord) else encode(asked.value)


def _read(reply: ChatReply) -> Json | BadRecord:
    """A reply of another form is refused like any other: there is a result to go on with."""
    try:
        return read_result(reply)
    except BadRecord as error:
        return error

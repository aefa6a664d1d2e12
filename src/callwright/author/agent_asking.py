"""One turn of a model that plays a role: asked for, checked by rules, and asked for again with the reason.

    not of the form asked for     asked again; where no reply is, the rollout fails and its replies are forgotten
    with a fault that rejects     asked again; where every reply has one, the dialogue is rejected
    that lacks a part             asked again once; where it lacks a part again, the dialogue is rejected
    with other faults             asked again once; then the turn is said, and the faults are remarks for a critic

Which of the faults a reply is told of is the caller's: what an assistant is told may not depend on the gold call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from callwright.author.online_voice import repair
from callwright.engine.context import Context
from callwright.errors import BadInput, RolloutFailed
from callwright.models.chat import ChatReply, ChatRequest

T = TypeVar("T")

ASKS: Final = 3
"""Replies asked for at most for one turn."""
_ASKS_FOR_STYLE: Final = 2
_REPLIES_WITHOUT_A_PART: Final = 2
_LONGEST_WHY: Final = 1_000


class TurnFault(NamedTuple):
    """The fault of a reply."""

    code: str
    """As in the reasons for rejection."""
    told: str
    """The words in which the model is told of it."""
    rejects: bool = True
    """Whether it rejects the dialogue where it remains; else it is a remark."""
    is_lack: bool = False
    """Whether a part of the reply is missing, which is asked for only once more."""


class AskedTurn(NamedTuple, Generic[T]):
    """The reply that was taken, and the faults that remain in it."""

    value: T
    faults: Sequence[TurnFault] = ()

    @property
    def rejecting(self) -> TurnFault | None:
        """The first fault that rejects the dialogue."""
        return next((fault for fault in self.faults if fault.rejects), None)


async def ask_turn(
    role: str,
    request: ChatRequest,
    ctx: Context,
    *,
    read: Callable[[ChatReply], T],
    check: Callable[[T], Sequence[TurnFault]],
) -> AskedTurn[T]:
    """Return the first reply without a fault, else the one with the least. Rewrite 1 is asked for at `rewrite/1`.

    `read` raises BadInput for a reply that is not of the form asked for. Raises RolloutFailed where no reply is.
    """
    places = [ctx.at(f"rewrite/{rewrite}") for rewrite in range(ASKS)]
    usable: list[AskedTurn[T]] = []
    asked, why = request, ""
    for rewrite, place in enumerate(places, 1):
        reply = await place.ask(role, asked)
        try:
            value = read(reply)
        except BadInput as error:
            why = str(error)
        else:
            turn = AskedTurn(value, tuple(check(value)))
            if not turn.faults or (turn.rejecting is None and rewrite >= _ASKS_FOR_STYLE):
                return turn
            usable.append(turn)
            if sum(any(fault.is_lack for fault in one.faults) for one in usable) >= _REPLIES_WITHOUT_A_PART:
                break
            why = "; ".join(fault.told for fault in turn.faults)
        asked = repair(request, reply, why[:_LONGEST_WHY])
    if usable:
        return min(usable, key=lambda turn: (turn.rejecting is not None, len(turn.faults)))
    for place in places:
        place.forget(role)
    name = ctx.models[role].name
    raise RolloutFailed(
        f"{name} as the {role}: {ASKS} replies that do not fit; the last: {why[:_LONGEST_WHY]}",
        kind="bad_reply",
        role=role,
    )

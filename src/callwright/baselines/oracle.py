"""`builtin/oracle`, the only builtin model that gets the ground truth: it shows the ceiling of a protocol.

`builtin/oracle-sequential` makes the same calls one at a time: all correct, but in more steps than necessary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Final

from callwright.match.call_graph import call_graph
from callwright.match.task_stages import task_stages
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.records.dialogue import Call, Dialogue, Task
from callwright.records.jsontext import encode

_NOTHING_FITS: Final = "None of the tools I have can do that, so I will not call one."
_DONE: Final = "That is done."


Order = Callable[[Task, Sequence[int]], list[list[int]]]
"""Groups the due gold calls of a task, given by position, into steps."""


def as_soon_as_ready(task: Task, due: Sequence[int]) -> list[list[int]]:
    """Return the fewest possible steps."""
    level = _levels(task)
    return [[gold for gold in due if level[gold] == one] for one in sorted({level[gold] for gold in due})]


def one_by_one(task: Task, due: Sequence[int]) -> list[list[int]]:
    """Return one step for each call."""
    return [[gold] for gold in sorted(due, key=_levels(task).__getitem__)]


class AnswerKey:
    """Knows the right reply to each request of a protocol, and to one that differs in its system message alone."""

    def __init__(self, name: str, pairs: Iterable[tuple[ChatRequest, ChatReply]]) -> None:
        self.name = name
        known = list(pairs)
        self._whole = {(_said(request, ""), request.tools): reply for request, reply in known}
        self._similar = {_said(request, "system"): reply for request, reply in known}

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the right reply; an empty one where the request is not known."""
        whole = self._whole.get((_said(request, ""), request.tools))
        return whole or self._similar.get(_said(request, "system"), ChatReply())


def _said(request: ChatRequest, without: str) -> tuple[str, tuple[Message, ...]]:
    """The schema of a request, and its messages without those of one role."""
    return request.reply_schema or "", tuple(message for message in request.messages if message.role != without)


class Oracle:
    """Makes the gold calls that are due, and then reports them; if no tool fits, it says so."""

    def __init__(self, dialogue: Dialogue, *, name: str = "builtin/oracle", order: Order = as_soon_as_ready) -> None:
        self.name = name
        self._dialogue = dialogue
        self._order = order
        users = [at for at, turn in enumerate(dialogue.turns) if dialogue.role(turn) == "user"]
        self._users = users or [0]

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the calls that are due next, whatever the request says; text if none is due."""
        heard = [at for at, message in enumerate(request.messages) if message.role == "user"] or [0]
        turn = self._users[min(len(heard), len(self._users)) - 1]
        asked = [task for task in self._dialogue.tasks if (task.turn or 0) <= turn]
        if not asked:
            return ChatReply(content=_NOTHING_FITS)
        task = asked[-1]
        dues, words = self._due(len(asked) - 1, turn)
        steps = [step for due in dues for step in self._order(task, due)]
        begin = heard[self._users.index(task.turn or 0)] if len(dues) > 1 else heard[-1]
        made = sum(bool(message.calls) for message in request.messages[begin:])
        if made < len(steps):
            golds = [task.gold[gold] for gold in steps[made]]
            return ChatReply(calls=tuple(Call(gold.tool, encode(gold.values)) for gold in golds))
        return ChatReply(content=words or (_DONE if task.gold else _NOTHING_FITS))

    def _due(self, at: int, turn: int) -> tuple[list[Sequence[int]], str]:
        """Return the gold calls due after this turn, by stage, and the text recorded after them.

        A stage may end before all its calls are made, if the user interrupts.
        """
        task = self._dialogue.tasks[at]
        is_alone = len(self._dialogue.tasks) == 1
        if is_alone and task.kind not in ("clarify", "multi"):  # text between the calls is not needed
            return [range(len(task.gold))], ""
        stages = [stage for stage in task_stages(self._dialogue, at) if stage.first <= turn]
        if not stages:  # tasks out of order in an edited dialogue
            return [range(len(task.gold))], ""
        said = (one.text for one in self._dialogue.turns[stages[-1].reply : stages[-1].end])
        return [stage.due for stage in stages], next((text for text in said if text.strip()), "")


def _levels(task: Task) -> Sequence[int]:
    after = [(needed, gold) for gold, one in enumerate(task.gold) for needed in one.after]
    return call_graph(len(task.gold), after).level

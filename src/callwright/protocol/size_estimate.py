"""Usage of a served model under test, estimated before the run from the recorded dialogues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import msgspec

from callwright.models.chat import ChatRequest
from callwright.models.conversation import Calling, encode_request
from callwright.models.prices import BYTES_A_TOKEN
from callwright.protocol import Prediction
from callwright.protocol.shown_dialogue import request, system_message
from callwright.records.codec import to_line
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool

_MOST_READ: Final = 200
"""Dialogues read; the others are taken to be like them."""

_FEW: Final = 8


class Estimate(msgspec.Struct, frozen=True):
    """Of a whole run. The model under test may say more or less than the recorded assistant: it is no bound."""

    calls: int
    tokens_in: int
    tokens_out: int


ShownTools = Callable[[Dialogue], tuple[Tool, ...]]
Asked = Callable[[Dialogue], Iterable[Prediction]]
"""Requests to a model for a dialogue, each with the right reply."""


def estimate(
    dialogues: Sequence[Dialogue],
    shown: ShownTools,
    *,
    duties: str,
    calling: Calling,
    trials: int = 1,
    asked: Asked | None = None,
) -> Estimate:
    """Return the size of replying to what is asked, by default to every user turn, at four bytes a token.

    `duties` is the system message.
    """
    read = dialogues[:: max(1, len(dialogues) // _MOST_READ)]
    if asked is not None:
        sizes = [(_size(one.request, calling), _written(one)) for dialogue in read for one in asked(dialogue)]
    else:
        sizes = [size for dialogue in read for size in _sizes(dialogue, shown(dialogue), duties, calling)]
    share = trials * len(dialogues) / len(read) if read else 0
    return Estimate(
        calls=round(share * len(sizes)),
        tokens_in=round(share * sum(asked for asked, _ in sizes) / BYTES_A_TOKEN),
        tokens_out=round(share * sum(said for _, said in sizes) / BYTES_A_TOKEN),
    )


def tool_tokens(
    dialogues: Sequence[Dialogue], shown: ShownTools, *, calling: Calling, asked: Asked | None = None
) -> int:
    """Return about how many tokens the tools take in a request, at four bytes a token: a mean of some dialogues.

    They are those of the requests in `asked`; without it all that are shown in a dialogue.
    """
    read = dialogues[:: max(1, len(dialogues) // _FEW)]
    tools = [one.request.tools for dialogue in read for one in asked(dialogue)] if asked else [*map(shown, read)]
    sizes = [_size(ChatRequest((), one), calling) for one in tools if one]
    return round(sum(sizes) / len(sizes) / BYTES_A_TOKEN) if sizes else 0


def _sizes(dialogue: Dialogue, shown: tuple[Tool, ...], duties: str, calling: Calling) -> Iterator[tuple[int, int]]:
    """Yield the bytes of the request after each user turn, and those of the recorded turn that follows."""
    system = system_message(duties, dialogue)
    for at, turn in enumerate(dialogue.turns):
        if dialogue.role(turn) != "user":
            continue
        asked = request(system, dialogue, shown, dialogue.turns[: at + 1])
        said = to_line(dialogue.turns[at + 1]) if at + 1 < len(dialogue.turns) else b""
        yield _size(asked, calling), len(said)


def _written(one: Prediction) -> int:
    return len(one.reply) + sum(len(to_line(call)) for call in one.calls)


def _size(request: ChatRequest, calling: Calling) -> int:
    return len(encode_request("", request, calling=calling, level="prompt"))

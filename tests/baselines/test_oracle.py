"""The oracle of protocols whose right replies are no calls."""

from __future__ import annotations

import asyncio
from random import Random

from callwright.baselines.oracle import AnswerKey
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.records.jsontext import JsonText


def asked(text: str, system: str = "Label.", schema: str = "{}") -> ChatRequest:
    return ChatRequest((Message("system", system), Message("user", text)), reply_schema=JsonText(schema))


def test_the_right_reply_to_each_request() -> None:
    """Requests are known by messages and schema, and by system messages where these are known; others get nothing."""
    known = [(asked("a"), "1"), (asked("b"), "2"), (asked("a", schema="[]"), "3")]
    known += [(asked("d"), "4"), (asked("d", system="Go on."), "5")]
    key = AnswerKey("builtin/oracle", [(one, ChatReply(content=text)) for one, text in known])

    def reply(request: ChatRequest) -> str:
        return asyncio.run(key.reply(request, Random(0))).content

    assert [reply(asked("a", system="Be exact.")), reply(asked("b")), reply(asked("a", schema="[]"))] == ["1", "2", "3"]
    assert reply(asked("c")) == ""
    assert [reply(asked("d")), reply(asked("d", system="Go on."))] == ["4", "5"]

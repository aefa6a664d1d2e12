"""The prompts of each task of the `tooldial` protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from callwright.models.chat import ChatRequest, Message
from callwright.papers.tooldial.prediction_points import PredictionPoint
from callwright.papers.tooldial.state_layout import PARTS
from callwright.papers.tooldial.state_matching import ACTS
from callwright.records.jsontext import JsonText, encode

DUTIES: Final = (
    "You follow conversations between a user and a system that finds and calls APIs, and you label them. Go by what "
    "stands there: the retriever's scores, the documentation of the APIs, the words of the user, the results of calls."
)
"""The `coached` wording of what the model is told first."""

_STATE: Final = """\
Give the dialogue state at the end of the conversation below: the API that the system works towards, and the values \
that are known of its parameters so far.

- No API is confirmed before the retriever was called, and after the system asked what the user means, made a \
suggestion, gave up, or said goodbye. Then the state is {"api_confirmed": "false", "api_status": "none"}.
- An API is confirmed if the retriever's latest search gave it the best score, of 0.6 or more, or if the user accepted \
it as a suggestion. Then the state is {"api_confirmed": "true", "api_status": {"api_name": its name, \
"required_parameters": {parameter: value}, "optional_parameters": {parameter: value}}}.
- A state has every parameter of the API's documentation, and no other. A value that nobody has given yet is "".
- Where the user does not know a value and the retriever finds another API that supplies it, the state is that of the \
other API until that is called, and then again that of the first one.
- Where a call gives several results, the value taken from them stays "" until the user has chosen one."""

_ACT: Final = """\
Name the system's next action in the conversation below. Its actions:

- request: asks the user for values of parameters, or which one of several results is meant
- response: answers the user with the result of a call
- clarify: asks what the user means, since the retriever's latest search gave no API a score of 0.5 or more
- suggest: proposes the best API, since the best score of the latest search is at least 0.5 and below 0.6
- response_fail: tells the user that the wish cannot be fulfilled
- system_bye: says goodbye
- call: calls an API whose required values are all known
- retriever_call: searches for an API, for a new wish or for a value that the user does not know

Give exactly one of these eight names."""

_RESPONSE: Final = """\
Write the system's next message to the user in the conversation below: the answer to what the user asked for first, \
from the results of the calls and from nothing else. Write the message alone."""

_STATUS_SCHEMA: Final = {
    "type": "object",
    "properties": {"api_name": {"type": "string"}, **{part: {"type": "object"} for part in PARTS}},
    "required": ["api_name", *PARTS],
    "additionalProperties": False,
}
_STATE_SCHEMA: Final = encode(
    {
        "type": "object",
        "properties": {
            "api_confirmed": {"type": "string", "enum": ["false", "true"]},
            "api_status": {"anyOf": [{"type": "string", "enum": ["none"]}, _STATUS_SCHEMA]},
        },
        "required": ["api_confirmed", "api_status"],
        "additionalProperties": False,
    }
)
_ACT_SCHEMA: Final = encode(
    {
        "type": "object",
        "properties": {"action": {"type": "string", "enum": list(ACTS)}},
        "required": ["action"],
        "additionalProperties": False,
    }
)
_ASKED: Final[Mapping[str, tuple[str, JsonText | None]]] = {
    "state": (_STATE, _STATE_SCHEMA),
    "act": (_ACT, _ACT_SCHEMA),
    "response": (_RESPONSE, None),
}


def prediction_request(duties: str, point: PredictionPoint, history: str) -> ChatRequest:
    """Return what the model is asked at a point after a history."""
    asked, schema = _ASKED[point.kind]
    told = Message("system", f"{duties}\n\n{asked}")
    return ChatRequest((told, Message("user", f"Conversation:\n\n{history}")), reply_schema=schema)

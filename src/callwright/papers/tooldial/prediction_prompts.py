"""The prompts of each task of the `tooldial` protocol."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from callwright.author.role_forms import keys
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

_STATUS_SCHEMA: Final = keys(api_name={"type": "string"}, **{part: {"type": "object"} for part in PARTS})
_STATE_SCHEMA: Final = encode(
    keys(
        api_confirmed={"type": "string", "enum": ["false", "true"]},
        api_status={"anyOf": [{"type": "string", "enum": ["none"]}, _STATUS_SCHEMA]},
    )
)
_ACT_SCHEMA: Final = encode(keys(action={"type": "string", "enum": list(ACTS)}))
_SCHEMAS: Final[Mapping[str, JsonText]] = {"state": _STATE_SCHEMA, "act": _ACT_SCHEMA}


@cache
def _asked(kind: str) -> str:
    return files(__package__).joinpath(f"data/predictions/{kind}.txt").read_text(encoding="utf-8").strip()


def prediction_request(duties: str, point: PredictionPoint, history: str) -> ChatRequest:
    """Return what the model is asked at a point after a history."""
    told = Message("system", f"{duties}\n\n{_asked(point.kind)}")
    return ChatRequest((told, Message("user", f"Conversation:\n\n{history}")), reply_schema=_SCHEMAS.get(point.kind))

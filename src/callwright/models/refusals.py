"""Classifies a server's refusals by status and text, and says what a user can do about them."""

from __future__ import annotations

import re
from typing import Final

from callwright.models.attempts import FailureKind
from callwright.models.completion import error_of
from callwright.models.transport import HttpAnswer

_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|size|window)|maximum context|too many (?:input )?tokens|prompt is too long|max_model_len"
    r"|(?:input|prompt)\b.{0,40}\b(?:longer|exceeds)",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model_not_found|\bmodel\b.{0,200}(?:not exist|not found|not available|unknown|not loaded)|no such model"
    r"|(?:unknown|invalid|unsupported) model",
    re.IGNORECASE | re.DOTALL,
)
_NO_CREDIT = re.compile(
    r"insufficient_quota|exceeded your current quota|billing|insufficient (?:credit|balance|funds)", re.I
)

_SEARCHED = 10_000

_ADVICE: Final[dict[FailureKind, str]] = {
    "no_credit": "Add credit or raise the limit there.",
    "rate_limited": "Lower --concurrency, or wait a while.",
    "no_such_model": "Give a name that the server lists under /models.",
    "no_such_route": "Is the base URL right? It mostly ends in /v1.",
    "context_too_long": "Use a model with a longer context, or fewer tools and turns.",
    "unreachable": "Is the server running, and the base URL right?",
    "bad_certificate": "Give the base URL by the name in the certificate, or name its authority in SSL_CERT_FILE.",
    "server_error": "Look into the server's log; the same command tries again.",
    "timeout": "Allow more time with --timeout, or ask for less at once with --concurrency.",
    "bad_reply": "Is this an OpenAI-compatible server? The same command tries again.",
}


def refusal(answer: HttpAnswer) -> tuple[FailureKind, str]:
    """Return the kind and the text of an unsuccessful answer."""
    said, code = error_of(answer.body)
    words = f"{answer.status}: {said}" if said else str(answer.status)
    return _kind(answer.status, f"{code[:_SEARCHED]} {said[:_SEARCHED]}"), words


def _kind(status: int, words: str) -> FailureKind:
    if status == 401 or (status == 403 and not _NO_CREDIT.search(words)):
        return "auth"
    if status in (402, 403) or (status == 429 and _NO_CREDIT.search(words)):
        return "no_credit"
    if status == 429:
        return "rate_limited"
    if status in (400, 404, 413, 422, 500) and _TOO_LONG.search(words):  # 500: some servers notice it late
        return "context_too_long"
    if status in (400, 404, 422) and _NO_MODEL.search(words):
        return "no_such_model"
    if status in (404, 405, 501) or 300 <= status < 400:
        return "no_such_route"
    if status == 413:
        return "context_too_long"
    if status >= 500 or status in (408, 409, 425):
        return "server_error"
    return "bad_request"


def advice(kind: FailureKind, *, has_key: bool) -> str:
    """Return what a user can do; empty if there is no advice."""
    if kind == "auth":
        return "Set a valid OPENAI_API_KEY." if has_key else "It wants a key: set OPENAI_API_KEY in the environment."
    return _ADVICE.get(kind, "")

"""What refusals mean."""

from __future__ import annotations

import json

import pytest

from callwright.models.refusals import refusal
from callwright.models.transport import HttpAnswer


@pytest.mark.parametrize(
    ("status", "message", "code", "kind"),
    [
        (401, "Incorrect API key provided", "invalid_api_key", "auth"),
        (403, "Forbidden", "", "auth"),
        (402, "Payment required", "", "no_credit"),
        (429, "You exceeded your current quota", "insufficient_quota", "no_credit"),
        (429, "Slow down", "rate_limit_exceeded", "rate_limited"),
        (404, "The model `x` does not exist", "model_not_found", "no_such_model"),
        (404, 'model "x" not found, try pulling it first', "", "no_such_model"),
        (400, "invalid model ID", "", "no_such_model"),
        (404, "Not Found", "", "no_such_route"),
        (307, "", "", "no_such_route"),
        (400, "This model's maximum context length is 4096 tokens", "context_length_exceeded", "context_too_long"),
        (400, "the request exceeds the available context size", "exceed_context_size_error", "context_too_long"),
        (413, "Payload too large", "", "context_too_long"),
        (500, "The prompt is too long", "", "context_too_long"),
        (400, "unknown field 'x'", "", "bad_request"),
        (422, "tools: not supported", "", "bad_request"),
        (408, "", "", "server_error"),
        (500, "oops", "", "server_error"),
        (503, "Loading model", "", "server_error"),
        (529, "overloaded", "", "server_error"),
    ],
)  # fmt: skip
def test_kinds_of_refusal(status: int, message: str, code: str, kind: str) -> None:
    """Status and words of well-known servers give the kind that decides what happens next."""
    body = json.dumps({"error": {"message": message, "code": code}}).encode()
    assert refusal(HttpAnswer(status, {}, body))[0] == kind

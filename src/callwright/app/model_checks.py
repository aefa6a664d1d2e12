"""Looking at models before they are used."""

from __future__ import annotations

from callwright.engine.in_process import run_blocking
from callwright.errors import BadInput
from callwright.models.checking import ModelCheck, check_served
from callwright.models.endpoint import is_served, read_endpoint
from callwright.models.keys import ApiKey
from callwright.models.retries import Patience


def check_model(name: str, *, base_url: str | None = None, patience: Patience | None = None) -> ModelCheck:
    """Return what the model `openai/NAME` can do, found by a few short requests. Raises BadInput."""
    if not is_served(name):
        raise BadInput(
            f"{name!r} is not a served model, so there is nothing to check. Give openai/NAME or local/PATH.gguf."
        )
    endpoint = read_endpoint(name, base_url=base_url)
    return run_blocking(check_served(endpoint, key=ApiKey.from_environment(endpoint), patience=patience))

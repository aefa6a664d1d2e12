"""The model under test, as a user names it."""

from __future__ import annotations

import msgspec

from callwright.errors import BadInput
from callwright.models.conversation import Calling
from callwright.models.decoding import AS_SERVED, Decoding
from callwright.models.endpoint import is_served, read_endpoint
from callwright.models.retries import Patience


class ModelChoice(msgspec.Struct, frozen=True):
    """A model and how it is asked."""

    name: str
    """Full name, with its URL."""
    calling: Calling = "native"
    decoding: Decoding = AS_SERVED
    patience: Patience = Patience()


def choose_model(
    model: str,
    *,
    base_url: str | None,
    calling: Calling | None,
    decoding: Decoding,
    patience: Patience | None,
    others_served: bool = False,
) -> ModelChoice:
    """Return the model of this name. `others_served`: the base URL and patience may be meant for other roles.

    Raises BadInput for what would change nothing, and for a URL that cannot be used.
    """
    if is_served(model):
        name = read_endpoint(model, base_url=base_url).name
        return ModelChoice(name, calling or "native", decoding, patience or Patience())
    if calling is not None or decoding != AS_SERVED or (base_url is not None and not others_served):
        raise BadInput(
            f"{model}: a base URL, a way of calling and decoding settings apply only to served models. "
            "Leave them out, or give openai/NAME."
        )
    return ModelChoice(model, patience=patience or Patience())

"""Finds models by full name: served ones, baselines, which see what any model sees, and oracles (the gold calls)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from callwright.errors import unknown_name
from callwright.models.attempts import AttemptObserver
from callwright.models.chat import ChatModel
from callwright.models.conversation import Calling
from callwright.models.decoding import AS_SERVED, Decoding
from callwright.models.endpoint import is_served
from callwright.models.openai import served_model
from callwright.models.retries import Patience
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool

Maker = Callable[[Dialogue, Mapping[str, Tool]], ChatModel]
"""Makes the model for one dialogue; tools by key. Only the oracles use these arguments."""


BASELINES: Final = ("builtin/abstain", "builtin/eager", "builtin/retriever", "builtin/stated")
ORACLES: Final = ("builtin/oracle", "builtin/oracle-sequential")


def _builtin(name: str, dialogue: Dialogue) -> ChatModel:
    """Return a builtin model; only its own module is loaded."""
    if name == "builtin/retriever":
        from callwright.baselines.retriever import RetrieverBaseline

        return RetrieverBaseline()
    if name == "builtin/stated":
        from callwright.baselines.stated import Stated

        return Stated()
    if name in ORACLES:
        from callwright.baselines.oracle import Oracle, as_soon_as_ready, one_by_one

        order = as_soon_as_ready if name == "builtin/oracle" else one_by_one
        return Oracle(dialogue, name=name, order=order)
    from callwright.baselines.eager import Abstain, Eager

    return Abstain() if name == "builtin/abstain" else Eager()


def model_factory(
    name: str,
    *,
    role: str = "model",
    calling: Calling = "native",
    decoding: Decoding = AS_SERVED,
    patience: Patience | None = None,
    observers: tuple[AttemptObserver, ...] = (),
) -> Maker:
    """Return the factory of the model with this full name; the options apply only to served models.

    Raises UnknownName, which lists the names, and BadInput for an unusable served model.
    """
    if is_served(name):
        served = served_model(
            name, role=role, calling=calling, decoding=decoding, patience=patience, observers=observers
        )
        return lambda dialogue, tools: served
    if name not in (*BASELINES, *ORACLES):
        raise unknown_name("model", name, [*BASELINES, *ORACLES, "openai/NAME", "openai/NAME@URL", "local/PATH.gguf"])
    return lambda dialogue, tools: _builtin(name, dialogue)

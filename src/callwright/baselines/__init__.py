"""Finds models by their full names: served models and the `builtin/` ones.

Builtin models are baselines, which see what any model sees, and oracles, which get the gold calls.
"""

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


def _oracle(dialogue: Dialogue, tools: Mapping[str, Tool]) -> ChatModel:
    from callwright.baselines.oracle import Oracle

    return Oracle(dialogue)


def _sequential_oracle(dialogue: Dialogue, tools: Mapping[str, Tool]) -> ChatModel:
    from callwright.baselines.oracle import Oracle, one_by_one

    return Oracle(dialogue, name="builtin/oracle-sequential", order=one_by_one)


def _eager(dialogue: Dialogue, tools: Mapping[str, Tool]) -> ChatModel:
    from callwright.baselines.eager import Eager

    return Eager()


def _abstain(dialogue: Dialogue, tools: Mapping[str, Tool]) -> ChatModel:
    from callwright.baselines.eager import Abstain

    return Abstain()


def _retriever(dialogue: Dialogue, tools: Mapping[str, Tool]) -> ChatModel:
    from callwright.baselines.retriever import Retriever

    return Retriever()


_BASELINE_MAKERS: Final[dict[str, Maker]] = {
    "builtin/abstain": _abstain,
    "builtin/eager": _eager,
    "builtin/retriever": _retriever,
}
_ORACLE_MAKERS: Final[dict[str, Maker]] = {
    "builtin/oracle": _oracle,
    "builtin/oracle-sequential": _sequential_oracle,
}
_MAKERS: Final = _BASELINE_MAKERS | _ORACLE_MAKERS

BASELINES: Final = tuple(_BASELINE_MAKERS)
"""Baselines."""
ORACLES: Final = tuple(_ORACLE_MAKERS)
"""Oracles."""


def model_factory(
    name: str,
    *,
    role: str = "model",
    calling: Calling = "native",
    decoding: Decoding = AS_SERVED,
    patience: Patience | None = None,
    observers: tuple[AttemptObserver, ...] = (),
) -> Maker:
    """Return the factory of the model with this full name; the options apply only to `openai/` models.

    Raises UnknownName, which lists the names, and BadInput for an unusable served model, such as one
    without its key.
    """
    if is_served(name):
        served = served_model(
            name, role=role, calling=calling, decoding=decoding, patience=patience, observers=observers
        )
        return lambda dialogue, tools: served
    if name not in _MAKERS:
        raise unknown_name("model", name, [*_MAKERS, "openai/NAME", "openai/NAME@URL"])
    return _MAKERS[name]

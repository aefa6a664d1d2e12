"""The `builtin/` models: honest baselines that see what a model sees, and the oracle, which is handed the gold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from callwright.errors import unknown_name
from callwright.models.chat import ChatModel
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool

Maker = Callable[[Dialogue, Mapping[str, Tool]], ChatModel]
"""Makes the model for one dialogue; tools by key. Only the oracle looks at what it is given."""


def _oracle(dialogue: Dialogue, tools: Mapping[str, Tool]) -> ChatModel:
    from callwright.baselines.oracle import Oracle

    return Oracle(dialogue)


def _eager(dialogue: Dialogue, tools: Mapping[str, Tool]) -> ChatModel:
    from callwright.baselines.eager import Eager

    return Eager()


def _abstain(dialogue: Dialogue, tools: Mapping[str, Tool]) -> ChatModel:
    from callwright.baselines.abstain import Abstain

    return Abstain()


def _retriever(dialogue: Dialogue, tools: Mapping[str, Tool]) -> ChatModel:
    from callwright.baselines.retriever import Retriever

    return Retriever()


_MAKERS: Final[dict[str, Maker]] = {
    "builtin/abstain": _abstain,
    "builtin/eager": _eager,
    "builtin/oracle": _oracle,
    "builtin/retriever": _retriever,
}


def model_factory(name: str) -> Maker:
    """Return what makes the builtin model of this full name; raises UnknownName, which lists them."""
    if name not in _MAKERS:
        raise unknown_name("builtin model", name, list(_MAKERS))
    return _MAKERS[name]

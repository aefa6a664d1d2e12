"""A dialogue in the terminal: labels of its turns."""

from __future__ import annotations

from io import StringIO

import msgspec
from rich.console import Console

from callwright.report.dialogue_view import dialogue_view
from tooldial_workshop import dialogues


def test_states_and_retriever_are_shown() -> None:
    """Where notes have states, each turn shows its acts and state, and what the retriever found with scores."""
    dialogue = next(one for one in dialogues(20) if len(one.tools) == 2)
    out, plain = StringIO(), StringIO()
    Console(file=out, width=400).print(dialogue_view(dialogue, {}))
    Console(file=plain, width=400).print(dialogue_view(msgspec.structs.replace(dialogue, annotation=None), {}))
    text = out.getvalue()

    assert "acts: retriever_call, " in text
    assert "state: no API confirmed" in text
    assert f"state: {dialogue.tools[0].name}(" in text
    assert f"retriever: {dialogue.tools[0].name} 0." in text
    assert "Output component of" in text
    assert "state: " not in plain.getvalue()

"""Dialogues that were read from WildToolBench, written as the published records they came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callwright.records.annotations.wild_notes import WildNode, WildNotes
from callwright.records.dialogue import Dialogue, Task, Turn
from callwright.records.jsontext import Json, decode
from callwright.records.tool import Tool


def write(dialogue: Dialogue, tools: Mapping[str, Tool]) -> dict[str, Json]:
    """Return a dialogue as its half of a record; tools by key."""
    notes = dialogue.annotation
    assert isinstance(notes, WildNotes)
    documents = {shown.name: decode(tools[shown.key].raw or "{}") for shown in dialogue.tools}
    names = {name: str(document.get("name", name)) for name, document in documents.items()}
    fields: dict[str, Json] = {
        "env_info": notes.environment,
        "tools": [{"type": "function", "function": document} for document in documents.values()],
        "tasks": [task.goal for task in dialogue.tasks],
        "messages": [message for turn in dialogue.turns for message in _write_turn(turn, names)],
        "answer_list": [
            [_write_node(at, node, task, names) for at, node in enumerate(extra.nodes)]
            for task, extra in zip(dialogue.tasks, notes.tasks, strict=True)
        ],
        "turn_types": list(notes.turn_types),
        "turn_subtypes": list(notes.turn_subtypes),
        "task_types": [task.type for task in notes.tasks],
    }
    prefix = "english_" if notes.language == "english" else ""
    return {"id": dialogue.id} | {f"{prefix}{name}": value for name, value in fields.items()}


def _write_turn(turn: Turn, names: Mapping[str, str]) -> Iterator[dict[str, Json]]:
    """Yield the messages of a turn; `names` are the documented names of tools by their shown ones."""
    for step in turn.steps:
        calls = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": names.get(call.tool, call.tool), "arguments": call.arguments},
            }
            for call in step.calls
        ]
        yield {"role": "assistant", "content": step.text or None, "tool_calls": calls}
        for result in step.results:
            value = "" if result.value is None else decode(result.value)
            content = value if isinstance(value, str) else result.value
            yield {"role": "tool", "tool_call_id": result.call, "content": content}
    if turn.text or not turn.steps:
        yield {"role": turn.speaker, "content": turn.text}


def _write_node(at: int, node: WildNode, task: Task, names: Mapping[str, str]) -> dict[str, Json]:
    """Return a node of a task as published; `names` as above."""
    if node.call is None:
        name, arguments = node.action, decode(node.arguments) if node.arguments else {}
        observation = decode(node.observation) if node.observation else None
    else:
        gold = task.gold[node.call]
        name, arguments = names.get(gold.tool, gold.tool), gold.values
        observation = decode(gold.result.value) if gold.result and gold.result.value else None
    written: dict[str, Json] = {
        "action": {"name": name, "arguments": arguments},
        "dependency_list": list(node.after),
        "idx": at,
        "observation": observation,
    }
    return written if node.user_input is None else written | {"user_input": node.user_input}

"""Sessions written as WildToolBench publishes them, the English half or the half that was read.

A session that was read comes back field by field. One that was made here gets the nodes that its gold calls stand for:
a question to the user where values are missing, the calls, and one closing node behind those that no other one needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from callwright.errors import BadDocument
from callwright.formats import functions
from callwright.papers.paper import CorpusWriter
from callwright.papers.wild.published_layout import ASK_USER, CLOSES
from callwright.papers.wild.session_design import hidings_of
from callwright.records.annotations.wild_notes import Topology, WildNode, WildNotes, WildPlan, WildTask
from callwright.records.dialogue import Dialogue, Task, Turn
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool

_TYPES: Final = {"single": "Single-Tool", "clarify": "Clarify", "chat": "Chat"}
_MULTI: Final[Mapping[Topology, str]] = {
    "": "Parallel Multi-Tool",
    "P": "Parallel Multi-Tool",
    "S": "Sequential Multi-Tool",
    "S+P": "Mixed Multi-Tool",
}
_SUBTYPES: Final = {
    "coreference": "Coreferential Reference",
    "partial": "Partial Information",
    "long_range": "Long-Range Dependency",
    "": "",
}


def to_record(dialogue: Dialogue, tools: Mapping[str, Tool]) -> dict[str, Json]:
    """Return a session as its half of a record; tools by key. Raises BadDocument for what the layout cannot hold."""
    notes = _notes(dialogue)
    documents = {shown.name: _document(tools[shown.key], shown.name) for shown in dialogue.tools}
    names = {name: str(document.get("name", name)) for name, document in documents.items()}
    fields: dict[str, Json] = {
        "env_info": notes.environment,
        "tools": [{"type": "function", "function": document} for document in documents.values()],
        "tasks": [task.goal for task in dialogue.tasks]
        if isinstance(dialogue.annotation, WildNotes)
        else [dialogue.turns[task.turn or 0].text for task in dialogue.tasks],
        "messages": [message for turn in dialogue.turns for message in _messages(turn, dialogue.role(turn), names)],
        "answer_list": [
            [_node(at, node, task, names) for at, node in enumerate(extra.nodes)]
            for task, extra in zip(dialogue.tasks, notes.tasks, strict=True)
        ],
        "turn_types": list(notes.turn_types),
        "turn_subtypes": list(notes.turn_subtypes),
        "task_types": [task.type for task in notes.tasks],
    }
    prefix = "english_" if notes.language == "english" else ""
    return {"id": dialogue.id} | {f"{prefix}{name}": value for name, value in fields.items()}


def _document(tool: Tool, name: str) -> dict[str, Json]:
    """The document as it was published, else one in its layout."""
    raw = decode(tool.raw) if tool.raw else None
    published = functions.without_envelope(raw) or raw if isinstance(raw, dict) else None
    if published and isinstance(published.get("name"), str) and "parameters" in published:
        return published
    return {"name": name, "description": tool.description, "parameters": functions.argument_schema(tool)}


def _notes(dialogue: Dialogue) -> WildNotes:
    plan = dialogue.annotation
    if isinstance(plan, WildNotes):
        return plan
    if not isinstance(plan, WildPlan):
        raise BadDocument(f"{dialogue.id}: of {dialogue.recipe}. Only sessions of wild fit into its records.")
    if plan.mines or plan.failures or plan.changes:
        raise BadDocument(f"{dialogue.id}: it has extras, which the layout cannot hold. Make the dataset without them.")
    ends = [*(task.turn or 0 for task in dialogue.tasks), len(dialogue.turns)]
    nodes = [
        tuple(_nodes(task, [turn.text for turn in dialogue.turns[begin:end]]))
        for task, begin, end in zip(dialogue.tasks, ends, ends[1:], strict=False)
    ]
    types = [
        _MULTI[topology] if task.kind == "multi" else _TYPES[task.kind]
        for task, topology in zip(dialogue.tasks, plan.topologies, strict=True)
    ]
    return WildNotes(
        tasks=tuple(WildTask(type=kind, nodes=own) for kind, own in zip(types, nodes, strict=True)),
        environment=dialogue.today,
        turn_types=("first", *["later"] * (len(types) - 1)),
        turn_subtypes=tuple(_SUBTYPES[hiding] for hiding in hidings_of(dialogue)[1:]),
    )


def _nodes(task: Task, texts: list[str]) -> Iterator[WildNode]:
    """Yield the nodes of a task: the question for what is missing, its calls, and the closing."""
    first = 0
    if task.kind == "clarify":
        first = 1
        missing = encode({"missing": list(task.missing)})
        yield WildNode(action=ASK_USER, arguments=missing, observation=encode(texts[1]), user_input=texts[2])
    needed = {one for gold in task.gold for one in gold.after}
    for at, gold in enumerate(task.gold):
        yield WildNode(after=tuple(one + first for one in gold.after) or tuple(range(first)), call=at)
    last = tuple(at + first for at in range(len(task.gold)) if at not in needed) or tuple(range(first))
    yield WildNode(after=last, action=CLOSES, arguments=encode({}), observation=encode(texts[-1]))


def _messages(turn: Turn, role: str, names: Mapping[str, str]) -> Iterator[dict[str, Json]]:
    """Yield the messages of a turn; `names` are the documented names of tools by their shown ones."""
    for step in turn.steps:
        calls: list[Json] = [
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
        yield {"role": role, "content": turn.text}


def _node(at: int, node: WildNode, task: Task, names: Mapping[str, str]) -> dict[str, Json]:
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


WRITER: Final = CorpusWriter("records of WildToolBench, one JSON object a session", to_record)

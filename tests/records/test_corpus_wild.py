"""WildToolBench's layout in our records, and back without loss: four tasks written by hand over a real tool list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from callwright.records.annotations.wild_notes import WildNode, WildNotes, WildTask
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import (
    Call,
    Dialogue,
    GoldArgument,
    GoldCall,
    Participant,
    Provenance,
    Result,
    ShownTool,
    Step,
    Task,
    TaskKind,
    Turn,
)
from callwright.records.jsontext import JsonText, decode, encode
from callwright.records.tool import Catalog, Tool

ASK, ANSWER = "ask_user_for_required_parameters", "prepare_to_answer"
KINDS: dict[str, TaskKind] = {
    "Single-Tool": "single",
    "Parallel Multi-Tool": "multi",
    "Sequential Multi-Tool": "multi",
    "Mixed Multi-Tool": "multi",
    "Clarify": "clarify",
    "Chat": "chat",
}
HIDING = {
    "Coreferential Reference": "coreference",
    "Partial Information": "partial",
    "Long-Range Dependency": "long_range",
}

SHOW = {"city": "Porto", "startDate": "2025-03-14", "endDate": "2025-03-16"}
PAST = {"city": "Porto", "startDate": "2025-03-01", "endDate": "2025-03-03"}
TASKS = [
    "I'm in Porto from 14 to 16 March 2025. Tell me about the first concert on then, and how the weather will be.",
    "And what was the weather like there earlier on?",
    "Is the air any good there just now?",
    "Lovely. Do you think port wine goes with fado?",
]


def node(idx: int, name: str, arguments: dict[str, Any], needs: list[int], observation: Any, **more: Any) -> Any:
    """Return one answer node in the published layout."""
    action = {"name": name, "arguments": arguments}
    return {"action": action, "dependency_list": needs, "idx": idx, "observation": observation, **more}


ANSWERS = [
    [
        node(0, "getCityShow", SHOW, [], {"shows": [{"activity_id": "OPO-77", "title": "Fado ao cair da tarde"}]}),
        node(1, "getCityForecast", SHOW, [], {"days": ["sun", "sun", "rain"]}),
        node(2, "getShowDetail", {"activity_id": "OPO-77"}, [0], {"venue": "Casa da Música", "price": 18.0}),
        node(3, ANSWER, {}, [1, 2], "Fado at the Casa da Música for 18 euros; sun, then rain on the 16th."),
    ],
    [
        node(0, ASK, {}, [], "Which days do you mean?", user_input="From the 1st to the 3rd of March."),
        node(1, "getHistoricalCity", PAST, [0], {"days": ["rain", "rain", "cloud"]}),
        node(2, ANSWER, {}, [1], "Rain on two days, then cloud."),
    ],
    [
        node(0, "getRealtimeCityAQI", {"city": "Porto"}, [], {"aqi": 31}),
        node(1, ANSWER, {}, [0], "Yes: the index is 31."),
    ],
    [node(0, ANSWER, {}, [], "A dry white port would be my pick.")],
]


def calling(*calls: tuple[str, str, dict[str, Any]], content: str | None = None) -> dict[str, Any]:
    """Return an assistant's message with calls, given as (id, name, arguments)."""
    made = [
        {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for id, name, arguments in calls
    ]
    return {"role": "assistant", "content": content, "tool_calls": made}


def returned(id: str, value: Any) -> dict[str, Any]:
    """Return a tool's message."""
    return {"role": "tool", "tool_call_id": id, "content": json.dumps(value)}


def said(role: str, content: str) -> dict[str, Any]:
    """Return a message of plain words."""
    return {"role": role, "content": content}


MESSAGES = [
    said("user", TASKS[0]),
    calling(("c1", "getCityShow", SHOW), ("c2", "getCityForecast", SHOW), content="Let me look at both."),
    returned("c1", ANSWERS[0][0]["observation"]),
    returned("c2", ANSWERS[0][1]["observation"]),
    calling(("c3", "getShowDetail", {"activity_id": "OPO-77"})),
    returned("c3", ANSWERS[0][2]["observation"]),
    said("assistant", ANSWERS[0][3]["observation"]),
    said("user", TASKS[1]),
    said("assistant", ANSWERS[1][0]["observation"]),
    said("user", ANSWERS[1][0]["user_input"]),
    calling(("c4", "getHistoricalCity", PAST)),
    returned("c4", ANSWERS[1][1]["observation"]),
    said("assistant", ANSWERS[1][2]["observation"]),
    said("user", TASKS[2]),
    calling(("c5", "getRealtimeCityAQI", {"city": "Porto"})),
    returned("c5", ANSWERS[2][0]["observation"]),
    said("assistant", ANSWERS[2][1]["observation"]),
    said("user", TASKS[3]),
    said("assistant", ANSWERS[3][0]["observation"]),
]


@pytest.fixture(scope="module")
def document(shared_data: Path) -> dict[str, Any]:
    """The scenario in the published layout, over the first real tool list."""
    with (shared_data / "wild" / "tools_en.jsonl").open(encoding="utf-8") as lines:
        tools = json.loads(next(lines))
    return {
        "id": "hand-0",
        "english_env_info": "2025-03-10, Monday",
        "english_tools": tools,
        "english_tasks": TASKS,
        "english_messages": MESSAGES,
        "english_answer_list": ANSWERS,
        "english_turn_types": ["first", "later", "later", "later"],
        "english_turn_subtypes": ["Partial Information", "Coreferential Reference", "Long-Range Dependency"],
        "english_task_types": ["Mixed Multi-Tool", "Clarify", "Single-Tool", "Chat"],
    }


def to_catalog(tools: list[dict[str, Any]]) -> Catalog:
    """Return a tool list in the OpenAI function layout, each document kept as it came."""
    return Catalog(tools=tuple(_tool(one, one["function"]) for one in tools))


def _tool(document: dict[str, Any], function: dict[str, Any]) -> Tool:
    return Tool(
        name=function["name"],
        description=function["description"],
        parameters=encode(function["parameters"]),
        raw=encode(document),
    )


def to_dialogue(document: dict[str, Any], catalog: Catalog) -> Dialogue:
    """Return the English half of a document as a dialogue."""
    turns = _turns(document["english_messages"])
    asked = [at for at, turn in enumerate(turns) if turn.text in document["english_tasks"]]
    types, answers = document["english_task_types"], document["english_answer_list"]
    return Dialogue(
        id=document["id"],
        recipe="wild.v1",
        participants=(Participant("user", "user"), Participant("assistant", "assistant")),
        tools=tuple(ShownTool(tool.key, tool.name) for tool in catalog.tools),
        turns=turns,
        tasks=tuple(
            Task(KINDS[kind], goal=goal, gold=_gold(nodes), turn=turn)
            for kind, goal, nodes, turn in zip(types, document["english_tasks"], answers, asked, strict=True)
        ),
        provenance=Provenance(author="wildtoolbench", callwright="0.1.0", catalog=catalog.digest),
        today=document["english_env_info"][:10],
        annotation=WildNotes(
            tasks=tuple(WildTask(type=kind, nodes=_nodes(nodes)) for kind, nodes in zip(types, answers, strict=True)),
            environment=document["english_env_info"],
            turn_types=tuple(document["english_turn_types"]),
            turn_subtypes=tuple(document["english_turn_subtypes"]),
            hidings=("", *(HIDING[one] for one in document["english_turn_subtypes"])),
        ),
    )


def _turns(messages: list[dict[str, Any]]) -> tuple[Turn, ...]:
    """Return turns; what the assistant does until it speaks without a call is one turn of several steps."""
    turns: list[Turn] = []
    steps: list[Step] = []
    for message in messages:
        if message["role"] == "tool":
            result = Result(message["tool_call_id"], JsonText(encode(json.loads(message["content"]))))
            last = steps.pop()
            steps.append(Step(calls=last.calls, results=(*last.results, result), text=last.text))
        elif message.get("tool_calls"):
            steps.append(Step(calls=tuple(map(_call, message["tool_calls"])), text=message["content"] or ""))
        else:
            turns.append(Turn(message["role"], message["content"], tuple(steps)))
            steps = []
    return tuple(turns)


def _call(call: dict[str, Any]) -> Call:
    return Call(call["function"]["name"], encode(json.loads(call["function"]["arguments"])), call["id"])


def _is_pseudo(node: dict[str, Any]) -> bool:
    return node["action"]["name"] in (ASK, ANSWER)


def _gold(nodes: list[dict[str, Any]]) -> tuple[GoldCall, ...]:
    calls = [one["idx"] for one in nodes if not _is_pseudo(one)]
    return tuple(
        GoldCall(
            tool=nodes[idx]["action"]["name"],
            arguments=tuple(
                GoldArgument(name, (encode(value),)) for name, value in nodes[idx]["action"]["arguments"].items()
            ),
            after=tuple(calls.index(need) for need in sorted(_needs(nodes, idx))),
            result=Result(value=encode(nodes[idx]["observation"])),
        )
        for idx in calls
    )


def _needs(nodes: list[dict[str, Any]], idx: int) -> set[int]:
    """Return the calls a node needs, those behind a pseudo action included."""
    found: set[int] = set()
    for need in nodes[idx]["dependency_list"]:
        found |= _needs(nodes, need) if _is_pseudo(nodes[need]) else {need}
    return found


def _nodes(nodes: list[dict[str, Any]]) -> tuple[WildNode, ...]:
    calls = [one["idx"] for one in nodes if not _is_pseudo(one)]
    return tuple(
        _pseudo(one) if _is_pseudo(one) else WildNode(after=tuple(one["dependency_list"]), call=calls.index(one["idx"]))
        for one in nodes
    )


def _pseudo(node: dict[str, Any]) -> WildNode:
    return WildNode(
        after=tuple(node["dependency_list"]),
        action=node["action"]["name"],
        arguments=encode(node["action"]["arguments"]),
        observation=encode(node["observation"]),
        user_input=node.get("user_input"),
    )


def to_document(dialogue: Dialogue, catalog: Catalog) -> dict[str, Any]:
    """Return a dialogue in the published layout."""
    notes = dialogue.annotation
    assert isinstance(notes, WildNotes)
    tools = [catalog.by_key[shown.key] for shown in dialogue.tools]
    return {
        "id": dialogue.id,
        "english_env_info": notes.environment,
        "english_tools": [decode(tool.raw) for tool in tools if tool.raw],
        "english_tasks": [task.goal for task in dialogue.tasks],
        "english_messages": [message for turn in dialogue.turns for message in _messages(turn)],
        "english_answer_list": [
            [_node_document(at, one, task) for at, one in enumerate(extra.nodes)]
            for task, extra in zip(dialogue.tasks, notes.tasks, strict=True)
        ],
        "english_turn_types": list(notes.turn_types),
        "english_turn_subtypes": list(notes.turn_subtypes),
        "english_task_types": [task.type for task in notes.tasks],
    }


def _messages(turn: Turn) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    for step in turn.steps:
        calls = ((call.id, call.tool, call.values) for call in step.calls)
        messages.append(calling(*calls, content=step.text or None))
        messages.extend(returned(one.call, decode(one.value)) for one in step.results if one.value is not None)
    return [*messages, said(turn.speaker, turn.text)]


def _node_document(idx: int, one: WildNode, task: Task) -> dict[str, Any]:
    if one.call is None:
        assert one.arguments is not None
        assert one.observation is not None
        more = {} if one.user_input is None else {"user_input": one.user_input}
        return dict(node(idx, one.action, decode(one.arguments), list(one.after), decode(one.observation), **more))
    gold = task.gold[one.call]
    assert gold.result is not None
    assert gold.result.value is not None
    return dict(node(idx, gold.tool, gold.values, list(one.after), decode(gold.result.value)))


def loose(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document whose JSON-in-a-string is decoded, since its key order and blanks carry nothing."""
    copy = json.loads(json.dumps(document))
    for message in copy["english_messages"]:
        for call in message.get("tool_calls", ()):
            call["function"]["arguments"] = json.loads(call["function"]["arguments"])
        if message["role"] == "tool":
            message["content"] = json.loads(message["content"])
    return dict(copy)


def test_nothing_is_lost(document: dict[str, Any]) -> None:
    """Four tasks with calls, observations, a question to the user and tool documents come back equal."""
    catalog = to_catalog(document["english_tools"])
    line = to_line(to_dialogue(document, catalog))

    assert loose(to_document(from_line(line, Dialogue, where="wild"), catalog)) == loose(document)


def test_the_dag_is_over_calls(document: dict[str, Any]) -> None:
    """Gold calls depend on calls alone; a call behind a question to the user needs nothing before it."""
    mixed, clarify, single, chat = to_dialogue(document, to_catalog(document["english_tools"])).tasks

    assert [(gold.tool, gold.after) for gold in mixed.gold] == [
        ("getCityShow", ()),
        ("getCityForecast", ()),
        ("getShowDetail", (0,)),
    ]
    assert [(gold.tool, gold.after) for gold in clarify.gold] == [("getHistoricalCity", ())]
    assert [task.kind for task in (mixed, clarify, single, chat)] == ["multi", "clarify", "single", "chat"]


def test_an_assistant_turn_has_several_steps(document: dict[str, Any]) -> None:
    """Two calls at once, then one more, then words: one turn of two steps."""
    turn = to_dialogue(document, to_catalog(document["english_tools"])).turns[1]

    assert [[call.tool for call in step.calls] for step in turn.steps] == [
        ["getCityShow", "getCityForecast"],
        ["getShowDetail"],
    ]
    assert turn.steps[0].text == "Let me look at both."
    assert turn.text == ANSWERS[0][3]["observation"]


def test_every_real_tool_list_is_held(shared_data: Path) -> None:
    """All 256 lists come back equal from a dialogue's shown tools, the one that repeats four tools included."""
    lines = (shared_data / "wild" / "tools_en.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 256
    for line in lines:
        tools = json.loads(line)
        catalog = to_catalog(tools)
        shown = [ShownTool(tool.key, tool.name) for tool in catalog.tools]

        assert [decode(tool.raw) for one in shown if (tool := catalog.by_key[one.key]).raw] == tools

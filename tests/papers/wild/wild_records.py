"""A record in WildToolBench's published layout, in English and Chinese, written by hand."""

from __future__ import annotations

import json
from typing import Any

ASK, CLOSE = "ask_user_for_required_parameters", "prepare_to_answer"
TYPES = ["Mixed Multi-Tool", "Clarify", "Single-Tool", "Chat"]
SUBTYPES = ["Partial Information", "Coreferential Reference", "Long-Range Dependency"]
ENGLISH = {
    "env": "2025-03-10, Monday",
    "city": "Porto",
    "tasks": [
        "I'm in Porto on 14 March 2025. What concerts are on, what is the first one about, and will it rain?",
        "What was the weather like there earlier?",
        "Is the air any good there?",
        "Does port go with fado?",
    ],
    "question": "Which day do you mean?",
    "answer": "The 1st of March.",
    "closing": ["Fado in the Casa da Música; no rain.", "It rained.", "Yes, 31.", "A dry white one does."],
    "tools": ["List concerts.", "Show one concert.", "Weather on a day.", "Air quality."],
}
CHINESE = {
    "env": "2025年3月10日 星期一",
    "city": "波尔图",
    "tasks": [
        "我2025年3月14日在波尔图，有什么音乐会，第一场讲什么，会下雨吗？",
        "之前那里天气怎么样？",
        "那里空气好吗？",
        "波特酒配法多好吗？",
    ],
    "question": "您是指哪一天？",
    "answer": "三月一日。",
    "closing": ["音乐之家有法多演出，不下雨。", "下雨了。", "好，31。", "干白波特酒很配。"],
    "tools": ["列出音乐会。", "查看音乐会。", "某天的天气。", "空气质量。"],
}


def function(name: str, description: str, **properties: str) -> dict[str, Any]:
    """Return a tool's document in its wrapper."""
    schemas = {key: {"type": kind} for key, kind in properties.items()}
    parameters = {"type": "object", "properties": schemas, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def node(idx: int, name: str, arguments: dict[str, Any], needs: list[int], observation: Any, **more: Any) -> Any:
    """Return an answer node."""
    action = {"name": name, "arguments": arguments}
    return {"action": action, "dependency_list": needs, "idx": idx, "observation": observation, **more}


def answers(words: dict[str, Any]) -> list[list[Any]]:
    """Return the nodes of the four tasks."""
    closing, city = words["closing"], words["city"]
    return [
        [
            node(0, "concerts", {"city": city, "day": "2025-03-14"}, [], {"ids": ["OPO-77"]}),
            node(1, "weather", {"city": city, "day": "2025-03-14"}, [], "sun"),
            node(2, "concert.detail", {"id": "OPO-77"}, [0], {"venue": "Casa da Música", "price": 18.0}),
            node(3, CLOSE, {}, [1, 2], closing[0]),
        ],
        [
            node(0, ASK, {}, [], words["question"], user_input=words["answer"]),
            node(1, "weather", {"city": city, "day": "2025-03-01"}, [0], "rain"),
            node(2, CLOSE, {}, [1], closing[1]),
        ],
        [node(0, "air", {"city": city}, [], {"aqi": 31}), node(1, CLOSE, {}, [0], closing[2])],
        [node(0, CLOSE, {}, [], closing[3])],
    ]


def messages(words: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the session as chat messages."""
    tasks, closing = words["tasks"], words["closing"]
    (concerts, weather, detail, _), (_, past, _), (air, _), _ = answers(words)
    return [
        {"role": "user", "content": tasks[0]},
        calling(("c1", concerts), ("c2", weather), content="..."),
        returned("c1", concerts),
        returned("c2", weather),
        calling(("c3", detail)),
        returned("c3", detail),
        {"role": "assistant", "content": closing[0]},
        {"role": "user", "content": tasks[1]},
        {"role": "assistant", "content": words["question"]},
        {"role": "user", "content": words["answer"]},
        calling(("c4", past)),
        returned("c4", past),
        {"role": "assistant", "content": closing[1]},
        {"role": "user", "content": tasks[2]},
        calling(("c5", air)),
        returned("c5", air),
        {"role": "assistant", "content": closing[2]},
        {"role": "user", "content": tasks[3]},
        {"role": "assistant", "content": closing[3]},
    ]


def calling(*calls: tuple[str, Any], content: str | None = None) -> dict[str, Any]:
    """Return an assistant's message with the calls of these nodes."""
    made = [
        {
            "id": id_,
            "type": "function",
            "function": {
                "name": one["action"]["name"],
                "arguments": json.dumps(one["action"]["arguments"], ensure_ascii=False),
            },
        }
        for id_, one in calls
    ]
    return {"role": "assistant", "content": content, "tool_calls": made}


def returned(id_: str, one: Any) -> dict[str, Any]:
    """Return a tool's message with what a node observed."""
    value = one["observation"]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return {"role": "tool", "tool_call_id": id_, "content": text}


def record(id_: str = "wild-0") -> dict[str, Any]:
    """Return a record with both halves."""
    made: dict[str, Any] = {"id": id_}
    for prefix, words in (("english_", ENGLISH), ("", CHINESE)):
        listing, detail, weather, air = words["tools"]
        half = {
            "env_info": words["env"],
            "tools": [
                function("concerts", listing, city="string", day="string"),
                function("concert.detail", detail, id="string"),
                function("weather", weather, city="string", day="string"),
                function("air", air, city="string"),
            ],
            "tasks": words["tasks"],
            "messages": messages(words),
            "answer_list": answers(words),
            "turn_types": ["first", "later", "later", "later"],
            "turn_subtypes": SUBTYPES,
            "task_types": TYPES,
        }
        made |= {prefix + name: value for name, value in half.items()}
    return made


def loose(made: dict[str, Any]) -> dict[str, Any]:
    """Return a record whose JSON in texts is decoded: its blanks and the order of its keys carry nothing."""
    copy: dict[str, Any] = json.loads(json.dumps(made))
    for name in ("english_messages", "messages"):
        for message in copy.get(name, ()):
            for call in message.get("tool_calls", ()):
                call["function"]["arguments"] = json.loads(call["function"]["arguments"])
            if message["role"] == "tool" and message["content"].startswith("{"):
                message["content"] = json.loads(message["content"])
    return copy

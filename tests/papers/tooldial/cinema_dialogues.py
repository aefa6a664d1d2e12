"""Dialogues about cinemas, in the paper's released layouts: one for each act sequence, written for the tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from callwright.papers.tooldial.act_grammar import SYSTEM_ACTS

SHOWINGS = {
    "api_name": "Films—CinemaShowings",
    "api_description": "Showings of one cinema on one day.",
    "required_parameters": [
        {"input_parameter_name": "cinema_id", "description": "Identifier of the cinema."},
        {"input_parameter_name": "date", "description": "Day, as YYYY-MM-DD."},
    ],
    "optional_parameters": [{"input_parameter_name": "language", "description": "Spoken language."}],
}
CINEMAS = {
    "api_name": "Films—ListCinemas",
    "api_description": "Cinemas of a city with their identifiers.",
    "required_parameters": [{"input_parameter_name": "city", "description": "Name of the city."}],
    "optional_parameters": [],
}
NOT_ASKED = {"retriever_call": "false", "retrieved_api": "none"}
VALUES = {"cinema_id": "K9", "date": "2025-05-03", "city": "Ghent"}
SAID = {"cinema_id": "it is cinema K9", "date": "on 2025-05-03", "city": "I am in Ghent"}
WORDS = {
    "inform_intent_clear": "What is on at the cinema?",
    "inform_intent_vague": "I am bored tonight.",
    "affirm": "Yes, please.",
    "negate": "No, that is not it.",
    "user_bye": "Perfect, bye!",
    "request": "Please tell me what is missing.",
    "request_multi": "There are two, the Rex and the Lux. Which one?",
    "clarify": "What do you have in mind?",
    "suggest": "Shall I look for showings?",
    "response": "They show Playtime at 20:15.",
    "response_fail": "Then I cannot help.",
    "system_bye": "Enjoy the film!",
}


def record_of(acts: Sequence[str]) -> dict[str, Any]:
    """Return a dialogue of at most two tools with these acts, in the layout of `{split}.json`."""
    return {"source": "", "target": "", "dialogue": list(_entries(acts))}


def _entries(acts: Sequence[str]) -> Any:
    """The acts with words, states and results: a walk beside the package's own rules."""
    is_linked, is_multi = "fail_inform" in acts, "request_multi" in acts
    source_given = is_linked and acts[acts.index("fail_inform") + 2] == "request"
    known: set[str] = set()
    tool = SHOWINGS
    for at, act in enumerate(acts):
        if act not in SYSTEM_ACTS:
            told = _told(act, acts[at:], tool, is_linked, is_multi)
            known |= set(told)
            words = WORDS.get(act, "Sure." if act == "inform" else "I do not know the cinema." if act[0] == "f" else "")
            yield {"User": {"action": act, "message": " ".join([words, *(SAID[name] for name in told)]).strip()}}
            continue
        if act == "retriever_call" and "fail_inform" in acts[:at]:
            tool = CINEMAS
        shown = state_of(tool if act in ("request", "request_multi", "call", "response") else None, known, source_given)
        result: Any = {}
        if act == "call":
            rows = [{"id": "K9", "name": "Lux"}, {"id": "K4", "name": "Rex"}][: 1 + is_multi]
            result = {"cinemas": rows} if tool is CINEMAS else {"showings": ["Playtime 20:15"]}
            if tool is CINEMAS:
                tool = SHOWINGS
                known |= set() if is_multi else {"cinema_id"}
        yield {"System": _step(act, acts, at, shown, result)}


def _told(act: str, rest: Sequence[str], tool: dict[str, Any], is_linked: bool, is_multi: bool) -> list[str]:
    """The parameters whose values a user gives in an act."""
    if act == "inform_intent_clear_add":
        return ["date"] if "request" in rest else ["cinema_id", "date"]
    if act == "fail_inform":
        return [] if rest.count("request") > (rest[2] != "call") else ["date"]
    if act != "inform":
        return []
    if tool is CINEMAS:
        return ["city"]
    return ["cinema_id", "date"] if not is_linked else ["cinema_id"] if is_multi else ["date"]


def _step(act: str, acts: Sequence[str], at: int, shown: dict[str, Any], result: Any) -> dict[str, Any]:
    status: Any = NOT_ASKED
    if act == "retriever_call":
        score = {"clarify": 0.41, "suggest": 0.55}.get(acts[at + 1], 0.74)
        found: Any = {SHOWINGS["api_name"]: score, CINEMAS["api_name"]: 0.4}
        status = {"retriever_call": "true", "retrieved_api": found}
        if "fail_inform" in acts[:at]:
            status["retrieved_api"] = [CINEMAS["api_name"], "cinema_id -> id"]
    return {
        "thought": f"I have to {act.replace('_', ' ')}.",
        "action": act,
        "retriever_status": status,
        "message": WORDS.get(act, ""),
        "dialogue_state": shown,
        "api_response": result,
    }


def state_of(tool: dict[str, Any] | None, known: set[str], source_given: bool = True) -> dict[str, Any]:
    """Return the state of a tool with these values known; unconfirmed without a tool."""
    if tool is None:
        return {"api_confirmed": "false", "api_status": "none"}
    required = [one["input_parameter_name"] for one in tool["required_parameters"]]
    if tool is CINEMAS and not source_given:
        required = []
    status = {
        "api_name": tool["api_name"],
        "required_parameters": {name: VALUES[name] if name in known else "" for name in required},
        "optional_parameters": {one["input_parameter_name"]: "" for one in tool["optional_parameters"]},
    }
    return {"api_confirmed": "true", "api_status": status}


def text_of(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record as an entry of `{split}_dialogue.json`."""
    entries, lines, acts = record["dialogue"], list[str](), list[str]()
    for at, entry in enumerate(entries):
        before = entries[at - 1] if at else {}
        if "User" in entry:
            lines += [f"User: {entry['User']['message']}", "System:"]
            acts.append(entry["User"]["action"])
            continue
        step = entry["System"]
        acts.append(step["action"])
        if "User" in before and before["User"]["action"] == "inform":
            lines.append(f"- Dialogue State: {step['dialogue_state']}")
        lines += [f"- Thought: {step['thought']}", f"- Action:{step['action']}"]
        lines.append(f"- Retriever status: {step['retriever_status']}")
        if step["action"] == "retriever_call":
            found = step["retriever_status"]["retrieved_api"]
            document = CINEMAS if isinstance(found, list) else SHOWINGS
            state = entries[at + 1].get("System", {}).get("dialogue_state", {})
            if isinstance(found, list) and not state["api_status"]["required_parameters"]:
                document = {**CINEMAS, "required_parameters": []}
            if isinstance(found, list) or max(found.values()) > 0.5:
                lines.append(f"- API documentations: {document}")
        elif step["action"] == "call":
            lines.append(f"- Call result: {step['api_response']}")
        else:
            lines += [f"- Message: {step['message']}", f"- Dialogue State: {step['dialogue_state']}"]
    return {"dialogue": "\n".join(lines) + "\n", "action_list": acts}


def write_records(path: Any, records: Sequence[dict[str, Any]]) -> Any:
    """Write records to a file and return its path."""
    path.write_text(json.dumps(list(records)), encoding="utf-8")
    return path

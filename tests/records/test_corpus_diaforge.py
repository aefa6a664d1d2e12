"""DiaFORGE's layout in our records, and back without loss: a dialogue written by hand."""

from __future__ import annotations

from typing import Any

from callwright.records.annotations.diaforge_notes import DiaforgeNotes, DiaforgePlan
from callwright.records.codec import from_line, to_line
from callwright.records.dialogue import (
    Call,
    Dialogue,
    GoldArgument,
    GoldCall,
    Participant,
    Provenance,
    Scenario,
    ShownTool,
    Step,
    Task,
    Turn,
)
from callwright.records.jsontext import decode, encode
from callwright.records.retrieved import Retrieved
from callwright.records.tool import Catalog, Tool


def tool(name: str, description: str, *parameters: str) -> dict[str, Any]:
    """Return a tool document in the OpenAI function layout."""
    schema = {
        "type": "object",
        "properties": {one: {"type": "string"} for one in parameters},
        "required": list(parameters),
    }
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


SEED = tool("block_purchase_order", "Stop a purchase order from being paid.", "order_number", "reason")
NEAR = [
    tool("cancel_purchase_order", "Withdraw a purchase order for good.", "order_number", "reason"),
    tool("block_supplier", "Stop all payments to a supplier.", "supplier_id", "reason"),
    tool("block_invoice", "Stop one invoice from being paid.", "invoice_number"),
]
FAR = tool("list_purchase_orders", "List open purchase orders.")
DOCUMENT: dict[str, Any] = {
    "seed": SEED,
    "user_persona": "Runs accounts payable at a shipyard; short of time.",
    "messages": [
        {"role": "user", "content": "Something I ordered must not be paid for now."},
        {
            "role": "assistant",
            "thought": "Order, invoice or supplier: I ask.",
            "tool_calls": [],
            "content": "Is it one order, one invoice, or everything from that supplier?",
        },
        {"role": "user", "content": "Just the one order. It stays open, though."},
        {
            "role": "assistant",
            "thought": "Block, not cancel. Number and reason are missing.",
            "tool_calls": [],
            "content": "Which order is it, and why should it wait?",
        },
        {"role": "user", "content": "4500012345. The steel came in the wrong grade."},
        {
            "role": "assistant",
            "thought": "All there.",
            "tool_calls": [
                {
                    "name": "block_purchase_order",
                    "arguments": {"order_number": "4500012345", "reason": "wrong grade of steel"},
                }
            ],
            "content": "Order 4500012345 is on hold.",
        },
    ],
    "distractor_tools": NEAR,
    "retrieved_tools": [SEED, NEAR[0], NEAR[1], FAR],
}


def to_catalog(documents: list[dict[str, Any]]) -> Catalog:
    """Return the tools of OpenAI function documents, each kept as it came, equal ones once."""
    tools = (
        Tool(
            name=one["function"]["name"],
            description=one["function"]["description"],
            parameters=encode(one["function"]["parameters"]),
            raw=encode(one),
        )
        for one in documents
    )
    return Catalog(tools=tuple({tool.key: tool for tool in tools}.values()))


CATALOG = to_catalog([SEED, *NEAR, FAR])


def names(documents: list[dict[str, Any]]) -> list[str]:
    """Return the names of tool documents."""
    return [one["function"]["name"] for one in documents]


def key(name: str) -> str:
    """Return the key of a tool of the catalogue."""
    return CATALOG.by_name[name].key


def to_dialogue(document: dict[str, Any]) -> Dialogue:
    """Return a document as a dialogue; the scenario knows all distractors, the dialogue those in the pool."""
    pool = names(document["retrieved_tools"])
    distractors = names(document["distractor_tools"])
    gold = document["seed"]["function"]["name"]
    calls = [call for message in document["messages"] for call in message.get("tool_calls", ())]
    arguments = tuple(GoldArgument(name, (encode(value),)) for name, value in calls[-1]["arguments"].items())
    task = Task("single", gold=(GoldCall(gold, arguments),))
    people = (
        Participant("user", "user", persona=document["user_persona"]),
        Participant("assistant", "assistant"),
    )
    return Dialogue(
        id="hand-0",
        recipe="diaforge.v1",
        participants=people,
        tools=tuple(ShownTool(key(name), name) for name in pool),
        turns=tuple(map(_turn, document["messages"])),
        tasks=(Task(task.kind, gold=task.gold, turn=0),),
        scenario=Scenario(
            id="hand-0",
            recipe="diaforge.v1",
            seed=0,
            index=0,
            participants=people,
            tasks=(task,),
            annotation=DiaforgePlan(gold_tool=key(gold), distractors=tuple(map(key, distractors))),
        ),
        provenance=Provenance(author="hand", callwright="0.1.0", catalog=CATALOG.digest),
        annotation=DiaforgeNotes(
            gold_tool=gold,
            distractors=tuple(name for name in distractors if name in pool),
            retrieved=tuple(Retrieved(name, 0.0) for name in pool),
            selection_turns=1,
            filling_turns=1,
        ),
    )


def _turn(message: dict[str, Any]) -> Turn:
    if message["role"] == "user":
        return Turn("user", message["content"])
    calls = tuple(Call(call["name"], encode(call["arguments"])) for call in message["tool_calls"])
    return Turn("assistant", message["content"], (Step(thought=message["thought"], calls=calls),))


def to_document(dialogue: Dialogue) -> dict[str, Any]:
    """Return a dialogue in the layout of DiaFORGE."""
    notes, scenario = dialogue.annotation, dialogue.scenario
    assert isinstance(notes, DiaforgeNotes)
    assert scenario is not None
    assert isinstance(scenario.annotation, DiaforgePlan)
    return {
        "seed": _document(scenario.annotation.gold_tool),
        "user_persona": dialogue.participants[0].persona,
        "messages": [_message(turn) for turn in dialogue.turns],
        "distractor_tools": [_document(one) for one in scenario.annotation.distractors],
        "retrieved_tools": [_document(shown.key) for shown in dialogue.tools],
    }


def _document(key: str) -> Any:
    raw = CATALOG.by_key[key].raw
    assert raw is not None
    return decode(raw)


def _message(turn: Turn) -> dict[str, Any]:
    if turn.speaker == "user":
        return {"role": "user", "content": turn.text}
    return {
        "role": "assistant",
        "thought": turn.thought,
        "tool_calls": [{"name": call.tool, "arguments": call.values} for call in turn.calls],
        "content": turn.text,
    }


def test_nothing_is_lost() -> None:
    """Seed, persona, messages, distractors and the candidate pool come back equal, through a line of JSON."""
    dialogue = from_line(to_line(to_dialogue(DOCUMENT)), Dialogue, where="diaforge")

    assert to_document(dialogue) == DOCUMENT


def test_distractors_outside_the_pool_are_known_to_the_scenario() -> None:
    """The dialogue lists the distractors that the assistant saw, the scenario all that were planned."""
    dialogue = to_dialogue(DOCUMENT)
    assert isinstance(dialogue.annotation, DiaforgeNotes)

    assert dialogue.annotation.distractors == ("cancel_purchase_order", "block_supplier")
    assert dialogue.scenario is not None
    assert isinstance(dialogue.scenario.annotation, DiaforgePlan)
    assert len(dialogue.scenario.annotation.distractors) == 3

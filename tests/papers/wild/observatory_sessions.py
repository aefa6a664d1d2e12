"""Sessions about an observatory, written by hand: what each role replies, task by task."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from callwright.author.personas import bank
from callwright.author.prompts import Prompts
from callwright.engine.context import Context
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.registry import read_prompts
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask
from callwright.papers.wild.paper import WildOptions
from callwright.papers.wild.session_agents import play
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_extras import Extras
from callwright.papers.wild.session_plan import RECIPE, SessionPlan, SessionPlanner, prepare
from callwright.recipe import Made
from callwright.records.annotations.wild_notes import WildPlan
from callwright.records.dialogue import Participant, Scenario, ShownTool, Task
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool


def _tool(
    name: str, description: str, returns: dict[str, str], optional: Sequence[str] = (), **properties: str
) -> Tool:
    def schema(fields: Mapping[str, str], required: Sequence[str]) -> str:
        typed = {field: {"type": "string", "description": said} for field, said in fields.items()}
        typed |= {field: {"type": "integer", "description": "minutes"} for field in fields if field == "minutes"}
        return encode({"type": "object", "properties": typed, "required": [*required], "additionalProperties": False})

    required = [one for one in properties if one not in optional]
    return Tool(
        name=name, description=description, parameters=schema(properties, required), returns=schema(returns, ())
    )  # type: ignore[arg-type]


CATALOG = prepare(
    Catalog(
        tools=(
            _tool(
                "book_telescope", "Book a slot on the telescope.",
                {"slot_id": "number of the slot", "day": "date", "state": "state of the slot"},
                ("target",), day="date, YYYY-MM-DD", target="what to look at",
            ),
            _tool("get_slot", "Get a slot.", {"slot_id": "number", "day": "date", "state": "state"}, slot_id="number"),
            _tool("release_slot", "Give up a slot.", {"slot_id": "number", "state": "state"}, slot_id="number"),
            _tool("send_note", "Send a note to an address.", {"note_id": "number"}, to="email address", body="text"),
        )
    )
)  # fmt: skip

Script = list[tuple[str, Any]]
"""Role and reply, in the order in which they are asked."""


class Sort(NamedTuple):
    """What the design asks of a task."""

    kind: str
    tool: str = ""
    topology: str = ""
    hiding: str = ""


def propose(*texts: str, left_out: str | None = None, **kept_back: str) -> tuple[str, Any]:
    return "author", {"tasks": [{"text": one, "left_out": left_out, "kept_back": kept_back} for one in texts]}


def gold(*calls: tuple[str, dict[str, Any], list[int]]) -> tuple[str, Any]:
    return "annotator", {"thought": "-", "calls": [{"name": n, "arguments": a, "after": f} for n, a, f in calls]}


def move(say: str = "", *calls: tuple[str, dict[str, Any]], thought: str = "One thing is left.") -> tuple[str, Any]:
    return "assistant", {"thought": thought, "say": say, "calls": [{"name": n, "arguments": a} for n, a in calls]}


def returns(value: Any) -> tuple[str, Any]:
    return "tools", {"result": value}


PICK: tuple[str, Any] = ("checker", {"why": "It is the only one.", "pick": 1})
SLOT = {"slot_id": "TS-118", "day": "2026-03-04", "state": "booked"}
BOOK = ("book_telescope", {"day": "2026-03-04"})

SINGLE: Script = [
    propose("Could you get me the telescope on 2026-03-04, please?"),
    PICK,
    gold((*BOOK, [])),
    move("", BOOK),
    returns(SLOT),
    move("You have the telescope on March 4th; your slot is TS-118."),
]
CHAIN: Script = [
    propose("Get me the telescope for the 4th of March 2026 and let ana@sky.org know the number of the slot."),
    PICK,
    gold((*BOOK, []), ("send_note", {"to": "ana@sky.org", "body": {"result_of": 1}}, [1])),
    move("", BOOK),
    returns(SLOT),
    move("", ("send_note", {"to": "ana@sky.org", "body": "The slot is TS-118."})),
    returns({"note_id": "N-5501"}),
    move("It is booked, and Ana knows that it is TS-118."),
]
PARALLEL: Script = [
    propose("I need the telescope twice: on 2026-03-04 and on 2026-03-09."),
    PICK,
    gold((*BOOK, []), ("book_telescope", {"day": "2026-03-09"}, [])),
    move("", BOOK, ("book_telescope", {"day": "2026-03-09"})),
    returns(SLOT),
    returns({"slot_id": "TS-131", "day": "2026-03-09", "state": "booked"}),
    move("Both are booked: TS-118 on March 4th and TS-131 on March 9th."),
]
MIXED: Script = [
    propose("Book 2026-03-04, send the slot's number to ana@sky.org, and while you are at it release TS-090."),
    PICK,
    gold(
        (*BOOK, []),
        ("release_slot", {"slot_id": "TS-090"}, []),
        ("send_note", {"to": "ana@sky.org", "body": {"result_of": 1}}, [1]),
    ),
    move("", BOOK, ("release_slot", {"slot_id": "TS-090"})),
    returns(SLOT),
    returns({"slot_id": "TS-090", "state": "released"}),
    move("", ("send_note", {"to": "ana@sky.org", "body": "TS-118"})),
    returns({"note_id": "N-5502"}),
    move("TS-118 is yours, Ana has the number, and TS-090 is free again."),
]
CHAT: Script = [
    propose("Why do stars twinkle and planets not?"),
    PICK,
    gold(),
    move("The air bends the light of a star, which is a point; a planet is a small disc, so it evens out."),
]
CLARIFY: Script = [
    propose("I want to give up one of my slots.", slot_id="TS-090"),
    PICK,
    gold(("release_slot", {"slot_id": "TS-090"}, [])),
    move("Sure, which one?"),
    ("user", "The one with the number TS-090, thanks."),
    move("", ("release_slot", {"slot_id": "TS-090"})),
    returns({"slot_id": "TS-090", "state": "released"}),
    move("TS-090 is given up."),
]
THAT: Script = [
    propose("Hm, is that one confirmed by now?", left_out="TS-118"),
    PICK,
    gold(("get_slot", {"slot_id": "TS-118"}, [])),
    move("", ("get_slot", {"slot_id": "TS-118"})),
    returns(SLOT),
    move("It is booked, for March 4th."),
]
ANOTHER: Script = [
    propose("And the 9th of March 2026?", left_out="the telescope"),
    PICK,
    gold(("book_telescope", {"day": "2026-03-09"}, [])),
    move("", ("book_telescope", {"day": "2026-03-09"})),
    returns({"slot_id": "TS-131", "day": "2026-03-09", "state": "booked"}),
    move("That one is TS-131."),
]
EARLIER: Script = [
    propose("I do not need the slot from my first request any more, please give it up.", left_out="TS-118"),
    *[(role, json.loads(json.dumps(reply).replace("TS-090", "TS-118"))) for role, reply in CLARIFY[1:3]],
    move("", ("release_slot", {"slot_id": "TS-118"})),
    returns({"slot_id": "TS-118", "state": "released"}),
    move("It is given up."),
]
REMARK: Script = [
    propose("That was quick! Do you never get tired?", left_out="the telescope"),
    PICK,
    gold(),
    move("Not yet, but ask me again after a night shift."),
]

SESSIONS: dict[str, tuple[list[Sort], Script]] = {
    "single": ([Sort("single", "book_telescope")], SINGLE),
    "chain": ([Sort("multi", topology="S")], CHAIN),
    "parallel": ([Sort("multi", topology="P")], PARALLEL),
    "mixed": ([Sort("multi", topology="S+P")], MIXED),
    "clarify": ([Sort("clarify", "release_slot")], CLARIFY),
    "chat, then a task": ([Sort("chat"), Sort("single", "book_telescope")], [*CHAT, *SINGLE]),
    "coreference": (
        [Sort("single", "book_telescope"), Sort("single", "get_slot", hiding="coreference")], [*SINGLE, *THAT],
    ),
    "partial": (
        [Sort("single", "book_telescope"), Sort("single", "book_telescope", hiding="partial")], [*SINGLE, *ANOTHER],
    ),
    "long range": (
        [
            Sort("single", "book_telescope"), Sort("chat", hiding="coreference"),
            Sort("single", "release_slot", hiding="long_range"),
        ],
        [*SINGLE, *REMARK, *EARLIER],
    ),
    "four tasks": (
        [
            Sort("single", "book_telescope"), Sort("single", "get_slot", hiding="coreference"),
            Sort("chat", hiding="partial"), Sort("clarify", "release_slot"),
        ],
        [*SINGLE, *THAT, *REMARK, *CLARIFY],
    ),
}  # fmt: skip
"""Clean sessions: what the design asks for, and what every role replies."""

_ENDS = {
    "Your candidates:": "author", "Your pick:": "checker", "Your annotation:": "annotator",
    "Your move:": "assistant", "The result:": "tools", "Your answer:": "user",
}  # fmt: skip


class Cast:
    """Plays all roles from one script; keeps what each was asked."""

    name = "openai/cast"

    def __init__(self, script: Script) -> None:
        self.left = [*script]
        self.asked: defaultdict[str, list[ChatRequest]] = defaultdict(list)

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """The next reply, which must be of the role that is asked."""
        told = next(one.content for one in request.messages if one.role == "user")
        role = next(role for end, role in _ENDS.items() if told.endswith(end))
        self.asked[role].append(request)
        whose, said = self.left.pop(0)
        assert whose == role, f"{role} is asked, the script has {whose}"
        return ChatReply(content=said if isinstance(said, str) else json.dumps(said))


PLANNER = SessionPlanner(CATALOG, WildOptions(), 0)


def planned(sorts: Sequence[Sort]) -> SessionPlan:
    """A plan that asks for these tasks."""
    tasks = [PlannedTask(TaskDesign(one.kind, one.topology, one.hiding)) for one in sorts]  # type: ignore[arg-type]
    for task, one in zip(tasks, sorts, strict=True):
        task.calls = [PlannedCall(0, CATALOG.by_name[one.tool], one.tool, {})] if one.tool else []
    notes = WildPlan(topologies=tuple(one.topology for one in sorts), hidings=tuple(one.hiding for one in sorts))  # type: ignore[arg-type]
    scenario = Scenario(
        id="session", recipe=RECIPE, seed=0, index=0, tasks=tuple(Task(one.kind) for one in sorts),  # type: ignore[arg-type]
        participants=(Participant("user", "user", name="Ines"), Participant("assistant", "assistant")),
        tools=tuple(ShownTool(tool.key, tool.name) for tool in CATALOG.tools), today="2026-03-02", annotation=notes,
    )  # fmt: skip
    return SessionPlan(scenario, tuple(tasks), bank()[0], "verbose", Extras())


async def played(sorts: Sequence[Sort], cast: Cast, prompts: Prompts | None = None) -> Made:
    """The session that the cast plays."""
    roles = ("author", *_ENDS.values())
    ctx = Context.detached("session", models=dict.fromkeys(roles, cast))
    return await play(planned(sorts), ctx, PLANNER, prompts or read_prompts())

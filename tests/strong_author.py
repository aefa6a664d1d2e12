"""A scripted strong author: hand-written sessions of `diaforge` and `wild`, and a model that plays every role in them.

The sessions lie in `papers/data` and were written before the checks were read. The author says the same line again
when it is asked again: what the rules refuse stays refused.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from callwright.app.catalogs import read_catalog
from callwright.author.online_voice import REFUSED, OnlineVoice
from callwright.author.personas import bank
from callwright.engine.context import Context
from callwright.formats import functions
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.diaforge import agent_rollout
from callwright.papers.diaforge.diaforge_options import DiaforgeOptions
from callwright.papers.diaforge.dialogue_plan import DialogueWorkshop, workshop_of_models
from callwright.papers.registry import read_prompts
from callwright.papers.wild import session_agents
from callwright.papers.wild.move_ways import NATIVE, OBJECT, MoveWay
from callwright.papers.wild.paper import WildOptions
from callwright.papers.wild.session_plan import SessionPlanner, prepare
from callwright.recipe import Made
from callwright.records.annotations.wild_notes import WildPlan
from callwright.records.dialogue import Call, Participant, Scenario, ShownTool, Task
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog
from room_talks import NOTHING_QUOTED, role_of

TODAY: Final = "2027-03-09"
_DATA: Final = Path(__file__).parent / "papers" / "data"
_FILES: Final = ("", "_later", "_last", "_fresh_a", "_fresh_b")
_IN_PART: Final = ("_fresh_c", "_fresh_d", "_fresh_e", "_fresh_f", "_fresh_g", "_fresh_h")
_AT_FAULT: Final = ("kerb one, rim nil",)
"""Sessions that are rightly rejected: a call gives 32 where the schema takes 20 at most."""
"""Files of which each day's tests play a third; `tests/long/strong_sessions.py` plays all."""

Sections = Iterator[tuple[list[str], list[tuple[str, str]]]]
"""Of each session: the parts of its heading, and its lines as (key, rest)."""


def _sections(name: str) -> Sections:
    lines: list[tuple[str, str]] = []
    head: list[str] = []
    for line in (_DATA / name).read_text().splitlines():
        if line.startswith("==="):
            if head:
                yield head, lines
            head, lines = [part.strip() for part in line.strip("= ").split("|")], []
        elif line and not line.startswith("#"):
            key, _, rest = line.partition(": ")
            lines.append((key, rest))
    yield head, lines


@cache
def catalogue(name: str) -> Catalog:
    """One of the small hand-made catalogues, or the bundled one."""
    if name == "enterprise":
        return read_catalog("builtin/enterprise")
    files = sorted(_DATA.glob("session_catalogues*.json"))
    made = next(found for file in files if (found := json.loads(file.read_text()).get(name)))
    return functions.read(made, source=name)


def _third(sections: Sections) -> Sections:
    """Every third of the sections; `long/strong_sessions.py` plays all."""
    yield from (section for at, section in enumerate(sections) if at % 3 == 0 and section[0][0] not in _AT_FAULT)


# -- diaforge --------------------------------------------------------------------------------------------------------


class Talk(NamedTuple):
    """A session of `diaforge`."""

    name: str
    catalogue: str
    tool: str
    wish: str
    gold: dict[str, Any]
    user: Sequence[str]
    assistant: Sequence[dict[str, Any]]
    """Replies of the four keys, in order."""
    opening: str = ""
    """Said where the retriever does not find the tool with the user's first words."""


@cache
def talks() -> tuple[Talk, ...]:
    """The hand-written sessions of `diaforge` that every test has."""
    files = [f"diaforge_sessions{which}.txt" for which in _FILES]
    return tuple(_talk(head, lines) for file in files for head, lines in _sections(file))


def talks_in(which: str) -> tuple[Talk, ...]:
    """The sessions of one more file."""
    return tuple(_talk(head, lines) for head, lines in _sections(f"diaforge_sessions{which}.txt"))


@cache
def talks_in_suite() -> tuple[Talk, ...]:
    """Those that every test has, and a third of the others."""
    files = [f"diaforge_sessions{which}.txt" for which in _IN_PART]
    return (*talks(), *(_talk(head, lines) for file in files for head, lines in _third(_sections(file))))


def _talk(head: Sequence[str], lines: Sequence[tuple[str, str]]) -> Talk:
    once = dict(lines)
    replies: list[dict[str, Any]] = []
    settled = None
    for key, rest in lines:
        if key == "think":
            replies.append({"thought": rest, "settled_on": settled, "say": "", "call": None})
        elif key == "settle":
            settled = replies[-1]["settled_on"] = rest
        elif key == "say":
            replies[-1]["say"] = rest
        elif key == "call":
            replies[-1]["call"] = {"name": settled, "arguments": json.loads(rest)}
    user = [rest for key, rest in lines if key == "user"]
    return Talk(head[0], head[1], head[2], once["wish"], json.loads(once["gold"]), user, replies, once.get("or", ""))


class TalkAuthor:
    """Plays all roles of a talk; keeps what each was asked."""

    name = "openai/strong"

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.asked: defaultdict[str, list[ChatRequest]] = defaultdict(list)

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """The line of the role that is asked, by how often it has spoken."""
        role = role_of(tuple((one.role, one.content) for one in request.messages))
        self.asked[role].append(request)
        said = request.messages[1].content.partition("\nThe conversation:\n")[2]
        turn = sum(line.startswith("You: ") for line in said.splitlines())
        match role:
            case "goal":
                return ChatReply(self.talk.wish)
            case "values":
                return ChatReply(json.dumps({"reply": self.talk.gold}))
            case "checker":
                return ChatReply(NOTHING_QUOTED)
            case "user":
                openings = [len(one.messages) for one in self.asked["user"]].count(2)
                is_anew = turn == 0 and openings > 1 and self.talk.opening
                return ChatReply(self.talk.opening if is_anew else self.talk.user[min(turn, len(self.talk.user) - 1)])
            case _:
                said = self.talk.assistant[min(turn, len(self.talk.assistant) - 1)]
                return ChatReply(said if isinstance(said, str) else json.dumps(said))

    @property
    def asked_again(self) -> Counter[str]:
        """How often each role was asked again."""
        return Counter({role: sum(map(_is_again, asked)) for role, asked in self.asked.items()})


@cache
def _workshop(name: str) -> DialogueWorkshop:
    return workshop_of_models(catalogue(name), DiaforgeOptions(), 0)


def planned(talk: Talk) -> Scenario:
    """The plan of a talk: its pool and persona."""
    return _planned(talk.name, talk.catalogue, talk.tool)


@cache
def _planned(name: str, catalogue: str, tool: str) -> Scenario:
    shop = _workshop(catalogue)
    key = shop.catalog.by_name[tool].key
    plans = (shop.plan(name, index) for index in range(len(shop.tools)))
    plan = next(one for one in plans if getattr(one.annotation, "gold_tool", "") == key)
    return msgspec.structs.replace(plan, today=TODAY)


def _is_again(request: ChatRequest) -> bool:
    return any(message.content.startswith(REFUSED) for message in request.messages)


class NativeTalkAuthor(TalkAuthor):
    """The same with native calls of the assistant; what the script settles on is not told."""

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """The line of the role that is asked, by how often it has spoken."""
        if not request.tools:
            return await super().reply(request, rng)
        self.asked["assistant"].append(request)
        spoken = [one for one, after in pairwise(request.messages) if not after.content.startswith(REFUSED)]
        turn = sum(one.role == "assistant" for one in spoken)
        said = self.talk.assistant[min(turn, len(self.talk.assistant) - 1)]
        made = said["call"]
        calls = (Call(made["name"], encode(made["arguments"])),) if made else ()
        return ChatReply(said["say"], said["thought"], calls)


def play_talk(talk: Talk, author: TalkAuthor | None = None) -> Made:
    """The dialogue of a talk, kept or rejected."""
    shop, prompts, model = _workshop(talk.catalogue), read_prompts(), author or TalkAuthor(talk)
    ctx = Context.detached(
        talk.name,
        models=dict.fromkeys(("author", "user", "assistant"), model),
        voice=OnlineVoice("author", prompts=prompts),
    )
    play = agent_rollout.play_native if isinstance(model, NativeTalkAuthor) else agent_rollout.play
    return asyncio.run(play(planned(talk), ctx, shop, prompts))


# -- wild ------------------------------------------------------------------------------------------------------------


class ScriptedTask(NamedTuple):
    """A task of a session of `wild`: what the design asks for, and what every role replies."""

    kind: str
    topology: str
    hiding: str
    tool: str
    candidates: Sequence[dict[str, Any]]
    """The first is the one that the checker picks."""
    annotation: Sequence[dict[str, Any]]
    moves: Sequence[dict[str, Any]]
    results: Sequence[Any]
    answer: str


class Session(NamedTuple):
    """A session of `wild`."""

    name: str
    catalogue: str
    tasks: Sequence[ScriptedTask]


@cache
def sessions() -> tuple[Session, ...]:
    """The hand-written sessions of `wild` that every test has."""
    files = [f"wild_sessions{which}.txt" for which in _FILES]
    return tuple(Session(head[0], head[1], _tasks(lines)) for file in files for head, lines in _sections(file))


def sessions_in(which: str) -> tuple[Session, ...]:
    """The sessions of one more file."""
    return tuple(Session(head[0], head[1], _tasks(lines)) for head, lines in _sections(f"wild_sessions{which}.txt"))


@cache
def sessions_in_suite() -> tuple[Session, ...]:
    """Those that every test has, and a third of the others."""
    files = [f"wild_sessions{which}.txt" for which in _IN_PART]
    found = (section for file in files for section in _third(_sections(file)))
    return (*sessions(), *(Session(head[0], head[1], _tasks(lines)) for head, lines in found))


def _tasks(lines: Sequence[tuple[str, str]]) -> list[ScriptedTask]:
    starts = [at for at, (key, _) in enumerate(lines) if key == "task"]
    return [_task(lines[begin:end]) for begin, end in zip(starts, [*starts[1:], len(lines)], strict=True)]


def _task(lines: Sequence[tuple[str, str]]) -> ScriptedTask:
    once = dict(lines)
    kind, topology, hiding, tool = ("" if part == "-" else part for part in once["task"].split())
    others = [{"text": rest, "left_out": None, "kept_back": {}} for key, rest in lines if key == "other"]
    taken = {
        "text": once["text"], "left_out": once.get("left_out"), "kept_back": json.loads(once.get("kept_back", "{}")),
    }  # fmt: skip
    moves: list[dict[str, Any]] = []
    for key, rest in lines:
        if key == "think":
            moves.append({"thought": rest, "say": "", "calls": []})
        elif key == "say":
            moves[-1]["say"] = rest
        elif key == "call":
            moves[-1]["calls"].append(_called(rest))
    return ScriptedTask(
        kind, topology, hiding, tool, [taken, *others],
        annotation=[_annotated(rest) for key, rest in lines if key == "gold"],
        moves=moves,
        results=[json.loads(rest) for key, rest in lines if key == "returns"],
        answer=once.get("answer", ""),
    )  # fmt: skip


def _called(line: str) -> dict[str, Any]:
    name, _, arguments = line.partition(" ")
    return {"name": name, "arguments": json.loads(arguments)}


def _annotated(line: str) -> dict[str, Any]:
    call, _, after = line.partition(" | ")
    return {**_called(call), "after": [int(number) for number in after.split()]}


_ENDS: Final[Mapping[str, str]] = {
    "Your candidates:": "author", "Your pick:": "checker", "Your annotation:": "annotator",
    "Your move:": "assistant", "The result:": "tools", "Your answer:": "user",
}  # fmt: skip


class SessionAuthor:
    """Plays all roles of a session: the next line of each, the same again where it is asked again."""

    name = "openai/strong"

    def __init__(self, session: Session) -> None:
        self.session = session
        self.task = -1
        self.asked: defaultdict[str, list[ChatRequest]] = defaultdict(list)
        self._said: Counter[str] = Counter()

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """The next line of the role that is asked."""
        told = request.messages[1].content
        role = next(role for end, role in _ENDS.items() if told.endswith(end))
        self.asked[role].append(request)
        if len(request.messages) == 2:
            if role == "author":
                self._begin(told)
            self._said[role] += 1
        said = self._line(role, self._said[role] - 1)
        return ChatReply(said if isinstance(said, str) else json.dumps(said))

    def _begin(self, told: str) -> None:
        """The next task, or the same one from its proposal."""
        talk = told.partition("The conversation:")[2]
        done = [at for at, one in enumerate(self.session.tasks) if f"Person: {one.candidates[0]['text']}" in talk]
        self.task = len(done)
        self._said.clear()

    def _line(self, role: str, number: int) -> Any:
        task = self.session.tasks[self.task]
        match role:
            case "author":
                return {"tasks": task.candidates}
            case "checker":
                return {"why": "It is of the sort, and said as people say it.", "pick": 1}
            case "annotator":
                return {"thought": "Only what is asked for.", "calls": task.annotation}
            case "assistant":
                return task.moves[min(number, len(task.moves) - 1)]
            case "tools":
                return {"result": task.results[min(number, len(task.results) - 1)]}
            case _:
                return task.answer

    @property
    def asked_again(self) -> Counter[str]:
        """How often each role was asked again."""
        return Counter({role: sum(map(_is_again, asked)) for role, asked in self.asked.items()})


class NativeSessionAuthor(SessionAuthor):
    """The same with native calls of the assistant."""

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """The next line of the role that is asked."""
        if not request.tools:
            return await super().reply(request, rng)
        self.asked["assistant"].append(request)
        self._said["assistant"] += not _is_again(request)
        said = self._line("assistant", self._said["assistant"] - 1)
        calls = (Call(one["name"], encode(one["arguments"])) for one in said["calls"])
        return ChatReply(said["say"], said["thought"], tuple(calls))


@cache
def _planner(name: str) -> SessionPlanner:
    return SessionPlanner(prepare(catalogue(name)), WildOptions(), 0)


def _staging(session: Session, catalog: Catalog, way: MoveWay) -> session_agents.Staging:
    """The scenario that the design would have given."""
    sorts = session.tasks
    notes = WildPlan(topologies=tuple(one.topology for one in sorts), hidings=tuple(one.hiding for one in sorts))  # type: ignore[arg-type]
    scenario = Scenario(
        id=session.name, recipe="wild.v1", seed=0, index=0, tasks=tuple(Task(one.kind) for one in sorts),  # type: ignore[arg-type]
        participants=(Participant("user", "user", name="Ines"), Participant("assistant", "assistant")),
        tools=tuple(ShownTool(tool.key, tool.name) for tool in catalog.tools), today=TODAY, annotation=notes,
    )  # fmt: skip
    wanted = [session_agents.TaskWanted(one.kind, one.topology, one.hiding, one.tool) for one in sorts]  # type: ignore[arg-type]
    return session_agents.Staging(scenario, wanted, bank()[0], "verbose", way)


def play_session(session: Session, author: SessionAuthor | None = None) -> Made:
    """The dialogue of a session, kept or rejected."""
    planner, model = _planner(session.catalogue), author or SessionAuthor(session)
    ctx = Context.detached(session.name, models=dict.fromkeys(("author", *_ENDS.values()), model))
    way = NATIVE if isinstance(model, NativeSessionAuthor) else OBJECT
    staging = _staging(session, planner.catalog, way)
    return asyncio.run(session_agents.play_staged(staging, ctx, planner, read_prompts()))

"""Sessions in the layout of WildToolBench, written by hand, and models that act by a script."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from msgspec import structs

from callwright.baselines import model_factory
from callwright.engine.context import Context
from callwright.formats.catalog import write as write_catalog
from callwright.models.chat import ChatModel, ChatReply, ChatRequest
from callwright.papers.wild.wild_protocol import PROTOCOL, VERSION
from callwright.protocol.scoring import Scoring
from callwright.records.annotations.wild_notes import WildPlan
from callwright.records.codec import to_line
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
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool
from callwright.records.transcript import Row, Transcript
from callwright.store.dataset import write_dataset


def tool(name: str, description: str, required: Sequence[str] = (), **properties: Any) -> Tool:
    """Return a tool; each property is a type's name or a schema."""
    schemas = {key: one if isinstance(one, dict) else {"type": one} for key, one in properties.items()}
    schema = {"type": "object", "properties": schemas, "required": list(required)}
    return Tool(name=name, description=description, parameters=encode(schema))


TOOLS = (
    tool("find_concert", "Find concerts in a city.", ["city"], city="string", genre="string"),
    tool("concert_detail", "Details of a concert.", ["concert_id"], concert_id="string"),
    tool("forecast", "Weather forecast for a city.", ["city"], city="string", days="integer"),
    tool("air_quality", "Air quality of a city.", ["city"], city="string"),
    tool("book_hotel", "Book a hotel room.", ["hotel", "nights"], hotel="string", nights="integer",
         board={"type": "string", "enum": ["none", "half", "full"]}),
    tool("send_message", "Send a message.", ["message"], message="string"),
)  # fmt: skip
BY_NAME = {one.name: one for one in TOOLS}
BY_KEY = {one.key: one for one in TOOLS}

Made = tuple[str, dict[str, Any]]
PORTO, FORECAST = ("find_concert", {"city": "Porto"}), ("forecast", {"city": "Porto", "days": 3})
DETAIL, AIR = ("concert_detail", {"concert_id": "OPO-77"}), ("air_quality", {"city": "Porto"})
HOTEL = ("book_hotel", {"hotel": "Casa Nova", "nights": 2})


def gold(made: Made, after: Sequence[int] = (), result: Any = None) -> GoldCall:
    """Return a gold call with a result."""
    name, arguments = made
    return GoldCall(
        name,
        tuple(GoldArgument(key, (encode(value),)) for key, value in arguments.items()),
        tuple(after),
        Result(value=encode({"ok": name} if result is None else result)),
    )


class Plan:
    """One task in the making: what is said and called, in turns."""

    def __init__(
        self, kind: TaskKind, ask: str, *golds: GoldCall, hiding: str = "", question: str = "", answer: str = ""
    ) -> None:
        self.kind: TaskKind = kind
        self.ask = ask
        self.golds = golds
        self.hiding = hiding
        self.question = question
        self.answer = answer

    def turns(self) -> list[Turn]:
        """Return the gold trajectory."""
        said = [Turn("user", self.ask)]
        if self.question:
            said += [Turn("assistant", self.question), Turn("user", self.answer)]
        done: set[int] = set()
        steps = []
        while len(done) < len(self.golds):
            ready = [at for at, one in enumerate(self.golds) if at not in done and done.issuperset(one.after)]
            calls = tuple(Call(self.golds[at].tool, encode(self.golds[at].values), f"c{at}") for at in ready)
            steps.append(Step(calls=calls, results=tuple(self.golds[at].result or Result() for at in ready)))
            done.update(ready)
        return [*said, Turn("assistant", "That is it.", tuple(steps))]


SINGLE = Plan("single", "Is the air good in Porto?", gold(AIR))
MIXED = Plan(
    "multi", "Concerts in Porto, the first one's details, and the weather for three days.",
    gold(PORTO, result={"shows": [{"id": "OPO-77"}]}), gold(FORECAST), gold(DETAIL, [0]),
)  # fmt: skip
PARALLEL = Plan("multi", "Air and weather in Porto, three days.", gold(AIR), gold(FORECAST), hiding="coreference")
CHAIN = Plan("multi", "And the details of the first concert there?", gold(PORTO), gold(DETAIL, [0]), hiding="partial")
CLARIFY = Plan(
    "clarify", "Book me a room.", gold(HOTEL), question="Which hotel, and how long?", answer="Casa Nova, two nights.",
    hiding="long_range",
)  # fmt: skip
CHAT = Plan("chat", "Do you like fado?")


def session(*plans: Plan, id_: str = "s", annotation: WildPlan | None = None) -> Dialogue:
    """Return a dialogue of these tasks; its annotation has their hidings."""
    turns: list[Turn] = []
    tasks = []
    for plan in plans:
        tasks.append(Task(plan.kind, goal=plan.ask, gold=plan.golds, turn=len(turns)))
        turns += plan.turns()
    return Dialogue(
        id=id_,
        recipe="wild.v1",
        participants=(Participant("user", "user"), Participant("assistant", "assistant")),
        tools=tuple(ShownTool(one.key, one.name) for one in TOOLS),
        turns=tuple(turns),
        tasks=tuple(tasks),
        provenance=Provenance(author="hand", callwright="0"),
        today="2025-03-10",
        annotation=structs.replace(annotation or WildPlan(), hidings=tuple(plan.hiding for plan in plans)),
    )


def say(text: str = "Here you are.") -> ChatReply:
    """Return a reply in words."""
    return ChatReply(content=text)


def call(*made: Made) -> ChatReply:
    """Return a reply that calls."""
    return ChatReply(calls=tuple(Call(name, encode(arguments)) for name, arguments in made))


class Scripted:
    """A model that gives its replies in turn, and keeps what it was shown."""

    name = "scripted"

    def __init__(self, replies: Iterable[ChatReply]) -> None:
        self.replies = list(replies)
        self.shown: list[ChatRequest] = []

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return the next reply; the test fails where none is left."""
        self.shown.append(request)
        return self.replies[len(self.shown) - 1]


def rolled_out(model: ChatModel, dialogue: Dialogue) -> Transcript:
    """Return the transcript of a model."""
    tools = tuple(BY_KEY[shown.key] for shown in dialogue.tools)
    PROTOCOL.check(dialogue, tools, PROTOCOL.options())
    ctx = Context.detached(dialogue.id, models={"model": model})
    return asyncio.run(PROTOCOL.rollout(dialogue, tools, ctx, PROTOCOL.options()))  # type: ignore[arg-type]


def builtin(name: str, dialogue: Dialogue) -> Transcript:
    """Return the transcript of a builtin model."""
    return rolled_out(model_factory(name)(dialogue, BY_KEY), dialogue)


def rows_of(dialogues: Sequence[Dialogue], transcripts: Sequence[Transcript], **more: Any) -> list[Row]:
    """Return the rows of a run."""
    options = {"match": more.pop("match")} if "match" in more else {}
    scoring = Scoring(run="r", model="m", protocol=VERSION, seed=0, data="d", options=options, resamples=100)
    return PROTOCOL.score({one.id: one for one in dialogues}, BY_KEY, transcripts, failed=(), scoring=scoring, **more)


def values(rows: Sequence[Row], metric: str, name: str = "") -> dict[str, float | None]:
    """Return a metric's values by the values of a property; under an empty key for the whole."""
    chosen = [row for row in rows if row.metric == metric and (name in row.slice if name else not row.slice)]
    return {row.slice.get(name, ""): row.value for row in chosen}


def write_sessions(folder: Any, dialogues: Sequence[Dialogue]) -> None:
    """Write a dataset folder of these sessions."""
    write_dataset(
        folder,
        dialogues=[to_line(one) for one in dialogues],
        rejected=[],
        catalog=write_catalog(Catalog(tools=TOOLS, source="hand")),
        funnel={},
        card="",
    )

"""Chats of a `wild` session: near what the tools do, answerable from their documents or from what was said, no call."""

from __future__ import annotations

from typing import Literal

import msgspec

from callwright.author.wild_acts import ChatKind, Reference
from callwright.catalog.slots import slots
from callwright.recipes.wild_design import TaskDesign
from callwright.recipes.wild_desk import Desk
from callwright.recipes.wild_past import Fact, Topic, reference_to
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from callwright.records.wild_plan import HiddenPlace

_RECALLED = frozenset(
    ("code", "city", "country", "date", "person", "title", "number", "count", "money", "time", "year", "email", "enum")
)
_OPENING: tuple[ChatKind, ...] = ("needs", "able", "worth", "apart", "needs")


class PlannedChat(msgspec.Struct):
    """A chat on its way."""

    design: TaskDesign
    kind: ChatKind
    tools: tuple[Tool, ...]
    recalled: Fact | None = None
    reference: Reference = Reference()
    hidden: tuple[HiddenPlace, ...] = ()
    topic: Topic | None = None
    """What it leaves a later task to refer to."""


def chat(desk: Desk, design: TaskDesign) -> PlannedChat | None:
    """Return a chat, about something earlier where the design hides it there."""
    return _later(desk, design) if design.hiding else _opening(desk, design)


def _opening(desk: Desk, design: TaskDesign) -> PlannedChat | None:
    places = [place for place in range(len(desk.bench.tools)) if desk.may_use(place)]
    desk.rng.shuffle(places)
    if not places:
        return None
    if desk.leads:  # what it is about may be asked for, and more with it
        places.sort(key=lambda place: place not in desk.bench.leading)
    first = places[0]
    kind = desk.rng.choice(_OPENING)
    others = [place for place in places[1:] if (first, place) not in desk.bench.rivals]
    tools = (desk.bench.tools[first],)
    if kind == "apart" and others:
        return PlannedChat(design, kind, (*tools, desk.bench.tools[others[0]]))
    kind = "needs" if kind == "apart" else kind
    topic = Topic(tools[0], None, desk.past.next_turn, desk.past.position)
    return PlannedChat(design, kind, tools, topic=topic)


def _later(desk: Desk, design: TaskDesign) -> PlannedChat | None:
    hiding: Literal["partial", "coreference", "long_range"] = design.hiding  # type: ignore[assignment]
    for source in desk.past.source_tasks(hiding):
        facts = _tellable(desk, source, hiding)
        topic = desk.past.topics[source]
        if facts and (topic is None or desk.rng.random() < 0.75):
            return _recall(desk, design, desk.rng.choice(facts), topic)
        if topic is not None:
            request = topic.task + 1 if hiding == "long_range" else 0
            place = HiddenPlace(
                task=desk.past.position,
                hiding=hiding,
                value=encode(_name(desk, topic.tool)),
                from_task=topic.task,
                turn=topic.turn,
            )
            reference = Reference(hiding=hiding, request=request)
            return PlannedChat(design, "more", (topic.tool,), reference=reference, hidden=(place,), topic=topic)
    return None


def _name(desk: Desk, tool: Tool) -> str:
    return desk.bench.names[desk.bench.tools.index(tool)]


def _recall(desk: Desk, design: TaskDesign, fact: Fact, topic: Topic | None) -> PlannedChat:
    place = HiddenPlace(
        task=desk.past.position,
        hiding=design.hiding,
        value=fact.known.text,
        from_task=fact.task,
        from_call=fact.call,
        path=fact.path,
        turn=fact.turn,
    )
    reference = reference_to(fact, design.hiding, request=fact.task + 1)
    tool = topic.tool if topic is not None else desk.bench.tools[0]
    return PlannedChat(design, "recall", (tool,), fact, reference, (place,), topic)


def _tellable(desk: Desk, source: int, hiding: str) -> list[Fact]:
    """Facts of a task that a question can mean without doubt."""
    facts = [fact for fact in desk.past.facts if fact.task == source]
    alone = [fact for fact in facts if not fact.ordinal]
    nouns = [fact.known.slot.noun.text for fact in alone]
    found = [fact for fact in alone if nouns.count(fact.known.slot.noun.text) == 1 and fact.known.slot.name != "status"]
    lists = {fact.call for fact in facts if fact.ordinal}
    if hiding != "partial" and len(lists) == 1:
        found += [fact for fact in facts if fact.ordinal and fact.known.slot.name in ("name", "title")]
    return [fact for fact in found if fact.known.slot.kind in _RECALLED and not fact.is_echo]


def needed_nouns(tool: Tool) -> tuple[str, ...]:
    """Return what the tool needs, in people's words: `the name of the city`, `the start date`."""
    nouns = [slots(tool)[name].noun.text for name in tool.required]
    return tuple(noun if noun.startswith(("my ", "your ")) else f"the {noun}" for noun in dict.fromkeys(nouns))

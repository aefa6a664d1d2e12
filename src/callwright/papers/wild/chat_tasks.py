"""Chats of a `wild` session: near what the tools do, answerable from their documents or from what was said, no call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from callwright.catalog.slots import slots
from callwright.environment.feeding import outputs
from callwright.lang.nouns import slot_noun
from callwright.lang.schemas import options_of
from callwright.lang.surface import forms
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.papers.wild.request_gloss import asked_gloss
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import Fact, TaskTopic, described, is_secret, reference_to
from callwright.papers.wild.task_briefs import ChatKind, Reference
from callwright.papers.wild.task_builder import TaskBuilder
from callwright.records.jsontext import decode, encode
from callwright.records.tool import Tool
from callwright.records.wild_plan import HiddenPlace

_RECALLED = frozenset(
    ("code", "city", "country", "date", "person", "title", "number", "count", "money", "time", "year", "email", "enum")
)
_MOST_CHOICES = 5


class PlannedChat(msgspec.Struct):
    """A chat on its way."""

    design: TaskDesign
    kind: ChatKind
    tools: tuple[Tool, ...]
    recalled: Fact | None = None
    reference: Reference = Reference()
    hidden: tuple[HiddenPlace, ...] = ()
    topic: TaskTopic | None = None
    """What it leaves a later task to refer to."""


def chat(builder: TaskBuilder, design: TaskDesign) -> PlannedChat | None:
    """Return a chat, about something earlier where the design hides it there."""
    return _later(builder, design) if design.hiding else _opening(builder, design)


def _opening(builder: TaskBuilder, design: TaskDesign) -> PlannedChat | None:
    places = [place for place in range(len(builder.pool.tools)) if builder.may_use(place)]
    builder.rng.shuffle(places)
    if not places:
        return None
    if builder.leads:  # what it is about may be asked for, and more with it
        places.sort(key=lambda place: place not in builder.pool.leading)
    tool = builder.pool.tools[places[0]]
    kind = builder.rng.choice(_askable(tool))
    topic = TaskTopic(tool, None, builder.memory.next_turn, builder.memory.position, asked=kind)
    return PlannedChat(design, kind, (tool,), topic=topic)


def _askable(tool: Tool) -> list[ChatKind]:
    """What a chat may ask about a tool that was not used yet."""
    kinds: list[ChatKind] = ["able"]
    kinds += ["needs", "needs"] if tool.required else []
    kinds += ["gives", "gives"] if given_nouns(tool) else []
    kinds += ["choices"] if choice_of(tool)[1] else []
    return kinds


def _askable_next(builder: TaskBuilder, topic: TaskTopic) -> list[ChatKind]:
    """What a chat may ask about what was only talked about before: what no chat has asked yet, else not the last."""
    if topic.values is not None:
        return []
    tool = topic.tool
    asked = {one.asked for one in builder.memory.topics if one is not None and one.tool == tool}
    open_ = [kind for kind in dict.fromkeys(_askable(tool)) if kind != "able"]
    last = builder.memory.topics[-1]
    just = {topic.asked if last is None else last.asked}
    return [kind for kind in open_ if kind not in asked] or [kind for kind in open_ if kind not in just]


def _later(builder: TaskBuilder, design: TaskDesign) -> PlannedChat | None:
    hiding: Literal["partial", "coreference", "long_range"] = design.hiding  # type: ignore[assignment]
    for source in builder.memory.source_tasks(hiding):
        facts = _tellable(builder, source, hiding)
        topic = builder.memory.topics[source]
        kinds = _askable_next(builder, topic) if topic is not None else []
        if facts and (not kinds or builder.rng.random() < 0.7):
            return _recall(builder, design, builder.rng.choice(facts), topic)
        if topic is not None and kinds:
            request = topic.task + 1 if hiding == "long_range" else 0
            place = HiddenPlace(
                task=builder.memory.position,
                hiding=hiding,
                value=encode(_name(builder, topic.tool)),
                from_task=topic.task,
                turn=topic.turn,
            )
            reference = Reference(hiding=hiding, request=request)
            kind = builder.rng.choice(kinds)
            left = msgspec.structs.replace(topic, asked=kind)
            return PlannedChat(design, kind, (topic.tool,), reference=reference, hidden=(place,), topic=left)
    return None


def _name(builder: TaskBuilder, tool: Tool) -> str:
    return builder.pool.names[builder.pool.tools.index(tool)]


def _recall(builder: TaskBuilder, design: TaskDesign, fact: Fact, topic: TaskTopic | None) -> PlannedChat:
    place = HiddenPlace(
        task=builder.memory.position,
        hiding=design.hiding,
        value=fact.known.text,
        from_task=fact.task,
        from_call=fact.call,
        path=fact.path,
        turn=fact.turn,
    )
    reference = reference_to(fact, design.hiding, request=fact.task + 1)
    tool = topic.tool if topic is not None else builder.pool.tools[0]
    return PlannedChat(design, "recall", (tool,), fact, reference, (place,), topic)


def _tellable(builder: TaskBuilder, source: int, hiding: str) -> list[Fact]:
    """Facts of a task that a question can mean without doubt."""
    facts = [fact for fact in builder.memory.facts if fact.task == source]
    alone = [fact for fact in facts if not fact.ordinal]
    nouns = [fact.known.slot.noun.text for fact in alone]
    found = [fact for fact in alone if nouns.count(fact.known.slot.noun.text) == 1 and fact.known.slot.name != "status"]
    lists = {fact.call for fact in facts if fact.ordinal}
    if hiding != "partial" and len(lists) == 1:
        found += [fact for fact in facts if fact.ordinal and fact.known.slot.name in ("name", "title")]
    found = [fact for fact in found if not is_secret(fact.known.slot.name)]
    return [fact for fact in found if fact.known.slot.kind in _RECALLED and not fact.is_echo]


def nouns_of(task: PlannedChat) -> tuple[str, ...]:
    """Return what the answer to a chat lists, in people's words."""
    tool = task.tools[0]
    if task.kind == "gives":
        return given_nouns(tool)
    if task.kind == "choices":
        return choice_of(tool)[1]
    return _definite(slots(tool)[name].noun.text for name in tool.required)


def given_nouns(tool: Tool) -> tuple[str, ...]:
    """Return what the tool's result tells: `the conditions`, `the temperature`; nothing where it only says `done`."""
    if asked_gloss(tool).verb.split(" ")[0] not in LOOKUPS:
        return ()
    told = [output for output in outputs(tool) if output.kind != "code" and output.name not in _NOT_TOLD]
    return _definite(slot_noun(one.name, described(one.schema)).text.partition(" in ")[0] for one in told)[:4]


_NOT_TOLD = frozenset(("total", "status", "reference", "updated", "url", "valid"))


def choice_of(tool: Tool) -> tuple[str, tuple[str, ...]]:
    """Return the noun of a parameter with a few choices, and the choices as people say them; nothing where none has."""
    for slot in slots(tool).values():
        options = [option for option in options_of(decode(slot.schema)) if isinstance(option, str)]
        if slot.kind == "enum" and 2 <= len(options) <= _MOST_CHOICES:
            return slot.noun.text, tuple(forms(option, "enum")[0] for option in options)
    return "", ()


def _definite(nouns: Iterable[str]) -> tuple[str, ...]:
    return tuple(noun if noun.startswith(("my ", "your ")) else f"the {noun}" for noun in dict.fromkeys(nouns))

"""Tasks of kind `chat`: a question that the tools' documents or earlier turns answer, without a call (section 3.1)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from callwright.catalog.slots import slots
from callwright.environment.feeding import outputs
from callwright.lang.schemas import options_of
from callwright.lang.surface import forms
from callwright.lang.verbs_of_acts import LOOKUPS
from callwright.papers.wild.request_gloss import asked_gloss
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import Fact, TaskTopic, is_secret, output_slot, reference_to
from callwright.papers.wild.task_briefs import ChatKind, Reference
from callwright.papers.wild.task_builder import TaskBuilder
from callwright.records.annotations.wild_notes import HiddenPlace
from callwright.records.jsontext import decode
from callwright.records.tool import Tool

_RECALLED = frozenset(
    ("code", "city", "country", "date", "person", "title", "number", "count", "money", "time", "year", "email", "enum")
)
_RECALL_SHARE = 0.7
_MOST_CHOICES = 5


class PlannedChat(msgspec.Struct):
    """A chat that is being planned."""

    design: TaskDesign
    kind: ChatKind
    tool: Tool
    """The tool that it is about."""
    recalled: Fact | None = None
    reference: Reference = Reference()
    hidden: list[HiddenPlace] = []
    topic: TaskTopic | None = None
    """What a later task can refer to."""


def chat(builder: TaskBuilder, design: TaskDesign) -> PlannedChat | None:
    """Return a chat; one that hides something is about an earlier value or an earlier tool."""
    return _later(builder, design) if design.hiding else _opening(builder, design)


def _opening(builder: TaskBuilder, design: TaskDesign) -> PlannedChat | None:
    places = [place for place in range(len(builder.pool.tools)) if builder.may_use(place)]
    builder.rng.shuffle(places)
    if not places:
        return None
    if design.chain_follows:  # the chain may begin with this tool
        places.sort(key=lambda place: place not in builder.pool.leading)
    tool = builder.pool.tools[places[0]]
    kind = builder.rng.choice(_askable(tool))
    topic = TaskTopic(tool, None, builder.memory.next_turn, builder.memory.position, asked=kind)
    return PlannedChat(design, kind, tool, topic=topic)


def _later(builder: TaskBuilder, design: TaskDesign) -> PlannedChat | None:
    memory, hiding = builder.memory, design.hiding
    for source in memory.source_tasks(hiding):
        facts = _tellable(builder, source, hiding)
        topic = memory.topics[source]
        kinds = _askable_next(builder, topic) if topic is not None else []
        if facts and (not kinds or builder.rng.random() < _RECALL_SHARE):
            fact = builder.rng.choice(facts)
            tool = topic.tool if topic is not None else builder.pool.tools[0]
            hidden = [memory.hidden_value(fact, hiding)]
            return PlannedChat(design, "recall", tool, fact, reference_to(fact, hiding), hidden, topic)
        if topic is not None and kinds:
            name = builder.pool.names[builder.pool.tools.index(topic.tool)]
            hidden = [memory.hidden_wish(topic, hiding, name)]
            reference = Reference(hiding=hiding, request=topic.task + 1 if hiding == "long_range" else 0)  # type: ignore[arg-type]
            kind = builder.rng.choice(kinds)
            left = msgspec.structs.replace(topic, asked=kind)
            return PlannedChat(design, kind, topic.tool, reference=reference, hidden=hidden, topic=left)
    return None


def _askable(tool: Tool) -> list[ChatKind]:
    """What a chat may ask about a tool; what occurs twice is drawn twice as often."""
    kinds: list[ChatKind] = ["able"]
    kinds += ["needs", "needs"] if tool.required else []
    kinds += ["gives", "gives"] if given_nouns(tool) else []
    kinds += ["choices"] if choice_of(tool)[1] else []
    return kinds


def _askable_next(builder: TaskBuilder, topic: TaskTopic) -> list[ChatKind]:
    """What a chat may ask about the tool of an earlier chat: what no chat asked; else what the last one did not ask."""
    if topic.values is not None:
        return []
    asked = {one.asked for one in builder.memory.topics if one is not None and one.tool == topic.tool}
    kinds = [kind for kind in dict.fromkeys(_askable(topic.tool)) if kind != "able"]
    last = builder.memory.topics[-1] or topic
    return [kind for kind in kinds if kind not in asked] or [kind for kind in kinds if kind != last.asked]


def _tellable(builder: TaskBuilder, source: int, hiding: str) -> list[Fact]:
    """Facts of a task that a question can ask for without ambiguity."""
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
    if task.kind == "gives":
        return given_nouns(task.tool)
    if task.kind == "choices":
        return choice_of(task.tool)[1]
    return _definite(slots(task.tool)[name].noun.text for name in task.tool.required)


_NOT_TOLD = frozenset(("total", "status", "reference", "updated", "url", "valid"))


def given_nouns(tool: Tool) -> tuple[str, ...]:
    """Return what the result of a tool tells: `the conditions`, `the temperature`; nothing for an act on a thing."""
    if asked_gloss(tool).verb.split(" ")[0] not in LOOKUPS:
        return ()
    told = [output for output in outputs(tool) if output.kind != "code" and output.name not in _NOT_TOLD]
    return _definite(output_slot(one).noun.text.partition(" in ")[0] for one in told)[:4]


def choice_of(tool: Tool) -> tuple[str, tuple[str, ...]]:
    """Return the noun of a parameter with a few choices, and the choices as people say them; empty if none has."""
    for slot in slots(tool).values():
        options = [option for option in options_of(decode(slot.schema)) if isinstance(option, str)]
        if slot.kind == "enum" and 2 <= len(options) <= _MOST_CHOICES:
            return slot.noun.text, tuple(forms(option, "enum")[0] for option in options)
    return "", ()


def _definite(nouns: Iterable[str]) -> tuple[str, ...]:
    return tuple(noun if noun.startswith(("my ", "your ")) else f"the {noun}" for noun in dict.fromkeys(nouns))

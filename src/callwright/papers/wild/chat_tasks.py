"""Chats of a `wild` session: near what the tools do, answerable from their documents or from what was said, no call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from callwright.catalog.slots import slots
from callwright.environment.feeding import outputs
from callwright.lang.nouns import slot_noun
from callwright.lang.schemas import options_of
from callwright.lang.surface import forms
from callwright.lang.tokens import identifier_words, stem_set
from callwright.papers.wild.chat_topics import SmallTalk, small_talk
from callwright.papers.wild.request_gloss import asked_gloss
from callwright.papers.wild.request_phrases import LOOKUPS
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import Fact, Topic, described, is_secret, reference_to
from callwright.papers.wild.task_briefs import ChatKind, Reference
from callwright.papers.wild.task_builder import Desk
from callwright.records.annotations.wild_notes import HiddenPlace
from callwright.records.jsontext import Json, decode, encode
from callwright.records.origin import Origin
from callwright.records.tool import Tool

_RECALLED = frozenset(
    ("code", "city", "country", "date", "person", "title", "number", "count", "money", "time", "year", "email", "enum")
)
_SMALL_TALK = 0.8
"""Share of chats about the theme at large, where nothing later needs to go on from them."""
_MOST_CHOICES = 5
_CHANGING = re.compile(
    r"real-time|current|latest|news|trend|forecast|price|rate|market|score|traffic|status|statistic|alert|update",
    re.IGNORECASE,
)
"""What is worth looking at again and again."""


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
    talk: SmallTalk | None = None


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
    tool = desk.bench.tools[first]
    talk = small_talk(desk.rng, asked_gloss(tool).stems | stem_set(" ".join(identifier_words(tool.name))))
    if talk is not None and not desk.is_source and desk.rng.random() < _SMALL_TALK:
        return PlannedChat(design, "topic", (tool,), talk=talk)
    kind = desk.rng.choice(_askable(tool))
    others = [desk.bench.tools[place] for place in places[1:] if (first, place) not in desk.bench.rivals]
    others = [other for other in others if given_nouns(other)]
    if others and given_nouns(tool) and desk.rng.random() < 0.2:
        return PlannedChat(design, "apart", (tool, others[0]))
    topic = Topic(tool, None, desk.past.next_turn, desk.past.position, asked=kind)
    return PlannedChat(design, kind, (tool,), topic=topic)


def _askable(tool: Tool) -> list[ChatKind]:
    """What a chat may ask about a tool that was not used yet."""
    kinds: list[ChatKind] = ["able"]
    kinds += ["needs", "needs"] if tool.required else []
    kinds += ["gives", "gives"] if given_nouns(tool) else []
    kinds += ["choices"] if choice_of(tool)[1] else []
    looks = asked_gloss(tool).verb.split(" ")[0] in LOOKUPS
    return kinds + (["worth", "worth"] if looks and _CHANGING.search(tool.description) else [])


def _askable_next(desk: Desk, topic: Topic) -> list[ChatKind]:
    """What a chat may ask about what was talked about, or done, before.

    What no chat has asked yet; of what was only talked about, failing that, what the last chat did not ask.
    """
    tool = topic.tool
    asked = {one.asked for one in desk.past.topics if one is not None and one.tool == tool}
    if topic.values is None:
        open_ = [kind for kind in dict.fromkeys(_askable(tool)) if kind not in ("able", "worth")]
        last = desk.past.topics[-1]
        just = {topic.asked if last is None else last.asked}
        return [kind for kind in open_ if kind not in asked] or [kind for kind in open_ if kind not in just]
    looks = asked_gloss(tool).verb.split(" ")[0] in LOOKUPS and bool(_CHANGING.search(tool.description))
    kinds: list[ChatKind] = ["spare"] if spare_nouns(tool, topic.values) else []
    kinds += ["worth"] if looks else []
    return [kind for kind in kinds if kind not in asked]


def _later(desk: Desk, design: TaskDesign) -> PlannedChat | None:
    hiding: Literal["partial", "coreference", "long_range"] = design.hiding  # type: ignore[assignment]
    for source in desk.past.source_tasks(hiding):
        facts = _tellable(desk, source, hiding)
        topic = desk.past.topics[source]
        kinds = _askable_next(desk, topic) if topic is not None else []
        if facts and (not kinds or desk.rng.random() < 0.7):
            return _recall(desk, design, desk.rng.choice(facts), topic)
        if topic is not None and kinds:
            request = topic.task + 1 if hiding == "long_range" else 0
            place = HiddenPlace(
                task=desk.past.position,
                hiding=hiding,
                value=encode(_name(desk, topic.tool)),
                origin=Origin(task=topic.task, turn=topic.turn),
            )
            reference = Reference(hiding=hiding, request=request)
            kind = desk.rng.choice(kinds)
            left = msgspec.structs.replace(topic, asked=kind)
            return PlannedChat(design, kind, (topic.tool,), reference=reference, hidden=(place,), topic=left)
    return None


def _name(desk: Desk, tool: Tool) -> str:
    return desk.bench.names[desk.bench.tools.index(tool)]


def _recall(desk: Desk, design: TaskDesign, fact: Fact, topic: Topic | None) -> PlannedChat:
    place = HiddenPlace(
        task=desk.past.position,
        hiding=design.hiding,
        value=fact.known.text,
        origin=fact.origin,
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
    found = [fact for fact in found if not is_secret(fact.known.slot.name)]
    return [fact for fact in found if fact.known.slot.kind in _RECALLED and not fact.is_echo]


def nouns_of(task: PlannedChat) -> tuple[str, ...]:
    """Return what the answer to a chat lists, in people's words."""
    tool = task.tools[0]
    if task.kind in ("gives", "apart"):
        return given_nouns(tool)
    if task.kind == "choices":
        return choice_of(tool)[1]
    if task.kind == "spare":
        return spare_nouns(tool, task.topic.values if task.topic is not None else None)
    return _definite(slots(tool)[name].noun.text for name in tool.required)


def given_nouns(tool: Tool) -> tuple[str, ...]:
    """Return what the tool's result tells: `the conditions`, `the temperature`; nothing where it only says `done`."""
    if asked_gloss(tool).verb.split(" ")[0] not in LOOKUPS:
        return ()
    told = [output for output in outputs(tool) if output.kind != "code" and output.name not in _NOT_TOLD]
    return _definite(slot_noun(one.name, described(one.schema)).text.partition(" in ")[0] for one in told)[:4]


_NOT_TOLD = frozenset(("total", "status", "reference", "updated", "url", "valid", "found"))


def choice_of(tool: Tool) -> tuple[str, tuple[str, ...]]:
    """Return the noun of a parameter with a few choices, and the choices as people say them; nothing where none has."""
    for slot in slots(tool).values():
        options = [option for option in options_of(decode(slot.schema)) if isinstance(option, str)]
        if slot.kind == "enum" and 2 <= len(options) <= _MOST_CHOICES:
            return slot.noun.text, tuple(forms(option, "enum")[0] for option in options)
    return "", ()


def spare_nouns(tool: Tool, values: Mapping[str, Json] | None) -> tuple[str, ...]:
    """Return what could have been said besides `values`, without need."""
    spare = [slot for name, slot in slots(tool).items() if name not in tool.required and name not in (values or {})]
    return _definite(slot.noun.text for slot in spare if slot.kind not in ("boolean", "object"))[:3]


def _definite(nouns: Iterable[str]) -> tuple[str, ...]:
    return tuple(noun if noun.startswith(("my ", "your ")) else f"the {noun}" for noun in dict.fromkeys(nouns))

"""Tasks of kind `chat`: casual talk on the theme of the tools, without any call (section 3.1, figure 14).

A first chat mentions a value in passing, so that a later task can refer to it. A later chat refers to an earlier value.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec

from callwright.author.briefs import Known
from callwright.catalog.slots import Slot, slots
from callwright.lang.kinds import Kind
from callwright.lang.nouns import Noun
from callwright.lang.tokens import stem_set
from callwright.papers.wild.one_call_tasks import is_asked_for
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import Fact, argument_facts, is_secret
from callwright.papers.wild.task_briefs import Reference
from callwright.papers.wild.task_builder import TaskBuilder
from callwright.records.annotations.wild_notes import HiddenPlace
from callwright.records.jsontext import JsonText, encode
from callwright.records.tool import Tool

REMARKS: dict[Kind, str] = {
    "city": "place", "country": "place", "person": "person", "date": "day",
    "code": "thing", "title": "thing", "other": "thing",
}  # fmt: skip
"""The sort of remark for the kinds of values that people talk about."""
_MOST_WORDS = 4


class Theme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that people chat about."""

    topic: str
    about: tuple[str, ...]
    """Words of tools that it goes with; none if it goes with all."""
    talk: tuple[tuple[str, str], ...]
    """Questions with their replies, as frames (`author.grammar`)."""


class ChatBank(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Themes, and remarks on a value by its sort and by how it is hidden (`said` if it is not)."""

    themes: tuple[Theme, ...]
    remarks: dict[str, dict[str, tuple[str, ...]]]


@cache
def chat_bank() -> ChatBank:
    """Return the bundled bank."""
    return msgspec.json.decode(files(__package__).joinpath("data/chats.json").read_bytes(), type=ChatBank)


@cache
def _stems(theme: Theme) -> frozenset[str]:
    return stem_set(" ".join(theme.about))


class PlannedChat(msgspec.Struct):
    """A chat that is being planned."""

    design: TaskDesign
    topic: str
    question: str
    reply: str
    fact: Fact
    """What the remark before the question is about."""
    reference: Reference
    hidden: list[HiddenPlace]


def chat(builder: TaskBuilder, design: TaskDesign) -> PlannedChat | None:
    """Return a chat that mentions a value or, if it hides something, refers to one; None if there is none."""
    memory = builder.memory
    found = list(_earlier(builder, design) if design.hiding else _mentioned(builder, design))
    if not found:
        return None
    fact, reference = builder.rng.choice(found)
    themes = chat_bank().themes
    weights = [1 + min(3, len(builder.pool.stems & _stems(theme))) for theme in themes]
    theme = builder.rng.choices(themes, weights)[0]
    talk = [pair for pair in theme.talk if pair[0] not in memory.talked] or list(theme.talk)
    question, reply = builder.rng.choice(talk)
    memory.talked.add(question)
    hidden = [memory.hidden_value(fact, design.hiding)] if design.hiding else []
    return PlannedChat(design, theme.topic, question, reply, fact, reference, hidden)


def _mentioned(builder: TaskBuilder, design: TaskDesign) -> Iterator[tuple[Fact, Reference]]:
    """Yield a value of the first usable tool that takes one to talk about."""
    memory = builder.memory
    order = builder.order(chain_follows=design.chain_follows)
    tools = builder.pool.tools
    for place in sorted(order, key=lambda place: not _leaves_more(tools[place])):
        call = builder.draw(place, optional=False)
        said = dict(call.values) if call is not None else {}
        turns = dict.fromkeys(said, memory.next_turn)
        facts = argument_facts(tools[place], said, turns, task=memory.position, ask=memory.next_turn)
        found = [fact for fact in facts if _is_talked_about(fact) and fact.known.slot.kind != "date"]
        if found:
            yield from ((fact, Reference()) for fact in found)
            return


def _leaves_more(tool: Tool) -> bool:
    """Whether a next request can take one value of the tool from the chat, and lack one of another kind."""
    return len({slots(tool)[name].kind for name in tool.required if is_asked_for(tool, name)}) > 1


def _earlier(builder: TaskBuilder, design: TaskDesign) -> Iterator[tuple[Fact, Reference]]:
    """Yield values of the nearest task with any that a remark can refer to; if none has, what a task was about."""
    memory = builder.memory
    for source in memory.source_tasks(design.hiding):
        facts = [fact for fact in memory.facts_of(source) if _is_talked_about(fact)]
        alone = [fact for fact in facts if sum(one.entity == fact.entity for one in facts) == 1]
        told = [fact for fact in alone if design.hiding != "partial" or fact.call is None]
        pairs = [(fact, memory.reference(builder.rng, fact, design)) for fact in told]
        found = [(fact, reference) for fact, reference in pairs if reference is not None]
        if found:
            yield from found
            return
    for topic in builder.earlier_topics(design.hiding):
        if thing := memory.thing(topic.task):
            noun, name = thing.removeprefix("the "), builder.pool.names[builder.pool.tools.index(topic.tool)]
            slot = Slot("request", Noun(noun), "other", JsonText("{}"), "")
            fact = Fact(topic.task, Known(slot, encode(name)), _NOTHING, topic.turn, entity=noun)
            request = topic.task + 1 if design.signposted else 0
            yield fact, Reference(hiding=design.hiding, entity=noun, request=request)  # type: ignore[arg-type]
            return


_NOTHING = (frozenset[str](), "")


def _is_talked_about(fact: Fact) -> bool:
    slot = fact.known.slot
    is_short = len(str(fact.known.value).split()) <= _MOST_WORDS and len(fact.entity.split()) <= _MOST_WORDS
    is_short &= fact.entity.split()[-1:] not in (["on"], ["at"], ["by"], ["in"])
    is_plain = not fact.ordinal and not fact.is_echo and not is_secret(slot.name)
    return slot.kind in REMARKS and is_short and is_plain and slot.name != "status"

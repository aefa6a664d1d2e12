"""Tasks of kind `chat`: casual talk of everyday life, without any call (section 3.1, figure 14).

A first chat says which thing the person will need help with next, so that a later task can refer to it. A later chat
speaks of an earlier request, or of an earlier chat, without saying which: `that`, or `earlier`.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from callwright.catalog.slots import slots
from callwright.environment.told_results import is_secret
from callwright.lang.english import is_adjective, is_noun
from callwright.lang.phrases import is_participle
from callwright.lang.tokens import identifier_words, stem_set
from callwright.papers.wild.session_design import TaskDesign
from callwright.papers.wild.session_memory import CARRIED, Fact, argument_facts
from callwright.papers.wild.task_briefs import WHOLE, Reference
from callwright.papers.wild.task_builder import TaskBuilder, is_identifying
from callwright.records.annotations.wild_notes import HiddenPlace


class Theme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that people chat about."""

    topic: str
    talk: tuple[tuple[str, str, str], ...]
    """Questions with their replies, as frames (`author.grammar`), and what a later remark calls each, in its words."""


@cache
def themes() -> tuple[Theme, ...]:
    """Return the bundled themes."""
    return msgspec.json.decode(files(__package__).joinpath("data/chats.json").read_bytes(), type=tuple[Theme, ...])


class PlannedChat(msgspec.Struct):
    """A chat that is being planned."""

    design: TaskDesign
    topic: str
    question: str
    reply: str
    fact: Fact | None = None
    """The topic that a first chat announces."""
    reference: Reference | None = None
    """The earlier request or chat that a later one speaks of."""
    hidden: list[HiddenPlace] = []


def chat(builder: TaskBuilder, design: TaskDesign) -> PlannedChat | None:
    """Return a chat that announces a thing or, if it hides something, speaks of an earlier task; None if it cannot.

    A chat of which the next task does not speak need not announce anything.
    """
    memory, rng = builder.memory, builder.rng
    used = stem_set(" ".join(word for tool in builder.pool.tools for word in identifier_words(tool.name)))
    theme = rng.choice([one for one in themes() if not stem_set(one.topic) & used])
    talk = [pair for pair in theme.talk if pair[0] not in memory.talked] or list(theme.talk)
    question, reply, about = rng.choice(talk)
    memory.talked.add(question)
    made = PlannedChat(design, about, question, reply)
    if not design.hiding:
        made.fact = _announced(builder, design)
        return made if made.fact is not None or not design.next_refers_back else None
    topic = next(builder.earlier_topics(design.hiding), None)
    if topic is None:
        return None
    is_request = bool(memory.tools[topic.task])
    thing = topic_noun(topic.thing) if is_request else topic.thing
    made.reference = Reference(
        hiding=design.hiding,  # type: ignore[arg-type]  # one of the three
        entity="request" if is_request else "chat",
        about=thing if design.hiding == "long_range" else "",
    )
    made.hidden = [memory.hidden_wish(topic, design.hiding)]
    return made


def topic_noun(thing: str) -> str:
    """Return what a remark calls the thing of an earlier request, without what was done to it.

    >>> topic_noun("attached segment"), topic_noun("credit note"), topic_noun("full"), topic_noun("Disturb status")
    ('segment', 'credit note', 'request', 'status')
    """
    first, _, rest = thing.partition(" ")
    head = thing.rpartition(" ")[2]
    if not is_noun(head) or is_adjective(head):
        return WHOLE
    if first.istitle() and head.islower():
        return head  # `status` of `Do Not Disturb status`, whose name may be cut
    return rest if rest and (is_participle(first) or first in _SAYS_LITTLE) else thing


_SAYS_LITTLE = frozenset("all available current detailed existing full latest new".split())


def _announced(builder: TaskBuilder, design: TaskDesign) -> Fact | None:
    """Return a thing, a place or a person that the first usable tool takes."""
    memory = builder.memory
    for place in builder.order(design):
        tool = builder.pool.tools[place]
        call = builder.draw(place, optional=False)
        said = {
            name: value
            for name, value in (call.values.items() if call is not None else ())
            if not is_secret(name)
            and "," not in str(value)
            and (is_identifying(tool, name) or slots(tool)[name].kind in CARRIED & {"city", "country", "person"})
        }
        turns = dict.fromkeys(said, memory.next_turn)
        if found := list(argument_facts(tool, said, turns, task=memory.position, ask=memory.next_turn)):
            return found[0]
    return None

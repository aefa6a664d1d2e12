"""The words of a chat, offline: a remark on a value, a question of everyday life, and its reply (section 3.1)."""

from __future__ import annotations

from datetime import date
from random import Random

from callwright.author.grammar import compile_frame, tidy, write
from callwright.author.step import step
from callwright.lang.english import sentence_case
from callwright.papers.wild.chat_tasks import REMARKS, chat_bank
from callwright.papers.wild.task_briefs import WildChat, entity_of
from callwright.papers.wild.value_phrases import referred, spoken


@step("wild/chat.j2", home=__package__)
def wild_chat(rng: Random, brief: WildChat) -> str:
    """Word a remark that says or means the value, and a question that needs no tool."""
    known, reference = brief.mention.known, brief.mention.reference
    sort = REMARKS[known.slot.kind]
    words = ""
    if brief.mention.way == "said":
        words = spoken(rng, known, date.fromisoformat(brief.today) if brief.today else None)
        noun = entity_of(known.slot)
        words = f"the {noun} {words}" if sort == "thing" else words
    elif reference.hiding != "partial":
        words = referred(rng, reference, known.slot)
    fields = dict.fromkeys(("value", "means"), words)
    fields |= {name.title(): sentence_case(words) for name in fields}
    frames = chat_bank().remarks[sort][reference.hiding or "said"]
    remark = write(rng, tuple(map(compile_frame, frames)), fields, recent=brief.recent)
    question = compile_frame(brief.question).render(rng, {})
    text = tidy(f"{remark} {question}")
    return text[0].lower() + text[1:] if brief.style == "terse" and text[1:2].islower() else text


@step("wild/reply.j2", home=__package__)
def wild_reply(rng: Random, brief: WildChat) -> str:
    """Word the reply to the question."""
    return tidy(compile_frame(brief.reply).render(rng, {}))

"""What the roles of a dialogue are sent for a turn, and what they reply: each prompt is a file of its own (3.4, A.8).

retriever  what the person wants, and how precise the query for it is to be, before the first turn
user       persona and wish; for its turn the values to say, and what is missing
assistant  documents, calls and results; for its turn what to ask for, to offer or to tell
tools      what was said, called and returned; a call, and the fields of its result that the plan fixes

User and assistant know the acts of all turns and the whole conversation; neither is told a value before it is said or
returned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from callwright.author.briefs import spoken_once
from callwright.author.prompts import Prompts, render_messages
from callwright.author.role_forms import RESULT_FORM, conversation, long_day, thoughtful_form, tool_lines
from callwright.catalog.contrast import action_phrase
from callwright.catalog.gloss import gloss
from callwright.catalog.retrieval import headline
from callwright.environment.item_choice import shown_labels
from callwright.environment.result_asking import ROLE, ResultView
from callwright.environment.told_outcome import outcome_lines
from callwright.models.chat import ChatRequest
from callwright.papers.tooldial.scenario_states import ActTurn, act_turns
from callwright.papers.tooldial.tooldial_briefs import TurnBrief
from callwright.papers.tooldial.tooldial_rollout import DialogueWriter
from callwright.records.dialogue import Turn

PROMPTS: Final = {name: f"tooldial/{name}.j2" for name in ("retriever", "user", "assistant", ROLE)}
"""Prompt of each role."""


class QueryView(NamedTuple):
    """What the writer of a query is told."""

    band: str
    goal: str
    beside: str
    """Words for what the other tool is about."""
    listed: str
    """A query of the list that falls in the band."""


class TurnView(NamedTuple):
    """All that the prompt of a turn may tell; what its act does not need is empty."""

    act: str
    acts: Sequence[str]
    """Of the turn; the last one is `act`."""
    number: int
    """Place of the turn, from 1."""
    scenario: Sequence[str]
    """The acts of all turns, one line each."""
    lines: Sequence[str]
    """The conversation, with calls and results up to those of this turn."""
    documents: Sequence[str]
    today: str
    name: str
    persona: str
    tone: str
    style: str
    goal: str
    wish: str = ""
    """Words that a wish says."""
    beside: str = ""
    """Words for what the other tool is about."""
    tell: Sequence[tuple[str, str]] = ()
    """The values that a turn says, by what people call them."""
    lacking: str = ""
    ask: Sequence[str] = ()
    suggested: str = ""
    searched: Sequence[str] = ()
    """What the retriever found in this turn."""
    choices: Sequence[str] = ()
    found: Sequence[str] = ()
    """What a response tells."""


def view_of(writer: DialogueWriter, turn: ActTurn, brief: TurnBrief) -> TurnView:
    """Return what is told of the next turn."""
    planned, said = writer.planned, gloss(writer.planned.pair.target)
    user = planned.scenario.participants[0]
    is_user = turn.speaker == "user"
    steps = () if is_user else writer.steps(turn, [""] * len(turn.acts))
    known = writer.dialogue()
    now = msgspec.structs.replace(known, turns=(*known.turns, Turn(turn.speaker, steps=steps)))
    tools = tuple(writer.tools.values())
    wishes = brief.query if turn.last.startswith("inform_intent") else None
    is_lacking = turn.last == "fail_inform" or (turn.phase == "of_source" and not is_user)
    return TurnView(
        act=turn.last,
        acts=turn.acts,
        number=len(writer.turns) + 1,
        scenario=tuple(_course(planned.plan.acts)),
        lines=conversation(now),
        documents=[headline(tool).description for tool in tools] if is_user else tool_lines(tools, returns=True),
        today=long_day(brief.today),
        name=user.name,
        persona=user.persona,
        tone=brief.tone,
        style=brief.style,
        goal=f"do something else than to {said.phrase}" if "negate" in planned.plan.acts else said.phrase,
        wish=f"{wishes.verb} {wishes.thing}".strip() if wishes else "",
        beside=("my own " * (wishes.tail_kind == "own") + wishes.tail) if wishes else "",
        tell=[(known.slot.noun.text, spoken_once(known, brief.today)) for known in brief.told],
        lacking=brief.lacking.noun.definite if brief.lacking and is_lacking else "",
        ask=[slot.noun.text for slot in brief.asked],
        suggested=action_phrase(said) if turn.last == "suggest" else "",
        searched=tuple(_searched(writer)) if not is_user else (),
        choices=shown_labels(brief.choice) if turn.last == "request_multi" and brief.choice else (),
        found=tuple(outcome_lines(brief.outcome, brief.today)) if brief.outcome else (),
    )


def _course(acts: Sequence[str]) -> Iterator[str]:
    for number, turn in enumerate(act_turns(acts), 1):
        yield f"Turn {number}, {'person' if turn.speaker == 'user' else 'assistant'}: {', '.join(turn.acts)}"


def _searched(writer: DialogueWriter) -> Iterator[str]:
    for step in writer.planned.plan.turns[len(writer.turns)].steps:
        yield from (f"{one.name}, score {one.score:.2f}" for one in step.retriever.apis)
        yield from step.retriever.sources


def turn_request(role: str, prompts: Prompts, view: TurnView | QueryView | ResultView) -> ChatRequest:
    """Return what a role is asked. Raises BadDocument where its prompt fails."""
    name = PROMPTS[role]
    schema = RESULT_FORM if role == ROLE else None
    if isinstance(view, TurnView) and role == "assistant":
        schema = thoughtful_form(len(view.acts))
    return ChatRequest(render_messages(prompts.source(name), {"view": view}, where=name), reply_schema=schema)

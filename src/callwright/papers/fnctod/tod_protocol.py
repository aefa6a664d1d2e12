"""The `tod` protocol: state tracking by function calls, a real query of the database, and then the model's words.

After each user turn the model calls functions as in `fnctod`; the database answers with the number of venues that meet
what is known and the first of them; the model replies to the user. The history is the recorded words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from callwright.models.chat import ChatRequest, Message
from callwright.papers.fnctod.belief_states import beliefs
from callwright.papers.fnctod.call_tokens import in_words
from callwright.papers.fnctod.fnctod_options import TodOptions
from callwright.papers.fnctod.fnctod_protocol import (
    DECODING,
    TrackingPrompt,
    asked_of_turn,
    functions_shown,
    recorded_reply,
    remembered,
)
from callwright.papers.fnctod.fnctod_protocol import check as check_tracking
from callwright.papers.fnctod.fnctod_protocol import most_replies as most_calls
from callwright.papers.fnctod.state_updates import OPEN, Tracked, state_calls, updated
from callwright.papers.fnctod.tod_scoring import NOTE, PANELS, database_at, judge, notes_with_goal, score
from callwright.papers.fnctod.tracking_turns import CHOSEN, FAILED, raw_choices
from callwright.papers.fnctod.venue_database import VenueDatabase
from callwright.protocol import EvaluationProtocol
from callwright.protocol.shown_dialogue import assistant_id
from callwright.records.dialogue import Dialogue, Result, Step, Turn
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool
from callwright.records.transcript import Transcript

if TYPE_CHECKING:
    from callwright.engine.context import Context

VERSION: Final = "tod.v2"

DUTIES: Final = (
    "You help visitors of a city. Keep track of what the user wants: after each message call the functions of the "
    "domains for which it says or changes something, with every value that is known of the domain so far. Then answer "
    "the user from what the database returned: name venues, and give the phone number, address, postcode, train or "
    "reference number that the user asks for. You may write [name], [phone], [address], [postcode], [id] and "
    "[reference] in their place."
)

_REPLY: Final = "Now reply to the user; call nothing."


async def rollout(
    dialogue: Dialogue,
    tools: tuple[Tool, ...],
    ctx: Context,
    options: TodOptions,
    *,
    duties: str = DUTIES,
    shown: tuple[Tool, ...] = (),
) -> Transcript:
    """Return calls, results and words of the model after each user turn. Raises RolloutFailed."""
    del tools
    database = database_at(options.db or "")
    by_domain = {tool.domain: tool for tool in shown}
    choices = raw_choices(by_domain)
    prompt = TrackingPrompt(shown, options, duties or DUTIES, dialogue.id)
    history: list[Message] = []
    turns: list[Turn] = []
    errors: list[str] = []
    state: Tracked = {}
    for at, turn in enumerate(dialogue.turns):
        if dialogue.role(turn) != "user":
            continue
        turns.append(turn)
        history.append(Message("user", turn.text))
        steps = await asked_of_turn(ctx, prompt, history, at)
        errors += [f"turn {at}: no usable call" for step in steps if step.act == FAILED]
        made = [call for step in steps if step.act != CHOSEN for call in step.calls]
        state = updated(state, state_calls(made, by_domain), OPEN, choices).state
        steps = _answered(steps, by_domain, state, database)
        told = Message("system", f"{prompt.duties}\n{_REPLY}")
        seen = remembered("", steps, at, with_calls=True)
        seen = [*history, *seen] if options.spec == "native" else [*in_words([*history, *seen])]
        reply = await ctx.at(f"reply/{at}").ask("model", ChatRequest((told, *seen)))
        errors += [f"turn {at}: {error}" for error in reply.format_errors]
        turns.append(Turn(assistant_id(dialogue), reply.content, steps))
        history += remembered(recorded_reply(dialogue, at), steps, at, with_calls=not options.no_calls_in_history)
    return Transcript(
        dialogue=dialogue.id,
        protocol=VERSION,
        model=ctx.models["model"].name,
        trial=ctx.trial,
        turns=tuple(turns),
        ended="script",
        format_errors=tuple(errors),
    )


def _answered(
    steps: tuple[Step, ...], tools: Mapping[str, Tool], state: Tracked, database: VenueDatabase
) -> tuple[Step, ...]:
    """Return the steps with the database's answer to each call."""
    domains = {tool.name: domain for domain, tool in tools.items()}
    found = []
    for step in steps:
        if step.act not in (CHOSEN, FAILED):
            answers = (answer(domains[call.tool], state, database) for call in step.calls)
            step = msgspec.structs.replace(step, results=tuple(Result(value=encode(one)) for one in answers))
        found.append(step)
    return tuple(found)


def answer(domain: str, state: Tracked, database: VenueDatabase) -> dict[str, Json]:
    """Return what the database says about a domain: how many rows match, and the first one."""
    table = database.tables.get(domain)
    if table is None:
        return {"recorded": True}
    ids = database.query(domain, dict(state.get(domain, {})))
    row = next((at for at, id_ in enumerate(table.ids) if id_ in ids), None)
    first = {} if row is None else {name: column[row] for name, column in table.columns.items()}
    return {"matches": len(ids), "first": first}


def check(dialogue: Dialogue, tools: tuple[Tool, ...], options: TodOptions) -> None:
    """Raise BadInput for a dialogue without states or goal, and where no database is given."""
    database_at(options.db or "")
    notes_with_goal(dialogue)
    check_tracking(dialogue, tools, options)


def most_replies(dialogue: Dialogue, options: TodOptions) -> int:
    """Return the calls of state tracking, and one reply a user turn."""
    return most_calls(dialogue, options) + len(beliefs(dialogue))


PROTOCOL: Final = EvaluationProtocol(
    VERSION,
    TodOptions,
    check,
    rollout,
    most_replies,
    score,
    judge,
    PANELS,
    NOTE,
    duties=DUTIES,
    shown=functions_shown,
    decoding=DECODING,
)

"""The `fnctod` protocol: after each user turn of a recorded dialogue the model calls the functions of what it heard.

Two steps: the model chooses functions by their descriptions, then gives the arguments of each, of which it sees the
whole document. The history is the recorded words with the model's own calls in the assistant's turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from callwright.errors import BadInput
from callwright.models.chat import ChatRequest, Message
from callwright.models.decoding import Decoding
from callwright.papers.fnctod import call_tokens
from callwright.papers.fnctod.belief_states import Belief, beliefs
from callwright.papers.fnctod.fnctod_options import FnctodOptions
from callwright.papers.fnctod.incontext_examples import examples_text, holds, named_call
from callwright.papers.fnctod.tracked_dialogues import gold_calls, tracked_task
from callwright.papers.fnctod.tracking_scoring import AVERAGED, NOTE, PANELS, judge, score
from callwright.papers.fnctod.tracking_turns import CHOSEN, FAILED, tracking_tools
from callwright.protocol import Ablations, EvaluationProtocol, Prediction
from callwright.protocol.shown_dialogue import assistant_id, shown_tools
from callwright.protocol.turn_messages import result_text
from callwright.records.dialogue import Call, Dialogue, Step, Turn
from callwright.records.jsontext import EMPTY_OBJECT, Json, decode, encode
from callwright.records.tool import Catalog, Tool
from callwright.records.transcript import Transcript

if TYPE_CHECKING:
    from callwright.engine.context import Context

VERSION: Final = "fnctod.v3"

DUTIES: Final = (
    "You keep track of what the user wants. After each message of the user call the functions of the domains for which "
    "the message says or changes something. Give every value that is known of the domain so far, as the user means it; "
    "`dontcare` where the user has no preference; an empty text for a value that no longer holds. Call nothing where "
    "the message says nothing new."
)

DECODING: Final = Decoding(temperature=0.3, top_p=0.2, max_tokens=128)
"""The paper's (appendix A.1)."""

_CHOOSE: Final = "Now only choose: call the functions that apply, without arguments."
_FILL: Final = "Now call this function with all of its arguments that are known."


class _Asked(NamedTuple):
    """One reply, read."""

    calls: tuple[Call, ...]
    is_failed: bool


class TrackingPrompt(NamedTuple):
    """The common parts of the requests of a dialogue."""

    tools: tuple[Tool, ...]
    options: FnctodOptions
    duties: str
    dialogue: str
    """Id of the dialogue, from which no example is taken."""


async def rollout(
    dialogue: Dialogue,
    tools: tuple[Tool, ...],
    ctx: Context,
    options: FnctodOptions,
    *,
    duties: str = DUTIES,
    shown: tuple[Tool, ...] = (),
) -> Transcript:
    """Return the calls of the model after each user turn, in the assistant's turns. Raises RolloutFailed."""
    del tools
    prompt = TrackingPrompt(shown, options, duties or DUTIES, dialogue.id)
    history: list[Message] = []
    turns: list[Turn] = []
    errors: list[str] = []
    speaker = assistant_id(dialogue)
    for at, turn in enumerate(dialogue.turns):
        if dialogue.role(turn) != "user":
            continue
        turns.append(turn)
        history.append(Message("user", turn.text))
        steps = await asked_of_turn(ctx, prompt, history, at)
        errors += [f"turn {at}: no usable call" for step in steps if step.act == FAILED]
        said = recorded_reply(dialogue, at)
        turns.append(Turn(speaker, said, steps))
        history += remembered(said, steps, at, with_calls=not options.no_calls_in_history)
    return Transcript(
        dialogue=dialogue.id,
        protocol=VERSION,
        model=ctx.models["model"].name,
        trial=ctx.trial,
        turns=tuple(turns),
        ended="script",
        format_errors=tuple(errors),
    )


async def asked_of_turn(ctx: Context, prompt: TrackingPrompt, history: Sequence[Message], at: int) -> tuple[Step, ...]:
    """Return the steps of one turn: the choice where there is one, the calls, and whether a reply was unusable."""
    if prompt.options.one_step:
        asked = await _ask(ctx.at(f"call/{at}"), prompt, history, prompt.tools, "")
        return (*_steps("", asked.calls), *((Step(act=FAILED),) if asked.is_failed else ()))
    chosen = await _ask(ctx.at(f"choose/{at}"), prompt, history, _without_parameters(prompt.tools), _CHOOSE)
    is_failed = chosen.is_failed
    calls: list[Call] = []
    for name in dict.fromkeys(call.tool for call in chosen.calls):
        own = tuple(tool for tool in prompt.tools if tool.name == name)
        filled = await _ask(ctx.at(f"fill/{at}/{name}"), prompt, history, own, _FILL)
        calls += [call for call in filled.calls if call.tool == name][:1]
        is_failed |= not any(call.tool == name for call in filled.calls)
    names = tuple(Call(call.tool, EMPTY_OBJECT) for call in chosen.calls)
    return (*_steps(CHOSEN, names), *_steps("", tuple(calls)), *((Step(act=FAILED),) if is_failed else ()))


def _without_parameters(tools: Sequence[Tool]) -> tuple[Tool, ...]:
    return tuple(msgspec.structs.replace(tool, parameters=EMPTY_OBJECT) for tool in tools)


def _steps(act: str, calls: tuple[Call, ...]) -> tuple[Step, ...]:
    return (Step(act=act, calls=calls),) if calls else ()


async def _ask(
    ctx: Context, prompt: TrackingPrompt, history: Sequence[Message], tools: tuple[Tool, ...], what: str
) -> _Asked:
    """Return the calls of known functions that a reply makes; a reply of unknown functions alone is unusable."""
    reply = await ctx.ask("model", _request(prompt, history, tools, what))
    made: tuple[Call, ...] | None
    if prompt.options.spec == "native":
        made = reply.calls or (() if not reply.format_errors else None)
    else:
        made = call_tokens.read_choice(reply.content) if what == _CHOOSE else call_tokens.read_tokens(reply.content)
    calls = tuple(call for call in made or () if call.tool in {tool.name for tool in tools})
    return _Asked(calls, not calls and made != ())


def _request(prompt: TrackingPrompt, history: Sequence[Message], tools: tuple[Tool, ...], what: str) -> ChatRequest:
    spec, is_choice = prompt.options.spec, what == _CHOOSE
    told = (
        [what]
        if spec == "native"
        else [call_tokens.functions_told(tools, spec), call_tokens.CHOOSE if is_choice else call_tokens.FILL]
    )
    told += [] if what or spec == "native" else [call_tokens.ALL]
    if not is_choice:
        told.append(_examples(prompt, tools))
    system = Message("system", "\n".join(filter(None, (prompt.duties, *told))))
    if spec == "native":
        return ChatRequest((system, *history), tools)
    return ChatRequest((system, *call_tokens.in_words(history)))


def trained_requests(
    dialogue: Dialogue, tools: tuple[Tool, ...], options: FnctodOptions, duties: str
) -> Iterator[Prediction]:
    """Yield the request with all functions for each turn that calls some, and the calls: the span that is trained.

    What the assistant says beside them is history, and no target (section 3.4).
    """
    if options.spec == "native":
        raise BadInput("calls are trained in words here. Give --set spec=json or --set spec=text.")
    prompt = _prompt(dialogue, tools, options, duties)
    for at, history, golds in _gold_turns(dialogue, tools, options):
        if golds:
            yield _prediction(prompt, history, prompt.tools, "", golds, at)


def gold_requests(
    dialogue: Dialogue, tools: tuple[Tool, ...], options: FnctodOptions, duties: str
) -> Iterator[Prediction]:
    """Yield what a model without errors is asked of a dialogue, each with the right reply."""
    prompt = _prompt(dialogue, tools, options, duties)
    for at, history, golds in _gold_turns(dialogue, tools, options):
        if options.one_step:
            yield _prediction(prompt, history, prompt.tools, "", golds, at)
            continue
        names = [Call(gold.tool, EMPTY_OBJECT) for gold in golds]
        yield _prediction(prompt, history, _without_parameters(prompt.tools), _CHOOSE, names, at)
        for gold in golds:
            own = tuple(tool for tool in prompt.tools if tool.name == gold.tool)
            yield _prediction(prompt, history, own, _FILL, [gold], at)


def _prompt(dialogue: Dialogue, tools: tuple[Tool, ...], options: FnctodOptions, duties: str) -> TrackingPrompt:
    return TrackingPrompt(tuple(tracking_tools(tools).values()), options, duties or DUTIES, dialogue.id)


def _gold_turns(
    dialogue: Dialogue, tools: tuple[Tool, ...], options: FnctodOptions
) -> Iterator[tuple[int, list[Message], list[Call]]]:
    """Yield the turns of the user, each with what was said up to it and the right calls."""
    history: list[Message] = []
    known: Belief = {}
    for at, belief in beliefs(dialogue).items():
        history = [*history, Message("user", dialogue.turns[at].text)]
        golds = [Call(one.tool, encode(one.values)) for one in gold_calls(known, belief, tracking_tools(tools))]
        yield at, history, golds
        steps = _steps("", tuple(golds))
        history += remembered(recorded_reply(dialogue, at), steps, at, with_calls=not options.no_calls_in_history)
        known = belief


def _prediction(
    prompt: TrackingPrompt,
    history: Sequence[Message],
    tools: tuple[Tool, ...],
    what: str,
    calls: Sequence[Call],
    at: int,
) -> Prediction:
    """A request with these calls as the reply, in the form that is asked for."""
    request = _request(prompt, history, tools, what)
    if prompt.options.spec == "native":
        return Prediction(request, "", at, tuple(calls))
    if what == _CHOOSE:
        return Prediction(request, call_tokens.choice_written([call.tool for call in calls]), at)
    return Prediction(request, " ".join(call_tokens.call_written(one.tool, decode(one.arguments)) for one in calls), at)


def _examples(prompt: TrackingPrompt, tools: Sequence[Tool]) -> str:
    options = prompt.options
    written = named_call if options.spec == "native" else call_tokens.call_written
    names = [tool.name for tool in tools]
    return examples_text(options.examples or "", names, options.shots, without=prompt.dialogue, written=written)


def recorded_reply(dialogue: Dialogue, at: int) -> str:
    after = dialogue.turns[at + 1 : at + 2]
    return after[0].text if after and dialogue.role(after[0]) == "assistant" else ""


def remembered(said: str, steps: Sequence[Step], at: int, *, with_calls: bool) -> list[Message]:
    """Return the assistant's turn as the history has it: its calls, what they returned, and its words."""
    own = [step for step in steps if step.act != CHOSEN] if with_calls else []
    made = [call for step in own for call in step.calls]
    calls = tuple(msgspec.structs.replace(call, id=f"call_{at}_{n}") for n, call in enumerate(made, 1))
    results = [result_text(result) for step in own for result in step.results] or [call_tokens.RECORDED] * len(calls)
    found = [Message("assistant", "", calls)] if calls else []
    found += [Message("tool", text, call_id=call.id) for call, text in zip(calls, results, strict=True)]
    return [*found, Message("assistant", said)] if said else found


def check(dialogue: Dialogue, tools: tuple[Tool, ...], options: FnctodOptions) -> None:
    """Raise BadInput for a dialogue without belief states or functions, or whose speakers do not take turns."""
    if options.shots and not options.examples:
        raise BadInput("--examples is missing. Name a file of examples, or the folder of another dataset.")
    if options.examples and holds(options.examples, dialogue):
        raise BadInput(f"--examples holds dialogue {dialogue.id}, which is evaluated. Give another dataset.")
    golds = beliefs(dialogue)
    if not golds or not tracking_tools(tools):
        raise BadInput(
            f"dialogue {dialogue.id}: no belief states. Make the dataset with `callwright read multiwoz` or another "
            "corpus of state tracking."
        )
    if any(at % 2 for at in golds) or len(dialogue.turns) not in (2 * len(golds), 2 * len(golds) - 1):
        raise BadInput(f"dialogue {dialogue.id}: user and assistant do not take turns. Remove the dialogue.")


def with_tracked_tasks(dialogue: Dialogue, tools: tuple[Tool, ...]) -> Dialogue:
    """Return a dialogue with a task a user turn; those of a corpus of service calls are the calls of services."""
    golds, by_domain = beliefs(dialogue), tracking_tools(tools)
    before = ({}, *golds.values())
    tasks = (tracked_task(at, known, new, by_domain) for known, (at, new) in zip(before, golds.items(), strict=False))
    return msgspec.structs.replace(dialogue, tasks=tuple(tasks)) if golds else dialogue


def most_replies(dialogue: Dialogue, options: FnctodOptions) -> int:
    """Return one reply a user turn, or with two steps one more for each domain of the dialogue at most."""
    golds = beliefs(dialogue)
    domains = {domain for belief in golds.values() for domain in belief}
    return len(golds) * (1 if options.one_step else 1 + len(domains))


def functions_shown(catalog: Catalog, options: FnctodOptions) -> Callable[[Dialogue], tuple[Tool, ...]]:
    """Return what gives the functions of a dialogue's domains."""
    del options
    made: dict[tuple[str, ...], tuple[Tool, ...]] = {}

    def shown(dialogue: Dialogue) -> tuple[Tool, ...]:
        keys = tuple(tool.key for tool in dialogue.tools)
        if keys not in made:
            made[keys] = tuple(tracking_tools(shown_tools(dialogue, catalog.by_key)).values())
        return made[keys]

    return shown


_WRITTEN: Final[dict[str, dict[str, Json]]] = {"json": {"spec": "json"}, "text": {"spec": "text"}}
_SILENT: Final[dict[str, Json]] = {"no_calls_in_history": True}
_HEADINGS: Final = ("attr", "hotel", "rest", "taxi", "train")
_DOMAINS: Final = tuple(
    (short, "jga", {"domain": name, "mode": "fnctod"}) for short, name in zip(_HEADINGS, AVERAGED, strict=True)
)

ABLATIONS: Final = Ablations(
    {
        **{f"shots-{n}": {"shots": n} for n in range(6)},
        "one-step": {"one_step": True},
        "no-calls": _SILENT,
        **_WRITTEN,
        **{f"{name}-no-calls": options | _SILENT for name, options in _WRITTEN.items()},
    },
    (
        ("JGA", "jga", {"mode": "fnctod"}),
        ("mean", "jga_average", {"mode": "fnctod"}),
        *_DOMAINS,
        ("func", "function_acc", {}),
        ("fail", "failed_turns", {}),
    ),
    {
        "ceiling": {"jga": "ceiling", "jga_average": "jga_average_ceiling"},
        "empty state": {"jga": "jga_empty", "jga_average": "jga_average_empty"},
    },
)
"""Figure 5 (shots), table 4 (one step), figure 6 (calls in the history, functions as JSON or text)."""

PROTOCOL: Final = EvaluationProtocol(
    VERSION,
    FnctodOptions,
    check,
    rollout,
    most_replies,
    score,
    judge,
    PANELS,
    NOTE,
    duties=DUTIES,
    shown=functions_shown,
    with_tasks=with_tracked_tasks,
    gold_requests=gold_requests,
    trained_requests=trained_requests,
    decoding=DECODING,
    ablations=ABLATIONS,
)

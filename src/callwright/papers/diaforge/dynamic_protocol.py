"""The dynamic protocol: the model is the assistant in a live conversation with a simulated user.

The user is rebuilt from the dialogue's scenario: same wish, values and habits, in a style of its own (appendix C.5). It
answers the model's own questions (`user_policy`); a model may word and elect its turns. The candidate pool is the one
recorded in the dialogue. The rollout stops at the first call, when the user gives up, or after `t_max` exchanges.
Faults of the user are recorded, and transcripts with one are not scored. So are turns in which the user did not
understand the model, and the turn in which each value was said. A user turn that does nothing of what it is
for, such as naming the wish, fails the rollout.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from callwright.author.briefs import Style
from callwright.errors import BadInput, RolloutFailed
from callwright.papers.diaforge.diaforge_options import DynamicOptions
from callwright.papers.diaforge.shown_pool import check_pool, shown_pools
from callwright.papers.diaforge.speaking import REWRITES, Spoken, forget_turn, speak
from callwright.papers.diaforge.static_protocol import DUTIES
from callwright.papers.diaforge.tool_metrics import fits_a_tool
from callwright.papers.diaforge.tool_scoring import NOTE, PANELS, judge, score
from callwright.papers.diaforge.user_faults import user_faults
from callwright.papers.diaforge.user_policy import UNSURE, UserState, label_of, plan_behind, user_of
from callwright.papers.diaforge.wording_election import vote
from callwright.protocol import EvaluationProtocol
from callwright.protocol.live_user import Election, LiveSteps
from callwright.protocol.shown_dialogue import assistant_turn, request, system_message
from callwright.records.annotations.diaforge_notes import DiaforgePlan
from callwright.records.dialogue import Dialogue, Scenario, Step, Turn
from callwright.records.tool import Tool
from callwright.records.transcript import Ended, LiveUser, ToldValue, Transcript

if TYPE_CHECKING:
    from callwright.engine.context import Context

VERSION: Final = "diaforge-dynamic.v1"


async def rollout(
    dialogue: Dialogue,
    tools: tuple[Tool, ...],
    ctx: Context,
    options: DynamicOptions,
    *,
    duties: str = DUTIES,
    election: Election | None = None,
    shown: tuple[Tool, ...] = (),
) -> Transcript:
    """Return what the model of the role `model` does in conversation; `tools` are the dialogue's, in their order.

    The model sees `shown` in their place where they are given; the user answers for the dialogue's own. Where a model
    plays the role `user`, its words are also checked for what its scenario does not hold, and written again;
    `election` chooses between several wordings. `duties` are what the model under test is told first. Raises
    RolloutFailed, with the role `user` where no wording of a turn does what it is for, and BadInput for a dialogue
    whose user cannot be rebuilt.
    """
    user = begin(dialogue, tools, user_style=options.user_style)
    speaker = next(who.id for who in dialogue.participants if who.role == "user")
    system = system_message(duties, dialogue)
    turns: list[Turn] = []
    told: list[ToldValue] = []
    unsure: list[int] = []
    format_errors: list[str] = []
    ended: Ended = "t_max"
    heard = ""
    for exchange in range(options.t_max):
        place = f"user/{exchange}"
        check = partial(_wording_faults, dialogue, tools, speaker, tuple(turns)) if "user" in ctx.models else None
        spoken = await speak(user, heard, ctx, place, election=election, check=check)
        if check and spoken.is_idle and not check(spoken.text):  # nothing in the transcript would exclude it
            forget_turn(ctx, place, "user", election=election)
            raise _unusable(spoken, ctx.models["user"].name)
        user = spoken.user
        told += [ToldValue(len(turns), name) for name in spoken.act.told if name in user.told]
        unsure += [len(turns)] if spoken.act.kind in UNSURE else []
        turns.append(Turn(speaker, spoken.text, (Step(act=label_of(spoken.act)),)))
        if spoken.act.kind == "leave":
            ended = "left"
            break
        reply = await ctx.at(f"assistant/{exchange}").ask("model", request(system, dialogue, shown or tools, turns))
        turns.append(assistant_turn(dialogue, reply))
        format_errors += reply.format_errors
        heard = reply.content
        if reply.calls:
            ended = "call"
            break
    return Transcript(
        dialogue=dialogue.id,
        protocol=VERSION,
        model=ctx.models["model"].name,
        trial=ctx.trial,
        turns=tuple(turns),
        ended=ended,
        faults=user_faults(dialogue, turns, tools),
        format_errors=tuple(format_errors),
        annotation=LiveUser(told=tuple(told), unsure=tuple(unsure)),
    )


def _wording_faults(
    dialogue: Dialogue, tools: Sequence[Tool], speaker: str, turns: tuple[Turn, ...], text: str
) -> tuple[str, ...]:
    """What the user would get wrong by saying `text` next; without the names of tools, which its author may not see."""
    found = user_faults(dialogue, (*turns, Turn(speaker, text)), tools)
    last = [fault for fault in found if fault.turn == len(turns)]
    return tuple("the words mean something else" if fault.kind == "goal_drift" else fault.detail for fault in last)


def _unusable(spoken: Spoken, name: str) -> RolloutFailed:
    faults = "; ".join(spoken.faults)
    return RolloutFailed(
        f"{name} as the user: {REWRITES} wordings of a turn that cannot be used; the last, "
        f"{spoken.text[:_LONGEST_QUOTE]!r}: {faults}",
        kind="bad_reply",
        role="user",
    )


_LONGEST_QUOTE = 200


def begin(dialogue: Dialogue, tools: tuple[Tool, ...], *, user_style: Style) -> UserState:
    """Return the dialogue's user before the first word. Raises BadInput where there is no scenario to take it from."""
    scenario, plan = scenario_of(dialogue)
    shown = {tool.key: document for tool, document in zip(dialogue.tools, tools, strict=True)}
    gold = shown.pop(plan.gold_tool, None)
    if gold is None:
        if plan.tool_fits:
            raise BadInput(f"dialogue {dialogue.id}: the gold tool is not among its tools. Use data that includes it.")
        wanted = next((one.name for one in scenario.tools if one.key == plan.gold_tool), None)
        if wanted is None:
            raise BadInput(
                f"dialogue {dialogue.id}: scenario.annotation.gold_tool: not among scenario.tools. Restore it."
            )
        gold = Tool(name=wanted, description=scenario.tasks[0].goal)  # not shown: known by its goal
    else:
        _check_gold(dialogue.id, scenario, gold)
    rivals = list(shown.values())
    return user_of(scenario, plan, gold, rivals, style=user_style, attempt=dialogue.provenance.attempt)


def _check_gold(dialogue: str, scenario: Scenario, gold: Tool) -> None:
    """Raise BadInput where the user has no value to give, or one that the tool does not document."""
    if not scenario.tasks[0].gold:
        raise BadInput(f"dialogue {dialogue}: scenario.tasks[0].gold: the plan has no gold call. Restore it.")
    for nth, argument in enumerate(scenario.tasks[0].gold[0].arguments):
        place = f"dialogue {dialogue}: scenario.tasks[0].gold[0].arguments[{nth}]"
        if argument.name not in gold.properties:
            raise BadInput(f"{place}.name: {gold.name} documents no parameter {argument.name!r:.60}. Correct the name.")
        if not argument.accepted:
            raise BadInput(f"{place}.accepted: the user has no value to give. Give at least one.")


def scenario_of(dialogue: Dialogue) -> tuple[Scenario, DiaforgePlan]:
    """Return the scenario of a dialogue and its plan. Raises BadInput where it has none of this recipe."""
    scenario, plan = dialogue.scenario, plan_behind(dialogue)
    if scenario is None or plan is None:
        raise BadInput(
            f"dialogue {dialogue.id}: it has no scenario of the diaforge recipe, so its user cannot be rebuilt. "
            "Use the static protocol, or data made by `callwright synth diaforge`."
        )
    return scenario, plan


def check(dialogue: Dialogue, tools: tuple[Tool, ...], options: DynamicOptions) -> None:
    """Raise BadInput where the dialogue's user cannot be rebuilt, or another pool not be shown."""
    check_pool(dialogue, options)
    begin(dialogue, tools, user_style=options.user_style)


def most_replies(dialogue: Dialogue, options: DynamicOptions) -> int:
    """Return the most exchanges."""
    return options.t_max


PROTOCOL: Final = EvaluationProtocol(
    VERSION,
    DynamicOptions,
    check,
    rollout,
    most_replies,
    score,
    judge,
    PANELS,
    NOTE,
    duties=DUTIES,
    live=LiveSteps(("dialogue", "diaforge"), vote.name),
    judges_words_of=fits_a_tool,
    shown=shown_pools,
)

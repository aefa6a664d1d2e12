"""The dynamic protocol: the model is the assistant in a live conversation with a simulated user.

The user is rebuilt from the dialogue's scenario: same wish, values and habits, in a style of its own (appendix C.5).
Offline, rules hear what the model asks and answer it (`user_policy`); a model in the role `user` hears and answers by
itself, and rules guard what it says (`hearing_user`). The candidate pool is the one recorded in the dialogue. The
rollout stops at the first call, when the user gives up, or after `t_max` exchanges. Faults of the user are recorded,
and transcripts with one are not scored. So are the turn in which each value was said and, of the offline user, turns in
which it did not understand the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from callwright.author.briefs import Style, UserAct
from callwright.author.online_voice import ASKS as ASKS_OF_A_STEP
from callwright.errors import BadInput
from callwright.papers.diaforge.diaforge_options import DynamicOptions
from callwright.papers.diaforge.hearing_user import ASKS as ASKS_OF_A_MESSAGE
from callwright.papers.diaforge.hearing_user import answer
from callwright.papers.diaforge.live_talk import LiveTalk, UserScene
from callwright.papers.diaforge.message_judge import judge_message
from callwright.papers.diaforge.shown_pool import check_pool, shown_pools
from callwright.papers.diaforge.speaking import speak
from callwright.papers.diaforge.static_protocol import DUTIES
from callwright.papers.diaforge.tool_metrics import fits_a_tool
from callwright.papers.diaforge.tool_scoring import NOTE, PANELS, judge, score, unmeasured
from callwright.papers.diaforge.user_agent import user_view
from callwright.papers.diaforge.user_faults import user_faults
from callwright.papers.diaforge.user_policy import UNSURE, UserState, label_of, plan_behind, user_of
from callwright.papers.diaforge.wording_election import vote
from callwright.protocol import EvaluationProtocol
from callwright.protocol.live_user import LivePlay, LiveSteps
from callwright.protocol.shown_dialogue import assistant_turn, request, system_message
from callwright.records.annotations.diaforge_notes import DiaforgePlan
from callwright.records.dialogue import Dialogue, Scenario, Step, Task, Turn
from callwright.records.tool import Tool
from callwright.records.transcript import Ended, LiveUser, ToldValue, Transcript, UserFault

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
    play: LivePlay = LivePlay(),  # noqa: B008
    shown: tuple[Tool, ...] = (),
) -> Transcript:
    """Return what the model of the role `model` does in conversation; `tools` are the dialogue's, in their order.

    The model sees `shown` in their place where they are given; the user answers for the dialogue's own. `play` tells
    what models do of it, in the roles `user`, `judge` and `voter`. `duties` are what the model under test is told
    first. Raises RolloutFailed, and BadInput for a dialogue whose user cannot be rebuilt.
    """
    user = begin(dialogue, tools, user_style=options.user_style)
    speaker = next(who.id for who in dialogue.participants if who.role == "user")
    scene = UserScene(dialogue, tools, _wanted(dialogue, tools), speaker, options.user_style)
    says = _model_says if play.hears else _rules_say
    system = system_message(duties, dialogue)
    live = _Live(user)
    format_errors: list[str] = []
    ended: Ended = "t_max"
    for exchange in range(options.t_max):
        await says(live, scene, ctx, f"user/{exchange}", play)
        if live.left:
            ended = "left"
            break
        asked = request(system, dialogue, shown or tools, live.turns)
        reply = await ctx.at(f"assistant/{exchange}").ask("model", asked)
        live.turns.append(assistant_turn(dialogue, reply))
        format_errors += reply.format_errors
        if reply.calls:
            ended = "call"
            break
    faults = {*live.faults, *(() if play.hears else user_faults(dialogue, live.turns, tools))}  # guarded as it spoke
    return Transcript(
        dialogue=dialogue.id,
        protocol=VERSION,
        model=ctx.models["model"].name,
        trial=ctx.trial,
        turns=tuple(live.turns),
        ended=ended,
        faults=tuple(sorted(faults, key=lambda fault: (fault.turn, fault.kind, fault.detail))),
        format_errors=tuple(format_errors),
        annotation=LiveUser(told=tuple(live.told), unsure=tuple(live.unsure)),
    )


class _Live:
    """A conversation that goes on."""

    def __init__(self, user: UserState) -> None:
        self.user = user
        self.turns: list[Turn] = []
        self.told: list[ToldValue] = []
        self.unsure: list[int] = []
        self.faults: list[UserFault] = []
        self.left = False


async def _rules_say(live: _Live, scene: UserScene, ctx: Context, place: str, play: LivePlay) -> None:
    """Add the turn of the offline user; with a voter, one of several wordings."""
    heard = live.turns[-1].text if live.turns else ""
    so_far = msgspec.structs.replace(scene.dialogue, turns=tuple(live.turns))
    view = user_view(so_far, scene.gold, scene.tools, settled=live.user.picked, style=scene.style)
    spoken = await speak(live.user, heard, ctx, place, election=play.election, view=view)
    live.user = spoken.user
    live.told += [ToldValue(len(live.turns), name) for name in spoken.act.told if name in live.user.told]
    live.unsure += [len(live.turns)] if spoken.act.kind in UNSURE else []
    live.turns.append(Turn(scene.speaker, spoken.text, (Step(act=label_of(spoken.act)),)))
    live.left = spoken.act.kind == "leave"


async def _model_says(live: _Live, scene: UserScene, ctx: Context, place: str, play: LivePlay) -> None:
    """Add the turn of a user that a model plays."""
    said = await answer(LiveTalk(live.user, tuple(live.turns), scene), ctx, place, play)
    live.user, live.left = said.user, said.leaves
    live.told += [ToldValue(len(live.turns), name) for name in said.told]
    live.faults += said.faults
    act = UserAct("answer" if live.turns else "open", slots=said.told)
    live.turns.append(Turn(scene.speaker, said.text, (Step(act=label_of(act)),)))


def _wanted(dialogue: Dialogue, tools: Sequence[Tool]) -> Tool:
    """The tool that the user wants; where none fits, one that is not shown and is known by its goal."""
    scenario, plan = scenario_of(dialogue)
    shown = {tool.key: document for tool, document in zip(dialogue.tools, tools, strict=True)}
    if plan.gold_tool in shown:
        return shown[plan.gold_tool]
    name = next(one.name for one in scenario.tools if one.key == plan.gold_tool)
    return Tool(name=name, description=scenario.tasks[0].goal)


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
    _check_values(f"dialogue {dialogue}: scenario.tasks[0]", scenario.tasks[0])


def _check_values(place: str, task: Task) -> None:
    """Raise BadInput where a gold argument has no value."""
    for at, call in enumerate(task.gold):
        for nth, argument in enumerate(call.arguments):
            if not argument.accepted:
                raise BadInput(f"{place}.gold[{at}].arguments[{nth}].accepted: no value is left. Give at least one.")


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
    if not dialogue.tasks:
        raise BadInput(f"dialogue {dialogue.id}: it has no task, so the user wants nothing. Restore the file.")
    for at, task in enumerate(dialogue.tasks):
        _check_values(f"dialogue {dialogue.id}: tasks[{at}]", task)
    begin(dialogue, tools, user_style=options.user_style)


def most_replies(dialogue: Dialogue, options: DynamicOptions) -> int:
    """Return the most exchanges."""
    return options.t_max


def most_user_replies(options: DynamicOptions, play: LivePlay) -> int:
    """Return the most replies of user, judge and voters: every message written again, every reply asked for anew."""
    election = play.election
    written = (election.samples if election else 1) * ASKS_OF_A_MESSAGE * (1 + play.is_judged) if play.hears else 0
    return options.t_max * ASKS_OF_A_STEP * (written + (election.voters if election else 0))


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
    live=LiveSteps(("diaforge",), vote.name, judge_message.name, most_user_replies),
    judges_words_of=fits_a_tool,
    unmeasured=unmeasured,
    shown=shown_pools,
)

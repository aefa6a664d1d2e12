"""A session whose roles models play: task by task, each kept where its trajectory accomplishes its annotation.

    proposal     the author proposes tasks as the design asks for, rules sift them, the checker picks one
    annotation   the annotator, who sees no trajectory, writes the gold calls with their dependencies
    trajectory   the assistant asks, calls and closes; tools and user answer it
    verdict      the matcher follows the trajectory along the annotation; rules check that values flow

A task that falls is tried again from its proposal; where each try falls, the session is rejected for the last reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

import msgspec

from callwright.author.agent_asking import TurnFault, ask_turn
from callwright.author.briefs import known_values
from callwright.author.prompts import Prompts
from callwright.author.role_forms import conversation, long_day, read_result, read_words, tool_lines
from callwright.engine.context import Context
from callwright.environment.result_faults import result_faults, still_true
from callwright.models.chat import ChatReply, ChatRequest
from callwright.papers.wild.chat_tasks import PlannedChat
from callwright.papers.wild.gold_fulfilment import fulfilled, hidden_places, verdict_on
from callwright.papers.wild.move_ways import NATIVE, OBJECT, MoveWay
from callwright.papers.wild.said_answers import unsaid_faults
from callwright.papers.wild.session_plan import RECIPE, SessionPlan, SessionPlanner
from callwright.papers.wild.session_roles import (
    PROMPTS,
    AnnotatedCall,
    AssistantMove,
    RoleView,
    TaskCandidate,
    TaskPick,
    read_annotation,
    read_candidates,
    read_pick,
    role_request,
)
from callwright.papers.wild.session_rules import (
    CANDIDATE_FAULTS,
    annotation_faults,
    candidate_faults,
    flow_faults,
    kept_back_faults,
    references,
    refers_back,
)
from callwright.papers.wild.untold_values import said_by_user
from callwright.papers.wild.wild_cascade import check_played_session
from callwright.recipe import Made
from callwright.recipe.played_by import played_by
from callwright.recipe.unplanned import Unplanned, unsaid
from callwright.records.annotations.wild_notes import HiddenPlace, Topology, WildPlan
from callwright.records.dialogue import Call, Dialogue, Provenance, Result, Scenario, Step, Task, Turn
from callwright.records.issue import Issue
from callwright.records.jsontext import encode
from callwright.records.persona import Persona
from callwright.validate.unsayable import wording_faults

T = TypeVar("T")

TRIES: Final = 2
"""Proposals that one task is tried with."""
MOVES: Final = 8
"""Moves of the assistant in one task, its question and its closing among them."""


class TaskWanted(NamedTuple):
    """What the scenario fixes of one task."""

    kind: str
    topology: Topology
    hiding: str
    tool: str
    """Shown name of the tool of a task of one call."""
    refers_back: bool = False
    """Whether the next task refers to what came before."""
    led_to: str = ""
    """The tool of the next task."""


class Staging(NamedTuple):
    """What the roles of a session are given: its scenario without gold, the sorts of its tasks, and the person."""

    scenario: Scenario
    wanted: Sequence[TaskWanted]
    persona: Persona
    style: str
    way: MoveWay = OBJECT
    """How the assistant replies."""


class _Fallen(Exception):
    """A task that cannot be kept."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.issue = Issue(code, message=message)


async def play(plan: SessionPlan | Unplanned, ctx: Context, workshop: SessionPlanner, prompts: Prompts) -> Made:
    """Return one session of models: kept, or rejected for a task that could not be made. Raises RolloutFailed."""
    return await _played(plan, ctx, workshop, prompts, OBJECT)


async def play_native(plan: SessionPlan | Unplanned, ctx: Context, workshop: SessionPlanner, prompts: Prompts) -> Made:
    """Return the same where the assistant calls natively. Raises RolloutFailed."""
    return await _played(plan, ctx, workshop, prompts, NATIVE)


async def _played(
    plan: SessionPlan | Unplanned, ctx: Context, workshop: SessionPlanner, prompts: Prompts, way: MoveWay
) -> Made:
    if isinstance(plan, Unplanned):
        return unsaid(plan, RECIPE, _provenance(ctx, workshop))
    staging = Staging(scenario_of(plan), wanted_of(plan), plan.persona, plan.style, way)
    return await play_staged(staging, ctx, workshop, prompts)


async def play_staged(staging: Staging, ctx: Context, workshop: SessionPlanner, prompts: Prompts) -> Made:
    """Return one session of models over a scenario. Raises RolloutFailed."""
    scenario = staging.scenario
    dialogue = Dialogue(
        id=scenario.id,
        recipe=RECIPE,
        participants=scenario.participants,
        turns=(),
        tools=scenario.tools,
        scenario=scenario,
        provenance=_provenance(ctx, workshop),
        today=scenario.today,
        annotation=scenario.annotation,
    )
    for position, one in enumerate(staging.wanted):
        issue = None
        for attempt in range(TRIES):
            place = ctx.at(f"task/{position}/try/{attempt}")
            trial = _Trial(one, dialogue, staging, workshop, prompts, place, "" if issue is None else issue.message)
            try:
                dialogue, issue = await trial.kept(), None
                break
            except _Fallen as fallen:
                where = f"tasks[{position}]"
                issue = Issue(fallen.issue.code, where, f"{one.kind}: {fallen.issue.message}")
        if issue:
            return Made(trial.dialogue, (issue,))
    return Made(dialogue, check_played_session(dialogue, trial.tools))


def wanted_of(plan: SessionPlan) -> tuple[TaskWanted, ...]:
    """Return what the plan asks of each task; the calls it has drawn count for nothing but their tool."""
    notes = plan.scenario.annotation
    assert isinstance(notes, WildPlan)
    tools = (
        one.calls[0].name if not isinstance(one, PlannedChat) and one.design.kind in ("single", "clarify") else ""
        for one in plan.tasks
    )
    shapes = zip(plan.scenario.tasks, notes.topologies, notes.hidings, tools, strict=True)
    wanted = [TaskWanted(task.kind, topology, hiding, tool) for task, topology, hiding, tool in shapes]
    following = [*wanted[1:], TaskWanted("", "", "", "")]
    return tuple(
        one._replace(refers_back=bool(after.hiding), led_to=after.tool)
        for one, after in zip(wanted, following, strict=True)
    )


def scenario_of(plan: SessionPlan) -> Scenario:
    """Return the scenario that agents play: tools, kinds, topology, hiding and transitions, without any gold."""
    notes = plan.scenario.annotation
    assert isinstance(notes, WildPlan)
    one_calls = tuple(one.tool for one in wanted_of(plan))
    return msgspec.structs.replace(
        plan.scenario,
        tasks=tuple(Task(task.kind) for task in plan.scenario.tasks),
        annotation=msgspec.structs.replace(notes, hidden=(), one_calls=one_calls),
    )


def _provenance(ctx: Context, workshop: SessionPlanner) -> Provenance:
    return played_by(ctx, PROMPTS, seed=workshop.seed, catalog=workshop.catalog, options=workshop.options_text)


class _Trial:
    """One try at one task, after the tasks that are kept."""

    def __init__(
        self,
        wanted: TaskWanted,
        before: Dialogue,
        staging: Staging,
        workshop: SessionPlanner,
        prompts: Prompts,
        ctx: Context,
        refused: str,
    ) -> None:
        self.wanted = wanted
        self.refused = refused
        self.dialogue = before
        """All that was said so far; it ends in the middle of the task."""
        self.tools = {shown.name: workshop.catalog.by_key[shown.key] for shown in before.tools}
        self.prompts = prompts
        self.way = staging.way
        self.ctx = ctx
        self.position = len(before.tasks)
        self.begin = len(before.turns)
        self.before = before
        self.steps: tuple[Step, ...] = ()
        self.task = TaskCandidate("")
        self.person = RoleView(persona=before.participants[0], tone=staging.persona.tone, style=staging.style)

    async def kept(self) -> Dialogue:
        """Return the session with the task in it. Raises _Fallen, RolloutFailed."""
        self.task = await self._proposal()
        annotated = await self._annotation()
        self._say("user", self.task.text)
        await self._work()
        return self._verdict(annotated)

    # -- asking ------------------------------------------------------------------------------------------------------

    async def _ask(
        self,
        role: str,
        place: str,
        view: RoleView,
        read: Callable[[ChatReply], T],
        check: Callable[[T], Sequence[TurnFault]],
    ) -> T:
        """Return what a role replies; the task falls where a fault remains."""
        view = view._replace(today=long_day(self.dialogue.today), lines=view.lines or self._lines())
        return await self._asked(role, place, role_request(role, self.prompts, view), read, check)

    async def _asked(
        self,
        role: str,
        place: str,
        request: ChatRequest,
        read: Callable[[ChatReply], T],
        check: Callable[[T], Sequence[TurnFault]],
    ) -> T:
        asked = await ask_turn(role, request, self.ctx.at(place), read=read, check=check)
        if asked.rejecting:
            raise _Fallen(asked.rejecting.code, f"{self.ctx.models[role].name} as the {role}: {asked.rejecting.told}")
        return asked.value

    def _lines(self) -> list[str]:
        """The conversation, with the steps that are not closed yet."""
        return conversation(self._open())

    def _open(self) -> Dialogue:
        more = (Turn("assistant", steps=self.steps),) if self.steps else ()
        return msgspec.structs.replace(self.dialogue, turns=(*self.dialogue.turns, *more))

    def _say(self, speaker: str, text: str, steps: tuple[Step, ...] = ()) -> None:
        turns = (*self.dialogue.turns, Turn(speaker, text, steps))
        self.dialogue = msgspec.structs.replace(self.dialogue, turns=turns)

    # -- the task ----------------------------------------------------------------------------------------------------

    async def _proposal(self) -> TaskCandidate:
        kind, topology, hiding, tool, refers_back, led_to = self.wanted
        view = RoleView(
            tools=tool_lines(self.tools.values(), returns=True), kind=kind, topology=topology, hiding=hiding, tool=tool
        )
        author = view._replace(persona=self.person.persona, tone=self.person.tone, style=self.person.style)
        author = author._replace(refers_back=refers_back, led_to=led_to, refused=self.refused)
        proposed = await self._ask("author", "proposal", author, read_candidates, lambda _: ())
        faults = [self._candidate_faults(one) for one in proposed]
        sifted = [one for one, found in zip(proposed, faults, strict=True) if not found]
        if not sifted:
            first, why = proposed[0].text[:200], CANDIDATE_FAULTS[faults[0][0]]
            raise _Fallen(faults[0][0], f"none of {len(proposed)} proposed tasks: {why}: {first!r}")
        checker = view._replace(candidates=sifted)
        pick = await self._ask("checker", "pick", checker, read_pick, lambda one: list(_pick_faults(one, len(sifted))))
        if not pick.pick:
            raise _Fallen("no_task_picked", f"the checker takes none of {len(sifted)}: {pick.why[:200]}")
        return sifted[pick.pick - 1]

    def _candidate_faults(self, one: TaskCandidate) -> list[str]:
        found = candidate_faults(one, self.before, self.tools, hiding=self.wanted.hiding)
        if self.wanted.kind == "chat" and self.wanted.hiding and not refers_back(one.text):
            found.append("nothing_hidden")  # it has no call whose value could be looked for
        if self.wanted.kind == "clarify":
            found += kept_back_faults(one, self.before, self.tools[self.wanted.tool])
        return found

    def _kept_back(self) -> dict[str, str]:
        """What the task lacks, as people call it; nothing where it is no clarify task."""
        if self.wanted.kind != "clarify":
            return {}
        known = known_values(self.tools[self.wanted.tool], self.task.kept_back)
        return {one.slot.noun.text: one.text for one in known}

    async def _annotation(self) -> list[AnnotatedCall]:
        kept_back = self._kept_back()
        asked = msgspec.structs.replace(self.before, turns=(*self.before.turns, Turn("user", self.task.text)))
        view = RoleView(tools=tool_lines(self.tools.values(), returns=True), text=self.task.text, kept_back=kept_back)

        def check(calls: Sequence[AnnotatedCall]) -> list[TurnFault]:
            return list(annotation_faults(calls, asked, self.tools, " ".join(kept_back.values())))

        calls = await self._ask("annotator", "annotation", view, read_annotation, check)
        if fault := _unlike_design(calls, self.wanted):
            raise _Fallen("unlike_design", f"{fault}: {self.task.text[:200]!r}")
        return calls

    # -- the trajectory ----------------------------------------------------------------------------------------------

    async def _work(self) -> None:
        lacks = self.wanted.kind == "clarify"
        for number in range(MOVES):
            move = await self._move(number)
            if move.calls and self.wanted.kind == "chat":
                raise _Fallen("call_in_chat", f"{move.calls[0].tool} is called where no tool is needed")
            if move.calls and lacks:
                raise _Fallen("call_too_early", f"{move.calls[0].tool} is called where a value is missing")
            if move.calls:
                await self._call(move)
            elif lacks:
                lacks = False
                self._say("assistant", move.say)
                await self._answer()
            else:
                self._say("assistant", move.say, self.steps)
                return
        raise _Fallen("not_finished", f"no closing after {MOVES} moves")

    async def _move(self, number: int) -> AssistantMove:
        so_far = self._open()

        def check(move: AssistantMove) -> list[TurnFault]:
            return list(self.way.faults(move, so_far, self.tools, self.begin))

        request = self.way.request(self.prompts, so_far, tuple(self.tools.values()))
        return await self._asked("assistant", f"move/{number}", request, self.way.read, check)

    async def _call(self, move: AssistantMove) -> None:
        """Make the calls of a move; each result agrees with those before it."""
        number = sum(len(step.calls) for step in self.steps)
        step = Step(move.thought, "call", text=move.say)
        for at, call in enumerate(move.calls, number + 1):
            named = msgspec.structs.replace(call, id=f"call_{at}")
            result = await self._result(named, at, step)
            step = msgspec.structs.replace(step, calls=(*step.calls, named), results=(*step.results, result))
        self.steps = (*self.steps, step)

    async def _result(self, call: Call, number: int, step: Step) -> Result:
        now = self._open()
        now = msgspec.structs.replace(now, turns=(*now.turns, Turn("assistant", steps=(step,))))
        for made, result in still_true(now, self.tools):
            if (made.tool, made.arguments) == (call.tool, call.arguments):  # the same call returns the same
                return msgspec.structs.replace(result, call=call.id)
        shown = tool_lines(self.tools.values(), returns=True)
        view = RoleView(shown, conversation(now), call=f"{call.tool} {call.arguments}")
        value = await self._ask(
            "tools", f"result/{number}", view, read_result, lambda one: list(result_faults(one, call, self.tools, now))
        )
        return Result(call.id, encode(value))

    async def _answer(self) -> None:
        known = known_values(self.tools[self.wanted.tool], self.task.kept_back)

        def check(text: str) -> list[TurnFault]:
            found = list(unsaid_faults(text, known, self.dialogue.today))
            return [*found, *(TurnFault("identifier_leaked", one) for one in wording_faults(text, self.tools))]

        view = self.person._replace(kept_back=self._kept_back())
        self._say("user", await self._ask("user", "answer", view, lambda reply: read_words(reply, "Person"), check))

    # -- the verdict -------------------------------------------------------------------------------------------------

    def _verdict(self, annotated: Sequence[AnnotatedCall]) -> Dialogue:
        """Return the session with the task and its gold calls. Raises _Fallen."""
        made = [pair for step in self.steps for pair in zip(step.calls, step.results, strict=True)]
        golds = fulfilled(annotated, made, self.tools, said_by_user(self.dialogue))
        lacking = tuple(self.task.kept_back) if self.wanted.kind == "clarify" else ()
        task = Task(self.wanted.kind, self.task.text, golds, self.begin, lacking)  # type: ignore[arg-type]
        dialogue = msgspec.structs.replace(self.dialogue, tasks=(*self.dialogue.tasks, task))
        if fault := verdict_on(dialogue, self.tools):
            raise _Fallen("not_accomplished", fault)
        flows = [(Call(one.tool, encode(one.values)), one.result or Result(), one.after) for one in golds]
        asked = msgspec.structs.replace(self.dialogue, turns=self.dialogue.turns[:-1])  # without calls and closing
        for code, message in flow_faults(flows, asked, self.tools):
            raise _Fallen(code, message)
        dialogue = self._with_hidden(dialogue, hidden_places(dialogue, self.wanted.hiding, self.task, self.tools))
        for issue in check_played_session(dialogue, self.tools):
            raise _Fallen(issue.code, f"{issue.where}: {issue.message}")
        return dialogue

    def _with_hidden(self, dialogue: Dialogue, places: Sequence[HiddenPlace]) -> Dialogue:
        notes = dialogue.annotation
        assert isinstance(notes, WildPlan)
        if self.wanted.hiding and not places:
            raise _Fallen("nothing_hidden", f"the request says all it needs: {self.task.text[:200]!r}")
        return msgspec.structs.replace(
            dialogue, annotation=msgspec.structs.replace(notes, hidden=(*notes.hidden, *places))
        )


def _pick_faults(pick: TaskPick, count: int) -> list[TurnFault]:
    if 0 <= pick.pick <= count:
        return []
    return [TurnFault("no_task_picked", f"there are {count} candidates; pick one of them, or 0")]


def _unlike_design(calls: Sequence[AnnotatedCall], wanted: TaskWanted) -> str:
    """Return how annotated calls differ from the design; empty where they are as it asks for."""
    count = len(calls)
    if wanted.kind == "chat":
        return f"a chat needs no call, and {count} are annotated" if calls else ""
    if wanted.kind != "multi":
        if [one.name for one in calls] != [wanted.tool]:
            return f"it needs {', '.join(one.name for one in calls) or 'no call'}, not one call of {wanted.tool}"
        return ""
    shape = topology_drawn(calls)
    return "" if shape == wanted.topology else f"its calls are {shape or count}, not {wanted.topology}"


def topology_drawn(calls: Sequence[AnnotatedCall]) -> Topology:
    """Return the shape of annotated calls: P without dependencies, S for one chain, else mixed; empty for one call."""
    depth: list[int] = []
    for one in calls:
        depth.append(1 + max((depth[needed - 1] for needed in {*one.after, *references(one.arguments)}), default=0))
    if len(calls) < 2:
        return ""
    return "P" if max(depth) == 1 else "S" if max(depth) == len(calls) else "S+P"

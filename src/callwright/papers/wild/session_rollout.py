"""The `wild` recipe: composed tasks, hidden intent, changes of kind (WildToolBench, sections 3.2 to 3.5).

plan        kinds, shapes, values, results, what hides where     wild_design, wild_plan, wild_desk, wild_multi
rollout     the words of each turn, written until they carry exactly what the plan says                   here
check       the dialogue alone against its tools                                         validate.wild_cascade
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

import msgspec

from callwright import __version__
from callwright.author.assistant_turn import assistant_turn
from callwright.author.briefs import AssistantAct, AssistantBrief, Known, Request, UserAct, UserBrief
from callwright.author.grammar import opener
from callwright.author.user_turn import user_turn
from callwright.author.value_checks import carrying_faults
from callwright.catalog.slots import slots
from callwright.engine.context import Context
from callwright.papers.wild.assistant_words import wild_closing, wild_reply
from callwright.papers.wild.chat_tasks import PlannedChat, choice_of, given_nouns, nouns_of
from callwright.papers.wild.gold_calls import PlannedCall, PlannedTask
from callwright.papers.wild.request_gloss import asked_gloss
from callwright.papers.wild.session_plan import RECIPE, SessionPlan, Unplanned, Workshop
from callwright.papers.wild.task_briefs import Change, Mention, WildAsk, WildChange, WildChat, WildClosing, Wish
from callwright.papers.wild.task_outcomes import outcome_of
from callwright.papers.wild.user_words import knowns_of, wild_ask, wild_change, wild_chat
from callwright.papers.wild.value_changes import levels
from callwright.papers.wild.wild_cascade import check_wild
from callwright.papers.wild.word_checks import wording_faults
from callwright.recipe import Made
from callwright.records.dialogue import Call, Dialogue, Participant, Provenance, Step, Turn
from callwright.records.issue import Issue
from callwright.records.jsontext import JsonText, encode

REWRITES = 8
"""Wordings of one turn asked for, at most."""
CANDIDATES = 2
"""Faultless wordings of a request among which the best is kept; a model's first is taken."""


async def rollout(plan: SessionPlan | Unplanned, ctx: Context, workshop: Workshop) -> Made:
    """Word one planned session, task by task, and check it; one that could not be planned is rejected unsaid."""
    author = ctx.models["author"].name if "author" in ctx.models else "offline"
    if isinstance(plan, Unplanned):
        return Made(_unsaid(plan.item, _provenance(author, workshop)), (plan.issue,))
    talk = Talk(plan, workshop, author=author)
    for position, task in enumerate(plan.tasks):
        place = ctx.at(f"task/{position}")
        if isinstance(task, PlannedChat):
            await talk.chat(place, task, position)
        else:
            await talk.work(place, task, position)
    dialogue = talk.dialogue()
    tools = {shown.name: workshop.catalog.by_key[shown.key] for shown in dialogue.tools}
    return Made(dialogue, tuple(talk.faults) or check_wild(dialogue, tools))


def _unsaid(item: str, provenance: Provenance) -> Dialogue:
    people = (Participant("user", "user"), Participant("assistant", "assistant"))
    return Dialogue(id=item, recipe=RECIPE, participants=people, turns=(), provenance=provenance)


def _provenance(author: str, workshop: Workshop) -> Provenance:
    return Provenance(
        author=author,
        callwright=__version__,
        seed=workshop.seed,
        catalog=workshop.catalog.digest,
        options=workshop.options_text,
    )


class Talk:
    """A session so far."""

    def __init__(self, plan: SessionPlan, workshop: Workshop, *, author: str) -> None:
        self.plan = plan
        self.scenario = plan.scenario
        self.workshop = workshop
        self.author = author
        self.turns: list[Turn] = []
        self.asks: list[int] = []
        self.faults: list[Issue] = []

    # Tasks.

    async def work(self, ctx: Context, task: PlannedTask, position: int) -> None:
        """Word a task of calls: the request, a question and its answer where a value is missing, the closing text."""
        self.asks.append(len(self.turns))
        brief = self._ask_brief(task, position)
        held_back = [m.known for w in brief.wishes for m in w.by_way("hidden", "fed", "chosen", "missing", "unsaid")]
        told = list(knowns_of(brief.wishes))
        change = self.plan.extras.changed.get(position)
        if change is not None:
            held_back.append(change.then)

        async def write(at: Context, refused: tuple[str, ...]) -> str:
            return await at.write(wild_ask, msgspec.structs.replace(brief, refused=refused))

        def faults(text: str) -> list[str]:
            return carrying_faults(text, told, [k for k in held_back if k not in told], self.scenario.today)

        await self._say(ctx.at("ask"), "user", write, faults)
        steps = steps_of(task.calls)
        if task.missing:
            await self._clear_up(ctx, task, change)
        elif change is not None:
            self.turns.append(Turn("assistant", steps=steps[:1]))
            await self._speak_up(ctx, change)
            steps = steps[1:]
        await self._close(ctx.at("close"), task, position, steps)

    async def _speak_up(self, ctx: Context, change: Change) -> None:
        """The user changes a value while the assistant is at work."""
        brief = self._change_brief(change, answers=False)

        async def write(at: Context, refused: tuple[str, ...]) -> str:
            return await at.write(wild_change, msgspec.structs.replace(brief, refused=refused))

        def faults(text: str) -> list[str]:
            return carrying_faults(text, (change.first, change.then), (), self.scenario.today)

        await self._say(ctx.at("change"), "user", write, faults)

    def _change_brief(self, change: Change, *, answers: bool) -> WildChange:
        return WildChange(
            change,
            self.plan.style,  # type: ignore[arg-type]  # one of the two
            self.scenario.today,
            answers,
            recent=self._recent("user"),
            persona=self.plan.persona.text,
            heard=self.turns[-1].text,
        )

    async def _clear_up(self, ctx: Context, task: PlannedTask, change: Change | None) -> None:
        """The assistant asks for what is missing, and the user gives it, and changes another value where planned."""
        call = task.calls[0]
        wanted = tuple(slots(call.tool)[name] for name in task.missing)
        known = tuple(Known(slot, encode(call.values[slot.name])) for slot in wanted)
        names = tuple(slot.name for slot in wanted)
        question = AssistantBrief(
            AssistantAct("ask", slots=names), slots=wanted, gloss=asked_gloss(call.tool), first=len(self.turns) < 2,
            recent=self._recent("assistant"), heard=self.turns[-1].text,
        )  # fmt: skip

        async def ask(at: Context, refused: tuple[str, ...]) -> str:
            return await at.write(assistant_turn, msgspec.structs.replace(question, refused=refused))

        def leaks(text: str) -> list[str]:
            return carrying_faults(text, (), known, self.scenario.today)

        await self._say(ctx.at("question"), "assistant", ask, leaks)
        answer = UserBrief(
            UserAct("answer", slots=names), self.plan.style, self.plan.persona.tone, self.scenario.today,  # type: ignore[arg-type]
            request=Request("", ""), pick="", pick_is_action=False, full=asked_gloss(call.tool).phrase, slots=known,
            recent=self._recent("user"), persona=self.plan.persona.text, heard=self.turns[-1].text,
        )  # fmt: skip

        more = () if change is None else (change.first, change.then)

        async def reply(at: Context, refused: tuple[str, ...]) -> str:
            told = await at.write(user_turn, msgspec.structs.replace(answer, refused=refused))
            if change is None:
                return told
            brief = msgspec.structs.replace(self._change_brief(change, answers=True), refused=refused)
            return f"{told}{', ' if told[-1:].isalnum() else ' '}{await at.write(wild_change, brief)}"

        def unsaid(text: str) -> list[str]:
            return carrying_faults(text, (*known, *more), (), self.scenario.today)

        await self._say(ctx.at("answer"), "user", reply, unsaid)

    async def _close(self, ctx: Context, task: PlannedTask, position: int, steps: tuple[Step, ...]) -> None:
        failure = next((one for one in self.plan.extras.failures if one.task == position), None)
        outcomes = tuple(outcome_of(call, self.scenario.today, task.calls) for call in task.calls)
        brief = WildClosing(
            outcomes,
            self.scenario.today,
            first=not position,
            recent=self._recent("assistant"),
            heard=self.turns[-1].text,
            remedy=failure.remedy if failure else "",
        )

        async def write(at: Context, refused: tuple[str, ...]) -> str:
            return await at.write(wild_closing, msgspec.structs.replace(brief, refused=refused))

        await self._say(ctx, "assistant", write, lambda text: [], steps=steps)

    async def chat(self, ctx: Context, task: PlannedChat, position: int) -> None:
        """Word a question that needs no tool, and its answer."""
        self.asks.append(len(self.turns))
        recalled = None if task.recalled is None else Mention(task.recalled.known, "hidden", task.reference)
        brief = WildChat(
            task.kind,
            tuple(asked_gloss(tool) for tool in task.tools),
            nouns_of(task),
            self.plan.style,  # type: ignore[arg-type]  # one of the two
            self.plan.persona.tone,
            self.scenario.today,
            others=given_nouns(task.tools[-1]) if task.kind == "apart" else (),
            choice=choice_of(task.tools[0])[0] if task.kind == "choices" else "",
            question=task.talk.question if task.talk is not None else "",
            answer=task.talk.answer if task.talk is not None else "",
            recalled=recalled,
            reference=task.reference,
            recent=self._recent("user"),
            persona=self.plan.persona.text,
            heard=self.turns[-1].text if self.turns else "",
        )

        async def question(at: Context, refused: tuple[str, ...]) -> str:
            return await at.write(wild_chat, msgspec.structs.replace(brief, refused=refused))

        def told(text: str) -> list[str]:
            return carrying_faults(text, (), [recalled.known] if recalled else (), self.scenario.today)

        await self._say(ctx.at("ask"), "user", question, told)
        answer = msgspec.structs.replace(brief, recent=self._recent("assistant"), heard=self.turns[-1].text)

        async def reply(at: Context, refused: tuple[str, ...]) -> str:
            return await at.write(wild_reply, msgspec.structs.replace(answer, refused=refused))

        def untold(text: str) -> list[str]:
            return carrying_faults(text, [recalled.known] if recalled else (), (), self.scenario.today)

        await self._say(ctx.at("reply"), "assistant", reply, untold)

    # Turns.

    async def _say(
        self,
        ctx: Context,
        speaker: str,
        write: Callable[[Context, tuple[str, ...]], Awaitable[str]],
        faults_of: Callable[[str], list[str]],
        *,
        steps: tuple[Step, ...] = (),
    ) -> None:
        """Write a turn until it is without fault; of several such the one that begins unlike the others is kept."""
        wanted = CANDIDATES if self.author == "offline" and speaker == "user" else 1
        found: list[str] = []
        text, faults = "", list[str]()
        for attempt in range(REWRITES):
            text = await write(ctx.at("word", attempt=attempt), tuple(faults))
            faults = faults_of(text) + self._wording(speaker, text)
            if not faults:
                found.append(text)
                if len(found) == wanted:
                    break
        if found:
            text = min(found, key=self._sameness)
        else:
            where = f"turns[{len(self.turns)}].text"
            self.faults += [Issue("text_and_values_differ", where, f"{speaker}: {fault}") for fault in faults]
        self.turns.append(Turn(speaker, text, steps))

    def _sameness(self, text: str) -> int:
        return sum(opener(turn.text) == opener(text) for turn in self.turns)

    def _wording(self, speaker: str, text: str) -> list[str]:
        tools = [self.workshop.catalog.by_key[shown.key] for shown in self.scenario.tools]
        said = [turn.text.lower() for turn in self.turns if turn.speaker == speaker]
        said = said if speaker == "user" else said[-1:]
        repeated = ["it was said before, word for word"] if text.lower() in said else []
        return [*wording_faults(text, tools, self.scenario.tools), *repeated]

    def _recent(self, speaker: str) -> tuple[str, ...]:
        return tuple([turn.text for turn in self.turns if turn.speaker == speaker and turn.text][-3:])

    def _ask_brief(self, task: PlannedTask, position: int) -> WildAsk:
        extras = self.plan.extras
        before = self.plan.tasks[position - 1] if position else None
        wishes = wishes_of(task, {f.done_by for f in extras.failures if f.task == position})
        changes = (one for one in extras.changes if one.task == position)
        return WildAsk(
            as_said_first(wishes, {(one.call, one.parameter): one.first for one in changes}),
            task.design.topology,
            self.plan.style,  # type: ignore[arg-type]  # one of the two
            self.plan.persona.tone,
            self.scenario.today,
            position,
            again=task.again,
            taken_back=extras.taken_back.get(position),
            unlike="chat" if isinstance(before, PlannedChat) else "",
            recent=self._recent("user"),
            persona=self.plan.persona.text,
            heard=self.turns[-1].text if self.turns else "",
        )

    def dialogue(self) -> Dialogue:
        """Return the session as a dialogue."""
        scenario = self.scenario
        tasks = zip(scenario.tasks, self.asks, strict=True)
        return Dialogue(
            id=scenario.id,
            recipe=RECIPE,
            participants=scenario.participants,
            turns=tuple(self.turns),
            tools=scenario.tools,
            tasks=tuple(msgspec.structs.replace(task, turn=turn) for task, turn in tasks),
            scenario=scenario,
            provenance=_provenance(self.author, self.workshop),
            today=scenario.today,
            annotation=scenario.annotation,
        )


def wishes_of(task: PlannedTask, retries: set[int | None]) -> tuple[Wish, ...]:
    """Return the wishes behind the calls; a call made again after an error is no wish of its own."""
    wishes = []
    for place, call in enumerate(task.calls):
        if place in retries:
            continue
        wish = call.wish()
        after = tuple(0 if parent in retries else parent for parent in wish.after)
        wishes.append(msgspec.structs.replace(wish, after=after, another=task.another))
    return tuple(wishes)


def as_said_first(wishes: Sequence[Wish], first: Mapping[tuple[int, str], JsonText]) -> tuple[Wish, ...]:
    """Return the wishes with values that are changed later as they are `first`, by call and parameter."""

    def said(place: int, mention: Mention) -> Mention:
        slot = mention.known.slot
        value = first.get((place, slot.name))
        return mention if value is None else msgspec.structs.replace(mention, known=Known(slot, value))

    return tuple(
        msgspec.structs.replace(wish, mentions=tuple(said(place, mention) for mention in wish.mentions))
        for place, wish in enumerate(wishes)
    )


def steps_of(calls: Sequence[PlannedCall]) -> tuple[Step, ...]:
    """Return the shortest legal path: every call in the first step in which all it needs is done."""
    depth = levels(calls)
    steps = []
    for level in range(max(depth, default=-1) + 1):
        members = [place for place, one in enumerate(depth) if one == level]
        made = tuple(Call(calls[place].name, encode(calls[place].values), id=f"call_{place + 1}") for place in members)
        results = tuple(msgspec.structs.replace(calls[place].result, call=f"call_{place + 1}") for place in members)
        steps.append(Step(act="call", calls=made, results=results))
    return tuple(steps)

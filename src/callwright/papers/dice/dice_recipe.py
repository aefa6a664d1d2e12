"""The `dice` recipe: a chain of tools, people who each know a part of the calls, their talk, and its checks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final

import msgspec

from callwright.author.kindred_values import shown_alone
from callwright.catalog.contrast import action_phrase
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.engine.context import Context
from callwright.lang.english import join_with
from callwright.lang.surface import mentions
from callwright.measure.shape import Statistics, exchange_statistics
from callwright.measure.speaker_order import is_rotation, order_entropy
from callwright.papers.dice.chat_account import asked, most_calls
from callwright.papers.dice.chat_agents import play
from callwright.papers.dice.chat_cascade import CRITERIA, LEAST, REASONS, STAGES, issues_of
from callwright.papers.dice.chat_design import as_identified, cells, check_design
from callwright.papers.dice.chat_filter import usable
from callwright.papers.dice.chat_grading import ENOUGH, SCORES
from callwright.papers.dice.chat_orchestrator import Floor, Move, moves_of
from callwright.papers.dice.chat_plan import ASSISTANT, VERSION, ChatPlan, ChatPlanner, prepare
from callwright.papers.dice.chat_roles import PROMPTS
from callwright.papers.dice.chat_voices import voice_in
from callwright.papers.dice.chat_words import SpokenSoFar, answer, threads_of, worded
from callwright.papers.dice.dice_options import DiceOptions
from callwright.papers.dice.dice_protocol import rounds_of
from callwright.recipe import Agents, Made, Recipe
from callwright.recipe.panels import CriteriaPanel, CriteriaPanels, JudgedStage
from callwright.recipe.played_by import by_rules
from callwright.recipe.staged_funnel import Stages
from callwright.recipe.unplanned import NO_PLAN, Unplanned, unsaid
from callwright.records.annotations.dice_notes import DiceNotes, DiceRound
from callwright.records.dialogue import Dialogue, Participant, Task, Turn
from callwright.records.jsontext import decode, encode
from callwright.records.tool import Catalog, Tool


async def rollout(plan: ChatPlan | Unplanned, ctx: Context, workshop: ChatPlanner) -> Made:
    """Return one dialogue with what the checks find; one that could not be planned is rejected without turns."""
    options = encode(msgspec.to_builtins(workshop.options))
    provenance = by_rules(seed=workshop.seed, catalog=workshop.catalog, options=options)
    if isinstance(plan, Unplanned):
        return unsaid(plan, VERSION, provenance)
    moves = _moves(plan, ctx)
    turns, tasks, firsts = _talk(plan, moves, ctx)
    scenario = plan.scenario
    notes = scenario.annotation
    if not isinstance(notes, DiceNotes):
        raise TypeError("a group chat is planned with its notes")
    rounds = tuple(msgspec.structs.replace(one, first=first) for one, first in zip(notes.rounds, firsts, strict=True))
    dialogue = Dialogue(
        id=scenario.id,
        recipe=VERSION,
        participants=tuple(_with_stakes(scenario.participants, plan, moves)),
        turns=tuple(turns),
        tools=scenario.tools,
        tasks=tuple(tasks),
        scenario=scenario,
        provenance=provenance,
        today=scenario.today,
        annotation=msgspec.structs.replace(notes, rounds=rounds),
    )
    reject_if = workshop.options.reject_if
    issues = issues_of(dialogue, workshop.catalog.by_name, reject_if="all" if reject_if == "all" else "any")
    return Made(dialogue, issues)


def _moves(plan: ChatPlan, ctx: Context) -> list[tuple[Move, ...]]:
    """Who says what in each round."""
    people = [who.id for who in plan.scenario.participants if who.role == "user"]
    holding = [set(one.holders.values()) for one in plan.rounds]
    given: Counter[str] = Counter()
    found: list[tuple[Move, ...]] = []
    for at, round_ in enumerate(plan.rounds):
        heard = [move.speaker for moves in found for move in moves]
        due = [one for one in people if one not in heard] if at == len(plan.rounds) - 1 else []
        floor = Floor(people, ctx.at(f"moves/{at}").rng(), heard[-1] if heard else "", given)
        later = set[str]().union(*holding[at:])
        found.append(moves_of(round_, plan.cell.manner, floor, due=due, holders_due=later))
    return found


def _with_stakes(
    participants: Sequence[Participant], plan: ChatPlan, moves: Sequence[Sequence[Move]]
) -> Iterator[Participant]:
    """The people with what each wants, and what others want that each has to be won over for."""
    wishes = [action_phrase(gloss(one.tool)) for one in plan.rounds]
    is_inquiry = plan.cell.manner == "inquiry"
    for who in participants:
        wants = [wish for wish, own in zip(wishes, moves, strict=True) if own[0].speaker == who.id]
        against = [
            wish
            for wish, own in zip(wishes, moves, strict=True)
            if not is_inquiry and len(own) > 1 and own[1].act == "doubt" and own[1].speaker == who.id
        ]
        stakes = [f"Wants to {join_with(wants)}."] if wants else []
        stakes += [f"Would rather not {join_with(against, 'or')}."] if against else []
        yield msgspec.structs.replace(who, persona=" ".join((who.persona, *stakes)))


def _talk(plan: ChatPlan, moves: Sequence[Sequence[Move]], ctx: Context) -> tuple[list[Turn], list[Task], list[int]]:
    """The turns of all rounds, the tasks with their requests, and where each round begins."""
    names = {who.id: who.name for who in plan.scenario.participants}
    voices = {who.id: voice_in(who.persona) for who in plan.scenario.participants}
    turns: list[Turn] = []
    tasks: list[Task] = []
    firsts: list[int] = []
    used: set[str] = set()
    for at, round_ in enumerate(plan.rounds):
        rng = ctx.at(f"round/{at}").rng()
        firsts.append(len(turns))
        talk = SpokenSoFar(plan.cell.manner, names, at, [], voices, used)
        talk = talk._replace(threads=threads_of(round_, talk, rng))
        for move in moves[at]:
            talk = talk._replace(said=[turn.text for turn in turns])
            addressee = ASSISTANT if move.act == "request" else move.to if move.act in ("ask", "react") else ""
            turns.append(Turn(move.speaker, worded(move, round_, talk, rng), addressee=addressee))
        tasks.append(msgspec.structs.replace(plan.scenario.tasks[at], turn=len(turns) - 1))
        if not round_.listens:
            after = next((one for one in plan.rounds[at + 1 :] if not one.listens), None)
            turns.append(answer(round_, after, at, rng, [turn.text for turn in turns]))
    return turns, tasks, firsts


def _statistics(dialogues: Iterable[Dialogue], tools: Mapping[str, Tool]) -> Statistics:
    """Return the usual rows, the cells, and the share of later rounds that use a returned value."""
    found = [(one, one.annotation) for one in dialogues if isinstance(one.annotation, DiceNotes)]
    later = [round_ for _, notes in found for round_ in called(notes)[1:]]
    used = sum(bool(one.taken) for one in later)
    needed = sum(needs_result(one, at, tools) for one, notes in found for at in range(len(notes.rounds)))
    types = Counter(notes.dialogue_type for _, notes in found)
    lengths = Counter(len(called(notes)) for _, notes in found)
    pauses = sum(one.listens for _, notes in found for one in notes.rounds)
    samplers = sorted({_sampler(one) for one, _ in found})
    rows = (
        ("chains of tools", ", ".join(_SAMPLERS[name] for name in samplers) or "-"),
        ("types", ", ".join(f"{name} {count:,}" for name, count in sorted(types.items())) or "-"),
        ("rounds", ", ".join(f"{number} × {count:,}" for number, count in sorted(lengths.items())) or "-"),
        ("rounds in which the assistant only listens", f"{pauses:,}"),
        ("later rounds that use a returned value", f"{used:,} of {len(later):,}"),
        ("whose call cannot be made without it", f"{needed:,} of {used:,}"),
        *_order_rows([one for one, _ in found]),
        ("values that are the only example of a document", "{:,} of {:,}".format(*_shown_alone(found, tools))),
    )
    shared = exchange_statistics([one for one, _ in found], tools)
    return Statistics((*shared.rows, *rows), shared.note)


def _order_rows(dialogues: Sequence[Dialogue]) -> Iterator[tuple[str, str]]:
    """How open it is who speaks next, and how many rounds go round in one order, by the number of people."""
    by_people: dict[int, list[list[list[str]]]] = {}
    for one in dialogues:
        n = sum(who.role == "user" for who in one.participants)
        by_people.setdefault(n, []).append([[turn.speaker for turn in said] for said in rounds_of(one)])
    for n, chats in sorted(by_people.items()):
        entropy = order_entropy([[who for said in chat for who in said] for chat in chats], n)
        rotating = [is_rotation(said, n) for chat in chats for said in chat]
        told = "-" if entropy is None else f"{entropy:.2f} of {math.log2(n):.2f} bits"
        turning = f"; rounds in rotation: {sum(rotating):,} of {len(rotating):,}"
        yield f"entropy of who of {n} people speaks next", f"{told}{turning}"


def _shown_alone(chats: Sequence[tuple[Dialogue, DiceNotes]], tools: Mapping[str, Tool]) -> tuple[int, int]:
    """How many values of calls are the only one that a document shows, and of how many; returned ones aside."""
    are = []
    for dialogue, notes in chats:
        known = {shown.name: slots(tools[shown.key]) for shown in dialogue.tools if shown.name in notes.functions}
        for task, round_ in zip(dialogue.tasks, notes.rounds, strict=True):
            taken = {one.parameter for one in round_.taken}
            are += [
                str(value) == shown_alone(known[gold.tool][name])
                for gold in task.gold
                for name, value in gold.values.items()
                if name not in taken
            ]
    return sum(are), len(are)


_SAMPLERS: Final = {
    "balanced": "balanced: tools are used evenly in each length",
    "uniform": "uniform: each path of the graph is as likely",
}


def _sampler(dialogue: Dialogue) -> str:
    made = dialogue.provenance
    options = decode(made.options) if made is not None and made.options else {}
    return str(options.get("sampler", "balanced")) if isinstance(options, dict) else "balanced"


def needs_result(dialogue: Dialogue, at: int, tools: Mapping[str, Tool]) -> bool:
    """Whether the call of a round takes a returned value that people say nowhere before it; `tools` by key."""
    notes, task = dialogue.annotation, dialogue.tasks[at]
    if not isinstance(notes, DiceNotes) or not notes.rounds[at].taken or not task.gold:
        return False
    gold, today = task.gold[0], date.fromisoformat(dialogue.today)
    own = next(slots(tools[one.key]) for one in dialogue.tools if one.name == gold.tool)
    said = [turn.text for turn in dialogue.turns[: (task.turn or 0) + 1] if dialogue.role(turn) == "user"]
    values = ((gold.values[one.parameter], own[one.parameter].kind) for one in notes.rounds[at].taken)
    return not all(any(mentions(text, value, kind, today=today) for text in said) for value, kind in values)


def called(notes: DiceNotes) -> list[DiceRound]:
    """Return the rounds that ask for a call."""
    return [one for one in notes.rounds if not one.listens]


def number_of_cells(options: DiceOptions) -> int:
    """Return the cells of the design under these options."""
    return len(cells(options.rounds, options.parties))


UNFINISHED: Final = (NO_PLAN, "unfit_order", "round_too_long")
"""Why there is no finished talk."""


def _rounds_of(options: DiceOptions, index: int) -> str:
    """How many calls the item of an index has."""
    design = cells(options.rounds, options.parties)
    return str(design[index % len(design)].rounds)


def _planned(plan: ChatPlan) -> frozenset[str]:
    return frozenset(one.tool.key for one in plan.rounds if not one.listens)


def _left_out(catalog: Catalog) -> dict[str, str]:
    """Why people talk of no call of a tool, by its key."""
    _, why = usable(catalog.tools)
    return {tool.key: why[tool.name] for tool in catalog.tools if tool.name in why}


_PANELS: Final = CriteriaPanels(
    (
        JudgedStage(
            "stage 1",
            (
                CriteriaPanel(reason="low_scores", criteria=SCORES, rule="mean", least=ENOUGH),
                CriteriaPanel(reason="unlike_type", criteria=("chat-type",), rule="agree", field="dialogue_type"),
            ),
        ),
        JudgedStage(
            "stage 3", (CriteriaPanel(reason="few_criteria", criteria=tuple(CRITERIA), rule="count", least=LEAST),)
        ),
    ),
    option="reject_if",
)
"""What a judge is asked where no criteria are named; stage 2 is the rules' alone."""

RECIPE: Final = Recipe(
    VERSION,
    DiceOptions,
    ChatPlanner,
    rollout,
    prompts=("dice",),
    only_leave_out=("reject_if",),
    reasons=(*UNFINISHED, *REASONS),
    prepare=prepare,
    identity=as_identified,
    fits=check_design,
    statistics=_statistics,
    planned_tools=_planned,
    left_out=_left_out,
    with_personas=True,
    cells=number_of_cells,
    panels=_PANELS,
    stages=Stages({"unfinished": UNFINISHED, **STAGES}, "rounds", _rounds_of),
    agents=Agents(tuple(PROMPTS), play, asked, most_calls, refuses=("listening", "reject_if")),
)

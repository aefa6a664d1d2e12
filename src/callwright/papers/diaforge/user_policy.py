"""The live user: a hidden state and a policy over it, for making a dialogue and for evaluating on one (section 3.1).

    state = user_of(scenario, ...)           what the user wants and knows, and how forthcoming they are
    act   = next_act(state, heard)           pure: what to do after the assistant's last words
    brief = brief_of(state, act, heard)      what its wording may draw on
    state = advance(state, act, text)        what has been said by now

The user has two phases. In tool selection the user says little, in words that fit several tools, and says which tool is
meant when asked. Then the user gives the values that are asked for, and sometimes another value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import msgspec

from callwright.author.briefs import Known, Request, Style, UserAct, UserBrief, known_values
from callwright.author.repeated_values import repeated_in_path
from callwright.author.value_checks import TELLING
from callwright.catalog.chunks import Gloss
from callwright.catalog.contrast import action_phrase, pronoun, telling, verb_with
from callwright.catalog.distinct import distinct_glosses
from callwright.catalog.headings import heading
from callwright.catalog.slots import Slot, slots, tool_leaves
from callwright.lang.tokens import stem_set
from callwright.papers.diaforge.asked_values import is_question
from callwright.papers.diaforge.listening import General, Heard, is_refusal, listen, told_apart, way
from callwright.papers.diaforge.opening_request import plain_request
from callwright.papers.diaforge.optional_values import optional_of
from callwright.papers.diaforge.relevance import names_of
from callwright.records.annotations.diaforge_notes import DiaforgePlan
from callwright.records.dialogue import Dialogue, Scenario, Task
from callwright.records.jsontext import decode
from callwright.records.tool import Tool


class UserState(msgspec.Struct, frozen=True):
    """The user's wish and values, and those said by now; hidden from the assistant."""

    gold: Gloss
    others: tuple[Gloss, ...]
    """Look-alikes that the user's words must not mean."""
    known: tuple[Known, ...]
    """The gold values."""
    request: Request
    optional: frozenset[str] = frozenset()
    """Those of them that the call may leave out: the user mentions them unasked."""
    lacking: tuple[Slot, ...] = ()
    """The tool's parameters for which the user has no value."""
    names: frozenset[str] = frozenset()
    """Stems of all that may name the wish."""
    around: frozenset[str] = frozenset()
    """Stems that several documents of the pool have."""
    apart: tuple[tuple[frozenset[str], frozenset[str]], ...] = ()
    """For each look-alike the stems that only its short document has, and those of the wanted tool's that it lacks."""
    style: Style = "verbose"
    tone: str = "plain"
    today: str = ""
    persona: str = ""
    forthcoming: frozenset[str] = frozenset()
    """Slots the user mentions unasked, when there is an occasion."""
    opens_with: str = ""
    """Slot whose value comes with the first request."""
    asks_back: str = ""
    """Slot whose word the user asks about before answering."""
    corrects: str = ""
    """Slot that is first said wrongly and then put right."""
    opened: bool = False
    picked: bool = False
    told: frozenset[str] = frozenset()
    asked_back: bool = False
    insists: int = 0
    """Turns in which nothing new could be said."""
    unsure: int = 0
    """Messages in a row that were not understood."""
    recent: tuple[str, ...] = ()
    spoken: frozenset[str] = frozenset()
    """Stems of what was said by either side."""

    @property
    def untold(self) -> tuple[Known, ...]:
        """Values not yet given."""
        return tuple(known for known in self.known if known.slot.name not in self.told)


def user_of(
    scenario: Scenario,
    plan: DiaforgePlan,
    gold: Tool,
    look_alikes: Sequence[Tool],
    *,
    style: Style,
    attempt: int = 0,
) -> UserState:
    """Return the user of a scenario before the first word. Each attempt has a request of its own.

    `look_alikes` are the tools that the user's words must not mean.
    """
    own, *others = distinct_glosses((gold, *look_alikes))
    known = gold_known(gold, scenario.tasks)
    has = {one.slot.name for one in known}
    return UserState(
        gold=own,
        others=tuple(others),
        known=known,
        optional=optional_of(gold, has),
        lacking=tuple(
            slot
            for path in tool_leaves(gold)
            if path not in has and repeated_in_path(slot := slots(gold)[path], gold) not in has
        ),
        request=_planned_request(plan, own, gold, attempt),
        names=names_of(gold, scenario.tasks[0].goal),
        around=_of_several([names_of(one, one.domain) for one in (gold, *look_alikes)]),
        apart=tuple(_own_words(gold, one, look_alikes) for one in look_alikes),
        style=style,
        tone=plan.tone,
        today=scenario.today,
        persona=scenario.participants[0].persona,
        forthcoming=frozenset(plan.forthcoming),
        opens_with=plan.opens_with if not attempt and plan.opens_with in has else "",
        asks_back=plan.asks_back,
        corrects=plan.corrects,
    )


def _of_several(documents: Sequence[frozenset[str]]) -> frozenset[str]:
    counts = Counter(word for one in documents for word in one)
    return frozenset(word for word, count in counts.items() if count > 1)


_SHORT = 30
"""Words of a description whose every word says what its tool is for."""


def _own_words(gold: Tool, tool: Tool, pool: Sequence[Tool]) -> tuple[frozenset[str], frozenset[str]]:
    if len(tool.description.split()) > _SHORT:
        return frozenset(), frozenset()
    own = names_of(tool, "")
    others = (names_of(one, "") for one in (gold, *pool) if one is not tool)
    return own.difference(*others), names_of(gold, "") - own


def gold_known(tool: Tool, tasks: Sequence[Task]) -> tuple[Known, ...]:
    """Return the gold values of the first task with their slots; none where no tool fits. `tool` is the gold tool."""
    arguments = (argument for task in tasks[:1] for call in task.gold[:1] for argument in call.arguments)
    return known_values(tool, {argument.name: decode(argument.accepted[0]) for argument in arguments})


_VAGUE_ATTEMPTS = 3
"""Openings made of vague requests; later ones say the wish in the tool's own words, then as its document does."""


def is_vague(plan: DiaforgePlan, attempt: int) -> bool:
    """Whether the opening of this attempt is a planned request, which fits other tools too."""
    return bool(plan.requests) and attempt < _VAGUE_ATTEMPTS


def _planned_request(plan: DiaforgePlan, own: Gloss, tool: Tool, attempt: int) -> Request:
    if is_vague(plan, attempt):
        planned = plan.requests[attempt % len(plan.requests)]
        return Request(planned.verb, planned.thing)
    named = heading(tool) if attempt > _VAGUE_ATTEMPTS or (attempt and not plan.requests) else None
    return Request("", named.object) if named else plain_request(own)


class Temper(msgspec.Struct, frozen=True):
    """How likely a user is to do what makes people different from forms, where there is an occasion."""

    forthcoming: float = 0.58
    """Mentions a value unasked."""
    opens_with_value: float = 0.3
    """Gives a value in the first request already."""
    asks_back: float = 0.14
    corrects: float = 0.1


TEMPERS: dict[Style, Temper] = {
    "verbose": Temper(),
    "terse": Temper(forthcoming=0.35, opens_with_value=0.28, asks_back=0.08, corrects=0.06),
}


class Quirks(msgspec.Struct, frozen=True):
    """Habits of one user, drawn before the first word: fields of `DiaforgePlan`."""

    forthcoming: tuple[str, ...]
    opens_with: str
    asks_back: str
    corrects: str


def draw_quirks(rng: Random, known: Sequence[Known], style: Style, explainable: Sequence[str]) -> Quirks:
    """Return what this user does; `explainable` are the slots whose word can be explained when asked about."""
    temper = TEMPERS[style]
    slips = [entry.slot.name for entry in known if entry.slot.kind in ("date", "count")]
    opening = [entry.slot.name for entry in known if entry.slot.kind in TELLING]
    return Quirks(
        forthcoming=tuple(sorted({entry.slot.name for entry in known if rng.random() < temper.forthcoming})),
        opens_with=_maybe(rng, opening, temper.opens_with_value),
        asks_back=_maybe(rng, explainable, temper.asks_back),
        corrects=_maybe(rng, slips, temper.corrects),
    )


def _maybe(rng: Random, names: Sequence[str], chance: float) -> str:
    return rng.choice(names) if names and rng.random() < chance else ""


def next_act(state: UserState, heard: str, *, choosing: bool = False) -> UserAct:
    """Return what the user does after hearing `heard`, the assistant's last public words; pure.

    `choosing` says that these are known to ask which tool is meant, whatever values their words sound like.
    """
    if not state.opened:
        # a value means nothing before the thing it belongs to has a name
        is_named = state.request.verb and not state.request.thing.startswith("something")
        rest = {known.slot.name for known in state.known} - {state.opens_with}
        is_last = bool(rest) and rest <= state.optional  # the optional ones come with it, not after it
        return UserAct("open", more=(state.opens_with,) if state.opens_with and is_named and not is_last else ())
    if is_refusal(heard):
        return UserAct("leave" if state.picked or state.insists else "full")
    asks = heard_by(state, heard)
    if choosing:
        offered, named = told_apart(heard, state.gold, state.others, state.names)
        asks = Heard(offered=offered or "named", named=named or state.others)
    if state.asks_back in asks.slots and not state.asked_back:
        return UserAct("ask_back")
    if state.asked_back and state.asks_back not in state.told and not asks.slots:
        return UserAct("answer", slots=(state.asks_back,))  # the explanation need not name it again
    picks = asks.offered != "" and bool(asks.named)
    if asks.again and (state.picked or not picks):
        return UserAct("answer", slots=asks.again)
    if picks or asks.slots:
        more = _unasked(state, asks.slots, occasion=state.picked or picks)
        return UserAct("answer", picks=picks, offered=asks.offered if picks else "", slots=asks.slots, more=more)
    if asks.lacks:
        return UserAct("lack")
    return _in_general(state, asks.general) or _without_understanding(state, heard)


def heard_by(state: UserState, heard: str) -> Heard:
    """Return what rules hear in a message to this user."""
    told = [known.slot for known in state.known if known.slot.name in state.told]
    return listen(
        heard,
        state.gold,
        state.others,
        state.untold,
        picked=state.picked,
        told=told,
        lacking=state.lacking,
        names=state.names,
    )


def _in_general(state: UserState, asked: General) -> UserAct | None:
    """The answer to a question that names nothing; None where it asks for nothing that the user could say."""
    if asked == "ready":
        return _insisting(state) if state.picked else UserAct("again" if state.insists else "go")
    if asked == "" or (state.picked and not state.untold):
        return None
    if asked == "more" and not state.picked:
        return UserAct("answer", picks=True, more=_unasked(state, (), occasion=True))
    every = tuple(known.slot.name for known in state.untold)
    return UserAct("answer", picks=not state.picked, slots=every, labelled=True)


def _without_understanding(state: UserState, heard: str) -> UserAct:
    """Ask what is meant; the second time in a row say the wish again or, once it is clear, the next open value."""
    if state.picked and (not state.untold or not is_question(heard)):
        return _insisting(state)
    if state.unsure % 2 == 0:
        return UserAct("unsure")
    return UserAct("unsure", more=(state.untold[0].slot.name,)) if state.picked else UserAct("again")


def _insisting(state: UserState) -> UserAct:
    return UserAct("full" if state.insists else "go")


def _unasked(state: UserState, asked: Sequence[str], *, occasion: bool) -> tuple[str, ...]:
    """Values that come unasked: up to two, or one where values were asked for, where there is an `occasion`.

    All optional ones come before the last required one is given, or with it: nobody would ask for them.
    """
    left = [known.slot.name for known in state.untold if known.slot.name not in asked]
    if all(name in state.optional for name in left):
        return tuple(left)
    names = [
        known.slot.name
        for known in state.untold
        if known.slot.name in left
        and (known.slot.name in state.forthcoming | state.optional)
        and known.slot.kind not in ("object", "list", "other", "enum")
    ]
    told = names[: 1 if asked else 2] if occasion else []
    rest = [name for name in left if name not in told]
    return tuple(told + rest if all(name in state.optional for name in rest) else told)


def brief_of(state: UserState, act: UserAct, heard: str) -> UserBrief:
    """Return all that the wording of `act` may draw on."""
    rivals = told_apart(heard, state.gold, state.others, state.names)[1] or state.others
    pick = pick_of(state, rivals, heard)
    by_name = {known.slot.name: known for known in state.known}
    told = tuple(by_name[name] for name in act.told)
    return UserBrief(
        act=act,
        style=state.style,
        tone=state.tone,
        today=state.today,
        request=state.request,
        pick=pick.words,
        pick_is_action=pick.is_action,
        full=action_phrase(state.gold),
        slots=told,
        about=by_name[state.asks_back].slot if act.kind == "ask_back" else None,
        corrects=state.corrects if state.corrects in act.told and state.corrects not in state.told else "",
        recent=state.recent[-2:],
        heard=heard,
    )


class Pick(NamedTuple):
    """The words that tell what is meant, and whether they name an action."""

    words: str
    is_action: bool


def pick_of(state: UserState, rivals: Sequence[Gloss], heard: str) -> Pick:
    """Return what tells the user's tool from `rivals`; a thing that was spoken of already is `it`."""
    is_action = bool(rivals) and all(way(rival) != way(state.gold) for rival in rivals)
    if not is_action:
        words = telling(state.gold, [*rivals, *(other for other in state.others if way(other) == way(state.gold))])
        return Pick(words, words == action_phrase(state.gold))
    is_alone = all(way(other) != way(state.gold) for other in state.others)  # else `it` may be another thing
    thing = pronoun(state.gold, state.gold.object, known=state.spoken) if is_alone else state.gold.object
    return Pick(verb_with(state.gold, thing), is_action)


def advance(state: UserState, act: UserAct, text: str) -> UserState:
    """Return the state after `act` was said as `text`."""
    return msgspec.structs.replace(
        state,
        opened=True,
        picked=state.picked or act.picks or act.kind == "full",
        told=state.told | frozenset(act.told),
        asked_back=state.asked_back or act.kind == "ask_back",
        insists=state.insists + (act.kind in ("go", "full")),
        unsure=state.unsure + 1 if act.kind in UNSURE else 0,
        recent=(*state.recent[-1:], text),
        spoken=state.spoken | stem_set(text),
    )


UNSURE = frozenset(("unsure", "again"))
"""Acts of a user who did not understand what was asked."""


def label_of(act: UserAct) -> str:
    """Return the act as a label: `open`, `answer:pick,start_date`."""
    parts = (["pick"] if act.picks else []) + list(act.told)
    return f"{act.kind}:{','.join(parts)}" if parts else act.kind


def plan_behind(dialogue: Dialogue) -> DiaforgePlan | None:
    """Return the plan that a dialogue was made from; None where it has no scenario of this recipe."""
    plan = dialogue.scenario.annotation if dialogue.scenario else None
    return plan if isinstance(plan, DiaforgePlan) else None

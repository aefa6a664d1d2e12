"""What users hear in assistants' words: values asked for, tools told apart, refusals."""

from __future__ import annotations

import asyncio
from functools import cache
from importlib.resources import files
from random import Random
from typing import NamedTuple, TypeVar

import pytest

from callwright.author.briefs import AssistantAct, AssistantBrief, Known
from callwright.catalog.chunks import Chunk, Gloss
from callwright.catalog.contrast import telling
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.engine.context import Context, WritingStep
from callwright.formats.catalog import read
from callwright.lang.english import ways_to_say
from callwright.lang.lexicon import word_set
from callwright.papers.diaforge.diaforge_options import DiaforgeOptions
from callwright.papers.diaforge.dialogue_plan import DialogueWorkshop
from callwright.papers.diaforge.dialogue_rollout import rollout
from callwright.papers.diaforge.listening import Heard, asked_slots, is_refusal, listen, told_apart
from callwright.papers.diaforge.user_policy import gold_known
from callwright.records.annotations.diaforge_notes import DiaforgeNotes, DiaforgePlan
from callwright.records.jsontext import encode, parse
from callwright.records.tool import Tool
from recipe_jobs import diaforge_scenario

T = TypeVar("T")


class Told(NamedTuple):
    """One assistant turn: what was meant, what was said, and who heard it."""

    act: AssistantAct
    text: str
    gold: Gloss
    others: tuple[Gloss, ...]
    untold: tuple[Known, ...]
    picked: bool
    place: int
    """Of the gold tool in the pool."""

    def heard(self) -> Heard:
        return listen(self.text, self.gold, self.others, self.untold, picked=self.picked)


class Recorder:
    """The offline voice, which keeps what the assistant meant beside what it said."""

    def __init__(self) -> None:
        self.said: list[tuple[AssistantAct, str]] = []

    async def write(self, step: WritingStep[T], ctx: Context, args: tuple[object, ...]) -> T:
        text = step.offline(ctx.rng(), *args)
        if isinstance(args[0], AssistantBrief) and step.stream.endswith("assistant_turn.j2"):
            self.said.append((args[0].act, str(text)))
        return text


@cache
def told(count: int = 150) -> tuple[Told, ...]:
    """The questions of `count` offline dialogues, half of them with terse users."""
    catalog = read(parse(files("callwright").joinpath("data/enterprise.json").read_bytes()), source="enterprise")
    found: list[Told] = []
    for style in ("verbose", "terse"):
        workshop = DialogueWorkshop(catalog, DiaforgeOptions(user_style=style), 11)
        for index in range(count // 2):
            found += _questions(workshop, index)
    return tuple(found)


def _questions(workshop: DialogueWorkshop, index: int) -> list[Told]:
    scenario, voice = diaforge_scenario(workshop, index), Recorder()
    made = asyncio.run(rollout(scenario, Context.detached(scenario.id, seed=11, voice=voice), workshop))
    if made.issues:
        return []
    dialogue, catalog = made.dialogue, workshop.catalog
    assert dialogue.scenario is not None
    assert isinstance(dialogue.scenario.annotation, DiaforgePlan)
    assert isinstance(dialogue.annotation, DiaforgeNotes)
    seed = catalog.by_key[dialogue.scenario.annotation.gold_tool]
    others = tuple(gloss(catalog.by_key[tool.key]) for tool in dialogue.tools if tool.key != seed.key)
    meant = {text: act for act, text in voice.said}
    due = {entry.parameter: entry.turn for entry in dialogue.annotation.disclosed}
    found: list[Told] = []
    for at, turn in enumerate(dialogue.turns):
        if turn.speaker == "assistant" and turn.text in meant and not turn.calls:
            untold = tuple(known for known in gold_known(seed, dialogue.scenario.tasks) if due[known.slot.name] > at)
            picked = any("pick" in earlier.steps[0].act for earlier in dialogue.turns[:at:2])
            place = [tool.key for tool in dialogue.tools].index(seed.key)
            found.append(Told(meant[turn.text], turn.text, gloss(seed), others, untold, picked, place))
    return found


def share(flags: list[bool]) -> float:
    assert len(flags) > 80
    return sum(flags) / len(flags)


def test_slots_are_heard_as_they_were_meant() -> None:
    """In at least 97 % of the turns that ask for values, exactly those are heard."""
    asks = [one for one in told() if one.act.kind == "ask"]
    assert share([set(one.heard().slots) == set(one.act.slots) for one in asks]) >= 0.97


def test_choices_between_tools_are_heard_as_such() -> None:
    """In at least 97 % of the turns that ask which tool is meant, a choice is heard and no value is given for it."""
    whiches = [one for one in told() if one.act.kind == "which"]
    assert share([bool(one.heard().offered) and not one.heard().slots for one in whiches]) >= 0.97


def test_what_is_offered_is_told_from_what_is_not() -> None:
    """In at least 97 % of those turns the user knows whether what is meant was offered."""
    rights = []
    for one in told():
        if one.act.kind == "which" and one.act.question is not None:
            is_offered = any(one.place in option.candidates for option in one.act.question.options)
            rights.append((one.heard().offered not in ("", "others")) == is_offered)
    assert share(rights) >= 0.97


def tool(description: str, **properties: dict[str, object]) -> Tool:
    parameters = encode({"type": "object", "properties": properties, "required": list(properties)})
    return Tool(name="t", description=description, parameters=parameters)


ORDER = tool(
    "Return an order.",
    order_id={"type": "string", "description": "order number", "examples": ["88213"]},
    reason={"type": "string", "enum": ["damaged", "wrong item"], "description": "reason for the return"},
    pick_up={"type": "string", "format": "date", "description": "pick-up date"},
    units={"type": "integer", "description": "number of units"},
    notify={"type": "boolean", "description": "whether to notify the customer"},
)
VALUES = {"order_id": "55120", "reason": "damaged", "pick_up": "2026-05-04", "units": 3, "notify": True}
KNOWN = tuple(Known(slots(ORDER)[name], encode(value)) for name, value in VALUES.items())


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What's the order number?", ["order_id"]),
        ("Sure! Could you share your order number and the reason for the return?", ["order_id", "reason"]),
        ("I need the pick-up date and the order number.", ["pick_up", "order_id"]),
        ("Is it damaged, or the wrong item?", ["reason"]),
        ("When should we come?", ["pick_up"]),
        ("How many are there?", ["units"]),
        ("Should I notify the customer?", ["notify"]),
        ("Please provide the following:\n- Order number\n- Reason for the return\n", ["order_id", "reason"]),
        ("Great, I have noted the order number.", []),
        ("", []),
    ],
)
def test_asked_slots(text: str, names: list[str]) -> None:
    """Values are asked for in many ways, and stand in the order in which they are asked for."""
    assert list(asked_slots(text, KNOWN)) == names


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, I can't do that here.",
        "Unfortunately none of the tools matches what you need.",
        "There is no tool for that.",
        "That is outside what I can do. What I can do is move it.",
        "I'm not able to help with that.",
    ],
)
def test_refusals(text: str) -> None:
    """A user understands that nothing can be done."""
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text", ["What is the order number?", "I can't find it. Which order is it?", "I have no order number yet.", "Done!"]
)
def test_no_refusals(text: str) -> None:
    """Questions and reports are no refusals."""
    assert not is_refusal(text)


def test_prepositions_alone_tell_tools_apart() -> None:
    """`from a partner` and `to a partner` are a choice, though no content word differs."""
    one, other = gloss(tool("Register a gift from a partner.")), gloss(tool("Register a gift to a partner."))
    known = Known(slots(tool("x", gift={"type": "string", "description": "gift"}))["gift"], encode("a pen"))
    heard = listen("Is that a gift from a partner or a gift to a partner?", one, (other,), [known], picked=False)
    assert (heard.offered, heard.slots) == ("named", ())
    assert telling(one, [other])


def test_listening_never_fails() -> None:
    """Any text is heard without an error."""
    rng = Random(3)
    signs = "aeio order number ?.,:;\n\t(){}[]'\"→é漢🙂 or which please " * 2
    for _ in range(300):
        text = "".join(rng.choice(signs) for _ in range(rng.randrange(60)))
        listen(text, gloss(ORDER), (gloss(tool("Cancel an order.")),), KNOWN, picked=rng.random() < 0.5)
        is_refusal(text)


def test_the_act_decides_where_several_acts_are_offered() -> None:
    """`create a task` among look-alikes that hold its thing: the rivals are those of the other acts offered."""
    names = ("update a task", "list project tasks", "create a task", "create a project")
    update, listing, create, project = (gloss(Tool(name=name.replace(" ", "_"), description=name)) for name in names)
    asked = "Do you want to update it, list project tasks or create a task?"
    offered, rivals = told_apart(asked, create, (update, listing, project))
    assert offered == "named"
    assert set(rivals) == {update, listing}


def test_a_thing_itself_is_no_question_for_its_id() -> None:
    """Nor after the user has picked once: the assistant may have to ask again."""
    wanted = tool("Delete an invoice.", invoice_id={"type": "string", "description": "ID of the invoice"})
    known = Known(slots(wanted)["invoice_id"], encode("53791"))
    for picked in (False, True):
        text = "Would that be the invoice itself, or an invoice reminder?"
        heard = listen(text, gloss(wanted), (gloss(tool("Delete an invoice reminder.")),), [known], picked=picked)
        assert (heard.offered, heard.slots) == ("named", ())


def test_the_wanted_act_is_never_denied() -> None:
    """Each verb of the lexicon, offered in each way to say it beside another act."""
    thing, asked = (Chunk("", "a content source"),), 0
    for verb in sorted(word_set("verbs")):
        rivals = [one for one in ("delete", "update", "create") if ways_to_say(one)[0] != ways_to_say(verb)[0]]
        for rival, way in ((rival, way) for rival in rivals for way in ways_to_say(verb)):
            for question in (f"Would you like to {way} it, or {rival} it?", f"Should I {rival} it or {way} it?"):
                assert told_apart(question, Gloss(verb, thing), (Gloss(rival, thing),))[0] != "others", question
                asked += 1
    assert asked > 1000

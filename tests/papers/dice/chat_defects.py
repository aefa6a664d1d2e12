"""The ten defects of group chats, planted in a clean one: each takes a chat, its tools by name and a generator.

A planter returns None where a chat has no place for its defect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from random import Random
from typing import Final

from msgspec.structs import replace

from callwright.lang.kinds import kind_of
from callwright.lang.surface import forms, mentions
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Call, Dialogue, GoldArgument, Turn
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

Planter = Callable[[Dialogue, Mapping[str, Tool], Random], Dialogue | None]


def _rounds(chat: Dialogue) -> list[int]:
    return [at for at, task in enumerate(chat.tasks) if task.gold]


def _with_turns(chat: Dialogue, changed: Mapping[int, Turn]) -> Dialogue:
    return replace(chat, turns=tuple(changed.get(at, turn) for at, turn in enumerate(chat.turns)))


def _people(chat: Dialogue, at: int) -> list[int]:
    """Positions of what people say in a round."""
    assert isinstance(chat.annotation, DiceNotes)
    first, end = chat.annotation.rounds[at].first, chat.tasks[at].turn or 0
    return [place for place in range(first, end + 1) if chat.role(chat.turns[place]) == "user"]


def _with_call(chat: Dialogue, at: int, values: Mapping[str, Json]) -> Dialogue:
    """The chat with other arguments in the gold call and in the call that the assistant makes."""
    task, turn = chat.tasks[at], (chat.tasks[at].turn or 0) + 1
    arguments = tuple(GoldArgument(name, (encode(value),)) for name, value in values.items())
    gold = replace(task.gold[0], arguments=arguments)
    step = chat.turns[turn].steps[0]
    made = replace(step, calls=(Call(gold.tool, encode(dict(values)), id=step.calls[0].id),))
    chat = _with_turns(chat, {turn: replace(chat.turns[turn], steps=(made,))})
    return replace(chat, tasks=tuple(replace(one, gold=(gold,)) if one is task else one for one in chat.tasks))


def wrong_type(chat: Dialogue, tools: Mapping[str, Tool], rng: Random) -> Dialogue | None:
    """A value of another JSON type."""
    at = rng.choice(_rounds(chat))
    values = dict(chat.tasks[at].gold[0].values)
    name = rng.choice(list(values))
    values[name] = {"value": values[name]} if isinstance(values[name], str) else str(values[name]) + " or so"
    return _with_call(chat, at, values)


def refusal(chat: Dialogue, tools: Mapping[str, Tool], rng: Random) -> Dialogue | None:
    """The assistant, or somebody, refuses as a model does."""
    place = rng.choice([at for at, turn in enumerate(chat.turns) if chat.role(turn) == "assistant"] + _people(chat, 0))
    text = rng.choice(
        [
            "I'm sorry, but I can't help with that.",
            "As an AI language model, I can't do this.",
            "I am unable to assist with this request.",
            "Sorry, I cannot process that.",
            "I'm afraid I can't do that.",
        ]
    )
    return _with_turns(chat, {place: replace(chat.turns[place], text=text)})


def nobody_addresses(chat: Dialogue, tools: Mapping[str, Tool], rng: Random) -> Dialogue | None:
    """The request is made to nobody, or left out."""
    at = rng.choice(_rounds(chat))
    turn = chat.tasks[at].turn or 0
    text = re.sub(r",? ?\bAI\b,?", "", chat.turns[turn].text).strip()
    return _with_turns(chat, {turn: replace(chat.turns[turn], text=text)})


def function_named(chat: Dialogue, tools: Mapping[str, Tool], rng: Random) -> Dialogue | None:
    """Somebody says the name of the function, as it is written or in another spelling."""
    at = rng.choice(_rounds(chat))
    name = chat.tasks[at].gold[0].tool
    if name.isalpha() and name.islower():
        return None
    parts = re.split(r"[_\-.]", name)
    spelt = rng.choice([name, name, parts[0] + "".join(part.title() for part in parts[1:]) + "()"])
    turn = rng.choice(_people(chat, at))
    text = f"{chat.turns[turn].text[:-1]} with {spelt}{chat.turns[turn].text[-1]}"
    return _with_turns(chat, {turn: replace(chat.turns[turn], text=text)})


def _saying(chat: Dialogue, at: int, tools: Mapping[str, Tool], name: str) -> list[int]:
    gold = chat.tasks[at].gold[0]
    kind = kind_of(name, tools[gold.tool].properties[name])
    day = date.fromisoformat(chat.today)
    places = range((chat.tasks[at].turn or 0) + 1)
    return [place for place in places if mentions(chat.turns[place].text, gold.values[name], kind, today=day)]


def _one_known(chat: Dialogue, rng: Random) -> tuple[int, str] | None:
    """A round, and a parameter whose value somebody says there."""
    assert isinstance(chat.annotation, DiceNotes)
    places = [(at, one.parameter) for at in _rounds(chat) for one in chat.annotation.rounds[at].known]
    return rng.choice(places) if places else None


def value_missing(chat: Dialogue, tools: Mapping[str, Tool], rng: Random) -> Dialogue | None:
    """Nobody says a value: the turns that have it say something else."""
    known = _one_known(chat, rng)
    if known is None:
        return None
    turns = _saying(chat, *known[:1], tools, known[1])
    text = rng.choice(["You know that one.", "As usual.", "I'd have to look.", "The one from last time."])
    return _with_turns(chat, {turn: replace(chat.turns[turn], text=text) for turn in turns}) if turns else None


def _another(value: Json, tool: Tool, name: str, rng: Random) -> Json:
    """Another value of the same form."""
    schema = tool.properties[name]
    choices = [one for one in schema.get("enum", []) if one != value] if isinstance(schema, dict) else []
    if choices:
        return rng.choice(choices)
    if isinstance(value, int | float):
        return value + rng.randint(1, 9)
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return f"{value[:8]}{(int(value[8:]) + 2) % 28 + 1:02}"
    if isinstance(value, str) and any(map(str.isdigit, value)):
        return re.sub(r"\d", lambda digit: str((int(digit[0]) + 3) % 10), value)
    return "Harbour Works" if value != "Harbour Works" else "Northgate"


def value_contradicted(chat: Dialogue, tools: Mapping[str, Tool], rng: Random) -> Dialogue | None:
    """Somebody corrects a value after it was said; the call keeps the old one."""
    known = _one_known(chat, rng)
    if known is None:
        return None
    at, name = known
    gold = chat.tasks[at].gold[0]
    value = _another(gold.values[name], tools[gold.tool], name, rng)
    kind = kind_of(name, tools[gold.tool].properties[name])
    spoken = forms(value, kind, date.fromisoformat(chat.today))[0]
    spoken = f'"{spoken}"' if kind in ("title", "text", "enum") else spoken
    turn = (chat.tasks[at].turn or 0) - 1
    if turn not in _people(chat, at):
        return None
    text = rng.choice(["No, wait, {}.", "Sorry, I meant {}.", "Make it {} instead.", "Better take {}."]).format(spoken)
    return (
        _with_turns(chat, {turn: replace(chat.turns[turn], text=text)})
        if turn not in _saying(chat, at, tools, name)
        else _with_turns(
            chat, {turn: replace(chat.turns[turn], text=chat.turns[turn].text[:-1] + f", or rather {spoken}.")}
        )
    )


def result_ignored(chat: Dialogue, tools: Mapping[str, Tool], rng: Random) -> Dialogue | None:
    """A later call has another value than the result that it should take."""
    assert isinstance(chat.annotation, DiceNotes)
    places = [(at, one.parameter) for at in _rounds(chat) for one in chat.annotation.rounds[at].taken]
    if not places:
        return None
    at, name = rng.choice(places)
    gold = chat.tasks[at].gold[0]
    value = _another(gold.values[name], tools[gold.tool], name, rng)
    return _with_call(chat, at, {**gold.values, name: value})


def persona_swapped(chat: Dialogue, tools: Mapping[str, Tool], rng: Random) -> Dialogue | None:
    """Two people change places: in the turns of a round, or in their descriptions."""
    users = [who for who in chat.participants if who.role == "user"]
    a, b = rng.sample(users, 2)
    if rng.random() < 0.5:
        if "Knows" not in a.persona + b.persona:
            return None
        other = {a.id: b.persona, b.id: a.persona}
        people = tuple(replace(who, persona=other.get(who.id, who.persona)) for who in chat.participants)
        return replace(chat, participants=people)
    assert isinstance(chat.annotation, DiceNotes)
    rounds = [
        at for at in _rounds(chat) if {one.participant for one in chat.annotation.rounds[at].known} & {a.id, b.id}
    ]
    if not rounds:
        return None
    swap = {a.id: b.id, b.id: a.id}
    places = _people(chat, rng.choice(rounds))
    changed = {
        at: replace(chat.turns[at], speaker=swap.get(chat.turns[at].speaker, chat.turns[at].speaker)) for at in places
    }
    return _with_turns(chat, changed)


def speakers_merged(chat: Dialogue, tools: Mapping[str, Tool], rng: Random) -> Dialogue | None:
    """What two people say one after the other stands in one turn, with or without the second one's name."""
    places = [at for task in _rounds(chat) for at in _people(chat, task)[:-2]]
    if not places:
        return None
    at = rng.choice(places)
    one, two = chat.turns[at], chat.turns[at + 1]
    name = next(who.name for who in chat.participants if who.id == two.speaker)
    text = rng.choice([f"{one.text} {two.text}", f"{one.text} {name}: {two.text}"])
    return _with_turns(chat, {at: replace(one, text=text)})


def wrong_round(chat: Dialogue, tools: Mapping[str, Tool], rng: Random) -> Dialogue | None:
    """The calls of two rounds change places, or one is made before it is asked for."""
    rounds = _rounds(chat)
    if len(rounds) < 2 or rng.random() < 0.3:
        turn = (chat.tasks[rounds[0]].turn or 0) + 1
        steps = chat.turns[turn].steps
        early = replace(chat.turns[turn - 1], steps=steps)
        return _with_turns(chat, {turn: replace(chat.turns[turn], steps=()), turn - 1: early})
    a, b = rng.sample(rounds, 2)
    ta, tb = (chat.tasks[a].turn or 0) + 1, (chat.tasks[b].turn or 0) + 1
    changed = {
        ta: replace(chat.turns[ta], steps=chat.turns[tb].steps),
        tb: replace(chat.turns[tb], steps=chat.turns[ta].steps),
    }
    golds = {a: chat.tasks[b].gold, b: chat.tasks[a].gold} if rng.random() < 0.5 else {}
    tasks = tuple(replace(one, gold=golds.get(at, one.gold)) for at, one in enumerate(chat.tasks))
    return replace(_with_turns(chat, changed), tasks=tasks)


DEFECTS: Final[dict[str, Planter]] = {
    one.__name__: one
    for one in (
        wrong_type,
        refusal,
        nobody_addresses,
        function_named,
        value_missing,
        value_contradicted,
        result_ignored,
        persona_swapped,
        speakers_merged,
        wrong_round,
    )
}

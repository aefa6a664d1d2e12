"""Defects to plant: each function gives a dialogue with one fault, or None where the dialogue has no room for it.

They know nothing of how the validator looks for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from random import Random

from msgspec.structs import replace

from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, slots
from callwright.lang.surface import forms, say
from callwright.records.dialogue import Call, Dialogue, Step, Turn
from callwright.records.jsontext import Json, JsonText, decode
from callwright.records.tool import Tool
from diaforge_builders import bundled, notes_of, tools_of, with_arguments, with_text, with_turn

Plant = Callable[[Dialogue, Random], Dialogue | None]
PLANTS: dict[str, Plant] = {}


def plant(make: Plant) -> Plant:
    """Register a defect under its function's name."""
    PLANTS[make.__name__] = make
    return make


def gold_tool(dialogue: Dialogue) -> Tool:
    """The document of the tool that is meant."""
    return bundled().by_name[notes_of(dialogue).gold_tool]


def gold_values(dialogue: Dialogue) -> dict[str, Json]:
    """The gold arguments."""
    return dict(dialogue.tasks[0].gold[0].values)


def day_of(dialogue: Dialogue) -> date | None:
    """The day of the conversation."""
    return date.fromisoformat(dialogue.today) if dialogue.today else None


def words_for(dialogue: Dialogue, slot: Slot, value: Json, rng: Random) -> str:
    """A value as a person says it."""
    return say(value, slot.kind, rng=rng, today=day_of(dialogue))


def told(dialogue: Dialogue) -> Iterator[tuple[int, Slot, Json]]:
    """Turn, slot and value of everything the user tells, yes and no apart."""
    values, by_name = gold_values(dialogue), slots(gold_tool(dialogue))
    for entry in notes_of(dialogue).disclosed:
        slot = by_name[entry.parameter]
        if entry.parameter in values and slot.kind not in ("boolean", "object", "list", "other"):
            yield entry.turn, slot, values[entry.parameter]


def one_told(dialogue: Dialogue, rng: Random, *, kinds: frozenset[str] | None = None) -> tuple[int, Slot, Json] | None:
    """One of them at random, of some kinds."""
    found = [entry for entry in told(dialogue) if kinds is None or (entry[1].kind in kinds and _is_plain(entry[2]))]
    return rng.choice(found) if found else None


def _is_plain(value: Json) -> bool:
    """Whether a value is plainly one: a user name such as `cwalsh` is a word to those who do not know it."""
    return not isinstance(value, str) or any(letter.isdigit() or letter.isupper() or letter == "@" for letter in value)


EXACT = frozenset(("code", "email", "phone", "person", "date", "money"))


def another(slot: Slot, value: Json, rng: Random) -> Json:
    """A value of the same sort that is not `value`."""
    if slot.kind == "date":
        return (date.fromisoformat(value) + timedelta(days=rng.randint(3, 20))).isoformat()
    if slot.kind == "person":
        return rng.choice(("Wilhelmina Okonkwo-Bray", "Casimir Vance", "Tadeusz Orlowski"))
    if slot.kind == "email":
        return f"casimir.vance{rng.randint(2, 9)}@larkfield.example"
    if slot.kind == "enum":
        choices = [choice for choice in _choices(slot) if choice != value]
        return rng.choice(choices) if choices else "something else"
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value * 2 + 3
    if any(c.isdigit() for c in value):
        return re.sub(r"\d", lambda digit: str((int(digit[0]) + 3) % 10), value)
    if slot.kind == "code":
        return f"x{value}"
    return rng.choice(("the blue folder on the left", "Halvorsen Brothers", "nothing in particular"))


def _choices(slot: Slot) -> list[str]:
    found = decode(slot.schema).get("enum")
    return [choice for choice in found if isinstance(choice, str)] if isinstance(found, list) else []


def reworded(dialogue: Dialogue, text: str, slot: Slot, value: Json, words: str) -> str | None:
    """The text with every form of a value replaced by other words; None where no form is found."""
    ways = sorted(forms(value, slot.kind, day_of(dialogue)), key=len, reverse=True)
    pattern = "|".join(rf"(?<!\w){re.escape(way)}(?!\w)" for way in ways)
    changed, count = re.subn(pattern, lambda _: words, text, flags=re.IGNORECASE)
    return changed if count else None


def assistant_turns(dialogue: Dialogue) -> list[int]:
    """Positions of the assistant's turns before the last."""
    return list(range(1, len(dialogue.turns) - 1, 2))


def says_too(dialogue: Dialogue, position: int, words: str) -> Dialogue:
    """The dialogue with words added to a turn."""
    return with_text(dialogue, position, f"{dialogue.turns[position].text} {words}")


# -- names and identifiers -------------------------------------------------------------------------------------------


@plant
def leaked_tool_name(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The assistant names a tool of the pool."""
    name = rng.choice(dialogue.tools).name
    return says_too(dialogue, len(dialogue.turns) - 1, f"Calling {name}.")


@plant
def tool_named_by_the_user(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The user asks for the tool by its name."""
    return with_text(dialogue, 0, f"Please run {gold_tool(dialogue).name} for me.")


@plant
def leaked_parameter_identifier(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The assistant asks for a parameter by its identifier."""
    names = [name for name in gold_values(dialogue) if "_" in name]
    places = assistant_turns(dialogue)
    if not names or not places:
        return None
    return with_text(dialogue, places[-1], f"What is the {rng.choice(names)}?")


@plant
def schema_words_said(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The assistant talks of parameters."""
    places = assistant_turns(dialogue)
    line = rng.choice(("Please provide the required parameters.", "The tool call needs one more parameter value."))
    return with_text(dialogue, rng.choice(places), line) if places else None


# -- values ----------------------------------------------------------------------------------------------------------


@plant
def value_before_due(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The user says a value in an earlier turn than the one it is due in."""
    found = one_told(dialogue, rng)
    if found is None or found[0] == 0:
        return None
    turn, slot, value = found
    early = rng.randrange(0, turn, 2)
    return says_too(dialogue, early, f"The {slot.noun.text} is {words_for(dialogue, slot, value, rng)}.")


@plant
def value_never_in_words(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The turn in which a value is due does not hold it."""
    found = one_told(dialogue, rng)
    if found is None:
        return None
    turn, slot, value = found
    text = reworded(dialogue, dialogue.turns[turn].text, slot, value, "what we agreed on")
    return with_text(dialogue, turn, text) if text else None


@plant
def value_not_disclosed(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The assistant calls with a value that nobody was to say."""
    notes = notes_of(dialogue)
    if not notes.disclosed:
        return None
    left = rng.choice(notes.disclosed)
    kept = tuple(entry for entry in notes.disclosed if entry != left)
    return replace(dialogue, annotation=replace(notes, disclosed=kept))


@plant
def value_replaced(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The user says another value than the gold one where it is due."""
    found = one_told(dialogue, rng)
    if found is None:
        return None
    turn, slot, value = found
    wrong = words_for(dialogue, slot, another(slot, value, rng), rng)
    text = reworded(dialogue, dialogue.turns[turn].text, slot, value, wrong)
    return with_text(dialogue, turn, text) if text else None


@plant
def value_contradicted(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The user says the gold value, then another of the same sort, and means the latter."""
    found = one_told(dialogue, rng, kinds=EXACT)
    if found is None:
        return None
    turn, slot, value = found
    wrong = words_for(dialogue, slot, another(slot, value, rng), rng)
    return says_too(dialogue, turn, f"Or rather {wrong}, that's the right one.")


@plant
def value_invented(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The user speaks of a number, a day or a sum that the scenario does not hold."""
    found = one_told(dialogue, rng, kinds=EXACT)
    if found is None:
        return None
    turn, slot, value = found
    wrong = words_for(dialogue, slot, another(slot, value, rng), rng)
    position = rng.choice([at for at in range(0, len(dialogue.turns), 2) if at != turn] or [turn])
    return says_too(dialogue, position, f"It was {wrong} the last time.")


@plant
def value_changed_later(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The user takes a value back in a later turn; the call has the first one."""
    found = one_told(dialogue, rng, kinds=EXACT)
    if found is None or found[0] >= len(dialogue.turns) - 2:
        return None
    turn, slot, value = found
    wrong = words_for(dialogue, slot, another(slot, value, rng), rng)
    return says_too(
        dialogue, rng.randrange(turn + 2, len(dialogue.turns), 2), f"And make the {slot.noun.text} {wrong}."
    )


@plant
def value_from_the_assistant(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The assistant says a value before the user does."""
    found = one_told(dialogue, rng, kinds=EXACT)
    if found is None or found[0] == 0:
        return None
    turn, slot, value = found
    position = rng.randrange(1, turn, 2)
    return says_too(dialogue, position, f"Is it {words_for(dialogue, slot, value, rng)}?")


@plant
def value_invented_by_the_assistant(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The assistant confirms a value that nobody said."""
    found = one_told(dialogue, rng, kinds=EXACT)
    if found is None:
        return None
    _, slot, value = found
    wrong = words_for(dialogue, slot, another(slot, value, rng), rng)
    return says_too(dialogue, len(dialogue.turns) - 1, f"I have noted {wrong} as the {slot.noun.text}.")


@plant
def values_swapped_in_words(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The user says two values each in the place of the other."""
    pairs = [
        (one, other)
        for one in told(dialogue)
        for other in told(dialogue)
        if one[0] == other[0] and one[1].name < other[1].name and one[2] != other[2]
    ]
    if not pairs:
        return None
    (turn, first, a), (_, second, b) = rng.choice(pairs)
    said_a, said_b = words_for(dialogue, first, a, rng), words_for(dialogue, second, b, rng)
    frame = rng.choice(_SWAPS)
    return with_text(dialogue, turn, frame.format(n=first.noun.text, v=said_b, m=second.noun.text, w=said_a))


_SWAPS = (
    "The {n} is {v}, and the {m} is {w}.",
    "{v} is the {n}, and {w} is the {m}.",
    "Please put {v} as the {n}, and {w} for the {m}.",
    "For the {n}: {v}. And the {m}: {w}.",
    "Sure. The {n} should be {v}, the {m} should be {w}.",
)


@plant
def values_swapped_in_the_call(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The call has two values each in the place of the other."""
    values = gold_values(dialogue)
    names = [name for name in values if values[name] != next(iter(values.values()))]
    if not names:
        return None
    first, second = next(iter(values)), rng.choice(names)
    return with_arguments(dialogue, values | {first: values[second], second: values[first]})


# -- the call --------------------------------------------------------------------------------------------------------


def _with_calls(dialogue: Dialogue, position: int, calls: tuple[Call, ...]) -> Dialogue:
    turn = dialogue.turns[position]
    steps = (replace(turn.steps[0] if turn.steps else Step("so I act"), calls=calls), *turn.steps[1:])
    return with_turn(dialogue, position, replace(turn, steps=steps))


@plant
def wrong_tool_called(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """Another tool of the pool is called."""
    names = [tool.name for tool in dialogue.tools if tool.name != gold_tool(dialogue).name]
    call = dialogue.turns[-1].calls[0]
    return _with_calls(dialogue, len(dialogue.turns) - 1, (replace(call, tool=rng.choice(names)),)) if names else None


@plant
def unknown_tool_called(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """A tool is called that nobody showed."""
    call = dialogue.turns[-1].calls[0]
    return _with_calls(dialogue, len(dialogue.turns) - 1, (replace(call, tool=f"{call.tool}_v2"),))


@plant
def no_call_made(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The assistant says it is done and calls nothing."""
    return _with_calls(dialogue, len(dialogue.turns) - 1, ())


@plant
def call_too_early(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The call is made before the last turn."""
    places = assistant_turns(dialogue)
    if not places:
        return None
    moved = _with_calls(dialogue, len(dialogue.turns) - 1, ())
    return _with_calls(moved, rng.choice(places), dialogue.turns[-1].calls)


@plant
def two_calls(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The call is made twice."""
    return _with_calls(dialogue, len(dialogue.turns) - 1, dialogue.turns[-1].calls * 2)


@plant
def argument_missing(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """An argument is left out."""
    values = gold_values(dialogue)
    if not values:
        return None
    left = rng.choice(sorted(values))
    return with_arguments(dialogue, {name: value for name, value in values.items() if name != left})


@plant
def argument_superfluous(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """A documented argument that nobody asked for is given; where there is none, one made up."""
    values, tool = gold_values(dialogue), gold_tool(dialogue)
    more = [name for name in tool.properties if name not in values]
    return with_arguments(dialogue, values | {rng.choice(more) if more else "priority": "high"})


@plant
def argument_wrong(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """An argument has another value."""
    values, by_name = gold_values(dialogue), slots(gold_tool(dialogue))
    if not values:
        return None
    name = rng.choice(sorted(values))
    return with_arguments(dialogue, values | {name: another(by_name[name], values[name], rng)})


@plant
def arguments_malformed(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The arguments are no JSON object."""
    call = dialogue.turns[-1].calls[0]
    text = rng.choice((call.arguments[:-1], "[]", "null", "", f'"{"x" * 9}"'))
    return _with_calls(dialogue, len(dialogue.turns) - 1, (replace(call, arguments=JsonText(text)),))


@plant
def seed_tool_not_shown(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The tool that is meant is not in the pool."""
    left = tuple(tool for tool in dialogue.tools if tool.name != gold_tool(dialogue).name)
    return replace(dialogue, tools=left)


# -- form ------------------------------------------------------------------------------------------------------------


@plant
def alternation_broken(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """A turn in the middle is lost."""
    if len(dialogue.turns) < 3:
        return None
    lost = rng.randrange(1, len(dialogue.turns) - 1)
    return replace(dialogue, turns=(*dialogue.turns[:lost], *dialogue.turns[lost + 1 :]))


@plant
def ends_with_the_user(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The user has the last word."""
    return replace(dialogue, turns=(*dialogue.turns, Turn("user", "Wonderful.")))


@plant
def thought_missing(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """A turn of the assistant has no thought."""
    position = rng.randrange(1, len(dialogue.turns), 2)
    turn = dialogue.turns[position]
    steps = tuple(replace(step, thought=rng.choice(("", " \n"))) for step in turn.steps)
    return with_turn(dialogue, position, replace(turn, steps=steps))


@plant
def thought_said_aloud(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The assistant says what it thinks."""
    position = rng.randrange(1, len(dialogue.turns), 2)
    turn = dialogue.turns[position]
    return with_text(dialogue, position, f"{turn.thought} {turn.text}")


@plant
def thought_said_in_part(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The assistant says one sentence of what it thinks, capitals and spaces apart."""
    position = rng.randrange(1, len(dialogue.turns), 2)
    turn = dialogue.turns[position]
    sentence = max(re.split(r"(?<=[.:;])\s+", turn.thought), key=len).lower().replace(" ", "  ")
    return with_text(dialogue, position, f"{turn.text} {sentence}")


@plant
def empty_text(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """Somebody says nothing."""
    return with_text(dialogue, rng.randrange(len(dialogue.turns)), rng.choice(("", " ", "\n\t")))


@plant
def user_thinks(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """A user's turn has a thought."""
    position = rng.randrange(0, len(dialogue.turns), 2)
    return with_turn(dialogue, position, replace(dialogue.turns[position], steps=(Step("I'd rather not say."),)))


# -- speech ----------------------------------------------------------------------------------------------------------


@plant
def opening_tells_all(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The first request says everything that tells the tool apart."""
    own = gloss(gold_tool(dialogue))
    rivals = [gloss(tool) for tool in tools_of(dialogue).values() if tool != gold_tool(dialogue)]
    if not rivals or any(own.stems <= rival.stems for rival in rivals):
        return None  # then these words still leave a choice
    return with_text(dialogue, 0, f"Hello, I'd like to {own.phrase}, please.")


@plant
def description_copied(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The first request is the description of the tool."""
    own = gloss(gold_tool(dialogue))
    rivals = [gloss(tool) for tool in tools_of(dialogue).values() if tool != gold_tool(dialogue)]
    if not rivals or any(own.stems <= rival.stems for rival in rivals):
        return None
    return with_text(dialogue, 0, gold_tool(dialogue).description)


@plant
def another_tool_meant(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The user picks another tool of the pool than the one that is called."""
    own = gloss(gold_tool(dialogue))
    picks = [at for at, turn in enumerate(dialogue.turns) if turn.steps and turn.steps[0].act == "answer:pick"]
    rivals = [gloss(tool) for tool in tools_of(dialogue).values() if tool != gold_tool(dialogue)]
    clear = [rival for rival in rivals if rival.object_stems - own.stems]
    if not picks or not clear:
        return None
    return with_text(dialogue, picks[0], f"What I need is to {rng.choice(clear).phrase}, please.")


@plant
def turn_repeated(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """A speaker says what they said before, capitals apart."""
    side = rng.choice((0, 1))
    places = list(range(side, len(dialogue.turns), 2))
    if len(places) < 2:
        return None
    first, second = sorted(rng.sample(places, 2))
    return with_text(dialogue, second, dialogue.turns[first].text.upper())


@plant
def word_doubled(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """A small word stands twice."""
    places = [at for at, turn in enumerate(dialogue.turns) if re.search(r"\b(?:the|to|is|it|for)\b", turn.text)]
    if not places:
        return None
    position = rng.choice(places)
    text = re.sub(r"\b(the|to|is|it|for)\b", r"\1 \1", dialogue.turns[position].text, count=1)
    return with_text(dialogue, position, text)


@plant
def article_clashes(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """`a` stands where `an` belongs."""
    line = rng.choice(("It is for a employee of ours.", "I wrote an letter about it.", "That was a urgent matter."))
    return says_too(dialogue, rng.randrange(0, len(dialogue.turns), 2), line)


@plant
def assistant_only_chats(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The assistant says something that asks nothing, and waits."""
    places = assistant_turns(dialogue)
    line = rng.choice(("That sounds good.", "I see. It is a fine day.", "Your colleague had the same matter."))
    return with_text(dialogue, rng.choice(places), line) if places else None


@plant
def assistant_asks_and_calls(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """The assistant asks for a value in the turn in which it calls."""
    nouns = [slot.noun.text for slot in slots(gold_tool(dialogue)).values()]
    return says_too(dialogue, len(dialogue.turns) - 1, f"What is the {rng.choice(nouns)}?") if nouns else None


def no_fit(dialogue: Dialogue) -> Dialogue:
    """The same dialogue as one in which no tool fits."""
    notes = replace(notes_of(dialogue), tool_fits=False)
    return replace(dialogue, tasks=(replace(dialogue.tasks[0], kind="chat", gold=()),), annotation=notes)


@plant
def call_where_none_fits(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """A tool is called although none fits."""
    return no_fit(dialogue)


def wrong_type(values: dict[str, Json]) -> dict[str, Json]:
    """Every value wrapped in a list."""
    return {name: [value] for name, value in values.items()}


@plant
def argument_of_wrong_type(dialogue: Dialogue, rng: Random) -> Dialogue | None:
    """Arguments are lists where single values belong."""
    values = gold_values(dialogue)
    return with_arguments(dialogue, wrong_type(values)) if values else None

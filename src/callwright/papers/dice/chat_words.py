"""The offline voices of a group chat: each move in words, from the phrases of its type of dialogue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple

import msgspec

from callwright.author.briefs import Known
from callwright.author.grammar import Frame, bank_file, compile_frame, write
from callwright.catalog.chunks import Chunk
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, slots
from callwright.environment.told_fields import is_reference
from callwright.environment.told_results import (
    LONGEST,
    field_clause,
    listed_clause,
    listed_field,
    listed_names,
    reference_given,
    so_many,
    telling_fields,
)
from callwright.environment.tool_target import ToldPlace, target_of, told_places
from callwright.lang.english import is_noun, is_plural, join_with, plural, sentence_case, ways_to_say
from callwright.lang.nouns import slot_noun
from callwright.lang.schemas import name_words
from callwright.lang.surface import mentions, say_clearly
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKUPS, SEARCHES
from callwright.papers.dice.chat_filter import ENDS, known_as
from callwright.papers.dice.chat_orchestrator import Move
from callwright.papers.dice.chat_plan import ASSISTANT, TODAY, PlannedRound
from callwright.papers.dice.chat_things import BY_KEY
from callwright.papers.dice.chat_voices import Voice, voiced
from callwright.records.dialogue import Call, Step, Turn
from callwright.records.jsontext import Json, decode, encode
from callwright.records.pointer import resolve

_QUOTED: Final = ("text", "title", "enum")
_OPEN: Final = frozenset(("money", "date", "datetime", "time", "count", "number", "percent"))
"""Kinds of values that people bargain about; others are as they are."""
_UNTOLD: Final = ("value", "created", "updated", "modified", "count", "length")
"""Last words of fields that nobody tells."""
_KEYS: Final = frozenset(("code", "email", "phone", "url", "person"))
"""Kinds of values that are written as they are, also at the beginning of a sentence."""
_SUCCESS: Final = ("status", "state", "success", "message")
"""Last words of fields that only tell that an act was done."""
_NEWS: Final = frozenset(("money", "date", "time", "percent"))
"""Kinds of values that people want to hear after an act."""
_TELLING: Final = ("answer", "tell")
_MAKES: Final = frozenset("create design draft establish found generate make open".split())
_ALTERS: Final = frozenset("change customize edit modify rename replace update".split())
_MOST_LISTED: Final = 5
_TWO_AND_ASSISTANT: Final = 3


class SpokenSoFar(NamedTuple):
    """What the words of a round depend on."""

    manner: str
    names: Mapping[str, str]
    """Name by id of the participant."""
    at: int
    """Position of the round."""
    said: Sequence[str]
    """What the chat has so far."""
    voices: Mapping[str, Voice | None]
    """Voice by id of the participant."""
    used: set[str]
    """Phrases that the chat has so far; each that is drawn joins them."""
    threads: Mapping[str, Frame] = {}
    """What is said in moves that belong together: a doubt, its answer, and what comes of it."""


def bank_of(name: str) -> tuple[Frame, ...]:
    """Return the phrases of a bank such as `ask.inquiry`."""
    return bank_file("chat_words", home=__package__)[name]


def worded(move: Move, round_: PlannedRound, talk: SpokenSoFar, rng: Random) -> str:
    """Return the words of a move."""
    wish = _wish(round_, rng, is_request=move.act == "request")
    thing = re.sub("^(?:an?|one) ", "the ", gloss(round_.tool).chunks[0].text) if gloss(round_.tool).chunks else "that"
    fields = {"do": wish, "thing": thing, "got": _got(round_), "name": talk.names.get(move.to, "")}
    slot = slots(round_.tool)[move.parameter] if move.parameter else None
    frames = (talk.threads[move.act],) if move.act in talk.threads else _frames(move, round_, talk)
    fresh = [one for one in frames if one.source not in talk.used] or frames
    text = ""
    for _ in range(8):
        frame = rng.choice(fresh)
        if slot:
            fields |= words_for(known_as(slot), spoken(round_.values[move.parameter], slot, rng))
        text = frame.render(rng, fields)
        if not (slot and slot.kind in _KEYS and text.startswith(fields["value"])):
            text = sentence_case(text)
        text = _with_same(text, round_, rng) if move.act == "request" else text
        text = voiced(text, talk.voices.get(move.speaker), (*talk.names.values(), fields.get("value", "")))
        if text not in talk.said and (move.act not in _TELLING or _is_heard(text, round_, move.parameter)):
            break
    talk.used.add(frame.source)
    return text


def _is_heard(text: str, round_: PlannedRound, parameter: str) -> bool:
    """Whether a sentence leaves no doubt about its value: `the 11th seems fair` may be a floor."""
    return mentions(text, round_.values[parameter], slots(round_.tool)[parameter].kind, today=TODAY)


def words_for(the: str, value: str) -> dict[str, str]:
    """Return the fields of phrases about a value, whose noun may be one of several things."""
    many = is_plural(the) and is_plural(the.partition(" of ")[0])
    verbs = {"is": "are", "was": "were", "whats": "what are"} if many else {"is": "is", "was": "was", "whats": "what's"}
    return {"the": the, "noun": the.removeprefix("the "), "value": value, **verbs}


def threads_of(round_: PlannedRound, talk: SpokenSoFar, rng: Random) -> dict[str, Frame]:
    """Draw the threads of a round, by the act that each part belongs to; none that the chat had.

    A thread whose words may be heard as a value of the round is left out.
    """
    names = [f"talk.{talk.manner}", *(f"talk.{talk.manner}.{kind}" for kind in _kinds(gloss(round_.tool).act))]
    known = [(value, slots(round_.tool)[name].kind) for name, value in round_.values.items()]
    is_of_facts = talk.manner == "persuasion" and any(kind not in _OPEN for _, kind in known)
    banks = {
        ("doubt", "case", "settle" if talk.manner == "inquiry" else "yield"): names,
        ("react", "reply"): [f"react{'_fact' if is_of_facts else ''}.{talk.manner}"],
    }
    found: dict[str, Frame] = {}
    for acts, places in banks.items():
        threads = [one for name in places for one in bank_of(name)]
        fit = [one for one in threads if not any(mentions(one.source, *each, today=TODAY) for each in known)]
        drawn = rng.choice([one for one in fit if one.source not in talk.used] or fit or threads)
        talk.used.add(drawn.source)
        found |= dict(zip(acts, parts(drawn.source), strict=True))
    return found


def _kinds(act: str) -> Iterator[str]:
    """The banks of threads about an act: what people say of looking something up, of making, changing or ending it."""
    acts = {"look": LOOKUPS, "make": _MAKES, "change": _ALTERS, "end": ENDS}
    return (kind for kind, those in acts.items() if act in those)


@lru_cache(maxsize=1024)
def parts(source: str) -> tuple[Frame, ...]:
    """Return what is said in each turn of a thread."""
    return tuple(map(compile_frame, source.split(" >> ")))


def _frames(move: Move, round_: PlannedRound, talk: SpokenSoFar) -> tuple[Frame, ...]:
    manner = talk.manner
    if move.act == "request":
        is_of_several = manner != "inquiry" and len(talk.names) > _TWO_AND_ASSISTANT
        several = bank_of(f"request.{manner}.several") if is_of_several else ()
        return bank_of("request") + bank_of(f"request.{manner}") + several
    if move.act == "open" and talk.at:
        return bank_of(f"{'next' if round_.taken and not _is_told(round_) else 'also'}.{manner}")
    is_fact = move.parameter and slots(round_.tool)[move.parameter].kind not in _OPEN
    return bank_of(f"{move.act}{'_fact' if is_fact and manner == 'persuasion' else ''}.{manner}")


def _wish(round_: PlannedRound, rng: Random, *, is_request: bool) -> str:
    """Return what is to be done; what was returned before is `that ticket`, and in a request things are known."""
    told = gloss(round_.tool)
    verb = rng.choice(ways_to_say(told.verb)) if told.verb in ("get", "fetch", "obtain", "retrieve") else told.verb
    makes = told.act in CREATES | SEARCHES
    said = {slots(round_.tool)[name].noun.text for name in round_.holders if _is_plain(round_, name)}
    chunks = [
        _known(chunk, round_, with_the=is_request and not (makes and not at))
        for at, chunk in enumerate(told.chunks)
        if not at or not chunk.preposition or not any(chunk.text.endswith(noun) for noun in said)
    ]
    wish = " ".join((verb, *chunks))
    if is_request and round_.taken and not _is_told(round_):
        kind = slots(round_.tool)[round_.taken[0][0]].kind
        wish += f" {'for' if told.act in LOOKUPS or kind == 'code' else 'with'} {given(round_)}"
    return wish


def _is_plain(round_: PlannedRound, name: str) -> bool:
    """Whether a value is so plain that a wish need not name it: `book a table`, not `book a table on a date`."""
    return slots(round_.tool)[name].kind in ("date", "datetime", "time", "currency", "text", "count", "number", "money")


def _is_told(round_: PlannedRound) -> bool:
    """Whether the wish itself names what was returned before: `check that ticket`."""
    thing = given(round_)
    which = thing.removesuffix(_thing(round_))
    return bool(thing) and any(which in _known(chunk, round_, with_the=False) for chunk in gloss(round_.tool).chunks)


def _known(chunk: Chunk, round_: PlannedRound, *, with_the: bool) -> str:
    text = chunk.text
    which, thing = given(round_).removesuffix(_thing(round_)), _thing(round_)
    noun = text.split()[-1].lower()
    is_new = gloss(round_.tool).act in _MAKES and chunk is gloss(round_.tool).chunks[0]  # not `create that invoice`
    is_given = bool(thing) and " of " not in thing and _bare(text).endswith(_bare(thing.split()[-1]))
    if is_given and not is_new:  # `that lost deal`, not `list users` of that user
        text = which + re.sub(r"^(?:an?|the|one) ", "", text)
    elif not is_new and any(noun == one.split()[-1].lower() for one in _carried(round_)):
        text = re.sub(r"^(?:an?|the) ", "the same ", text)
    elif with_the:
        text = re.sub(r"^an? ", "the ", text)
    return f"{chunk.preposition} {text}" if chunk.preposition else text


def _bare(text: str) -> str:
    return text.replace(" ", "").lower()


def _with_same(text: str, round_: PlannedRound, rng: Random) -> str:
    """The request with what it shares with an earlier call: `same budget as before`."""
    things = _carried(round_)
    if not things or "the same " in text:
        return text
    return write(rng, bank_of("same"), {"text": text[:-1], "thing": things[0], "mark": text[-1]})


def _carried(round_: PlannedRound) -> list[str]:
    """What the call is about as an earlier one was."""
    return [BY_KEY.sub("", slots(round_.tool)[name].noun.text) for name in sorted(round_.carried)]


def given(round_: PlannedRound) -> str:
    """Return how people refer to what the round before returned: `the first leave request`; empty for nothing."""
    if not round_.taken:
        return ""
    is_listed = any(part.isdigit() for part in round_.taken[0][1].split("/"))
    return f"{'the first' if is_listed else 'that'} {_thing(round_)}"


def _thing(round_: PlannedRound) -> str:
    """What the round before returned the identifier of; empty for nothing."""
    return BY_KEY.sub("", slots(round_.tool)[round_.taken[0][0]].noun.text) if round_.taken else ""


def _got(round_: PlannedRound) -> str:
    """What the round before returned, as people name it to go on: `the ticket ID`."""
    if not round_.taken:
        return ""
    noun = slots(round_.tool)[round_.taken[0][0]].noun.text
    return f"the first {noun}" if given(round_).startswith("the first ") else f"the {noun}"


def spoken(value: Json, slot: Slot, rng: Random) -> str:
    """Return a value as people say it; titles, texts and choices in quotation marks."""
    drawn = (say_clearly(value, slot.kind, rng=rng, today=TODAY) for _ in range(4))
    text = next((one for one in drawn if one != value or slot.kind != "date"), str(value))  # nobody says 2026-03-18
    text = "1" if text == "one" else text  # `I noted one` may mean one of them
    return f'"{text}"' if slot.kind in _QUOTED and '"' not in text else text


def answer(round_: PlannedRound, after: PlannedRound | None, at: int, rng: Random, said: Sequence[str]) -> Turn:
    """Return the assistant's turn: its call with the planned result, and what it tells of it."""
    call = Call(round_.tool.name, encode(round_.values), id=f"call_{at + 1}")
    step = Step(calls=(call,), results=(msgspec.structs.replace(round_.result, call=call.id),))
    return Turn(ASSISTANT, reply(round_, after, rng, said), (step,))


def reply(round_: PlannedRound, after: PlannedRound | None, rng: Random, said: Sequence[str]) -> str:
    """Return what the assistant says after its call: what the next round needs of the result, and a little more."""
    done = gloss(round_.tool)
    told = list(_told(round_, after, rng))
    kind = (
        "act"
        if done.act not in LOOKUPS
        else "look"
        if told
        else "none"
        if done.act in SEARCHES and _is_empty(round_)
        else "bare"
    )
    fields = {"thing": re.sub(r"\b(?:an?|one) ", "the ", done.object)}
    lead = write(rng, bank_of(f"done.{kind}"), fields, recent=said[-2:])
    return " ".join([f"{lead.rstrip('.')}.", *told])


def _is_empty(round_: PlannedRound) -> bool:
    """Whether a look-up finds a list without anything in it."""
    returned = decode(round_.result.value) if round_.result.value is not None else None
    lists = [one for one in (returned.values() if isinstance(returned, dict) else [returned]) if isinstance(one, list)]
    return bool(lists) and not any(lists)


def _told(round_: PlannedRound, after: PlannedRound | None, rng: Random) -> Iterator[str]:
    returned = decode(round_.result.value) if round_.result.value is not None else None
    needed = {pointer: slots(after.tool)[name] for name, pointer in after.taken} if after else {}
    bank = "told" if gloss(round_.tool).act in LOOKUPS else "told.made"
    if any(part.isdigit() for pointer in needed for part in pointer.split("/")):
        yield from _number(round_, returned, rng)
    for pointer, slot in needed.items():
        listed = any(part.isdigit() for part in pointer.split("/"))
        value = spoken(resolve(returned, pointer), slot, rng)
        yield _sentence(f"the {'first ' if listed else ''}{slot.noun.text}", value, rng, bank=bank)
    passed = {resolve(returned, pointer) for pointer in needed if isinstance(resolve(returned, pointer), (str, int))}
    if isinstance(returned, dict) and (asked := _list_asked_for(round_, returned)):
        returned = {asked: returned[asked]}
    told = [one for one in telling_fields(round_.tool, round_.values, returned) if one.value not in passed]
    told = [one for one in told if not _is_strange(one, round_)]
    act, reference = gloss(round_.tool).act, None
    if act not in LOOKUPS:  # that it is done was said, and names that nobody gave are no news
        if not needed and act not in CHANGES | ENDS:
            reference = reference_given(round_.tool, round_.values, returned)
        own = returned if isinstance(returned, dict) else {}
        told = [one for one in told if one.slot.kind in _NEWS and one.slot.name in own]
    if reference:
        yield _sentence(f"the {reference[0]}", reference[1], rng, bank=bank)
    for one in told[: 1 if needed or reference else 2]:
        yield f"{sentence_case(field_clause(rng, one, TODAY))}."
    if not told and not needed and not reference:
        alone = _answer(round_, returned)
        yield from [_sentence(*alone, rng)] if alone else _listed(round_, returned, rng)


def _list_asked_for(round_: PlannedRound, returned: Json) -> str:
    """The field of the list that was asked for, also beside the name of what it belongs to; empty for none."""
    chunk = gloss(round_.tool).chunks[0].text.lower() if gloss(round_.tool).chunks else ""
    if not isinstance(returned, dict) or not is_plural(chunk):
        return ""
    ends = [
        name
        for name, one in returned.items()
        if isinstance(one, list) and name_words(name)[-1:] == (chunk.split()[-1],)
    ]
    return ends[0] if len(ends) == 1 else ""


def _number(round_: PlannedRound, returned: Json, rng: Random) -> Iterator[str]:
    """How many there are of what a result lists, where it is more than one."""
    _, (_, noun, count) = _items_of(round_, returned)
    if count > 1:
        yield _counted(count, noun, rng)


def _counted(count: int, noun: str, rng: Random) -> str:
    there = "There is" if count == 1 else "There are"
    return write(rng, bank_of("told.number"), {"There": there, "n": so_many(count, noun)})


def _items_of(round_: PlannedRound, returned: Json) -> tuple[list[ToldPlace], tuple[tuple[str, ...], str, int]]:
    """The items of a list, and its names, noun and number; none of other results."""
    target = target_of(round_.tool)
    items = [place for place in told_places(target, returned) if place.role == "item"]
    is_list = target.act == "list" or bool(_list_asked_for(round_, returned))
    return items, listed_names(returned, items) if items and is_list else ((), "", 0)


def _answer(round_: PlannedRound, returned: Json) -> tuple[str, str] | None:
    """The noun and the value of the one text or number that was looked up or worked out; None for none or several."""
    if gloss(round_.tool).act in CREATES | CHANGES | ENDS or not isinstance(returned, dict):
        return None
    found = [(name, one) for name, one in returned.items() if type(one) in (str, int, float)]
    name, value = found[0] if len(found) == 1 else ("", "")
    if not name or name in round_.values or len(str(value)) > LONGEST or is_reference(name):
        return None
    is_of_reply = (name_words(name) or ("",))[-1] in _SUCCESS and (
        gloss(round_.tool).act not in LOOKUPS or not isinstance(value, str)
    )
    if is_of_reply:
        return None
    return _noun_of(name, round_), f'"{value}"' if isinstance(value, str) else str(value)


def _noun_of(name: str, round_: PlannedRound) -> str:
    return f"the {slot_noun(name, '', thing=target_of(round_.tool).noun).text}"


def _is_strange(one: Known, round_: PlannedRound) -> bool:
    """Whether nobody tells a result's field: when it was created, `the valid from value`, or what the call denies."""
    said = one.slot.noun.text.split()
    same = [round_.values[name] for name in round_.values if slots(round_.tool)[name].noun.text.split()[-1] == said[-1]]
    is_clause = is_plural(" ".join(said[:-1])) and said[-1].endswith("ing") and not is_noun(said[-1])  # `files using`
    return said[0] in ("page", "mime") or said[-1] in _UNTOLD or is_clause or (bool(same) and one.value not in same)


def _listed(round_: PlannedRound, returned: Json, rng: Random) -> Iterator[str]:
    """Tell the names of what a result lists, or how many there are."""
    items, (names, noun, count) = _items_of(round_, returned)
    if names:
        yield _sentence(f"the {noun if count == 1 else plural(noun)}", join_with([f'"{name}"' for name in names]), rng)
    elif each := [one for one in listed_field(items) if not _is_strange(one, round_)][:_MOST_LISTED]:
        yield f"{sentence_case(listed_clause(rng, each, TODAY))}."
    elif count:
        yield _counted(count, noun, rng)


def _sentence(the: str, value: str, rng: Random, *, bank: str = "told") -> str:
    fields = {"The": sentence_case(the), "the": the, "is": words_for(the, "")["is"], "value": value}
    return write(rng, bank_of(bank), fields)

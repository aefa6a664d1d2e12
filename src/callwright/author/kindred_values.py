"""Other values than the one that a document shows: what is of its kind, and texts of the kind that is asked for.

kindred.json   things of one kind: a document that shows `Italian` means any cuisine
written.json   texts by what they are written for: a message, a note, a sentence to be analysed
pairs.json     things that go together: a make and its model, a device and its fault
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from random import Random
from typing import Final

import msgspec

from callwright.author.contrasts import contrasted
from callwright.author.proper_names import is_person, other_name
from callwright.author.shown_values import Shown, others_shown, shown_by_name
from callwright.author.value_bank import Topic, score_topics, topics
from callwright.author.value_codes import usable_examples
from callwright.author.value_subject import slot_subject
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, slots
from callwright.lang.schemas import name_words, plain_schema, singular
from callwright.lang.tokens import stem, words
from callwright.match.schema import conforms
from callwright.records.jsontext import Json, decode, encode
from callwright.records.tool import Tool

_FREE: Final = ("title", "text", "code", "url", "other")
"""Kinds of values that a document shows one of, and that nothing else tells."""
_CLOSED: Final = frozenset("format payment direction sorting period status emoji tag list chatroom general".split())
"""Lists of titles of which a service knows only some."""
_ANY_TEXT: Final = frozenset("body content message text".split())
"""Words that do not tell what a text is written for."""
_DIGIT: Final = re.compile(r"\d")
_JOINT: Final = re.compile(r", ?")
_MOST_OF_THING: Final = 2
_TALK: Final = frozenset(
    "please thanks thank hello hi hey dear welcome congratulations sorry yes no ok okay test testing sample example "
    "message text comment note content world reminder".split()
)
"""Words of short texts that somebody says, or that only stand for a text: `Please review`, `Test message`."""
_TRIES: Final = 4
"""Draws of one value until the schema takes it: a name may be too long."""
_SHARE_SHOWN: Final = 0.06
"""Share of values that stay the one that a document shows, where others of its shape are known."""


class Pairs(msgspec.Struct, frozen=True):
    """Rows of things that go together."""

    about: tuple[str, ...]
    """Words of tools that they are for."""
    columns: tuple[tuple[str, ...], ...]
    """The words of parameters for each place of a row."""
    rows: tuple[tuple[str, ...], ...]


def with_kindred(rng: Random, tool: Tool, values: Mapping[str, Json], others: Sequence[Tool] = ()) -> dict[str, Json]:
    """Return the arguments of a call with other values of the same kind for those that a document shows one of.

    `others` are all tools of the document, which may show more values. Arguments of which nothing of their kind is
    known stay, and all do where the schema admits no others.
    """
    paired, shown = _paired(rng, tool, values), shown_by_name(tuple(others))
    found = dict(values) | paired
    for name in values:
        if name in slots(tool) and name not in paired:
            taken = [found[key] for key in found if key != name]
            for _ in range(_TRIES):
                one = _other(rng, slots(tool)[name], tool, values[name], taken, shown)
                if conforms(encode({**found, name: one}), tool):
                    found[name] = one
                    break
    return found if conforms(encode(found), tool) else dict(values)


def shown_alone(slot: Slot) -> str:
    """Return the only example that a document gives of a value; empty for none or several."""
    examples = _shown(slot)
    return examples[0] if len(examples) == 1 else ""


def _shown(slot: Slot) -> tuple[str, ...]:
    return tuple(usable_examples(plain_schema(decode(slot.schema))))


def _other(rng: Random, slot: Slot, tool: Tool, value: Json, taken: Sequence[Json], elsewhere: Shown) -> Json:
    if not isinstance(value, str) or slot.kind not in _FREE:
        return value
    shown = _shown(slot)
    alike = _alike(slot, tool, shown) if shown else ()
    if len(shown) == 1 and not alike and (renamed := _renamed(rng, slot, tool, shown[0], value)) not in ("", *taken):
        return renamed
    parts = _JOINT.split(shown[0]) if alike else [value]
    known = alike or (others_shown(slot, elsewhere) if value in shown[:1] else ()) or _written(slot, tool, shown)
    spared = shown if len(shown) == 1 else ()
    if spared and known and rng.random() < _SHARE_SHOWN and shown[0] not in taken:
        return shown[0]
    free = [one for one in known if one not in (*taken, *spared)]
    if len(free) < len(parts):
        return value
    joint = ", " if ", " in value else ","
    return joint.join(rng.sample(free, len(parts)))


def _renamed(rng: Random, slot: Slot, tool: Tool, shown: str, value: str) -> str:
    """Another name or code of the shape of the one that a document shows, or its text with other words of their sets.

    Empty where nothing of it may vary, and where the value is another already.
    """
    if _is_code(value):
        return value  # other digits, if any: `F#1` is no text
    if _DIGIT.sub("0", value) != _DIGIT.sub("0", shown):
        return ""
    subject = slot_subject(slot, tool)
    own = {singular(word) for word in words(f"{slot.label} {slot.description} {subject.about}")}
    is_name = slot.kind != "code" or " " in value
    varied = "" if is_name and is_person(value, subject.words, subject.thing) else contrasted(rng, value, own)
    varied = varied or (other_name(rng, value, subject.words, subject.thing) if is_name else "")
    is_kept = rng.random() < _SHARE_SHOWN or not varied
    return varied if not is_kept else value if varied or value != shown else ""


def _is_code(value: str) -> bool:
    return not any(map(str.isspace, value)) and any(map(str.isdigit, value))


@lru_cache(maxsize=8192)
def _alike(slot: Slot, tool: Tool, shown: tuple[str, ...]) -> tuple[str, ...]:
    """What is of the kind of all that a document shows, as it writes that; empty where no list has them all."""
    parts = [part for one in shown for part in _JOINT.split(one)]
    wanted = {part.casefold() for part in parts}
    fitting = [topic for topic in _things() if wanted <= {one.casefold() for one in topic.values}]
    if not fitting:
        return ()
    best = max(fitting, key=lambda topic: _likeness(topic, slot, tool))
    is_small = set(parts).isdisjoint(best.values) and all(map(str.islower, parts))  # `bitcoin` for `Bitcoin`
    return tuple(one.lower() for one in best.values) if is_small else best.values


@cache
def _things() -> tuple[Topic, ...]:
    titles = (topic for name, topic in topics("titles").items() if name not in _CLOSED)
    return (*topics("kindred").values(), *titles, *topics("things").values())


def _likeness(topic: Topic, slot: Slot, tool: Tool) -> int:
    """How many words a list shares with a parameter, which count twice, and with its tool."""
    own, about = set(_stems(slot.label)), set(_stems(f"{slot.description} {gloss(tool).phrase}"))
    listed = {stem(word) for word in topic.words}
    return 2 * len(listed & own) + len(listed & about)


def _stems(text: str) -> Iterator[str]:
    return (stem(word) for part in name_words(text) for word in words(part))


@lru_cache(maxsize=8192)
def _written(slot: Slot, tool: Tool, shown: tuple[str, ...]) -> tuple[str, ...]:
    """Texts of the kind that a tool is for, where no other list is nearer, with the one that a document shows.

    Empty where a document shows several texts or what is none (`F sharp` of a `note`), and where it shows none and the
    list is of texts of any kind.
    """
    if slot.kind != "text" or len(shown) > 1 or any(map(_is_name_of_something, shown)):
        return ()
    subject = slot_subject(slot, tool)
    asked = (subject.words, subject.gist, subject.about)
    score, values = score_topics("written", *asked)
    other, plain = score_topics("texts", *asked)
    named = next(topic.words for topic in topics("written").values() if topic.values == values)
    act = {stem(word) for word in words(subject.about)}  # a note on a payment is no note to oneself
    is_named = not act.isdisjoint(stem(word) for word in named if word not in _ANY_TEXT)
    if is_named and score >= other:
        return (*shown, *values)
    return (*shown, *plain) if shown and other > 0 else ()


def _is_name_of_something(text: str) -> bool:
    """Whether a text is no sentence but one or two words for a thing, as a bell's note and `broken stay` are."""
    said = text.casefold().split()
    is_said = text.rstrip().endswith((".", "!", "?")) or said[-1:] == [] or said[-1].endswith("ed")
    return len(said) <= _MOST_OF_THING and not is_said and _TALK.isdisjoint(re.findall(r"[a-z]+", text.casefold()))


def _paired(rng: Random, tool: Tool, values: Mapping[str, Json]) -> dict[str, Json]:
    """Values that go together, for the first list of pairs that two of these parameters are of."""
    free = {name for name in values if name in slots(tool) and slots(tool)[name].kind in _FREE}
    for pairs in _pairs():
        at = _places(pairs, tool, free)
        if len(at) > 1:
            row = rng.choice(pairs.rows)
            return {name: row[place] for name, place in at.items()}
    return {}


def _places(pairs: Pairs, tool: Tool, names: Collection[str]) -> dict[str, int]:
    """The parameters whose last word names a column, where the tool is about such things."""
    if set(_stems(gloss(tool).phrase)).isdisjoint(map(stem, pairs.about)):
        return {}
    last = {name: name_words(name)[-1:] for name in sorted(names)}
    found = {name: at for name, word in last.items() for at, column in enumerate(pairs.columns) if word[0] in column}
    return found if len(set(found.values())) == len(found) else {}


@cache
def _pairs() -> tuple[Pairs, ...]:
    source = (files("callwright.author") / "data" / "values" / "pairs.json").read_bytes()
    return tuple(msgspec.json.decode(source, type=dict[str, Pairs]).values())

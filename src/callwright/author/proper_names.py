"""Names that a document makes up, and others of their shape: of persons, of places, of what is named after one.

proper_names.json
    places               names of places
    openings, endings    what such names are made of: `Brook` and `field`
    heads                nouns that places and groups are called by: `Hillside Apiary`
    land                 those of them that are of land
    vessels              things of which each has a name that means nothing: boats, horses
    given                given names by which a person's name is known
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from random import Random
from typing import Final

import msgspec

from callwright.author.value_bank import draw_name, names
from callwright.author.value_codes import THING_NAMES
from callwright.lang.english import any_verb, is_adjective, is_noun
from callwright.lang.gazetteer import cities, country_by_any
from callwright.lang.kinds import kind_of
from callwright.lang.lexicon import word_set
from callwright.lang.schemas import singular

_PART: Final = re.compile(r"[^\W\d_a-zß-ÿ][\w'’-]*\w|[A-Z]\.|de|da|van|von|der|den")
_FORM_OF_ADDRESS: Final = re.compile(r"(?:Dr|Mrs?|Ms|Prof|Rev)\.? ")
_MOST_PARTS: Final = 4
_NAMING: Final = frozenset("name names title label nickname display full new".split())
_FIRM: Final = re.compile(
    r"[A-Z][\w'-]+((?: (?:&|and))? (?:Sons?|Daughters?|Brothers|Partners|Co\.?|Bros\.?|Ltd|Inc|GmbH|LLC))"
)
_BEFORE_NAME: Final = re.compile(r"\d{1,4}[a-zA-Z]? (?=\D+$)|The (?=[A-Z])")
"""The number of a house, before any name of a street; an article."""
_SAINTS: Final = frozenset("St Saint San Santa Mount Fort Port Le La El Los Las De Den".split())
"""First words of names that belong to the next one."""
_ROLES: Final = frozenset(
    "by chef cook nurse pilot vet coach judge host guide clerk guard captain mate friend parent mother father child "
    "boss chair witness referee foreman spouse heir client delegate accountant agent assistant apprentice attendant "
    "pupil fullname people staff".split()
)
"""Words of parameters that hold who somebody is, beside those that end as such words do; `by` stands for `done by`."""
_AGENT: Final = re.compile(r"[a-z]{2,14}(?:er|or|ist|ian|eer|man|woman|smith|wright)")
_NO_AGENTS: Final = frozenset(
    "number order letter folder header footer layer paper water weather color vector sensor motor monitor printer "
    "computer server router scanner filter timer counter container trailer carrier supplier vendor publisher provider "
    "dealer distributor retailer insurer center theater register identifier parameter pointer border corner power "
    "tower floor door error flavor chapter poster banner sticker quarter winter summer cover other whether answer "
    "offer transfer trigger browser loader compiler cluster sector indicator calculator harbor charter list".split()
)
"""Words that end as those for persons do, and are things or firms."""
_OF_KINDS: Final = frozenset(
    "type kind category class status state stage level grade size colour color material species breed variety strain "
    "style genre tag unit format mode method reason crop language currency country brand model product ingredient "
    "skill role permission field topic subject condition severity priority metric item".split()
)
"""Words of parameters whose values are kinds of things, not names of their own."""
_NO_PERSONS: Final = frozenset(
    "title film movie book song album make city town place location venue street road address station company firm "
    "organization organisation supplier vendor site building room region district area file folder document".split()
)
"""Words of parameters that hold names of other things, which may look like a person's."""
_BIRDS: Final = ("Heron", "Kingfisher", "Wren", "Skylark", "Curlew", "Plover", "Swift", "Petrel", "Tern")
_OF_THE_WORLD: Final = frozenset(
    "software os browser platform app application framework library engine editor provider carrier network operator "
    "bank payment gateway channel source integration client device phone manufacturer service protocol database cloud "
    "system tool mountain river lake sea ocean island planet star moon constellation galaxy element state province "
    "region continent airline airport song film movie book opera play game album piece title artist band composer "
    "author cuisine dish wine cheese grape drug medicine medication disease".split()
)
"""Words of parameters whose values are known to everybody, so that nobody may make up others."""
_SHORTEST: Final = 4
"""Letters of a name that means nothing; `Bb` is a key."""
_LOOK_AND_BIRD: Final = 2
_LOOKS: Final = ("Silver", "Blue", "Golden", "Northern", "Little", "Wandering", "Early", "Bright")


def other_name(rng: Random, example: str, words: Sequence[str], thing: str = "") -> str:
    """Return a name of the shape of the one that a document shows; empty where that is none, or of something real.

    `words` are those of the parameter, `thing` the noun of what its tool acts on.

    >>> other_name(Random(1), "Hillside Apiary", ("apiary",)).split()[1], other_name(Random(1), "Lisbon", ("name",))
    ('Apiary', '')
    """
    if not _OF_KINDS.isdisjoint(words) or example in cities() or example.casefold() in country_by_any():
        return ""
    if is_person(example, words, thing):
        return _other_person(rng, example)
    if firm := _FIRM.fullmatch(example):
        return draw_name(rng, None)[1] + firm[1]
    if before := _BEFORE_NAME.match(example):
        rest = example[before.end() :]
        is_street = before[0] != "The " and len(rest.split()) == _LOOK_AND_BIRD and is_head(rest.split()[1])
        named = f"{_draw_place(rng)} {rest.split()[1]}" if is_street else other_name(rng, rest, words, thing)
        return named and f"{before[0]}{named}"
    parts = example.split()
    if not parts or not all(one[0].isupper() and one.replace("'", "").isalpha() for one in parts):
        return ""
    own = own_nouns(words, thing)
    is_vessel = not own.isdisjoint(_lists()["vessels"])
    if len(parts) == 1:
        return _other_word(rng, example, words, is_vessel=is_vessel)
    if parts[0] in _given() and not is_head(parts[-1]) and not _is_word(parts[-1]):
        return _other_person(rng, example)  # a rose or a ship that is named after somebody
    is_named = len(parts) == _LOOK_AND_BIRD and _is_made_up(parts[0], words) and _is_word(parts[1])
    if is_head(parts[-1]) or is_named or singular(parts[-1].lower()) in own:
        return _renamed(rng, parts, rng.choice((*sorted(_lists()["places"]), *THING_NAMES)))
    return f"{rng.choice(_LOOKS)} {rng.choice(_BIRDS)}" if is_vessel and len(parts) == _LOOK_AND_BIRD else ""


def own_nouns(words: Sequence[str], thing: str) -> frozenset[str]:
    """Return the nouns of what a parameter names: of `boat_name` boat, of a bare `name` what the tool acts on."""
    said = [word for word in words if word not in _NAMING] or thing.lower().split()[-1:]
    return frozenset(map(singular, said))


def _is_made_up(word: str, words: Sequence[str]) -> bool:
    """Whether a word means nothing, and no parameter of these words tells that it is known to everybody."""
    return len(word) >= _SHORTEST and word[1:].islower() and not _is_word(word) and _OF_THE_WORLD.isdisjoint(words)


def _other_word(rng: Random, example: str, words: Sequence[str], *, is_vessel: bool) -> str:
    """Another name of one word; empty for a word that has a meaning."""
    if is_placelike(example):
        return _draw_place(rng)
    if is_vessel and example in _given():
        return draw_name(rng, None)[0]
    return rng.choice(THING_NAMES) if is_vessel or (words[-1:] == ("name",) and _is_made_up(example, words)) else ""


def _draw_place(rng: Random) -> str:
    return rng.choice(sorted(_lists()["places"]))


def _renamed(rng: Random, parts: Sequence[str], named: str) -> str:
    """Another proper name before a noun, where it stands after one: no `Waiting Room`."""
    first = parts[0]
    if first.endswith("'s"):
        named = f"{draw_name(rng, None)[0 if first[:-2] in _given() else 1]}'s"
    elif first in _SAINTS or not (is_placelike(first) or first in THING_NAMES or not _is_word(first)):
        return ""
    return " ".join((named, *parts[1:]))


def is_head(word: str) -> bool:
    """Whether a word is a noun that places and groups are called by."""
    return word.casefold() in _lists()["heads"]


def is_land(word: str) -> bool:
    """Whether a word is a noun for a piece of land."""
    return word.casefold() in _lists()["land"]


def is_placelike(word: str) -> bool:
    """Whether a word is made as names of places are.

    >>> is_placelike("Hillside"), is_placelike("Brookfield"), is_placelike("Inside")
    (True, True, False)
    """
    small = word.lower()
    cuts = (small[:at] in _lists()["openings"] and small[at:] in _lists()["endings"] for at in range(2, len(small)))
    return word in _lists()["places"] or any(cuts)


def _is_placename(word: str) -> bool:
    return _is_word(word) or is_placelike(word) or word in THING_NAMES


def _is_word(text: str) -> bool:
    small = text.lower()
    return is_noun(small) or is_adjective(small) or any_verb(small) is not None


def is_person(example: str, words: Sequence[str], thing: str = "") -> bool:
    """Whether a text is the name of a person, by its own words and by what it is a value of.

    >>> is_person("Dana Reed", ("inspector",)), is_person("Front Desk", ("printer",)), is_person("Ann Hill", ("by",))
    (True, False, True)
    """
    parts = _FORM_OF_ADDRESS.sub("", example).split()
    if not 0 < len(parts) <= _MOST_PARTS or not all(_PART.fullmatch(part.rstrip(",")) for part in parts):
        return False
    own = own_nouns(words, thing)
    if not (_NO_PERSONS | _OF_KINDS).isdisjoint(words) or not own.isdisjoint(_lists()["vessels"]):
        return False
    is_plain, is_of_person = all(map(_is_word, parts)), _is_of_person(words, thing)
    starts, ends = (part.split("-")[0] in _given() for part in (parts[0], parts[-1]))
    if _FORM_OF_ADDRESS.match(example) or (is_of_person and (starts or ends)):
        return True
    if is_head(parts[-1]) or is_plain or (thing and _NAMING.issuperset(words) and not is_of_person):
        return False
    if len(parts) == 1:
        return is_of_person and (parts[0] in _family() or words[-1] != "by")
    is_surname = parts[-1] in _family() or not _is_word(parts[-1])
    is_unknown = _OF_THE_WORLD.isdisjoint(words) and not _is_placename(parts[0])
    return is_of_person or (is_surname and (starts or is_unknown))


def _is_of_person(words: Sequence[str], thing: str) -> bool:
    """Whether a parameter takes a person's name: an `inspector`, who something is done `by`, a customer's `name`."""
    own = [word for word in words if word not in _NAMING] or thing.lower().split()[-1:]
    last = singular(own[-1]) if own else ""
    is_agent = _AGENT.fullmatch(last) is not None and last not in _NO_AGENTS
    return last in _ROLES | word_set("persons") or is_agent or kind_of(last, {"type": "string"}) == "person"


def _other_person(rng: Random, example: str) -> str:
    """Another name, written as the example is: with a form of address, an initial, the family's name first."""
    address = _FORM_OF_ADDRESS.match(example)
    before, bare = (address[0], example[address.end() :]) if address else ("", example)
    given, family = draw_name(rng, None)
    parts = bare.split()
    if len(parts) == 1 or (before and before[0] == "M"):
        return before + (given if bare in _given() else family)
    if parts[0].endswith(","):
        return f"{before}{family}, {given}"
    return f"{before}{given[0]}. {family}" if parts[0].endswith(".") else f"{before}{given} {family}"


@cache
def _given() -> frozenset[str]:
    return _lists()["given"].union(one for region in names().values() for one in region.given)


@cache
def _family() -> frozenset[str]:
    return frozenset(one for region in names().values() for one in region.family)


@cache
def _lists() -> dict[str, frozenset[str]]:
    source = (files("callwright.author") / "data" / "values" / "proper_names.json").read_bytes()
    return {key: frozenset(listed.split()) for key, listed in msgspec.json.decode(source, type=dict[str, str]).items()}

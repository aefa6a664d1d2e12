"""All that people may call a parameter: its name, noun and title, the words of its description, its listed values.

Words are compared as keys: the stem, and the families of synonyms it belongs to (`data/slot_words.json`: general
English, never the words of one API).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple, cast

import msgspec

from callwright.catalog.slots import Slot
from callwright.lang.english import any_verb, is_adjective, is_noun
from callwright.lang.gazetteer import languages
from callwright.lang.kinds import Kind, kind_of
from callwright.lang.schemas import name_words, options_of
from callwright.lang.tokens import STOP_WORDS, identifier_words, stem, words
from callwright.records.jsontext import Json, decode

Keys = tuple[str, ...]
"""The stem of a word, its root, then the families it belongs to."""

_SIDES = frozenset(("from", "to"))
"""Stop words that are names of parameters too."""
_NAMING = _SIDES | {"when"}
_MOST_WORDS = 5
"""Words of a name; longer ones are definitions."""


class SlotNames(NamedTuple):
    """The names that one parameter goes by."""

    phrases: tuple[tuple[Keys, ...], ...]
    """Whole names, each as its words."""
    shortened: tuple[tuple[Keys, ...], ...]
    """The `id` of a name alone, and the name without it; what a description begins with, where it says little."""
    keys: frozenset[str]
    """Of the words of all names."""
    stems: frozenset[str]
    """Of the words of all names."""
    heads: frozenset[str]
    """Of those that a name ends in, without `from` and `to`."""
    known: frozenset[str]
    """Keys of those words, and stems of the description."""
    described: frozenset[str]
    """Stems of the first sentence of the description."""
    options: tuple[frozenset[str], ...]
    """Keys of each listed value, without those of others."""
    asks: frozenset[int]
    """Positions, in `ASKS`, of the question words that ask for it."""


class _Ask(NamedTuple):
    pattern: re.Pattern[str]
    kinds: frozenset[Kind]
    stems: frozenset[str]


class _Words(NamedTuple):
    families: dict[str, tuple[str, ...]]
    asks: tuple[_Ask, ...]
    generic: frozenset[str]
    fillers: frozenset[str]
    heads: tuple[str, ...]
    covers: dict[str, frozenset[str]]


@cache
def _known_words() -> _Words:
    data = msgspec.json.decode((files(__package__) / "data" / "slot_words.json").read_bytes())
    families: dict[str, tuple[str, ...]] = {}
    for number, family in enumerate(data["same"]):
        for word in dict.fromkeys(map(stem, family.split())):
            families[word] = (*families.get(word, ()), f"~{number}")
    asks = tuple(
        _Ask(re.compile(pattern, re.IGNORECASE), cast("frozenset[Kind]", frozenset(kinds.split())), _stems(said))
        for pattern, kinds, said in data["asks"]
    )
    covers = {word: _stems(parts) for said, parts in data["covers"] for word in _stems(said)}
    fillers = STOP_WORDS.union(data["fillers"].split())
    return _Words(families, asks, _stems(data["generic"]), fillers, tuple(data["heads"].split()), covers)


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


@lru_cache(maxsize=65536)
def keys_of(word: str) -> Keys:
    """Return the stem of a lower-case word, its root, and the families it belongs to.

    >>> set(keys_of("starts")) & set(keys_of("begin")) != set(), keys_of("zebras")
    (True, ('zebra', '^zebra'))
    """
    base = root = stem(word)
    while found := _DERIVED.fullmatch(root):
        root = found[1]
    return (base, f"^{root.rstrip('eiy')}", *_known_words().families.get(base, ()))


_DERIVED = re.compile(
    r"(\w{4,}?)(?:ations?|ions?|(?:al)?ity|ments?|ances?|ences?|ures?|als?|ees?|ers?|ors?|ness|ly|able|ive|y)"
)
"""A word with an ending that makes another kind of word: `approver` and `approval` share a root with `approve`."""


def is_generic(keys: Keys) -> bool:
    """Whether the word says little alone: the number of what?"""
    return keys[0] in _known_words().generic or is_identifier(keys)


def is_filler(word: str) -> bool:
    """Whether a lower-case word names nothing: those of every question too, such as `please`."""
    return word in _known_words().fillers or word.endswith(("'d", "'ll", "'ve", "'re", "'m", "n't"))


def covered_by(said: str) -> frozenset[str]:
    """Return stems of parameters that one word covers, given by its stem: the street and city of an address."""
    return _known_words().covers.get(said, frozenset())


@lru_cache(maxsize=65536)
def is_abbreviation(word: str) -> bool:
    """Whether a short word is none of the dictionary: `bldg`."""
    return 3 <= len(word) <= 5 and not (is_noun(word) or is_adjective(word) or any_verb(word))


def abbreviates(short: str, word: str) -> bool:
    """Whether a word has the letters of a shorter one in their order, the first and the last, or begins with it.

    >>> abbreviates("repo", "repository"), abbreviates("amt", "amount"), abbreviates("bldg", "bridge")
    (True, True, False)
    """
    if len(word) < len(short) + 2 or word[0] != short[0]:
        return False
    letters = iter(word)
    return word.startswith(short) or (word[-1] == short[-1] and all(letter in letters for letter in short))


def is_identifier(keys: Keys) -> bool:
    """Whether the word is `id` or one of its synonyms."""
    return "~0" in keys


def asked_types(text: str) -> frozenset[int]:
    """Return which question words, as positions in the data, a text has."""
    return frozenset(place for place, ask in enumerate(_known_words().asks) if ask.pattern.search(text))


@lru_cache(maxsize=65536)
def names_of_slot(slot: Slot) -> SlotNames:
    """Return all that people may call a parameter; a leaf of a nested body is also called by what it lies in."""
    schema = decode(slot.schema)
    title = schema.get("title") if isinstance(schema, dict) else None
    # `lines.0.quantity` is the quantity, or the lines' quantity; `chat.id` of another document the same
    path = [part for part in slot.name.split(".") if part and not part.isdigit()] or [slot.name]
    noun = _COMPLEMENT.split(slot.noun.text, maxsplit=1)[0]
    sources = [_named(slot.label or path[-1]), [word for part in path[-2:] for word in _named(part)], words(noun)]
    sources.append(list(name_words(path[-1])))
    sources += [words(slot.noun.consequence), words(title) if isinstance(title, str) else []]
    sources += [words(alias) for alias in _ALSO_CALLED.findall(slot.description)]
    generic = all(map(is_generic, map(keys_of, name_words(path[-1]))))
    sources_of_heads = _heads(slot.description) + (_heads(slot.about) if generic or " " not in slot.about else [])
    nouns = [head for source in sources_of_heads if (head := _phrase(source)) and not is_filler(head[0][0])]
    nouns += [head[-1:] for head in nouns if len(head) == 2 and not is_generic(head[-1])]  # `target temperature`
    phrases = dict.fromkeys([phrase for source in sources if (phrase := _phrase(source))])
    phrases |= dict.fromkeys(plain for p in list(phrases) if (plain := tuple(k for k in p if k[0] not in _SIDES)))
    phrases |= dict.fromkeys(
        joined for source in sources if len(source) > 1 and (joined := _joined(source))
    )  # `filename`, `billing postcode`
    identifying = [p for p in phrases if len(p) > 1 and is_identifier(p[-1])]
    shortened = dict.fromkeys([part for p in identifying for part in (p[:-1], p[-1:])])
    shortened |= dict.fromkeys(p for p in (*nouns, _phrase(words(slot.noun.text))) if p not in phrases)
    own = next(iter(phrases), ())
    shortened |= dict.fromkeys(p for p in phrases if p != own and any(set(p) < set(longer) for longer in phrases))
    phrases = {phrase: None for phrase in phrases if phrase not in shortened}
    stems = frozenset(keys[0] for phrase in (*phrases, *shortened) for keys in phrase)
    heads = frozenset(phrase[-1][0] for phrase in (*phrases, *shortened) if phrase)
    described = frozenset(_content(words(_sentence(slot.description)) + words(_sentence(slot.about))))
    known = described.union(key for phrase in phrases for keys in phrase for key in keys)
    return SlotNames(
        tuple(phrases),
        tuple(filter(None, shortened)),
        frozenset(key for phrase in (*phrases, *shortened) for keys in phrase for key in keys),
        stems,
        heads,
        known,
        described,
        _options(schema, path[-1]),
        _asks(slot, heads),
    )


_COMPLEMENT = re.compile(r" (?:of|for|in|on|at|by|from|to|with|per) ")
"""A word after which another thing is named: the day of the drive is a day."""


def _sentence(description: str) -> str:
    return " ".join(description.split()).split(". ", 1)[0]


def _named(name: str) -> list[str]:
    found = [part for word in name_words(name) or identifier_words(name) for part in _unglued(word)]
    return [*found[:-1], "when"] if len(found) > 1 and found[-1] in ("at", "on") else found  # `created_at`


@lru_cache(maxsize=4096)
def _unglued(word: str) -> tuple[str, ...]:
    """The words of one that ends in a frequent head, or that is two nouns: `filename`, `brokerserver`."""
    heads = (head for head in _known_words().heads if word.endswith(head) and len(word) > len(head) + 2)
    if head := next(heads, ""):
        return word.removesuffix(head), head
    if len(word) < 2 * _LEAST_GLUED or is_noun(word) or any_verb(word) or is_adjective(word):
        return (word,)
    ends = range(_LEAST_GLUED, len(word) - _LEAST_GLUED + 1)
    splits = [(word[:end], word[end:]) for end in ends if is_noun(word[:end]) and is_noun(word[end:])]
    return splits[0] if len(splits) == 1 else (word,)


_LEAST_GLUED = 4
"""Letters of a noun within a word."""


def _joined(source: list[str]) -> tuple[Keys, ...]:
    """A name whose last two words are written as one."""
    return _phrase([*source[:-2], "".join(source[-2:])])


_ALSO_CALLED = re.compile(
    r"\b(?:also|otherwise|formerly|commonly) (?:known|called|referred to)(?: as)?:? (?:(?:an?|the) )?"
    r"[\"'`“]?((?:[\w-]+ ){0,2}[\w-]+)",
    re.IGNORECASE,
)
"""Another name that a description gives."""


def _heads(description: str) -> list[list[str]]:
    """The nouns that a description begins with: `the workspace or organization to look in`."""
    found = _HEAD.match(" ".join(description[:_LONGEST_HEAD].split()))
    return [words(head) for head in re.split(r"\s(?:or|and)\s|/", found[1])] if found else []


_LONGEST_HEAD = 120
_HEAD = re.compile(
    r"(?:(?:the|an?|your|optional|required|unique|new|full|exact|specific)\s+)*(.+?)"
    r"(?=[.,;:(]|$|\s(?:of|for|to|in|on|that|which|who|whose|where|when|if|with|from|by|at|is|are|"
    r"was|you|we|i|the|an?|as|used|must|can|should|will|may|being)\b)",
    re.IGNORECASE,
)


def _phrase(source: list[str]) -> tuple[Keys, ...]:
    said = [word for word in source if word in _NAMING or not (is_filler(word) or len(word) == 1)]
    return tuple(map(keys_of, said or source)) if len(said) <= _MOST_WORDS else ()


def _content(said: list[str]) -> list[str]:
    return [stem(word) for word in said if not is_filler(word)]


def _options(schema: Json, *called: str) -> tuple[frozenset[str], ...]:
    if not isinstance(schema, dict):
        return ()
    among = (schema, schema.get("items"), *schema.get("anyOf", ()))
    listed = [value for one in among if isinstance(one, dict) for value in options_of(one)]
    values = list(dict.fromkeys(value for value in listed if isinstance(value, str)))  # others cannot all be hashed
    labels = _LABEL.findall(str(schema.get("description", "")))
    values = values or list(dict.fromkeys(label for pair in labels for label in pair if label))
    named = [
        [word for word in (*_named(one), one.lower()) if word not in STOP_WORDS] for one in values
    ]  # also `github`
    spoken = languages() if any(kind_of(name, {"type": "string"}) == "language" for name in called) else {}
    named = [[*own, *words(spoken.get(one[:2].lower(), ""))] for own, one in zip(named, values, strict=True)]
    said = [frozenset(key for word in one for key in keys_of(word)) for one in named]
    return tuple(own.difference(*(other for other in said if other is not own)) for own in said)


_LABEL = re.compile(r"\b([A-Za-z]\w*) ?= ?-?\d+\b|(?<![\w.-])-?\d+ ?[=:-] ?([A-Za-z]\w*)")
"""What a number stands for: `Passport = 1`, `1: open`."""


def _asks(slot: Slot, own: frozenset[str]) -> frozenset[int]:
    asks = enumerate(_known_words().asks)
    if slot.kind in _TIMES:
        own = own - _sides()  # `valid_from` is no sender
    return frozenset(place for place, ask in asks if slot.kind in ask.kinds or not ask.stems.isdisjoint(own))


_TIMES = frozenset(("date", "datetime", "time", "year"))


@cache
def _sides() -> frozenset[str]:
    return _stems(" ".join(_SIDES))

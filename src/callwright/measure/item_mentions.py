"""The surface counter: which utterance mentions which item of the gold calls, by rules over words.

An item is the name of a call or one of its arguments, keyed by task, call and parameter, so a value that is needed
twice counts twice. Values are found in every form in which people say them, a list by one of its parts, a long text by
a part of its words. A name is mentioned where its act is (`translate`, `translation`), unless the act is as common as
`get` or `create`; then by more than half of what it acts on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import compress
from operator import not_
from typing import Final, NamedTuple

from callwright.catalog.gloss import gloss
from callwright.lang.english import any_verb, ways_to_say
from callwright.lang.kinds import Kind, kind_of, kind_of_value
from callwright.lang.lexicon import word_set
from callwright.lang.quantities import may_have_quantity
from callwright.lang.surface import is_read_as_quantity, mentions, needed_parts
from callwright.lang.tokens import STOP_WORDS, identifier_words, stem, words
from callwright.lang.verbs_of_acts import CHANGES, CHECKS, CREATES, LOOKUPS
from callwright.records.dialogue import Dialogue, GoldCall
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

VERSION: Final = "surface.v2"

_LONG: Final = 3
"""Words from which on a text may be mentioned in part."""
_PART: Final = (0.5, 0.34, 3)
"""Share of a text's words that mention it; from three words on a smaller one."""
_VAGUE: Final = frozenset(
    map(stem, "api app data detail details info information manage process service use via".split())
)
"""Words of names that say nothing about what a call does."""
_ENDINGS: Final = ("ation", "ition", "ion", "ment", "ity", "al", "or", "er", "at", "is")


class CallItem(NamedTuple):
    """One part of a gold call."""

    task: int
    call: int
    parameter: str
    """Empty for the name of the call."""
    tool: str
    value: Json = None
    kind: Kind = "other"


class Mentions(NamedTuple):
    """What the utterances of a dialogue mention."""

    turns: tuple[int, ...]
    """Positions of the utterances among the turns."""
    items: tuple[CallItem, ...]
    found: tuple[tuple[int, ...], ...]
    """For each utterance the positions of the items it mentions."""

    @property
    def counts(self) -> tuple[int, ...]:
        """For each utterance how many items it mentions."""
        return tuple(map(len, self.found))


def call_items(dialogue: Dialogue, tools: Mapping[str, Tool]) -> tuple[CallItem, ...]:
    """Return the items of all gold calls, in their order; `tools` by shown name."""
    return tuple(
        item
        for task, one in enumerate(dialogue.tasks)
        for call, gold in enumerate(one.gold)
        for item in _items(task, call, gold, tools.get(gold.tool))
    )


def _items(task: int, call: int, gold: GoldCall, tool: Tool | None) -> Iterator[CallItem]:
    yield CallItem(task, call, "", gold.tool)
    kinds = _kinds(tool) if tool is not None else {}
    for name, value in gold.values.items():
        yield CallItem(task, call, name, gold.tool, value, kinds.get(name) or kind_of_value(value))


@lru_cache(maxsize=4096)
def _kinds(tool: Tool) -> Mapping[str, Kind]:
    return {name: kind_of(name, schema) for name, schema in tool.properties.items() if isinstance(schema, dict)}


def count_mentions(dialogue: Dialogue, tools: Mapping[str, Tool], *, assistant: bool = False) -> Mentions:
    """Return what the people of a dialogue mention; with `assistant` its words count as utterances too."""
    items = call_items(dialogue, tools)
    roles = ("user", "assistant") if assistant else ("user",)
    turns = tuple(at for at, turn in enumerate(dialogue.turns) if dialogue.role(turn) in roles and turn.text)
    today = date.fromisoformat(dialogue.today) if dialogue.today else None
    heads = _heads(frozenset(item.parameter for item in items if item.parameter))
    traces = _sorted_out([_trace(item, tools.get(item.tool), heads) for item in items])
    labels = _labels(frozenset(item.parameter for item in items))
    found = tuple(_mentioned(dialogue.turns[at].text, traces, labels, today) for at in turns)
    return Mentions(turns, items, found)


class _Sought(NamedTuple):
    value: Json
    kind: Kind
    parts: tuple[str, ...]
    """Texts of which one is there, if any are known."""


class _Trace(NamedTuple):
    """The traces of an item in an utterance that mentions it: one of its values, enough of its words, or its name."""

    values: tuple[_Sought, ...] = ()
    words: frozenset[str] = frozenset()
    name: _Name | None = None
    acronym: str = ""


class _Traces(NamedTuple):
    """The traces of a dialogue's items by how a text is searched for them, each with its item's position."""

    worded: Sequence[tuple[int, frozenset[str], _Trace]]
    """With the roots of which a text has one that mentions the item by words or name."""
    quantities: Sequence[tuple[int, _Sought]]
    """Values that only a text with a quantity mentions."""
    values: Sequence[tuple[int, _Sought]]
    """Values that any text may mention."""
    needles: Sequence[tuple[str, int, _Sought]]
    """Values that only a text with one of these parts mentions."""
    acronyms: Sequence[tuple[int, str]]


class _Name(NamedTuple):
    """The roots of words by which a call is mentioned."""

    acts: frozenset[str]
    """One of them is enough."""
    common: frozenset[str]
    """Acts that are enough beside a word of what they act on."""
    things: tuple[frozenset[str], ...]
    """More than half of one of them is enough."""


def _trace(item: CallItem, tool: Tool | None, heads: frozenset[str]) -> _Trace:
    value = item.value
    if not item.parameter:
        name = _name(tool or Tool(name=item.tool))
        return _Trace(name=name._replace(things=tuple(one for one in name.things if not one <= heads or not name.acts)))
    if isinstance(value, bool) or value is None:
        return _Trace(words=_roots(" ".join(identifier_words(item.parameter))))
    if isinstance(value, dict | list):
        leaves = [leaf for leaf in _leaves(value) if not isinstance(leaf, bool)]
        return _Trace(tuple(_sought(leaf, kind_of_value(leaf)) for leaf in leaves))
    own = kind_of_value(value)
    is_known = any({item.kind, own} <= same for same in _SAID_ALIKE)
    kinds: dict[Kind, None] = dict.fromkeys((item.kind,) if is_known else (item.kind, own))
    if not isinstance(value, str):
        return _Trace(tuple(_sought(value, kind) for kind in kinds))
    if len(value) == 2 and value.isalpha():
        kinds |= {"country": None} if value.isupper() else {"language": None}
    parts = [part for one in value.split(",") if (part := one.strip())] if _LIST.fullmatch(value) else []
    words = _roots(value)
    return _Trace(
        (*(_sought(value, kind) for kind in kinds), *(_sought(part, kind_of_value(part)) for part in parts)),
        words if len(words) >= _LONG else frozenset(),
        acronym=value.lower() if len(value) > 2 and value.isalpha() and value.isupper() else "",
    )


def _sorted_out(traces: Sequence[_Trace]) -> _Traces:
    sought = [(at, one) for at, trace in enumerate(traces) for one in trace.values]
    is_quantity = [is_read_as_quantity(one.value, one.kind) for _, one in sought]
    others = list(compress(sought, map(not_, is_quantity)))
    return _Traces(
        [
            (at, trace.words.union(*((name.acts, *name.things) if (name := trace.name) else ())), trace)
            for at, trace in enumerate(traces)
            if trace.words or trace.name
        ],
        list(compress(sought, is_quantity)),
        [(at, one) for at, one in others if not one.parts],
        [(part, at, one) for at, one in others for part in one.parts],
        [(at, trace.acronym) for at, trace in enumerate(traces) if trace.acronym],
    )


def _sought(value: Json, kind: Kind) -> _Sought:
    return _Sought(value, kind, needed_parts(value, kind))


_SAID_ALIKE: Final = ({"count", "number"}, {"title", "other", "person", "email", "url", "phone"})
"""Kinds whose values are looked for in the same forms."""
_LIST: Final = re.compile(r"[^,.?!]{1,40}(?:,[^,.?!]{1,40})+")
_BETWEEN: Final = re.compile(r"(?<=[a-z])-(?=[a-z])")


@lru_cache(maxsize=4096)
def _name(tool: Tool) -> _Name:
    said = identifier_words(tool.name)
    spelt = "".join(word[0] for word in said)
    short = {word for word in said if len(word) > 2 and word in spelt}  # an acronym of words beside it
    light = word_set("light_verbs")
    verbs = {word for word in said if (any_verb(word) and word == said[0]) or word.endswith("ysis")} - light
    told = gloss(tool)
    common, acts = _ways(verbs & _COMMON), _ways(verbs - _COMMON) | _roots(" ".join(short))
    own = _roots(" ".join(word for word in said if word not in verbs | light)) - _VAGUE
    labels = frozenset[str]().union(*(_roots(" ".join(identifier_words(name))) for name in tool.properties))
    described = frozenset(map(_root, told.object_stems)) - _VAGUE
    telling = (own, described) if len(described) > 1 else (own,)
    things = [one for one in telling if one and not one <= labels]
    if verbs and not acts and (not things or (told.chunks and told.chunks[0].preposition)):
        acts = common
    easy = frozenset(map(_root, map(stem, light)))
    return _Name(acts - easy, common - easy, tuple(things) or ((own,) if own and not acts else ()))


def _ways(verbs: Iterable[str]) -> frozenset[str]:
    """The roots of verbs and of their synonyms."""
    return _roots(" ".join(way for verb in sorted(verbs) for way in (verb, *ways_to_say(verb))))


_COMMON: Final = (
    CREATES & set("add apply create generate make open place process register save start store".split())
) | (CHANGES | CHECKS | LOOKUPS)
"""Acts that so many calls share that they do not tell which one is meant."""


@lru_cache(maxsize=1024)
def _heads(parameters: frozenset[str]) -> frozenset[str]:
    """Roots of what the parameters are: of `source_language` a language."""
    return frozenset[str]().union(*(_roots(words[-1]) for name in parameters if (words := identifier_words(name))))


@lru_cache(maxsize=1024)
def _labels(parameters: frozenset[str]) -> re.Pattern[str] | None:
    """A pattern of the parameters of two words and more: `the email address` does not speak of `send_email`."""
    names = {" ".join(words) for name in parameters if len(words := identifier_words(name)) > 1}
    return re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, names)))})\b", re.IGNORECASE) if names else None


def _mentioned(text: str, traces: _Traces, labels: re.Pattern[str] | None, today: date | None) -> tuple[int, ...]:
    said = _roots(text)
    near = [(at, trace) for at, roots, trace in traces.worded if not roots.isdisjoint(said)]
    acted = _roots(labels.sub(" ", text)) if labels and near else said
    found = {at for at, trace in near if _is_worded(trace, said, acted)}
    apart = _BETWEEN.sub(" ", text) if "-" in text else text
    for one in dict.fromkeys((apart, text)):
        lowered = one.lower()
        has_quantity = bool(traces.quantities) and may_have_quantity(one)
        near_values = [(at, sought) for part, at, sought in traces.needles if part in lowered]
        for at, (value, kind, _) in (*(traces.quantities if has_quantity else ()), *traces.values, *near_values):
            if at not in found and mentions(one, value, kind, today=today):
                found.add(at)
    found.update(at for at, acronym in traces.acronyms if acronym in _initials(text))
    return tuple(sorted(found))


def _is_worded(trace: _Trace, said: frozenset[str], acted: frozenset[str]) -> bool:
    return _holds(said, trace.words) if trace.name is None else _is_named(trace.name, acted)


def _is_named(name: _Name, said: frozenset[str]) -> bool:
    if not name.acts.isdisjoint(said):
        return True
    with_act = not name.common.isdisjoint(said)
    return any(2 * len(one & said) > len(one) or (with_act and 2 * len(one & said) >= len(one)) for one in name.things)


def _holds(said: frozenset[str], wanted: frozenset[str]) -> bool:
    half, part, least = _PART
    shared = len(wanted & said) if wanted else 0
    return bool(wanted) and (shared >= half * len(wanted) or (shared >= least and shared >= part * len(wanted)))


@lru_cache(maxsize=16384)
def _roots(text: str) -> frozenset[str]:
    """The roots of the words of a text: `translation` and `translated` have one."""
    return frozenset(map(_root_of_word, words(text))) - {""}


@lru_cache(maxsize=65536)
def _root_of_word(word: str) -> str:
    """The root of a word; empty of a stop word."""
    return "" if word in STOP_WORDS else _root(stem(word))


@lru_cache(maxsize=65536)
def _root(stem_: str) -> str:
    ending = next((one for one in _ENDINGS if stem_.endswith(one) and len(stem_) - len(one) > 3), "")
    return stem_.removesuffix(ending).replace("z", "s")


@lru_cache(maxsize=4096)
def _initials(text: str) -> str:
    return "".join(word[0] for word in words(text))


def _leaves(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in _leaves(one)]
    if isinstance(value, list):
        return [leaf for one in value for leaf in _leaves(one)]
    return [] if value is None else [value]

"""The surface counter: which utterance mentions which item of the gold calls, by rules over words.

An item is the name of a call or one of its arguments, keyed by task, call and parameter, so a value that is needed
twice counts twice. Values are found in every form in which people say them, a list by one of its parts, a long text by
a part of its words. A name is mentioned where its act is (`translate`, `translation`), unless the act is as common as
`get` or `create`; then by more than half of what it acts on, or by the act beside the noun of its thing. Of calls that
share a thing the verb of the utterance tells which one is meant.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import accumulate, chain, product
from typing import Final, NamedTuple, TypeAlias

from callwright.catalog.chunks import PREPOSITIONS, Gloss
from callwright.catalog.gloss import gloss
from callwright.lang.english import any_verb, ways_to_say
from callwright.lang.kinds import Kind, kind_of, kind_of_value
from callwright.lang.lexicon import lexicon, word_set
from callwright.lang.quantities import hints_at_quantity, hints_between_words
from callwright.lang.spotting import is_spotted
from callwright.lang.surface import mentions, needed_sorts, said_sorts, spotted_forms
from callwright.lang.tokens import STOP_WORDS, identifier_words, stem, words
from callwright.lang.verbs_of_acts import CHANGES, CHECKS, CREATES, LOOKUPS
from callwright.records.dialogue import Dialogue, GoldCall
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

VERSION: Final = "surface.v3"

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
    counted = ("user", "assistant") if assistant else ("user",)
    roles = {who.id: who.role for who in reversed(dialogue.participants)}
    turns = tuple(at for at, turn in enumerate(dialogue.turns) if turn.text and roles.get(turn.speaker) in counted)
    today = dialogue.day
    parameters = frozenset(item.parameter for item in items if item.parameter)
    heads = _heads(parameters)
    traces = _sorted_out([_trace(item, tools.get(item.tool), heads) for item in items])
    talk = _talk([dialogue.turns[at].text for at in turns])
    return Mentions(turns, items, _found(talk, traces, _labels(parameters), today))


class _Talk(NamedTuple):
    """The utterances of a dialogue. What none of them has is sought in all at once, not in each."""

    texts: Sequence[str]
    """The utterances, and once more those in which hyphens join words, with these words apart."""
    places: Sequence[int]
    """Of which utterance each text is."""
    lowered: Sequence[str]
    lines: Sequence[Sequence[str]]
    """The words of each utterance."""
    known: frozenset[str]
    """The words of all."""


def _talk(said: Sequence[str]) -> _Talk:
    parted = {at: apart for at, text in enumerate(said) if "-" in text and (apart := _BETWEEN.sub(" ", text)) != text}
    texts = [*said, *parted.values()]
    lines = list(map(words, said))
    known = frozenset[str]().union(*lines)
    return _Talk(texts, [*range(len(said)), *parted], [text.lower() for text in texts], lines, known)


class _Sought(NamedTuple):
    value: Json
    kind: Kind
    forms: tuple[tuple[str, str], ...]
    """Forms of which one is there, each also in lower case, if any are known."""
    sorts: frozenset[str]
    """Sorts of quantities of which a text that mentions it has one, if it is a quantity."""


class _Trace(NamedTuple):
    """The traces of an item in an utterance that mentions it: one of its values, enough of its words, or its name."""

    values: tuple[_Sought, ...] = ()
    words: frozenset[str] = frozenset()
    name: _Name | None = None
    acronym: str = ""


_Worded: TypeAlias = tuple[int, frozenset[str], _Trace]


class _Traces(NamedTuple):
    """The traces of a dialogue's items by how a text is searched for them, each with its item's position."""

    worded: Sequence[_Worded]
    """With the roots of which a text has one that mentions the item by words or name."""
    quantities: Sequence[tuple[int, _Sought]]
    """Values that only a text with a quantity mentions."""
    values: Sequence[tuple[int, _Sought]]
    """Values that any text may mention."""
    needles: Sequence[tuple[int, _Sought]]
    """Values that only a text with one of their forms mentions."""
    acronyms: Sequence[tuple[int, str]]


class _Name(NamedTuple):
    """The roots of words by which a call is mentioned."""

    acts: frozenset[str]
    """One of them is enough."""
    common: frozenset[str]
    """Acts that are enough beside a word of what they act on."""
    things: tuple[frozenset[str], ...]
    """More than half of one of them is enough."""
    asked: frozenset[str]
    """How people ask for this kind of act; enough beside all of `head`, and it tells calls of one thing apart."""
    head: frozenset[str]
    """What the act is done to in one word, or in more where one says nothing (`details`)."""
    thing: frozenset[str] = frozenset()
    """All roots of what it acts on."""


def _trace(item: CallItem, tool: Tool | None, heads: frozenset[str]) -> _Trace:
    if not item.parameter:
        return _trace_of_name(tool or Tool(name=item.tool), heads)
    if isinstance(item.value, bool) or item.value is None:
        return _Trace(words=_roots(" ".join(identifier_words(item.parameter))))
    if isinstance(item.value, dict | list):
        leaves = [leaf for leaf in _leaves(item.value) if not isinstance(leaf, bool)]
        return _Trace(tuple(_sought(leaf, kind_of_value(leaf)) for leaf in leaves))
    return _trace_of_value(item.value, item.kind)


@lru_cache(maxsize=4096)
def _trace_of_name(tool: Tool, heads: frozenset[str]) -> _Trace:
    name = _name(tool)
    things = tuple(one for one in name.things if not name.acts or (len(one) > 1 and not one <= heads))
    return _Trace(name=name._replace(things=things, thing=name.head.union(*things)))


@lru_cache(maxsize=16384, typed=True)
def _trace_of_value(value: str | float, kind: Kind) -> _Trace:
    own = kind_of_value(value)
    is_known = any({kind, own} <= same for same in _SAID_ALIKE)
    kinds: dict[Kind, None] = dict.fromkeys((kind,) if is_known else (kind, own))
    if not isinstance(value, str):
        return _Trace(tuple(_sought(value, one) for one in kinds))
    if len(value) == 2 and value.isalpha():
        kinds |= {"country": None} if value.isupper() else {"language": None}
    state = lexicon()["states"].get(value)
    parts = [part for one in value.split(",") if (part := one.strip())] if _LIST.fullmatch(value) else []
    words = _roots(value)
    return _Trace(
        (
            *(_sought(value, one) for one in kinds),
            *(_sought(part, kind_of_value(part)) for part in parts),
            *((_sought(state, "title"),) if state else ()),
        ),
        words if len(words) >= _LONG else frozenset(),
        acronym=value.lower() if len(value) > 2 and value.isalpha() and value.isupper() else "",
    )


def _sorted_out(traces: Sequence[_Trace]) -> _Traces:
    sought = [(at, one) for at, trace in enumerate(traces) for one in trace.values]
    others = [(at, one) for at, one in sought if not one.sorts]
    return _Traces(
        [(at, roots, trace) for at, trace in enumerate(traces) if (roots := _roots_of(trace))],
        [(at, one) for at, one in sought if one.sorts],
        [(at, one) for at, one in others if not one.forms],
        [(at, one) for at, one in others if one.forms],
        [(at, trace.acronym) for at, trace in enumerate(traces) if trace.acronym],
    )


def _roots_of(trace: _Trace) -> frozenset[str]:
    return trace.words.union(trace.name.acts, trace.name.head, *trace.name.things) if trace.name else trace.words


@lru_cache(maxsize=16384, typed=True)
def _sought(value: Json, kind: Kind) -> _Sought:
    return _Sought(value, kind, spotted_forms(value, kind), needed_sorts(value, kind))


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
    if len(said) == 2 and said[0] in _EMPTY and any_verb(said[1]):
        verbs = {said[1], *_otherwise(said[1])}
    common, acts = _ways(verbs & _COMMON), _ways(verbs - _COMMON) | _roots(" ".join(short))
    own = _roots(" ".join(word for word in said if word not in verbs | light)) - _VAGUE
    labels = frozenset[str]().union(*(_roots(" ".join(identifier_words(name))) for name in tool.properties))
    described = frozenset(map(_root, told.object_stems)) - _VAGUE
    telling = (own, described) if len(described) > 1 else (own,)
    things = [one for one in telling if one and not one <= labels]
    if (
        verbs
        and not acts
        and (not things or (told.chunks and told.chunks[0].preposition) or (said[1:] and said[1] in PREPOSITIONS))
    ):
        acts = common
    easy = frozenset(map(_root, map(stem, light)))
    asked = (_asked(told.verb) | common | acts) - easy
    return _Name(acts - easy, common - easy, tuple(things) or ((own,) if own and not acts else ()), asked, _head(told))


def _asked(verb: str) -> frozenset[str]:
    """The roots of the verbs with which people ask for an act: what is looked up in one way is in all of them."""
    ways = LOOKUPS if verb in LOOKUPS or not verb else (verb, *ways_to_say(verb), *_otherwise(verb))
    return frozenset(_root_of_word(way.split()[0]) for way in ways) - {""}


def _otherwise(verb: str) -> list[str]:
    """Verbs that ask for the same where the thing is said too: `draft` an email that is sent."""
    found: str = lexicon()["asked"].get(verb, "")
    return found.split()


def _head(told: Gloss) -> frozenset[str]:
    said = words(told.chunks[0].text) if told.chunks else []
    head = _roots(said[-1]) if said else frozenset()
    return head if head - _VAGUE else _roots(" ".join(said))


def _ways(verbs: Iterable[str]) -> frozenset[str]:
    """The roots of verbs and of their synonyms."""
    return _roots(" ".join(way.split()[0] for verb in sorted(verbs) for way in (verb, *ways_to_say(verb))))


_EMPTY: Final = ("take", "make", "give", "have")
"""Verbs whose noun is the act: `take a note`."""
_COMMON: Final = (
    CREATES & set("add apply create generate make open place process register save start store".split())
) | (CHANGES | CHECKS | LOOKUPS)
"""Acts that so many calls share that they do not tell which one is meant."""


@lru_cache(maxsize=1024)
def _heads(parameters: frozenset[str]) -> frozenset[str]:
    """Roots of what the parameters are: of `source_language` a language."""
    return frozenset[str]().union(*(_roots(words[-1]) for name in parameters if (words := identifier_words(name))))


@lru_cache(maxsize=1024)
def _labels(parameters: frozenset[str]) -> tuple[str, ...]:
    """The words of parameters of two words and more: `the email address` does not speak of `send_email`."""
    return tuple(sorted({" ".join(words) for name in parameters if len(words := identifier_words(name)) > 1}))


@lru_cache(maxsize=1024)
def _pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, labels))})\b", re.IGNORECASE)


def _found(talk: _Talk, traces: _Traces, labels: tuple[str, ...], today: date | None) -> tuple[tuple[int, ...], ...]:
    """For each utterance the items it mentions."""
    found: list[set[int]] = [set() for _ in talk.lines]
    whole = "\n".join(talk.lowered)
    _add_worded(found, talk, traces.worded, tuple(one for one in labels if one in whole or not whole.isascii()))
    _add_spotted(found, talk, whole, traces.needles, today)
    anywhere = product(range(len(talk.texts)), traces.values)
    for at, (item, one) in chain(_near_quantities(talk, whole, traces.quantities, today), anywhere):
        mentioned = found[talk.places[at]]
        if item not in mentioned and mentions(talk.texts[at], one.value, one.kind, today=today):
            mentioned.add(item)
    if traces.acronyms:
        for mentioned, line in zip(found, talk.lines, strict=True):
            initials = "".join(word[0] for word in line)
            mentioned.update(item for item, acronym in traces.acronyms if acronym in initials)
    return tuple(tuple(sorted(one)) for one in found)


def _add_worded(found: Sequence[set[int]], talk: _Talk, worded: Sequence[_Worded], labels: tuple[str, ...]) -> None:
    commons = (trace.name.asked for _, _, trace in worded if trace.name)
    wanted = frozenset[str]().union(*(roots for _, roots, _ in worded), *commons) - {""}
    root_of = {word: root for word in talk.known if (root := _root_of_word(word)) in wanted}
    telling, present = frozenset(root_of), frozenset(root_of.values())
    here = [(item, own, trace) for item, roots, trace in worded if (own := roots & present)]
    for at, line in enumerate(talk.lines):
        if told := telling.intersection(line):
            said = frozenset(map(root_of.__getitem__, told))
            acted = _acted(talk, at, labels, said) if labels else said
            likely = [
                (item, trace)
                for item, own, trace in here
                if not own.isdisjoint(said) and _is_worded(trace, said, acted)
            ]
            found[at].update(_meant(likely, said, acted) if len(likely) > 1 else (item for item, _ in likely))


def _meant(worded: Sequence[tuple[int, _Trace]], said: frozenset[str], acted: frozenset[str]) -> Iterator[int]:
    """Yield which of several items that share words are meant, names and texts apart."""
    yield from _names_meant([(item, trace.name) for item, trace in worded if trace.name], acted)
    yield from _texts_meant([(item, trace.words) for item, trace in worded if not trace.name], said)


def _names_meant(names: Sequence[tuple[int, _Name]], said: frozenset[str]) -> Iterator[int]:
    """Yield the calls that are meant: of those that share a thing, the ones whose act is said.

    Where one verb is of both (`look up`), the one is meant of whose thing more is said.
    """
    ways = [(name.asked & said, name.thing & said) for _, name in names]
    for (item, _), (asked, things) in zip(names, ways, strict=True):
        if not any(
            acts and (things < others if asked and asked <= acts else things <= others and not asked)
            for acts, others in ways
        ):
            yield item


def _texts_meant(texts: Sequence[tuple[int, frozenset[str]]], said: frozenset[str]) -> Iterator[int]:
    """Yield the texts that are meant: those said in full, and those whose words are not mostly of another said more."""
    parts = [wanted & said for _, wanted in texts]
    for (item, wanted), part in zip(texts, parts, strict=True):
        if part == wanted or not any(len(part) < len(other) and 2 * len(part & other) >= len(part) for other in parts):
            yield item


def _add_spotted(
    found: Sequence[set[int]], talk: _Talk, whole: str, needles: Sequence[tuple[int, _Sought]], today: date | None
) -> None:
    starts = [0, *accumulate(len(one) + 1 for one in talk.lowered)]
    for item, (value, kind, forms, _) in needles:
        for form, small in forms:
            for at in _lines_with(small, whole, starts) if small in whole else ():
                mentioned, text = found[talk.places[at]], talk.texts[at]
                is_new = item not in mentioned and is_spotted(text, talk.lowered[at], form, kind)
                if is_new and (kind != "currency" or mentions(text, value, kind, today=today)):
                    mentioned.add(item)


def _lines_with(part: str, whole: str, starts: Sequence[int]) -> Iterator[int]:
    """Yield the lines of a text that hold `part`; `starts` has where each begins, and the next one would."""
    at = whole.find(part) if part else -1
    while at >= 0:
        line = bisect_right(starts, at) - 1
        is_inside = at + len(part) < starts[line + 1]
        if is_inside:
            yield line
        at = whole.find(part, starts[line + 1] if is_inside else at + 1)


def _near_quantities(
    talk: _Talk, whole: str, quantities: Sequence[tuple[int, _Sought]], today: date | None
) -> Iterator[tuple[int, tuple[int, _Sought]]]:
    """Yield texts, each with an item and a value of it that it may mention, as the sorts of its quantities tell."""
    hints = frozenset(filter(hints_at_quantity, talk.known)) if quantities else frozenset()
    are_between = bool(quantities) and hints_between_words(whole)
    for at, place in enumerate(talk.places if hints or are_between else ()):
        if not hints.isdisjoint(talk.lines[place]) or (are_between and hints_between_words(talk.lowered[at])):
            said = said_sorts(talk.texts[at], today)
            yield from ((at, one) for one in quantities if not said.isdisjoint(one[1].sorts))


def _acted(talk: _Talk, at: int, labels: tuple[str, ...], said: frozenset[str]) -> frozenset[str]:
    """The roots that an utterance says, without those of labels in it."""
    text = talk.texts[at]
    here = tuple(filter(talk.lowered[at].__contains__, labels)) if text.isascii() else labels
    return _roots(_pattern(here).sub(" ", text)) if here else said


def _is_worded(trace: _Trace, said: frozenset[str], acted: frozenset[str]) -> bool:
    return _holds(said, trace.words) if trace.name is None else _is_named(trace.name, acted)


def _is_named(name: _Name, said: frozenset[str]) -> bool:
    if not name.acts.isdisjoint(said):
        return True
    if name.head and name.head <= said and not name.asked.isdisjoint(said):
        return True
    least = 0 if name.common.isdisjoint(said) else -1  # half is enough beside the act
    return any(2 * len(one & said) - len(one) > least for one in name.things)


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


def _leaves(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return [leaf for one in value.values() for leaf in _leaves(one)]
    if isinstance(value, list):
        return [leaf for one in value for leaf in _leaves(one)]
    return [] if value is None else [value]

"""What is one and the same in all results of a session: who calls, what holds all things, and facts of the world.

holder     the account or workspace that all the things of one person lie in
default    the owner that a twin of the path spells out: of `/conversations` beside `/services/{id}/conversations`
caller     who creates and changes things by the calls of the session
asked      the identifier of what calls name: of a city, of the author of posts
world      rates, prices of what has a symbol, figures of places
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from callwright.environment.echoes import Edit, Words, laid, plain_words
from callwright.environment.named_codes import code_field
from callwright.environment.result_drawing import PEOPLE
from callwright.environment.returns import path_of
from callwright.environment.told_fields import BEGINS, CHANGED
from callwright.environment.tool_target import IN_PATH, ToldPlace, ToolTarget, own_field
from callwright.lang.dates import parse_moment
from callwright.lang.kinds import ID_WORDS, kind_of_value
from callwright.lang.schemas import name_words, singular
from callwright.lang.tokens import stem
from callwright.records.jsontext import Json
from callwright.records.tool import Tool

HOLDERS = frozenset("account organization organisation tenant workspace enterprise".split())
"""What holds all the things that one person sees."""
_MAKERS = frozenset("author creator owner reporter uploader sender poster submitter".split())
MADE_BY = frozenset((word,) for word in ("user", "from", *_MAKERS))
"""Parts of what a call makes that tell who made it."""
_INVITED = "invitation invite assignment collaborator collaboration permission role access"
_OF_PEOPLE = PEOPLE | frozenset(_INVITED.split())
"""Things whose user is the one whom they are for."""
_RATES, _PRICES = frozenset(("rate", "rates")), frozenset(("price", "quote"))
_FIGURES = frozenset("temperature humidity population capital timezone".split())
_MONEYS = frozenset("currency code base target source quote from to".split())
_SYMBOLS, _PLACES = (
    frozenset(("symbol", "ticker", "symbols", "tickers")),
    frozenset("city country town location".split()),
)
_TOLD_BY = ((_RATES, _MONEYS), (_PRICES, _SYMBOLS), (_FIGURES, _PLACES))
"""Words of figures, and of what they are told of."""
_PAIR = 2


class _Fact(NamedTuple):
    """A field that holds what is one in a session, under a key that says what it is."""

    key: tuple[str, ...]
    place: ToldPlace
    name: str


class SessionFacts:
    """What the results of a session told so far of what is one in it."""

    def __init__(self, tools: tuple[Tool, ...]) -> None:
        self._tools = tools
        self._known: dict[tuple[str, ...], Json] = {}

    def fork(self) -> SessionFacts:
        """Return one that knows the same and goes its own way from here."""
        other = SessionFacts(self._tools)
        other._known = dict(self._known)
        return other

    def agreed(
        self, tool: Tool, target: ToolTarget, asked: Mapping[Words, Json], places: Sequence[ToldPlace]
    ) -> Iterator[Edit]:
        """Yield what agrees a result with earlier ones, and its own parts with each other."""
        facts = [one for one in self._facts(tool, target, asked, places) if one.key[0] != "caller"]
        return self._edits(facts)

    def made_by_caller(
        self, tool: Tool, target: ToolTarget, asked: Mapping[Words, Json], places: Sequence[ToldPlace]
    ) -> Iterator[Edit]:
        """Yield who made or changed a thing by this call, whatever earlier results told of who did before."""
        facts = [one for one in self._facts(tool, target, asked, places) if one.key[0] == "caller"]
        return self._edits(facts)

    def put_by_caller(
        self, tool: Tool, target: ToolTarget, asked: Mapping[Words, Json], items: Sequence[ToldPlace]
    ) -> Iterator[Edit]:
        """Yield who made the listed things that calls of the session made."""
        return self.made_by_caller(tool, target._replace(act="create"), asked, list(_as_made(items)))

    def keep_put(self, tool: Tool, target: ToolTarget, asked: Mapping[Words, Json], items: Sequence[ToldPlace]) -> None:
        """Keep who made the listed things that calls of the session made."""
        facts = self._facts(tool, target._replace(act="create"), asked, list(_as_made(items)))
        self._learn(one for one in facts if one.key[0] == "caller")

    def caller(self) -> dict[Words, Json]:
        """Return what is known of who calls, by the words of it."""
        return {key[1:]: one for key, one in self._known.items() if key[0] == "caller"}

    def defaults(self) -> dict[Words, Json]:
        """Return the owners that calls left to the service, by the words that tell them."""
        return {key[1:]: one for key, one in self._known.items() if key[0] == "default"}

    def _edits(self, facts: Sequence[_Fact]) -> Iterator[Edit]:
        known = dict(self._known)
        for fact in facts:
            yield from laid(fact.place, fact.name, known.setdefault(fact.key, fact.place.fields[fact.name]))

    def keep(self, tool: Tool, target: ToolTarget, asked: Mapping[Words, Json], places: Sequence[ToldPlace]) -> None:
        """Keep what a result tells first."""
        self._learn(self._facts(tool, target, asked, places))

    def _learn(self, facts: Iterable[_Fact]) -> None:
        for fact in facts:
            self._known.setdefault(fact.key, fact.place.fields[fact.name])

    def _facts(
        self, tool: Tool, target: ToolTarget, asked: Mapping[Words, Json], places: Sequence[ToldPlace]
    ) -> Iterator[_Fact]:
        left = default_owners(tool, self._tools)
        users = _users(target, places, asked)
        for place in places:
            for name, words in _plain_fields(place):
                key = _holder(words, place, asked) or _default(words, place, left, asked)
                key = key or _of_asked(words, place, target, asked)
                key = ("caller", *words) if id(place.fields) in users else key
                key = key or _caller(words, place, target, asked, is_self=path_of(tool).endswith("/me"))
                if key:
                    yield _Fact(key, place, name)
            if target.act in ("read", "list") and not own_field(place.fields, place.holder):
                yield from _of_world(place, asked)
                yield from _named_by_code(place)


def _as_made(items: Sequence[ToldPlace]) -> Iterator[ToldPlace]:
    """Yield listed things as what was made, each with its parts."""
    for place in items:
        yield place._replace(role="thing")
        held = ((name, one) for name, one in place.fields.items() if isinstance(one, dict))
        yield from (ToldPlace("part", singular(name), one, {}) for name, one in held if isinstance(one, dict))


def _plain_fields(place: ToldPlace) -> list[tuple[str, Words]]:
    found = ((name, plain_words(name)) for name, one in place.fields.items() if isinstance(one, (str, int, float)))
    return [(name, words) for name, words in found if words and place.fields[name] not in ("", 0)]


def is_holder(words: Words, holder: str) -> bool:
    """Whether a field of a thing identifies the account or the like that it is in."""
    is_one = len(words) == _PAIR and words[0] in HOLDERS and words[1] in ID_WORDS
    return is_one and stem(words[0]) not in map(stem, name_words(holder))


def _holder(words: Words, place: ToldPlace, asked: Mapping[Words, Json]) -> tuple[str, ...]:
    """The account and the like, by a field of a thing or as a part of it; one that the call names is another."""
    held = name_words(place.holder)[-1:] if place.role == "part" else ()
    if held and held[0] in HOLDERS and own_field(place.fields, place.holder):
        word, of_it = held[0], words
    elif is_holder(words, place.holder):
        word, of_it = words[0], ("id",)
    else:
        return ()
    named = sorted({str(one) for given, one in asked.items() if given[:1] == (word,) and not isinstance(one, dict)})
    return ("holder", word, *named, *of_it)


@lru_cache(maxsize=8192)
def default_owners(tool: Tool, tools: tuple[Tool, ...]) -> frozenset[Words]:
    """Return the identifiers of owners that twins of a tool's path spell out, and the tool leaves to the service.

    `/v1/Conversations` beside `/v1/Services/{ServiceSid}/Conversations`: the `service id`. A session may not hold the
    twin; then the description says it: `from your account's default service`.
    """
    path = IN_PATH.sub("{}", path_of(tool))
    found = {owner_words(one[1]) for one in _DEFAULT.finditer(tool.description[:_DESCRIBED])}
    for other in tools if path else ():
        for mark in re.finditer(r"/([\w.-]+)/\{(\w+)\}(?=/)", path_of(other)):
            rest = path_of(other)[: mark.start()] + path_of(other)[mark.end() :]
            if other.service == tool.service and IN_PATH.sub("{}", rest) == path:
                found |= {owner_words(mark[1]), plain_words(mark[2])}
    return frozenset(words for words in found if len(words) > 1 and words[-1] == "id")


_DESCRIBED = 300
_DEFAULT = re.compile(r"\b(?:your|the|its|their|account's|own) default (\w{3,30})\b")


def owner_words(segment: str) -> Words:
    """Return the words of the identifier of what a part of a path is called after: `dns`, `zone`, `id`."""
    words = name_words(segment)
    return (*words[:-1], singular(words[-1]), "id") if words else ()


def _default(words: Words, place: ToldPlace, left: frozenset[Words], asked: Mapping[Words, Json]) -> tuple[str, ...]:
    is_one = place.role in ("thing", "item") and words[-_PAIR:] in left and words not in asked
    is_own = own_field(place.fields, place.holder)
    return ("default", *words) if is_one and (not is_own or plain_words(is_own) != words) else ()


def _of_asked(words: Words, place: ToldPlace, target: ToolTarget, asked: Mapping[Words, Json]) -> tuple[str, ...]:
    """The identifier of what a call names: the `city_id` of the airports of a city, the `author_id` of one's posts."""
    is_own = plain_words(own_field(place.fields, place.holder)) == words
    if len(words) != _PAIR or words[1] != "id" or is_own or words in asked or target.act not in ("read", "list"):
        return ()
    of_user = ("user", "name") if words[0] in _MAKERS else ()
    ways = ((words[0],), (words[0], "name"), of_user)
    named = next((asked[way] for way in ways if isinstance(asked.get(way), str)), None)
    return ("asked", words[0], str(named), "id") if named is not None else ()


def _caller(
    words: Words, place: ToldPlace, target: ToolTarget, asked: Mapping[Words, Json], *, is_self: bool
) -> tuple[str, ...]:
    """Who calls: the maker of what a call makes, whoever changed what it changes, and the user `/me`."""
    if is_self and place.role == "thing":
        return ("caller", *words)
    done = {"create": BEGINS | CHANGED, "change": CHANGED}.get(target.act, frozenset[str]())
    held = plain_words(place.holder) if place.role == "part" else ()
    if not done or any(given[: len(words)] == words or (held and given[: len(held)] == held) for given in asked):
        return ()
    if held and _is_by(held, done, target):
        return ("caller", *words)
    if place.role != "thing":
        return ()
    if _is_by(words[:-1], done, target) and words[-1] in ("id", "name"):
        return ("caller", words[-1])
    if (words == ("user", "id") and target.act == "create") or _is_by(words, done, target):
        return ("caller", "id" if kind_of_value(place.fields[next(iter(_named(place, words)))]) == "code" else "name")
    return ()


def _users(target: ToolTarget, places: Sequence[ToldPlace], asked: Mapping[Words, Json]) -> frozenset[int]:
    """The objects in what a call makes that tell who calls: the `user` of a comment, not that of a membership."""
    if target.act != "create" or not _OF_PEOPLE.isdisjoint(target.named):
        return frozenset()
    told = (one for place in places if place.role == "thing" for one in place.fields.items())
    named = {given[:1] for given in asked}
    return frozenset(id(held) for name, held in told if name_words(name) in MADE_BY and name_words(name) not in named)


def _named(place: ToldPlace, words: Words) -> Iterator[str]:
    return (name for name in place.fields if plain_words(name) == words)


def _is_by(words: Words, done: frozenset[str], target: ToolTarget) -> bool:
    """Whether a field says by whom a thing was made or changed: `created_by`, `author`."""
    is_maker = target.act == "create" and len(words) == 1 and words[0] in _MAKERS
    return is_maker or (words[-1:] == ("by",) and not done.isdisjoint(map(stem, words[:-1])))


def _of_world(place: ToldPlace, asked: Mapping[Words, Json]) -> Iterator[_Fact]:
    """Yield the figures of an object that is no thing of the service, under what they are told of, and when."""
    fields = {words: place.fields[name] for name, words in _plain_fields(place)}
    days = sorted(str(one)[:10] for words, one in {**asked, **fields}.items() if _is_day(words, one))
    for name, words in _plain_fields(place):
        one = place.fields[name]
        told_of = next((about for figures, about in _TOLD_BY if not figures.isdisjoint(words)), None)
        is_rate = re.fullmatch(r"[A-Z]{3}", name) is not None and isinstance(one, (int, float))
        about = _MONEYS if is_rate else told_of
        if about is None or isinstance(one, bool):
            continue
        of = sorted({str(told) for key, told in {**asked, **fields}.items() if key[-1] in about and key != words})
        if of or is_rate:
            yield _Fact(("world", *of, *days, *words), place, name)


def _named_by_code(place: ToldPlace) -> Iterator[_Fact]:
    """Yield the names of a thing that is known by a code: one code has one name."""
    code = code_field(place)
    for name, words in _plain_fields(place) if code else ():
        if words[-1] == "name":
            yield _Fact(("world", str(place.fields[code]), *name_words(code), "name"), place, name)


def _is_day(words: Words, value: Json) -> bool:
    is_dated = not {"date", "day", "at", "time", "year"}.isdisjoint(words)
    return is_dated and isinstance(value, str) and parse_moment(value) is not None

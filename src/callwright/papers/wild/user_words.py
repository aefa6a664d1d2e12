"""The user's words, offline: requests, changes of a value, and chats (sections 3.1, 3.2 and 3.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from random import Random

import msgspec

from callwright.author.briefs import Known, Style
from callwright.author.grammar import Frame, bank_file, compile_frame, tidy, write
from callwright.author.step import ruled_step
from callwright.environment.told_results import spoken
from callwright.lang.english import join_with, plural, sentence_case
from callwright.lang.kinds import Kind
from callwright.lang.numbers import in_words
from callwright.lang.surface import forms
from callwright.papers.wild.request_phrases import Phrase, again, another, is_several, noted, phrase
from callwright.papers.wild.task_briefs import WHOLE, Mention, Reference, WildAsk, WildChange, WildChat, Wish, entity_of

LONG_CODE = 14
"""Characters of an identifier beyond which people paste it, and do not speak of the thing by it."""


@ruled_step("wild/ask.j2")
def wild_ask(rng: Random, brief: WildAsk) -> str:
    """Word a request of one or several wishes, with the values that it must say and no others."""
    wishes = _recalled_once(_pasted_once(merged(rng, brief.wishes, brief.today)))
    parts: list[str] = []
    for place, wish in enumerate(wishes):
        if not place and brief.again is not None:
            parts.append(_sentence(_again(rng, brief, brief.again, wish), brief.style))
            continue
        said = phrase(rng, wish, brief.today)
        text = _next(rng, brief.style, said, wish, parts) if place else _first(rng, brief, said, wish)
        parts.append(_sentence(text, brief.style) + noted(said.notes, brief.style))
    if brief.taken_back is not None:
        taken = phrase(rng, brief.taken_back, brief.today)
        fields = {"do": f"{taken.do}{noted(taken.notes, 'terse')}"}
        parts.append(write(rng, _bank(f"take.back.{brief.style}"), fields))
    return _sentence(tidy((" " if brief.style == "verbose" else ", ").join(parts)), brief.style)


@ruled_step("wild/change.j2")
def wild_change(rng: Random, brief: WildChange) -> str:
    """Word the change of an earlier value, while the assistant is at work or after an answer."""
    day = date.fromisoformat(brief.today) if brief.today else None
    fields = {"first": _beside(rng, brief.change.first, day), "then": _beside(rng, brief.change.then, day)}
    bank = f"change.{'answer.' if brief.answers else ''}{brief.style}"
    return _sentence(tidy(write(rng, _bank(bank), fields, recent=brief.recent)), brief.style)


@ruled_step("wild/chat.j2")
def wild_chat(rng: Random, brief: WildChat) -> str:
    """Word a remark, which may announce a thing or speak of an earlier task, and a question that needs no tool."""
    fields: dict[str, str] = {}
    if brief.announced is not None:
        value, entity = spoken(rng, brief.announced, None), entity_of(brief.announced.slot)
        is_code = brief.announced.slot.kind == "code"
        fields |= {"thing": f"{entity} {value}" if is_code else value, "entity": entity, "value": value}
        bank = "chat.announced.long" if is_code and len(value) > LONG_CODE else "chat.announced"
    elif brief.reference is None:
        bank = "chat.alone"
    else:
        reference = brief.reference
        is_whole = reference.about == WHOLE
        bank = "chat.request.whole" if is_whole else f"chat.{reference.entity}.{reference.hiding}"
        fields["about"] = reference.about
    parts = [write(rng, _bank(bank), fields, recent=brief.recent), compile_frame(brief.question).render(rng, {})]
    text = tidy(" ".join(parts))
    return text[0].lower() + text[1:] if brief.style == "terse" and text[1:2].islower() else text


def _beside(rng: Random, known: Known, today: date | None) -> str:
    """A value beside another one: a day with its month, as "the 18th" would mean the month of the other day."""
    if known.slot.kind == "date":
        dated = [way for way in forms(known.value, "date", today) if _MONTH_AND_DAY.fullmatch(way)]
        if dated:
            return rng.choice(dated)
    return spoken(rng, known, today)


_MONTH_AND_DAY = re.compile(r"(?=.*\d)(?=.*[A-Z][a-z]{2})(?!.*\d{4}).*")


# -- wishes ----------------------------------------------------------------------------------------------------------


def _first(rng: Random, brief: WildAsk, said: Phrase, wish: Wish) -> str:
    """Word the first wish of a message: as an opening, as what goes on from before, or after a chat."""
    kind = "ask"
    if brief.position:
        kind = "resume" if brief.after_chat and rng.random() < 0.6 else "follow"
    if said.thing and kind != "resume" and rng.random() < 0.35 and not wish.another:  # of which act another is due
        kind = f"{kind}.thing"
    return write(rng, _bank(f"{kind}.{brief.style}"), _fields(said), recent=brief.recent)


def _next(rng: Random, style: Style, said: Phrase, wish: Wish, before: Sequence[str]) -> str:
    """Word a further wish: one that needs an earlier one, or an independent one."""
    bank = "after" if wish.after else "also"
    return write(rng, _bank(f"{bank}.{style}"), _fields(said), recent=before)


def _fields(said: Phrase) -> dict[str, str]:
    return {"do": said.do, "Do": sentence_case(said.do), "thing": said.thing, "Thing": sentence_case(said.thing)}


def _again(rng: Random, brief: WildAsk, reference: Reference, wish: Wish) -> str:
    day = date.fromisoformat(brief.today) if brief.today else None
    words = [again(rng, mention, day) for mention in wish.mentions if mention.way == "said"]
    if wish.another:
        words += [f"for {another(mention)}" for mention in wish.by_way("missing")]
    fields = {"values": " ".join(dict.fromkeys(words)), "thing": f"the {reference.about}"}
    way = "other" if wish.another and reference.hiding == "partial" else reference.hiding
    bank = f"again.{'earlier' if reference.about else way}.{brief.style}"
    return write(rng, _bank(bank), fields, recent=brief.recent)


# -- wishes that differ in one value ---------------------------------------------------------------------------------

_MERGED: frozenset[Kind] = frozenset(
    ("city", "country", "code", "person", "title", "other", "url", "email", "phone", "currency", "language", "year")
)


def merged(rng: Random, wishes: Sequence[Wish], today: str) -> list[Wish]:
    """Return the wishes; those that differ in one value become one wish: `for Lyon, Paris and Nice`."""
    out: list[Wish] = []
    places: dict[int, int] = {}
    for place, wish in enumerate(wishes):
        after = tuple(dict.fromkeys(places[parent] for parent in wish.after))
        alike = [at for at, one in enumerate(out) if (one.gloss, one.after) == (wish.gloss, after)]
        twin = next((at for at in alike if _differing(out[at], wish) is not None), None)
        if twin is None:
            places[place] = len(out)
            out.append(msgspec.structs.replace(wish, after=after))
        else:
            places[place] = twin
            out[twin] = _joined(rng, out[twin], [w for at, w in enumerate(wishes) if places.get(at) == twin], today)
    return out


def _pasted_once(wishes: Sequence[Wish]) -> list[Wish]:
    """Return the wishes, in which a later one refers to a long identifier that an earlier one says."""
    out: list[Wish] = []
    pasted = set[tuple[str, str]]()
    for wish in wishes:
        long = [one for one in wish.by_way("said") if _is_pasted(one)]
        told = [
            msgspec.structs.replace(one, way="again", reference=Reference(entity=entity_of(one.known.slot)))
            if one in long and (entity_of(one.known.slot), one.known.text) in pasted
            else one
            for one in wish.mentions
        ]
        pasted |= {(entity_of(one.known.slot), one.known.text) for one in long}
        out.append(msgspec.structs.replace(wish, mentions=tuple(told)))
    return out


def _recalled_once(wishes: Sequence[Wish]) -> list[Wish]:
    """Return the wishes, in which one says where a thing came up, and later ones say `that file`."""
    out: list[Wish] = []
    recalled = set[tuple[str, str]]()
    for wish in wishes:
        far = [one for one in wish.by_way("hidden") if one.reference.hiding == "long_range"]
        told = [
            msgspec.structs.replace(one, reference=Reference("coreference", one.reference.entity))
            if one in far and (one.reference.entity, one.known.text) in recalled
            else one
            for one in wish.mentions
        ]
        recalled |= {(one.reference.entity, one.known.text) for one in far}
        out.append(msgspec.structs.replace(wish, mentions=tuple(told)))
    return out


def _is_pasted(mention: Mention) -> bool:
    known = mention.known
    is_long = known.slot.kind == "code" and len(str(known.value)) > LONG_CODE
    return is_long and bool(known.slot.noun.entity) and not mention.words


def _differing(one: Wish, other: Wish) -> int | None:
    """The place of the one mention in which two wishes differ, if both say it or a list feeds both; else None."""
    if [m.known.slot for m in one.mentions] != [m.known.slot for m in other.mentions]:
        return None
    pairs = list(zip(one.mentions, other.mentions, strict=True))
    unlike = [at for at, (a, b) in enumerate(pairs) if not _is_same(a, b)]
    held = [pair[0] for at, pair in enumerate(pairs) if at not in unlike and pair[0].way == "said"]
    if len(unlike) != 1 or any(is_several(one.known) for one in held):
        return None  # of two lists in one phrase nobody can tell what belongs to what
    a, b = pairs[unlike[0]]
    fed = a.way == b.way == "fed" and a.reference.ordinal > 0 and b.reference.ordinal > 0
    return unlike[0] if fed or (a.way == b.way == "said" and a.known.slot.kind in _MERGED) else None


def _is_same(a: Mention, b: Mention) -> bool:
    """Whether two wishes have the same value for a parameter; `again` in one may be `said` in the other."""
    if a.words:
        return False
    return a.known.text == b.known.text and (a.way == b.way or {a.way, b.way} == {"said", "again"})


def _joined(rng: Random, first: Wish, group: Sequence[Wish], today: str) -> Wish:
    base = group[0]
    at = _differing(base, group[1])
    if at is None:
        return first
    mentions = [wish.mentions[at] for wish in group]
    if mentions[0].way == "fed":
        words = f"the first {in_words(len(mentions))} {plural(mentions[0].reference.entity)}"
    else:
        day = date.fromisoformat(today) if today else None
        words = join_with([spoken(rng, mention.known, day) for mention in mentions])
    whole = (*base.mentions[:at], msgspec.structs.replace(base.mentions[at], words=words), *base.mentions[at + 1 :])
    return msgspec.structs.replace(first, mentions=whole)


def _bank(name: str) -> tuple[Frame, ...]:
    return bank_file("user_words", home=__package__)[name]


def _sentence(text: str, style: Style) -> str:
    text = text.strip()
    if style == "terse":
        return text.rstrip(".")
    if text and text.split()[0].strip(",.;:").isalpha():
        text = sentence_case(text)
    return text if text[-1:] in '.?!"…' else text + "."

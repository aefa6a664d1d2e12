"""The user's words, offline: requests, changes of a value, and questions in chats (sections 3.2 and 3.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from random import Random

import msgspec

from callwright.author.briefs import Known, Style
from callwright.author.grammar import Frame, bank_file, tidy, write
from callwright.author.step import step
from callwright.lang.english import is_plural, join_with, plural, sentence_case
from callwright.lang.numbers import in_words
from callwright.lang.surface import forms
from callwright.papers.wild.request_phrases import Phrase, another, phrase
from callwright.papers.wild.task_briefs import Mention, Reference, WildAsk, WildChange, Wish, part_of
from callwright.papers.wild.task_builder import LISTED
from callwright.papers.wild.value_phrases import ORDINALS, again, in_a_row, noted, spoken


@step("wild/ask.j2", home=__package__)
def wild_ask(rng: Random, brief: WildAsk) -> str:
    """Word a request of one or several wishes, with the values that it must say and no others."""
    if brief.again is not None:
        text = _again(rng, brief, brief.again)
    else:
        wishes = merged(rng, brief.wishes, brief.today)
        phrases = [phrase(rng, wish, brief.today) for wish in wishes]
        if len(wishes) == 1:
            text = _sentence(_one(rng, brief, wishes[0], phrases[0]), brief.style)
            text += noted(rng, phrases[0].notes, brief.style)
        else:
            text = _many(rng, brief, wishes, [said.with_aside() for said in phrases])
    if brief.taken_back is not None:
        fields = {"do": phrase(rng, brief.taken_back, brief.today).whole}
        text += " " + write(rng, _bank(f"take.back.{brief.style}"), fields)
    return _sentence(tidy(text), brief.style)


@step("wild/change.j2", home=__package__)
def wild_change(rng: Random, brief: WildChange) -> str:
    """Word the change of an earlier value, while the assistant is at work or after an answer."""
    day = date.fromisoformat(brief.today) if brief.today else None
    fields = {"first": _beside(rng, brief.change.first, day), "then": _beside(rng, brief.change.then, day)}
    bank = f"change.{'answer.' if brief.answers else ''}{brief.style}"
    return _sentence(tidy(_write(rng, bank, fields, brief.recent)), brief.style)


def _beside(rng: Random, known: Known, today: date | None) -> str:
    """A value beside another one: a day with its month, as "the 18th" would mean the month of the other day."""
    if known.slot.kind == "date":
        dated = [way for way in forms(known.value, "date", today) if _MONTH_AND_DAY.fullmatch(way)]
        if dated:
            return rng.choice(dated)
    return spoken(rng, known, today)


_MONTH_AND_DAY = re.compile(r"(?=.*\d)(?=.*[A-Z][a-z]{2})(?!.*\d{4}).*")


def _one(rng: Random, brief: WildAsk, wish: Wish, said: Phrase) -> str:
    later = brief.position > 0
    if later and brief.after_chat and rng.random() < 0.4:
        return _write(rng, f"resume.{brief.style}", _fields(said), brief.recent)
    start = "follow" if later and (wish.by_way("hidden") or rng.random() < 0.5) else ""
    if said.thing and rng.random() < 0.5:
        bank = f"{start}.thing.{brief.style}" if start else f"thing.{brief.style}"
        return _write(rng, bank, _fields(said), brief.recent)
    own = bank_file("user_words", home=__package__).get(f"ask.{brief.style}.{brief.tone}", ())
    own = tuple(frame for frame in own if not (later and _GREETS.match(frame.source)))
    if not start and own and rng.random() < 0.35:
        return write(rng, own, _fields(said), recent=brief.recent)
    frames = _bank(f"{start or 'ask'}.{brief.style}")
    if later:
        frames = tuple(frame for frame in frames if not _GREETS.match(frame.source)) or frames
    return write(rng, _for_length(frames, said), _fields(said), recent=brief.recent)


_GREETS = re.compile(r"\(?(?:Hi|Hello|Hey|Morning|hey |hi |ok \|hey|First things|Hope|Good day)")


def _fields(said: Phrase) -> dict[str, str]:
    head = re.split(r"\s(?:of|for|with|from|to|in|on|at|by|about|between)\s", said.thing)[0]
    return {
        "do": said.do,
        "Do": sentence_case(said.do),
        "thing": said.thing,
        "Thing": sentence_case(said.thing),
        "is": "are" if is_plural(head) else "is",
    }


_MERGED = LISTED | {"language", "year"}


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


def _differing(one: Wish, other: Wish) -> int | None:
    """The place of the one mention in which two wishes differ, if both say it or a list feeds both; else None."""
    if [m.known.slot for m in one.mentions] != [m.known.slot for m in other.mentions]:
        return None
    pairs = list(zip(one.mentions, other.mentions, strict=True))
    unlike = [at for at, (a, b) in enumerate(pairs) if not _is_same(a, b)]
    if len(unlike) != 1:
        return None
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
        entity = mentions[0].reference.entity
        which = f"each of the first {in_words(len(mentions))} {plural(entity)}"
        words = f"{part_of(mentions[0].known.slot, entity)}{which}"
    else:
        day = date.fromisoformat(today) if today else None
        words = join_with([spoken(rng, mention.known, day) for mention in mentions])
    whole = (*base.mentions[:at], msgspec.structs.replace(base.mentions[at], words=words), *base.mentions[at + 1 :])
    return msgspec.structs.replace(first, mentions=whole)


def _many(rng: Random, brief: WildAsk, wishes: Sequence[Wish], phrases: Sequence[Phrase]) -> str:
    """Join the wishes of a chain by `then`; the others become further requests."""
    verbose = brief.style == "verbose"
    parts: list[str] = []
    place = 0
    while place < len(wishes):
        said, first = phrases[place], place
        pair = phrases[place : place + 2]
        chained = len(pair) == 2 and wishes[place + 1].after == (place,)
        is_free = len(pair) == 2 and not (wishes[place].after or wishes[place + 1].after)
        may_join = not parts and is_free and sum(len(one.do) for one in pair) < _LONGEST_PAIR
        if chained and (not parts or rng.random() < 0.5):
            joint = write(rng, _bank("then.verbose"), {"a": said.do, "b": phrases[place + 1].do})
            said, place = Phrase(joint, ""), place + 1
        elif may_join and rng.random() < 0.45:
            said, place = Phrase(f"{said.do} and {phrases[place + 1].do}", ""), place + 1
        if not parts:
            parts.append(_sentence(_first(rng, brief, said), brief.style))
        else:
            parts.append(_next(rng, brief.style, said, wishes[first].after, first, parts))
        place += 1
    return (" " if verbose else ", ").join(parts)


_LONGEST_PAIR = 150


def _first(rng: Random, brief: WildAsk, said: Phrase) -> str:
    frames = _bank(f"{'follow' if brief.position and rng.random() < 0.6 else 'ask'}.{brief.style}")
    if brief.position:
        frames = tuple(frame for frame in frames if not _GREETS.match(frame.source))
    frames = tuple(frame for frame in frames if not _ENDS_LATE.search(frame.source)) or frames
    return write(rng, _for_length(frames, said), _fields(said), recent=brief.recent)


_LONG = 90
_GOES_ON = re.compile(r"\{(?:do|thing)\}.{14,}")


def _for_length(frames: tuple[Frame, ...], said: Phrase) -> tuple[Frame, ...]:
    """The frames; for a long wish those with few words after it, or the sentence is hard to follow."""
    short = tuple(frame for frame in frames if not _GOES_ON.search(frame.source))
    return short if short and len(said.do) > _LONG else frames


_ENDS_LATE = re.compile(r"One more thing|one\|One|First things|\{do\} (?:as well|too|next|now)|too\|\)")


def _next(rng: Random, style: Style, said: Phrase, after: Sequence[int], place: int, before: Sequence[str]) -> str:
    """Word a further wish: one that needs the last wish, one that needs another wish, or an independent one."""
    bank = "after" if place - 1 in after else "beside" if after else "also"
    if bank == "also" and said.thing and style == "verbose" and rng.random() < 0.4:
        bank = "also.thing"
    if bank == "also" and len(before) > 1 and rng.random() < 0.5:
        bank = "meanwhile"
    return _sentence(write(rng, _bank(f"{bank}.{style}"), _fields(said), recent=before), style)


def _again(rng: Random, brief: WildAsk, reference: Reference) -> str:
    wishes = merged(rng, brief.wishes, brief.today)
    day = date.fromisoformat(brief.today) if brief.today else None
    words = [again(rng, mention, wishes[0].gloss, day) for mention in wishes[0].mentions if mention.way == "said"]
    if wishes[0].another:
        words += [f"for {another(rng, mention)}" for mention in wishes[0].by_way("missing")]
    fields = {"values": in_a_row(list(dict.fromkeys(words))), "thing": reference.about}
    fields["request"] = f"my {ORDINALS[reference.request]} request"
    bank = f"again.{'earlier' if reference.about else reference.hiding}.{brief.style}"
    parts = [_sentence(_write(rng, bank, fields, brief.recent), brief.style)]
    for place, wish in list(enumerate(wishes))[1:]:
        said = phrase(rng, wish, brief.today).with_aside()
        parts.append(_next(rng, brief.style, said, wish.after, place, parts))
    return (" " if brief.style == "verbose" else ", ").join(parts)


def _bank(name: str) -> tuple[Frame, ...]:
    return bank_file("user_words", home=__package__)[name]


def _write(rng: Random, bank: str, fields: dict[str, str], recent: Sequence[str]) -> str:
    return write(rng, _bank(bank), fields, recent=recent)


def _sentence(text: str, style: Style) -> str:
    text = text.strip()
    if style == "terse":
        return text.rstrip(".")
    if text and text.split()[0].strip(",.;:").isalpha():
        text = sentence_case(text)
    return text if text[-1:] in '.?!"…' else text + "."

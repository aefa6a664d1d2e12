"""How users word their turns: the offline voice of the simulated user."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from random import Random

from callwright.author.briefs import Known, Request, Style, UserBrief
from callwright.author.grammar import Frame, bank_file, tidy, write
from callwright.author.mention_order import MAKES
from callwright.author.step import ruled_step
from callwright.catalog.chunks import PREPOSITIONS
from callwright.catalog.slots import Slot, said_noun
from callwright.lang.english import (
    gerund,
    join_with,
    sentence_case,
    ways_to_say,
    with_article,
)
from callwright.lang.kinds import Kind
from callwright.lang.lexicon import word_set
from callwright.lang.schemas import name_words
from callwright.lang.surface import forms, say
from callwright.lang.tokens import stem_set
from callwright.records.jsontext import Json


@ruled_step("diaforge/user_turn.j2")
def user_turn(rng: Random, brief: UserBrief) -> str:
    """Word one turn of the user."""
    act = brief.act
    if act.kind == "open":
        text = _opening(rng, brief)
    elif act.kind == "answer":
        text = _answer(rng, brief)
    elif act.kind == "full":
        text = _from(rng, brief, "full", {"full": brief.full})
    elif act.kind == "ask_back" and brief.about is not None:
        noun = brief.about.noun
        fields = {"n": noun.text, "the_n": noun.definite, "verb": "are" if noun.plural else "is"}
        text = _from(rng, brief, "askback", fields | _capitals(noun.text))
    elif act.kind == "again":
        fields = _request_fields(rng, brief.request, brief.request.thing)
        text = _from(rng, brief, "again" if brief.request.verb else "again.topic", fields)
    elif act.kind == "unsure" and brief.slots:
        text = _from(rng, brief, "unsure.value", {"clause": _labelled(rng, brief, brief.slots)})
    else:
        text = _from(rng, brief, act.kind, {})
    return _spelled(_finish(text, brief.style), brief.slots)


def _spelled(text: str, knowns: Sequence[Known]) -> str:
    """Give codes and addresses that begin a sentence their own small letters back."""
    for known in knowns:
        value = known.value
        if known.slot.kind in ("code", "email", "url") and isinstance(value, str) and value[:1].islower():
            text = text.replace(sentence_case(value), value)
    return text


# -- opening ---------------------------------------------------------------------------------------------------------


def _opening(rng: Random, brief: UserBrief) -> str:
    request = brief.request
    thing = _without_article(rng, request.thing) if brief.style == "terse" else request.thing
    bank = "open" if request.verb else "open.topic"
    if request.thing.startswith("something") and brief.style == "verbose":
        bank = "open.something"
    if not request.verb:
        thing = re.sub(r"^(?:for|to|in|on|of) ", "", thing)
        if brief.style == "verbose" and thing.islower() and thing.isalpha() and thing != "something":
            thing = with_article(thing)
    fields = _request_fields(rng, request, thing)
    aim = write(rng, _bank("aim"), {}) if rng.random() < 0.4 else ""
    fields["aim"] = aim if aim[:1] in ("", ",") else f" {aim}"
    fields["mood"] = write(rng, _bank("mood"), {})
    text = write(rng, _open_frames(rng, brief, bank), fields, recent=brief.recent)
    return text + _volunteered(rng, brief, brief.slots)


def _open_frames(rng: Random, brief: UserBrief, bank: str) -> tuple[Frame, ...]:
    """Half of the wishes are put in the way of the persona's tone, where it has one."""
    own = bank_file("user").get(f"{bank}.{brief.style}.{brief.tone}", ())
    return own if own and rng.random() < 0.5 else _bank(f"{bank}.{brief.style}")


def _request_fields(rng: Random, request: Request, thing: str) -> dict[str, str]:
    verb = request.verb or "sort out"
    ways = ways_to_say(verb)
    said = ways[0] if thing.startswith("something") else ways[int(rng.random() ** 1.5 * len(ways))]
    if thing.split(" ")[0] in PREPOSITIONS:
        said = verb  # "search for": the preposition belongs to this very verb
    return {"do": _acted_on(said, thing), "doing": _acted_on(gerund(said), thing), "thing": thing}


def _acted_on(said: str, thing: str) -> str:
    """Verb and thing; `something` stands before a particle: `look something up`, and to list it is `get a list`."""
    if thing == "something" and said in ("list", "listing"):
        return "get a list" if said == "list" else "getting a list"
    verb, _, particle = said.partition(" ")
    if thing.startswith("something") and particle in word_set("particles"):
        return f"{verb} something {particle}{thing.removeprefix('something')}"
    return f"{said} {thing}".strip()


def _without_article(rng: Random, thing: str) -> str:
    return re.sub(r"^(?:an?|the) ", "", thing) if rng.random() < 0.6 else thing


# -- answers ---------------------------------------------------------------------------------------------------------


def _answer(rng: Random, brief: UserBrief) -> str:
    parts: list[str] = []
    if brief.act.picks:
        parts.append(_pick(rng, brief))
    asked = [known for known in brief.slots if known.slot.name in brief.act.slots]
    if asked and brief.act.labelled:
        parts.append(_labelled(rng, brief, asked))
    elif asked:
        recent = (*brief.recent, *parts)
        parts.append(_tell(rng, brief, asked, recent))
    text = _join_sentences(parts, brief.style)
    more = [known for known in brief.slots if known.slot.name in brief.act.more]
    return text + _volunteered(rng, brief, more)


_THREE_CHOICES = re.compile(r",[^,?]+,? or ", re.IGNORECASE)


def _pick(rng: Random, brief: UserBrief) -> str:
    style, offered = brief.style, brief.act.offered
    if offered in ("first", "second") and rng.random() < 0.14:
        return write(rng, _bank(f"ordinal.{style}"), {"ordinal": offered}, recent=brief.recent)
    phrase = brief.pick
    kind = "pick.action" if brief.pick_is_action else "pick"
    if style == "terse" and rng.random() < 0.5:
        phrase = re.sub(r"^((?:for |with |from |to |of |in )?)(?:an?|the) ", r"\1", phrase)
    elif not brief.pick_is_action and rng.random() < 0.3:
        phrase = re.sub(r"^(?:for|of) (?=an? |the |your |my )", "", phrase)
    fields = {"it": phrase, "It": sentence_case(phrase), "phrase": re.sub(r"^(?:an?|the|just) ", "", phrase)}
    if offered == "others" and rng.random() < 0.7:
        kind = kind.replace("pick", "neither")
    elif offered != "others" and stem_set(phrase) <= stem_set(" ".join(brief.recent)):
        kind = kind.replace("pick", "pick.plain")  # the opening's words again would tell nothing
    frames = _bank(f"{kind}.{style}")
    if _THREE_CHOICES.search(brief.heard):  # "neither" is of two
        frames = tuple(frame for frame in frames if "either" not in frame.source) or frames
    if kind == "pick" and style == "verbose" and phrase.split(" ")[0] not in PREPOSITIONS:
        frames += _bank("pick.noun.verbose")
    return write(rng, frames, fields, recent=brief.recent)


def _tell(rng: Random, brief: UserBrief, asked: Sequence[Known], recent: Sequence[str]) -> str:
    plain = [known for known in asked if known.slot.kind != "boolean"]
    yes_no = [known for known in asked if known.slot.kind == "boolean"]
    parts: list[str] = []
    if len(plain) == 1:
        parts.append(_one(rng, brief, plain[0], recent))
    elif len(plain) == 2:
        parts.append(_pair(rng, brief, plain[0], plain[1], recent))
    elif plain:
        parts.append(_many(rng, brief, plain))
    parts += [_yes_or_no(rng, brief, known, (*recent, *parts)) for known in yes_no]
    return _join_sentences(parts, brief.style)


def _one(rng: Random, brief: UserBrief, known: Known, recent: Sequence[str]) -> str:
    style = brief.style
    group = "new" if _is_new_name(known.slot, brief.full) else _GROUPS.get(known.slot.kind, "one")
    if group == "one" or (group == "code" and rng.random() < 0.5):
        group = "willing" if _ASKED_KINDLY.search(brief.heard) and rng.random() < 0.3 else "one"
    bank = bank_file("user").get(f"tell.{group}.{style}") or _bank(f"tell.one.{style}")
    return write(rng, bank, _slot_fields(rng, brief, known), recent=recent)


def _is_new_name(slot: Slot, wish: str) -> bool:
    """Whether a value is the name that the wished act gives to a new thing: `name`, and `board name` of a new board."""
    *words, last = name_words(slot.label or slot.name) or ("",)
    is_name = last in ("name", "title", "label") and slot.kind in ("title", "text", "other")
    return is_name and (*wish.split(), "")[0] in MAKES and stem_set(" ".join(words)) <= stem_set(wish)


_GROUPS: dict[Kind, str] = {
    "code": "code", "date": "when", "datetime": "when", "time": "when", "text": "text", "title": "title",
    "enum": "enum", "count": "count", "money": "money", "person": "person",
}  # fmt: skip
_ASKED_KINDLY = re.compile(r"\b(?:could|can|may|would) (?:you|i)\b|\bhave you got\b|\bdo you have\b", re.IGNORECASE)


def _pair(rng: Random, brief: UserBrief, first: Known, second: Known, recent: Sequence[str]) -> str:
    if "text" in (first.slot.kind, second.slot.kind):  # free words stand in a sentence of their own
        parts = [_one(rng, brief, known, recent) for known in (first, second)]
        return _join_sentences(parts, brief.style)
    fields: dict[str, str] = {}
    for number, known in (("1", first), ("2", second)):
        slot = _slot_fields(rng, brief, known)
        fields |= {f"v{number}": slot["v"], f"V{number}": slot["V"], f"the_n{number}": slot["the_n"]}
        clause = _clause(rng, brief.style, slot)
        fields |= {f"clause{number}": clause, f"Clause{number}": sentence_case(clause)}
    return sentence_case(write(rng, _bank(f"pair.{brief.style}"), fields, recent=recent))


def _many(rng: Random, brief: UserBrief, knowns: Sequence[Known]) -> str:
    clauses = [_clause(rng, brief.style, _slot_fields(rng, brief, known)) for known in knowns]
    if brief.style == "terse":
        return (", " if rng.random() < 0.7 else " / ").join(clauses)
    if rng.random() < 0.5:
        return sentence_case(f"{', '.join(clauses[:-1])}, and {clauses[-1]}.")
    return f"{sentence_case(clauses[0])}. {sentence_case(join_with(clauses[1:]))}."  # not three sentences built alike


def _labelled(rng: Random, brief: UserBrief, knowns: Sequence[Known]) -> str:
    """Each value with its noun, for who did not ask for it by name."""
    clauses = [
        _yes_or_no_unasked(known, "terse").rstrip(".")
        if known.slot.kind == "boolean"
        else _clause(rng, brief.style, _slot_fields(rng, brief, known))
        for known in knowns
    ]
    return (", " if brief.style == "terse" else "; ").join(clauses)


def _clause(rng: Random, style: Style, fields: dict[str, str]) -> str:
    return write(rng, _bank("clause" if style == "verbose" else "clause.terse"), fields)


def _volunteered(rng: Random, brief: UserBrief, knowns: Sequence[Known]) -> str:
    text = ""
    for known in knowns:
        if known.slot.kind == "boolean":
            text += " " + _yes_or_no_unasked(known, brief.style)
            continue
        fields = _slot_fields(rng, brief, known)
        fields["clause"] = _clause(rng, brief.style, fields)
        text += _leading_space(write(rng, _more_bank(brief, known), fields, recent=(text,)))
    return text


def _more_bank(brief: UserBrief, known: Known) -> tuple[Frame, ...]:
    if brief.style == "terse":
        return _bank("more.terse")
    if known.slot.kind == "text":
        return _bank("more.text.verbose")
    return _bank("more.verbose")


def _leading_space(text: str) -> str:
    return text if text[:1] in ",." else " " + sentence_case(text)


def _yes_or_no(rng: Random, brief: UserBrief, known: Known, recent: Sequence[str]) -> str:
    bank = _bank(f"{'yes' if known.value else 'no'}.{brief.style}")
    return write(rng, bank, {"act": _as_heard(known.slot.noun.consequence)}, recent=recent)


def _yes_or_no_unasked(known: Known, style: Style) -> str:
    act = _as_heard(known.slot.noun.consequence)
    text = f"please {act}" if known.value else f"don't {act}"
    return text if style == "terse" else sentence_case(text) + "."


def _as_heard(act: str) -> str:
    """The consequence from the user's mouth: `notify my manager` for `notify your manager`."""
    return re.sub(r"\byour\b", "my", act)


# -- values ----------------------------------------------------------------------------------------------------------


def _slot_fields(rng: Random, brief: UserBrief, known: Known) -> dict[str, str]:
    noun = known.slot.noun
    said = _said(rng, brief, known)
    text = re.sub(r"\byour\b", "my", said_noun(known.slot))
    return {
        "v": said,
        "V": sentence_case(said) if known.slot.kind in ("text", "title", "count", "enum", "date", "time") else said,
        "n": text,
        "the_n": text if text.startswith("my ") else f"the {text}",
        "verb": "are" if noun.plural and text == noun.text else "is",
        "entity": noun.entity,
        "Entity": sentence_case(noun.entity),
    } | _capitals(text)


def _capitals(noun: str) -> dict[str, str]:
    return {"The_n": sentence_case(noun if noun.startswith("my ") else f"the {noun}")}


def _said(rng: Random, brief: UserBrief, known: Known) -> str:
    today = date.fromisoformat(brief.today) if brief.today else None
    said = say_value(rng, known, today)
    if _FROM_TODAY.search(said):  # nobody says "the date is two days ago", or a date in digits and dashes
        said = say_value(rng, known, today)
        if _FROM_TODAY.search(said):
            said = forms(known.value, known.slot.kind, None)[0]
    if brief.corrects == known.slot.name:
        wrong = _wrong(rng, known)
        if wrong is not None:
            fields = {"wrong": _said_alike(wrong, known, said, today), "v": said}
            return write(rng, _bank("correct"), fields)
    return said


_FROM_TODAY = re.compile(r"\bago$|^in \w+ (?:days?|weeks?)\b|\bfrom (?:now|today)$|^\d{4}-\d\d-\d\d$")


def say_value(rng: Random, known: Known, today: date | None) -> str:
    """Say a value, with its currency where the description names one."""
    found = _CURRENCY.search(known.slot.description) if known.slot.kind == "money" else None
    currency = _CURRENCIES[found.group(1)[:3].lower()] if found else ""
    if known.slot.kind == "enum" and isinstance(known.value, str) and known.value.istitle():
        return known.value
    said = say(known.value, known.slot.kind, rng=rng, today=today, currency=currency)
    if said == "one":
        return "1"  # as a word it may mean anything
    return said.rstrip(".") if known.slot.kind == "text" else said


_CURRENCY = re.compile(r"\b(euros?|dollars?|pounds?|EUR|USD|GBP)\b")
_CURRENCIES = {"eur": "EUR", "dol": "USD", "usd": "USD", "pou": "GBP", "gbp": "GBP"}


def _said_alike(wrong: Json, known: Known, said: str, today: date | None) -> str:
    """The wrong value in the form in which the right one is said."""
    right, others = forms(known.value, known.slot.kind, today), forms(wrong, known.slot.kind, today)
    place = right.index(said) if said in right else 0
    return others[min(place, len(others) - 1)]


def _wrong(rng: Random, known: Known) -> Json | None:
    """A slip of the tongue: a day or a unit beside the right value."""
    value = known.value
    if known.slot.kind == "count" and isinstance(value, int) and value > 1:
        return value + rng.choice((-1, 1))
    if known.slot.kind == "date" and isinstance(value, str):
        try:
            day = date.fromisoformat(value)
        except ValueError:
            return None
        return date.fromordinal(day.toordinal() + rng.choice((-1, 1, 2))).isoformat()
    return None


# -- text ------------------------------------------------------------------------------------------------------------


def _bank(name: str) -> tuple[Frame, ...]:
    return bank_file("user")[name]


def _from(rng: Random, brief: UserBrief, bank: str, fields: dict[str, str]) -> str:
    return write(rng, _bank(f"{bank}.{brief.style}"), fields, recent=brief.recent)


def _join_sentences(parts: Sequence[str], style: Style) -> str:
    if style == "verbose":
        return " ".join(_sentence(part) for part in parts if part)
    return ", ".join(part.rstrip(".") for part in parts if part)


def _sentence(text: str) -> str:
    if text.split()[0].strip(",.;:").isalpha():
        text = sentence_case(text)
    return text if text[-1:] in '.?!"' else text + "."


def _finish(text: str, style: Style) -> str:
    text = tidy(text)
    if style == "verbose":
        return _sentence(text)
    return text

"""Fills slots from the user's answers, taking into account which question each answers.

Values with a fixed form are read anywhere. Each reading has a weight: does it answer the question, is it next to its
noun, has it the shape of the examples, is it the only one of its kind. The highest weight is taken first, and no words
are used twice. Values without a form (titles, messages) are the rest of an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

import msgspec

from callwright.baselines.free_words import MOST_CHARACTERS, Clause, bare, clauses, named, quoted, told_as
from callwright.catalog.slots import Slot
from callwright.lang.kinds import Kind
from callwright.lang.quantities import scan
from callwright.lang.reading import Found, read
from callwright.lang.schemas import example_values, options_of, plain_schema
from callwright.lang.tokens import content_stems
from callwright.records.jsontext import Json, decode

_FORMED: Final[frozenset[Kind]] = frozenset(("date", "datetime", "time", "code", "email", "phone", "url"))
"""Kinds read anywhere, if only one slot accepts them."""

_LOOSE: Final[frozenset[Kind]] = frozenset(("title", "text", "other", "list"))
"""Kinds without a form, read from the rest of an answer."""


_FREE: Final = _LOOSE | {"person", "city", "country", "language", "currency"}
"""Kinds whose values may be any text."""


class Answer(msgspec.Struct, frozen=True):
    """A user text, and the names of the slots asked for just before."""

    text: str
    asked: tuple[str, ...] = ()


class _Reading(msgspec.Struct, frozen=True):
    weight: float
    order: int
    """Position of the slot among those wanted."""
    turn: int
    found: Found


def fill(wanted: Sequence[Slot], answers: Sequence[Answer], *, today: date | None) -> dict[str, Json]:
    """Return the values of those `wanted` slots that the answers contain."""
    answers = [msgspec.structs.replace(answer, text=answer.text[:MOST_CHARACTERS]) for answer in answers]
    readings = [
        reading for turn, answer in enumerate(answers) for reading in _readings(wanted, answer, turn, today=today)
    ]
    readings.sort(key=lambda one: (-one.weight, -one.turn, one.order, one.found.start))
    values: dict[str, Json] = {}
    used: dict[int, list[Clause]] = {turn: [] for turn in range(len(answers))}
    for reading in readings:
        name, span = wanted[reading.order].name, Clause(reading.found.start, reading.found.end)
        if name not in values and _is_free(span, used[reading.turn]):
            values[name] = reading.found.value
            used[reading.turn].append(span)
    for turn in reversed(range(len(answers))):
        _fill_loose(wanted, answers[turn], used[turn], values, today)
    return values


def raw_answer(slot: Slot, answers: Sequence[Answer]) -> Json:
    """Return the last answer to a question for the slot unchanged; None if the slot does not accept free text."""
    if slot.kind not in _FREE or plain_schema(decode(slot.schema)).get("type", "string") != "string":
        return None
    for answer in reversed(answers):
        if slot.name in answer.asked:
            return bare(answer.text[:MOST_CHARACTERS], slot.noun.text) or None
    return None


def _is_free(span: Clause, used: Sequence[Clause]) -> bool:
    return all(span.end <= other.start or other.end <= span.start for other in used)


# -- values with a form ----------------------------------------------------------------------------------------------


def _readings(wanted: Sequence[Slot], answer: Answer, turn: int, *, today: date | None) -> Iterator[_Reading]:
    kinds = [slot.kind for slot in wanted]
    nouns = [slot.noun.text for slot in wanted]
    for order, slot in enumerate(wanted):
        if slot.kind in _LOOSE:
            continue
        is_asked = slot.name in answer.asked
        for rank, found in enumerate(_read(slot, answer, today=today)):
            near = _nearness(slot, nouns, answer.text, found)
            is_only = slot.kind in _FORMED and kinds.count(slot.kind) == 1
            if not is_asked and near < 0.5 and not is_only:
                continue
            weight = 4.0 * is_asked + 3.0 * near + 0.5 * is_only + _shape_weight(slot, found)
            if slot.kind in ("person", "city", "object"):
                weight -= 0.2 * rank
            yield _Reading(weight, order, turn, found)


def _read(slot: Slot, answer: Answer, *, today: date | None) -> Sequence[Found]:
    schema = plain_schema(decode(slot.schema))
    if slot.kind == "boolean":
        return list(_yes_or_no(slot, answer))
    found = read(answer.text, slot.kind, schema, today=today)
    if slot.kind == "enum" and not found:
        return list(_by_stems(answer.text, options_of(schema)))
    if slot.kind == "code":
        numbered = [one for one in found if any(letter.isdigit() for letter in str(one.value))]
        codes = [*_like_examples(answer.text, schema), *numbered]
        return codes or list(_only_word(slot, answer))
    if slot.kind == "phone":
        days = [quantity for quantity in scan(answer.text, today) if quantity.sort in ("date", "datetime", "time")]
        found = tuple(one for one in found if all(one.end <= day.start or day.end <= one.start for day in days))
    return _corrected(answer.text, sorted(found, key=lambda one: one.start) if slot.kind in _ORDERED else found)


def _only_word(slot: Slot, answer: Answer) -> Iterator[Found]:
    """A code without a digit counts only as the sole word of an answer, or beside its noun: `user name: njensen`."""
    for part in clauses(answer.text, [slot.noun.text]):
        said = answer.text[part.start : part.end]
        if slot.name in answer.asked or told_as(said, slot.noun.text) > 1:
            word = bare(said, slot.noun.text)
            if re.fullmatch(r"[\w.-]{3,64}", word) and not _YES.fullmatch(word) and not _NO.fullmatch(word):
                yield Found(word, part.start, part.end)
                return


def _like_examples(text: str, schema: dict[str, Json]) -> Iterator[Found]:
    """Return codes of several tokens, such as `KR 5F790`: text in the shape of an example."""
    for example in example_values(schema):
        if isinstance(example, str) and " " in example and len(example) <= 40:
            for match in re.finditer(rf"(?<!\w){_shape_pattern(example)}(?!\w)", text):
                yield Found(match[0], match.start(), match.end())


def _shape_pattern(example: str) -> str:
    runs = (("0", r"\d+"), ("A", "[A-Z]+"), ("a", "[a-z]+"))
    return "".join(next((run for sign, run in runs if sign == letter), re.escape(letter)) for letter in _shape(example))


_ORDERED: Final[frozenset[Kind]] = frozenset(
    ("date", "datetime", "time", "money", "count", "number", "enum", "percent")
)
_SLIP = re.compile(
    r"[\s,.…–—-]*(?:(?:no|sorry|wait|i mean|i meant|actually|rather|make that|oops|correction)\b[\s,.…–—-]*)+",
    re.IGNORECASE,
)


def _corrected(text: str, found: Sequence[Found]) -> Sequence[Found]:
    """Join a value that is corrected at once with its correction: `Monday, sorry, Tuesday` is Tuesday."""
    left = list[Found]()
    for one in found:
        if left and left[-1].end <= one.start and _SLIP.fullmatch(text, left[-1].end, one.start):
            one = Found(one.value, left.pop().start, one.end)
        left.append(one)
    return left


def _nearness(slot: Slot, nouns: Sequence[str], text: str, found: Found) -> float:
    """Return how much of the slot's noun is in the same clause outside the value; below 0 for another slot's noun."""
    inside = [part for part in clauses(text, nouns) if part.start <= found.end and found.start <= part.end]
    if not inside or not slot.stems:
        return 0.0
    around = f"{text[inside[0].start : found.start]} {text[found.end : inside[-1].end]}"
    if named(slot.noun.text).search(around):
        return 1.5
    if any(named(noun).search(around) for noun in nouns if noun != slot.noun.text):
        return -1.5
    return len(slot.stems & set(content_stems(around))) / len(slot.stems)


def _shape_weight(slot: Slot, found: Found) -> float:
    """Return the weight of a code's similarity to the examples."""
    examples = example_values(plain_schema(decode(slot.schema))) if slot.kind == "code" else []
    shapes = {_shape(example) for example in examples if isinstance(example, str)}
    if not shapes or not isinstance(found.value, str):
        return 0.0
    return 1.5 if _shape(found.value) in shapes else -1.0


def _shape(text: str) -> str:
    return re.sub(r"\d+", "0", re.sub(r"[A-Z]+", "A", re.sub(r"[a-z]+", "a", text)))


def _by_stems(text: str, options: Sequence[Json]) -> Iterator[Found]:
    heard = set(content_stems(text))
    hits = [option for option in options if isinstance(option, str) and set(content_stems(option)) <= heard]
    if len(hits) == 1:
        yield Found(hits[0], 0, 0)


_NO = re.compile(
    r"\b(?:no(?! typos| problem| doubt)|nope|not|dont|without|skip|rather not|leave (?:that|it|this))\b|n't\b",
    re.IGNORECASE,
)
_YES = re.compile(
    r"\b(?:yes|yeah|yep|yup|sure|please|absolutely|definitely|by all means|of course|do (?:that|it|so)|go ahead|"
    r"ok|okay|good idea|i'd (?:like|appreciate) that|true|correct)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?;\n]+")


def _yes_or_no(slot: Slot, answer: Answer) -> Iterator[Found]:
    """Return yes or no from a sentence about the slot's consequence, or from any sentence of an answer."""
    act = frozenset(content_stems(slot.noun.consequence))
    about, any_ = list[Found](), list[Found]()
    for match in _SENTENCE.finditer(answer.text):
        is_about = bool(act) and len(act & set(content_stems(match[0]))) >= 0.6 * len(act)
        if is_about or _YES.search(match[0]) or _NO.search(match[0]):
            found = Found(_NO.search(match[0]) is None, match.start(), match.start())
            (about if is_about else any_).append(found)
    yield from about
    if slot.name in answer.asked:
        yield from any_[-1:] if len(answer.asked) > 1 else any_[:1]


# -- values without one ----------------------------------------------------------------------------------------------


def _fill_loose(
    wanted: Sequence[Slot], answer: Answer, used: list[Clause], values: dict[str, Json], today: date | None
) -> None:
    open_ = [slot for slot in wanted if slot.kind in _LOOSE and slot.name not in values]
    asked = [slot for slot in open_ if slot.name in answer.asked]
    nouns = [slot.noun.text for slot in wanted]
    for slot in sorted(open_, key=lambda one: one not in asked):
        is_asked = slot in asked
        span = _span_of(slot, answer.text, used, is_asked=is_asked, is_only=len(asked) == 1, nouns=nouns)
        if span is None:
            continue
        value = _loose_value(slot, answer.text[span.start : span.end], today)
        if value not in (None, "", []):
            values[slot.name] = value
            used.append(span)


def _loose_value(slot: Slot, text: str, today: date | None) -> Json:
    said = bare(text, slot.noun.text)
    if slot.kind == "list":
        found = read(said, "list", plain_schema(decode(slot.schema)), today=today)
        return found[0].value if found else None
    if slot.kind == "other" and len(said.split()) > 3:
        found = read(said, "other", plain_schema(decode(slot.schema)), today=today)
        return found[0].value if found else said
    return said


def _span_of(
    slot: Slot, text: str, used: Sequence[Clause], *, is_asked: bool, is_only: bool, nouns: Sequence[str]
) -> Clause | None:
    """Return the span of a free-text value: in quotes, beside its noun, or in the rest of an answer."""
    if is_asked:
        for _, span in quoted(text):
            if _is_free(span, used):
                return span
    others = [named(noun) for noun in nouns if noun != slot.noun.text]
    parts = clauses(text, nouns)
    free = [part for part in parts if _is_free(part, used)]
    told = [(told_as(text[part.start : part.end], slot.noun.text), part) for part in free]
    best = max((sureness for sureness, _ in told), default=0)
    if best > 1 or (best and (is_asked or " " in slot.noun.text)):
        part = [part for sureness, part in told if sureness == best][-1]
        return _run(part, free, parts, text, others)
    if not is_asked:
        return None
    said = [
        part
        for part in free
        if bare(text[part.start : part.end], slot.noun.text)
        and not any(other.search(text, part.start, part.end) for other in others)
    ]
    if not said:
        return None
    return _run(said[0], free, parts, text, others) if is_only else said[0]


def _run(
    first: Clause, free: Sequence[Clause], parts: Sequence[Clause], text: str, others: Sequence[re.Pattern[str]]
) -> Clause:
    """Return the clause and the following ones, up to one about something else."""
    end = first.end
    for part in parts[parts.index(first) + 1 :]:
        if part not in free or any(other.search(text, part.start, part.end) for other in others):
            break
        end = part.end
    return Clause(first.start, end)

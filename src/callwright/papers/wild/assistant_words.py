"""The assistant's words, offline: what the calls of a task gave, and the answers in chats (section 3.2).

A closing text names the thing that each call was about as the request did, and tells what people ask for first: its
name, its state, amounts and days. It never tells an identifier that only a result has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from random import Random

import msgspec

from callwright.author.briefs import Known
from callwright.author.grammar import Frame, bank_file, compile_frame, tidy, write
from callwright.author.step import step
from callwright.catalog.contrast import HEAD_END
from callwright.catalog.slots import Slot
from callwright.environment.feeding import Output, outputs
from callwright.environment.tool_target import ToldPlace, own_field, target_of, told_places
from callwright.lang.english import is_countable, is_plural, join_with, past_participle, plural, sentence_case
from callwright.lang.kinds import kind_of_value
from callwright.lang.nouns import slot_noun
from callwright.lang.phrases import as_spelled
from callwright.lang.schemas import name_words, plain_schema, singular, type_of
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKUPS
from callwright.papers.wild.gold_calls import PlannedCall, wished
from callwright.papers.wild.request_phrases import ORDINALS, spoken, told_object
from callwright.papers.wild.session_memory import is_secret
from callwright.papers.wild.task_briefs import CallOutcome, Mention, WildChat, WildClosing, Wish
from callwright.papers.wild.user_words import merged
from callwright.records.jsontext import Json, decode, encode
from callwright.records.pointer import resolve

MOST_FIELDS = 3
MOST_NAMES = 5
_LONGEST = 60


def outcome_of(call: PlannedCall) -> CallOutcome:
    """Return what a closing text tells of a call: names of listed items, fields of a thing, or that an act is done."""
    said, target = wished(call.tool), target_of(call.tool)
    value = decode(call.result.value) if call.result.value is not None else {}
    verb = said.act
    is_done = target.act in ("create", "change", "delete") or verb not in LOOKUPS | _WORKS_OUT
    items = [place for place in told_places(target, value) if place.role == "item"]
    told = () if call.result.error or is_done or target.act == "list" else tuple(_fields(call, value))
    names, noun, count = _listed(value, items) if not (is_done or told) else ((), "", 0)
    made = _made(call, value) if target.act == "create" and is_done else None
    return CallOutcome(
        said,
        tuple(_sayable(mention) for mention in call.wish().mentions),
        is_done=is_done,
        created=None if made is None else encode(made),
        fields=told,
        listed=names,
        count=count,
        noun=as_spelled(" ".join(target.named) if target.act == "list" else noun, call.tool.description),
        error=call.result.error or "",
    )


def _made(call: PlannedCall, value: Json) -> Json:
    """The identifier of the thing that a call created; None if its result has none."""
    target = target_of(call.tool)
    things = (place.fields for place in told_places(target, value) if place.role == "thing")
    found = next((fields[name] for fields in things if (name := own_field(fields, target.noun))), None)
    return found if isinstance(found, (str, int)) and len(str(found)) <= _LONGEST_ID else None


_LONGEST_ID = 24
_WORKS_OUT = frozenset("convert translate calculate compute estimate shorten expand correct count compare".split())


def _sayable(mention: Mention) -> Mention:
    """The mention as a closing text has it: no secret, no value that only a result has, nothing long."""
    is_said = mention.way in ("said", "again", "missing", "unsaid")
    known = mention.known
    is_short = isinstance(known.value, (str, int)) and len(str(known.value)) <= _LONGEST
    may = is_said and is_short and not is_secret(known.slot.name) and known.slot.kind != "boolean"
    return Mention(known, "said" if may else "unsaid")


_LABELS = ("name", "title", "display name", "full name", "subject", "label", "summary", "text", "description", "email")


_LETTERED = re.compile(r"\w+ [A-H]")
"""Names that say nothing: `Score A`."""


def _listed(value: Json, items: Sequence[ToldPlace]) -> tuple[tuple[str, ...], str, int]:
    """What a result lists: names or words, if each has one of its own; what one is called; how many there are."""
    if not items:
        plain = {name: one for name, one in value.items() if isinstance(one, list)} if isinstance(value, dict) else {}
        name, words = next(iter(plain.items()), ("", []))
        is_told = all(isinstance(one, str) and kind_of_value(one) != "code" for one in words)
        return tuple(map(str, words)) if is_told else (), " ".join(name_words(singular(name))), len(words)
    by_words = {" ".join(name_words(name)): name for name in items[0].fields}
    named = [by_words[label] for label in _LABELS if label in by_words]
    named += [name for words, name in by_words.items() if words.endswith(" name") and name not in named]
    found = [place.fields.get(name) for name in named[:1] for place in items]
    told = tuple(dict.fromkeys(one for one in found if isinstance(one, str) and 0 < len(one) <= _LONGEST))
    is_told = len(told) == len(items) and not all(_LETTERED.fullmatch(one) for one in told)
    return (told if is_told else ()), " ".join(name_words(items[0].holder)), len(items)


_FIRST = ("name", "title", "subject", "label")
_STATES = frozenset("status state stage phase".split())
_STATES_ALONE = frozenset((word,) for word in _STATES)
_RANKS: tuple[tuple[frozenset[str], int], ...] = (
    (frozenset(("money",)), 2),
    (frozenset(("date", "time")), 3),
    (frozenset(("percent", "number", "count", "person", "city", "country", "enum", "year")), 4),
    (frozenset(("title", "text", "email", "language", "phone", "currency", "url")), 5),
    (frozenset(("datetime",)), 6),
)
_MOST_NOUN_WORDS = 4


def _fields(call: PlannedCall, value: Json) -> Iterator[Known]:
    """The fields of a result that people ask for first."""
    given = {name_words(name) for name in call.values}
    own = [output for output in outputs(call.tool) if not output.is_listed and _is_own(output, call)]
    nouns: set[str] = set()
    for _, known in sorted(_ranked(own, call, value, given), key=lambda pair: pair[0]):
        if len(nouns) < MOST_FIELDS and known.slot.noun.text not in nouns:
            nouns.add(known.slot.noun.text)
            yield known


def _is_own(output: Output, call: PlannedCall) -> bool:
    return all(target_of(call.tool).is_about(key) for key in output.path[:-1])


def _ranked(
    told: Sequence[Output], call: PlannedCall, value: Json, given: set[tuple[str, ...]]
) -> list[tuple[int, Known]]:
    ranked = []
    for output in told:
        rank = _rank(output)
        found = resolve(value, output.pointer()) if rank is not None else None
        is_said = name_words(output.name) in given
        if rank is not None and not is_said and _is_telling(output.name, found):
            ranked.append((rank, Known(_told_slot(output), encode(found))))
    return ranked


def _is_telling(name: str, found: Json) -> bool:
    """Whether people can make something of a value: no code, no stamp, no placeholder."""
    is_stamp = isinstance(found, int) and found > 1_000_000_000
    text = str(found)
    if isinstance(found, int) and name_words(name)[-1:] in _STATES_ALONE:
        return False  # the status of the reply
    is_plain = "_" not in text and not _LETTERED.fullmatch(text)
    return found not in (None, "") and not is_stamp and len(text) <= _LONGEST and is_plain


def _rank(output: Output) -> int | None:
    """The place of a field among those to tell, from 0; None for what nobody asks for."""
    words = name_words(output.name)
    if is_secret(output.name) or not words or words[-1] in _UNTOLD or output.kind == "boolean":
        return None
    if words[-1] in _FIRST and len(words) <= 2:
        return 0
    if words[-1] in _STATES:
        return (
            1 if type_of(plain_schema(decode(output.schema))) != "integer" else None
        )  # a number is the status of the reply
    kind = "datetime" if _past_act(output.name) else output.kind
    return next((rank for kinds, rank in _RANKS if kind in kinds), None)


_UNTOLD = frozenset("type object total cursor page limit offset token next previous code".split())
"""Last words of fields that are about the reply or its pages."""
_MOMENT = frozenset("at on date time utc".split())


def _past_act(name: str) -> str:
    """The participle of a field that says when something was done: `created` of `content_created_at`."""
    words = [word for word in name_words(name) if word not in _MOMENT]
    return words[-1] if words and (words[-1].endswith("ed") or words[-1] in ("sent", "paid")) else ""


_UNIT = re.compile(r" in ([a-z°/]{1,12})$")


def _told_slot(output: Output) -> Slot:
    """A field of a result as a slot: its noun with the unit that its description ends with."""
    described = decode(output.schema).get("description")
    text = described if isinstance(described, str) else ""
    noun = slot_noun(output.name, text)
    if unit := _UNIT.search(text):
        noun = msgspec.structs.replace(noun, text=f"{noun.text} in {unit[1]}")
    return Slot(output.name, noun, output.kind, output.schema, "")


@step("wild/closing.j2", home=__package__)
def wild_closing(rng: Random, brief: WildClosing) -> str:
    """Word the results of the calls of a task."""
    parts: list[str] = []
    failed = [outcome for outcome in brief.outcomes if outcome.error]
    if failed:
        fields = {"error": failed[-1].error, "thing": told_object(rng, failed[-1].gloss, (), brief.today)}
        parts.append(write(rng, _bank(f"failed.{brief.remedy}"), fields))
    told = [outcome for outcome in brief.outcomes if not outcome.error]
    for outcome, thing in _named(rng, told, brief.today):
        parts.append(_told(rng, outcome, thing, brief.today, (*brief.recent, *parts), later=bool(parts)))
    return sentence_case(tidy(" ".join(parts)))


def _named(rng: Random, outcomes: Sequence[CallOutcome], today: str) -> Iterator[tuple[CallOutcome, str]]:
    """Yield the outcomes with what each was about; acts that differ in one value are one act."""
    plain = [outcome for outcome in outcomes if outcome.is_done]
    wishes = merged(rng, [Wish(outcome.gloss, outcome.mentions) for outcome in plain], today)
    waiting = {(wish.gloss, told_object(rng, wish.gloss, wish.mentions, today)): wish for wish in wishes}
    for outcome in outcomes:
        if outcome.is_done:
            for said, thing in [key for key in waiting if key[0] == outcome.gloss]:
                mentions = waiting.pop((said, thing)).mentions
                several = any(mention.words for mention in mentions)
                created = None if several else outcome.created
                yield msgspec.structs.replace(outcome, mentions=mentions, created=created), thing
            continue
        twins = [one for one in outcomes if (one.gloss, one.mentions) == (outcome.gloss, outcome.mentions)]
        place = next(at for at, one in enumerate(twins) if one is outcome)
        thing = told_object(rng, outcome.gloss, outcome.mentions, today)
        yield outcome, f"the {ORDINALS[place % 8 + 1]} one" if len(twins) > 1 else thing


def _told(rng: Random, outcome: CallOutcome, thing: str, today: str, recent: Sequence[str], *, later: bool) -> str:
    day = date.fromisoformat(today) if today else None
    several = any(mention.words for mention in outcome.mentions)
    fields = {
        "thing": thing,
        "Thing": sentence_case(thing),
        "is": "are" if several or is_plural(HEAD_END.split(thing)[0]) else "is",
    }
    if outcome.is_done:
        verb, _, particle = outcome.gloss.verb.partition(" ")
        fields["done"] = f"{past_participle(verb)} {particle}".strip()
        is_plain = verb in CREATES | CHANGES | _ENDS and len(thing.split()) < _LONG_SUBJECT and not _TO.search(thing)
        bank = f"{'done' if is_plain else 'did'}{'.next' if later else ''}"
        text = write(rng, _bank(bank), fields, recent=recent)
        made = None if outcome.created is None else decode(outcome.created)
        return text if made is None else f"{text} The ID is {made}."
    if outcome.listed or outcome.count:
        names = [f'"{name}"' for name in outcome.listed[:MOST_NAMES]]
        fields |= {"names": join_with(names), "count": _so_many(outcome), "are": "is" if outcome.count == 1 else "are"}
        return write(rng, _bank("list" if names else "count"), fields, recent=recent)
    if not outcome.fields:
        return write(rng, _bank("nothing"), fields, recent=recent)
    clauses = join_with([_clause(rng, known, day) for known in outcome.fields])
    return write(rng, _bank("fields"), fields | {"clauses": clauses, "Clauses": sentence_case(clauses)}, recent=recent)


_ENDS = frozenset("delete remove cancel archive restore close send approve reject publish".split())
_LONG_SUBJECT = 7
_TO = re.compile(r" (?:to|into|from) ")
"""What belongs to the verb and not to the thing: `the booking to another date`."""


def _so_many(outcome: CallOutcome) -> str:
    """`3 projects`."""
    *before, last = outcome.noun.split() or ["result"]
    count = max(outcome.count, len(outcome.listed))
    one = singular(last)
    if not is_countable(one):
        return f"{count} {outcome.noun} {'entry' if count == 1 else 'entries'}"
    return " ".join((str(count), *before, one if count == 1 else plural(one)))


_CALLED = frozenset(("name", "title", "display name", "friendly name", "full name"))
_CHANGED = frozenset(("updated", "modified", "changed"))
_AHEAD = frozenset(("expected", "scheduled", "estimated"))


def _clause(rng: Random, known: Known, today: date | None) -> str:
    """`it's called "Contract.pdf"`, `it was created on June 2nd`, `the humidity is 72%`, `there are 33 points`."""
    slot, words = known.slot, " ".join(name_words(known.slot.name))
    act = _past_act(slot.name)
    if words in _CALLED:
        return f"the {slot.noun.text} is {spoken(rng, known, today)}"
    if act and isinstance(known.value, str) and re.match(r"\d{4}-\d\d-\d\d", known.value):
        day = f"on {date.fromisoformat(known.value[:10]):%B %-d, %Y}"
        return (
            f"the last change was {day}" if act in _CHANGED else f"{'it is' if act in _AHEAD else 'it was'} {act} {day}"
        )
    noun, said = slot.noun.text, spoken(rng, known, today)
    if words in _STATES:
        return f"its {words} is {known.value}"
    if isinstance(known.value, str) and re.match(r"\d{4}-\d\d-\d\d", known.value):
        said = f"{date.fromisoformat(known.value[:10]):%B %-d, %Y}"
    return f"the {noun} {'are' if is_plural(noun) else 'is'} {said}"


@step("wild/reply.j2", home=__package__)
def wild_reply(rng: Random, brief: WildChat) -> str:
    """Word the reply to the question of a chat."""
    return tidy(compile_frame(brief.reply).render(rng, {}))


def _bank(name: str) -> tuple[Frame, ...]:
    return bank_file("assistant_words", home=__package__)[name]

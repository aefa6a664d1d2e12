"""The assistant's words, offline: what the calls of a task gave, and the answers in chats (section 3.2).

A closing text names the thing that each call was about as the request did, and tells what people ask for first: its
name, its state, amounts and days. It never tells an identifier that only a result has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from random import Random

import msgspec

from callwright.author.briefs import Known
from callwright.author.grammar import Frame, bank_file, compile_frame, tidy, write
from callwright.author.step import ruled_step
from callwright.author.wished_values import JOINS
from callwright.catalog.chunks import Gloss
from callwright.catalog.contrast import HEAD_END
from callwright.environment.told_outcome import WORKS_OUT, is_act
from callwright.environment.told_outputs import is_own, outputs
from callwright.environment.told_results import (
    LONGEST,
    field_clause,
    is_empty,
    is_secret,
    lacks_fact,
    listed_clause,
    listed_field,
    listed_names,
    listed_noun,
    so_many,
    telling_fields,
)
from callwright.environment.tool_target import target_of, told_places
from callwright.lang.english import is_plural, join_with, past_participle, plural, sentence_case
from callwright.lang.phrases import as_spelled, has_plural_head
from callwright.lang.schemas import name_words
from callwright.lang.tokens import stem
from callwright.lang.verbs_of_acts import CHANGES, CHECKS, CREATES, LOOKUPS
from callwright.papers.wild.bare_facts import bare_count, bare_facts, bare_names
from callwright.papers.wild.gold_calls import PlannedCall, wished
from callwright.papers.wild.request_phrases import ORDINALS, told_object
from callwright.papers.wild.session_memory import makes_one
from callwright.papers.wild.task_briefs import CallOutcome, Mention, WildChat, WildClosing, Wish
from callwright.papers.wild.task_builder import is_identifying
from callwright.papers.wild.user_words import merged
from callwright.records.jsontext import Json, decode, encode
from callwright.records.pointer import resolve

MOST_NAMES = 5


def outcome_of(call: PlannedCall) -> CallOutcome:
    """Return what a closing text tells of a call: names of listed items, fields of a thing, or that an act is done."""
    wish, target = call.wish(), target_of(call.tool)
    value = decode(call.result.value) if call.result.value is not None else {}
    is_done = is_act(call.tool, call.values, value)
    schema = decode(call.tool.returns) if call.tool.returns is not None else None
    items = [place for place in told_places(target, value, schema) if place.role == "item"]
    told = () if call.result.error or is_done else _without_same_day(telling_fields(call.tool, call.values, value))
    names, noun, count = listed_names(value, items) if not (is_done or told) else ((), "", 0)
    if not (told or names or count or is_done or call.result.error or is_empty(value)):
        noun, count = bare_count(value)
        if not count:
            names, noun = bare_names(value)
            told = () if names else bare_facts(call.values, value)
    made = _made(call, value) if target.act == "create" and is_done else None
    if is_done and made is None and wish.gloss.act in _ANSWERS and not call.result.error:
        told = bare_facts(call.values, value)
        is_done = not told
    return CallOutcome(
        wish.gloss,
        tuple(_sayable(mention) for mention in wish.mentions),
        is_done=is_done,
        created=None if made is None else encode(made),
        fields=told,
        listed=names,
        each=() if names or is_done or told else listed_field(items),
        is_echo=wish.gloss.act in _ANSWERS and not told and _only_repeats(call.values, value),
        is_empty=not is_done and is_empty(value),
        is_lacking=not is_done and isinstance(value, dict) and _lacks(wish.gloss, value),
        count=count,
        noun=as_spelled(_thing_listed(listed_noun(target, noun)), call.tool.description),
        error=call.result.error or "",
    )


def _only_repeats(given: Mapping[str, Json], value: Json) -> bool:
    """Whether a result holds what the call gave, and nothing else."""
    held = list(_held(value))
    return bool(held) and {str(one) for one in held} <= {str(one) for each in given.values() for one in _held(each)}


def _held(value: Json) -> Iterator[Json]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    if inner is None:
        yield value
    for one in inner or ():
        yield from _held(one)


_ANSWERS = WORKS_OUT | frozenset(
    "generate detect analyze analyse recognize identify summarize extract classify predict check rewrite paraphrase "
    "moderate evaluate score rate parse ask".split()
)
"""Acts that are for what comes of them: where nothing comes, they are not done."""


def _lacks(gloss: Gloss, value: Json) -> bool:
    """Whether a result has not the one fact that its call was asked for."""
    thing = gloss.chunks[0].text.lower() if gloss.chunks else ""
    return lacks_fact(thing.rpartition(" ")[2], value)


def _without_same_day(told: Iterable[Known]) -> tuple[Known, ...]:
    """The fields without the day of the last change, where it is the day of creation that is told before."""
    kept: list[Known] = []
    for known in told:
        days = {str(one.value)[:10] for one in kept if one.slot.kind in ("date", "datetime")}
        is_same = known.slot.kind in ("date", "datetime") and str(known.value)[:10] in days
        kept += [] if is_same and not _CHANGED.isdisjoint(name_words(known.slot.name)) else [known]
    return tuple(kept)


_CHANGED = frozenset("updated update modified changed".split())


def _thing_listed(noun: str) -> str:
    """The noun without a name's words before its verb: `channels` of `admin groups list channels`, and without `all`.

    >>> _thing_listed("admin groups list channels"), _thing_listed("all players"), _thing_listed("price list")
    ('channels', 'players', 'price list')
    """
    words = noun.split()
    at = next((at for at, word in enumerate(words[:-1], 1) if word in _BEFORE_THING), 0)
    return " ".join(words[at:])


_BEFORE_THING = frozenset("all list get".split())


def _made(call: PlannedCall, value: Json) -> Json:
    """The identifier of the thing that a call created; None if its result has none."""
    act = wished(call.tool).act
    if act in JOINS and (act != "add" or _is_given(call)):
        return None  # what is joined is known by the identifiers that the call has
    own = [one for one in outputs(call.tool) if is_own(call.tool, one)]
    places = [one.pointer() for one in own if not one.is_listed or makes_one(call.tool, one)]
    found = next((told for one in places if (told := resolve(value, one)) is not None), None)
    is_new = str(found) not in {str(one) for one in call.values.values()}
    return found if is_new and isinstance(found, (str, int)) and len(str(found)) <= _LONGEST_ID else None


def _is_given(call: PlannedCall) -> bool:
    """Whether a call has an identifier of a thing as the one that its result is about."""
    things = (call.entity(name) for name in call.values if is_identifying(call.tool, name))
    return stem(target_of(call.tool).noun) in {stem(thing.rpartition(" ")[2]) for thing in things}


_LONGEST_ID = 24


def _sayable(mention: Mention) -> Mention:
    """The mention as a closing text has it: no secret, no value that only a result has, nothing long."""
    is_said = mention.way in ("said", "again", "missing", "unsaid")
    known = mention.known
    is_short = isinstance(known.value, (str, int)) and len(str(known.value)) <= LONGEST
    may = is_said and is_short and not is_secret(known.slot.name) and known.slot.kind != "boolean"
    return Mention(known, "said" if may else "unsaid")


@ruled_step("wild/closing.j2")
def wild_closing(rng: Random, brief: WildClosing) -> str:
    """Word the results of the calls of a task."""
    parts: list[str] = []
    failed = [outcome for outcome in brief.outcomes if outcome.error]
    if failed:
        fields = {"error": failed[-1].error, "thing": told_object(rng, failed[-1].gloss, (), brief.today)}
        parts.append(write(rng, _bank(f"failed.{brief.remedy}"), fields))
    told = [outcome for outcome in brief.outcomes if not outcome.error]
    asked = [outcome.gloss for outcome in told if not outcome.is_done]
    answered: list[Gloss] = []
    named = list(_once(list(_named(rng, told, brief.today))))
    for outcome, thing in named:
        text = _told(rng, outcome, thing, brief.today, (*brief.recent, *parts), later=bool(parts))
        if not outcome.is_done and asked.count(outcome.gloss) > 1:
            answered.append(outcome.gloss)
            is_told_apart = [other for _, other in named].count(thing) == 1 and thing.lower() in text.lower()
            twins = [other for other in told if other.gloss == outcome.gloss and not other.is_done]
            about = _about(outcome, twins) if all(_about(twin, twins) for twin in twins) else ""
            owner = _owner(outcome, twins) if outcome.listed or outcome.count else ""
            label = _label(about, owner or thing, answered.count(outcome.gloss))
            label = f"For {label[:1].lower()}{label[1:]}" if owner and not about else label
            text = text if is_told_apart else _with_label(text, outcome, label)
        parts.append(text)
    return sentence_case(tidy(" ".join(parts)))


def _named(rng: Random, outcomes: Sequence[CallOutcome], today: str) -> Iterator[tuple[CallOutcome, str]]:
    """Yield the outcomes with what each was about; acts that differ in one value are one act."""
    plain = [outcome for outcome in outcomes if outcome.is_done]
    wishes = merged(rng, [Wish(outcome.gloss, outcome.mentions) for outcome in plain], today)
    waiting = {(wish.gloss, told_object(rng, wish.gloss, wish.mentions, today)): wish for wish in wishes}
    for outcome in outcomes:
        if outcome.is_done:
            same = [key for key in waiting if key[0] == outcome.gloss]
            several_calls = sum(one.gloss == outcome.gloss for one in plain) > len(same)
            for said, thing in same:
                mentions = waiting.pop((said, thing)).mentions
                several = any(mention.words for mention in mentions)
                created = None if several else outcome.created
                named = _in_plural(thing) if several_calls else thing
                yield msgspec.structs.replace(outcome, mentions=mentions, created=created), named
            continue
        twins = [one for one in outcomes if (one.gloss, one.mentions) == (outcome.gloss, outcome.mentions)]
        place = next(at for at, one in enumerate(twins) if one is outcome)
        thing = told_object(rng, outcome.gloss, outcome.mentions, today)
        yield outcome, f"the {ORDINALS[place % 8 + 1]} one" if len(twins) > 1 else thing


def _about(outcome: CallOutcome, twins: Sequence[CallOutcome]) -> str:
    """Return in which values one of several outcomes differs from the others: `order ID 17`; empty if in none."""
    said = [mention.known for mention in outcome.mentions if mention.way == "said"]
    others = [[mention.known.text for mention in twin.mentions] for twin in twins if twin is not outcome]
    own = [known for known in said if not all(known.text in texts for texts in others)]
    return ", ".join(f"{known.slot.noun.text} {known.value}" for known in own)


def _owner(outcome: CallOutcome, twins: Sequence[CallOutcome]) -> str:
    """Return the thing of which each of several lists is, where its identifier is not said: `profile`."""
    texts = [{mention.known.text for mention in twin.mentions} for twin in twins if twin is not outcome]
    own = [one for one in outcome.mentions if not all(one.known.text in told for told in texts)]
    return own[0].known.slot.noun.entity if len(own) == 1 else ""


def _label(about: str, thing: str, number: int) -> str:
    """What tells one of several answers to the same question apart."""
    head = _ARTICLE.sub("", HEAD_END.split(thing)[0].removeprefix("the "))
    which = "one" if not head or is_plural(head) or head.split()[0] in ORDINALS else head
    return sentence_case(about) if about else f"The {ORDINALS[(number - 1) % 8 + 1]} {which}"


def _with_label(text: str, outcome: CallOutcome, label: str) -> str:
    """Return one of several answers to the same question with its label."""
    if not (outcome.listed or outcome.count or outcome.fields):
        return text
    text = text.partition(". ")[2] or text if outcome.fields else text
    joined = "," if label.startswith("For ") else ":"
    return f"{label}{joined} {text if text.startswith('I ') else text[:1].lower() + text[1:]}"


def _once(named: list[tuple[CallOutcome, str]]) -> Iterator[tuple[CallOutcome, str]]:
    """Yield the outcomes, of those that tell nothing one for all that are called the same: `the lexemes`."""
    bare = [thing for one, thing in named if not (one.is_done or one.is_empty or one.fields or one.listed or one.count)]
    seen: set[str] = set()
    for outcome, thing in named:
        if thing not in seen:
            yield outcome, _in_plural(thing) if bare.count(thing) > 1 else thing
        seen |= {thing} & {*bare}


def _in_plural(thing: str) -> str:
    """The thing of several acts: `the payments` for `the payment`; what is called by identifiers stays."""
    thing = _ARTICLE.sub("", thing)
    head = HEAD_END.split(thing)[0]
    last = "".join(head.split(" ")[-1:])
    is_named = any(letter.isdigit() or letter == '"' for letter in head) or not last.isalpha() or "," in head
    return thing if is_named or is_plural(head) else f"{plural(head)}{thing[len(head) :]}"


def _told(rng: Random, outcome: CallOutcome, thing: str, today: str, recent: Sequence[str], *, later: bool) -> str:
    day = date.fromisoformat(today) if today else None
    several = any(mention.words for mention in outcome.mentions)
    fields = {
        "thing": thing,
        "Thing": sentence_case(thing),
        "is": "are" if several or has_plural_head(HEAD_END.split(thing)[0].split()) else "is",
    }
    if outcome.is_echo:
        return write(rng, _bank("echo"), fields, recent=recent)
    if outcome.is_done:
        verb, _, particle = outcome.gloss.verb.partition(" ")
        fields["done"] = f"{past_participle(verb)} {particle}".strip()
        is_plain = verb in CREATES | CHANGES | _ENDS and len(thing.split()) < _LONG_SUBJECT and not _TO.search(thing)
        bank = f"{'done' if is_plain else 'did'}{'.next' if later else ''}"
        text = write(rng, _bank(bank), fields, recent=recent)
        made = None if outcome.created is None else decode(outcome.created)
        return text if made is None else f"{text} The ID is {made}."
    if outcome.is_empty:
        return write(rng, _bank("empty"), fields, recent=recent)
    if outcome.listed or outcome.count:
        names = [f'"{name}"' for name in outcome.listed[:MOST_NAMES]]
        fields |= {
            "names": join_with(names),
            "count": so_many(max(outcome.count, len(outcome.listed)), outcome.noun),
            "are": "is" if outcome.count == 1 else "are",
        }
        text = write(rng, _bank("list" if names else "count"), fields, recent=recent)
        each = outcome.each[:MOST_NAMES]
        return f"{text} {sentence_case(listed_clause(rng, each, day))}." if each else text
    if not outcome.fields:
        return write(rng, _bank("nothing"), fields, recent=recent)
    clauses = join_with([field_clause(rng, known, day) for known in outcome.fields])
    fields |= {"clauses": clauses, "Clauses": sentence_case(clauses)}
    if outcome.is_lacking:
        return write(rng, _bank("lacking"), fields, recent=recent)
    verb, _, particle = outcome.gloss.verb.partition(" ")
    is_looked_up = not verb or outcome.gloss.act in LOOKUPS - CHECKS
    fields["done"] = f"{past_participle(verb)} {particle}".strip()
    return write(rng, _bank("fields" if is_looked_up else "fields.did"), fields, recent=recent)


_ARTICLE = re.compile(r"^an? ")
_ENDS = frozenset("delete remove cancel archive restore close send approve reject publish".split())
_LONG_SUBJECT = 7
_TO = re.compile(r" (?:to|into|from) ")
"""Words that belong to the verb and not to the thing: `the booking to another date`."""


@ruled_step("wild/reply.j2")
def wild_reply(rng: Random, brief: WildChat) -> str:
    """Word the reply to the question of a chat."""
    return tidy(compile_frame(brief.reply).render(rng, {}))


def _bank(name: str) -> tuple[Frame, ...]:
    return bank_file("assistant_words", home=__package__)[name]

"""Distinguishes look-alike tools in the user's words, and narrows them down in a conversation.

    question(glosses, candidates) -> Question      which of these do you mean?
    resolve(question, text)       -> what the answer picks
    telling(gold, others)         -> the words by which one tool differs from others
    Narrowing                     the evidence so far: start, hear, settled

It works on glosses and plain text only, so the recipe's assistant, the simulated user and the
`builtin/retriever` baseline can use it without hidden information.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from callwright.catalog.chunks import Chunk, Gloss, kept
from callwright.lang.english import is_plural, ways_to_say
from callwright.lang.lexicon import lexicon, word_set
from callwright.lang.tokens import spaced_words, stem, stem_set, words
from callwright.lang.verbs_of_acts import CREATES, LOOKUPS, SEARCHES

MOST_OPTIONS = 3
"""Most choices offered in one question."""


class Option(msgspec.Struct, frozen=True):
    """One choice of a question: its candidates and its wording."""

    candidates: tuple[int, ...]
    phrase: str
    stems: frozenset[str]
    """Stems that select it: of the verb if verbs differ, otherwise of the phrase."""
    thing: frozenset[str] = frozenset()
    """If verbs differ: stems of the object, which also select it if no verb does."""


class Question(msgspec.Struct, frozen=True):
    """A question that splits candidates by their act (`action`) or by its object (`thing`)."""

    form: Literal["action", "thing"]
    options: tuple[Option, ...]


OTHER = -1
"""The answer selects no option."""


def telling(gold: Gloss, others: Sequence[Gloss]) -> str:
    """Return the words by which `gold` differs from `others`: its thing, or the whole phrase if that is not enough."""
    if any(_verb_key(gold) == _verb_key(other) for other in others) or not others:
        rivals = [other for other in others if _verb_key(other) == _verb_key(gold)]
        if rivals and _has_own_head(gold, rivals):
            return _head(gold)
    return action_phrase(gold)


def action_phrase(gloss: Gloss) -> str:
    """Return the plainest way to say verb and object: `look up the exchange rate`."""
    verb = ways_to_say(gloss.verb)[0] if gloss.verb else "look up"
    if gloss.chunks and gloss.chunks[0].preposition:
        verb = gloss.verb or "look"
    return f"{verb} {gloss.object}".strip()


def question(
    glosses: Sequence[Gloss],
    candidates: Sequence[int],
    *,
    known: frozenset[str] = frozenset(),
    said: frozenset[str] | None = None,
) -> Question | None:
    """Return a question that splits `candidates` (positions in `glosses`, most likely first), or None if none can.

    It distinguishes verbs first, then objects. At most `MOST_OPTIONS` options. Words that the
    user has already used (`known` stems) are not repeated. An act that is not `said` (stems) is said with each object.
    """
    groups: dict[str, list[int]] = {}
    for candidate in candidates:
        groups.setdefault(_act_key(glosses[candidate], [glosses[other] for other in candidates]), []).append(candidate)
    if len(groups) > 1:
        return Question("action", _action_options(glosses, list(groups.values())[:MOST_OPTIONS], known))
    is_said = said is None or any(glosses[candidate].verb_stems & said for candidate in candidates)
    return _thing_question(glosses, list(candidates)[:MOST_OPTIONS], is_said=is_said)


def resolve(question: Question, text: str) -> int | None:
    """Return the position of the option that an answer selects, `OTHER` for none of them, None if it is unclear."""
    named = _named_wholly(question, text)
    if named is not None:
        return named
    text = _OUTSIDE.sub(" ", text)
    heard = stem_set(text)
    said = set(words(text))
    if said & _PLAINLY_NONE or "something else" in text.lower():
        return OTHER
    named = _verb_named(question, text)
    hits = [len(own & heard) for own in _own(option.stems for option in question.options)]
    if named is not None and not any(hits):
        return named
    if not any(hits):
        hits = [len(own & heard) for own in _own(option.thing for option in question.options)]
    best = max(hits)
    if best and hits.count(best) == 1:
        return hits.index(best)
    if not best:
        for position, ordinals in enumerate(_ORDINALS[: len(question.options)]):
            if said & ordinals:
                return position
        if said & {"latter", "last"}:
            return len(question.options) - 1
        if said & _NONE_OF_THEM:
            return OTHER
        own = _own(option.stems for option in question.options)
        plain = [position for position in range(len(own)) if not own[position]]
        if len(plain) == 1 and (said & _PLAIN or question.options[plain[0]].stems <= heard):
            return plain[0]
    return None


def _named_wholly(question: Question, text: str) -> int | None:
    """Return the only option whose phrase is in the answer; options may differ only in `from` and `to`.

    A phrase that occurs only inside a longer phrase does not count.
    """
    said = spaced_words(text)
    phrases = {position: _bare(option.phrase) for position, option in enumerate(question.options)}
    named = {position: phrase for position, phrase in phrases.items() if phrase.strip() and phrase in said}
    whole = [p for p in named if not any(_JUST.sub(" ", named[p]) in named[other] for other in named if other != p)]
    return whole[0] if len(whole) == 1 else None


def _bare(phrase: str) -> str:
    return spaced_words(_ARTICLE.sub("", phrase))


_ARTICLE = re.compile(r"^(?:an?|the) ")
_JUST = re.compile(r"^ just (?:an? |the )?")


def _verb_named(question: Question, text: str) -> int | None:
    """Return the only option whose own verb is in the answer; `look up` and `search` are synonyms."""
    if question.form != "action":
        return None
    verbs = [stem_set(option.phrase.partition(" ")[0]) for option in question.options]
    named = [position for position, verb in enumerate(verbs) if verb & stem_set(text)]
    return named[0] if len(named) == 1 else None


_OUTSIDE = re.compile(
    r"\b(?:nothing else|not the others?\b(?: ones?)?|no,? wait|no doubt|no problem|no hurry|no rush)\b", re.IGNORECASE
)
"""Phrases that sound like a refusal but are not."""


class Narrowing(msgspec.Struct, frozen=True):
    """The remaining candidates, after all answers so far."""

    glosses: tuple[Gloss, ...]
    possible: tuple[int, ...]
    """Positions in `glosses`, most likely first."""
    unclear: int = 0
    """Consecutive answers that selected nothing."""
    known: frozenset[str] = frozenset()
    """Stems of the only object the user has mentioned; empty if there are several."""
    heard: str = ""
    """All that the user has said, and what was picked."""

    @property
    def settled(self) -> int | None:
        """The one candidate left, if it is one."""
        return self.possible[0] if len(self.possible) == 1 else None

    def ask(self) -> Question | None:
        """Return the next question, or None if no question can split the remaining candidates."""
        if len(self.possible) == 1:
            return None
        return question(self.glosses, self.possible, known=self.known, said=stem_set(self.heard))


CLOSENESS = 0.75
"""Share of the best fit from which on a candidate fits about equally well."""


def start(glosses: Sequence[Gloss], request: str, *, verb: frozenset[str] = frozenset()) -> Narrowing:
    """Return the candidates that a request fits about equally well.

    If the verb of the request is known by its stems, candidates with that verb come before all others.
    """
    fits = _fits(glosses, request)
    if any(gloss.verb_stems & verb and fit for gloss, fit in zip(glosses, fits, strict=True)):
        fits = [fit if gloss.verb_stems & verb else 0.0 for gloss, fit in zip(glosses, fits, strict=True)]
    best = max(fits, default=0.0)
    order = sorted(range(len(glosses)), key=lambda position: (-fits[position], position))
    possible = tuple(position for position in order if best == 0.0 or fits[position] >= CLOSENESS * best)
    if best == 0.0:  # something is to be looked up: nobody offers to delete it
        possible = tuple(position for position in order if glosses[position].verb_stems & verb) or possible
    known = frozenset() if is_plural(HEAD_END.split(request)[0]) else stem_set(request)
    return Narrowing(tuple(glosses), plainly_meant(glosses, possible, request), known=known, heard=request)


def plainly_meant(glosses: Sequence[Gloss], positions: Sequence[int], text: str) -> tuple[int, ...]:
    """Return the one of the candidates whose verb and whole object a text says, and no more than that; else all.

    Who wants to cancel an authorisation does not mean a technical one.
    """
    heard = stem_set(text)
    acted = [place for place in positions if glosses[place].verb_stems & heard and glosses[place].object_stems]
    said = heard & frozenset[str]().union(*(glosses[place].object_stems for place in acted))
    whole = [place for place in acted if glosses[place].object_stems == said]
    if len(whole) > 1:  # `contacts to a contact group` has the words of `a contact group`
        spoken = {place: heard_as(glosses[place].object) for place in whole}
        named = [place for place in whole if f" {spoken[place]} " in f" {heard_as(text)} "]
        longest = max((len(spoken[place]) for place in named), default=0)
        whole = [place for place in named if len(spoken[place]) == longest]
    return (whole[0],) if len(whole) == 1 else tuple(positions)


def hear(narrowing: Narrowing, asked: Question, answer: str) -> Narrowing:
    """Return the narrowing after the answer to a question; two unclear answers in a row settle for the best fit."""
    picked = resolve(asked, answer)
    found = _heard(narrowing, asked, answer, picked)
    is_act = picked is not None and picked != OTHER and asked.form == "action"
    act = found.glosses[asked.options[picked].candidates[0]].verb if picked is not None and is_act else ""
    heard = f"{narrowing.heard} {answer} {act}"
    return msgspec.structs.replace(found, possible=plainly_meant(found.glosses, found.possible, heard), heard=heard)


def _heard(narrowing: Narrowing, asked: Question, answer: str, picked: int | None) -> Narrowing:
    everyone = range(len(narrowing.glosses))
    known = narrowing.known | stem_set(answer)
    meant = plainly_meant(narrowing.glosses, everyone, answer) if picked == OTHER else ()
    if len(meant) == 1:  # an option may stand for several: who wants to list rooms turned `search rooms` down
        return Narrowing(narrowing.glosses, meant, known=known)
    if picked is None:
        fits = _fits(narrowing.glosses, answer)
        order = sorted(narrowing.possible, key=lambda position: -fits[position])
        clear = len(order) > 1 and fits[order[0]] > fits[order[1]]
        left = order[:1] if clear or narrowing.unclear else order
        return Narrowing(narrowing.glosses, tuple(left), 0 if clear else narrowing.unclear + 1, known)
    is_whole = asked.form == "action" and _named_wholly(asked, answer) is not None
    if outside := () if is_whole else _named_outside(narrowing.glosses, asked, answer):
        return Narrowing(narrowing.glosses, tuple(_best_fits(narrowing.glosses, outside, answer)), known=known)
    if picked != OTHER:
        chosen = asked.options[picked].candidates
        left = [position for position in narrowing.possible if position in chosen] or list(chosen)
        return Narrowing(narrowing.glosses, tuple(_best_fits(narrowing.glosses, left, answer)), known=known)
    offered = {position for option in asked.options for position in option.candidates}
    rest = [p for p in narrowing.possible if p not in offered] or [p for p in everyone if p not in offered]
    if not rest:
        return Narrowing(narrowing.glosses, narrowing.possible, narrowing.unclear + 1, known)
    return Narrowing(narrowing.glosses, tuple(_best_fits(narrowing.glosses, rest, answer)), known=known)


def _named_outside(glosses: Sequence[Gloss], asked: Question, answer: str) -> list[int]:
    """Return candidates that were not offered, and all of whose words that no option has are in the answer.

    `all project users` shares a word with the option `just the projects`, and yet selects another candidate. Where the
    things are those of the options, verb and thing count: `send a message` after `update it or schedule a message`.
    """
    heard, offered = stem_set(answer), {place for option in asked.options for place in option.candidates}
    known = frozenset[str]().union(*(glosses[place].object_stems for place in offered))
    verbs = {stem(glosses[place].verb) for place in offered}
    found: list[int] = []
    for place, gloss in enumerate(glosses):
        own, verb = gloss.object_stems - known, stem(gloss.verb)
        says_it = verb in heard and verb not in verbs and asked.form == "action" and gloss.object_stems <= heard
        if place not in offered and gloss.object_stems and (own <= heard if own else says_it):
            found.append(place)
    return found


def _best_fits(glosses: Sequence[Gloss], positions: Sequence[int], answer: str) -> list[int]:
    """Return the candidates that an answer fits best; all if it fits them equally."""
    fits = _fits([glosses[position] for position in positions], answer)
    best = [position for position, fit in zip(positions, fits, strict=True) if fit >= max(fits) * 0.999]
    heard = stem_set(answer)
    named = [position for position in best if glosses[position].object_stems <= heard]
    return named or best  # who says "an event" does not mean a quick event


_ORDINALS = tuple(frozenset(words_of.split()) for words_of in lexicon()["ordinals"])
_PLAINLY_NONE, _NONE_OF_THEM, _PLAIN = word_set("neither"), word_set("otherwise"), word_set("plain")


def _fits(glosses: Sequence[Gloss], text: str) -> list[float]:
    """Return how well a text fits each gloss: the sum of weights of shared stems, higher for rare ones."""
    heard = stem_set(text)
    stems = [gloss.stems for gloss in glosses]
    shared = [own & heard for own in stems]
    counts: dict[str, int] = {}
    for hit in shared:
        for word in hit:
            counts[word] = counts.get(word, 0) + 1
    weight = {word: math.log(1 + len(glosses) / count) for word, count in counts.items()}
    return [sum(weight[word] for word in sorted(hit)) for hit in shared]


def _act_key(gloss: Gloss, others: Sequence[Gloss]) -> str:
    """Return the verb, the same for all that show one thing: to look statistics up or to list them is no choice."""
    alike = {_verb_key(other) for other in others if other.act in LOOKUPS and other.object == gloss.object}
    return min(alike) if gloss.act in LOOKUPS else _verb_key(gloss)


def _verb_key(gloss: Gloss) -> str:
    return ways_to_say(gloss.verb)[0] if gloss.verb else "look up"


def _own(stems: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """Return the unique members of each set."""
    sets = list(stems)
    return [own.difference(*(other for other in sets if other is not own)) for own in sets]


def _action_options(glosses: Sequence[Gloss], groups: list[list[int]], known: frozenset[str]) -> tuple[Option, ...]:
    options: list[Option] = []
    said: set[str] = set()
    for group in sorted(groups, key=lambda group: _brings_about(glosses[group[0]])):  # "it" comes before "not ..."
        spoken = [position for position in group if glosses[position].object_stems <= known]
        first, *rest = (glosses[position] for position in dict.fromkeys((*spoken[:1], *group)))
        thing = _common_object(first, rest)
        phrase = verb_with(first, pronoun(first, thing, said=said, known=known))
        if first.chunks and first.chunks[0].preposition:
            phrase = action_phrase(first)
        if _brings_about(first):
            phrase = verb_with(first, thing)  # an object not yet created cannot be "it"
        else:
            said.add(thing)
        options.append(Option(tuple(group), phrase, first.verb_stems, stem_set(thing)))
    return tuple(options)


def verb_with(gloss: Gloss, thing: str) -> str:
    """Return the plainest verb with a thing; a pronoun goes before the particle: `look it up`."""
    verb = _verb_key(gloss)
    word, _, particle = verb.partition(" ")
    if particle and thing in ("it", "them"):
        return f"{word} {thing} {particle}"
    return f"{verb} {thing}".strip()


def _brings_about(gloss: Gloss) -> bool:
    """Whether the verb makes its object or looks for it, so that the object is not there to be pointed at."""
    return gloss.act in CREATES | SEARCHES


def pronoun(gloss: Gloss, thing: str, *, said: Iterable[str] = (), known: frozenset[str] = frozenset()) -> str:
    """Return `it` or `them` for an object already mentioned, else the object unchanged."""
    if not thing:
        return "it"
    stems = stem_set(thing)
    if len(gloss.chunks) > 1:
        return thing
    if thing not in said and not (stems and stems <= known):
        return thing
    if _brings_about(gloss) or thing.startswith("something"):
        return thing
    head = HEAD_END.split(thing)[0]
    if head.rpartition(" ")[2] in word_set("persons"):
        return "them"
    if is_plural(head):
        return "them" if thing in said or not known else thing
    return "it"


HEAD_END = re.compile(r" (?:of|for|with|from|to|in|on|about|at|by|during) ")


def _common_object(first: Gloss, rest: Sequence[Gloss]) -> str:
    """Return the common object of a group of tools without the differing words, or `something` with the common ones."""
    if not rest:
        return first.object
    common = first.object_stems.intersection(*(other.object_stems for other in rest))
    head = first.chunks[0].text if first.chunks else ""
    reduced = reduced_object(first, common)
    if head.startswith("the ") and not reduced.startswith(head):
        return first.object  # "the level of a product" would be misleading
    return reduced or first.object


def something(gloss: Gloss, others: Sequence[Gloss]) -> str:
    """Return `something` with the chunks after the first that all others have too: `something for a business trip`."""
    tails = [chunk.said for chunk in gloss.chunks[1:] if chunk.preposition != "of"]
    common = [tail for tail in tails if all(any(c.said == tail for c in other.chunks[1:]) for other in others)]
    return " ".join(["something", *common])


def reduced_object(gloss: Gloss, allowed: frozenset[str]) -> str:
    """Return the object with only allowed words left; empty where its head noun is not among them."""
    parts: list[str] = []
    for position, chunk in enumerate(gloss.chunks):
        text = kept(chunk, allowed)
        if not text:
            if position == 0:
                return ""
            continue
        parts.append(Chunk(chunk.preposition, text).said)
    return " ".join(parts)


def _thing_question(glosses: Sequence[Gloss], candidates: Sequence[int], *, is_said: bool) -> Question | None:
    """Ask by the things where each has a name of its own, else by the whole phrases: `add a tag to a contact`.

    By whole phrases, too, where the act is not said: `files or folders?` offers nothing to who wants help with files.
    """
    by_head = is_said and all(
        _has_own_head(glosses[one], [glosses[other] for other in candidates if other != one]) for one in candidates
    )
    groups: dict[str, list[int]] = {}
    for candidate in candidates:
        thing = _head(glosses[candidate]) if by_head else glosses[candidate].object
        groups.setdefault(heard_as(thing), []).append(candidate)
    if len(groups) < 2:
        return None
    options = []
    for group in groups.values():
        first = glosses[group[0]]
        phrase = _head(first) if by_head else action_phrase(first)
        options.append(Option(tuple(group), phrase, stem_set(_head(first) if by_head else first.object)))
    return Question("thing" if by_head else "action", tuple(options))


def _head(gloss: Gloss) -> str:
    return gloss.chunks[0].said if gloss.chunks else gloss.object


def _has_own_head(gloss: Gloss, rivals: Sequence[Gloss]) -> bool:
    says_nothing = len(gloss.chunks) > 1 and (
        _VAGUE_HEADS.issuperset(gloss.chunks[0].stems)
        or any(gloss.chunks[0].stems < rival.chunks[0].stems for rival in rivals if rival.chunks)
    )  # who wants weak keys says so where others are called keys of their own sort
    return (
        bool(gloss.chunks)
        and not says_nothing
        and all(heard_as(_head(gloss)) != heard_as(_head(rival)) for rival in rivals)
    )


_VAGUE_HEADS = stem_set("details information data entries objects records results status settings complete full all")


def heard_as(phrase: str) -> str:
    """Return a phrase without words that do not distinguish: `all plants` equals `all the plants`."""
    return " ".join(stem(word) for word in words(phrase) if word not in ("a", "an", "the"))

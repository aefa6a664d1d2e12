"""The verb of a clause and its object, and the act itself where the clause performs it: `perform a search`."""

from __future__ import annotations

from collections.abc import Sequence

from callwright.catalog.chunks import DETERMINERS, PARTICLES, PREPOSITIONS, TAKES_IN
from callwright.catalog.clause_nouns import ActReading, is_adverb, split_nouns, split_owners
from callwright.lang.english import act_of, any_verb, base_verb, is_adjective, is_noun, is_plural, past_of
from callwright.lang.lexicon import word_set
from callwright.lang.phrases import is_finite, is_known
from callwright.lang.verbs_of_acts import LOOKS, LOOKUPS


def read_clause(tokens: list[str]) -> ActReading | None:
    """Read a verb and its object off a clause; None where it does not begin with a verb."""
    while tokens and is_adverb(tokens[0]) and len(tokens) > 1:
        tokens = tokens[1:]
    verb, rest = leading_verb(tokens), tokens[1:]
    if not verb:
        return None
    if len(rest) > 3 and rest[0] in ("for", "through") and rest[1] in ("and", "or") and any_verb(rest[2]):
        verb, rest = any_verb(rest[2]) or verb, rest[3:]  # `search for and retrieve orders`
    if len(rest) > 1 and rest[0].lower() in ("and", "or") and any_verb(rest[1]):
        verb = "toggle" if {verb, any_verb(rest[1])} in _OPPOSITES else verb
        rest = rest[2:]  # "Create or update X": the first verb stands for both
    if [word.lower() for word in rest[:1]] in (["me"], ["us"]):
        rest = rest[1:]  # `Show me orders`
    if verb == "list" and [word.lower() for word in rest[:1]] == ["down"]:
        rest = rest[1:]
    rest = _first_act(rest)
    if len(rest) > 3 and verb in _SWITCHES and [word.lower() for word in rest[-3:]] == ["on", "or", "off"]:
        return ActReading("toggle", tuple(split_owners(split_nouns(rest[:-3]))))
    is_last = verb in _PHRASAL and rest[-1:] != rest[:1] and {one.lower() for one in rest[-1:]} <= PARTICLES
    if is_last and rest[-2].lower() not in PREPOSITIONS:
        rest = [rest[-1], *rest[:-1]]  # `turn the lamp on`
    follows = rest[1].lower() if len(rest) > 1 else ""
    if (
        rest
        and rest[0].lower() in PARTICLES
        and (follows in DETERMINERS or verb in _PHRASAL or rest[0].lower() in ("up", "out", "off"))
        and (rest[0] != "in" or verb in TAKES_IN)
    ):
        verb, rest = f"{verb} {rest[0].lower()}", rest[1:]
    return _of_information(_of_list(_performed(ActReading(verb, tuple(split_owners(split_nouns(rest)))))))


def _of_information(reading: ActReading) -> ActReading:
    """Return what a list tells of: `list locations` for `list information about the supported locations`."""
    first, *others = reading.nouns or (None,)
    if reading.verb != "list" or first is None or first.words != ["information"] or not others:
        return reading
    about = others[0]
    is_about = about.preposition in ("about", "on", "of", "for") and is_plural(" ".join(about.words))
    return reading._replace(nouns=(about._replace(preposition=""), *others[1:])) if is_about else reading


def _of_list(reading: ActReading) -> ActReading:
    """Return what is listed where a list is looked up: `list trades` for `get trades list`."""
    first, *others = reading.nouns or (None,)
    if (
        first is None
        or reading.verb not in LOOKS
        or first.words[-1:] != ["list"]
        or not is_plural(" ".join(first.words[:-1]))
    ):
        return reading
    return ActReading("list", (first._replace(determiner="several", words=first.words[:-1]), *others))


def _first_act(tokens: list[str]) -> list[str]:
    """Leave out a second act: `a token and associates it with the user`."""
    for place, token in enumerate(tokens[:-1], 1):
        after = tokens[place + 1].lower() if place + 1 < len(tokens) else ""
        act = any_verb(tokens[place]) if token.lower() == "and" else None
        is_last = not after and act != tokens[place] and place > 1 and not is_plural(tokens[place - 2])
        is_sure = act is not None and act != tokens[place] and not is_noun(act)  # `initializes`, not `groups`
        if act and (is_last or is_sure or after in DETERMINERS | {"it", "them"}):
            return tokens[: place - 1]
    return tokens


_PERFORMS = frozenset("perform execute run do make conduct".split())


def _performed(reading: ActReading) -> ActReading:
    """Return the act itself where it stands as a noun: `search for users` for `perform a search for users`."""
    first, *others = reading.nouns or (None,)
    act = first.words[-1].lower() if first and first.words and not first.preposition else ""
    verb = act if base_verb(act) == act else act_of(act)
    if reading.verb not in _PERFORMS or first is None or not verb:
        return reading
    if first.words[:-1]:
        return ActReading(verb, (first._replace(determiner="several", words=first.words[:-1]), *others))
    if others and others[0] is not None and others[0].preposition in ("of", "for"):
        return ActReading(verb, tuple(noun for noun in (others[0]._replace(preposition=""), *others[1:]) if noun))
    return reading


_PHRASAL = frozenset("turn switch shut log sign opt roll look set back check clean".split())
_OPPOSITES = ({"enable", "disable"}, {"activate", "deactivate"}, {"mute", "unmute"})
_SWITCHES = frozenset(("turn", "switch", "toggle"))


_LED = LOOKUPS | _PHRASAL | frozenset("wait subscribe listen reply vote".split())
"""Verbs of headings that a preposition follows: `Searches for users`."""


def leading_verb(tokens: Sequence[str]) -> str:
    """Return the verb that a clause begins with; a word that is a noun too needs to look like one here."""
    if len(tokens) < 2 or tokens[0] in _NO_VERBS:
        return ""
    first, follower = tokens[0].lower(), tokens[1].lower()
    is_object = follower in DETERMINERS | PARTICLES or follower == "several" or is_plural(follower)
    is_object |= follower in ("and", "or") and any_verb("".join(tokens[2:3]).lower()) is not None
    if first.startswith("re-") and base_verb(first[3:]) == first[3:]:
        return first
    if is_finite(follower):
        return ""  # `Image contains text`
    if follower not in PARTICLES and first + follower in word_set("known"):
        return ""  # `End point searches`
    verb = base_verb(first) or any_verb(first) or (past_of(first) if follower in DETERMINERS else "")
    if not verb and follower in DETERMINERS and first.isalpha() and not is_known(first):
        return first  # a verb that the dictionary lacks
    if not verb or follower == "of" or first.endswith("ing"):
        return ""
    is_heading = follower in PREPOSITIONS and is_plural(first) and is_noun(first) and verb not in _LED
    if is_heading and base_verb(first) != first:
        return ""  # `Dogs on the team`
    if base_verb(first) or follower in DETERMINERS - ({"new"} if is_adjective(first) else set()) | {"up"}:
        return verb  # also `Back up a database`
    return "" if is_adjective(first) or (is_noun(first) and not is_object) else verb


_NO_VERBS = frozenset("please note see given Given".split())

"""The sentences of an assistant that tell what a call gave, or ask which of its items is meant, in a caller's phrases.

choose, choose.by, choose.when      which item: by name, by a field, by the day on which something happened
done, fields, list, count, nothing  what came out
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from random import Random
from typing import Final

from callwright.author.briefs import Known
from callwright.environment.item_choice import HAPPENED, ItemChoice, label_of
from callwright.environment.told_outcome import ResultOutcome
from callwright.environment.told_results import field_clause, listed_clause, so_many
from callwright.lang.english import join_with, past_participle, sentence_case

Say = Callable[[str, dict[str, str]], str]
"""Words one of the banks of phrases with these fields."""

_NAMED: Final = 5
_ARTICLE: Final = re.compile(r"\b(?:an?|one) ")


def choice_words(choice: ItemChoice, say: Say) -> str:
    """Return the question which of the items is meant."""
    known = choice.known
    names = [label_of(Known(known.slot, text)) for text in choice.labels]
    fields = {"count": so_many(len(names), choice.noun), "names": join_with(names)}
    if choice.by is None:
        return say("choose", fields)
    if act := choice.by.noun.text.partition(HAPPENED)[2]:
        return say("choose.when", fields | {"act": act, "names": join_with(names, "or")})
    fields |= {"n": choice.by.noun.text, "the_n": f"the {choice.by.noun.text}", "names": join_with(names, "or")}
    return say("choose.by", fields)


def outcome_words(rng: Random, outcome: ResultOutcome, day: date, say: Say) -> str:
    """Return what a response tells."""
    if outcome.is_done:
        verb, _, particle = (outcome.gloss.verb or "look up").partition(" ")
        done = " ".join(part for part in (past_participle(verb), particle, _definite(outcome)) if part)
        text = say("done", {"done": done})
        clauses = join_with([field_clause(rng, known, day) for known in outcome.fields])
        return f"{text} {sentence_case(clauses)}." if clauses else text
    if outcome.listed is None and outcome.fields:
        clauses = join_with([field_clause(rng, known, day) for known in outcome.fields])
        return say("fields", {"clauses": clauses, "Clauses": sentence_case(clauses)})
    if outcome.listed is not None:
        names = join_with([f'"{name}"' for name in outcome.listed[:_NAMED]])
        count = max(outcome.count, len(outcome.listed))
        fields = {"count": so_many(count, outcome.noun), "names": names, "are": "is" if count == 1 else "are"}
        text = say("list" if names else "count", fields)
        each = listed_clause(rng, outcome.fields[:_NAMED], day) if outcome.fields else ""
        return f"{text} {sentence_case(each)}." if each else text
    return say("nothing", {"thing": _definite(outcome)})


def _definite(outcome: ResultOutcome) -> str:
    return _ARTICLE.sub("the ", outcome.gloss.object)

"""Rules on a turn that a model wrote: it does what its act says, with the planned values and no others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from callwright.author.agent_asking import TurnFault
from callwright.author.value_checks import carrying_faults
from callwright.catalog.gloss import gloss
from callwright.environment.told_outcome import tells_outcome
from callwright.lang.surface import forms
from callwright.lang.tokens import content_stems, stem_set
from callwright.papers.tooldial.tooldial_briefs import TurnBrief
from callwright.papers.tooldial.tooldial_cascade import unsaid_words
from callwright.papers.tooldial.tooldial_rollout import DialogueWriter
from callwright.papers.tooldial.turn_roles import TurnView
from callwright.validate.act_words import (
    AGREES,
    ASKS,
    ASKS_WHAT,
    CANNOT,
    DENIES,
    TAKES_LEAVE,
    asks_for,
    names_or_refers,
)
from callwright.validate.invented_values import invented_values
from callwright.validate.unsayable import AS_ASSISTANT, LACKS, without_identifiers, wording_faults

CODES: Final = ("act_not_kept", "words_for_machines", "role_swap", "value_invented")
"""Reasons for rejection that only turns of models have."""
_KEPT: Final = {
    "fail_inform": (LACKS, "it does not say in so many words that the person does not have the missing value"),
    "affirm": (AGREES, "it does not simply agree"),
    "negate": (DENIES, "it does not say that this is not what is wanted"),
    **dict.fromkeys(("user_bye", "system_bye"), (TAKES_LEAVE, "it does not say goodbye")),
    "clarify": (ASKS_WHAT, "it does not ask what is meant, and nothing else"),
    **dict.fromkeys(("suggest", "request", "request_multi"), (ASKS, "it asks nothing")),
    "response_fail": (CANNOT, "it does not say that the wish cannot be fulfilled"),
}
"""By act: what its words have, and what a model is told where they do not."""


def turn_faults(
    writer: DialogueWriter, brief: TurnBrief, view: TurnView, text: str, thoughts: Sequence[str] = ()
) -> Iterator[TurnFault]:
    """Yield what is wrong with the words of the next turn; each fault rejects the dialogue where it stays."""
    early = writer.early(brief)
    for told in carrying_faults(text, brief.told, early, brief.today):
        yield TurnFault("text_and_values_differ", told)
    for told in carrying_faults("\n".join(thoughts), (), early, brief.today):
        yield TurnFault("text_and_values_differ", f"thoughts: {told}")
    bare = without_identifiers(text, (str(known.value) for known in brief.told))
    for told in wording_faults(bare, writer.tools):
        yield TurnFault("words_for_machines", told)
    for told in _act_faults(brief, view, text):
        yield TurnFault("act_not_kept", f"{brief.act}: {told}")
    if turn_names := _named_early(writer, brief, view, text):
        yield TurnFault("act_not_kept", f"clarify: the person has not said {', '.join(sorted(turn_names))}")
    if brief.query and view.wish:
        yield from _wish_faults(writer, brief, text)
    known = [*view.lines, *view.choices, *view.found, *view.documents, view.today, view.goal, view.wish, view.beside]
    known += (way for one in brief.told for way in forms(one.value, one.slot.kind))
    for value in invented_values(bare, known):
        yield TurnFault("value_invented", f"{value} was neither said nor returned")
    if not thoughts and AS_ASSISTANT.search(text):
        yield TurnFault("role_swap", "these are an assistant's words; write the person's")


def _named_early(writer: DialogueWriter, brief: TurnBrief, view: TurnView, text: str) -> frozenset[str]:
    """The words of the wish that somebody who only asks what is meant cannot know."""
    wanted = gloss(writer.planned.pair.target).object_stems if brief.act == "clarify" else frozenset()
    said = stem_set(text.lower().replace("of course", ""))
    return wanted & said - stem_set(" ".join(view.lines))


def _act_faults(brief: TurnBrief, view: TurnView, text: str) -> Iterator[str]:
    if brief.act in _KEPT and not _KEPT[brief.act][0].search(text):
        yield _KEPT[brief.act][1]
    said = stem_set(text)
    for slot in brief.asked:
        if not asks_for(text, slot):
            yield f"it does not ask for the {slot.noun.text}"
    for label in view.choices:
        if label.casefold() not in text.casefold():
            yield f"it does not name {label}"
    if view.suggested and said.isdisjoint(content_stems(view.suggested)):
        yield "it does not say what is suggested"
    if brief.outcome is not None and not tells_outcome(brief.outcome, text, brief.today):
        yield "it does not tell what was done or found"
    if brief.act == "fail_inform" and brief.lacking and not names_or_refers(text, brief.lacking):
        yield f"it does not say that it is the {brief.lacking.noun.text} that is missing"


def _wish_faults(writer: DialogueWriter, brief: TurnBrief, text: str) -> Iterator[TurnFault]:
    """A wish has the words of its query; a vague one says no more of what is wanted."""
    assert brief.query is not None
    if lacking := unsaid_words(brief.query, text):
        yield TurnFault("query_not_said", f"the wish lacks {', '.join(sorted(lacking))}")
    if brief.act == "inform_intent_vague":
        wanted = set(content_stems(gloss(writer.planned.pair.target).phrase)) - stem_set(brief.query.text)
        more = wanted & stem_set(text)
        if 2 * len(more) > len(wanted) and more & gloss(writer.planned.pair.target).object_stems:
            yield TurnFault("act_not_kept", f"{brief.act}: it is too precise with {', '.join(sorted(more))}")

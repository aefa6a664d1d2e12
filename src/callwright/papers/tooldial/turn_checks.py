"""Rules on a turn that a model wrote: it does what its act says, with the planned values and no others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from callwright.author.agent_asking import TurnFault
from callwright.author.briefs import Known
from callwright.author.value_checks import carrying_faults, is_said
from callwright.catalog.gloss import gloss
from callwright.lang.dates import parse_moment
from callwright.lang.tokens import content_stems, stem_set
from callwright.papers.tooldial.tooldial_briefs import TurnBrief
from callwright.papers.tooldial.tooldial_cascade import unsaid_words
from callwright.papers.tooldial.tooldial_rollout import DialogueWriter
from callwright.papers.tooldial.turn_roles import TurnView
from callwright.validate.invented_values import invented_values
from callwright.validate.unsayable import AS_ASSISTANT, LACKS, wording_faults

CODES: Final = ("act_not_kept", "words_for_machines", "role_swap", "value_invented")
"""Reasons for rejection that only turns of models have."""
_NO: Final = r"\b(?:no|not|nope|neither|none|never ?mind|something else|other than|rather|instead|i'm good)\b|n't\b"
_BYE: Final = r"\b(?:good ?bye|bye|thanks?|thank you|cheers|see you|take care|welcome|(?:nice|good|great|lovely) \w+)\b"
_UNABLE: Final = (
    r"\b(?:sorry|afraid|unable|unfortunately|not able|no (?:tool|way|other))\b|\b(?:can|could|do)(?:not|n't)\b"
)
_ASKS: Final = r"\?|\b(?:please|need|missing)\b|\b(?:tell|give|let) me\b"
_KEPT: Final = {
    "fail_inform": (LACKS, True, "it does not say in so many words that the person does not have the missing value"),
    "affirm": (re.compile(r"^\W*(?:no|nope)\b|\?", re.IGNORECASE), False, "it does not simply agree"),
    "negate": (re.compile(_NO, re.IGNORECASE), True, "it does not say that this is not what is wanted"),
    "user_bye": (re.compile(_BYE, re.IGNORECASE), True, "it does not say goodbye"),
    "clarify": (re.compile(r"\?"), True, "it asks nothing"),
    "suggest": (re.compile(r"\?"), True, "it asks nothing"),
    "request": (re.compile(_ASKS, re.IGNORECASE), True, "it asks nothing"),
    "request_multi": (re.compile(_ASKS, re.IGNORECASE), True, "it asks nothing"),
    "response_fail": (re.compile(_UNABLE, re.IGNORECASE), True, "it does not say that the wish cannot be fulfilled"),
    "system_bye": (re.compile(_BYE, re.IGNORECASE), True, "it does not say goodbye"),
}
"""By act: what its words have, or have not, and what a model is told where that is otherwise."""


def turn_faults(
    writer: DialogueWriter, brief: TurnBrief, view: TurnView, text: str, thoughts: Sequence[str] = ()
) -> Iterator[TurnFault]:
    """Yield what is wrong with the words of the next turn; each fault rejects the dialogue where it stays."""
    early = writer.early(brief)
    for told in carrying_faults(text, brief.told, early, brief.today):
        yield TurnFault("text_and_values_differ", told)
    for told in carrying_faults("\n".join(thoughts), (), early, brief.today):
        yield TurnFault("text_and_values_differ", f"thoughts: {told}")
    bare = _without(text, brief)
    for told in wording_faults(bare, writer.tools):
        yield TurnFault("words_for_machines", told)
    for told in _act_faults(brief, view, text):
        yield TurnFault("act_not_kept", f"{brief.act}: {told}")
    if brief.query and view.wish:
        yield from _wish_faults(writer, brief, text)
    if not brief.act.startswith(("inform", "fail")):
        known = [*view.lines, *view.choices, *view.found, *view.documents, view.today, view.goal]
        for value in invented_values(text, known):
            yield TurnFault("value_invented", f"{value} was neither said nor returned")
    if thoughts == () and AS_ASSISTANT.search(text):
        yield TurnFault("role_swap", "these are an assistant's words; write the person's")


def _without(text: str, brief: TurnBrief) -> str:
    """The text without the values that it tells: some are names for machines."""
    for known in brief.told:
        text = text.replace(str(known.value), '""')
    return text


def _act_faults(brief: TurnBrief, view: TurnView, text: str) -> Iterator[str]:
    if brief.act in _KEPT:
        pattern, is_wanted, told = _KEPT[brief.act]
        if bool(pattern.search(text)) != is_wanted:
            yield told
    said = stem_set(text)
    for noun in view.ask:
        if (stems := stem_set(noun)) and said.isdisjoint(stems):
            yield f"it does not ask for the {noun}"
    for label in view.choices:
        if label.casefold() not in text.casefold():
            yield f"it does not name {label}"
    if view.suggested and said.isdisjoint(content_stems(view.suggested)):
        yield "it does not say what is suggested"
    if brief.outcome is not None and not _tells(brief, text):
        yield "it tells nothing of what was found"


def _tells(brief: TurnBrief, text: str) -> bool:
    """Whether a response tells one of its facts; some calls have none."""
    outcome = brief.outcome
    assert outcome is not None
    if outcome.fields and any(is_said(text, known, brief.today) or _is_day(text, known) for known in outcome.fields):
        return True
    names = (*(outcome.listed or ()), str(outcome.count)) if outcome.listed is not None else ()
    is_told = any(name.casefold() in text.casefold() for name in names) or (not outcome.count and bool(names))
    return is_told or outcome.is_done or not (outcome.fields or names)


def _is_day(text: str, known: Known) -> bool:
    """Whether a text says the day of a moment."""
    moment = parse_moment(known.value)
    return moment is not None and f"{moment:%B}" in text and re.search(rf"\b{moment.day}(?!\d)", text) is not None


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

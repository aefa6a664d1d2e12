"""The words of a `tooldial` dialogue, offline: phrases of data files, with the shared words for slots and values."""

from __future__ import annotations

from datetime import date
from functools import partial
from random import Random

from callwright.author.assistant_turn import question_for
from callwright.author.briefs import Request, UserAct, UserBrief
from callwright.author.grammar import Frame, bank_file, tidy, write
from callwright.author.user_turn import user_turn
from callwright.catalog.contrast import action_phrase
from callwright.environment.item_choice import label_fields
from callwright.environment.outcome_words import choice_words, outcome_words
from callwright.lang.english import join_with, sentence_case, with_the
from callwright.papers.tooldial.tooldial_briefs import TurnBrief

_MOST_IN_QUESTION = 3


def user_words(rng: Random, brief: TurnBrief) -> str:
    """Word one turn of the user."""
    if brief.act.startswith("inform_intent"):
        return _wish(rng, brief)
    if brief.act == "fail_inform":
        return _failing(rng, brief)
    if brief.act == "inform" and brief.choice is not None and brief.phase == "choice":
        return _styled(write(rng, _of_user("choose", brief), label_fields(brief.choice)), brief)
    if brief.act == "inform":
        return _answer(rng, brief)
    return write(rng, _of_user(brief.act, brief), {}, recent=brief.recent)


def _wish(rng: Random, brief: TurnBrief) -> str:
    query = brief.query
    assert query is not None
    tail = write(rng, _of_user(f"tail.{query.tail_kind}", brief), {"of": query.tail}) if query.tail else ""
    if brief.is_first:
        slots = tuple(known.slot.name for known in brief.told)
        said = user_turn.offline(rng, _shared_brief(brief, UserAct("open", more=slots)))
    else:
        said = write(rng, _of_user("clear", brief), {"do": f"{query.verb} {query.thing}"}, recent=brief.recent)
        if brief.told:
            said = _joined(said, _answer(rng, brief, labelled=True), brief)
    return _joined(said, tail, brief)


def _joined(text: str, more: str, brief: TurnBrief) -> str:
    """Two parts of a turn: sentences, or in a terse text asides."""
    if not more:
        return text
    if brief.style == "terse":
        return tidy(f"{text.rstrip('.')}{'' if more.startswith(',') else ', '}{more}")
    return tidy(f"{text} {sentence_case(more)}")


def _failing(rng: Random, brief: TurnBrief) -> str:
    assert brief.lacking is not None
    the_n = f"the {brief.lacking.noun.text}".replace("the your ", "my ")
    fields = {"the_n": the_n, "The_n": sentence_case(the_n)}
    if not brief.told:
        return _styled(write(rng, _of_user("fail", brief), fields, recent=brief.recent), brief)
    told = _answer(rng, brief, labelled=True)
    return _joined(told, write(rng, _of_user("fail.rest", brief), fields, recent=brief.recent), brief)


def _answer(rng: Random, brief: TurnBrief, *, labelled: bool = False) -> str:
    """The values of the turn; labelled, where not just they were asked for."""
    names = tuple(known.slot.name for known in brief.told)
    text = user_turn.offline(rng, _shared_brief(brief, UserAct("answer", slots=names, labelled=labelled)))
    return _styled(text, brief)


def _shared_brief(brief: TurnBrief, act: UserAct) -> UserBrief:
    request = Request(brief.query.verb, brief.query.thing) if brief.query else Request("", "")
    return UserBrief(
        act,
        brief.style,
        brief.tone,
        brief.today,
        request,
        "",
        False,
        "",
        brief.told,
        recent=brief.recent,
        heard=brief.heard,
    )


def _styled(text: str, brief: TurnBrief) -> str:
    """A sentence ends with a full stop, and a terse text need not."""
    text = tidy(text)
    if brief.style == "terse":
        return text
    return sentence_case(text) if text[-1:] in '.?!"' else f"{sentence_case(text)}."


def _of_user(name: str, brief: TurnBrief) -> tuple[Frame, ...]:
    return bank_file("tooldial_user", home=__package__)[f"{name}.{brief.style}"]


# -- the assistant ----------------------------------------------------------------------------------------------------


def system_words(rng: Random, brief: TurnBrief) -> str:
    """Word one turn of the assistant; never with names of tools or parameters."""
    say = partial(_said, rng, brief)
    if brief.act == "request":
        return _request(rng, brief)
    if brief.act == "request_multi" and brief.choice is not None:
        return choice_words(brief.choice, say)
    if brief.act == "suggest" and brief.gloss is not None:
        return say("suggest", {"do": action_phrase(brief.gloss)})
    if brief.act == "response" and brief.outcome is not None:
        return outcome_words(rng, brief.outcome, date.fromisoformat(brief.today), say)
    return say(brief.act, {})


def _request(rng: Random, brief: TurnBrief) -> str:
    lead = {"of_source": "source", "later": "found"}.get(brief.phase)
    fields = {"the_n": f"the {brief.lacking.noun.text}" if brief.lacking else ""}
    parts = [_said(rng, brief, lead, fields)] if lead else []
    plain = [slot for slot in brief.asked if slot.kind != "boolean"]
    if len(plain) > _MOST_IN_QUESTION:
        parts.append(_said(rng, brief, "ask.list", {"list": join_with([with_the(slot.noun.text) for slot in plain])}))
        plain = []
    flags = [slot for slot in brief.asked if slot.kind == "boolean"]
    parts.append(question_for(rng, [*plain, *flags], (*brief.recent, *parts)))
    return tidy(" ".join(sentence_case(part) for part in parts if part))


def _said(rng: Random, brief: TurnBrief, bank: str, fields: dict[str, str]) -> str:
    frames = bank_file("tooldial_system", home=__package__)[bank]
    return sentence_case(tidy(write(rng, frames, fields, recent=brief.recent)))


# -- thoughts ---------------------------------------------------------------------------------------------------------


def thought_words(rng: Random, bank: str, fields: dict[str, str]) -> str:
    """Word the private reasoning behind one act; here tools and parameters go by name."""
    return tidy(write(rng, bank_file("tooldial_thoughts", home=__package__)[bank], fields))

"""Speech: nobody says tool or parameter names, nobody repeats themselves, and the first request leaves a choice.

These are the rules' part of the paper's critique and message checks (section 3.1, "validator cascade"); what needs
understanding is left to a judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from callwright.author.briefs import Known
from callwright.catalog.distinct import distinct_glosses
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.lang.english import article
from callwright.lang.tokens import stem_set
from callwright.papers.diaforge.listening import asked_slots
from callwright.papers.diaforge.opening_request import fits
from callwright.papers.diaforge.user_policy import is_vague, plan_behind
from callwright.records.annotations.diaforge_notes import DiaforgeNotes
from callwright.records.dialogue import Dialogue
from callwright.records.issue import Issue
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from callwright.validate.unsayable import ARTICLE, DOUBLED, IDENTIFIERS, is_identifier


def leak_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield tool names and parameter identifiers said aloud; plain words such as `city` are no identifiers."""
    names = {name for name in tools if is_identifier(name)}
    names |= {name for tool in tools.values() for name in tool.properties if is_identifier(name)}
    names = {name for name in names if any(name in turn.text for turn in dialogue.turns)}
    if not names:
        return
    arguments = [argument for task in dialogue.tasks for call in task.gold for argument in call.arguments]
    gold = " ".join(text for argument in arguments for text in argument.accepted)
    names -= set(IDENTIFIERS.findall(gold))  # some values are spelled like names
    for position, turn in enumerate(dialogue.turns):
        words = set(IDENTIFIERS.findall(turn.text))
        for name in sorted(names & words):
            yield Issue("identifier_leaked", f"turns[{position}].text", f"{name} is said aloud")


def repetition_issues(dialogue: Dialogue) -> Iterator[Issue]:
    """Yield turns in which a speaker says again, word for word, what they said before."""
    said: dict[tuple[str, str], int] = {}
    for position, turn in enumerate(dialogue.turns):
        place = (turn.speaker, " ".join(turn.text.lower().split()))
        if place in said:
            yield Issue("turn_repeated", f"turns[{position}].text", f"the same as turns[{said[place]}]")
        said[place] = position


def wording_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield what no person says: schema words, doubled words, articles that clash.

    A tool may be about a schema, and a value may hold `json`: those are the words of its user.
    """
    for position, turn in enumerate(dialogue.turns):
        where = f"turns[{position}].text"
        found = _SCHEMA_WORDS.search(turn.text.lower())
        if found and not stem_set(found.group()) <= _own_words(dialogue, tools):
            yield Issue("schema_words", where, f"{turn.text[found.start() : found.end()]!r} is a machine's word")
        if found := DOUBLED.search(turn.text):
            yield Issue("word_doubled", where, found.group())
        for found in ARTICLE.finditer(turn.text):
            if found.group(1).lower() != article(found.group(2)):
                yield Issue("article_clashes", where, found.group())


def _own_words(dialogue: Dialogue, tools: Mapping[str, Tool]) -> frozenset[str]:
    """Return the stems of what the tools act on, and of the gold values."""
    arguments = (argument for task in dialogue.tasks for call in task.gold for argument in call.arguments)
    values = stem_set(" ".join(text for argument in arguments for text in argument.accepted))
    return values.union(*(gloss(tool).object_stems for tool in tools.values()))


_SCHEMA_WORDS = re.compile(
    r"\b(?:required parameters?|parameter values?|tool call|function call|json|schema|api endpoint|boolean|null|"
    r"arguments? (?:of|for) the|the `?(?=\w+_\w)\w++`? (?:value|field|parameter))\b"
)
"""Matches text in lower case."""


def opening_issues(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield a fault where the first request already tells the seed tool from every other candidate."""
    notes = dialogue.annotation
    if not isinstance(notes, DiaforgeNotes) or not notes.tool_fits or _is_plain(dialogue):
        return
    shown = [tool.name for tool in dialogue.tools]
    if notes.gold_tool not in tools or len(shown) < 2:
        return
    others = [tools[name] for name in shown if name != notes.gold_tool and name in tools]
    gold, *rivals = distinct_glosses((tools[notes.gold_tool], *others))
    if not fits(stem_set(dialogue.turns[0].text), gold, rivals):
        yield Issue("opening_tells_all", "turns[0].text", "only the tool that is meant fits the first request")


def _is_plain(dialogue: Dialogue) -> bool:
    """Whether the first request is in the seed tool's own words, as no vaguer one was left."""
    plan = plan_behind(dialogue)
    return plan is not None and not is_vague(plan, dialogue.provenance.attempt)


def role_issues(dialogue: Dialogue, gold: Tool | None) -> Iterator[Issue]:
    """Yield assistant turns before the last that ask nothing, and last ones that ask for a value although they call."""
    last = len(dialogue.turns) - 1
    for position, turn in enumerate(dialogue.turns):
        if position % 2 and position < last and "?" not in turn.text and not _ASKS.search(turn.text):
            yield Issue("assistant_does_not_ask", f"turns[{position}].text", "neither a question nor a call")
    if gold is not None and dialogue.turns[last].calls:
        questions = "".join(_QUESTIONS.findall(dialogue.turns[last].text))
        wanted = [Known(slot, encode(None)) for slot in slots(gold).values()]
        for name in asked_slots(questions, wanted) if questions else ():
            yield Issue("assistant_still_asks", f"turns[{last}].text", f"{name} is asked for, and the call made")


_ASKS = re.compile(r"\b(?:need|please|missing|tell me|give me|let me know|share|next)\b", re.IGNORECASE)
_QUESTIONS = re.compile(r"(?<![^.?!\n])[^.?!\n]+\?")

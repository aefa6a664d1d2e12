"""The rule cascade of `tooldial`: acts, then calls, then states, then words (ToolDial, sections 3.2 to 3.4).

The first group that finds something ends the cascade. States are compared with those that are recomputed from the turns
alone, without the plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from callwright.author.briefs import known_values
from callwright.author.value_checks import is_said
from callwright.lang.surface import mentions
from callwright.lang.tokens import content_stems, stem_set
from callwright.match.schema import fits_returns, schema_issues
from callwright.papers.tooldial.act_grammar import USER_ACTS, accepts
from callwright.papers.tooldial.banded_retriever import band_of
from callwright.papers.tooldial.recomputed_states import state_issues
from callwright.records.annotations.tooldial_notes import IntentQuery, ToolDialNotes, ToolDialPlan
from callwright.records.dialogue import Call, Dialogue
from callwright.records.issue import Issue
from callwright.records.jsontext import decode, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool


def check_tooldial(dialogue: Dialogue, tools: Mapping[str, Tool]) -> tuple[Issue, ...]:
    """Return every fault of the first group that has one; `tools` by shown name. Never raises on bad data."""
    notes, plan = dialogue.annotation, dialogue.scenario.annotation if dialogue.scenario else None
    if not isinstance(notes, ToolDialNotes) or not isinstance(plan, ToolDialPlan):
        return (Issue("bad_record", "annotation", "notes or plan are not those of a tooldial dialogue"),)
    if len(notes.turns) != len(dialogue.turns):
        return (Issue("bad_record", "annotation.turns", "one note for each turn is needed"),)
    return (
        tuple(act_issues(dialogue))
        or tuple(call_issues(dialogue, tools, plan))
        or (*state_issues(dialogue, tools), *retriever_issues(dialogue, notes))
        or tuple(word_issues(dialogue, plan, tools))
    )


def act_issues(dialogue: Dialogue) -> Iterator[Issue]:
    """Yield a fault where the grammar has no such sequence, or an act is not its speaker's."""
    acts = [step.act for turn in dialogue.turns for step in turn.steps]
    if not accepts(acts, extras=("inputless", "unlisted")):
        yield Issue("acts_not_accepted", "turns", " ".join(acts)[:400])
    for position, turn in enumerate(dialogue.turns):
        is_user = dialogue.role(turn) == "user"
        if any((step.act in USER_ACTS) != is_user for step in turn.steps):
            yield Issue("act_of_another", f"turns[{position}]", "an act is not its speaker's")
        if not turn.text.strip():
            yield Issue("empty_text", f"turns[{position}].text", "nothing is said")


def call_issues(dialogue: Dialogue, tools: Mapping[str, Tool], plan: ToolDialPlan) -> Iterator[Issue]:
    """Yield calls of unknown tools, unfit arguments and results, and a chained value that no result has."""
    made = [(call, result) for turn in dialogue.turns for step in turn.steps
            for call, result in zip(step.calls, step.results, strict=False)]  # fmt: skip
    for place, (call, result) in enumerate(made):
        where = f"call {place}"
        tool = tools.get(call.tool)
        if tool is None:
            yield Issue("unknown_tool", where, call.tool[:200])
            continue
        yield from (Issue(f"argument_{one.code}", where, one.message) for one in schema_issues(call.arguments, tool))
        if result.value is None or not fits_returns(decode(result.value), tool):
            yield Issue("result_unlike_schema", where, "the result does not fit what the tool returns")
    if plan.source and len(made) == 2:
        supplied = resolve(decode(made[0][1].value) if made[0][1].value else None, plan.output)
        if supplied is None or encode(supplied) != encode(made[1][0].values.get(plan.input)):
            yield Issue("value_not_from_result", "call 1", f"{plan.input} is not at {plan.output} of the first result")


def retriever_issues(dialogue: Dialogue, notes: ToolDialNotes) -> Iterator[Issue]:
    """Yield searches whose best score is not in the band of the act that follows."""
    for position, (turn, note) in enumerate(zip(dialogue.turns, notes.turns, strict=True)):
        for step, extra in zip(turn.steps, note.steps, strict=False):
            if extra.retriever.apis:
                following = turn.steps[turn.steps.index(step) + 1].act
                band = band_of(extra.retriever.apis[0].score)
                if band != (following if following in ("clarify", "suggest") else "clear"):
                    yield Issue("score_out_of_band", f"turns[{position}]", f"{following} after a {band} score")


# -- words ------------------------------------------------------------------------------------------------------------


def word_issues(dialogue: Dialogue, plan: ToolDialPlan, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Yield wishes without the words of their queries, values that nobody said before a call, and names of tools."""
    wishes = [turn.text for turn in dialogue.turns if turn.steps[0].act.startswith("inform_intent")]
    for wish, query in zip(wishes, plan.queries, strict=False):
        if lacking := unsaid_words(query, wish):
            yield Issue("query_not_said", "turns", f"the wish lacks {', '.join(sorted(lacking))}")
    for position, turn in enumerate(dialogue.turns):
        heard = [one.text for one in dialogue.turns[:position] if dialogue.role(one) == "user"]
        for call in turn.calls:
            yield from _unsaid(call, tools[call.tool], plan, heard, dialogue.today)
        if any("_" in name and name in turn.text for name in tools):
            yield Issue("tool_named", f"turns[{position}].text", "a tool is called by its name")


def unsaid_words(query: IntentQuery, wish: str) -> frozenset[str]:
    """Return the stems of a query that a wish does not say; its verb may be another."""
    words = content_stems(query.thing) if query.own else stem_set(f"{query.thing} {query.tail}")
    return frozenset(words) - stem_set(wish)


def _unsaid(call: Call, tool: Tool, plan: ToolDialPlan, heard: list[str], today: str) -> Iterator[Issue]:
    for name, value in call.values.items():
        is_chained = name == plan.input and tool.key == plan.target
        told = known_values(tool, {name: value})
        if not is_chained and not all(any(is_said(text, one, today) for text in heard) for one in told):
            yield Issue("value_never_said", f"call of {call.tool}", f"{name} is called with a value that nobody said")
        kept = isinstance(value, str) and len(value) > 3 and is_chained
        if kept and any(mentions(text, value, "code", today=date.fromisoformat(today)) for text in heard):
            yield Issue("missing_value_said", f"call of {call.tool}", f"{name}, which the user lacks, was said")

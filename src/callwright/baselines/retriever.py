"""`builtin/retriever`: asks while candidates are close, then for what is missing, then calls. No model, no learning.

Like any model, it sees only the messages and the tools of the request. It keeps no state: each reply is a pure function
of the conversation. It reconstructs its earlier questions from the user's turns.

    select    tools that fit the first message about equally well -> ask how they differ -> one is left
    fill      read the required values from all user turns -> ask for one or two missing ones
    end       call with the required values and those that the user named, or say that nothing fits

After a tool result it reports it, and starts again with the next request.

Optional parameters are left out unless the user names them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from random import Random
from typing import Final, NamedTuple

import msgspec

from callwright.author.assistant_turn import assistant_turn
from callwright.author.briefs import AssistantAct, AssistantBrief
from callwright.author.required_values import required_paths
from callwright.baselines.eager import current_part
from callwright.baselines.filling import Answer, fill, raw_answer
from callwright.baselines.free_words import MOST_CHARACTERS, clauses, named
from callwright.catalog.chunks import Gloss
from callwright.catalog.contrast import OTHER, Narrowing, Question, action_phrase, hear, resolve, start
from callwright.catalog.distinct import distinct_glosses
from callwright.catalog.gloss import gloss
from callwright.catalog.retrieval import Retriever as Index
from callwright.catalog.slots import Slot, assemble, slots, tool_leaves
from callwright.lang.quantities import scan
from callwright.lang.tokens import content_stems
from callwright.models.chat import ChatReply, ChatRequest
from callwright.records.dialogue import Call
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

SHORTLIST: Final = 12
"""Most candidates for questions; of more, those nearest to the first message are kept."""
MOST_QUESTIONS: Final = 4
"""Most questions about which tool is meant; then it takes the most likely one."""
MOST_ASKS: Final = 3
"""Most questions for one value; then it takes the answer unchanged, or gives up if that is invalid."""


class RetrieverBaseline:
    """Asks questions to choose among look-alikes, and fills slots from the user's turns."""

    name = "builtin/retriever"

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        """Return a question, a call, or a statement that nothing fits. `rng` affects only the wording."""
        return decide(request, rng).reply


class Decision(NamedTuple):
    """A reply, and the name of the tool that it is about; empty where none is chosen."""

    reply: ChatReply
    tool: str = ""


def decide(request: ChatRequest, rng: Random) -> Decision:
    """Return the reply of `builtin/retriever`, and the tool that it has chosen. `rng` affects only the wording."""
    if not request.tools:
        return Decision(ChatReply(content="I have no tool to call."))
    current = current_part(request)
    if current is None:
        return Decision(ChatReply(content="That is done."))
    said = [text for text in _user_texts(current) if text.strip()]
    move = _next_move(current.tools, said, _today(current))
    earlier = tuple(message.content for message in current.messages if message.role == "assistant")
    brief = msgspec.structs.replace(move.brief, first=not earlier, recent=earlier[-2:])
    return Decision(ChatReply(content=assistant_turn.offline(rng, brief), calls=move.calls), brief.tool)


class _Move(msgspec.Struct, frozen=True):
    brief: AssistantBrief
    calls: tuple[Call, ...] = ()


class _Settled(msgspec.Struct, frozen=True):
    """The chosen tool, and the number of user texts used to choose it."""

    tool: Tool
    heard: int


def _user_texts(request: ChatRequest) -> Iterator[str]:
    """Return the user's turns, with consecutive messages joined."""
    turn: list[str] = []
    for message in request.messages:
        if message.role == "user":
            turn.append(message.content)
        elif message.role == "assistant" and turn:
            yield "\n".join(turn)
            turn = []
    if turn:
        yield "\n".join(turn)


_TODAY: Final = re.compile(r"\bToday is (\d{4}-\d\d-\d\d)\b")


def _today(request: ChatRequest) -> date | None:
    told = " ".join(message.content for message in request.messages if message.role == "system")
    try:
        return date.fromisoformat(found[1]) if (found := _TODAY.search(told)) else None
    except ValueError:
        return None


def _next_move(tools: Sequence[Tool], said: Sequence[str], today: date | None) -> _Move:
    if not said:
        return _Move(AssistantBrief(AssistantAct("which")))
    begin = 0
    while True:
        chosen = _select(_shortlist(tools, said[begin]), said, begin, today)
        if isinstance(chosen, _Move):
            return chosen
        again = _protest(chosen, tools, said, today)
        if again is None:
            return _fill(chosen, said, today)
        begin = again


def _protest(chosen: _Settled, tools: Sequence[Tool], said: Sequence[str], today: date | None) -> int | None:
    """Return the first text after the choice that asks for another tool; the selection starts again there."""
    for position in range(chosen.heard, len(said)):
        wish = _wish(said[position], today)
        is_value = _tells_value(said[position], today)
        if not _NOT_THAT.search(said[position]) and (is_value or not _WANTS.search(said[position])):
            continue
        best = start(distinct_glosses(tuple(tools)), wish)
        if len(best.possible) < len(tools) and chosen.tool not in (tools[index] for index in best.possible):
            return position
    return None


_NOT_THAT: Final = re.compile(
    r"\b(?:neither|none of (?:those|these|them)|something else|not that|wrong)\b", re.IGNORECASE
)
_WANTS: Final = re.compile(
    r"^\W*(?:no|sorry)\b|\bi (?:mean|meant)\b|\b(?:want|need|have|would like|'d like) to \w|^(?:just|only|please) ",
    re.IGNORECASE,
)


# -- select ----------------------------------------------------------------------------------------------------------


def _shortlist(tools: Sequence[Tool], text: str) -> tuple[Tool, ...]:
    if len(tools) <= SHORTLIST:
        return tuple(tools)
    return tuple(tools[index] for index, _ in Index(tools).search(text, SHORTLIST))


def _select(tools: Sequence[Tool], said: Sequence[str], begin: int, today: date | None) -> _Settled | _Move:
    """Replay the questions about which tool is meant, from text `begin` on; the last one is the next question."""
    wish = _NAMED_VALUE.sub("", _wish(said[begin], today)) or said[begin]
    narrowing = start(distinct_glosses(tuple(tools)), wish)
    heard = begin + 1
    while narrowing.settled is None and heard <= begin + MOST_QUESTIONS:
        question = narrowing.ask()
        if question is None:
            break
        if heard == len(said):
            names = tuple(tools[position].name for position in narrowing.possible)
            return _Move(AssistantBrief(AssistantAct("which", question), candidates=names))
        answer = _wish(said[heard], today)
        narrowing = hear(narrowing, question, answer)
        heard += 1
        if _nothing_fits(question, answer, narrowing):
            return _decline(narrowing.glosses)
    return _Settled(tools[narrowing.possible[0]], heard)


_NAMED_VALUE: Final = re.compile(r",[^,:]*:[^,]*")


def _wish(text: str, today: date | None) -> str:
    """Return a text without its clauses with values (`order number 5512`), whose words would match tools."""
    parts = [text[part.start : part.end] for part in clauses(text[:MOST_CHARACTERS])]
    return ", ".join(part for part in parts if not _tells_value(part, today)) or text[:MOST_CHARACTERS]


def _tells_value(text: str, today: date | None) -> bool:
    return any(found.sort != "number" or text[found.start].isdigit() for found in scan(text, today))


def _nothing_fits(question: Question, answer: str, left: Narrowing) -> bool:
    if resolve(question, answer) != OTHER:
        return False
    words = set(content_stems(answer))
    return not any(left.glosses[position].stems & words for position in left.possible)


def _decline(glosses: Sequence[Gloss]) -> _Move:
    offers = tuple(action_phrase(one) for one in glosses[:2])
    return _Move(AssistantBrief(AssistantAct("no_fit"), offers=offers))


# -- fill ------------------------------------------------------------------------------------------------------------


def _fill(chosen: _Settled, said: Sequence[str], today: date | None) -> _Move:
    """Replay the questions for values; the last one is the next question, or the call."""
    by_path = slots(chosen.tool)
    told = _volunteered(chosen.tool, said, today)
    wanted = [by_path[path] for path in required_paths(chosen.tool, told)]
    answers = [Answer(text) for text in said[: chosen.heard]]
    asked: Counter[str] = Counter()
    for text in (*said[chosen.heard :], None):
        values = fill(wanted, answers, today=today)
        for slot in wanted:
            if slot.name not in values and asked[slot.name] >= MOST_ASKS:
                values[slot.name] = raw_answer(slot, answers)
        missing = _next_slots([slot for slot in wanted if slot.name not in values])
        if text is None:
            break
        names = tuple(slot.name for slot in missing)
        asked.update(names)
        answers.append(Answer(text, names))
    if None in values.values():
        return _decline([gloss(chosen.tool)])
    if missing:
        return _ask(chosen.tool, missing)
    taken = [*map(encode, values.values())]
    told = {path: value for path, value in told.items() if path not in values and encode(value) not in taken}
    return _call(chosen.tool, assemble(chosen.tool, values | told))


def _volunteered(tool: Tool, said: Sequence[str], today: date | None) -> dict[str, Json]:
    """Return values that nothing requires and that a text names: `the due date is Monday`."""
    required = required_paths(tool)
    spare = [
        slots(tool)[path] for path, leaf in tool_leaves(tool).items() if path not in required and not leaf.is_fixed
    ]
    named_so = [slot for slot in spare if any(named(slot.noun.text).search(text) for text in said)]
    return fill(named_so, [Answer(text) for text in said], today=today) if named_so else {}


def _next_slots(missing: Sequence[Slot]) -> tuple[Slot, ...]:
    """Return one slot, or two whose values are easy to distinguish in one answer."""
    plain = [slot for slot in missing[:2] if slot.kind not in ("boolean", "text", "title", "other", "list", "object")]
    return tuple(plain) if len(plain) == 2 else tuple(missing[:1])


def _ask(tool: Tool, missing: tuple[Slot, ...]) -> _Move:
    act = AssistantAct("ask", slots=tuple(slot.name for slot in missing))
    return _Move(AssistantBrief(act, slots=missing, gloss=gloss(tool), tool=tool.name))


def _call(tool: Tool, values: dict[str, Json]) -> _Move:
    brief = AssistantBrief(AssistantAct("call"), gloss=gloss(tool), tool=tool.name)
    return _Move(brief, (Call(tool.name, encode(values)),))

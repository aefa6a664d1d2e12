"""The material shown to a judge: turns and, if the criterion needs them, tools, gold and personas, without thoughts.

It is one JSON object a line. `<` and `>` are escaped, so that no text can close the material block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from callwright.errors import BadDocument
from callwright.judge.rubric import Rubric
from callwright.records.dialogue import Dialogue, Result, Step, Turn
from callwright.records.jsontext import Json, JsonText, decode, whole
from callwright.records.tool import Tool, digest

_LONGEST_RESULT: Final = 4_000
"""Most characters shown of one result; a cut result says so."""
_LONGEST_TEXT: Final = 20_000
"""Most characters shown of one text."""

_ESCAPES: Final = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>\x85\u2028\u2029"})

WHY_SKIPPED: Final = {
    "tools": "no tools",
    "gold": "no gold tool",
    "persona": "no persona",
    "results": "no tool results",
}
"""Why a criterion does not apply: the missing property of the dialogue."""
NO_TURNS: Final = "no assistant turns"
EMPTY: Final = "no turns"


class Talk(msgspec.Struct, frozen=True):
    """A dialogue or a transcript to judge."""

    dialogue: Dialogue
    turns: tuple[Turn, ...]
    tools: Mapping[str, Tool]
    trial: int = 0
    """Of a transcript."""
    parts: tuple[int, ...] | None = None
    """For a transcript by tasks, the first turn of each; None if the dialogue's tasks say so."""

    def is_assistant(self, turn: Turn) -> bool:
        return self.dialogue.role(turn) == "assistant"


class JudgedSubject(msgspec.Struct, frozen=True):
    """One thing to judge: a talk, or one turn of it in the context of the turns before."""

    rubric: Rubric
    talk: Talk
    turn: int | None
    digest: str

    @property
    def material(self) -> str:
        """Return the material, one JSON object a line; not cached, because there may be very many subjects."""
        if self.rubric.task and self.turn is not None:
            return "\n".join(_reply_lines(self.rubric, self.talk, self.turn))
        head, spoken = _lines(self.rubric, self.talk)
        return "\n".join([*head, *(spoken if self.turn is None else spoken[: self.turn + 1])])


def why_skipped(rubric: Rubric, talk: Talk) -> str:
    """Return why the criterion does not apply to a talk; empty if it applies."""
    if not talk.turns:
        return EMPTY
    has = {
        "tools": bool(talk.dialogue.tools),
        "gold": bool(_gold_names(talk.dialogue)),
        "persona": any(who.persona for who in talk.dialogue.participants),
        "results": any(step.results for turn in talk.turns for step in turn.steps),
    }
    lacking = next((need for need in rubric.needs if not has[need]), None)
    if lacking:
        return WHY_SKIPPED[lacking]
    if untold := next((name for name in rubric.notes if not _note(talk.dialogue, name)), None):
        return f"no {untold}"
    if rubric.task:
        return "" if task_replies(talk, rubric.task) else f"no words without a call that answer a {rubric.task} task"
    return NO_TURNS if rubric.scope == "turn" and not any(map(talk.is_assistant, talk.turns)) else ""


def subjects(rubric: Rubric, talk: Talk) -> Iterator[JudgedSubject]:
    """Yield the subjects of the criterion: the talk, or each assistant turn; none if it is skipped."""
    if why_skipped(rubric, talk):
        return
    if rubric.task:
        for at in task_replies(talk, rubric.task):
            yield JudgedSubject(rubric, talk, at, digest("\n".join(_reply_lines(rubric, talk, at))))
        return
    head, spoken = _lines(rubric, talk)
    if rubric.scope == "dialogue":
        yield JudgedSubject(rubric, talk, None, digest("\n".join([*head, *spoken])))
        return
    for at, turn in enumerate(talk.turns):
        if talk.is_assistant(turn):
            yield JudgedSubject(rubric, talk, at, digest("\n".join([*head, *spoken[: at + 1]])))


def task_replies(talk: Talk, kind: str) -> tuple[int, ...]:
    """Return the positions of the turns that first answer a task of this kind, if they are text without a call."""
    begins = _begins(talk)
    spans = zip(talk.dialogue.tasks, begins, (*begins[1:], len(talk.turns)), strict=False)
    replies = [
        next((at for at in range(begin, end) if talk.is_assistant(talk.turns[at])), None)
        for task, begin, end in spans
        if task.kind == kind
    ]
    found = [at for at in replies if at is not None]
    return tuple(at for at in found if talk.turns[at].text.strip() and not talk.turns[at].calls)


def _begins(talk: Talk) -> tuple[int, ...]:
    if talk.parts is not None:
        return talk.parts
    return tuple(task.turn for task in talk.dialogue.tasks if task.turn is not None)


def _reply_lines(rubric: Rubric, talk: Talk, at: int) -> list[str]:
    """Return the material for a turn that answers a task: the gold trajectory of earlier tasks, as the model saw it."""
    begins = _begins(talk)
    place = max(place for place, begin in enumerate(begins) if begin <= at)
    task = talk.dialogue.tasks[place]
    turns = (*talk.dialogue.turns[: task.turn], *talk.turns[begins[place] : at + 1])
    alone = msgspec.structs.replace(talk.dialogue, tasks=(task,))
    head = list(_head(rubric, msgspec.structs.replace(talk, dialogue=alone)))
    if task.missing:
        head.append({"missing": list(task.missing)})
    return [_line(fields) for fields in (*head, *_spoken(talk.dialogue, turns))]


def _lines(rubric: Rubric, talk: Talk) -> tuple[list[str], list[str]]:
    spoken = _spoken(talk.dialogue, talk.turns)
    return [_line(fields) for fields in _head(rubric, talk)], [_line(fields) for fields in spoken]


def _head(rubric: Rubric, talk: Talk) -> Iterator[dict[str, Json]]:
    if talk.dialogue.today:
        yield {"date": talk.dialogue.today}
    for note in rubric.notes:
        yield {note: _cut(_note(talk.dialogue, note))}
    shown = [(one.name, talk.tools[one.key]) for one in talk.dialogue.tools if one.key in talk.tools]
    gold = _gold_names(talk.dialogue)
    if "tools" in rubric.needs:
        for name, tool in shown:
            yield {"candidate_tool": name, "description": _cut(tool.description)}
    if "gold" in rubric.needs:
        for name, tool in shown:
            if name in gold:
                parameters = _readable(tool.parameters)
                yield {"gold_tool": name, "description": _cut(tool.description), "parameters": parameters}
        for task in talk.dialogue.tasks:
            if task.goal:
                yield {"goal": _cut(task.goal)}
    if talk.turns == talk.dialogue.turns:
        for remark in getattr(talk.dialogue.annotation, "remarks", ()):
            yield {"remark_of_rules_that_may_err": _cut(remark)}
    if "persona" in rubric.needs:
        for who in talk.dialogue.participants:
            if who.persona:
                yield {"person": _called(talk.dialogue, who.id), "persona": _cut(who.persona)}


def _note(dialogue: Dialogue, field: str) -> str:
    """What the annotation has in a field; empty if it has no such field."""
    fields = getattr(dialogue.annotation, "__struct_fields__", ())
    return str(getattr(dialogue.annotation, field)) if field in fields else ""


def _gold_names(dialogue: Dialogue) -> frozenset[str]:
    golds = {gold.tool for task in dialogue.tasks for gold in task.gold}
    return frozenset(golds & {one.name for one in dialogue.tools})


def _spoken(dialogue: Dialogue, turns: Sequence[Turn]) -> Iterator[dict[str, Json]]:
    for at, turn in enumerate(turns):
        role = dialogue.role(turn)
        called = _called(dialogue, turn.speaker)
        speaker = called if role in ("", called) else f"{called} ({role})"
        steps = [step for step in map(_step, turn.steps) if step]
        said, done = {"says": _cut(turn.text)}, {"does": steps} if steps else {}
        is_report = any(step.results for step in turn.steps)  # then the text follows the steps
        yield {"turn": at, "speaker": speaker} | (done | said if is_report else said | done)


def _called(dialogue: Dialogue, id_: str) -> str:
    """What a participant is called: by its name, or by its id where it has none, or another is called so."""
    name = next((who.name for who in dialogue.participants if who.id == id_), "")
    is_one = sum(name in (who.name, who.id) for who in dialogue.participants) == 1
    return name if name and is_one else id_


def _step(step: Step) -> dict[str, Json]:
    fields: dict[str, Json] = {}
    if step.text:
        fields["says"] = _cut(step.text)
    if step.calls:
        fields["calls"] = [{"tool": call.tool, "arguments": _readable(call.arguments)} for call in step.calls]
    if step.results:
        fields["results"] = [_result(result) for result in step.results]
    return fields


def _result(result: Result) -> dict[str, Json]:
    if result.error is not None:
        return {"error": _cut(result.error, _LONGEST_RESULT)}
    return {"value": None if result.value is None else _readable(result.value)}


def _readable(text: JsonText) -> Json:
    """Return JSON as JSON; as text if it is too long or not JSON."""
    if len(text) > _LONGEST_RESULT:
        return _cut(text, _LONGEST_RESULT)
    try:
        return decode(text)
    except BadDocument:
        return text


def _cut(text: str, most: int = _LONGEST_TEXT) -> str:
    return text if len(text) <= most else f"{text[:most]} … (cut: {len(text):,} characters)"


def _line(fields: Mapping[str, Json]) -> str:
    """One JSON object on one line, without any `<` or `>`."""
    try:
        line = msgspec.json.encode(fields)
    except UnicodeEncodeError:
        line = msgspec.json.encode(whole(fields))
    return line.decode().translate(_ESCAPES)

"""The two released layouts of dialogues, as turns: `{split}.json` and the text of `{split}_dialogue.json`.

    {"source", "target", "dialogue": [{"User": {"action", "message"}},
                                      {"System": {"thought", "action", "retriever_status", "message",
                                                  "dialogue_state", "api_response"}}]}      one entry a step
    {"dialogue": TEXT, "action_list": [act]}

A line of the text is `User: WORDS`, `System:`, or a labelled one of the assistant, such as `- Thought: ...`; the labels
in `_LITERALS` hold Python literals. Any other line goes on with the line before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal

import msgspec

from callwright.errors import BadDocument
from callwright.lang.labelled_lines import labelled_lines
from callwright.lang.literal_reading import read_literal
from callwright.papers.tooldial.act_grammar import SYSTEM_ACTS, USER_ACTS
from callwright.papers.tooldial.state_layout import read_retriever, read_state
from callwright.records.annotations.tooldial_notes import RetrieverStatus
from callwright.records.dialogue_state import ApiState
from callwright.records.jsontext import Json

_STATE: Final = "Dialogue State"
_LITERALS: Final = (_STATE, "Retriever status", "API documentations", "API documentation", "Call result")
_WORDS: Final = ("Thought", "Action", "Message")
_LABELS: Final = {f"- {label}": label for label in (*_LITERALS, *_WORDS)} | {"User": "User", "System": "System"}


class ReleasedStep(msgspec.Struct, kw_only=True):
    """One step of the assistant."""

    where: str
    act: str = ""
    thought: str = ""
    message: str = ""
    retriever: RetrieverStatus = RetrieverStatus()
    documents: list[dict[str, Json]] = []
    state: ApiState | None = None
    result: Json | msgspec.UnsetType = msgspec.UNSET


class ReleasedTurn(msgspec.Struct, kw_only=True):
    """One turn: the user's act and words, or the assistant's steps."""

    role: Literal["user", "assistant"]
    where: str
    act: str = ""
    text: str = ""
    head: ApiState | None = None
    """State before the first step of the assistant."""
    state: ApiState | None = None
    """State after the turn of the assistant."""
    steps: list[ReleasedStep] = []


def released_turns(record: Json, *, where: str) -> list[ReleasedTurn]:
    """Return the turns of one dialogue in either layout. Raises BadDocument, naming dialogue and place."""
    if isinstance(record, dict):
        told = record.get("dialogue")
        if isinstance(told, list):
            return _joined(list(_entries(told, where)))
        if isinstance(told, str):
            return _with_acts(_joined(list(_blocks(told, where))), record.get("action_list"), where)
    raise BadDocument(f"{where}: give an object whose `dialogue` is a list of turns or a text.")


def _joined(turns: Iterable[ReleasedTurn]) -> list[ReleasedTurn]:
    """Join the steps of one turn of the assistant."""
    found: list[ReleasedTurn] = []
    for turn in turns:
        if turn.role == "assistant" and found and found[-1].role == "assistant":
            found[-1].steps += turn.steps
            found[-1].state = turn.state or found[-1].state
        else:
            found.append(turn)
    return found


# -- {split}.json ------------------------------------------------------------------------------------------------------


def _entries(entries: list[Json], where: str) -> Iterator[ReleasedTurn]:
    for number, entry in enumerate(entries, 1):
        place = f"{where}, turn {number}"
        if not isinstance(entry, dict) or len(entry) != 1 or not isinstance(next(iter(entry.values())), dict):
            raise BadDocument(f'{place}: give {{"User": ...}} or {{"System": ...}}.')
        (speaker, fields), *_ = entry.items()
        if speaker == "User":
            act = _act(fields.get("action"), USER_ACTS, place)
            yield ReleasedTurn(role="user", where=place, act=act, text=_text(fields, "message", place))
        elif speaker == "System":
            step = _entry_step(fields, place)
            yield ReleasedTurn(role="assistant", where=place, head=step.state, state=step.state, steps=[step])
        else:
            raise BadDocument(f"{place}: {speaker!r:.40} speaks; it is User or System.")


def _entry_step(fields: Mapping[str, Json], where: str) -> ReleasedStep:
    result = fields.get("api_response")
    said = fields if fields.get("message") else result if isinstance(result, dict) else {}
    return ReleasedStep(
        where=where,
        act=_act(fields.get("action"), SYSTEM_ACTS, where),
        thought=_text(fields, "thought", where),
        message=_text(said, "message", where),
        retriever=read_retriever(fields.get("retriever_status"), where=where),
        state=read_state(fields.get("dialogue_state"), where=where),
        result=result or msgspec.UNSET,
    )


def _text(fields: Mapping[str, Json], name: str, where: str) -> str:
    value = fields.get(name) or ""
    if not isinstance(value, str):
        raise BadDocument(f"{where}: {name} is no text.")
    return value


def _act(name: Json, known: tuple[str, ...], where: str) -> str:
    """Return an act by its name, which may have spaces for `_` and capitals."""
    act = "_".join(name.lower().split()) if isinstance(name, str) else ""
    if act not in known:
        raise BadDocument(f"{where}: {name!r:.40} is none of the acts {', '.join(known)}.")
    return act


# -- {split}_dialogue.json ---------------------------------------------------------------------------------------------


def _blocks(text: str, where: str) -> Iterator[ReleasedTurn]:
    number = 0
    turn: ReleasedTurn | None = None
    for label, said in labelled_lines(text, _LABELS, where=where):
        if label in ("User", "System"):
            if turn is not None:
                yield turn
            number += 1
            place = f"{where}, turn {number}"
            turn = ReleasedTurn(role="user" if label == "User" else "assistant", where=place, text=said, steps=[])
        elif turn is None or turn.role == "user":
            raise BadDocument(f"{where}, turn {number}: the line `{label}` is in no turn of the system.")
        else:
            _take_line(turn, label, said)
    if turn is not None:
        yield turn


def _take_line(turn: ReleasedTurn, label: str, said: str) -> None:
    if label == "Thought" or (label == "Action" and (not turn.steps or turn.steps[-1].act)):
        turn.steps.append(ReleasedStep(where=turn.where, documents=[]))
    if label == _STATE:
        state = read_state(read_literal(said, where=f"{turn.where}, {label}"), where=turn.where)
        if turn.steps:
            turn.state = state
        else:
            turn.head = state
        return
    if not turn.steps:
        raise BadDocument(f"{turn.where}: the line `{label}` stands before the first thought or action.")
    step = turn.steps[-1]
    if label == "Thought":
        step.thought = said
    elif label == "Action":
        step.act = _act(said, SYSTEM_ACTS, turn.where)
    elif label == "Message":
        step.message = said
    else:
        _take_literal(step, label, said)


def _take_literal(step: ReleasedStep, label: str, said: str) -> None:
    value = read_literal(said, where=f"{step.where}, {label}")
    if label == "Retriever status":
        step.retriever = read_retriever(value, where=step.where)
    elif label == "Call result":
        step.result = value
    elif isinstance(value, dict):
        step.documents.append(value)
    else:
        raise BadDocument(f"{step.where}, {label}: give an object.")


def _with_acts(turns: list[ReleasedTurn], listed: Json, where: str) -> list[ReleasedTurn]:
    """Give the users' turns their acts, which only the list has. Raises BadDocument where list and text differ."""
    acts = listed if isinstance(listed, list) else []
    given = iter(acts)
    for turn in turns:
        place = f"{turn.where}, action_list"
        if turn.role == "user":
            turn.act = _act(next(given, None), USER_ACTS, place)
        for step in turn.steps:
            told = _act(next(given, None), SYSTEM_ACTS, place)
            if told != step.act:
                raise BadDocument(
                    f"{turn.where}: the text has {step.act!r}, action_list has {told!r}. Make them equal."
                )
    if more := len([*given]):
        raise BadDocument(f"{where}: action_list has {len(acts)} acts, the text {len(acts) - more}. Make them equal.")
    return turns

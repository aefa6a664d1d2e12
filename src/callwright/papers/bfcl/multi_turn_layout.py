"""Multi-turn questions of BFCL: user turns, each with its gold calls in Python syntax.

A question is a line `{"id", "question": [[message, ...], ...], "initial_config", "path", "involved_classes"}`, often
with `excluded_function`; its answer `{"id", "ground_truth": [["cd(folder='x')", ...], ...]}` has call expressions for
each turn, none if the model must ask. They are parsed and never run: executing the classes is out of scope.
The functions are documented apart, one file a class (`multi_turn_func_doc`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Final, TypeVar

import msgspec

from callwright import __version__
from callwright.errors import BadDocument
from callwright.formats.described import Described, collect
from callwright.formats.functions import described
from callwright.formats.names import unique_names
from callwright.lang.calls import read_calls
from callwright.papers.bfcl.call_errors import documented_parameters, named_arguments
from callwright.papers.bfcl.question_dialogues import AUTHOR, participants_of
from callwright.papers.bfcl.question_layout import check_same_ids
from callwright.records.annotations.bfcl_notes import BfclNotes
from callwright.records.dialogue import Dialogue, GoldCall, Provenance, ShownTool, Task, Turn, gold_arguments
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Catalog, Tool

RECIPE: Final = "bfcl-multi-turn.v1"

CLASS_FILES: Final = {
    "GorillaFileSystem": "gorilla_file_system.json",
    "MathAPI": "math_api.json",
    "MessageAPI": "message_api.json",
    "TicketAPI": "ticket_api.json",
    "TradingBot": "trading_bot.json",
    "TravelAPI": "travel_booking.json",
    "TwitterAPI": "posting_api.json",
    "VehicleControlAPI": "vehicle_control.json",
}
"""Class to the file of its functions' documents, in `multi_turn_func_doc`."""

Functions = Mapping[str, Sequence[Json]]
"""Class to the documents of its functions."""


class _Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: str
    content: str


class _Question(msgspec.Struct, frozen=True):
    """The fields of a question that are read; others are kept as they are."""

    id: str
    question: tuple[tuple[_Message, ...], ...]
    initial_config: dict[str, Json]
    involved_classes: tuple[str, ...]
    path: tuple[str, ...]
    excluded_function: tuple[str, ...] = ()


class _Answer(msgspec.Struct, frozen=True):
    id: str
    ground_truth: tuple[tuple[str, ...], ...]


_Line = TypeVar("_Line", _Question, _Answer)


class _Offer(msgspec.Struct, frozen=True):
    document: dict[str, Json]
    tool: Tool
    name: str


def is_multi_turn(line: Json) -> bool:
    """Return whether a line is a multi-turn question, regardless of its file's name."""
    return isinstance(line, dict) and "initial_config" in line and "involved_classes" in line


def read_tools(functions: Functions, *, source: str) -> Catalog:
    """Return the functions of all classes as tools; `domain` is the class. Raises BadDocument where none is usable."""
    entries = (
        (involved, described(document, f"{involved}, entry {number}"))
        for involved, documents in functions.items()
        for number, document in enumerate(documents, 1)
    )
    return collect(
        (
            msgspec.structs.replace(entry, domain=involved) if isinstance(entry, Described) else entry
            for involved, entry in entries
        ),
        source=source,
    )


def to_dialogues(
    questions: Sequence[Json], answers: Sequence[Json] | None, functions: Functions, catalog: Catalog, *, category: str
) -> tuple[Dialogue, ...]:
    """Return a dialogue for each question; without answers, no tasks. Raises BadDocument, naming the question."""
    asked = _by_id(questions, _Question)
    truths = None if answers is None else _by_id(answers, _Answer)
    if truths is not None:
        check_same_ids(asked.keys(), truths.keys())
    tools = {tool.raw: tool for tool in catalog.tools if tool.raw is not None}
    offers = {
        involved: [(one, tools[text]) for one in documents if (text := encode(one)) in tools]
        for involved, documents in functions.items()
    }
    return tuple(
        _dialogue(one, line, () if truths is None else truths[one.id][0].ground_truth, offers, catalog.digest, category)
        for one, line in asked.values()
    )


def _by_id(lines: Sequence[Json], layout: type[_Line]) -> dict[str, tuple[_Line, Json]]:
    found: dict[str, tuple[_Line, Json]] = {}
    for number, line in enumerate(lines, 1):
        try:
            read = msgspec.convert(line, layout)
        except msgspec.ValidationError as error:
            raise BadDocument(f"entry {number}: no {layout.__name__[1:].lower()} of several turns: {error}.") from error
        if read.id in found:
            raise BadDocument(f"entry {number}: the id {read.id!r:.80} occurs twice. Keep one of the lines.")
        found[read.id] = (read, line)
    return found


def _dialogue(
    question: _Question,
    line: dict[str, Json],
    truth: tuple[tuple[str, ...], ...],
    offers: Mapping[str, Sequence[tuple[dict[str, Json], Tool]]],
    digest: str,
    category: str,
) -> Dialogue:
    asked = question.question
    if truth and len(truth) != len(asked):
        raise BadDocument(f"{question.id}: {len(asked)} turns in the question, {len(truth)} in the answer.")
    turns = tuple(Turn(message.role, message.content) for messages in asked for message in messages)
    offered = _offered(question, offers)
    by_name = {offer.document["name"]: offer for offer in reversed(offered)}
    lengths = tuple(map(len, asked))
    firsts = accumulate(lengths[:-1], initial=0)
    more = {name: value for name, value in line.items() if name not in _Question.__struct_fields__}
    return Dialogue(
        id=question.id,
        recipe=RECIPE,
        participants=participants_of(turns),
        tools=tuple(ShownTool(offer.tool.key, offer.name) for offer in offered),
        turns=turns,
        tasks=tuple(_task(first, calls, by_name, question.id) for first, calls in zip(firsts, truth, strict=False)),
        provenance=Provenance(author=AUTHOR, callwright=__version__, catalog=digest),
        annotation=BfclNotes(
            initial_config=encode(question.initial_config),
            involved_classes=question.involved_classes,
            path=question.path,
            excluded=question.excluded_function,
            ground_truth=truth,
            lengths=() if set(lengths) == {1} else lengths,
            category=category,
            more=encode(more) if more else None,
        ),
    )


def _offered(question: _Question, offers: Mapping[str, Sequence[tuple[dict[str, Json], Tool]]]) -> list[_Offer]:
    """The functions of the question's classes but the excluded ones, in the order of the documents."""
    if missing := [name for name in question.involved_classes if name not in offers]:
        raise BadDocument(f"{question.id}: no functions are given for the class {missing[0]!r:.80}.")
    listed = [one for name in question.involved_classes for one in offers[name]]
    kept = [one for one in listed if one[0]["name"] not in question.excluded_function]
    names = unique_names([tool.name for _, tool in kept])
    return [_Offer(document, tool, name) for (document, tool), name in zip(kept, names, strict=True)]


def _task(first: int, calls: Sequence[str], offers: Mapping[str, _Offer], id_: str) -> Task:
    """Return the task of one user turn. Calls change the services' state, so each needs the one before it."""
    gold = tuple(
        msgspec.structs.replace(_gold(text, offers, id_), after=(at - 1,) if at else ())
        for at, text in enumerate(calls)
    )
    return Task("clarify" if not gold else "multi" if len(gold) > 1 else "single", gold=gold, turn=first)


def _gold(text: str, offers: Mapping[str, _Offer], id_: str) -> GoldCall:
    found = read_calls(text)
    if len(found) != 1 or found[0].tool not in offers:
        raise BadDocument(f"{id_}: {text[:80]!r} is not one call of a function that the question offers.")
    offer = offers[found[0].tool]
    named = named_arguments(found[0], documented_parameters(offer.document)[0])
    if named is None:
        raise BadDocument(f"{id_}: the arguments of {found[0].tool!r:.80} do not fit its document.")
    return GoldCall(offer.name, gold_arguments(named))

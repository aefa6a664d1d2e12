"""The Berkeley Function-Calling Leaderboard: single-turn questions with their answers, and recorded outputs.

A question is a line `{"id", "question": [[message, ...], ...], "function": [document, ...]}`, its answer a line
`{"id", "ground_truth": [{tool: {parameter: [accepted value, ...]}}, ...]}` of another file. Recorded outputs are lines
`{"id", "result"}` (further fields stay unread): a text in Python call syntax, or the list of native function calling.

The category is that of the file's name (`BFCL_v4_live_simple.json`, `BFCL_v3_live_simple_result.json`), never of ids.
"""

from __future__ import annotations

import re
from collections.abc import Set
from pathlib import Path
from typing import Final

import msgspec

from callwright.errors import BadDocument
from callwright.formats.described import as_list
from callwright.lang.calls import WrittenCall, native_calls, read_calls
from callwright.records.dialogue import GoldArgument, GoldCall, Turn
from callwright.records.jsontext import Json, JsonText, encode

IRRELEVANCE: Final = "irrelevance"

_FILE_NAME = re.compile(r"(?:BFCL_v\d+_)?(?P<category>[a-z]+(?:_[a-z]+)*?)(?:_(?:result|score))?")
_SINGLE_TURN: Final = ("simple", "simple_python", "multiple", "parallel", "parallel_multiple", IRRELEVANCE)
SINGLE_TURN: Final = (*_SINGLE_TURN, *(f"live_{name}" for name in _SINGLE_TURN if name != "simple_python"))
_TURNS: Final = ("base", "miss_param", "miss_func", "long_context")
CATEGORIES: Final = (*SINGLE_TURN, *(f"multi_turn_{name}" for name in _TURNS))
_FIELDS: Final = {"id", "question", "function"}
_RENAMED = (re.compile(r"simple_(\d+)"), r"simple_python_\1")  # version 4 renamed the category, and its ids with it


class PublishedQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """One question, with its answer if there is one."""

    id: str
    turns: tuple[Turn, ...]
    """All messages, in order; speakers are roles."""
    documents: tuple[dict[str, Json], ...]
    """The tools as they are documented, in BFCL's types. Do not change them."""
    gold: tuple[GoldCall, ...] = ()
    """The gold calls; none in `irrelevance`."""
    more: JsonText | None = None

    def document(self, tool: str) -> dict[str, Json] | None:
        """Return the document of a tool by its documented name; the first if several have it."""
        return next((one for one in self.documents if one.get("name") == tool), None)


class Recorded(msgspec.Struct, frozen=True):
    """One recorded output, as it is."""

    id: str
    """As recorded: version 3 says `simple_7` for `simple_python_7`."""
    result: Json


def category_of(name: str) -> str:
    """Return the category that a file's name (or a user) gives; empty when it gives none that is single-turn Python.

    >>> category_of("data/BFCL_v4_live_parallel_multiple.json"), category_of("out/BFCL_v3_simple_result.json")
    ('live_parallel_multiple', 'simple')
    >>> category_of("results.json"), category_of("BFCL_v4_multi_turn_base.json")
    ('', '')
    """
    found = known_category(name)
    return found if found in SINGLE_TURN else ""


def known_category(name: str) -> str:
    """Return the category that a file's name (or a user) gives, of single or several turns; empty when it gives none.

    >>> known_category("BFCL_v4_multi_turn_base.json"), known_category("BFCL_v4_simple_java.json")
    ('multi_turn_base', '')
    """
    found = _FILE_NAME.fullmatch(Path(name).stem)
    return found["category"] if found and found["category"] in CATEGORIES else ""


def read(questions: Json, answers: Json = None, *, source: str) -> tuple[PublishedQuestion, ...]:
    """Return the questions in their order, each with its answer; `answers` is None if no call is right.

    Raises BadDocument, which names the place.
    """
    truths = None if answers is None else _by_id(answers, f"{source}, answers", "ground_truth")
    asked = _by_id(questions, source, "question")
    if truths is not None:
        check_same_ids(asked.keys(), truths.keys(), where=f"{source}: ")
    return tuple(_question(line, None if truths is None else truths[id_], id_) for id_, line in asked.items())


def read_results(document: Json, *, source: str, known: tuple[PublishedQuestion, ...]) -> dict[str, Recorded]:
    """Return recorded outputs by the id of their question, of version 3 or 4. Raises BadDocument."""
    ids = {question.id for question in known}
    results: dict[str, Recorded] = {}
    for id_, line in _by_id(document, source, "result").items():
        name = id_ if id_ in ids else _RENAMED[0].sub(_RENAMED[1], id_)
        if name not in ids:
            raise BadDocument(f"{source}: no question has the id {id_!r:.80}. Give the questions of these results.")
        if name in results:
            raise BadDocument(f"{source}: {name!r:.80} is answered twice. Keep one of the lines.")
        results[name] = Recorded(id_, line["result"])
    return results


def decode_result(result: Json) -> tuple[WrittenCall, ...] | None:
    """Return the calls of a recorded output, whichever layout it has; None when it cannot be decoded."""
    try:
        return read_calls(result) if isinstance(result, str) else native_calls(result)
    except BadDocument:
        return None


def check_same_ids(asked: Set[str], answered: Set[str], *, where: str = "") -> None:
    """Raise BadDocument where an id occurs only in the questions or only in the answers."""
    if strange := sorted(asked ^ answered):
        raise BadDocument(
            f"{where}{len(strange):,} ids occur only in the questions or only in the answers, the first "
            f"{strange[0]!r:.80}. Give the two files of one category."
        )


def _by_id(document: Json, source: str, field: str) -> dict[str, dict[str, Json]]:
    found: dict[str, dict[str, Json]] = {}
    for number, line in enumerate(as_list(document), 1):
        id_ = line.get("id") if isinstance(line, dict) else None
        if not isinstance(id_, str) or not id_.isprintable() or field not in line:
            raise BadDocument(f"{source}: entry {number}: expected an object with `id` (a text) and `{field}`.")
        if id_ in found:
            raise BadDocument(f"{source}: entry {number}: the id {id_!r:.80} occurs twice. Keep one of the lines.")
        found[id_] = line
    return found


def _question(line: dict[str, Json], answer: dict[str, Json] | None, id_: str) -> PublishedQuestion:
    documents = line.get("function")
    if isinstance(documents, dict):
        documents = [documents]
    if not isinstance(documents, list) or not all(isinstance(one, dict) for one in documents):
        raise BadDocument(f"{id_}: `function` is not a list of tool documents. Multi-turn questions are not read here.")
    more = {name: value for name, value in line.items() if name not in _FIELDS}
    question = PublishedQuestion(
        id=id_, turns=_turns(line["question"], id_), documents=tuple(documents), more=encode(more) if more else None
    )
    if answer is None:
        return question
    gold = read_gold(answer["ground_truth"], id_)
    for call in gold:
        if question.document(call.tool) is None:
            raise BadDocument(f"{id_}: the answer calls {call.tool!r:.80}, which is not documented.")
    return msgspec.structs.replace(question, gold=gold)


def _turns(turns: Json, id_: str) -> tuple[Turn, ...]:
    try:
        return tuple(Turn(str(message["role"]), str(message["content"])) for turn in turns for message in turn)
    except (TypeError, KeyError) as error:
        raise BadDocument(f"{id_}: `question` is not a list of turns of messages with `role` and `content`.") from error


def read_gold(truth: Json, id_: str) -> tuple[GoldCall, ...]:
    """Return the calls of a `ground_truth`, with accepted values. Raises BadDocument, naming the question `id_`."""
    if not isinstance(truth, list) or not truth:
        raise BadDocument(f"{id_}: `ground_truth` is not a list of calls.")
    return tuple(_gold_call(call, id_) for call in truth)


def _gold_call(call: Json, id_: str) -> GoldCall:
    entry = next(iter(call.items())) if isinstance(call, dict) and len(call) == 1 else None
    if entry is None or not isinstance(entry[1], dict) or not all(isinstance(one, list) for one in entry[1].values()):
        raise BadDocument(f"{id_}: a call of `ground_truth` does not have the form {{tool: {{parameter: [values]}}}}.")
    tool, parameters = entry
    arguments = (
        GoldArgument(name, tuple(encode(value) for value in accepted), optional="" in accepted)
        for name, accepted in parameters.items()
    )
    return GoldCall(tool, tuple(arguments))

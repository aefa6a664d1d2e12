"""Single-turn questions of BFCL as dialogues that await one reply.

A dialogue shows the question's tools under names that every server takes (dots become underscores). Its task holds the
gold calls in plain values: `""` among the accepted values makes an argument optional, and lists of choices inside
dictionaries are spelt out, `MAX_CHOICES` at most. The answer as published, which official verdicts need, is kept in
the annotation, and the documents as published are the tools' `raw`; nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, product
from typing import Final

from callwright import __version__
from callwright.errors import BadDocument
from callwright.formats.names import unique_names, valid_name
from callwright.papers.bfcl.call_errors import documented_parameters, listed
from callwright.papers.bfcl.question_layout import PublishedQuestion, read_gold
from callwright.records.annotations.bfcl_notes import BfclQuestion
from callwright.records.dialogue import Dialogue, GoldArgument, GoldCall, Participant, Provenance, ShownTool, Task, Turn
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.tool import Catalog, Tool

RECIPE: Final = "bfcl.v1"
AUTHOR: Final = "bfcl"

MAX_CHOICES: Final = 64


def to_dialogues(
    questions: Sequence[PublishedQuestion], catalog: Catalog, *, category: str, has_answers: bool
) -> tuple[Dialogue, ...]:
    """Return a dialogue for each question; without answers, no tasks. Raises BadDocument for an unknown tool."""
    by_document = {tool.raw: tool for tool in catalog.tools if tool.raw is not None}
    return tuple(_dialogue(question, by_document, catalog.digest, category, has_answers) for question in questions)


def document_of(tool: Tool) -> dict[str, Json]:
    """Return a tool's document as published, or rebuilt if it was not read from BFCL."""
    document = decode(tool.raw) if tool.raw is not None else None
    if isinstance(document, dict):
        return document
    return {"name": tool.name, "description": tool.description, "parameters": tool.schema}


def published_gold(notes: BfclQuestion, id_: str) -> tuple[GoldCall, ...]:
    """Return the gold calls as published: documented names, `""` and choices among the accepted values."""
    return () if notes.ground_truth is None else read_gold(decode(notes.ground_truth), id_)


def participants_of(turns: Sequence[Turn]) -> tuple[Participant, ...]:
    """Return a participant for each speaking role, and the assistant."""
    roles = dict.fromkeys((*(turn.speaker for turn in turns), "user", "assistant"))
    return tuple(Participant(role, role) for role in roles)


def _dialogue(
    question: PublishedQuestion, by_document: Mapping[JsonText, Tool], digest: str, category: str, has_answers: bool
) -> Dialogue:
    tools = [by_document.get(encode(document)) for document in question.documents]
    if None in tools:
        name = question.documents[tools.index(None)].get("name")
        raise BadDocument(f"{question.id}: the document of {name!r:.80} cannot be used. Remove the question.")
    found = [tool for tool in tools if tool is not None]
    names = unique_names([valid_name(str(document.get("name"))) for document in question.documents])
    return Dialogue(
        id=question.id,
        recipe=RECIPE,
        participants=participants_of(question.turns),
        tools=tuple(ShownTool(tool.key, name) for tool, name in zip(found, names, strict=True)),
        turns=question.turns,
        tasks=(_task(question, names),) if has_answers and question.turns else (),
        provenance=Provenance(author=AUTHOR, callwright=__version__, catalog=digest),
        annotation=BfclQuestion(
            category=category, ground_truth=encode(_truth(question.gold)) if question.gold else None, more=question.more
        ),
    )


def _task(question: PublishedQuestion, names: Sequence[str]) -> Task:
    asked = max((at for at, turn in enumerate(question.turns) if turn.speaker == "user"), default=0)
    shown = [document.get("name") for document in question.documents]
    gold = tuple(
        _plain_call(call, question.document(call.tool) or {}, names[shown.index(call.tool)]) for call in question.gold
    )
    return Task("chat" if not gold else "multi" if len(gold) > 1 else "single", gold=gold, turn=asked)


def _truth(gold: Sequence[GoldCall]) -> Json:
    return [
        {call.tool: {argument.name: [decode(one) for one in argument.accepted] for argument in call.arguments}}
        for call in gold
    ]


def _plain_call(call: GoldCall, document: dict[str, Json], name: str) -> GoldCall:
    """Return the gold call in plain values. Undocumented arguments of the answer are left out."""
    properties, required = documented_parameters(document)
    arguments = (
        _plain_argument(argument, is_required=argument.name in required)
        for argument in call.arguments
        if argument.name in properties
    )
    return GoldCall(name, tuple(arguments))


def _plain_argument(argument: GoldArgument, *, is_required: bool) -> GoldArgument:
    accepted = [decode(one) for one in argument.accepted]
    values = list(dict.fromkeys(encode(value) for one in accepted if one != "" for value in plain_values(one)))
    if not values and accepted and is_required:
        values = [encode("")]
    return GoldArgument(argument.name, tuple(values), optional=argument.optional and not is_required)


def plain_values(accepted: Json) -> Iterator[Json]:
    """Yield the plain values of an accepted value, at most `MAX_CHOICES`; the first has every optional key.

    >>> list(plain_values([{"a": [1, 2], "b": ["", "x"]}]))
    [[{'a': 1, 'b': 'x'}], [{'a': 1}], [{'a': 2, 'b': 'x'}], [{'a': 2}]]
    """
    if isinstance(accepted, dict):
        entries = [[*_entries(key, choices)] for key, choices in accepted.items()]
        yield from (dict(chain.from_iterable(chosen)) for chosen in islice(product(*entries), MAX_CHOICES))
    elif isinstance(accepted, list):
        yield from map(list, islice(product(*([*plain_values(item)] for item in accepted)), MAX_CHOICES))
    else:
        yield accepted


def _entries(key: str, choices: Json) -> Iterator[tuple[tuple[str, Json], ...]]:
    """The ways to write one key: an entry for each value, and nothing where the key may be left out."""
    accepted = listed(choices)
    yield from (((key, value),) for one in accepted if one != "" for value in plain_values(one))
    if "" in accepted:
        yield ()

"""`callwright read taskmaster`: Taskmaster-1 and -2, `self-dialogs.json` and its like.

`[{"conversation_id", "utterances": [{"speaker", "text", "segments": [{"text", "annotations": [{"name"}]}]}]}]`. A name
is `domain.slot`, with `.accept` or `.reject` in Taskmaster-1. What the user says, and what is accepted, holds from then
on; what is rejected does not. What the assistant only offers holds nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from callwright.errors import BadInput
from callwright.formats import archive
from callwright.papers.fnctod.annotated_turns import Said, SlotLabel, annotated_corpus
from callwright.papers.paper import Corpus, CorpusReader, NoOptions
from callwright.records.jsontext import Json


class _Name(msgspec.Struct):
    name: str


class _Segment(msgspec.Struct):
    text: str
    annotations: tuple[_Name, ...]


class _Utterance(msgspec.Struct):
    speaker: str
    text: str
    segments: tuple[_Segment, ...] = ()


def read(path: Path, options: NoOptions) -> Corpus:
    """Return the dialogues of a file. Raises BadInput, with file, dialogue and turn."""
    del options
    found = archive.load(path)
    if not isinstance(found, list) or not found:
        raise BadInput(f"{path}: expected a list of dialogues. Give a file such as self-dialogs.json of Taskmaster.")
    dialogues: dict[str, list[Said]] = {}
    for at, one in enumerate(found, 1):
        name = one.get("conversation_id") if isinstance(one, dict) else None
        if not isinstance(name, str) or not isinstance(one.get("utterances"), list):
            raise BadInput(f"{path}: dialogue {at}: no `conversation_id` and `utterances`. Give a file of Taskmaster.")
        if name in dialogues:
            raise BadInput(f"{path}: dialogue {at}: {name} is here twice. Remove one of them.")
        where = f"{path}: dialogue {at} ({name})"
        dialogues[name] = [_said(turn, f"{where}, turn {n}") for n, turn in enumerate(one["utterances"])]
    return annotated_corpus(path, "taskmaster", dialogues)


def _said(turn: Json, where: str) -> Said:
    try:
        one = msgspec.convert(turn, _Utterance)
    except msgspec.ValidationError as error:
        raise BadInput(f"{where}: {error}. Give a file of Taskmaster.") from error
    if one.speaker not in ("USER", "ASSISTANT"):
        raise BadInput(f"{where}: {one.speaker!r:.40} speaks. The speakers are USER and ASSISTANT.")
    is_user = one.speaker == "USER"
    return Said(is_user, one.text, tuple(dict.fromkeys(_labels(one, where, is_user=is_user))))


def _labels(one: _Utterance, where: str, *, is_user: bool) -> Iterator[SlotLabel]:
    for segment in one.segments:
        for annotation in segment.annotations:
            domain, dot, slot = annotation.name.partition(".")
            if not dot:
                continue  # a name without a slot is the topic of the whole dialogue
            plain = slot.removesuffix(".accept").removesuffix(".reject")
            if not plain or not domain:
                raise BadInput(f"{where}: {annotation.name!r:.80} is no `domain.slot`. Give a file of Taskmaster.")
            if slot.endswith(".reject"):
                yield SlotLabel(domain, plain.replace(".", "_"), "")
            elif is_user or slot.endswith(".accept"):
                yield SlotLabel(domain, plain.replace(".", "_"), segment.text)


READER: Final = CorpusReader(
    "Read FILE of Taskmaster-1 or -2, such as self-dialogs.json. There is no schema: a domain is a function of the "
    "slots that occur.",
    "FILE",
    NoOptions,
    read,
)

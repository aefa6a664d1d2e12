"""Words that people put right: the text of a turn, with every earlier version, who wrote it and when."""

from __future__ import annotations

from typing import Final

import msgspec

from callwright.app.datasets import Dataset
from callwright.app.reviewing import Marker, dialogue_digests
from callwright.app.reviews import add_line, read_lines
from callwright.errors import BadInput, UnknownName
from callwright.records.codec import to_line
from callwright.records.dialogue import SCHEMA_VERSION
from callwright.store import dataset as folders
from callwright.store.files import write_atomically

_EDITS: Final = "edits.jsonl"
_LONGEST: Final = 4_000


class TurnEdit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One edit of one turn."""

    id: str
    turn: int
    """From 0."""
    before: str
    after: str
    by: str
    at: str
    """When, in UTC (ISO 8601)."""
    digest: str
    """Of the dialogue as it was before."""
    schema_version: int = SCHEMA_VERSION


def edits(data: Dataset) -> tuple[TurnEdit, ...]:
    """Return all edits of a dataset in their order. Raises BadInput, BadRecord with file and line."""
    return read_lines(data.folder, _EDITS, TurnEdit)


def reword(data: Dataset, wanted: str, turn: int, text: str, person: Marker) -> TurnEdit:
    """Give a turn of the dialogue whose id begins with `wanted` other words; return what was kept of it.

    The earlier words are kept first, so that none are lost; marks of the dialogue as it was no longer count. To be
    called under `review_lock`. Raises UnknownName, BadInput.
    """
    found = [one for one in data.dialogues if one.id == wanted] or [
        one for one in data.dialogues if one.id.startswith(wanted)
    ]
    if len(found) != 1:
        raise UnknownName(f"{len(found):,} ids of the dataset begin with {wanted!r:.80}. Give a whole id of it.")
    (dialogue,) = found
    if not 0 <= turn < len(dialogue.turns):
        raise BadInput(f"{dialogue.id}: it has no turn {turn}. Give one from 0 to {len(dialogue.turns) - 1}.")
    if not text.strip() or len(text) > _LONGEST or text == dialogue.turns[turn].text:
        raise BadInput(f"the new words are empty, longer than {_LONGEST:,} characters, or those that stand there.")
    digest = dialogue_digests([dialogue])[dialogue.id]
    edit = TurnEdit(
        id=dialogue.id,
        turn=turn,
        before=dialogue.turns[turn].text,
        after=text,
        by=person.name,
        at=person.at,
        digest=digest,
    )
    add_line(data.folder, _EDITS, edit)
    said = msgspec.structs.replace(dialogue.turns[turn], text=text)
    changed = msgspec.structs.replace(dialogue, turns=(*dialogue.turns[:turn], said, *dialogue.turns[turn + 1 :]))
    lines = (to_line(changed if one is dialogue else one) + b"\n" for one in data.dialogues)
    write_atomically(data.folder / folders.DIALOGUES, lines)
    return edit

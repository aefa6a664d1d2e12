"""Labels of edges, as people give them: whether an output of one tool is a value for an input of another.

One JSON object a line, tools by their names or keys, fields as in `graph.json`:

    {"from": "list_files", "output": "/entries/0/id", "to": "get_file", "input": "file_id", "valid": true}

`by` (who says so) and `why` may stand beside these.
"""

from __future__ import annotations

import msgspec

from callwright.errors import BadRecord
from callwright.records.jsontext import MAX_BYTES


class EdgeLabel(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"source": "from", "target": "to"}
):
    """A person's label of an output and an input."""

    source: str
    output: str
    target: str
    input: str
    valid: bool
    by: str = ""
    why: str = ""

    @property
    def ends(self) -> tuple[str, str, str, str]:
        """Source, output, target and input."""
        return self.source, self.output, self.target, self.input


_decoder = msgspec.json.Decoder(EdgeLabel)


def read(data: bytes, *, source: str) -> tuple[EdgeLabel, ...]:
    """Return the labels of a file; `source` is named in errors. Raises BadRecord, also where two contradict."""
    if len(data) > MAX_BYTES:
        raise BadRecord(f"{source}: over {MAX_BYTES:,} bytes. Split the file.")
    known: dict[tuple[str, str, str, str], EdgeLabel] = {}
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            label = _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadRecord(f"{source}:{number}: {error}. Give the fields as the documentation shows them.") from error
        if known.setdefault(label.ends, label).valid != label.valid:
            raise BadRecord(f"{source}:{number}: contradicts an earlier line. Agree on one label for each pair.")
    if not known:
        raise BadRecord(f"{source}: no labels. Give one JSON object a line.")
    return tuple(known.values())

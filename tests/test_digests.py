"""`tests/long/digests.py`: what the comparison of recorded behaviour tells."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "long"))

# found through the line above
from digests import Digest, compare, digest, is_same, lines, project, read, replaced, write

LINES, DOCUMENT, TEXT = "wild/box/7/ds.jsonl", "wild/box/7/report.json", "wild/box/7/show.txt"
OUTPUTS = {
    LINES: b'{"id":"x","schema_version":1}\n{"id":"y","schema_version":1}\n',
    DOCUMENT: b'[{"value": 0.5, "of": {"schema_version": 1}}]',
    TEXT: b"schema_version",
}


def digests(outputs: dict[str, bytes]) -> dict[str, Digest]:
    """Return the digests of outputs by name."""
    return {name: digest(name, output) for name, output in outputs.items()}


@pytest.mark.parametrize(("name", "old", "new"), [(LINES, b"x", b"z"), (DOCUMENT, b"0.5", b"0.6"), (TEXT, b"v", b"w")])
def test_a_planted_difference_is_told(name: str, old: bytes, new: bytes) -> None:
    """One changed value of one output is a difference under its name alone, with and without the projection."""
    changed = OUTPUTS | {name: OUTPUTS[name].replace(old, new, 1)}
    comparison = compare(digests(OUTPUTS), digests(changed), ["wild/box/7"])

    assert comparison.differs == (name,)
    assert len(comparison.equal) == 2
    assert lines(comparison)[0] == f"differs  {name}"
    assert not is_same(comparison, forgives_form=True)


def test_what_the_projection_leaves_out_is_a_difference_of_form() -> None:
    """Another schema version can be forgiven, in each document and line."""
    changed = {name: output.replace(b"1", b"2") for name, output in OUTPUTS.items()}
    comparison = compare(digests(OUTPUTS), digests(changed), ["wild/box/7"])

    assert (comparison.form, comparison.equal, comparison.differs) == ((LINES, DOCUMENT), (TEXT,), ())
    assert is_same(comparison, forgives_form=True)
    assert not is_same(comparison, forgives_form=False)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"files": {"a.jsonl": "0" * 64}}, {"files": {"a.jsonl": "1" * 64}}),
        ({"config": {"data": "0" * 16}}, {"config": {"data": "1" * 16}}),
        ({"signature": f"acc.v1|data:{'0' * 16}|seed:0"}, {"signature": f"acc.v1|data:{'1' * 16}|seed:0"}),
        (
            {"hiding": "partial", "from_task": 0, "from_call": 1, "path": "/id", "turn": 3},
            {"hiding": "partial", "origin": {"task": 0, "call": 1, "path": "/id", "turn": 3}},
        ),
        (
            {"tasks": [{"kind": "chat"}, {"kind": "chat", "hiding": "partial"}], "annotation": {"tone": "warm"}},
            {"tasks": [{"kind": "chat"}] * 2, "annotation": {"tone": "warm", "hidings": ["", "partial"]}},
        ),
    ],
    ids=["files", "data", "signature", "origin", "hidings"],
)
def test_version_2_of_the_records_is_a_difference_of_form(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Digests of bytes are left out, and the fields of an origin stand where version 1 had them."""
    assert project(before) == project(after)


def test_the_card_of_a_part_may_name_another_digest_of_the_data() -> None:
    """Of a text only the digest of the dataset that was split is left out."""
    card = b"1 dialogue, one part of a dataset (digest `0123456789abcdef`). Digest of the documents: `0123456789abcdef`"
    other, more = card.replace(b"0", b"1", 1), card.replace(b"0", b"1")

    assert digest("README.md", card).projected == digest("README.md", other).projected
    assert digest("README.md", card).projected != digest("README.md", more).projected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"files": {"type": "array"}}, {"files": {"type": "string"}}),
        ({"data": "house"}, {"data": "mouse"}),
        ({"origin": {"type": "string"}}, {"origin": {"type": "array"}}),
        ({"hiding": "partial", "origin": {"task": 0}}, {"hiding": "partial", "origin": {"task": 1}}),
        ({"hiding": "partial", "origin": {"task": 0}}, {"hiding": "partial", "origin": {"task": 0, "speaker": "ann"}}),
    ],
    ids=["files", "data", "parameter", "task", "speaker"],
)
def test_what_only_has_such_a_name_is_compared(before: dict[str, Any], after: dict[str, Any]) -> None:
    """A tool's parameter `files`, `data` or `origin`, and every field of an origin, is no difference of form."""
    assert project(before) != project(after)


def test_names_that_are_missing_new_or_not_run_are_told_apart() -> None:
    """A name is missing only where its chain was run; chain `wild/box/7` is not `wild/box/71`."""
    recorded = digests({"wild/box/7/a.txt": b"", "wild/box/71/a.txt": b""})
    comparison = compare(recorded, digests({"wild/box/7/b.txt": b""}), ["wild/box/7"])

    assert comparison.missing == ("wild/box/7/a.txt",)
    assert comparison.new == ("wild/box/7/b.txt",)
    assert comparison.skipped == ("wild/box/71/a.txt",)
    assert lines(comparison)[-1] == "0 equal, 0 form, 0 differs, 1 missing, 1 new, 1 skipped"
    assert not is_same(comparison, forgives_form=True)


def test_equal_digests_survive_the_file(tmp_path: Path) -> None:
    """What is written is read back, and compares as equal; the file is JSON with a name a line."""
    write(tmp_path / "digests.json", digests(OUTPUTS))

    comparison = compare(read(tmp_path / "digests.json"), digests(OUTPUTS), ["wild/box/7"])
    assert comparison.equal == tuple(sorted(OUTPUTS))
    assert is_same(comparison, forgives_form=False)
    assert len((tmp_path / "digests.json").read_text().splitlines()) == len(OUTPUTS) + 2
    assert list(json.loads((tmp_path / "digests.json").read_text())) == sorted(OUTPUTS)


def test_recording_a_chain_anew_keeps_the_others() -> None:
    """All names of the chain go, also those that it no longer makes; no other chain's does."""
    recorded = digests({"wild/box/7/a.txt": b"", "wild/box/71/a.txt": b""})
    new = digests({"wild/box/7/b.txt": b"new"})

    assert replaced(recorded, "wild/box/7", new) == digests({"wild/box/71/a.txt": b""}) | new

"""Halves of surrogate pairs, which have no UTF-8 form, are replaced when tools are read, and the tool is listed."""

from __future__ import annotations

from pathlib import Path

from callwright.app.catalogs import read_catalog
from callwright.app.synthesis import synthesize
from callwright.formats.described import HALVES

DOCUMENT = r"""[
 {"name": "send_note", "description": "Send a \ud800 note.", "parameters": {"type": "object", "properties":
   {"no\udc00te": {"type": "string", "description": "The \udfff note.", "enum": ["a\ud800", ["x"], {"a": 1}]}}}},
 {"name": "send_mail", "description": "Send a mail.", "parameters": {"type": "object", "properties": {}}}
]"""


def test_they_are_replaced_and_listed(tmp_path: Path) -> None:
    """In names, descriptions and choices; a tool without them is not listed."""
    (tmp_path / "tools.json").write_text(DOCUMENT)

    catalog = read_catalog(tmp_path / "tools.json")

    note, mail = catalog.tools
    assert note.description == "Send a \ufffd note."
    assert list(note.properties) == ["no\ufffdte"]
    assert [one.tool for one in catalog.altered if HALVES in one.what] == [note.name]
    assert mail.description == "Send a mail."


def test_dialogues_are_made_over_them(tmp_path: Path) -> None:
    """No dialogue fails for what was replaced, nor for choices of several types."""
    (tmp_path / "tools.json").write_text(DOCUMENT)

    made = synthesize("diaforge", read_catalog(tmp_path / "tools.json"), n=4, seed=1, out=tmp_path / "ds")

    assert not made.failed

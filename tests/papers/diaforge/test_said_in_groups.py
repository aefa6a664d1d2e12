"""Identifiers and lists in groups."""

from __future__ import annotations

import pytest

from callwright.author.briefs import known_values
from callwright.papers.diaforge.said_in_groups import as_written
from callwright.records.tool import Tool

TOOL = Tool(name="pay", parameters='{"type": "object", "properties": {"account": {"type": "string"}}}')


@pytest.mark.parametrize(
    ("value", "text", "written"),
    [
        ("NL91ABNA0417164300", "To NL91 ABNA 0417 1643 00, please.", "To NL91ABNA0417164300, please."),
        ("NL91ABNA0417164300", "nl91-abna-0417-1643-00", "NL91ABNA0417164300"),
        ("4411,8822", "The accounts are 8822 and 4411.", "The accounts are 4411,8822."),
        ("4411,8822,9933", "4411, 8822, and 9933", "4411,8822,9933"),
        ("4411,8822", "4411 and 8823", "4411 and 8823"),
        ("PO-25340", "PO-25 341", "PO-25 341"),
        ("open", "o p e n", "o p e n"),
    ],
)
def test_a_value_in_groups_is_put_as_it_is_written(value: str, text: str, written: str) -> None:
    """In any order of a list, and only where all of it is said."""
    assert as_written(text, known_values(TOOL, {"account": value})) == written

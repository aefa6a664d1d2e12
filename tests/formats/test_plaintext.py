"""Descriptions without markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.formats.plaintext import describe, plain, shorten


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("See [the docs](https://x.org/a) or [that][1].\n\n[1]: https://x.org", "See the docs or that."),
        ("A **bold\nword**, _this_ and `my_snake_case_id`.", "A bold word, this and my_snake_case_id."),
        ("URL `https://*.a.com/*` and *stars*", "URL https://*.a.com/* and stars"),
        ("# Usage\nCall it.", "Usage. Call it."),
        ("First\nline.\n\nSecond", "First line. Second"),
        ("One of\n\n* red\n* green", "One of: red; green"),
        ("<p>Bold <b>move</b><br/>next</p>", "Bold move. next"),
        ("use <your-id> &amp; wait", "use <your-id> & wait"),
        ("Code:\n```json\n{}\n```\ndone", "Code: done"),
        ("snake_case and other_case", "snake_case and other_case"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("![logo](x.png) text", "logo text"),
    ],
)
def test_markup_goes(text: str, clean: str) -> None:
    """Markdown and HTML go; words, code and placeholders stay."""
    assert plain(text) == clean


@given(st.text(alphabet="ab *_`[]()<>#-\n!|~&;.", max_size=300))
def test_any_text_gives_one_line(text: str) -> None:
    """Whatever is given, the result is one line without outer space."""
    assert plain(text) == " ".join(plain(text).split())


@pytest.mark.parametrize("unit", ["[", "*", "`", "<b ", "**a", "_a ", "[a](", "<!--", "```\n", "- "])
def test_hostile_text_is_bounded(unit: str) -> None:
    """Long runs of opening marks neither crash nor hang."""
    assert len(plain(unit * 200_000)) <= 40_000


@pytest.mark.parametrize(
    ("summary", "description", "joined"),
    [
        ("Update file", "Updates a file.", "Update file. Updates a file."),
        ("List users.", "List users. All of them.", "List users. All of them."),
        ("List users", "", "List users"),
        ("", "Lists users.", "Lists users."),
        ("Same", "Same.", "Same."),
        ("Get the whole board", "Get", "Get the whole board"),
    ],
)
def test_summary_comes_first(summary: str, description: str, joined: str) -> None:
    """The purpose is the first sentence, and nothing is said twice."""
    assert describe(summary, description) == joined


def test_shorten_keeps_sentences() -> None:
    """A long text ends with a whole sentence, or else a whole word."""
    assert shorten("One two. Three four five.", 20) == "One two."
    assert shorten("word " * 10, 22) == "word word word word…"
    assert shorten("short", 20) == "short"

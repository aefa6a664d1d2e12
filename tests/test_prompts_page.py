"""The page of prompts shows what is sent."""

from __future__ import annotations

from prompts_page import PAGE, page


def test_the_page_holds_what_the_roles_are_sent() -> None:
    """Word by word; `python tests/prompts_page.py` writes it anew after a change."""
    assert PAGE.read_text(encoding="utf-8") == page(), "run: PYTHONPATH=src:tests python tests/prompts_page.py"
    assert page().count("### ") == 18

"""Templates are known by their text."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from callwright.train.chat_template import ChatTemplate, read_template
from callwright.train.template_origin import origin_of


@pytest.mark.parametrize(("name", "kind"), [("gemma4_v3", "original"), ("qwen2_5_training", "training twin")])
def test_templates_of_trl_are_known_by_their_text(tmp_path: Path, name: str, kind: str) -> None:
    """A revision has its own name, also as a file of the user; with a comment at its end it is another template."""
    source = read_template(name).source
    (tmp_path / "mine.jinja").write_text(source, encoding="utf-8")
    found = origin_of(read_template(str(tmp_path / "mine.jinja")))
    assert (found.kind, found.name, found.trl) == (kind, name, "1.16.0")
    assert str(found).startswith(f"{name} of trl 1.16.0")
    edited = origin_of(ChatTemplate("mine", source + "{# mine #}"))
    assert (edited.kind, edited.name, edited.trl) == ("unknown", "", "1.16.0")
    assert "edited" in str(edited)
    assert edited.sha256 == sha256((source + "{# mine #}").encode()).hexdigest() != found.sha256

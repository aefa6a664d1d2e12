"""Prompt files take neither memory nor time without measure: what could is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from callwright.author.prompt_language import template_of
from callwright.author.prompts import Prompts, prompt_names, render_messages
from callwright.errors import BadDocument

REFUSED = (
    "{{ " + "(" * 5_000 + "1" + ")" * 5_000 + " }}",
    "{% if x %}" * 5_000 + "{% endif %}" * 5_000,
    "{{ 'a' * 10**10 }}",
    "{{ 9**9**9 }}",
    "{% for a in range(10**9) %}x{% endfor %}",
    "{% set x = 'a' ~ 'b' %}",
    "{{ '%1000000000d' % 1 }}",
    "{{ 'a'.ljust(10000000000) }}",
    "{{ 'a' | center(10000000000) }}",
    "{{ lipsum(n=1000000) }}",
    "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}",
    "{% include '/etc/passwd' %}",
    "{% for a in x recursive %}{{ loop(x) }}{% endfor %}",
    "".join(f"{{% for {name} in x %}}" for name in "abcd") + "{% endfor %}" * 4,
)


@pytest.mark.parametrize("source", REFUSED)
def test_what_grows_is_refused(tmp_path: Path, source: str) -> None:
    """The error names the file; nothing is rendered."""
    (tmp_path / "lint").mkdir()
    (tmp_path / "lint" / "tell_apart.j2").write_text(f"{source}\n---\nx")

    with pytest.raises(BadDocument, match=r"tell_apart\.j2"):
        Prompts(tmp_path)


def test_a_prompt_is_compiled_once() -> None:
    """However often it is rendered; a rendering leaves nothing for the next."""
    source = "{{ name }}\n---\nx"
    before = template_of.cache_info().misses
    said = [render_messages(source, {"name": name}, where="one")[0].content for name in ("Ann", "Bo", "Ann")]
    assert said == ["Ann", "Bo", "Ann"]
    assert template_of.cache_info().misses == before + 2


def test_loops_over_fields_are_cut() -> None:
    """Three loops within one another over a long field end with an error, not with the memory."""
    source = "{% for a in x %}{% for b in x %}{% for c in x %}0123456789{% endfor %}{% endfor %}{% endfor %}\n---\n"

    with pytest.raises(BadDocument, match="over 4,000,000 characters"):
        render_messages(source, {"x": "x" * 1_000}, where="p")


def test_bundled_prompts_are_of_the_language(tmp_path: Path) -> None:
    """Each can be given back as one's own."""
    for name in prompt_names():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(Prompts().source(name))

    assert [Prompts(tmp_path).source(name) for name in prompt_names()] == [Prompts().source(n) for n in prompt_names()]

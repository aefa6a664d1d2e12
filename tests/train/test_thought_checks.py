"""Words that a template puts where thoughts stand are named; words that stay words are not."""

from __future__ import annotations

import pytest
from training_talks import samples

from callwright.train.chat_template import read_template
from callwright.train.export_report import VerifySettings, verdict
from callwright.train.rendered_row import RowFinding
from callwright.train.trainer_layouts import LAYOUTS

AT = 3
"""The sample of the talk that trains words beside a call."""


def thoughts_found(template: str, layout: str, *, thoughts: bool) -> list[tuple[int, RowFinding]]:
    """The findings on words that become a thought, each with its sample."""
    settings = VerifySettings(layout, read_template(template))
    return [
        (at, one)
        for at, sample in enumerate(samples(thoughts=thoughts))
        for one in verdict([LAYOUTS[layout].write(sample)], [sample], settings).findings
        if one.code == "E4" and "become a thought" in one.what
    ]


@pytest.mark.parametrize("layout", ["trl", "axolotl"])
@pytest.mark.parametrize("thoughts", [True, False])
def test_words_in_the_channel_of_thoughts_are_named(layout: str, *, thoughts: bool) -> None:
    """OpenAI's template writes the words beside a call as its analysis: E4 names message, place and cure."""
    found = thoughts_found("gptoss", layout, thoughts=thoughts)
    assert [at for at, _ in found] == [AT, AT + 1]  # as what is trained, and before the calls that follow it
    for _, one in found:
        assert one.what == "the words beside a call become a thought: 'Ordering one of them right now.'"
        assert one.where.startswith(f"message {len(samples()[AT].messages) - 1}, rendered: ")
        assert "<|channel|>analysis<|message|>" in one.where
        assert one.cure


@pytest.mark.parametrize("template", ["qwen3", "qwen3_6", "gemma4_v5", "glm4moe", "muse_glimmer", "lfm2_2_5"])
def test_words_outside_thoughts_are_not_named(template: str) -> None:
    """Templates that have a place for thoughts, and keep words out of it, have no finding of thoughts."""
    found = [thoughts_found(template, layout, thoughts=on) for layout in ("trl", "axolotl") for on in (True, False)]
    assert found == [[]] * 4

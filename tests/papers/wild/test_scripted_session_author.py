"""`builtin/author` in `wild` sessions: most of what it writes is kept."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from callwright.author.online_voice import OnlineVoice
from callwright.engine.context import Context
from callwright.papers.registry import read_prompts
from callwright.papers.wild.scripted_session_author import write_text
from callwright.recipe.recipe_job import decode_finished
from callwright.web.builtin_author import Writer
from recipe_jobs import recipe_job


@pytest.mark.parametrize("options", [{}, {"minefields": True, "tool_failures": True, "value_changes": 0.5}])
def test_most_sessions_are_kept(options: dict[str, bool | float]) -> None:
    """Four in five of those that have a plan, with the extras too."""
    job = recipe_job("wild", n=12, seed=7, **options)
    rejected = []
    for index, item in enumerate(job.ids):
        voice = OnlineVoice("author", prompts=read_prompts())
        ctx = Context.detached(item, seed=7, voice=voice, models={"author": Writer()})
        rejected.append([one.code for one in decode_finished(asyncio.run(job.run(index, ctx))).issues])
    planned = [codes for codes in rejected if codes != ["no_plan"]]
    assert sum(not codes for codes in planned) >= 0.8 * len(planned)


@pytest.mark.parametrize(
    ("prompt", "held", "not_held"),
    [
        ('Wish 1: book a room\n- say floor: 3\n- missing: name of the guest', ["book a room", "3"], ["guest"]),
        ('Wish 1: close the case\n- hidden: case number: say only "that case", "there"', ["that case"], ["number"]),
        (
            "Wish 1: close it\n- hidden: case number: say only that it is the case of the person's request number 2",
            ["the case of my second request"],
            ["2"],
        ),
        ("Wish 1: close it\n- hidden: case number: leave it out, it is clear", ["close it"], ["case"]),
        (
            (
                "Wish 1: find a song\nWish 2 (needs the result of wish 1): play a song\n"
                "- result: song number comes from the wish it needs, the one at place 2 of its list"
            ),
            ["resulting song number of the second one"],
            [],
        ),
        (
            (
                "Do not say what is to be done: it is the same as in the person's request number 1; leave it out.\n"
                'Wish 1: book a room\n- say city: "Oslo"'
            ),
            ["first request", "Oslo"],
            ["book"],
        ),
        (
            (
                "Do not say what is to be done: it is the same as what was talked about just now; leave it out.\n"
                "Wish 1: book a room, for another city than before\n- missing: city"
            ),
            ["for another city"],
            ["book"],
        ),
        (
            (
                "Wish 1: weigh it\nWish 2 (needs the result of wish 1): send it\n"
                "- chosen: parcel: say only that it is the parcel with the lower weight, of those looked up first"
            ),
            ["the parcel with the lower weight"],
            ["chosen"],
        ),
        ('Person: x\nChange the amount: 3 becomes 4', ["not 3", "amount is 4"], []),
        (
            "Wish 1: pay\nThen ask for this too, and take it back in the same breath: cancel it; order: 88",
            ["cancel it", "order 88", "forget"],
            [],
        ),
        ("Ask something light about: tea\nRemark in passing on the city, and say it: \"Porto\"", ["tea", "Porto"], []),
        (
            "Ask something light about: tea\nRemark on the city of your request number 2; say so, without its value.",
            ["tea", "the city of my second request"],
            ["2"],
        ),
        (
            "Ask something light about: tea\nRemark on the city from the forecast; refer to it like this, without",
            ["tea", "the city from the forecast"],
            [],
        ),
        ("Wish 1: close it\n- hidden: case: say only that it is the case from earlier", ["the case from earlier"], []),
        (
            "Do not say what is to be done: it is the same as with the forecast earlier; refer to it\nWish 1: look",
            ["with the forecast earlier"],
            ["look"],
        ),
        ("The person said: where?\nChat about: tea", ["tea"], []),
        ("The person said: do.\n- pay (88): failed: busy\nSomething failed: ask how to go on.", ["busy", "?"], []),
        ('The person said: do.\n- find it (88): found A; B C', ['"A"', '"B C"', "88"], []),
    ],
)  # fmt: skip
def test_the_lines_of_a_prompt_are_followed(prompt: str, held: list[str], not_held: list[str]) -> None:
    """What is to be said is there, and what is held back is not."""
    assert held
    for seed in range(8):
        text = write_text(prompt, Random(seed))
        assert [one for one in held if one not in text] == []
        assert [one for one in not_held if one in text] == []


def test_other_prompts_are_left_to_others() -> None:
    """An empty answer says so."""
    assert write_text("Style: terse\nSay that this is all and that the assistant should go ahead.", Random(0)) == ""

"""People whose personas fit the tools of a talk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from random import Random

import pytest

from callwright.author.cast import cast, suited
from callwright.author.grammar import bank_file
from callwright.author.personas import bank
from callwright.errors import RolloutFailed
from callwright.lang.english import article
from callwright.lang.kinds import Kind
from callwright.records.jsontext import Json
from callwright.records.persona import Persona
from callwright.records.tool import Tool

TODAY = date(2026, 3, 2)
BERTH = Tool(name="getBerth", description="Gets a berth.", domain="berths")
MUSIC = Tool(name="playMusic", description="Plays music.")
PAYSLIP = Tool(name="show_payslip", description="Shows a payslip of the payroll.", domain="people")


def people(tools: Sequence[Tool], seed: int, *, secrets: Sequence[tuple[Json, Kind]] = ()) -> list[Persona]:
    return suited(Random(seed), cast(Random(seed), tools, bank(), 4), tools, secrets, TODAY)


def test_texts_are_about_the_tools() -> None:
    """Each person of a chat about berths and music has to do with one of them, and each subject has somebody."""
    for seed in range(50):
        texts = [who.text for who in people([BERTH, MUSIC], seed)]
        assert all("berths" in text or "music" in text for text in texts), texts
        assert {word for text in texts for word in ("berths", "music") if word in text} == {"berths", "music"}


def test_nobody_is_told_of_twice() -> None:
    """In one chat no sentence comes twice, none begins as the one before it, and over many chats they vary."""
    everyone: set[str] = set()
    for seed in range(50):
        sentences = [who.text.split(". ") for who in people([BERTH], seed)]
        assert all(len({pair[at] for pair in sentences}) == 4 for at in (0, 1)), sentences
        assert all(first.split()[0] != second.split()[0] for first, second in sentences), sentences
        everyone |= {". ".join(pair) for pair in sentences}
    assert len(everyone) > 150


def test_made_personas_keep_who_they_are() -> None:
    """Name, home and tone are the bank's; a job that the text does not have is left out."""
    chosen = cast(Random(1), [BERTH], bank(), 4)
    made = suited(Random(1), chosen, [BERTH], (), TODAY)
    assert [(who.name, who.city, who.country, who.tone) for who in made] == [
        (who.name, who.city, who.country, who.tone) for who in chosen
    ]
    assert [(who.job, who.domain) for who in made] == [("", "")] * 4


def test_the_banks_text_stays_where_the_work_is_the_tools() -> None:
    """A payroll specialist keeps the text over a payslip, and not over a berth."""
    who = bank()[0]
    assert suited(Random(0), [who], [PAYSLIP], (), TODAY) == [who]
    (made,) = suited(Random(0), [who], [BERTH], (), TODAY)
    assert "payroll" not in made.text


def test_no_secret_is_told() -> None:
    """A text that says a value of a call is replaced: the bank's, a subject, a frame."""
    who = bank()[0]
    assert "Leeds" in who.text
    (made,) = suited(Random(0), [who], [PAYSLIP], [("Leeds", "city")], TODAY)
    assert "Leeds" not in made.text
    secrets: list[tuple[Json, Kind]] = [("music", "text"), ("question", "text")]
    for seed in range(50):
        texts = [one.text for one in people([BERTH, MUSIC], seed, secrets=secrets)]
        assert not any(re.search(r"\b(music|question)\b", text) for text in texts)
        assert all("berths" in text for text in texts)


def test_given_personas_stay() -> None:
    """Personas of a file keep their texts; who has no name is given one, and nobody comes twice."""
    given = tuple(Persona(id=f"d{n}", name="", job="", text=f"A gardener with {n} cats.") for n in range(5))
    chosen = cast(Random(3), [BERTH], given, 4)
    assert suited(Random(3), chosen, [BERTH], (), TODAY) == chosen
    assert {who.text for who in chosen} <= {who.text for who in given}
    assert len({who.text for who in chosen}) == len({who.name.split()[0] for who in chosen}) == 4


def test_too_few_people_are_refused() -> None:
    """One persona cannot be two people."""
    with pytest.raises(RolloutFailed, match="fewer than 2 people"):
        cast(Random(0), [BERTH], (Persona(id="d", name="", job="", text="A cook."),), 2)


@pytest.mark.parametrize("things", ["berths", "music", "market trends and relevant news", "time off", "SMS messages"])
def test_every_frame_is_a_sentence(things: str) -> None:
    """Whatever alternatives are chosen: one sentence, right articles, nobody's sex, no digits or doubled words."""
    count = 0
    for frame in (one for frames in bank_file("personas").values() for one in frames):
        for seed in range(8):
            text = frame.render(Random(seed), {"things": things})
            words = re.findall(r"[\w'-]+", text)
            assert re.fullmatch(r"[A-Z][^.!?{}()|\d]+\.", text), text
            assert not {"he", "she", "his", "her", "him"} & {word.lower() for word in words}, text
            for first, second in pairwise(words):
                assert first.lower() != second.lower(), text
                assert first.lower() not in ("a", "an") or first.lower() == article(second), text
            count += 1
    assert count > 500


def test_tones_are_the_banks() -> None:
    """Each tone of the bank has its sentences."""
    assert {who.tone for who in bank()} | {"things"} == set(bank_file("personas"))

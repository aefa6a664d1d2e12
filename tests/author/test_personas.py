"""The bundled personas, and the choice of one for a tool."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib.resources import files
from itertools import pairwise
from math import log, sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callwright.author.personas import DOMAIN_WEIGHT, JOB_WEIGHT, TEXT_WEIGHT, bank, choose
from callwright.lang.english import article
from callwright.lang.tokens import content_stems, identifier_words, stem
from callwright.records.persona import Persona
from callwright.records.tool import Tool

SENIORITIES = {"new", "experienced", "manager", "executive"}
TONES = {"plain", "brisk", "warm", "formal", "chatty"}


def tool(name: str, description: str = "", domain: str = "") -> Tool:
    return Tool(name=name, description=description, domain=domain)


def parts(domain: str, middle: list[str], text: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for words, weight in (
        (content_stems(text), TEXT_WEIGHT),
        (middle, JOB_WEIGHT),
        (content_stems(domain), DOMAIN_WEIGHT),
    ):
        weights |= dict.fromkeys(words, weight)
    return weights


def slow_score(wanted: Tool, persona: Persona, everyone: tuple[Persona, ...]) -> float:
    """The nearness of one persona, counted word by word without an index."""
    asked = parts(wanted.domain, [stem(w) for w in identifier_words(wanted.name)], wanted.description)
    mine = parts(persona.domain, content_stems(persona.job), persona.text)
    holders = Counter(word for who in everyone for word in set(content_stems(f"{who.domain} . {who.job} . {who.text}")))
    return sum(
        asked[word] * mine[word] / sqrt(len(mine)) * log(1 + len(everyone) / (1 + holders[word]))
        for word in asked.keys() & mine.keys()
    )


def test_bank_is_large_and_stable() -> None:
    """There are at least three hundred personas, the same at each call; ids, names and texts do not repeat."""
    people = bank()
    assert people is bank()
    assert len(people) >= 300
    for field in ("id", "name", "text"):
        assert len({getattr(who, field) for who in people}) == len(people)


def test_bank_fields_are_filled() -> None:
    """Everyone has a job, a city, a country, a known seniority and a known tone."""
    for who in bank():
        assert who.job
        assert who.city
        assert who.country
        assert who.seniority in SENIORITIES
        assert who.tone in TONES


def test_bank_varies() -> None:
    """People come from forty countries or more, and every tone and seniority is well represented."""
    people = bank()
    assert len({who.country for who in people}) >= 40
    assert len({who.job for who in people}) >= 80
    assert min(Counter(who.tone for who in people).values()) >= len(people) / 10
    assert min(Counter(who.seniority for who in people).values()) >= len(people) / 20


def test_cities_lie_in_their_countries() -> None:
    """Each persona's city is one of its country's cities."""
    places = json.loads(files("callwright.lang").joinpath("data/places.json").read_text(encoding="utf-8"))
    cities = {place["name"]: set(place["cities"]) for place in places}
    assert [who.id for who in bank() if who.city not in cities[who.country]] == []


def test_domains_are_the_catalogues() -> None:
    """Every line of business of the bundled catalogue has at least twenty people, and there is no other."""
    catalog = json.loads(files("callwright").joinpath("data/enterprise.json").read_text(encoding="utf-8"))
    counts = Counter(who.domain for who in bank())
    assert set(counts) == {tool["domain"] for tool in catalog["tools"]}
    assert min(counts.values()) >= 20


def test_texts_are_sentences() -> None:
    """A text is one short sentence with the right articles, without doubled words, placeholders or gendered words."""
    for who in bank():
        words = re.findall(r"[\w'’-]+", who.text)
        assert re.fullmatch(r"[A-Z][^.!?{}]+\.", who.text), who.text
        assert 5 <= len(words) <= 24, who.text
        assert not {"he", "she", "his", "her", "him"} & {word.lower() for word in words}, who.text
        for first, second in pairwise(words):
            assert first.lower() != second.lower(), who.text
            assert first.lower() not in ("a", "an") or first.lower() == article(second), who.text


def test_texts_name_only_the_own_city() -> None:
    """Where a text names a city of the bank, it is the person's own."""
    cities = {who.city for who in bank()}
    for who in bank():
        named = {city for city in cities if re.search(rf"\b{re.escape(city)}\b", who.text)}
        assert named <= {who.city}


def test_choice_prefers_the_line_of_business() -> None:
    """For a tool of a line of business that the bank knows, the nearest people work in it."""
    wanted = tool("approve_internal_training", "Approve a request for in-house training.", "training")
    assert {choose(Random(seed), wanted, bank(), k=10).domain for seed in range(50)} == {"training"}


def test_choice_goes_by_words_without_a_domain() -> None:
    """PersonaHub's people have a text only, and are chosen by its words."""
    people = (
        Persona(id="a", name="", job="", text="A nurse who likes gardening."),
        Persona(id="b", name="", job="", text="A driver who delivers parcels."),
        Persona(id="c", name="", job="", text="A poet from the north."),
    )
    assert choose(Random(1), tool("track_parcel", "Track a parcel."), people, k=1).id == "b"


def test_choice_is_random_among_the_nearest() -> None:
    """Each of the k nearest is chosen about as often as the others, and nobody else is."""
    wanted = tool("refund_order", "Refund a whole order.", "customer support")
    rng = Random(3)
    counts = Counter(choose(rng, wanted, bank(), k=5).id for _ in range(2000))
    assert len(counts) == 5
    assert 300 <= min(counts.values()) <= max(counts.values()) <= 500


def test_choice_depends_on_the_generator_alone() -> None:
    """The same generator state gives the same person, whatever was chosen before."""
    wanted = tool("book_desk", "Book a desk in an office.", "facilities")
    first = choose(Random(8), wanted, bank(), k=7)
    choose(Random(1), tool("other", "Pay an invoice."), bank(), k=3)
    assert choose(Random(8), wanted, (*bank()[:5], *bank()[5:]), k=7) == first


def test_unrelated_tools_meet_different_people() -> None:
    """Tools that share no word with anybody do not all get the same few people."""
    met = {choose(Random(0), tool(f"zq{n}x"), bank(), k=1).id for n in range(60)}
    assert len(met) >= 20


@settings(max_examples=25, deadline=None)
@given(
    positions=st.lists(st.integers(0, 319), min_size=1, max_size=25, unique=True),
    words=st.lists(
        st.sampled_from(["approve", "training", "order", "refund", "plant", "invoice", "office", "team"]), max_size=5
    ),
    domain=st.sampled_from(["", "training", "legal", "customer support"]),
    k=st.integers(1, 30),
)
def test_choice_is_among_the_k_best(positions: list[int], words: list[str], domain: str, k: int) -> None:
    """The index finds what counting word by word finds: nobody left out is nearer than the one chosen."""
    people = tuple(bank()[position] for position in positions)
    wanted = tool("_".join(words) or "x", " ".join(reversed(words)), domain)
    scores = {who.id: slow_score(wanted, who, people) for who in people}
    chosen = choose(Random(k), wanted, people, k=k)
    limit = sorted(scores.values(), reverse=True)[min(k, len(people)) - 1]
    assert scores[chosen.id] >= limit - 1e-8


@pytest.mark.parametrize(("people", "k"), [((), 3), (bank()[:2], 0)])
def test_choice_from_nobody_is_refused(people: tuple[Persona, ...], k: int) -> None:
    """Choosing from no personas, or from the nearest zero, is an error that says so."""
    with pytest.raises(ValueError, match="give at least one persona and k >= 1"):
        choose(Random(0), tool("x"), people, k=k)

"""The little grammar of phrase banks: what compiles, what comes out, and that every bundled frame is sound."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.author.grammar import bank_file, compile_frame, opener, parse_banks, tidy, write
from callwright.errors import BadDocument, UnknownName

FILES = ("user", "assistant", "thoughts", "personas")
plain = st.text("abc XY'-", min_size=1, max_size=5)
fields = st.sampled_from(["{it}", "{n1}"])
FILLED = {"it": "the kettle", "n1": "one"}


@st.composite
def frames(draw: st.DrawFn, depth: int = 3) -> tuple[str, set[str]]:
    """The source of a frame and everything it can say, before tidying."""
    source, said = "", {""}
    for _ in range(draw(st.integers(1, 3))):
        if depth and draw(st.booleans()):
            inner = [
                draw(st.one_of(frames(depth=depth - 1), st.just(("", {""})))) for _ in range(draw(st.integers(1, 3)))
            ]
            piece = f"({'|'.join(one for one, _ in inner)})"
            ways = set().union(*(found for _, found in inner))
        elif draw(st.booleans()):
            piece = draw(fields)
            ways = {FILLED[piece[1:-1]]}
        else:
            piece = draw(plain)
            ways = {piece}
        source += piece
        said = {left + right for left, right in product(said, ways)}
    return source, said


@given(frames(), st.integers(0, 2**16))
def test_a_frame_says_one_of_its_wordings(made: tuple[str, set[str]], seed: int) -> None:
    """Nested choices included; fields are filled, the rest is tidied."""
    source, ways = made
    frame = compile_frame(source)

    assert frame.render(Random(seed), FILLED) in {tidy(way) for way in ways}
    assert frame.fields == set(re.findall(r"\{(\w+)\}", source))


def test_every_alternative_is_said_sooner_or_later() -> None:
    """An empty one too."""
    frame = compile_frame("(a|b(c|d|))(!|)")

    assert {frame.render(Random(seed), {}) for seed in range(300)} == {"a", "bc", "bd", "b", "a!", "bc!", "bd!", "b!"}


def test_the_same_chance_gives_the_same_words() -> None:
    """Nothing else decides."""
    frame = compile_frame("(a|b|c) (d|e|f) (g|h)")

    assert [frame.render(Random(4), {}) for _ in range(5)] == [frame.render(Random(4), {})] * 5


@pytest.mark.parametrize("source", ["(a", "a)", "((a)", "a|b", ")(", "(a))", "|"])
def test_brackets_and_bars_that_stand_alone_are_refused(source: str) -> None:
    """With the frame in the message."""
    with pytest.raises(BadDocument, match="bracket"):
        compile_frame(source)


def test_a_field_that_is_not_given_is_an_error() -> None:
    """No wording has a hole."""
    with pytest.raises(KeyError):
        compile_frame("{it}").render(Random(1), {})


@pytest.mark.parametrize("name", FILES)
def test_every_bundled_frame_renders(name: str) -> None:
    """With all of its fields, whatever is chosen, and without leaving brackets, braces or bars."""
    assert bank_file(name)
    for bank, bundled in bank_file(name).items():
        assert bundled, bank
        for frame in bundled:
            for seed in range(12):
                text = frame.render(Random(seed), dict.fromkeys(frame.fields, "words"))
                assert not re.search(r"[(){}|]|\s{2}", text), (bank, frame.source)
                assert text == tidy(text)
                assert len(text) < 400


def test_frames_of_users_hold_no_values() -> None:
    """Digits, months and weekdays in a frame would be taken for values; `may` the verb apart."""
    day = re.compile(r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:january|february|april|june|july)\b")
    assert bank_file("user")
    for bank, bundled in bank_file("user").items():
        for frame in bundled:
            assert not day.search(re.sub(r"\{\w+\}", "", frame.source).lower()), (bank, frame.source)


@pytest.mark.parametrize("style", ["verbose", "terse"])
def test_every_style_has_its_banks(style: str) -> None:
    """What can be said in one style can be said in the other, finer distinctions apart."""
    banks = bank_file("user")
    for act in ("open", "open.topic", "pick", "pick.action", "tell.one", "pair", "more", "yes", "no",
                "full", "go", "askback", "leave", "neither", "ordinal"):  # fmt: skip
        assert banks[f"{act}.{style}"]


# -- tidying and choosing --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("traces", "clean"),
    [
        ("sure ,  fine", "sure, fine"),
        ("done..", "done."),
        ("well... yes", "well... yes"),
        ("really?.", "really?"),
        ("yes,, no", "yes, no"),
        ("what?, no", "what? no"),
        ("at 3.5 or .5", "at 3.5 or .5"),
        ("I'll do it for now now.", "I'll do it for now."),
        ("Bora Bora", "Bora Bora"),
    ],
)
def test_traces_of_composition_go(traces: str, clean: str) -> None:
    """Doubled spaces, stops and small words; what people write on purpose stays."""
    assert tidy(traces) == clean


@given(st.text("ab ,.?!;:\n'", max_size=40))
def test_tidy_text_is_tidy(text: str) -> None:
    """Tidying again changes nothing, and no letter is lost."""
    once = tidy(text)

    assert tidy(once) == once
    assert re.sub(r"\W", "", once) == re.sub(r"\W", "", text)


def test_openings_do_not_come_back_where_there_is_another() -> None:
    """The first two words of the last texts are avoided."""
    bank = [compile_frame(f"{word} it is, {{what}}.") for word in ("Now", "Here", "So", "Well")]
    recent = ["Now it was late.", "so it goes"]

    said = {opener(write(Random(seed), bank, {"what": "then"}, recent=recent, tries=30)) for seed in range(60)}

    assert said == {"here it", "well it"}


def test_a_wording_comes_even_where_all_are_used() -> None:
    """Saying something alike is better than saying nothing."""
    assert write(Random(1), [compile_frame("Yes.")], {}, recent=["Yes."]) == "Yes."


# -- bank files ------------------------------------------------------------------------------------------------------


def test_bank_files_are_parsed_line_by_line() -> None:
    """Headings, comments, blank lines; a heading that comes again adds to its bank."""
    banks = parse_banks("# note\n[a]\none\n\n[b]\n two \n[a]\nthree\n", where="x")

    assert {name: [frame.source for frame in found] for name, found in banks.items()} == {
        "a": ["one", "three"],
        "b": ["two"],
    }


@pytest.mark.parametrize(("text", "place"), [("loose", "x:1"), ("[a]\nfine\n(broken", "x:3")])
def test_errors_name_file_and_line(text: str, place: str) -> None:
    """So that a slip in a bank is found."""
    with pytest.raises(BadDocument, match=place):
        parse_banks(text, where="x")


def test_unknown_bank_files_are_named() -> None:
    """With those there are."""
    with pytest.raises(UnknownName, match="assistant, personas, thoughts, user"):
        bank_file("nobody")

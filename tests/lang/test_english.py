"""English inflection: tables for what is irregular, properties for all that is known."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.lang.english import (
    any_verb,
    article,
    base_verb,
    gerund,
    is_countable,
    is_plural,
    join_with,
    past_of,
    past_participle,
    plural,
    sentence_case,
    singular,
    third_person,
    ways_to_say,
    with_article,
)
from callwright.lang.lexicon import word_set

VERBS = sorted(word_set("verbs"))
letters = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=9)
phrases = st.lists(letters, min_size=1, max_size=4).map(" ".join)


@pytest.mark.parametrize(
    ("verb", "third", "ing", "past"),
    [
        ("approve", "approves", "approving", "approved"),
        ("apply", "applies", "applying", "applied"),
        ("pay", "pays", "paying", "paid"),
        ("get", "gets", "getting", "got"),
        ("send", "sends", "sending", "sent"),
        ("submit", "submits", "submitting", "submitted"),
        ("cancel", "cancels", "cancelling", "cancelled"),
        ("fetch", "fetches", "fetching", "fetched"),
        ("tie", "ties", "tying", "tied"),
        ("see", "sees", "seeing", "seen"),
        ("write", "writes", "writing", "written"),
        ("find", "finds", "finding", "found"),
        ("refer", "refers", "referring", "referred"),
        ("offer", "offers", "offering", "offered"),
    ],
)
def test_verb_forms(verb: str, third: str, ing: str, past: str) -> None:
    """Third person, -ing form and past participle."""
    assert (third_person(verb), gerund(verb), past_participle(verb)) == (third, ing, past)


@pytest.mark.parametrize(
    ("verb", "ing", "past"), [("set up", "setting up", "set up"), ("sign off", "signing off", "signed off")]
)
def test_only_the_first_word_of_a_phrase_is_inflected(verb: str, ing: str, past: str) -> None:
    """Particles stay."""
    assert (gerund(verb), past_participle(verb)) == (ing, past)


@pytest.mark.parametrize("verb", VERBS)
def test_every_known_verb_is_found_from_its_forms(verb: str) -> None:
    """In base form, in -ing form and in the third person, whatever its case."""
    assert base_verb(verb) == verb
    assert base_verb(gerund(verb).title()) in VERBS
    assert base_verb(third_person(verb).upper()) in VERBS
    assert all(ways_to_say(verb))


def test_any_english_verb_is_known() -> None:
    """By its forms and with a prefix; nouns that the lexicon lacks are none."""
    known = {"establishes": "establish", "Un-pins": "unpin", "undelete": "undelete", "rescheduling": "reschedule"}
    assert {word: any_verb(word) for word in known} == known
    assert any_verb("webhook") is None
    assert [past_of(word) for word in ("linked", "made", "links")] == ["link", "make", ""]


def test_singulars_undo_plurals() -> None:
    """Of acronyms too."""
    assert [singular(plural(one)) for one in ("short code", "person", "user ID", "company", "webhook")] == [
        "short code", "person", "user ID", "company", "webhook"
    ]  # fmt: skip


def test_words_that_are_no_verbs_have_no_base() -> None:
    """Nor has a verb nobody knows."""
    assert base_verb("status") is None
    assert base_verb("frobnicates") is None
    assert ways_to_say("frobnicate") == ("frobnicate",)


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("order", "orders"), ("company", "companies"), ("day", "days"), ("address", "addresses"), ("box", "boxes"),
        ("batch", "batches"), ("person", "people"), ("child", "children"), ("analysis", "analyses"),
        ("criterion", "criteria"), ("status", "statuses"), ("leave", "leave"), ("equipment", "equipment"),
        ("order number", "order numbers"), ("sick leave", "sick leave"), ("contact person", "contact people"),
    ],
)  # fmt: skip
def test_plurals(one: str, many: str) -> None:
    """By the last word of the phrase; mass nouns have none."""
    assert plural(one) == many


@given(phrases)
def test_a_plural_is_plural_already(phrase: str) -> None:
    """Whatever is plural, or was made so, stays as it is."""
    once = plural(phrase)
    assert not is_plural(once) or plural(once) == once


@pytest.mark.parametrize("noun", ["s", "S", "type s"])
def test_a_single_letter_is_no_plural(noun: str) -> None:
    """Its singular is the letter, and not nothing."""
    assert singular(noun) == noun


@pytest.mark.parametrize("noun", ["address", "status", "analysis", "bus", "news", "order", "gas"])
def test_singulars_that_end_in_s(noun: str) -> None:
    """They are no plurals."""
    assert not is_plural(noun)


@pytest.mark.parametrize(
    ("phrase", "a"),
    [
        ("order", "an"), ("user", "a"), ("unit", "a"), ("unpaid bill", "an"), ("uninstalled app", "an"), ("hour", "an"),
        ("house", "a"), ("honest mistake", "an"), ("HR form", "an"), ("SMS", "an"), ("VAT number", "a"), ("URL", "a"),
        ("euro", "a"), ("one-off payment", "a"), ("in-house course", "an"), ("8 o'clock slot", "an"), ("11", "an"),
        ("1 day", "a"), ("university", "a"), ("umbrella", "an"), ("ID", "an"), ("PIN", "a"),
    ],
)  # fmt: skip
def test_articles_go_by_sound(phrase: str, a: str) -> None:
    """Not by letter."""
    assert article(phrase) == a


def test_only_what_can_be_counted_gets_an_article() -> None:
    """Plurals and mass nouns get none, also before `of`, `for` and `with`."""
    assert with_article("order") == "an order"
    assert with_article("list of orders") == "a list of orders"
    assert [with_article(one) for one in ("orders", "equipment", "orders for today")] == [
        "orders", "equipment", "orders for today"
    ]  # fmt: skip
    fields = [with_article(one) for one in ("finance", "procurement", "logistics", "shipping", "shipping address")]
    assert fields == ["finance", "procurement", "logistics", "shipping", "a shipping address"]
    assert is_countable("training request")
    assert not is_countable("sick leave")


@given(st.text(max_size=30))
def test_sentence_case_changes_one_letter_at_most(text: str) -> None:
    """And nothing where a digit comes first."""
    changed = sentence_case(text)
    first = re.search(r"[^\W_]", text)

    assert changed.lower() == text.lower() or not text.isascii()
    if first and first.group().isdigit():
        assert changed == text
    assert sentence_case(changed) == changed or not text.isascii()


@given(st.lists(letters, max_size=5), st.sampled_from(["and", "or"]))
def test_lists_in_running_text(items: list[str], conjunction: str) -> None:
    """Every item once, in order, the conjunction before the last, commas between the others."""
    text = join_with(items, conjunction)

    assert text.count(",") == max(0, len(items) - 2)
    assert text.replace(f" {conjunction} ", ", ", 1).split(", ") == items or len(items) < 2


@given(phrases)
def test_inflection_never_fails(phrase: str) -> None:
    """On any words."""
    for inflect in (gerund, past_participle, third_person, plural, with_article, article):
        assert inflect(phrase)

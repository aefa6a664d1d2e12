"""What an assistant tells of a result in which no field of the thing looked up is worth telling."""

from __future__ import annotations

from callwright.papers.wild.bare_facts import bare_count, bare_facts, bare_names


def test_a_list_of_things_without_names_is_counted() -> None:
    """Images that have only addresses are so many images, at whatever depth; an empty list is nothing."""
    assert bare_count({"data": {"images": [{"url": "https://a.example"}, {"url": "https://b.example"}]}}) == (
        "image",
        2,
    )
    assert bare_count({"data": {"images": []}}) == ("", 0)


def test_a_list_under_an_unknown_name_is_called_results() -> None:
    """Nobody says what no dictionary has."""
    assert bare_count({"qzxv": [{"a": 1}]}) == ("result", 1)


def test_facts_are_what_the_person_did_not_say() -> None:
    """No identifier, no state of the reply and no value that was asked with is told."""
    value = {"equipment": "Front Desk Printer", "name": "Saffron", "status": "ok", "store_id": 7, "link": "https://a.b"}
    facts = bare_facts({"name": "Saffron"}, value)
    assert [(known.slot.name, known.value) for known in facts] == [("equipment", "Front Desk Printer")]


def test_at_most_two_facts_are_told() -> None:
    """A person is not read a whole record."""
    assert len(bare_facts({}, {"colour": "red", "shape": "round", "weight": 3})) == 2


def test_the_format_of_an_answer_is_no_fact() -> None:
    """Who asks for ratios does not want to hear that they are a PDF; what is owed is an amount and no count."""
    facts = bare_facts({}, {"format": "PDF", "currentLiabilities": 3})
    assert [(known.slot.name, known.slot.kind) for known in facts] == [("currentLiabilities", "money")]


def test_a_list_of_words_is_told_at_any_depth() -> None:
    """A look-up whose result is such a list is not merely said to be done; codes and secrets are not read out."""
    assert bare_names({"ok": True, "prefs": {"user": ["mika", "lee"]}}) == (("mika", "lee"), "user")
    assert bare_names({"ids": ["C0IID8F", "CJ1LO22"]}) == ((), "")
    assert bare_names({"tokens": ["blue", "red"]}) == ((), "")

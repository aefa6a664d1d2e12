"""Names, repetitions, machine words, and the choice that the first request leaves."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from spoken import refund, training

from callwright.catalog.slots import slots
from callwright.papers.diaforge.speech import (
    is_identifier,
    leak_issues,
    opening_issues,
    repetition_issues,
    role_issues,
    wording_issues,
)
from callwright.records.dialogue import Dialogue
from callwright.records.tool import Tool
from diaforge_builders import bundled, kept, tools_of, with_text


@pytest.mark.parametrize("name", ["employee_id", "chat.postMessage", "userId", "pick_up_date"])
def test_identifiers_are_names_that_nobody_says(name: str) -> None:
    """They are joined by signs or in camel case."""
    assert is_identifier(name)


@pytest.mark.parametrize("name", ["city", "amount", "q", "Reason", "E-mail"])
def test_plain_words_are_no_identifiers(name: str) -> None:
    """People say them."""
    assert not is_identifier(name)


def test_identifiers_of_any_tool_of_the_pool_are_leaks() -> None:
    """Names of tools and of parameters, from either side; `order` and `item` are words."""
    dialogue = refund()
    for said in ("Shall I run replace_item?", "What is the order_id?", "I'll use refund_item."):
        found = list(leak_issues(with_text(dialogue, 1, said), tools_of(dialogue)))

        assert [(issue.code, issue.where) for issue in found] == [("identifier_leaked", "turns[1].text")]
    assert not list(leak_issues(dialogue, tools_of(dialogue)))


def test_values_spelled_like_names_are_no_leaks() -> None:
    """A gold value may look like an identifier."""
    dialogue = refund()
    gold = dialogue.tasks[0].gold[0]
    item = tuple(
        replace(argument, accepted=('"order_id"',)) if argument.name == "item" else argument
        for argument in gold.arguments
    )
    changed = replace(dialogue, tasks=(replace(dialogue.tasks[0], gold=(replace(gold, arguments=item),)),))

    assert not list(leak_issues(with_text(changed, 2, "the order_id mug, damaged"), tools_of(changed)))


def test_repeating_oneself_is_a_fault_repeating_the_other_is_none() -> None:
    """Capitals and spaces apart."""
    dialogue = training()
    own = with_text(dialogue, 4, dialogue.turns[2].text.upper().replace(" ", "  "))
    other = with_text(dialogue, 4, dialogue.turns[3].text)

    assert [issue.where for issue in repetition_issues(own)] == ["turns[4].text"]
    assert not list(repetition_issues(other))


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Please provide the required parameters.", "schema_words"),
        ("What is the `order_id` value?", "schema_words"),
        ("I need the parameter value.", "schema_words"),
        ("It is for for a friend.", "word_doubled"),
        ("The the kettle.", "word_doubled"),
        ("I'll block it for now now.", "word_doubled"),
        ("That is a old kettle.", "article_clashes"),
        ("An kettle it is.", "article_clashes"),
    ],
)
def test_what_no_person_says_is_named(said: str, code: str) -> None:
    """Words of machines, doubled words, clashing articles."""
    assert code in {issue.code for issue in wording_issues(with_text(refund(), 2, said), {})}


@pytest.mark.parametrize(
    "said",
    [
        "I had had enough; that that one broke in Bora Bora is a very, very sad story.",
        "An hour ago a user told us about an honest mistake, a European one, in a unit.",
        "Plan A goes to an A-list guest; section a is about a one-off.",
        "It's an 8 or a 9. An HR form, a URL and an X-ray.",
    ],
)
def test_odd_but_right_wordings_pass(said: str) -> None:
    """Sound decides about articles, and letters are no articles."""
    assert not list(wording_issues(with_text(refund(), 2, said), {}))


def opening(dialogue: Dialogue, text: str) -> list[str]:
    said = with_text(dialogue, 0, text)
    return [issue.code for issue in opening_issues(said, tools_of(said))]


def test_a_first_request_leaves_a_choice() -> None:
    """Words that some other tool of the pool has too are vague, a word that only the seed tool has tells."""
    assert opening(training(), "I'd like to approve a request for training.") == []
    assert opening(training(), "I'd like to approve a request for in-house training.") == ["opening_tells_all"]


def test_words_that_speak_for_no_tool_tell_nothing() -> None:
    """Small talk does not narrow anything down."""
    assert opening(training(), "Good morning! What lovely weather, isn't it?") == []


def test_a_pool_of_one_tool_leaves_no_choice_to_take() -> None:
    """Nothing can be told apart there."""
    dialogue = training()

    assert opening(replace(dialogue, tools=dialogue.tools[:1]), "Approve in-house training.") == []


def test_the_assistant_asks_before_the_end_and_not_after() -> None:
    """Turns before the last ask; the last calls and asks for no value. `Anything else?` asks for none."""
    dialogue, tool = refund(), bundled().by_name["refund_item"]
    chats = with_text(dialogue, 1, "That is a pity.")
    asks = with_text(dialogue, 3, "Will do. What is the order number?")
    closes = with_text(dialogue, 3, "Done. Anything else I can do for you?")

    assert [issue.code for issue in role_issues(chats, tool)] == ["assistant_does_not_ask"]
    assert [issue.code for issue in role_issues(asks, tool)] == ["assistant_still_asks"]
    assert not list(role_issues(closes, tool))


def test_nobody_says_an_identifier_in_made_dialogues() -> None:
    """Checked without the validator: no name with an underscore of any shown tool is in any text."""
    for dialogue in kept():
        names = {name for tool in tools_of(dialogue).values() for name in (tool.name, *slots(tool)) if "_" in name}
        said = " ".join(turn.text for turn in dialogue.turns)
        assert names
        assert not [name for name in names if name in said]


def test_a_word_of_a_tool_is_no_machine_word() -> None:
    said = with_text(refund(), 2, "Please update the schema for me.")
    assert "schema_words" in {issue.code for issue in wording_issues(said, {})}
    about = Tool(name="update_schema", description="Updates a schema.")
    assert "schema_words" not in {issue.code for issue in wording_issues(said, {"update_schema": about})}

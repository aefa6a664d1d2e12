from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.catalog.rewording import addition, is_retired, keeps, with_addition
from callwright.records.jsontext import encode
from callwright.records.tool import Tool


def tool(name: str, description: str = "", *required: str) -> Tool:
    schema = {"type": "object", "properties": {key: {"type": "string"} for key in required}, "required": [*required]}
    return Tool(name=name, description=description, parameters=encode(schema))


def test_an_addition_points_to_the_other_tool_in_its_own_words() -> None:
    """It says what the other is for."""
    one, other = tool("get_mark", "Gets a mark of a file."), tool("get_folder_mark", "Gets a mark of a folder.")
    assert addition(one, other)[0] == "To get a mark of a folder, use get_folder_mark."


def test_where_words_do_not_differ_parameters_may() -> None:
    """What the other tool requires and this one does not take tells when to use it."""
    one, other = tool("get_user", "Gets one user."), tool("find_user", "Gets one user.", "email")
    assert addition(one, other)[0] == "With email, use find_user."
    assert addition(other, one) == ("", "")


@pytest.mark.parametrize("said", ["Gets paid orders. Deprecated: use v2.", "A legacy call.", "No longer supported."])
def test_nothing_points_to_a_retired_tool(said: str) -> None:
    """A tool that is not to be used is no alternative."""
    assert is_retired(tool("old", said))
    assert addition(tool("new", "Gets open orders."), tool("old", said)) == ("", "")


def test_a_tool_that_is_named_is_not_named_again() -> None:
    """But its name within another name does not count."""
    other = tool("get_order", "Gets one order.")
    assert addition(tool("list_orders", "Lists orders; see get_order."), other) == ("", "")
    assert addition(tool("list_orders", "Lists orders; see get_order_items."), other)[0]


def test_a_missing_description_is_made_first() -> None:
    """The pointer does not stand alone."""
    assert with_addition(tool("delete_order"), "To x, use y.") == "Delete an order. To x, use y."
    assert with_addition(tool("a", "Pays it"), "To x, use y.") == "Pays it. To x, use y."


@pytest.mark.parametrize(
    ("given_", "text", "kept"),
    [
        ("Gets it. At most 5 a day.", "Fetches it, if there is one. At most 5 a day. Needs a key.", True),
        ("Gets it. At most 5 a day.", "Gets it.", False),
        ("Gets up to 50 of them.", "Gets some of them.", False),
        ("Deprecated: prefer b. Gets it.", "Prefer b. Gets it.", False),
        ("Gets it.\nFails with 404.", "Gets one. Fails with 404.", True),
        ("", "Anything.", True),
    ],
)
def test_facts_stay(given_: str, text: str, *, kept: bool) -> None:
    """Later sentences stay word for word, and the numbers and the retirement of the first."""
    assert keeps(given_, text) is kept


@given(st.text(max_size=200), st.text(max_size=80))
def test_adding_keeps(said: str, more: str) -> None:
    """Whatever is added, all that was said is said still."""
    assert keeps(said, with_addition(tool("get_order", said), more))

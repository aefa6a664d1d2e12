"""What a thing says of the things that it holds, and the list of them, agree."""

from __future__ import annotations

import pytest
from test_agreeing_sessions import COUNT, TEXT, Session, several, thing, tool

from callwright.environment.settling import of_distinct
from callwright.environment.told_counts import counted_noun
from callwright.environment.tool_target import ToldPlace
from callwright.records.jsontext import Json

SEEDS = range(6)
REACTION = thing(emoji=TEXT, user_id=TEXT)
COMMENTS = tool(
    "GET /files/{file_id}/comments", "listComments", several(thing(id=TEXT, message=TEXT, reactions=several(REACTION)))
)
REACTIONS = tool(
    "GET /files/{file_id}/comments/{comment_id}/reactions", "listReactions", thing(reactions=several(REACTION))
)
FILE = tool("GET /files/{file_id}", "getFile", thing(id=TEXT, name=TEXT, comment_count=COUNT))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_list_that_was_told_to_be_empty_is_empty(seed: int) -> None:
    """The reactions of a comment that had none."""
    session = Session(COMMENTS, REACTIONS, seed=seed)
    first = session.do("listComments", file_id="7")[0]
    told = session.do("listReactions", file_id="7", comment_id=first["id"])["reactions"]
    assert first["reactions"] == told == []
    assert session.do("listReactions", file_id="7", comment_id="99")["reactions"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_list_has_as_many_things_as_its_holder_counts(seed: int) -> None:
    """Whichever is told first."""
    session = Session(FILE, COMMENTS, seed=seed)
    count = session.do("getFile", file_id="7")["comment_count"]
    assert count == len(session.do("listComments", file_id="7")) > 0
    listed = session.do("listComments", file_id="8")
    assert session.do("getFile", file_id="8")["comment_count"] == len(listed) > 0


def test_what_is_counted() -> None:
    """A noun before or behind the word that says so; a count of anything is of nothing known."""
    names = {("comment", "count"): "comment", ("number", "of", "files"): "file", ("total", "count"): ""}
    assert {words: counted_noun(words) for words in names} == names


def test_fewer_things_use_something_than_it_is_used() -> None:
    """Teams, files and visitors beside the count of uses; other numbers stay."""
    row: dict[str, Json] = {"files_using": 6, "teams_using": 10.0, "usages": 8, "unique_people": 9, "weeks": 40}
    for edit in of_distinct(ToldPlace("item", "row", row, {})):
        row[edit.name] = edit.value
    assert row == {"files_using": 6, "teams_using": 6.0, "usages": 8, "unique_people": 8, "weeks": 40}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_total_is_no_lower_than_its_parts(seed: int) -> None:
    """Whichever is told first."""
    tools = (
        tool("", "getMediumSolved", thing(number_of_medium=COUNT), username=TEXT),
        tool("", "getTotalSolved", thing(total_number_of_questions=COUNT), username=TEXT),
    )
    session = Session(*tools, seed=seed)
    for user, names in (("ann", ("getMediumSolved", "getTotalSolved")), ("bo", ("getTotalSolved", "getMediumSolved"))):
        told = {key: one for name in names for key, one in session.do(name, username=user).items()}
        assert told["number_of_medium"] <= told["total_number_of_questions"]

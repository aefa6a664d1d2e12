"""Times of a whole and of its parts agree, whichever is told first."""

from __future__ import annotations

import pytest
from test_agreeing_sessions import TEXT, Session, several, thing, tool

from callwright.environment.timelines import nested_nouns
from callwright.records.jsontext import Json

TIME: Json = {"type": "string", "format": "date-time"}
SEEDS = range(8)
VERSION = thing(id=TEXT, created_at=TIME, updated_at=TIME)
FILE = tool("GET /files/{file_id}", "getFile", thing(id=TEXT, created_at=TIME, last_touched_at=TIME))
VERSIONS = tool("GET /files/{file_id}/versions", "listVersions", thing(versions=several(VERSION)))
PICTURE = tool("GET /files/{file_id}/picture", "getPicture", thing(file_id=TEXT, created_at=TIME))
PAGE = tool("GET /pages/{page_id}", "getPage", thing(id=TEXT, created_at=TIME, centre_id=TEXT, segment=thing(id=TEXT)))
CENTRE = tool("GET /centres/{centre_id}", "getCentre", thing(id=TEXT, created_at=TIME))
SEGMENT = tool("GET /segments/{segment_id}", "getSegment", thing(id=TEXT, created_at=TIME))
TOOLS = (FILE, VERSIONS, PICTURE, PAGE, CENTRE, SEGMENT)


def times(versions: list[dict[str, str]]) -> list[str]:
    return [one[name] for one in versions for name in ("created_at", "updated_at")]


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_in_a_file_comes_after_its_last_change(seed: int) -> None:
    """Its versions lie between its making and the moment at which it was last touched, each made before changed."""
    session = Session(*TOOLS, seed=seed)
    whole = session.do("getFile", file_id="7")
    versions = session.do("listVersions", file_id="7")["versions"]
    assert versions
    assert all(whole["created_at"] <= one <= whole["last_touched_at"] for one in times(versions))
    assert all(one["created_at"] <= one["updated_at"] for one in versions)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_file_told_after_its_versions_is_around_them(seed: int) -> None:
    """It was made before the first and touched after the last; so it stays when told again."""
    session = Session(*TOOLS, seed=seed)
    versions = session.do("listVersions", file_id="7")["versions"]
    whole = session.do("getFile", file_id="7")
    assert versions
    assert all(whole["created_at"] <= one <= whole["last_touched_at"] for one in times(versions))
    assert session.do("getFile", file_id="7") == whole


@pytest.mark.parametrize("seed", SEEDS)
def test_a_part_without_an_identifier_is_no_older_than_its_whole(seed: int) -> None:
    """The picture of a file, told before the file."""
    session = Session(*TOOLS, seed=seed)
    picture = session.do("getPicture", file_id="7")
    assert session.do("getFile", file_id="7")["created_at"] <= picture["created_at"]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_referred_to_was_made_before(seed: int) -> None:
    """By an identifier or by an object with one, whichever is told first."""
    session = Session(*TOOLS, seed=seed)
    page = session.do("getPage", page_id="3")
    assert session.do("getCentre", centre_id=page["centre_id"])["created_at"] <= page["created_at"]
    assert session.do("getSegment", segment_id=page["segment"]["id"])["created_at"] <= page["created_at"]


def test_paths_say_what_lies_in_what() -> None:
    """A version lies in a file; a page with a reference to a centre does not."""
    assert nested_nouns("", TOOLS) == {("file", "version"), ("file", "pictur")}

"""Tools in the same words are told apart by their names, paths and required parameters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from callwright.catalog.contrast import OTHER, hear, question, resolve, start
from callwright.catalog.distinct import are_twins, distinct_glosses
from callwright.catalog.gloss import gloss
from callwright.records.jsontext import JsonText, encode
from callwright.records.tool import Tool


def _tool(name: str, description: str = "", source: str = "", required: tuple[str, ...] = ()) -> Tool:
    schema = {"type": "object", "properties": {n: {"type": "string"} for n in required}, "required": list(required)}
    return Tool(name=name, description=description, source=source, parameters=encode(schema))


def _phrases(*tools: Tool) -> list[str]:
    return [found.phrase for found in distinct_glosses(tuple(tools))]


def test_the_parent_in_the_path_tells_apart() -> None:
    plain = _tool("FetchTalk", "Fetch a talk.", "GET /v1/Talks/{Sid}")
    scoped = _tool("FetchServiceTalk", "Fetch a talk.", "GET /v1/Services/{ServiceSid}/Talks/{Sid}")
    assert _phrases(plain, scoped) == ["fetch a talk", "fetch a talk of a service"]


def test_words_of_the_name_tell_apart() -> None:
    text = "Invites a user to a channel."
    assert _phrases(_tool("channels_invite", text), _tool("admin_channels_invite", text))[1].endswith("as an admin")
    assert _phrases(_tool("oauth_access", text), _tool("oauth_v2_access", text))[1].endswith("in the newer version")
    found = _phrases(_tool("extract", "Extracts metadata."), _tool("extract_structured", "Extracts metadata."))
    assert found == ["extract metadata", "extract structured metadata"]


def test_one_and_several_are_got_and_listed() -> None:
    one = _tool("getSplitTest", "", "GET /sites/{site_id}/splits/{split_test_id}")
    many = _tool("getSplitTests", "", "GET /sites/{site_id}/splits")
    assert _phrases(one, many) == ["get a split test", "list split tests"]


def test_a_required_parameter_tells_apart() -> None:
    text = "Removes a person."
    found = _phrases(_tool("a", text, required=("team_id",)), _tool("b", text))
    assert found == ["remove a person of a team", "remove a person"]


def test_what_no_word_tells_apart_is_a_twin() -> None:
    assert are_twins(_tool("note_get", "Gets a note."), _tool("getNote", "Gets a note."))
    assert not are_twins(_tool("note_get", "Gets a note."), _tool("getNotes", "Deletes a note."))


_POOL = [
    _tool("talk", "Fetch a talk.", "GET /talks/{id}"),
    _tool("serviceTalk", "Fetch a talk.", "GET /services/{service_id}/talks/{id}"),
    _tool("adminTalk", "Fetch a talk."),
    _tool("room", "Fetch a room.", "GET /rooms/{id}"),
]


@given(st.permutations(_POOL))
def test_the_order_of_the_pool_does_not_matter(pool: list[Tool]) -> None:
    found = dict(zip((tool.name for tool in pool), distinct_glosses(tuple(pool)), strict=True))
    assert found == dict(zip((tool.name for tool in _POOL), distinct_glosses(tuple(_POOL)), strict=True))
    assert len(set(found.values())) == len(_POOL)


def test_words_of_a_tool_that_was_not_offered_select_it() -> None:
    pool = tuple(
        gloss(_tool(name, f"Lists all {name}."))
        for name in ("projects", "time entries", "project tasks", "project users")
    )
    asked = question(pool, (0, 1, 2))
    assert asked is not None
    assert resolve(asked, "I meant all project users, sorry.") not in (None, OTHER)  # a word of `just the projects`
    assert hear(start(pool, "all projects"), asked, "I meant all project users, sorry.").settled == 3
    assert hear(start(pool, "all projects"), asked, "just the projects").settled == 0


def test_an_action_that_was_not_offered_is_heard() -> None:
    pool = tuple(
        gloss(_tool(f"t{n}", text)) for n, text in enumerate(("Update a note.", "Plan a note.", "Send a note."))
    )
    asked = question(pool, (0, 1))
    assert asked is not None
    assert hear(start(pool, "a note"), asked, "Send a note, please.").settled == 2


def test_words_that_tell_nobody_anything_apart_make_no_choice() -> None:
    """`Data for a scan` is a scan; several are not one."""
    one = Tool(name="get_scan", description="Gets a scan.")
    assert are_twins(one, Tool(name="scan_data", description="Gets the data of a specific scan."))
    assert not are_twins(one, Tool(name="get_page", description="Gets the data of a page."))


def test_a_word_that_tells_apart_stands_behind_the_article() -> None:
    names = ("transfers_domestic", "transfers")
    pool = tuple(Tool(name=name, description="Redeem the payment.") for name in names)
    assert distinct_glosses(pool)[0].phrase == "redeem the domestic payment"


def test_what_a_call_is_sent_in_tells_nothing_apart() -> None:
    needs = '{"properties":{"body":{"type":"string"}},"required":["body"],"type":"object"}'
    stream = Tool(name="detectInStream", description="Detects objects.", parameters=JsonText(needs))
    pool = (Tool(name="detect", description="Detects objects."), stream)
    phrases = [one.phrase for one in distinct_glosses(pool)]
    assert len(phrases) == 2
    assert "body" not in " ".join(phrases)


def test_places_and_values_tell_searches_apart() -> None:
    """By location and by city, and not with a lon; what is made has what it takes."""

    def told(verb: str, *names: str) -> list[str]:
        tools = [
            Tool(
                name=f"x{name}",
                description=f"{verb} airports.",
                parameters=encode({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}),
            )
            for name in names
        ]
        return [found.phrase for found in distinct_glosses(tuple(tools))]

    assert told("Get", "lon", "city") == ["get airports by location", "get airports by city"]
    assert told("Create", "city", "runway") == ["create airports with a city", "create airports with a runway"]

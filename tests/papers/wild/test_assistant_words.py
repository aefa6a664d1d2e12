"""What the assistant of a wild session says its calls came to."""

from __future__ import annotations

import re
from random import Random

import pytest

from callwright.author.briefs import Known
from callwright.catalog.chunks import Chunk, Gloss
from callwright.catalog.slots import Slot, slots
from callwright.lang.kinds import Kind
from callwright.lang.nouns import Noun
from callwright.papers.wild.assistant_words import _in_plural, outcome_of, wild_closing
from callwright.papers.wild.gold_calls import PlannedCall
from callwright.papers.wild.task_briefs import CallOutcome, Mention, WildClosing
from callwright.records.dialogue import Result
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

FORECAST = Gloss("get", (Chunk("", "the weather forecast"), Chunk("of", "a city")))
NOTE = Gloss("update", (Chunk("", "a note"),))


def field(name: str, description: str, kind: Kind, value: Json) -> Known:
    return Known(Slot(name, Noun(description), kind, encode({}), ""), encode(value))


def of_city(name: str) -> tuple[Mention, ...]:
    return (Mention(field("city", "name of the city", "city", name), "said"),)


def told(*outcomes: CallOutcome, seed: int = 1) -> str:
    return wild_closing.offline(Random(seed), WildClosing(outcomes, "2026-05-04"))


def tool(name: str, description: str, source: str, returns: Json, *required: str) -> Tool:
    properties = {key: {"type": "string", "description": f"The ID of the {key[:-3]}."} for key in required}
    schema = {"type": "object", "properties": properties, "required": list(required)}
    shape = {"type": "object", "properties": returns}
    return Tool(name=name, description=description, source=source, parameters=encode(schema), returns=encode(shape))


def closing_of(one: Tool, values: dict[str, Json], result: Json, seed: int = 1) -> str:
    return told(outcome_of(PlannedCall(0, one, one.name, values, result=Result(value=encode(result)))), seed=seed)


@pytest.mark.parametrize("seed", range(6))
def test_a_result_that_repeats_the_request_does_nothing(seed: int) -> None:
    """Nobody has generated content, or found spam, who gives back the text."""
    for description in ("Generate content", "Detects spam in a comment"):
        one = tool("op", description, "", {}, "text")
        text = closing_of(one, {"text": "Describe an apple"}, {"query": "Describe an apple"}, seed)
        assert re.search(r"\b(?:repeats|request itself)\b", text)
        assert not re.search(r"generated|detected|checked", text)
        assert "The verdict is" in closing_of(one, {"text": "Describe it"}, {"verdict": "clean"}, seed)


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_asked_after_the_job(seed: int) -> None:
    """Where nothing is open."""
    assert "?" not in told(CallOutcome(NOTE, is_done=True), seed=seed)


@pytest.mark.parametrize("seed", range(12))
def test_outcomes_of_one_tool_are_told_apart(seed: int) -> None:
    """By what they are about; where that may not be said, by their order."""
    sky = (field("sky", "the sky", "enum", "clear"),)
    pair = [CallOutcome(FORECAST, of_city(name), fields=sky) for name in ("Lyon", "Nice")]
    assert all(name in told(*pair, seed=seed) for name in ("Lyon", "Nice"))
    text = told(CallOutcome(FORECAST, fields=sky), CallOutcome(FORECAST, fields=sky), seed=seed)
    assert "the first one" in text
    assert "the second one" in text


@pytest.mark.parametrize("seed", range(12))
def test_answers_about_the_same_are_told_apart_by_their_order(seed: int) -> None:
    """Where all are called by the same value; an identifier that was given is not that of what was made."""
    skies = [CallOutcome(FORECAST, of_city("Lyon"), fields=(field("sky", "sky", "enum", name),)) for name in ("a", "b")]
    text = told(*skies, seed=seed)
    assert "first" in text
    assert "second" in text
    make = tool("post_note_copies", "Trigger a rule.", "POST /orders/{id}/rule", {"id": {"type": "string"}}, "id")
    assert "77" not in closing_of(make, {"id": "77"}, {"id": "77"}, seed)


@pytest.mark.parametrize("seed", range(12))
def test_acts_that_differ_in_one_value_are_told_as_one(seed: int) -> None:
    """All cities in one sentence."""
    gloss = Gloss("delete", FORECAST.chunks)
    text = told(*(CallOutcome(gloss, of_city(name), is_done=True) for name in ("Lyon", "Nice")), seed=seed)
    assert "Lyon and Nice" in text
    assert text.count(".") == 1


@pytest.mark.parametrize("seed", range(12))
def test_what_was_done_is_said_with_the_verb_of_the_request(seed: int) -> None:
    """The note is updated, and was not `performed`."""
    assert "updated" in told(CallOutcome(NOTE, is_done=True), seed=seed)


READ = tool(
    "get_files_id",
    "Get file. Retrieves a file.",
    "GET /files/{file_id}",
    {
        "id": {"type": "string"},
        "name": {"type": "string"},
        "created_at": {"type": "string", "format": "date-time"},
        "is_archived": {"type": "boolean"},
        "owned_by": {"type": "object", "properties": {"login": {"type": "string", "format": "email"}}},
    },
    "file_id",
)


@pytest.mark.parametrize("seed", range(12))
def test_a_thing_that_was_read_is_told_by_its_name_and_days(seed: int) -> None:
    """Flags are no verdicts, and the owner's address is not the file's."""
    result: Json = {
        "id": "1",
        "name": "Plan.pdf",
        "created_at": "2026-04-02T10:00:00Z",
        "is_archived": False,
        "owned_by": {"login": "ada@example.com"},
    }
    text = closing_of(READ, {"file_id": "1"}, result, seed)
    assert 'The name is "Plan.pdf" and it was created on April 2, 2026' in text
    assert "example.com" not in text
    assert "archived" not in text


@pytest.mark.parametrize("seed", range(12))
def test_one_day_is_told_once(seed: int) -> None:
    """What was made today was not changed on another day."""
    days: Json = {"id": "1", "created_at": "2026-04-02T10:00:00Z", "updated_at": "2026-04-02T10:00:00Z"}
    assert closing_of(READ, {"file_id": "1"}, days, seed).count("April 2") == 1
    assert "details" in (text := closing_of(READ, {"file_id": "1"}, {"id": "1"}, seed)) or "nothing more" in text


@pytest.mark.parametrize("seed", range(12))
def test_lists_of_one_tool_are_told_apart(seed: int) -> None:
    """Each list with what it is about; a single one needs none of that."""
    pair = [CallOutcome(FORECAST, of_city(name), listed=("a", "b"), noun="day") for name in ("Lyon", "Nice")]
    text = told(*pair, seed=seed)
    assert text.startswith("Name of the city Lyon: ")
    assert " Name of the city Nice: " in text
    assert "Lyon:" not in told(pair[0], seed=seed)


@pytest.mark.parametrize("seed", range(6))
def test_lists_of_things_with_long_identifiers_are_told_by_these(seed: int) -> None:
    """`For the first site, there are 2 plugins`, and no `first plugin: there are 2 plugins`."""
    plugins = Gloss("get", (Chunk("", "the plugin"), Chunk("of", "a site")))
    site = [Known(Slot("site_id", Noun("site ID"), "code", encode({}), ""), encode(one * 60)) for one in "ab"]
    pair = [CallOutcome(plugins, (Mention(one, "unsaid"),), listed=("Rain", "Sun"), noun="plugin") for one in site]
    text = told(*pair, seed=seed)
    assert text.startswith("For the first site, ")
    assert "For the second site, " in text
    assert "plugin:" not in text


@pytest.mark.parametrize("seed", range(12))
def test_lists_are_counted_and_named(seed: int) -> None:
    """By the names of their items; roles that a thing allows are no list of things."""
    items: Json = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
    find = tool("get_files", "List files. Lists all files.", "GET /files", {"entries": items})
    text = closing_of(find, {}, {"entries": [{"name": "a.pdf"}, {"name": "b.pdf"}]}, seed)
    assert "2 files" in text
    assert '"a.pdf" and "b.pdf"' in text


@pytest.mark.parametrize("seed", range(12))
def test_what_was_created_is_told_with_its_identifier(seed: int) -> None:
    """So that the next request can be about it; nothing else of the result is told."""
    make = tool("create_site", "Create a site.", "POST /sites", {"id": {"type": "string"}, "plan": {"type": "string"}})
    text = closing_of(make, {}, {"id": "57582", "plan": "starter"}, seed)
    assert re.fullmatch(r".*the site.* created\. The ID is 57582\.", text, re.IGNORECASE)


def test_values_only_results_have_are_not_said() -> None:
    """Nor secrets: what the request kept to itself stays there."""
    call = PlannedCall(0, READ, "get_file", {"file_id": "481"}, ways={"file_id": "fed"})
    assert [mention.way for mention in outcome_of(call).mentions] == ["unsaid"]
    assert slots(READ)["file_id"].kind == "code"


@pytest.mark.parametrize(
    ("thing", "said"),
    [
        ("the payment", "the payments"),
        ("queues research-queue and sales-queue", "queues research-queue and sales-queue"),
        ("the rule of the account", "the rules of the account"),
        ("the contacts", "the contacts"),
        ("card 7 and card 8", "card 7 and card 8"),
    ],
)
def test_several_acts_are_on_several_things(thing: str, said: str) -> None:
    """What is called by identifiers is named as it is."""
    assert _in_plural(thing) == said


TEXT: Json = {"type": "string"}


def test_the_identifier_told_is_that_of_what_was_created() -> None:
    """`conversation_id` where the bare one is said to be the message's; what was joined has none to tell."""
    first = {"id": {"type": "string", "description": "The id of the message."}, "conversation_id": TEXT}
    make = tool("createConversation", "Create a conversation.", "POST /conversations", first)
    assert closing_of(make, {}, {"id": "17", "conversation_id": "28"}).endswith("The ID is 28.")
    join = tool(
        "attachContact", "Attach a contact to a company.", "POST /contacts/{contact_id}/companies",
        {"id": TEXT}, "contact_id", "company_id",
    )  # fmt: skip
    assert "The ID" not in closing_of(join, {"contact_id": "1", "company_id": "2"}, {"id": "77"})


def test_things_held_by_their_identifiers_are_counted() -> None:
    """No one of several is told as if it were alone."""
    one: Json = {"type": "object", "properties": {"id": TEXT, "name": TEXT}}
    held: Json = {"variables": {"type": "object", "additionalProperties": one}}
    look = tool("getVariables", "Get variables.", "GET /files/{file_id}/variables", held, "file_id")
    found = {"1": {"id": "1", "name": "Compass"}, "2": {"id": "2", "name": "Foxglove"}}
    text = closing_of(look, {"file_id": "9"}, {"variables": found})
    assert '2 variables: "Compass" and "Foxglove"' in text


@pytest.mark.parametrize("seed", range(4))
def test_a_fact_that_the_result_lacks_is_said_to_be_lacking(seed: int) -> None:
    """Whoever asks for a status is not told a title as the answer."""
    look = tool("getStatus", "Get the status of a task.", "GET /tasks/{task_id}/status", {"title": TEXT}, "task_id")
    text = closing_of(look, {"task_id": "9"}, {"title": "Falcon"}, seed)
    assert "doesn't" in text
    told = closing_of(look, {"task_id": "9"}, {"title": "Falcon", "status": "paused"}, seed)
    assert "its status is paused" in told.lower()
    assert "doesn't" not in told

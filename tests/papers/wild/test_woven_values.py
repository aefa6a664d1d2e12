"""Values in the phrase of a wish itself, as people say them."""

from __future__ import annotations

from random import Random

import pytest

from callwright.author.briefs import Known
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.papers.wild.request_phrases import Phrase, noted, phrase
from callwright.papers.wild.task_briefs import Mention, MentionWay, Reference, Wish, entity_of
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Tool

TEXT: dict[str, Json] = {"type": "string"}
NUMBER: dict[str, Json] = {"type": "integer"}


def choice(*options: str) -> dict[str, Json]:
    return {"type": "string", "enum": list(options)}


def tool(description: str, **properties: dict[str, Json]) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return Tool(name="doIt", description=description, parameters=encode(schema))


def said(one: Tool, ways: dict[str, MentionWay] | None = None, **values: Json) -> Phrase:
    """Return a request for the tool with these values; what is hidden is referred to as `that`."""
    mentions = tuple(
        Mention(Known(slots(one)[name], encode(value)), way, Reference(hiding="coreference" if way == "hidden" else ""))
        for name, value in values.items()
        for way in [(ways or {}).get(name, "said")]
    )
    return phrase(Random(3), Wish(gloss(one), mentions), "2026-05-04")


def told(one: Tool, **values: Json) -> str:
    found = said(one, **values)
    return f"{found.do}.{noted(found.notes, 'verbose')}"


def test_what_is_new_is_called_by_its_name() -> None:
    """And what an update sets, it is changed to."""
    create = tool("Create a site.", name=TEXT, account_id=TEXT)
    assert said(create, name="Harbour", account_id="A-1").do == 'create a site called "Harbour" for account A-1'
    several = tool("Creates sites to a site group.", site_group_id=TEXT, name=TEXT)
    assert said(several, name="Harbour", site_group_id="G-1").do == 'add a site called "Harbour" to site group G-1'
    update = tool("Update a site.", site_id=TEXT, site_name=TEXT)
    assert said(update, site_id="57582", site_name="Harbour").do == 'change the name of site 57582 to "Harbour"'


def test_a_change_of_a_value_is_one_to_it() -> None:
    """And it is not said after it that `the due date is`."""
    move = tool("Move the due date of a task.", task_id=TEXT, due_date={"type": "string", "format": "date"})
    found = said(move, task_id="T-1", due_date="2026-06-30")
    assert found.do.startswith("move the due date of task T-1 to ")
    assert not found.notes


@pytest.mark.parametrize(
    ("one", "values", "do"),
    [
        (tool("List jobs.", page_size=NUMBER, page=NUMBER), (3, 100), "jobs with a page size of 100 (page 3)"),
        (tool("List points.", group_by=choice("team", "day")), ("team",), "points grouped by team"),
        (tool("List prices.", currency={"type": "string", "description": "Currency code"}), ("ILS",), "prices in"),
        (tool("List events.", type=choice("public", "private")), ("public",), "events of type public"),
        (tool("Get artists.", artist_name=TEXT), ("Queen",), 'artists called "Queen"'),
        (tool("Get messages.", channel_name=TEXT), ("lunch",), 'messages for the channel "lunch"'),
        (tool("Log hours of work.", number_of_hours=NUMBER), (3,), "log 3 hours of work"),
        (tool("Get a price for a number of words.", number_of_words=NUMBER), (400,), "price for 400 words"),
        (tool("Issue an invoice.", amount=NUMBER), (20,), "issue an invoice of 20"),
        (tool("Pay an invoice in part.", amount=NUMBER), (20,), "pay an invoice in part with an amount of 20"),
    ],
)
def test_a_value_stands_where_people_say_it(one: Tool, values: tuple[Json, ...], do: str) -> None:
    """No form says it: `The grouping is team`."""
    assert do in said(one, **dict(zip(slots(one), values, strict=True))).do


def test_an_action_is_an_act() -> None:
    """`The action is pay` is none."""
    one = tool("Process an order.", order_id=TEXT, action=choice("pay", "refund"))
    update = tool("Update an order.", order_id=TEXT, action=choice("pay", "refund"))
    assert told(update, order_id="A-1", action="pay") == "update order A-1. Pay it."
    assert told(one, order_id="A-1", action="pay") == "process order A-1. Pay it."
    code = tool("Generate a QR code for an order.", order_id=TEXT, action=choice("pay", "details"))
    assert told(code, order_id="A-1", action="pay") == "generate a QR code for order A-1 with action pay."


def test_a_thing_is_called_by_its_type() -> None:
    """`Item 6718. The type of item is folder` is none; several things have no such name."""
    one = tool("Assign a policy.", item_type=choice("folder", "interactions"), item_id=TEXT)
    assert "folder 6718" in said(one, item_type="folder", item_id="6718").do
    assert "item 6718" in said(one, item_type="interactions", item_id="6718").do


def test_what_would_not_be_heard_or_belongs_to_another_verb_has_a_sentence() -> None:
    """`Low` is heard in `is low`; to replace a cup with damaged is to put damage in its place."""
    risk = tool("Add a risk to a project.", project_id=TEXT, likelihood=choice("low", "high"))
    assert told(risk, project_id="P-1", likelihood="low").endswith("The likelihood is low.")
    cup = tool("Replace an item.", item_id=TEXT, reason=choice("damaged", "lost"))
    assert told(cup, item_id="I-1", reason="damaged") == "replace item I-1. Reason: damaged."


def test_an_owner_is_said_once() -> None:
    """Of `site forms`, `forms for that site`; with a spelling of its own it is the same thing too."""
    forms = tool("List site forms.", site_id=TEXT)
    assert said(forms, {"site_id": "hidden"}, site_id="57582").do.endswith(" forms for that site")
    users = tool("List all users in a User Group.", usergroup={"type": "string", "description": "The ID of the group."})
    assert said(users, {"usergroup": "hidden"}, usergroup="S-1").do.endswith(" users in that User Group")


def test_what_is_known_is_the_thing() -> None:
    """A form without its own identifier is `the form` of its site; a new one is `a form`."""
    show = tool("Get a certificate.", site_id=TEXT)
    create = tool("Create a certificate.", site_id=TEXT)
    hidden: dict[str, MentionWay] = {"site_id": "hidden"}
    assert said(show, hidden, site_id="1").do.endswith(" the certificate for that site")
    assert said(create, hidden, site_id="1").do == "create a certificate for that site"


@pytest.mark.parametrize(
    ("name", "entity"), [("zip_code", "zip code"), ("subscribe_key", "subscribe key"), ("song_id", "song")]
)
def test_a_thing_has_a_noun(name: str, entity: str) -> None:
    """`That zip` and `that subscribe` are none."""
    one = tool("Do it.", **{name: TEXT})
    assert entity_of(slots(one)[name]) == entity

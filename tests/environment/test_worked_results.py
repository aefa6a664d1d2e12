"""Numbers and words of a result that follow from others: of the weather, of discounts, of what is new."""

from __future__ import annotations

import pytest
from test_agreeing_sessions import COUNT, TEXT, Session, several, thing, tool

from callwright.environment.tool_target import ToldPlace
from callwright.environment.weather import plausible
from callwright.records.jsontext import Json

SEEDS = range(6)
MONEY: Json = {"type": "number"}


def told(**fields: Json) -> dict[str, Json]:
    """The fields of a thing after the edits of its weather."""
    for edit in plausible(ToldPlace("thing", "weather", fields, {})):
        edit.place[edit.name] = edit.value
    return fields


def test_the_weather_goes_together() -> None:
    """Snow falls in the cold, fog is damp, a gust is above the wind, and it feels about as warm as it is."""
    assert told(temp_c=20, conditions="Light snow")["conditions"] == "Light rain"
    assert told(temp_c=-2, conditions="Light snow")["conditions"] == "Light snow"
    assert told(temperature=9, humidity=40, condition={"text": "Foggy"})["condition"] == {"text": "Cloudy"}
    assert told(temperature=9, humidity=95, condition={"text": "Foggy"})["condition"] == {"text": "Foggy"}
    assert told(wind_speed=30, wind_gust=12)["wind_gust"] == 30
    assert told(temp=12, feels_like=31)["feels_like"] == 12
    assert told(temp=12, feels_like=10)["feels_like"] == 10


@pytest.mark.parametrize("seed", SEEDS)
def test_a_second_discount_lowers_the_total_again(seed: int) -> None:
    """By its share of what the first left."""
    discount = tool("", "discount_quote", thing(quote_id=TEXT, total=MONEY), quote_id=TEXT, discount_percent=COUNT)
    session = Session(discount, seed=seed)
    first = session.do("discount_quote", quote_id="Q-7", discount_percent=30)["total"]
    assert session.do("discount_quote", quote_id="Q-7", discount_percent=10)["total"] == round(first * 0.9, 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_invoiced_of_what_is_new(seed: int) -> None:
    """A payment that is made has its amount."""
    task, payment = thing(id=TEXT, amount_invoiced=MONEY, view_count=COUNT), thing(id=TEXT, amount_paid=COUNT)
    tools = (tool("POST /tasks", "createTask", task), tool("POST /payments", "createPayment", payment))
    session = Session(*tools, seed=seed)
    made = session.do("createTask")
    assert (made["amount_invoiced"], made["view_count"]) == (0, 0)
    assert session.do("createPayment")["amount_paid"] > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_schedule_is_of_the_day_that_was_asked_for(seed: int) -> None:
    """Where the document names it by the day of its example; and who is dead was born before."""
    games = thing(**{"20230616": thing(games=several(thing(uid=TEXT, name=TEXT)))})
    tools = (
        tool("", "getSchedule", {**games, "required": []}, year=TEXT, month=TEXT, day=TEXT),
        tool("", "getPerson", thing(birthYear=TEXT, deathYear=TEXT), peopleid=TEXT),
    )
    session = Session(*tools, seed=seed)
    assert list(session.do("getSchedule", year="2025", month="09", day="2")) == ["20250902"]
    person = session.do("getPerson", peopleid="nm7")
    assert int(person["birthYear"]) < int(person["deathYear"])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_one_thing_that_a_search_found_is_called_as_searched_for(seed: int) -> None:
    """Under the title of its noun."""
    session = Session(tool("", "searchJobs", thing(job_title=TEXT, salary=TEXT), keyword=TEXT), seed=seed)
    assert session.do("searchJobs", keyword="python developer")["job_title"] == "python developer"


@pytest.mark.parametrize("seed", SEEDS)
def test_flags_and_counts_go_with_the_request(seed: int) -> None:
    """A listed channel is one, a page has no more than was asked for, and an account is called as its slug."""
    channel, flag = thing(id=TEXT, is_channel={"type": "boolean"}, is_private={"type": "boolean"}), {"is_channel": True}
    site = thing(id=TEXT, account_slug=TEXT, account_name=TEXT)
    session = Session(
        tool("GET /channels", "listChannels", several(channel)),
        tool("GET /products", "getProducts", thing(summary=thing(count=COUNT)), limit=COUNT),
        tool("GET /{account_slug}/sites", "listSites", several(site)),
        seed=seed,
    )
    channels = session.do("listChannels")
    assert channels
    assert all(flag.items() <= one.items() and not one["is_private"] for one in channels)
    assert session.do("getProducts", limit=2)["summary"]["count"] <= 2
    assert {one["account_name"] for one in session.do("listSites", account_slug="blue-heron")} == {"Blue Heron"}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_of_a_sport_is_a_match(seed: int) -> None:
    """And a video game is none."""
    games = thing(games=several(thing(id=TEXT, name=TEXT)))
    for name, is_match in (("getFootballGames", True), ("getVideoGames", False)):
        told = Session(tool("", name, games), seed=seed).do(name)["games"]
        assert told
        assert all((" v " in one["name"]) is is_match for one in told)

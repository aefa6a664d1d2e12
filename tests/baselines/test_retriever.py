"""`builtin/retriever`: hand-written conversations, messy ones and hostile ones."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from callwright.baselines.filling import Answer, fill, raw_answer
from callwright.baselines.free_words import bare, clauses, told_as
from callwright.baselines.retriever import RetrieverBaseline
from callwright.catalog.slots import slots
from callwright.models.chat import ChatReply, ChatRequest, Message
from callwright.records.dialogue import Call
from callwright.records.jsontext import encode
from callwright.records.tool import Tool

TODAY = "Today is 2026-03-02."


def tool(name: str, description: str = "", required: tuple[str, ...] | None = None, **properties: Any) -> Tool:
    document = {"type": "object", "properties": properties, "required": list(required or properties)}
    return Tool(name=name, description=description, parameters=encode(document))


def text(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


DAY = {"type": "string", "format": "date"}
ANNUAL = tool(
    "request_annual_leave",
    "Request time off for a holiday.",
    ("start_date", "end_date"),
    start_date=DAY | {"description": "start date"},
    end_date=DAY | {"description": "end date"},
    note=text("note for the manager"),
)
SICK = tool(
    "request_sick_leave",
    "Request time off for an illness.",
    start_date=DAY | {"description": "start date"},
    doctor=text("name of the doctor"),
)
PAY = tool(
    "pay_invoice",
    "Pay a supplier invoice.",
    invoice_id=text("invoice number", examples=["INV-20391"]),
    amount={"type": "number", "description": "amount in euros"},
    account=text("account", enum=["main", "savings"]),
    notify={"type": "boolean", "description": "whether to notify the supplier"},
)
CASE = tool(
    "open_case",
    "Open a case for a customer.",
    title=text("title of the case"),
    details=text("description of the problem"),
    email=text("email address of the customer", format="email"),
)
POOL = (ANNUAL, SICK, PAY, CASE)


def ask(request: ChatRequest) -> ChatReply:
    return asyncio.run(RetrieverBaseline().reply(request, Random(1)))


def converse(*said: str, tools: tuple[Tool, ...] = POOL, today: str = TODAY) -> tuple[ChatReply, list[str]]:
    """The last reply of a conversation in which the user says these things, and all that the assistant said."""
    messages, replies = [Message("system", f"You help. {today}")], list[str]()
    reply = ChatReply()
    for line in said:
        messages.append(Message("user", line))
        reply = ask(ChatRequest(tuple(messages), tools))
        replies.append(reply.content)
        messages.append(Message("assistant", reply.content))
    return reply, replies


def called(*said: str, tools: tuple[Tool, ...] = POOL) -> tuple[str, dict[str, Any]]:
    reply, replies = converse(*said, tools=tools)
    assert len(reply.calls) == 1, replies
    return reply.calls[0].tool, reply.calls[0].values


def test_asks_what_tells_look_alikes_apart() -> None:
    """A request that fits two tools is answered by a question that names both, and calls nothing."""
    reply, _ = converse("Hi, I need some time off.")
    assert not reply.calls
    assert "holiday" in reply.content
    assert "illness" in reply.content


def test_a_whole_conversation() -> None:
    """Choice, two values in one answer, call: with relative dates read by the date of the system message."""
    assert called("I'd like some time off", "a holiday please", "from tomorrow until March 20") == (
        "request_annual_leave",
        {"start_date": "2026-03-03", "end_date": "2026-03-20"},
    )


def test_dates_go_by_their_nouns() -> None:
    """Values go to the parameter named beside them, whatever the order."""
    name, values = called("time off", "the holiday one", "end date is 2026-05-09, and the start date should be May 4")
    assert (name, values) == ("request_annual_leave", {"start_date": "2026-05-04", "end_date": "2026-05-09"})


def test_values_said_early_are_kept() -> None:
    """What the first message tells is not asked for again."""
    reply, _ = converse("Can you pay supplier invoice INV-55120?")
    assert not reply.calls
    assert "invoice number" not in reply.content.lower()


def test_amounts_choices_and_yes_no() -> None:
    """Amount, choice and consent are read from short, untidy answers."""
    name, values = called(
        "pls pay invoice INV-55120", "uhm 1,250.50 € i think", "the savings one", "nope no need to notify them"
    )
    assert name == "pay_invoice"
    assert values == {"invoice_id": "INV-55120", "amount": 1250.5, "account": "savings", "notify": False}


def test_slips_are_corrected() -> None:
    """Of a value and its correction the latter counts."""
    _, values = called("a holiday: time off", "start date: 4 May, sorry, 5 May; end date 8 May")
    assert values == {"start_date": "2026-05-05", "end_date": "2026-05-08"}


def test_free_words_lose_their_wrapping() -> None:
    """Titles and descriptions are what is left of an answer."""
    name, values = called(
        "open a case for a customer",
        'Let me think... the title should be "Printer on fire".',
        "well, the printer smokes and smells, as far as I know",
        "sure: anna.k@example.org",
    )
    assert name == "open_case"
    assert values == {
        "title": "Printer on fire",
        "details": "the printer smokes and smells",
        "email": "anna.k@example.org",
    }


def test_other_wishes_are_declined() -> None:
    """Where the user wants none of what is offered, in words that no tool has, nothing is called."""
    reply, _ = converse("I need time off", "neither, I want to cancel my parking permit")
    assert not reply.calls
    assert "?" not in reply.content


def test_a_protest_reopens_the_choice() -> None:
    """Told that the wrong thing is being done, it starts over from there."""
    reply, _ = converse("open a case for a customer", "no, something else: pay a supplier invoice")
    assert not reply.calls
    assert "invoice" in reply.content.lower()


def test_optional_parameters_are_left_out() -> None:
    """Nothing is called with a parameter that is not required."""
    _, values = called("time off for a holiday, start date May 4, end date May 8. Note for the manager: back soon")
    assert set(values) == {"start_date", "end_date"}


def test_what_cannot_be_read_is_given_up() -> None:
    """A code that never comes is not made up: after some questions it says that it cannot go on."""
    reply, replies = converse("pay a supplier invoice", *["I have no idea"] * 5)
    assert not reply.calls
    assert "?" not in reply.content, replies


def test_it_is_a_function_of_the_conversation() -> None:
    """The same messages give the same reply, whatever was asked before."""
    model = RetrieverBaseline()
    request = ChatRequest((Message("system", TODAY), Message("user", "time off for an illness from today")), POOL)
    first = asyncio.run(model.reply(request, Random(4)))
    asyncio.run(model.reply(ChatRequest((Message("user", "pay it"),), POOL), Random(9)))
    assert asyncio.run(model.reply(request, Random(4))) == first


def test_a_tool_without_parameters_is_called_at_once() -> None:
    """Nothing is asked where nothing is missing."""
    assert called("show the canteen menu", tools=(tool("menu", "Show the canteen menu."),)) == ("menu", {})


@pytest.mark.parametrize(
    "tools",
    [
        (),
        (Tool(name="x"),),
        (Tool(name="x"), Tool(name="y", parameters=encode([1])), Tool(name="z", parameters=encode({"properties": 3}))),
        tuple(Tool(name=f"tool_{number}", description="Does a thing." * 3) for number in range(500)),
        (tool("größe_ändern", "Ändert die Größe.", größe={"type": "integer"}), tool("サイズ", "サイズを変更", 幅={})),
        (tool("a", "!!!", b={"type": ["string", "null"], "enum": [None, 1, "c"]}, c={"anyOf": []}),),
        (tool("a", "...", ("gone",)), tool("a_", "Set it", b={"type": "array", "items": {"type": "object"}})),
    ],
    ids=["none", "bare", "broken", "500", "foreign", "odd", "gone"],
)
def test_hostile_tools(tools: tuple[Tool, ...]) -> None:
    """Tools without words, schemas without sense and long lists are answered, not failed on."""
    reply, replies = converse("Größe ändern bitte, 5", "was?", "", "the second", "5, no, 6", "yes", tools=tools)
    assert replies
    assert all(replies)
    assert all(call.tool in {one.name for one in tools} for call in reply.calls)


@pytest.mark.parametrize(
    "messages",
    [
        (),
        (Message("system", ""),),
        (Message("user", ""),),
        (Message("assistant", "Hello!"),),
        (Message("user", "   "), Message("assistant", ""), Message("user", "\n")),
        (Message("tool", "{}", call_id="1"),),
        (Message("assistant", "Hi"), Message("user", "time off"), Message("user", "for an illness")),
        (Message("system", "Today is 2026-99-99."), Message("user", "sick leave from tomorrow")),
    ],
)
def test_odd_conversations(messages: tuple[Message, ...]) -> None:
    """Conversations that are empty, start elsewhere or lie about the date get a sensible reply."""
    reply = ask(ChatRequest(messages, POOL))
    assert reply.content
    assert not reply.calls


@given(st.lists(st.text(max_size=80), max_size=4))
@example(["pay a supplier invoice", "INV-55120", "4471"])
def test_any_words(said: list[str]) -> None:
    """Whatever is said, there is a reply, and its call fits its tool's parameters by name."""
    reply, _ = converse(*said) if said else (ask(ChatRequest((), POOL)), [])
    for call in reply.calls:
        documented = next(one for one in POOL if one.name == call.tool)
        assert set(call.values) == set(documented.required)


def test_long_texts_are_bounded() -> None:
    """Very long messages of every shape are read in bounded time."""
    for piece in ("a ", ", ", "the title is ", '"', "copied from ", "no sorry ", "1/", "A-", "é", "\t "):
        converse("open a case for a customer", piece * 30_000, piece * 30_000)


# -- pieces ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("The reason is: a trip abroad.", "a trip abroad"),
        ("well, basically a trip abroad, I think", "a trip abroad"),
        ('You can put "A trip abroad"', "A trip abroad"),
        ("reason - a trip abroad", "a trip abroad"),
        ("A trip abroad for the reason.", "A trip abroad"),
        ("It's a trip abroad, please", "a trip abroad"),
        ("", ""),
    ],
)
def test_bare(said: str, left: str) -> None:
    """What leads up to a value and what follows it goes."""
    assert bare(said, "reason") == left


def test_clauses() -> None:
    """Texts part at stops, commas and `and`, but not inside a noun."""
    said = "street and house number is 5 Oak Lane, and the city is Bonn"
    parts = [said[part.start : part.end] for part in clauses(said, ["street and house number"])]
    assert parts == ["street and house number is 5 Oak Lane", "the city is Bonn"]


def test_told_as() -> None:
    """How surely a clause tells a value by its noun."""
    said = ["the item is a lamp", "a lamp as the item", "item lamp", "an order for an item", "nothing"]
    assert [told_as(one, "item") for one in said] == [3, 2, 1, 0, 0]


def test_no_words_serve_twice() -> None:
    """One date said once fills one of two dates."""
    wanted = [slots(ANNUAL)[name] for name in ANNUAL.required]
    assert len(fill(wanted, [Answer("4 May", ("start_date", "end_date"))], today=None)) <= 1


def test_raw_answers() -> None:
    """Words are guessed where any words may be right; codes and choices are not."""
    title, email = slots(CASE)["title"], slots(CASE)["email"]
    answers = [Answer("hm, dunno", ("title", "email"))]
    assert raw_answer(title, answers) == "dunno"
    assert raw_answer(email, answers) is None
    assert raw_answer(title, [Answer("dunno")]) is None


def test_calls_of_others_are_no_trouble() -> None:
    """A conversation that already holds a call goes on."""
    messages = (
        Message("system", TODAY),
        Message("user", "time off for an illness from 4 May"),
        Message("assistant", "", (Call("request_sick_leave", encode({})),)),
        Message("tool", "error", call_id="1"),
        Message("user", "the doctor is Dr Anna Klein"),
    )
    assert ask(ChatRequest(messages, POOL)).calls

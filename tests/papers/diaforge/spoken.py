"""Dialogues over the bundled catalogue as people would have them, written by hand."""

from __future__ import annotations

from callwright.records.annotations.diaforge_notes import DiaforgeNotes, Disclosure
from callwright.records.dialogue import (
    Call,
    Dialogue,
    GoldArgument,
    GoldCall,
    Participant,
    Provenance,
    ShownTool,
    Step,
    Task,
    Turn,
)
from callwright.records.jsontext import Json, encode
from diaforge_builders import bundled


def build(
    gold: str, rivals: tuple[str, ...], values: dict[str, Json], due: dict[str, int], script: str, today: str = ""
) -> Dialogue:
    """A dialogue from a script: what the user says, what the assistant thinks in brackets, what it says, and so on."""
    lines = [line.strip() for line in script.strip().splitlines()]
    turns: list[Turn] = []
    for number in range(0, len(lines), 3):
        said, thought, reply = lines[number : number + 3]
        calls = (Call(gold, encode(values), id="call_1"),) if number + 3 == len(lines) else ()
        turns += [Turn("user", said), Turn("assistant", reply, (Step(thought.strip("()"), calls=calls),))]
    arguments = tuple(GoldArgument(name, (encode(value),)) for name, value in values.items())
    return Dialogue(
        id=f"spoken-{gold}",
        recipe="diaforge.v1",
        participants=(Participant("user", "user"), Participant("assistant", "assistant")),
        turns=tuple(turns),
        tools=tuple(ShownTool(bundled().by_name[name].key, name) for name in (gold, *rivals)),
        tasks=(Task("single", gold=(GoldCall(gold, arguments),), turn=0),),
        provenance=Provenance(author="hand", callwright="0"),
        today=today,
        annotation=DiaforgeNotes(
            gold_tool=gold,
            distractors=rivals,
            disclosed=tuple(Disclosure(turn, name) for name, turn in due.items()),
        ),
    )


def training() -> Dialogue:
    """An approval; the assistant acknowledges and asks in its own way."""
    return build(
        "approve_internal_training",
        ("approve_external_training", "reject_training_request", "list_pending_training"),
        {"training_request_id": "TR-4188"},
        {"training_request_id": 4},
        """
        Morning. I have somebody waiting on training sign-off, and I'd like that off my desk today.
        (Two tools could approve this, so I find out who runs the course.)
        Sure. Is that course run in-house, or does it go to an outside provider?
        In-house. Priya's, the one about giving feedback.
        (In-house it is; the number is still open.)
        Got it. Which request is it? The number is in the mail you got.
        Hang on... TR-4188, if I read that right.
        (All there, so I approve it now.)
        Done in a second. Priya will hear about it by mail.
        """,
    )


def refund() -> Dialogue:
    """A terse customer clerk."""
    return build(
        "refund_item",
        ("refund_order", "replace_item"),
        {"order_id": "88213", "item": "kettle", "reason": "damaged"},
        {"order_id": 0, "item": 2, "reason": 2},
        """
        refund for order 88213
        (Whole order or one item, that decides the tool.)
        I can do a full refund or only one of the items. Which is it?
        just the kettle. it came damaged
        (Item and reason are clear, nothing is missing.)
        Sorry about that. The money for the kettle is on its way back.
        """,
    )


def leave() -> Dialogue:
    """Days said in different ways, and small talk about time that names no day."""
    return build(
        "request_annual_leave",
        ("request_sick_leave", "request_unpaid_leave", "request_parental_leave"),
        {"start_date": "2026-11-05", "end_date": "2026-11-13"},
        {"start_date": 4, "end_date": 4},
        """
        Hey, can you put in some time off for me? Next month sometime, we are finally going away.
        (It sounds like a holiday, but sick, unpaid and parental leave exist as well.)
        How nice! Should it come off your allowance as a normal holiday, or would this be unpaid?
        Off the allowance, a plain holiday. No kids involved, ha.
        (So annual leave; both days are open.)
        Lovely. From when until when, please?
        From November 5 to the 13th of November. Back in the week after.
        (I know both days and can file it.)
        Filed. Have a great trip!
        """,
        today="2026-10-19",
    )


def transfer() -> Dialogue:
    """Two values of one kind in one breath, each with its name; a number said in words."""
    return build(
        "transfer_stock",
        ("reserve_stock", "write_off_stock", "show_stock_level"),
        {"from_warehouse": "north", "to_warehouse": "harbour", "product_code": "A-3047", "quantity": 12},
        {"from_warehouse": 2, "to_warehouse": 2, "product_code": 4, "quantity": 4},
        """
        I've got some stock sitting in the wrong place.
        (It could be a move, a reservation or a write-off.)
        Oh no. Do you want it brought to another warehouse, set aside for an order, or written off?
        Brought over, yes. The warehouse of origin is north and the destination warehouse is harbour.
        (Only product and number are missing.)
        Understood. Let me know the product code and how many units, then.
        A-3047. Twelve of them.
        (That completes the arguments.)
        Perfect, they'll be there tomorrow evening.
        """,
    )


SPOKEN = {make.__name__: make for make in (training, refund, leave, transfer)}
"""Name to maker."""

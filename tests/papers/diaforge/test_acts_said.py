"""Acts in somebody's words, and what the guard of the live user makes of them."""

from __future__ import annotations

import msgspec
import pytest

from callwright.author.briefs import Request, known_values
from callwright.catalog.gloss import gloss
from callwright.lang.tokens import stem_set
from callwright.papers.diaforge.acts_said import acts_in, other_act
from callwright.papers.diaforge.user_guard import guard_faults
from callwright.papers.diaforge.user_policy import UserState, heard_by
from made_dialogues import enterprise


def user(tool: str, other: str, values: dict[str, object], *, picked: bool) -> UserState:
    """A user who wants what the tool does, and has told nothing yet."""
    gold, rival = (enterprise().by_name[name] for name in (tool, other))
    return UserState(
        gold=gloss(gold),
        others=(gloss(rival),),
        known=tuple(known_values(gold, values)),
        request=Request("", ""),
        names=stem_set(gloss(gold).phrase),
        today="2027-03-01",
        picked=picked,
    )


ORDER = {"purchase_order_id": "PO-25340"}
NDA = {"company_name": "Kestrel Tools", "start_date": "2027-03-05"}


def kinds(state: UserState, heard: str, text: str) -> set[str]:
    return {fault.kind for fault in guard_faults(state, heard_by(state, heard), heard, text, 2)}


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("It should all be erased, please.", {"remove"}),
        ("Take one off a ticket, please.", {"remove"}),
        ("I'd like to get rid of it.", {"remove", "see"}),
        ("I have one that needs changing.", {"change"}),
        ("It's a new one that I'd like to add.", {"make"}),
        ("I only want to read it.", {"see"}),
        ("Do you want to read it, or shall it be deleted?", {"see", "remove"}),
        ("It was added yesterday.", set()),
        ("I've changed my mind.", set()),
    ],
)
def test_acts_are_read_from_what_is_asked_for(text: str, acts: set[str]) -> None:
    """What was done before asks for nothing."""
    assert acts_in(text) == acts


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("Cancel it, please, nobody needs it any more.", "remove"),
        ("Don't cancel it.", None),
        ("Approve it, I have to stop thinking about it.", None),
        ("I'd like to add one.", None),
        ("Please go ahead with it.", None),
        ("I see, then go ahead.", None),
    ],
)
def test_another_act_is_one_of_another_tool(text: str, act: str | None) -> None:
    """No act that is turned down, that no tool does, or that stands beside the wanted one."""
    gold, other = (gloss(enterprise().by_name[name]) for name in ("approve_purchase_order", "cancel_purchase_order"))
    assert other_act(text, gold, (other,)) == act


EITHER = "Do you want to approve it, or cancel it?"
SURE = "I approve the purchase order PO-25340 now. Shall I go ahead?"


@pytest.mark.parametrize(
    ("picked", "heard", "text", "found"),
    [
        (False, EITHER, "Cancel it, nobody needs it.", {"goal_drift"}),
        (False, EITHER, "Approve it, please.", set()),
        (
            False,
            "Do you want to approve an order, or only see a purchase order?",
            "An order that I can approve.",
            set(),
        ),
        (False, "Shall I approve only this purchase order?", "No, I should like to have all of them approved.", set()),
        (True, SURE, "Yes, then bye bye order!", set()),
        (True, SURE, "Never mind, bye.", {"left_early"}),
        (True, SURE, "No, that's not what I want at all.", {"denial"}),
        (True, SURE, "No, I never asked for that.", {"denial"}),
        (True, "Shall I go ahead?", "That's not what I meant at all.", {"denial"}),
        (False, "Should it be looked at or cancelled?", "It's all here, I counted twice.", set()),
        (True, "Shall I cancel another one as well?", "No, I never asked for that.", set()),
        (True, "The purchase order PO-25430, is that right?", "No, I never asked for that, it is PO-25340.", set()),
    ],
)
def test_the_wish_may_not_be_turned(picked: bool, heard: str, text: str, found: set[str]) -> None:
    """Neither to another act nor to nothing; what is no part of it may be turned down."""
    state = user("approve_purchase_order", "cancel_purchase_order", ORDER, picked=picked)
    assert kinds(state, heard, text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It should be called Riverside Partners.", {"value_not_gold"}),
        ("With Kestrel Trading.", {"value_not_gold"}),
        ('It is "Kestrel Forge".', {"value_not_gold"}),
        ("It's Kestrel Tools, on Friday.", set()),
        ("I have not got that from Hanna yet.", set()),
    ],
)
def test_another_name_is_no_answer(text: str, found: set[str]) -> None:
    """Where the company's name was asked for; who says that there is none may name others."""
    state = user("draft_one_way_nda", "draft_mutual_nda", NDA, picked=True)
    assert kinds(state, "What is the company name?", text) - {"evasion", "denial"} == found


def test_an_opening_may_use_a_word_of_the_same_family() -> None:
    """`training` names what has a trainer; the weather does not."""
    state = user("draft_one_way_nda", "draft_mutual_nda", NDA, picked=False)
    about = msgspec.structs.replace(state, names=frozenset(("trainer", "payment")))
    texts = (("I need some training.", set()), ("I have to pay.", set()), ("Nice weather today!", {"off_topic"}))
    for text, found in texts:
        assert {fault.kind for fault in guard_faults(about, None, "", text, 0)} == found


def test_a_value_may_be_said_as_it_is_written() -> None:
    """A day given in seconds is said in seconds."""
    state = user("draft_one_way_nda", "draft_mutual_nda", {**NDA, "start_date": "1789862400"}, picked=True)
    assert kinds(state, "What is the start date?", "From 1789862400 on.") == set()


@pytest.mark.parametrize(
    ("heard", "found"),
    [("What was it, who gave it, and what did it cost?", set()), ("What is the company name?", {"early_disclosure"})],
)
def test_each_question_word_asks_for_one_value(heard: str, found: set[str]) -> None:
    """Also where rules do not hear what for; two values more than that come too early."""
    values = {"gift": "a dinner invitation", "amount": 250, "company_name": "Ostrom Energy"}
    state = user("register_gift_given", "register_gift_received", values, picked=False)
    assert kinds(state, heard, "I gave a dinner invitation of 250 euros to Ostrom Energy.") == found

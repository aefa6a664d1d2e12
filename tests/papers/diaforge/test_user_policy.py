"""The live user: what it does after each kind of message, and that it gets everything said."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from callwright.author.assistant_turn import assistant_turn
from callwright.author.briefs import AssistantAct, AssistantBrief, Request, UserAct
from callwright.author.user_turn import user_turn
from callwright.catalog.contrast import question
from callwright.catalog.slots import slots
from callwright.lang.english import ways_to_say
from callwright.lang.tokens import content_stems
from callwright.papers.diaforge.user_policy import UserState, advance, brief_of, draw_quirks, label_of, next_act
from diaforge_builders import bundled, kept, user_of_tool

NAMES = [tool.name for tool in bundled().tools]
names = st.sampled_from(NAMES)
MESSAGES = (
    "",
    "Which one?",
    "Hello!",
    "I'm sorry, I can't do that here.",
    "Could you tell me more?",
    "What is the order number?",
    "Done.",
    "Please give me everything you have.",
)


@st.composite
def users(draw: st.DrawFn) -> UserState:
    """Somebody somewhere in a conversation."""
    user = user_of_tool(draw(names), seed=draw(st.integers(0, 200)))
    own = [known.slot.name for known in user.known]
    some = st.lists(st.sampled_from(own), unique=True).map(frozenset) if own else st.just(frozenset[str]())
    return replace(
        user,
        opened=draw(st.booleans()),
        picked=draw(st.booleans()),
        told=draw(some),
        forthcoming=draw(some),
        asks_back=draw(st.sampled_from(["", *own])),
        insists=draw(st.integers(0, 2)),
    )


@given(users(), st.one_of(st.sampled_from(MESSAGES), st.text(max_size=60)))
def test_what_to_do_is_pure(user: UserState, heard: str) -> None:
    """AskedValues twice, the same answer; the state is what it was."""
    before = replace(user)

    assert next_act(user, heard) == next_act(user, heard)
    assert user == before


@given(users(), st.one_of(st.sampled_from(MESSAGES), st.text(max_size=60)))
def test_acts_tell_only_what_the_user_knows(user: UserState, heard: str) -> None:
    """Each value once in a turn; unasked only what is still untold; and every act can be worded."""
    act = next_act(user, heard)

    assert set(act.told) <= {known.slot.name for known in user.known}
    assert len(set(act.told)) == len(act.told)
    assert not set(act.more) & user.told or act.kind == "open"
    assert user_turn.offline(Random(1), brief_of(user, act, heard)).strip()


def test_the_user_opens_first() -> None:
    """Whatever is heard; with a value where one is to come with the request."""
    user = user_of_tool("refund_item")

    assert next_act(user, "Hello, what can I do for you?") == UserAct("open")
    forward = replace(user, opens_with="order_id")
    named = replace(forward, request=Request("refund", "an order"))
    assert next_act(named, "") == UserAct("open", more=("order_id",))
    assert next_act(replace(forward, request=Request("", "an order")), "") == UserAct("open")
    assert next_act(replace(forward, request=Request("refund", "something")), "") == UserAct("open")


def test_asked_for_a_value_the_user_gives_it() -> None:
    """That one; two when asked for two, in the order of the question."""
    user = replace(user_of_tool("refund_item"), opened=True, picked=True)

    assert next_act(user, "What is the order number?").slots == ("order_id",)
    assert next_act(user, "Could you tell me the item and the order number?").slots == ("item", "order_id")


def test_a_value_that_is_asked_for_again_is_said_again() -> None:
    """Though it was told."""
    user = replace(user_of_tool("refund_item"), opened=True, picked=True, told=frozenset({"order_id"}))

    assert next_act(user, "Sorry, what was the order number again?").slots == ("order_id",)


def test_unasked_values_come_once_it_is_clear_what_is_meant() -> None:
    """Two at most, and only those the user is forthcoming with."""
    user = replace(user_of_tool("refund_item"), opened=True, forthcoming=frozenset({"order_id", "item"}))
    told = next_act(replace(user, picked=True), "What is the reason for the refund?")

    assert told.slots == ("reason",)
    assert len(told.more) == 1
    assert set(told.more) <= {"order_id", "item"}
    assert not next_act(user, "What is the reason for the refund?").more


def test_a_word_is_asked_about_once() -> None:
    """Then it is answered."""
    user = replace(user_of_tool("refund_item"), opened=True, picked=True, asks_back="order_id")
    act = next_act(user, "What is the order number?")
    asked = advance(user, act, "What do you mean?")

    assert act == UserAct("ask_back")
    assert brief_of(user, act, "").about == slots(bundled().by_name["refund_item"])["order_id"]
    assert next_act(asked, "It looks like 88213. Can you find it?").slots == ("order_id",)


def test_a_refusal_is_taken_after_a_second_try() -> None:
    """Before it is clear what is meant, the user says the whole wish once more."""
    user = replace(user_of_tool("refund_item"), opened=True)
    refusal = "I'm sorry, I can't do that here."
    again = next_act(user, refusal)

    assert again == UserAct("full")
    assert next_act(advance(user, again, "I want it all."), refusal) == UserAct("leave")


def test_when_all_is_said_the_user_gives_the_go_ahead() -> None:
    """And says the whole wish again to one who still asks."""
    user = replace(user_of_tool("list_pending_leave"), opened=True, picked=True, known=())
    act = next_act(user, "Shall I do it?")

    assert act == UserAct("go")
    assert next_act(advance(user, act, "Yes."), "Shall I really do it?") == UserAct("full")


def test_a_slip_is_made_once() -> None:
    """When the value is first told."""
    user = replace(user_of_tool("request_annual_leave"), opened=True, picked=True, corrects="start_date")
    act = UserAct("answer", slots=("start_date",))

    assert brief_of(user, act, "").corrects == "start_date"
    assert brief_of(advance(user, act, "The 4th."), act, "").corrects == ""


@given(users(), st.text(max_size=20))
def test_what_was_said_is_remembered(user: UserState, text: str) -> None:
    """Told values, the last two texts, and that something was picked."""
    untold = [known.slot.name for known in user.untold]
    after = advance(user, UserAct("answer", picks=True, slots=tuple(untold[:1])), text)

    assert after.opened
    assert after.picked
    assert [known.slot.name for known in after.untold] == untold[1:]
    assert after.recent[-1] == text
    assert len(after.recent) <= 2


@given(names, st.integers(0, 100), st.sampled_from(["verbose", "terse"]), st.integers(0, 2**16))
def test_every_value_comes_out_under_an_assistant_that_asks(name: str, seed: int, style: str, chance: int) -> None:
    """One value at a time, in the assistant's own words: no more turns than values."""
    user = user_of_tool(name, seed=seed, style="terse" if style == "terse" else "verbose")
    user = replace(user, opened=True, picked=True)
    for turn in range(len(user.known) + 1):
        if not user.untold:
            break
        slot = user.untold[0].slot
        heard = assistant_turn.offline(
            Random(chance + turn), AssistantBrief(AssistantAct("ask", slots=(slot.name,)), slots=(slot,))
        )
        act = next_act(user, heard)
        assert slot.name in act.told, (heard, act)
        user = advance(user, act, "said")
    assert not user.untold


@given(names, st.integers(0, 2**16))
def test_a_choice_is_answered_with_a_pick(name: str, chance: int) -> None:
    """In words that do not fit another of the choices better."""
    user = replace(user_of_tool(name), opened=True)
    asked = question([user.gold, *user.others], range(1 + len(user.others)))
    if asked is None:
        return
    heard = assistant_turn.offline(Random(chance), AssistantBrief(AssistantAct("which", asked)))
    act = next_act(user, heard)

    assert act.picks, heard
    own = set(content_stems(" ".join([user.gold.phrase, *ways_to_say(user.gold.verb)])))
    assert set(content_stems(brief_of(user, act, heard).pick)) <= own


@pytest.mark.parametrize(
    ("act", "label"),
    [
        (UserAct("open"), "open"),
        (UserAct("open", more=("a",)), "open:a"),
        (UserAct("answer", picks=True, slots=("a",), more=("b",)), "answer:pick,a,b"),
        (UserAct("go"), "go"),
    ],
)
def test_labels(act: UserAct, label: str) -> None:
    """Kind, pick and values."""
    assert label_of(act) == label


def test_quirks_are_of_the_users_own_values() -> None:
    """Drawn before the first word, from the generator alone; slips only of days and counts."""
    known = user_of_tool("claim_hotel_night", seed=2).known
    own = {one.slot.name: one.slot.kind for one in known}
    for seed in range(80):
        quirks = draw_quirks(Random(seed), known, "verbose", ["amount"])
        assert quirks == draw_quirks(Random(seed), known, "verbose", ["amount"])
        assert set(quirks.forthcoming) <= own.keys()
        assert quirks.corrects == "" or own[quirks.corrects] in ("date", "count")
        assert quirks.asks_back in ("", "amount")
        assert quirks.opens_with in ("", *own)


def test_made_users_differ() -> None:
    """Some open with a value, ask back, or volunteer one, and most do none of it."""
    acts = [[turn.steps[0].act for turn in dialogue.turns[::2]] for dialogue in kept()]
    opened = sum(":" in act[0] for act in acts)
    asked = sum("ask_back" in act for act in acts)

    assert 0.05 * len(acts) < opened < 0.5 * len(acts)
    assert 0.01 * len(acts) < asked < 0.3 * len(acts)


NONSENSE = "Do zebras dream of marmalade?"


def test_what_is_not_understood_is_asked_about_first() -> None:
    """The second time in a row the next open value comes with its label; nothing is denied, no other slot given."""
    user = replace(user_of_tool("refund_item"), opened=True, picked=True)
    first = next_act(user, NONSENSE)
    again = next_act(advance(user, first, "What do you mean?"), NONSENSE)

    assert first == UserAct("unsure")
    assert again == UserAct("unsure", more=(user.known[0].slot.name,))
    assert user.known[0].slot.noun.text in user_turn.offline(Random(1), brief_of(user, again, NONSENSE))


def test_a_question_that_is_understood_ends_the_row() -> None:
    """Then the next nonsense is the first again."""
    user = replace(user_of_tool("refund_item"), opened=True, picked=True, unsure=1)
    after = advance(user, next_act(user, "What is the order number?"), "It's 5.")

    assert next_act(after, NONSENSE) == UserAct("unsure")


def test_while_the_tool_is_open_nothing_is_given_away() -> None:
    """The wish is said again, as vaguely as before."""
    user = replace(user_of_tool("refund_item"), opened=True, unsure=1)
    act = next_act(user, NONSENSE)

    assert act == UserAct("again")
    words = user_turn.offline(Random(1), brief_of(user, act, NONSENSE))
    assert content_stems(user.request.thing)[0] in content_stems(words)


@pytest.mark.parametrize("heard", ["What details do you have?", "Please provide the required information."])
def test_a_general_question_gets_all_that_is_open(heard: str) -> None:
    """Each value with its label, and what is meant where that is open; it is no fault."""
    user = replace(user_of_tool("refund_item"), opened=True)
    act = next_act(user, heard)

    assert act == UserAct("answer", picks=True, slots=tuple(k.slot.name for k in user.known), labelled=True)
    settled = next_act(replace(user, picked=True), heard)
    said = user_turn.offline(Random(1), brief_of(user, settled, heard)).lower()
    assert not settled.picks
    assert all(known.slot.noun.text.lower() in said for known in user.known)


def test_what_the_user_has_no_value_for_is_left_out() -> None:
    """No other value is given for it, and it is no fault."""
    user = replace(user_of_tool("refund_item"), opened=True, picked=True)
    lacking = replace(user, known=user.known[1:], lacking=(user.known[0].slot,))

    assert next_act(lacking, f"What is the {user.known[0].slot.noun.text}?") == UserAct("lack")


def test_optional_values_come_with_the_last_required_one() -> None:
    """Or, where none is required, with the pick."""
    user = replace(user_of_tool("refund_item"), opened=True, picked=True)
    first, *rest = [known.slot.name for known in user.known]
    assert rest
    user = replace(user, optional=frozenset(rest))

    assert next_act(user, f"What is the {user.known[0].slot.noun.text}?").told == (first, *rest)
    more = next_act(replace(user, forthcoming=frozenset((first,))), "I'll take care of it. Could you tell me more?")
    assert set(more.told) == {first, *rest}
    opening = replace(user, opened=False, picked=False, opens_with=first, request=Request("refund", "an item"))
    assert next_act(opening, "").more == ()
    assert next_act(replace(opening, optional=frozenset()), "").more == (first,)
    free = replace(user, picked=False, optional=frozenset([first, *rest]))
    picking = next_act(free, "Could you tell me a bit more about what you need?")
    assert picking.picks
    assert picking.more == (first, *rest)


@given(users(), st.one_of(st.sampled_from(MESSAGES), st.text(max_size=60)))
def test_who_chooses_a_tool_picks_it(user: UserState, heard: str) -> None:
    """A question that is known to ask which tool is meant is never answered with a value of one alone."""
    act = next_act(user, heard, choosing=True)

    assert act.picks or act.kind in ("open", "full", "leave") or (act.kind == "answer" and user.asked_back)

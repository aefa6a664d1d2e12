"""How users word their turns: for every act, in either style, exactly what the act says and nothing of the machine."""

from __future__ import annotations

import re
from random import Random
from typing import get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from callwright.author.briefs import Request, Style, UserAct, UserBrief, known_values
from callwright.author.user_turn import user_turn
from callwright.author.value_checks import carrying_faults
from callwright.catalog.slots import slots
from callwright.lang.tokens import content_stems
from callwright.papers.diaforge.user_policy import UserState, brief_of
from callwright.records.jsontext import encode
from callwright.records.tool import Tool
from diaforge_builders import TODAY, bundled, user_of_tool

NAMES = [tool.name for tool in bundled().tools]
FLAGS = [(tool.name, slot.name) for tool in bundled().tools for slot in slots(tool).values() if slot.kind == "boolean"]
STYLES: tuple[Style, ...] = get_args(Style)
HEARD = "Which one do you mean, and what should I put?"

names = st.sampled_from(NAMES)
styles = st.sampled_from(STYLES)
tones = st.sampled_from(["plain", "brisk", "warm", "formal", "chatty"])
chances = st.integers(0, 2**20)


@st.composite
def users(draw: st.DrawFn) -> UserState:
    """Somebody who wants something."""
    return user_of_tool(draw(names), seed=draw(st.integers(0, 200)), style=draw(styles), tone=draw(tones))


def acts_of(user: UserState) -> list[UserAct]:
    """Every act that this user may do."""
    told = tuple(known.slot.name for known in user.known if known.slot.kind not in ("object", "list", "other"))
    acts = [UserAct("open"), UserAct("full"), UserAct("go"), UserAct("leave"), UserAct("answer", picks=True)]
    acts += [UserAct("answer", picks=True, offered=offered) for offered in ("named", "others", "first", "second")]
    acts += [UserAct("answer", slots=told[:count]) for count in range(1, min(4, len(told) + 1))]
    if told:
        acts += [UserAct("open", more=told[:1]), UserAct("answer", picks=True, more=told[:2]), UserAct("ask_back")]
        acts.append(UserAct("answer", picks=True, slots=told[:1], more=told[1:2]))
    return acts


def brief(user: UserState, act: UserAct, heard: str = HEARD) -> UserBrief:
    asks_back = user.known[0].slot.name if act.kind == "ask_back" else ""
    return brief_of(replace(user, asks_back=asks_back), act, heard)


def say(user: UserState, act: UserAct, chance: int, **changes: object) -> str:
    return user_turn.offline(Random(chance), replace(brief(user, act), **changes))


@given(users(), chances)
def test_every_act_is_worded(user: UserState, chance: int) -> None:
    """In words without traces of their making, without identifiers of the tool, never empty."""
    identifiers = {name for tool in bundled().tools for name in (tool.name, *slots(tool)) if "_" in name}
    for act in acts_of(user):
        text = say(user, act, chance)
        assert text.strip() == text != ""
        assert not re.search(r"[{}|]|\s{2}|\s[,.;?!]", text), text
        assert not identifiers & set(re.findall(r"\w+", text)), text
        if user.style == "verbose":
            assert text[-1] in '.?!"', text


@given(users(), chances)
def test_turns_carry_their_values_nearly_always(user: UserState, chance: int) -> None:
    """A few tries find words that hold exactly what the act tells."""
    for act in acts_of(user):
        wanted = brief(user, act)
        topic = set(content_stems(f"{wanted.full} {wanted.pick}"))  # "business class" is no secret on a business trip
        later = [
            known
            for known in user.known
            if known.slot.name not in act.told and not set(content_stems(str(known.value))) <= topic
        ]
        texts = (user_turn.offline(Random(chance + attempt), wanted) for attempt in range(6))
        assert not all(carrying_faults(text, wanted.slots, later, TODAY) for text in texts), act


@given(users(), chances)
def test_the_same_chance_gives_the_same_words(user: UserState, chance: int) -> None:
    """Nothing but chance and brief decides."""
    for act in acts_of(user)[:4]:
        assert say(user, act, chance) == say(user, act, chance)


@given(users(), chances)
def test_openings_say_what_the_request_says(user: UserState, chance: int) -> None:
    """The thing it is about, and no word that tells the tool from all others."""
    text = say(user, UserAct("open"), chance)
    thing = set(content_stems(user.request.thing)) - set(content_stems("something someone"))

    assert thing <= set(content_stems(text)), text


@given(users(), chances)
def test_a_pick_says_the_words_that_tell(user: UserState, chance: int) -> None:
    """Or points at the first or second of two."""
    wanted = brief(user, UserAct("answer", picks=True, offered="named"))
    text = user_turn.offline(Random(chance), wanted)

    assert set(content_stems(wanted.pick)) <= set(content_stems(text)), text


@pytest.mark.parametrize(("name", "parameter"), FLAGS)
@given(st.integers(0, 50), chances)
def test_yes_and_no_differ(name: str, parameter: str, seed: int, chance: int) -> None:
    """A yes has no `no` in it, and a no has one, or says what is not to be done."""
    user = user_of_tool(name, seed=seed)
    value = next((known.value for known in user.known if known.slot.name == parameter), None)
    assume(value is not None)
    text = say(user, UserAct("answer", slots=(parameter,)), chance).lower()
    refuses = re.search(r"\b(?:no|not|don't|dont|nope|rather not|skip|leave|without|won't|never)\b", text)
    assert bool(refuses) is not value, text


@pytest.mark.parametrize("style", STYLES)
def test_a_slip_says_the_wrong_value_first(style: Style) -> None:
    """Where one is planned and the kind allows it; the right one is said all the same, and last."""
    user = user_of_tool("request_annual_leave", seed=4, style=style)
    start = next(known for known in user.known if known.slot.name == "start_date")
    act = UserAct("answer", slots=("start_date",))

    slipped = [say(user, act, chance, corrects="start_date") for chance in range(60)]
    plain = [say(user, act, chance) for chance in range(60)]

    assert sum(map(len, slipped)) > sum(map(len, plain))
    assert not any(carrying_faults(text, [start], [], TODAY) for text in slipped)


def test_shapes_do_not_come_back() -> None:
    """The opening words of the last two texts are avoided."""
    user = user_of_tool("refund_item", seed=1)
    act = UserAct("answer", slots=(user.known[0].slot.name,))
    alike = 0
    for chance in range(100):
        first = say(user, act, chance)
        second = say(user, act, chance + 1000, recent=(first,))
        alike += first.split()[:2] == second.split()[:2]
    assert alike < 10


def test_users_of_one_act_do_not_talk_alike() -> None:
    """A hundred users who tell the same order number find at least fifteen wordings, terse ones at least ten."""
    for style, fewest in zip(STYLES, (15, 10), strict=True):
        user = user_of_tool("refund_item", seed=1, style=style)
        act = UserAct("answer", slots=("order_id",))
        assert len({say(user, act, chance) for chance in range(100)}) >= fewest


@given(users(), chances)
def test_terse_is_shorter(user: UserState, chance: int) -> None:
    """Summed over all acts and some chances."""
    lengths = [
        sum(len(say(replace(user, style=style), act, chance + number)) for act in acts_of(user) for number in range(4))
        for style in STYLES
    ]

    assert lengths[1] < lengths[0]


def test_several_ids_are() -> None:
    """Who tells several IDs at once says that they are, also in a terse text."""
    ids = {"type": "string", "description": "A comma separated list of image IDs"}
    schema = encode({"type": "object", "properties": {"ids": ids}, "required": ["ids"]})
    tool = Tool(name="render_images", description="Render images.", parameters=schema)
    told, act = known_values(tool, {"ids": "32174,94624"}), UserAct("answer", slots=("ids",), labelled=True)
    brief_ = UserBrief(act, "terse", "plain", TODAY, Request("render", "images"), "", False, "", told)
    texts = {user_turn.offline(Random(chance), brief_) for chance in range(100)}

    assert any(" are 32174 and 94624" in text for text in texts)
    assert not any(" is 32174" in text for text in texts)


def test_nobody_remembers_the_name_of_what_is_not_there_yet() -> None:
    """A name that the call gives is chosen; the name of a thing that the act only uses may be remembered."""
    schema = {"name": {"type": "string"}, "owner_title": {"type": "string"}}
    tool = Tool(name="create_board", description="Creates a board.", parameters=encode({"properties": schema}))
    new, old = ({_told(tool, name, chance) for chance in range(60)} for name in schema)

    assert any(re.search("call it|be called", text) for text in new)
    assert not any(re.search("remember|check|moment|here", text) for text in new)
    assert any(re.search("remember", text) for text in old)


def _told(tool: Tool, name: str, chance: int) -> str:
    known = known_values(tool, {name: "Alder"})
    act = UserAct("answer", slots=(name,))
    wish = "create a board"
    asked = UserBrief(act, "verbose", "plain", TODAY, Request("create", "a board"), "", False, wish, known)
    return user_turn.offline(Random(chance), asked).lower()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("pick", "is_action"), [("a lake report", False), ("look up a lake report", True)])
def test_who_means_what_the_opening_said_means_just_that(pick: str, is_action: bool, style: Style) -> None:
    """Beside `a monthly lake report`, the opening's `a lake report` is told apart by `just` or by its place."""
    act = UserAct("answer", picks=True, offered="second")
    opened = ("Hello, could you look up a lake report?",)
    request = Request("", "a lake report")
    asked = UserBrief(act, style, "plain", TODAY, request, pick, is_action, "look up a lake report", (), recent=opened)
    said = {user_turn.offline(Random(chance), asked).lower() for chance in range(60)}

    assert len(said) > 3
    assert all(re.search(r"\b(?:just|only|second)\b", text) for text in said)


def test_an_opening_asks_for_something() -> None:
    """`It's about boards.` alone is no opening, in any tone."""
    user = user_of_tool(NAMES[0])
    asked = replace(brief(user, UserAct("open")), request=Request("", "boards"), style="verbose")
    said = {
        user_turn.offline(Random(chance), replace(asked, tone=tone))
        for tone in ("plain", "brisk", "warm", "formal", "chatty")
        for chance in range(80)
    }

    assert len(said) > 20
    assert "It's about boards." not in said

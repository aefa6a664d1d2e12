"""The cascade of group chats: ten planted defects, clean chats, stages; the design and tools that people talk about.

`tests/long/chats.py` is the long form, over any catalogue.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from chat_defects import DEFECTS
from msgspec.structs import replace

import callwright
from callwright.catalog.slots import slots
from callwright.errors import BadInput
from callwright.papers.dice.chat_cascade import CRITERIA, REASONS, STAGES, issues_of
from callwright.papers.dice.chat_design import leads_on
from callwright.papers.dice.chat_filter import mismatch, unlike_life, usable
from callwright.papers.dice.chat_grading import scores, type_of
from callwright.papers.dice.chat_voices import VOICES, Voice, fits, voiced
from callwright.papers.dice.dice_options import RejectIf
from callwright.papers.dice.dice_scoring import LISTENED
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import encode
from callwright.records.tool import Catalog, Tool

HOW: tuple[RejectIf, ...] = ("any", "all")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Dialogue], dict[str, Tool]]:
    """Two chats of each cell, the rejected ones too, and their tools by name."""
    out = tmp_path_factory.mktemp("cascade") / "ds"
    made = callwright.synthesize("dice", "builtin/enterprise", per_cell=2, seed=11, out=out)
    assert made.planned == 72
    assert made.kept >= 0.9 * made.planned
    found = callwright.open_dataset(out)
    return list(found.dialogues), dict(found.catalog.by_name)


@pytest.mark.parametrize("name", DEFECTS)
def test_a_planted_defect_is_found(name: str, data: tuple[list[Dialogue], dict[str, Tool]]) -> None:
    """Of chats with one defect at least 95 % are rejected; the same chats without it are kept."""
    chats, tools = data
    planted = [one for at, chat in enumerate(chats) if (one := DEFECTS[name](chat, tools, Random(f"{name}/{at}")))]
    assert len(planted) > 40
    assert sum(bool(issues_of(one, tools)) for one in planted) >= 0.95 * len(planted)
    assert not any(issues_of(one, tools) for one in chats)


def test_words_for_numbers_and_days_are_values_only_where_a_call_has_some(
    data: tuple[list[Dialogue], dict[str, Tool]],
) -> None:
    """Twelve weeks until Friday contradict a date or a quantity, and nothing else; the people present are no number."""
    chats, tools = data
    found = Counter[tuple[bool, bool]]()
    for chat in chats:
        golds = [call for task in chat.tasks for call in task.gold]
        kinds = {slots(tools[call.tool])[name].kind for call in golds for name in call.values}
        is_free = not kinds & {"date", "datetime"} and all(
            type(value) not in (int, float) for call in golds for value in call.values.values()
        )
        for words, never in (("I waited twelve weeks until Friday", False), ("all two of us", True)):
            turns = (replace(chat.turns[0], text=f"{chat.turns[0].text[:-1]}, {words}."), *chat.turns[1:])
            issues = issues_of(replace(chat, turns=turns), tools)
            is_wrong = any(one.code == "value_contradicted" and one.where == "turns[0].text" for one in issues)
            assert not (is_wrong and (is_free or never)), (chat.turns[0].text, words)
            found[is_free, is_wrong] += 1
    assert found[True, False] > 10
    assert found[False, True] > 10


def test_a_description_excuses_no_value(data: tuple[list[Dialogue], dict[str, Tool]]) -> None:
    """Codes, numbers and days of a persona are none of the talk; a name is, in one's own where no call has a name."""
    chats, tools = data
    found = Counter[tuple[str, bool]]()
    told = 'Moored QX-4711 in Zadunaj and calls it "blue heron".'
    for chat in chats:
        me = chat.turns[0].speaker
        values = [str(value) for task in chat.tasks for value in task.gold[0].values.values()]
        has_name = any(re.search(r"(^| )[A-Z][a-z]\w", value) for value in values)
        for words, whose in (("QX-4711", "own"), ('"blue heron"', "own"), ("Zadunaj", "own"), ("Zadunaj", "other's")):
            who = tuple(
                replace(one, persona=f"{told} {one.persona}") if (one.id == me) == (whose == "own") else one
                for one in chat.participants
            )
            turns = (replace(chat.turns[0], text=f"{chat.turns[0].text[:-1]}, as in {words}."), *chat.turns[1:])
            issues = issues_of(replace(chat, participants=who, turns=turns), tools)
            is_wrong = any(one.code == "value_contradicted" and one.where == "turns[0].text" for one in issues)
            assert is_wrong or (words, whose, has_name) == ("Zadunaj", "own", False), (words, whose, chat.turns[0].text)
            found[whose, is_wrong] += 1
    assert found["own", False] > 3
    assert found["other's", True] == len(chats)


def test_what_somebody_knows_is_said_as_such(data: tuple[list[Dialogue], dict[str, Tool]]) -> None:
    """A noun that stands elsewhere in a description is not known."""
    chats, tools = data
    assert len(chats) > 60
    for chat in chats:
        moved = tuple(
            replace(one, persona=one.persona.replace(" Knows the ", " Likes the ", 1)) for one in chat.participants
        )
        issues = issues_of(replace(chat, participants=moved), tools)
        assert any(one.code == "persona_swapped" and "not described" in one.message for one in issues)


def test_criteria_and_stages_name_the_same_reasons() -> None:
    """Fifteen criteria: seven of the talk, five of the call, three of realism; each is denied by reasons that exist."""
    assert Counter(name.partition("-")[0] for name in CRITERIA) == {"chat": 7, "call": 5, "real": 3}
    assert {reason for reasons in CRITERIA.values() for reason in reasons} <= set(REASONS)
    assert sorted(reason for reasons in STAGES.values() for reason in reasons) == sorted(REASONS)


@pytest.mark.parametrize(("is_other", "is_low"), [(False, False), (True, False), (False, True), (True, True)])
def test_stage_1_rejects_for_any_fault_or_for_both(
    is_other: bool, is_low: bool, data: tuple[list[Dialogue], dict[str, Tool]]
) -> None:
    """Low scores, another type: by default each rejects, with `all` only both."""
    chats, tools = data
    asked, quarrel = "inquiry_information_seeking", "eristic"
    chat = next(one for one in chats if isinstance(one.annotation, DiceNotes) and one.annotation.dialogue_type == asked)
    assert isinstance(chat.annotation, DiceNotes)
    turns = tuple(replace(turn, text="Do you know, no no?") for turn in chat.turns) if is_low else chat.turns
    made = replace(chat, turns=turns, annotation=replace(chat.annotation, dialogue_type=quarrel if is_other else asked))
    by_any, by_all = (
        {one.code for one in issues_of(made, tools, reject_if=how)} & set(STAGES["stage 1"]) for how in HOW
    )
    assert by_any == {code for code, is_there in (("unlike_type", is_other), ("low_scores", is_low)) if is_there}
    assert by_all == (by_any if is_other and is_low else set())


def test_to_reject_for_both_faults_keeps_more_of_the_same(tmp_path: Path) -> None:
    """The items are the same, so the kept ones of `any` are among those of `all`."""
    kept = {}
    for how in HOW:
        callwright.synthesize("dice", "builtin/enterprise", n=72, seed=3, out=tmp_path / how, rounds="1", reject_if=how)
        kept[how] = {one.id for one in callwright.open_dataset(tmp_path / how).dialogues}
    assert kept["any"] < kept["all"]


def test_a_wish_in_the_words_of_a_value_does_not_say_it(tmp_path: Path) -> None:
    """Who wants usage data of components has not said that it is grouped by component."""
    text = {"type": "string"}
    properties = {"file_key": text, "group_by": {"type": "string", "enum": ["component", "file"]}}
    tool = Tool(
        name="get_component_usage",
        description="Get the usage of a component in a file.",
        parameters=encode({"type": "object", "properties": properties, "required": ["file_key", "group_by"]}),
        returns=encode({"type": "object", "properties": {"usage_percent": {"type": "number"}}}),
    )
    made = callwright.synthesize("dice", Catalog(tools=(tool,)), n=18, seed=1, out=tmp_path / "ds", rounds="1")
    said = {str(one.tasks[0].gold[0].values["group_by"]) for one in callwright.open_dataset(tmp_path / "ds").dialogues}
    assert said == {"component", "file"}
    assert made.kept >= 0.9 * made.planned
    assert "persona_swapped" not in made.rejected


def test_scores_are_between_one_and_five(data: tuple[list[Dialogue], dict[str, Tool]]) -> None:
    """Six scores; clean chats have 4.5 and more, a chat of one sentence said by all has less."""
    chats, _ = data
    graded = [scores(chat, Counter()) for chat in chats]
    assert all(len(one) == 6 and all(1 <= score <= 5 for score in one.values()) for one in graded)
    assert min(sum(one.values()) / 6 for one in graded) >= 4.5
    same = replace(chats[0], turns=tuple(replace(turn, text="no no") for turn in chats[0].turns))
    assert sum(scores(same, Counter()).values()) < sum(graded[0].values())


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Who knows how that works, and where do I find it?", "inquiry_information_seeking"),
        ("Let's do it, I'd offer you lunch in return. Deal!", "persuasion_deliberation_negotiation"),
        ("Let's add a message to the messages, deal.", "persuasion_deliberation_negotiation"),
        ("What a mess, you messed it up, we agree.", "eristic"),
        ("Ridiculous, that's your fault again. Do it yourself.", "eristic"),
    ],
)
def test_the_type_that_words_sound_like(text: str, kind: str) -> None:
    """Sentences that are in no phrase bank."""
    assert type_of([text]) == kind


@pytest.mark.parametrize(
    ("voice", "whole", "text"),
    [
        ("plain", "It's \"don't ask\", isn't it?", "It's \"don't ask\", isn't it?"),
        ("formal", "It's \"don't ask\", isn't it?", 'It is "don\'t ask", is it not?'),
        ("formal", "It's for everyone's sake.", "It is for everyone's sake."),
        ("lively", "Found it: Tartu.", "Found it: Tartu!"),
        ("casual", "Found it: Tartu.", "found it: Tartu"),
    ],
)
def test_voices_are_told_apart(voice: Voice, whole: str, text: str) -> None:
    """What is quoted stays; a turn fits its voice, and no other but the plain one."""
    assert voiced(whole, voice, ("Ana",)) == text
    assert fits(text, voice)
    assert voiced("Ana, I'm here.", voice, ("Ana",)).startswith("Ana, I")
    said = {one: voiced("Well, I'd say it's fine.", one, ()) for one in VOICES}
    assert len(set(said.values())) == 4
    assert {one for one in VOICES if fits(said[voice], one)} <= {voice, "plain"}


def test_a_value_is_not_taken_back(data: tuple[list[Dialogue], dict[str, Tool]]) -> None:
    """Whoever says another value after the first one is found, with and without quotation marks."""
    chats, tools = data
    found = []
    for chat in chats:
        at = (chat.tasks[0].turn or 0) - 1
        name = slots(tools[chat.tasks[0].gold[0].tool])[next(iter(chat.tasks[0].gold[0].values))].noun.text
        for text in (f"No, wait, the {name} is evening.", f"The {name} is evening."):
            turns = [*chat.turns[:at], replace(chat.turns[at], text=text), *chat.turns[at + 1 :]]
            found.append(bool(issues_of(replace(chat, turns=tuple(turns)), tools)))
    assert sum(found) >= 0.9 * len(found) > 60


def test_a_round_that_the_assistant_only_listens_to(tmp_path: Path) -> None:
    """Nobody addresses it and it makes no call; the oracle is right, a model that calls there is not."""
    callwright.synthesize("dice", "builtin/enterprise", n=12, seed=2, out=tmp_path / "ds", listening=1.0)
    chats = callwright.open_dataset(tmp_path / "ds").dialogues
    pauses = [one for chat in chats if isinstance(chat.annotation, DiceNotes) for one in chat.annotation.rounds]
    assert sum(one.listens for one in pauses) == len(chats) > 8
    assert all(sum(not task.gold for task in chat.tasks) == 1 for chat in chats)
    callwright.evaluate_model(tmp_path / "ds", "dice", model="builtin/oracle", out=tmp_path / "run")
    rows = [row for row in callwright.score_runs([tmp_path / "run"]) if not row.slice]
    assert {row.metric: row.value for row in rows}[LISTENED] == 1
    assert {row.metric: row.value for row in rows}["em_strict"] == 1


def test_one_size_is_given(tmp_path: Path) -> None:
    """`per_cell` beside `n`, and for a recipe without cells, is refused."""
    with pytest.raises(BadInput, match="one of n"):
        callwright.synthesize("dice", "builtin/enterprise", n=1, per_cell=1, out=tmp_path / "a")
    with pytest.raises(BadInput, match="no design"):
        callwright.synthesize("diaforge", "builtin/enterprise", per_cell=1, out=tmp_path / "b")


def tool(name: str, description: str, **properties: str) -> Tool:
    """A tool with text parameters, all required."""
    schema = {
        "type": "object",
        "properties": {key: {"type": "string", "description": text} for key, text in properties.items()},
        "required": list(properties),
    }
    return Tool(name=name, description=description, parameters=encode(schema))


def test_tools_that_nobody_talks_about() -> None:
    """Without a value, without a plain description, and of machines; a plain tool is kept."""
    cancel = tool("cancel_trip", "Cancel a trip.", trip_id="The trip.")
    assert mismatch(tool("list_trips", "List all trips."))
    assert mismatch(tool("x9", "", trip_id="The trip."))
    assert unlike_life(tool("rotate", "Rotate the access token of a server.", server_id="The server."))
    assert not mismatch(cancel)
    assert not unlike_life(cancel)
    kept, left = usable([cancel, tool("list_trips", "List all trips.")])
    assert kept == [cancel]
    assert left == {"list_trips": "takes no value"}


def test_a_graph_without_long_paths_goes_on_by_subject(tmp_path: Path) -> None:
    """Where no result leads four calls far, tools of one subject follow one another."""
    acts = ("cancel", "book", "confirm", "extend", "change", "review")
    tools = [tool(f"{act}_trip", f"{act.title()} a trip of an employee.", trip_id="The trip.") for act in acts]
    made = callwright.synthesize("dice", Catalog(tools=tuple(tools)), n=6, seed=1, out=tmp_path / "ds", rounds="4")
    assert made.kept >= 5


def test_a_value_within_a_word_leaves_no_number_behind(tmp_path: Path) -> None:
    """Where a value is `it`, `written` does not say ten."""
    properties = {"language": {"type": "string", "enum": ["it"]}, "pages": {"type": "integer", "maximum": 9}}
    schema = {"type": "object", "properties": properties, "required": ["language", "pages"]}
    translate = Tool(name="translate_letter", description="Translate a letter.", parameters=encode(schema))
    callwright.synthesize("dice", Catalog(tools=(translate,)), n=9, seed=1, out=tmp_path / "ds", rounds="1")
    chats = list(callwright.open_dataset(tmp_path / "ds").dialogues)
    assert len(chats) >= 8
    for chat in chats:
        for text, is_wrong in (("Is that written down?", False), ("Is that ten pages?", True)):
            found = issues_of(
                replace(chat, turns=(replace(chat.turns[0], text=text), *chat.turns[1:])),
                {"translate_letter": translate},
            )
            assert any(one.code == "value_contradicted" for one in found) == is_wrong, (text, found)


@pytest.mark.parametrize(
    ("before", "is_done"),
    [("Send a parcel.", False), ("Record a parcel.", False), ("Update a parcel.", False), ("Look up a parcel.", True)],
)
def test_nobody_ends_what_was_just_sent(before: str, is_done: bool) -> None:
    """What was made, changed or sent is not deleted next; what was looked up may be."""
    delete = tool("delete_parcel", "Delete a parcel.", parcel_id="The parcel.")
    assert leads_on(tool("x", before, parcel_id="The parcel."), delete) == is_done


def test_piles_of_nouns_and_choices_that_say_their_name_are_left_out() -> None:
    """Nobody says five nouns in a row, nor that the part type is a part."""
    pile = tool("list_usages", "List garden tool shed usage data.", city="The city.")
    assert "plain verb" in mismatch(pile)
    assert not mismatch(tool("merge_users", "Merge a guest and a user.", city="The city."))
    branches = [{"type": "string", "enum": [one]} for one in ("part", "whole")]
    choices = {"type": "object", "properties": {"part_type": {"anyOf": branches}}}
    same = Tool(name="hide_part", description="Hide a part.", parameters=encode({**choices, "required": ["part_type"]}))
    assert "own name" in mismatch(same)

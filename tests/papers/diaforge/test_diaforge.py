"""The `diaforge` recipe over the bundled catalogue: a thousand offline dialogues, read by rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from itertools import pairwise

import pytest

from callwright.author.grammar import opener
from callwright.catalog.slots import Slot, slots
from callwright.lang.english import base_verb, is_countable, is_plural, ways_to_say
from callwright.lang.tokens import STOP_WORDS, stem, words
from callwright.measure.repetition import masker, repetition
from callwright.papers.diaforge.diaforge_options import DiaforgeOptions
from callwright.papers.diaforge.diaforge_recipe import RECIPE
from callwright.papers.diaforge.dialogue_plan import DialogueWorkshop
from callwright.recipe import item_ids
from callwright.records.annotations.diaforge_notes import DiaforgePlan
from callwright.records.dialogue import Dialogue
from callwright.records.jsontext import Json
from callwright.records.tool import Tool
from diaforge_builders import (
    SEED,
    N,
    assistant_texts,
    bundled,
    kept,
    kept_turns,
    make,
    notes_of,
    planned,
    tools_of,
    user_texts,
    word_runs,
    workshop,
)

TERSE = DiaforgeOptions(user_style="terse")
SMALL = 150


def seed_tool(dialogue: Dialogue) -> Tool:
    return bundled().by_name[notes_of(dialogue).gold_tool]


def gold_slots(dialogue: Dialogue) -> Iterator[tuple[Slot, Json]]:
    by_name = slots(seed_tool(dialogue))
    for name, value in dialogue.tasks[0].gold[0].values.items():
        yield by_name[name], value


def sentences(text: str) -> list[str]:
    return [part for part in re.split(r"(?<=[.?!])\s+", text) if part]


# -- the whole of them -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [DiaforgeOptions(), TERSE], ids=["verbose", "terse"])
def test_at_least_four_of_five_planned_are_kept(options: DiaforgeOptions) -> None:
    """In either style."""
    n = N if options == DiaforgeOptions() else 200

    assert len(kept(n, options)) >= 0.8 * n


def test_no_utterance_comes_often() -> None:
    """With its values masked, the most frequent one is under 2 % of the user's turns."""
    found = repetition(kept(), bundled().by_key)

    assert found.utterance_share is not None
    assert found.utterance_share < 0.02, found.utterance


def test_no_run_of_four_words_comes_often() -> None:
    """With values masked, none is in more than 5 % of the user's turns."""
    found = repetition(kept(), bundled().by_key)

    assert found.four_gram_share is not None
    assert found.four_gram_share <= 0.05, found.four_gram


def test_dialogues_are_short_and_not_of_one_length() -> None:
    """Most have fewer than five exchanges; no length has more than half."""
    lengths = Counter(len(user_texts(dialogue)) for dialogue in kept())

    assert sum(count for length, count in lengths.items() if length < 5) > len(kept()) / 2
    assert max(lengths.values()) <= len(kept()) / 2


def test_every_seed_tool_comes_about_equally_often() -> None:
    """Tools take turns, whatever is rejected later."""
    counts = Counter(notes_of(made.dialogue).gold_tool for made in planned())

    assert set(counts) == set(bundled().by_name)
    assert max(counts.values()) - min(counts.values()) <= 1


def first_sentence_words(tool: Tool) -> set[str]:
    """Stems of what the first sentence of a description says, and of the ways to say its verb."""
    said = words(tool.description.split(". ")[0])
    verb = base_verb(said[0]) if said else None
    ways = [word for way in (ways_to_say(verb) if verb else ()) for word in words(way)]
    return {stem(word) for word in (*said, *ways) if word not in STOP_WORDS | LIGHT}


LIGHT = frozenset("get take put give make have let see go up off out back in on down over away rid".split())
"""Words of verbs that mean nothing alone: `get rid of` and `get a chance`."""


def vague() -> list[Dialogue]:
    """The dialogues with a first request that fits several tools: the others ask in the tool's own words."""
    return [one for one in kept() if one.scenario and (plan := one.scenario.annotation) and plan.requests]  # type: ignore[union-attr]


def test_first_requests_fit_two_candidates() -> None:
    """Whatever a request says of its tool's description, the description of another tool of the pool says too."""
    assert len(vague()) >= 0.9 * len(kept())
    for dialogue in vague():
        own = first_sentence_words(seed_tool(dialogue))
        told = {stem(word) for word in words(dialogue.turns[0].text)} & own
        rivals = [tool for tool in tools_of(dialogue).values() if tool != seed_tool(dialogue)]

        assert any(told <= first_sentence_words(rival) for rival in rivals), dialogue.turns[0].text


MONTHS = "january february march april may june july august september october november december".split()


def spelled(slot: Slot, value: Json) -> re.Pattern[str] | None:
    """How a value looks wherever it is said; None for what may be said by chance or in many ways."""
    if slot.kind == "date":
        day = date.fromisoformat(value)
        month = rf"{MONTHS[day.month - 1][:3]}\w*"
        tail = rf"{day.day}(?:st|nd|rd|th)?"
        return re.compile(rf"\b{month} {tail}\b|\b{tail} (?:of )?{month}\b|{value}", re.IGNORECASE)
    if slot.kind in ("code", "email", "phone", "person", "title", "text", "url"):
        return re.compile(rf"(?<!\w){re.escape(str(value).rstrip('.'))}(?!\w)", re.IGNORECASE)
    return None


def test_no_value_is_said_before_it_is_due() -> None:
    """By neither side; looked for by how it is spelled, not by the reader that the checks use."""
    looked_for = 0
    for dialogue in kept():
        due = {entry.parameter: entry.turn for entry in notes_of(dialogue).disclosed}
        for slot, value in gold_slots(dialogue):
            if (form := spelled(slot, value)) is None:
                continue
            looked_for += 1
            said = [position for position, turn in enumerate(dialogue.turns) if form.search(turn.text)]
            assert not said or said[0] >= due[slot.name], (slot.name, value, dialogue.turns)
    assert looked_for > len(kept())


def test_every_value_is_said_in_its_turn() -> None:
    """Codes, addresses and names stand in the very turn as they are in the call."""
    telling, said = {"code", "email", "phone", "person"}, set[str]()
    for dialogue in kept():
        due = {entry.parameter: entry.turn for entry in notes_of(dialogue).disclosed}
        for slot, value in gold_slots(dialogue):
            assert slot.name in due
            if slot.kind in telling:
                said.add(slot.kind)
                assert str(value).lower() in dialogue.turns[due[slot.name]].text.lower()
    assert said == telling


def test_calls_are_the_gold_calls() -> None:
    """One call, in the last turn, with exactly the gold arguments; nothing is called before."""
    for dialogue in kept():
        (call,) = dialogue.turns[-1].calls
        gold = dialogue.tasks[0].gold[0]

        assert (call.tool, call.values) == (gold.tool, gold.values)
        assert not any(turn.calls for turn in dialogue.turns[:-1])


def test_every_thought_is_the_assistants_own() -> None:
    """Each of its turns has one, no turn of the user has, and nobody says one aloud."""
    for turn in kept_turns():
        assert bool(turn.thought) == (turn.speaker == "assistant")
        assert not turn.thought or turn.thought not in turn.text


def test_the_notes_count_what_happened() -> None:
    """Turns of each phase, distractors and what was retrieved agree with the dialogue."""
    for dialogue in kept():
        notes, acts = notes_of(dialogue), Counter(turn.steps[0].act for turn in dialogue.turns[1::2])
        plan = dialogue.scenario.annotation if dialogue.scenario else None

        assert isinstance(plan, DiaforgePlan)
        assert notes.selection_turns == acts["which"]
        assert notes.filling_turns == acts["ask"] + acts["explain"]
        assert notes.gold_tool in [entry.name for entry in notes.retrieved]
        assert {bundled().by_name[name].key for name in notes.distractors} <= set(plan.distractors)
        assert notes.gold_tool not in notes.distractors


# -- what no person says (the list of the voice) -----------------------------------------------------------------------


def test_nobody_says_parameter_names_or_schema_words() -> None:
    """`employee_id`, `required parameters`, `value of the field`."""
    machine = re.compile(r"[a-z]_[a-z]|`|\b(?:parameters?|schema|json|boolean|null|enum|arguments?)\b", re.IGNORECASE)
    for dialogue in kept():
        gold = " ".join(str(value) for _, value in gold_slots(dialogue))
        assert dialogue.turns
        for turn in dialogue.turns:
            found = machine.search(turn.text)
            assert not found or found.group() in gold, turn.text


def test_no_request_names_the_tool() -> None:
    """Neither by its name nor by the words of its name in a row, where the name tells it from the others."""
    assert vague()
    for dialogue in vague():
        name = seed_tool(dialogue).name
        spoken = " ".join(words(dialogue.turns[0].text))
        assert name not in dialogue.turns[0].text
        assert name.count("_") < 2 or name.replace("_", " ") not in spoken, dialogue.turns[0].text


def test_no_request_copies_the_description() -> None:
    """It holds neither its first sentence nor five words of the rest in a row."""
    assert vague()
    for dialogue in vague():
        first, _, rest = seed_tool(dialogue).description.partition(". ")
        spoken = " ".join(words(dialogue.turns[0].text))
        assert " ".join(words(first)) not in spoken
        assert not word_runs(rest, 5) & word_runs(dialogue.turns[0].text, 5)


def test_users_hardly_ever_open_alike() -> None:
    """With values masked four of five openings are like no other; two in a row are rare, three never come."""
    openings = [masker(dialogue, bundled().by_key)(dialogue.turns[0].text) for dialogue in kept()]

    assert sum(one == other for one, other in pairwise(openings)) <= 2
    assert not three_alike(openings)
    assert len(set(openings)) >= 0.8 * len(openings)


def shapes(dialogue: Dialogue, texts: list[str]) -> list[str]:
    """Sentences with their values and nouns masked."""
    mask = masker(dialogue, bundled().by_key)
    nouns = sorted((slot.noun.text for slot in slots(seed_tool(dialogue)).values()), key=len, reverse=True)
    noun = re.compile("|".join(rf"\b{re.escape(one.lower())}\b" for one in nouns) or "(?!)")
    return [noun.sub("<n>", mask(part)) for text in texts for part in sentences(text)]


def test_no_three_sentences_of_a_speaker_are_built_alike() -> None:
    """In a row, nouns and values apart; nor do three turns in a row begin with the same two words."""
    for dialogue in kept():
        for texts in (user_texts(dialogue), assistant_texts(dialogue)):
            assert not three_alike(shapes(dialogue, texts)), texts
            assert not three_alike([opener(text) for text in texts]), texts


def three_alike(items: list[str]) -> list[str]:
    """What stands three times in a row."""
    return [one for one, two, three in zip(items, items[1:], items[2:], strict=False) if one == two == three]


CLASH = re.compile(r"(?<![\w.'-])(?:a [aei]\w{2,}|an (?![aeiou8]|hour|honest|heir|[A-Z]{2,})\w{2,})", re.IGNORECASE)
SOUNDS_LIKE_YOU = re.compile(r"a (?:eu|ewe)", re.IGNORECASE)


def test_articles_do_not_clash() -> None:
    """`a` before a consonant's sound, `an` before a vowel's; by a rule of its own."""
    for turn in kept_turns():
        clashes = [one for one in CLASH.findall(turn.text) if not SOUNDS_LIKE_YOU.match(one)]
        assert not clashes, turn.text


def test_no_word_is_doubled() -> None:
    """`that that` and `had had`, which people do say, never come; `hello hello` is a greeting."""
    for turn in kept_turns():
        assert not re.search(r"(?<![\w-])(?!hello)([a-z]{2,}) \1(?![\w-])", turn.text, re.IGNORECASE), turn.text


FUTURE = (
    "book_",
    "schedule_",
    "postpone_",
    "reserve_",
    "enrol_",
    "change_trip",
    "change_order_date",
    "register_visitor",
)


def test_what_is_planned_lies_ahead() -> None:
    """No booking, meeting or visit is on a day gone by."""
    ahead = [one for one in kept() if seed_tool(one).name.startswith(FUTURE)]
    days = [(one, value) for one in ahead for slot, value in gold_slots(one) if slot.kind == "date"]
    assert days
    for dialogue, day in days:
        assert day >= dialogue.today, (dialogue.id, day)


def test_plurals_agree() -> None:
    """A noun and its verb; what is counted; what follows `a`."""
    occurred = Counter[str]()
    for dialogue in kept():
        said = " ".join(turn.text for turn in dialogue.turns).lower()
        for slot, _ in gold_slots(dialogue):
            wrong = "is" if slot.noun.plural else "are"
            assert f"the {slot.noun.text.lower()} {wrong} " not in said.replace(" and the ", " ... "), said
        for counted in re.findall(r"how many ([a-z]+)", said):
            occurred["counted"] += 1
            assert is_plural(counted) or counted in ("people", "of", "units") or not is_countable(counted), said
        for noun in re.findall(r"\ban? (\w+?s)\b(?= (?:that|which|for|of|from)\b|[.,?!])", said):
            occurred["after a"] += 1
            assert not is_plural(noun) or noun in ("business", "premises"), (noun, said)
    assert occurred.keys() == {"counted", "after a"}


def test_nobody_gives_thanks_in_every_turn() -> None:
    """Neither the user nor an assistant that speaks more than twice."""
    for dialogue in kept():
        for texts, fewest in ((user_texts(dialogue), 2), (assistant_texts(dialogue), 3)):
            thanks = [bool(re.search(r"\bthank", text, re.IGNORECASE)) for text in texts]
            assert len(texts) < fewest or not all(thanks), texts


def test_exclamation_marks_are_rare() -> None:
    """In fewer than one user turn of ten, and never twice in one turn."""
    texts = [text for dialogue in kept() for text in user_texts(dialogue)]

    assert sum("!" in text for text in texts) < 0.1 * len(texts)
    assert not [text for text in texts if text.count("!") > 1]


def test_nobody_tells_their_job_unasked() -> None:
    """The persona colours values and tone, and is not recited."""
    for dialogue in kept():
        plan = dialogue.scenario.annotation if dialogue.scenario else None
        assert isinstance(plan, DiaforgePlan)
        persona = workshop().persona[plan.persona]
        for text in user_texts(dialogue):
            assert not re.search(
                rf"\b(?:I'm|I am|work as|as) (?:an?|the) {re.escape(persona.job)}", text, re.IGNORECASE
            )
            assert not word_runs(persona.text, 6) & word_runs(text, 6), text


def test_no_answer_repeats_the_question_whole() -> None:
    """Four words or more of a question do not all come back in the answer, in their order."""
    long = 0
    for dialogue in kept():
        for heard, answer in zip(dialogue.turns[1::2], dialogue.turns[2::2], strict=False):
            said = f" {' '.join(words(answer.text))} "
            for question in sentences(heard.text):
                asked = words(question)
                long += len(asked) >= 4
                assert len(asked) < 4 or f" {' '.join(asked)} " not in said, (heard.text, answer.text)
    assert long


def test_every_text_reads_as_a_sentence() -> None:
    """A capital first, unless a value stands there; a stop or closing quote last; no traces of its making."""
    assert kept()
    for dialogue in kept():
        arguments = (argument for task in dialogue.tasks for call in task.gold for argument in call.arguments)
        values = tuple(text.strip('"') for argument in arguments for text in argument.accepted)
        for text in (turn.text for turn in dialogue.turns):
            assert not re.search(r"[{}|]|\s{2}|\s[,.?!;]|(?<!\.)\.\.(?!\.)|,[,.?!]|[?!],", text), text
            assert text[-1] in '.?!"', text
            assert not text[0].islower() or text.startswith(values) or re.match(r"\w*[\d@_]|\w+\.\w", text), text


# -- determinism -----------------------------------------------------------------------------------------------------


def test_an_item_does_not_depend_on_what_was_made_before() -> None:
    """Made alone, in another order, or after others of another style: the same dialogue."""
    make(DialogueWorkshop(bundled(), TERSE, 3), range(5))
    backwards = make(DialogueWorkshop(bundled(), DiaforgeOptions(), SEED), [40, 7, 0])

    assert backwards == [planned()[40], planned()[7], planned()[0]]


def test_a_larger_run_begins_with_the_smaller() -> None:
    """The number planned does not decide any dialogue."""
    smaller, larger = (item_ids(RECIPE, bundled(), DiaforgeOptions(), seed=1, n=n) for n in (5, 9))
    assert smaller == larger[:5]


def test_seeds_make_other_dialogues() -> None:
    """Hardly an opening comes back, and no id."""
    one, other = kept(SMALL, seed=21), kept(SMALL, seed=22)

    assert not {dialogue.id for dialogue in one} & {dialogue.id for dialogue in other}
    shared = {dialogue.turns[0].text for dialogue in one} & {dialogue.turns[0].text for dialogue in other}
    assert len(shared) < 0.1 * SMALL


# -- options ---------------------------------------------------------------------------------------------------------


def test_terse_users_are_terse() -> None:
    """Half the words of verbose ones or fewer, and no greeting with a full sentence after it."""
    verbose, terse = (
        [len(words(text)) for dialogue in kept(200, options) for text in user_texts(dialogue)]
        for options in (DiaforgeOptions(), TERSE)
    )

    assert sum(terse) / len(terse) < 0.7 * sum(verbose) / len(verbose)


def test_without_distractors_the_near_tools_are_out_of_the_pool() -> None:
    """And the first request is in the tool's own words."""
    dialogues = kept(SMALL, DiaforgeOptions(no_distractors=True))
    assert len(dialogues) >= 0.8 * SMALL
    for dialogue in dialogues:
        plan = dialogue.scenario.annotation if dialogue.scenario else None
        assert isinstance(plan, DiaforgePlan)
        assert not {tool.key for tool in dialogue.tools} & set(plan.distractors)
        assert not notes_of(dialogue).distractors
        assert not plan.requests
    plain = sum(first_words(seed_tool(one)) <= first_request(one) for one in dialogues) / len(dialogues)
    vague = sum(first_words(seed_tool(one)) <= first_request(one) for one in kept()) / len(kept())
    assert plain > 0.5
    assert vague < 0.1


def first_words(tool: Tool) -> set[str]:
    """Stems of the first sentence of a description."""
    return {stem(word) for word in words(tool.description.split(". ")[0]) if word not in STOP_WORDS}


def first_request(dialogue: Dialogue) -> set[str]:
    """Stems of the first request."""
    return {stem(word) for word in words(dialogue.turns[0].text)}


def test_without_thoughts_there_is_none() -> None:
    """And dialogues are kept as before."""
    bare = {
        made.dialogue.scenario.index: made
        for made in planned(40, DiaforgeOptions(no_thoughts=True))
        if made.dialogue.scenario
    }

    assert not any(turn.thought for made in bare.values() for turn in made.dialogue.turns)
    assert sum(not made.issues for made in bare.values()) >= 30


def test_without_the_cascade_every_finished_dialogue_is_kept() -> None:
    """What is not finished is still rejected, and that alone."""
    unfinished = {"wrong_tool_selected", "not_finished", "opening_tells_all", "seed_tool_not_retrieved"}
    reasons = {issue.code for made in planned(SMALL, DiaforgeOptions(no_cascade=True)) for issue in made.issues}

    assert reasons <= unfinished


NONE_FITS = DiaforgeOptions(no_tool_share=1.0)


def test_where_no_tool_fits_the_seed_tool_is_not_shown() -> None:
    """Nothing is called, nothing is gold, and the notes say so."""
    assert len(kept(SMALL, NONE_FITS)) >= 0.8 * SMALL
    for dialogue in kept(SMALL, NONE_FITS):
        assert not notes_of(dialogue).tool_fits
        assert notes_of(dialogue).gold_tool not in [tool.name for tool in dialogue.tools]
        assert not any(turn.calls for turn in dialogue.turns)
        assert not dialogue.tasks[0].gold


def test_where_no_tool_fits_the_assistant_says_so() -> None:
    """In its last turn and in no other: it cannot, or has nothing for it."""
    refusal = re.compile(r"\b(?:can't|cannot|not|nothing|none|outside|unable|don't|isn't)\b", re.IGNORECASE)
    for dialogue in kept(SMALL, NONE_FITS):
        *asked, told = assistant_texts(dialogue)
        assert refusal.search(told), told
        assert all("?" in text or "need" in text for text in asked)


def test_a_share_of_dialogues_has_no_tool() -> None:
    """About the share asked for."""
    made = planned(200, DiaforgeOptions(no_tool_share=0.4))
    share = sum(not notes_of(one.dialogue).tool_fits for one in made) / len(made)

    assert 0.28 < share < 0.52


def test_the_pool_is_as_large_as_asked() -> None:
    """Seed tool and distractors; the retriever fills it to the wanted size."""
    for distractors in (1, 9):
        for dialogue in kept(40, DiaforgeOptions(distractors=distractors)):
            assert 1 <= len(dialogue.tools) <= distractors + 1
            assert notes_of(dialogue).gold_tool in [tool.name for tool in dialogue.tools]


def test_no_dialogue_is_longer_than_allowed() -> None:
    """With two exchanges at most, longer ones are rejected as not finished."""
    made = planned(60, DiaforgeOptions(t_max=2))

    assert all(len(user_texts(one.dialogue)) <= 3 for one in made)
    assert any(issue.code == "not_finished" for one in made for issue in one.issues)

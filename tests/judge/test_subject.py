"""What a judge is shown, and what no text in it can do."""

from __future__ import annotations

import json

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from callwright.judge.asking import request_of
from callwright.judge.rubric import bundled_rubric
from callwright.judge.subject import Talk, subjects, why_skipped
from callwright.records.annotations.dice_notes import DiceNotes
from callwright.records.dialogue import Call, GoldCall, Participant, Step, Task, Turn
from callwright.records.jsontext import encode
from judge_samples import INJECTION, talk

PRIVATE = "Private."


def test_a_dialogue_is_one_subject_and_its_assistant_turns_are_several() -> None:
    """A turn is shown over what came before it and nothing later."""
    whole = list(subjects(bundled_rubric("fluency"), talk()))
    turns = list(subjects(bundled_rubric("conv-rel"), talk()))
    assert [one.turn for one in whole] == [None]
    assert [one.turn for one in turns] == [1, 3]
    assert "Book one." in turns[1].material
    assert "Book one." not in turns[0].material
    assert json.loads(turns[0].material.splitlines()[-1])["says"] == "Book one or give one back?"


def test_only_what_a_criterion_needs_is_shown() -> None:
    """Gold tool and goal to relevancy, candidates to critique, personas to persona-consistency; thoughts to none."""
    shown = {
        name: next(subjects(bundled_rubric(name), talk())).material
        for name in ("relevancy", "critique", "persona-consistency", "fluency")
    }
    assert '"gold_tool":"book_room"' in shown["relevancy"]
    assert '"goal":"book a room"' in shown["relevancy"]
    assert '"candidate_tool":"free_room"' in shown["critique"]
    assert "gold_tool" not in shown["critique"]
    assert '"persona":"A clerk."' in shown["persona-consistency"]
    assert not any(word in shown["fluency"] for word in ("gold_tool", "candidate_tool", "persona", "goal"))
    assert not any(PRIVATE in text for text in shown.values())


def test_people_are_called_by_their_names() -> None:
    """Turns and personas have the names that the words use; one that two people have tells nobody apart."""
    plain = talk()

    def shown(*people: Participant) -> str:
        dialogue = msgspec.structs.replace(plain.dialogue, participants=people)
        named = msgspec.structs.replace(plain, dialogue=dialogue)
        return next(subjects(bundled_rubric("persona-consistency"), named)).material

    fiona, ai = Participant("user", "user", "Fiona", "A clerk."), Participant("assistant", "assistant", "AI")
    material = shown(fiona, ai)
    assert '{"person":"Fiona","persona":"A clerk."}' in material
    assert '"speaker":"Fiona (user)"' in material
    assert '"speaker":"AI (assistant)"' in material
    assert "Fiona" not in shown(fiona, ai, Participant("other", "user", "Fiona"))


def test_calls_and_results_are_shown() -> None:
    """As JSON, with the turn they belong to."""
    material = next(subjects(bundled_rubric("faithfulness"), talk(results=True))).material
    last = json.loads(material.splitlines()[-1])
    assert last["does"] == [
        {"calls": [{"tool": "book_room", "arguments": {"size": 3}}], "results": [{"value": {"room": "A1"}}]}
    ]
    assert list(last)[2:] == ["does", "says"]  # a report comes after its results, an announcement before its call
    announced = json.loads(next(subjects(bundled_rubric("fluency"), talk())).material.splitlines()[-1])
    assert list(announced)[2:] == ["says", "does"]


def test_criteria_that_lack_what_they_need_are_skipped() -> None:
    """With the reason; they have no subject."""
    cases = {
        "relevancy": (talk(gold=False), "no gold tool"),
        "persona-consistency": (talk(persona=""), "no persona"),
        "faithfulness": (talk(), "no tool results"),
        "conv-rel": (talk("Hello?"), "no assistant turns"),
        "fluency": (msgspec.structs.replace(talk(), turns=()), "no turns"),
    }
    for name, (one, why) in cases.items():
        assert why_skipped(bundled_rubric(name), one) == why
        assert list(subjects(bundled_rubric(name), one)) == []


@given(st.lists(st.text(max_size=40) | st.just(INJECTION), min_size=2, max_size=5))
def test_no_text_can_end_the_material(texts: list[str]) -> None:
    """Whatever is said, the material stays one JSON object a line between its two marks, and comes back as it was."""
    made = talk(*texts)
    subject = next(subjects(bundled_rubric("fluency"), made))
    user = request_of(subject).messages[1].content
    assert (user.count("<material>"), user.count("</material>")) == (1, 1)
    body = user.split("<material>\n")[1].split("\n</material>")[0]
    lines = [json.loads(line) for line in body.split("\n")]
    assert [line["says"] for line in lines] == list(texts)
    assert len(body.splitlines()) == len(lines)


def test_the_digest_is_of_what_is_shown() -> None:
    """Another word is another subject; another id is the same one."""
    rubric = bundled_rubric("fluency")
    first = next(subjects(rubric, talk())).digest
    assert next(subjects(rubric, talk(id_="other"))).digest == first
    assert next(subjects(rubric, talk("A room.", "Which?"))).digest != first


def test_long_texts_are_cut_and_say_so() -> None:
    """A result or text of any length makes a prompt of bounded size."""
    made = talk("x" * 100_000, "Hm.")
    material = next(subjects(bundled_rubric("fluency"), made)).material
    assert len(material) < 25_000
    assert "cut: 100,000 characters" in material


def task_talk(*own: Turn) -> Talk:
    """A model's turns in the second of two tasks: one of calls, and one that lacks a value."""
    asked = (
        Turn("user", "A room."),
        Turn("assistant", "Booked."),
        Turn("user", "And another?"),
        Turn("assistant", "Where?"),
    )
    tasks = (Task("single", turn=0), Task("clarify", gold=(GoldCall("book_room"),), turn=2, missing=("place",)))
    dialogue = msgspec.structs.replace(talk().dialogue, turns=asked, tasks=tasks)
    return Talk(dialogue, (Turn("user", "A room."), Turn("assistant", "No."), *own), talk().tools, parts=(0, 2))


def test_words_that_answer_a_task_are_shown_over_the_gold_trajectory() -> None:
    """Of the tasks before the dialogue's own turns, not the model's; and what is missing."""
    made = task_talk(Turn("user", "And another?"), Turn("assistant", "In which place?"))
    (subject,) = subjects(bundled_rubric("clarify-asks"), made)
    lines = [json.loads(line) for line in subject.material.splitlines()]
    assert subject.turn == 3
    said = [line["says"] for line in lines if "says" in line]
    assert said == ["A room.", "Booked.", "And another?", "In which place?"]
    assert {"missing": ["place"]} in lines


def test_a_task_answered_by_a_call_has_no_words_to_judge() -> None:
    """It is wrong already; a talk without such a task has none either."""
    called = Step(calls=(Call("book_room", encode({})),))
    made = task_talk(Turn("user", "And another?"), Turn("assistant", "", (called,)))
    rubric = bundled_rubric("clarify-asks")
    assert list(subjects(rubric, made)) == []
    assert why_skipped(rubric, made) == "no words without a call that answer a clarify task"
    assert list(subjects(bundled_rubric("chat-answers"), talk())) == []


def test_a_note_is_told_to_the_criterion_that_names_it() -> None:
    """The type that was meant is told to the criterion that asks whether it shows, not to the one that guesses it."""
    plain = talk(gold=True)
    notes = DiceNotes(dialogue_type="eristic", rounds=())
    noted = msgspec.structs.replace(plain, dialogue=msgspec.structs.replace(plain.dialogue, annotation=notes))
    told, guessed = (next(subjects(bundled_rubric(name), noted)) for name in ("chat-type-shown", "chat-type"))
    assert json.loads(told.material.splitlines()[0]) == {"dialogue_type": "eristic"}
    assert "eristic" not in guessed.material
    assert why_skipped(bundled_rubric("chat-type-shown"), plain) == "no dialogue_type"

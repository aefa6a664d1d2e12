"""Asking once: strict reading of replies, one repair, and failures that say who is to blame."""

from __future__ import annotations

import asyncio
import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.engine.context import Context
from callwright.errors import BadRecord, RolloutFailed
from callwright.judge.asking import ask_judge, read_sample, request_of
from callwright.judge.rubric import bundled_rubric, read_rubric
from callwright.judge.subject import JudgedSubject, subjects
from callwright.models.chat import ChatReply, ChatRequest
from callwright.models.structured import FENCED, read_object
from callwright.records.judgement import Sample
from judge_samples import INJECTION, talk

CONV_REL = bundled_rubric("conv-rel")


def first_subject() -> JudgedSubject:
    return next(subjects(CONV_REL, talk()))


class Scripted:
    """A model of the test's own: the replies it is given, one after the other."""

    name = "openai/scripted"

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.asked: list[ChatRequest] = []

    async def reply(self, request: ChatRequest, rng: Random) -> ChatReply:
        self.asked.append(request)
        content, errors = read_object(self.texts.pop(0))
        return ChatReply(content, format_errors=errors)


def ask(model: Scripted) -> Sample:
    return asyncio.run(ask_judge(first_subject(), Context.detached("x", models={"judge": model})))


def test_the_grade_of_a_good_reply_counts_as_the_rubric_says() -> None:
    """Also inside a fence, as a number, and in other letters."""
    assert ask(Scripted('{"analysis": " Fits. ", "grade": "2"}')) == Sample("2", 0.5, "Fits.")
    assert ask(Scripted('{"grade": 3}')).value == 1
    assert ask(Scripted('```json\n{"grade": "1"}\n```')).value == 0
    assert read_sample(bundled_rubric("critique"), ChatReply('{"grade": " Accept"}')).answer == "accept"


@pytest.mark.parametrize(
    "bad",
    [
        "I think 3.",
        '{"grade": 4}',
        '{"grade": null}',
        '{"analysis": "good"}',
        '[{"grade": 3}]',
        '{"grade": 3',
        "",
        'The talk says {"analysis": "", "grade": "3"}, but my answer is {"analysis": "", "grade": "1"}',
    ],
)
def test_bad_replies_are_repaired_once_and_asked_anew_once(bad: str) -> None:
    """The judge is shown its reply and what is wrong; a quoted grade beside other words is never taken."""
    model = Scripted(bad, '{"analysis": "x", "grade": "1"}')
    assert ask(model).answer == "1"
    assert len(model.asked[1].messages) == 4
    with pytest.raises(RolloutFailed, match="3 replies that do not fit") as failure:
        ask(Scripted(bad, bad, bad))
    assert (failure.value.kind, failure.value.role) == ("bad_reply", "judge")


def test_the_reply_must_be_an_object_of_the_rubric() -> None:
    """The schema asks for reasons first, and for one of the answers."""
    schema = json.loads(request_of(first_subject()).reply_schema or "")
    assert list(schema["properties"]) == ["analysis", "grade"]
    assert schema["properties"]["grade"]["enum"] == ["1", "2", "3"]
    assert schema["additionalProperties"] is False


def test_what_never_varies_comes_first() -> None:
    """The system message is the same for all subjects of a rubric, so that servers can keep it."""
    one, other = (request_of(subject) for subject in subjects(CONV_REL, talk("A?", INJECTION, "C?", "D.")))
    assert one.messages[0] == other.messages[0]
    assert INJECTION not in one.messages[0].content


def test_a_prompt_of_ones_own_takes_the_place_of_the_bundled_one() -> None:
    """It is given the rubric and the material; where it fails the rollout fails with `bad_prompt`."""
    text = """
name = "mine"
version = 1
scope = "dialogue"
measure = "nominal"
question = "Well?"
prompt = "Answer {{ rubric.question }}\\n---\\n{{ material%s }}"
[[grades]]
answer = "no"
value = 0
means = "no"
[[grades]]
answer = "yes"
value = 1
means = "yes"
"""
    subject = next(subjects(read_rubric(text % "", where="x"), talk()))
    assert [one.content for one in request_of(subject).messages] == ["Answer Well?", subject.material]
    broken = next(subjects(read_rubric(text % ".nothing.more", where="x"), talk()))
    with pytest.raises(RolloutFailed) as failure:
        asyncio.run(ask_judge(broken, Context.detached("x", models={"judge": Scripted()})))
    assert (failure.value.kind, failure.value.role) == ("bad_prompt", "judge")


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_any_reply_is_a_grade_or_a_bad_record(text: str) -> None:
    """Nothing else is raised, and no value comes from nowhere."""
    content, errors = read_object(text)
    try:
        sample = read_sample(CONV_REL, ChatReply(content, format_errors=errors))
    except BadRecord:
        return
    assert sample.answer in {"1", "2", "3"}
    assert set(errors) <= {FENCED}

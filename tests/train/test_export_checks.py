"""Checks of rows against chat templates: planted faults are named, clean rows pass."""

from __future__ import annotations

import json
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from training_talks import FAULTS, TOOLS, planted, samples, talk

from callwright.records.dialogue import Call, Dialogue, Result, Step, Turn
from callwright.records.jsontext import encode
from callwright.train.chat_template import ChatTemplate, TemplateFailed, read_template, template_names
from callwright.train.export_checks import as_exported
from callwright.train.export_report import VerifySettings, verdict
from callwright.train.rendered_row import RenderedRow
from callwright.train.trainer_layouts import LAYOUTS
from callwright.train.training_sample import TrainingSample, samples_of

CLEAN = (
    "diffusion_gemma gemma4 gemma4_v2 gemma4_v3 gemma4_v4 gemma4_v5 qwen2_5 qwen3 qwen3_6 qwen3_8 qwen3_instruct_2507 "
    "qwen3_vl".split()
)
"""Templates of trl 1.16.0 that carry words beside calls, parallel calls and thoughts of the last reply."""

IN_PYTHON = (
    "lfm2_2_5 lfm2_2_5_v2 lfm2_2_5_vl lfm2_v2 nemotron_3_5_lightning nemotron_3_nano nemotron_3_super "
    "nemotron_3_ultra qwen3_5_think".split()
)
"""Those that carry all of it too, and write `False` for `false`."""


def codes(layout: str, row: dict[str, object], sample: TrainingSample, template: str) -> set[str]:
    settings = VerifySettings(layout, read_template(template))
    return {one.code for one in verdict([row], [sample], settings).findings}


@pytest.mark.parametrize("template", CLEAN)
def test_clean_rows_pass(template: str) -> None:
    """Nothing is reported on rows as they were exported, under templates that can carry them."""
    found = [
        codes(layout, LAYOUTS[layout].write(sample), sample, template)
        for layout in ("trl", "axolotl")
        for sample in samples()
    ]
    assert found == [set()] * 12


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("template", ["qwen2_5", "qwen3_6", "gemma4_v5"])
def test_planted_faults_are_named(name: str, template: str) -> None:
    """Each fault is found as a change of the file, and by the check that it is a matter of."""
    sample = samples()[3]
    row = planted(LAYOUTS["trl"].write(sample), name)
    found = codes("trl", row, sample, template)
    assert "E1" in found
    assert FAULTS[name][0] in found


def test_arguments_in_another_order_are_named() -> None:
    """A row whose arguments stand in another order is not what was exported: E1 names the row and their place."""
    sample = samples()[3]
    row = LAYOUTS["trl"].write(sample)
    function = row["completion"][0]["tool_calls"][0]["function"]
    assert not list(as_exported(1, row, sample, "trl"))
    function["arguments"] = dict(reversed(function["arguments"].items()))
    (only,) = as_exported(1, row, sample, "trl")
    assert (only.code, only.row, only.where) == ("E1", 1, "/completion/0/tool_calls/0/function/arguments")
    assert "keys in another order" in only.what


@pytest.mark.parametrize(
    "written",
    ["(tool_call.arguments | string)", "(tool_call.arguments | tojson | replace('\"', '`'))"],
    ids=["python", "other quotes"],
)
def test_a_call_that_begins_as_json_and_is_none_is_named(written: str) -> None:
    """All names and values stand in the text, and no parser of calls in JSON reads it."""
    sample = samples()[3]
    source = read_template("qwen2_5").source
    assert "tool_call.arguments | tojson" in source
    template = ChatTemplate("mine", source.replace("tool_call.arguments | tojson", written))
    call = replace(sample.messages[-1].calls[0], arguments='{"name":"x"}')
    changed = replace(sample, messages=(*sample.messages[:-1], replace(sample.messages[-1], calls=(call,))))
    found = verdict([LAYOUTS["trl"].write(changed)], [changed], VerifySettings("trl", template)).findings
    assert any(one.code == "E3" and "begins as JSON and is none" in one.what for one in found)


def test_a_lost_parallel_call_is_named() -> None:
    """Of two calls at once one is lost: the count of calls says so."""
    sample = samples()[4]
    row = LAYOUTS["trl"].write(sample)
    row["completion"][0]["tool_calls"].pop()
    assert "E1" in codes("trl", row, sample, "qwen2_5")


@pytest.mark.parametrize("template", IN_PYTHON)
def test_literals_of_python_are_named(template: str) -> None:
    """Only the row whose call holds `false` has a finding of E3, which names what the template writes instead."""
    cut = samples()
    found = verdict([LAYOUTS["trl"].write(one) for one in cut], cut, VerifySettings("trl", read_template(template)))
    (only,) = [one for one in found.findings if one.code == "E3"]
    assert only.row == 4
    assert "does not hold false, but False" in only.what


@pytest.mark.parametrize(
    ("template", "code", "at"),
    [
        ("cohere", "E2", 0),  # shows no tools
        ("llama3_2", "E4", 3),  # loses words beside a call
        ("llama3_2", "E2", 4),  # refuses two calls at once
        ("gptoss", "E3", 4),  # keeps only the first of two calls
        ("lfm2", "E3", 1),  # drops calls
        ("qwen3_5_nothink", "E6", 0),  # its prompt opens and closes a thought that the text lacks
        ("glm4moe", "E5", 0),  # ends replies of words with nothing
    ],
)
def test_known_faults_of_templates_are_found(template: str, code: str, at: int) -> None:
    """What templates of trl 1.16.0 are known to lose is found on rows that have it."""
    sample = samples()[at]
    assert code in codes("trl", LAYOUTS["trl"].write(sample), sample, template)


def test_whole_dialogues_need_marks() -> None:
    """TRL has a training twin for Qwen 2.5 and none for Llama 3.2, whose rows cannot be masked."""
    (sample,) = samples("dialogue")
    row = LAYOUTS["trl"].write(sample)
    assert codes("trl", row, sample, "qwen2_5") == set()
    for end in (3, 7):  # one reply, and two
        cut = replace(sample, messages=sample.messages[:end])
        assert "E5" in codes("trl", LAYOUTS["trl"].write(cut), cut, "llama3_2")


# -- what is trained is exactly the assistant's ----------------------------------------------------------------------


@st.composite
def talks(draw: st.DrawFn) -> Dialogue:
    """Dialogues in which every text and every value is a word that stands nowhere else."""
    fresh = (f"w{number:03d}w" for number in count())
    turns: list[Turn] = []
    for _ in range(draw(st.integers(1, 3))):
        turns.append(Turn("u", next(fresh)))
        steps = []
        for _ in range(draw(st.integers(0, 2))):
            calls = tuple(
                Call("place_order", encode({"part": next(fresh), "place": {"city": next(fresh)}}))
                for _ in range(draw(st.integers(1, 2)))
            )
            results = tuple(Result(value=encode({"pieces": next(fresh)})) for _ in calls)
            steps.append(Step(thought=next(fresh), calls=calls, results=results))
        turns.append(Turn("a", next(fresh), tuple(steps)))
    return replace(talk(), turns=tuple(turns))


def sentinels(text: str) -> set[str]:
    return {
        text[at : at + 5]
        for at in range(len(text) - 4)
        if text[at] == text[at + 4] == "w" and text[at + 1 : at + 4].isdigit()
    }


def own_words(sample: TrainingSample) -> set[str]:
    return set().union(
        *(
            sentinels(" ".join((one.content, one.thought, *(call.arguments for call in one.calls))))
            for one in sample.trained
        )
    )


@pytest.mark.parametrize("template", [*CLEAN, *IN_PYTHON])
@settings(max_examples=15)
@given(dialogue=talks(), slices=st.sampled_from(["turn", "dialogue"]))
def test_the_trained_characters_are_the_assistants(template: str, dialogue: Dialogue, slices: str) -> None:
    """Words of targets stand in the trained text, words of all others do not."""
    cut = samples_of(dialogue, TOOLS, slices=slices, thoughts=slices == "turn")  # type: ignore[arg-type]
    rows = [RenderedRow(1, LAYOUTS["trl"].write(sample), read_template(template)) for sample in cut]
    trained = [None if row.trained is None else sentinels(" ".join(row.trained)) for row in rows]
    assert len(trained) >= 1
    assert [wanted if found is None else found for found, wanted in zip(trained, map(own_words, cut), strict=True)] == [
        own_words(sample) for sample in cut
    ]
    assert None not in trained or slices == "dialogue"


def is_exact(sample: TrainingSample, template: str) -> bool:
    """Whether the words that are trained are those of the targets."""
    try:
        trained = RenderedRow(1, LAYOUTS["trl"].write(sample), read_template(template)).trained
    except TemplateFailed:
        return False
    return trained is not None and sentinels(" ".join(trained)) == own_words(sample)


@pytest.mark.parametrize("template", [name for name in template_names() if name not in (*CLEAN, *IN_PYTHON)])
@settings(max_examples=10)
@given(dialogue=talks(), slices=st.sampled_from(["turn", "dialogue"]))
def test_what_is_trained_is_exact_or_named(template: str, dialogue: Dialogue, slices: str) -> None:
    """Under templates that lose something, no row trains too little or too much without a finding."""
    cut = samples_of(dialogue, TOOLS, slices=slices, thoughts=slices == "turn")  # type: ignore[arg-type]
    silent = [
        one.id for one in cut if not (is_exact(one, template) or codes("trl", LAYOUTS["trl"].write(one), one, template))
    ]
    assert silent == []
    assert len(cut) >= 1


def test_every_template_gives_a_verdict() -> None:
    """No template of trl ends in anything but findings."""
    kept = [sample for slices in ("turn", "dialogue") for sample in samples(slices)]
    rows = [LAYOUTS["trl"].write(sample) for sample in kept]
    found = {
        name: {one.code for one in verdict(rows, kept, VerifySettings("trl", read_template(name))).findings}
        for name in template_names()
    }
    assert {name for name, faults in found.items() if not faults & {"E2", "E3", "E4"}} >= set(CLEAN)
    assert sum("E2" in faults for faults in found.values()) >= 10
    assert json.dumps(sorted(found["qwen2_5"])) == "[]"


@pytest.mark.parametrize("calls", [True, 7, "look", {"name": "look"}])
def test_calls_that_are_no_list_are_found_and_break_nothing(calls: object) -> None:
    sample = samples()[3]
    row = LAYOUTS["trl"].write(sample)
    row["completion"][-1]["tool_calls"] = calls  # type: ignore[index, call-overload]
    assert "E1" in codes("trl", row, sample, "qwen2_5")

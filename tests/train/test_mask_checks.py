"""What is trained beyond the assistant's replies, under templates that mark too much."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from training_talks import TOOLS, samples, talk

from callwright.records.dialogue import Call, Result, Step, Turn
from callwright.records.jsontext import encode
from callwright.train.chat_template import ChatTemplate, read_template, training_twin
from callwright.train.export_report import VerifySettings, verdict
from callwright.train.rendered_row import RowFinding
from callwright.train.trainer_layouts import LAYOUTS
from callwright.train.training_sample import TrainingSample, samples_of

MARKED = """\
{%- for m in messages -%}
{%- if m.role == 'assistant' -%}
{{ '<|im_start|>assistant\\n' }}{% generation %}{{ m.content or '' }}
{%- for call in m.tool_calls or [] -%}
{{ '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' }}
{%- endfor -%}
{{ '<|im_end|>\\n' }}{% endgeneration %}
{%- else -%}
{{ '<|im_start|>' + m.role + '\\n' + (m.content or '') }}
{%- if loop.first and tools %}{%- for tool in tools %}{{ '\\n' + (tool | tojson) }}{%- endfor %}{%- endif %}
{{- '<|im_end|>\\n' }}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}{%- endif -%}
"""  # noqa: E501
BEGIN = "{{ '<|im_start|>assistant\\n' }}{% generation %}{{ m.content or '' }}"
END = "{{ '<|im_end|>\\n' }}{% endgeneration %}"

TOO_MUCH = {
    "header": (BEGIN, "{% generation %}{{ '<|im_start|>assistant\\n' }}{{ m.content or '' }}"),
    "half of the header": (BEGIN, "{{ '<|im_start|>' }}{% generation %}{{ 'assistant\\n' }}{{ m.content or '' }}"),
    "fixed words before": (BEGIN, BEGIN.replace("{{ m", "Say this: {{ m")),
    "fixed words after": (END, " Over." + END),
    "fixed words before calls alone": (BEGIN, BEGIN + "{{ 'Calling: ' if m.tool_calls }}"),
    "ten characters of a user": (BEGIN, BEGIN.replace("{{ m", "{{ loop.previtem.content[:10] }}{{ m")),
    "three characters of a user": (BEGIN, BEGIN.replace("{{ m", "{{ loop.previtem.content[-3:] }}{{ m")),
    "one letter of the system": (END, "{{ messages[0].content[4] }}" + END),
    "words of the reply before": (END, "{% if loop.index > 4 %}{{ messages[2].content[:4] }}{% endif %}" + END),
    "a sign before": (BEGIN, BEGIN.replace("{{ m", "- {{ m")),
    "a digit after": (END, " 1" + END),
    "the mark of the next header": (END, "{{ '<|im_end|>\\n<|im_start|>' }}{% endgeneration %}"),
    "the next header": (END, "{{ '<|im_end|>\\n<|im_start|>user\\n' }}{% endgeneration %}"),
}
"""What is marked beside replies: a place of the template, and what stands there instead."""


def _findings(template: ChatTemplate, sample: TrainingSample) -> tuple[RowFinding, ...]:
    return verdict([LAYOUTS["trl"].write(sample)], [sample], VerifySettings("trl", template)).findings


def found(source: str, sample: TrainingSample) -> set[str]:
    return {one.code for one in _findings(ChatTemplate("mine", source), sample)}


@pytest.mark.parametrize("thoughts", [True, False])
def test_exact_marks_pass(thoughts: bool) -> None:
    """Whole dialogues and single replies, with and without thoughts."""
    cut = [*samples("dialogue", thoughts=thoughts), *samples(thoughts=thoughts)]
    assert [found(MARKED, sample) for sample in cut] == [set()] * 7


@pytest.mark.parametrize("name", TOO_MUCH)
@pytest.mark.parametrize("thoughts", [True, False])
def test_marks_around_more_than_the_reply_are_found(name: str, thoughts: bool) -> None:
    """Headers, fixed words, and the shortest text of another message."""
    (sample,) = samples("dialogue", thoughts=thoughts)
    old, new = TOO_MUCH[name]
    assert old in MARKED
    assert found(MARKED.replace(old, new), sample) == {"E5"}


def test_fixed_words_are_found_in_single_replies() -> None:
    """There the trained text is what follows the prompt, and no mark is needed."""
    plain = MARKED.replace("{% generation %}", "Say this: ").replace("{% endgeneration %}", "")
    assert [found(plain, sample) for sample in samples()] == [{"E5"}] * 6


def test_a_prompt_may_announce_how_calls_begin() -> None:
    """Words that the prompt tells the model to write before a call are its own."""
    source = MARKED.replace("\\n<tool_call>", "Action: \\n<tool_call>")
    sample = samples(thoughts=False)[1]
    told = replace(sample.messages[0], content="Write Action: before each call.")
    assert found(source, sample) == {"E5"}
    assert found(source, replace(sample, messages=(told, *sample.messages[1:]))) == set()


def test_switches_of_thinking_are_left_as_they_are() -> None:
    """A template that looks for `/no_think` in other messages writes the same reply in the comparison."""
    source = MARKED.replace(BEGIN, BEGIN.replace("{{ m", "{{ '<off>' if '/no_think' in messages[0].content }}{{ m"))
    sample = samples(thoughts=False)[0]
    told = replace(sample.messages[0], content="/no_think")
    assert found(source, replace(sample, messages=(told, *sample.messages[1:]))) == set()


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="<>"), min_size=1, max_size=30).filter(str.strip)


@pytest.mark.parametrize("name", ["qwen2_5", "qwen3", "qwen3_6", "gemma4_v5", "lfm2_v2", "marked"])
@settings(max_examples=25)
@example([("0", "0 ", "", "0")], "turn")
@given(
    st.lists(st.tuples(TEXT, TEXT, TEXT | st.just(""), TEXT), min_size=1, max_size=3),
    st.sampled_from(["turn", "dialogue"]),
)
def test_no_text_of_a_reply_is_taken_for_a_fault(name: str, said: list[tuple[str, str, str, str]], slices: str) -> None:
    """Whatever is said, thought and called, a template with exact marks trains the replies and no more."""
    turns = []
    for asked, answer, thought, value in said:
        step = Step(
            thought=thought, calls=(Call("place_order", encode({"part": value})),), results=(Result(value="1"),)
        )
        turns += [Turn("u", asked), Turn("a", answer, (step,))]
    thoughts = slices == "turn"
    cut = samples_of(replace(talk(), turns=tuple(turns)), TOOLS, slices=slices, thoughts=thoughts)  # type: ignore[arg-type]
    template = ChatTemplate("mine", MARKED) if name == "marked" else read_template(name)
    if slices == "dialogue" and not (template.marks_replies or training_twin(template)):
        return
    whats = [one.what for sample in cut for one in _findings(template, sample) if one.code == "E5"]
    assert len(cut) >= 1
    assert whats == []


@pytest.mark.parametrize("asked", ["Привет, закажи клапан.", "请订购一个阀门。", "12345 67890"])
def test_text_of_any_script_is_found(asked: str) -> None:
    """Two letters or digits of a user's message are enough."""
    old = "{{ loop.previtem.content[:2] if loop.previtem and loop.previtem.role == 'user' }}"
    (sample,) = samples("dialogue", thoughts=False)
    said = replace(sample.messages[1], content=asked)
    changed = replace(sample, messages=(sample.messages[0], said, *sample.messages[2:3]))
    whats = [
        one.what
        for one in _findings(ChatTemplate("x", MARKED.replace(BEGIN, BEGIN.replace("{{ m", old + "{{ m"))), changed)
    ]
    assert [what for what in whats if "text of other messages is trained" in what] != []
    assert found(MARKED, changed) == set()


def test_a_prompt_that_opens_a_thought_ends_its_header_before() -> None:
    """The mark of the thought is the reply's own; the header before it is not."""
    source = MARKED.replace(
        "%}{{ '<|im_start|>assistant\\n' }}{%- endif", "%}{{ '<|im_start|>assistant\\n<think>\\n' }}{%- endif"
    )
    assert source != MARKED
    (sample,) = samples("dialogue")
    assert "E5" not in found(source, sample)
    assert "E5" in found(source.replace(*TOO_MUCH["header"]), sample)

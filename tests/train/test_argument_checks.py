"""Arguments at their own names, in forms of calls that are not JSON."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from training_talks import TOOLS, samples, talk

from callwright.records.dialogue import Call, Result, Step, Turn
from callwright.records.jsontext import Json, encode
from callwright.train.chat_template import ChatTemplate, read_template
from callwright.train.export_report import VerifySettings, verdict
from callwright.train.rendered_row import RowFinding
from callwright.train.trainer_layouts import LAYOUTS
from callwright.train.training_sample import TrainingSample, samples_of

NAMES = "{% for k in a %}<p>{{ k }}</p>{% endfor %}"
VALUES = "{% for v in a.values() %}<v>{{ v if v is string else v | tojson }}</v>{% endfor %}"
PAIRS = "{% for k, v in a.items() %}<p>{{ k }}</p><v>{{ v if v is string else v | tojson }}</v>{% endfor %}"
TAGS = '{% for k, v in a.items() %}<param name="{{ k }}">{{ v if v is string else v | tojson }}</param>{% endfor %}'
PYTHON = "({% for k, v in a.items() %}{{ k }}={{ v | tojson }}{{ ', ' if not loop.last }}{% endfor %})"
BRACES = "{{ '{' }}" + PYTHON[1:-1].replace("}}=", "}}:") + "{{ '}' }}"
TEMPLATE = """\
{%- for m in messages -%}
{{ '<|im_start|>' + m.role + '\\n' + (m.content or '') }}
{%- if loop.first and tools %}{%- for tool in tools %}{{ '\\n' + (tool | tojson) }}{%- endfor %}{%- endif %}
{%- set last = loop.last -%}
{%- for call in m.tool_calls or [] -%}
{%- set a = call.function.arguments -%}
{{ '\\n<call:' + call.function.name + '>' }}ARGUMENTS{{ '</call>' }}
{%- endfor -%}
{{ '<|im_end|>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}{%- endif -%}
"""

SOUND = {
    "pairs": PAIRS,
    "names, then values": NAMES + VALUES,
    "values, then names": VALUES + NAMES,
    "names in tags": TAGS,
    "sorted": PAIRS.replace("a.items()", "a | dictsort(reverse=true)"),
    "python": PYTHON,
    "braces": BRACES,
    "names in upper case tags": PAIRS.replace("p>", "P>"),
}
HARMED = {
    "values the other way round": NAMES + VALUES.replace("a.values()", "a.values() | list | reverse"),
    "values sorted by name": NAMES + VALUES.replace("v in a.values()", "_, v in a | dictsort(reverse=true)"),
    "a pair added after": PAIRS + "<p>more</p><v>less</v>",
    "a pair added before": "<p>more</p><v>less</v>" + PAIRS,
    "a pair added among them": PAIRS.replace("{% endfor %}", "<p>more</p><v>less</v>{% endfor %}"),
    "a value added": PAIRS + "<v>less</v>",
    "a tag added": TAGS + '<param name="more">less</param>',
    "a tag with a value added": TAGS.replace("{% endfor %}", '<param name="more" value="less"/>{% endfor %}'),
    "a word added": PYTHON.replace("{{ k }}=", "{{ k }}=word "),
    "a pair added first": PYTHON.replace("(", "(more='less', ", 1),
    "a pair added last": PYTHON.removesuffix(")") + ", more=7)",
    "a pair added in braces": BRACES.replace("{{ '}' }}", """,more:<|"|>less<|"|>{{ '}' }}"""),
    "a pair added after braces": f"({BRACES}, more='less')",
}


def findings(sample: TrainingSample, template: ChatTemplate) -> list[RowFinding]:
    return list(verdict([LAYOUTS["trl"].write(sample)], [sample], VerifySettings("trl", template)).findings)


def with_arguments(text: str) -> ChatTemplate:
    return ChatTemplate("mine", TEMPLATE.replace("ARGUMENTS", text))


@pytest.mark.parametrize("name", SOUND)
def test_sound_forms_pass(name: str) -> None:
    """Names and values in the same order, wherever they stand."""
    assert [findings(sample, with_arguments(SOUND[name])) for sample in samples()] == [[]] * 6


@pytest.mark.parametrize("name", HARMED)
@pytest.mark.parametrize("at", [3, 5])
def test_values_at_other_names_and_added_ones_are_found(name: str, at: int) -> None:
    """In a reply that is trained, and in an earlier one."""
    places = {one.where for one in findings(samples()[at], with_arguments(HARMED[name])) if one.code == "E3"}
    assert "message 8" in places


@pytest.mark.parametrize("name", ["lfm2_2_5", "gemma4_v5"])
@pytest.mark.parametrize("arguments", [{}, {"part": "A-1"}, {"place": {"city": "Bern"}}])
def test_a_pair_at_the_ends_of_a_call_is_found(name: str, arguments: dict[str, Json]) -> None:
    """In templates of trl that write `look(part="A-1")` and `call:look{part:A-1}`, before and after what is there."""
    source = read_template(name).source
    python = source.replace('func_name + "(" + ', """func_name + "(more='less', " + """)
    after = source.replace('join(", ")) + ")"', """join(", ")) + ", more='less')\"""")
    braces = source.replace("'call:' + function['name'] + '{'", "'call:' + function['name'] + '{more:1,'")
    harmed = [one for one in (python, after, braces, source.replace("+ '{' -}}", "+ '{more:1,' -}}")) if one != source]
    turns = (
        Turn("u", "Order it, please."),
        Turn("a", "", (Step(calls=(Call("place_order", encode(arguments)),), results=(Result(value="1"),)),)),
    )
    cut = samples_of(replace(talk(), turns=turns), TOOLS, slices="turn", thoughts=False)
    assert findings(cut[0], read_template(name)) == []
    assert harmed
    for one in harmed:
        assert "E3" in {found.code for found in findings(cut[0], ChatTemplate("mine", one))}


@pytest.mark.parametrize("values", [(1, 2), (1.5, 2.5), (True, None), ("a", {"b": 1})])
def test_values_of_every_type_are_told_apart(values: tuple[Json, Json]) -> None:
    """Numbers, literals and objects that stand at each other's names are found too."""
    step = Step(
        calls=(Call("place_order", encode(dict(zip(("one", "two"), values, strict=True)))),),
        results=(Result(value="1"),),
    )
    turns = (Turn("u", "Order it, please."), Turn("a", "It is ordered now.", (step,)))
    cut = samples_of(replace(talk(), turns=turns), TOOLS, slices="turn", thoughts=False)
    assert [findings(sample, with_arguments(SOUND["names, then values"])) for sample in cut] == [[], []]
    swapped = with_arguments(HARMED["values the other way round"])
    assert [[one.code for one in findings(sample, swapped)] for sample in cut] == [["E3"], ["E3"]]


def test_arguments_of_two_calls_are_not_mixed() -> None:
    """Names of both calls first, then the arguments the other way round."""
    source = TEMPLATE.replace("for call in m.tool_calls or []", "for call in (m.tool_calls or [])[:0]").replace(
        "{{ '<|im_end|>\\n' }}",
        "{% for c in m.tool_calls or [] %}<call:{{ c.function.name }}>{% endfor %}"
        "{% for c in (m.tool_calls or []) | reverse %}{% set a = c.function.arguments %}ARGUMENTS{% endfor %}"
        "{{ '<|im_end|>\\n' }}",
    )
    template = ChatTemplate("mine", source.replace("ARGUMENTS", PAIRS))
    assert ["mixed" in one.what for one in findings(samples()[4], template)] == [True]
    straight = ChatTemplate("mine", source.replace("ARGUMENTS", PAIRS).replace(" | reverse", ""))
    assert findings(samples()[4], straight) == []


@pytest.mark.parametrize(
    "text",
    [
        "{% if last %}" + PAIRS + "{% endif %}",
        "{% if last %}" + PAIRS + "{% else %}" + NAMES + "{% endif %}",
        "{% if last %}" + PAIRS + "{% else %}" + PAIRS.replace("if v is string", "[:4] if v is string") + "{% endif %}",
    ],
    ids=["all", "values", "the ends of values"],
)
def test_lost_arguments_of_earlier_calls_are_found(text: str) -> None:
    """The calls are there, and those that are trained are whole."""
    found = [(one.code, one.where) for one in findings(samples()[3], with_arguments(text))]
    assert found == [("E4", "message 4")]


JSON_CALL = (
    """{{ '\\n<tool_call>{"name": "' + call.function.name + '", "arguments": ' }}ARGUMENTS{{ '}</tool_call>' }}"""
)
OTHER_CALL = "{{ '\\n<call:' + call.function.name + '>' }}ARGUMENTS{{ '</call>' }}"


def with_json(text: str) -> ChatTemplate:
    assert OTHER_CALL in TEMPLATE
    return ChatTemplate("mine", TEMPLATE.replace(OTHER_CALL, JSON_CALL).replace("ARGUMENTS", text))


def test_lost_arguments_of_earlier_json_calls_are_found() -> None:
    """As in any other form."""
    assert findings(samples()[3], with_json("{{ a | tojson }}")) == []
    lost = findings(samples()[3], with_json("{{ a | tojson if last else '{}' }}"))
    assert [(one.code, one.where) for one in lost] == [("E4", "message 4")]


SWAPPED = (
    "{{ '{' }}{% for k in a %}\"{{ k }}\": {{ (a.values() | list | reverse | list)[loop.index0] | tojson }}"
    "{{ ', ' if not loop.last }}{% endfor %}{{ '}' }}"
)


@pytest.mark.parametrize("text", ["{{ dict(a, more=1) | tojson }}", SWAPPED], ids=["added", "swapped"])
@pytest.mark.parametrize("at", [3, 5])
def test_other_json_is_found(text: str, at: int) -> None:
    """Arguments that are added, or have each other's values, in calls that read back, trained or earlier."""
    assert ("E3", "message 8") in {(one.code, one.where) for one in findings(samples()[at], with_json(text))}


def test_json_in_another_order_of_names_passes() -> None:
    """A call is the same whatever order its arguments have."""
    text = "{{ dict(a | dictsort(reverse=true)) | tojson }}"
    assert [findings(sample, with_json(text)) for sample in samples()] == [[]] * 6


def test_lost_names_of_earlier_calls_are_found() -> None:
    """The arguments are there, and the results name the tool."""
    source = TEMPLATE.replace("call.function.name", "('x' if not last else call.function.name)")
    found = findings(samples()[3], ChatTemplate("mine", source.replace("ARGUMENTS", PAIRS)))
    assert ("E4", "message 4") in {(one.code, one.where) for one in found}


VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("name", ["qwen2_5", "qwen3_6", "gemma4_v5", "glm4moe", "lfm2_2_5", "muse_glimmer", "sound"])
@settings(max_examples=25)
@given(arguments=st.lists(st.dictionaries(st.text("ab_", min_size=1), VALUE, max_size=4), min_size=1, max_size=2))
def test_no_arguments_are_taken_for_a_fault(name: str, arguments: list[dict[str, Json]]) -> None:
    """Whatever the arguments are, templates that keep names beside values have no such finding."""
    calls = tuple(Call("place_order", encode(one)) for one in arguments)
    step = Step(calls=calls, results=tuple(Result(value="1") for _ in calls))
    turns = (Turn("u", "Order it, please."), Turn("a", "It is ordered now.", (step,)))
    template = with_arguments(PAIRS) if name == "sound" else read_template(name)
    cut = samples_of(replace(talk(), turns=turns), TOOLS, slices="turn", thoughts=False)
    whats = [one.what for sample in cut for one in findings(sample, template)]
    assert len(cut) == 2
    assert [what for what in whats if "other names" in what or "mixed" in what or "none of its" in what] == []
    assert [what for what in whats if "earlier call" in what] == []

"""Chat templates in a sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from callwright.errors import BadDocument, BadInput, UnknownName
from callwright.train.chat_template import (
    LARGEST,
    ChatTemplate,
    TemplateFailed,
    read_template,
    template_names,
    training_twin,
)

SIMPLE = (
    "{% for m in messages %}[{{ m.role }}]{% if m.role == 'assistant' %}"
    "{% generation %}{{ m.content }}</s>{% endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}[assistant]{% endif %}"
)
TALK = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]


def test_the_marked_spans_are_what_the_template_generates() -> None:
    """Spans are places in the text without marks; the text is that of plain rendering."""
    template = ChatTemplate("simple", SIMPLE)
    marked = template.render_marked([*TALK, *TALK], [])
    assert [marked.text[start:end] for start, end in marked.spans] == ["ho</s>", "ho</s>"]
    assert marked.text == template.render([*TALK, *TALK], []) == "[user]hi[assistant]ho</s>" * 2


@pytest.mark.parametrize("token", ['"<|end|>"', '{"content": "<|end|>", "special": true}'])
def test_a_template_writes_the_tokens_of_its_tokenizer(tmp_path: Path, token: str) -> None:
    """Those that the tokenizer names; a stand-in for the others, and where there is no tokenizer."""
    source = "{{ bos_token }}{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}"
    (tmp_path / "chat_template.jinja").write_text(source)
    (tmp_path / "tokenizer_config.json").write_text(f'{{"eos_token": {token}, "pad_token": null}}')
    for template in (ChatTemplate("mine", source), read_template(str(tmp_path / "chat_template.jinja"))):
        assert template.render(TALK[:1], []) == "<s>hi</s>"
        template.use_tokens_of(tmp_path)
        assert template.render(TALK[:1], []) == "<s>hi<|end|>"


def test_a_token_that_the_tokenizer_lacks_is_rendered_as_nothing(tmp_path: Path) -> None:
    """Null there is not defined here, as with `transformers`; a template can ask for it."""
    source = "{{ bos_token }}{{ messages[0].content }}{% if bos_token is defined %}!{% endif %}{{ eos_token }}"
    (tmp_path / "chat_template.jinja").write_text(source)
    (tmp_path / "tokenizer_config.json").write_text('{"bos_token": null, "eos_token": "<|end|>"}')
    for template in (ChatTemplate("mine", source), read_template(str(tmp_path / "chat_template.jinja"))):
        assert template.render(TALK[:1], []) == "<s>hi!</s>"
        template.use_tokens_of(tmp_path)
        assert template.render(TALK[:1], []) == "hi<|end|>"


def test_a_template_that_is_read_again_is_not_compiled_again() -> None:
    """Both have one compiled form, each its own tokens, and a rendering leaves nothing for the next."""
    source = "{% set kept = kept | default('new') %}{{ kept }}{{ messages[0].content }}{{ eos_token }}"
    first, second = (ChatTemplate(name, source) for name in ("first", "second"))
    second.tokens = {"eos_token": "<|end|>"}
    assert first._compiled is second._compiled
    assert [one.render(TALK[:1], []) for one in (first, second, first)] == ["newhi</s>", "newhi<|end|>", "newhi</s>"]


def test_the_prompt_ends_where_the_reply_begins() -> None:
    """With `prompt` the template adds what a reply follows."""
    assert ChatTemplate("simple", SIMPLE).render(TALK[:1], [], prompt=True) == "[user]hi[assistant]"


def test_json_is_written_as_transformers_does() -> None:
    """No escapes of HTML or letters, keys in their order, and an indent where it is asked for."""
    template = ChatTemplate("json", "{{ tools | tojson }}|{{ tools | tojson(indent=1) }}")
    assert template.render([], [{"b": "<é>", "a": True}]).startswith('[{"b": "<é>", "a": true}]|[\n {\n  "b"')


@pytest.mark.parametrize(
    "source",
    [
        "{{ raise_exception('only one call') }}",
        "{{ messages[9].content }}",
        "{{ ().__class__.__bases__ }}",
        "{{ messages.append(1) }}",
        "{% for i in range(10 ** 9) %}x{% endfor %}",
    ],
)
def test_a_template_that_refuses_or_breaks_out_is_an_error(source: str) -> None:
    """What a template raises, lacks or must not do ends in one kind of error."""
    with pytest.raises(TemplateFailed):
        ChatTemplate("bad", source).render([{"role": "user", "content": "x"}], [])


def test_files_are_checked(tmp_path: Path) -> None:
    """Broken, large and non-UTF-8 files are refused by name; so is a name that no file has."""
    broken, large, latin = (tmp_path / name for name in ("broken.jinja", "large.jinja", "latin.jinja"))
    broken.write_text("{% if %}")
    large.write_text("x" * (LARGEST + 1))
    latin.write_bytes(b"\xe9")
    with pytest.raises(BadDocument, match=r"broken\.jinja"):
        read_template(str(broken))
    with pytest.raises(BadInput, match=r"large\.jinja: over"):
        read_template(str(large))
    with pytest.raises(BadInput, match="not UTF-8 at byte 0"):
        read_template(str(latin))
    with pytest.raises(UnknownName, match=r"no chat template is called 'qwen2\.5'.* qwen2_5, qwen2_5_training, "):
        read_template("qwen2.5")


def test_a_path_that_is_no_file_is_named_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing file and a folder are not taken for names, nor is a name for the folder that is called so."""
    for missing in (str(tmp_path / "no"), "no-such-file.jinja"):
        with pytest.raises(BadDocument, match=rf"{missing}: no such file"):
            read_template(missing)
    with pytest.raises(BadDocument, match="this is a folder"):
        read_template(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qwen3").mkdir()
    assert read_template("qwen3").name == "qwen3"


def test_names_are_those_of_trl() -> None:
    """The 41 originals of trl 1.16.0 have names; their training twins are found by their text."""
    assert len(template_names()) == 41
    qwen = read_template("qwen2_5")
    twin = training_twin(qwen)
    assert twin is not None
    assert twin.name == "qwen2_5_training"
    assert training_twin(ChatTemplate("mine", qwen.source + " ")) is None
    assert training_twin(read_template("llama3_2")) is None


@pytest.mark.parametrize(
    "source",
    [
        "{{ 'a' * 10**10 }}",
        "{% for a in range(90000) %}{% for b in range(90000) %}{% endfor %}{% endfor %}",
        "{% set x = namespace(t='a') %}{% for a in range(60) %}{% set x.t = x.t ~ x.t %}{% endfor %}{{ x.t }}",
        "{% for a in range(90000) %}{{ 'a' * 1000 }}{% endfor %}",
    ],
    ids=["product", "loops", "doubling", "output"],
)
def test_a_template_without_measure_is_one_error(tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What grows in time, memory or text ends with one sentence, and the next template works."""
    monkeypatch.setattr("callwright.train.template_process.SECONDS", 3.0)
    path = tmp_path / "own.jinja"
    path.write_text(source)
    with pytest.raises(BadInput, match=r"own\.jinja"):
        read_template(str(path)).render([{"role": "user", "content": "Hi"}], [])
    path.write_text("{{ messages[0].content }}")
    assert read_template(str(path)).render([{"role": "user", "content": "Hi"}], []) == "Hi"

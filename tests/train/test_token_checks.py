"""Checks that need a tokenizer, with one that is made here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from training_talks import samples

from callwright.errors import BadInput
from callwright.train.chat_template import ChatTemplate, read_template
from callwright.train.export_report import VerifySettings, verdict
from callwright.train.token_checks import RowTokenizer, quantiles
from callwright.train.trainer_layouts import LAYOUTS


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> RowTokenizer:
    """Bytes as tokens, with the control tokens of ChatML."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({char: number for number, char in enumerate(alphabet)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.add_special_tokens(["<|im_start|>", "<|im_end|>"])
    path = tmp_path_factory.mktemp("tokenizer")
    made.save(str(path / "tokenizer.json"))
    return RowTokenizer(path)


def settings_of(tokenizer: RowTokenizer, most: int = 100_000) -> VerifySettings:
    return VerifySettings("trl", read_template("qwen2_5"), tokenizer=tokenizer, most_tokens=most)


def test_clean_rows_pass_and_are_measured(tokenizer: RowTokenizer) -> None:
    """All checks pass; lengths are those of the parts, which add up to the whole."""
    cut = samples()
    found = verdict([LAYOUTS["trl"].write(one) for one in cut], cut, settings_of(tokenizer))
    assert [check.state for check in found.checks] == ["passed"] * 10
    assert found.lengths["schemas"].median > 100
    assert found.lengths["whole"].most <= sum(found.lengths[part].most for part in ("schemas", "history", "target"))


def variant(folder: Path, **parts: Any) -> RowTokenizer:
    """Bytes as tokens that are read back, with parts of the file replaced."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({char: number for number, char in enumerate(alphabet)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens(parts.pop("special", ["<|im_start|>", "<|im_end|>"]))
    (folder / "tokenizer.json").write_text(json.dumps({**json.loads(made.to_str()), **parts}), "utf-8")
    return RowTokenizer(folder)


CUT = {"direction": "Right", "max_length": 20, "strategy": "LongestFirst", "stride": 0}
FILL = {"direction": "Right", "pad_id": 0, "pad_token": "!", "pad_type_id": 0, "pad_to_multiple_of": None}


@pytest.mark.parametrize(
    "parts", [{"truncation": CUT}, {"padding": {**FILL, "strategy": {"Fixed": 9000}}}], ids=["cuts", "fills"]
)
def test_rows_are_measured_whole(tokenizer: RowTokenizer, tmp_path: Path, parts: dict[str, Any]) -> None:
    """A length to cut or to fill up to in tokenizer.json changes no count and joins no tokens."""
    cut = samples()
    rows = [LAYOUTS["trl"].write(one) for one in cut]
    plain, found = (verdict(rows, cut, settings_of(one)) for one in (tokenizer, variant(tmp_path, **parts)))
    assert not found.findings
    assert found.lengths == plain.lengths


@pytest.mark.parametrize(
    ("normalizer", "place"),
    [
        ({"type": "Lowercase"}, "read back as"),
        ({"type": "NFKC"}, "read back as '12"),
        ({"type": "NFC"}, "read back as 'Jos\u00e9"),
        ({"type": "Replace", "pattern": {"String": "  "}, "content": " "}, "read back as 'a b"),
        (None, ""),
    ],
)
def test_trained_text_that_tokens_change_is_named(tmp_path: Path, normalizer: Any, place: str) -> None:
    """A tokenizer that writes a trained value otherwise would teach another call; one that keeps it passes."""
    sample = samples()[3]
    last = sample.messages[-1]
    values = {"Lowercase": "K-1", "NFKC": "\uff11\uff12", "NFC": "Jose\u0301", "Replace": "a  b"}
    value = values.get((normalizer or {}).get("type"), "".join(values.values()))
    call = replace(last.calls[0], arguments=json.dumps({"x": value}, ensure_ascii=False, separators=(",", ":")))
    changed = replace(sample, messages=(*sample.messages[:-1], replace(last, calls=(call, *last.calls[1:]))))
    made = variant(tmp_path, normalizer=normalizer)
    found = verdict([LAYOUTS["trl"].write(changed)], [changed], settings_of(made)).findings
    assert {one.code for one in found} == ({"E7"} if normalizer else set())
    assert all(place in one.what for one in found)


def test_a_character_without_a_token_is_named(tmp_path: Path) -> None:
    """In a trained value it is E7, as the model would learn `<unk>`; in words of the user it is no control token."""
    from tokenizers import Tokenizer, decoders, models

    letters = [chr(one) for one in range(10, 127)]
    made = Tokenizer(models.BPE({one: at for at, one in enumerate(["<unk>", *letters])}, [], unk_token="<unk>"))
    made.decoder = decoders.Fuse()
    made.add_special_tokens(["<unk>", "<|im_start|>", "<|im_end|>"])
    made.save(str(tmp_path / "tokenizer.json"))
    sample = samples()[0]
    first, asked, *others = sample.messages
    for changed, codes in (
        (replace(sample, messages=(first, replace(asked, content="Žluť"), *others)), []),
        (replace(sample, messages=(*sample.messages[:-1], replace(sample.messages[-1], content="Žluť"))), ["E7"]),
    ):
        found = verdict([LAYOUTS["trl"].write(changed)], [changed], settings_of(RowTokenizer(tmp_path))).findings
        assert [one.code for one in found] == codes


def test_an_end_mark_that_is_no_token_is_named(tmp_path: Path) -> None:
    """With the tokenizer of another family each reply would end in letters, at which no server stops."""
    cut = samples()
    made = variant(tmp_path, special=["<|eot_id|>"])
    found = verdict([LAYOUTS["trl"].write(one) for one in cut], cut, settings_of(made)).findings
    assert [(one.code, one.row) for one in found] == [("E5", number) for number in range(1, len(cut) + 1)]
    assert "'<|im_end|>' that ends the reply is 10 tokens, not one" in found[0].what


def test_a_token_that_the_template_makes_is_named(tokenizer: RowTokenizer) -> None:
    """No text holds a token, and the rendered row does: the template takes a sign out of the words."""
    sample = samples()[0]
    said = replace(sample.messages[1], content="Stop <|im_*end|> here.")
    changed = replace(sample, messages=(sample.messages[0], said, *sample.messages[2:]))
    source = read_template("qwen2_5").source
    assert "+ message.content +" in source
    strips = ChatTemplate("mine", source.replace("+ message.content +", "+ (message.content | replace('*', '')) +"))
    for template, codes in ((read_template("qwen2_5"), set()), (strips, {"E4", "E9"})):
        settings = VerifySettings("trl", template, tokenizer=tokenizer, most_tokens=100_000)
        found = verdict([LAYOUTS["trl"].write(changed)], [changed], settings).findings
        assert {one.code for one in found} == codes


def test_control_tokens_in_values_of_calls_are_named(tokenizer: RowTokenizer) -> None:
    """A value that a call is trained with holds the token that ends a reply."""
    sample = samples()[3]
    last = sample.messages[-1]
    call = replace(last.calls[0], arguments='{"x":"a <|im_end|> b"}')
    changed = replace(sample, messages=(*sample.messages[:-1], replace(last, calls=(call, *last.calls[1:]))))
    found = verdict([LAYOUTS["trl"].write(changed)], [changed], settings_of(tokenizer)).findings
    assert "E9" in {one.code for one in found}


def test_half_a_character_is_a_finding_of_its_row(tokenizer: RowTokenizer) -> None:
    """A lone surrogate, which no tokenizer takes, is named with its row and breaks nothing."""
    cut = samples()
    rows = [LAYOUTS["trl"].write(one) for one in cut]
    rows[1]["prompt"][1]["content"] += " \ud83d "  # type: ignore[index, call-overload, operator]
    found = verdict(rows, cut, settings_of(tokenizer)).findings
    assert [one.row for one in found if "half a character stands in" in one.what] == [2]


def test_a_cut_call_is_named(tokenizer: RowTokenizer) -> None:
    """A row that is longer than the trainer's length loses its end: the reply, or all that is trained."""
    sample = samples()[3]
    whole = verdict([LAYOUTS["trl"].write(sample)], [sample], settings_of(tokenizer)).lengths["whole"].most
    found = {
        most: [
            one.what for one in verdict([LAYOUTS["trl"].write(sample)], [sample], settings_of(tokenizer, most)).findings
        ]
        for most in (whole, whole - 1, 50)
    }
    assert found[whole] == []
    assert "the trained call is cut" in found[whole - 1][0]
    assert "nothing trained is left" in found[50][0]


def test_control_tokens_in_texts_are_named(tokenizer: RowTokenizer) -> None:
    """Text of a user that becomes a control token is found, in a row that is otherwise as exported."""
    sample = samples()[0]
    said = replace(sample.messages[1], content="Ignore that.<|im_end|> Thanks!")
    changed = replace(sample, messages=(sample.messages[0], said, *sample.messages[2:]))
    found = verdict([LAYOUTS["trl"].write(changed)], [changed], settings_of(tokenizer))
    assert [(one.code, one.where) for one in found.findings] == [("E9", "message 1")]


@pytest.mark.parametrize(
    "inner", [{"type": "string", "description": "End with <|im_end|>"}, {"enum": ["a", "<|im_start|>"]}]
)
def test_control_tokens_inside_schemas_are_named(tokenizer: RowTokenizer, inner: dict[str, Any]) -> None:
    """In descriptions and listed values of parameters, at any depth."""
    sample = samples()[0]
    parameters = {"type": "object", "properties": {"mark": inner}}
    tool = {"name": "mark", "description": "Marks.", "parameters": parameters}
    changed = replace(sample, tools=(*sample.tools, tool))
    found = verdict([LAYOUTS["trl"].write(changed)], [changed], settings_of(tokenizer))
    assert ("E9", "tools") in [(one.code, one.where) for one in found.findings]


def test_without_a_tokenizer_nothing_is_claimed() -> None:
    """E7 and E8 are not checked, E9 in part, and all say what to give."""
    cut = samples()
    found = verdict([LAYOUTS["trl"].write(one) for one in cut], cut, VerifySettings("trl", read_template("qwen2_5")))
    states = {check.code: check.state for check in found.checks}
    assert [states[code] for code in ("E6", "E7", "E8", "E9", "E10")] == [
        "passed",
        "not checked",
        "not checked",
        "partly checked",
        "passed",
    ]


@pytest.mark.parametrize(
    ("marker", "template"),
    [("<|im_end|>", "qwen2_5"), ("<turn|>", "gemma4_v5"), ("<｜User｜>", "deepseekv3"), ("[INST]", "")],
)
@pytest.mark.parametrize("inner", [{"description": "End: MARK"}, {"enum": ["MARK"]}, {"properties": {"MARK": {}}}, {}])
def test_markers_of_the_template_inside_tools_are_named(marker: str, template: str, inner: dict[str, Any]) -> None:
    """Without a tokenizer, in names, descriptions, parameters and listed values."""
    parameters = json.loads(json.dumps({"type": "object", "properties": {"mark": inner}}).replace("MARK", marker))
    tool = {"name": "mark", "description": "Marks." if inner else f"Marks {marker}.", "parameters": parameters}
    clean, old = samples()[0], ChatTemplate("mine", f"[INST]{read_template('qwen2_5').source}")
    changed = replace(clean, tools=(*clean.tools, tool))
    found = [
        [one.where for one in verdict([LAYOUTS["trl"].write(sample)], [sample], settings).findings if one.code == "E9"]
        for settings in (VerifySettings("trl", read_template(template) if template else old),)
        for sample in (clean, changed)
    ]
    assert found == [[], ["tools"]]


def test_marks_in_comments_of_a_template_are_none() -> None:
    """Only what a template writes counts."""
    sample = samples()[0]
    told = replace(sample, messages=(replace(sample.messages[0], content="Fill in <name>."), *sample.messages[1:]))
    for mark, codes in (("{# <name> #}", []), ("<name>", ["E9"])):
        template = ChatTemplate("mine", f"{mark}{read_template('qwen2_5').source}")
        found = verdict([LAYOUTS["trl"].write(told)], [told], VerifySettings("trl", template)).findings
        assert [one.code for one in found] == codes


def test_a_length_without_a_tokenizer_is_named() -> None:
    """Where the length is known, E8 says that no row was measured against it."""
    settings = VerifySettings("trl", read_template("qwen2_5"), most_tokens=4096)
    whys = [one.why for one in verdict([], [], settings).checks if one.code == "E8"]
    assert whys == ["give --tokenizer; rows were not measured against 4,096 tokens"]


def test_what_is_no_tokenizer_is_refused(tmp_path: Path) -> None:
    """A missing file and a file of something else are named."""
    with pytest.raises(BadInput, match="no such file"):
        RowTokenizer(tmp_path)
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(BadInput, match="no tokenizer"):
        RowTokenizer(tmp_path)


@given(st.lists(st.integers(0, 10**6), min_size=1))
def test_quantiles_are_values_at_their_ranks(values: list[int]) -> None:
    """Half of the values are at most the median, 95 % at most the next one, all at most the maximum."""
    found = quantiles(values)
    for most, share in ((found.median, 0.5), (found.p95, 0.95), (found.most, 1.0)):
        assert most in values
        assert sum(value <= most for value in values) >= share * len(values)

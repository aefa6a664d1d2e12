"""Tokens of rows by part, with a tokenizer whose tokens are bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers
from training_talks import TOOLS, samples, talk

from callwright.train.chat_template import read_template
from callwright.train.export_checks import RenderedRow
from callwright.train.token_checks import RowTokenizer
from callwright.train.trainer_layouts import LAYOUTS
from callwright.train.training_lengths import PARTS, part_tokens
from callwright.train.training_sample import TrainingSample, samples_of
from callwright.train.tuning_progress import seconds_before


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> RowTokenizer:
    """Bytes as tokens."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({char: number for number, char in enumerate(alphabet)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    path = tmp_path_factory.mktemp("tokenizer")
    made.save(str(path / "tokenizer.json"))
    return RowTokenizer(path)


def of(sample: TrainingSample, tokenizer: RowTokenizer, template: str = "qwen2_5") -> tuple[dict[str, int], str, str]:
    """The tokens of one sample by part, its whole text, and what is trained of it."""
    row = RenderedRow(1, LAYOUTS["trl"].write(sample), read_template(template))
    found = {name: one.total for name, one in part_tokens([(row, sample)], tokenizer).items()}
    return found, row.text, "".join(row.trained or ())


def size(text: str) -> int:
    return len(text.encode())


@pytest.mark.parametrize("slices", ["turn", "dialogue"])
@pytest.mark.parametrize("calling", ["native", "object", "prompted"])
def test_parts_add_up_to_the_row(tokenizer: RowTokenizer, slices: str, calling: str) -> None:
    """What is trained is thought, call and reply; the rest is prompt. Calls are told from words in every form."""
    cut = samples_of(talk(), TOOLS, slices=slices, thoughts=True, calling=calling)  # type: ignore[arg-type]
    calls = 0
    for sample in cut:
        found, text, trained = of(sample, tokenizer)
        assert tuple(found) == PARTS
        assert found["prompt"] == size(text) - size(trained)
        assert found["thought"] + found["call"] + found["reply"] == size(trained)
        assert found["thought"] == sum(size(one.thought) for one in sample.trained)
        calls += found["call"] > 0
    assert calls == (1 if slices == "dialogue" else 3)


def test_words_beside_a_call_are_reply(tokenizer: RowTokenizer) -> None:
    """A reply with words and a call has both; one without a call is reply alone."""
    asked, _, ordered = samples()[0], samples()[1], samples()[3]
    assert of(asked, tokenizer)[0]["call"] == 0
    found, _, trained = of(ordered, tokenizer)
    assert found["reply"] == size("Ordering one of them right now.")
    assert found["call"] == size(trained) - found["reply"] - size("All is known.")


def test_the_time_of_earlier_sessions_is_kept_with_a_checkpoint(tmp_path: Path) -> None:
    """It is 0 where there is no checkpoint, or one without a time."""
    assert seconds_before(None) == seconds_before(str(tmp_path)) == 0.0
    (tmp_path / "seconds.json").write_text("12.5")
    assert seconds_before(str(tmp_path)) == 12.5

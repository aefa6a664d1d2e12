"""Models in folders written as GGUF; skipped where PyTorch is not installed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from foreign_forks import Forks
from foreign_server import BIN, HERE

pytestmark = [
    pytest.mark.skipif(
        not list(BIN.parent.glob("lib/*/site-packages/peft")), reason="no PEFT in .venv-foreign; make foreign"
    ),
    pytest.mark.xdist_group("foreign"),
]

REASONS = {
    "gelu": "it computes with gelu",
    "dynamic": "its positions are scaled by dynamic",
    "llama3": "its positions are scaled by llama3",
    "window": "it attends to a sliding window",
    "mistral": "a model of the kind mistral",
    "rows": "and the model 300 rows",
    "rules": "cuts text by rules that are not known here",
    "lower": "changes text before it cuts it (Lowercase)",
    "pieces": "is no byte-level BPE",
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory, forks: Forks) -> dict[str, Any]:
    """What `compare_gguf.py` prints."""
    done = forks.run(HERE / "compare_gguf.py", tmp_path_factory.mktemp("pairs"))
    return dict(json.loads(done.stdout.splitlines()[-1]))


def test_llama_cpp_computes_what_transformers_computes(found: dict[str, Any]) -> None:
    """Log probabilities of all tokens agree within the error of 8 bits, for each kind, its biases, its ways to scale
    positions, shared and own output weights. Another order of queries or other positions put them 2 apart or more."""
    same = found["same"]
    assert set(same) == {"llama", "llama-scaled", "llama-linear", "llama-own", "qwen2", "qwen2-yarn", "qwen3"}
    for name, pair in same.items():
        assert pair["compared"] > 1000, name
        assert pair["reach"] > 5, name
        assert pair["apart"] < 0.3, name


def test_llama_cpp_reads_the_same_tokens(found: dict[str, Any]) -> None:
    """Texts of digits, white space, other scripts and control tokens have the same tokens, which the rules decide."""
    there = {name: pair["tokens"][1] for name, pair in found["same"].items()}
    assert {name: pair["tokens"][0] for name, pair in found["same"].items()} == there
    cuts = {pair["fields"]["tokenizer.ggml.pre"]: pair["tokens"][1] for pair in found["same"].values()}
    assert set(cuts) == {"gpt-2", "smollm", "qwen2", "llama-bpe", "smaug-bpe"}
    assert len({json.dumps(tokens) for tokens in cuts.values()}) == len(cuts)


def test_a_beginning_is_added_where_the_template_writes_one(found: dict[str, Any]) -> None:
    """llama.cpp puts a beginning before a text only if the tokenizer does so and the trained template writes it."""
    added = {name: pair["fields"]["tokenizer.ggml.add_bos_token"] for name, pair in found["same"].items()}
    assert [name for name, adds in added.items() if adds] == ["llama-scaled"]
    assert found["begins"] is False


def test_what_gguf_has_no_form_for_is_refused(found: dict[str, Any]) -> None:
    """The error names what it is and what to do."""
    assert set(found["refused"]) == set(REASONS)
    for name, reason in REASONS.items():
        assert reason in found["refused"][name]
        assert "Leave --gguf out, and run convert_hf_to_gguf.py" in found["refused"][name]

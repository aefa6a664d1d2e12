"""Tiny models of each kind in `transformers` and, written as GGUF, in llama.cpp: run by `.venv-foreign`'s interpreter.

`python compare_gguf.py DIR` prints one JSON document. `same` has, for each model, the largest difference of the log
probabilities of a next token, over all tokens, beside how far these reach, and the tokens of texts, in both; `refused`
has what is said of folders with no form in GGUF.
"""

import asyncio
import json
import sys
import urllib.request
from pathlib import Path

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    LlamaConfig,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen3Config,
)

from callwright.errors import BadInput
from callwright.models.local_models import LocalSettings, open_local
from callwright.train.gguf_file import write_gguf
from callwright.train.gguf_folder import head_of_folder
from callwright.train.gguf_vocabulary import CUTS

TEXTS = (
    "I've been told he's there, 'RE you sure? We'Ve 1 22 333 4444 55555 2026-11-27T10:05 3.14 1,000,000",
    "  two  spaces   three\t\ttabs\n\nnewlines\r\n\r\n end  ",
    "naïve café Łódź ½ ² Ⅻ 日本語 中文。한국어 العربية हिन्दी \U0001f680 \u200d\u200b\ufeff \x01\x7f",
    '<|start|>user\nhi<|end|>\n<call>{"a": [1, 2.5e-3]}</call> ~~ ||| [[ ]] $100 €5 x**2',
)
TEMPLATE = "{{ bos_token }}{% for m in messages %}{% generation %}{{ m.content }}<|end|>{% endgeneration %}{% endfor %}"
SIZES = {
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 512,
}
FIRST = {"original_max_position_embeddings": 32}
MODELS = {
    "llama": (LlamaConfig, "gpt-2", {"tie_word_embeddings": True}),
    "llama-scaled": (
        LlamaConfig,
        "llama-bpe",
        {
            "head_dim": 32,
            "attention_bias": True,
            "mlp_bias": True,
            "rope_parameters": {
                "rope_type": "llama3",
                "rope_theta": 5e3,
                "factor": 8.0,
                "low_freq_factor": 1.0,
                "high_freq_factor": 4.0,
            }
            | FIRST,
        },
    ),
    "llama-linear": (
        LlamaConfig,
        "smollm",
        {"rope_parameters": {"rope_type": "linear", "rope_theta": 1e5, "factor": 4.0}},
    ),
    "llama-own": (LlamaConfig, "smaug-bpe", {"tie_word_embeddings": False}),
    "qwen2": (Qwen2Config, "qwen2", {"tie_word_embeddings": True}),
    "qwen2-yarn": (
        Qwen2Config,
        "qwen2",
        {"rope_parameters": {"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0} | FIRST},
    ),
    "qwen3": (Qwen3Config, "qwen2", {"head_dim": 32, "rope_parameters": {"rope_type": "default", "rope_theta": 1e6}}),
}
CONFIG, TOKENS = "config.json", "tokenizer.json"
CHANGES: dict[str, dict[str, dict[str, object]]] = {
    "gelu": {CONFIG: {"hidden_act": "gelu"}},
    "dynamic": {CONFIG: {"rope_parameters": {"rope_type": "dynamic", "rope_theta": 1e4, "factor": 2.0}}},
    "llama3": {CONFIG: {"rope_parameters": MODELS["llama-scaled"][2]["rope_parameters"]}},
    "window": {CONFIG: {"layer_types": ["full_attention", "sliding_attention"], "sliding_window": 8}},
    "mistral": {CONFIG: {"model_type": "mistral"}},
    "rows": {CONFIG: {"vocab_size": 300}},
    "rules": {TOKENS: {"pre_tokenizer": {"type": "Whitespace"}}},
    "lower": {TOKENS: {"normalizer": {"type": "Lowercase"}}},
    "pieces": {TOKENS: {"decoder": {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always"}}},
}
"""What is changed in the files of `qwen2`, or of `llama` for the tokenizer, each a folder that is refused."""


def tokenizer_cut(name: str) -> PreTrainedTokenizerFast:
    """A byte-level tokenizer that cuts by rules which have this name in llama.cpp; its merges cross all cuts."""
    tokens = Tokenizer(models.BPE(ignore_merges=name == "llama-bpe"))
    tokens.pre_tokenizer, tokens.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokens.pre_tokenizer.use_regex = False
    learner = trainers.BpeTrainer(
        vocab_size=1200,
        min_frequency=1,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<|start|>", "<|end|>"],
    )
    tokens.train_from_iterator([piece for text in TEXTS for piece in pieces(text)], learner)
    tokens.pre_tokenizer = pre_tokenizers.Sequence([*map(step, rules(name))])
    tokens.normalizer = normalizers.NFC() if name == "qwen2" else None
    tokens.add_tokens([AddedToken("<call>", normalized=False), AddedToken("</call>", normalized=False)])
    if name == "llama-bpe":
        tokens.post_processor = processors.TemplateProcessing(single="<|start|> $A", special_tokens=[("<|start|>", 0)])
    ends = {"eos_token": "<|end|>", "pad_token": "<|end|>"} | ({} if name == "qwen2" else {"bos_token": "<|start|>"})
    made = PreTrainedTokenizerFast(tokenizer_object=tokens, **ends)
    made.chat_template = TEMPLATE
    return made


def pieces(text: str) -> list[str]:
    """All short parts of a text."""
    return [text[at : at + size] for at in range(len(text)) for size in (2, 3, 4, 6)]


def rules(name: str) -> tuple[tuple[object, ...], ...]:
    """The rules that have this name in llama.cpp."""
    return next(steps for steps, names in CUTS.items() if name in names.values())


def step(rule: tuple[object, ...]) -> pre_tokenizers.PreTokenizer:
    """A rule as the library has it."""
    from tokenizers import Regex

    kind, *told = rule
    if kind == "Digits":
        return pre_tokenizers.Digits(individual_digits=told[0])
    if kind == "Split":
        return pre_tokenizers.Split(Regex(told[0]), behavior="isolated", invert=told[2])
    return pre_tokenizers.ByteLevel(add_prefix_space=told[0], use_regex=told[1])


def make(folder: Path, name: str) -> None:
    """Write a model with random weights, norms and biases."""
    kind, cut, more = MODELS[name]
    tokens = tokenizer_cut(cut)
    torch.manual_seed(7)
    config = kind(vocab_size=len(tokens) + 3, eos_token_id=tokens.eos_token_id, **SIZES, **more)
    model = AutoModelForCausalLM.from_config(config)
    with torch.no_grad():
        for title, weights in model.named_parameters():
            weights.normal_(1.0 if "norm" in title else 0.0, 0.15)
    model.save_pretrained(folder)
    tokens.save_pretrained(folder)


def post(file: Path, path: str, body: object) -> dict[str, object]:
    """The answer of llama.cpp's server."""
    model = open_local(f"local/{file}", LocalSettings(context=512, threads=1))
    url = asyncio.run(model.url()).removesuffix("/v1") + path
    sent = {"Content-Type": "application/json", "Authorization": f"Bearer {model.key}"}
    with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), sent), timeout=60) as answer:
        return json.load(answer)


def compare(folder: Path) -> dict[str, object]:
    """What both make of a model and its tokenizer."""
    file, tokens = folder / "model.gguf", AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    head = head_of_folder(folder, tokens.chat_template)
    write_gguf(model, head, file)
    texts = [*TEXTS, *(word for text in TEXTS for word in text.split(" "))]
    here = [tokens(text).input_ids for text in texts]
    there = [post(file, "/tokenize", {"content": one, "parse_special": True, "add_special": True}) for one in texts]
    asked = here[0][:100] + here[3]
    with torch.no_grad():
        logs = torch.log_softmax(model(torch.tensor([asked])).logits[0, -1], -1).tolist()
    chosen = [[tokens.convert_tokens_to_ids("a"), 1e3]]  # a whole letter: what ends a reply or is half one is not told
    wanted = {"prompt": asked, "n_predict": 1, "n_probs": len(logs), "logit_bias": chosen, "temperature": 0}
    said = post(file, "/completion", wanted)
    found = {one["id"]: one["logprob"] for one in said["completion_probabilities"][0]["top_logprobs"]}
    return {
        "tokens": [here, [one["tokens"] for one in there]],
        "apart": max(abs(found[at] - logs[at]) for at in found),
        "compared": len(found),
        "reach": max(logs) - min(logs),
        "fields": {one.name: one.value for one in head.fields if not isinstance(one.value, list)},
    }


def refusal(folder: Path, changed: dict[str, dict[str, object]]) -> str:
    """What is said of a folder, some of whose files are changed."""
    kept = {name: (folder / name).read_text() for name in changed}
    for name, more in changed.items():
        (folder / name).write_text(json.dumps(json.loads(kept[name]) | more))
    try:
        head_of_folder(folder, TEMPLATE)
    except BadInput as error:
        return str(error)
    finally:
        for name, text in kept.items():
            (folder / name).write_text(text)
    return ""


if __name__ == "__main__":
    out = Path(sys.argv[1])
    for name in MODELS:
        make(out / name, name)
    same = {name: compare(out / name) for name in MODELS}
    refused = {name: refusal(out / ("llama" if TOKENS in one else "qwen2"), one) for name, one in CHANGES.items()}
    bare = head_of_folder(out / "llama-scaled", "{{ messages }}")
    begins = {one.name: one.value for one in bare.fields}["tokenizer.ggml.add_bos_token"]
    sys.stdout.write(json.dumps({"same": same, "refused": refused, "begins": begins}) + "\n")

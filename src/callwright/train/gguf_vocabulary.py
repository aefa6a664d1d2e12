"""A tokenizer of `transformers` as the fields of a GGUF file: byte-level BPE, of the ways to cut text known here.

llama.cpp has the rules that cut text into words in its own code, and a file names them. The name is chosen by the
rules of the tokenizer, never by the name of the model, and a tokenizer with other rules is refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from callwright.errors import BadInput
from callwright.records.jsontext import Json
from callwright.train.gguf_file import ELSEWHERE, GgufField

_ENDINGS: Final = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
_MARKS: Final = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_WORDS: Final = ("ByteLevel", False, True)
_BYTES: Final = ("ByteLevel", False, False)
CUTS: Final[dict[tuple[tuple[Any, ...], ...], dict[bool, str]]] = {
    (_WORDS,): {False: "gpt-2"},
    (("Digits", True), _WORDS): {False: "smollm"},
    (("Split", rf"{_ENDINGS}\p{{N}}{_MARKS}", "Isolated", False), _BYTES): {False: "qwen2"},
    (("Split", rf"{_ENDINGS}\p{{N}}{{1,3}}{_MARKS}", "Isolated", False), _BYTES): {
        True: "llama-bpe",
        False: "smaug-bpe",
    },
}
"""Rules that cut text, and llama.cpp's name for each, by whether a word that is a token is taken without merges."""
_PLAIN: Final = ("dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback")
"""What a byte-level BPE must not have."""


def vocabulary_fields(base: Path, config: Any, template: str) -> list[GgufField]:
    """Return the fields of the tokenizer in a model's folder, for chats that are written with a template.

    Raises BadInput for other tokenizers.
    """
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(base)
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise _other(base, "is not a fast one")
    document = msgspec.json.decode(backend.to_str())
    name = _cut(base, document)
    texts, types = _tokens(base, document, int(config.vocab_size))
    merges = [" ".join(pair) if isinstance(pair, list) else pair for pair in document["model"]["merges"]]
    return [*_fields(name, texts, types, merges), *_marks(base, tokenizer, config, template)]


def _fields(name: str, texts: list[str], types: list[int], merges: list[str]) -> list[GgufField]:
    from gguf import GGUFValueType

    array, text = GGUFValueType.ARRAY, GGUFValueType.STRING
    return [
        GgufField("tokenizer.ggml.model", "gpt2", text),
        GgufField("tokenizer.ggml.pre", name, text),
        GgufField("tokenizer.ggml.tokens", texts, array, text),
        GgufField("tokenizer.ggml.token_type", types, array, GGUFValueType.INT32),
        GgufField("tokenizer.ggml.merges", merges, array, text),
    ]


def _cut(base: Path, document: dict[str, Json]) -> str:
    """llama.cpp's name for the rules of a tokenizer."""
    model, decoder = document["model"], document.get("decoder") or {}
    if model.get("type") != "BPE" or decoder.get("type") != "ByteLevel" or any(model.get(one) for one in _PLAIN):
        raise _other(base, "is no byte-level BPE (as those with SentencePiece, of Llama 2)")
    normalizer = (document.get("normalizer") or {}).get("type")
    if normalizer not in (None, "NFC"):
        raise _other(base, f"changes text before it cuts it ({normalizer})")
    name = CUTS.get(_steps(document.get("pre_tokenizer") or {}), {}).get(bool(model.get("ignore_merges")))
    if name is None:
        raise _other(base, "cuts text by rules that are not known here")
    return name


def _steps(rules: dict[str, Json]) -> tuple[tuple[Any, ...], ...]:
    kind = rules.get("type")
    if kind == "Sequence":
        return tuple(step for one in rules["pretokenizers"] for step in _steps(one))
    if kind == "ByteLevel":
        return ((kind, rules.get("add_prefix_space"), rules.get("use_regex", True)),)
    if kind == "Digits":
        return ((kind, rules.get("individual_digits")),)
    if kind == "Split":
        return ((kind, rules["pattern"].get("Regex"), rules.get("behavior"), rules.get("invert")),)
    return ((kind,),)


def _tokens(base: Path, document: dict[str, Json], rows: int) -> tuple[list[str], list[int]]:
    """Each token's text and type, as many as the model has rows; rows without a token are named and never used."""
    from gguf import TokenType

    texts = [f"[PAD{at}]" for at in range(rows)]
    types = [int(TokenType.UNUSED)] * rows
    added = {one["id"]: one for one in document["added_tokens"]}
    plain = {at: text for text, at in document["model"]["vocab"].items()}
    if (last := max(plain.keys() | added.keys())) >= rows:
        raise _other(base, f"has the token {last}, and the model {rows:,} rows")
    for at, text in plain.items():
        texts[at], types[at] = text, int(TokenType.NORMAL)
    for at, one in added.items():
        if one["lstrip"] or one["rstrip"] or one["single_word"]:
            raise _other(base, f"takes white space or whole words with {one['content']!r}")
        texts[at] = one["content"]
        types[at] = int(TokenType.CONTROL if one["special"] or _looks_special(texts[at]) else TokenType.USER_DEFINED)
    return texts, types


def _looks_special(text: str) -> bool:
    """Whether llama.cpp's own converter takes a token for a control token, though the tokenizer does not say so."""
    return text.startswith(("<|", "<｜")) and text.endswith(("|>", "｜>"))


def _marks(base: Path, tokenizer: Any, config: Any, template: str) -> list[GgufField]:
    """Which tokens begin and end a text."""
    from gguf import GGUFValueType

    first = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else config.bos_token_id
    ids = {
        "bos": first,
        "eos": tokenizer.eos_token_id,
        "unknown": tokenizer.unk_token_id,
        "padding": tokenizer.pad_token_id,
    }
    if ids["eos"] is None:
        raise _other(base, "names no token that ends a text")
    around = tokenizer("").input_ids
    if around not in ([], [first], [ids["eos"]], [first, ids["eos"]]):
        raise _other(base, "puts tokens around a text that neither begin nor end one")
    # Rows are written by the template alone, and llama.cpp would put a beginning before what it writes.
    begins = first in around and ("bos_token" in template or tokenizer.convert_ids_to_tokens(first) in template)
    named = [GgufField(f"tokenizer.ggml.{name}_token_id", at, GGUFValueType.UINT32) for name, at in ids.items()]
    return [
        *(field for field in named if field.value is not None),
        GgufField("tokenizer.ggml.add_bos_token", begins, GGUFValueType.BOOL),
        GgufField("tokenizer.ggml.add_eos_token", ids["eos"] in around, GGUFValueType.BOOL),
    ]


def _other(base: Path, what: str) -> BadInput:
    return BadInput(
        f"{base}: its tokenizer {what}; byte-level BPE as in GPT-2, SmolLM, Llama 3 and Qwen 2 is written as GGUF here."
        f" {ELSEWHERE}"
    )

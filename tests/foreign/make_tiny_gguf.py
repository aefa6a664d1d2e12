"""A GGUF file with the first tokens of SmolLM2 and one small layer of random weights; nothing is fetched.

`python make_tiny_gguf.py FILE`, with the interpreter of `.venv-foreign`, writes it: 0.9 MB. With all 49,152 tokens each
reading of the file takes seconds.
"""

import sys
from pathlib import Path

import numpy as np
from gguf import GGUFReader, GGUFValueType, GGUFWriter

from smollm import weights

WIDTH, INNER, HEADS, KEYS, TOKENS = 64, 96, 2, 1, 3_000
SIZES = {
    "llama.vocab_size": TOKENS,
    "llama.block_count": 1,
    "llama.embedding_length": WIDTH,
    "llama.feed_forward_length": INNER,
    "llama.attention.head_count": HEADS,
    "llama.attention.head_count_kv": KEYS,
    "llama.rope.dimension_count": WIDTH // HEADS,
}
LISTS = ("tokens", "token_type", "merges")
SHAPES = {
    "attn_q": (WIDTH, WIDTH),
    "attn_k": (WIDTH * KEYS // HEADS, WIDTH),
    "attn_v": (WIDTH * KEYS // HEADS, WIDTH),
    "attn_output": (WIDTH, WIDTH),
    "ffn_gate": (INNER, WIDTH),
    "ffn_up": (INNER, WIDTH),
    "ffn_down": (WIDTH, INNER),
}

if __name__ == "__main__":
    like, rng = GGUFReader(weights()), np.random.default_rng(7)
    lists = {name: like.fields[f"tokenizer.ggml.{name}"].contents()[:TOKENS] for name in LISTS}
    known = set(lists["tokens"])
    lists["merges"] = [merge for merge in lists["merges"] if merge.replace(" ", "") in known]
    writer = GGUFWriter(Path(sys.argv[1]), "llama")
    for name, field in like.fields.items():
        if not name.startswith("GGUF.") and name not in ("general.architecture", "general.file_type"):
            inner = field.types[-1] if field.types[0] == GGUFValueType.ARRAY else None
            value = lists.get(name.removeprefix("tokenizer.ggml."), SIZES.get(name))
            writer.add_key_value(name, field.contents() if value is None else value, field.types[0], inner)
    shapes = {"token_embd": (TOKENS, WIDTH), **{f"blk.0.{name}": shape for name, shape in SHAPES.items()}}
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", rng.normal(0, 0.1, shape).astype(np.float32))
    for name in ("blk.0.attn_norm", "blk.0.ffn_norm", "output_norm"):
        writer.add_tensor(f"{name}.weight", np.ones(WIDTH, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()

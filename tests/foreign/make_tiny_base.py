"""A two-layer model with random weights, to train on: run by `.venv-foreign`'s interpreter.

`python make_tiny_base.py DIR ROWS` writes it as `transformers` keeps models; its tokens are those of the file ROWS, so
that a row has a third of the tokens that it would have in a tokenizer of a few words. Nothing is fetched.
"""

import sys
from pathlib import Path

import torch
from make_models import tokenizer_with
from transformers import AutoModelForCausalLM, LlamaConfig

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)

if __name__ == "__main__":
    tokens = tokenizer_with(text=Path(sys.argv[2]).read_text(encoding="utf-8"), size=2_000)
    tokens.chat_template = TEMPLATE
    torch.manual_seed(7)
    config = LlamaConfig(
        vocab_size=len(tokens),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=8192,
        eos_token_id=tokens.eos_token_id,
        pad_token_id=tokens.pad_token_id,
    )
    AutoModelForCausalLM.from_config(config).save_pretrained(Path(sys.argv[1]))
    tokens.save_pretrained(Path(sys.argv[1]))

"""Four tiny models for `transformers serve`, made here: run by the interpreter of `.venv-foreign`.

    random    random weights, random words; a tenth of its tokens end the reply
    caller    weights that answer everything with one call of `get_weather`, which the server reads from the text
    writer    the same of a kind whose calls the server does not read: they come as text
    object    weights that answer everything with one JSON object

Nothing is fetched. `python make_models.py DIR` writes each into a folder of its own, 140 kB each.
"""

import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    AutoModelForCausalLM,
    GenerationConfig,
    LlamaConfig,
    PretrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    Qwen2Config,
)

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Lisbon"}}\n</tool_call>'
OBJECT = '{"city": "Lisbon", "degrees": 21}'
CONTEXT = 32_768

START, END = "<|im_start|>", "<|im_end|>"
TEMPLATE = """
{%- if tools %}<|im_start|>system
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|im_end|>
{% endif %}
{%- for message in messages %}<|im_start|>{{ message.role }}
{%- if message.tool_calls %}{% for call in message.tool_calls %}
<tool_call>{{ call.function | tojson }}</tool_call>{% endfor %}
{%- elif message.content is string %}{{ message.content }}
{%- else %}{% for part in message.content %}{{ part.text }}{% endfor %}{% endif %}<|im_end|>
{% endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""
WORDS = "Please find the order of the client and say what the tool needs: a name, a date, a number, an address. " * 20


def tokenizer_with(*whole: str, text: str = WORDS, size: int = 400) -> PreTrainedTokenizerFast:
    """A byte-level tokeniser of `size` tokens trained on `text`; each text of `whole` is one token more."""
    tokens = Tokenizer(models.BPE())
    tokens.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokens.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokens.train_from_iterator(
        [text], trainers.BpeTrainer(vocab_size=size, initial_alphabet=alphabet, special_tokens=[START, END])
    )
    made = PreTrainedTokenizerFast(tokenizer_object=tokens, eos_token=END, pad_token=END)
    made.add_tokens(list(whole))
    made.chat_template = TEMPLATE
    return made


def model_for(tokens: PreTrainedTokenizerFast, kind: type[PretrainedConfig]) -> PreTrainedModel:
    """A model with random weights."""
    torch.manual_seed(7)
    config = kind(
        vocab_size=len(tokens),
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=CONTEXT,
        tie_word_embeddings=False,
        eos_token_id=tokens.eos_token_id,
    )
    return AutoModelForCausalLM.from_config(config)


def make_random(folder: Path) -> None:
    """Write the model of random words."""
    tokens = tokenizer_with()
    model = model_for(tokens, LlamaConfig)
    ends = [tokens.eos_token_id, *range(10, len(tokens), 10)]
    model.generation_config = GenerationConfig(do_sample=True, eos_token_id=ends, pad_token_id=tokens.eos_token_id)
    model.save_pretrained(folder)
    tokens.save_pretrained(folder)


def make_constant(folder: Path, reply: str, kind: type[PretrainedConfig]) -> None:
    """Write a model that replies the same to everything.

    The layer adds nothing, so the last token alone decides: `reply` follows any other, and the end follows `reply`.
    """
    tokens = tokenizer_with(reply)
    model = model_for(tokens, kind)
    said = tokens.convert_tokens_to_ids(reply)
    with torch.no_grad():
        for weights in model.parameters():
            weights.zero_()
        model.model.norm.weight.fill_(1)
        model.model.embed_tokens.weight[:, 0] = 1
        model.model.embed_tokens.weight[said] = torch.eye(32)[1]
        model.lm_head.weight[said, 0] = 1
        model.lm_head.weight[tokens.eos_token_id, 1] = 1
    model.generation_config = GenerationConfig(eos_token_id=tokens.eos_token_id, pad_token_id=tokens.eos_token_id)
    model.save_pretrained(folder)
    tokens.save_pretrained(folder)


if __name__ == "__main__":
    out = Path(sys.argv[1])
    make_random(out / "random")
    make_constant(out / "caller", CALL, Qwen2Config)
    make_constant(out / "writer", CALL, LlamaConfig)
    make_constant(out / "object", OBJECT, LlamaConfig)

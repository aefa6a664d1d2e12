"""Base models as folders that `transformers` reads, and merged weights as GGUF.

A `.gguf` file is unpacked: its weights without quantisation, its tokenizer and its chat template. Merged weights go
back into the same file's layout, with 8 bits a weight, so that base and tuned model run at the same precision.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final, NamedTuple

from callwright import __version__
from callwright.catalog.offline_hub import stay_offline
from callwright.errors import BadInput
from callwright.formats.document import read_bounded
from callwright.records.jsontext import parse
from callwright.train.chat_template import BoundedTemplate, ChatTemplate, read_template

_PERMUTED: Final = frozenset({"llama"})
_PLAIN: Final = frozenset({"qwen2", "qwen3"})
TEMPLATE: Final = "chat_template.jinja"
"""The file of a chat template in a model's folder."""
_TEMPLATE: Final = "tokenizer.chat_template"
_GENERATION: Final = re.compile(r"({%[-+]?\s*)(end)?generation(\s*[-+]?%})")
GGUF_MARK: Final = "callwright.version"
"""The field that tells files which were written here."""
_BLOCK: Final = 32
"""Weights that share a scale in Q8_0: rows of other lengths stay as they are."""


def unpack(gguf: Path, folder: Path) -> None:
    """Write the model of a GGUF file to `folder`, with 16 bits a weight."""
    stay_offline()
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    where: dict[str, Any] = {"gguf_file": gguf.name}
    loaded = AutoModelForCausalLM.from_pretrained(gguf.parent, dtype=torch.float32, **where)
    del loaded.config.quantization_config
    fresh = AutoModelForCausalLM.from_config(loaded.config)  # a model that came from GGUF refuses to be saved
    fresh.load_state_dict(loaded.state_dict())
    fresh.generation_config = loaded.generation_config
    AutoTokenizer.from_pretrained(gguf.parent, **where).save_pretrained(folder)
    fresh.to(torch.bfloat16).save_pretrained(folder)


class Base(NamedTuple):
    """A model to train, as `transformers` reads it, and what rows are written with."""

    folder: Path
    template: ChatTemplate


def base_with(folder: Path, template: str) -> Base:
    """Return a base with a chat template, a file or a name of `trl`'s; with its own where none is given.

    Raises BadInput where there is none.
    """
    found = read_template(template) if template else _template_in(folder)
    found.use_tokens_of(folder)
    return Base(folder, found)


def _template_in(base: Path) -> ChatTemplate:
    if (file := base / TEMPLATE).is_file():
        return read_template(str(file))
    file = base / "tokenizer_config.json"
    config = parse(read_bounded(file), where=str(file)) if file.is_file() else {}
    source = config.get("chat_template") if isinstance(config, dict) else None
    if not isinstance(source, str):
        raise BadInput(f"{base}: no chat template. Put one into {base / TEMPLATE}, or give --template.")
    return BoundedTemplate(file.name, source)


def merge(base: Path, adapter: Path | None, out: Path | None) -> Any:
    """Return the base with an adapter merged into it; with `out` it is written there, as the base is kept.

    The tokenizer is the adapter's, whose template is the one that was trained.
    """
    stay_offline()
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    model: Any = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    if adapter is not None:
        from peft import PeftModel

        model = PeftModel.from_pretrained(model, str(adapter)).merge_and_unload()
    if out is not None:
        kept = AutoConfig.from_pretrained(base).dtype or torch.float32
        model.to(kept).save_pretrained(out)
        AutoTokenizer.from_pretrained(adapter or base).save_pretrained(out)
    return model


def check_kind(gguf: Path) -> str:
    """Return the kind of a GGUF file's model. Raises BadInput for kinds that `write_gguf` cannot write."""
    from gguf import GGUFReader

    field = GGUFReader(gguf).fields.get("general.architecture")
    kind = str(field.contents()) if field is not None else "?"
    if kind not in _PERMUTED | _PLAIN:
        raise BadInput(
            f"{gguf}: a model of the kind {kind}; Llama, Qwen 2 and Qwen 3 are written as GGUF here. Leave --gguf out, "
            "and run convert_hf_to_gguf.py of llama.cpp on the merged model afterwards."
        )
    return kind


def write_gguf(model: Any, like: Path, out: Path, *, template: str = "") -> None:
    """Write a model as GGUF with the metadata of `like`, which its base came from, and with a chat template if given.

    Raises BadInput for other kinds.
    """
    from gguf import GGMLQuantizationType, GGUFReader, GGUFValueType, GGUFWriter, quantize
    from transformers.modeling_gguf_pytorch_utils import get_gguf_hf_weights_map

    reader, kind = GGUFReader(like), check_kind(like)
    part = out.with_name(f".{out.name}.part")
    writer = GGUFWriter(part, kind)
    writer.add_string(GGUF_MARK, __version__)
    changed = {_TEMPLATE: _unmarked(template)} if template else {}
    for name, field in reader.fields.items():
        if name.startswith("GGUF.") or name in ("general.architecture", "general.file_type", GGUF_MARK):
            continue
        inner = field.types[-1] if field.types[0] == GGUFValueType.ARRAY else None
        writer.add_key_value(name, changed.pop(name, field.contents()), field.types[0], inner)
    for name, text in changed.items():
        writer.add_string(name, text)
    weights, names = model.state_dict(), get_gguf_hf_weights_map(model, _processor(kind, model))
    for tensor in reader.tensors:
        values = weights[names[tensor.name]].float()
        if kind in _PERMUTED and ("attn_q." in tensor.name or "attn_k." in tensor.name):
            values = _permuted(values, model.config, is_query="attn_q." in tensor.name)
        array = values.numpy()
        if array.ndim > 1 and array.shape[-1] % _BLOCK == 0:
            writer.add_tensor(
                tensor.name, quantize(array, GGMLQuantizationType.Q8_0), raw_dtype=GGMLQuantizationType.Q8_0
            )
        else:
            writer.add_tensor(tensor.name, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.replace(out)


def _unmarked(template: str) -> str:
    """A template without marks of replies, which llama.cpp does not know; white space is kept as it was."""
    return _GENERATION.sub(lambda found: f"{found[1]}{'endif' if found[2] else 'if true'}{found[3]}", template)


def _processor(kind: str, model: Any) -> Any:
    from transformers.modeling_gguf_pytorch_utils import TENSOR_PROCESSORS, TensorProcessor

    return TENSOR_PROCESSORS.get(kind, TensorProcessor)(config=model.config.to_dict())


def _permuted(values: Any, config: Any, *, is_query: bool) -> Any:
    """Rows of queries and keys as llama.cpp keeps them: the halves of a head interleaved."""
    heads = config.num_attention_heads if is_query else config.num_key_value_heads
    halves = values.reshape(heads, 2, values.shape[0] // heads // 2, *values.shape[1:])
    return halves.swapaxes(1, 2).reshape(values.shape).contiguous()

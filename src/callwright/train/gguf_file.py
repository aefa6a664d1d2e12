"""Models as GGUF files for llama.cpp, with 8 bits a weight.

`GgufHead` is what such a file tells beside the weights: copied from a base that is a GGUF file (`head_of_file`), or
made from a folder that `transformers` reads (`gguf_folder`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final, NamedTuple

from callwright import __version__
from callwright.errors import BadInput

GGUF_MARK: Final = "callwright.version"
"""The field that tells files which were written here."""
PERMUTED: Final = frozenset({"llama"})
"""Kinds whose rows of queries and keys llama.cpp keeps in another order than `transformers`."""
KINDS: Final = PERMUTED | {"qwen2", "qwen3"}
TEMPLATE_FIELD: Final = "tokenizer.chat_template"
ELSEWHERE: Final = (
    "Leave --gguf out, and run convert_hf_to_gguf.py of llama.cpp on the merged model (--merge) afterwards."
)
"""What to do with a model that is not written here."""
_GENERATION: Final = re.compile(r"({%[-+]?\s*)(end)?generation(\s*[-+]?%})")
_BLOCK: Final = 32
"""Weights that share a scale in Q8_0: rows of other lengths stay as they are."""
_OWN: Final = frozenset({"general.architecture", "general.file_type", "general.quantization_version", GGUF_MARK})


class GgufField(NamedTuple):
    """A field with its types, as GGUF numbers them; `inner` is that of an array's values."""

    name: str
    value: Any
    type: Any
    inner: Any = None


class GgufHead(NamedTuple):
    """What a GGUF file tells beside the weights."""

    kind: str
    fields: tuple[GgufField, ...]
    tables: dict[str, Any]
    """Arrays that are no weights of the model, by name."""


def check_file(gguf: Path) -> None:
    """Raise BadInput for a GGUF file whose model cannot be written again."""
    from gguf import GGUFReader

    _kind(GGUFReader(gguf), gguf)


def _kind(reader: Any, gguf: Path) -> str:
    field = reader.fields.get("general.architecture")
    kind = str(field.contents()) if field is not None else "?"
    if kind not in KINDS:
        raise BadInput(
            f"{gguf}: a model of the kind {kind}; Llama, Qwen 2 and Qwen 3 are written as GGUF here. {ELSEWHERE}"
        )
    if any(tensor.name == "rope_freqs.weight" for tensor in reader.tensors):
        raise BadInput(
            f"{gguf}: its positions are scaled as Llama 3.1 does, which `transformers` does not read from GGUF. "
            "Give the folder of the model as --base."
        )
    return kind


def head_of_file(gguf: Path, template: str = "") -> GgufHead:
    """Return the head of a GGUF file, with another chat template if one is given. Raises as `check_file`."""
    from gguf import GGUFReader, GGUFValueType

    reader, found = GGUFReader(gguf), []
    kind = _kind(reader, gguf)
    for name, field in reader.fields.items():
        if name.startswith("GGUF.") or name in _OWN or (template and name == TEMPLATE_FIELD):
            continue
        inner = field.types[-1] if field.types[0] == GGUFValueType.ARRAY else None
        found.append(GgufField(name, field.contents(), field.types[0], inner))
    if template:
        found.append(template_field(template))
    return GgufHead(kind, tuple(found), {})


def template_field(template: str) -> GgufField:
    """A template without marks of replies, which llama.cpp does not know; white space is kept as it was."""
    from gguf import GGUFValueType

    unmarked = _GENERATION.sub(lambda found: f"{found[1]}{'endif' if found[2] else 'if true'}{found[3]}", template)
    return GgufField(TEMPLATE_FIELD, unmarked, GGUFValueType.STRING)


def write_gguf(model: Any, head: GgufHead, out: Path) -> None:
    """Write the weights of a model of `transformers` under a head, with 8 bits a weight."""
    from gguf import GGML_QUANT_VERSION, GGMLQuantizationType, GGUFWriter, LlamaFileType, quantize

    part = out.with_name(f".{out.name}.part")
    writer = GGUFWriter(part, head.kind)
    writer.add_string(GGUF_MARK, __version__)
    writer.add_file_type(LlamaFileType.MOSTLY_Q8_0)
    writer.add_quantization_version(GGML_QUANT_VERSION)
    for field in head.fields:
        writer.add_key_value(field.name, field.value, field.type, field.inner)
    for name, array in head.tables.items():
        writer.add_tensor(name, array)
    eight = GGMLQuantizationType.Q8_0
    for name, values in _named(model, head.kind).items():
        array = values.float().numpy()
        if array.ndim > 1 and array.shape[-1] % _BLOCK == 0:
            writer.add_tensor(name, quantize(array, eight), raw_dtype=eight)
        else:
            writer.add_tensor(name, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.replace(out)


def _named(model: Any, kind: str) -> dict[str, Any]:
    """A model's weights by the names of GGUF. An output that shares its weights with the words is not kept twice."""
    from gguf import MODEL_ARCH_NAMES, get_tensor_name_map

    (arch,) = (one for one, name in MODEL_ARCH_NAMES.items() if name == kind)
    names, found = get_tensor_name_map(arch, model.config.num_hidden_layers), dict[str, Any]()
    for name, values in model.state_dict().items():
        known = names.get_name(name, try_suffixes=(".weight", ".bias"))
        if known is None:
            raise BadInput(f"the model has weights {name}, which GGUF has no name for. {ELSEWHERE}")
        if kind in PERMUTED and ("attn_q." in known or "attn_k." in known):
            values = _permuted(values, model.config, is_query="attn_q." in known)
        found[known] = values
    output, words = (found.get(f"{name}.weight") for name in ("output", "token_embd"))
    if output is not None and words is not None and output.data_ptr() == words.data_ptr():
        del found["output.weight"]
    return found


def _permuted(values: Any, config: Any, *, is_query: bool) -> Any:
    """Rows of queries and keys as llama.cpp keeps them: the halves of a head interleaved."""
    heads = config.num_attention_heads if is_query else config.num_key_value_heads
    halves = values.reshape(heads, 2, values.shape[0] // heads // 2, *values.shape[1:])
    return halves.swapaxes(1, 2).reshape(values.shape).contiguous()

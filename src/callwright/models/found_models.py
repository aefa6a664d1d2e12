"""Models on this machine: model files, servers on loopback, the builtin models.

Files are looked for in a few folders, not everywhere; servers at the ports that common ones use. Nothing is loaded, and
nothing outside this machine is asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

import msgspec

from callwright.errors import BadDocument
from callwright.models.local_models import PREFIX, has_library, title_of
from callwright.records.jsontext import Json, parse

USUAL_FOLDERS: Final = (".", "~/.cache/llama.cpp", "~/.cache/huggingface/hub", "~/.lmstudio/models", "~/models")
"""The working folder, and where llama.cpp, Hugging Face and LM Studio keep downloads."""

USUAL_PORTS: Final = (1234, 8000, 8080, 11434, 30000)
"""Of LM Studio, vLLM, llama.cpp, Ollama and SGLang."""

_DEEPEST: Final = 6
_MOST_FOLDERS: Final = 5_000
_MOST_FILES: Final = 200
_MOST_NAMES: Final = 50
_LONGEST_ANSWER: Final = 1 << 20
_SECONDS: Final = 1.0


class ModelFile(msgspec.Struct, frozen=True):
    """A model file that llama.cpp may load."""

    name: str
    """As `--model` takes it: `local/PATH.gguf`."""
    title: str
    """The name that the file gives; empty where there is none."""
    size: int
    """In bytes."""


class FoundServer(msgspec.Struct, frozen=True):
    """A server on loopback with the chat-completions API."""

    url: str
    models: tuple[str, ...]
    """Names that it lists; as `--model` takes them after `openai/`."""


class FoundModels(msgspec.Struct, frozen=True, kw_only=True):
    """All that was found."""

    files: tuple[ModelFile, ...]
    servers: tuple[FoundServer, ...]
    builtin: tuple[str, ...]
    can_load_files: bool
    """Whether llama.cpp is installed (`callwright[local]`)."""


def find_models(folders: Sequence[str | Path], ports: Sequence[int], builtin: Sequence[str]) -> FoundModels:
    """Return what is in these folders, and behind these ports of 127.0.0.1."""
    files = {path.resolve(): path for folder in folders for path in _gguf_files(Path(folder).expanduser())}
    with ThreadPoolExecutor(max(1, len(ports))) as pool:
        asked = list(pool.map(_served, ports))
    return FoundModels(
        files=tuple(_described(path) for path in sorted(files.values())[:_MOST_FILES]),
        servers=tuple(server for server in asked if server),
        builtin=tuple(builtin),
        can_load_files=has_library(),
    )


def _gguf_files(top: Path) -> Iterator[Path]:
    """Yield the GGUF files under a folder: to a bounded depth, without following links to folders."""
    for seen, (folder, below, names) in enumerate(os.walk(top)):
        depth = len(Path(folder).relative_to(top).parts)
        below[:] = [] if depth >= _DEEPEST or seen > _MOST_FOLDERS else [name for name in below if name != ".git"]
        for name in names:
            if name.lower().endswith(".gguf") and (path := Path(folder, name)).is_file():
                yield path


def _described(path: Path) -> ModelFile:
    return ModelFile(f"{PREFIX}{path}", title_of(path), path.stat().st_size)


def _served(port: int) -> FoundServer | None:
    """The server at a port of this machine; None where none lists models."""
    connection = HTTPConnection("127.0.0.1", port, timeout=_SECONDS)
    try:
        connection.request("GET", "/v1/models", headers={"Accept": "application/json"})
        answer = connection.getresponse()
        body = answer.read(_LONGEST_ANSWER)
        listed = _names(parse(body)) if answer.status == 200 else None
    except (OSError, HTTPException, BadDocument):
        return None
    finally:
        connection.close()
    return None if listed is None else FoundServer(f"http://127.0.0.1:{port}/v1", tuple(listed[:_MOST_NAMES]))


def _names(document: Json) -> list[str] | None:
    """The names in a list of models; None where this is none."""
    listed = document.get("data") if isinstance(document, dict) else None
    if not isinstance(listed, list):
        return None
    return [one["id"] for one in listed if isinstance(one, dict) and isinstance(one.get("id"), str)]

"""Models in this process: `local/PATH.gguf`, run by llama.cpp, from the wheel `xllamacpp` (`callwright[local]`).

Its chat server runs inside this process, on a loopback port with a key of its own, and is asked like any served model.
One loaded model serves all roles, one sequence after another.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import secrets
import struct
import threading
from functools import cached_property, lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec

from callwright.errors import BadInput, BadOption

PREFIX: Final = "local/"

_PACKAGE: Final = "xllamacpp"
_MAGIC: Final = b"GGUF"
_HEAD: Final = 1 << 16
_TITLE: Final = struct.pack("<Q", 12) + b"general.name" + struct.pack("<I", 8)
"""The key `general.name` of GGUF's metadata, as a string: its length in 8 bytes and its text follow."""
_LONGEST_TITLE = 60
_SMALLEST_CONTEXT = 256
CHAT_STYLES: Final = ("baichuan2", "llama-2", "vicuna", "zephyr")
"""Chat formats, as FastChat writes them, that are known by name. They have no tools: calls have to be words."""

_LONGEST_TEMPLATE: Final = 1 << 20

LONGEST_REPLY: Final = 1024
"""Longest reply in tokens, where no other limit is set: without one, an endless string fills the whole context."""


class LocalSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a model of this machine is loaded."""

    chat_template: str | Path | None = None
    """File with the chat template (Jinja); None: the template in the model's file."""
    context: int = 8192
    """Tokens of prompt and reply together."""
    threads: int | None = None
    """Threads of llama.cpp; None: half of the processors."""

    def __post_init__(self) -> None:
        if self.context < _SMALLEST_CONTEXT:
            raise BadOption(f"context is {self.context}; give at least {_SMALLEST_CONTEXT} tokens.")
        if self.threads is not None and self.threads < 1:
            raise BadOption(f"threads is {self.threads}; give at least 1.")


AS_IN_FILE: Final = LocalSettings()


def is_local(name: str) -> bool:
    """Return whether this names a model of this machine."""
    return name.startswith(PREFIX)


class LocalModel:
    """One model file with its settings; loaded when it is first asked."""

    def __init__(self, path: Path, *, template: str, context: int, threads: int) -> None:
        """`template` is the text of the chat template; empty for the one in the file."""
        self.path = path
        self.template = template
        self.context = context
        self.threads = threads
        self.key: Final = secrets.token_urlsafe(32)
        self._server: Any = None
        self._loading: Final = threading.Lock()
        self._turns: tuple[asyncio.AbstractEventLoop, asyncio.Semaphore] | None = None

    @cached_property
    def name(self) -> str:
        """Full name: title and digest of the weights, then everything else that changes replies; never the path."""
        title = f"{title_of(self.path)}@" if title_of(self.path) else ""
        template = hashlib.sha256(self.template.encode()).hexdigest()[:16] if self.template else "of the file"
        with_what = (
            f"template {template}",
            f"{_PACKAGE} {_library_version()}",
            f"context {self.context}",
            f"threads {self.threads}",
        )
        return f"{PREFIX}{title}sha256:{_sha256(self.path)[:16]} ({', '.join(with_what)})"

    def turn(self) -> asyncio.Semaphore:
        """Return what a request waits at, so that its time-out does not run while others are answered."""
        loop = asyncio.get_running_loop()
        if self._turns is None or self._turns[0] is not loop:
            self._turns = loop, asyncio.Semaphore(1)
        return self._turns[1]

    async def url(self) -> str:
        """Return the base URL of the loaded model. Raises BadInput for a file that llama.cpp cannot load."""
        server = self._server or await asyncio.to_thread(self._loaded)
        return f"{server.listening_address}/v1"

    def _loaded(self) -> Any:
        """The server, started once: to end a second one would wait for ever for the connections that it has."""
        with self._loading:
            self._server = self._server or self._load()
            return self._server

    def _load(self) -> Any:
        import xllamacpp

        wanted = xllamacpp.CommonParams()
        wanted.model.path = str(self.path)
        wanted.n_ctx, wanted.n_parallel, wanted.cpuparams.n_threads = self.context, 1, self.threads
        wanted.use_jinja, wanted.warmup, wanted.verbosity = True, False, -1
        wanted.api_keys, wanted.ui, wanted.endpoint_slots, wanted.offline = [self.key], False, False, True
        if self.template:
            wanted.chat_template = self.template
        try:
            return xllamacpp.Server(wanted)
        except (RuntimeError, ValueError) as error:
            raise BadInput(
                f"{self.path}: llama.cpp cannot load this model ({error}). Is the file whole, and its kind supported?"
            ) from error


_MODELS: dict[str, LocalModel] = {}
"""All models of this process by full name: runs keep the name, which tells no path."""


def open_local(name: str, settings: LocalSettings = AS_IN_FILE) -> LocalModel:
    """Return the model of `local/PATH`, or of a full name opened before; nothing is loaded yet. Raises BadInput."""
    if name in _MODELS:
        return _MODELS[name]
    path = Path(name.removeprefix(PREFIX)).expanduser()
    _check_file(path)
    _library_version()
    threads = settings.threads or max(1, (os.cpu_count() or 2) // 2)
    model = LocalModel(path.resolve(), template=_template(settings), context=settings.context, threads=threads)
    return _MODELS.setdefault(model.name, model)


def _check_file(path: Path) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except (OSError, ValueError) as error:
        raise BadInput(f"model {PREFIX}{path}: the file cannot be read. Give local/PATH.gguf.") from error
    if magic != _MAGIC:
        raise BadInput(f"model {PREFIX}{path}: this is no GGUF file. Give the weights as llama.cpp reads them.")


def _template(settings: LocalSettings) -> str:
    if settings.chat_template is None:
        return ""
    path = Path(settings.chat_template)
    if str(path) in CHAT_STYLES:
        return (files("callwright.models") / "data" / "chat_styles" / f"{path}.jinja").read_text(encoding="utf-8")
    try:
        if path.stat().st_size > _LONGEST_TEMPLATE:
            raise BadInput(f"{path}: a chat template has at most {_LONGEST_TEMPLATE:,} bytes.")
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: the chat template cannot be read. Give a text file in UTF-8.") from error


def has_library() -> bool:
    """Return whether llama.cpp is installed."""
    try:
        _library_version()
    except BadInput:
        return False
    return True


def _library_version() -> str:
    try:
        return version(_PACKAGE)
    except PackageNotFoundError as error:
        raise BadInput('a local model needs llama.cpp. Install it: pip install "callwright[local]".') from error


def title_of(path: Path) -> str:
    """Return the name that the weights' file gives itself; empty if it gives none. Reads the first 64 KB only."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return ""
    start = head.find(_TITLE) + len(_TITLE)
    if start < len(_TITLE):
        return ""
    (length,) = struct.unpack_from("<Q", head.ljust(start + 8, b"\0"), start)
    text = head[start + 8 : start + 8 + min(length, _LONGEST_TITLE)].decode("utf-8", "replace")
    return re.sub(r"[^\w.+-]+", "-", text).strip("-")


def _sha256(path: Path) -> str:
    status = path.stat()
    return _digest_of(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=16)
def _digest_of(path: Path, size: int, changed_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

"""Chat templates, rendered as `transformers` renders them, in a sandbox and without a tokenizer.

Templates come from a file, or by name from an installed `trl`, which is not imported.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from callwright.errors import BadDocument, BadInput, unknown_name
from callwright.formats.document import read_bounded
from callwright.records.jsontext import Json, parse
from callwright.train.template_process import BoundedProcess

if TYPE_CHECKING:
    from jinja2 import Template

LARGEST: Final = 256 * 1024
"""Most bytes of a template."""

_TOKENS: Final = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "</s>", "unk_token": "<unk>"}
"""Stand for the special tokens of a tokenizer, which the template alone does not know."""

_ON, _OFF = "\ue000", "\ue001"  # private characters that mark what a template says the assistant generates


class TemplateFailed(Exception):
    """A template refuses a row; the message is the template's own."""


class Marked(NamedTuple):
    """A rendering, and which of it the template marks as the assistant's."""

    text: str
    spans: tuple[tuple[int, int], ...]


class ChatTemplate:
    """One chat template."""

    def __init__(self, name: str, source: str) -> None:
        """`source` is Jinja text. Raises BadDocument where it is no template."""
        self.name = name
        self.source = source
        self.tokens: Mapping[str, str] = _TOKENS
        """The special tokens that it may write."""
        self._check()

    def use_tokens_of(self, folder: Path) -> None:
        """Take the special tokens of a folder's tokenizer, as `transformers` does. Raises BadInput, BadDocument.

        One that is null there is not defined here; one that the file does not name keeps what stands for it.
        """
        file = folder / "tokenizer_config.json"
        config = parse(read_bounded(file), where=str(file)) if file.is_file() else {}
        named = {name: config[name] for name in _TOKENS if name in config} if isinstance(config, dict) else {}
        found = {name: one.get("content") if isinstance(one, dict) else one for name, one in named.items()}
        self.tokens = {name: one for name, one in {**self.tokens, **found}.items() if isinstance(one, str)}

    def _check(self) -> None:
        _ = self._compiled

    @cached_property
    def _compiled(self) -> Template:
        from jinja2 import TemplateError

        try:
            return _compile(self.source)
        except (TemplateError, RecursionError) as error:
            raise BadDocument(f"template {self.name}: {error}. Fix the file.") from error

    @property
    def marks_replies(self) -> bool:
        """Whether it says itself, by `{% generation %}`, what the assistant generates."""
        return "generation %}" in self.source or "generation -%}" in self.source

    def render(self, messages: Sequence[Json], tools: Sequence[Json], *, prompt: bool = False) -> str:
        """Return the text of the messages; `prompt` adds what the next reply follows. Raises TemplateFailed."""
        return self.marked(messages, tools, prompt).replace(_ON, "").replace(_OFF, "")

    def render_marked(self, messages: Sequence[Json], tools: Sequence[Json]) -> Marked:
        """Return the text and the spans that the template marks as the assistant's. Raises TemplateFailed."""
        text, spans = "", []
        for part in self.marked(messages, tools, False).split(_ON):
            inside, end, outside = part.partition(_OFF)
            if end:
                spans.append((len(text), len(text) + len(inside)))
            text += inside + outside
        return Marked(text, tuple(spans))

    def marked(self, messages: Sequence[Json], tools: Sequence[Json], prompt: bool) -> str:
        """Return the text with private characters around what the template marks. Raises TemplateFailed."""
        from jinja2 import TemplateError

        fields: dict[str, Json] = {"messages": messages, "tools": tools or None, "documents": None, **self.tokens}
        try:
            return self._compiled.render(fields, add_generation_prompt=prompt)
        except (TemplateError, ArithmeticError, LookupError, AttributeError, TypeError, ValueError) as error:
            raise TemplateFailed(f"{type(error).__name__}: {error}"[:300]) from error


class BoundedTemplate(ChatTemplate):
    """A template of unknown origin: a process of its own compiles and renders it."""

    def __init__(self, name: str, source: str) -> None:
        """Raises BadDocument where it is no template, BadInput where it takes too much."""
        self._process = BoundedProcess(name)
        answer = self._process.ask(name=name, source=source)
        if "error" in answer:
            raise BadDocument(answer["error"])
        super().__init__(name, source)

    def _check(self) -> None:
        """The process has compiled it."""

    def marked(self, messages: Sequence[Json], tools: Sequence[Json], prompt: bool) -> str:
        """As in ChatTemplate. Raises BadInput where it takes too much."""
        answer = self._process.ask(messages=messages, tools=tools, prompt=prompt, tokens=dict(self.tokens))
        if "error" in answer:
            raise TemplateFailed(answer["error"])
        return str(answer["text"])


def read_template(given: str) -> ChatTemplate:
    """Return the template of a path, or of a name of an installed `trl`. Raises BadInput, BadDocument, UnknownName."""
    path = Path(given)
    is_path = path.name != given or path.suffix == ".jinja"
    if not (is_path or path.is_file()):
        return _named(given)
    data = read_bounded(path)
    if len(data) > LARGEST:
        raise BadInput(f"{path}: over {LARGEST:,} bytes. Give a chat template.")
    try:
        return BoundedTemplate(path.name, data.decode())
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8 at byte {error.start}. Save the file as UTF-8.") from error


def template_names() -> tuple[str, ...]:
    """Return the names of the templates of an installed `trl`, without their training twins; empty without it."""
    return tuple(name for name in _files() if not name.endswith(TRAINING))


@lru_cache(maxsize=256)
def training_twin(template: ChatTemplate) -> ChatTemplate | None:
    """Return the template that TRL puts in the place of this one to mark replies; None where it has none.

    TRL knows templates by their text: one that was changed has no twin.
    """
    if template.marks_replies:
        return template
    known = {source: name for name, source in known_templates().items()}
    name = known.get(template.source, "")
    twin = _named(name + TRAINING) if name and name + TRAINING in _files() else None
    if twin is not None:
        twin.tokens = template.tokens
    return twin


def known_templates() -> dict[str, str]:
    """Return the texts of the templates of an installed `trl`, training twins too, by name; empty without it."""
    return {name: _read(path) for name, path in _files().items()}


TRAINING: Final = "_training"
"""How the names of training twins end."""


def _named(name: str) -> ChatTemplate:
    files = _files()
    if not files:
        raise BadInput(
            f"template {name!r:.80}: no such file, and `trl`, whose templates have names, is not installed. "
            "Give a file, or run: pip install --no-deps trl"
        )
    if name not in files:
        raise unknown_name("chat template", name, list(files))
    return ChatTemplate(name, _read(files[name]))


@lru_cache(maxsize=1)
def _files() -> Mapping[str, Path]:
    spec = find_spec("trl")
    places = spec.submodule_search_locations if spec is not None else None
    folders = [Path(place) / "chat_templates" for place in places or ()]
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.jinja"))}


@lru_cache(maxsize=256)
def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@lru_cache(maxsize=128)
def _compile(source: str) -> Template:
    """Return the compiled text; a large one takes half a second. Raises TemplateError, RecursionError."""
    compiled: Template = _environment().from_string(source)
    return compiled


@lru_cache(maxsize=1)
def _environment() -> Any:
    """Jinja as `transformers` sets it up, with the tag `generation` and without access to anything."""
    from jinja2 import nodes
    from jinja2.exceptions import TemplateError
    from jinja2.ext import Extension
    from jinja2.parser import Parser
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(Extension):
        tags = {"generation"}  # noqa: RUF012 - the base class has it so

        def parse(self, parser: Parser) -> nodes.Node:
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return nodes.CallBlock(self.call_method("_mark"), [], [], body).set_lineno(line)

        def _mark(self, caller: Any) -> str:
            return f"{_ON}{caller()}{_OFF}"

    def refuse(message: str) -> None:
        raise TemplateError(message)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, "jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = _to_json
    environment.globals["raise_exception"] = refuse
    environment.globals["strftime_now"] = lambda layout: ""  # a rendering must not depend on the day
    return environment


def _to_json(value: Json, *_: Json, **options: Json) -> str:
    """JSON as `transformers` writes it in templates: no escapes of HTML or of letters."""
    allowed = {name: options[name] for name in ("indent", "separators", "sort_keys") if name in options}
    return json.dumps(value, ensure_ascii=bool(options.get("ensure_ascii", False)), **allowed)

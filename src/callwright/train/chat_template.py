"""Chat templates, rendered as `transformers` renders them, in a sandbox and without a tokenizer.

Templates come from a file, or by name from an installed `trl`, which is not imported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from callwright.errors import BadDocument, BadInput, unknown_name
from callwright.records.jsontext import Json
from callwright.records.tool import digest

if TYPE_CHECKING:
    from jinja2 import Template

LARGEST: Final = 256 * 1024
"""Most bytes of a template."""

LONGEST: Final = 1 << 24
"""Most characters that a template may write for a row, and may build on the way."""

_FAILURES: Final = (
    ArithmeticError, LookupError, AttributeError, TypeError, ValueError, RecursionError, MemoryError,
)  # fmt: skip

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
        self.digest = digest(source)
        _ = self._compiled

    @cached_property
    def _compiled(self) -> Template:
        from jinja2 import TemplateError

        try:
            compiled: Template = _environment().from_string(self.source)
        except (TemplateError, RecursionError) as error:
            raise BadDocument(f"template {self.name}: {error}. Fix the file.") from error
        return compiled

    @property
    def marks_replies(self) -> bool:
        """Whether it says itself, by `{% generation %}`, what the assistant generates."""
        return "generation %}" in self.source or "generation -%}" in self.source

    def render(self, messages: Sequence[Json], tools: Sequence[Json], *, prompt: bool = False) -> str:
        """Return the text of the messages; `prompt` adds what the next reply follows. Raises TemplateFailed."""
        return self._marked(messages, tools, prompt).replace(_ON, "").replace(_OFF, "")

    def render_marked(self, messages: Sequence[Json], tools: Sequence[Json]) -> Marked:
        """Return the text and the spans that the template marks as the assistant's. Raises TemplateFailed."""
        text, spans = "", []
        for part in self._marked(messages, tools, False).split(_ON):
            inside, end, outside = part.partition(_OFF)
            if end:
                spans.append((len(text), len(text) + len(inside)))
            text += inside + outside
        return Marked(text, tuple(spans))

    def _marked(self, messages: Sequence[Json], tools: Sequence[Json], prompt: bool) -> str:
        from jinja2 import TemplateError

        fields: dict[str, Json] = {"messages": messages, "tools": tools or None, "documents": None, **_TOKENS}
        try:
            parts, length = [], 0
            for part in self._compiled.generate(fields, add_generation_prompt=prompt):
                parts.append(part)
                length += len(part)
                if length > LONGEST:
                    raise TemplateFailed(f"it writes over {LONGEST:,} characters")
        except (TemplateError, *_FAILURES) as error:
            raise TemplateFailed(f"{type(error).__name__}: {error}"[:300]) from error
        return "".join(parts)


def read_template(given: str) -> ChatTemplate:
    """Return the template of a path, or of a name of an installed `trl`. Raises BadInput, BadDocument, UnknownName."""
    path = Path(given)
    if not path.is_file():
        return _named(given)
    data = path.read_bytes()[: LARGEST + 1]
    if len(data) > LARGEST:
        raise BadInput(f"{path}: over {LARGEST:,} bytes. Give a chat template.")
    try:
        return ChatTemplate(path.name, data.decode())
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8 at byte {error.start}. Save the file as UTF-8.") from error


def template_names() -> tuple[str, ...]:
    """Return the names of the templates of an installed `trl`, without their training twins; empty without it."""
    return tuple(name for name in _files() if not name.endswith(_TWIN))


@lru_cache(maxsize=256)
def training_twin(template: ChatTemplate) -> ChatTemplate | None:
    """Return the template that TRL puts in the place of this one to mark replies; None where it has none.

    TRL knows templates by their text: one that was changed has no twin.
    """
    if template.marks_replies:
        return template
    known = {_read(path): name for name, path in _files().items()}
    name = known.get(template.source, "")
    return _named(name + _TWIN) if name and name + _TWIN in _files() else None


_TWIN: Final = "_training"


def _named(name: str) -> ChatTemplate:
    files = _files()
    if not files:
        raise BadInput(
            f"template {name!r:.80}: no such file, and `trl`, whose templates have names, is not installed. "
            "Give a file, or: pip install --no-deps trl"
        )
    if name not in files:
        raise unknown_name("chat template", name, list(template_names()))
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

    class Bounded(ImmutableSandboxedEnvironment):
        intercepted_binops = frozenset({"*", "**", "%"})

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            if _is_large(operator, left, right):
                raise TemplateError(f"`{operator}` would build something too large")
            return super().call_binop(context, operator, left, right)

        def call(self, context: Any, called: Any, *given: Any, **named: Any) -> Any:  # type: ignore[override]
            if isinstance(getattr(called, "__self__", None), str) and any(_is_wide(one) for one in given):
                raise TemplateError("a width is too large")
            return super().call(context, called, *given, **named)

    environment = Bounded(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, "jinja2.ext.loopcontrols"])
    environment.filters["tojson"] = _to_json
    environment.globals["raise_exception"] = refuse
    environment.globals["strftime_now"] = lambda layout: ""  # a rendering must not depend on the day
    return environment


def _is_large(operator: str, left: Any, right: Any) -> bool:
    """Return whether an operation of a template would take much memory or time."""
    if operator == "%":
        return isinstance(left, str) and re.search("[0-9]{7}", left) is not None  # a width
    if operator == "**":
        return not isinstance(left, float) and abs(right) * abs(left).bit_length() > 4_096
    sizes = [len(one) if isinstance(one, str | list | tuple) else abs(one) for one in (left, right)]
    return any(isinstance(one, str | list | tuple) for one in (left, right)) and sizes[0] * sizes[1] > LONGEST


def _is_wide(value: Any) -> bool:
    return isinstance(value, int) and value > LONGEST


def _to_json(value: Json, *_: Json, **options: Json) -> str:
    """JSON as `transformers` writes it in templates: no escapes of HTML or of letters."""
    allowed = {name: options[name] for name in ("indent", "separators", "sort_keys") if name in options}
    return json.dumps(value, ensure_ascii=bool(options.get("ensure_ascii", False)), **allowed)

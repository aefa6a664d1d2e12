"""Requests as data: a synthesis, an evaluation, a judging.

The Python API and the command line take flat settings by name; `read_request` makes one of these structs of them.

    callwright.synthesize("diaforge", catalog, n=100, out="ds", base_url=URL, distractors=3)
        SynthesisRequest(recipe, catalog, n, out, asking=Asking(base_url), options={"distractors": 3})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from callwright.app.datasets import Dataset
from callwright.engine.progress import ProgressCallback
from callwright.engine.roll_out import AS_USUAL, Execution
from callwright.errors import BadOption
from callwright.models.conversation import Calling
from callwright.models.decoding import AS_SERVED, Decoding
from callwright.models.endpoint import Endpoint, read_endpoint
from callwright.models.local_models import AS_IN_FILE, LocalSettings, is_local
from callwright.models.prices import read_prices
from callwright.models.retries import Patience
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog

RequestT = TypeVar("RequestT", "SynthesisRequest", "EvaluationRequest", "JudgingRequest")
StructT = TypeVar("StructT", bound=msgspec.Struct)

DEFAULT_CRITERIA: Final = "relevancy,critique"
"""The criteria by which DiaFORGE judges its dialogues (appendix A.2)."""


class Asking(msgspec.Struct, frozen=True, kw_only=True):
    """How served models are asked."""

    base_url: str | None = None
    """Where `openai/NAME` lives, which `openai/NAME@URL` overrides; None: at OpenAI."""
    chat_template: str | Path | None = None
    """File with the chat template of `local/PATH.gguf`; None: the template in the model's file."""
    context: int | None = None
    """Tokens of prompt and reply of `local/PATH.gguf`; None: 8,192."""
    threads: int | None = None
    """Threads of `local/PATH.gguf`; None: half of the processors."""
    decoding: Decoding = AS_SERVED
    """How the author, the model under test or the judges draw their words."""
    patience: Patience | None = None
    """How long to wait for a reply, and how often to try."""

    def endpoint(self, name: str) -> Endpoint:
        """Return where the model of this name is asked. Raises BadInput for an unusable name, URL or file."""
        local = LocalSettings(
            chat_template=self.chat_template,
            context=AS_IN_FILE.context if self.context is None else self.context,
            threads=self.threads,
        )
        return read_endpoint(name, base_url=self.base_url, local=local)


class LiveUserModels(msgspec.Struct, frozen=True, kw_only=True):
    """Which models stand behind the live user of an evaluation."""

    user: str | None = None
    """Model that words its turns; None: a seeded grammar."""
    voter: str | None = None
    """Model that elects one of several wordings; None: there is one, and no election."""
    judge: str | None = None
    """Model that reads each message of `user` for faults; None: rules alone do. With `user` only."""
    samples: int | None = None
    """Wordings of each turn; None: 3. With `voter` only."""
    voters: int | None = None
    """Votes on each turn; None: 3. With `voter` only."""
    prompts: str | Path | None = None
    """Folder of files in place of bundled prompts."""


class SynthesisRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Dialogues by a recipe over a catalogue, into a dataset folder."""

    recipe: str
    catalog: Catalog | str | Path
    out: str | Path
    n: int | None = None
    per_tool: int | None = None
    """Dialogues to plan for each tool, in place of `n`; where the recipe takes tools in turns."""
    per_cell: int | None = None
    """Dialogues to plan for each cell of the design, in place of `n`; where the recipe has a design."""
    seed: int = 0
    workers: int = 1
    """Processes, where no model is asked."""
    author: str | None = None
    """Model `openai/NAME` that writes and plays the roles; None: a seeded grammar."""
    user: str | None = None
    """Model that plays the user; None: the author."""
    assistant: str | None = None
    """Model that plays the assistant; None: the author."""
    calling: str | None = None
    """How the assistant that a model plays calls: `native`, or `object`; None: `object`."""
    prompts: str | Path | None = None
    """Folder of files in place of bundled prompts."""
    personas: str | Path | None = None
    """File of personas in PersonaHub's layout; None: the bundled ones."""
    judge: str | None = None
    """Model that is put every dialogue the rules keep; None: the rules alone decide."""
    criteria: str | Sequence[str] | None = None
    """Its criteria, asked at once; None: the criteria of the recipe."""
    asking: Asking = Asking()
    execution: Execution = AS_USUAL
    options: Mapping[str, Json] = {}


class EvaluationRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One model through the dialogues of a dataset by a protocol, into a run folder."""

    dataset: Dataset | str | Path
    protocol: str
    model: str
    out: str | Path
    seed: int = 0
    trials: int = 1
    """Rollouts of each dialogue."""
    limit: int | None = None
    """The first dialogues only; None: all."""
    reviewed: bool = False
    """Whether dialogues that people marked wrong are left out."""
    system: str | Path | None = None
    """The system message of the model under test: `coached`, or a text file; None: `neutral`."""
    calling: Calling | None = None
    """How a served model calls; None: `native`."""
    live: LiveUserModels = LiveUserModels()
    asking: Asking = Asking()
    execution: Execution = AS_USUAL
    options: Mapping[str, Json] = {}


class JudgingRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Judges over the dialogues of a dataset, or the transcripts of a run."""

    data: Dataset | str | Path
    judges: str | Sequence[str]
    """Models `openai/NAME`; several are a panel."""
    criteria: str | Sequence[str] = DEFAULT_CRITERIA
    """Bundled criteria (see `callwright.judge.rubric.criteria`) and files of one's own; a list, or joined by commas."""
    samples: int = 1
    """Replies to each question; the value is their mean (G-Eval)."""
    limit: int | None = None
    """The first dialogues only; None: all."""
    asking: Asking = Asking()
    execution: Execution = AS_USUAL


_OPTIONS: Final = "options"
_GROUPS: Final = (Asking, LiveUserModels, Execution)


def read_request(kind: type[RequestT], /, **settings: Any) -> RequestT:
    """Return the request that flat settings stand for: `base_url` goes into `asking`, `budget` into `execution`.

    `prices` may be a file; unknown names are options of the recipe or protocol. Raises BadOption for an unknown, absent
    or ill-typed setting, BadInput for values that make no sense.
    """
    given = settings
    if isinstance(given.get("prices"), str | Path):
        given["prices"] = read_prices(given["prices"])
    request = _taken(kind, given)
    _check_local(request)
    if not given:
        return request
    if _OPTIONS not in kind.__struct_fields__:
        raise BadOption(f"no setting is called {next(iter(given))!r}. Known: {', '.join(_names(kind))}.")
    return msgspec.structs.replace(request, **{_OPTIONS: given})


def _check_local(request: SynthesisRequest | EvaluationRequest | JudgingRequest) -> None:
    """Raise BadOption for settings of local models where no role has one."""
    set_ones = [name for name in ("chat_template", "context", "threads") if getattr(request.asking, name) is not None]
    judges = request.judges if isinstance(request, JudgingRequest) else ()
    named = [getattr(request, role, None) for role in ("model", "author", "user", "assistant", "judge")]
    if isinstance(request, EvaluationRequest):
        named += [request.live.user, request.live.voter, request.live.judge]
    named += [judges] if isinstance(judges, str) else judges
    if set_ones and not any(name and is_local(name) for name in named):
        raise BadOption(f"{set_ones[0]} applies to local models only. Leave it out, or give local/PATH.gguf.")


def with_progress(request: RequestT, progress: ProgressCallback | None) -> RequestT:
    """Return the request with a function that is told how far its run is, or None."""
    execution = msgspec.structs.replace(request.execution, progress=progress)
    return msgspec.structs.replace(request, execution=execution)


def _taken(kind: type[StructT], given: dict[str, Any]) -> StructT:
    """The struct with its own settings, which are taken out of `given`."""
    fields: dict[str, Any] = {}
    for field, hint in _hints(kind).items():
        if hint in _GROUPS:
            fields[field] = _taken(hint, given)
        elif field in given:
            value = fields[field] = given.pop(field)
            if not _fits(value, hint):
                raise BadOption(f"{field} is of type {type(value).__name__}; give {_described(hint)}.")
    absent = [one.name for one in msgspec.structs.fields(kind) if one.required and one.name not in fields]
    if absent:
        raise BadOption(f"{absent[0]} is not given. Give it.")
    return kind(**fields)


def _hints(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {name: hint for name, hint in get_type_hints(kind).items() if name != _OPTIONS}


def _names(kind: type[msgspec.Struct]) -> list[str]:
    nested = ((_names(hint) if hint in _GROUPS else [name]) for name, hint in _hints(kind).items())
    return [name for names in nested for name in names]


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a type that a field of a request has; True is no number."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in arguments)
    if origin is Literal:
        return value in arguments
    if origin is Callable:
        return callable(value)
    if origin is Sequence:
        return isinstance(value, Sequence) and all(_fits(one, arguments[0]) for one in value)
    return isinstance(value, hint) and not (hint is int and isinstance(value, bool))


def _described(hint: Any) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " or ".join(_described(one) for one in arguments)
    if origin is Literal:
        return " or ".join(map(repr, arguments))
    if origin is Callable:
        return "a function"
    if origin is Sequence:
        return f"a list of {_described(arguments[0])}"
    return "None" if hint is NoneType else str(hint.__name__)

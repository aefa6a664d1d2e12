"""A protocol: how a model is put through dialogues, and how its transcripts are scored."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec
import msgspec.inspect

from callwright.errors import BadOption, bad_option
from callwright.models.chat import ChatRequest
from callwright.protocol.live_user import LiveSteps
from callwright.protocol.shown_dialogue import shown_tools
from callwright.records.dialogue import Call, Dialogue
from callwright.records.jsontext import Json
from callwright.records.tool import Catalog, Tool
from callwright.records.transcript import Row, Transcript

if TYPE_CHECKING:
    from callwright.models.decoding import Decoding
    from callwright.protocol.scoring import Scoring

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)


class Scorer(Protocol):
    """A pure function from recorded transcripts to the rows of a report."""

    def __call__(
        self,
        dialogues: Mapping[str, Dialogue],
        tools: Mapping[str, Tool],
        transcripts: Iterable[Transcript],
        *,
        failed: Sequence[str],
        scoring: Scoring,
    ) -> list[Row]:
        """Return the rows of one run: dialogues by id, tools by key, ids of dialogues whose rollouts failed."""
        ...


def _nothing(dialogue: Dialogue) -> str:
    return ""


def _any_dialogue(dialogue: Dialogue) -> bool:
    return True


class JudgedTask(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on one task in one transcript."""

    task: int = 1
    """Number from 1."""
    error: str = ""
    why: str = ""
    calls: tuple[Call, ...] = ()
    """The calls of the model that the verdict is about, under the names that it was shown."""
    sums: Mapping[str, tuple[float, float]] = {}
    """By metric of the report, what the task adds to its numerator and to its denominator."""

    @property
    def right(self) -> bool:
        """Whether there is no error."""
        return not self.error


class Panel(NamedTuple):
    """One table of a report: a line a run, or a line a value of `slice`."""

    title: str
    metrics: tuple[tuple[str, str], ...]
    digits: int = 2
    slice: str = ""
    """Property whose values the rows are limited to; empty for the whole."""
    bars: bool = False
    """Whether the values of a few runs, which are shares, are drawn as bars too."""
    averaged: bool = False
    """Whether a last line has the mean of the lines, each of the same weight."""


class Ablations(NamedTuple):
    """The settings that `eval --ablations` compares in one table."""

    options: Mapping[str, Mapping[str, Json]]
    """Name of each setting to the options that it sets; the others are the user's."""
    columns: tuple[tuple[str, str, Mapping[str, str]], ...]
    """Heading, metric and slice of each column; the metrics are shares."""
    references: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    """Name of each further line to its metrics, by those that they stand beside; all settings have the same."""


class Prediction(NamedTuple):
    """A request that a protocol makes, with the right reply."""

    request: ChatRequest
    reply: str
    turn: int
    """The turn of the dialogue that it is about, counted from 0."""
    calls: tuple[Call, ...] = ()
    """The calls of the reply, where they are no part of its words."""


Predictions: TypeAlias = Callable[[Dialogue, tuple[Tool, ...], Any, str], Iterable[Prediction]]
"""From dialogue, tools shown, options and duties."""


class EvaluationProtocol(NamedTuple):
    """One protocol, as those see it who only run it."""

    version: str
    """Name and version, such as `name.v1`."""
    options: type[msgspec.Struct]
    """Its options with their defaults and bounds; they are part of what makes a run another run."""
    check: Callable[[Dialogue, tuple[Tool, ...], Any], None]
    """Raises BadInput, naming the dialogue, where these options cannot be run on it."""
    rollout: Callable[..., Awaitable[Transcript]]
    """One model through one dialogue: dialogue, tools shown, context, complete options, and `duties`, which the model
    is told before the first turn; a live one takes `play`: what models do of its user."""
    most_replies: Callable[[Dialogue, Any], int]
    """Most replies the model can be asked for in one dialogue."""
    score: Scorer
    judge: Callable[[Dialogue, Transcript, Mapping[str, Tool], Mapping[str, Json]], tuple[JudgedTask, ...]]
    """Items of one transcript that `score` sums up: tools by key, options. Raises BadInput for one it would skip."""
    panels: tuple[Panel, ...]
    """Tables of its report; the first one also by slices."""
    note: str
    """Notes for readers of the tables."""
    duties: str = ""
    """The `coached` wording of what the model is told before the first turn (`system_prompt`)."""
    live: LiveSteps | None = None
    """The steps of its simulated user, which models may write; None where the user's turns are recorded."""
    judges_words_of: Callable[[Dialogue], bool] = _any_dialogue
    """Whether judges' figures of the words in a dialogue, such as ConvRel, belong into the report."""
    unmeasured: Callable[[Dialogue], str] = _nothing
    """Why its metrics cannot measure a dialogue; empty where they can. The model is put through it all the same."""
    shown: Callable[[Catalog, Any], Callable[[Dialogue], tuple[Tool, ...]]] | None = None
    """Returns the tools that the model sees; its rollout takes them as `shown`. None: it sees the dialogue's."""
    with_tasks: Callable[[Dialogue, tuple[Tool, ...]], Dialogue] | None = None
    """Returns a dialogue, whose tools are given, with the tasks that the protocol asks. None: its own are asked."""
    gold_requests: Predictions | None = None
    """Requests to a model without errors, each with the right reply. `builtin/oracle` gives these replies, and costs
    are estimated from them. None: it makes the gold calls."""
    ruled: Callable[[ChatRequest], str] | None = None
    """The replies of `builtin/retriever`, by rules that see the request alone. None: it asks and calls as elsewhere."""
    trained_requests: Predictions | None = None
    """The same for training data: requests, each with the span of the reply that is trained. None: `gold_requests`."""
    decoding: Decoding | None = None
    """How a served model under test draws its words where the user sets nothing; None: as its server does."""
    ablations: Ablations | None = None
    criteria: tuple[str, ...] = ()
    """Criteria of `judge` whose values are metrics of its report, by their names with `_` for `-`."""


def tools_shown(
    protocol: EvaluationProtocol, catalog: Catalog, given: Mapping[str, Json]
) -> Callable[[Dialogue], tuple[Tool, ...]]:
    """Return what gives the tools that the model sees in a dialogue under the protocol's options."""
    if protocol.shown is not None:
        return protocol.shown(catalog, read_options(protocol, given))
    return lambda dialogue: shown_tools(dialogue, catalog.by_key)


def read_options(protocol: EvaluationProtocol, given: Mapping[str, Json]) -> Any:
    """Return the protocol's options with the given ones in place. Raises BadInput for unknown names and bad values."""
    return options_from(protocol.version, protocol.options, given)


def read_written(protocol: EvaluationProtocol, written: Mapping[str, str]) -> dict[str, Json]:
    """Return options that were written as texts, each with the type of its field. Raises as `read_options`."""
    found = _options(protocol.version, protocol.options, written, strict=False)
    return {name: getattr(found, name) for name in written}


def options_from(owner: str, options: type[OptionsT], given: Mapping[str, Json]) -> OptionsT:
    """Return options with the given ones in place. Raises BadOption, naming the owner of the struct."""
    return _options(owner, options, given, strict=True)


def _options(owner: str, options: type[OptionsT], given: Mapping[str, Json], *, strict: bool) -> OptionsT:
    known = options.__struct_fields__
    for name in given:
        if name not in known:
            raise BadOption(f"{name} is not an option of {owner}. Drop it; its options: {', '.join(known) or 'none'}.")
    try:
        return msgspec.convert(dict(given), options, strict=strict)
    except msgspec.ValidationError as error:
        raise BadOption(f"{bad_option(owner, error, options)}{_choices(options)}") from error
    except UnicodeEncodeError as error:
        raise BadOption(f"an option of {owner} holds half of a surrogate pair. Write it anew.") from error


def _choices(options: type[msgspec.Struct]) -> str:
    info = msgspec.inspect.type_info(options)
    fields = info.fields if isinstance(info, msgspec.inspect.StructType) else ()
    types = {
        field.name: field.type.type if isinstance(field.type, msgspec.inspect.Metadata) else field.type
        for field in fields
    }
    return "".join(
        f" {name} is one of: {', '.join(map(str, kind.values))}."
        for name, kind in types.items()
        if isinstance(kind, msgspec.inspect.LiteralType)
    )

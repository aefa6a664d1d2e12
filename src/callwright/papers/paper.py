"""A paper's offers, as names of its modules: each is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

import msgspec

from callwright.records.jsontext import Json

if TYPE_CHECKING:
    from callwright.models.chat import ChatReply, ChatRequest
    from callwright.protocol.output_score import RecordedScore, ScoredOutputs
    from callwright.protocol.run_access import RunView
    from callwright.records.dialogue import Dialogue
    from callwright.records.tool import Catalog, Tool
    from callwright.records.tool_graph import ToolGraph
    from callwright.records.transcript import Row

NONE: Final[Mapping[str, str]] = MappingProxyType({})


class ScriptedAuthor(Protocol):
    """A paper's part of `builtin/author`: what it writes to the paper's own prompts."""

    def write_text(self, asked: str, rng: Random) -> str:
        """Return the words that a prompt asks for; empty where it is no prompt of the paper."""
        ...

    def write_object(self, asked: str, rng: Random) -> dict[str, Json] | None:
        """Return the object that a prompt asks for; None where it is no prompt of the paper."""
        ...


class CallingAuthor(Protocol):
    """A paper's part of `builtin/author` that plays an assistant who calls natively."""

    def native_reply(self, request: ChatRequest) -> ChatReply | None:
        """Return the reply to a request with tools; None where its system message is none of the paper's."""
        ...


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of what has none."""


class Corpus(NamedTuple):
    """The result of a corpus reader."""

    catalog: Catalog
    dialogues: tuple[Dialogue, ...]
    files: tuple[str, ...]
    category: str = ""
    """Which part of the corpus it is, in the corpus's own words; empty where there are no parts."""
    graph: ToolGraph | None = None
    """The corpus's own tool graph, over the catalogue; None where it has none."""


class CorpusReader(NamedTuple):
    """One corpus that `callwright read` reads: the `READER` of its module."""

    help: str
    """The data that it reads: one sentence, and further paragraphs where they are needed."""
    argument: str
    """The name of the file argument in the help, such as `QUESTIONS`."""
    options: type[msgspec.Struct]
    read: Callable[[Path, Any], Corpus]
    """Reads a file under these options. Raises BadInput."""


class CorpusMixer(NamedTuple):
    """One recipe that puts datasets together, with `callwright synth`: the `MIXER` of its module."""

    help: str
    """What is made of what: one sentence, and further paragraphs where they are needed."""
    argument: str
    """The name of the folders' argument in the help."""
    options: type[msgspec.Struct]
    """Options, each with a description."""
    mix: Callable[[Sequence[Path], Any, int], Corpus]
    """Returns what is made of the datasets in these folders, under the options and a seed. Raises BadInput."""


class CorpusWriter(NamedTuple):
    """One layout that `callwright export` writes dialogues in: the `WRITER` of its module."""

    help: str
    """The noun for a line of it."""
    record: Callable[[Dialogue, Mapping[str, Tool]], Mapping[str, Json]]
    """Returns a dialogue in the layout; tools are by key. Raises BadInput for one that does not fit into it."""


class RunScorer(NamedTuple):
    """How a protocol scores a run again: the `SCORER` of its module. No model is asked."""

    help: str
    """A note for users, as a paragraph of the command's help."""
    options: type[msgspec.Struct]
    score_run: Callable[[RunView, Any], list[Row] | ScoredOutputs]
    """Scores a run of the protocol under these options."""
    score_file: Callable[[Path, Any], ScoredOutputs] | None = None
    """Scores outputs that others recorded; None where no such files are read."""


class OutputScorer(NamedTuple):
    """How a benchmark scores the outputs that others recorded: the `OUTPUT_SCORER` of its module."""

    help: str
    """A note for users, as a paragraph of the command's help."""
    options: type[msgspec.Struct]
    score: Callable[[Path, Any], RecordedScore]
    """Scores a file of outputs under these options. Raises BadInput."""


class Listing(NamedTuple):
    """Facts of a paper that a command of their name prints, in rows of words: the `LISTING` of its module."""

    help: str
    """The listing in one sentence."""
    options: type[msgspec.Struct]
    """Options, each with a description."""
    rows: Callable[[Any], Sequence[Sequence[str]]]
    """Returns the rows under these options."""


class Explained(NamedTuple):
    """The verdict on one task of a run."""

    document: msgspec.Struct
    view: Callable[[], Any]
    """Makes what a terminal shows: something that `rich` can print."""


class Explainer(NamedTuple):
    """How a protocol explains one task of a run: the `EXPLAINER` of its module."""

    help: str
    """How tasks are named, as a paragraph of the command's help."""
    options: type[msgspec.Struct]
    explain: Callable[[RunView, str, int, Any], Explained]
    """Explains the task of this name in this trial. Raises UnknownName, BadInput."""


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """One paper: the `PAPER` of its module `paper`. Modules are named without their package."""

    recipes: Mapping[str, str] = NONE
    """Name of a recipe to the module that has it as `RECIPE`."""
    protocols: Mapping[str, str] = NONE
    """Name of a protocol to the module that has it as `PROTOCOL`."""
    aliases: Mapping[str, str] = NONE
    """Short name of a protocol to its name."""
    options: str = ""
    """Module that has the option structs by name, as `RECIPES` and `PROTOCOLS`; it loads nothing else."""
    scorers: Mapping[str, str] = NONE
    """Name of a protocol to the module that has its `SCORER`; without one a run has the rows of its report."""
    output_scorers: Mapping[str, str] = NONE
    """Name of a benchmark to the module that has its `OUTPUT_SCORER`; a protocol of its own has a scorer instead."""
    explainers: Mapping[str, str] = NONE
    """Name of a protocol to the module that has its `EXPLAINER`."""
    listings: Mapping[str, str] = NONE
    """Name of a command to the module that has what it prints as `LISTING`."""
    readers: Mapping[str, str] = NONE
    """Name of a corpus to the module that has its reader as `READER`."""
    mixers: Mapping[str, str] = NONE
    """Name of a recipe that puts datasets together to the module that has it as `MIXER`."""
    writers: Mapping[str, str] = NONE
    """Name of a layout of dialogues to the module that has its writer as `WRITER`."""
    layouts: Mapping[str, str] = NONE
    """Name of a layout that tools are read from to the module that reads it (`callwright.formats.layouts.Reader`)."""
    measures: str = ""
    """Module with the measures of its dialogues as `MEASURES`, a `MeasureGroup`; empty where it has none."""
    marks: str = ""
    """Module whose `turn_marks(dialogue, tools)` says what `show` prints below turns, by place; empty without one."""
    prompts: bool = False
    """Whether the paper has prompts, in `data/prompts/` of its folder."""
    renamed_prompts: Mapping[str, str] = NONE
    """Name of a prompt that is gone to the name of the one that takes its place."""
    author: str = ""
    """Module with the paper's part of `builtin/author` (`ScriptedAuthor`); empty where it has none."""
    calling_author: str = ""
    """Module with its part that calls natively (`CallingAuthor`); empty where it has none."""

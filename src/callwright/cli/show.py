"""`callwright show`: dialogues of a dataset, or transcripts of a run, in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from callwright.cli.results import terminal

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from callwright.records.dialogue import Dialogue, Turn


class _Entry(NamedTuple):
    """One dialogue or transcript: its line in a list, and how to show it whole."""

    id: str
    about: str
    first: str
    view: Callable[[], RenderableType]


@click.command("show")
@click.argument("folder", metavar="DATASET", type=click.Path(path_type=Path))
@click.argument("id_", metavar="[ID]", default="")
@click.option("--rejected", is_flag=True, help="Show dialogues that failed a check, with the reasons.")
@click.option("--limit", type=click.IntRange(min=0), default=10, show_default=True, help="How many to list.")
def command(folder: Path, *, id_: str, rejected: bool, limit: int) -> None:
    """Show the dialogue ID of DATASET; the beginning of an id is enough.

    Without ID the first dialogue is shown, and the next ones are listed. DATASET may also be the folder of a run:
    then its transcripts are shown.
    """
    from callwright.errors import BadInput

    console = terminal()
    entries = _entries(folder, rejected=rejected)
    first = next(entries, None)
    if first is None:
        if not rejected:
            raise BadInput(_nothing(folder))
        console.print("No dialogue was rejected.")
        return
    entries = chain((first,), entries)
    if id_:
        for entry in _chosen(entries, id_, folder):
            console.print(entry.view())
    else:
        _show_first(console, entries, limit)


def _entries(folder: Path, *, rejected: bool) -> Iterator[_Entry]:
    from callwright.errors import BadInput

    if (folder / "run.db").is_file():
        if rejected:
            raise BadInput(f"{folder}: a run has no rejected dialogues. Leave --rejected out.")
        return _transcripts(folder)
    return _rejected(folder) if rejected else _dialogues(folder)


def _dialogues(folder: Path) -> Iterator[_Entry]:
    from callwright.app.datasets import read_tools
    from callwright.report.dialogue_view import dialogue_view
    from callwright.store.dataset import read_dialogues

    tools = read_tools(folder).by_key
    for dialogue in read_dialogues(folder):
        view = partial(dialogue_view, dialogue, tools)
        yield _Entry(dialogue.id, _gold(dialogue), _first(dialogue.turns), view)


def _rejected(folder: Path) -> Iterator[_Entry]:
    from callwright.app.datasets import read_tools
    from callwright.report.dialogue_view import dialogue_view
    from callwright.store.dataset import read_rejected

    tools = read_tools(folder).by_key
    for line in read_rejected(folder):
        dialogue = line.dialogue
        view = partial(dialogue_view, dialogue, tools, reasons=[(i.code, i.where, i.message) for i in line.issues])
        yield _Entry(dialogue.id, line.issues[0].code if line.issues else "", _first(dialogue.turns), view)


def _transcripts(folder: Path) -> Iterator[_Entry]:
    from callwright.protocol.run_access import open_run
    from callwright.report.dialogue_view import transcript_view

    run = open_run(folder)
    dialogues = {dialogue.id: dialogue for dialogue in run.dialogues}
    for transcript in run.transcripts:
        dialogue = dialogues[transcript.dialogue]
        view = partial(transcript_view, dialogue, transcript, run.catalog.by_key)
        about = f"trial {transcript.trial}, {transcript.ended}" if transcript.trial else transcript.ended
        if transcript.faults:
            about += f", excluded: {', '.join(sorted({fault.kind for fault in transcript.faults}))}"
        yield _Entry(transcript.dialogue, about, _first(transcript.turns), view)


def _gold(dialogue: Dialogue) -> str:
    golds = [gold.tool for task in dialogue.tasks for gold in task.gold]
    return ", ".join(golds) or "no tool fits"


def _first(turns: tuple[Turn, ...]) -> str:
    return turns[0].text if turns else ""


def _chosen(entries: Iterator[_Entry], wanted: str, folder: Path) -> list[_Entry]:
    """The entries of the one id that begins with `wanted`: several where a run has trials. Raises UnknownName."""
    from callwright.protocol.run_access import find_id

    found = [entry for entry in entries if entry.id.startswith(wanted)]
    own = find_id((entry.id for entry in found), wanted, folder)
    return [entry for entry in found if entry.id == own]


def _nothing(folder: Path) -> str:
    if (folder / "run.db").is_file():
        return f"{folder}: the run has no transcripts yet. Give its command again."
    return f"{folder}: the dataset has no dialogues. `callwright show {folder} --rejected` shows those left out."


def _show_first(console: Console, entries: Iterator[_Entry], limit: int) -> None:
    from rich.text import Text

    from callwright.report.dialogue_view import list_view

    console.print(next(entries).view())
    following = list(islice(entries, limit))
    more = sum(1 for _ in entries)
    if following:
        console.print(Text("\nNext", style="bold"))
        console.print(list_view((entry.id, entry.about, entry.first) for entry in following))
    if more:
        console.print(Text(f"… and {more:,} more (--limit shows more)", style="dim"))

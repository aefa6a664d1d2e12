"""`callwright show`: dialogues of a dataset, or transcripts of a run, in the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from callwright.cli.results import terminal
from callwright.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from callwright.records.dialogue import Dialogue, Turn
    from callwright.records.tool import Tool


_COLOURS = {"right": "green", "wrong": "red"}


class _Entry(NamedTuple):
    """One dialogue or transcript: its line in a list, and how to show it whole."""

    id: str
    about: str
    first: str
    view: Callable[[], RenderableType]
    verdict: str = ""
    """The verdict on a transcript: `right`, `wrong` or why it is not scored; empty for a dialogue."""
    asked: Dialogue | None = None
    """The dialogue that a transcript is about."""


@click.command("show")
@click.argument("folder", metavar="DATASET", type=click.Path(path_type=Path))
@click.argument("id_", metavar="[ID]", default="")
@click.option("--rejected", is_flag=True, help="Show dialogues that failed a check, with the reasons.")
@click.option("--wrong", is_flag=True, help="Of a run, show only what is wrong.")
@click.option("--sent", is_flag=True, help="Of ID, show what each role was sent, and what it cost.")
@click.option(
    "--beside",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="RUN",
    help="Of ID, show the transcripts of two runs side by side.",
)
@click.option("--limit", type=click.IntRange(min=0, max=10**9), default=10, show_default=True, help="How many to list.")
def command(
    folder: Path, *, id_: str, rejected: bool, wrong: bool, sent: bool, beside: Path | None, limit: int
) -> None:
    """Show the dialogue ID of DATASET; the beginning of an id is enough.

    Without ID the first dialogue is shown, and the next ones are listed. DATASET may also be the folder of a run:
    then its transcripts are shown, each with its verdict.
    """
    console = terminal()
    if sent:
        _show_sent(console, folder, id_)
        return
    if beside is not None:
        _show_beside(console, folder, beside, id_)
        return
    entries = _entries(folder, rejected=rejected, wrong=wrong)
    first = next(entries, None)
    if first is None:
        if not (rejected or wrong):
            if (folder / "run.db").is_file():
                raise BadInput(f"{folder}: the run has no transcripts yet. Give its command again.")
            raise BadInput(
                f"{folder}: the dataset has no dialogues. `callwright show {folder} --rejected` shows those left out."
            )
        console.print("No dialogue was rejected." if rejected else "Nothing that was scored is wrong.")
        return
    entries = chain((first,), entries)
    if id_:
        for entry in _chosen(entries, id_, folder):
            console.print(entry.view())
    else:
        _show_first(console, entries, limit)


def _show_sent(console: Console, folder: Path, id_: str) -> None:
    from callwright.app.sent import sent_requests
    from callwright.report.sent_view import sent_view

    if not id_:
        raise BadInput("--sent shows one dialogue: give the beginning of its ID.")
    console.print(sent_view(sent_requests(folder, id_)), soft_wrap=True)


def _show_beside(console: Console, folder: Path, other: Path, id_: str) -> None:
    from rich.table import Table

    if not id_:
        raise BadInput("--beside shows one dialogue: give the beginning of its ID.")
    for one in (folder, other):
        if not (one / "run.db").is_file():
            raise BadInput(f"{one}: no run. --beside shows the transcripts of two runs.")
    own = _chosen(_transcripts(folder), id_, folder)
    others = _chosen(_transcripts(other), own[0].id, other)
    if own[0].asked != others[0].asked:
        raise BadInput(f"{other}: {own[0].id} is another dialogue there than in {folder}. Give runs of one dataset.")
    for left, right in zip(own, others, strict=False):  # one run may have more trials
        table = Table.grid(expand=True, padding=(0, 1))
        table.add_column(ratio=1)
        table.add_column(ratio=1)
        table.add_row(left.view(), right.view())
        console.print(table)


def _entries(folder: Path, *, rejected: bool, wrong: bool) -> Iterator[_Entry]:
    if (folder / "run.db").is_file():
        if rejected:
            raise BadInput(f"{folder}: a run has no rejected dialogues. Leave --rejected out.")
        return (entry for entry in _transcripts(folder) if not wrong or entry.verdict == "wrong")
    if wrong:
        raise BadInput(f"{folder}: only a run has right and wrong ones. Leave --wrong out, or give a run.")
    return _dialogues(folder, rejected=rejected)


def _dialogues(folder: Path, *, rejected: bool) -> Iterator[_Entry]:
    from callwright.app.datasets import read_tools
    from callwright.report.dialogue_view import dialogue_view
    from callwright.store.dataset import read_dialogues, read_rejected

    tools = read_tools(folder).by_key
    if not rejected:
        for dialogue in read_dialogues(folder):
            golds = [gold.tool for task in dialogue.tasks for gold in task.gold]
            view = partial(_view, dialogue, tools)
            yield _Entry(dialogue.id, ", ".join(golds) or "no tool fits", _first(dialogue.turns), view)
        return
    for line in read_rejected(folder):
        dialogue = line.dialogue
        view = partial(dialogue_view, dialogue, tools, reasons=[(i.code, i.where, i.message) for i in line.issues])
        yield _Entry(dialogue.id, line.issues[0].code if line.issues else "", _first(dialogue.turns), view)


def _view(dialogue: Dialogue, tools: Mapping[str, Tool]) -> RenderableType:
    from callwright.papers.registry import turn_marks
    from callwright.report.dialogue_view import dialogue_view

    return dialogue_view(dialogue, tools, marks=turn_marks(dialogue, tools))


def _transcripts(folder: Path) -> Iterator[_Entry]:
    from callwright.papers.registry import load_protocol
    from callwright.protocol.items import run_items
    from callwright.protocol.run_access import open_run
    from callwright.report.dialogue_view import transcript_view

    run = open_run(folder)
    dialogues = {dialogue.id: dialogue for dialogue in run.dialogues}
    transcripts = {(one.dialogue, one.trial): one for one in run.transcripts}
    for item in run_items(run, load_protocol(run.protocol)):
        if transcript := transcripts.get((item.dialogue, item.trial)):
            asked = dialogues[item.dialogue]
            view = partial(transcript_view, asked, transcript, run.catalog.by_key, item)
            verdict = item.state if item.right is None else "right" if item.right else "wrong"
            about = ": ".join(filter(None, (verdict, item.error or item.why)))
            about += f" (trial {item.trial})" if item.trial else ""
            yield _Entry(item.dialogue, about, _first(transcript.turns), view, verdict, asked)


def _first(turns: tuple[Turn, ...]) -> str:
    return turns[0].text if turns else ""


def _chosen(entries: Iterator[_Entry], wanted: str, folder: Path) -> list[_Entry]:
    """The entries of the one id that begins with `wanted`: several where a run has trials. Raises UnknownName."""
    from callwright.protocol.run_access import find_id

    found = [entry for entry in entries if entry.id.startswith(wanted)]
    own = find_id((entry.id for entry in found), wanted, folder)
    return [entry for entry in found if entry.id == own]


def _show_first(console: Console, entries: Iterator[_Entry], limit: int) -> None:
    from rich.text import Text

    from callwright.report.dialogue_view import list_view

    first = next(entries)
    console.print(first.view())
    verdicts = Counter([first.verdict])
    following = list(islice(entries, limit))
    verdicts.update(entry.verdict for entry in following)
    rest = Counter(entry.verdict for entry in entries)
    if following:
        console.print(Text("\nNext", style="bold"))
        console.print(
            list_view((entry.id, entry.about, entry.first, _COLOURS.get(entry.verdict, "dim")) for entry in following)
        )
    if rest:
        console.print(Text(f"… and {rest.total():,} more (--limit shows more)", style="dim"))
    if first.verdict:
        counts = (verdicts + rest).items()
        console.print(Text(", ".join(f"{count:,} {verdict}" for verdict, count in sorted(counts)), style="bold"))

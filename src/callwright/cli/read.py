"""`callwright read`: public benchmarks as datasets, which show, measure and eval work on."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callwright.cli import printable
from callwright.cli.results import print_json

if TYPE_CHECKING:
    from callwright.app.corpora import ReadResult

_FILE = click.Path(path_type=Path)


class Readers(click.Group):
    """A command for each corpus reader that a paper offers, made from the reader's help and options."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from callwright.papers.registry import names_of

        return names_of("readers")

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from callwright.cli.struct_options import struct_options
        from callwright.papers.registry import load_reader

        if cmd_name not in self.list_commands(ctx):
            return None
        reader = load_reader(cmd_name)
        return click.Command(
            cmd_name,
            params=[
                click.Argument(["path"], type=_FILE, metavar=reader.argument),
                *struct_options(reader.options),
                click.Option(["-o", "--out"], required=True, type=_FILE, help="Folder of the dataset."),
                click.Option(["as_json", "--json"], is_flag=True, help="Print the counts as one JSON document."),
            ],
            callback=partial(_read, cmd_name),
            help=reader.help,
        )


command = Readers("read", help="Read a public benchmark as a dataset.")


def _read(name: str, path: Path, *, out: Path, as_json: bool, **options: Any) -> None:
    from callwright.app.corpora import read_corpus
    from callwright.cli.struct_options import given

    result = read_corpus(name, path, out=out, **given(options))
    show_read(result, out, as_json=as_json)
    if result.unanswered and "answers" in options:
        click.echo(f"Of {result.unanswered:,} no answer is known: name the file of answers with --answers.", err=True)


def show_read(result: ReadResult, out: Path, *, as_json: bool) -> None:
    """Print the counts of a corpus that was written to a folder."""
    if as_json:
        print_json(result)
        return
    folder = printable(str(out))
    category = f" of {result.category}" if result.category else ""
    tools = f"{result.tools:,} tool{'s' if result.tools != 1 else ''}"
    click.echo(
        f"{result.dialogues:,} dialogues{category} with {result.gold_calls:,} gold calls and {tools}; "
        f"written to {folder}. Look at them: callwright show {folder}"
    )

"""Files that users name for output: overwritten where the same command wrote them, else only with --force."""

from __future__ import annotations

from pathlib import Path

import click

from callwright.errors import BadInput
from callwright.store.files import check_depth
from callwright.store.links import refuse_link

_HEAD = 200
_DATASET = ("dialogues.jsonl", "run.db")
"""A folder that holds one of these is a dataset or a run; its files are written by their own commands only."""

CATALOG_MARK = b'"schema_version"'
"""A text near the beginning of our catalogues."""

force_option = click.option("--force", is_flag=True, help="Overwrite the output file, whatever it holds.")


def check_output(out: Path, *, source: str = "", own: bytes = b"", force: bool = False) -> None:
    """Raise BadInput where `out` can be no file, or writing to it would lose something.

    `source` is what the output is made from; `own` stands near the beginning of files that the command itself writes.
    """
    if source and is_source(out, source):
        raise BadInput(f"{out}: this file is the source. Choose another name.")
    refuse_link(out)
    check_depth(out)
    if out.is_dir():
        raise BadInput(f"{out}: this is a folder. Give a file in it.")
    if any(path.exists() and not path.is_dir() for path in out.parents):
        raise BadInput(f"{out}: a file stands in place of a folder of this path. Choose another place.")
    if force or not out.is_file() or not out.stat().st_size:
        return
    if any((out.parent / name).is_file() for name in _DATASET):
        raise BadInput(
            f"{out}: belongs to a dataset or run, and would be overwritten. Choose another folder, or give --force."
        )
    with out.open("rb") as file:
        if own and own in file.read(_HEAD):
            return
    raise BadInput(f"{out}: holds something else, and would be overwritten. Choose another name, or give --force.")


def is_source(path: Path, source: str) -> bool:
    """Whether a path leads to the file that is read."""
    try:
        return path.samefile(source)
    except OSError:  # one of them is no file
        return False

"""`callwright import`: a foreign document into a catalogue, with an account of what was not taken as it stood."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable
from pathlib import Path

import click

from callwright.cli import printable
from callwright.cli.output_file import CATALOG_MARK, check_output, force_option
from callwright.formats.layouts import names
from callwright.papers.registry import layouts
from callwright.records.tool import Catalog

_WIDTH = 100
_RENAMED = re.compile(r"renamed from (`.*`), which (.*)", re.DOTALL)
_PLACED = re.compile(r"(returns: )?(?:(`[^`]*`): )?(.*)", re.DOTALL)
"""Where in a document something was altered, and what was done there."""
_QUOTED = re.compile(r"`[^`]*`|\b[0-9][0-9,]*\b")
_MERGED = re.compile(r"\d+ equal documents? merged into it \((.*)\)", re.DOTALL)


@click.command("import")
@click.argument("source")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="Catalogue to write (JSON).")
@click.option("--from", "layout", type=click.Choice(names(layouts())), help="Layout of SOURCE.  [default: detected]")
@click.option(
    "--timeout", type=click.FloatRange(min=0.1), default=120.0, show_default=True, help="Seconds for an MCP server."
)
@force_option
@click.option("--json", "as_json", is_flag=True, help="Print what was left out or altered as one JSON document.")
@click.option("--brief", is_flag=True, help="Print only the counts.")
@click.option("--verbose", is_flag=True, help="Print every place that was altered, not only how many of a kind.")
def command(
    source: str, out: Path, *, layout: str | None, timeout: float, force: bool, as_json: bool, **shown: bool
) -> None:
    """Read the tools of SOURCE and write them as a catalogue.

    SOURCE is an OpenAPI 2.0, 3.0 or 3.1 document (JSON or YAML), a list of functions in the layout of OpenAI, Anthropic
    or MCP (JSON or JSON lines), JSON Schema, a file of ToolBench, ToolAlpaca, TaskBench, DICE-BENCH, BFCL,
    WildToolBench, SGD or MultiWOZ, a catalogue, or `builtin/NAME`. References are resolved inside the document only;
    nothing is fetched.

    `mcp:COMMAND` (such as "mcp:npx -y @modelcontextprotocol/server-everything") starts an MCP server, without a shell,
    and asks it for its tools; `mcp:URL` asks one that speaks streamable HTTP.
    """
    from callwright.app.catalogs import read_catalog
    from callwright.formats import catalog as catalogs
    from callwright.store.files import write_atomically

    catalog = read_catalog(source, layout=layout, timeout_s=timeout)
    check_output(out, source=source, own=CATALOG_MARK, force=force)
    write_atomically(out, [catalogs.write(catalog)])
    if as_json:
        click.echo(json.dumps(_account(catalog), indent=1))
    else:
        _show(catalog, out, **shown)


def _account(catalog: Catalog) -> dict[str, object]:
    return {
        "tools": len(catalog.tools),
        "left_out": [{"where": entry.where, "reason": entry.reason} for entry in catalog.left_out],
        "altered": [{"tool": entry.tool, "what": entry.what} for entry in catalog.altered],
    }


def _show(catalog: Catalog, out: Path, *, brief: bool, verbose: bool) -> None:
    left_out, altered = len(catalog.left_out), len(catalog.altered)
    click.echo(f"{len(catalog.tools):,} tools read, {left_out:,} left out, {altered:,} altered; written to {out}.")
    if brief:
        return
    _show_groups("Left out", [(entry.reason, entry.where) for entry in catalog.left_out])
    changes = [_change(what, entry.tool) for entry in catalog.altered for what in entry.what.split("; ")]
    if verbose:
        _show_groups("Altered", changes)
    elif changes:
        _show_kinds(changes)


def _show_kinds(changes: Iterable[tuple[str, str]]) -> None:
    """Print one line for each kind of change, the most frequent first, with the first example of it."""
    kinds: dict[str, list[tuple[str, str, str]]] = {}
    for reason, name in changes:
        of_returns, path, what = _PLACED.fullmatch(reason).groups()  # type: ignore[union-attr]
        where = " of ".join(filter(None, (path, "the returns" if of_returns else "", name)))
        kinds.setdefault(_QUOTED.sub("…", what), []).append((what, where, name))
    click.echo("\nAltered, by kind (--verbose prints every place):")
    for kind, found in sorted(kinds.items(), key=lambda item: -len(item[1])):
        said = kind if len({what for what, _, _ in found}) > 1 else found[0][0]
        tools = len({name for _, _, name in found})
        count = f" ({len(found):,} in {tools:,} tools)" if tools < len(found) else f" ({tools:,})" if tools > 1 else ""
        click.echo(_filled(f"- {said}{count}, such as {found[0][1]}", "  ", "    "))


def _change(what: str, tool: str) -> tuple[str, str]:
    """Return a kind of change, and the tool with what is particular to it."""
    if renamed := _RENAMED.fullmatch(what):
        return f"renamed from a name which {renamed[2]}", f"{tool} (from {renamed[1]})"
    if merged := _MERGED.fullmatch(what):
        return "equal documents merged into one", f"{tool} (and {merged[1]})"
    return what, tool


def _show_groups(title: str, pairs: Iterable[tuple[str, str]]) -> None:
    """Print what has the same reason together, the most frequent reason first, and every name."""
    groups: dict[str, list[str]] = {}
    for reason, name in pairs:
        groups.setdefault(reason, []).append(name)
    if groups:
        click.echo(f"\n{title}:")
    for reason, tools in sorted(groups.items(), key=lambda item: -len(item[1])):
        count = f" ({len(tools):,})" if len(tools) > 1 else ""
        click.echo(_filled(f"- {reason}{count}", "  ", "    "))
        click.echo(_filled(", ".join(tools), "    ", "    "))


def _filled(text: str, first: str, later: str) -> str:
    wrapper = textwrap.TextWrapper(_WIDTH, first, later, break_long_words=False, break_on_hyphens=False)
    return wrapper.fill(printable(text))

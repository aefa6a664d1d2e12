"""`callwright models`: which models run on this machine, and what a model can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from callwright.cli import printable
from callwright.cli.results import print_json

if TYPE_CHECKING:
    from callwright.models.checking import ModelCheck
    from callwright.models.found_models import FoundModels

_WORDS = {
    "chat": "chats",
    "tools": "calls tools natively",
    "json_schema": "keeps to a JSON schema",
    "json_mode": "gives JSON on request",
    "usage": "counts tokens",
}


@click.group("models")
def command() -> None:
    """Find models on this machine, and check models before use."""


@command.command("list")
@click.argument("folders", nargs=-1, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print what was found as one JSON document.")
def list_(folders: tuple[str, ...], *, as_json: bool) -> None:
    """List the models that run on this machine: model files, servers on loopback, the builtin models.

    Files (*.gguf) are looked for in FOLDERS, else in the working folder and where llama.cpp, Hugging Face and LM Studio
    keep them.
    """
    from callwright.app.model_checks import list_models

    found = list_models(folders)
    if as_json:
        print_json(found)
    else:
        _show_found(found)


def _show_found(found: FoundModels) -> None:
    click.echo("Model files:" if found.files else "Model files: none found")
    for file in found.files:
        click.echo(f"  {printable(file.name)}  {file.size / 1e6:,.0f} MB{f', {file.title}' if file.title else ''}")
    if found.files and not found.can_load_files:
        click.echo('  they need llama.cpp: pip install "callwright[local]"')
    click.echo("Servers:" if found.servers else "Servers: none answers at the usual ports of 127.0.0.1")
    for server in found.servers:
        for name in server.models or ("any",):
            click.echo(f"  openai/{printable(name)} --base-url {server.url}")
    click.echo(f"Builtin: {', '.join(found.builtin)}")


@command.command("check")
@click.argument("model")
@click.option("--base-url", help="Where `openai/NAME` lives, such as http://127.0.0.1:8000/v1.  [default: OpenAI]")
@click.option("--timeout", type=float, default=60.0, show_default=True, help="Seconds to wait for one reply.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as one JSON document.")
@click.pass_context
def check(ctx: click.Context, /, model: str, base_url: str | None, timeout: float, *, as_json: bool) -> None:
    """Ask MODEL a few short things: can it chat, call tools, return JSON, count tokens, and how fast?

    Exit code 1: it does not chat.
    """
    from callwright.app.model_checks import check_model
    from callwright.models.retries import Patience

    found = check_model(model, base_url=base_url, patience=Patience(idle_s=timeout, total_s=timeout))
    if as_json:
        print_json(found)
    else:
        _show(found)
    if not found.chat:
        ctx.exit(1)


def _show(found: ModelCheck) -> None:
    for name, words in _WORDS.items():
        click.echo(f"  {'yes' if getattr(found, name) else 'no':<4} {words}")
    if found.latency_ms is not None:
        click.echo(f"  {found.latency_ms:,.0f} ms for a word")
    for note in found.notes:
        click.echo(f"  - {printable(note)}")

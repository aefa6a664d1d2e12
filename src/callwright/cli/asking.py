"""The options of commands that ask judges, the same in each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import click

Command = Callable[..., None]

_OPTIONS: Final = (
    click.option("--base-url", help="Where `openai/NAME` lives, such as http://127.0.0.1:8000/v1.  [default: OpenAI]"),
    click.option("--temperature", type=float, help="Temperature of the judges.  [default: the server's]"),
    click.option("--top-p", type=float, help="Probability mass to sample from.  [default: the server's]"),
    click.option("--max-tokens", type=int, help="Longest reply of a judge, in tokens.  [default: the server's]"),
    click.option("--timeout", type=float, help="Seconds to wait for one reply of a judge.  [default: 300]"),
    click.option("--prices", type=click.Path(path_type=Path), help="File of prices by model.  [default: bundled]"),
    click.option("--budget-usd", type=float, help="Most that all judging here may cost; exits with 1 when spent."),
    click.option("--budget-tokens", type=int, help="Most tokens of all judging of the dataset, in and out together."),
    click.option("--concurrency", type=int, default=64, show_default=True, help="Most questions at once."),
)


def asking_options(command: Command) -> Command:
    """Add the options to a command, which gets them by name."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def asking(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `judge_dataset` that the options stand for. Raises BadInput for a budget of nothing."""
    from callwright.engine.budget import Budget
    from callwright.models.decoding import Decoding
    from callwright.models.retries import Patience

    usd, tokens, timeout = given["budget_usd"], given["budget_tokens"], given["timeout"]
    return {
        "base_url": given["base_url"],
        "decoding": Decoding(**{name: given[name] for name in Decoding.__struct_fields__}),
        "prices": given["prices"],
        "concurrency": given["concurrency"],
        "patience": None if timeout is None else Patience(idle_s=timeout, total_s=timeout),
        "budget": None if usd is None and tokens is None else Budget(usd=usd, tokens=tokens),
    }

"""The options of commands that ask models, the same in each, and the settings that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

if TYPE_CHECKING:
    from callwright.app.requests import Asking
    from callwright.engine.roll_out import Execution

Command = Callable[..., None]


class Asked(NamedTuple):
    """How the help of one command names what is asked."""

    model: str
    """Whose temperature is set."""
    one: str
    """Whose reply is cut."""
    awaited: str
    """Whose reply is waited for."""
    work: str
    """The run that a budget is for."""
    at_once: str
    """The unit that `--concurrency` counts."""


AUTHOR: Final = Asked("the author", "the author", "the author", "the whole catalogue", "Most tools at once.")
JUDGES: Final = Asked("the judges", "a judge", "a judge", "all judging of the dataset", "Most questions at once.")


def asking_options(asked: Asked) -> Callable[[Command], Command]:
    """Return what adds the options to a command, which gets them by name."""
    return add_options(
        click.Option([f"--{name}", name.replace("-", "_")], type=kind, default=default, show_default=True, help=said)
        for name, kind, default, said in (
            ("base-url", str, None, "Where `openai/NAME` lives, such as http://127.0.0.1:8000/v1.  [default: OpenAI]"),
            (
                "chat-template",
                click.Path(path_type=Path),
                None,
                "Template of `local/PATH.gguf`, or `vicuna` and its like.  [default: its own]",
            ),
            ("context", int, None, "Tokens of prompt and reply of `local/PATH.gguf`.  [default: 8192]"),
            ("threads", int, None, "Threads of `local/PATH.gguf`.  [default: half of the processors]"),
            ("temperature", float, None, f"Temperature of {asked.model}.  [default: the server's]"),
            ("top-p", float, None, "Probability mass to sample from.  [default: the server's]"),
            ("max-tokens", int, None, f"Longest reply of {asked.one}, in tokens.  [default: the server's]"),
            ("timeout", float, None, f"Seconds to wait for one reply of {asked.awaited}.  [default: 300]"),
            ("prices", click.Path(path_type=Path), None, "File of prices by model.  [default: bundled]"),
            ("budget-usd", float, None, f"Most that {asked.work} may cost; exits with 1 when spent."),
            ("budget-tokens", int, None, f"Most tokens of {asked.work}, in and out together."),
            ("concurrency", int, 64, asked.at_once),
        )
    )


def add_options(options: Iterable[click.Option]) -> Callable[[Command], Command]:
    """Return what adds options to a command, in their order, as `click.option` adds one."""
    listed = list(options)

    def add(command: Command) -> Command:
        params = getattr(command, "__click_params__", [])
        command.__click_params__ = [*params, *reversed(listed)]  # type: ignore[attr-defined]
        return command

    return add


def settings_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given options as settings of the Python API. Raises BadInput for values that make no sense."""
    from callwright.engine.budget import Budget
    from callwright.models.decoding import Decoding
    from callwright.models.retries import Patience

    settings = {name: value for name, value in given.items() if value is not None and value is not False}
    drawn = {name: settings.pop(name) for name in Decoding.__struct_fields__ if name in settings}
    if drawn:
        settings["decoding"] = Decoding(**drawn)
    if (seconds := settings.pop("timeout", None)) is not None:
        settings["patience"] = Patience(idle_s=seconds, total_s=seconds)
    usd, tokens = settings.pop("budget_usd", None), settings.pop("budget_tokens", None)
    if usd is not None or tokens is not None:
        settings["budget"] = Budget(usd=usd, tokens=tokens)
    return settings


def asking_settings(given: Mapping[str, Any]) -> tuple[Asking, Execution, dict[str, Any]]:
    """Return how models are asked, how the run goes, and the settings that are neither. Raises BadInput."""
    from callwright.app.requests import Asking
    from callwright.engine.roll_out import Execution
    from callwright.models.prices import read_prices

    settings = settings_of(given)
    if "prices" in settings:
        settings["prices"] = read_prices(settings["prices"])
    asking, execution = (
        {name: settings.pop(name) for name in kind.__struct_fields__ if name in settings}
        for kind in (Asking, Execution)
    )
    return Asking(**asking), Execution(**execution), settings

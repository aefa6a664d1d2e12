"""The dataset card: its `README.md`, whose header configures `datasets.load_dataset`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from callwright import __version__
from callwright.measure.shape import Statistics
from callwright.recipe.coverage import ToolCoverage
from callwright.recipe.staged_funnel import StagedFunnel
from callwright.records.jsontext import Json, encode
from callwright.records.tool import Catalog

_HEADER = """---
pretty_name: {title}
language:
- en
tags:{tags}
configs:{configs}
---
"""

_TAGS = ("tool-calling", "function-calling")

_CONFIG = "\n- config_name: {name}\n  data_files: {file}"

_MOST_NAMED = 200

_LOAD = """```python
from datasets import load_dataset

dialogues = load_dataset("path/to/this/folder", split="train")
```"""


class SynthesisAccount(msgspec.Struct, frozen=True, kw_only=True):
    """The facts about a dataset's synthesis that its card states."""

    recipe: str
    options: Mapping[str, Json]
    seed: int
    author: str
    catalog: Catalog
    planned: int
    kept: int
    rejected: Mapping[str, int]
    failed: Mapping[str, int]
    statistics: Statistics
    coverage: ToolCoverage | None = None
    staged: StagedFunnel | None = None
    judge: str = ""
    """Full name of the model that judged the dialogues that passed the rules; empty without a judge."""
    played: Mapping[str, str] = {}
    """Full names of the models that played the roles, by role; empty where rules decided what is said."""
    calling: str = ""
    """How the model called that played the assistant: `native`, or in the `object` of its reply."""


def card(account: SynthesisAccount) -> str:
    """Return the card of a synthesised dataset; the same account gives the same text."""
    title = f"Tool-calling dialogues by {account.recipe}"
    return _document(
        title,
        header(title, dialogues=account.kept, rejected=sum(account.rejected.values())),
        _made(account),
        "## From planned to kept\n\n" + _table(("step", "dialogues"), _steps(account)),
        *([_staged(account.staged)] if account.staged and account.staged.lines else []),
        _shape(account.statistics),
        *([_covered(account.coverage)] if account.coverage else []),
        _tools(account.catalog),
    )


def _document(title: str, head: str, *sections: str) -> str:
    return "\n\n".join((f"{head}\n# {title}", *sections, _files())) + "\n"


def part_card(settings: Mapping[str, Json], dialogues: int, catalog: Catalog, statistics: Statistics) -> str:
    """Return the card of one part of a split; `settings` are those of the split and the name of the `part`."""
    title = f"Tool-calling dialogues: {_plain(str(settings['part']))}"
    made = (
        f"{dialogues:,} dialogues, one part of a dataset (digest `{settings['data']}`) that was split by "
        f"{settings['by']} with seed {settings['seed']}. No tool of this part occurs in another part."
    )
    return _document(title, header(title, dialogues=dialogues), made, _shape(statistics), _tools(catalog))


def corpus_card(format_: str, files: Sequence[str], dialogues: int, catalog: Catalog, statistics: Statistics) -> str:
    """Return the card of a corpus or benchmark that was read from `files`."""
    title = f"Tool-calling dialogues of {_plain(format_)}"
    named = ", ".join(f"`{_plain(file)}`" for file in files)
    made = (
        f"{dialogues:,} dialogues, read from {named} by Callwright {__version__}. They were written by others and have "
        "their own licence; the text is unchanged."
    )
    head = header(title, dialogues=dialogues, tags=_TAGS)
    return _document(title, head, made, _shape(statistics), _tools(catalog))


def header(title: str, *, dialogues: int, rejected: int = 0, tags: Sequence[str] = (*_TAGS, "synthetic")) -> str:
    """Return the YAML header. A file without a line is not named: it has no columns to load."""
    files = [("default", "dialogues.jsonl", dialogues), ("rejected", "rejected.jsonl", rejected)]
    configs = "".join(_CONFIG.format(name=name, file=file) for name, file, lines in files if lines)
    listed = "".join(f"\n- {tag}" for tag in tags)
    return _HEADER.format(title=encode(title), tags=listed, configs=configs or " []")  # JSON text is a YAML scalar


def _made(account: SynthesisAccount) -> str:
    chosen = ", ".join(f"`{name}` {encode(value)}" for name, value in account.options.items())
    offline = account.author == "offline"
    judged = f"\n\nThe model `{_plain(account.judge)}` judged dialogues that passed the rules." if account.judge else ""
    is_sure = offline and not judged
    again = "The same settings and catalogue give the same bytes." if is_sure else "A new run may give other text."
    return (
        f"{account.kept:,} dialogues, kept of {account.planned:,} planned. Made by Callwright {__version__}, recipe "
        f"`{account.recipe}`, author `{_plain(account.author)}`, seed {account.seed}; {chosen}. {again}\n\n"
        f"{_wrote(account)} Persons, companies, accounts and events are invented.{judged}"
    )


def _wrote(account: SynthesisAccount) -> str:
    """Who decided what is said, and who worded it."""
    author = f"the language model `{_plain(account.author)}`"
    if account.played:
        others = [f"`{_plain(name)}` played the {role}" for role, name in account.played.items()]
        native = " The assistant called natively: its reasoning is the thought." if account.calling == "native" else ""
        critics = "" if account.judge else " No judge was named, so the critics were skipped."
        return (
            f"{author[0].upper()}{author[1:]} wrote goals and values; {', '.join(others)}.{native} "
            f"Rules checked them.{critics}"
        )
    if account.author != "offline":
        return f"Rules decided the content; {author} wrote the text."
    return "The text comes from a seeded phrase grammar, **not from a language model** and not from people."


def _steps(account: SynthesisAccount) -> list[tuple[str, str]]:
    steps = [("planned", account.planned)]
    steps += [(f"failed: {kind}", -count) for kind, count in account.failed.items()]
    steps += [(f"rejected: {_plain(code)}", -count) for code, count in account.rejected.items()]
    steps.append(("kept", account.kept))
    return [(step, f"{count:,}") for step, count in steps]


def _staged(funnel: StagedFunnel) -> str:
    """The removals of each stage, by group."""
    named = [f"{name} ({_plain(who)})" if (who := funnel.validators.get(name)) else name for name in _columns(funnel)]
    rows = [
        (line.group, *(f"{count:,}" for count in (line.initial, *line.removed.values(), line.final)))
        for line in funnel.lines
    ]
    table = _table((funnel.by, "initial", *named, "final"), rows)
    return f"What each stage removed, by {funnel.by}:\n\n{table}"


def _columns(funnel: StagedFunnel) -> Sequence[str]:
    return list(funnel.lines[0].removed)


def _shape(statistics: Statistics) -> str:
    table = "## Shape\n\n" + _table(("statistic", "value"), statistics.rows)
    return f"{table}\n\n{statistics.note}" if statistics.note else table


def _covered(coverage: ToolCoverage) -> str:
    head = f"Tools with a dialogue: {coverage.covered:,} of {coverage.tools:,}."
    rows = [(why, f"{len(names):,}", _named(names)) for why, names in coverage.by_reason.items()]
    table = [_table(("why a tool has none", "tools", "which"), rows)] if rows else []
    parts = [(_plain(what), f"{count:,}") for what, count in coverage.departures.items()]
    table += [_table(("not made as designed", "parts"), parts)] if parts else []
    note = [f"{coverage.note}."] if coverage.note else []
    return "\n\n".join(("## Coverage", head, *table, *note))


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED:,} more, which `funnel.json` lists" if len(names) > _MOST_NAMED else ""
    return ", ".join(f"`{_plain(name)}`" for name in names[:_MOST_NAMED]) + more


def _tools(catalog: Catalog) -> str:
    domains = sorted({tool.domain for tool in catalog.tools} - {""})
    named = f" of {len(domains)} lines of business: {', '.join(map(_plain, domains[:20]))}" if domains else ""
    more = f" and {len(domains) - 20} more" if len(domains) > 20 else ""
    source = f", read from `{_plain(catalog.source)}`" if catalog.source else ""
    count = f"{len(catalog.tools):,} tools{source}{named}{more}"
    count += f"; {len(catalog.left_out):,} more are listed as left out in `catalog.json`" if catalog.left_out else ""
    return f"## Tools\n\n{count}. Digest of the documents: `{catalog.digest}`."


def _files() -> str:
    rows = [
        ("`dialogues.jsonl`", "one dialogue per line, in planned order: turns, shown tools, gold, scenario"),
        ("`rejected.jsonl`", "dialogues that failed a check, with all reasons"),
        ("`catalog.json`", "the documents of all tools; dialogues name them by `key`"),
        ("`funnel.json`", "counts, settings, and the SHA-256 of the files above"),
        ("`.run/`", "the run's journal; not needed to use the data"),
    ]
    texts = "Arguments, gold values and results are JSON text: decode them with `json.loads`."
    return "## Files\n\n" + _table(("file", "holds"), rows) + f"\n\n{texts}\n\n{_LOAD}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _plain(text: str) -> str:
    """Text from a document on one line, without what Markdown would take for markup."""
    kept = "".join(char if char.isprintable() and char not in "`|<>[]*" else " " for char in text)
    return " ".join(kept.split())[:200]

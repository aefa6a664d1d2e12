"""Give every command hostile input: each check ends in one clear error or a right result, and harms nothing.

    python tests/long/attack.py [--checks 40000] [--seconds 3600] [--seed 1] [--only dataset,run]
        [--show 20] [--every 50]

Every key of every record is removed, set to null, to another type, to an empty value and to hostile text; databases
are damaged; documents of every import format are mutated; prompt files and options get odd values. Checks run in this
process through click's runner, with a cap on memory and time; one in `--every` runs as a real process. Prints a table,
and ends with status 1 if any of its last columns is not zero.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

HERE = Path(__file__).resolve().parent
PROMPTS = HERE.parents[1] / "src/callwright/author/data/prompts"
PARTS = ("formats", "web", "papers/wild", "papers/tooldial", "papers/dice", "papers/fnctod")
sys.path[:0] = [str(HERE), str(HERE.parent), *(str(HERE.parent / part) for part in PARTS)]

import attack_keys  # noqa: E402  # found through the line above
import attack_papers  # noqa: E402
from hostile import HOSTILE, Area, Check, Mutations, line  # noqa: E402

SECRET = "sk-attack-0123456789abcdefghijklmnopqrstuvwxyz"
SLOWEST_S = 60
MOST_BYTES = 2 << 30
ZERO = ("tracebacks", "hangs", "memory", "harmed", "secrets", "escapes")
"""Columns that must be zero."""

_ESCAPE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")


class Verdict(NamedTuple):
    """How a check ended: `clean`, `right` or one of `ZERO`, and what shows it."""

    kind: str
    detail: str = ""


# -- what is attacked ------------------------------------------------------------------------------------------------

_LOOK: tuple[tuple[str, ...], ...] = (
    ("show", "m"),
    ("measure", "m"),
    ("measure", "m", "--json"),
    ("split", "m", "-o", "out"),
    ("export", "m", "--format", "diaforge", "-o", "out"),
    ("review", "m", "--list"),
    ("review", "m", "--json"),
)


def _eval(protocol: str, model: str, data: str = "m") -> tuple[str, ...]:
    return ("eval", data, "--protocol", protocol, "--model", f"builtin/{model}", "-o", "out")


def datasets(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield datasets with one place of one dialogue changed."""
    commands = {
        "ds": (_eval("dynamic", "retriever"), _eval("static", "eager"), *_LOOK),
        "wds": (_eval("wild", "oracle"), _eval("static", "oracle-sequential"), *_LOOK),
        "bds": (_eval("bfcl", "oracle"), *_LOOK),
    }
    pools = [
        (name, Mutations(json.loads(text), rng))
        for name in commands
        for text in (home / name / "dialogues.jsonl").read_text().splitlines()[:2]
    ]
    while True:
        for name, pool in pools:
            what, new = pool.next()
            files = {"m/dialogues.jsonl": line(new), "m/catalog.json": (home / name / "catalog.json").read_bytes()}
            for argv in rng.sample(commands[name], 2):
                yield Check("dataset", argv, files, f"{name}: {what}")


def catalogues(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield datasets whose catalogue has one place changed, and commands on such a catalogue alone."""
    pools = [(name, Mutations(json.loads((home / name / "catalog.json").read_text()), rng)) for name in ("ds", "wds")]
    alone = (
        ("import", "m/catalog.json", "-o", "out.json"),
        ("lint", "m/catalog.json"),
        ("lint", "m/catalog.json", "--json"),
        ("synth", "diaforge", "m/catalog.json", "-n", "2", "-o", "out"),
        ("synth", "wild", "m/catalog.json", "-n", "1", "-o", "out"),
        ("export", "m/catalog.json", "--format", "openai"),
        ("export", "m/catalog.json", "--format", "openapi"),
    )
    inside = {"ds": (_eval("dynamic", "retriever"), ("show", "m")), "wds": (_eval("wild", "oracle"), ("show", "m"))}
    while True:
        for name, pool in pools:
            what, new = pool.next()
            files = {
                "m/catalog.json": line(new),
                "m/dialogues.jsonl": (home / name / "dialogues.jsonl").read_bytes(),
            }
            yield Check("catalogue", rng.choice(alone), files, f"{name}: {what}")
            yield Check("catalogue", rng.choice(inside[name]), files, f"{name}: {what}")


def rejected(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield datasets with one place of `rejected.jsonl` or `funnel.json` changed."""
    dialogue = json.loads((home / "ds" / "dialogues.jsonl").read_text().splitlines()[0])
    issue = {"code": "x", "message": "y", "turn": 1}
    pools = {
        "rejected.jsonl": Mutations({"dialogue": dialogue, "issues": [issue], "schema_version": 2}, rng),
        "funnel.json": Mutations(json.loads((home / "ds" / "funnel.json").read_text()), rng),
    }
    commands = (("show", "m"), ("show", "m", "--rejected"), ("measure", "m"), ("review", "m", "--list"))
    again = ("synth", "diaforge", "builtin/enterprise", "-n", "3", "--seed", "7", "-o", "m")
    while True:
        for name, pool in pools.items():
            what, new = pool.next()
            files = {f"m/{one}": (home / "ds" / one).read_bytes() for one in ("dialogues.jsonl", "catalog.json")}
            files[f"m/{name}"] = line(new)
            yield Check("rejected", rng.choice((*commands, again)), files, f"{name}: {what}")


_OF_RUNS: tuple[tuple[str, ...], ...] = (
    ("report", "m"),
    ("report", "m", "--json"),
    ("report", "m", "--by", "tool"),
    ("report", "m", "--items", "out.jsonl"),
    ("show", "m"),
    ("show", "m", "--wrong"),
    ("confusions", "m"),
    ("confusions", "m", "--json"),
    ("score", "m"),
    ("measure", "m"),
    ("eval", "ds", "--protocol", "dynamic", "--model", "builtin/retriever", "-o", "m"),
)


def runs(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield runs with one place of a transcript, a dialogue, the catalogue or the configuration changed."""
    pools = []
    for name in ("run", "wrun"):
        rows = sqlite3.connect(home / name / "run.db")
        pools += [
            (name, "UPDATE outcomes SET value = ? WHERE position = 0", _pool(rows, "SELECT value FROM outcomes", rng)),
            (name, "UPDATE items SET item = ? WHERE position = 0", _pool(rows, "SELECT item FROM items", rng)),
            (
                name,
                "UPDATE meta SET value = CAST(? AS TEXT) WHERE key = 'config'",
                _pool(rows, "SELECT value FROM meta WHERE key = 'config'", rng),
            ),
            (
                name,
                "UPDATE blobs SET value = ? WHERE name = 'catalog.json'",
                _pool(rows, "SELECT value FROM blobs WHERE name = 'catalog.json'", rng),
            ),
        ]
        rows.close()
    while True:
        for name, statement, pool in pools:
            what, new = pool.next()
            content = _edited(home / name / "run.db", statement, line(new).rstrip(), home)
            argv = rng.choice(_OF_RUNS)
            yield Check("run", argv, {"m/run.db": content}, f"{name}: {statement[:14]} {what}")


def _pool(rows: sqlite3.Connection, query: str, rng: random.Random) -> Mutations:
    return Mutations(json.loads(rows.execute(query).fetchone()[0]), rng)


def _edited(path: Path, statement: str, value: bytes, home: Path) -> bytes:
    copy = home / "out.db"
    copy.write_bytes(path.read_bytes())
    connection = sqlite3.connect(copy)
    connection.execute(statement, (value,))
    connection.commit()
    connection.close()
    content = copy.read_bytes()
    copy.unlink()
    return content


_DAMAGES = (
    "DELETE FROM {table}",
    "DROP TABLE {table}",
    "ALTER TABLE {table} RENAME TO {table}_x",
    "UPDATE {table} SET {column} = NULL",
    "UPDATE {table} SET {column} = 5",
    "UPDATE {table} SET {column} = ''",
    "UPDATE {table} SET {column} = x'ff00'",
    "UPDATE {table} SET {column} = CAST(x'ff00' AS TEXT)",
    "UPDATE {table} SET {column} = 'soon'",
    "UPDATE {table} SET {column} = -1",
    "UPDATE {table} SET {column} = 9223372036854775807",
    "ALTER TABLE {table} RENAME COLUMN {column} TO x",
    "CREATE TRIGGER t BEFORE INSERT ON {table} BEGIN DELETE FROM meta; END",
    "PRAGMA user_version = 7",
    "PRAGMA application_id = 7",
)


def databases(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield runs whose database has lost or changed rows, tables and columns, or single bytes."""
    columns = {
        "meta": ("key", "value"),
        "blobs": ("name", "value"),
        "items": ("position", "id", "item"),
        "outcomes": ("position", "trial", "status", "value", "kind", "role", "message"),
        "replies": ("position", "trial", "scope", "attempt", "request", "reply"),
    }
    original = (home / "run" / "run.db").read_bytes()
    while True:
        argv = rng.choice(_OF_RUNS)
        if rng.random() < 0.5:
            content = bytearray(original)
            for _ in range(rng.choice((1, 3, 30))):
                content[rng.randrange(len(content))] = rng.randrange(256)
            if rng.random() < 0.2:
                del content[rng.randrange(len(content)) :]
            yield Check("database", argv, {"m/run.db": bytes(content)}, "bytes")
            continue
        table = rng.choice(list(columns))
        statement = rng.choice(_DAMAGES).format(table=table, column=rng.choice(columns[table]))
        copy = home / "out.db"
        copy.write_bytes(original)
        connection = sqlite3.connect(copy)
        with contextlib.suppress(sqlite3.Error):
            connection.execute(statement)
            connection.commit()
        connection.close()
        content = bytearray(copy.read_bytes())
        copy.unlink()
        yield Check("database", argv, {"m/run.db": bytes(content)}, statement)


def formats(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield documents of every import format with one place changed."""
    from layout_examples import EXAMPLES

    documents = {**EXAMPLES, "openapi-whole": _OPENAPI, "functions-whole": _FUNCTIONS}
    pools = [(name, Mutations(document, rng)) for name, document in documents.items()]
    while True:
        for name, pool in pools:
            what, new = pool.next()
            layout = ("--from", name) if name in EXAMPLES and rng.random() < 0.5 else ()
            argv = rng.choice(
                (
                    ("import", "m/tools.json", "-o", "out.json", *layout),
                    ("import", "m/tools.json", "-o", "out.json", "--json", *layout),
                    ("lint", "m/tools.json"),
                    ("lint", "m/tools.json", "--fix-plan"),
                    ("synth", "diaforge", "m/tools.json", "-n", "2", "--no-distractors", "-o", "out"),
                    ("synth", "wild", "m/tools.json", "-n", "1", "-o", "out"),
                    ("graph", "build", "m/tools.json", "-o", "out.json"),
                )
            )
            yield Check("format", argv, {"m/tools.json": line(new)}, f"{name}: {what}")


_PROPERTIES = {
    "email": {"type": "string", "format": "email", "description": "The email of the customer.", "maxLength": 80},
    "day": {"type": "string", "format": "date", "description": "The day, such as '2026-05-04'.", "minLength": 2},
    "amount": {"type": "number", "minimum": 1, "maximum": 900, "multipleOf": 0.5, "description": "The amount."},
    "kind": {"type": "string", "enum": ["paper", "mail"], "default": "mail"},
    "code": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$", "example": "AB-1234"},
    "lines": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "string"}},
    "address": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
_FUNCTIONS = [
    {
        "name": f"{verb}_invoice",
        "description": f"{verb.capitalize()} an invoice of a customer.",
        "parameters": {"type": "object", "properties": _PROPERTIES, "required": ["email", "amount", "code"]},
    }
    for verb in ("send", "delete", "approve")
]
_OPENAPI = {
    "openapi": "3.1.0",
    "info": {"title": "Invoices", "version": "1"},
    "paths": {
        "/invoices/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
            "get": {
                "operationId": "get_invoice",
                "summary": "Get an invoice.",
                "responses": {
                    "200": {
                        "description": "It.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/I"}}},
                    }
                },
            },
            "put": {
                "operationId": "change_invoice",
                "summary": "Change an invoice.",
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/I"}}}},
                "responses": {"default": {"description": "Done."}},
            },
        }
    },
    "components": {"schemas": {"I": {"type": "object", "properties": _PROPERTIES, "required": ["email"]}}},
}


def readers(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield files of published benchmarks, and recorded outputs, with one place changed."""
    from wild_records import record

    question, answer = QUESTION, ANSWER
    bfcl = Mutations({"q": question, "a": answer, "r": {"id": "q_1", "result": "[weather.get(city='Oslo')]"}}, rng)
    wild = Mutations(record(), rng)
    own = Mutations(json.loads((home / "records.jsonl").read_text().splitlines()[0]), rng)
    persona = Mutations({"persona": "A clerk of Oslo.", "id": "p"}, rng)
    read_bfcl = ("read", "bfcl", "m/q.json", "--answers", "m/a.json", "--category", "multiple", "-o", "out")
    score = ("score", "bfcl", "m/r.json", "--questions", "m/q.json", "--answers", "m/a.json", "--category", "multiple")
    synth = ("synth", "diaforge", "builtin/enterprise", "-n", "1", "--personas", "m/p.jsonl", "-o", "out")
    while True:
        what, new = bfcl.next()
        whole = {"q": question, "a": answer, "r": [], **(new if isinstance(new, dict) else {})}
        files = {f"m/{name}.json": line(part) for name, part in whole.items() if name in ("q", "a", "r")}
        yield Check("reader", rng.choice((read_bfcl, score)), files, f"bfcl: {what}")
        what, new = wild.next()
        argv = ("read", "wild", "m/w.jsonl", "--language", rng.choice(("english", "chinese")), "-o", "out")
        yield Check("reader", argv, {"m/w.jsonl": line(new)}, f"wild: {what}")
        what, new = own.next()
        yield Check("reader", ("read", "diaforge", "m/d.jsonl", "-o", "out"), {"m/d.jsonl": line(new)}, what)
        what, new = persona.next()
        yield Check("reader", synth, {"m/p.jsonl": line(new)}, what)


def graphs(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield tool graphs with one place changed."""
    pool = Mutations(json.loads((home / "graph.json").read_text()), rng)
    commands = (
        ("graph", "show", "m/graph.json"),
        ("graph", "show", "m/graph.json", "--json"),
        ("graph", "export", "m/graph.json", "--as", "graphml"),
        ("graph", "export", "m/graph.json", "--as", "dot"),
        ("graph", "diff", "m/graph.json", "graph.json"),
        ("graph", "build", "small.json", "-o", "m/graph.json"),
    )
    while True:
        what, new = pool.next()
        yield Check("graph", rng.choice(commands), {"m/graph.json": line(new)}, what)


_TEMPLATES = (
    "", "{{", "{% for x in y %}", "(" * 5_000, "{{ " + "(" * 5_000 + "1" + ")" * 5_000 + " }}", "{{ 'a' * 10**10 }}",
    "{% if x %}" * 5_000, "{{ x.__class__.__mro__ }}", "{% for a in range(10**9) %}x{% endfor %}", "{{ 9**9**9 }}",
    "{% include '/etc/passwd' %}", "{% set x = 'a' * 10**9 %}{{ x }}", "\xff", HOSTILE,
    "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}",
    "{{ ['a'] * 10**10 }}", "{{ 'a'.ljust(10**10) }}", "{{ '%1000000000d' % 1 }}", "{{ lipsum(n=10**6) }}",
    "---\nx: [\n---\n",
)  # fmt: skip


def prompts(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield prompt folders, rubric files, price lists and baselines that are broken."""
    names = [path.relative_to(PROMPTS).as_posix() for path in sorted(PROMPTS.rglob("*")) if path.is_file()]
    asked = ("synth", "diaforge", "builtin/enterprise", "-n", "1", "--author", "openai/x", "--base-url", NOWHERE)
    judged = ("judge", "ds", "--judge", "openai/x", "--base-url", NOWHERE, "--dry-run")
    baseline = Mutations({"pairs": [{"a": "x", "b": "y", "score": 0.5}]}, rng)
    prices = Mutations({"openai/x": {"in": 1, "out": 2}}, rng)
    while True:
        name, text = rng.choice(names), rng.choice(_TEMPLATES)
        argv = (*asked, "--prompts", "m", "--dry-run", "-o", "out")
        yield Check("prompt", argv, {f"m/{name}": text.encode("latin-1", "replace")}, f"{name}: {text[:40]!r}")
        rubric = (
            f"name = 'x'\nversion = 1\nquestion = {json.dumps(text)}\nof = 'dialogue'\n[scale]\ngood = 1\nbad = 0\n"
        )
        yield Check("prompt", (*judged, "--criteria", "m/r.toml"), {"m/r.toml": rubric.encode()}, text[:40])
        what, new = baseline.next()
        yield Check("prompt", ("lint", "small.json", "--baseline", "m/b.json"), {"m/b.json": line(new)}, what)
        what, new = prices.next()
        argv = ("eval", "ds", "--protocol", "static", "--model", "openai/x", "--base-url", NOWHERE, "--dry-run")
        yield Check("prompt", (*argv, "--prices", "m/p.json", "-o", "out"), {"m/p.json": line(new)}, what)


NOWHERE = "http://127.0.0.1:9/v1"
_ODD = (
    "", " ", "nan", "inf", "-inf", "0", "-1", "1e400", "999999999999999999999999", "/", "..", "/dev/null", "/dev/full",
    "/dev/zero", "a" * 5_000, "a/" * 2_000 + "b", HOSTILE, "\udcff", "{}", "ds", "run", "small.json", "victim",
    "victim/keep.txt", "builtin/nope", "openai/", "http://", "http://[::1", "file:///etc/passwd", "1,2,3", "nan,nan",
    "a=b", "train=1,test=0",
)  # fmt: skip


_AT = ("--base-url", NOWHERE)
COMMANDS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("lint",): ("small.json",),
    ("import",): ("small.json", "-o", "out.json"),
    ("export",): ("small.json", "--format", "openai"),
    ("export-env",): ("ds", "--as", "inspect", "-o", "out"),
    ("verify-export",): ("e-trl",),
    ("train",): ("e-trl", "--base", "victim", "--dry-run", "-o", "out"),
    ("returns",): ("small.json", "-o", "out.json"),
    ("synth",): ("diaforge", "small.json", "-n", "1", "-o", "out"),
    ("show",): ("ds",),
    ("split",): ("ds", "-o", "out"),
    ("eval",): ("ds", "--protocol", "static", "--model", "builtin/eager", "-o", "out"),
    ("optimise",): ("rds", "--model", "openai/x", *_AT, "--budget-calls", "20", "-o", "out"),
    ("win-rate",): (
        "records.jsonl",
        "--model",
        "openai/x",
        "--against",
        "openai/y",
        "--judge",
        "openai/z",
        *_AT,
        "-o",
        "out",
    ),
    ("judge",): ("ds", "--judge", "openai/x", *_AT, "--dry-run"),
    ("serve",): ("builtin/eager", "--host", "nope.invalid"),
    ("models", "check"): ("openai/x", *_AT),
    ("models", "list"): ("victim",),
    ("measure",): ("ds",),
    ("review",): ("ds", "--list"),
    ("report",): ("run",),
    ("confusions",): ("run",),
    ("explain",): ("wrun", "x"),
    ("score",): ("run",),
    ("graph", "show"): ("graph.json",),
    ("graph", "build"): ("small.json", "-o", "out.json"),
    ("graph", "diff"): ("graph.json", "graph.json"),
    ("graph", "evaluate"): ("graph.json", "--labels", "records.jsonl"),
    ("graph", "export"): ("graph.json", "--as", "dot"),
    ("study", "answer"): ("ds", "-o", "out.jsonl"),
    ("study", "correlate"): ("records.jsonl",),
    ("study", "size"): (),
    ("acts",): (),
    **{("read", name): ("records.jsonl", "-o", "out") for name in ("diaforge", "wild", "tooldial", "dice", "bfcl")},
    **{("read", name): ("mwz.json", "-o", "out") for name in ("multiwoz", "sgd", "woz", "camrest", "taskmaster")},
    ("read", "msr-e2e"): ("records.jsonl", "-o", "out"),
}
"""What each command is given beside the odd option."""
_KEPT = ("help", "out", "answers", "base_url", "host")
"""Options without odd values: they would write, ask or serve elsewhere."""


def leaves(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command that is no group, with its words."""
    import click

    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from leaves(command.get_command(context, name), (*path, name))
    else:
        yield path, command


def options(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield every option of every command with odd values, and odd arguments."""
    import click

    from callwright.cli import main

    commands = list(leaves(main, ()))
    while True:
        for path, command in rng.sample(commands, len(commands)):
            given = COMMANDS[path]
            known = [one for one in command.params if isinstance(one, click.Option) and one.name not in _KEPT]
            if known:
                parameter = rng.choice(known)
                odd = () if parameter.is_flag else (rng.choice(_ODD),)
                yield Check("option", (*path, *given, rng.choice(parameter.opts), *odd), {}, "option")
            if given:
                at = rng.randrange(len(given))
                odd_given = list(given)
                if not odd_given[at].startswith("-") and (
                    at == 0 or odd_given[at - 1] not in ("-o", "--base-url", "--host")
                ):
                    odd_given[at] = rng.choice(_ODD)
                    yield Check("option", (*path, *odd_given), {}, "argument")


def places_of_output(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield commands that are to write where something else is, also through links."""
    commands = (
        ("import", "small.json"),
        ("export", "small.json", "--format", "openai"),
        ("export", "ds", "--format", "diaforge"),
        ("lint", "small.json", "--fix-plan"),
        ("synth", "diaforge", "small.json", "-n", "1"),
        ("split", "ds"),
        ("eval", "ds", "--protocol", "static", "--model", "builtin/eager"),
        ("graph", "build", "small.json"),
    )
    there = (
        "victim",
        "victim/keep.txt",
        "link",
        "linked/keep.txt",
        "ds/dialogues.jsonl",
        "ds/catalog.json",
        "run/run.db",
    )
    while True:
        for argv in commands:
            yield Check("output", (*argv, "-o", rng.choice(there)), {}, "output")


AREAS: dict[str, Area] = {
    "dataset": datasets,
    "catalogue": catalogues,
    "rejected": rejected,
    "run": runs,
    "database": databases,
    "format": formats,
    "reader": readers,
    "graph": graphs,
    "prompt": prompts,
    "option": options,
    "output": places_of_output,
    **attack_papers.AREAS,
    **attack_keys.AREAS,
}


# -- one check -------------------------------------------------------------------------------------------------------


class _TooSlow(BaseException):
    """A check took too long."""


def ring(*_: object) -> None:
    """End a check that takes too long: the handler of SIGALRM."""
    raise _TooSlow


def write(home: Path, files: dict[str, bytes]) -> None:
    """Write the files of a check."""
    for name, content in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def clean_up(home: Path) -> None:
    """Remove what a check wrote: all that is not part of the fixture."""
    for path in home.iterdir():
        if path.name in ("m", "out") or path.name.startswith("out."):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def fixture_state(home: Path) -> dict[str, tuple[int, int]]:
    """Return size and time of change of every file that no check may touch."""
    found = {}
    for folder, _, names in os.walk(home):
        if Path(folder).relative_to(home).parts[:1] in (("m",), ("out",)):
            continue
        for name in names:
            status = os.lstat(os.path.join(folder, name))
            found[os.path.join(folder, name)] = (status.st_size, status.st_mtime_ns)
    return {name: state for name, state in found.items() if not os.path.basename(name).startswith("out.")}


def in_process(check: Check) -> tuple[int, str, str]:
    """Run a check through click's runner; return exit code, output and the traceback of an unexpected error."""
    from callwright.cli import main

    if check.act:
        return check.act()
    result = CliRunner().invoke(main, list(check.argv))
    error = result.exception
    if isinstance(error, _TooSlow):
        raise error
    unexpected = error is not None and not isinstance(error, SystemExit)
    trace = "".join(traceback.format_exception(error)) if unexpected else ""
    return result.exit_code, result.output, trace


def as_process(check: Check) -> tuple[int, str, str]:
    """Run a check as users do."""
    argv = [sys.executable, "-m", "callwright", *check.argv]
    try:
        done = subprocess.run(argv, capture_output=True, timeout=SLOWEST_S, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as error:
        raise _TooSlow from error
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace"), ""


def judge(check: Check, run: Callable[[Check], tuple[int, str, str]]) -> Verdict:
    """Run a check and return how it ended."""
    signal.setitimer(signal.ITIMER_REAL, SLOWEST_S)
    try:
        code, output, trace = run(check)
    except _TooSlow:
        return Verdict("hangs")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if "MemoryError" in trace:
        return Verdict("memory", trace)
    if trace or "Traceback (most recent" in output or re.search(r"\bbug:", output):
        return Verdict("tracebacks", trace or output)
    if any(SECRET[at : at + 16] in output for at in range(8, len(SECRET) - 8 - 16 + 1)):  # its ends may be shown
        return Verdict("secrets", output)
    if found := _ESCAPE.search(output.replace(chr(13) + chr(10), chr(10))):
        return Verdict("escapes", f"{found[0]!r} in {output[max(0, found.start() - 80) : found.end() + 80]!r}")
    if code in (0, 1):
        return Verdict("right")
    errors = [one for one in output.splitlines() if one.startswith("callwright: ")]
    return Verdict("clean") if code == 2 and len(errors) == 1 else Verdict("tracebacks", f"exit code {code}: {output}")


_WEATHER = {
    "name": "weather.get",
    "description": "Weather.",
    "parameters": {
        "type": "dict",
        "properties": {
            "city": {"type": "string", "description": "The city."},
            "days": {"type": "integer", "description": "Days."},
        },
        "required": ["city"],
    },
}
QUESTION = {
    "id": "q_1",
    "question": [[{"role": "user", "content": "The weather in Oslo for 3 days?"}]],
    "function": [_WEATHER, {"name": "clock", "parameters": {"type": "dict", "properties": {}, "required": []}}],
}
ANSWER = {"id": "q_1", "ground_truth": [{"weather.get": {"city": ["Oslo"], "days": [3, ""]}}]}
"""A question in the layout of BFCL, and its answer."""

# -- the whole -------------------------------------------------------------------------------------------------------


def make_fixture(home: Path) -> None:
    """Make the files that checks start from, with the commands themselves."""
    from callwright.cli import main

    (home / "victim").mkdir()
    (home / "victim" / "keep.txt").write_text("precious\n")
    attack_papers.write_corpora(home)
    (home / "bq.json").write_text(json.dumps(QUESTION) + "\n")
    (home / "possible_answer").mkdir()
    (home / "possible_answer" / "bq.json").write_text(json.dumps(ANSWER) + "\n")
    (home / "small.json").write_text(json.dumps(_FUNCTIONS))
    for command in _FIXTURE.strip().splitlines():
        result = CliRunner().invoke(main, command.split())
        if result.exit_code:
            raise SystemExit(f"{command}: {result.output}")
    shutil.copytree(home / "ds", home / "rds")
    shutil.rmtree(home / "rds" / ".run")
    first = json.loads((home / "rds" / "dialogues.jsonl").read_text().splitlines()[0])["id"]
    CliRunner().invoke(main, ["review", "rds", "--share", "1", "--mark", first, "wrong", "--note", "x"])
    (home / "link").symlink_to("victim/keep.txt")
    (home / "linked").symlink_to("victim")
    for name in ("ds", "wds"):
        _keep_named_tools(home / name)


_FIXTURE = """
synth diaforge builtin/enterprise -n 3 --seed 7 -o ds
synth wild builtin/enterprise -n 2 --seed 7 -o wds
eval ds --protocol dynamic --model builtin/retriever -o run
eval wds --protocol wild --model builtin/retriever -o wrun
read bfcl bq.json --answers possible_answer/bq.json --category multiple -o bds
graph build small.json -o graph.json
export ds --format diaforge -o records.jsonl
graph build builtin/enterprise -o egraph.json
synth tooldial builtin/enterprise --graph egraph.json -n 2 --seed 3 -o td
synth dice builtin/enterprise -n 2 --seed 3 -o chats
read multiwoz mwz.json -o mds
read woz woz.json -o sets/woz
eval td --protocol tooldial --model builtin/retriever -o trun
eval chats --protocol dice --model builtin/retriever -o crun
eval mds --protocol fnctod --model builtin/stated -o mrun
eval mds --protocol tod --model builtin/oracle --db db -o drun
eval bds --protocol bfcl --model builtin/eager -o brun
export ds --as trl -o e-trl
export ds --as openai -o e-openai
export wds --as sharegpt -o e-sharegpt
"""


def _keep_named_tools(folder: Path) -> None:
    catalog = json.loads((folder / "catalog.json").read_text())
    from callwright.app.datasets import open_dataset

    shown = {tool.key for dialogue in open_dataset(folder).dialogues for tool in dialogue.tools}
    names = {tool.name for tool in open_dataset(folder).catalog.tools if tool.key in shown}
    catalog["tools"] = [tool for tool in catalog["tools"] if tool["name"] in names]
    (folder / "catalog.json").write_text(json.dumps(catalog))


_TURNS = {"key": 2}
"""Turns that an area has in a round, where not one: a run of 40,000 checks then reaches every key in every way."""


def attack(
    areas: Sequence[str], checks: int, home: Path, *, seed: int, every: int = 0, seconds: float = 1e9
) -> tuple[Counter[Any], list[str]]:
    """Run checks, taking areas in turns; return counts by area and kind, and a line for each fault."""
    began = time.monotonic()
    rng = random.Random(seed)
    counts: Counter[Any] = Counter()
    faults: list[str] = []
    turns = [name for name in areas for _ in range(_TURNS.get(name, 1))]
    streams = {name: (AREAS | attack_keys.ASKED_FOR)[name](home, rng) for name in areas}
    before = fixture_state(home)
    for nth in range(checks):
        if time.monotonic() - began > seconds:
            break
        name = turns[nth % len(turns)]
        check = next(streams[name])
        write(home, check.files)
        alone = every and nth % every == every - 1 and not check.act
        verdict = judge(check, as_process if alone else in_process)
        clean_up(home)
        after = fixture_state(home)
        if harmed := [name for name, state in before.items() if after.get(name) != state]:
            verdict, before = Verdict("harmed", " ".join(harmed)), after
        for new in after.keys() - before.keys():  # an odd name for output: no harm
            os.unlink(new)
        counts[name, verdict.kind] += 1
        if verdict.kind in ZERO:
            faults.append(f"{verdict.kind}: {' '.join(check.argv)} | {check.what}\n{verdict.detail[-1500:]}")
    return counts, faults


def table(counts: Counter[Any]) -> str:
    """Return the counts as a table."""
    kinds = ("clean", "right", *ZERO)
    names = sorted({name for name, _ in counts})
    lines = [" ".join(f"{word:>10}" for word in ("area", "checks", *kinds))]
    for name in [*names, "all"]:
        own = Counter({kind: sum(counts[one, kind] for one in names if name in (one, "all")) for kind in kinds})
        lines.append(" ".join(f"{word:>10}" for word in (name, own.total(), *(own[kind] for kind in kinds))))
    return "\n".join(lines)


def run() -> int:
    """Read the options, attack, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checks", type=int, default=40_000)
    parser.add_argument("--seconds", type=float, default=3_600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(AREAS))
    parser.add_argument("--show", type=int, default=20)
    parser.add_argument("--every", type=int, default=50)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (3 * MOST_BYTES, 3 * MOST_BYTES))
    signal.signal(signal.SIGALRM, ring)
    os.environ["OPENAI_API_KEY"] = SECRET
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_fixture(Path(folder))
        areas, bounds = options.only.split(","), {"every": options.every, "seconds": options.seconds}
        counts, faults = attack(areas, options.checks, Path(folder), seed=options.seed, **bounds)
        covered, missing = (
            attack_keys.coverage(Path(folder)) if any(name.startswith("key") for name in areas) else ("", [])
        )
        os.chdir("/")
    for fault in faults[: options.show]:
        print(fault, end="\n\n")
    print(table(counts))
    peak = 1024 * max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"peak memory {peak / 2**20:,.0f} MB")
    print(covered, *[f"never attacked: {one}" for one in missing[: options.show]], sep="\n")
    return int(bool(missing) or any(counts[name, kind] for name, kind in counts if kind in ZERO) or peak > MOST_BYTES)


if __name__ == "__main__":
    status = run()
    sys.stdout.flush()
    os._exit(status)  # threads of attacked servers may be left

"""Every key of every record in a dataset, a transcript, a catalogue, a graph and a run, changed in each way."""

from __future__ import annotations

import contextlib
import json
import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import attack_papers
from hostile import HOSTILE, REMOVED, Check, changed, line
from msgspec import inspect

from callwright.records.dialogue import Dialogue
from callwright.records.tool import Catalog
from callwright.records.tool_graph import ToolGraph
from callwright.records.transcript import Transcript
from callwright.store.dataset import Rejected

WAYS = ("removed", "null", "type", "empty", "hostile")
DATASETS = ("ds", "wds", "td", "chats", "mds", "sets/woz", "bds")
RUNS = ("run", "wrun", "trun", "crun", "mrun", "drun", "brun")
RECORDS: dict[str, type] = {
    "dataset": Dialogue,
    "rejected": Rejected,
    "catalogue": Catalog,
    "graph": ToolGraph,
    "transcript": Transcript,
}
COVERED: Counter[tuple[str, str, str]] = Counter()
"""Checks made, by kind, key and way."""


class Source(NamedTuple):
    """A record of the fixture."""

    place: str
    """The dataset, graph or run that holds it."""
    value: Any


class Target(NamedTuple):
    """A key that is attacked: where it stands in a record that has it."""

    kind: str
    key: str
    """As `Task.goal`."""
    source: Source
    path: tuple[Any, ...]


# -- which keys there are --------------------------------------------------------------------------------------------


def keys_of(record: type) -> set[str]:
    """Return the keys of a record and of all records inside it."""
    found: dict[str, inspect.StructType] = {}
    todo: list[inspect.Type] = [inspect.type_info(record)]
    while todo:
        for struct in _structs(todo.pop()):
            if struct.cls.__name__ not in found:
                found[struct.cls.__name__] = struct
                todo += [field.type for field in struct.fields]
    return {f"{name}.{field.encode_name}" for name, struct in found.items() for field in struct.fields}


def _members(type_: inspect.Type) -> tuple[inspect.Type, ...]:
    if isinstance(type_, inspect.Metadata):
        return _members(type_.type)
    return tuple(type_.types) if isinstance(type_, inspect.UnionType) else (type_,)


def _inner(type_: inspect.Type) -> tuple[inspect.Type, ...]:
    """Return the types of what a list or mapping holds."""
    if isinstance(type_, inspect.DictType):
        return (type_.value_type,)
    if isinstance(type_, inspect.TupleType):
        return tuple(type_.item_types)
    return (type_.item_type,) if isinstance(type_, inspect.CollectionType) else ()


def _structs(type_: inspect.Type) -> Iterator[inspect.StructType]:
    """Yield the records that a type holds, also in lists and mappings."""
    for member in _members(type_):
        if isinstance(member, inspect.StructType):
            yield member
        for inner in _inner(member):
            yield from _structs(inner)


def sample(type_: inspect.Type) -> Any:
    """Return a value of a type with every key given."""
    member = next((one for one in _members(type_) if not isinstance(one, inspect.NoneType)), None)
    if isinstance(member, inspect.StructType):
        own = {member.tag_field: member.tag} if member.tag_field else {}
        return own | {field.encode_name: sample(field.type) for field in member.fields}
    if isinstance(member, inspect.LiteralType | inspect.EnumType):
        return member.values[0] if isinstance(member, inspect.LiteralType) else next(iter(member.cls)).value
    if isinstance(member, inspect.DictType):
        return {"a": sample(member.value_type)}
    if isinstance(member, inspect.TupleType):
        return [sample(one) for one in member.item_types]
    if isinstance(member, inspect.CollectionType):
        return [sample(member.item_type)]
    plain: dict[type, Any] = {inspect.IntType: 1, inspect.FloatType: 0.5, inspect.BoolType: True}
    return plain.get(type(member), '"a"')


def targets(kind: str, sources: list[Source]) -> list[Target]:
    """Return one target for each key: in the fixture's records where they have it, else in one to which it is added."""
    record = inspect.type_info(RECORDS[kind])
    found: dict[str, Target] = {}
    absent = [one for source in sources for one in _walk(kind, source, (), source.value, record, found)]
    while absent:
        key, source, path, type_ = absent.pop()
        for member in _members(type_):
            if {key, *(inner for struct in _structs(member) for inner in _own(struct))} - found.keys():
                grafted = Source(source.place, changed(source.value, path, sample(member)))
                absent += _walk(kind, grafted, (), grafted.value, record, found)
    return list(found.values())


def _own(struct: inspect.StructType) -> set[str]:
    return {f"{struct.cls.__name__}.{field.encode_name}" for field in struct.fields}


def _walk(
    kind: str, source: Source, path: tuple[Any, ...], value: Any, type_: inspect.Type, found: dict[str, Target]
) -> Iterator[tuple[str, Source, tuple[Any, ...], inspect.Type]]:
    """Enter the keys that a value has into `found`; yield where keys, or other records in their place, could stand."""
    for member in _members(type_):
        if isinstance(member, inspect.StructType) and isinstance(value, dict):
            if member.tag_field and value.get(member.tag_field) != member.tag:
                continue
            for field in member.fields:
                key, there = f"{member.cls.__name__}.{field.encode_name}", (*path, field.encode_name)
                if field.encode_name in value:
                    found.setdefault(key, Target(kind, key, source, there))
                    yield from _walk(kind, source, there, value[field.encode_name], field.type, found)
                    if list(_structs(field.type)):
                        yield key, source, there, field.type
                elif key not in found:
                    yield key, source, there, field.type
        elif isinstance(value, dict) and isinstance(member, inspect.DictType):
            for name, inner in value.items():
                yield from _walk(kind, source, (*path, name), inner, member.value_type, found)
        elif isinstance(value, list) and _inner(member):
            types = _inner(member)
            for at, inner in enumerate(value):
                yield from _walk(kind, source, (*path, at), inner, types[min(at, len(types) - 1)], found)


# -- what is done to them --------------------------------------------------------------------------------------------


def put(old: Any, way: str, rng: random.Random) -> Any:
    """Return what a key is set to."""
    if way in ("removed", "null"):
        return REMOVED if way == "removed" else None
    if way == "type":
        return rng.choice([one for one in ("soon", 5, [None], {"a": None}) if type(one) is not type(old)])
    if isinstance(old, list):
        return [] if way == "empty" else [HOSTILE]
    if isinstance(old, dict):
        return {} if way == "empty" else {HOSTILE: HOSTILE}
    if isinstance(old, int | float):
        return 0 if way == "empty" else rng.choice((10**30, 10**400))
    return "" if way == "empty" else rng.choice((HOSTILE, HOSTILE, "soon", "1e999", "9" * 400))


def all_targets(home: Path) -> list[Target]:
    """Return a target for each key of each kind of record, and for each setting of a run."""
    dialogues = [Source(name, _first(home / name / "dialogues.jsonl")) for name in DATASETS]
    rejected = {"dialogue": dialogues[0].value, "issues": [{"code": "x", "message": "y"}], "schema_version": 2}
    sources = {
        "dataset": dialogues,
        "rejected": [Source("ds", rejected)],
        "catalogue": [Source(name, json.loads((home / name / "catalog.json").read_text())) for name in DATASETS],
        "graph": [Source("graph.json", json.loads((home / "graph.json").read_text()))],
        "transcript": [Source(name, _held(home / name, "SELECT value FROM outcomes")) for name in RUNS],
    }
    found = [target for kind, own in sources.items() for target in targets(kind, own)]
    for name in RUNS:
        config = Source(name, _held(home / name, "SELECT value FROM meta WHERE key = 'config'"))
        found += [Target("run", f"config.{key}", config, (key,)) for key in config.value]
        meta = Source(name, dict(_rows(home / name, "SELECT key, value FROM meta")))
        found += [Target("run", f"meta.{key}", meta, (key,)) for key in meta.value]
    return found


def _first(path: Path) -> Any:
    return json.loads(path.read_text().splitlines()[0])


def _rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(folder / "run.db")) as rows:
        return rows.execute(query).fetchall()


def _held(folder: Path, query: str) -> Any:
    return json.loads(_rows(folder, query)[0][0])


_OF_GRAPHS = (
    ("graph", "show", "m/graph.json"),
    ("graph", "show", "m/graph.json", "--html", "out.html"),
    ("graph", "export", "m/graph.json", "--as", "dot"),
    ("graph", "build", "small.json", "-o", "m/graph.json"),
    ("graph", "diff", "m/graph.json", "graph.json"),
)
_OF_REJECTED = (("show", "m", "--rejected"), ("measure", "m"), ("review", "m", "--list"))


def keys(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield a check for each key in each way, with one of the commands, and then again."""
    for check, commands in _placed(home, rng):
        yield check._replace(argv=rng.choice(commands))


def keys_with_all(home: Path, rng: random.Random) -> Iterator[Check]:
    """Yield a check for each key in each way with each of the commands, and then again."""
    for check, commands in _placed(home, rng):
        for command in commands:
            yield check._replace(argv=command)


def _placed(home: Path, rng: random.Random) -> Iterator[tuple[Check, tuple[tuple[str, ...], ...]]]:
    all_of = [(target, way) for target in all_targets(home) for way in WAYS]
    while True:
        rng.shuffle(all_of)
        for target, way in all_of:
            old: Any = target.source.value
            for step in target.path:
                old = old[step]
            new = changed(target.source.value, target.path, put(old, way, rng))
            COVERED[target.kind, target.key, way] += 1
            files, commands = _PLACED[target.kind](home, target, new)
            yield Check("key", (), files, f"{target.kind} {target.source.place} {target.key} {way}"), commands


Placed = tuple[dict[str, bytes], tuple[tuple[str, ...], ...]]


def _in_dataset(home: Path, target: Target, new: Any) -> Placed:
    name, kept = target.source.place, ("dialogues.jsonl", "catalog.json", "graph.json")
    files = {f"m/{one}": (home / name / one).read_bytes() for one in kept if (home / name / one).exists()}
    file = {"dataset": "dialogues.jsonl", "rejected": "rejected.jsonl", "catalogue": "catalog.json"}[target.kind]
    files[f"m/{file}"] = line(new)
    commands = (*attack_papers.PAPER_DATA.get(name, ()), *attack_papers.LOOKS)
    return files, _OF_REJECTED if target.kind == "rejected" else commands


def _as_graph(home: Path, target: Target, new: Any) -> Placed:
    return {"m/graph.json": line(new)}, _OF_GRAPHS


def _in_run(home: Path, target: Target, new: Any) -> Placed:
    copy = home / "out.db"
    copy.write_bytes((home / target.source.place / "run.db").read_bytes())
    with contextlib.closing(sqlite3.connect(copy)) as rows, contextlib.suppress(sqlite3.Error):  # such as NOT NULL
        if target.kind == "transcript":
            rows.execute("UPDATE outcomes SET value = ? WHERE position = 0", (line(new).rstrip(),))
        elif target.key.startswith("config."):
            rows.execute("UPDATE meta SET value = ? WHERE key = 'config'", (json.dumps(new),))
        else:
            _set_meta(rows, target.path[0], new.get(target.path[0], REMOVED))
        rows.commit()
    content = copy.read_bytes()
    copy.unlink()
    return {"m/run.db": content}, attack_papers.OF_RUNS


def _set_meta(rows: sqlite3.Connection, key: str, value: Any) -> None:
    if value is REMOVED:
        rows.execute("DELETE FROM meta WHERE key = ?", (key,))
    else:
        held = value if isinstance(value, str | None) else json.dumps(value)
        rows.execute("UPDATE meta SET value = ? WHERE key = ?", (held, key))


_PLACED: dict[str, Callable[[Path, Target, Any], Placed]] = {
    "dataset": _in_dataset,
    "rejected": _in_dataset,
    "catalogue": _in_dataset,
    "graph": _as_graph,
    "transcript": _in_run,
    "run": _in_run,
}


def wanted(home: Path) -> set[tuple[str, str]]:
    """Return all keys by kind: those that the records have by their types, and those of the fixture's runs."""
    typed = {(kind, key) for kind, record in RECORDS.items() for key in keys_of(record)}
    return typed | {(target.kind, target.key) for target in all_targets(home) if target.kind == "run"}


def coverage(home: Path) -> tuple[str, list[str]]:
    """Return a table of the keys attacked in each way, and the keys and ways that were not."""
    every = wanted(home)
    rows = [" ".join(f"{word:>10}" for word in ("record", "keys", *WAYS))]
    for kind in sorted({kind for kind, _ in every}):
        names = {key for of, key in every if of == kind}
        cells = [sum(COVERED[kind, key, way] > 0 for key in names) for way in WAYS]
        rows.append(" ".join(f"{word:>10}" for word in (kind, len(names), *cells)))
    missing = [f"{kind} {key} {way}" for kind, key in sorted(every) for way in WAYS if not COVERED[kind, key, way]]
    return "\n".join(rows), missing


AREAS = {"key": keys}
ASKED_FOR = {"key_with_all": keys_with_all}
"""Areas that are attacked only where `--only` names them."""

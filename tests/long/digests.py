"""Digests of outputs under readable names, and what differs between two sets of them.

A name begins with its chain, `diaforge/box/7`, and goes on with the file, `synth/dialogues.jsonl`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

DIGITS = 16
"""Digits of the SHA-256 that are kept: enough against chance, and a third of the file."""

LEFT_OUT = frozenset({"schema_version"})
"""Fields that a projection leaves out, at every depth. A new version of the records adds here what it drops."""

# Version 2 of the records. Digests of files and of data change with the bytes of the version, so they are left out
# wherever they stand: the `files` of `funnel.json`, the `data` of a run or a split, `data:` in a signature, and
# the card of a part.
_SHA256 = re.compile(r"[0-9a-f]{64}")
_DATA = re.compile(r"[0-9a-f]{16}")
_SIGNED_DATA = re.compile(r"\bdata:[0-9a-f]{16}\b")
_CARD_OF_PART = re.compile(rb"dataset \(digest `[0-9a-f]{16}`\)")
# Version 2 keeps the origin of a hidden value in a record of its own; version 1 had its fields in the hidden place.
# How tasks hide information stood in the tasks before it stood in the annotation.
_ORIGIN_BEFORE = {"task": "from_task", "call": "from_call", "path": "path", "turn": "turn"}


class Digest(NamedTuple):
    """Two digests of one output."""

    exact: str
    """Of the bytes."""
    projected: str
    """Of what the projection leaves."""


class Comparison(NamedTuple):
    """Names by what became of their digests, each in order."""

    equal: tuple[str, ...]
    form: tuple[str, ...]
    """The bytes differ, the projections are equal."""
    differs: tuple[str, ...]
    missing: tuple[str, ...]
    new: tuple[str, ...]
    skipped: tuple[str, ...]
    """Recorded, of chains that were not run now."""


def project(value: Any) -> Any:
    """Return a JSON value as it is compared between versions of the records."""
    if isinstance(value, dict):
        kept = {name: item for name, item in _flat(value).items() if name not in LEFT_OUT}
        return {name: project(item) for name, item in kept.items() if not _is_digest(name, item)}
    if isinstance(value, str):
        return _SIGNED_DATA.sub("data:", value)
    return [project(item) for item in value] if isinstance(value, list) else value


def _flat(value: dict[str, Any]) -> dict[str, Any]:
    """A hidden place with the fields of its origin, and tasks with their hidings, as they once were; all else as is."""
    notes = value.get("annotation")
    if "tasks" in value and isinstance(notes, dict) and "hidings" in notes:
        hides = [{"hiding": one} if one else {} for one in notes["hidings"]]
        tasks = [task | own for task, own in zip(value["tasks"], hides, strict=True)]
        rest = {name: item for name, item in notes.items() if name != "hidings"}
        return value | {"tasks": tasks, "annotation": rest}
    origin = value.get("origin")
    if "hiding" not in value or not isinstance(origin, dict):
        return value
    rest = {name: item for name, item in value.items() if name != "origin"}
    return rest | {_ORIGIN_BEFORE.get(name, name): item for name, item in origin.items()}


def _is_digest(name: str, item: Any) -> bool:
    """Whether a field holds digests of bytes that change with the version of the records."""
    if name == "files" and isinstance(item, dict):
        return all(isinstance(one, str) and _SHA256.fullmatch(one) for one in item.values())
    return name == "data" and isinstance(item, str) and _DATA.fullmatch(item) is not None


def canonical(text: bytes) -> bytes:
    """Return one JSON document after the projection, its names sorted, without spaces."""
    projected = project(json.loads(text))
    written = json.dumps(projected, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return written.encode("utf-8", "surrogatepass")


def digest(name: str, output: bytes) -> Digest:
    """Return the digests of an output; its name's ending says whether it is JSON, JSON lines or text."""
    projected = _CARD_OF_PART.sub(b"dataset (digest)", output)
    if name.endswith(".json"):
        projected = canonical(output)
    elif name.endswith(".jsonl"):
        projected = b"".join(canonical(line) + b"\n" for line in output.splitlines())
    return Digest(_shortened(output), _shortened(projected))


def _shortened(output: bytes) -> str:
    return hashlib.sha256(output).hexdigest()[:DIGITS]


def compare(recorded: Mapping[str, Digest], found: Mapping[str, Digest], chains: Iterable[str]) -> Comparison:
    """Compare what was recorded with what was found by running `chains`."""
    begins = tuple(f"{chain}/" for chain in chains)
    both = sorted(recorded.keys() & found.keys())
    lost = sorted(recorded.keys() - found.keys())
    return Comparison(
        equal=tuple(name for name in both if recorded[name] == found[name]),
        form=tuple(name for name in both if recorded[name] != found[name] and _equal_projected(name, recorded, found)),
        differs=tuple(name for name in both if not _equal_projected(name, recorded, found)),
        missing=tuple(name for name in lost if name.startswith(begins)),
        new=tuple(sorted(found.keys() - recorded.keys())),
        skipped=tuple(name for name in lost if not name.startswith(begins)),
    )


def _equal_projected(name: str, recorded: Mapping[str, Digest], found: Mapping[str, Digest]) -> bool:
    return recorded[name].projected == found[name].projected


def replaced(recorded: Mapping[str, Digest], chain: str, found: Mapping[str, Digest]) -> dict[str, Digest]:
    """Return what is recorded with one chain's digests in place of those it had."""
    others = {name: one for name, one in recorded.items() if not name.startswith(f"{chain}/")}
    return others | dict(found)


def write(path: Path, digests: Mapping[str, Digest]) -> None:
    """Write digests, one name a line."""
    lines = (f"{json.dumps(name)}: {json.dumps(list(digests[name]))}" for name in sorted(digests))
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def read(path: Path) -> dict[str, Digest]:
    """Read what `write` wrote."""
    return {name: Digest(*pair) for name, pair in json.loads(path.read_text(encoding="utf-8")).items()}


def lines(comparison: Comparison) -> list[str]:
    """Return a line for each name that is not equal, and a line of counts."""
    kinds = comparison._asdict()
    told = ("form", "differs", "missing", "new")
    named = [f"{kind:8} {name}" for kind in told for name in kinds[kind]]
    return [*named, ", ".join(f"{len(names):,} {kind}" for kind, names in kinds.items())]


def is_same(comparison: Comparison, *, forgives_form: bool) -> bool:
    """Tell whether nothing differs, is missing or is new."""
    other = comparison.differs or comparison.missing or comparison.new
    return not other and (forgives_form or not comparison.form)

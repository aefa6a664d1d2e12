"""A run: one folder with one SQLite database and one writer. It holds everything needed to resume, replay and rescore.

    run/
    ├── run.db     meta · blobs · items · outcomes · replies
    └── run.lock   held by the process that writes

`Run.open` writes; `Run.read` reads, even during writing. A run does not interpret its items and values.
"""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType, TracebackType

import callwright
from callwright.errors import BadDocument, BadInput, BadRecord, RunConflict, StorageFailed
from callwright.records.jsontext import Json, JsonText, decode, encode, whole
from callwright.records.tool import digest
from callwright.store.database import (
    close_tidily,
    connect_reader,
    connect_writer,
    prepare_for_many,
    reporting,
    transaction,
)
from callwright.store.files import check_depth
from callwright.store.lock import FolderLock
from callwright.store.outcome import Outcome, Place, StoredReply

_PAGE = 256
_SHOWN = 100
_POSITION = "(SELECT position FROM items WHERE id = ?)"
_AT_PLACE = f"position = {_POSITION} AND trial = ? AND scope = ? AND attempt = ?"
_SLOW_COMMIT_WINDOW_S = 0.005


class Run:
    """An open run folder. A context manager; made by `Run.open` or `Run.read`."""

    def __init__(
        self, folder: Path, connection: sqlite3.Connection, lock: FolderLock | None, *, durable: bool = False
    ) -> None:
        self.folder = folder
        self.commit_window_s = 0.0
        """Seconds for which writes are gathered into one commit; 0 if a commit is cheap."""
        self._connection = connection
        self._durable = durable
        self._is_prepared = False
        self._lock = lock
        self._path = folder / "run.db"
        self._file = _identity(self._path)
        self._is_growing = False

    @classmethod
    def open(cls, folder: Path | str, *, kind: str, config: dict[str, Json], durable: bool = False) -> Run:
        """Open the run in `folder` for writing, or begin it; `durable` waits for the disk at every commit.

        Raises RunConflict if its `kind` or `config` is another, or if another process is writing it.
        """
        folder = Path(folder)
        _make_folder(folder)
        lock = FolderLock(folder / "run.lock")
        try:
            run = cls(folder, connect_writer(folder / "run.db"), lock, durable=durable)
        except BaseException:
            lock.release()
            raise
        try:
            run._begin_or_match(kind, config)
        except BaseException:
            run.close()
            raise
        return run

    @classmethod
    def read(cls, folder: Path | str) -> Run:
        """Open the run in `folder` for reading, also while another process writes it."""
        folder = Path(folder)
        if not (folder / "run.db").is_file():
            raise BadInput(f"{folder}: not a run folder: it has no run.db.")
        return cls(folder, connect_reader(folder / "run.db"), None)

    def close(self) -> None:
        """Commit everything into one plain file, and release the lock."""
        try:
            if self._lock:
                close_tidily(self._connection)
            else:
                self._connection.close()
        finally:
            if self._lock:
                self._lock.release()
                self._lock = None

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # -- what the run is ----------------------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """Kind of the run, such as `synth`."""
        return self._started()["kind"]

    @property
    def config(self) -> dict[str, Json]:
        """The configuration the run was started with."""
        return _config(self.folder, self._started())

    def match(self, *, kind: str, config: dict[str, Json]) -> None:
        """Raise RunConflict, naming the differences, unless the run was started with `kind` and `config`."""
        meta = self._meta()
        if (meta.get("kind"), meta.get("config")) != (kind, encode(config)):
            raise _other_run(self.folder, meta, kind, config)

    def put_blob(self, name: str, value: bytes) -> None:
        with transaction(self._connection, self._path):
            self._connection.execute("INSERT OR REPLACE INTO blobs VALUES (?, ?)", (name, value))

    def get_blob(self, name: str) -> bytes | None:
        with reporting(self._path):
            row = self._connection.execute("SELECT value FROM blobs WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    # -- items --------------------------------------------------------------------------------------------------

    def put_items(self, items: Iterable[tuple[str, bytes]]) -> None:
        """Store items (id, encoded) in planned order. Raises RunConflict if it has others, BadInput for equal ids."""
        if self.n_items():
            _check_same(self.folder, self.items(), items)
            return
        ids: list[str] = []

        def rows() -> Iterator[tuple[int, str, bytes]]:
            for item, data in items:
                ids.append(item)
                yield len(ids) - 1, item, data

        try:
            with transaction(self._connection, self._path):
                self._connection.executemany("INSERT INTO items VALUES (?, ?, ?)", rows())
        except (sqlite3.IntegrityError, UnicodeEncodeError):  # a duplicate id, or one that is not valid Unicode
            _check_ids(ids)
            raise

    def add_items(self, items: Iterable[tuple[str, bytes]]) -> None:
        """Append missing items (id, encoded) to a run that may be rolled out in part. Raises BadInput for equal ids."""
        wanted = list(items)
        _check_ids([item for item, _ in wanted])
        kept = set(self.item_ids())
        new = [(item, data) for item, data in wanted if item not in kept]
        self._is_growing = True
        if new:
            with transaction(self._connection, self._path):
                self._connection.executemany(
                    "INSERT INTO items VALUES (?, ?, ?)",
                    ((at, item, data) for at, (item, data) in enumerate(new, len(kept))),
                )

    def keep_ids(self, ids: Sequence[str]) -> None:
        """Check that the items have these ids, in order; give them to a run without items. A growing run may have more.

        Raises RunConflict if the ids differ, BadInput for equal ids.
        """
        kept = self.item_ids()
        if self._is_growing and set(ids) <= set(kept):
            return
        if not kept:
            self.put_items((item, b"") for item in ids)
        elif kept != tuple(ids):
            _check_same(self.folder, ((item, b"") for item in kept), ((item, b"") for item in ids))

    def item_ids(self) -> tuple[str, ...]:
        with reporting(self._path):
            return tuple(row[0] for row in self._connection.execute("SELECT id FROM items ORDER BY position"))

    def items(self) -> Iterator[tuple[str, bytes]]:
        start = 0
        while rows := self._page("SELECT id, item FROM items WHERE position >= ? ORDER BY position LIMIT ?", start):
            yield from rows
            start += _PAGE

    # -- outcomes and replies -----------------------------------------------------------------------------------

    def put(
        self,
        *,
        outcomes: Sequence[Outcome] = (),
        replies: Sequence[StoredReply] = (),
        blobs: Mapping[str, bytes] = MappingProxyType({}),
    ) -> None:
        """Commit outcomes, replies and blobs in one transaction, replacing earlier ones with the same key.

        Raises BadInput for an unknown item, and StorageFailed, also if the file was removed or replaced: SQLite would
        still write to the old file.
        """
        if _identity(self._path) != self._file:
            raise StorageFailed(
                f"{self._path}: was removed or replaced during the run. Leave a run's folder alone until it "
                "ends; the same command starts it again."
            )
        if not self._is_prepared:
            is_cheap = prepare_for_many(self._connection, self._path, durable=self._durable)
            self.commit_window_s = 0.0 if is_cheap else _SLOW_COMMIT_WINDOW_S
            self._is_prepared = True
        try:
            with transaction(self._connection, self._path):
                if replies:
                    self._connection.executemany(
                        f"INSERT OR REPLACE INTO replies VALUES ({_POSITION}, ?, ?, ?, ?, ?)",
                        [(*kept.place, kept.request, kept.reply) for kept in replies],
                    )
                if outcomes:
                    self._connection.executemany(
                        f"INSERT OR REPLACE INTO outcomes VALUES ({_POSITION}, ?, ?, ?, ?, ?, ?)",
                        map(_outcome_row, outcomes),
                    )
                if blobs:
                    self._connection.executemany("INSERT OR REPLACE INTO blobs VALUES (?, ?)", blobs.items())
        except sqlite3.IntegrityError as error:
            if not str(error).endswith(".position"):
                raise
            raise BadInput(
                f"{self.folder}: an outcome or reply belongs to no item of the run. Put its items first."
            ) from error

    def drop_reply(self, place: Place) -> None:
        """Drop the reply of `place`. Raises StorageFailed."""
        with transaction(self._connection, self._path):
            self._connection.execute(f"DELETE FROM replies WHERE {_AT_PLACE}", place)

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the outcomes in planned order, trials of an item one after another."""
        query = """SELECT id, trial, value, kind, role, message FROM outcomes JOIN items USING (position)
            WHERE position >= ?1 AND position < ?1 + ?2 ORDER BY position, trial"""
        for start in range(0, self.n_items(), _PAGE):
            yield from (Outcome(*row) for row in self._page(query, start))

    def n_items(self) -> int:
        with reporting(self._path):
            count: int = self._connection.execute("SELECT count(*) FROM items").fetchone()[0]
        return count

    def done(self) -> set[tuple[str, int]]:
        """Return (item, trial) of all rollouts that ended with a value."""
        query = "SELECT id, trial FROM outcomes JOIN items USING (position) WHERE status = 'ok'"
        with reporting(self._path):
            return set(self._connection.execute(query))

    def failures(self) -> Counter[str]:
        """Return how many rollouts failed, by class of error."""
        query = "SELECT kind, count(*) FROM outcomes WHERE status = 'failed' GROUP BY kind ORDER BY kind"
        with reporting(self._path):
            return Counter(dict(self._connection.execute(query).fetchall()))

    def has_replies(self) -> bool:
        with reporting(self._path):
            return self._connection.execute("SELECT 1 FROM replies LIMIT 1").fetchone() is not None

    def get_reply(self, place: Place) -> tuple[str, bytes] | None:
        """Return the request's digest and the reply stored for `place`, or None."""
        with reporting(self._path):
            row: tuple[str, bytes] | None = self._connection.execute(
                f"SELECT request, reply FROM replies WHERE {_AT_PLACE}", place
            ).fetchone()
        return row

    def replies(self) -> Iterator[StoredReply]:
        """Yield every reply, ordered by item as planned, trial, scope and attempt."""
        last: tuple[object, ...] = (-1, -1, "", -1)
        query = """SELECT position, trial, scope, attempt, id, request, reply FROM replies JOIN items USING (position)
            WHERE (position, trial, scope, attempt) > (?, ?, ?, ?) ORDER BY position, trial, scope, attempt LIMIT ?"""
        while rows := self._page(query, *last):
            yield from (StoredReply(Place(row[4], *row[1:4]), row[5], row[6]) for row in rows)
            last = rows[-1][:4]

    # -- inside -------------------------------------------------------------------------------------------------

    def _page(self, query: str, *start: object) -> list[tuple[Json, ...]]:
        """Read one page, so that a slow consumer never holds a read transaction open."""
        with reporting(self._path):
            return self._connection.execute(query, (*start, _PAGE)).fetchall()

    def _meta(self) -> dict[str, str]:
        with reporting(self._path):
            return dict(self._connection.execute("SELECT key, value FROM meta").fetchall())

    def _started(self) -> dict[str, str]:
        """Return the properties of a run that was begun. Raises BadRecord for one that was killed before."""
        meta = self._meta()
        if "kind" not in meta or "config" not in meta:
            raise BadRecord(f"{self.folder}: the run was stopped before it began. Run the command that made it again.")
        return meta

    def _begin_or_match(self, kind: str, config: dict[str, Json]) -> None:
        text = encode(config)
        if self._meta():
            self.match(kind=kind, config=config)
            return
        rows = {"kind": kind, "config": text, "config_digest": digest(text), "created_by": callwright.__version__}
        with transaction(self._connection, self._path):
            self._connection.executemany("INSERT INTO meta VALUES (?, ?)", rows.items())


def _make_folder(folder: Path) -> None:
    check_depth(folder)
    if folder.resolve().parent == folder.resolve():
        raise BadInput(f"{folder}: this is the root of all folders. Give a folder of its own.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: the folder cannot be created ({error.strerror}). Choose another one.") from error


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what identifies the file, to detect a replacement; None if there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _check_ids(ids: Sequence[str]) -> None:
    for item in ids:
        try:
            item.encode()
        except UnicodeEncodeError as error:
            raise BadInput(f"{item!r} cannot be an id: it is not valid Unicode. Give the item another one.") from error
    if len(set(ids)) != len(ids):
        twice = next(item for item, count in Counter(ids).items() if count > 1)
        raise BadInput(f"two items have the id {twice!r}. Ids must differ: remove one, or give it another id.")


def _check_same(folder: Path, kept: Iterable[tuple[str, bytes]], wanted: Iterable[tuple[str, bytes]]) -> None:
    """Raise RunConflict, naming the first difference, unless these are the stored items. Reads both lazily."""
    held = asked = 0
    difference = ""
    for old, new in zip_longest(kept, wanted):
        held += old is not None
        asked += new is not None
        if old is not None and new is not None and old != new:
            is_other = old[0] != new[0]
            difference = f"it has {old[0]!r} where {new[0]!r} is asked for" if is_other else f"item {old[0]!r} differs"
            break
    if held != asked:
        difference = f"it has {held:,}, and {asked:,} are asked for"
    if difference:
        raise RunConflict(
            f"{folder}: the run was begun with other items ({difference}). "
            "Choose another folder, or resume with the data and version it was begun with."
        )


def _outcome_row(outcome: Outcome) -> tuple[object, ...]:
    status = "ok" if outcome.ok else "failed"
    return (outcome.item, outcome.trial, status, outcome.value, outcome.kind, outcome.role, outcome.message)


def _config(folder: Path, meta: dict[str, str]) -> dict[str, Json]:
    try:
        config = decode(JsonText(meta["config"]))
    except BadDocument:
        config = None
    if not isinstance(config, dict) or whole(config) != config:  # no command writes half of a surrogate pair
        raise BadRecord(f"{folder}: the run's configuration is damaged. Restore run.db, or choose another folder.")
    return config


def _other_run(folder: Path, meta: dict[str, str], kind: str, config: dict[str, Json]) -> RunConflict | BadRecord:
    if "kind" not in meta or "config" not in meta:
        return BadRecord(f"{folder}: the run's database lacks its configuration. Restore it, or choose another folder.")
    old = {"kind": meta["kind"], **_config(folder, meta)}
    new = {"kind": kind, **config}
    differ = [name for name in sorted(old | new) if _text(old, name) != _text(new, name)]
    inputs = [_INPUTS[name] for name in differ if name in _INPUTS]
    lines = [
        f"{name}: {_text(old, name)[:_SHOWN]} there, {_text(new, name)[:_SHOWN]} now"
        for name in differ
        if name not in _INPUTS
    ]
    same = " and ".join([*inputs, *(["options"] if lines else [])])
    return RunConflict(
        f"{folder}: the folder holds another run ({'; '.join([*(f'its {name} differ' for name in inputs), *lines])}). "
        f"Give the same {same} as before to resume, or choose another folder."
    )


_INPUTS = {"data": "dialogues", "catalog": "tools"}
"""Parts of the configuration that are digests of the run's inputs."""


def _text(config: dict[str, Json], name: str) -> str:
    return encode(config[name]) if name in config else "absent"

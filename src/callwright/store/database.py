"""The SQLite file of a run: opening it safely, its tables, and its errors in words for users."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from callwright.errors import BadInput, BadRecord, CallwrightError, RunConflict, StorageFailed
from callwright.store.links import refuse_link, refuse_second_name

FORMAT_VERSION = 3
"""Version of the tables below and of the records in them, kept in the file's `user_version`."""

_APPLICATION_ID = 0x43574C31  # marks the file as a Callwright run
_BUSY_TIMEOUT_S = 30.0
_CLOSING_TIMEOUT_MS = 2_000
_CHECKPOINT_PAGES = 16_000  # 64 MB of log before a checkpoint, which waits for the disk while replies wait for it

# Outcomes and replies are keyed by their item's position: rows written at one time are then neighbours in the indices,
# and a commit touches few pages. With ids, which are random text, each row would touch another page.
_TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE blobs (name TEXT PRIMARY KEY, value BLOB NOT NULL)",
    "CREATE TABLE items (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, item BLOB NOT NULL)",
    """CREATE TABLE outcomes (
        position INTEGER NOT NULL, trial INTEGER NOT NULL, status TEXT NOT NULL CHECK (status IN ('ok', 'failed')),
        value BLOB, kind TEXT NOT NULL, role TEXT NOT NULL, message TEXT NOT NULL, PRIMARY KEY (position, trial))""",
    """CREATE TABLE replies (
        position INTEGER NOT NULL, trial INTEGER NOT NULL, scope TEXT NOT NULL, attempt INTEGER NOT NULL,
        request TEXT NOT NULL, reply BLOB NOT NULL, PRIMARY KEY (position, trial, scope, attempt))""",
)


_COLUMNS: dict[str, dict[str, tuple[str, ...]]] = {
    "meta": {"key": ("text",), "value": ("text",)},
    "blobs": {"name": ("text",), "value": ("blob",)},
    "items": {"position": ("integer",), "id": ("text",), "item": ("blob",)},
    "outcomes": {
        "position": ("integer",),
        "trial": ("integer",),
        "status": ("text",),
        "value": ("blob", "null"),
        "kind": ("text",),
        "role": ("text",),
        "message": ("text",),
    },
    "replies": {
        "position": ("integer",),
        "trial": ("integer",),
        "scope": ("text",),
        "attempt": ("integer",),
        "request": ("text",),
        "reply": ("blob",),
    },
}
"""The columns of the tables, and what they may hold: SQLite itself lets a column hold anything."""

_SCANNED = ("meta", "blobs", "items", "outcomes")
"""Tables that a reader reads whole anyway; replies are many and looked up one by one."""


def connect_writer(path: Path) -> sqlite3.Connection:
    """Open or create the database at `path`, with a rollback journal, which writes a large commit only once.

    Never changes a file that is not a run of this version. Raises BadInput, BadRecord, StorageFailed.
    """
    for file in _files(path):
        refuse_second_name(file)
    with reporting(path):
        connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    with _closing_on_error(connection), reporting(path):
        _check_place(connection, path)
        if not _is_empty(connection):
            _check_format(connection, path)
            _check_tables(connection, path)
            _check_values(connection, path, ("meta",))
        connection.execute("PRAGMA synchronous = FULL")
        if _is_empty(connection):
            _create(connection)
    return connection


def prepare_for_many(connection: sqlite3.Connection, path: Path, *, durable: bool) -> bool:
    """Prepare for many small commits, with a write-ahead log if there is no reader; return whether they are cheap."""
    with reporting(path):
        try:
            writes_ahead = use_write_ahead(connection)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            writes_ahead = False
        if writes_ahead:
            connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
            connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
    return writes_ahead and not durable


def connect_reader(path: Path) -> sqlite3.Connection:
    """Open the database at `path` for reading, or to undo what a killed writer left half done.

    Raises BadRecord if it is not a run of this version, BadInput for a link.
    """
    try:
        return _connect_reader(path, "ro")
    except StorageFailed:
        return _connect_reader(path, "rw")


def _connect_reader(path: Path, mode: str) -> sqlite3.Connection:
    for file in _files(path):
        if mode == "rw":
            refuse_second_name(file)
        else:
            refuse_link(file)
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    with reporting(path):
        connection = sqlite3.connect(
            uri, uri=True, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
    with _closing_on_error(connection), reporting(path):
        _check_place(connection, path)
        _check_format(connection, path)
        _check_tables(connection, path)
        _check_values(connection, path, _SCANNED)
        connection.execute("PRAGMA query_only = ON")
    return connection


def use_write_ahead(connection: sqlite3.Connection) -> bool:
    """Switch to a write-ahead log, or to a rollback journal if the file system does not support it; return which."""
    try:
        if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] == "wal":
            return True
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY):
            raise
    connection.execute("PRAGMA journal_mode = DELETE")
    return False


def close_tidily(connection: sqlite3.Connection) -> None:
    """Close after merging the log into the database. If that fails (a reader, a full disk), the log stays."""
    with contextlib.suppress(sqlite3.OperationalError):
        connection.execute(f"PRAGMA busy_timeout = {_CLOSING_TIMEOUT_MS}")
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Commit all statements inside the block, or none."""
    with reporting(path):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


@contextlib.contextmanager
def reporting(path: Path) -> Iterator[None]:
    """Turn SQLite errors into Callwright errors that say what to do."""
    try:
        yield
    except UnicodeDecodeError as error:  # in a name, or in SQLite's own message about one
        raise _damaged(path, error) from error
    except sqlite3.Error as error:
        ours = _translated(error, path)
        if ours is None:
            raise
        raise ours from error


def _translated(error: sqlite3.Error, path: Path) -> CallwrightError | None:
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            return StorageFailed(
                f"{path}: the disk is full or fails ({error}). Committed data is safe: free some space, "
                "then run the same command again."
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return StorageFailed(f"{path}: cannot be opened or written ({error}). Check the folder's permissions.")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return RunConflict(f"{path}: another program uses the database ({error}). Close it, then try again.")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return _damaged(path, error)
        case _:  # a view for a table, text that is not UTF-8: our statements are right
            return _damaged(path, error) if isinstance(error, sqlite3.OperationalError) else None


def _files(path: Path) -> list[Path]:
    """All files that SQLite may write for this database; it follows no link to the last three."""
    return [path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal")]


def _check_place(connection: sqlite3.Connection, path: Path) -> None:
    """Raise BadInput where SQLite followed a link to another file than `path`; nothing was read or written before."""
    connection.text_factory = bytes  # a path need not be UTF-8
    opened = Path(os.fsdecode(connection.execute("PRAGMA database_list").fetchone()[2]))
    connection.text_factory = str
    if opened.name != path.name or not os.path.samefile(opened.parent, path.parent):
        raise BadInput(f"{path}: leads to {opened}. Remove the link, or choose another folder.")


def _is_empty(connection: sqlite3.Connection) -> bool:
    tables: int = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return tables == 0


def _check_format(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
        raise BadRecord(f"{path}: not a run's database. Nothing was changed: choose another folder.")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != FORMAT_VERSION:
        raise BadRecord(
            f"{path}: the run has format {version}; this version of callwright reads {FORMAT_VERSION}. "
            f"Run the command that made it again, in another folder or after moving {path.parent} away."
        )


def _check_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Raise BadRecord for other tables than a run's, and for views and triggers, whose queries may never end."""
    if connection.execute("SELECT 1 FROM sqlite_master WHERE type IN ('view', 'trigger')").fetchone():
        raise _damaged(path, "it has views or triggers")
    for table, columns in _COLUMNS.items():
        found = [row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        if found != list(columns):
            raise _damaged(path, f"table {table} is not as a run has it")


def _check_values(connection: sqlite3.Connection, path: Path, tables: tuple[str, ...]) -> None:
    for table in tables:
        for column, types in _COLUMNS[table].items():
            listed = ", ".join(f"'{one}'" for one in types)
            if connection.execute(f"SELECT 1 FROM {table} WHERE typeof({column}) NOT IN ({listed}) LIMIT 1").fetchone():
                raise _damaged(path, f"{column} in table {table} is not {' or '.join(types)}")


def _damaged(path: Path, what: object) -> BadRecord:
    return BadRecord(
        f"{path}: damaged, or not a run's database ({what}). Nothing was changed: restore the file, "
        "or choose another folder."
    )


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for table in _TABLES:
        connection.execute(table)
    connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
    connection.execute("COMMIT")


@contextlib.contextmanager
def _closing_on_error(connection: sqlite3.Connection) -> Iterator[None]:
    try:
        yield
    except BaseException:
        connection.close()
        raise

"""YAML to JSON values, built from the event stream, which is bounded while it is read (depth, alias bombs).

Plain scalars follow JSON and not YAML 1.1: `NO`, `on`, `2020-01-01`, `12:30` and `0755` stay strings. Keys are always
strings. A duplicate key is an error; `<<` merges as in YAML 1.1.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from callwright.errors import BadDocument
from callwright.records.jsontext import MAX_BYTES, MAX_DEPTH, Json

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_WEIGHT = MAX_BYTES
"""Most characters and nodes, together, that a document may have once its aliases are expanded."""

_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS: dict[str, Json] = {"": None, "~": None} | {
    form: value
    for word, value in (("null", None), ("true", True), ("false", False))
    for form in (word, word.title(), word.upper())
}
_TAG = "tag:yaml.org,2002:"
_TOO_DEEP = f"nested over {MAX_DEPTH} levels deep. Flatten the document"


class _Node:
    """A value with its size once aliases are expanded; `open` while its end has not been read."""

    __slots__ = ("height", "open", "value", "weight")

    def __init__(self, value: Json, *, weight: int, height: int) -> None:
        self.value = value
        self.weight = weight
        self.height = height
        self.open = False


def parse_yaml(text: str, *, where: str) -> Json:
    """Return the one document in `text`. Raises BadDocument, which names `where`, line and column."""
    import yaml

    loader: Any = getattr(yaml, "CLoader", yaml.Loader)
    try:
        return _Builder(yaml.parse(text, Loader=loader), where).build()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        if "nesting depth" in (error.problem or ""):  # PyYAML 6.0.4 and later look further ahead than the events
            raise BadDocument(f"{where}: {place}{_TOO_DEEP}.") from error
        raise BadDocument(f"{where}: {place}{error.problem or error.context}. Fix the YAML there.") from error
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        raise BadDocument(f"{where}: {reason}. This is not YAML text.") from error


class _Builder:
    """One pass over the events, with the bounds kept as it goes."""

    def __init__(self, events: Iterator[Any], where: str) -> None:
        self._events = events
        self._where = where
        self._anchors: dict[str, _Node] = {}
        self._depth = 0
        self._weight = 0

    def build(self) -> Json:
        found: list[Json] = []
        for event in self._events:
            if type(event).__name__ == "DocumentStartEvent":
                if found:
                    raise self._bad(event, "a second document starts here. Keep one document in a file")
                self._anchors.clear()
                found.append(self._node(next(self._events)).value)
        if not found:
            raise BadDocument(f"{self._where}: the file is empty. Give a document.")
        return found[0]

    def _node(self, event: Any) -> _Node:
        kind = type(event).__name__
        if kind == "AliasEvent":
            node = self._alias(event)
        elif kind == "ScalarEvent":
            node = _Node(self._scalar(event), weight=1 + len(event.value), height=0)
            self._anchor(event, node)
        elif kind == "MappingStartEvent":
            node = self._collection(event, {})
        else:
            node = self._collection(event, [])
        self._count(event, node)
        return node

    def _collection(self, event: Any, value: dict[str, Json] | list[Json]) -> _Node:
        if event.tag not in (None, "!", f"{_TAG}map", f"{_TAG}seq"):
            raise self._bad(event, f"the tag {event.tag!r:.80} is not supported. Remove it")
        node = _Node(value, weight=1, height=1)
        node.open = True
        self._anchor(event, node)
        self._depth += 1
        self._check_depth(event, self._depth)
        if isinstance(value, dict):
            self._fill_mapping(node, value)
        else:
            self._fill_sequence(node, value)
        self._depth -= 1
        node.open = False
        return node

    def _fill_sequence(self, node: _Node, values: list[Json]) -> None:
        while type(event := next(self._events)).__name__ != "SequenceEndEvent":
            child = self._node(event)
            values.append(child.value)
            _grow(node, child)

    def _fill_mapping(self, node: _Node, values: dict[str, Json]) -> None:
        merged: list[tuple[Any, Json]] = []
        while type(event := next(self._events)).__name__ != "MappingEndEvent":
            key = self._key(event)
            child = self._node(next(self._events))
            _grow(node, child)
            node.weight += len(key)
            if key == "<<" and getattr(event, "implicit", (False,))[0]:
                merged.append((event, child.value))
            elif key in values:
                raise self._bad(event, f"the key {key!r} stands twice. Remove or rename one")
            else:
                values[key] = child.value
        for event, source in merged:
            self._merge(event, values, source)

    def _merge(self, event: Any, values: dict[str, Json], source: Json) -> None:
        for part in source if isinstance(source, list) else [source]:
            if not isinstance(part, dict):
                raise self._bad(event, "`<<` merges mappings only. Give it an alias of one")
            for key, value in part.items():
                values.setdefault(key, value)

    def _key(self, event: Any) -> str:
        kind = type(event).__name__
        if kind == "ScalarEvent":
            self._count(event, _Node(None, weight=1 + len(event.value), height=0))
            self._anchor(event, _Node(event.value, weight=1 + len(event.value), height=0))
            return str(event.value)
        if kind == "AliasEvent" and isinstance((node := self._alias(event)).value, str):
            self._count(event, node)
            return str(node.value)
        raise self._bad(event, "a key must be a single word or string")

    def _alias(self, event: Any) -> _Node:
        node = self._anchors.get(event.anchor)
        if node is None:
            raise self._bad(event, f"the alias *{event.anchor} stands for nothing. Define &{event.anchor} before it")
        if node.open:
            raise self._bad(event, f"the alias *{event.anchor} stands inside what it names. Remove it")
        self._check_depth(event, self._depth + node.height)
        return node

    def _anchor(self, event: Any, node: _Node) -> None:
        if event.anchor is not None:
            self._anchors[event.anchor] = node

    def _scalar(self, event: Any) -> Json:
        text: str = event.value
        tag = event.tag.removeprefix(_TAG) if event.tag else None
        if tag in ("str", "!", "timestamp") or (tag is None and not event.implicit[0]):
            return text
        if tag not in (None, "int", "float", "bool", "null"):
            raise self._bad(event, f"the tag {event.tag!r:.80} is not supported. Remove it")
        value = self._plain(event, text)
        if tag is not None and isinstance(value, str):
            raise self._bad(event, f"{text[:40]!r} is no {tag}. Remove the tag or mend the value")
        return value

    def _plain(self, event: Any, text: str) -> Json:
        if text in _WORDS:
            return _WORDS[text]
        if len(text) > 400:
            return text
        if _INTEGER.fullmatch(text):
            return int(text)
        if _NOT_FINITE.fullmatch(text):
            raise self._bad(event, f"{text} is no JSON number. Use null, a number or a quoted string")
        if not _FLOAT.fullmatch(text):
            return text
        number = float(text)
        if number in (float("inf"), float("-inf")):
            raise self._bad(event, f"{text[:40]} is too large for a number. Quote it")
        return number

    def _count(self, event: Any, node: _Node) -> None:
        """Add a finished scalar or alias; collections add what they hold as it comes, and one for themselves."""
        self._weight += node.weight if node.height == 0 or type(event).__name__ == "AliasEvent" else 1
        if self._weight > MAX_WEIGHT:
            raise self._bad(event, f"expanded, the document has over {MAX_WEIGHT:,} characters. Use fewer aliases")

    def _check_depth(self, event: Any, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise self._bad(event, _TOO_DEEP)

    def _bad(self, event: Any, what: str) -> BadDocument:
        mark = event.start_mark
        return BadDocument(f"{self._where}: line {mark.line + 1}, column {mark.column + 1}: {what}.")


def _grow(node: _Node, child: _Node) -> None:
    node.weight += child.weight
    node.height = max(node.height, child.height + 1)

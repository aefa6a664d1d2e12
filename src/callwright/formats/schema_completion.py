"""Completes schemas of foreign documents: expands references within bounds, merges parts, repairs faults with notes.

    $ref        expanded inside the document, never fetched; a cycle is cut where it repeats, with a note
    allOf       merged (`merging`); oneOf becomes anyOf; an alternative that is null becomes a type list
    nullable    becomes a type list
    keywords    repaired (`keywords`)

A broken reference drops the optional property or parameter it stands in; where there is none it is raised. The result
has no `$ref`, is at most `levels` properties deep and at most `nodes` large (schemas, required names, and one for every
80 characters).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Literal, NamedTuple
from urllib.parse import unquote

from callwright.formats.keywords import TYPES, Note, Schema, repair
from callwright.formats.merging import allow_null, merge
from callwright.records.jsontext import Json, encode
from callwright.records.pointer import follow


class BrokenReference(Exception):
    """A `$ref` that is broken, or leads out of the document; the message says which."""


def resolve(document: Json, reference: str) -> Json:
    """Return the value at `reference` (`#/a/b~1c/0`, percent escapes allowed).

    >>> resolve({"a/b": [7]}, "#/a~1b/0")
    7
    """
    if not reference.startswith("#"):
        raise BrokenReference(f"`$ref: {reference[:200]}` leads to another document, which is never fetched")
    pointer = unquote(reference[1:])
    if pointer and not pointer.startswith("/"):
        raise BrokenReference(f"`$ref: {reference[:200]}` is no path into the document (`#/...`)")
    try:
        return follow(document, pointer)
    except LookupError:
        raise BrokenReference(f"`$ref: {reference[:200]}` leads nowhere in the document") from None


Role = Literal["request", "response"]

MAX_STACK = 60
"""Most nested references and parts."""

_NAMED_LEVELS = 2
"""Levels of a result on which the names of what references lead to are kept, as titles."""
_COMPOSING = {"$ref", "allOf", "anyOf", "oneOf", "nullable", "x-nullable", "not", "required"}
_CHILDREN = {"properties", "patternProperties", "items", "prefixItems", "additionalProperties", "additionalItems"}


class Bare(NamedTuple):
    """The keywords of a schema without its parts, with notes."""

    node: Schema
    """The schema itself: while it is held here, no other can have its identity."""
    schema: Schema
    notes: tuple[str, ...]
    weight: int


Memo = dict[int, Bare]
"""Identity of a schema to what it says without its parts: large ones that many operations share are read once."""


class TooLarge(Exception):
    """A schema has more parts than allowed after expanding its references."""


class Expander:
    """Expands the schemas of one operation, with a common size limit and list of notes."""

    def __init__(
        self,
        document: Json,
        *,
        role: Role,
        levels: int,
        nodes: int,
        memo: Memo | None = None,
        words: Callable[[str], str] = str,
    ) -> None:
        self._notes: dict[str, None] = {}
        self._document = document
        self._hidden_by = "readOnly" if role == "request" else "writeOnly"
        self._levels = levels
        self._nodes = nodes
        self._words = words
        self._memo: Memo = {} if memo is None else memo
        self._stack = 0
        self._hidden: set[str] = set()
        self._broken: dict[str, BrokenReference] = {}

    def expand(self, node: Json, where: str, *, level: int = 0, seen: tuple[str, ...] = ()) -> Schema:
        """Return the whole schema of `node`, called `where` in notes. Raises BrokenReference, TooLarge."""
        return self._finished(self._collect(node, where, level, seen), where)

    @property
    def notes(self) -> list[str]:
        """The changes, each once, in order."""
        return list(self._notes)

    def note(self, where: str, what: str) -> None:
        """Add a note, once."""
        text = (f"`{where[:200]}`: {what}" if where else what).replace("; ", ", ")  # notes are joined by semicolons
        self._notes[text] = None

    def resolved(self, node: Json) -> Json:
        """Follow the references that a parameter, body or path item consists of; raises BrokenReference."""
        seen: set[str] = set()
        while isinstance(node, dict) and isinstance(reference := node.get("$ref"), str):
            if reference in seen:
                raise BrokenReference(f"`$ref: {reference[:200]}` leads back to itself")
            seen.add(reference)
            node = resolve(self._document, reference)
        return node

    def _collect(self, node: Json, where: str, level: int, seen: tuple[str, ...]) -> Schema:
        """Return `node` with its references and `allOf` parts merged in; `required` is not checked yet."""
        if isinstance(node, bool):
            return {} if node else {"not": {}}
        if not isinstance(node, dict):
            self.note(where, "is no schema, read as any value")
            return {"description": self._words(node)} if isinstance(node, str) else {}
        self._spend(1)
        if self._stack >= MAX_STACK or (level > self._levels and not _CHILDREN.isdisjoint(node)):
            return self._cut(node, f"parts below level {self._levels} were cut")
        self._stack += 1
        try:
            whole = reduce(partial(merge, note=self._noting(where)), self._parts(node, where, level, seen))
        finally:
            self._stack -= 1
        return allow_null(whole) if node.get("nullable") is True or node.get("x-nullable") is True else whole

    def _parts(self, node: Schema, where: str, level: int, seen: tuple[str, ...]) -> list[Schema]:
        """Return the parts of a schema: its reference, its `allOf`, and its own keywords last."""
        parts: list[Schema] = []
        if isinstance(reference := node.get("$ref"), str):
            target = resolve(self._document, reference)
            if reference in seen:
                name = reference.rsplit("/", 1)[-1]
                parts.append(self._cut(target, f"`{name}` refers back to itself and was cut there"))
            else:
                parts.append(self._called(reference, self._collect(target, where, level, (*seen, reference)), level))
        if isinstance(node.get("allOf"), list):
            parts += [self._collect(part, where, level, seen) for part in node["allOf"]]
        return [*parts, self._own(node, where, level, seen)]

    def _called(self, reference: str, part: Schema, level: int) -> Schema:
        """Return what a reference leads to, in a result with its name: what sort of thing is told of."""
        is_told = self._hidden_by == "writeOnly" and level <= _NAMED_LEVELS and "properties" in part
        return {"title": reference.rsplit("/", 1)[-1][:80], **part} if is_told else part

    def _cut(self, node: Json, why: str) -> Schema:
        self.note("", why)
        if not isinstance(node, dict):
            return {}
        kind = node.get("type")
        shallow: Schema = {"type": kind} if kind in TYPES else {"type": "object"} if "properties" in node else {}
        if isinstance(node.get("description"), str):
            shallow["description"] = self._words(node["description"])
        return shallow

    def _own(self, node: Schema, where: str, level: int, seen: tuple[str, ...]) -> Schema:
        bare = self._memo.get(id(node))
        if bare is None:
            bare = self._memo[id(node)] = bare_schema(node, self._words)
        self._spend(bare.weight)
        for what in bare.notes:
            self.note(where, what)
        out = dict(bare.schema)
        if isinstance(node.get("properties"), dict):
            self._add_properties(out, node["properties"], where, level, seen)
        self._add_children(out, node, where, level, seen)
        if isinstance(node.get("not"), dict):
            out["not"] = self.expand(node["not"], where, level=level + 1, seen=seen)
        for key in ("anyOf", "oneOf"):
            if isinstance(node.get(key), list):
                out = merge(out, self._alternatives(node[key], where, level, seen), self._noting(where))
        return out

    def _add_properties(self, out: Schema, properties: Schema, where: str, level: int, seen: tuple[str, ...]) -> None:
        found: Schema = {}
        required = out.get("required", [])
        for name, node in properties.items():
            path = f"{where}.{name}" if where else name
            self._spend(1 + len(name) // 40)
            try:
                schema = self.expand(node, path, level=level + 1, seen=seen)
            except BrokenReference as error:
                if name in required:
                    raise
                self.note(path, f"was dropped: {error}")
                self._broken[path] = error
                continue
            if schema.pop(self._hidden_by, False):
                self.note(path, f"is {'read' if self._hidden_by == 'readOnly' else 'write'}-only and was dropped")
                self._hidden.add(path)
                continue
            if isinstance(node, dict) and isinstance(node.get("required"), bool):
                self.note(path, f"`required: {str(node['required']).lower()}` moved to the list of required names")
                required = [*required, name] if node["required"] and name not in required else required
            found[name] = schema
        out["properties"] = found
        if required:
            out["required"] = required

    def _add_children(self, out: Schema, node: Schema, where: str, level: int, seen: tuple[str, ...]) -> None:
        items = node.get("items")
        tuple_items = items if isinstance(items, list) else node.get("prefixItems")
        if isinstance(tuple_items, list) and tuple_items:
            out["prefixItems"] = [self.expand(item, f"{where}[]", level=level + 1, seen=seen) for item in tuple_items]
        if isinstance(items, dict | bool) and items is not True:
            out["items"] = self.expand(items, f"{where}[]", level=level + 1, seen=seen) if items else False
        elif items is not None and not isinstance(items, list | bool):
            self.note(f"{where}[]", "is no schema, read as any value")
        additional = node.get("additionalProperties")
        if additional is False:
            out["additionalProperties"] = False
        elif isinstance(additional, dict) and additional:
            out["additionalProperties"] = self.expand(additional, f"{where}.*", level=level + 1, seen=seen)
        if isinstance(node.get("patternProperties"), dict):
            self.note(where, "`patternProperties` is not supported and was dropped")

    def _alternatives(self, nodes: list[Json], where: str, level: int, seen: tuple[str, ...]) -> Schema:
        branches: list[Schema] = []
        for node in nodes:
            branch = self.expand(node, where, level=level, seen=seen)
            if branch not in branches:
                branches.append(branch)
        if {} in branches or not branches:
            return {}
        others = [branch for branch in branches if branch != {"type": "null"}]
        if len(others) == 1:
            return others[0] if len(branches) == 1 else allow_null(others[0])
        return {"anyOf": branches}

    def _finished(self, schema: Schema, where: str) -> Schema:
        for part, kind in (("properties", "object"), ("items", "array")):
            if "type" not in schema and part in schema:
                self.note(where, f"missing `type: {kind}` added")
                schema = {"type": kind, **schema}
        if "required" in schema and ("properties" in schema or schema.get("type") == "object"):
            schema = self._with_known_required(schema, where)
        return schema

    def _with_known_required(self, schema: Schema, where: str) -> Schema:
        properties = schema.get("properties", {})
        for name in schema["required"]:
            path = f"{where}.{name}" if where else name
            if path in self._broken:
                raise self._broken[path]
            if name not in properties and path not in self._hidden:
                self.note(where, f"requires `{name}`, which is not documented, so it no longer does")
        known = [name for name in schema["required"] if name in properties]
        rest = {key: value for key, value in schema.items() if key != "required"}
        return {**rest, "required": known} if known or not schema["required"] else rest

    def _noting(self, where: str) -> Note:
        return partial(self.note, where)

    def _spend(self, nodes: int) -> None:
        self._nodes -= nodes
        if self._nodes < 0:
            raise TooLarge


def bare_schema(node: Schema, words: Callable[[str], str]) -> Bare:
    """Return the repaired keywords of `node` that hold no schemas, and its required names."""
    notes: list[str] = []
    plain = {key: value for key, value in node.items() if key not in _COMPOSING and key not in _CHILDREN}
    out = repair(plain, notes.append)
    if "description" in out:
        out["description"] = words(out["description"])
    weight = len(encode(out)) // 80
    if isinstance(node.get("required"), list):
        out["required"] = list(dict.fromkeys(name for name in node["required"] if isinstance(name, str)))
        weight += sum(1 + len(name) // 40 for name in out["required"])
    return Bare(node, out, tuple(notes), weight)

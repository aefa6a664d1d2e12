"""Count what is wrong with gold calls, from the files of datasets and the API documents alone.

    python tests/long/content.py [NAME ...] [--n 200] [--seed 7] [--data ../shared/data/openapi] [--out DIR] [--show 0]

Only the datasets are made by the package; what is counted in them is decided here, so that a mistake of the package's
own rules is not repeated. One line a catalogue:

    kept       dialogues kept, of those planned; at least 80 %
    covered    tools with a dialogue, of those planned at least once; at least 90 %
    empty      POST, PUT and PATCH calls without any value in a body that has properties to write; at most 1 %
    names      identifiers that are names: words, phrases, clock times; at most .5 %

Method, path and body properties come from the API document. The bundled catalogue has none: there a write is a call
whose tool's name does not begin with a verb of reading. Ends with status 1 where a share is beyond what is allowed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from eleven import BUILD, BUNDLED, DATA, datasets, source_of

JsonObject = Mapping[str, Any]
READING = frozenset(("find", "list", "show", "check", "track", "get"))
WRITING = frozenset(("post", "put", "patch"))
CREDENTIALS = frozenset(("token", "access_token", "api_key"))
LIMITS = {"kept": (0.8, 1.0), "covered": (0.9, 1.0), "empty": (0.0, 0.01), "names": (0.0, 0.005)}

# -- API documents ---------------------------------------------------------------------------------------------------


class Operation(NamedTuple):
    """What an API document says of one operation."""

    method: str
    outside: frozenset[str]
    """Parameters that are not in the body."""
    in_path: frozenset[str]
    body: frozenset[str]
    """Properties of the body that can be written; `body` where it is no object."""
    described: Mapping[str, JsonObject]
    """Parameters and body properties by name."""
    examples: Mapping[str, list[Any]]
    """What the whole document gives as values of a property, by the property's name."""


def operations(path: Path) -> dict[str, Operation]:
    """Return the operations of an OpenAPI or Swagger document by `METHOD /path`."""
    text = path.read_text()
    document = (
        json.loads(text) if path.suffix == ".json" else yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    )
    found = {}
    examples = _examples(document)
    for place, item in document["paths"].items():
        for method in ("get", "put", "post", "delete", "patch"):
            if method in item:
                shared = item.get("parameters", [])
                found[f"{method.upper()} {place}"] = _operation(document, method, item[method], shared)._replace(
                    examples=examples
                )
    return found


def _operation(document: JsonObject, method: str, operation: JsonObject, shared: list[Any]) -> Operation:
    parameters = [_resolved(document, parameter) for parameter in [*shared, *operation.get("parameters", [])]]
    form = [one for one in parameters if one["in"] == "formData" and one["name"] not in CREDENTIALS]
    plain = [parameter for parameter in parameters if parameter["in"] in ("path", "query", "header", "cookie")]
    schemas = [parameter.get("schema", {}) for parameter in parameters if parameter["in"] == "body"]
    content = _resolved(document, operation.get("requestBody", {})).get("content", {})
    schemas += [media.get("schema", {}) for media in content.values()]
    properties = {name: schema for one in schemas for name, schema in _properties(document, one).items()}
    properties |= {parameter["name"]: parameter for parameter in form}
    if schemas and not properties:
        properties = {"body": {}}
    return Operation(
        method,
        frozenset(parameter["name"] for parameter in plain),
        frozenset(parameter["name"] for parameter in plain if parameter["in"] == "path"),
        frozenset(name for name, schema in properties.items() if not schema.get("readOnly")),
        {parameter["name"]: {**parameter.get("schema", {}), **parameter} for parameter in plain} | properties,
        {},
    )


def _examples(document: Any) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    nodes = [document]
    while nodes:
        node = nodes.pop()
        nodes += node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        properties = node.get("properties") if isinstance(node, dict) else None
        for name, schema in properties.items() if isinstance(properties, dict) else ():
            if isinstance(schema, dict):
                found.setdefault(name, []).extend(_given(schema))
    return found


def _properties(document: JsonObject, schema: Any, depth: int = 0) -> dict[str, JsonObject]:
    """All properties of an object schema, those of its parts too."""
    schema = _resolved(document, schema)
    found = {name: _resolved(document, one) for name, one in schema.get("properties", {}).items()}
    if depth < 6:
        for part in (*schema.get("allOf", ()), *schema.get("oneOf", ()), *schema.get("anyOf", ())):
            found |= _properties(document, part, depth + 1)
    return found


def _resolved(document: JsonObject, schema: Any) -> JsonObject:
    for _ in range(20):
        if not isinstance(schema, dict) or "$ref" not in schema:
            break
        place: Any = document
        for key in schema["$ref"].removeprefix("#/").split("/"):
            place = place[key.replace("~1", "/").replace("~0", "~")]
        schema = place
    return schema if isinstance(schema, dict) else {}


# -- identifiers -----------------------------------------------------------------------------------------------------

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ID_WORDS = frozenset(("id", "ids", "sid", "sids", "uuid", "guid", "identifier", "identifiers"))
_NAME_WORDS = frozenset(
    "name names title path file filename slug locale language email domain key code scope type date time emoji level "
    "index number url format extension position query identity user addon text description message login "
    "version username owner org repo branch ref package addon plugin".split()
)
"""Last words of parameters in a path that may be words."""
_ID_OF = re.compile(r"^(?:\W*\w+){0,6}?\W*\b(?:unique )?(?:identifiers?|ids?|sids?|uuid|guid)\b", re.IGNORECASE)
_NAME_OF = re.compile(r"\b(?:names?|title|text|email|optional message|alphanumeric)\b", re.IGNORECASE)
_CLOCK = re.compile(r"^\s*\d{1,2}:\d{2}")
_WORD = re.compile(r"(?<![A-Za-z])(?:[A-Z]?[a-z]{3,})(?![A-Za-z])")
_VOWEL = re.compile(r"[aeiouy]")


def is_identifier(name: str, described: JsonObject, *, is_in_path: bool) -> bool:
    """Whether a parameter is an identifier by its name, its description or its place."""
    words = [part.lower() for part in _PARTS.findall(name)]
    last = words[-1] if words else ""
    if described.get("enum") or described.get("schema", {}).get("enum"):
        return False
    if last in _ID_WORDS:
        return True
    if is_in_path:
        return last not in _NAME_WORDS
    first = str(described.get("description") or "").split(". ")[0]
    return last not in _NAME_WORDS and bool(_ID_OF.search(first)) and not _NAME_OF.search(first)


def is_name(value: Any, described: JsonObject) -> bool:
    """Whether the value of an identifier is a word, a phrase or a clock time that its document does not give."""
    if isinstance(value, list):
        return any(is_name(one, described) for one in value)
    if not isinstance(value, str) or value in _given(described):
        return False
    is_spaced = any(not part.strip() or " " in part.strip() for part in value.split(","))
    is_worded = not any(character.isdigit() for character in value) and any(
        _VOWEL.search(word) for word in _WORD.findall(value)
    )
    return is_spaced or is_worded or bool(_CLOCK.search(value))


def _given(described: JsonObject) -> list[Any]:
    """What a document gives as values of a parameter: examples, defaults, options."""
    places = [described, described.get("schema"), described.get("items")]
    given = [
        place.get(field) for place in places if isinstance(place, dict) for field in ("example", "default", "enum")
    ]
    return [one for value in given for one in (value if isinstance(value, list) else [value])]


def identifiers(name: str, value: Any, operation: Operation) -> Iterator[tuple[str, Any, JsonObject]]:
    """Yield the identifiers in one gold argument, by their dotted names: the argument itself, or leaves of a body."""
    described = operation.described.get(name) or operation.described.get(name.removesuffix("_body")) or {}
    if is_identifier(name, described, is_in_path=name in operation.in_path):
        yield name, value, described
        return
    for path, leaf in _leaves(name, value):
        if path != name and is_identifier(path.rsplit(".", 1)[-1], {}, is_in_path=False):
            yield path, leaf, {"enum": operation.examples.get(path.rsplit(".", 1)[-1], ())}


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _leaves(f"{path}.{name}", one)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for one in value:
            yield from _leaves(path, one)
    else:
        yield path, value


# -- counting --------------------------------------------------------------------------------------------------------


class Content(NamedTuple):
    """What was counted in one dataset: happened, of how many."""

    tools: int
    kept: tuple[int, int]
    covered: tuple[int, int]
    empty: tuple[int, int]
    names: tuple[int, int]
    examples: tuple[str, ...]


def count(folder: Path, known: Mapping[str, Operation]) -> Content:
    """Count a dataset folder; `known` is by `METHOD /path`, and empty for the bundled catalogue."""
    tools = {tool["name"]: tool for tool in json.loads((folder / "catalog.json").read_text())["tools"]}
    kept = [_call(line) for line in _lines(folder / "dialogues.jsonl")]
    rejected = [_call(line["dialogue"]) for line in _lines(folder / "rejected.jsonl")]
    planned = json.loads((folder / "funnel.json").read_text())["planned"]
    writes = empty = ids = names = 0
    examples: list[str] = []
    for id_, tool, values in kept:
        operation = known.get(tools[tool].get("source", "")) or _undocumented(tools[tool])
        if operation.method in WRITING and operation.body:
            writes += 1
            if not any(_is_value(value) for name, value in values.items() if name not in operation.outside):
                empty += 1
                examples.append(f"empty {id_} {tool} {values}")
        for name, value in values.items():
            for path, one, described in identifiers(name, value, operation):
                ids += 1
                if is_name(one, described):
                    names += 1
                    examples.append(f"name  {id_} {tool} {path} = {one!r}")
    of_tools = {tool for _, tool, _ in kept}
    wanted = of_tools | {tool for _, tool, _ in rejected}
    return Content(
        len(tools), (len(kept), planned), (len(of_tools), len(wanted)), (empty, writes), (names, ids), tuple(examples)
    )


def _undocumented(tool: JsonObject) -> Operation:
    properties = tool["parameters"].get("properties", {})
    method = "get" if tool["name"].split("_")[0] in READING else "post"
    return Operation(method, frozenset(), frozenset(), frozenset(properties), properties, {})


def _call(dialogue: JsonObject) -> tuple[str, str, dict[str, Any]]:
    """Id of a dialogue, its gold tool, and its gold values."""
    plan = dialogue["scenario"]
    by_key = {tool["key"]: tool["name"] for tool in plan["tools"]}
    golds = [gold for task in dialogue["tasks"] for gold in task.get("gold", ())]
    arguments = golds[0].get("arguments", ()) if golds else ()
    values = {argument["name"]: json.loads(argument["accepted"][0]) for argument in arguments}
    return dialogue["id"], by_key[plan["annotation"]["gold_tool"]], values


def _is_value(value: Any) -> bool:
    """Whether anything is written: false for nothing, and for objects and arrays of nothing."""
    if isinstance(value, dict | list):
        return any(_is_value(one) for one in (value.values() if isinstance(value, dict) else value))
    return value not in (None, "")


def _lines(path: Path) -> Iterator[Any]:
    with path.open() as lines:
        for line in lines:
            yield json.loads(line)


# -- printing --------------------------------------------------------------------------------------------------------


def main() -> None:
    """Print the table and, if wanted, examples of what is wrong."""
    parser = argparse.ArgumentParser(description="Count what is wrong with gold calls.")
    parser.add_argument("names", nargs="*", default=list(BUILD), help="catalogues")
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--out", type=Path, help="folder for the datasets, which are made again where it lacks them")
    parser.add_argument("--show", type=int, default=0, help="examples to print for each catalogue")
    options = parser.parse_args()
    is_good = True
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.out or Path(scratch)
        made = datasets(
            options.names, recipe="diaforge", n=options.n, seed=options.seed, data=options.data, folder=folder
        )
        print(f"{'catalogue':22}{'tools':>6}{'kept':>18}{'tools covered':>18}{'empty writes':>18}{'ids as names':>18}")
        for name, out in made:
            found = count(out, {} if name == BUNDLED else operations(Path(source_of(name, options.data))))
            shares = {field: getattr(found, field) for field in LIMITS}
            print(f"{name:22}{found.tools:6}" + "".join(f"{_share(field, *of):>18}" for field, of in shares.items()))
            is_good &= all(_is_within(field, *of) for field, of in shares.items())
            for example in found.examples[: options.show]:
                print(f"    {example[:200]}")
    sys.exit(0 if is_good else 1)


def _share(field: str, part: int, of: int) -> str:
    mark = "" if _is_within(field, part, of) else "!"
    return f"{part}/{of} {part / of:.1%}{mark}" if of else "-"


def _is_within(field: str, part: int, of: int) -> bool:
    least, greatest = LIMITS[field]
    return not of or least <= part / of <= greatest


if __name__ == "__main__":
    main()

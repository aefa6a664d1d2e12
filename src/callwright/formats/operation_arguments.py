"""The parameters and the body of one OpenAPI operation as one argument object.

An object body adds its properties beside the parameters, any other body becomes `body`; of two equal names the later
gets its place as suffix (`id_body`). Properties that a body requires are required even if the body is optional. Left
out are the headers Accept, Content-Type and Authorization and, with a note, credentials and what the client of the
service sends, and no person says: all other headers, cookies, the version of the API.
"""

from __future__ import annotations

import re
from itertools import chain, count

import msgspec

from callwright.formats.keywords import Schema
from callwright.formats.schema_completion import BrokenReference, Expander, TooLarge
from callwright.records.jsontext import Json

MOST_PARAMETERS = 1_000

_IGNORED_HEADERS = {"accept", "content-type", "authorization"}
_CREDENTIAL = re.compile(r"(x[-_])?(auth|access|api|bearer|session)?[-_]?(token|key|secret|api[-_]?key)", re.IGNORECASE)
_SURELY_CREDENTIAL = re.compile(
    r"api[-_]?(?:key|token|secret)(?:[-_]\w{1,8})?$|(?:^|[-_])(?:(?:access|auth|session|bearer)[-_]?token|(?:access|secret|subscription)[-_]?key|"
    r"client[-_]?secret|app(?:lication)?[-_]?key|[a-z]{3,}_auth)$",
    re.IGNORECASE,
)
_CREDENTIAL_WORDS = re.compile(
    r"\b(authentication|authorization|access|oauth|bearer) token\b|\bapi[ -]?key\b", re.IGNORECASE
)
_SAID_CREDENTIAL = re.compile(
    r"(?:(?:the|your) )?api(?: oauth)? (?:login|user ?name|password|token|key)\.?", re.IGNORECASE
)
"""Descriptions that say no more than that a value is for signing in."""
_API_VERSION = re.compile(r"(?:x[-_])?api[-_]?version", re.IGNORECASE)
_OF_RETRIES = re.compile(r"idempot\w*[-_]?(?:key|token|id)|client[-_]?(?:request[-_]?)?token", re.IGNORECASE)
"""What tells a request sent twice from two requests."""
_IN_PATH = re.compile(r"\{([^{}/]+)\}")
_PARAMETER_ONLY = {"name", "in", "required", "schema", "content", "style", "explode", "allowReserved", "$ref"}
_JSON_TYPES = ("application/json", "*/*", "application/*")
_FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")


class _Slot(msgspec.Struct, frozen=True):
    name: str
    location: str
    schema: Schema
    required: bool


class Operation(msgspec.Struct, frozen=True):
    """One operation of the document, with the parameters of its path."""

    method: str
    path: str
    node: dict[str, Json]
    shared: tuple[Json, ...] = ()
    """Parameters of the path item."""

    @property
    def where(self) -> str:
        """Such as `GET /files/{file_id}`."""
        return f"{self.method.upper()} {self.path}"


def argument_object(operation: Operation, credentials: frozenset[tuple[str, str]], expander: Expander) -> Schema:
    """Return the schema of the arguments; `credentials` are (name, in). Raises BrokenReference, TooLarge."""
    slots: list[_Slot] = []
    body: list[_Slot] = []
    extra: Schema = {}
    for parameter in _parameters(operation, expander):
        if parameter["in"] == "body":
            body, extra = _body_slots(parameter.get("schema", {}), parameter, expander)
        elif _is_argument(parameter, credentials, expander):
            slots += _slot(parameter, expander)
    slots += _undocumented(operation, slots, expander)
    if "requestBody" in operation.node:
        body, extra = _request_body(operation.node["requestBody"], expander)
    repeated = [slot.name for slot in (*slots, *body) if slot.location != "path" and _OF_RETRIES.fullmatch(slot.name)]
    for name in repeated:
        expander.note(name, "is added by the client of the service and was dropped")
    return _join([slot for slot in (*slots, *body) if slot.name not in repeated], extra, expander)


def _parameters(operation: Operation, expander: Expander) -> list[dict[str, Json]]:
    own = operation.node.get("parameters")
    found: dict[tuple[str, str], dict[str, Json]] = {}
    entries = [*operation.shared, *(own if isinstance(own, list) else [])]
    if len(entries) > MOST_PARAMETERS or operation.path.count("{") > MOST_PARAMETERS:
        raise TooLarge
    for entry in entries:
        parameter = expander.resolved(entry)
        name = parameter.get("name") if isinstance(parameter, dict) else None
        location = parameter.get("in") if isinstance(parameter, dict) else None
        if not isinstance(name, str) or not isinstance(location, str):
            expander.note("", "a parameter without `name` or `in` was dropped")
            continue
        found[name, location] = parameter
    return list(found.values())


def _is_argument(parameter: dict[str, Json], credentials: frozenset[tuple[str, str]], expander: Expander) -> bool:
    name, location = parameter["name"], parameter["in"]
    if location == "header" and name.lower() in _IGNORED_HEADERS:
        return False
    if location == "cookie":
        expander.note(name, "is a cookie and was dropped")
        return False
    said = str(parameter.get("description", ""))[:500]
    named_so = location != "path" and (
        _SURELY_CREDENTIAL.search(name)
        or (_CREDENTIAL.fullmatch(name) and _CREDENTIAL_WORDS.search(said))
        or _SAID_CREDENTIAL.fullmatch(said.strip())
    )
    if (name, location) in credentials or named_so:
        expander.note(name, "is a credential and was dropped")
        return False
    if location == "header" or (location == "query" and _API_VERSION.fullmatch(name)):
        expander.note(name, "is added by the client of the service and was dropped")
        return False
    return True


def _slot(parameter: dict[str, Json], expander: Expander) -> list[_Slot]:
    """Return the argument of a parameter; none when it is optional and cannot be used."""
    name, location = parameter["name"], parameter["in"]
    required = location == "path" or parameter.get("required") is True
    try:
        schema = expander.expand(_schema_of(parameter), name, level=1)
    except BrokenReference as error:
        if required:
            raise
        expander.note(name, f"was dropped: {error}")
        return []
    schema.pop("readOnly", None)
    return [_Slot(name, location, schema, required)]


def _schema_of(parameter: dict[str, Json]) -> Json:
    """Return a parameter's schema (OpenAPI 3) or the parameter as one (2.0), with its own words and examples."""
    own = {key: value for key, value in parameter.items() if key not in _PARAMETER_ONLY}
    content = parameter.get("content")
    schema = parameter.get("schema")
    if isinstance(content, dict) and isinstance(media := next(iter(content.values()), None), dict):
        schema = media.get("schema", {})
    if schema is None:
        return own
    kept = {key: own[key] for key in ("description", "example", "examples", "deprecated") if key in own}
    return {"allOf": [schema, kept]} if kept else schema


def _undocumented(operation: Operation, slots: list[_Slot], expander: Expander) -> list[_Slot]:
    """Return a string argument for each name in the path that no parameter documents."""
    known = {slot.name for slot in slots if slot.location == "path"}
    missing = [name for name in dict.fromkeys(_IN_PATH.findall(operation.path)) if name not in known]
    for name in missing:
        expander.note(name, "stands in the path without a parameter; added as a string")
    return [_Slot(name, "path", {"type": "string"}, True) for name in missing]


def _request_body(node: Json, expander: Expander) -> tuple[list[_Slot], Schema]:
    body = expander.resolved(node)
    content = body.get("content") if isinstance(body, dict) else None
    if not isinstance(content, dict) or not content:
        expander.note("", "the body has no content and was dropped")
        return [], {}
    kind = media_type(content)
    media = content[kind]
    schema = media.get("schema") if isinstance(media, dict) else None
    if schema is None:
        schema = {} if kind.split(";")[0].strip() in (*_JSON_TYPES, *_FORM_TYPES) else {"type": "string"}
    return _body_slots(schema, body, expander)


def media_type(content: dict[str, Json]) -> str:
    """Return the kind of body to use: JSON, else something like JSON, else a form, else the first named."""
    bare = {kind.split(";")[0].strip().lower(): kind for kind in reversed(content)}
    likes = [kind for kind in bare if kind.endswith("+json")][::-1]
    for kind in (*_JSON_TYPES[:1], *likes, *_FORM_TYPES, *_JSON_TYPES[1:]):
        if kind in bare:
            return bare[kind]
    return next(iter(content))


def _body_slots(node: Json, body: dict[str, Json], expander: Expander) -> tuple[list[_Slot], Schema]:
    """Return the arguments of a body, and their common keyword (`additionalProperties`)."""
    schema = expander.expand(node, "")
    flat = _flattened(schema, expander)
    if flat is None:
        whole = dict(schema)
        if "description" not in whole and isinstance(body.get("description"), str):
            whole |= expander.expand({"description": body["description"]}, "body")
        return [_Slot("body", "body", whole, body.get("required") is True)], {}
    required = flat.get("required", [])
    if body.get("required") is True and len(flat["properties"]) == 1:
        required = list(flat["properties"])
    slots = [_Slot(name, "body", child, name in required) for name, child in flat["properties"].items()]
    return slots, {key: flat[key] for key in ("additionalProperties",) if key in flat}


def _flattened(schema: Schema, expander: Expander) -> Schema | None:
    """Return an object schema with all properties of `schema` and its alternatives; None if it is not an object."""
    kind = schema.get("type")
    if kind is not None and "object" not in (kind if isinstance(kind, list) else [kind]):
        return None
    groups = [one["anyOf"] for one in (schema, *schema.get("allOf", [])) if one.get("anyOf")]
    if not groups:
        return schema if schema.get("properties") else None
    properties = dict(schema.get("properties", {}))
    required = list(schema.get("required", []))
    for branches in groups:
        flat = [branch if "anyOf" not in branch else _flattened(branch, expander) for branch in branches]
        objects = [branch for branch in flat if branch and ("properties" in branch or "required" in branch)]
        if len(objects) < len(branches) and not properties:
            return None
        _add_alternatives(properties, objects)
        _tell_apart(properties, objects)
        shared = set.intersection(*(set(branch.get("required", [])) for branch in objects)) if objects else set()
        required += [name for branch in objects[:1] for name in branch.get("required", []) if name in shared]
    if not properties:
        return None
    expander.note("", "the alternatives of the body were joined into one object, unchecked which of them go together")
    return {"properties": properties, "required": [name for name in dict.fromkeys(required) if name in properties]}


def _add_alternatives(properties: Schema, branches: list[Schema]) -> None:
    """Add the branches' properties; a name with several schemas accepts any of them."""
    for branch in branches:
        for name, child in branch.get("properties", {}).items():
            old = properties.get(name)
            if old is None:
                properties[name] = child
            elif old != child:
                options = old["anyOf"] if set(old) == {"anyOf"} else [old]
                properties[name] = {"anyOf": options if child in options else [*options, child]}


def _tell_apart(properties: Schema, branches: list[Schema]) -> None:
    """Say of each property of some branches where it belongs, by the field that tells the branches apart."""
    if len(branches) < 2:
        return
    for field in sorted(set.intersection(*(set(branch.get("properties", {})) for branch in branches))):
        values = [_only_value(branch["properties"][field]) for branch in branches]
        if None in values or len(set(values)) < len(values):
            continue
        for name, child in properties.items():
            own = [place for place, branch in enumerate(branches) if name in branch.get("properties", {})]
            if len(own) in (0, len(branches)):
                continue
            is_needed = all(name in branches[place].get("required", []) for place in own)
            where = f"{'Needed' if is_needed else 'Only'} where {field} is {' or '.join(str(values[p]) for p in own)}."
            properties[name] = {**child, "description": f"{child.get('description', '')} {where}".strip()}
        return


def _only_value(schema: Schema) -> Json:
    """Return the text that a schema fixes; None if it fixes none."""
    listed = schema.get("enum", [schema.get("const")])
    return listed[0] if len(listed) == 1 and isinstance(listed[0], str) else None


def _join(slots: list[_Slot], extra: Schema, expander: Expander) -> Schema:
    properties: Schema = {}
    required: list[str] = []
    taken = {slot.name for slot in slots}
    for slot in slots:
        name = slot.name
        if name in properties:
            name = _other_name(slot, taken)
            expander.note(name, f"is `{slot.name}` of the {slot.location}, as another argument has that name")
        taken.add(name)
        properties[name] = slot.schema
        if slot.required:
            required.append(name)
    schema: Schema = {"type": "object", "properties": properties, **extra}
    return {**schema, "required": required} if required else schema


def _other_name(slot: _Slot, taken: set[str]) -> str:
    name = f"{slot.name}_{'form' if slot.location == 'formData' else slot.location}"
    numbered = (f"{name}_{number}" for number in count(2))
    return next(wish for wish in chain([name], numbered) if wish not in taken)

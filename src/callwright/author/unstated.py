"""Parameters that no user gives a value for: nobody can say it aloud, or the service sets it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from callwright.author.value_numbers import LARGEST
from callwright.catalog.slots import Slot
from callwright.lang.schemas import example_values, name_words, plain_schema, type_of
from callwright.records.jsontext import Json, decode
from callwright.records.tool import Tool

FILE = "needs the content of a file"
_FILE = re.compile(
    r"\b(?:contents?|bytes|data) of (?:the |an? )?(?:\w+ )?(?:file|image)\b|\b(?:file|image) (?:contents?|data)\b|"
    r"\b(?:file|image) to (?:be )?upload|\bmultipart/form-data\b|\bbinary (?:data|contents?|file)\b|\bbase-?64\b|"
    r"\bin pem format\b|\bsigning request\b|\b(?:on a|your) local (?:drive|disk|machine)\b|\blocal file\b"
)
_WRITTEN = re.compile(r"\b(?:definition|specification|schema|document|yaml|xml|markup|script|source code)\b")
"""What a body is that is written by a machine or in an editor, not said."""
_WHOLE = re.compile(
    r"(?:the |an? )?(?:\w+ )?(?:text|source|content|body|code|contents) (?:of|for) |"
    r"(?:the )?\w+ (?:definition|specification)\b"
)
_JSON = re.compile(r"\bjson\b[^.]{0,40}\b(?:string|encoded|format|array|object|map|hash)|\bstringified json\b")
_OWN_LANGUAGE = re.compile(
    r"\bgraphql\b|\bsql\b|\bcypher\b|\bsparql\b|\bjson ?path\b|\bjmespath\b|\bxpath\b|\bjsonata\b|\blucene\b|\bodata\b|"
    r"\bregular expression\b|\bregex|\bfilter expression\b|\bquery (?:language|string syntax|dsl)\b|\bcel expression\b"
)
"""What a value is written in that nobody says aloud."""
_HOLDS = frozenset(
    "body source content text data definition spec schema script code document xml yaml template payload".split()
)
_BASE64 = re.compile(r"\bbase-?64\b", re.IGNORECASE)
_POINTERS = frozenset("path url uri link href id ids name filename key sid".split())
"""Last words of names of parameters that say where a file is."""
_SECRETS = (
    ("client", "secret"),
    ("api", "secret"),
    ("api", "key"),
    ("access", "token"),
    ("refresh", "token"),
    ("private", "key"),
)
_PAGES = (
    ("next", "link"),
    ("next", "token"),
    ("next", "cursor"),
    ("page", "token"),
    ("continuation", "token"),
    ("skip", "token"),
    ("scroll", "id"),
    ("cursor",),
)
"""Names of where a list goes on."""
_PAPERS = (("certificate",), ("certificates",), ("cert",), ("pem",))
"""Names of what is a long text made by a machine."""
_MEASURES = (
    ("minLength", 2_000, "needs a text too long to say"),
    ("minItems", 50, "needs a list too long to say"),
    ("minProperties", 50, "needs an object too large to say"),
)
_SAYABLE_BODIES = ("json", "form", "text/plain", "*/*", "application/*")


def _is_file(schema: Mapping[str, Json]) -> bool:
    return not {"contentEncoding", "contentMediaType"}.isdisjoint(schema) or schema.get("format") in ("binary", "byte")


def unsayable(slot: Slot, tool: Tool) -> str:
    """Return why nobody can say the value of a parameter; empty where one can."""
    schema = plain_schema(decode(slot.schema))
    items = plain_schema(schema.get("items"))
    if any(map(_is_file, (schema, items))) or (slot.name == "body" and _is_raw(tool)):
        return FILE
    if why := _out_of_reach(schema):
        return why
    if slot.kind == "object" or (slot.kind == "list" and type_of(items) in ("object", "array")):
        return "needs an object of any form"
    described = slot.description[:300].lower()
    words = name_words(slot.label)
    if words[-2:] in _PAGES or words in _PAGES or words[-1:] == ("iterator",):
        return "needs a place in a list, which only a reply tells"
    if words[-2:] in _SECRETS:
        return "needs a secret"
    if _BASE64.search(str(schema.get("example", ""))[:200]):
        return FILE
    if slot.name == "body" and not (described or example_values(schema) or "enum" in schema) and not type_of(schema):
        return "needs an object of any form"
    if type_of(schema) == "string" and _is_json(slot, schema, tool):
        return "needs JSON as text"
    if type_of(schema) != "string" or "example" in schema:
        return ""
    if words[-1:] in _PAPERS and not example_values(schema):
        return FILE
    gist = described.split(". ")[0]
    if _WRITTEN.search(gist) and (slot.name == "body" or (words[-1:] and words[-1] in _HOLDS and _WHOLE.match(gist))):
        return FILE
    if _OWN_LANGUAGE.search(gist) and not example_values(schema) and "default" not in schema:
        return "needs a query of its own language"
    if _FILE.search(described) and _POINTERS.isdisjoint(words[-1:]):
        return FILE
    return "needs JSON as text" if _JSON.search(described) else ""


def _is_json(slot: Slot, schema: Mapping[str, Json], tool: Tool) -> bool:
    """Whether a text is a JSON document by its example, or a body that the tool's description says to be one."""
    is_shown = str(schema.get("example", "")).lstrip()[:1] in ("{", "[")
    return is_shown or (slot.name == "body" and re.search(r"\bjson\b", tool.description[:600].lower()) is not None)


def _out_of_reach(schema: dict[str, Json]) -> str:
    """Return why a schema asks for more than anybody says: a text, a list or a number without measure."""
    for key, most, why in _MEASURES:
        bound = schema.get(key)
        if isinstance(bound, int | float) and bound > most:
            return why
    low, step = schema.get("minimum", schema.get("exclusiveMinimum")), schema.get("multipleOf")
    top = schema.get("maximum", schema.get("exclusiveMaximum"))
    is_beyond = _is_large(low) or _is_large(step) or _is_large(top, -1)
    return "needs a number too large to say" if is_beyond else ""


def _is_large(bound: Json, sign: int = 1) -> bool:
    return isinstance(bound, int | float) and bound * sign >= LARGEST


def _is_raw(tool: Tool) -> bool:
    """Whether the body is sent in a type that is neither JSON nor a form nor plain text."""
    raw = decode(tool.raw) if tool.raw is not None else None
    body = raw.get("requestBody") if isinstance(raw, dict) else None
    content = body.get("content") if isinstance(body, dict) else None
    return isinstance(content, dict) and not any(part in kind for kind in content for part in _SAYABLE_BODIES)


_SET_BY = re.compile(
    r"\bread[- ]?only\b|\boutput[- ]only\b|^deprecated\b|\bno longer\b|"
    r"\b(?:system|server|automatically|auto)[- ]generated\b|"
    r"\b(?:set|assigned|generated|computed|calculated|populated|maintained|managed|returned|updated|determined) "
    r"(?:automatically|(?:by|from) the (?:system|server|service|api|platform)|in (?:the )?responses?)\b|"
    r"\bautomatically (?:set|assigned|generated|computed|calculated|populated|updated)\b|"
    r"\b(?:returned|present|included|available) only (?:in|on|when|if|for)\b|\bonly (?:returned|present in)\b|"
    r"\b(?:validation|error) (?:errors?|messages?|warnings?)\b|"
    r"\b(?:date|time|timestamp|user|who|person|when)\b[^.]{0,60}\b(?:created|modified|updated|generated)\b|"
    r"\blast (?:modified|updated|changed)\b|"
    r"\b(?:indicat\w+|whether|if|true when)\b[^.]{0,60}\b(?:has|have|had|contains) (?:\w+ ){0,2}"
    r"(?:errors?|warnings?|attachments?|been)\b"
)
"""Words of descriptions of values that the service sets."""
_SET = frozenset(
    "errors error warnings warning validation etag href self links rel revision checksum hash digest created updated "
    "modified deleted".split()
)
"""Words of names of what a service says of its things."""
_SHOWN = frozenset(
    "count total subtotal balance kind object type state status author creator fingerprint remaining paid "
    "outstanding number".split()
)
"""Words of names of what a service sets where it also returns it."""


@lru_cache(maxsize=65536)
def is_set_by_service(slot: Slot, tool: Tool) -> bool:
    """Whether the service sets the value: by its schema, description or name, or by its name and the result."""
    schema = plain_schema(decode(slot.schema))
    words = name_words(slot.name.rsplit(".", 1)[-1])
    is_told = schema.get("deprecated") or schema.get("readOnly") or _SET_BY.search(slot.description[:300].lower())
    if is_told or not _SET.isdisjoint(words):
        return True
    is_shown = slot.kind != "enum" and not _SHOWN.isdisjoint(words[-1:]) and f"{{{slot.name}}}" not in tool.source
    return is_shown and slot.name.rsplit(".", 1)[-1] in _returned(tool)


@lru_cache(maxsize=65536)
def _returned(tool: Tool) -> frozenset[str]:
    """The names of fields that a tool returns, also those of objects within."""
    found: set[str] = set()
    open_: list[tuple[Json, int]] = [(decode(tool.returns) if tool.returns else {}, 0)]
    while open_:
        node, depth = open_.pop()
        plain = plain_schema(node)
        properties = plain.get("properties")
        inner = properties if isinstance(properties, dict) else {}
        found |= inner.keys()
        if depth < 4:
            open_ += [(child, depth + 1) for child in (*inner.values(), plain.get("items"))]
    return frozenset(found)

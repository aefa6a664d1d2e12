"""Infers missing return schemas by rule from a tool's name, its description, and the inputs of related tools.

    verb and object        a list of things, one thing's details, a receipt, a yes or no, a converted value
    topic (a data file)    the fields of such a thing: temperature of a forecast, gate of a flight
    mates                  an identifier that another tool of the list requires, if this tool is about its object

Tools with an inferred schema are marked (`returns_inferred`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

import msgspec

from callwright.author.value_bank import answers_to
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.lang.english import base_verb, is_plural, past_participle, plural
from callwright.lang.kinds import ID_WORDS, kind_of
from callwright.lang.lexicon import word_set
from callwright.lang.phrases import is_participle
from callwright.lang.schemas import name_words, plain_schema, singular, type_of
from callwright.lang.tokens import content_stems, identifier_words, stem, stem_set
from callwright.lang.verbs_of_acts import CHANGES, CREATES, LOOKS, SEARCHES
from callwright.records.dialogue import ShownTool
from callwright.records.jsontext import Json, JsonText, decode, encode
from callwright.records.tool import Catalog, Tool, ToolList

Fields = dict[str, dict[str, Json]]

_LEAST_TOTAL = 120
"""Least total that nobody documented, for three numbers of at most 40 that are parts of it."""
MOST_FIELDS = 4
"""Fields of an object, without its identifiers."""

_CONVERTS = frozenset("convert translate calculate compute estimate shorten expand correct normalize".split())
_DATA = frozenset(
    "details detail data info information stats statistics news series status history conditions updates rates data "
    "analytics metrics settings metadata headlines synonyms examples odds lyrics coordinates directions".split()
)
_CARRIES_OUT = frozenset("perform execute trigger invoke launch start stop restart reboot".split())
"""Acts whose result tells only that they were done."""
_LINKS = frozenset("by for from in with of to and using via per".split())
_IDENTIFYING = frozenset("id ids code number key identifier url link uuid".split())


Offers = dict[tuple[frozenset[str], str], tuple[Tool, str]]
"""Identifiers that tools require, each with the first that does and its parameter."""


def with_returns(catalog: Catalog) -> Catalog:
    """Return the catalogue with a result schema for every tool; missing and empty ones are inferred and marked."""
    asked, shown = _asked_by_mates(catalog), _shown_by_path(catalog.tools)
    return with_tools(catalog, {tool.key: _inferred(tool, asked[tool.key], shown) for tool in catalog.tools})


def with_tools(catalog: Catalog, made: Mapping[str, Tool]) -> Catalog:
    """Return the catalogue with other documents of its tools, each by the key of the one in its place."""
    lists = tuple(
        ToolList(one.name, tuple(ShownTool(made[shown.key].key, shown.name) for shown in one.tools))
        for one in catalog.lists
    )
    return msgspec.structs.replace(catalog, tools=tuple(made.values()), lists=lists)


def _asked_by_mates(catalog: Catalog) -> dict[str, Offers]:
    """Return what the related tools of each tool require: those in its lists, or in its domain; itself among them."""
    if not catalog.lists:
        groups: dict[str, list[Tool]] = {}
        for tool in catalog.tools:
            groups.setdefault(tool.domain, []).append(tool)
        offers = {domain: _offers(group) for domain, group in groups.items()}
        return {tool.key: offers[tool.domain] for tool in catalog.tools}
    found: dict[str, dict[str, Tool]] = {tool.key: {} for tool in catalog.tools}
    for one in catalog.lists:
        there = {shown.key: catalog.by_key[shown.key] for shown in one.tools}
        for key in there:
            found[key] |= there
    return {key: _offers(mates.values()) for key, mates in found.items()}


def _offers(mates: Iterable[Tool]) -> Offers:
    found: Offers = {}
    for mate in mates:
        for name in mate.required:
            if slots(mate)[name].kind in ("code", "url") and not _forms_answer(name):
                found.setdefault(identity_of(mate, name), (mate, name))
    return found


def _inferred(tool: Tool, asked: Offers, shown: Mapping[str, Fields]) -> Tool:
    if tool.returns is not None and not is_empty(tool):
        return tool
    returns = _infer(tool, asked, shown.get(_things_path(path_of(tool)), {}))
    return msgspec.structs.replace(tool, returns=returns, returns_inferred=True)


def is_empty(tool: Tool) -> bool:
    """Whether a result schema has no field that could answer the call: a map of anything, links and errors only."""
    schema = decode(tool.returns) if tool.returns is not None else {}
    verb = action_of(tool)[0]
    is_read = tool.source.startswith("GET ") or verb in LOOKS | SEARCHES
    is_read |= not path_of(tool) and verb not in CREATES | CHANGES | _ENDS | _CARRIES_OUT
    return not any(not is_read or _ASIDE.isdisjoint(map(stem, name_words(name))) for name in _leaves("", schema, 0))


def _leaves(name: str, document: Json, depth: int) -> Iterator[str]:
    """Names of the plain values in what a schema describes, and of those that it rules out."""
    schema = plain_schema(document)
    if document is False:
        yield name
    shape = type_of(schema)
    if shape == "array":
        yield from _leaves(name, schema.get("items"), depth + 1)
    elif shape == "object" and depth < _DEEPEST:
        found = schema.get("properties")
        properties = found if isinstance(found, dict) else {}
        is_holder = any(type_of(plain_schema(one)) in ("array", "object") for one in properties.values())
        for key, one in properties.items():
            is_plain = type_of(plain_schema(one)) not in ("array", "object")
            is_of_pages = is_holder and is_plain and not _PAGING.isdisjoint(map(stem, name_words(key)))
            words = name_words(key)
            is_answer = _LINKING.isdisjoint(words) or _lists_things(one) or (words == META and _is_thing(one))
            if not is_of_pages and (is_answer or any(map(is_participle, words[-1:]))):  # `links_created` are things
                yield from _leaves(key, one, depth + 1)
        if isinstance(values := schema.get("additionalProperties"), dict):
            yield from _leaves(name, values, depth + 1)
    elif shape not in ("", "object"):
        yield name


def _lists_things(document: Json) -> bool:
    """Whether an object holds a list of objects that are no links or errors: `meta.components`."""
    found = plain_schema(document).get("properties")
    listed = {name: plain_schema(one) for name, one in found.items()} if isinstance(found, dict) else {}
    return any(
        type_of(plain_schema(one.get("items"))) == "object" and _LINKING.isdisjoint(name_words(name))
        for name, one in listed.items()
        if type_of(one) == "array"
    )


def _is_thing(document: Json) -> bool:
    """Whether an object that is called as notes on a reply is the answer: a thing with fields of its own, or a map."""
    found = plain_schema(document).get("properties")
    held = {name: plain_schema(one) for name, one in found.items()} if isinstance(found, dict) else {}
    plain = [name for name, one in held.items() if type_of(one) not in ("", "array", "object")]
    told = [name for name in plain if _OF_REPLY.isdisjoint(map(stem, name_words(name)))]
    maps = [one for name, one in held.items() if "properties" not in one and _LINKING.isdisjoint(name_words(name))]
    is_map = any(next(_leaves("", one, 1), None) is not None for one in maps if type_of(one) == "object")
    return len(told) > 1 or is_map


_DEEPEST = 5
META = ("meta",)
"""The name of notes on a reply, under which some services put the answer."""
_LINKING = frozenset("link links error errors warning warnings meta paging pagination".split())
_PAGING = stem_set("count total next previous page limit offset cursor status code version type kind")
_OF_REPLY = _PAGING | stem_set("request response trace time timestamp duration elapsed took server rate credit success")
_ASIDE = stem_set(" ".join(_LINKING)) | stem_set("success ok message messages rel href")


def infer_returns(tool: Tool, mates: Iterable[Tool] = (), known: Fields | None = None) -> JsonText:
    """Return a JSON Schema of an object that the tool could plausibly return; `mates` are tools it is used with.

    It tells only certain facts: the fields asked for, those that other operations on the same things have (`known`),
    the identifier of a new thing, the state after an act.
    """
    return _infer(tool, _offers(mates), known or {})


def _infer(tool: Tool, asked: Offers, known: Fields) -> JsonText:
    verb, thing = action_of(tool)
    counted = _COUNTING.search(gloss(tool).phrase)
    path = path_of(tool)
    method = tool.source.partition(" ")[0] if path else ""
    needed = _needed(tool, thing, asked)
    is_act = done_in(path.rpartition("/")[2], verb) is not None and method != "GET"
    if method in ("DELETE", "PUT", "PATCH") or verb in _ENDS | _CARRIES_OUT or is_act:
        return _object(_receipt(tool, done_in(path.rpartition("/")[2], verb) or verb if is_act else verb))
    if verb in CREATES | _WRITES_DOWN and method != "GET":
        is_of_several = any(type_of(plain_schema(tool.properties[name])) == "array" for name in tool.required)
        own = {} if needed or is_of_several else {f"{_snake(thing)}_id": {"type": "string"}}
        return _object({**own, **_receipt(tool, verb), **needed})
    if verb in CHANGES:
        return _object({**_receipt(tool, verb), **needed})
    if verb in _VERIFIES or _WHETHER.match(tool.description):
        return _object({"valid": {"type": "boolean"}, **needed})
    if verb not in SEARCHES and method in ("", "GET") and not known and _is_file(verb, thing):
        return _object({**_asked(tool, path), "url": {"type": "string", "format": "uri"}})
    asked_by = [name_words(name) for name in tool.required]
    is_one = verb in SEARCHES and asked_by in ([("id",)], [(thing.split()[-1], "id")])
    if asked_by and not known and verb not in SEARCHES and _is_of_one(tool, thing):
        return _object({**_asked(tool, path), **_shown_answer(tool, thing)})
    is_one |= _tells_whether_it_is(tool, thing)
    if not is_one and (verb in SEARCHES or (method in ("", "GET") and _is_list(verb, tool))):
        return _listing(tool, thing, needed, known)
    if _tells_whether_it_is(tool, thing):
        return _object({**_asked(tool, path), f"is_{_snake(thing)}": {"type": "boolean"}})
    if verb in _WORKS_OUT and not _takes_number(tool):
        return _object({_snake(thing.split()[-1]): {"type": "integer"}, **needed})
    if verb in _CONVERTS and not _topic_fields(tool, 1) and _takes_number(tool):
        name = f"{past_participle(verb)}_{_snake(thing.split()[-1])}"
        return _object({name: {"type": "number", "minimum": 2, "maximum": 4000}, **needed})
    if verb in _CONVERTS and not _topic_fields(tool, 1):  # what came of it only the service can tell
        given = [n for n in tool.required if type_of(tool.properties[n]) == "string" and not _is_hidden(n)]
        return _object({**{name: _bare(tool.properties[name]) for name in given}, **_receipt(tool, verb)})
    if not is_one and verb not in LOOKS | {"check"} and method != "GET" and not _topic_fields(tool, 1):
        return _object({**_receipt(tool, verb), **needed})
    details = dict(list({**needed, **_topic_fields(tool, MOST_FIELDS)}.items())[: MOST_FIELDS + len(needed)])
    if counted and not path:
        least, most = (_LEAST_TOTAL, 400) if "total" in name_words(counted[0]) else (2, 40)
        details = {_snake(counted[0]): {"type": "integer", "minimum": least, "maximum": most}}
    elif not details and thing.split()[-1] in _MEASURES:
        shape = "integer" if thing.split()[-1] in ("count", "total", "quantity") else "number"
        details = {_snake(thing.split()[-1]): {"type": shape, "minimum": 1, "maximum": 30}}
    if not all(_KEYS.intersection(name_words(name)[-1:]) for name in details):
        return _object(details)
    if answer := _answer_of(tool, thing, is_listed=False):
        return _object(_each_once({**_asked(tool, path), **details, **answer}))
    head = thing.split()[-1]
    if (
        not (details or known)
        and head in word_set("aspects") | word_set("uncounted")
        and head not in ("status", "state")
    ):
        return _object({**_asked(tool, path), "updated_at": {"type": "string", "format": "date-time"}})
    named: Fields = {} if head in _NAMELESS and _asked(tool, path) else {"name": {"type": "string"}}
    if head in ("status", "state"):
        named = {head: {"type": "string"}}
    return _object(_each_once({**_asked(tool, path), **details, **(known or named)}))


def _answer_of(tool: Tool, thing: str, *, is_listed: bool) -> Fields:
    """The thing itself as a field, where it has no name but is a text or a word: a joke; what is listed are texts."""
    nouns = [thing.split()[-1], *(singular(word) for word in reversed(name_words(tool.name)))]
    noun = next((one for one in nouns[: None if _is_vague(nouns[0]) else 1] if answers_to(one)), "")
    is_text = any(" " in one for one in answers_to(noun)[:1])
    return {_snake(noun): {"type": "string"}} if noun and (is_text or not is_listed) else {}


def _is_vague(noun: str) -> bool:
    """Whether a word is none for things, as what is left of a name: `random` of `jokes_random`."""
    return noun in _VAGUE or base_verb(noun) == noun


_VAGUE = frozenset("random result today around".split()) | _DATA


def _each_once(fields: Fields) -> Fields:
    """The fields without those whose words another has before them: no `task_id` beside `TaskID`."""
    first = {name_words(name): name for name in reversed(fields)}
    return {name: one for name, one in fields.items() if first[name_words(name)] == name}


_KEYS = ID_WORDS | {"code", "key"}
"""Last words of fields that say which thing it is, and nothing of it."""


def _is_hidden(name: str) -> bool:
    words = name_words(name)
    is_content = words[-1:] in (("file",), ("body",), ("status",))  # but a `FileName` is told
    return is_content or not {"password", "secret", "token"}.isdisjoint(words) or name.startswith(("X-", "x-"))


def _forms_answer(name: str) -> bool:
    """Whether a field says what the answer looks like, and nothing of a thing: `format`, `callback`, `totalPages`."""
    words = name_words(name)
    return _FORMS.issuperset(words) or (len(words) > 1 and _PAGES.issuperset(words))


_PAGES = frozenset("page pages total elements results items number size count".split())


_FORMS = frozenset("callback jsonp format fields pretty output response extension".split())


def _things_path(path: str) -> str:
    """The path of the things that an operation is about, without identifiers: `/users/tasks` of `/users/{id}/tasks`."""
    return "/".join(part for part in path.split("/") if part and "{" not in part)


def _shown_by_path(tools: Iterable[Tool]) -> dict[str, Fields]:
    """The first plain fields of the things at each path: of results, else of what is written there."""
    found: dict[str, Fields] = {}
    for method in ("GET", "POST", "PUT", "PATCH"):
        for tool in tools:
            place = _things_path(path_of(tool)) if tool.source.startswith(f"{method} ") else ""
            if not place or place in found:
                continue
            fields = _fields_of_thing(decode(tool.returns)) if tool.returns is not None and method == "GET" else {}
            written = (
                {}
                if method == "GET"
                else {n: one for n, one in tool.properties.items() if f"{{{n}}}" not in tool.source}
            )
            if plain := fields or _plain_fields(written):
                found[place] = plain
    return found


def _fields_of_thing(document: Json) -> Fields:
    """Fields of the one object that a schema describes, in whatever it is wrapped."""
    schema = plain_schema(document)
    for _ in range(_DEEPEST):
        inner = schema.get("items") if type_of(schema) == "array" else None
        found = schema.get("properties")
        properties = found if isinstance(found, dict) else {}
        held = [one for name, one in properties.items() if type_of(plain_schema(one)) in ("array", "object")]
        plain = _plain_fields(properties)
        if inner is None and (len(plain) > 1 or len(held) != 1):
            return plain
        schema = plain_schema(held[0] if inner is None else inner)
    return {}


def _plain_fields(properties: Mapping[str, Json]) -> Fields:
    """The first fields whose values can be made from what their schemas say."""
    plain = {
        name: plain_schema(one) for name, one in properties.items() if not (_is_hidden(name) or _forms_answer(name))
    }
    sure = ("integer", "number", "string")
    known = {name: one for name, one in plain.items() if type_of(one) in sure and kind_of(name, one) != "other"}
    return {name: _bare(one) for name, one in list(known.items())[:MOST_FIELDS]}


def _asked(tool: Tool, path: str) -> Fields:
    """The identifiers of the path, or those that are required, as a result repeats them."""
    names = re.findall(r"\{(\w+)\}", path) or [n for n in tool.required if slots(tool)[n].kind in ("code", "url")]
    return {name: _bare(tool.properties[name]) for name in names if name in tool.properties and not _is_hidden(name)}


_PATH = re.compile(r"^([A-Z]+) (/\S*)$")


def path_of(tool: Tool) -> str:
    """Return the path of the tool's operation; empty where it has none."""
    return _path_in(tool.source)


@lru_cache(maxsize=65536)
def _path_in(source: str) -> str:
    found = _PATH.match(source)
    return _ENDING.sub("", found[2].partition("#")[0].rstrip("/") or "/") if found else ""


_ENDING = re.compile(r"(?<=\})\.\w{1,5}$|\.(?:json|xml)$")


def done_in(word: str, verb: str) -> str | None:
    """Return the verb, if the last part of a path is an act such as `archive`, and no list of things."""
    plain = word.removeprefix("un")
    return word if word and (word == verb or base_verb(plain) == plain) else None


_ENDS = frozenset("delete remove cancel".split())
_WRITES_DOWN = frozenset(("record", "log"))
"""Verbs after which nothing is left to go on from."""
_WORKS_OUT = frozenset("estimate calculate compute".split())
_MEASURES = frozenset("average score balance count total sum amount quantity rate usage".split())


def _is_file(verb: str, thing: str) -> bool:
    """Whether an answer is a file, of which people are told where it is: a picture, or what is downloaded."""
    return verb in ("download", "export") or thing.split()[-1] in _FILES


_FILES = frozenset("logo avatar portrait thumbnail icon graph chart brochure pdf csv xml binary screenshot".split())
_COUNTING = re.compile(r"\b(?:total )?number of [a-z]+")
_NAMELESS = frozenset(
    "transaction transfer payment fee price block hash iframe token log message refund charge dividend "
    "ratio earning".split()
)
"""Things that nobody gives a name."""
_VERIFIES = frozenset("verify validate authenticate is has".split())
_WHETHER = re.compile(
    r"(?:checks?|determines?|verif(?:y|ies)|tests?|detects?|find out|see) (?:whether|if)\b", re.IGNORECASE
)


def _tells_whether_it_is(tool: Tool, thing: str) -> bool:
    """Whether a tool says of what it is asked for whether it is such a thing: a carrier of a disease."""
    found = _WHETHER_IS.search(tool.description[:_SAID])
    return found is not None and bool(tool.required) and stem(found[1].lower()) == stem(thing.split()[-1].lower())


def _is_of_one(tool: Tool, thing: str) -> bool:
    """Whether a tool called after many things tells, as described, the one that an owner has: `the genome of a dog`."""
    words = name_words(tool.name)
    spoken = gloss(tool).chunks
    first = spoken[0].text.lower().split() if spoken else []
    owners = [
        stem(part) for name in tool.required if name_words(name)[-1:] == ("id",) for part in name_words(name)[:-1]
    ]
    is_asked = not stem_set(gloss(tool).object).isdisjoint(owners)
    is_said = first[:1] == ["the"] and not is_plural(first[-1]) and stem(first[-1]) == stem(thing.split()[-1].lower())
    return is_asked and is_said and bool(words) and is_plural(words[-1]) and words[-1] != first[-1]


def _shown_answer(tool: Tool, thing: str) -> Fields:
    """The one thing as a field, where a description shows how it is written; else when it was last changed."""
    found = _SHOWN.search(tool.description[:_SAID])
    if found is None:
        return {"updated_at": {"type": "string", "format": "date-time"}}
    return {_snake(thing.split()[-1]): {"type": "string", "examples": [found[1].rstrip(". ")]}}


_SAID = 300
_WHETHER_IS = re.compile(r"\bwhether (?:or not )?(?:[\w']{1,20} ){1,4}(?:is|are) (?:an? )?(\w{3,30})", re.IGNORECASE)
_SHOWN = re.compile(r"\b(?:string|text|code|sequence)\b[^\".]{0,40}\"([^\"\n]{3,60})\"")


def _receipt(tool: Tool, verb: str) -> Fields:
    """The state after an act: the status that the call sets, or the verb's participle."""
    name = next((name for name in tool.required if name.lower() == "status"), "")
    return (
        {name: _bare(tool.properties[name])}
        if name
        else {"status": {"type": "string", "enum": [past_participle(verb)]}}
    )


@lru_cache(maxsize=65536)
def action_of(tool: Tool) -> tuple[str, str]:
    """Return the verb of the tool's name, in base form, and its object in the singular.

    >>> action_of(Tool(name="searchSongs")), action_of(Tool(name="Tag_UpdateNotes", description="Update tag notes."))
    (('search', 'song'), ('update', 'tag note'))
    """
    words = [word for word in identifier_words(tool.name) if not word.isdigit()]
    found = gloss(tool)
    is_act = bool(words) and base_verb(words[0]) == words[0].lower() and not _is_grouped(tool.name)
    if found.verb and found.chunks and (_is_from_path(tool, words) or not is_act):
        return found.act, _listed(tool, found.act, _head(found.chunks[0].text))
    verb = base_verb(words[0]) if words else None
    rest = words[1:] if verb else words
    while len(rest) > 1 and rest[0] in _LINKS:
        rest = rest[1:]
    stop = next((at for at, word in enumerate(rest) if at and word in _LINKS), None)
    named = [word for word in rest[:stop] if word not in _DATA and word != "id"] or rest[:stop]
    if not named:
        named = content_stems(found.object)[:2] or ["result"]
    act = verb or found.act or "get"
    return act, _listed(tool, act, " ".join([*named[-2:-1], singular(named[-1])]))


def _listed(tool: Tool, verb: str, thing: str) -> str:
    """What a `school list` lists, unless the tool has an address or asks for a list by its identifier."""
    first, _, last = thing.rpartition(" ")
    is_asked_for = any("list" in name_words(name) for name in tool.properties)
    is_read = verb in LOOKS | SEARCHES and last.lower() == "list" and not (path_of(tool) or is_asked_for)
    return singular(first) if first and is_read else thing


def _is_grouped(name: str) -> bool:
    """Whether a name has a group before its act, which may look like one: `Tag_UpdateAttributes`."""
    group, _, act = name.partition("_")
    first = next(iter(identifier_words(act)), "")
    return group[:1].isupper() and not group.isupper() and act[:1].isupper() and base_verb(first) == first.lower()


def _is_from_path(tool: Tool, words: Sequence[str]) -> bool:
    """Whether the name is an HTTP method and its path: `put_comments_id`."""
    method = tool.source.partition(" /")[0].lower()
    after = tool.name[len(method) : len(method) + 1]
    is_apart = after in ("_", "-") or (after.isupper() and method != "get")
    return not words or (words[0] == method and is_apart)


def _head(text: str) -> str:
    """The last two words of a noun phrase that say what it is: `web link` of `all web links information`."""
    named = [word for word in text.split() if word.lower() not in _DATA | _ARTICLES] or text.split()
    return " ".join([*named[-2:-1], singular(named[-1])])


_ARTICLES = frozenset("a an the all any new existing".split())


def _is_list(verb: str, tool: Tool) -> bool:
    parts = path_of(tool).split("/")[-2:]
    if len(parts) == 2 and verb not in SEARCHES:  # the one thing behind its segment, or the things of the last one
        ids = name_words(parts[1].strip("{}")) if "{" in parts[1] else ()
        is_named = ids[-1:] == ("slug",) or (len(ids) > 1 and stem(ids[-2]) == stem(singular(parts[0])))
        if ids and "{" not in parts[0] and is_plural(parts[0]) and (ids[-1] in ID_WORDS or is_named):
            return False
    words = [word.lower() for word in identifier_words(tool.name) if not word.isdigit()]
    link = next((at for at, word in enumerate(words) if at and word in _LINKS - {"and"}), len(words))
    before_by = words[:link]
    last = before_by[-1] if before_by else ""
    return (
        verb in SEARCHES or last == "list" or (is_plural(last) and last not in _DATA and verb not in CREATES | CHANGES)
    )


def _listing(tool: Tool, thing: str, needed: Fields, known: Fields) -> JsonText:
    answer = known or _answer_of(tool, thing, is_listed=True)
    topic = answer or _topic_fields(tool, 2)
    is_nameless = thing.split()[-1] in _NAMELESS and bool(topic)
    is_nameless |= bool(answer) or not topic.keys().isdisjoint(("name", "title", "text"))
    named: Fields = {} if is_nameless else {"name": {"type": "string"}}
    item = _schema({**needed, **named, **topic})
    things = _snake(plural(thing.split()[-1]))
    total: dict[str, Json] = {"type": "integer", "minimum": 0, "maximum": 60, "description": "number of results"}
    return _object({things: {"type": "array", "items": item, "maxItems": _MOST_LISTED}, "total": total})


_MOST_LISTED = 12


def _takes_number(tool: Tool) -> bool:
    kinds = {kind_of(name, schema) for name, schema in tool.properties.items()}
    return not kinds.isdisjoint(("money", "number", "count"))


# -- fields ----------------------------------------------------------------------------------------------------------


def _needed(tool: Tool, thing: str, asked: Offers) -> Fields:
    """Return identifiers of this tool's objects that mates require and this tool does not."""
    if thing.split()[-1] in _SETTINGS:
        return {}  # what holds for all orders is of no order
    about = {stem(word) for word in thing.split()} | set(content_stems(" ".join(identifier_words(tool.name)[1:])))
    first = gloss(tool).chunks[:1]
    about |= set(first[0].stems) if first else set()
    is_act = path_of(tool) and not tool.source.startswith("GET ") and action_of(tool)[0] not in LOOKS | SEARCHES
    head = {stem(thing.split()[-1])} if is_act else set()  # an act on a path tells of its own thing alone
    own = {identity_of(tool, name) for name in tool.properties}
    found: Fields = {}
    for identity, (mate, name) in asked.items():
        is_given = any(
            identity[0] <= stems and identity[1] == sort for stems, sort in own
        )  # a journal, by the manual one
        if not is_given and identity[0] and head <= identity[0] <= about:
            found[_field_of(mate, name)] = _bare(mate.properties[name])
    return dict(list(found.items())[:3])


_SETTINGS = frozenset("configuration config setting settings preference preferences".split())


def _field_of(mate: Tool, parameter: str) -> str:
    """Return the parameter's name, with its object in front if it is a bare `id`."""
    words = name_words(parameter)
    thing = action_of(mate)[1].split()[-1]
    is_bare = _IDENTIFYING.issuperset(words) and identity_of(mate, parameter)[0] == {stem(thing)}
    return _snake(" ".join((thing, *words) if is_bare else words))


@lru_cache(maxsize=262144)
def identity_of(tool: Tool, parameter: str) -> tuple[frozenset[str], str]:
    """Return the object of an identifier (stems) and its kind: `songId` and `song_id` are equal."""
    words = name_words(parameter)
    sort = next((word for word in reversed(words) if word in _IDENTIFYING), "")
    owner = frozenset(stem(word) for word in words if word not in _IDENTIFYING and words != ("parent",))
    if not owner and parameter in tool.properties:
        noun = slots(tool)[parameter].noun.text.split(" of ")[-1]
        owner = frozenset(stem(word) for word in noun.lower().split() if word not in _IDENTIFYING)
        owner = owner or frozenset({stem(action_of(tool)[1].split()[-1])})
    if words[-1:] and words[-1] in ID_WORDS and (placed := _segments(tool.source).get(parameter)):
        owner |= set() if placed in owner else {placed}  # a lock, where `device_id` follows `locks` in the address
    return owner, "id" if sort in ("id", "ids", "identifier", "uuid", "key", "code", "number") else sort


@lru_cache(maxsize=65536)
def _segments(source: str) -> dict[str, str]:
    """Each parameter of an address with the stem of the thing in the segment before it."""
    found = _PLACED.findall(source)
    return {name: stem(singular(words[-1])) for segment, name in found if (words := name_words(segment))}


_PLACED = re.compile(r"(?<![\w-])([A-Za-z][\w-]*)/\{([^{}/]+)\}")
_ESSENTIAL = ("type", "format", "pattern", "enum", "minimum", "maximum")


def _bare(schema: dict[str, Json]) -> dict[str, Json]:
    """Return the description of a value, without words about the parameter's use."""
    kept: dict[str, Json] = {key: schema[key] for key in _ESSENTIAL if key in schema}
    return {"type": "string", **kept}


@cache
def _topics() -> tuple[tuple[frozenset[str], Fields], ...]:
    text = files("callwright.catalog").joinpath("data/result_fields.json").read_text(encoding="utf-8")
    topics = json.loads(text)
    return tuple((frozenset(" ".join(map(stem, w.split())) for w in one["words"]), one["fields"]) for one in topics)


_WEAK = frozenset(map(stem, ("user", "users", "account", "item", "position", "coordinates")))
"""Words in descriptions that are not topics."""


_HEAD_WEIGHT = 3
"""The modifier of a head noun: the comments of a video are comments."""


def _topic_fields(tool: Tool, most: int) -> Fields:
    """Return the fields of the topics in the tool's name and gloss, those of the name first.

    A service's own things have fields of their own, so that operations with a path have none of these.
    """
    if path_of(tool):
        return {}
    words = identifier_words(tool.name)
    acts = len(words) > 1 and base_verb(words[0]) == words[0]  # the verb, not the noun
    named = [stem(word) for word in words[acts:]]
    chunks = [chunk for chunk in gloss(tool).chunks if not {stem(word) for word in _DATA}.issuperset(chunk.stems)]
    said = [one for chunk in chunks[:1] for one in content_stems(chunk.text) if one not in _WEAK]
    head = stem(action_of(tool)[1].split()[-1])
    weights = []
    named += [" ".join(pair) for pair in pairwise(named)]
    is_of_owner = head not in _SAID_OF_OWNER and bool(named or said)
    for place, (stems, _) in enumerate(_topics()):
        if is_of_owner and head not in stems and not _OWNERS.isdisjoint(stems):
            continue  # the earnings of a company are no company
        weight = 2 * sum(word in stems for word in set(named)) + sum(word in stems for word in set(said))
        weight += _HEAD_WEIGHT * (head in stems and weight > 0)
        if weight:
            weights.append((-weight, place))
    fields: Fields = {}
    best = min(weights)[0] if weights else 0
    for weight, place in sorted(weights)[:2]:
        if weight <= best + 1 and (weight < -1 or best == -1):
            fields |= {name: schema for name, schema in _topics()[place][1].items() if name not in fields}
    taken = {name.lower() for name in tool.properties}
    return dict([(name, schema) for name, schema in fields.items() if name not in taken][:most])


_OWNERS = stem_set("company user")
"""Words of topics that tell of what has other things."""
_SAID_OF_OWNER = stem_set(" ".join(_DATA)) | stem_set("profile overview summary record result")
"""Heads that say nothing else than the thing before them."""


def _snake(text: str) -> str:
    return "_".join(text.lower().split())


def _schema(fields: Fields) -> dict[str, Json]:
    return {"type": "object", "properties": fields, "required": sorted(fields)}


def _object(fields: Fields) -> JsonText:
    return encode(_schema(fields))

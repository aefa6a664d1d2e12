"""The values that a user has in mind: those that a call needs, and those without which the act has no sense.

Real documents often require nothing. Nobody deletes "a reminder" without saying which, updates a folder without saying
what shall be new, or searches for nothing; a dialogue that ends in such a call would teach the wrong thing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from callwright.author.unstated import FILE, is_set_by_service, unsayable
from callwright.author.value_makers import is_of_unknown_meaning
from callwright.author.value_subject import slot_subject, subject_of
from callwright.catalog.gloss import gloss, is_of_anything, thing_noun
from callwright.catalog.slots import Leaf, Slot, needed, slots, tool_leaves
from callwright.lang.english import base_verb
from callwright.lang.kinds import ID_WORDS, Kind
from callwright.lang.name_forms import form_in
from callwright.lang.phrases import words_of_name
from callwright.lang.schemas import example_values, name_words, options_of, plain_schema, singular, type_of
from callwright.lang.tokens import content_stems, stem, stem_set, words
from callwright.lang.verbs_of_acts import CHANGES, CREATES, SEARCHES
from callwright.records.jsontext import Json, decode
from callwright.records.tool import Tool

_MOST_IDENTIFIERS = 2
_MOST_NEW = 2
"""Most optional values of a write."""
_LISTS = frozenset(("list", "show", "count"))
_MAKES = frozenset(("create", "insert", "register", "generate"))
"""Acts on things that have no identifier yet."""
_ENDS = frozenset(
    "delete remove cancel close archive sync revoke leave unpublish stop enable disable mark convert approve "
    "deny activate deactivate reactivate suspend unsuspend lock unlock restart pause resume".split()
)
"""Acts on a thing as it is: to name it is enough."""
_ALTERS = frozenset("update edit modify change replace rename".split())
"""Acts that have no sense where nothing can be sent with them."""
_WRITES = frozenset(("POST", "PUT", "PATCH"))
_PLACE = re.compile(r"\{([^{}/]+)\}")


def required_paths(tool: Tool, given: Collection[str] = ()) -> tuple[str, ...]:
    """Return the paths of the values that a call needs beside those given.

    Of a required object nothing in which is required that is its identifier where it is a thing of its own (the invoice
    of an allocation), else its most telling value.
    """
    return _required_paths(tool, tuple(given))


@lru_cache(maxsize=65536)
def _required_paths(tool: Tool, given: tuple[str, ...]) -> tuple[str, ...]:
    paths = list(needed(tool, given))
    leaves = tool_leaves(tool)
    open_ = [path for path, leaf in leaves.items() if leaf.needed[0] and not all(leaf.needed) and not leaf.is_fixed]
    for path in sorted(open_, key=lambda path: _order_in_required(path, tool)):
        owner = leaves[path].steps[: leaves[path].needed.index(False)]
        if not any(leaves[other].steps[: len(owner)] == owner for other in (*paths, *given) if other in leaves):
            paths.append(path)
    return tuple(dict.fromkeys((*paths, *needed(tool, (*given, *paths)))))


def _order_in_required(path: str, tool: Tool) -> tuple[bool, bool, float]:
    """Order the values of a required object: first its identifier, last what nobody can tell."""
    slot = slots(tool)[path]
    rank = _rank(slot, tool)
    is_own_id = rank < _NEVER and _identifies_owner(tool_leaves(tool)[path], tool)
    return not is_own_id, _is_untold_list(slot), rank


def _identifies_owner(leaf: Leaf, tool: Tool) -> bool:
    """Whether a value identifies the object that it lies in, which is not what the act is about: `Invoice.InvoiceID`.

    An `id` beside a `type` says nothing alone.
    """
    *_, owner, last = ("", *leaf.steps)
    if leaf.needed.index(False) + 1 != len(leaf.steps) or not isinstance(owner, str) or owner.lower() in _ENVELOPES:
        return False
    named, held = name_words(str(last)), name_words(owner)
    beside = {one.steps[-1] for one in tool_leaves(tool).values() if one.steps[:-1] == leaf.steps[:-1]}
    is_its = named == (*held, *named[-1:]) or (len(named) == 1 and beside.isdisjoint(("type", "kind")))
    is_about = {stem(singular(word)) for word in held[-1:]} <= gloss(tool).object_stems
    return is_its and not is_about and not ID_WORDS.isdisjoint(named[-1:])


@lru_cache(maxsize=65536)
def left_out(tool: Tool) -> str:
    """Return why no user can ask for the tool: it needs a value that nobody can say; empty where one can."""
    if _is_deprecated(tool):
        return "is deprecated"
    if _is_contradictory(tool):
        return "its name and its description say different acts"
    if is_of_anything(gloss(tool), tool):
        return "no document tells what it is about"
    by_path = slots(tool)
    for path in required_paths(tool):
        if why := unsayable(by_path[path], tool):
            return why
        if path.endswith(".value") and f"{path.removesuffix('value')}operator" in by_path:
            return "needs a query of its own language"
    if any(_is_unknown(by_path[path], tool) for path in required_paths(tool)):
        return "needs a value of which no document says what it may be"
    verb = gloss(tool).act
    if is_write(tool) and verb in CHANGES - _ENDS:
        changed = [slot for slot in by_path.values() if _is_changed(slot, tool)]
        if changed and all(_is_unknown(slot, tool) for slot in changed):
            return "sets a value of which no document says what it may be"
    told = [slot for slot in _spare(tool, _outside_body(tool)) if _rank(slot, tool) < _TELLING]
    if not is_write(tool):
        return ""
    reasons = {unsayable(by_path[path], tool) for path in tool_leaves(tool)}
    if FILE in reasons and not (told and verb not in CREATES | {"import", "attach"}):
        return FILE
    body = tool_leaves(tool).keys() - _outside_body(tool)
    wanted = wanted_parameters(tool)
    if len(_lists_of(tool, wanted)) > 1:
        return "writes into several lists of things at once"
    says_nothing = verb in (CREATES | CHANGES) - _ENDS or (not wanted and verb not in _ENDS | SEARCHES | _LISTS)
    if verb in _TAKEN_BY_NOTHING and tool.source.startswith(("PUT ", "PATCH ")) and body and body.isdisjoint(wanted):
        return "takes something away by sending nothing for it"
    is_empty = body.isdisjoint(wanted) and ((body and says_nothing) or verb in _ALTERS)
    return "writes nothing that anybody would say" if is_empty else ""


def _lists_of(tool: Tool, paths: Collection[str]) -> frozenset[tuple[str | int, ...]]:
    """Return the lists of objects in which values lie: `variables` and `modes` of a body that changes both."""
    steps = (tool_leaves(tool)[path].steps for path in paths if path in tool_leaves(tool))
    first = ((one, next((at for at, step in enumerate(one) if isinstance(step, int)), 0)) for one in steps)
    return frozenset(one[:at] for one, at in first if at)


_TAKEN_BY_NOTHING = frozenset("remove clear unset delete reset".split())
_CLASSES = frozenset(
    "type types kind category mode level scheme superscheme class framework method strategy algorithm".split()
)
"""Words of names of closed vocabularies; where nothing lists one, nobody can say a member of it."""


def _is_deprecated(tool: Tool) -> bool:
    """Whether the document advises against the tool: a person would be served by the one that replaces it."""
    raw = decode(tool.raw) if tool.raw is not None else {}
    is_marked = isinstance(raw, dict) and raw.get("deprecated") is True
    return is_marked or _DEPRECATED.search(". ".join(tool.description.split(". ")[:3])) is not None


def _is_contradictory(tool: Tool) -> bool:
    """Whether a name says another act than the words of its document: an `updateTemplate` that `deletes a template`."""
    named, told = _act_in(words_of_name(tool.name)), _act_in((gloss(tool).act,))
    if named == told or "" in (named, told):
        return False
    first = tool.description.partition(". ")[0].lower()
    is_made = {named, told} == {"create", "change"}
    of_method = tool.source.startswith("PATCH ") and tool.source.endswith("}")
    is_both = any(base_verb(word) in _ACTS[named] for word in words(first))  # `creates or updates a rule`
    return not is_both and (not is_made or (of_method and told == "create"))


def _act_in(said: Sequence[str]) -> str:
    """The act of the first word that names one, else of the last."""
    ends = (*said[:1], *said[-1:])
    return next((act for word in ends for act, verbs in _ACTS.items() if word in verbs), "")


_ACTS = {
    "create": frozenset("create insert".split()),
    "change": frozenset("update edit modify patch".split()),
    "delete": frozenset("delete remove destroy".split()),
}


_DEPRECATED = re.compile(
    r"^\W?deprecated\b|[\[(]deprecated[\])]|\b(?:is|are|been|now|was) deprecated\b|\bdeprecated[:.!]|"
    r"\b(?:been|is|was) (?:replaced|superseded) by\b|\bno longer supported\b|\buse (?:[\w./{}]+ ){1,4}instead\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=65536)
def _is_unknown(slot: Slot, tool: Tool) -> bool:
    schema = plain_schema(decode(slot.schema))
    if slot.kind == "code" and not _CLASSES.isdisjoint(_words(slot)[-1:]):
        return {"pattern", "format", "default"}.isdisjoint(schema) and not example_values(schema)
    items = plain_schema(schema.get("items"))
    if _is_untold_list(slot):
        return True
    if slot.kind == "list" and type_of(items) == "string" and not (example_values(schema) or options_of(items)):
        if slot.name == "body":  # only the tool's text says what is listed
            return not example_values(items) and {"pattern", "format"}.isdisjoint(items)
        subject = slot_subject(slot, tool)
        one = subject_of(singular(slot.label), {**items, "description": slot.description}, about=subject.about)
        return is_of_unknown_meaning(one)
    return slot.kind in ("title", "other", "text") and is_of_unknown_meaning(slot_subject(slot, tool))


def _is_untold_list(slot: Slot) -> bool:
    """Whether it is a list within an object of which nothing says what its items are, as where a recursion was cut."""
    schema = plain_schema(decode(slot.schema))
    items = plain_schema(schema.get("items"))
    is_told = bool(type_of(items) or options_of(items) or example_values(items) or example_values(schema))
    return slot.kind == "list" and "." in slot.name and not is_told


@lru_cache(maxsize=65536)
def wanted_parameters(tool: Tool) -> tuple[str, ...]:
    """Return the paths of the values that a gold call has, required ones first.

    Where nothing is required, up to two identifiers of the thing the act is about join. A write of which only
    identifiers are known gets what a person would mention first, and so does a search.
    """
    by_path = slots(tool)
    wanted = list(required_paths(tool))
    spare = _spare(tool, wanted)
    verb = gloss(tool).act
    is_search = verb in SEARCHES - _LISTS and not tool.source.endswith("}")
    is_new = verb in _MAKES and "existing" not in tool.description.split(". ")[0]
    if verb in _ALTERS and "{" not in tool.source and not any(by_path[path].kind == "code" for path in wanted):
        wanted += [slot.name for slot in slots(tool).values() if _is_own_id(slot, tool)][:1]
    if not wanted and not is_new:
        named = [slot.name for slot in spare if _is_named_in_act(slot, tool)][:1]
        identifying = [slot.name for slot in spare if verb not in _LISTS and _identifies(slot, tool)]
        wanted += (named if is_write(tool) is False or not identifying else []) or identifying[:_MOST_IDENTIFIERS]
    if verb in _JOINS and is_write(tool):
        wanted += [slot.name for slot in spare if slot.name not in wanted and _is_joined(slot, tool, wanted)][:1]
    outside = frozenset(_PLACE.findall(tool.source)) if is_search else _outside_body(tool)
    inside = [slot for path in wanted if path not in outside and _rank(slot := by_path[path], tool) < _SETTING]
    if not inside if is_search else is_write(tool) and not _has_content(inside, verb):
        is_due = not wanted or (verb not in _ENDS and (not inside or verb in CHANGES))
        more = [slot for slot in spare if slot.name not in (*wanted, *outside)]
        last = _NEVER if verb in CREATES | CHANGES else _SETTING
        more = [slot for slot in more if _rank(slot, tool) < (last if is_due else _TELLING)]
        most = 1 if is_search or verb in CHANGES or " either " in tool.description else _MOST_NEW
        wanted += [one.name for one in more[:1]]
        heads = {_words(one)[-1:] for one in more[:1] if _words(one)[-2:] not in _NAMES_OF_PEOPLE}
        wanted += [one.name for one in more[1:most] if _rank(one, tool) < _TELLING and _words(one)[-1:] not in heads]
        wanted += _counted(tool, wanted, spare)
    elif is_write(tool) and not any(slot.kind == "text" for slot in inside):
        wanted += [slot.name for slot in spare if _is_said(slot)][:1]
    wanted += [slot.name for slot in spare if slot.name not in wanted and _is_said_to_be_required(slot)][
        :_MOST_REQUIRED
    ]
    wanted += [path for path in _beside(tool, (*wanted, *required_paths(tool, wanted))) if path not in wanted]
    if is_write(tool) and verb in CHANGES - _ENDS:
        wanted += [slot.name for slot in spare if slot.name not in wanted and _is_changed(slot, tool)][:1]
    wanted = _one_of_each(tool, wanted)
    return tuple(dict.fromkeys((*wanted, *required_paths(tool, wanted))))


def _is_changed(slot: Slot, tool: Tool) -> bool:
    """Whether a value is the very thing that an act changes: the `value` where the value of a variable is set."""
    chunks = gloss(tool).chunks
    head = stem(singular(chunks[0].text.rpartition(" ")[2].lower())) if chunks else ""
    return "." not in slot.name and name_words(slot.name) == (head,) and head in _THINGS_SET


_THINGS_SET = frozenset("value name description quantity rate limit price level role icon".split())


def _one_of_each(tool: Tool, wanted: Sequence[str]) -> list[str]:
    """Return the wanted values with one of those of which a document says to give either; both where both are needed.

    One joins where the document says that one is needed, or finds things by either.
    """
    found = list(wanted)
    for names, is_needed in _alternatives(tool):
        given = [name for name in found if name in names and name not in tool.required]
        given.sort(key=lambda name: len(name_words(name)))  # an item rather than an item group
        sayable = [name for name in names if not unsayable(slots(tool)[name], tool)]
        if is_needed and not given and sayable and not set(names) & set(found):
            found.append(min(sayable, key=lambda name: _rank(slots(tool)[name], tool)))
        found = [name for name in found if name not in given[1:]]
    return found


@lru_cache(maxsize=65536)
def _alternatives(tool: Tool) -> tuple[tuple[tuple[str, ...], bool], ...]:
    """Return the optional parameters of which a document says to give either, and whether one is needed."""
    by_path = slots(tool)
    known = [name for name in tool.properties if name in by_path and name not in tool.required]
    texts = [tool.description[:_READ], *(by_path[name].description[:_READ] for name in known)]
    found: dict[tuple[str, ...], bool] = {}
    for place, text in enumerate(texts):
        for either in _EITHER.finditer(text):
            said = f" {' '.join(name_words(re.sub(r'[^A-Za-z0-9_]+', '_', either[0])))} "
            names = tuple(name for name in known if f" {' '.join(name_words(name))} " in said)
            by_what = either[0].lower().startswith("by ")
            if len(names) == _PAIR and not (by_what and place):
                is_needed = by_what or _NEEDED.search(text[: either.end() + _NEAR_BY]) is not None
                found[names] = found.get(names, False) or is_needed
    return tuple(found.items())


_EITHER = re.compile(
    r"\b(?:either(?: an?| the)? [\w`'\"-]{1,40} or (?:by )?(?:an?|the)? ?[\w`'\"-]{1,40}"
    r"|one of [\w`'\"-]{1,40} (?:or|and) [\w`'\"-]{1,40}"
    r"|by (?:an?|the)? ?[\w`'\"-]{1,40} or by (?:an?|the)? ?[\w`'\"-]{1,40})",
    re.IGNORECASE,
)
_NEEDED = re.compile(r"\b(?:required|must|needs?|mandatory|has to|have to)\b", re.IGNORECASE)
_READ, _NEAR_BY, _PAIR = 1_500, 60, 2


def _is_joined(slot: Slot, tool: Tool, wanted: Sequence[str]) -> bool:
    """Whether a value identifies what an act joins to something, and no wanted value does: the contact to attach."""
    head = stem(singular(gloss(tool).chunks[0].text.split()[-1].lower()))

    def tells(one: Slot) -> bool:
        return head in stem_set(f"{' '.join(name_words(one.name))} {one.description}")

    return slot.kind == "code" and tells(slot) and not any(tells(slots(tool)[path]) for path in wanted)


_JOINS = frozenset("add assign associate attach connect invite link".split())


def _is_own_id(slot: Slot, tool: Tool) -> bool:
    """Whether a value near the top of a body identifies the thing that an act alters: `QuoteID` of quotes."""
    words = name_words(slot.name.rpartition(".")[2])
    head = singular(thing_noun(tool).rpartition(" ")[2].lower())
    is_id = bool(words) and words[-1] in ID_WORDS and slot.name.count(".") <= _NEAR
    return is_id and (len(words) == 1 or stem(words[-2]) == stem(head))


_NEAR = 2
"""Most steps into a body of what the body itself is: `Quotes.0.QuoteID`."""


def _is_said_to_be_required(slot: Slot) -> bool:
    """Whether its description begins with the word, without a condition, though its schema does not say so."""
    return "." not in slot.name and _REQUIRED.search(slot.description[:80]) is not None


_REQUIRED = re.compile(
    r"^\W{0,2}(?:required|mandatory)(?=[.:)\]]|\.?$)|^[^.]{0,50}[(\[](?:required|mandatory)[)\]]", re.IGNORECASE
)
_MOST_REQUIRED = 4
"""Most values that only descriptions require."""


def _counted(tool: Tool, wanted: Collection[str], spare: Sequence[Slot]) -> list[str]:
    """Return the thing that a quantity is of, where the act says neither: `itemId` beside `quantity`."""
    by_path, outside = slots(tool), _outside_body(tool)
    inside = [by_path[path] for path in wanted if path not in outside]
    if not inside or not all(slot.kind in ("count", "number") for slot in inside):
        return []
    owner, new = inside[0].name.rpartition(".")[0], gloss(tool).object_stems if gloss(tool).act in _MAKES else ()
    things = [slot for slot in spare if slot.kind == "code" and not ID_WORDS.isdisjoint(_words(slot)[-1:])]
    named = {one.name: [stem(word) for word in _words(one)[:-1]] for one in things}
    return [name for name, of in named.items() if name.rpartition(".")[0] == owner and set(of).difference(new)][:1]


def _beside(tool: Tool, wanted: Collection[str]) -> list[str]:
    """Return the identifiers of things of which only the type is known: it says little alone."""
    open_ = [path for path, leaf in tool_leaves(tool).items() if not leaf.is_fixed and "." in path]
    found = []
    for owner in dict.fromkeys(path.rpartition(".")[0] for path in wanted if path in open_):
        given = {path.rpartition(".")[2] for path in wanted if path.rpartition(".")[0] == owner}
        found += [f"{owner}.id"] if given <= {"type", "kind"} and f"{owner}.id" in open_ else []
    return found


def _is_named_in_act(slot: Slot, tool: Tool) -> bool:
    """Whether the act has no sense without the value: `all senses related to a word`, `balances of an account`.

    Its name stands, as one thing, after a preposition of the first two sentences.
    """
    words = tuple(word for word in _words(slot) if word not in ID_WORDS)
    if not words or slot.kind in ("boolean", "enum") or _rank(slot, tool) >= _SETTING:
        return False
    said = " ".join(tool.description.lower().split(". ")[:2])
    return re.search(rf"{_OF_ONE}{re.escape(' '.join(words))}\b", said) is not None


_OF_ONE = r"\b(?:for|of|by|to|with|about|from|in|on) (?:an?|the|this|one|given|each) (?:\w{1,30} )?"


def _is_said(slot: Slot) -> bool:
    """Whether the value is what somebody wants to say, and lies near enough to be thought of."""
    return slot.kind == "text" and _SAID.issuperset(_words(slot)[-1:]) and slot.name.count(".") < 2


def _is_bare_body(slot: Slot, tool: Tool) -> bool:
    """Whether a parameter is the body of a request, of which nothing tells what it holds."""
    one_way = plain_schema(tool.properties.get(slot.name))  # a body of several kinds is described in each
    return slot.name == "body" and not (slot.description or one_way.get("description"))


def _spare(tool: Tool, wanted: Collection[str]) -> list[Slot]:
    """The slots that a person might mention, first those that come to mind first and need nothing beside them."""
    by_path, headers = slots(tool), _places(tool)
    spare = [by_path[path] for path, leaf in tool_leaves(tool).items() if path not in wanted and not leaf.is_fixed]
    spare = [slot for slot in spare if _rank(slot, tool) < _NEVER and headers.get(slot.name) != "header"]
    spare = [slot for slot in spare if not (_is_unknown(slot, tool) or _is_bare_body(slot, tool))]
    drawn_in = {slot.name: required_paths(tool, (*wanted, slot.name)) for slot in spare}
    spare = [slot for slot in spare if not any(unsayable(by_path[path], tool) for path in drawn_in[slot.name])]
    return sorted(spare, key=lambda slot: _rank(slot, tool) + 0.5 * len(drawn_in[slot.name]))


def is_write(tool: Tool) -> bool:
    """Whether the act changes something by what is sent with it."""
    method = tool.source.partition(" ")[0]
    verb = gloss(tool).act
    if not method.isupper():
        return verb in CREATES | CHANGES - _ENDS
    raw = decode(tool.raw) if tool.raw is not None else {}
    return method in _WRITES or (method != "GET" and isinstance(raw, dict) and "requestBody" in raw)


def _has_content(inside: list[Slot], verb: str) -> bool:
    """Whether something is known beside which thing is meant; a link of two things is content, and a thing to end."""
    if any(slot.kind not in _REFERENCES or _NAMINGS.issuperset(_words(slot)[-1:]) for slot in inside):
        return True
    return len(inside) > (verb not in _ENDS) + (verb in CHANGES)


@lru_cache(maxsize=65536)
def _places(tool: Tool) -> dict[str, str]:
    """Return where a document says that its parameters are sent: `path`, `query`, `header`, `body`, `formData`.

    Those that operations share are beside the body, mostly in the query.
    """
    raw = decode(tool.raw) if tool.raw is not None else {}
    listed = raw.get("parameters") if isinstance(raw, dict) else None
    ones = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    has_body = isinstance(raw, dict) and "requestBody" in raw
    placed = {str(one.get("name")): str(one.get("in")) for one in ones if "name" in one}
    shared = (str(one["$ref"]).partition("#/components/parameters/")[2] for one in ones if "$ref" in one)
    return placed | dict.fromkeys(filter(None, shared), "query") | ({"": "body"} if has_body else {})


@lru_cache(maxsize=65536)
def _outside_body(tool: Tool) -> frozenset[str]:
    """Return the parameters that are not sent with the act, as far as the source says so.

    That is the path and headers, and the query where there is a body.
    """
    placed = _places(tool)
    has_body = not {"body", "formData"}.isdisjoint(placed.values())
    outside = ("path", "header", "query") if has_body else ("path", "header")
    return frozenset((*_PLACE.findall(tool.source), *(name for name, place in placed.items() if place in outside)))


_REFERENCES: frozenset[Kind] = frozenset(("code", "title", "person", "email", "city"))
"""Kinds of values that say which thing is meant, unless the parameter is a name to be given."""
_NAMINGS = frozenset("name title subject summary label topic purpose headline query q keyword value".split())
_SAID = frozenset("text message comment note reason body content".split())
"""Words of parameters that hold what somebody wants to say."""
_PLACES: dict[Kind, float] = {
    "text": 2, "title": 1.5, "date": 1, "datetime": 1, "time": 1, "money": 1, "percent": 1, "person": 1, "email": 1,
    "phone": 1, "enum": 1.2, "city": 1.5, "count": 2.5, "number": 2.5, "country": 2, "currency": 2, "language": 2,
    "year": 2, "code": 2, "list": 2.5, "other": 3, "boolean": 3.5, "url": 4,
}  # fmt: skip
"""Kinds in the order in which people think of them."""
_NAMES_OF_PEOPLE = frozenset((one, "name") for one in ("first", "last", "given", "family", "full"))
"""What a person is called who is entered."""
_NAMED_STEP = re.compile(r"[^.\d][^.]*")
_ENVELOPES = frozenset("data attributes body payload request input item items properties fields".split())
"""Steps of paths that hold the thing itself, not another one."""
_AMOUNTS = frozenset("amount quantity rate duration hours minutes days seats guests price".split())
_TELLING, _LATE, _SETTING, _NEVER = 2.1, 6.0, 10.0, 20.0
_PAGING = frozenset(
    "limit offset page pagesize marker cursor fields sort direction order include expand secret password token "
    "passphrase otp signature credential dry etag pretty callback embed oauth nonce xgafv fieldmask".split()
)
"""Words of what a client sets, not a person: the form of an answer, and secrets."""
_MASKS = frozenset("update read field fields output".split())
"""First words of lists of fields that a client sends along: `updateMask`."""
_OF_ANSWER = re.compile(
    r"\b(?:response|output|return|result|data|error) (?:data )?format\b|"
    r"\b(?:format|fields|representation) (?:of|for|in|to include in) (?:the )?(?:response|output|answer|result)|"
    r"\bdry[- ]run\b|\bany arbitrary string\b|\bopaque string\b|\bfor quota purposes\b|"
    r"\b(?:expand|include|embed|pretty)\w* (?:\w+ ){0,4}(?:in|with) (?:the )?(?:response|output|result)",
    re.IGNORECASE,
)
"""Words of descriptions of parameters that say how the service shall answer, and of marks that a client sets."""
_SETTINGS = frozenset(
    "locale version if match idempotency callback webhook metadata custom extension tracking test debug format "
    "timezone external thread".split()
)
_MADE = frozenset("published state status author creator type types kind count".split())
"""Words of what a service may say of its things itself."""
_CONDITIONAL = re.compile(
    r"\balternative to\b|\bif omitt|\bomitting\b|\busable only\b|"
    r"\bonly (?:used |valid |usable |applies |applicable )?(?:with|when|if|for)\b|"
    r"\bcannot be (?:used|combined|set)|\bmutually exclusive|\binstead of\b|\bused in conjunction\b|"
    r"\bdefaults to the (?:current|authenticated|token)"
)
"""Words of descriptions of parameters that depend on others, or that one leaves out."""


@lru_cache(maxsize=65536)
def _rank(slot: Slot, tool: Tool) -> float:
    """Return how late a person would mention the value; `_NEVER` for what nobody gives."""
    words = _words(slot)
    named = frozenset((*words, *name_words(slot.name)))
    is_part = words[-1:] == ("body",) and len(words) > 1
    is_part |= words[-1:] == ("mask",) and not _MASKS.isdisjoint(words)
    is_part |= slot.name.startswith("$") or _OF_ANSWER.search(slot.description) is not None
    if unsayable(slot, tool) or is_set_by_service(slot, tool) or _PAGING & named or is_part or _is_of_answer(slot):
        return _NEVER
    if slot.name.endswith("name") and gloss(tool).act in _MAKES and form_in(slot.description):
        return _NEVER  # the service puts it together
    if repeated_in_path(slot, tool):
        return _NEVER
    place = _PLACES.get(slot.kind, 3.0)
    object_, is_made = gloss(tool).object_stems, gloss(tool).act in CREATES
    if (
        is_write(tool)
        and len(words) == 1
        and slot.kind != "boolean"
        and object_
        and stem(words[0]) in object_
        and slot.name not in tool.source
    ):
        place = 0.0  # the URL where a URL is created
    elif (slot.kind in ("text", "title", "other", "boolean") and (_NAMINGS | _SAID).issuperset(words[-1:])) or (
        is_made and slot.kind == "person" and (words[-2:] in _NAMES_OF_PEOPLE or _is_own_name(words, object_))
    ):
        place = 0.0
    elif (slot.kind in ("count", "number") and _AMOUNTS & named) or words[-1:] == ("role",):
        place = 1.0
    is_far = sum(step not in _ENVELOPES for step in _NAMED_STEP.findall(slot.name)) > 2
    place -= 0.2 * (is_made and _is_own_name(words, object_))
    place += 0.3 * (len(words) > 1) + 0.7 * slot.name.count(".") + 0.8 * is_far
    is_own = slot.kind != "enum" or (gloss(tool).act in CHANGES and words[-1:] in (("type",), ("kind",)))
    is_late = (is_own and bool(_MADE & named)) or ID_WORDS.issuperset(words)
    is_late |= _CONDITIONAL.search(slot.description.lower()) is not None
    is_late |= slot.noun.text.endswith(" value") and words[-1:] != ("value",)  # its name is no phrase
    is_known = words[-1:] == ("name",) and words[:-1] in _identified(tool) and object_.isdisjoint(map(stem, words))
    is_late |= is_made and is_known
    is_late |= words == ("name",) and slot.name not in tool.source and _NAMED_IN_PATH.search(tool.source) is not None
    return place + _LATE * is_late + _SETTING * bool(_SETTINGS & named)


def repeated_in_path(slot: Slot, tool: Tool) -> str:
    """Return the parameter of the path that a value in the body repeats: `/repos/{name}` and `repo.name`."""
    before, _, last = slot.name.rpartition(".")
    words = name_words(last)
    if gloss(tool).act in _TO_ANOTHER or (ID_WORDS | _KEYS).isdisjoint(words[-1:]):
        return ""
    owner = name_words(before.rpartition(".")[2]) if ID_WORDS.issuperset(words) else ()
    placed = {one: name_words(one) for one in _PLACE.findall(tool.source) if one != slot.name}
    same = (one for one, named in placed.items() if named == words)
    of_owner = (one for one, named in placed.items() if owner and named[:-1] == owner and named[-1] in ID_WORDS)
    return next(chain(same, of_owner), "")  # `vaultUuid` and `vault.id`


def with_repeats(tool: Tool, values: Mapping[str, Json]) -> dict[str, Json]:
    """Return the values by path with those that a call needs and that repeat one of them."""
    by_path = slots(tool)
    lacking = {path: repeated_in_path(by_path[path], tool) for path in required_paths(tool, values.keys())}
    return {**values, **{path: values[of] for path, of in lacking.items() if of in values and path not in values}}


_TO_ANOTHER = frozenset("rename move transfer copy".split())
"""Acts whose body names another thing than the path."""
_KEYS = frozenset("name slug code".split())
"""Last words of parameters by which a thing is found that has no identifier."""


_NAMED_IN_PATH = re.compile(r"\{\w{1,40}Name\}$|\{\w{1,40}_name\}$")
"""The end of the path of a thing that is found by its name, which no body changes."""


def _is_own_name(words: Sequence[str], object_: Collection[str]) -> bool:
    return words[-1:] == ("name",) and len(words) > 1 and all(stem(word) in object_ for word in words[:-1])


@lru_cache(maxsize=65536)
def _identified(tool: Tool) -> frozenset[tuple[str, ...]]:
    """Return the things whose identifiers the tool takes: beside `companyId`, `companyName` tells nothing new."""
    labels = [_words(slot) for slot in slots(tool).values() if "." not in slot.name]
    return frozenset(words[:-1] for words in labels if len(words) > 1 and ID_WORDS.issuperset(words[-1:]))


def _is_of_answer(slot: Slot) -> bool:
    """Whether it chooses the form of the answer, not its content."""
    return slot.kind == "enum" and slot.name == "alt"


def _words(slot: Slot) -> tuple[str, ...]:
    return name_words(slot.label)


def _identifies(slot: Slot, tool: Tool) -> bool:
    """Whether the value names the thing that the tool acts on, by its name, its noun or how its description begins."""
    told = slot.description.split(". ")[0]
    if len(slot.description) >= _SHORT and ID_WORDS.isdisjoint(told.lower().split()):
        told = ""
    words = {stem(word) for word in _words(slot)} | set(content_stems(f"{slot.noun.text} {told}"))
    is_due = _rank(slot, tool) < _LATE or (_rank(slot, tool) < _SETTING and ID_WORDS.issuperset(_words(slot)))
    is_moment = slot.kind == "datetime" and _words(slot)[-1:] in (("ts",), ("timestamp",))
    is_reference = is_due and (is_moment or slot.kind in ("code", "title", "person", "email"))
    return is_reference and not words.isdisjoint(gloss(tool).object_stems)


_SHORT = 60
"""Characters of a description that only says what the parameter is."""

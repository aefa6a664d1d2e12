"""The gloss of a tool: a verb and a short object in everyday words.

    "Approve a request for in-house training. For courses taught by ..."
        verb    approve
        chunks  a request | for in-house training

It is read from the first clause of the description where that is a verb and a clean object, else from the name, else
from method and path. What an object may be is decided in `lang.phrases`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

import msgspec

from callwright.lang.english import (
    act_of,
    any_verb,
    base_verb,
    in_two_words,
    is_adjective,
    is_countable,
    is_noun,
    is_plural,
    past_of,
    plural,
    singular,
    ways_to_say,
)
from callwright.lang.lexicon import word_set
from callwright.lang.phrases import (
    indefinite,
    is_finite,
    is_known,
    is_noun_phrase,
    is_opaque,
    is_participle,
    parts_of_type,
    with_capitals,
    words_of_name,
)
from callwright.lang.tokens import STOP_WORDS, content_stems, identifier_words, stem, words
from callwright.lang.verbs_of_acts import CHANGES, CHECKS, CREATES, LOOKS, LOOKUPS
from callwright.records.tool import Tool


class Chunk(msgspec.Struct, frozen=True, dict=True, cache_hash=True):
    """A noun phrase with the preposition before it, if any: `for` + `in-house training`."""

    preposition: str
    text: str

    @cached_property
    def said(self) -> str:
        """The phrase with its preposition."""
        return f"{self.preposition} {self.text}" if self.preposition else self.text

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of the content words."""
        return frozenset(content_stems(self.text))


class Gloss(msgspec.Struct, frozen=True, dict=True, cache_hash=True):
    """A tool in a few words."""

    verb: str
    chunks: tuple[Chunk, ...]

    @cached_property
    def act(self) -> str:
        """The verb without its particle; whole where that makes another act: `look` of `look up`, but `check in`."""
        word = self.verb.partition(" ")[0]
        return self.verb if word in _INTO else word

    @cached_property
    def object(self) -> str:
        """The object, as one phrase."""
        return " ".join(chunk.said for chunk in self.chunks)

    @cached_property
    def phrase(self) -> str:
        """Verb and object in base form: `approve a request for in-house training`."""
        return f"{self.verb or 'look up'} {self.object}".strip()

    @cached_property
    def object_stems(self) -> frozenset[str]:
        """Stems of the object's content words."""
        return frozenset().union(*(chunk.stems for chunk in self.chunks)) if self.chunks else frozenset()

    @cached_property
    def verb_stems(self) -> frozenset[str]:
        """Stems of the verb and its synonyms."""
        said = {word for way in (self.verb, *ways_to_say(self.verb)) for word in words(way)}
        telling = said - STOP_WORDS - _PARTICLES - word_set("light_verbs")
        return frozenset(stem(word) for word in telling or words(self.verb))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of verb and object."""
        return self.object_stems | self.verb_stems


class _Noun(NamedTuple):
    """A noun phrase of a clause as it stands: its preposition, its article or other determiner, and its words."""

    preposition: str
    determiner: str
    words: list[str]


class _Reading(NamedTuple):
    verb: str
    nouns: tuple[_Noun, ...]


PREPOSITIONS = word_set("prepositions")
_PARTICLES = word_set("particles")
_DETERMINERS = word_set("determiners")
_MOST_WORDS = 9
"""Most words of an object; the last phrases are left out."""


@lru_cache(maxsize=65536)
def gloss(tool: Tool) -> Gloss:
    """Return the gloss of a tool: from its description, else from its name, else from method and path.

    >>> gloss(Tool(name="x", description="Approves a request for in-house training.")).phrase
    'approve a request for in-house training'
    >>> gloss(Tool(name="x", description="Fully update invoice.")).phrase
    'update an invoice'
    >>> gloss(Tool(name="op17", source="POST /invoices/{invoice_id}/archive")).phrase
    'archive an invoice'
    >>> gloss(Tool(name="PostInvoicesInvoicePay", source="POST /v1/invoices/{invoice}/pay")).phrase
    'pay an invoice'
    >>> gloss(Tool(name="light-details", source="GET /lights/{light-id}")).phrase
    'get a light'
    """
    tool = _with_spelled_name(tool)
    named = heading(tool)
    if named and (is_of_anything(named, tool) or named.chunks[0].text.split()[-1].lower() in _EMPTY):
        named = None
    found = _first((*_described(tool), *_named(tool)), tool) or (named and _acted(named, tool.source))
    if found := found or _first(_from_path(tool), tool) or named or _first(_from_parts(tool), tool):
        return _in_number(_of_named_thing(found, tool), tool)
    said = [with_capitals(word) for word in words_of_name(tool.name) if not _VERSION.fullmatch(word)] or ["something"]
    is_act = len(said) > 1 and not _is_thing(said[0], tool)
    verb = _asked_for(base_verb(said[0]) or "", "GET") if is_act else ""
    return Gloss(verb, (Chunk("", indefinite(said[bool(verb) : _MOST_WORDS])),))


def _of_named_thing(found: Gloss, tool: Tool) -> Gloss:
    """Say the thing of name and path where the text has it in another: `getAccount` gets `a chart of accounts`."""
    first, *others = found.chunks
    if not others or others[0].preposition != "of" or not tool.source:
        return found
    head, inner = first.text.split()[-1].lower(), others[0].text.split()[-1].lower()
    named, path = ({stem(singular(word)) for word in words_of_name(text)} for text in (tool.name, tool.source))
    is_aspect = head in word_set("aspects") | _PARTICULARS | _SET_OF_THING or base_verb(head) is not None
    if is_aspect or stem(singular(head)) in named | path or stem(singular(inner)) not in named & path:
        return found
    told = [word for word in others[0].text.split()[:-1] if word not in _DETERMINERS]
    is_several = is_plural(words_of_name(tool.name)[-1])
    text = " ".join((*told, plural(singular(inner)))) if is_several else indefinite([*told, singular(inner)])
    return Gloss(found.verb, (Chunk(first.preposition, text), *others[1:]))


def _in_number(found: Gloss, tool: Tool) -> Gloss:
    """Say several of what a tool lists by name and path: `Retrieves attachment` of `GET /notes/{id}/attachments`."""
    first, *others = found.chunks
    *before, head = first.text.split()
    last, end = words_of_name(tool.name)[-1:], words_of_name(tool.source.rpartition("/")[2])[-1:]
    is_several = last == end != (head.lower(),) and singular(last[0]) == head.lower() if last and end else False
    if not is_several or not tool.source.startswith("GET ") or tool.source.endswith("}"):
        return found
    told = [word for word in before if word not in _DETERMINERS]
    return Gloss(found.verb, (Chunk(first.preposition, " ".join((*told, plural(head)))), *others))


def _first(readings: Iterable[_Reading], tool: Tool) -> Gloss | None:
    """Return the first reading that people would say."""
    method = tool.source.partition(" ")[0]
    for reading in readings:
        if (method in _WRITES and reading.verb in LOOKS) or _is_vague(reading, tool):
            continue
        is_told = bool(reading.nouns and reading.nouns[0].determiner)  # `Locks a door`
        verb = "" if not is_told and _is_thing(reading.verb, tool) else _asked_for(reading.verb, method)
        if verb and _is_clean(verb, reading.nouns, tool):
            found = _worded(verb, reading.nouns, tool)
            if found.chunks and not is_of_anything(found, tool):
                return found
    return None


def is_of_anything(found: Gloss, tool: Tool) -> bool:
    """Whether an object is only what could be of anything, and nothing of which it is: `details`, `a list`.

    Where an address has several of them (`/lists`), they are things of the service.
    """
    said = [word.lower() for chunk in found.chunks for word in chunk.text.split()]
    told = [word for word in said if word not in _DETERMINERS]
    if not told or not {singular(word) for word in told} <= _OF_ANYTHING:
        return False
    return told[-1] in _TOLD or plural(singular(told[-1])) not in map(str.lower, re.split(r"\W+", tool.source))


_WRITES = frozenset(("PUT", "PATCH", "DELETE"))


def _is_vague(reading: _Reading, tool: Tool) -> bool:
    """Whether only the name tells which thing it is: `CreateHost` creates a resource that represents ..."""
    first = reading.nouns[0].words if reading.nouns else []
    is_bare = len(first) == 1 and first[0].lower() in _VAGUE and not any(noun.words for noun in reading.nouns[1:])
    return is_bare and stem(first[0].lower()) not in map(stem, words_of_name(tool.name))


_OF_ANYTHING = frozenset("info information detail details data list record result".split())
_VAGUE = frozenset("resource object entity details information".split())


def _acted(named: Gloss, source: str) -> Gloss | None:
    """Return what the heading of a write names as an act: `User registration` registers a user; None where none."""
    if source.partition(" ")[0] not in _OF_METHODS.keys() - {"GET"}:
        return None
    chunk, *others = named.chunks
    *before, head = chunk.text.split()
    before = [word for word in before if word not in _DETERMINERS]
    act = act_of(head)
    if act and before:
        return Gloss(act, (Chunk("", indefinite(before)), *others))
    if act and others and others[0].preposition == "of":
        return Gloss(act, (Chunk("", others[0].text), *others[1:]))
    return None


def _with_spelled_name(tool: Tool) -> Tool:
    """Return the tool with the capitals that its description gives its name: `getNFTOwner.` of `getnftowner2`.

    What generators add to a name is left out: `listUsersUsingGET_1`.
    """
    if tool.source and not tool.source.startswith(_HTTP):
        tool = msgspec.structs.replace(tool, source="")  # a place in a file
    name = _without_service(_without_route(_GENERATED.sub("", tool.name), tool.source), tool.service)
    own = tool.description[:80].partition(".")[0]
    is_own = own.isalnum() and own.lower() == name.lower().rstrip("0123456789")
    name = own if is_own else name
    last = identifier_words(name)[-1:]
    if len(name) >= _LONGEST_NAME and not all(map(is_known, last)):
        name = _completed(name, last[0], tool)
    return tool if name == tool.name else msgspec.structs.replace(tool, name=name)


_HTTP = ("GET ", "POST ", "PUT ", "PATCH ", "DELETE ", "HEAD ", "OPTIONS ")


def _without_route(name: str, source: str) -> str:
    """Leave out the path and the method that a framework puts behind a name: `list_apps_api_v1_app__get`.

    The route may begin before what the document calls the path, and the import may have cut the name.
    """
    method, _, path = source.partition(" ")
    route = f"{_NO_WORD.sub('_', path)}_{method.lower()}"
    for at in range(1, len(name) - _LEAST_ROUTE):
        end, is_cut = name[at:], len(name) >= _LONGEST_NAME - _MOST_TRIMMED
        if route.endswith(end) or (is_cut and end in route and end[0] == "_"):
            return name[:at]
    return name


def _without_service(name: str, service: str) -> str:
    """Leave out the service's title behind what names a thing: `ListStreets_for_Acme_Maps_API` of `Acme Maps API`."""
    end = "_for_" + "_".join(re.findall(r"[A-Za-z0-9]+", service))
    own = name[: -len(end)] if name.lower().endswith(end.lower()) else ""
    told = words_of_name(own)
    return own if len(told) > 1 or (told and is_plural(told[0])) else name


_NO_WORD = re.compile(r"\W")
_LEAST_ROUTE = 6
"""Letters of a route that stand at the end of a name."""
_MOST_TRIMMED = 4
"""Underscores that the import trims off a name that it cut."""


def _completed(name: str, last: str, tool: Tool) -> str:
    """Return a name that the import cut with its last word whole, as the path or the description has it, or without."""
    end = re.split(r"[_.:/-]", name)[-1]
    part = re.search(rf"[:/]({re.escape(end)}\w*)", tool.source, re.IGNORECASE)
    if part:
        return name[: -len(end)] + part[1]
    word = re.search(rf"\b{re.escape(last)}[a-z]+", tool.description, re.IGNORECASE) if len(last) > 3 else None
    return name[: -len(last)] + (word[0] if word else "")


_LONGEST_NAME = 64
_GENERATED = re.compile(r"(?<=\w)(?:Using(?:GET|POST|PUT|DELETE|PATCH)(?:_\d{1,3})?|_\d{1,3})$")


_TO_ADDRESS = re.compile(r"[\w -]{1,40}: ?https?://")
"""What a description calls an address: `page source: https://...` is no page source."""


@lru_cache(maxsize=65536)
def heading(tool: Tool) -> Gloss | None:
    """Return what a description begins with as a thing: `Team rankings by season`; None where that is none."""
    tokens = _MARKS.sub("", " ".join(tool.description[:200].split()))
    if _TO_ADDRESS.match(tokens) or _STAGE.match(tokens):
        return None
    said = _in_small_letters(
        re.split(r"[,;:(]|\.(?:\s|$)", tokens, maxsplit=1)[0].split(), f"{tool.name} {tool.source}"
    )
    bare = tuple(_nouns(said))
    is_own = len(said) == 1 and said[0].lower() in tool.name.lower()
    is_thing = (
        bool(bare)
        and not is_own
        and is_noun_phrase(bare[0].words)
        and not bare[0].preposition
        and not _leading_verb(said)
        and (len(said) < 2 or base_verb(said[1]) not in _OF_SERVERS)  # `endpoint returns`, `Acme provides prices`
    )
    return _worded("", bare, tool) if is_thing else None


@lru_cache(maxsize=65536)
def thing_noun(tool: Tool) -> str:
    """Return what the tool acts on, as one singular noun: `short code`; of a long one its last two words.

    >>> thing_noun(Tool(name="listShortCodes"))
    'short code'
    """
    chunks, made = gloss(tool).chunks, _MADE.match(tool.source)
    bare = [[word for word in chunk.text.split() if word.lower() not in _DETERMINERS] for chunk in chunks]
    told = bare[0] if bare else []
    is_aspect = len(told) == 1 and told[0] in _PARTICULARS
    is_aspect |= 0 < len(told) <= _FEW_WORDS and told[-1] in word_set("aspects") | _SET_OF_THING
    if len(bare) > 1 and is_aspect and chunks[1].preposition in _OWNED_BY:
        bare = bare[1:]  # `the details of a payment policy`, `the latest state of an operation`
    said = bare[0] if bare else []
    said = said[:-1] if len(said) > 1 and said[-1] in _PARTICULARS else said
    held = words_of_name(made[1]) if made and is_plural(made[1]) else ()
    if said and held and stem(singular(held[-1])) != stem(singular(said[-1].lower())) and is_noun_phrase(held):
        said = list(held)  # what is put into a collection: `POST /referrals` refers a patient
    said = said[-2:] if len(said) > _MOST_OF_THING else said
    return singular(" ".join(said)) if said and "and" not in said and "or" not in said else ""


_MOST_OF_THING = 4
_PARTICULARS = frozenset("details detail information settings demographics metadata content contents data".split())
"""Nouns of properties, which name no thing themselves."""
_SET_OF_THING = frozenset("parameters properties attributes fields".split())
_OWNED_BY = frozenset(("of", "for", "about"))
_MADE = re.compile(r"POST /(?:[^/]+/)*([A-Za-z][\w-]*)$")


# -- the description -------------------------------------------------------------------------------------------------

_MARKS = re.compile(
    r"<[^<>]{0,200}>|\]\([^()\s]{0,300}\)|\*\*|\[(?=[\w ]{1,80}\]\()|^\[[\w ]{1,20}\]|\s\([^()]{1,30}\)"
)
"""Tags of HTML, links and bold of Markdown, labels and short asides in brackets."""
_BOLD_LABEL = re.compile(r"(?<=\w) \*\*[A-Z][\w ]{1,30}: ?\*\*:?")
"""Before what a description lists: `**Output:**`."""
_OPENER = re.compile(
    r"^(?:with this (?:endpoint|method|api|function|tool),? you (?:can|may) (?!request))?"
    r"(?:(?:use )?(?:an?|the|this)\s+(?:[\w-]+ ){0,2}?"
    r"(?:endpoint|method|api|function|tool|operation|call|service|action)\s+)?"
    r"(?:(?:that|which|is|can be|you can|will|use|used)\s+){0,3}"
    r"(?:(?:to|(?:allows?|enables?|lets?|helps?)(?: you| users?|(?: \w+){0,3}? to)(?: to)?|"
    r"provides? (?:the|an) (?:ability|option|possibility) to)\s+(?=[a-z]+\s))?",
    re.IGNORECASE,
)
"""Words with which a document speaks of itself before the verb: `this endpoint allows you to`."""
_CLAUSE_END = re.compile(
    r"[,;:(){}\[\]`\"“—–]|\.(?:\s|$)|\s-\s|\s(?:that|which|who|whose|where|when|while|if|unless|because|so|via|using|"
    r"based|depending|such|including|allowing|as well|along|either|whether|how|since|according|matching|containing|"
    r"to be|to use|up to|"
    r"identified by|specified by|determined by|given (?:its|their|the|an?)|"
    r"by (?:passing|providing|specifying|its|their)|(?:with|by|from|for|matching) the (?:following|supplied)|"
    r"with the (?:given|specified|provided|specific) (?:\w+ )?(?:ids?|keys?|values|properties|parameters)|"
    r"with (?:the |an? )?(?:\w+ ){1,3}equal|"
    r"and (?=(?:releases|creates|returns|sends|starts|stops|sets|gets|removes)\b)|"
    r"(?:searching|filtered|filtering|sorted|sorting|grouped|ordered) by|you|we|they|it)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(r"[^,.;:()]{1,60}, [^,.;:()]{1,40}(?:, [^,.;:()]{1,40})*,? (?:and|or)\b", re.IGNORECASE)
"""A list of three things, of which the first clause would hold but one."""
_HINTS = frozenset(
    "specified specific given corresponding particular provided requested existing single individual certain "
    "now".split()
)
"""Words before a noun that only point to a parameter."""
_COUNTED = re.compile(
    r"^(\w+ )(?:(?:(?:an?|the|your|my|our) )?"
    r"(?:[a-z]+(?:ed|able) |full |entire |rich |wide |broad |huge |large |vast )?"
    r"(?:list|collection|array|set|range|variety|JSON)s? of(?: all| the| your| our)*) ",
    re.IGNORECASE,
)
_LIST_OF = re.compile(r"^(?:(?:an?|the) )?(?:[a-z]+(?:ed|able) |full |entire )?list of ", re.IGNORECASE)
"""A heading that names a list, with `list` as a noun."""
_EITHER = re.compile(r"\b([A-Za-z]+)(?:/[A-Za-z]+)+\b")
_AT_MOST = re.compile(
    r"\b(?:up to|at most|a maximum of) (?:\d[\d,]*|two|three|four|five|six|eight|ten|twenty|fifty|a hundred) "
    r"(?:of the )?"
)
_NUMBERED = re.compile(r"^([A-Za-z]+) (\d[\d,]{0,6}) (?=[A-Za-z])")
"""A number of things after the verb: `Retrieve 50 applications`."""
_OF_REQUEST = re.compile(
    r" (?:in|of|from) (?:the|this|an?) (?:[a-z]+ ){0,2}[A-Z][a-z]+(?:[A-Z][a-z]+)*(?:Request|Input)\b"
)
"""The message that a call is sent in: `the ids in the AcknowledgeRequest`."""
_BY_PARAMETER = re.compile(
    r" (?:associated with|identified by|specified (?:by|in|with)|given (?:by|in)|provided in) (?:the |an? |your )?"
    r"(?:[a-z]+_[a-z_]+|[a-z]+[A-Z]\w*)(?=$|[ .,;])"
)
"""A parameter by its name: `the messages associated with the ack_ids`."""
_OF_ACCOUNT = re.compile(
    r" (?:(?:created|owned|registered|associated|available|present) )?(?:by|with|for|in|from|to|of) "
    r"(?:this|your|the (?:current|specified|given|calling)|an?) (?:[A-Z]\w* ){0,3}account(?![\w-]|'s)"
)
"""Whose things they are, where no parameter says it: `from the specified Acme account`."""
_QUOTED = re.compile(r'["“”]([A-Za-z][\w -]{0,40})[.,]?["“”]')
_ANY_KIND = re.compile(r" of any (?:kind|type|sort)\b")
_SIGNED_IN = re.compile(r"(?<=\b(?:signed|logged)) in ")
_SENTENCES = 2
_PURPOSE = re.compile(
    r"(?:enter|use|specify|provide|pass|supply) (?:an?|the|your) (?:[\w-]+ ){1,3}?to ([a-z]+) ", re.IGNORECASE
)
"""What a value is given for: to `enter the page number to get the jokes` is to get them."""
_STAGE = re.compile(
    r"(?:(?:(?:Note|Beta|Alpha|Preview|Important|Warning)|[A-Z]\w{0,30}(?: [A-Z]\w{0,30}){0,2} API): ){1,4}"
)
"""What a document says of itself first: `Beta: Meter API: Deactivates a meter.`"""
_LABEL = re.compile(r"^(\w+)(?: (?:endpoint|method|API))?: (?=[A-Z])")
"""The operation's name before what it does: `badWords endpoint: Detects ...`."""
_NEXT_LABEL = re.compile(r"(?<=\w) (?=[A-Z][a-z]+[A-Z]\w+: )")
"""Before a label that follows a sentence without a full stop: `Get an item OauthScopes: READ`."""
_OF_PROTOCOL = re.compile(r"\S (?:GET|POST|PUT|PATCH|DELETE|HEAD)\b")
"""A sentence about the request and not about what is asked for: `Handle GET request for files`."""


def _without_own_name(tokens: list[str], tool: Tool) -> list[str]:
    """Leave out the operation's name before the verb: `ListArtifacts returns matching artifacts`."""
    own = tokens[0].strip(":-") if tokens else ""
    is_own = own[1:] != own[1:].lower() and own.lower() in tool.name.lower()
    return tokens[1:] if is_own and any_verb("".join(tokens[1:2]).lower()) else tokens


def _described(tool: Tool) -> Iterator[_Reading]:
    """Read the first sentences of a description: a summary, and what follows it."""
    text = _STAGE.sub("", _BOLD_LABEL.sub(". ", " ".join(tool.description[:600].split())), count=1)
    text = _EITHER.sub(r"\1", _MARKS.sub("", text))
    text = _ANY_KIND.sub("", _QUOTED.sub(r"\1", text)).replace(" all or the ", " the ")
    text = _SIGNED_IN.sub("-in ", _NEXT_LABEL.sub(". ", text))
    if not any("account" in name.lower() for name in tool.properties):
        text = _OF_ACCOUNT.sub("", text)
    text = _BY_PARAMETER.sub("", _OF_REQUEST.sub("", text))
    text = _AT_MOST.sub("", text.replace("all of the ", "all ").replace("one or more ", "one "))
    for sentence in re.split(r"(?<=\w)[.?]\s", text, maxsplit=_SENTENCES)[:_SENTENCES]:
        label = _LABEL.match(sentence)
        is_labelled = label and label[1].lower() in tool.name.lower()
        clause = _OPENER.sub(
            "", (sentence[label.end() :] if label and is_labelled else sentence).strip(" .*#"), count=1
        )
        if (meant := _PURPOSE.match(clause)) and base_verb(meant[1]) == meant[1]:
            clause = clause[meant.start(1) :]
        end = _CLAUSE_END.search(clause)
        listed = end is not None and end[0].startswith(",") and _LISTED.match(clause) is not None
        clause = _LIST_OF.sub("List several ", clause)
        clause = _NUMBERED.sub(lambda found: f"{found[1]} {'a' if found[2] == '1' else 'several'} ", clause)
        clause = _COUNTED.sub(r"\1several ", _CLAUSE_END.split(clause, maxsplit=1)[0])
        if _OF_PROTOCOL.search(clause):
            continue
        tokens = _without_parameters(_without_own_name(clause.split(), tool), tool)
        reading = _clause(_in_small_letters(tokens, f"{tool.name} {tool.source}"))
        if reading and not listed:
            yield reading
        elif reading and len(reading.nouns) > 1:
            yield reading._replace(nouns=reading.nouns[:-1])  # what is listed is left out


def _without_parameters(tokens: list[str], tool: Tool) -> list[str]:
    """Leave out names of parameters after what they are: `a search on document docId`."""
    small_words = PREPOSITIONS | _DETERMINERS
    return [
        token
        for place, token in enumerate(tokens)
        if (token.islower() and "_" not in token)
        or token not in tool.properties
        or not place
        or tokens[place - 1] in small_words
    ]


def _in_small_letters(tokens: list[str], name: str) -> list[str]:
    """Return the words, with small letters where capitals are those of a heading or of a single common noun.

    Words such as `AlphaSender` whose parts the tool's name or path has too are split; others may be names of products.
    """
    known = frozenset(map(stem, (*identifier_words(name), *words_of_name(name))))
    titled = [token[0].isupper() for token in tokens]
    small_words = PREPOSITIONS | (_DETERMINERS - {"new"}) | {"and", "or"}  # a heading has `New`
    is_heading = len(tokens) > 1 and all(
        t or token.lower() in small_words for t, token in zip(titled, tokens, strict=True)
    )
    said: list[str] = []
    for place, token in enumerate(tokens):
        if place and token.lower() == tokens[place - 1].lower():
            continue
        before = tokens[place - 1].lower() if place else ""
        follows_small = before in _DETERMINERS | {"new"} or (is_heading and len(tokens) == 2)
        alone = follows_small and not any(titled[place + 1 : place + 2])
        goes_on = any(titled[place + 1 : place + 2]) and stem(tokens[place + 1].lower()) not in known
        alone |= stem(token.lower()) in known and is_known(token.lower()) and said[-1:] == [before] and not goes_on
        is_own = _POSSESSIVE.search(token) or (is_heading and len(tokens) > 2) or not place
        then = "".join(tokens[place + 1 : place + 2])
        is_product = not is_heading and then[:1].isupper() and then.lower() not in _GENERAL  # `OpenSearch Serverless`
        parts = identifier_words(token) if "_" in token else [] if is_product else parts_of_type(token, known)
        if parts:
            said += parts
        else:
            said.append(token.lower() if _is_titled(token) and (is_own or alone) else token)
    return said


_POSSESSIVE = re.compile(r"['’]s?$")
_GENERAL = frozenset("resource resources object objects entity entities type types id ids".split())
"""Nouns that stand in capitals behind any type's name: `AlphaSender Resource`."""


def _is_titled(token: str) -> bool:
    return token[0].isupper() and token[1:] == token[1:].lower()


def _clause(tokens: list[str]) -> _Reading | None:
    """Read a verb and its object off a clause; None where it does not begin with a verb."""
    while tokens and _is_adverb(tokens[0]) and len(tokens) > 1:
        tokens = tokens[1:]
    verb, rest = _leading_verb(tokens), tokens[1:]
    if not verb:
        return None
    if len(rest) > 3 and rest[0] in ("for", "through") and rest[1] in ("and", "or") and any_verb(rest[2]):
        verb, rest = any_verb(rest[2]) or verb, rest[3:]  # `search for and retrieve orders`
    if len(rest) > 1 and rest[0].lower() in ("and", "or") and any_verb(rest[1]):
        verb = "toggle" if {verb, any_verb(rest[1])} in _OPPOSITES else verb
        rest = rest[2:]  # "Create or update X": the first verb stands for both
    if [word.lower() for word in rest[:1]] in (["me"], ["us"]):
        rest = rest[1:]  # `Show me orders`
    rest = _first_act(rest)
    if len(rest) > 3 and verb in _SWITCHES and [word.lower() for word in rest[-3:]] == ["on", "or", "off"]:
        return _Reading("toggle", tuple(_owned(_nouns(rest[:-3]))))
    follows = rest[1].lower() if len(rest) > 1 else ""
    if (
        rest
        and rest[0].lower() in _PARTICLES
        and (follows in _DETERMINERS or verb in _PHRASAL or rest[0].lower() in ("up", "out", "off"))
        and (rest[0] != "in" or verb in _INTO)
    ):
        verb, rest = f"{verb} {rest[0].lower()}", rest[1:]
    return _of_information(_of_list(_performed(_Reading(verb, tuple(_owned(_nouns(rest)))))))


def _of_information(reading: _Reading) -> _Reading:
    """Return what a list tells of: `list locations` for `list information about the supported locations`."""
    first, *others = reading.nouns or (None,)
    if reading.verb != "list" or first is None or first.words != ["information"] or not others:
        return reading
    about = others[0]
    is_about = about.preposition in ("about", "on", "of", "for") and is_plural(" ".join(about.words))
    return reading._replace(nouns=(about._replace(preposition=""), *others[1:])) if is_about else reading


def _of_list(reading: _Reading) -> _Reading:
    """Return what is listed where a list is looked up: `list trades` for `get trades list`."""
    first, *others = reading.nouns or (None,)
    if (
        first is None
        or reading.verb not in LOOKS
        or first.words[-1:] != ["list"]
        or not is_plural(" ".join(first.words[:-1]))
    ):
        return reading
    return _Reading("list", (first._replace(determiner="several", words=first.words[:-1]), *others))


def _first_act(tokens: list[str]) -> list[str]:
    """Leave out a second act: `a token and associates it with the user`."""
    for place, token in enumerate(tokens[:-1], 1):
        after = tokens[place + 1].lower() if place + 1 < len(tokens) else ""
        act = any_verb(tokens[place]) if token.lower() == "and" else None
        is_last = not after and act != tokens[place] and place > 1 and not is_plural(tokens[place - 2])
        is_sure = act is not None and act != tokens[place] and not is_noun(act)  # `initializes`, not `groups`
        if act and (is_last or is_sure or after in _DETERMINERS | {"it", "them"}):
            return tokens[: place - 1]
    return tokens


_PERFORMS = frozenset("perform execute run do make conduct".split())


def _performed(reading: _Reading) -> _Reading:
    """Return the act itself where it stands as a noun: `search for users` for `perform a search for users`."""
    first, *others = reading.nouns or (None,)
    act = first.words[-1].lower() if first and first.words and not first.preposition else ""
    verb = act if base_verb(act) == act else act_of(act)
    if reading.verb not in _PERFORMS or first is None or not verb:
        return reading
    if first.words[:-1]:
        return _Reading(verb, (first._replace(determiner="several", words=first.words[:-1]), *others))
    if others and others[0] is not None and others[0].preposition in ("of", "for"):
        return _Reading(verb, tuple(noun for noun in (others[0]._replace(preposition=""), *others[1:]) if noun))
    return reading


def _owned(nouns: Iterable[_Noun]) -> Iterator[_Noun]:
    """Put what something belongs to behind it: `the top tracks of an artist` for `an artist's top tracks`.

    An owner that no dictionary has is the name of the service, which goes without saying.
    """
    for noun in nouns:
        at = next((at for at, word in enumerate(noun.words, 1) if word.endswith(("'s", "’s"))), 0)
        owner, thing = noun.words[:at], noun.words[at:]
        if owner and thing and all(map(str.islower, owner)):
            yield noun._replace(determiner="the", words=thing)
            if len(owner) > 1 or is_known(owner[0][:-2]):
                yield _Noun("of", "a", [*owner[:-1], owner[-1][:-2]])
        else:
            yield noun


_PHRASAL = frozenset("turn switch shut log sign opt roll look set back check clean".split())


_OPPOSITES = ({"enable", "disable"}, {"activate", "deactivate"}, {"mute", "unmute"})
_SWITCHES = frozenset(("turn", "switch", "toggle"))
_INTO = frozenset("check sign log clock".split())
"""Verbs to which `in` belongs."""


def _is_adverb(word: str) -> bool:
    return word.lower().endswith("ly") and not is_noun(word) and not any_verb(word)


def _leading_verb(tokens: Sequence[str]) -> str:
    """Return the verb that a clause begins with; a word that is a noun too needs to look like one here."""
    if len(tokens) < 2 or tokens[0] in _NO_VERBS:
        return ""
    first, follower = tokens[0].lower(), tokens[1].lower()
    is_object = follower in _DETERMINERS | _PARTICLES or follower == "several" or is_plural(follower)
    is_object |= follower in ("and", "or") and any_verb("".join(tokens[2:3]).lower()) is not None
    if first.startswith("re-") and base_verb(first[3:]) == first[3:]:
        return first
    if is_finite(follower):
        return ""  # `Image contains text`
    if follower not in _PARTICLES and first + follower in word_set("known"):
        return ""  # `End point searches`
    verb = base_verb(first) or any_verb(first) or (past_of(first) if follower in _DETERMINERS else "")
    if not verb and follower in _DETERMINERS and first.isalpha() and not is_known(first):
        return first  # a verb that the dictionary lacks
    if not verb or follower == "of" or first.endswith("ing"):
        return ""
    if base_verb(first) or follower in _DETERMINERS - ({"new"} if is_adjective(first) else set()) | {"up"}:
        return verb  # also `Back up a database`
    return "" if is_adjective(first) or (is_noun(first) and not is_object) else verb


_NO_VERBS = frozenset("please note see given Given".split())
_PLACED = PREPOSITIONS | {"as"}


def _nouns(tokens: list[str]) -> Iterator[_Noun]:
    """Split an object at its prepositions; it ends where a clause begins: `workspaces a channel is connected to`."""
    preposition, determiner, found, is_alternative = "", "", list[str](), False
    for place, token in enumerate(tokens):
        is_alternative &= token.lower() not in _PLACED
        if is_alternative:
            continue
        word, after = token.lower(), tokens[place + 1] if place + 1 < len(tokens) else ""
        if word == "of" and len(found) == 1 and found[0].lower() in _AMOUNTS:
            determiner, found = "several", []
            continue
        if word in _PLACED and (found or not (preposition or determiner)):
            if word == "to" and found and base_verb(after) == after and not is_noun(after):
                break  # a purpose
            is_led = (
                len(found) > 1
                and found[-1].islower()
                and (_leads(found[-1]) or (is_adjective(found[-1]) and is_plural(found[-2])))
            )
            led = found.pop() + " " if is_led else ""
            if found:
                yield _Noun(preposition, determiner, _first_of_two(found))
            preposition, determiner, found = led + word, "", []
        elif word == "new" and preposition and not found:
            found.append(token)  # what an act makes is new, what it is for need not be: `for a new baby`
        elif word in _DETERMINERS | {"several"} and not found:
            determiner = determiner or word
        elif word == "the" and found[-1:] == ["or"] and len(found) > 1:
            found, is_alternative = found[:-1], True  # `the model view or the instance view of a machine`
        elif word in _DETERMINERS and (found[-1] not in ("and", "or") or word not in ("a", "an")):
            found = found[: found.index("and")] if "and" in found else found
            if found[-1:] and found[-1].endswith("ing") and any_verb(found[-1]):
                found.pop()  # `the client making the request`
            break
        elif word in _HINTS:
            determiner = "a" if determiner == "the" else determiner
        elif word in _DETERMINERS | {"own"} or _VERSION.fullmatch(word):
            continue
        elif not _is_adverb(word) or _leads(after):
            found.append(token)
    yield _Noun(preposition, determiner, _first_of_two(found[:-1] if found[-1:] in (["and"], ["or"]) else found))


_AMOUNTS = frozenset("variety multitude plethora".split())
"""Words that say no more than that there are several: `a variety of events`."""


def _first_of_two(found: list[str]) -> list[str]:
    """Keep the first of two things, and neither of two kinds: `message` of `message or file`."""
    if "or" not in found[1:]:
        return found
    before, after = found[: found.index("or", 1)], found[found.index("or", 1) + 1 :]
    is_kind = len(after) > 1 and is_adjective(before[-1].lower()) and is_adjective(after[0].lower())
    return [*before[:-1], *after[1:]] if is_kind else before


def _leads(word: str) -> bool:
    """Whether a word after a noun belongs to the preposition that follows: `linked to`, `exempt from`."""
    return (is_participle(word) or (is_adjective(word) and not is_noun(word))) and word not in _PARTICLES


# -- the name, and method and path -----------------------------------------------------------------------------------

_VERSION = re.compile(r"v\d+(?:p\d+)?(?:(?:alpha|beta)\d*)?")
_LAST = LOOKUPS | CHANGES
"""Verbs that are nouns too, and yet are verbs at the end of a name: `pages_list`, not `pull_request`."""
_OF_METHODS = {"GET": "get", "POST": "create", "PUT": "update", "PATCH": "update", "DELETE": "delete"}


def _named(tool: Tool) -> Iterator[_Reading]:
    """Read the name: `createShortCode`, `pins_remove`, `post_files_id_copy`."""
    method = tool.source.partition(" ")[0]
    parts = [
        [word for word in words_of_name(part) if not _VERSION.fullmatch(word)] for part in re.split(r"[._/]", tool.name)
    ]
    parts = [part[:-1] if part[-1:] in (["api"], ["controller"]) else part for part in parts]
    parts = [part[1:] if part[0] in _WAYS and part[1:] and _is_verb(part[1]) else part for part in parts if part]
    is_action = len(parts) == _METHOD_AND_ACT and parts[0] == [method.lower()] and len(parts[1]) > 1
    parts = parts[1:] if is_action and base_verb(parts[1][0]) == parts[1][0] else parts  # `GET_CreateUserGroup`
    whole = [word for part in parts for word in part]
    if len(whole) < 2 or parts[0] == [method.lower()] or is_opaque(whole) or _spells_path(whole, tool.source):
        return
    places = [place for place, part in enumerate(parts) if _is_verb(part[0]) and not _is_thing(part[0], tool)]
    places = [at for at in places if method or not at or not is_noun(parts[at][0]) or parts[at][0] in _LAST | CREATES]
    if places:
        is_last = places[-1] == len(parts) - 1 and (len(parts[-1]) > 1 or not is_noun(parts[-1][0]))
        place = places[-1] if is_last else places[0]
        verb, said = parts[place][0], [*parts[place][1:], *(word for part in parts[place + 1 :] for word in part)]
        said = said[2:] if said[:1] == ["or"] and base_verb("".join(said[1:2])) else said
        said, is_many = said or parts[place - 1], bool(said) and verb != "create" and not tool.source.endswith("}")
    elif base_verb(whole[-1]) == whole[-1] and (whole[-1] in _LAST or not is_noun(whole[-1])):
        verb, said, is_many = whole[-1], whole[:-1], False
    elif whole[-1] == "lookup":
        verb, said, is_many = "get", whole[:-1], False
    else:
        return
    verb = "update" if verb == "put" else verb
    said = said[: said.index("by", 1)] if "by" in said[1:] else said
    yield _of_words(verb, said if is_many or verb in ("list", "search") else singular(" ".join(said)).split())


_METHOD_AND_ACT = 2
_WAYS = frozenset("admin async batch bulk".split())
"""First words of names that say who does something or how: `AdminUpdateUserAttributes`."""


def _spells_path(whole: Sequence[str], source: str) -> bool:
    """Whether a name is the method and the path run together: `PostInvoicesInvoicePay`."""
    method, _, path = source.partition(" ")
    spelt = [
        word for part in path.split("/") for word in words_of_name(part.strip("{}")) if not _VERSION.fullmatch(word)
    ]
    return whole[0] == method.lower() and [*map(stem, whole[1:])] == [*map(stem, spelt)]


def _is_thing(word: str, tool: Tool) -> bool:
    """Whether a word that could be a verb is a noun in this operation.

    It is where the path has a parameter for it, as `light` in `/lights/{light-id}`. What is only read is not scheduled,
    opened or built, unless the name begins with that verb too: `schedule collection`, `open orders`.
    """
    method, _, path = tool.source.partition(" ")
    owners = (before for before, part in pairwise(path.split("/")) if "{" in part and "{" not in before)
    things = (found[-1] for owner in owners if (found := words_of_name(owner)))
    is_other = method == "GET" and is_noun(word) and word not in _READS | CREATES | CHANGES
    is_reading = word in LOOKUPS | CHECKS | _OF_SERVERS or (words_of_name(tool.name)[:1] == (word,) and not is_other)
    is_placed = stem(word) in map(stem, identifier_words(path)) or base_verb(word) != word
    is_doubtful = (is_noun(word) and is_placed) or is_adjective(word)
    is_held = stem(word) in map(stem, things) and word not in _PLAIN_ACTS
    named = words_of_name(tool.name)
    is_doubtful |= is_other or (LOOKUPS.issuperset(named[:1]) and word in named[1:] and word not in CREATES | CHANGES)
    is_held |= word in word_set("subjects") and len(named) > 1 and _TELLS_OF.issuperset(named[1:])
    return is_held or (method == "GET" and is_doubtful and not is_reading)


_READS = frozenset(
    "access compare count download estimate exchange export extract load ping preview query rank review sample scan "
    "test track watch".split()
)
"""Verbs that are nouns too, of what is done by reading."""
_TELLS_OF = frozenset("information details detail data status history".split())
"""Words of names that say that something is told of the thing before them: `Schedule_information`."""
_PLAIN_ACTS = frozenset("get delete update remove edit search".split())


def _is_verb(word: str) -> bool:
    """Whether a word of a name is a verb: one of the lexicon, or one that is no noun."""
    return base_verb(word) == word or (any_verb(word) == word and not is_noun(word) and not is_adjective(word))


def _of_words(verb: str, said: Sequence[str]) -> _Reading:
    said = ("current", "user") if said in (["me"], ["self"]) else said
    plain = [
        singular(word) if word in word_set("persons") and at + 1 < len(said) else word for at, word in enumerate(said)
    ]
    return _Reading(verb, tuple(_nouns(with_capitals(" ".join(plain)).split())))


def _from_path(tool: Tool) -> Iterator[_Reading]:
    """Read an operation of HTTP: `POST /notes/{id}/archive` archives a note, `GET /notes` lists notes."""
    method, _, path = tool.source.partition(" ")
    parts = [_EXTENSION.sub("", part) for part in path.replace("}:", "}/").split("/") if part and "=" not in part]
    parts = [_DOTTED.sub("", part) if _DOTTED.match(part) else part for part in parts]
    named = [list(words_of_name(part)) for part in parts if "{" not in part]
    named = [found for found in named if found and not all(map(_VERSION.fullmatch, found))]
    if method not in _OF_METHODS or not named:
        return
    if len(named) > 1 and "{" in parts[-1] and named[-1][1:] == [] and base_verb(named[-1][0]) == named[-1][0]:
        yield _of_words(named[-1][0], singular(" ".join(named[-2])).split())  # `DELETE /settings/delete/{id}`
    last, is_one = named[-1], "{" in parts[-1]
    if len(last) > 1 and not is_one and base_verb(last[0]) == last[0]:
        yield _of_words(last[0], last[1:])  # `POST /getChat`
    elif len(named) > 1 and not is_one and method != "GET" and base_verb(last[0]) == last[0]:
        yield _of_words(last[0], last[1:] or singular(" ".join(named[-2])).split())
    if len(named) > 1 and len(last) == 1 and is_adjective(last[0]):
        last = [*last, *named[-2]]  # `/rooms/free`
    elif len(named) > 1 and len(last) == 1 and last[0] in _TOLD:
        last = [*singular(" ".join(named[-2])).split(), *last]  # `/rooms/details`
    listed = method == "GET" and not is_one and is_plural(last[-1]) and last[-1] not in _TOLD
    verb = _told_verb(tool) or ("update" if method == "POST" and is_one else _OF_METHODS[method])
    is_kept = listed or last[-1] in _TOLD
    yield _of_words("list" if listed else verb, last if is_kept else singular(" ".join(last)).split())


def _from_parts(tool: Tool) -> Iterator[_Reading]:
    """Read the first word of a part of the path, the last part first: `POST /applicant_multi`."""
    method, _, path = tool.source.partition(" ")
    for part in reversed(path.split("/")):
        words_of_part = words_of_name(part)[:1] if _PLAIN_PART.fullmatch(part) else ()
        if words_of_part and is_known(words_of_part[0]):
            yield _Reading(_OF_METHODS.get(method, "get"), (_Noun("", "a", [singular(words_of_part[0])]),))
            if method != "GET":
                return  # what is written is what stands last, and nothing around it


_PLAIN_PART = re.compile(r"[\w.-]+")
_DOTTED = re.compile(r"^[a-zA-Z][\w-]*\.(?=(?:get|list|create|update|delete|find|search|download|add|remove)[A-Z_-])")
"""The service before an operation in a path: `/rest_services.get_map`."""
_EXTENSION = re.compile(r"\.(?:[a-z]{2,5}|\{\w+\})$")


def _told_verb(tool: Tool) -> str:
    """Return the verb that a description begins with where the rest of it cannot be read."""
    tokens = _OPENER.sub("", tool.description[:200].strip(), count=1).split(maxsplit=3)
    verb = _leading_verb(tokens) if len(tokens) > 2 else ""
    is_sure = base_verb(verb) == verb and (verb in _OF_SERVERS | LOOKS or not is_noun(tokens[0].lower()))
    return _asked_for(verb, "" if tool.source.startswith(("GET ", "POST ")) else "PUT") if verb and is_sure else ""


# -- what is said ----------------------------------------------------------------------------------------------------

_OF_SERVERS = frozenset(
    "return provide show display give output expose respond produce serve allow handle contain include "
    "represent".split()
)
"""Verbs of a server's act; whoever asks it looks something up."""


def _asked_for(verb: str, method: str) -> str:
    """Return the verb from the user's point of view; empty where the document's tells nothing."""
    if verb in _NO_ACTS:
        return ""
    if verb == "patch" or (verb == "put" and method == "PUT"):
        return "update"
    if verb == "access" and method in ("GET", ""):
        return "get"
    if verb not in _OF_SERVERS or (verb == "give" and method != "GET"):
        return verb  # access is given to somebody
    return "get" if method in ("GET", "") or verb in ("show", "display") else ""


_NO_ACTS = frozenset("accept avoid belong cause contact enter expect require".split())
"""Verbs of documents that no request has: `to avoid double counting`, `this endpoint expects a file`."""


def _is_clean(verb: str, nouns: Sequence[_Noun], tool: Tool) -> bool:
    """Whether the object begins with a clean noun phrase, or the verb takes a preposition: `search for invoices`."""
    if not nouns or not _is_sound(nouns[0]):
        return False
    head = nouns[0].words[-1].lower() if nouns[0].words else ""
    if head in _EMPTY and stem(head) not in map(stem, identifier_words(tool.source.partition(" ")[2])):
        return False
    return not nouns[0].preposition or verb in _TAKES_PREPOSITION


def _is_sound(noun: _Noun) -> bool:
    """Whether a phrase is clean; after an article any word of the dictionary is a noun: `a like`."""
    is_one = len(noun.words) == 1 and noun.determiner in ("a", "an", "the", "this") and noun.words[0].isalpha()
    return is_noun_phrase(noun.words) or (is_one and any_verb(noun.words[0]) is not None)


_EMPTY = frozenset("endpoint endpoints webservice ability opportunity way".split())
"""What a document calls itself, and nouns that say nothing without the clause that follows."""
_TAKES_PREPOSITION = frozenset("search look wait subscribe listen reply vote".split())


def _worded(verb: str, nouns: Sequence[_Noun], tool: Tool) -> Gloss:
    verb = "look up" if verb == "lookup" else verb
    verb = "get" if verb == "give" and nouns[0].words[-1:] and nouns[0].words[-1].lower() in _TOLD else verb
    nouns = (_without_resource(nouns[0]), *nouns[1:])
    verb, nouns = _listing(verb, nouns[0], tool), (_of_one(nouns[0], tool), *nouns[1:])
    named = frozenset(stem(word) for name in tool.required if "of" not in name for word in identifier_words(name))
    is_heading = not any(noun.determiner for noun in nouns[:2])
    chunks: list[Chunk] = []
    is_cut = False
    for place, noun in enumerate(nouns):
        last = "".join(noun.words[-1:]).lower()
        ends_in_id = last in _IDS or (last in ("name", "names") and noun.preposition in ("for", "with", "at"))
        if verb not in LOOKS and noun.preposition == "with" and last in _VALUES and len(noun.words) <= _FEW_WORDS:
            break  # `with new details`
        is_told = ends_in_id and chunks and chunks[0].stems.issuperset(content_stems(" ".join(noun.words[:-1])))
        if place and ends_in_id and (is_told or noun.preposition in ("by", "with") or len(noun.words) == 1):
            break
        if place and ends_in_id and noun.words[-2].islower() and not is_adjective(noun.words[-2]):
            noun = noun._replace(words=noun.words[:-1])  # `details of a judge` for `details for a judge ID`
        by_means = noun.determiner or is_plural(" ".join(noun.words)) or "".join(noun.words[-1:]).endswith("ing")
        if noun.preposition == "by" and by_means:
            break  # by whom, or by what means
        is_state = noun.preposition in ("to", "as") and len(noun.words) == 1 and _leads(noun.words[0])
        is_state |= noun.preposition == "as" and len(noun.words) == 1 and noun.words[0] in _STATES_SET
        short = sum(len(chunk.said.split()) for chunk in chunks) + len(noun.words) < _MOST_WORDS
        is_cut = not short or not (is_state or _is_sound(noun))
        if is_cut:
            break
        found = noun.words
        goes_on = len(found) > 1 and found[-1].endswith("ing") and is_plural(found[-2])  # `deals closing`
        if goes_on or (len(found) > 1 and is_participle(found[-1].lower())):
            chunks.append(_chunk(noun._replace(words=found[:-1]), "" if place else verb, is_fixed=False))
            break
        is_own = stem(noun.words[-1].lower()) in named
        is_fixed = place > 0 and not (noun.determiner or is_own) and (noun.preposition == "of" or not is_heading)
        is_fixed |= noun.preposition == "by" or (place > 0 and noun.words[0].istitle() and not noun.determiner)
        chunks.append(
            Chunk(noun.preposition, found[0]) if is_state else _chunk(noun, "" if place else verb, is_fixed=is_fixed)
        )
    if len(chunks) > 1 and ((is_cut and chunks[-1].text.endswith(_HOLDERS)) or _is_half(chunks[-1], chunks[0])):
        chunks.pop()
    return Gloss(in_two_words(verb), tuple(chunks))


_TOLD = frozenset("info information details data".split())
"""What a service gives who is asked for it."""
_FEW_WORDS = 2
_IDS = frozenset("id ids sid uid key arn arns uuid guid".split())
_VALUES = frozenset("value values settings details properties attributes parameters options data".split())
_STATES_SET = frozenset("read unread done complete spam".split())
"""States that things are marked as; as nouns they would take an article."""
_HOLDERS = (" list", " set", " number", " collection", " range")
"""What a phrase ends in of which the rest was left out."""


def _without_resource(noun: _Noun) -> _Noun:
    """Leave out what says only that it is a thing: `web service` of `web service resource`."""
    *named, last = noun.words or [""]
    is_said = singular(last.lower()) == "resource" and named and named[-1].islower() and named != ["web"]
    if not is_said or not is_noun_phrase(named) or not is_noun(named[-1]) or is_adjective(named[-1]):
        return noun
    return noun._replace(words=plural(" ".join(named)).split() if is_plural(last.lower()) else named)


def _is_half(chunk: Chunk, first: Chunk) -> bool:
    """Whether a last phrase lacks something: the other of two things (`between an activity`), the noun of an adjective
    (`to a private`), or any word beside those of the first (`change an invoice status to a status`)."""
    article, _, word = chunk.text.partition(" ")
    if chunk.preposition == "between":
        return " and " not in chunk.text and not is_plural(chunk.text)
    is_bare = article in ("a", "an") and is_adjective(word) and word not in word_set("persons")
    return is_bare or (chunk.preposition == "to" and bool(chunk.stems) and chunk.stems <= first.stems)


def _of_one(noun: _Noun, tool: Tool) -> _Noun:
    """Return the object in the singular where the path ends in its identifier: `Get Consents` of `/consents/{id}`."""
    held = _OF_ITEM.search(tool.source)
    kind = words_of_name(held[1])[-1:] if held and not noun.determiner else ()
    is_same = kind and noun.words and stem(kind[0]) == stem(noun.words[-1].lower())
    return noun._replace(words=singular(" ".join(noun.words)).split()) if is_same else noun


_OF_ITEM = re.compile(r"(?<![\w-])([\w-]+)/\{\w*[iI][dD]\}$")


def _chunk(noun: _Noun, verb: str, *, is_fixed: bool) -> Chunk:
    """Return the phrase with the article that its number wants; `verb` is that of the first phrase.

    In a fixed phrase such as `points of interest` a noun has none.
    """
    text = with_capitals(" ".join(noun.words))
    is_many = noun.determiner in ("several", "all", "these", "those") or verb == "list"
    is_many |= verb == "search" and not noun.determiner and is_countable(text)
    if is_many and not is_plural(text):
        text = plural(text)
    elif not is_many and noun.determiner in ("a", "an", "one") and "and" not in noun.words:
        text = singular(text)
    if noun.determiner == "new" and not is_many:
        return Chunk(noun.preposition, indefinite(["new", *text.split()]))
    is_this = noun.determiner == "this" and noun.words[-1].lower() in _ONE_OF_A_KIND
    if (noun.determiner in ("the", "each", "every", "another") or is_this) and verb != "list":
        return Chunk(noun.preposition, f"{noun.determiner} {text}")
    is_name = not noun.determiner and len(noun.words) > 1 and all(map(str.istitle, noun.words))
    if is_many or is_fixed or is_name:
        return Chunk(noun.preposition, text)
    return Chunk(noun.preposition, indefinite(text.split()))


_ONE_OF_A_KIND = frozenset("service server api application app account system platform".split())
"""What `this` may mean without anything that was said before; any other is one of many."""


def _listing(verb: str, noun: _Noun, tool: Tool) -> str:
    """Tell `list` from `get`, which documents mix, by the number of the object and by the path."""
    if verb not in LOOKS or verb == "look":
        return verb
    is_one = tool.source.endswith("}") or not is_plural(noun.words[-1])
    if verb == "list":
        return "get" if is_one and noun.determiner not in ("several", "all") and tool.source.endswith("}") else verb
    last = words_of_name(tool.source.rstrip("/").rpartition("/")[2])[-1:]
    is_collection = tool.source.startswith("GET ") and last and stem(last[0]) == stem(noun.words[-1].lower())
    if noun.words[-1].lower() in word_set("always_plural"):
        return verb
    return "list" if noun.determiner in ("several", "all") or (is_collection and not is_one) else verb


@lru_cache(maxsize=65536)
def kept(chunk: Chunk, allowed: frozenset[str]) -> str:
    """Return the chunk's phrase with only the allowed words left, or nothing where its head noun is not allowed.

    >>> kept(Chunk("for", "an in-house request"), frozenset({"request"}))
    'a request'
    """
    first, *rest = chunk.text.split()
    determiner, body = (first, rest) if first in _DETERMINERS and rest else ("", [first, *rest])
    if not set(content_stems(body[-1])) <= allowed:
        return ""
    left = [word for word in body if set(content_stems(word)) <= allowed and word not in ("a", "an", "the")]
    while left and left[0] in ("and", "or", "&"):
        left = left[1:]
    if not left:
        return ""
    if len(left) == len(body) and (determiner in ("", "a", "an", "the") or determiner in allowed):
        return chunk.text
    text = " ".join(left)
    return f"the {text}" if determiner == "the" else indefinite(left)

"""The act that the first sentences of a description tell: `This endpoint allows you to approve a request`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from callwright.catalog.chunks import DETERMINERS, PREPOSITIONS
from callwright.catalog.clause_nouns import ActReading
from callwright.catalog.clauses import read_clause
from callwright.catalog.small_letters import in_small_letters
from callwright.lang.english import any_verb, base_verb
from callwright.records.tool import Tool

MARKS = re.compile(r"<[^<>]{0,200}>|\]\([^()\s]{0,300}\)|\*\*|\[(?=[\w ]{1,80}\]\()|^\[[\w ]{1,20}\]|\s\([^()]{1,30}\)")
"""Tags of HTML, links and bold of Markdown, labels and short asides in brackets."""
_BOLD_LABEL = re.compile(r"(?<=\w) \*\*[A-Z][\w ]{1,30}: ?\*\*:?")
"""Before what a description lists: `**Output:**`."""
OPENER = re.compile(
    r"^(?:with this (?:endpoint|method|api|function|tool),? you (?:can|may) (?!request))?"
    r"(?:(?:use )?(?:an?|the|this)\s+(?:[\w-]+ ){0,2}?"
    r"(?:end ?point|method|api|function|tool|operation|call|service|action|resource|mutation|query)\s+)?"
    r"(?:(?:that|which|is|can be|you can|will|use|used)\s+){0,3}"
    r"(?:(?:to|(?:allows?|enables?|lets?|helps?)(?: you| users?|(?: \w+){0,3}? to)(?: to)?|"
    r"provides? (?:the|an) (?:ability|option|possibility) to)\s+(?=[a-z]+\s))?",
    re.IGNORECASE,
)
"""Words with which a document speaks of itself before the verb: `this endpoint allows you to`."""
_CLAUSE_END = re.compile(
    r"[,;:(){}\[\]`\"“—–]|\.(?:\s|$)|\s-\s|\s(?:that|which|who|whose|where|when|while|if|unless|because|so|via|using|"
    r"based|depending|such|including|allowing|as well|along|either|whether|how|since|according|matching|containing|"
    r"to be|to use|up to|as long|"
    r"given as|passed as|identified by|specified by|determined by|given (?:its|their|the|an?)|"
    r"by (?:passing|providing|specifying|its|their)|(?:with|by|from|for|matching) the (?:following|supplied)|"
    r"with the (?:given|specified|provided|specific) (?:\w+ )?(?:ids?|keys?|values|properties|parameters)|"
    r"with (?:the |an? )?(?:\w+ ){1,3}equal|"
    r"and (?=(?:releases|creates|returns|sends|starts|stops|sets|gets|removes)\b)|"
    r"(?:searching|filtered|filtering|sorted|sorting|grouped|ordered) by|you|we|they|it)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(r"[^,.;:()]{1,60}, [^,.;:()]{1,40}(?:, [^,.;:()]{1,40})*,? (?:and|or)\b", re.IGNORECASE)
"""A list of three things, of which the first clause would hold but one."""
_COUNTED = re.compile(
    r"^(\w+ )(?:(?:(?:an?|the|your|my|our) )?"
    r"(?:[a-z]+(?:ed|able) |full |entire |rich |wide |broad |huge |large |vast )?"
    r"(?:list|collection|array|set|range|variety|JSON)s? of(?: all| the| your| our)*) ",
    re.IGNORECASE,
)
_LIST_OF = re.compile(r"^(?:(?:an?|the) )?(?:[a-z]+(?:ed|able) |full |entire )?list of ", re.IGNORECASE)
"""A heading that names a list, with `list` as a noun."""
_EITHER = re.compile(r"\b([A-Za-z]{1,40})(?:(?:/| ?/ ?(?=[a-z]))[A-Za-z]{1,40}){1,6}\b")
"""One thing by several names: `a company/ stock`."""
_AT_MOST = re.compile(
    r"\b(?:up to|at most|a maximum of) (?:\d[\d,]*|two|three|four|five|six|eight|ten|twenty|fifty|a hundred) "
    r"(?:of the )?"
)
_NUMBERED = re.compile(r"^([A-Za-z]+) (\d[\d,]{0,6}) (?:(?:hundred|thousand|million) )?(?=[A-Za-z])")
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
STAGE = re.compile(
    r"(?:(?:(?:Note|Beta|Alpha|Preview|Important|Warning)|[A-Z]\w{0,30}(?: [A-Z]\w{0,30}){0,2} API): ){1,4}"
)
"""What a document says of itself first: `Beta: Meter API: Deactivates a meter.`"""
_LABEL = re.compile(r"^(\w+)(?: (?:endpoint|method|API))?: (?=[A-Z])")
"""The operation's name before what it does: `badWords endpoint: Detects ...`."""
_NEXT_LABEL = re.compile(r"(?<=\w) (?=[A-Z][a-z]+[A-Z]\w+: )")
"""Before a label that follows a sentence without a full stop: `Get an item OauthScopes: READ`."""
_OWN_ACTS = frozenset("generates calculates lists".split())
_SUBJECT = re.compile(
    r"^(?!to )(?:(?:it|this|you|end ?points?) |(?:[\w.'’#/&-]{1,30} ){2,8}?)(?:will |can |may |to )?"
    r"(return|receive|give|provide|deliver|you get|display|show|"
    r"returns|retrieves|displays|delivers|provides|gives|gets|fetches|responds with|generates|calculates|lists|shows|"
    r"(?:allows|lets|enables|helps) (?:an? |the )?(?:users?|you) (?:to )?get)(?: you)?(?: with)? (?=[\w-]{3})",
    re.IGNORECASE,
)
"""A service and its act before what it gives: `Moon Information returns`, `this endpoint will provide you with`."""
_JOB_TO = re.compile(
    r"\b(?:creates?|starts?|submits?|queues?) (?:an? )?(?:asynchronous )?(?:jobs?|process(?:es)?) to (?=[a-z])",
    re.IGNORECASE,
)
"""How a service does what is asked: `create jobs to terminate sessions`."""
_ACCEPTS = re.compile(r"\b(?:that )?accepts? an? (?:GET|POST|PUT) request to (?=[a-z])")
_ANSWERS = re.compile(r"\b(?:responds|replies|answers) with\b")
_IN_FORMAT = re.compile(
    r" (?:in|as) (?:an? |the )?(?:JSON|XML|YAML)(?:(?: and |, ?| or |/)(?:an? )?(?:JSON|XML|YAML)){0,2}"
    r"(?: formats?)?\b",
    re.IGNORECASE,
)
"""The form of an answer, which nobody asks for."""
_ADDRESS = re.compile(r"(?: (?:from|at|on|of|to|via|for))? https?://\S{1,300}")
_COORDINATES = re.compile(
    r"\b(?:geo )?lat(?:itude)?s?(?: ?/ ?| and (?:an? |the )?| or |, ?)(?:lon|lng|long|longitude)s?(?: coordinates?)?\b",
    re.IGNORECASE,
)
"""Two parameters that together say where: people say `a location`."""
_OF_PROTOCOL = re.compile(r"\S (?:GET|POST|PUT|PATCH|DELETE|HEAD)\b")
"""A sentence about the request and not about what is asked for: `Handle GET request for files`."""


def _without_own_name(tokens: list[str], tool: Tool) -> list[str]:
    """Leave out the operation's name before the verb: `ListArtifacts returns matching artifacts`."""
    own = tokens[0].strip(":-") if tokens else ""
    is_own = own[1:] != own[1:].lower() and own.lower() in tool.name.lower()
    return tokens[1:] if is_own and any_verb("".join(tokens[1:2]).lower()) else tokens


def described_acts(tool: Tool) -> Iterator[ActReading]:
    """Read the first sentences of a description: a summary, and what follows it."""
    for sentence in re.split(r"(?<=\w)[.?]\s", _plain_text(tool), maxsplit=_SENTENCES)[:_SENTENCES]:
        reading = _act_of(sentence, tool)
        given = None if reading else _SUBJECT.match(sentence.strip(" .*#"))
        if given:
            act = given[1].lower() if given[1].lower() in _OWN_ACTS else "returns"
            reading = _act_of(f"{act} {sentence.strip(' .*#')[given.end() :]}", tool)
        if reading:
            yield reading


def _plain_text(tool: Tool) -> str:
    """Return the beginning of a description without markup, addresses, and what only a document says."""
    text = STAGE.sub("", _BOLD_LABEL.sub(". ", " ".join(tool.description[:600].split())), count=1)
    text = _ANSWERS.sub(
        "returns", _ADDRESS.sub(".", MARKS.sub("", text)).replace(" up to date ", " ").replace("\u200b", "")
    )
    text = _EITHER.sub(r"\1", _COORDINATES.sub("location", _IN_FORMAT.sub("", text)))
    text = _ANY_KIND.sub("", _QUOTED.sub(r"\1", text)).replace(" all or the ", " the ")
    text = _SIGNED_IN.sub("-in ", _NEXT_LABEL.sub(". ", _ACCEPTS.sub("", text)))
    if not any("account" in name.lower() for name in tool.properties):
        text = _OF_ACCOUNT.sub("", text)
    text = _BY_PARAMETER.sub("", _OF_REQUEST.sub("", text))
    text = _JOB_TO.sub("", text)
    return _AT_MOST.sub("", text.replace("all of the ", "all ").replace("one or more ", "one "))


def _act_of(sentence: str, tool: Tool) -> ActReading | None:
    """Read the act that a sentence begins with; None where it begins with none."""
    label = _LABEL.match(sentence)
    is_labelled = label and label[1].lower() in tool.name.lower()
    clause = OPENER.sub("", (sentence[label.end() :] if label and is_labelled else sentence).strip(" .*#"), count=1)
    if (meant := _PURPOSE.match(clause)) and base_verb(meant[1]) == meant[1]:
        clause = clause[meant.start(1) :]
    end = _CLAUSE_END.search(clause)
    listed = end is not None and end[0].startswith(",") and _LISTED.match(clause) is not None
    clause = _LIST_OF.sub("List several ", clause)
    clause = _NUMBERED.sub(lambda found: f"{found[1]} {'a' if found[2] == '1' else 'several'} ", clause)
    clause = _COUNTED.sub(r"\1several ", _CLAUSE_END.split(clause, maxsplit=1)[0])
    if _OF_PROTOCOL.search(clause):
        return None
    tokens = _without_parameters(_without_own_name(clause.split(), tool), tool)
    reading = read_clause(in_small_letters(tokens, f"{tool.name} {tool.source}"))
    if reading and listed:  # what is listed is left out
        return reading._replace(nouns=reading.nouns[:-1]) if len(reading.nouns) > 1 else None
    return reading


def _without_parameters(tokens: list[str], tool: Tool) -> list[str]:
    """Leave out names of parameters after what they are: `a search on document docId`."""
    small_words = PREPOSITIONS | DETERMINERS
    return [
        token
        for place, token in enumerate(tokens)
        if (token.islower() and "_" not in token)
        or token not in tool.properties
        or not place
        or tokens[place - 1] in small_words
    ]

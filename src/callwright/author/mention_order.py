"""The order in which a person would mention values, and what nobody gives: the form of an answer, secrets."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from callwright.author.repeated_values import repeated_in_path
from callwright.author.sent_places import is_write
from callwright.author.unstated import is_set_by_service, unsayable
from callwright.catalog.gloss import gloss
from callwright.catalog.slots import Slot, slots
from callwright.lang.kinds import ID_WORDS, Kind
from callwright.lang.name_forms import form_in
from callwright.lang.schemas import name_words
from callwright.lang.tokens import stem
from callwright.lang.verbs_of_acts import CHANGES, CREATES
from callwright.records.tool import Tool

MAKES = frozenset(("create", "insert", "register", "generate"))
"""Acts on things that have no identifier yet."""
NAMING_WORDS = frozenset("name title subject summary label topic purpose headline query q keyword value".split())
SAID_NAMES = frozenset("text message comment note reason body content".split())
"""Words of parameters that hold what somebody wants to say."""
_PLACES: dict[Kind, float] = {
    "text": 2, "title": 1.5, "date": 1, "datetime": 1, "time": 1, "money": 1, "percent": 1, "person": 1, "email": 1,
    "phone": 1, "enum": 1.2, "city": 1.5, "count": 2.5, "number": 2.5, "country": 2, "currency": 2, "language": 2,
    "year": 2, "code": 2, "list": 2.5, "other": 3, "boolean": 3.5, "url": 4,
}  # fmt: skip
"""Kinds in the order in which people think of them."""
NAMES_OF_PEOPLE = frozenset((one, "name") for one in ("first", "last", "given", "family", "full"))
"""What a person is called who is entered."""
_NAMED_STEP = re.compile(r"[^.\d][^.]*")
ENVELOPES = frozenset("data attributes body payload request input item items properties fields".split())
"""Steps of paths that hold the thing itself, not another one."""
_AMOUNTS = frozenset("amount quantity rate duration hours minutes days seats guests price".split())
_RATES = frozenset((of, "rate") for of in ("currency", "exchange", "conversion", "tax", "vat", "fx"))
"""What nobody says of a new thing before its name, date and amount."""
TELLING, LATE, SETTING, NEVER = 2.1, 6.0, 10.0, 20.0
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
def mention_rank(slot: Slot, tool: Tool) -> float:
    """Return how late a person would mention the value; `NEVER` for what nobody gives."""
    words = label_words(slot)
    named = frozenset((*words, *name_words(slot.name)))
    is_part = words[-1:] == ("body",) and len(words) > 1
    is_part |= words[-1:] == ("mask",) and not _MASKS.isdisjoint(words)
    is_part |= slot.name.startswith("$") or _OF_ANSWER.search(slot.description) is not None
    if unsayable(slot, tool) or is_set_by_service(slot, tool) or _PAGING & named or is_part or _is_of_answer(slot):
        return NEVER
    if slot.name.endswith("name") and gloss(tool).act in MAKES and form_in(slot.description):
        return NEVER  # the service puts it together
    if repeated_in_path(slot, tool):
        return NEVER
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
    elif (
        slot.kind in ("text", "title", "other", "boolean") and (NAMING_WORDS | SAID_NAMES).issuperset(words[-1:])
    ) or (is_made and slot.kind == "person" and (words[-2:] in NAMES_OF_PEOPLE or _is_own_name(words, object_))):
        place = 0.0
    elif (slot.kind in ("count", "number") and _AMOUNTS & named) or words[-1:] == ("role",):
        place = 1.0
    is_far = sum(step not in ENVELOPES for step in _NAMED_STEP.findall(slot.name)) > 2
    place -= 0.2 * (is_made and _is_own_name(words, object_))
    place += 0.3 * (len(words) > 1) + 0.7 * slot.name.count(".") + 0.8 * is_far
    is_own = slot.kind != "enum" or (gloss(tool).act in CHANGES and words[-1:] in (("type",), ("kind",)))
    is_late = (is_own and bool(_MADE & named)) or ID_WORDS.issuperset(words)
    is_late |= _CONDITIONAL.search(slot.description.lower()) is not None
    is_late |= slot.noun.text.endswith(" value") and words[-1:] != ("value",)  # its name is no phrase
    is_known = words[-1:] == ("name",) and words[:-1] in _identified(tool) and object_.isdisjoint(map(stem, words))
    is_late |= is_made and (is_known or words[-2:] in _RATES)
    is_late |= words == ("name",) and slot.name not in tool.source and _NAMED_IN_PATH.search(tool.source) is not None
    return place + LATE * is_late + SETTING * bool(_SETTINGS & named)


_NAMED_IN_PATH = re.compile(r"\{\w{1,40}Name\}$|\{\w{1,40}_name\}$")
"""The end of the path of a thing that is found by its name, which no body changes."""


def _is_own_name(words: Sequence[str], object_: Collection[str]) -> bool:
    return words[-1:] == ("name",) and len(words) > 1 and all(stem(word) in object_ for word in words[:-1])


@lru_cache(maxsize=65536)
def _identified(tool: Tool) -> frozenset[tuple[str, ...]]:
    """Return the things whose identifiers the tool takes: beside `companyId`, `companyName` tells nothing new."""
    labels = [label_words(slot) for slot in slots(tool).values() if "." not in slot.name]
    return frozenset(words[:-1] for words in labels if len(words) > 1 and ID_WORDS.issuperset(words[-1:]))


def _is_of_answer(slot: Slot) -> bool:
    """Whether it chooses the form of the answer, not its content."""
    return slot.kind == "enum" and slot.name == "alt"


def label_words(slot: Slot) -> tuple[str, ...]:
    return name_words(slot.label)

"""The content of each turn before it has words: wishes, references, results (sections 3.1 and 3.4)."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import Final, Literal

import msgspec

from callwright.author.briefs import Known, Style
from callwright.catalog.chunks import Gloss
from callwright.catalog.slots import Slot
from callwright.lang.english import is_adjective, is_noun
from callwright.records.annotations.wild_notes import Remedy
from callwright.records.jsontext import JsonText

MentionWay = Literal["said", "again", "fed", "hidden", "missing", "unsaid"]
"""How a request treats a value:

said       it says the value
again      it says that the value is that of another wish of the request
fed        the result of another wish gives the value
hidden     it leaves the value to earlier turns
missing    it lacks the value, and nothing earlier has it
unsaid     it does not speak of the value: an earlier wish is repeated
"""
WHOLE: Final = "request"
"""What an earlier request was about, where no noun tells it."""
REFERRING: Final[frozenset[MentionWay]] = frozenset(("hidden", "fed", "again"))
"""The ways that refer to a value and do not say it."""


class Reference(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a text refers to a value without saying it."""

    hiding: Literal["", "partial", "coreference", "long_range"] = ""
    """Empty for a value of the same message."""
    entity: str = ""
    """The noun referred to, in the singular: `song`."""
    ordinal: int = 0
    """Place in a list, from 1; 0 if it is in none."""
    request: int = 0
    """For a long-range reference that says so: which of the user's requests has it, from 1."""
    about: str = ""
    """For an earlier request or chat as a whole: what it was about, `invoice`."""
    obtained: bool = False
    """Whether a result has it; else the user's words."""
    is_new: bool = False
    """Whether it is what that request created."""


class Mention(msgspec.Struct, frozen=True):
    """One argument of a call, and how the text treats it."""

    known: Known
    way: MentionWay
    reference: Reference = Reference()
    words: str = ""
    """Words for the values of several wishes together; empty if the value is said alone."""


class Wish(msgspec.Struct, frozen=True, dict=True):
    """One call as a wish: the act and its arguments."""

    gloss: Gloss
    mentions: tuple[Mention, ...] = ()
    after: tuple[int, ...] = ()
    """Positions of the wishes of the same message whose results it needs."""
    another: str = ""
    """Set if a value is missing and an earlier one could be taken for it: the noun, as in "another city"."""

    def by_way(self, *ways: MentionWay) -> tuple[Mention, ...]:
        """Return the mentions that the text treats in one of these ways."""
        return tuple(mention for mention in self.mentions if mention.way in ways)

    @cached_property
    def said(self) -> tuple[Known, ...]:
        """The values that the text must say."""
        return tuple(mention.known for mention in self.by_way("said"))


class ChangedValue(msgspec.Struct, frozen=True):
    """A value that the user says, and then changes in the middle of the task."""

    first: Known
    then: Known


_NAME = re.compile(r"(?<=\w) (?:name|title|symbol|code|key|slug|number|IDs?)$")


_CODED = frozenset("zip postal area bar promo discount coupon dialling verification access".split())
"""What has no sense without the word `code`."""


@lru_cache(maxsize=65536)
def entity_of(slot: Slot) -> str:
    """Return what a value of this slot stands for: `song` for a song ID, `city` for a city's name."""
    if slot.kind in ("city", "country"):
        return slot.kind
    bare = _NAME.sub("", slot.noun.text)
    if slot.noun.text.endswith(" code") and bare.rpartition(" ")[2] in _CODED:
        return slot.noun.text
    if slot.noun.text.endswith(" key") and not is_noun(bare.rpartition(" ")[2].lower()):  # of no `subscribe`
        return slot.noun.text
    is_quality = slot.noun.text.endswith(" name") and is_adjective(bare.rpartition(" ")[2])  # of no `short`
    entity = slot.noun.entity
    if entity and is_adjective(head := entity.rpartition(" ")[2].lower()) and not is_noun(head):  # `external unique ID`
        return slot.noun.text
    return entity or (slot.noun.text if is_quality else bare)


# -- briefs of turns -------------------------------------------------------------------------------------------------


class WildAsk(msgspec.Struct, frozen=True):
    """The content of a request, from which its words are made."""

    wishes: tuple[Wish, ...]
    style: Style
    tone: str
    today: str
    position: int
    """Position of the task in the session."""
    again: Reference | None = None
    """Set if the request hides the wish itself: it repeats an earlier one with other values."""
    taken_back: Wish | None = None
    """A wish that the request asks for and withdraws."""
    after_chat: bool = False
    """Whether the task before is a chat."""
    recent: tuple[str, ...] = ()
    """The speaker's last texts, whose openings are avoided."""
    heard: str = ""
    """The turn that this one answers."""


class WildChange(msgspec.Struct, frozen=True):
    """The content of a change in the middle of a task."""

    change: ChangedValue
    style: Style
    today: str
    answers: bool
    """Whether it follows the answer to a question in the same turn."""
    recent: tuple[str, ...] = ()
    heard: str = ""


class WildChat(msgspec.Struct, frozen=True):
    """The content of a chat, question and reply."""

    topic: str
    question: str
    """A frame for the question, and one for the reply."""
    reply: str
    announced: Known | None
    """The thing that a first chat says it will be about next."""
    reference: Reference | None
    """The earlier request or chat that a later one speaks of."""
    style: Style
    tone: str
    today: str
    recent: tuple[str, ...] = ()
    heard: str = ""


class CallOutcome(msgspec.Struct, frozen=True):
    """The result of one call, as the closing text may tell it."""

    gloss: Gloss
    mentions: tuple[Mention, ...] = ()
    """The values of the call; the text may say those whose way is `said`."""
    is_done: bool = False
    """Whether the call did something; else it looked something up."""
    is_empty: bool = False
    """Whether it looked something up and found nothing."""
    is_lacking: bool = False
    """Whether the result has not the one fact that was asked for: a task's status."""
    is_echo: bool = False
    """Whether the result only repeats what the call gave, where the call was for an answer."""
    created: JsonText | None = None
    """The identifier of what it created."""
    fields: tuple[Known, ...] = ()
    """Fields of the result worth telling."""
    listed: tuple[str, ...] = ()
    """Names of the items of a list."""
    each: tuple[Known, ...] = ()
    """A field of each item, where they have no names."""
    count: int = 0
    """Number of items of a list."""
    noun: str = "result"
    """The noun for such an item, in the singular."""
    error: str = ""


class WildClosing(msgspec.Struct, frozen=True):
    """The content of a closing text."""

    outcomes: tuple[CallOutcome, ...]
    today: str
    recent: tuple[str, ...] = ()
    heard: str = ""
    remedy: Remedy | Literal[""] = ""
    """The step after a failed call; `ask`: the user has to decide."""

"""What is said in a `wild` session, before it is put into words: wishes, references to earlier content, answers."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final, Literal

import msgspec

from callwright.author.briefs import Known, Style
from callwright.catalog.gloss import Gloss
from callwright.records.annotations.wild_notes import Remedy

Way = Literal["said", "again", "fed", "chosen", "hidden", "missing", "unsaid"]
"""How a wish treats a value: says it; says it is that of another wish of this message; takes it from the result of one;
says by what several wishes' results choose it; leaves it to earlier content; lacks it; does not speak of it at all."""


REFERRING: Final[frozenset[Way]] = frozenset(("hidden", "fed", "chosen", "again"))
"""The ways in which words mean a value and do not say it."""


class Comparison(msgspec.Struct, frozen=True):
    """What makes one of several things the one that is meant."""

    field: Known
    """What is compared, with any of its values."""
    most: bool
    """Whether the greatest is meant, of days the latest."""
    among: int
    """Things compared."""

    @property
    def words(self) -> str:
        """What the one has, against the others: `the higher price`, `the most guests`, `the earlier end date`."""
        noun = self.field.slot.noun
        text = re.sub(r" in [\w ]{1,200}$", "", noun.text)  # the unit
        if noun.plural or text.startswith("number of "):
            steps = ("fewer", "more", "the fewest", "the most")
            return f"{self._of(steps)} {noun.counted if text.startswith('number of ') else text}"
        is_time = self.field.slot.kind == "date" or "year" in text
        own = next((steps for word, steps in _STEPS if word in text.split()), _STEPS[-1][1])
        return f"the {self._of(_TIMES if is_time else own)} {text}"

    def _of(self, steps: tuple[str, str, str, str]) -> str:
        return steps[2 * (self.among > 2) + self.most]


_TIMES: Final = ("earlier", "later", "earliest", "latest")
_STEPS: Final = (
    ("duration", ("shorter", "longer", "shortest", "longest")),
    ("distance", ("shorter", "longer", "shortest", "longest")),
    ("size", ("smaller", "larger", "smallest", "largest")),
    ("", ("lower", "higher", "lowest", "highest")),
)


class Reference(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a value is meant without being said."""

    hiding: Literal["", "partial", "coreference", "long_range"] = ""
    """Empty where it points into the same message."""
    entity: str = ""
    """What is pointed at, in the singular: `song`."""
    ordinal: int = 0
    """Which one of a list, from 1; 0 where it is no list."""
    request: int = 0
    """For a long-range reference: which of the user's requests holds it, from 1."""
    obtained: bool = False
    """Whether a result holds it, and not the user's words."""
    many: bool = False
    """Whether all that several wishes come to are meant."""
    chosen_by: Comparison | None = None
    """Set where results of the same message tell which one is meant."""


class Mention(msgspec.Struct, frozen=True):
    """One argument of a call, and how the text treats it."""

    known: Known
    way: Way
    reference: Reference = Reference()
    words: str = ""
    """Words for it and for what other wishes have in its place; empty where it stands alone."""


class Wish(msgspec.Struct, frozen=True, dict=True):
    """One call as a wish: what is to be done, and the arguments."""

    gloss: Gloss
    mentions: tuple[Mention, ...] = ()
    after: tuple[int, ...] = ()
    """Positions of the wishes of the same message whose results it needs."""
    another: str = ""
    """What is said to be another one than before, where a value is missing: `city`."""

    def by_way(self, *ways: Way) -> tuple[Mention, ...]:
        """Return the mentions that are treated in one of these ways."""
        return tuple(mention for mention in self.mentions if mention.way in ways)

    @cached_property
    def said(self) -> tuple[Known, ...]:
        """The values that the text must carry."""
        return tuple(mention.known for mention in self.mentions if mention.way == "said")


class Change(msgspec.Struct, frozen=True):
    """A value that is said and then changed in the middle of its task."""

    first: Known
    then: Known


class WildAsk(msgspec.Struct, frozen=True):
    """All that the wording of a request may draw on."""

    wishes: tuple[Wish, ...]
    topology: str
    style: Style
    tone: str
    today: str
    position: int
    """Position of the task in the session."""
    again: Reference | None = None
    """Set where the wish itself is hidden: the same as an earlier one, with other values."""
    taken_back: Wish | None = None
    """Asked for and withdrawn in the same breath."""
    unlike: Literal["", "single", "chat"] = ""
    """Kind of the last task, where it bears on how this one begins."""
    recent: tuple[str, ...] = ()
    persona: str = ""
    heard: str = ""
    refused: tuple[str, ...] = ()


class WildChange(msgspec.Struct, frozen=True):
    """All that the wording of a change in the middle of a task may draw on."""

    change: Change
    style: Style
    today: str
    answers: bool
    """Whether it follows the answer to a question in the same turn."""
    recent: tuple[str, ...] = ()
    persona: str = ""
    heard: str = ""
    refused: tuple[str, ...] = ()


ChatKind = Literal["topic", "needs", "gives", "choices", "able", "apart", "worth", "spare", "recall"]
"""Ask about the theme at large; what is needed for something; what comes of it; what there is to choose from; whether
it could be done; what tells two things apart; how often it is worth it; what more could be said for something that was
done; what an earlier value was."""


class WildChat(msgspec.Struct, frozen=True):
    """All that the wording of a chat, question and answer, may draw on."""

    kind: ChatKind
    glosses: tuple[Gloss, ...]
    """What the chat is about: one tool, or two to tell apart."""
    nouns: tuple[str, ...]
    """What the answer lists, in people's words: what is needed, what comes of it, what there is to choose from."""
    style: Style
    tone: str
    today: str
    others: tuple[str, ...] = ()
    """The same of the second, where two are told apart."""
    choice: str = ""
    """What there is to choose, where that is asked: `payment method`."""
    question: str = ""
    answer: str = ""
    """Set where the theme at large is talked about."""
    recalled: Mention | None = None
    reference: Reference = Reference()
    recent: tuple[str, ...] = ()
    persona: str = ""
    heard: str = ""
    refused: tuple[str, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """What one call came to, as the closing text may tell it."""

    gloss: Gloss
    verb: str
    thing: str
    """What it was about, in the singular."""
    about: str
    """Which one it was about, as people say it: `order ORD-1`; empty where nothing says so."""
    is_thing: bool = False
    """Whether that is the thing itself, and not something that it has to do with."""
    fields: tuple[Known, ...] = ()
    """Fields of the result worth telling."""
    listed: tuple[str, ...] = ()
    """Names of what a list holds."""
    error: str = ""


class WildClosing(msgspec.Struct, frozen=True):
    """All that the wording of a closing text may draw on."""

    outcomes: tuple[Outcome, ...]
    today: str
    first: bool
    recent: tuple[str, ...] = ()
    heard: str = ""
    remedy: Remedy | Literal[""] = ""
    """What was done after a call that failed; `ask`: the user has to say how to go on."""
    refused: tuple[str, ...] = ()

"""Stage 1 of the cascade, made of rules: six scores from 1 to 5, and the type that the words sound like (section 3.2).

    coherence            who is asked by name answers next
    consistency          no value or name comes from nowhere
    fluency              a turn ends with a stop, and doubles no word
    human_likeness       turns are short and are not said again
    persona_consistency  each value comes from the one who knows it
    relevance            each round speaks of its call

A score is 1 + 4 × the share of places that are as they should be.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from callwright.lang.tokens import words
from callwright.papers.dice.chat_voices import Voice, shortened, voice_in
from callwright.records.dialogue import Dialogue, Turn

ENOUGH: Final = 4.0
"""Average from which on a dialogue is kept."""
SCORES: Final = ("coherence", "consistency", "fluency", "human-likeness", "persona-consistency", "relevance")
"""The criteria by which a judge gives the six scores."""
_MOST_WORDS: Final = 40
_DOUBLED: Final = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)

_INQUIRY: Final = re.compile(
    r"\b(?:do you know|does (?:any|some)\w+|how (?:do|would|does|can)|what (?:do|does|would|is|was|else|exactly)|who "
    r"(?:knows|has|can)|according|i noted|i checked|i found|clears? (?:it|that)|"
    r"understand|question|wonder(?:ing)?|possible|allowed|known|noted|recall|remember|what(?:'s| about)|tell (?:me|us)|"
    r"new to|missing|answers|helps (?:a lot|us)|the screen|my (?:list|diary)|the calendar|i ask myself|"
    r"who (?:usually|handles|decides)|any (?:hints|ideas?|advice)|explain\w*|clear|curious|in my|"
    r"i think|seems|interesting|good to know|i see|find out|is there|where do|as far as|know more|"
    r"documented|written|in writing|records?|source|original|reliable|certain|confirmed|verif\w+|evidence|facts|"
    r"details|unclear|i looked|it says|says (?:the|my)|my (?:notes|files)|on file|copy|wondered|surprised|latest|"
    r"newest|version|doubts? (?:about|left)|who (?:noted|entered|recorded)|curious|puzzled|keen to|repeat(?:ed)?|"
    r"glad you ask|we needed|i needed|pieces|a part)\b",
    re.IGNORECASE,
)
_PERSUASION: Final = re.compile(
    r"\b(?:let's|agree[ds]?|deal|i'd (?:say|go|rather|like|agree|offer|take)|propos\w+|suggest\w*|convince\w*|if you|"
    r"in return|in exchange|promise|compromise|works for me|i'm in|a point|shall we|why not|we (?:could|should)|"
    r"how about|what if|fair enough|all right|gain|vote|count me in|live with|trust me|settle|together|"
    r"otherwise|offer\w*|gladly|sure|choose|halfway|on me|sounds right|okay|objections?|benefits?|yours|"
    r"idea|fair|reasons?|arguments?|conditions?|terms|accept\w*|support\w*|risks?|downsides?|drawbacks?|prefer|worth|"
    r"i'm with|on board|halfway|vote|has a \w+ point|pays? off|saves?|objection|you win|point taken|convincing|"
    r"persuaded|no pressure|reasonable|sensible|in my view|for my part|my (?:vote|backing)|my side|one point|doubts|"
    r"objects)\b",
    re.IGNORECASE,
)
_ERISTIC: Final = re.compile(
    r"\b(?:finally|at last|fault|never|always|excuses?|whatever|typical|enough|fuss|secretary|servant|nanny|shut up|"
    r"spare me|pathetic|ridiculous|unbelievable|jealous|yourself|yourselves|complain\w*|as if|so hard|leave me alone|"
    r"give up|suit your\w+|blame|arguing|fighting|lecture|nobody|surely|obviously|for once|liar|sulking|idiot|fool|"
    r"your (?:way|advice|jokes|words|tone)|end of story|don't (?:look|twist|argue)|impossible|hopeless|"
    r"drama|liar|lazy\w*|boss|heroes|hush|genius|refuse[ds]?|forgot|promised|swore|whine|beg|"
    r"hiding|waiting|duh|rude|regret|clueless|wake up|read my lips|spit out|hand over|cough up|a secret|even you|"
    r"as everyone|dreaming|hear this|can't you|big deal|except you|speaks|grief|stop|how typical|lovely|stalling|"
    r"what else|wish|"
    r"wrong|useless|incompetent|lies|nonsense|rubbish|as (?:always|usual|ever)|of course|clown|hypocrite|heroes?|"
    r"dream on|ruin\w*|whining|sulk|childish|arrogan\w+|insult\w*|unbearable|lazy|embarrassing|bravo|sick of|tired of|"
    r"how dare|grow up|mess(?:ed|es|ing|y)?|proud|ignore them|smartypants|no excuses|happy now|not helping|no help|"
    r"speeches|lectures|moaning|tantrums|circus|calm down|behave|never again|must you|sneer|smirk|envy|jealousy|"
    r"poor thing|showing off|painful(?:ly)?|your (?:ears|brain|face|manner|questions|work)|unlike (?:you|some))\b",
    re.IGNORECASE,
)
_CUES: Final = {
    "inquiry_information_seeking": (_INQUIRY, 1.0),
    "persuasion_deliberation_negotiation": (_PERSUASION, 1.0),
    "eristic": (_ERISTIC, 2.0),
}
"""Words of each type, and their weight: who insults does nothing else."""


def type_of(said: Sequence[str]) -> str:
    """Return the type of dialogue that utterances sound like; the first of equals.

    >>> type_of(["Let's go, what do you think?", "Deal."])
    'persuasion_deliberation_negotiation'
    >>> type_of(["Typical, it's never your fault.", "Do it yourself."])
    'eristic'
    """
    said = [shortened(text) for text in said]
    score = {name: weight * sum(len(cue.findall(text)) for text in said) for name, (cue, weight) in _CUES.items()}
    return max(score, key=lambda name: score[name])


def scores(dialogue: Dialogue, found: Counter[str]) -> dict[str, float]:
    """Return the six scores of a dialogue; `found` counts the issues that the rules of the next stage find in it."""
    turns = [turn for turn in dialogue.turns if dialogue.role(turn) == "user"]
    rounds = max(1, len(dialogue.tasks))
    texts = [turn.text for turn in turns]
    voices = {who.id: voice_in(who.persona) for who in dialogue.participants}
    shares = {
        "coherence": _answered(dialogue),
        "consistency": 1 - min(1, found["value_contradicted"] / rounds),
        "fluency": _share([_is_fluent(turn.text, voices[turn.speaker]) for turn in turns]),
        "human_likeness": (len(set(texts)) / max(1, len(texts)))
        * _share([len(words(one)) <= _MOST_WORDS for one in texts]),
        "persona_consistency": 1 - min(1, found["persona_swapped"] / rounds),
        "relevance": 1 - min(1, found["call_not_asked_for"] / rounds),
    }
    return {name: 1 + 4 * share for name, share in shares.items()}


def _share(good: Sequence[bool]) -> float:
    return sum(good) / len(good) if good else 0.0


def _is_fluent(text: str, voice: Voice | None) -> bool:
    has_end = text[-1:] in tuple('.?!"') or voice == "casual"
    return bool(text) and has_end and not _DOUBLED.search(text)


def _answered(dialogue: Dialogue) -> float:
    """The share of questions put to somebody that this one answers in the next turn."""
    asked: list[tuple[Turn, Turn]] = [
        (turn, after)
        for turn, after in pairwise(dialogue.turns)
        if turn.text.endswith("?") and called_by_name(dialogue, turn)
    ]
    return _share([after.speaker == called_by_name(dialogue, turn) for turn, after in asked]) if asked else 1.0


def called_by_name(dialogue: Dialogue, turn: Turn) -> str:
    """The id of the one person whom a turn calls by name; empty for nobody."""
    found = [
        who.id
        for who in dialogue.participants
        if who.role == "user" and who.name and re.search(rf"\b{re.escape(who.name)}\b", turn.text)
    ]
    return found[0] if len(found) == 1 else ""

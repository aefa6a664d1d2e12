"""The cascade over the finished text of a group chat, whoever wrote it, made of rules (section 3.2).

    stage 1  six scores and the type of dialogue that the words sound like (`chat_grading`)
    stage 2  refusals, rounds that do not address the assistant, and whether the talk leads to its calls
    stage 3  the 15 criteria, each answered by what the rules found; at least ten hold

Every issue of stage 2 rejects, as the paper's refusals do. A dialogue falls in the first stage that finds an issue.
What the paper says of stage 1 ("falls below 4.0 and is assigned an incorrect type") can mean that any of the two
rejects or both at once; by default any does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache
from typing import Final

from callwright.catalog.gloss import gloss
from callwright.catalog.slots import slots
from callwright.lang.kinds import Kind, kind_of, kind_of_value
from callwright.lang.surface import clear_forms, mentions
from callwright.lang.tokens import STOP_WORDS, spaced_words, stem_set
from callwright.match.schema import schema_issues
from callwright.match.values import equal
from callwright.papers.dice.chat_filter import KNOWING, known_as
from callwright.papers.dice.chat_grading import ENOUGH, called_by_name, scores, type_of
from callwright.papers.dice.chat_voices import fits, voice_in
from callwright.papers.dice.dice_options import RejectIf
from callwright.papers.dice.dice_protocol import rounds_of
from callwright.records.annotations.dice_notes import DiceNotes, DiceRound
from callwright.records.dialogue import Dialogue, Turn
from callwright.records.issue import Issue
from callwright.records.jsontext import Json, decode, encode
from callwright.records.pointer import resolve
from callwright.records.tool import Tool

STAGES: Final[dict[str, tuple[str, ...]]] = {
    "stage 1": ("low_scores", "unlike_type"),
    "stage 2": (
        "type_error",
        "unlike_gold",
        "refusal",
        "assistant_not_addressed",
        "called_while_listening",
        "function_named",
        "speakers_merged",
        "call_not_asked_for",
        "value_not_found",
        "value_contradicted",
        "result_ignored",
        "persona_swapped",
        "silent_person",
    ),
    "stage 3": ("few_criteria",),
}
REASONS: Final = tuple(reason for stage in ("stage 1", "stage 2", "stage 3") for reason in STAGES[stage])
"""What a dialogue can be rejected for, in the order of the checks."""
CRITERIA: Final[dict[str, tuple[str, ...]]] = {
    "chat-coherent": ("unlike_gold", "persona_swapped"),
    "chat-values-natural": ("value_not_found", "value_contradicted"),
    "chat-no-refusal": ("refusal",),
    "chat-tone-kept": ("unlike_type",),
    "chat-type-shown": ("unlike_type",),
    "chat-flows": ("speakers_merged", "silent_person"),
    "chat-personas-shown": ("persona_swapped", "silent_person"),
    "call-requested": ("assistant_not_addressed",),
    "call-uses-result": ("result_ignored",),
    "call-justified": ("call_not_asked_for",),
    "call-inferable": ("value_not_found", "call_not_asked_for"),
    "call-meets-goal": ("unlike_gold", "type_error"),
    "real-functions": ("type_error", "function_named"),
    "real-talk": ("low_scores", "function_named"),
    "real-inference": ("value_contradicted", "call_not_asked_for"),
}
"""The 15 criteria, each with the issues that deny it."""
LEAST: Final = 10
"""Criteria that hold in a dialogue that is kept."""

_REFUSAL: Final = re.compile(
    r"\b(?:(?:I(?:'m| am) )?(?:sorry|afraid),? (?:but )?(?:that )?I(?:'m| am)? ?(?:can|will|not|unable|do)"
    r"|I (?:can't|cannot|can not|won't|am unable to|am not able to)(?: \w+){0,2} (?:help|assist|comply|do that|do this|"
    r"fulfil|provide|process|carry)|I'm (?:unable|not able|not allowed) to|as an? (?:AI|language model|large)"
    r"|against my (?:guidelines|policy)|beyond my (?:abilities|capabilities))\b",
    re.IGNORECASE,
)
_ADDRESSED: Final = re.compile(r"\b(?:AI|assistant)\b")
_IDENTIFIER: Final = re.compile(r"\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b\w+\(\)")
_QUOTED: Final = re.compile(r'"[^"]{0,400}"')
_SENTENCES: Final = re.compile(r"[.!?](?=\s+\S)")
_ASKING: Final = 0.5
"""Share of the words of a function's name that the talk of its round must hold."""


def issues_of(dialogue: Dialogue, tools: Mapping[str, Tool], *, reject_if: RejectIf = "any") -> tuple[Issue, ...]:
    """Return what is wrong with a dialogue, in the order of the stages; `tools` by name.

    Of stage 1 nothing is, with `reject_if` all, unless scores and type both are; its criteria are denied all the same.
    """
    checks = (
        _calls,
        _refusals,
        _addressed,
        _named,
        _merged,
        _asked,
        _found,
        _contradicted,
        _corrected,
        _results,
        _swapped,
        _silent,
    )
    second = [issue for check in checks for issue in check(dialogue, tools)]
    first = list(_first_stage(dialogue, Counter(one.code for one in second)))
    codes = {one.code for one in (*first, *second)}
    denied = [name for name, reasons in CRITERIA.items() if codes.intersection(reasons)]
    third = [Issue("few_criteria", "", f"denied: {', '.join(denied)}")] if len(CRITERIA) - len(denied) < LEAST else []
    is_rejecting = reject_if == "any" or len(first) == len(STAGES["stage 1"])
    return (*(first if is_rejecting else ()), *second, *third)


def turn_issues(dialogue: Dialogue, tools: Mapping[str, Tool], *, asks: bool) -> tuple[Issue, ...]:
    """Return what is wrong with the last turn as such; one that `asks` the assistant addresses it."""
    checks = (_refusals, _named, _merged, _contradicted, _swapped)
    last = len(dialogue.turns) - 1
    found = [issue for check in checks for issue in check(dialogue, tools)]
    issues = [one for one in found if one.where.startswith(f"turns[{last}]")]
    if asks != bool(_ADDRESSED.search(dialogue.turns[last].text)):
        told = "it must call the AI by this name" if asks else "it must not speak to the AI yet"
        issues.append(Issue("assistant_not_addressed" if asks else "called_while_listening", f"turns[{last}]", told))
    return tuple(issues)


def unsaid_issues(dialogue: Dialogue, tools: Mapping[str, Tool], at: int) -> tuple[Issue, ...]:
    """Return the values of the call of round `at` that were not said yet."""
    return tuple(one for one in _found(dialogue, tools) if one.where.startswith(f"tasks[{at}]"))


def unasked_issues(dialogue: Dialogue, tools: Mapping[str, Tool], at: int) -> tuple[Issue, ...]:
    """Return why the talk of round `at` does not lead to its call."""
    return tuple(one for one in _asked(dialogue, tools) if one.where == f"tasks[{at}]")


def _first_stage(dialogue: Dialogue, found: Counter[str]) -> Iterator[Issue]:
    graded = scores(dialogue, found)
    average = sum(graded.values()) / len(graded)
    if average < ENOUGH:
        yield Issue("low_scores", "", ", ".join(f"{name} {score:.1f}" for name, score in graded.items()))
    notes = dialogue.annotation
    sounds = type_of([turn.text for _, turn in _people(dialogue) if not _ADDRESSED.search(turn.text)])
    if isinstance(notes, DiceNotes) and sounds != notes.dialogue_type:
        yield Issue("unlike_type", "", f"it sounds like {sounds}")


def _notes(dialogue: Dialogue) -> list[DiceRound]:
    notes = dialogue.annotation
    rounds = list(notes.rounds) if isinstance(notes, DiceNotes) else []
    return rounds + [DiceRound(first=0)] * (len(dialogue.tasks) - len(rounds))


def _called(dialogue: Dialogue) -> list[int]:
    """Positions of the tasks that ask for a call."""
    return [at for at, task in enumerate(dialogue.tasks) if task.gold]


def _calls(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Each gold call follows its schema, and the assistant makes it right after the request, and no other."""
    due = {}
    for at in _called(dialogue):
        task, gold = dialogue.tasks[at], dialogue.tasks[at].gold[0]
        for issue in schema_issues(encode(gold.values), tools[gold.tool]):
            yield Issue("type_error", f"tasks[{at}].gold[0]", f"{issue.path}: {issue.message}")
        turn = -1 if task.turn is None else task.turn + 1
        due[turn] = gold
        made = [(call.tool, call.values) for call in dialogue.turns[turn].calls] if turn < len(dialogue.turns) else []
        if len(made) != 1 or made[0][0] != gold.tool or not equal(dict(made[0][1]), dict(gold.values)):
            yield Issue("unlike_gold", f"turns[{turn}]", f"the call of round {at + 1} is not made here")
    for place, one in enumerate(dialogue.turns):
        if one.calls and place not in due:
            yield Issue("called_while_listening", f"turns[{place}]", "nobody asked for a call")


def _people(dialogue: Dialogue) -> Iterator[tuple[int, Turn]]:
    return ((at, turn) for at, turn in enumerate(dialogue.turns) if dialogue.role(turn) == "user")


def _refusals(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    for at, turn in enumerate(dialogue.turns):
        if _REFUSAL.search(turn.text):
            yield Issue("refusal", f"turns[{at}].text", "somebody refuses as a model does")


def _addressed(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    for at, said in enumerate(rounds_of(dialogue)):
        is_asked = bool(said) and bool(_ADDRESSED.search(said[-1].text))
        if dialogue.tasks[at].gold and not is_asked:
            yield Issue("assistant_not_addressed", f"tasks[{at}].turn", f"nobody addresses it in round {at + 1}")
        if not dialogue.tasks[at].gold and is_asked:
            yield Issue("called_while_listening", f"tasks[{at}].turn", f"round {at + 1} addresses the assistant")


def _named(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """No identifier of a tool shown is said, in any spelling; one that is a plain word, as `search`, is none."""
    names = {_bare(one.name): one.name for one in dialogue.tools if not one.name.islower() or not one.name.isalpha()}
    values = " ".join(map(str, _all_values(dialogue)))
    for at, turn in _people(dialogue):
        named = [one for one in names.values() if one in turn.text]
        spelt = [one for one in _IDENTIFIER.findall(turn.text) if one not in values]
        if found := next(iter(named), "") or next((one for one in spelt if _bare(one) in names), ""):
            yield Issue("function_named", f"turns[{at}].text", f"{found} is the name of a function")


def _bare(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _all_values(dialogue: Dialogue) -> list[Json]:
    return [value for at in _called(dialogue) for value in dialogue.tasks[at].gold[0].values.values()]


def _merged(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """A turn is one sentence of one speaker: it does not hold the words of another one."""
    known = {name for who in dialogue.participants for name in (who.id, who.name) if name}
    values = [str(value) for value in _all_values(dialogue)]
    for at, turn in _people(dialogue):
        bare = _QUOTED.sub('"', turn.text)
        for value in values:
            bare = bare.replace(value, "x")
        if name := next((name for name in known if f"{name}: " in turn.text), ""):
            yield Issue("speakers_merged", f"turns[{at}].text", f"it holds a turn of {name}")
        elif _SENTENCES.search(bare):
            yield Issue("speakers_merged", f"turns[{at}].text", "it is more than one sentence, as of two speakers")


def _asked(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """The people of a round talk of what its call does: in words of the name or of the description's first sentence."""
    rounds = rounds_of(dialogue)
    for at in _called(dialogue):
        said, tool = rounds[at], tools[dialogue.tasks[at].gold[0].tool]
        wanted = gloss(tool).object_stems or gloss(tool).stems
        stems = frozenset[str]().union(*(stem_set(turn.text) for turn in said)) if said else frozenset()
        if wanted and len(wanted & stems) < _ASKING * len(wanted):
            yield Issue("call_not_asked_for", f"tasks[{at}]", f"round {at + 1} does not talk of what its call does")


def _found(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Each value is said up to the request of its round, by people or by the assistant of an earlier result."""
    today = dialogue.day
    taken = _taken(dialogue)
    for at in _called(dialogue):
        task = dialogue.tasks[at]
        texts = [turn.text for turn in dialogue.turns[: (task.turn or 0) + 1]]
        for name, value in task.gold[0].values.items():
            schema = tools[task.gold[0].tool].properties.get(name)
            kinds = {kind_of(name, schema if isinstance(schema, dict) else {}), kind_of_value(value)}
            if name in taken[at] or any(mentions(text, value, kind, today=today) for text in texts for kind in kinds):
                continue
            yield Issue("value_not_found", f"tasks[{at}].gold[0].arguments", f"{name} is {value!r:.80}, never said")


def _contradicted(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """What people say in digits, by a name or in quotation marks is a value of a call, or was returned.

    Nothing is excused because a description says it, but where no call has a name, those in the speaker's own.
    """
    today = dialogue.day
    golds = [dialogue.tasks[at].gold[0] for at in _called(dialogue)]
    wishes = [gloss(tools[gold.tool]).phrase for gold in golds]
    nouns = [known_as(slot) for gold in golds for name, slot in slots(tools[gold.tool]).items() if name in gold.values]
    answers = [turn.text for turn in dialogue.turns if dialogue.role(turn) == "assistant"]
    told = spaced_words(" ".join((*wishes, *nouns, *answers)))
    is_named = any(_PROPER.search(f": {value}") for value in _all_values(dialogue))
    own = {one.id: "" if is_named else one.persona for one in dialogue.participants}
    known = {form.lower() for value, kind in _kinds(dialogue, tools) for form in clear_forms(value, kind, today)}
    known |= {str(value).lower() for value in _all_values(dialogue)}
    known |= {who.name.lower() for who in dialogue.participants}
    known |= {word.lower() for tool in dialogue.tools for word in _capitals(tools[tool.name]) if tool.name in tools}
    longest = sorted((one for one in known if one), key=len, reverse=True)
    within = {word for value in _all_values(dialogue) for word in spaced_words(str(value)).split()}
    is_counted = any(type(value) in (int, float) for value in _all_values(dialogue))
    is_dated = any(kind in ("date", "datetime") for _, kind in _kinds(dialogue, tools))
    together = _COUNTED.findall(_FEW)[: len(dialogue.participants) - _FIRST_FEW]
    for at, turn in _people(dialogue):
        rest = turn.text
        for form in longest:
            if form in rest.lower():  # no `ten` is left of `written` where a value is `it`
                rest = re.sub(rf"(?<!\w){re.escape(form)}(?!\w)", " ", rest, flags=re.IGNORECASE)
        strange = [one for one in _STRANGE.findall(rest.lower()) if one.strip('" ')]
        strange += _DATED.findall(rest.lower()) if is_dated else []
        strange += [one for one in _COUNTED.findall(rest.lower()) if is_counted and one not in together]
        named = [word for run in _PROPER.findall(turn.text) for word in run.split() if _is_in(word, rest)]
        named = [word for word in named if word.lower() not in within and not _is_in(word, own[turn.speaker])]
        strange += [word for word in named if is_dated or not _DATED.fullmatch(word.lower())]
        strange = [one for one in strange if spaced_words(one) not in told]
        if strange:
            yield Issue("value_contradicted", f"turns[{at}].text", f"{strange[0]!r:.60} is no value of this talk")


def _corrected(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Nobody takes back a value that was said: says that it is something else, or corrects himself or herself."""
    today = dialogue.day
    notes = _notes(dialogue)
    for at in _called(dialogue):
        tool, end = tools[dialogue.tasks[at].gold[0].tool], dialogue.tasks[at].turn or 0
        turns = [(place, turn.text) for place, turn in _people(dialogue) if notes[at].first <= place <= end]
        for name, value in dialogue.tasks[at].gold[0].values.items():
            schema, slot = tool.properties.get(name), slots(tool).get(name)
            kind = kind_of(name, schema if isinstance(schema, dict) else {})
            stated, is_said = _stating(slot.noun.text) if slot else _BACK, False
            for place, text in turns:
                if mentions(text, value, kind, today=today):
                    is_said = True
                elif is_said and not text.endswith("?") and stated.search(text):
                    yield Issue("value_contradicted", f"turns[{place}].text", f"{name} was said to be {value!r:.60}")


@lru_cache(maxsize=4096)
def _stating(noun: str) -> re.Pattern[str]:
    """A pattern of turns that say what the noun is, or that take back what was said."""
    return re.compile(
        rf"\bthe {re.escape(noun)}(?::| (?:is|was|(?:should|must|ought to) be)) (?!left|open|missing)|{_BACK.pattern}",
        re.IGNORECASE,
    )


_BACK: Final = re.compile(r"\bno,? wait\b|\bi meant\b|\bor rather\b|\bcorrection:|\bscratch that\b", re.IGNORECASE)


def _is_in(word: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", text) is not None


_STRANGE: Final = re.compile(r'"[^"a-z0-9]*[a-z0-9][^"]*"|(?<!\S)[^\s\d]*\d\S*|\d\S*|(?<!\S)\S[^\s@]*@\S+')
_DATED: Final = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|"
    r"november|december)\b"
)
"""Days in words: values only where a call has a day."""
_FEW: Final = "two three four"
_FIRST_FEW: Final = 2
"""People in a chat with the assistant for which nobody says a number: one person."""
_COUNTED: Final = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand)\b"
)
"""Numbers in words: values only where a call has a number, and no number of people."""
_PROPER: Final = re.compile(r'(?<=[\w",:] )[A-Z][a-z]\w+(?: [A-Z]\w+)*')
"""Names within a sentence."""


@lru_cache(maxsize=4096)
def _capitals(tool: Tool) -> frozenset[str]:
    """Names that the document of a tool has, such as `TikTok`."""
    return frozenset(re.findall(r"\b[A-Z][\w-]+", tool.description))


def _kinds(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[tuple[Json, Kind]]:
    for at in _called(dialogue):
        gold = dialogue.tasks[at].gold[0]
        for name, value in gold.values.items():
            schema = tools[gold.tool].properties.get(name)
            yield value, kind_of(name, schema if isinstance(schema, dict) else {})
            yield value, kind_of_value(value)


def _taken(dialogue: Dialogue) -> list[dict[str, str]]:
    return [{one.parameter: one.pointer for one in round_.taken} for round_ in _notes(dialogue)]


def _results(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """What was to be taken from the result of the round before is what the call has."""
    taken, called = _taken(dialogue), _called(dialogue)
    for before, at in zip([-1, *called], called, strict=False):
        returned = _returned(dialogue, before)
        values = dialogue.tasks[at].gold[0].values
        for name, pointer in taken[at].items():
            if name not in values or not equal(values[name], resolve(returned, pointer)):
                yield Issue("result_ignored", f"tasks[{at}].gold[0].arguments", f"{name} is not what was returned")


def _returned(dialogue: Dialogue, at: int) -> Json:
    """The result that the assistant got in a round, in its turn after the request."""
    turn = dialogue.tasks[at].turn if at >= 0 else None
    steps = dialogue.turns[turn + 1].steps if turn is not None and turn + 1 < len(dialogue.turns) else ()
    values = [result.value for step in steps for result in step.results if result.value is not None]
    return decode(values[0]) if values else None


def _swapped(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Who was asked by name answers, nobody calls himself, and a value comes first from the one who knows it."""
    people = list(_people(dialogue))
    for (at, turn), after in zip(people, [*(turn for _, turn in people[1:]), None], strict=True):
        named = called_by_name(dialogue, turn)
        if named == turn.speaker:
            yield Issue("persona_swapped", f"turns[{at}]", f"{named} speaks to himself or herself")
        elif named and named == turn.addressee and after is not None and after.speaker != named:
            yield Issue("persona_swapped", f"turns[{at + 1}]", f"{named} was asked; {after.speaker} answers")
    made = dialogue.provenance
    if made is not None and made.author == "offline":  # models give a voice in their own way
        yield from _other_voices(dialogue)
    for at, round_ in enumerate(_notes(dialogue)):
        yield from _unknown_to(dialogue, at, round_, tools)


def _other_voices(dialogue: Dialogue) -> Iterator[Issue]:
    voices = {who.id: voice_in(who.persona) for who in dialogue.participants}
    for at, turn in _people(dialogue):
        voice = voices.get(turn.speaker)
        if voice is not None and not fits(turn.text, voice):
            yield Issue("persona_swapped", f"turns[{at}]", f"{turn.speaker} does not write like this")


def _whole(text: str) -> list[str]:
    return [text]


def _unknown_to(dialogue: Dialogue, at: int, round_: DiceRound, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    """Values that somebody says who does not know them, and people whose description lacks what they know.

    Who says what the call is about, or what a value is called, has not said a value of the same words: `component`.
    """
    today = dialogue.day
    end = dialogue.tasks[at].turn or 0
    turns = [(place, turn) for place, turn in _people(dialogue) if round_.first <= place <= end]
    people = {who.id: who for who in dialogue.participants}
    for known in round_.known:
        gold = dialogue.tasks[at].gold[0]
        if known.parameter not in gold.values:
            continue
        schema, value = tools[gold.tool].properties.get(known.parameter), gold.values[known.parameter]
        kind = kind_of(known.parameter, schema if isinstance(schema, dict) else {})
        said = _QUOTED.findall if str(value) in STOP_WORDS else _whole  # `it's` does not say the language `it`
        first = next(
            ((p, t) for p, t in turns if any(mentions(one, value, kind, today=today) for one in said(t.text))), None
        )
        others = [gold.values.get(one.parameter) for one in round_.known if one.parameter != known.parameter]
        is_shared = any(_share(value, one, kind, today) for one in others)
        is_shared = is_shared or mentions(_own_words(tools[gold.tool]), value, kind, today=today)
        slot = slots(tools[gold.tool]).get(known.parameter)
        noun = known_as(slot) if slot else known.parameter
        if first is not None and first[1].speaker != known.participant and not is_shared:
            named = people[first[1].speaker].name or first[1].speaker
            yield Issue("persona_swapped", f"turns[{first[0]}]", f"{named} does not know {noun}, or not yet")
        described = people[known.participant].persona if known.participant in people else ""
        if slot and not any(noun in one for one in KNOWING.findall(described)):
            yield Issue("persona_swapped", "participants", f"{known.participant} is not described as knowing {noun}")


@lru_cache(maxsize=4096)
def _own_words(tool: Tool) -> str:
    """What a call is about and what its values are called, as everybody may say."""
    return ", ".join((gloss(tool).phrase, *(slot.noun.text for slot in slots(tool).values())))


def _share(value: Json, other: Json, kind: Kind, today: date | None) -> bool:
    """Whether words for another value may be words for this one: two numbers, or the 2 of "two lamps are out"."""
    own, told = str(value).lower(), str(other).lower()
    return own in told or told in own or mentions(told, value, kind, today=today)


def _silent(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Iterator[Issue]:
    heard = {turn.speaker for turn in dialogue.turns}
    for who in dialogue.participants:
        if who.role == "user" and who.id not in heard:
            yield Issue("silent_person", "participants", f"{who.id} never says anything")

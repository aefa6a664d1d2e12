"""People in the place of a model: they read what a model would be sent and give calls, and are scored as models are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from callwright.app.datasets import Dataset, open_dataset
from callwright.app.episodes import Episodes
from callwright.errors import BadInput
from callwright.models.chat import ChatReply, Message
from callwright.papers.registry import load_protocol, names_of
from callwright.protocol import read_options
from callwright.protocol.episode import Episode
from callwright.protocol.scoring import Scoring, data_digest
from callwright.protocol.system_prompt import read_system
from callwright.records.dialogue import Call, Dialogue
from callwright.records.jsontext import Json, encode, parse
from callwright.records.transcript import Row, Transcript
from callwright.store.dataset import read_lines

MODEL: Final = "people"


class PersonAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply of a person to one request; without a function it is words, or nothing."""

    dialogue: str
    reply: int
    """Which reply of the dialogue it is, from 1."""
    function: str = ""
    arguments: dict[str, Json] = {}
    text: str = ""

    @property
    def said(self) -> ChatReply:
        """The reply as a model would make it."""
        calls = (Call(self.function, encode(self.arguments)),) if self.function else ()
        return ChatReply(content=self.text, calls=calls)

    @property
    def line(self) -> str:
        """As a line of a file."""
        return encode(msgspec.to_builtins(self))


def typed(dialogue: str, reply: int, line: str) -> PersonAnswer:
    """Return the answer of a typed line such as `book {"city": "Oslo"}`. Raises BadInput.

    >>> typed("d", 1, 'book {"city": "Oslo"}').arguments, typed("d", 1, "").function
    ({'city': 'Oslo'}, '')
    """
    name, _, rest = line.partition(" ")
    try:
        arguments = parse(rest.strip() or "{}")
    except ValueError as error:
        raise BadInput(f'the arguments are no JSON ({error}). Write them as in: book {{"city": "Oslo"}}') from error
    if not isinstance(arguments, dict):
        raise BadInput("the arguments are no JSON object. Write a name for each value.")
    return PersonAnswer(dialogue, reply, name, arguments)


def signature(tool: Mapping[str, Json]) -> str:
    """Return a line for a tool with `name`, `description` and `parameters`; what may be left out has a question mark.

    >>> schema = {"properties": {"city": {}, "day": {}}, "required": ["city"]}
    >>> signature({"name": "book", "description": "Book a room. It is free.", "parameters": schema})
    'book(city, day?): Book a room.'
    """
    schema = tool.get("parameters")
    schema = schema if isinstance(schema, dict) else {}
    properties, needed = schema.get("properties"), schema.get("required")
    names = properties if isinstance(properties, dict) else {}
    always = needed if isinstance(needed, list) else []
    listed = ", ".join(name if name in always else f"{name}?" for name in names)
    told = " ".join(str(tool.get("description") or "").split())
    first = told.partition(". ")[0]
    first = first if first == told else f"{first}."
    short = first if len(first) <= _MOST_TOLD else f"{first[: _MOST_TOLD - 1]}…"
    return f"{tool['name']}({listed}){f': {short}' if short else ''}"


_MOST_TOLD: Final = 100
"""Characters of a description in a line."""

Ask = Callable[[Episode, int, tuple[Message, ...]], PersonAnswer | None]
"""Asks a person for a reply, by its number and the messages that are new; None: they stop here."""


class Study:
    """The dialogues of a dataset that people answer under one protocol, and their answers."""

    def __init__(
        self, dataset: Dataset | str | Path, protocol: str | None = None, *, cases: int | None = None, seed: int = 0
    ) -> None:
        """`cases` draws so many dialogues, evenly over their lengths. Raises BadInput, and UnknownName."""
        self.data = dataset if isinstance(dataset, Dataset) else open_dataset(dataset)
        if not self.data.dialogues:
            raise BadInput(f"{self.data.folder}: the dataset has no dialogues. Make some first.")
        self.protocol = load_protocol(protocol or _usual(self.data))
        self.episodes = Episodes(self.data, self.protocol, read_system(self.protocol, None).text, {})
        self.chosen = drawn(self.data.dialogues, cases, seed)
        self.answers: dict[tuple[str, int], PersonAnswer] = {}

    def read(self, path: Path) -> None:
        """Take the answers of a file, one JSON object a line. Raises BadInput, which names file and line."""
        known = set(self.episodes.ids)
        for where, line in read_lines(path):
            try:
                answer = msgspec.convert(parse(line), PersonAnswer)
            except (msgspec.ValidationError, ValueError) as error:
                raise BadInput(f"{where}: {error}. Give dialogue, reply, function and arguments.") from error
            if answer.dialogue not in known:
                raise BadInput(f"{where}: the dataset has no dialogue {answer.dialogue!r:.80}. Correct it.")
            self.answers[answer.dialogue, answer.reply] = answer

    def answer(self, ask: Ask) -> Iterator[PersonAnswer]:
        """Ask for what is missing, dialogue by dialogue; yield each new answer until the person stops."""
        for dialogue in self.chosen:
            for news in self._missing(dialogue.id, ask):
                if news is None:
                    return
                self.answers[news.dialogue, news.reply] = news
                yield news

    def _missing(self, id_: str, ask: Ask) -> Iterator[PersonAnswer | None]:
        episode, number, seen = self.episodes.open(id_), 0, 0
        episode.start()
        while not episode.is_over:
            number += 1
            found = self.answers.get((id_, number))
            if found is None:
                found = ask(episode, number, episode.request.messages[seen:])
                yield found
            if found is None:
                break
            seen = len(episode.request.messages)
            episode.reply(found.said)
        episode.close()

    def rows(self) -> list[Row]:
        """Return the scores of the dialogues whose replies are all there, as of a run. Raises BadInput for none."""
        transcripts = self._finished()
        done = [one for one in self.chosen if one.id in transcripts]
        if not done:
            raise BadInput("no dialogue has all its answers yet. Answer one to its end.")
        options = msgspec.to_builtins(read_options(self.protocol, {}))
        scoring = Scoring(
            run=str(self.data.folder),
            model=MODEL,
            protocol=self.protocol.version,
            seed=0,
            data=data_digest(done),
            options=options,
        )
        return list(
            self.protocol.score(
                {one.id: one for one in done},
                self.data.catalog.by_key,
                transcripts.values(),
                failed=(),
                scoring=scoring,
            )
        )

    @property
    def n_waiting(self) -> int:
        """How many of the chosen dialogues are not answered to their end."""
        return len(self.chosen) - len(self._finished())

    def _finished(self) -> dict[str, Transcript]:
        """The transcripts of the chosen dialogues whose replies are all there, by id."""
        made = ((one.id, self._replayed(one.id).transcript) for one in self.chosen)
        return {id_: transcript for id_, transcript in made if transcript is not None}

    def _replayed(self, id_: str) -> Episode:
        episode, number = self.episodes.open(id_), 1
        episode.start()
        while not episode.is_over and (id_, number) in self.answers:
            episode.reply(self.answers[id_, number].said)
            number += 1
        if not episode.is_over:
            episode.close()
        return episode


def _usual(data: Dataset) -> str:
    """The protocol of the same name as the recipe of the dialogues. Raises BadInput where there is none."""
    recipe = data.dialogues[0].recipe.partition(".")[0].partition("-")[0]
    if recipe not in names_of("protocols"):
        raise BadInput("which protocol people shall answer under is not known from the data. Name one with --protocol.")
    return recipe


def drawn(dialogues: Iterable[Dialogue], cases: int | None, seed: int) -> tuple[Dialogue, ...]:
    """Return so many dialogues, as evenly as can be over numbers of tasks; all without a number.

    Raises BadInput for a number below 1.
    """
    everything = tuple(dialogues)
    if cases is None:
        return everything
    if cases < 1:
        raise BadInput(f"cases is {cases}; draw at least 1.")
    strata: dict[int, list[Dialogue]] = {}
    for one in everything:
        strata.setdefault(len(one.tasks), []).append(one)
    rng = Random(seed)
    for found in strata.values():
        rng.shuffle(found)
    order: list[Dialogue] = []
    while len(order) < min(cases, len(everything)):
        order += [found.pop() for _, found in sorted(strata.items()) if found]
    return tuple(order[:cases])

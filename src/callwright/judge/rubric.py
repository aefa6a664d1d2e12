"""Rubric files: the question to a judge, its scope, and the allowed answers.

    name = "conv-rel"
    version = 1
    scope = "turn"              # each assistant turn over what came before it; or "dialogue"
    measure = "ordinal"         # distance between two answers: nominal, ordinal or interval
    task = ""                   # or only the turns that first answer a task of this kind: clarify or chat
    needs = []                  # required material, shown to the judge: tools, gold, persona, results
    notes = []                  # fields of the dialogue's annotation, such as dialogue_type, shown to the judge
    question = "How well does the reply build on what was said before it?"

    [[grades]]
    answer = "1"
    value = 0.0
    means = "off topic"

`keep_from` is the lowest value that passes in synthesis: a dialogue below it is rejected. `prompt` replaces
the bundled template; with `alone = true` the reply to it is one of the answers and nothing else.
"""

from __future__ import annotations

import re
import tomllib
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

import msgspec

from callwright.author.prompt_language import compiled
from callwright.author.prompts import SPLIT
from callwright.errors import BadDocument, BadInput, unknown_name
from callwright.records.jsontext import JsonText, encode
from callwright.records.tool import digest

Scope = Literal["dialogue", "turn"]
Measure = Literal["nominal", "ordinal", "interval"]
AnsweredTask = Literal["", "clarify", "chat"]
Need = Literal["tools", "gold", "persona", "results"]

SUFFIX: Final = ".toml"
_FOLDER: Final = "data/criteria"
_LARGEST: Final = 100_000
_MOST_GRADES: Final = 20
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


class Grade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One answer a judge may give."""

    answer: str
    value: float
    means: str


class Rubric(msgspec.Struct, frozen=True, kw_only=True, dict=True, forbid_unknown_fields=True):
    """One criterion."""

    name: str
    version: int
    scope: Scope
    measure: Measure
    question: str
    grades: tuple[Grade, ...]
    needs: tuple[Need, ...] = ()
    task: AnsweredTask = ""
    """Kind of task whose first reply is judged, after the gold trajectory of the tasks before; empty: all turns."""
    notes: tuple[str, ...] = ()
    """Fields of the dialogue's annotation that the judge is shown; a dialogue that lacks one is not judged."""
    keep_from: float | None = None
    """Lowest value with which synthesis keeps a dialogue; None: the criterion cannot be used in synthesis."""
    about: str = ""
    """Source of the criterion; not shown to judges."""
    prompt: str = ""
    """The user's template; empty: the bundled one."""
    alone: bool = False
    """Whether the reply is the answer alone, in no JSON and without reasons."""

    @property
    def label(self) -> str:
        """Name and version, such as `conv-rel.v1`."""
        return f"{self.name}.v{self.version}"

    @cached_property
    def template(self) -> str:
        """Text of the prompt, with the constant part first."""
        return self.prompt or _bundled_prompt()

    @cached_property
    def digest(self) -> str:
        """Digest of everything that determines the question and the values of its answers."""
        asked = msgspec.to_builtins(msgspec.structs.replace(self, about="", prompt=self.template))
        if not self.task:
            del asked["task"]  # left out if empty, so that older judgements stay valid
        if not self.alone:
            del asked["alone"]
        if not self.notes:
            del asked["notes"]
        return digest(msgspec.json.encode(asked).decode())

    @cached_property
    def reply_schema(self) -> JsonText | None:
        """JSON Schema of a reply: reasons first, so that the grade is based on them; None for the answer alone."""
        if self.alone:
            return None
        answers = [grade.answer for grade in self.grades]
        return encode(
            {
                "type": "object",
                "properties": {"analysis": {"type": "string"}, "grade": {"type": "string", "enum": answers}},
                "required": ["analysis", "grade"],
                "additionalProperties": False,
            }
        )


def find_rubrics(names: tuple[str, ...]) -> tuple[Rubric, ...]:
    """Return the criteria of these names; one with a slash or ending in `.toml` is a user's file. Raises BadInput."""
    if not names:
        raise BadInput(f"no criterion is given. Name at least one. Known: {', '.join(criteria())}")
    found = tuple(_own(Path(name)) if _is_path(name) else bundled_rubric(name) for name in names)
    by_name = {rubric.name: rubric for rubric in found}
    if len(by_name) < len(found):
        twice = next(one.name for at, one in enumerate(found) if one.name in {other.name for other in found[:at]})
        raise BadInput(f"two criteria are called {twice!r}. Give each once, or rename one.")
    return found


@lru_cache(maxsize=1)
def criteria() -> tuple[str, ...]:
    folder = files("callwright.judge").joinpath(_FOLDER)
    return tuple(sorted(one.name.removesuffix(SUFFIX) for one in folder.iterdir() if one.name.endswith(SUFFIX)))


@lru_cache(maxsize=64)
def bundled_rubric(name: str) -> Rubric:
    """Return a bundled criterion. Raises UnknownName, which lists them."""
    if name not in criteria():
        raise unknown_name("criterion", name, list(criteria()))
    text = files("callwright.judge").joinpath(f"{_FOLDER}/{name}{SUFFIX}").read_text(encoding="utf-8")
    return read_rubric(text, where=f"criterion {name}")


def read_rubric(text: str, *, where: str) -> Rubric:
    """Return the criterion in a text. Raises BadDocument, saying what is wrong and where."""
    try:
        rubric = msgspec.convert(tomllib.loads(text), Rubric)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, RecursionError) as error:
        raise BadDocument(f"{where}: {error}. Fix the rubric.") from error
    fault = _fault(rubric)
    if fault:
        raise BadDocument(f"{where}: {fault}. Fix the rubric.")
    return rubric


def _fault(rubric: Rubric) -> str:
    """Return what is inconsistent in a rubric whose fields have the right types; empty if nothing is."""
    answers = [grade.answer for grade in rubric.grades]
    if not _NAME.fullmatch(rubric.name) or len(rubric.name) > 40:
        return f"name {rubric.name!r}: use small letters, digits and single hyphens"
    if rubric.version < 1:
        return "version: count from 1"
    if not rubric.question.strip():
        return "question: is empty"
    if not 2 <= len(answers) <= _MOST_GRADES:
        return f"grades: there are {len(answers)}; give 2 to {_MOST_GRADES}"
    if len({_plain(answer) for answer in answers}) < len(answers) or not all(map(_plain, answers)):
        return "grades: two answers are the same, or one is empty"
    if not all(-1e6 <= grade.value <= 1e6 for grade in rubric.grades):
        return "grades: a value is out of range"
    if rubric.keep_from is not None and rubric.scope != "dialogue":
        return "keep_from: means something for whole dialogues only"
    if rubric.task and rubric.scope != "turn":
        return "task: what answers a task is a turn; set the scope to it"
    if rubric.scope == "turn" and "results" in rubric.needs:
        return "needs: results are those of a whole dialogue; the scope is a turn"
    if rubric.prompt and rubric.prompt.count(SPLIT) != 1:
        return "prompt: needs one line `---` between the part that never varies and the rest"
    if rubric.alone and not rubric.prompt:
        return "alone: needs a prompt of its own, as the bundled one asks for a JSON object"
    return _template_fault(rubric.prompt)


def _template_fault(prompt: str) -> str:
    if not prompt:
        return ""
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    try:
        compiled(prompt, where="prompt", environment=ImmutableSandboxedEnvironment())
    except BadDocument as error:
        return str(error)
    return ""


def _plain(answer: str) -> str:
    return answer.strip().casefold()


def _is_path(name: str) -> bool:
    return name.endswith(SUFFIX) or "/" in name or "\\" in name


def _own(path: Path) -> Rubric:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)  # a device or a pipe has no size
        if len(data) > _LARGEST:
            raise BadDocument(f"{path}: larger than {_LARGEST:,} bytes. Shorten the rubric.")
        text = data.decode()
    except UnicodeDecodeError as error:
        raise BadDocument(f"{path}: not UTF-8 ({error}). Save it as UTF-8.") from error
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror or error}).") from error
    return read_rubric(text, where=str(path))


@lru_cache(maxsize=1)
def _bundled_prompt() -> str:
    return files("callwright.judge").joinpath("data/prompt.j2").read_text(encoding="utf-8")

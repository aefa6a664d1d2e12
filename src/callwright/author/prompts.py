"""Prompt files: the bundled ones, and a user's own in their place.

DIR/diaforge/user.j2      takes the place of the bundled prompt of that name
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from callwright.author.prompt_language import compiled, rendered, template_of
from callwright.errors import BadDocument, BadInput, UnknownName
from callwright.models.chat import Message
from callwright.records.tool import digest

SPLIT: Final = "\n---\n"
"""Between the part that is the same for every item and the part that is not."""

_FOLDER: Final = "data/prompts"
_SUFFIX: Final = ".j2"
_LARGEST = 100_000
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


SHARED: Final = "callwright.author"
"""Package of the prompts that several papers use; a paper's own lie in its own package."""


class Prompts:
    """Sources of prompts by name, read once: a file that changes later has no effect."""

    def __init__(
        self,
        folder: str | Path | None = None,
        *,
        homes: Sequence[str] = (SHARED,),
        renamed: Mapping[str, str] = _NONE,
    ) -> None:
        """`folder` holds files that take the place of bundled prompts, each under the name of one.

        `homes` are the packages of bundled prompts, `renamed` prompts that are gone, each with its new name. Raises
        BadInput for a folder without prompts, BadDocument and UnknownName for files that cannot be used.
        """
        self._homes = tuple(homes)
        self._own = {} if folder is None else _own_prompts(Path(folder), prompt_names(self._homes), renamed)

    @classmethod
    def of(cls, sources: Mapping[str, str]) -> Prompts:
        """Return prompts with these texts by name, as `sources` gave them."""
        prompts = cls(homes=())
        prompts._own = dict(sources)
        return prompts

    def source(self, name: str) -> str:
        """Return the text of a prompt. Raises BadDocument where there is none."""
        return self._own[name] if name in self._own else prompt_source(name, self._homes)

    def digest(self, *chosen: str) -> str:
        """Return a digest over prompts: whole groups, such as `diaforge`, and single ones by their names."""
        return digest(*(part for named in self.sources(*chosen).items() for part in named))

    def sources(self, *chosen: str) -> dict[str, str]:
        """Return the texts of prompts by name: of whole groups, and of single ones."""
        names = [name for name in prompt_names(self._homes) if name in chosen or name.partition("/")[0] in chosen]
        return {name: self.source(name) for name in names}


@lru_cache(maxsize=64)
def prompt_source(name: str, homes: tuple[str, ...] = (SHARED,)) -> str:
    """Return the text of a bundled prompt file. Raises BadDocument where none of the packages has it."""
    for home in homes:
        resource = files(home).joinpath(f"{_FOLDER}/{name}")
        if resource.is_file():
            return resource.read_text(encoding="utf-8")
    raise BadDocument(f"prompt {name}: no such file under {_FOLDER} of {', '.join(homes)}")


@lru_cache(maxsize=8)
def prompt_names(homes: tuple[str, ...] = (SHARED,)) -> tuple[str, ...]:
    """Return the names of all bundled prompts, such as `lint/tell_apart.j2`."""
    groups = [group for home in homes for group in files(home).joinpath(_FOLDER).iterdir() if group.is_dir()]
    names = [f"{group.name}/{one.name}" for group in groups for one in group.iterdir() if one.name.endswith(_SUFFIX)]
    return tuple(sorted(names))


def fields(prompt: str) -> dict[str, str]:
    """Return the lines `NAME: REST` of a rendered prompt, by name."""
    pairs = (line.partition(": ") for line in prompt.splitlines())
    return {name: rest for name, colon, rest in pairs if colon}


def listed_under(prompt: str, head: str) -> list[str]:
    """Return the lines `- ...` right under a line `HEAD:` of a rendered prompt."""
    _, _, rest = prompt.partition(f"\n{head}:\n")
    lines = takewhile(lambda line: line.startswith("- "), rest.splitlines())
    return [line.removeprefix("- ") for line in lines]


def render_messages(source: str, fields: Mapping[str, Any], *, where: str) -> tuple[Message, Message]:
    """Return a prompt's constant part as the system message, the rest as the user's.

    Raises BadDocument where the template, whose name is `where`, fails on the fields.
    """
    static, _, varying = source.partition(SPLIT)
    return Message("system", _render(static, fields, where)), Message("user", _render(varying, fields, where))


def _render(source: str, fields: Mapping[str, Any], where: str) -> str:
    place = f"prompt {where}"
    return rendered(template_of(source, place), fields, where=place).strip()


def _own_prompts(folder: Path, names: Sequence[str], renamed: Mapping[str, str]) -> dict[str, str]:
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder. Give a folder of prompts, such as {names[0]}.")
    found = sorted(path for path in folder.rglob(f"*{_SUFFIX}") if path.is_file())
    own = {path.relative_to(folder).as_posix(): path for path in found}
    known = ", ".join(names)
    if not own:
        raise BadInput(f"{folder}: holds no prompts. Known: {known}")
    for name, path in own.items():
        if name in renamed:
            raise UnknownName(f"{path}: no prompt is called {name!r} any more. Write {renamed[name]!r} instead.")
        if name not in names:
            raise UnknownName(f"{path}: no prompt is called {name!r}. Known: {known}")
        if not path.resolve().is_relative_to(folder.resolve()):
            raise BadInput(f"{path}: links to a file outside the folder. Put the file itself there.")
    return {name: _read(path) for name, path in own.items()}


def _read(path: Path) -> str:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    if path.stat().st_size > _LARGEST:
        raise BadDocument(f"{path}: larger than {_LARGEST:,} bytes. Shorten the prompt.")
    try:
        source = path.read_text(encoding="utf-8")
        compiled(source, where=str(path), environment=ImmutableSandboxedEnvironment())
    except UnicodeDecodeError as error:
        raise BadDocument(f"{path}: not UTF-8 ({error}). Save it as UTF-8.") from error
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error}).") from error
    if source.count(SPLIT) != 1:
        raise BadDocument(f"{path}: needs one line `---` between the constant part and the rest.")
    return source

"""Prompt files: the bundled ones, and a user's own in their place.

DIR/diaforge/user_turn.j2      takes the place of the bundled prompt of that name
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from callwright.errors import BadDocument, BadInput, UnknownName
from callwright.records.tool import digest

SPLIT: Final = "\n---\n"
"""Between the part that is the same for every item and the part that is not."""

_FOLDER: Final = "data/prompts"
_SUFFIX: Final = ".j2"
_LARGEST = 100_000


class Prompts:
    """Sources of prompts by name, read once: what a file becomes later changes nothing."""

    def __init__(self, folder: str | Path | None = None) -> None:
        """`folder` holds files that take the place of bundled ones; any name of theirs must be a bundled prompt's.

        Raises BadInput for a folder without prompts, BadDocument and UnknownName for files that cannot be used.
        """
        self._own = {} if folder is None else _own_prompts(Path(folder))

    def source(self, name: str) -> str:
        """Return the text of a prompt. Raises BadDocument where there is none."""
        return self._own[name] if name in self._own else prompt_source(name)

    def digest(self, *chosen: str) -> str:
        """Return a digest over prompts: whole groups, such as `diaforge`, and single ones by their names."""
        names = [name for name in prompt_names() if name in chosen or name.partition("/")[0] in chosen]
        return digest(*(part for name in names for part in (name, self.source(name))))


@lru_cache(maxsize=64)
def prompt_source(name: str) -> str:
    """Return the text of a bundled prompt file. Raises BadDocument where there is none."""
    resource = files("callwright.author").joinpath(f"{_FOLDER}/{name}")
    if not resource.is_file():
        raise BadDocument(f"prompt {name}: no such file under author/data/prompts")
    return resource.read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def prompt_names() -> tuple[str, ...]:
    """Return the names of all bundled prompts, such as `diaforge/goal.j2`."""
    groups = [group for group in files("callwright.author").joinpath(_FOLDER).iterdir() if group.is_dir()]
    names = [f"{group.name}/{one.name}" for group in groups for one in group.iterdir() if one.name.endswith(_SUFFIX)]
    return tuple(sorted(names))


def _own_prompts(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder. Give a folder of prompts, such as {prompt_names()[0]}.")
    found = sorted(path for path in folder.rglob(f"*{_SUFFIX}") if path.is_file())
    own = {path.relative_to(folder).as_posix(): path for path in found}
    known = ", ".join(prompt_names())
    if not own:
        raise BadInput(f"{folder}: holds no prompts. Known: {known}")
    for name, path in own.items():
        if name not in prompt_names():
            raise UnknownName(f"{path}: no prompt is called {name!r}. Known: {known}")
        if not path.resolve().is_relative_to(folder.resolve()):
            raise BadInput(f"{path}: links to a file outside the folder. Put the file itself there.")
    return {name: _read(path) for name, path in own.items()}


def _read(path: Path) -> str:
    from jinja2 import TemplateSyntaxError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    if path.stat().st_size > _LARGEST:
        raise BadDocument(f"{path}: larger than {_LARGEST:,} bytes. Shorten the prompt.")
    try:
        source = path.read_text(encoding="utf-8")
        ImmutableSandboxedEnvironment().parse(source)
    except UnicodeDecodeError as error:
        raise BadDocument(f"{path}: not UTF-8 ({error}). Save it as UTF-8.") from error
    except TemplateSyntaxError as error:
        raise BadDocument(f"{path}, line {error.lineno}: {error.message}. Fix the template.") from error
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error}).") from error
    if source.count(SPLIT) != 1:
        raise BadDocument(f"{path}: needs one line `---` between the constant part and the rest.")
    return source

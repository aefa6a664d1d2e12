"""Facts learned about servers during a run, so that each is found out only once."""

from __future__ import annotations

from callwright.models.structured import LEVELS, Level


class Learned:
    """Knowledge shared by all models of one run."""

    def __init__(self) -> None:
        self._levels: dict[str, Level] = {}
        self._proven: set[tuple[str, Level]] = set()
        self._answered: set[str] = set()

    def level(self, model: str) -> Level:
        """Return the strictest form of JSON replies that may work with the model of this full name."""
        return self._levels.get(model, LEVELS[0])

    def keep_level(self, model: str, level: Level) -> None:
        """Remember a form that worked, so that stricter ones are not tried again."""
        self._levels[model] = max(self.level(model), level, key=LEVELS.index)

    def is_proven(self, model: str, level: Level) -> bool:
        """Return whether a reply asked for in this form ever fitted its schema."""
        return (model, level) in self._proven

    def prove(self, model: str, level: Level) -> None:
        """Remember that a reply asked for in this form fitted its schema."""
        self._proven.add((model, level))

    def answers(self, url: str) -> bool:
        """Return whether the server ever answered."""
        return url in self._answered

    def keep_answer(self, url: str) -> None:
        """Remember that the server answered."""
        self._answered.add(url)

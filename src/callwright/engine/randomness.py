"""Random streams keyed by place: a place in a rollout always draws the same numbers, regardless of execution order."""

from __future__ import annotations

from hashlib import blake2b
from random import Random


def stream(seed: int, item: str, scope: str, attempt: int = 0, *, trial: int = 0) -> Random:
    """Return the random stream of one place; about 10 µs.

    >>> stream(7, "ab", "c").random() == stream(7, "ab", "c").random()
    True
    >>> stream(7, "ab", "c").random() == stream(7, "a", "bc").random()
    False
    """
    return Random(_key(seed, item, scope, attempt, trial))


class LateStream(Random):
    """The random stream of one place, created at its first draw, because most served models never draw."""

    def __new__(cls, *place: object) -> LateStream:
        return super().__new__(cls, 0)  # type: ignore[call-arg]  # without a seed it reads the system's entropy

    def __init__(self, seed: int, item: str, scope: str, attempt: int, trial: int) -> None:
        super().__init__()
        self._place = (seed, item, scope, attempt, trial)
        self._begun: Random | None = None

    def seed(self, *_: object) -> None:
        """Do nothing, because the place is the seed."""

    def random(self) -> float:
        return self._stream.random()

    def getrandbits(self, k: int, /) -> int:
        return self._stream.getrandbits(k)

    @property
    def _stream(self) -> Random:
        if self._begun is None:
            self._begun = Random(_key(*self._place))
        return self._begun


def _key(seed: int, item: str, scope: str, attempt: int, trial: int) -> int:
    parts = [part.encode("utf-8", "surrogatepass") for part in (str(seed), item, scope, str(attempt), str(trial))]
    keyed = b"".join([len(part).to_bytes(8, "little") + part for part in parts])  # lengths keep the boundaries apart
    return int.from_bytes(blake2b(keyed, digest_size=16).digest(), "little")

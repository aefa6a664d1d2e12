"""What a server was asked and what it gave, counted in bounded memory."""

from __future__ import annotations

from collections import Counter, OrderedDict

import msgspec

MOST_KEPT = 200_000
"""Different requests whose counts are kept; beyond that, those not asked for longest are forgotten."""


class Counts(msgspec.Struct):
    """Of one request: how often it was asked, and how often its reply went out whole."""

    asked: int = 0
    replied: int = 0


class Summary(msgspec.Struct, frozen=True):
    """The page of counts."""

    requests: int
    """Requests for a completion, refused ones included."""
    replies: int
    """Replies that went out whole and unspoiled."""
    refused: int
    """Requests that were wrong in themselves."""
    gone: int
    """Clients that left before the end of their reply."""
    faults: dict[str, int]
    different: int
    """Different request bodies, of those remembered."""
    asked_again: int
    """Requests whose body had been asked before."""
    asked_after_reply: int
    """Of these, the ones whose reply had gone out whole before: 0 where a client keeps what it was given."""
    forgotten: int


class Tally:
    """Counts of one server, from its start."""

    def __init__(self, *, most_kept: int = MOST_KEPT) -> None:
        self.faults: Counter[str] = Counter()
        self.refused = self.gone = 0
        self._requests = self._replies = self._again = self._after_reply = self._forgotten = 0
        self._most_kept = most_kept
        self._counts: OrderedDict[str, Counts] = OrderedDict()

    def ask(self, digest: str) -> int:
        """Count a request; return how often its body was asked before."""
        counts = self._counts.get(digest)
        if counts is None:
            counts = self._counts[digest] = Counts()
            if len(self._counts) > self._most_kept:
                self._counts.popitem(last=False)
                self._forgotten += 1
        else:
            self._counts.move_to_end(digest)
        before = counts.asked
        counts.asked += 1
        self._requests += 1
        self._again += before > 0
        self._after_reply += counts.replied > 0
        return before

    def replied(self, digest: str) -> None:
        """Count a reply that went out whole."""
        self._replies += 1
        if digest in self._counts:
            self._counts[digest].replied += 1

    def summary(self) -> Summary:
        """Return the counts so far."""
        return Summary(
            requests=self._requests,
            replies=self._replies,
            refused=self.refused,
            gone=self.gone,
            faults=dict(sorted(self.faults.items())),
            different=len(self._counts),
            asked_again=self._again,
            asked_after_reply=self._after_reply,
            forgotten=self._forgotten,
        )

    def by_request(self) -> dict[str, Counts]:
        """Return the counts of each request by its digest, the longest unasked first."""
        return dict(self._counts)
